//! The health of what the service is made of: each part is asked at the same time, and one that does not answer in time is said
//! to hang.

use futures_util::future::{Either, join, join3, select};
use serde_json::{Value, json};
use std::pin::pin;

use crate::account::OPERATOR;
use crate::account::overview::GetOverview;
use crate::api::http::Response;
use crate::api::http::context::Context;
use crate::api::http::respond::Success;
use crate::api::problem::Problem;
use crate::base::ports::{Platform, PortError};
use crate::base::redact;
use crate::carrier::control;
use crate::carrier::health::HealthState;
use crate::directory::carriers::{self, Carrier, MAX_CARRIERS};
use crate::directory::switches;
use crate::durable::ask;

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
    json!({"state": state, "latencyMs": asked.ms, "cause": cause})
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
    json!({"name": carrier.name, "state": state, "latencyMs": asked.ms})
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
    let ((keys, directory, object), carriers) = join(parts, of_carriers(platform)).await;
    let parts = [data(&keys), data(&directory), data(&object)];
    let is_up = parts.iter().all(|part| part["state"] == "UP");
    let [keys, directory, object] = parts;
    Success::ok(json!({
        "status": if is_up { "UP" } else { "DOWN" },
        "version": env!("CARGO_PKG_VERSION"),
        "kv": keys,
        "d1": directory,
        "object": object,
        "carriers": carriers,
    }))
    .response(&context.request.id)
}
