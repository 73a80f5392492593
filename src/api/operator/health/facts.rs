//! What is known of the service: each of its parts is asked at the same time, and one that does not answer in time is left out.

use std::collections::BTreeMap;
use std::pin::pin;

use futures_util::future::{Either, join, join3, select};

use crate::account::overview::GetOverview;
use crate::account::{OPERATOR, erasure::GetOldestErasure};
use crate::api::http::context::Context;
use crate::api::operator::queue_depth::is_outdated;
use crate::api::operator::worries::{self, Worry};
use crate::base::ports::{Db, Platform, PortError};
use crate::base::redact;
use crate::carrier::control;
use crate::carrier::health::{Health, HealthState};
use crate::directory::carriers::{self, Carrier, MAX_CARRIERS};
use crate::directory::queue_depth::{self, QueueDepth};
use crate::directory::reconciliation::{self, Differing};
use crate::directory::{lines, room::Room, switches};
use crate::durable::ask;

/// How long all parts together may take, ms: whoever asks for the facts waits no longer, however many are asked one after another.
const PATIENCE_MS: i64 = 5_000;
/// How many lines without a way it names.
const MOST_LINES: u32 = 20;
/// A name that no key has in KV.
const NO_KEY: &str = "health";

/// What a part answered, and how long it took, ms.
pub struct Asked<T> {
    /// What it answered. `None`: nothing in time.
    pub answer: Option<Result<T, PortError>>,
    /// How long it took, ms.
    pub ms: i64,
}

impl<T> Asked<T> {
    /// What it answered, if it answered well.
    pub fn good(self) -> Option<T> {
        self.answer?.ok()
    }
}

/// Until when parts may answer that are asked from now on, ms since the Unix epoch.
pub fn deadline<P: Platform>(platform: &P) -> i64 {
    platform.now_ms().saturating_add(PATIENCE_MS)
}

/// Asks a part, and waits no longer than `until_ms`.
pub async fn ask_part<P: Platform, T>(
    platform: &P,
    until_ms: i64,
    part: impl Future<Output = Result<T, PortError>>,
) -> Asked<T> {
    let began_ms = platform.now_ms();
    let left_ms = until_ms.saturating_sub(began_ms).max(1);
    let (part, patience) = (pin!(part), pin!(platform.sleep(left_ms)));
    let answer = match select(part, patience).await {
        Either::Left((answer, _)) => Some(answer),
        Either::Right(((), _)) => None,
    };
    let ms = platform.now_ms().saturating_sub(began_ms);
    Asked { answer, ms }
}

/// A carrier, and what its objects answered.
pub type OfCarrier = (Carrier, Asked<Health>);

/// Asks a carrier's objects for its health.
async fn of_carrier<P: Platform>(platform: &P, until_ms: i64, carrier: Carrier) -> OfCarrier {
    let health = async {
        let health = control::health_of(platform, std::slice::from_ref(&carrier)).await;
        Ok(health.into_iter().next().unwrap_or_default())
    };
    let asked = ask_part(platform, until_ms, health).await;
    (carrier, asked)
}

/// The carriers. `None`: the directory has not said which there are.
async fn of_carriers<P: Platform>(platform: &P, until_ms: i64) -> Option<Vec<OfCarrier>> {
    let max = u32::try_from(MAX_CARRIERS).unwrap_or(u32::MAX);
    let asked = ask_part(platform, until_ms, carriers::page(platform.db(), max, None, None)).await;
    let carriers = asked.good()?.into_iter();
    let checks = carriers.map(|carrier| of_carrier(platform, until_ms, carrier));
    Some(futures_util::future::join_all(checks).await)
}

/// The state of a carrier, in a word.
pub fn state_of((carrier, asked): &OfCarrier) -> &'static str {
    match (&asked.answer, carrier) {
        (None, _) => "HANGS",
        (_, Carrier { active: false, .. }) => HealthState::Inactive.as_str(),
        (_, Carrier { paused: true, .. }) => HealthState::Paused.as_str(),
        (Some(Ok(health)), _) => health.state.as_str(),
        (Some(Err(_)), _) => HealthState::Unknown.as_str(),
    }
}

/// A part that the service cannot do without.
pub struct Part {
    /// Its name.
    pub name: &'static str,
    /// `UP`, `DOWN` or `HANGS`.
    pub state: &'static str,
    /// How long it took to answer, ms.
    pub ms: i64,
    /// Why it is not up.
    pub cause: Option<String>,
}

impl Part {
    fn of<T>(name: &'static str, asked: &Asked<T>) -> Part {
        let (state, cause) = match &asked.answer {
            Some(Ok(_)) => ("UP", None),
            Some(Err(error)) => ("DOWN", Some(redact::scrubbed(&error.to_string()))),
            None => ("HANGS", Some("no answer in time".to_owned())),
        };
        Part {
            name,
            state,
            ms: asked.ms,
            cause,
        }
    }

    /// Whether it answered well, and in time.
    pub fn is_up(&self) -> bool {
        self.state == "UP"
    }
}

/// KV, D1 and the operators' object, in this order.
async fn parts<P: Platform>(platform: &P, until_ms: i64) -> [Part; 3] {
    let (keys, directory, object) = join3(
        ask_part(platform, until_ms, platform.key(NO_KEY)),
        ask_part(platform, until_ms, switches::sending(platform.db())),
        ask_part(platform, until_ms, ask(platform, OPERATOR, None, None, &GetOverview)),
    )
    .await;
    [
        Part::of("KV", &keys),
        Part::of("D1", &directory),
        Part::of("OBJECT", &object),
    ]
}

/// All that is known. What does not answer is left out: the parts say so.
pub struct Facts {
    /// KV, D1 and the operators' object.
    pub parts: [Part; 3],
    /// The carriers.
    pub carriers: Vec<OfCarrier>,
    /// How full D1 is.
    pub room: Option<Room>,
    /// What waits for all carriers.
    pub waiting: Option<QueueDepth>,
    /// What waits for each carrier.
    pub by_carrier: BTreeMap<String, QueueDepth>,
    /// Lines without a way, and what waits that is sent from them.
    lines: Vec<(String, QueueDepth)>,
    differing: Differing,
    erasing_since_ms: Option<i64>,
    /// What was asked beside the three parts, and whether it has answered well, and in time.
    pub answered: Vec<(&'static str, bool)>,
    now_ms: i64,
}

/// Lines without a way, each with what waits there.
async fn lines_without_way(db: &impl Db) -> Result<Vec<(String, QueueDepth)>, PortError> {
    let numbers = lines::without_way(db, MOST_LINES).await?;
    let names: Vec<&str> = numbers.iter().map(String::as_str).collect();
    let waiting = queue_depth::from_lines(db, &names).await?;
    let with_waiting = |number: String| {
        let waiting = waiting.get(&number).copied().unwrap_or_default();
        (number, waiting)
    };
    Ok(numbers.into_iter().map(with_waiting).collect())
}

impl Facts {
    /// Asks all parts, and waits no longer than `until_ms`.
    pub async fn of<P: Platform>(context: &Context<'_, P>, until_ms: i64) -> Facts {
        let (platform, db) = (context.platform, context.platform.db());
        let of_service = join3(
            ask_part(platform, until_ms, Room::of(db, &context.app.config)),
            ask_part(platform, until_ms, queue_depth::in_all(db)),
            ask_part(platform, until_ms, queue_depth::by_carrier(db)),
        );
        let of_others = join3(
            ask_part(platform, until_ms, lines_without_way(db)),
            ask_part(platform, until_ms, reconciliation::differing(db)),
            ask_part(
                platform,
                until_ms,
                ask(platform, OPERATOR, None, None, &GetOldestErasure),
            ),
        );
        let sums = join(of_service, of_others);
        let (parts, carriers, sums) = join3(parts(platform, until_ms), of_carriers(platform, until_ms), sums).await;
        let ((room, waiting, by_carrier), (lines, differing, erasing)) = sums;
        let (room, waiting, by_carrier) = (room.good(), waiting.good(), by_carrier.good());
        let (lines, differing) = (lines.good(), differing.good());
        let erasing = erasing.good().and_then(|reply| reply.outcome.ok());
        let answered = vec![
            ("carriers", carriers.is_some()),
            ("room", room.is_some()),
            ("waiting", waiting.is_some()),
            ("waiting_by_carrier", by_carrier.is_some()),
            ("lines", lines.is_some()),
            ("reconciliation", differing.is_some()),
            ("erasures", erasing.is_some()),
        ];
        Facts {
            parts,
            carriers: carriers.unwrap_or_default(),
            room,
            waiting,
            by_carrier: by_carrier.unwrap_or_default(),
            lines: lines.unwrap_or_default(),
            differing: differing.unwrap_or_default(),
            erasing_since_ms: erasing.flatten(),
            answered,
            now_ms: context.request.now_ms,
        }
    }

    /// What an operator should look at.
    pub fn worries(&self) -> Vec<Worry> {
        let now_ms = self.now_ms;
        let in_service = self.carriers.iter().filter(|(carrier, _)| carrier.is_in_service());
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
