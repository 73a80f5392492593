//! Status callbacks: what messages with an address of their own tell it. No endpoint has them and no log keeps them. A callback
//! waits in a row of its own until its receiver has it, or all attempts have failed.
//!
//! The invariants: a callback that the object has taken is attempted under one token until its receiver has it, or the service's log
//! says that it was given up. No receiver holds back another one, and all of them together hold back no endpoint
//! (`concurrency.rs`). *A crash* repeats an attempt at most. One that is handed over again after it has ended is
//! attempted anew: its token is the same.
//!
//! A callback writes five rows: two in the account's object and three here. Each attempt that fails writes two more here.

pub mod attempt;
pub mod due;
pub mod twilio;

use serde::{Deserialize, Serialize};
use serde_json::json;
use sms::mask::Mask;

use super::low_balance;
use super::request::{ReplyResult, WebhookRequest};
use crate::account::erasure::others::erase_from;
use crate::account::outbox::callbacks::NewCallback;
use crate::auth::Mode;
use crate::auth::signing_key::SigningKey;
use crate::base::log;
use crate::base::ports::{Platform, PortError, Sql};
use crate::durable::to_json;

/// The most callbacks of live messages that wait. Beyond, the oldest are given up.
pub const MAX_WAITING: i64 = 10_000;
/// As [`MAX_WAITING`], of test messages.
pub const MAX_TEST_WAITING: i64 = 2_000;

/// Takes callbacks. They are safe when the object has answered. One that waits already and comes again changes nothing.
#[derive(Debug, Serialize, Deserialize)]
pub struct TakeCallbacks(pub Vec<NewCallback>);

impl WebhookRequest for TakeCallbacks {
    fn answer(&self, platform: &impl Platform, sql: &impl Sql, account: &str) -> ReplyResult<()> {
        low_balance::note_account(sql, account)?;
        let rows: Vec<_> = self.0.iter().map(|new| (new, receiver(&new.callback.url))).collect();
        sql.exec(
            "INSERT INTO callback (id, receiver, message, due_ms, failures, test, data) \
             SELECT value ->> '$[0].id', value ->> 1, value ->> '$[0].message', ?2, 0, value ->> '$[0].test', value -> 0 \
             FROM json_each(?1) WHERE 1 ON CONFLICT DO NOTHING",
            &[to_json(&rows)?.into(), platform.now_ms().into()],
        )?;
        for (mode, most) in [(Mode::Live, MAX_WAITING), (Mode::Test, MAX_TEST_WAITING)] {
            let dropped = drop_surplus(sql, mode, most)?;
            if dropped > 0 {
                log::error(
                    platform,
                    "webhook",
                    json!({"what": "too many status callbacks wait: the oldest are given up", "account": account,
                        "callbacks": dropped}),
                );
            }
        }
        Ok(Ok(()))
    }
}

/// Who listens at an address in its canonical form: the part before the path.
fn receiver(url: &str) -> &str {
    let host = url.find("://").map_or(0, |at| at + "://".len());
    let path = url.get(host..).and_then(|rest| rest.find('/'));
    path.and_then(|at| url.get(..host + at)).unwrap_or(url)
}

/// Drops the oldest callbacks of a mode that wait, if they are too many, and says how many these were.
fn drop_surplus(sql: &impl Sql, mode: Mode, most: i64) -> Result<usize, PortError> {
    let tests = sql.number("SELECT count(*) FROM callback WHERE test = 1", &[])?;
    let waiting = match mode {
        Mode::Live => sql.number("SELECT count(*) FROM callback", &[])?.unwrap_or(0) - tests.unwrap_or(0),
        Mode::Test => tests.unwrap_or(0),
    };
    let surplus = waiting.saturating_sub(most);
    if surplus <= 0 {
        return Ok(0);
    }
    let dropped = sql.exec(
        "DELETE FROM callback WHERE id IN (SELECT id FROM callback WHERE test = ?1 ORDER BY id LIMIT ?2) RETURNING 1",
        &[mode.is_test().into(), surplus.into()],
    )?;
    Ok(dropped.len())
}

/// Takes a number out of the callbacks that wait. Gives how many had it.
pub fn erase(sql: &impl Sql, msisdn: u64, mask: &Mask) -> Result<i64, PortError> {
    let [ascii, persian, arabic] = mask.needles();
    let rows = sql.exec(
        "SELECT id, data FROM callback WHERE instr(data, ?1) OR instr(data, ?2) OR instr(data, ?3)",
        &[ascii.into(), persian.into(), arabic.into()],
    )?;
    let mut erased = Vec::new();
    for row in &rows {
        if let Some(data) = erase_from(&row.text(1)?, msisdn, mask)? {
            erased.push((row.text(0)?, data));
        }
    }
    write(sql, &erased)?;
    Ok(i64::try_from(erased.len()).unwrap_or(i64::MAX))
}

/// Seals the keys of the callbacks that wait by the newest key. One that no key opens stays as it is.
pub fn seal_anew(platform: &impl Platform, sql: &impl Sql, account: &str) -> Result<(), PortError> {
    let mut sealed = Vec::new();
    for row in sql.exec("SELECT id, data FROM callback", &[])? {
        let mut callback = read(&row.text(1)?)?;
        if let Ok(key) = SigningKey::open(platform, account, &callback.callback.key) {
            callback.callback.key = key.seal(platform, account)?;
            sealed.push((row.text(0)?, to_json(&callback)?));
        }
    }
    write(sql, &sealed)
}

fn write(sql: &impl Sql, changed: &[(String, String)]) -> Result<(), PortError> {
    sql.exec(
        "UPDATE callback SET data = p.value ->> 1 FROM json_each(?1) AS p WHERE callback.id = p.value ->> 0",
        &[to_json(&changed)?.into()],
    )
    .map(drop)
}

fn read(data: &str) -> Result<NewCallback, PortError> {
    serde_json::from_str(data).map_err(|error| PortError::json("callback", &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_with_one_host_and_port_have_one_receiver() {
        for (url, wanted) in [
            ("https://shop.example/", "https://shop.example"),
            ("https://shop.example/status?order=https://a/b", "https://shop.example"),
            ("https://shop.example:8443/x", "https://shop.example:8443"),
            ("http://[::1]:8080/x/y", "http://[::1]:8080"),
        ] {
            assert_eq!(receiver(url), wanted);
        }
    }
}
