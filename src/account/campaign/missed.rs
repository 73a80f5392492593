//! Those whom a campaign certainly did not reach: a carrier refused them, or the network did not deliver to them, or the carrier said that
//! the time was over. Of all others somebody may have the message, or may get it yet.
//!
//! A resend walks through the waves of the first campaign in their order, a part with each of its own waves. The numbers grow on the way,
//! because the first campaign has gone through them in this order.

use std::collections::{BTreeMap, BTreeSet};

use super::recipients::{WALKED, at, place};
use crate::account::record::campaign_row::{CampaignRow, Counted};
use crate::account::record::chunk::recipients::NO_NUMBER;
use crate::account::record::message::NewMessage;
use crate::account::record::message::delivery_error::DeliveryError;
use crate::account::record::message::status::RecipientStatus;
use crate::base::id;
use crate::base::ports::{MAX_INTEGER, PortError, Sql};

/// Why somebody gets no resend who stands in no phonebook of the campaign any more.
const NO_MEMBER: &str = "NO_MEMBER";

/// The condition that a recipient was certainly not reached; `?4`, `?5` and `?6` are REJECTED, UNDELIVERED and EXPIRED, and `?7` is the
/// error of those of whom nobody has reported.
macro_rules! is_missed {
    () => {
        "(status IN (?4, ?5) OR (status = ?6 AND error IS NOT ?7))"
    };
}

/// A person whom a campaign did not reach.
#[derive(Debug)]
struct Person {
    /// The place in the campaign.
    place: i64,
    /// The number.
    number: u64,
    /// The carrier by which the message went, or that refused it.
    carrier: Option<String>,
}

/// Those whom a campaign did not reach, on a part of the way.
#[derive(Debug, Default)]
pub struct Missed {
    people: Vec<Person>,
    /// How many of the others on this part get no resend, by reason. Those who have the message are not among them.
    left_out: BTreeMap<String, i64>,
    /// Where the next part begins. `None`: this was the last.
    next: Option<i64>,
}

/// The next part of the way of a resend, with at most so many people. `None`: the campaign is no resend.
pub fn next(sql: &impl Sql, resend: &CampaignRow, most: usize) -> Result<Option<Missed>, PortError> {
    let Some(first) = resend.resend_of.as_deref().and_then(id::number_of) else {
        return Ok(None);
    };
    let (message, mut index) = at(resend.next);
    let rows = sql.exec(
        "SELECT message FROM chunk WHERE campaign = ?1 AND message >= ?2 ORDER BY message LIMIT ?3",
        &[first.into(), message.into(), WALKED.into()],
    )?;
    let mut missed = Missed::default();
    for row in &rows {
        let wave = row.int(0)?;
        if wave != message {
            index = 0;
        }
        let room = most.saturating_sub(missed.people.len());
        let last = missed.take(sql, (wave, index), room)?;
        missed.count_others(sql, (wave, index), last.unwrap_or(MAX_INTEGER))?;
        if let Some(last) = last {
            missed.next = Some(place(wave, last.saturating_add(1)));
            return Ok(Some(missed));
        }
        missed.next = Some(place(wave.saturating_add(1), 0));
    }
    if i64::try_from(rows.len()).is_ok_and(|count| count < WALKED) {
        missed.next = None;
    }
    Ok(Some(missed))
}

impl Missed {
    /// The numbers, in ascending order.
    pub fn numbers(&self) -> Vec<u64> {
        self.people.iter().map(|person| person.number).collect()
    }

    /// Where the next part begins, if nobody behind this number was looked at.
    pub fn next_from(&self, number: Option<i64>) -> Option<i64> {
        let is_behind =
            |person: &&Person| number.is_some_and(|from| i64::try_from(person.number).is_ok_and(|own| own >= from));
        let person = self.people.iter().find(is_behind);
        person.map(|person| person.place).or(self.next)
    }

    /// What counting finds in those who get no resend. So many of the numbers stand in no phonebook any more.
    pub fn left_out(&self, absent: usize) -> Counted {
        let mut skipped = self.left_out.clone();
        if absent > 0 {
            let absent = i64::try_from(absent).unwrap_or(i64::MAX);
            *skipped.entry(NO_MEMBER.to_owned()).or_default() += absent;
        }
        Counted {
            skipped,
            ..Counted::default()
        }
    }

    /// Lets each chunk of a message to these people avoid the carriers by which they were not reached.
    pub fn avoid_carriers(&self, message: &mut NewMessage) -> Result<(), PortError> {
        let people = self.people.iter();
        let by: BTreeMap<u64, &str> = people
            .filter_map(|person| Some((person.number, person.carrier.as_deref()?)))
            .collect();
        let mut avoid: BTreeMap<u32, BTreeSet<&str>> = BTreeMap::new();
        for group in &message.recipients {
            for recipient in group.read()? {
                let of_chunk = avoid.entry(recipient.chunk).or_default();
                of_chunk.extend(by.get(&recipient.msisdn));
            }
        }
        for (chunk, number) in message.chunks.iter_mut().zip(0u32..) {
            let carriers = avoid.remove(&number).unwrap_or_default();
            chunk.avoid = carriers.into_iter().map(str::to_owned).collect();
        }
        Ok(())
    }

    /// Takes people of a wave from this index on, at most so many. Gives the index of the last, if there may be more behind it.
    fn take(&mut self, sql: &impl Sql, (wave, index): (i64, i64), room: usize) -> Result<Option<i64>, PortError> {
        let rows = sql.exec(
            concat!(
                "SELECT idx, msisdn, carrier FROM recipient WHERE message = ?1 AND idx >= ?2 AND ",
                is_missed!(),
                " ORDER BY idx LIMIT ?3"
            ),
            &[
                wave.into(),
                index.into(),
                i64::try_from(room).unwrap_or(i64::MAX).into(),
                RecipientStatus::Rejected.code().into(),
                RecipientStatus::Undelivered.code().into(),
                RecipientStatus::Expired.code().into(),
                DeliveryError::NoReport.as_str().into(),
            ],
        )?;
        let mut last = None;
        for row in &rows {
            let (index, number, carrier): (i64, u64, Option<String>) = row.reader().read()?;
            last = Some(index);
            if number == NO_NUMBER {
                *self.left_out.entry(NO_MEMBER.to_owned()).or_default() += 1;
                continue;
            }
            let place = place(wave, index);
            self.people.push(Person { place, number, carrier });
        }
        Ok(last.filter(|_| rows.len() >= room))
    }

    /// Counts those of a wave between these indexes who may have the message, or get it yet, or were not to get it.
    fn count_others(&mut self, sql: &impl Sql, (wave, index): (i64, i64), last: i64) -> Result<(), PortError> {
        let rows = sql.exec(
            concat!(
                "SELECT status, count(*) FROM recipient WHERE message = ?1 AND idx BETWEEN ?2 AND ?3 AND NOT ",
                is_missed!(),
                " GROUP BY status"
            ),
            &[
                wave.into(),
                index.into(),
                last.into(),
                RecipientStatus::Rejected.code().into(),
                RecipientStatus::Undelivered.code().into(),
                RecipientStatus::Expired.code().into(),
                DeliveryError::NoReport.as_str().into(),
            ],
        )?;
        for row in &rows {
            let (status, count): (RecipientStatus, i64) = row.reader().read()?;
            if let Some(reason) = reason(status) {
                let sum = self.left_out.entry(reason.to_owned()).or_default();
                *sum = sum.saturating_add(count);
            }
        }
        Ok(())
    }
}

/// Why somebody with this status, who is not missed, gets no resend. `None`: the message is there.
fn reason(status: RecipientStatus) -> Option<&'static str> {
    match status {
        RecipientStatus::Delivered => None,
        RecipientStatus::Scheduled | RecipientStatus::Queued | RecipientStatus::Submitted => Some("OPEN"),
        RecipientStatus::Expired => Some(DeliveryError::NoReport.as_str()),
        RecipientStatus::Unknown
        | RecipientStatus::Undelivered
        | RecipientStatus::Rejected
        | RecipientStatus::Canceled
        | RecipientStatus::Skipped => Some(status.as_str()),
    }
}
