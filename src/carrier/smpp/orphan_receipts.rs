//! Receipts that do not tell their message by its id alone.
//!
//! After a crash, and after a link that broke, the answers that named some messages are lost: their recipients are `UNKNOWN`. So the
//! objects of the accounts that have such recipients are asked whom a receipt fits by its number, its time and its text. The objects
//! of the carrier tell which accounts these are (`doubted.rs`), so the cost grows with the receipts.
//!
//! The invariant: such a receipt goes to a recipient only if it fits no other one of any account that has lost an answer for its
//! number, also none that has ended: the receipt may be a second one. While one of those that it fits may still get its answer or its
//! receipt, it waits.
//!
//! An id that an SMSC has given twice names several recipients, also by their number. Their accounts know which of them have ended.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use smpp::receipt::Ending;

use super::message_ids::Told;
use super::open_messages::Key;
use crate::account::chunk::orphan_receipts::{FindForOrphans, Fit, ListStatuses, Orphan};
use crate::account::record::message::status::RecipientStatus;
use crate::base::ports::{Platform, PortError};
use crate::carrier::doubted::{Doubted, digits_of};
use crate::durable::ask_in_time;

/// Receipts that are matched in one go. The others come next.
const A_GO: usize = 50;
/// Accounts that are asked for one receipt at most. One that more may have is not matched.
pub const MOST_ACCOUNTS: usize = 20;

/// Asks another object of the carrier which messages have recipients whose answers are missing there, by the last digits of their
/// numbers.
#[derive(Debug, Serialize, Deserialize)]
pub struct ListDoubted(pub Vec<u64>);

/// A receipt of a part whose answer is lost, its recipient, and how many parts the text has.
pub type LostPart = (Told, Key, u32);

/// Hands another object of the carrier receipts of parts whose answers it has lost.
#[derive(Debug, Serialize, Deserialize)]
pub struct TakeLost(pub Vec<LostPart>);

/// Whom a receipt belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Owner {
    /// This one of those that its id names.
    Named(Key),
    /// This one, whose text has so many parts, and whose answer is lost.
    Lost(Key, u32),
    /// The same. The object of the carrier with this name has the other parts.
    Elsewhere(String, Key, u32),
    /// That may be known later.
    NotYet,
}

/// The last digits of the numbers by which receipts may be matched.
pub fn digits<'a>(told: impl Iterator<Item = &'a Told>) -> Vec<u64> {
    let all: BTreeSet<u64> = told.flat_map(orphans).map(|orphan| digits_of(orphan.msisdn)).collect();
    all.into_iter().collect()
}

/// Finds the owners of receipts, by the rows that they are stored in. A receipt without one fits nobody, or several. `own` is what
/// this object says of their numbers.
pub async fn find(
    platform: &impl Platform,
    carrier: &str,
    own: Doubted,
    others: &[String],
    receipts: &[(i64, &Told)],
) -> Result<BTreeMap<i64, Owner>, PortError> {
    let mut owners: BTreeMap<i64, Owner> = BTreeMap::new();
    let of_use = |(_, told): &&(i64, &Told)| !told.among.is_empty() || orphans(told).next().is_some();
    let later = receipts.iter().filter(of_use).skip(A_GO);
    owners.extend(later.map(|(row, _)| (*row, Owner::NotYet)));
    let now = receipts.iter().filter(of_use).take(A_GO).copied();
    let (named, unnamed): (Vec<_>, Vec<_>) = now.partition(|(_, told)| !told.among.is_empty());
    for (row, told) in named {
        owners.extend(not_ended(platform, told).await?.map(|owner| (row, owner)));
    }
    let orphans: Vec<(i64, Orphan)> = unnamed
        .into_iter()
        .flat_map(|(row, told)| orphans(told).map(move |orphan| (row, orphan)))
        .collect();
    if orphans.is_empty() {
        return Ok(owners);
    }
    let said = ask_others(platform, own, others, &orphans).await?;
    let mut doubted = Doubted::default();
    said.iter().for_each(|(_, more)| doubted.extend(more.clone()));
    if doubted.others.len() > MOST_ACCOUNTS {
        owners.extend(orphans.iter().map(|(row, _)| (*row, Owner::NotYet)));
        return Ok(owners);
    }
    for (row, fits) in ask_accounts(platform, carrier, &doubted, &orphans).await? {
        owners.extend(owner(&fits, &said).map(|owner| (row, owner)));
    }
    Ok(owners)
}

/// What the objects of the carrier say, each with its name. The one that asks has none, and comes first.
type Said<'a> = Vec<(Option<&'a str>, Doubted)>;

/// Asks the other objects of the carrier whose recipients of these numbers have lost their answers.
async fn ask_others<'a>(
    platform: &impl Platform,
    own: Doubted,
    others: &'a [String],
    orphans: &[(i64, Orphan)],
) -> Result<Said<'a>, PortError> {
    let digits: BTreeSet<u64> = orphans.iter().map(|(_, orphan)| digits_of(orphan.msisdn)).collect();
    let question = ListDoubted(digits.into_iter().collect());
    let mut said = vec![(None, own)];
    for other in others {
        let doubted = ask_in_time(platform, other, &question).await?.unwrap_or_default();
        said.push((Some(other.as_str()), doubted));
    }
    Ok(said)
}

/// A recipient of an account whom an orphan fits, and the last digits of its number.
type FitOf = (String, u64, Fit);

/// Asks accounts whom orphans fit, each for those that may be its own.
async fn ask_accounts(
    platform: &impl Platform,
    carrier: &str,
    doubted: &Doubted,
    orphans: &[(i64, Orphan)],
) -> Result<BTreeMap<i64, Vec<FitOf>>, PortError> {
    let mut of_accounts: BTreeMap<&str, Vec<&(i64, Orphan)>> = BTreeMap::new();
    for orphan in orphans {
        let accounts = doubted.accounts(digits_of(orphan.1.msisdn));
        if accounts.len() <= MOST_ACCOUNTS {
            let asked = accounts.into_iter();
            asked.for_each(|account| of_accounts.entry(account).or_default().push(orphan));
        }
    }
    let mut fits: BTreeMap<i64, Vec<FitOf>> = BTreeMap::new();
    for (account, orphans) in of_accounts {
        let question = FindForOrphans {
            carrier: carrier.to_owned(),
            orphans: orphans.iter().map(|(_, orphan)| orphan.clone()).collect(),
        };
        let reply = ask_in_time(platform, account, &question).await?;
        for fit in reply.accepted("to match receipts")? {
            let place = usize::try_from(fit.orphan).ok();
            if let Some((row, orphan)) = place.and_then(|place| orphans.get(place)) {
                let digits = digits_of(orphan.msisdn);
                fits.entry(*row).or_default().push((account.to_owned(), digits, fit));
            }
        }
    }
    Ok(fits)
}

/// What a receipt says that may find its owner, for each number in it. One that tells no ending settles nothing, and one without an
/// id could not be known again.
fn orphans(told: &Told) -> impl Iterator<Item = Orphan> {
    let is_of_use = told.ending != Ending::Pending && told.among.is_empty() && !told.id.trim().is_empty();
    let numbers = [told.msisdn, told.other_msisdn].into_iter().flatten();
    numbers.filter(move |_| is_of_use).map(|msisdn| Orphan {
        msisdn,
        taken_ms: told.taken_ms,
        text: told.text.clone(),
    })
}

/// Whether a recipient has lost an answer: nobody knows whether it was taken, or a part of the rest of its text has none.
fn has_lost((account, digits, fit): &FitOf, said: &Said<'_>) -> bool {
    let has_rest = || {
        said.iter()
            .any(|(_, doubted)| doubted.has(*digits, account, fit.message))
    };
    match fit.status {
        RecipientStatus::Unknown => fit.parts > 0,
        RecipientStatus::Submitted => fit.parts > 1 && has_rest(),
        _ => false,
    }
}

/// The only one that fits, if it has lost an answer.
fn owner(fits: &[FitOf], said: &Said<'_>) -> Option<Owner> {
    match fits {
        [only] if has_lost(only, said) => {
            let (account, digits, fit) = only;
            let key = (account.clone(), fit.message, fit.index);
            match home(*digits, &key, said) {
                Some(home) if fit.parts > 1 => Some(Owner::Elsewhere(home.to_owned(), key, fit.parts)),
                _ => Some(Owner::Lost(key, fit.parts)),
            }
        }
        _ => {
            let is_open =
                |(.., fit): &FitOf| matches!(fit.status, RecipientStatus::Queued | RecipientStatus::Submitted);
            let may_change = fits.iter().any(is_open);
            may_change.then_some(Owner::NotYet)
        }
    }
}

/// The object that a message has left from, where its parts are gathered; `None`: it is the one that asks. One that only may have any
/// number of the account, after a crash or beyond its room, counts if no object has noted the message.
fn home<'a>(digits: u64, (account, message, _): &Key, said: &Said<'a>) -> Option<&'a str> {
    let has_noted = said.iter().find(|(_, doubted)| doubted.has(digits, account, *message));
    let may_have = || said.iter().find(|(_, doubted)| doubted.others.contains(account));
    has_noted.or_else(may_have).and_then(|(object, _)| *object)
}

/// The only one of those that a receipt names that has not ended.
async fn not_ended(platform: &impl Platform, told: &Told) -> Result<Option<Owner>, PortError> {
    let mut open = Vec::new();
    let accounts: BTreeSet<&String> = told.among.iter().map(|(account, ..)| account).collect();
    for account in accounts {
        let own = told.among.iter().filter(|(of, ..)| of == account);
        let question = ListStatuses(own.map(|(_, message, index)| (*message, *index)).collect());
        let reply = ask_in_time(platform, account, &question).await?;
        for (message, index, status) in reply.accepted("to tell who has ended")? {
            if matches!(
                status,
                RecipientStatus::Queued | RecipientStatus::Submitted | RecipientStatus::Unknown
            ) {
                open.push((account.clone(), message, index));
            }
        }
    }
    Ok(open.pop().filter(|_| open.is_empty()).map(Owner::Named))
}
