//! The health of what the service is made of.

pub mod facts;

use serde_json::Value;

use self::facts::{Facts, OfCarrier, Part, state_of};
use super::queue_depth::TotalQueueDepthData;
use super::worries::{self, Worry, WorryData};
use crate::api::http::forms::choice;
use crate::api::http::query::Query;
use crate::api::http::{Response, context::Context, respond::Success};
use crate::base::named::named;
use crate::base::ports::Platform;
use crate::carrier::health::HealthState;
use crate::directory::room::Room;
use crate::problem::Problem;
use crate::{answer, query};

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
    pub struct PartHealthData(part: &Part) as "PartHealth" {
        /// `HANGS`: it has not answered within five seconds.
        "state": part.state, one_of(&["UP", "DOWN", "HANGS"]);
        /// How long it took to answer, ms.
        "latencyMs": part.ms, count() => 12;
        /// Why it is not up.
        "cause": part.cause, any_text().or_null() => null;
    }

    pub struct CarrierStateData(of: &OfCarrier) {
        "name": of.0.name, any_text() => "sandbox";
        "state": state_of(of), one_of(&carrier_states()) => "UP";
        /// How long it took to answer, ms.
        "latencyMs": of.1.ms, count() => 12;
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
    pub struct ServiceHealthData(parts: &[Part; 3], storage: &Value, waiting: &Value, worries: &[Worry], carriers: &[Value]) as "ServiceHealth" {
        /// Whether KV, D1 and the object are up. `DEGRADED`: they are, and there are `worries`.
        "status": status(parts, worries), one_of(&["UP", "DEGRADED", "DOWN"]);
        /// What an operator should look at.
        "worries": worries::data(worries), any_list(declared::<WorryData>()) => [];
        /// The version of the service.
        "version": env!("CARGO_PKG_VERSION"), any_text() => "0.2.0";
        "kv": PartHealthData::of(&parts[0]), declared::<PartHealthData>();
        "d1": PartHealthData::of(&parts[1]), declared::<PartHealthData>();
        "object": PartHealthData::of(&parts[2]), declared::<PartHealthData>();
        /// `null`: D1 did not say.
        "storage": storage, declared::<StorageData>().or_null();
        /// `null`: D1 did not say.
        "waiting": waiting, declared::<TotalQueueDepthData>().or_null();
        "carriers": carriers, any_list(CarrierStateData::schema());
    }
}

/// How the service is as a whole.
fn status(parts: &[Part], worries: &[Worry]) -> &'static str {
    match parts.iter().all(Part::is_up) {
        false => "DOWN",
        true if worries.is_empty() => "UP",
        true => "DEGRADED",
    }
}

query! {
    pub struct HealthWish {
        /// `strict`: a monitor asks, which reads the status alone.
        probe: Option<Probe> = can "probe" choice(&Probe::ALL, Probe::as_str);
    }
}

named! {
    /// Who reads the answer.
    pub enum Probe {
        /// A monitor that reads the status alone.
        Strict => "strict",
    }
}

/// `GET /admin/health`
pub async fn get<P: Platform>(context: &Context<'_, P>, query: Query<'_, HealthWish>) -> Result<Response, Problem> {
    let HealthWish { probe } = query.all()?;
    let facts = Facts::of(context, facts::deadline(context.platform)).await;
    let worries = facts.worries();
    if probe == Some(Probe::Strict) {
        let urgent = urgent(&facts.parts, &worries);
        if !urgent.is_empty() {
            return Err(Problem::NeedsOperator(urgent));
        }
    }
    let storage = facts.room.as_ref().map_or(Value::Null, StorageData::of);
    let waiting = facts.waiting.map_or(Value::Null, |waiting| {
        TotalQueueDepthData::of(&waiting, context.request.now_ms)
    });
    let carriers: Vec<Value> = facts.carriers.iter().map(CarrierStateData::of).collect();
    let health = ServiceHealthData::of(&facts.parts, &storage, &waiting, &worries, &carriers);
    Success::ok(health).response(context)
}

/// The names of what somebody should be woken for: of parts that are not up, and of worries with what they are about.
fn urgent(parts: &[Part], worries: &[Worry]) -> Vec<String> {
    let down = parts.iter().filter(|part| !part.is_up());
    let worries = worries.iter().filter(|worry| worry.is_urgent).map(Worry::name);
    down.map(|part| format!("{}_DOWN", part.name)).chain(worries).collect()
}
