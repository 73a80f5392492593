//! Orphan receipts: reports of a carrier that name no message, because the answer that named it was lost. The account's object
//! knows which recipients such a report may be about. The invariant: whatever of this account and carrier may be meant is told,
//! so that nobody takes one for the only one.

use serde::{Deserialize, Serialize};

use crate::account::record::chunk::REPORT_DEADLINE_MS;
use crate::account::record::message::recipient_text::RecipientText;
use crate::account::record::message::status::RecipientStatus;
use crate::account::request::{ReplyResult, Request, Wakes};
use crate::account::unit_of_work::UnitOfWork;
use crate::base::ports::{PortError, Row, Sql};
use crate::durable::to_json;

/// Newest messages to a number that are looked at. Of a number that has more, nobody is told apart.
const LOOKED_AT: i64 = 100;
/// What a carrier says of the time may be in the time of any zone, ms. Zones differ by quarters of an hour.
const ZONES_MS: i64 = 15 * 60 * 60 * 1_000;
const ZONE_MS: i64 = 15 * 60 * 1_000;
/// How long before its status a recipient that is `UNKNOWN` has left at most, ms, and by how much a carrier's clock may be ahead.
const LEFT_BEFORE_MS: i64 = 4 * 60 * 1_000;
const AHEAD_MS: i64 = 60 * 1_000;

/// What a report says that names no message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Orphan {
    /// Whom the message was to.
    pub msisdn: u64,
    /// When the carrier took it, ms since the Unix epoch, in an unknown time zone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken_ms: Option<i64>,
    /// How its text begins, in ASCII.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// Asks for the recipients that orphans may be about.
#[derive(Debug, Serialize, Deserialize)]
pub struct FindForOrphans {
    /// The name of the carrier that reports.
    pub carrier: String,
    /// Its orphans.
    #[serde(rename = "strays")]
    pub orphans: Vec<Orphan>,
}

/// Asks how far recipients are, by message and index.
#[derive(Debug, Serialize, Deserialize)]
pub struct ListStatuses(pub Vec<(i64, u32)>);

impl Request for ListStatuses {
    const NAME: &'static str = "ListStatuses";
    const WAKES: Wakes = Wakes::Never;
    /// Of those that the account still has: message, index and status.
    type Reply = Vec<(i64, u32, RecipientStatus)>;

    fn answer(&self, sql: &impl Sql, _: &mut UnitOfWork) -> ReplyResult<Self::Reply> {
        let rows = sql.exec(
            "SELECT c.message, r.value ->> 0, r.value ->> 4 FROM json_each(?1) k \
             CROSS JOIN chunk c ON c.message = k.value ->> 0 \
             CROSS JOIN json_each(c.recipients) r WHERE r.value ->> 0 = k.value ->> 1",
            &[to_json(&self.0)?.into()],
        )?;
        let mut statuses = Vec::new();
        for row in &rows {
            if let Some(status) = RecipientStatus::from_code(row.int(2)?) {
                statuses.push((row.int(0)?, row.u32(1)?, status));
            }
        }
        Ok(statuses)
    }
}

/// A recipient that an orphan may be about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fit {
    /// Which of the orphans it is, from 0.
    #[serde(rename = "stray")]
    pub orphan: u32,
    /// The message's number in its account.
    pub message: i64,
    /// The recipient's index in the message.
    pub index: u32,
    /// The recipient's status.
    pub status: RecipientStatus,
    /// The parts of its text; 0: nobody knows whether it is this one.
    pub parts: u32,
}

impl Request for FindForOrphans {
    const NAME: &'static str = "FindForStrays";
    const WAKES: Wakes = Wakes::Never;
    type Reply = Vec<Fit>;

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Vec<Fit>> {
        let mut fits = Vec::new();
        for (place, orphan) in (0..).zip(&self.orphans) {
            self.find(sql, work.now_ms, place, orphan, &mut fits)?;
        }
        Ok(fits)
    }
}

impl FindForOrphans {
    fn find(
        &self,
        sql: &impl Sql,
        now_ms: i64,
        place: u32,
        orphan: &Orphan,
        fits: &mut Vec<Fit>,
    ) -> Result<(), PortError> {
        let msisdn = i64::try_from(orphan.msisdn).unwrap_or(i64::MAX);
        let rows = sql.exec(
            "SELECT message FROM message_to WHERE msisdn = ?1 ORDER BY message DESC LIMIT ?2",
            &[msisdn.into(), (LOOKED_AT + 1).into()],
        )?;
        let messages: Vec<i64> = rows.iter().map(|row| row.int(0)).collect::<Result<_, _>>()?;
        if messages.is_empty() {
            return Ok(());
        }
        if i64::try_from(messages.len()).is_ok_and(|count| count > LOOKED_AT) {
            fits.push(Fit {
                orphan: place,
                message: 0,
                index: 0,
                status: RecipientStatus::Unknown,
                parts: 0,
            });
            return Ok(());
        }
        let rows = sql.exec(
            "SELECT c.message, r.value ->> 0, r.value ->> 4, r.value ->> 3, r.value ->> 6, r.value ->> 7, m.text, \
                    (SELECT t.text FROM recipient_text t WHERE t.message = c.message AND t.idx = r.value ->> 0) \
             FROM json_each(?1) p CROSS JOIN message m ON m.id = p.value AND m.test = 0 \
             CROSS JOIN chunk c ON c.message = m.id AND instr(c.recipients, ?3) > 0 \
             CROSS JOIN json_each(c.recipients) r WHERE r.value ->> 1 = ?2",
            &[to_json(&messages)?.into(), msisdn.into(), msisdn.to_string().into()],
        )?;
        for row in &rows {
            fits.extend(self.fit(now_ms, place, orphan, row)?);
        }
        Ok(())
    }

    fn fit(&self, now_ms: i64, place: u32, orphan: &Orphan, row: &Row) -> Result<Option<Fit>, PortError> {
        let mut row = row.reader();
        let (message, index, status, parts, changed_ms): (i64, u32, i64, u32, i64) = row.read()?;
        let (carrier, text, own): (Option<String>, String, Option<String>) = row.read()?;
        let Some(status) = RecipientStatus::from_code(status) else {
            return Ok(None);
        };
        let may_be_meant = match status {
            RecipientStatus::Queued => true,
            // One that has ended is meant if its receipt comes again.
            RecipientStatus::Unknown
            | RecipientStatus::Submitted
            | RecipientStatus::Delivered
            | RecipientStatus::Undelivered
            | RecipientStatus::Expired => {
                let is_near = |taken_ms| is_near(taken_ms, changed_ms, status == RecipientStatus::Unknown);
                changed_ms > now_ms.saturating_sub(REPORT_DEADLINE_MS)
                    && carrier.as_ref().is_none_or(|carrier| *carrier == self.carrier)
                    && orphan.taken_ms.is_none_or(is_near)
            }
            RecipientStatus::Scheduled
            | RecipientStatus::Rejected
            | RecipientStatus::Canceled
            | RecipientStatus::Skipped => false,
        };
        if !may_be_meant {
            return Ok(None);
        }
        let own = own.map(|own| RecipientText::parse(&own)).transpose()?;
        let text = own.map_or(text.clone(), |own| own.fill(&text));
        if orphan.text.as_ref().is_some_and(|told| is_other(told, &text, parts)) {
            return Ok(None);
        }
        Ok(Some(Fit {
            orphan: place,
            message,
            index,
            status,
            // One without a carrier may be another's.
            parts: if carrier.is_some() { parts } else { 0 },
        }))
    }
}

/// Whether a carrier may have taken at a time who has had a status since another one. Who is `UNKNOWN` has left shortly before.
fn is_near(taken_ms: i64, changed_ms: i64, is_unknown: bool) -> bool {
    let before_ms = changed_ms.saturating_sub(taken_ms);
    let in_zone_ms = before_ms.saturating_add(AHEAD_MS).rem_euclid(ZONE_MS);
    before_ms.saturating_abs() <= ZONES_MS && (!is_unknown || in_zone_ms <= AHEAD_MS + LEFT_BEFORE_MS)
}

/// Whether neither a text nor one of its parts begins as a report says. A carrier may write what is not ASCII as it likes, and where
/// it cuts a text is its own affair.
fn is_other(told: &str, text: &str, parts: u32) -> bool {
    let (told, text) = (told.trim(), text.trim_start());
    let is_plain = |text: &str| text.chars().all(|char| char == ' ' || char.is_ascii_graphic());
    if parts > 1 {
        return is_plain(text) && is_plain(told) && !text.contains(told);
    }
    let begin: String = text.chars().take(told.chars().count()).collect();
    is_plain(&begin) && is_plain(told) && begin != told
}

#[cfg(test)]
mod tests {
    use super::{is_near, is_other};

    const MINUTE_MS: i64 = 60_000;

    #[test]
    fn a_time_is_near_in_any_zone_and_for_who_is_unknown_within_minutes() {
        for zone in [-840, -30, 0, 210, 225, 840] {
            for (minutes, is_unknown, expected) in [
                (0, true, true),
                (4, true, true),
                (-1, true, true),
                (5, true, false),
                (-2, true, false),
                (7, true, false),
                (7, false, true),
            ] {
                let taken_ms = (zone - minutes) * MINUTE_MS;
                assert_eq!(is_near(taken_ms, 0, is_unknown), expected, "{zone} {minutes}");
            }
        }
        assert!(!is_near(0, 24 * 60 * MINUTE_MS, false));
    }

    #[test]
    fn a_text_that_begins_otherwise_is_another_one_if_both_are_ascii() {
        for (told, text) in [("Your code is 12345", "Your code is 12346"), ("a", ""), ("abc", "ab")] {
            assert!(is_other(told, text, 1), "{told} {text}");
        }
        let text = "Your code is 12345 and some more";
        for (told, text) in [
            ("Your code is 12345 a", text),
            ("Your", text),
            ("Your code is 12345 ", text),
            ("", text),
            ("???? ??", "کد شما"),
            ("caf?", "café"),
            ("caf\u{e9}", "cafe"),
        ] {
            assert!(!is_other(told, text, 1), "{told} {text}");
        }
        for (told, is_other_than_parts) in [("text that has parts", false), ("a long", false), ("parts of", true)] {
            assert_eq!(
                is_other(told, "a long text that has parts", 2),
                is_other_than_parts,
                "{told}"
            );
        }
    }
}
