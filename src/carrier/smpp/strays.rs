//! Receipts that name no message that any session knows. After a crash, and after a link that broke, the answers that named some
//! messages are lost: their recipients are `UNKNOWN`. So the objects of the accounts that have such recipients are asked whom a
//! receipt fits by its number, its time and its text.
//!
//! The invariant: it goes to a recipient only if it fits no other one of any account that may have been sent to by this carrier
//! before the receipt came, also none that has ended: the receipt may be a second one. The journals of all sessions tell which accounts these are. While one of those that it fits may
//! still get its answer or its receipt, it waits.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::message_ids::Told;
use super::protocol::receipt::Ending;
use crate::account::chunk::strays::{FindForStrays, Fit, Stray};
use crate::account::message::status::RecipientStatus;
use crate::base::ports::{Platform, PortError};
use crate::carrier::request::CLASS;
use crate::durable::{Request, ask_in_time};

/// Receipts that are matched in one go. The others come next.
const A_GO: usize = 50;
/// Accounts that are asked at most. If more are in doubt, no receipt is matched.
pub const MOST_ACCOUNTS: usize = 20;

/// Asks another object of the carrier which accounts have handed it recipients whose answers are missing: at most one more than
/// are asked.
#[derive(Debug, Serialize, Deserialize)]
pub struct ListDoubted();

impl Request for ListDoubted {
    const CLASS: &'static str = CLASS;
    const NAME: &'static str = "ListDoubted";
    /// An object that has had no submission yet knows none.
    type Reply = Option<Vec<String>>;
}

/// Whom a receipt belongs to that names no message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Owner {
    /// The recipient of this account, message and index.
    Recipient(String, i64, u32),
    /// That may be known later.
    NotYet,
}

/// Finds the owners of receipts, by the rows that they are stored in. A receipt without one fits nobody, or several. `own` are
/// the accounts that this object names.
pub async fn find(
    platform: &impl Platform,
    carrier: &str,
    own: BTreeSet<String>,
    others: &[String],
    receipts: &[(i64, &Told)],
) -> Result<BTreeMap<i64, Owner>, PortError> {
    let strays: Vec<(i64, Stray)> = receipts
        .iter()
        .filter_map(|(row, told)| Some((*row, stray(told)?)))
        .collect();
    let mut owners = BTreeMap::new();
    if strays.is_empty() {
        return Ok(owners);
    }
    let mut accounts = own;
    for other in others {
        accounts.extend(ask_in_time(platform, other, &ListDoubted()).await?.unwrap_or_default());
    }
    if accounts.len() > MOST_ACCOUNTS {
        return Ok(owners);
    }
    let later = strays.iter().skip(A_GO).map(|(row, _)| (*row, Owner::NotYet));
    owners.extend(later);
    let (rows, strays): (Vec<i64>, Vec<Stray>) = strays.into_iter().take(A_GO).unzip();
    let question = FindForStrays {
        carrier: carrier.to_owned(),
        strays,
    };
    let mut fits: BTreeMap<i64, Vec<(&str, Fit)>> = BTreeMap::new();
    for account in &accounts {
        let reply = ask_in_time(platform, account, &question).await?;
        for fit in reply.accepted("to match receipts")? {
            let place = usize::try_from(fit.stray).ok();
            if let Some(row) = place.and_then(|place| rows.get(place)) {
                fits.entry(*row).or_default().push((account, fit));
            }
        }
    }
    for (row, fits) in fits {
        owners.extend(owner(&fits).map(|owner| (row, owner)));
    }
    Ok(owners)
}

/// What a receipt says that may find its owner. One that tells no ending settles nothing.
fn stray(told: &Told) -> Option<Stray> {
    (told.ending != Ending::Pending).then_some(Stray {
        msisdn: told.msisdn?,
        taken_ms: told.taken_ms,
        text: told.text.clone(),
    })
}

/// The only one that fits, if it has lost its answer and has one part: each part has a receipt of its own.
fn owner(fits: &[(&str, Fit)]) -> Option<Owner> {
    match fits {
        [(account, fit)] if fit.status == RecipientStatus::Unknown && fit.parts == 1 => {
            Some(Owner::Recipient((*account).to_owned(), fit.message, fit.index))
        }
        _ => {
            let is_open =
                |(_, fit): &(&str, Fit)| matches!(fit.status, RecipientStatus::Queued | RecipientStatus::Submitted);
            let may_change = fits.iter().any(is_open);
            may_change.then_some(Owner::NotYet)
        }
    }
}
