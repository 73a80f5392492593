//! What an operator should look at, found in how the parts of the service are. docs/operating.md says what each worry means and
//! what to do.

use serde_json::Value;

use crate::answer;
use crate::base::named::named;
use crate::carrier::health::{Health, HealthState};
use crate::directory::queue_depth::QueueDepth;
use crate::durable::storage;

const MINUTE_MS: i64 = 60 * 1_000;
/// From when on a login code has waited too long for its carrier, ms.
const CODE_LATE_MS: i64 = 10_000;
/// The same for other messages.
const LATE_MS: i64 = MINUTE_MS;
/// How long a carrier that reports may take messages without a report, ms.
const SILENT_MS: i64 = 30 * MINUTE_MS;
/// How long an order to erase a number may run, ms.
const ERASURE_MS: i64 = 24 * 60 * MINUTE_MS;

named! {
    /// What is wrong.
    pub enum WorryCode {
        /// D1, or what is customers' of it, is full to 70 %.
        D1Full => "D1_FULL",
        /// The object of a carrier is full to 70 %.
        ObjectFull => "OBJECT_FULL",
        /// The objects of accounts are full to 70 %.
        AccountFull => "ACCOUNT_FULL",
        /// Events of accounts wait for the webhook objects that tell them.
        EventsLate => "EVENTS_LATE",
        /// Login codes wait for too long.
        CodesLate => "CODES_LATE",
        /// An account has not told what waits in it.
        AccountSilent => "ACCOUNT_SILENT",
        /// A carrier does not take messages.
        CarrierDown => "CARRIER_DOWN",
        /// A carrier's object has not answered.
        CarrierHangs => "CARRIER_HANGS",
        /// A carrier throttles so much that messages wait.
        CarrierThrottled => "CARRIER_THROTTLED",
        /// A carrier has fewer sessions than its settings say.
        BindsMissing => "BINDS_MISSING",
        /// A carrier takes messages and reports none.
        ReportsStopped => "REPORTS_STOPPED",
        /// No carrier of a line is in service.
        LineWithoutWay => "LINE_WITHOUT_WAY",
        /// The money of an account does not agree with its ledger or its reserves.
        MoneyDiffers => "MONEY_DIFFERS",
        /// A copy of what an account's object has, or a count, does not agree with it.
        CopiesDiffer => "COPIES_DIFFER",
        /// An order to erase a number has run for a day.
        ErasureLate => "ERASURE_LATE",
    }
}

/// A worry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worry {
    /// What is wrong.
    pub code: WorryCode,
    /// The carrier or the line that it is about. `None`: it is about the service.
    pub about: Option<String>,
    /// Whether somebody should be woken for it.
    pub is_urgent: bool,
    /// The same in words.
    pub text: String,
}

impl Worry {
    fn of(code: WorryCode, is_urgent: bool, text: impl Into<String>) -> Worry {
        Worry {
            code,
            about: None,
            is_urgent,
            text: text.into(),
        }
    }

    /// Its code, and what it is about.
    pub fn name(&self) -> String {
        let about = self.about.as_deref().map(|name| format!(" ({name})"));
        format!("{}{}", self.code.as_str(), about.unwrap_or_default())
    }

    fn about(mut self, name: &str) -> Worry {
        self.about = Some(name.to_owned());
        self
    }
}

answer! {
    /// Something that an operator should look at.
    pub struct WorryData(worry: &Worry) as "Worry" {
        "code": worry.code.as_str(), one_of(&WorryCode::ALL.map(WorryCode::as_str));
        /// The carrier or the line; `null`: it is about the service.
        "about": worry.about, any_text().or_null() => "mci";
        /// Whether somebody should be woken for it. `probe=strict` answers 503 then.
        "urgent": worry.is_urgent, flag() => true;
        /// The same in words.
        "text": worry.text, any_text() => "it does not take messages, and 12 recipients wait for it";
    }
}

/// The worries as the answer has them.
pub fn data(worries: &[Worry]) -> Vec<Value> {
    worries.iter().map(WorryData::of).collect()
}

fn is_before(since_ms: Option<i64>, now_ms: i64, most_ms: i64) -> bool {
    since_ms.is_some_and(|since_ms| now_ms.saturating_sub(since_ms) > most_ms)
}

/// How late something waits: `None`, or whether it is a login code.
fn lateness(waiting: &QueueDepth, now_ms: i64) -> Option<bool> {
    let code_is_late = is_before(waiting.codes_oldest_ms, now_ms, CODE_LATE_MS);
    (code_is_late || is_before(waiting.oldest_ms, now_ms, LATE_MS)).then_some(code_is_late)
}

/// What is wrong with a carrier that is in service. `health` is `None` if it has not answered in time.
pub fn of_carrier(name: &str, health: Option<&Health>, waiting: &QueueDepth, now_ms: i64) -> Vec<Worry> {
    let Some(health) = health else {
        let is_urgent = lateness(waiting, now_ms).is_some();
        return vec![
            Worry::of(
                WorryCode::CarrierHangs,
                is_urgent,
                "its object has not answered within five seconds",
            )
            .about(name),
        ];
    };
    let found = [
        of_state(health, waiting, now_ms),
        (health.state == HealthState::Up && health.down > 0).then(|| {
            let text = format!("{} of its connections do not stand", health.down);
            Worry::of(WorryCode::BindsMissing, false, text)
        }),
        is_before(health.silent_since_ms(), now_ms, SILENT_MS).then(|| {
            let text = "it has taken messages for more than half an hour and has reported none";
            Worry::of(WorryCode::ReportsStopped, false, text)
        }),
        storage::is_filling(health.storage_bytes)
            .then(|| Worry::of(WorryCode::ObjectFull, false, "its object is full to 70 %")),
    ];
    found.into_iter().flatten().map(|worry| worry.about(name)).collect()
}

fn of_state(health: &Health, waiting: &QueueDepth, now_ms: i64) -> Option<Worry> {
    let late = lateness(waiting, now_ms);
    let recipients = waiting.recipients;
    match (health.state, late) {
        (HealthState::Down | HealthState::Connecting | HealthState::Unknown, Some(_)) => {
            let text = format!("it does not take messages, and {recipients} recipients wait for it");
            Some(Worry::of(WorryCode::CarrierDown, true, text))
        }
        (HealthState::Down, None) => Some(Worry::of(WorryCode::CarrierDown, false, "it does not take messages")),
        (HealthState::Throttled, Some(code_is_late)) => {
            let text = format!("it throttles, and {recipients} recipients wait for it");
            Some(Worry::of(WorryCode::CarrierThrottled, code_is_late, text))
        }
        _ => None,
    }
}

/// What is wrong with what waits as a whole.
pub fn of_waiting(waiting: &QueueDepth, is_outdated: bool, now_ms: i64) -> Vec<Worry> {
    let found = [
        is_before(waiting.codes_oldest_ms, now_ms, LATE_MS).then(|| {
            let text = "login codes have waited for their carrier for more than a minute";
            Worry::of(WorryCode::CodesLate, true, text)
        }),
        is_outdated.then(|| {
            let text = "an account has not told for 15 minutes how much still waits in it";
            Worry::of(WorryCode::AccountSilent, false, text)
        }),
    ];
    found.into_iter().flatten().collect()
}

/// D1 is getting full.
pub fn of_room(is_short: bool) -> Option<Worry> {
    is_short.then(|| {
        Worry::of(
            WorryCode::D1Full,
            false,
            "D1, or what is customers' of it, is full to 70 %",
        )
    })
}

/// A line none of whose carriers is in service. What is sent from it waits.
pub fn of_line(number: &str, waiting: &QueueDepth, now_ms: i64) -> Worry {
    let is_urgent = lateness(waiting, now_ms).is_some();
    Worry::of(
        WorryCode::LineWithoutWay,
        is_urgent,
        "none of its carriers is in service",
    )
    .about(number)
}

/// The money of so many accounts did not agree at their last check.
pub fn of_money(accounts: i64) -> Option<Worry> {
    (accounts > 0).then(|| {
        let text = format!("the money of {accounts} accounts does not agree: GET /admin/reconciliation says in what");
        Worry::of(WorryCode::MoneyDiffers, true, text)
    })
}

/// Copies or counts alone of so many accounts did not agree at their last check.
pub fn of_copies(accounts: i64) -> Option<Worry> {
    (accounts > 0).then(|| {
        let text =
            format!("copies or counts of {accounts} accounts do not agree: GET /admin/reconciliation says which");
        Worry::of(WorryCode::CopiesDiffer, false, text)
    })
}

/// The objects of so many accounts were full to 70 % at their last check.
pub fn of_full(accounts: i64) -> Option<Worry> {
    (accounts > 0).then(|| {
        let text = format!("the objects of {accounts} accounts are full to 70 %: GET /admin/reconciliation says which");
        Worry::of(WorryCode::AccountFull, false, text)
    })
}

/// Events of so many accounts had waited for an hour at their last check.
pub fn of_events(accounts: i64) -> Option<Worry> {
    (accounts > 0).then(|| {
        let text = format!(
            "the webhook objects of {accounts} accounts have taken no events for an hour: GET /admin/reconciliation says which"
        );
        Worry::of(WorryCode::EventsLate, false, text)
    })
}

/// Since when the oldest order of operators runs that is not done.
pub fn of_erasures(since_ms: Option<i64>, now_ms: i64) -> Option<Worry> {
    is_before(since_ms, now_ms, ERASURE_MS).then(|| {
        let text = "an order to erase a number has run for more than a day";
        Worry::of(WorryCode::ErasureLate, false, text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW_MS: i64 = 100 * MINUTE_MS;

    fn waiting(oldest_s: Option<i64>, codes_s: Option<i64>) -> QueueDepth {
        let since = |seconds: i64| NOW_MS - seconds * 1_000;
        QueueDepth {
            recipients: 7,
            oldest_ms: oldest_s.map(since),
            codes_oldest_ms: codes_s.map(since),
            told_ms: None,
        }
    }

    fn found(health: Option<&Health>, waiting: &QueueDepth) -> Vec<(WorryCode, bool)> {
        let worries = of_carrier("mci", health, waiting, NOW_MS);
        assert!(worries.iter().all(|worry| worry.about.as_deref() == Some("mci")));
        worries.iter().map(|worry| (worry.code, worry.is_urgent)).collect()
    }

    #[test]
    fn a_carrier_that_takes_nothing_is_urgent_when_a_code_waits_ten_seconds_or_another_message_a_minute() {
        let none = waiting(None, None);
        for (state, without) in [
            (HealthState::Down, vec![(WorryCode::CarrierDown, false)]),
            (HealthState::Connecting, vec![]),
            (HealthState::Unknown, vec![]),
        ] {
            let health = Health::of(state);
            assert_eq!(found(Some(&health), &none), without, "{state:?}");
            assert_eq!(found(Some(&health), &waiting(Some(60), Some(10))), without, "{state:?}");
            for late in [waiting(Some(61), None), waiting(Some(11), Some(11))] {
                assert_eq!(
                    found(Some(&health), &late),
                    [(WorryCode::CarrierDown, true)],
                    "{state:?}"
                );
            }
        }
        for state in [HealthState::Up, HealthState::Paused, HealthState::Inactive] {
            assert_eq!(
                found(Some(&Health::of(state)), &waiting(Some(900), Some(900))),
                [],
                "{state:?}"
            );
        }
    }

    #[test]
    fn a_carrier_that_throttles_is_a_worry_when_messages_wait_and_urgent_when_codes_do() {
        let health = Health::of(HealthState::Throttled);
        assert_eq!(found(Some(&health), &waiting(Some(60), None)), []);
        assert_eq!(
            found(Some(&health), &waiting(Some(61), None)),
            [(WorryCode::CarrierThrottled, false)]
        );
        assert_eq!(
            found(Some(&health), &waiting(Some(11), Some(11))),
            [(WorryCode::CarrierThrottled, true)]
        );
    }

    #[test]
    fn an_object_that_hangs_is_urgent_when_something_waits() {
        assert_eq!(found(None, &waiting(None, None)), [(WorryCode::CarrierHangs, false)]);
        assert_eq!(found(None, &waiting(Some(61), None)), [(WorryCode::CarrierHangs, true)]);
    }

    #[test]
    fn missing_sessions_reports_and_room_are_told_of_a_carrier_that_is_up() {
        let health = Health {
            down: 1,
            last_report_ms: Some(5),
            unreported_ms: Some(NOW_MS - SILENT_MS - 1),
            storage_bytes: storage::MAX_BYTES / 10 * 7,
            ..Health::of(HealthState::Up)
        };
        let all = [
            WorryCode::BindsMissing,
            WorryCode::ReportsStopped,
            WorryCode::ObjectFull,
        ]
        .map(|code| (code, false));
        assert_eq!(found(Some(&health), &waiting(None, None)), all);
        let well = Health {
            unreported_ms: Some(NOW_MS - SILENT_MS),
            storage_bytes: storage::MAX_BYTES / 10 * 7 - 1,
            ..Health { down: 0, ..health }
        };
        assert_eq!(found(Some(&well), &waiting(None, None)), []);
    }
}
