//! The health of what the service is made of: each part is asked at the same time, and one that does not answer in time is said
//! to hang.

use std::collections::BTreeMap;
use std::pin::pin;

use futures_util::future::{Either, join, join3, select};
use serde_json::Value;

use super::waiting::{WaitingInAllData, is_outdated};
use super::worries::{self, Worry, WorryData};
use crate::account::{OPERATOR, erasure::GetOldestErasure, overview::GetOverview};
use crate::api::http::forms::choice;
use crate::api::http::query::Query;
use crate::api::http::{Response, context::Context, respond::Success};
use crate::base::named::named;
use crate::base::ports::{Db, Platform, PortError};
use crate::base::redact;
use crate::carrier::control;
use crate::carrier::health::{Health, HealthState};
use crate::directory::carriers::{self, Carrier, MAX_CARRIERS};
use crate::directory::reconciliation::{self, Differing};
use crate::directory::waiting::{self, Waiting};
use crate::directory::{lines, room::Room, switches};
use crate::durable::ask;
use crate::problem::Problem;
use crate::{answer, query};

/// How long a part may take, ms.
const PATIENCE_MS: i64 = 5_000;
/// How many lines without a way it names.
const MOST_LINES: u32 = 20;
/// A name that no key has in KV.
const NO_KEY: &str = "health";

/// What a part answered, and how long it took, ms.
struct Asked<T> {
    answer: Option<Result<T, PortError>>,
    ms: i64,
}

impl<T> Asked<T> {
    /// What it answered, if it answered well.
    fn good(self) -> Option<T> {
        self.answer?.ok()
    }
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
    pub struct ServiceHealthData(parts: &Parts, storage: &Value, waiting: &Value, worries: &[Worry], carriers: &[Value]) as "ServiceHealth" {
        /// Whether KV, D1 and the object are up. `DEGRADED`: they are, and there are `worries`.
        "status": status(parts, worries), one_of(&["UP", "DEGRADED", "DOWN"]);
        /// What an operator should look at.
        "worries": worries::data(worries), any_list(declared::<WorryData>()) => [];
        /// The version of the service.
        "version": env!("CARGO_PKG_VERSION"), any_text() => "0.2.0";
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
fn status(parts: &Parts, worries: &[Worry]) -> &'static str {
    let are_up = [&parts.kv, &parts.d1, &parts.object]
        .iter()
        .all(|part| part["state"] == "UP");
    match are_up {
        false => "DOWN",
        true if worries.is_empty() => "UP",
        true => "DEGRADED",
    }
}

/// A carrier, and what its objects answered.
type OfCarrier = (Carrier, Asked<Health>);

/// Asks a carrier's objects for its health.
async fn of_carrier<P: Platform>(platform: &P, carrier: Carrier) -> OfCarrier {
    let health = async {
        let health = control::health_of(platform, std::slice::from_ref(&carrier)).await;
        Ok(health.into_iter().next().unwrap_or_default())
    };
    let asked = ask_part(platform, health).await;
    (carrier, asked)
}

async fn of_carriers<P: Platform>(platform: &P) -> Vec<OfCarrier> {
    let max = u32::try_from(MAX_CARRIERS).unwrap_or(u32::MAX);
    let asked = ask_part(platform, carriers::page(platform.db(), max, None, None)).await;
    let carriers = asked.answer.and_then(Result::ok).unwrap_or_default();
    let checks = carriers.into_iter().map(|carrier| of_carrier(platform, carrier));
    futures_util::future::join_all(checks).await
}

fn carrier_data((carrier, asked): &OfCarrier) -> Value {
    let state = match (&asked.answer, carrier) {
        (None, _) => "HANGS",
        (_, Carrier { active: false, .. }) => HealthState::Inactive.as_str(),
        (_, Carrier { paused: true, .. }) => HealthState::Paused.as_str(),
        (Some(Ok(health)), _) => health.state.as_str(),
        (Some(Err(_)), _) => HealthState::Unknown.as_str(),
    };
    CarrierStateData::of(&carrier.name, state, asked.ms)
}

/// What the directory and the operators' object say beside the carriers. What does not answer is left out: the parts say so.
#[derive(Default)]
struct Sums {
    room: Option<Room>,
    waiting: Option<Waiting>,
    by_carrier: BTreeMap<String, Waiting>,
    /// Lines without a way, and what waits that is sent from them.
    lines: Vec<(String, Waiting)>,
    differing: Differing,
    erasing_since_ms: Option<i64>,
}

/// Lines without a way, each with what waits there.
async fn lines_without_way(db: &impl Db) -> Result<Vec<(String, Waiting)>, PortError> {
    let numbers = lines::without_way(db, MOST_LINES).await?;
    let names: Vec<&str> = numbers.iter().map(String::as_str).collect();
    let waiting = waiting::from_lines(db, &names).await?;
    let with_waiting = |number: String| {
        let waiting = waiting.get(&number).copied().unwrap_or_default();
        (number, waiting)
    };
    Ok(numbers.into_iter().map(with_waiting).collect())
}

impl Sums {
    async fn of<P: Platform>(context: &Context<'_, P>) -> Sums {
        let (platform, db) = (context.platform, context.platform.db());
        let of_service = join3(
            ask_part(platform, Room::of(db, &context.app.config)),
            ask_part(platform, waiting::in_all(db)),
            ask_part(platform, waiting::by_carrier(db)),
        );
        let of_others = join3(
            ask_part(platform, lines_without_way(db)),
            ask_part(platform, reconciliation::differing(db)),
            ask_part(platform, ask(platform, OPERATOR, None, None, &GetOldestErasure)),
        );
        let ((room, waiting, by_carrier), (lines, differing, erasing)) = join(of_service, of_others).await;
        Sums {
            room: room.good(),
            waiting: waiting.good(),
            by_carrier: by_carrier.good().unwrap_or_default(),
            lines: lines.good().unwrap_or_default(),
            differing: differing.good().unwrap_or_default(),
            erasing_since_ms: erasing.good().and_then(|reply| reply.outcome.ok()).flatten(),
        }
    }

    fn worries(&self, carriers: &[OfCarrier], now_ms: i64) -> Vec<Worry> {
        let in_service = carriers.iter().filter(|(carrier, _)| carrier.is_in_service());
        let of_carriers = in_service.flat_map(|(carrier, asked)| {
            let health = asked
                .answer
                .as_ref()
                .map(|answer| answer.as_ref().ok().cloned().unwrap_or_default());
            let waiting = self.by_carrier.get(&carrier.name).copied().unwrap_or_default();
            worries::of_carrier(&carrier.name, health.as_ref(), &waiting, now_ms)
        });
        let of_waiting = self.waiting.iter().flat_map(|waiting| {
            let is_outdated = is_outdated(waiting, now_ms);
            worries::of_waiting(waiting, is_outdated, now_ms)
        });
        let single = [
            worries::of_room(self.room.as_ref().is_some_and(Room::is_short)),
            worries::of_money(self.differing.money),
            worries::of_copies(self.differing.copies),
            worries::of_full(self.differing.full),
            worries::of_events(self.differing.events),
            worries::of_erasures(self.erasing_since_ms, now_ms),
        ];
        let lines = self.lines.iter();
        let of_lines = lines.map(|(number, waiting)| worries::of_line(number, waiting, now_ms));
        of_carriers
            .chain(of_waiting)
            .chain(of_lines)
            .chain(single.into_iter().flatten())
            .collect()
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
    let platform = context.platform;
    let parts = join3(
        ask_part(platform, platform.key(NO_KEY)),
        ask_part(platform, switches::sending(platform.db())),
        ask_part(platform, ask(platform, OPERATOR, None, None, &GetOverview)),
    );
    let ((keys, directory, object), sums, carriers) = join3(parts, Sums::of(context), of_carriers(platform)).await;
    let now_ms = context.request.now_ms;
    let worries = sums.worries(&carriers, now_ms);
    let parts = Parts {
        kv: data(&keys),
        d1: data(&directory),
        object: data(&object),
    };
    if probe == Some(Probe::Strict) {
        let urgent = urgent(&parts, &worries);
        if !urgent.is_empty() {
            return Err(Problem::NeedsOperator(urgent));
        }
    }
    let storage = sums.room.as_ref().map_or(Value::Null, StorageData::of);
    let waiting = sums
        .waiting
        .map_or(Value::Null, |waiting| WaitingInAllData::of(&waiting, now_ms));
    let carriers: Vec<Value> = carriers.iter().map(carrier_data).collect();
    let health = ServiceHealthData::of(&parts, &storage, &waiting, &worries, &carriers);
    Success::ok(health).response(context)
}

/// The names of what somebody should be woken for: of parts that are not up, and of worries with what they are about.
fn urgent(parts: &Parts, worries: &[Worry]) -> Vec<String> {
    let named = [("KV", &parts.kv), ("D1", &parts.d1), ("OBJECT", &parts.object)];
    let down = named.into_iter().filter(|(_, part)| part["state"] != "UP");
    let worries = worries.iter().filter(|worry| worry.is_urgent).map(Worry::name);
    down.map(|(name, _)| format!("{name}_DOWN")).chain(worries).collect()
}
