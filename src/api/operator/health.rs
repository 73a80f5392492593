//! The health of what the service is made of: each part is asked at the same time, and one that does not answer in time is said
//! to hang.

use futures_util::future::{Either, join, join3, select};
use serde_json::Value;
use std::pin::pin;

use super::waiting::{self, WaitingInAllData};
use crate::account::{OPERATOR, overview::GetOverview};
use crate::answer;
use crate::api::http::{Response, context::Context, respond::Success};
use crate::base::ports::{Platform, PortError};
use crate::base::redact;
use crate::carrier::{control, health::HealthState};
use crate::directory::carriers::{self, Carrier, MAX_CARRIERS};
use crate::directory::waiting::{Waiting, in_all};
use crate::directory::{room::Room, switches};
use crate::durable::ask;
use crate::problem::Problem;

/// How long a part may take, ms.
const PATIENCE_MS: i64 = 5_000;
/// A name that no key has in KV.
const NO_KEY: &str = "health";

/// What a part answered, and how long it took, ms.
struct Asked<T> {
    answer: Option<Result<T, PortError>>,
    ms: i64,
}

/// Asks a part, and waits no longer than it may take.
async fn ask_part<P: Platform, T>(platform: &P, part: impl Future<Output = Result<T, PortError>>) -> Asked<T> {
    let began_ms = platform.now_ms();
    let (part, patience) = (pin!(part), pin!(platform.sleep(PATIENCE_MS)));
    let answer = match select(part, patience).await {
        Either::Left((answer, _)) => Some(answer),
        Either::Right(((), _)) => None,
    };
    let ms = platform.now_ms().saturating_sub(began_ms);
    Asked { answer, ms }
}

/// What is said of a part: its state, how long it took, and why it is not up.
fn data<T>(asked: &Asked<T>) -> Value {
    let (state, cause) = match &asked.answer {
        Some(Ok(_)) => ("UP", None),
        Some(Err(error)) => ("DOWN", Some(redact::scrubbed(&error.to_string()))),
        None => ("HANGS", Some("no answer in time".to_owned())),
    };
    PartHealthData::of(state, asked.ms, cause)
}

/// The states of a carrier.
fn carrier_states() -> Vec<&'static str> {
    HealthState::ALL
        .map(HealthState::as_str)
        .into_iter()
        .chain(["HANGS"])
        .collect()
}

answer! {
    /// How a part of the service is.
    pub struct PartHealthData(state: &str, ms: i64, cause: Option<String>) as "PartHealth" {
        /// `HANGS`: it has not answered within five seconds.
        "state": state, one_of(&["UP", "DOWN", "HANGS"]);
        /// How long it took to answer, ms.
        "latencyMs": ms, count() => 12;
        /// Why it is not up.
        "cause": cause, any_text().or_null() => null;
    }

    pub struct CarrierStateData(name: &str, state: &str, ms: i64) {
        "name": name, any_text() => "sandbox";
        "state": state, one_of(&carrier_states()) => "UP";
        /// How long it took to answer, ms.
        "latencyMs": ms, count() => 12;
    }

    /// How full D1 is, the database that all accounts share.
    pub struct StorageData(room: &Room) as "StorageHealth" {
        /// `DEGRADED`: the database, or what is customers' of it, has reached 70 %.
        "state": if room.is_short() { "DEGRADED" } else { "UP" }, one_of(&["UP", "DEGRADED"]);
        /// The size of the database.
        "bytes": room.bytes, count() => 90_000_000;
        /// What it can hold (the setting `D1_BYTES`).
        "maxBytes": room.max_bytes, count() => 10_000_000_000_i64;
        /// What the phonebooks and patterns of all accounts take.
        "customerBytes": room.customer_bytes, count() => 25_000_000;
        /// What they may take (the setting `CUSTOMER_BYTES`). More is refused.
        "maxCustomerBytes": room.max_customer_bytes, count() => 5_000_000_000_i64;
    }

    /// How the service is, part by part.
    pub struct ServiceHealthData(parts: &Parts, storage: &Value, waiting: &Value, worries: &[&str], carriers: &[Value]) as "ServiceHealth" {
        /// Whether KV, D1 and the object are up. `DEGRADED`: they are, and there are `worries`.
        "status": status(parts, worries), one_of(&["UP", "DEGRADED", "DOWN"]);
        /// What an operator should look at, in words.
        "worries": worries, any_list(any_text()) => [];
        /// The version of the service.
        "version": env!("CARGO_PKG_VERSION"), any_text() => "0.1.0";
        "kv": parts.kv, declared::<PartHealthData>();
        "d1": parts.d1, declared::<PartHealthData>();
        "object": parts.object, declared::<PartHealthData>();
        /// `null`: D1 did not say.
        "storage": storage, declared::<StorageData>().or_null();
        /// `null`: D1 did not say.
        "waiting": waiting, declared::<WaitingInAllData>().or_null();
        "carriers": carriers, any_list(CarrierStateData::schema());
    }
}

/// How the parts are that the service cannot do without.
pub struct Parts {
    kv: Value,
    d1: Value,
    object: Value,
}

/// How the service is as a whole.
fn status(parts: &Parts, worries: &[&str]) -> &'static str {
    let are_up = [&parts.kv, &parts.d1, &parts.object]
        .iter()
        .all(|part| part["state"] == "UP");
    match are_up {
        false => "DOWN",
        true if worries.is_empty() => "UP",
        true => "DEGRADED",
    }
}

/// What an operator should look at.
fn worries(room: Option<&Room>, waiting: Option<&Waiting>, now_ms: i64) -> Vec<&'static str> {
    let worries = [
        (
            room.is_some_and(Room::is_short),
            "D1, or what is customers' of it, is full to 70 %",
        ),
        (
            waiting.is_some_and(|waiting| waiting::has_late_codes(waiting, now_ms)),
            "login codes have waited for their carrier for more than a minute",
        ),
        (
            waiting.is_some_and(|waiting| waiting::is_outdated(waiting, now_ms)),
            "an account has not told for 15 minutes how much still waits in it",
        ),
    ];
    worries
        .into_iter()
        .filter_map(|(is_so, text)| is_so.then_some(text))
        .collect()
}

/// Asks a carrier's objects for its health.
async fn of_carrier<P: Platform>(platform: &P, carrier: &Carrier) -> Value {
    let health = async {
        let health = control::health_of(platform, std::slice::from_ref(carrier)).await;
        Ok(health.into_iter().next().unwrap_or_default().state)
    };
    let asked = ask_part(platform, health).await;
    let state = match (&asked.answer, carrier) {
        (None, _) => "HANGS",
        (_, Carrier { active: false, .. }) => HealthState::Inactive.as_str(),
        (_, Carrier { paused: true, .. }) => HealthState::Paused.as_str(),
        (Some(Ok(state)), _) => state.as_str(),
        (Some(Err(_)), _) => HealthState::Unknown.as_str(),
    };
    CarrierStateData::of(&carrier.name, state, asked.ms)
}

async fn of_carriers<P: Platform>(platform: &P) -> Vec<Value> {
    let max = u32::try_from(MAX_CARRIERS).unwrap_or(u32::MAX);
    let asked = ask_part(platform, carriers::page(platform.db(), max, None, None)).await;
    let carriers = asked.answer.and_then(Result::ok).unwrap_or_default();
    let checks = carriers.iter().map(|carrier| of_carrier(platform, carrier));
    futures_util::future::join_all(checks).await
}

/// `GET /admin/health`
pub async fn get<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    let platform = context.platform;
    let parts = join3(
        ask_part(platform, platform.key(NO_KEY)),
        ask_part(platform, switches::sending(platform.db())),
        ask_part(platform, ask(platform, OPERATOR, None, None, &GetOverview)),
    );
    let sums = join(
        ask_part(platform, Room::of(platform.db(), &context.app.config)),
        ask_part(platform, in_all(platform.db())),
    );
    let ((keys, directory, object), (room, waiting), carriers) = join3(parts, sums, of_carriers(platform)).await;
    let room = room.answer.and_then(Result::ok);
    let waiting = waiting.answer.and_then(Result::ok);
    let now_ms = context.request.now_ms;
    let worries = worries(room.as_ref(), waiting.as_ref(), now_ms);
    let parts = Parts {
        kv: data(&keys),
        d1: data(&directory),
        object: data(&object),
    };
    let storage = room.as_ref().map_or(Value::Null, StorageData::of);
    let waiting = waiting.map_or(Value::Null, |waiting| WaitingInAllData::of(&waiting, now_ms));
    let health = ServiceHealthData::of(&parts, &storage, &waiting, &worries, &carriers);
    Success::ok(health).response(context)
}
