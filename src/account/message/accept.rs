//! Accepting a message. The object decides on what it has read; then it writes the message, its recipients, its reserve, its
//! chunks and the idempotency key together.
//!
//! A scheduled message is a snapshot: its texts, recipients and prices are those of this moment, whatever changes until it leaves.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::patterns::StalePattern;
use super::{charge, flood, patterns, test_messages};
use crate::account::record::account_row::{Account, MIRROR_DELAY_MS};
use crate::account::record::idempotency;
use crate::account::record::idempotency::Known;
use crate::account::record::key_usage::SentSums;
use crate::account::record::message::code_text::CodeText;
use crate::account::record::message::{MessageView, NewMessage};
use crate::account::record::usage_totals::Totals;
use crate::account::request::{ReplyResult, Request, Wakes};
use crate::account::sources;
use crate::account::usage::senders;
use crate::account::{
    blacklist, refusal::Refusal, unit_of_work::UnitOfWork, wallet::posting, write_buffer::WriteBuffer,
};
use crate::base::ports::{PortError, Sql};
use crate::base::time::DAY_MS;

/// A send costs a token, and one more for each of so many recipients: it makes work for each of them.
const RECIPIENTS_A_TOKEN: u32 = 100;

/// Accepts a message, or refuses it. A refusal writes nothing.
#[derive(Debug, Serialize, Deserialize)]
pub struct SendMessage(pub NewMessage);

/// What became of a message that was not refused.
#[derive(Debug, Serialize, Deserialize)]
pub enum Sent {
    /// It is accepted, and has this uid.
    Accepted(String),
    /// The idempotency key made this message before.
    Replayed(Box<MessageView>),
    /// These patterns may have been changed since the worker read them. Nothing was done.
    PatternsStale(Vec<StalePattern>),
    /// These recipients are on the blacklist, and are to be left out. Nothing was done.
    Blocked(Vec<u64>),
}

impl Request for SendMessage {
    const NAME: &'static str = "SendMessage";
    const WAKES: Wakes = Wakes::Now;
    const NEEDS_KEY: bool = true;
    type Reply = Sent;

    fn wakes(&self, _: &Account, _: bool) -> Wakes {
        match self.0.send_at_ms {
            None => Self::WAKES,
            Some(_) => Wakes::In(MIRROR_DELAY_MS),
        }
    }

    fn tokens(&self) -> u32 {
        tokens(&self.0)
    }

    /// Only a message that came with the same key, and those that count for the limit of its recipients.
    fn sees(&self, buffer: &WriteBuffer) -> bool {
        self.0.idempotency.as_ref().is_some_and(|key| buffer.has_key(key)) || buffer.limits(&self.0)
    }

    fn is_repeat(&self, sql: &impl Sql, now_ms: i64) -> Result<bool, PortError> {
        let known = idempotency::find(sql, now_ms, self.0.idempotency.as_ref())?;
        Ok(!matches!(known, Known::Nothing))
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Sent> {
        let message = &self.0;
        match charge::find_message(sql, work.now_ms, message.idempotency.as_ref())? {
            Known::Nothing => {}
            Known::Made(message) => return Ok(Sent::Replayed(message)),
            Known::Mismatch => return Err(Refusal::IdempotencyMismatch.into()),
        }
        let stale = patterns::stale(sql, message)?;
        if !stale.is_empty() {
            return Ok(Sent::PatternsStale(stale));
        }
        if let Some(blocked) = to_leave_out(sql, work, message)? {
            return Ok(Sent::Blocked(blocked));
        }
        if let Some(refusal) = refusals(sql, work, message)?.into_iter().next() {
            return Err(refusal.into());
        }
        Ok(Sent::Accepted(accept(sql, work, message, None)?))
    }
}

/// Tells what a send of this message would be refused for, and does nothing.
#[derive(Debug, Serialize, Deserialize)]
pub struct EstimateMessage(pub NewMessage);

/// What a message costs of the rate limit, sent or estimated.
fn tokens(message: &NewMessage) -> u32 {
    (message.count / RECIPIENTS_A_TOKEN).saturating_add(1)
}

/// What a send would meet.
#[derive(Debug, Serialize, Deserialize)]
pub enum Estimated {
    /// These refusals; a send is answered the first of them.
    Refusals(Vec<Refusal>),
    /// These patterns may have been changed since the worker read them.
    PatternsStale(Vec<StalePattern>),
    /// These recipients are on the blacklist, and would be left out.
    Blocked(Vec<u64>),
}

impl Request for EstimateMessage {
    const NAME: &'static str = "EstimateMessage";
    const WAKES: Wakes = Wakes::Never;
    const NEEDS_KEY: bool = true;
    type Reply = Estimated;

    /// It is as much work as the send.
    fn tokens(&self) -> u32 {
        tokens(&self.0)
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Estimated> {
        let stale = patterns::stale(sql, &self.0)?;
        if !stale.is_empty() {
            return Ok(Estimated::PatternsStale(stale));
        }
        if let Some(blocked) = to_leave_out(sql, work, &self.0)? {
            return Ok(Estimated::Blocked(blocked));
        }
        Ok(Estimated::Refusals(refusals(sql, work, &self.0)?))
    }
}

/// Accepts the message that confirms an opt-out, unless the account can't send. The blacklist, on which its recipient has just
/// been put, does not count.
pub fn accept_confirmation(sql: &impl Sql, work: &mut UnitOfWork, message: &NewMessage) -> ReplyResult<()> {
    let refusal = switched_off(&work.account, message).into_iter().next();
    if let Some(refusal) = refusal.or_else(|| short_of_money(&work.account, message)) {
        return Err(refusal.into());
    }
    accept(sql, work, message, None)?;
    Ok(())
}

/// The recipients to leave out, because they are on the blacklist. `None`: nobody, or all of them, for which the message is refused.
fn to_leave_out(sql: &impl Sql, work: &UnitOfWork, message: &NewMessage) -> Result<Option<Vec<u64>>, PortError> {
    if !message.skips_blocked {
        return Ok(None);
    }
    let blocked = blocked(sql, work, message)?;
    let is_some = !blocked.is_empty() && blocked.len() < usize::try_from(message.count).unwrap_or(usize::MAX);
    Ok(is_some.then(|| blocked.into_iter().collect()))
}

/// The recipients that are on the blacklist, and those of which a test key rehearses it.
fn blocked(sql: &impl Sql, work: &UnitOfWork, message: &NewMessage) -> Result<BTreeSet<u64>, PortError> {
    let mut blocked: BTreeSet<u64> = blacklist::among(sql, work, message)?.into_iter().collect();
    for refusal in &message.rehearsed {
        if let Refusal::Blacklisted(numbers) = refusal {
            blocked.extend(numbers);
        }
    }
    Ok(blocked)
}

/// Why this account can't send this message now, in the order in which the API answers.
pub(in crate::account) fn refusals(
    sql: &impl Sql,
    work: &UnitOfWork,
    message: &NewMessage,
) -> Result<Vec<Refusal>, PortError> {
    let (account, now_ms) = (&work.account, work.now_ms);
    let mut refusals = switched_off(account, message);
    let blocked = blocked(sql, work, message)?;
    if !blocked.is_empty() {
        refusals.push(Refusal::Blacklisted(blocked.into_iter().collect()));
    }
    refusals.extend(flood::refusal(sql, now_ms, account, message)?);
    refusals.extend(account.daily_spend.refusal(now_ms, message.cost, false));
    refusals.extend(account.key_spending.spend_refusal(&work.bounds, now_ms, message.cost));
    refusals.extend(short_of_money(account, message));
    Ok(with_rehearsed(refusals, &message.rehearsed))
}

/// Refusals with those that a test key rehearses: one of each kind, in the order in which the API answers them.
fn with_rehearsed(real: Vec<Refusal>, rehearsed: &[Refusal]) -> Vec<Refusal> {
    if rehearsed.is_empty() {
        return real;
    }
    let mut ordered: BTreeMap<u8, Refusal> = BTreeMap::new();
    for refusal in real.into_iter().chain(rehearsed.iter().cloned()) {
        ordered.entry(place(&refusal)).or_insert(refusal);
    }
    ordered.into_values().collect()
}

/// The place of a refusal in the order in which the API answers them.
pub(in crate::account) fn place(refusal: &Refusal) -> u8 {
    match refusal {
        Refusal::Inactive | Refusal::Barred { is_inactive: true, .. } => 0,
        Refusal::SendingOff(_) | Refusal::Barred { .. } => 1,
        Refusal::Blacklisted(_) => 2,
        Refusal::RecipientLimit { .. } => 3,
        Refusal::DailyLimit { .. } => 4,
        _ => 5,
    }
}

fn switched_off(account: &Account, message: &NewMessage) -> Vec<Refusal> {
    let mut refusals = Vec::new();
    let told = |is_inactive: bool, untold: Refusal| match &account.reason {
        Some(reason) => Refusal::Barred {
            reason: reason.clone(),
            is_inactive,
        },
        None => untold,
    };
    if !account.active {
        refusals.push(told(true, Refusal::Inactive));
    }
    if !message.sending_enabled {
        refusals.push(Refusal::SendingOff(true));
    } else if !account.sending_enabled {
        refusals.push(told(false, Refusal::SendingOff(false)));
    }
    refusals
}

fn short_of_money(account: &Account, message: &NewMessage) -> Option<Refusal> {
    let available = account.wallet.available;
    (message.cost > available).then_some(Refusal::InsufficientBalance {
        cost: message.cost,
        available,
    })
}

/// Accepts the message and returns its uid. It is written when the work is saved. `code_text` is its whole text, if that has a code.
pub(in crate::account) fn accept(
    sql: &impl Sql,
    work: &mut UnitOfWork,
    message: &NewMessage,
    code_text: Option<CodeText>,
) -> Result<String, PortError> {
    work.account.message_seq = work.account.message_seq.saturating_add(1);
    work.account.accepted_ms = work.account.accepted_ms.max(work.now_ms);
    let id = work.account.message_seq;
    let sender = senders::number(sql, work)?;
    let uid = work
        .buffer
        .add_message(work.now_ms, &work.account, message, (code_text, sender))?;
    if message.redacted.is_some() {
        work.account.secrets.note(id);
    }
    let day = work.account.accepted_ms.div_euclid(DAY_MS);
    let accepted = Totals {
        messages: 1,
        recipients: message.count.into(),
        parts: message.all_parts,
        cost: message.cost,
        ..Totals::default()
    };
    // Nobody knows yet which carriers will take it.
    let key = (day, message.line.clone(), String::new(), message.test);
    work.account.usage.add(key, &accepted);
    if let Some(sender) = sender {
        let sent = SentSums {
            messages: 1,
            recipients: accepted.recipients,
            parts: accepted.parts,
            cost: accepted.cost,
            returned: 0,
        };
        work.account.key_usage.add((day, sender, message.test), &sent);
    }
    if message.test {
        test_messages::note(sql, work, id, message)?;
    }
    sources::insert(sql, id, message)?;
    patterns::note_read(sql, message)?;
    if message.cost > 0 {
        work.account.daily_spend.add(work.now_ms, message.cost);
        work.account.key_spending.spend(&work.bounds, work.now_ms, message.cost);
        posting::reserve(sql, work, message.cost, id)?;
    }
    Ok(uid)
}
