//! One attempt to deliver an event: the request, what the answer means, and what becomes of the delivery.
//!
//! The request is the same for every attempt, but for its time and signatures: the id and the body stay. *A crash before the
//! outcome is noted* repeats the attempt; the receiver knows the event by its id.

use serde_json::{Value, json};

use super::delivery::{own_event, to_raw};
use super::delivery_state::DeliveryState;
use super::endpoint::{self, DisabledReason};
use super::secrets::{self, Owner};
use super::{event, signing};
use crate::account::outbox::event_type::EventType;
use crate::base::ports::{IncomingResponse, OutgoingRequest, Platform, PortError, Sql};
use crate::base::url_guard::{self, Loopback};
use crate::base::{config::Config, log, time};

/// How long an attempt may take, ms.
pub const TIMEOUT_MS: u32 = 15_000;

const SECOND_MS: i64 = 1_000;
const HOUR_MS: i64 = 60 * 60 * SECOND_MS;

/// The longest pause that a receiver may ask for, ms.
pub const LONGEST_PAUSE_MS: i64 = 24 * HOUR_MS;
/// An endpoint is disabled when its attempts have failed for so long, ms.
pub const FAILING_MS: i64 = 5 * 24 * HOUR_MS;
/// A wait is longer by a random part of this fraction, so that deliveries that failed together do not come back together.
const JITTER_PARTS: i64 = 10;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    pub endpoint: String,
    pub url: String,
    /// The endpoint's secrets, as they are stored: sealed.
    pub secrets: String,
    pub event: String,
    pub kind: String,
    /// When the event became true.
    pub made_ms: i64,
    /// What it tells, JSON.
    pub data: String,
    pub failures: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attempted {
    /// The receiver has the event.
    Done { status: u16 },
    /// The receiver does not have it, or nobody knows.
    Failed(Failure),
    /// The receiver wants nothing any more.
    Gone,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The HTTP status, if the receiver answered.
    pub status: Option<u16>,
    /// What was wrong.
    pub error: &'static str,
    /// How long the receiver asks to be left alone, ms.
    pub pause_ms: Option<i64>,
}

/// Makes the request of an attempt. `None` if the address may not be fetched.
fn outgoing(
    platform: &impl Platform,
    config: &Config,
    account: &str,
    due: &Due,
) -> Result<Option<OutgoingRequest>, PortError> {
    let Some(url) = address(config, &due.url) else {
        return Ok(None);
    };
    let body = event::body(&due.event, &due.kind, due.made_ms, &due.data)?;
    let timestamp_s = platform.now_ms().div_euclid(SECOND_MS);
    let endpoint = &due.endpoint;
    let secrets = secrets::signing(platform, Owner { account, endpoint }, &due.secrets)?;
    let signature = signing::signatures(secrets.iter().map(String::as_str), &due.event, timestamp_s, &body)?;
    Ok(Some(OutgoingRequest {
        method: "POST",
        url,
        headers: vec![
            ("content-type", "application/json".to_owned()),
            ("user-agent", "Peyk-Webhooks".to_owned()),
            ("webhook-id", due.event.clone()),
            ("webhook-timestamp", timestamp_s.to_string()),
            ("webhook-signature", signature),
        ],
        body,
        timeout_ms: TIMEOUT_MS,
    }))
}

/// Makes an attempt.
pub async fn make(platform: &impl Platform, config: &Config, account: &str, due: &Due) -> Attempted {
    fetch(platform, outgoing(platform, config, account, due)).await
}

/// The address as it may be fetched. `None`: it may not.
pub fn address(config: &Config, url: &str) -> Option<String> {
    let loopback = Loopback::from(config.webhook_allow_loopback);
    url_guard::check(url, loopback, config.public_host.as_slice()).ok()
}

/// Makes a request, which has no address if that may not be fetched. A request that can't be made is a failed attempt too, so that
/// it holds back no other.
pub async fn fetch(platform: &impl Platform, outgoing: Result<Option<OutgoingRequest>, PortError>) -> Attempted {
    let failed = |error| {
        Attempted::Failed(Failure {
            status: None,
            error,
            pause_ms: None,
        })
    };
    let request = match outgoing {
        Ok(Some(request)) => request,
        Ok(None) => return failed("ADDRESS_REFUSED"),
        Err(error) => {
            log::error(
                platform,
                "webhook",
                json!({"what": "no request was made", "cause": error.to_string()}),
            );
            return failed("INTERNAL");
        }
    };
    match platform.fetch(&request).await {
        Ok(response) => judge(&response, platform.now_ms()),
        Err(_) => failed("NO_ANSWER"),
    }
}

pub fn judge(response: &IncomingResponse, now_ms: i64) -> Attempted {
    let status = response.status;
    let error = match status {
        200..=299 => return Attempted::Done { status },
        410 => return Attempted::Gone,
        300..=399 => "REDIRECT",
        _ => "STATUS",
    };
    let asked = response.retry_after.as_deref();
    Attempted::Failed(Failure {
        status: Some(status),
        error,
        pause_ms: asked.and_then(|value| pause_ms(value, now_ms)),
    })
}

/// Reads `Retry-After`: seconds, or a time as HTTP writes it.
fn pause_ms(value: &str, now_ms: i64) -> Option<i64> {
    let value = value.trim();
    let pause_ms = match value.parse::<u32>() {
        Ok(seconds) => i64::from(seconds).saturating_mul(SECOND_MS),
        Err(_) => time::from_http(value)?.saturating_sub(now_ms),
    };
    (pause_ms > 0).then_some(pause_ms.min(LONGEST_PAUSE_MS))
}

/// How long a delivery waits after so many failures, ms; `None`: it has failed for good. `waits_s` are the waits of the
/// settings. `random` decides about the jitter.
pub fn wait_ms(waits_s: &[u32], failures: u32, random: u16) -> Option<i64> {
    let wait_s = usize::try_from(failures.checked_sub(1)?)
        .ok()
        .and_then(|at| waits_s.get(at))?;
    let wait_ms = i64::from(*wait_s).saturating_mul(SECOND_MS);
    let jitter_ms = wait_ms / JITTER_PARTS * i64::from(random) / i64::from(u16::MAX);
    Some(wait_ms.saturating_add(jitter_ms))
}

/// Notes what an attempt has come to, in one transaction.
pub fn note(
    platform: &impl Platform,
    sql: &impl Sql,
    account: &str,
    waits_s: &[u32],
    due: &Due,
    attempted: &Attempted,
) -> Result<(), PortError> {
    sql.transaction(|| match attempted {
        Attempted::Done { status } => {
            end(
                sql,
                platform.now_ms(),
                due,
                DeliveryState::Delivered,
                Some(*status),
                None,
            )?;
            sql.exec(
                "UPDATE endpoint SET failing_ms = NULL WHERE id = ?1 AND failing_ms IS NOT NULL",
                &[due.endpoint.as_str().into()],
            )
            .map(drop)
        }
        Attempted::Gone => {
            end(
                sql,
                platform.now_ms(),
                due,
                DeliveryState::Failed,
                Some(410),
                Some("GONE"),
            )?;
            disable(platform, sql, account, due, DisabledReason::Gone)
        }
        Attempted::Failed(failure) => note_failure(platform, sql, account, waits_s, due, failure),
    })
}

fn note_failure(
    platform: &impl Platform,
    sql: &impl Sql,
    account: &str,
    waits_s: &[u32],
    due: &Due,
    failure: &Failure,
) -> Result<(), PortError> {
    let Failure {
        status,
        error,
        pause_ms,
    } = *failure;
    let now_ms = platform.now_ms();
    let mut random = [0; 2];
    platform.random(&mut random)?;
    match wait_ms(waits_s, due.failures.saturating_add(1), u16::from_be_bytes(random)) {
        Some(wait_ms) => sql.exec(
            "UPDATE delivery SET due_ms = ?3, failures = failures + 1, attempts = attempts + 1, last_ms = ?4, \
               status = ?5, error = ?6 WHERE endpoint = ?1 AND event = ?2 AND state = 0",
            &[
                due.endpoint.as_str().into(),
                due.event.as_str().into(),
                now_ms.saturating_add(wait_ms.max(pause_ms.unwrap_or(0))).into(),
                now_ms.into(),
                status.map(u32::from).into(),
                error.into(),
            ],
        )?,
        None => {
            end(sql, now_ms, due, DeliveryState::Failed, status, Some(error))?;
            Vec::new()
        }
    };
    let rows = sql.exec(
        "UPDATE endpoint SET failing_ms = coalesce(failing_ms, ?3), held_ms = max(held_ms, ?4) \
         WHERE id = ?1 AND url = ?2 AND (failing_ms IS NULL OR failing_ms <= ?5 OR held_ms < ?4) RETURNING failing_ms",
        &[
            due.endpoint.as_str().into(),
            due.url.as_str().into(),
            now_ms.into(),
            pause_ms.map_or(0, |pause_ms| now_ms.saturating_add(pause_ms)).into(),
            now_ms.saturating_sub(FAILING_MS).into(),
        ],
    )?;
    match rows.first().map(|row| row.int(0)).transpose()? {
        Some(failing_ms) if now_ms.saturating_sub(failing_ms) >= FAILING_MS => {
            disable(platform, sql, account, due, DisabledReason::Failing)
        }
        _ => Ok(()),
    }
}

/// Ends a delivery, unless it was ended or queued anew meanwhile.
fn end(
    sql: &impl Sql,
    now_ms: i64,
    due: &Due,
    state: DeliveryState,
    status: Option<u16>,
    error: Option<&str>,
) -> Result<(), PortError> {
    sql.exec(
        "UPDATE delivery SET state = ?3, attempts = attempts + 1, last_ms = ?4, status = ?5, error = ?6 \
         WHERE endpoint = ?1 AND event = ?2 AND state = 0",
        &[
            due.endpoint.as_str().into(),
            due.event.as_str().into(),
            state.code().into(),
            now_ms.into(),
            status.map(u32::from).into(),
            error.into(),
        ],
    )
    .map(drop)
}

/// Disables the endpoint, writes it into its log, and tells the account's other endpoints that ask for it.
fn disable(
    platform: &impl Platform,
    sql: &impl Sql,
    account: &str,
    due: &Due,
    reason: DisabledReason,
) -> Result<(), PortError> {
    let Some(mode) = endpoint::disable(sql, account, &due.endpoint, &due.url, reason)? else {
        return Ok(());
    };
    log::warning(
        platform,
        "webhook",
        json!({"what": "endpoint is disabled", "account": account,
        "endpoint": due.endpoint, "reason": reason.as_str()}),
    );
    let data: Value = json!({"endpoint": due.endpoint, "url": due.url, "reason": reason.as_str()});
    let told = own_event(platform, mode, EventType::WebhookDisabled, to_raw(&data)?)?;
    let now_ms = platform.now_ms();
    // The disabled endpoint does not get it, but its log has it.
    event::insert(sql, [&told].into_iter())?;
    event::queue(sql, now_ms, &[(&due.endpoint, &told.id)])?;
    sql.exec(
        "UPDATE delivery SET state = ?3 WHERE endpoint = ?1 AND event = ?2",
        &[
            due.endpoint.as_str().into(),
            told.id.as_str().into(),
            DeliveryState::Noted.code().into(),
        ],
    )?;
    let others = endpoint::active(sql)?;
    let others = others
        .iter()
        .filter(|other| other.mode == mode && other.asks_for(&told.kind));
    let pairs: Vec<(&str, &str)> = others.map(|other| (other.id.as_str(), told.id.as_str())).collect();
    event::queue(sql, now_ms, &pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(status: u16, retry_after: Option<&str>) -> IncomingResponse {
        IncomingResponse {
            status,
            retry_after: retry_after.map(str::to_owned),
            body: String::new(),
        }
    }

    #[test]
    fn waits_are_those_of_the_list_with_a_tenth_of_jitter_at_most() {
        let waits_s = [5, 300, 86_400];
        for (failures, wait) in [(1, 5_000), (2, 300_000), (3, 86_400_000)] {
            assert_eq!(wait_ms(&waits_s, failures, 0), Some(wait));
            assert_eq!(wait_ms(&waits_s, failures, u16::MAX), Some(wait + wait / 10));
        }
        for failures in [0, 4, u32::MAX] {
            assert_eq!(wait_ms(&waits_s, failures, 0), None);
        }
    }

    #[test]
    fn only_success_is_success() {
        for status in [200, 201, 202, 204, 299] {
            assert_eq!(judge(&response(status, None), 0), Attempted::Done { status });
        }
        assert_eq!(judge(&response(410, None), 0), Attempted::Gone);
        for (status, what) in [
            (301, "REDIRECT"),
            (307, "REDIRECT"),
            (304, "REDIRECT"),
            (404, "STATUS"),
            (500, "STATUS"),
            (199, "STATUS"),
        ] {
            let failed = Attempted::Failed(Failure {
                status: Some(status),
                error: what,
                pause_ms: None,
            });
            assert_eq!(judge(&response(status, None), 0), failed);
        }
    }

    #[test]
    fn a_pause_is_seconds_or_a_time_and_is_bounded() {
        let now_ms = 1_445_412_460_000;
        for (value, pause) in [
            ("120", Some(120_000)),
            (" 7 ", Some(7_000)),
            ("Wed, 21 Oct 2015 07:28:00 GMT", Some(20_000)),
            ("Wed, 21 Oct 2015 07:27:00 GMT", None),
            ("0", None),
            ("-1", None),
            ("soon", None),
            ("", None),
            ("1e3", None),
            ("4294967295", Some(LONGEST_PAUSE_MS)),
            ("99999999999999999999", None),
            ("Wed, 21 Oct 2099 07:28:00 GMT", Some(LONGEST_PAUSE_MS)),
        ] {
            assert_eq!(pause_ms(value, now_ms), pause, "{value:?}");
        }
    }
}
