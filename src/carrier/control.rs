//! What operators do with a carrier's objects: tell them of a change, and ask them how they are.

use std::collections::BTreeSet;

use futures_util::StreamExt;
use futures_util::future::join_all;
use futures_util::stream;

use super::health::{Health, HealthState};
use super::kind::Kind;
use super::request::{Configure, GetHealth, HoldBack, HoldScope};
use super::waiting_list;
use super::{carrier_of, log_failure};
use crate::account::chunk::look_again::LookAgain;
use crate::account::erasure::WithCarriers;
use crate::base::ports::{Platform, PortError};
use crate::directory::carriers::Carrier;
use crate::durable::{ask, ask_in_time};

/// Carriers whose objects are asked at the same time.
const CARRIERS_AT_ONCE: usize = 20;
/// Calls of one request to find out about health. The runtime allows a request 1,000 calls of all kinds.
const MAX_CALLS: usize = 500;

/// Tells all objects of a carrier what it is from now on, and then the accounts that wait for it. An object that can't be told
/// learns of it with its next submission.
pub async fn tell(platform: &impl Platform, carrier: &Carrier) {
    let names = Kind::parse(&carrier.kind).map(|kind| kind.object_names(carrier, true));
    let names = names.unwrap_or_default();
    let configure = Configure(carrier);
    let calls = names.iter().map(|name| ask(platform, name, None, None, &configure));
    for error in join_all(calls).await.into_iter().filter_map(Result::err) {
        log_failure(
            platform,
            &carrier.name,
            "an object was not told of a change",
            &error.to_string(),
        );
    }
    waiting_list::note_change(platform, &waiting_list::of_carrier(&carrier.name)).await;
}

/// Asks objects of carriers to send nothing more of this. Fails if one of them does not answer: it may send
/// for as long as a claim can be taken.
pub async fn hold_back(platform: &impl Platform, objects: &[String], held: &HoldBack) -> Result<(), PortError> {
    let calls = objects.iter().map(|object| ask_in_time(platform, object, held));
    let answers: Result<Vec<_>, PortError> = join_all(calls).await.into_iter().collect();
    answers.map(drop)
}

/// Asks objects of carriers to hand back the chunks of an account in which a number was erased. One that does not answer may send what
/// it has for as long as a claim can be taken: that is logged, and keeps no order from going on.
pub async fn take_back(platform: &impl Platform, account: &str, erased: &WithCarriers) {
    let calls = erased.by_object.iter().map(|(object, chunks)| async move {
        let held = chunks.iter().map(|chunk| HoldScope::Chunk(account.to_owned(), *chunk));
        let asked = HoldBack {
            held: held.collect(),
            claimed_until_ms: erased.at_ms,
        };
        if let Err(error) = ask_in_time(platform, object, &asked).await {
            let cause = error.to_string();
            log_failure(platform, carrier_of(object), "what was erased may leave", &cause);
        }
    });
    join_all(calls).await;
}

/// Has a carrier hand back what waits there of a line whose routes have changed, as far as it was claimed until a time, ms since the
/// Unix epoch; and has the accounts of it look at the directory again. An object that can't be told sends what it has.
pub async fn take_back_line(platform: &impl Platform, carrier: &Carrier, line: &str, claimed_until_ms: i64) {
    let names = Kind::parse(&carrier.kind).map(|kind| kind.object_names(carrier, true));
    let names = names.unwrap_or_default();
    let asked = HoldBack {
        held: vec![HoldScope::Line(line.to_owned())],
        claimed_until_ms,
    };
    let told = join_all(names.iter().map(|name| ask_in_time(platform, name, &asked))).await;
    let mut accounts = BTreeSet::new();
    for told in told {
        match told {
            Ok(of_object) => accounts.extend(of_object),
            Err(error) => log_failure(platform, &carrier.name, "a line was not taken back", &error.to_string()),
        }
    }
    // Who is left looks again by itself within half a minute.
    let calls = accounts
        .iter()
        .take(MAX_CALLS)
        .map(|account| ask_in_time(platform, account, &LookAgain));
    for error in join_all(calls).await.into_iter().filter_map(Result::err) {
        log_failure(
            platform,
            &carrier.name,
            "who waits was not told of a line",
            &error.to_string(),
        );
    }
}

/// Asks the objects of carriers how they are, and gives the health of each carrier, in their order. A carrier whose objects do
/// not answer, or that is left when there were enough calls, is in the state `UNKNOWN`.
pub async fn health_of(platform: &impl Platform, carriers: &[Carrier]) -> Vec<Health> {
    let mut calls_left = MAX_CALLS;
    let asked = carriers.iter().map(|carrier| {
        let names = Kind::parse(&carrier.kind).map(|kind| kind.object_names(carrier, false));
        let names = names.filter(|names| names.len() <= calls_left);
        calls_left -= names.as_ref().map_or(0, Vec::len);
        of_objects(platform, carrier, names)
    });
    // The calls are counted before the first is made.
    let asked: Vec<_> = asked.collect();
    stream::iter(asked).buffered(CARRIERS_AT_ONCE).collect().await
}

async fn of_objects(platform: &impl Platform, carrier: &Carrier, names: Option<Vec<String>>) -> Health {
    let Some(names) = names else {
        return Health::default();
    };
    if names.is_empty() {
        // A sandbox has nothing that could be down.
        return Health::of(HealthState::Up);
    }
    let calls = names.iter().map(|name| ask(platform, name, None, None, &GetHealth));
    let answers = join_all(calls).await.into_iter().filter_map(|answer| {
        // An object that has not begun yet has no health.
        answer.unwrap_or_else(|error| {
            log_failure(
                platform,
                &carrier.name,
                "an object did not tell its health",
                &error.to_string(),
            );
            None
        })
    });
    Health::of_all(answers)
}
