//! What operators do with a carrier's objects: tell them of a change, and ask them how they are.

use futures_util::StreamExt;
use futures_util::stream::FuturesOrdered;
use serde_json::json;

use super::health::{Health, HealthState};
use super::kind::Kind;
use super::request::{Configure, GetHealth};
use crate::base::log;
use crate::base::ports::{Platform, PortError};
use crate::directory::carriers::Carrier;
use crate::durable::ask;

/// Calls under way at the same time.
const CALLS_AT_ONCE: usize = 20;
/// Calls of one request to find out about health. The runtime allows a request 1,000 calls of all kinds.
const MAX_CALLS: usize = 500;

/// Tells all objects of a carrier what it is from now on. An object that can't be told learns of it with its next
/// submission.
pub async fn tell(platform: &impl Platform, carrier: &Carrier) {
    let Some(kind) = Kind::parse(&carrier.kind) else {
        return;
    };
    let names = kind.object_names(carrier, true);
    let mut calls = FuturesOrdered::new();
    for name in &names {
        calls.push_back(async move { ask(platform, name, None, None, &Configure(carrier)).await });
    }
    while let Some(told) = calls.next().await {
        if let Err(error) = told {
            log(platform, carrier, "an object was not told of a change", &error);
        }
    }
}

/// Asks carriers' objects how they are, in a bounded number of calls.
#[derive(Debug)]
pub struct Checkup {
    calls_left: usize,
}

impl Default for Checkup {
    fn default() -> Self {
        Checkup { calls_left: MAX_CALLS }
    }
}

impl Checkup {
    /// The health of each carrier, in their order. A carrier whose objects do not answer, or that is left when there were
    /// enough calls, is in the state `UNKNOWN`.
    pub async fn of_all(mut self, platform: &impl Platform, carriers: &[Carrier]) -> Vec<Health> {
        let mut health = Vec::with_capacity(carriers.len());
        let mut calls = FuturesOrdered::new();
        for carrier in carriers {
            calls.push_back(self.of_one(platform, carrier));
            if calls.len() >= CALLS_AT_ONCE {
                health.extend(calls.next().await);
            }
        }
        while let Some(of_carrier) = calls.next().await {
            health.push(of_carrier);
        }
        health
    }

    /// The health of one carrier.
    fn of_one<'a, P: Platform>(
        &mut self,
        platform: &'a P,
        carrier: &'a Carrier,
    ) -> impl Future<Output = Health> + use<'a, P> {
        let names = Kind::parse(&carrier.kind).map(|kind| kind.object_names(carrier, false));
        let is_asked = names.as_ref().is_some_and(|names| names.len() <= self.calls_left);
        if is_asked {
            self.calls_left -= names.as_ref().map_or(0, Vec::len);
        }
        async move {
            match names.filter(|_| is_asked) {
                // A sandbox has nothing that could be down.
                Some(names) if names.is_empty() => Health::of(HealthState::Up),
                Some(names) => of_objects(platform, carrier, &names).await,
                None => Health::default(),
            }
        }
    }
}

async fn of_objects(platform: &impl Platform, carrier: &Carrier, names: &[String]) -> Health {
    let mut calls = FuturesOrdered::new();
    for name in names {
        calls.push_back(async move { ask(platform, name, None, None, &GetHealth).await });
    }
    let mut answers = Vec::with_capacity(names.len());
    while let Some(answer) = calls.next().await {
        match answer {
            Ok(Some(health)) => answers.push(health),
            // An object that has not begun yet.
            Ok(None) => {}
            Err(error) => log(platform, carrier, "an object did not tell its health", &error),
        }
    }
    Health::of_all(answers)
}

fn log(platform: &impl Platform, carrier: &Carrier, what: &str, error: &PortError) {
    log::error(
        platform,
        "carrier",
        json!({"carrier": carrier.name, "what": what, "cause": error.to_string()}),
    );
}
