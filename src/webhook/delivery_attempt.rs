//! One attempt to deliver an event to an endpoint: the request, and what becomes of the delivery.
//!
//! The request is the same for every attempt, but for its time and signatures: the id and the body stay. *A crash before the
//! outcome is noted* repeats the attempt; the receiver knows the event by its id.

use serde_json::{Value, json};

use super::attempt::{Attempt, Attempted, MAX_ANSWER_BYTES, TIMEOUT_MS, address, fetch, wait_ms};
use super::delivery::{own_event, to_raw};
use super::delivery_state::DeliveryState;
use super::endpoint::{self, DisabledReason};
use super::secrets::{self, Owner};
use super::{event, signing};
use crate::account::record::event_type::EventType;
use crate::base::ports::{self, OutgoingRequest, Platform, PortError, Sql};
use crate::base::record::neighbours;
use crate::base::{config::Config, log};

const SECOND_MS: i64 = 1_000;
/// An endpoint is disabled when its attempts have failed for so long, ms.
const FAILING_MS: i64 = 5 * 24 * 60 * 60 * SECOND_MS;

/// A delivery that is due, with what its request needs.
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

neighbours!(Due: endpoint, url, secrets, event, kind, made_ms, data, failures);

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
        max_response_bytes: MAX_ANSWER_BYTES,
    }))
}

/// Makes an attempt.
pub async fn make(platform: &impl Platform, config: &Config, account: &str, due: &Due) -> Attempt {
    fetch(platform, outgoing(platform, config, account, due)).await
}

/// Notes what an attempt has come to, in one transaction.
pub fn note(
    platform: &impl Platform,
    sql: &impl Sql,
    account: &str,
    waits_s: &[u32],
    due: &Due,
    attempt: &Attempt,
) -> Result<(), PortError> {
    let now_ms = platform.now_ms();
    let answer = |status, error| LastAnswer {
        status,
        error,
        body: attempt.answer.as_deref(),
    };
    sql.transaction(|| match &attempt.attempted {
        Attempted::Done { status } => {
            end(sql, now_ms, due, DeliveryState::Delivered, &answer(Some(*status), None))?;
            sql.exec(
                "UPDATE endpoint SET failing_ms = NULL WHERE id = ?1 AND failing_ms IS NOT NULL",
                &[due.endpoint.as_str().into()],
            )
            .map(drop)
        }
        Attempted::Gone => {
            end(
                sql,
                now_ms,
                due,
                DeliveryState::Failed,
                &answer(Some(410), Some("GONE")),
            )?;
            disable(platform, sql, account, due, DisabledReason::Gone)
        }
        Attempted::Failed(failure) => {
            let answer = answer(failure.status, Some(failure.error));
            note_failure(platform, sql, waits_s, due, (failure.pause_ms, &answer))?;
            note_failing(platform, sql, account, due, failure.pause_ms)
        }
    })
}

/// What the log keeps of the last attempt.
struct LastAnswer<'a> {
    status: Option<u16>,
    error: Option<&'static str>,
    body: Option<&'a str>,
}

/// The columns of the last attempt, as `?3` and those behind it say. An answer to an event that has been erased meanwhile is not kept:
/// it may have what was erased.
const LAST_ATTEMPT: &str = "attempts = attempts + 1, last_ms = ?3, status = ?4, error = ?5, \
     answer = (SELECT ?6 FROM event WHERE id = ?2 AND data = ?7)";

/// The parameters of a statement with [`LAST_ATTEMPT`], the first seven.
fn of_attempt(now_ms: i64, due: &Due, answer: &LastAnswer<'_>) -> Vec<ports::Value> {
    vec![
        due.endpoint.as_str().into(),
        due.event.as_str().into(),
        now_ms.into(),
        answer.status.map(u32::from).into(),
        answer.error.into(),
        answer.body.into(),
        due.data.as_str().into(),
    ]
}

/// Lets a delivery wait for its next attempt, or ends it if it has had all.
fn note_failure(
    platform: &impl Platform,
    sql: &impl Sql,
    waits_s: &[u32],
    due: &Due,
    (pause_ms, answer): (Option<i64>, &LastAnswer<'_>),
) -> Result<(), PortError> {
    let now_ms = platform.now_ms();
    let mut random = [0; 2];
    platform.random(&mut random)?;
    let wait_ms = wait_ms(waits_s, due.failures.saturating_add(1), u16::from_be_bytes(random));
    let Some(wait_ms) = wait_ms else {
        return end(sql, now_ms, due, DeliveryState::Failed, answer);
    };
    let mut params = of_attempt(now_ms, due, answer);
    params.push(now_ms.saturating_add(wait_ms.max(pause_ms.unwrap_or(0))).into());
    let statement = format!(
        "UPDATE delivery SET due_ms = ?8, failures = failures + 1, {LAST_ATTEMPT} \
         WHERE endpoint = ?1 AND event = ?2 AND state = 0"
    );
    sql.exec(&statement, &params).map(drop)
}

/// Notes that an endpoint fails, and disables it if it has failed for too long.
fn note_failing(
    platform: &impl Platform,
    sql: &impl Sql,
    account: &str,
    due: &Due,
    pause_ms: Option<i64>,
) -> Result<(), PortError> {
    let now_ms = platform.now_ms();
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
fn end(sql: &impl Sql, now_ms: i64, due: &Due, state: DeliveryState, answer: &LastAnswer<'_>) -> Result<(), PortError> {
    let mut params = of_attempt(now_ms, due, answer);
    params.push(state.code().into());
    let statement =
        format!("UPDATE delivery SET state = ?8, {LAST_ATTEMPT} WHERE endpoint = ?1 AND event = ?2 AND state = 0");
    sql.exec(&statement, &params).map(drop)
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
