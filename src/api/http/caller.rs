//! Who sends a request, and what the caller may do.

use std::rc::Rc;

use super::app::App;
use super::tickets::{self, Tried};
use crate::api::http::Head;
use crate::auth::{self, BearerError, KeyRecord, Mode, Scope, allows_line, console_session};
use crate::base::{ports::Platform, redact};
use crate::problem::Problem;

/// Who sends a request.
#[derive(Debug, Clone)]
pub enum Caller {
    /// Somebody with an API key.
    Key(Rc<KeyRecord>),
    /// The service itself, for this account: it sends the codes by which people sign in.
    Service(String),
}

/// The name of the service where the id of a key stands.
const SERVICE: &str = "service";
/// How many characters of a digest the log shows: enough to find the record in KV.
const SHOWN_DIGEST: usize = 12;

/// Reads the record that KV has under a digest.
pub fn read_record(digest: &str, text: &str) -> Result<KeyRecord, Problem> {
    serde_json::from_str(text).map_err(|error| {
        let beginning = digest.get(..SHOWN_DIGEST).unwrap_or_default();
        Problem::Internal(format!("record of key {beginning}…: {}", redact::of_json(&error)))
    })
}

/// The key of a request, or the session in its place. A browser says from which page a request comes (Fetch Metadata, 2.3), and
/// no page of another origin can send the header of the console unless the service allows it, which it never does.
fn credential(head: &Head) -> Result<&str, Problem> {
    let unauthorized = |key_sent| Problem::Unauthorized { key_sent };
    let bearer = auth::bearer(head.authorization.as_deref());
    let cookie = head.cookie.as_deref().filter(|_| head.authorization.is_none());
    let cookie = console_session::of_cookie(
        cookie,
        &head.origin,
        console_session::COOKIE,
        console_session::is_well_formed,
    );
    let Some(value) = cookie else {
        let key = bearer.map_err(|error| unauthorized(error != BearerError::Missing))?;
        return if console_session::is_session(key) || console_session::is_link(key) {
            Err(unauthorized(true))
        } else {
            Ok(key)
        };
    };
    let is_own_page = match (&head.fetch_site, &head.page_origin) {
        (Some(site), _) => site == "same-origin",
        (None, Some(origin)) => *origin == head.origin,
        (None, None) => false,
    };
    if !is_own_page || head.console.as_deref() != Some("1") {
        return Err(Problem::NotFromConsole);
    }
    console_session::is_well_formed(value)
        .then_some(value)
        .ok_or(unauthorized(true))
}

impl Caller {
    /// Finds out who sends a request. Fails with 401 if the request has no usable key.
    pub async fn authenticate(
        platform: &impl Platform,
        app: &App,
        head: &Head,
        now_ms: i64,
    ) -> Result<Caller, Problem> {
        let key = match credential(head) {
            Ok(key) => key,
            Err(problem) => {
                tickets::note_failure(&app.strangers, platform, head, now_ms, Tried::Nothing).await;
                return Err(problem);
            }
        };
        let digest = auth::digest(key);
        let found = Self::find(platform, app, head, (key, &digest), now_ms).await;
        if let Err(Problem::Unauthorized { .. }) = &found {
            tickets::note_failure(&app.strangers, platform, head, now_ms, Tried::Secret(&digest)).await;
        }
        found
    }

    /// Finds the record of a key. From an address that is kept out, only one that the isolate knows.
    async fn find(
        platform: &impl Platform,
        app: &App,
        head: &Head,
        (key, digest): (&str, &str),
        now_ms: i64,
    ) -> Result<Caller, Problem> {
        let address = head.address.as_deref();
        let invalid = || Problem::Unauthorized { key_sent: true };
        let record = match app.keys.get(digest, now_ms) {
            Some(record) => record,
            None => {
                tickets::admit(&app.strangers, platform, head, now_ms)?;
                if !auth::checksum_ok(key) {
                    return Err(invalid());
                }
                let text = platform.key(digest).await?.ok_or_else(invalid)?;
                app.keys.put(digest, now_ms, read_record(digest, &text)?)
            }
        };
        if record.is_expired(now_ms) {
            return Err(invalid());
        }
        if !record.allows_address(address) {
            let address = address.map(str::to_owned);
            return Err(Problem::AddressNotAllowed { address });
        }
        Ok(Caller::Key(record))
    }

    /// The id of the account that the caller acts for.
    pub fn account(&self) -> &str {
        match self {
            Caller::Key(key) => &key.account,
            Caller::Service(account) => account,
        }
    }

    /// The id of the API key behind the request.
    pub fn key_id(&self) -> &str {
        match self {
            Caller::Key(key) => &key.key,
            Caller::Service(_) => SERVICE,
        }
    }

    /// The id of the API key that stays when a session has ended: what a session does, its key has done.
    pub fn lasting_key(&self) -> &str {
        match self {
            Caller::Key(key) => key.session_of.as_deref().unwrap_or(&key.key),
            Caller::Service(_) => SERVICE,
        }
    }

    /// What the caller's session comes from, if a link or a passkey has opened it.
    pub fn ways(&self) -> &[String] {
        match self {
            Caller::Key(key) => &key.ways,
            Caller::Service(_) => &[],
        }
    }

    /// The operators' key by which the caller looks at an account. `None`: the caller acts for the account itself.
    pub fn looker(&self) -> Option<&str> {
        match self {
            Caller::Key(key) => key.looker(),
            Caller::Service(_) => None,
        }
    }

    /// Whether the caller has a session of the console in place of a key.
    pub fn is_session(&self) -> bool {
        match self {
            Caller::Key(key) => key.session_of.is_some(),
            Caller::Service(_) => false,
        }
    }

    /// Whether the caller's messages cost money.
    pub fn mode(&self) -> Mode {
        match self {
            Caller::Key(key) => key.mode,
            Caller::Service(_) => Mode::Live,
        }
    }

    /// The numbers of the lines that the caller may send from; `None` for all lines of the account.
    pub fn lines(&self) -> Option<&[String]> {
        match self {
            Caller::Key(key) => key.lines.as_deref(),
            Caller::Service(_) => None,
        }
    }

    /// Whether the caller may send from a line of the account.
    pub fn may_use_line(&self, number: &str) -> bool {
        allows_line(self.lines(), number)
    }

    /// Whether the caller has a scope.
    pub fn has_scope(&self, scope: Scope) -> bool {
        match self {
            Caller::Key(key) => key.allows(scope),
            Caller::Service(_) => scope == Scope::Verify,
        }
    }
}
