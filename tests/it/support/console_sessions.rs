//! Sessions of the console, as pages have them.

use serde_json::json;

use super::{Answer, World};

/// The session in the cookie of an answer.
#[track_caller]
pub fn cookie(answer: &Answer) -> String {
    let cookie = answer.header("Set-Cookie").unwrap();
    let value = cookie.strip_prefix("__Host-peyk_session=").unwrap();
    value.split_once(';').unwrap().0.to_owned()
}

/// The ticket that an answer gives the browser.
pub fn ticket(answer: &Answer) -> Option<String> {
    let cookies = answer.response.headers.iter().filter(|(name, _)| *name == "Set-Cookie");
    let ticket = cookies
        .filter_map(|(_, cookie)| cookie.strip_prefix("__Host-peyk_ticket="))
        .next()?;
    Some(ticket.split_once(';').unwrap().0.to_owned())
}

impl World {
    /// Signs in with a key.
    #[track_caller]
    pub fn signed_in(&self, key: &str) -> String {
        cookie(&self.ask("POST", key, "/console/session").send().expect(204))
    }

    /// Uses up what a key may ask for beside the rate limit, by this list of keys.
    pub fn use_up_reserve(&self, key: &str, keys: &str) {
        assert!((0..40).any(|_| self.get(key, keys).response.status == 429));
    }

    /// Opens a link with this code.
    pub fn enter(&self, code: &str) -> Answer {
        let request = self.request("POST", "/console/sign-in/link");
        request.json(json!({"code": code})).send()
    }

    /// What a page with this session reads.
    pub fn page(&self, session: &str, path: &str) -> Answer {
        self.request("GET", path).session(session).send()
    }

    /// Gives an account as many sessions of a key that is gone as it may have.
    pub fn fill_with_sessions(&self, account: &str) {
        self.sql(account).run(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) \
             INSERT INTO api_key (id, title, digest, scopes, mode, created_ms, expires_ms, session_of) \
             SELECT printf('session-%d', i), 'x', 'd' || i, '', 'live', 0, 9e15, 'gone' FROM n",
        );
    }
}
