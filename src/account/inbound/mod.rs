//! Messages from phones: the object keeps what the account's recipients have sent, and minds their opt-outs.
//!
//! The invariant: a message is stored once. Its opt-out takes effect, and its event is written, in the transaction that stores
//! it. So is the message that confirms it, with its money. A carrier may hand a message over several times, because an answer may
//! be lost; the object recognises the repeat.

pub mod list;
pub mod take;

use serde::{Deserialize, Serialize};
use sms::msisdn::Msisdn;

use super::blacklist;
use super::campaign::opt_outs;
use super::message::accept;
use super::outbox::events;
use super::refusal::Refusal;
use super::request::{ReplyResult, Request, Wakes};
use crate::account::record::account_row::Account;
use crate::account::record::message::NewMessage;
use crate::account::unit_of_work::UnitOfWork;
use crate::base::ports::{PortError, Sql, Value};
use crate::base::time::DAY_MS;
use crate::durable::decided;

/// How long the same text of the same sender to the same line counts as a repeat, ms, if the carrier gives no ids.
pub const REPEAT_MS: i64 = 5 * 60 * 1_000;
/// A message is received at most this long before it reaches the object, ms, whatever a carrier says.
const LATEST_MS: i64 = 7 * DAY_MS;
/// A sender gets at most one confirmation from a line in this time, ms, so that two programs that answer each other come to an
/// end.
pub const CONFIRMED_MS: i64 = DAY_MS;
/// A text is kept with at most this many characters. The longest message that a phone can write has fewer in Persian.
pub const MAX_CHARS: u32 = 10_000;
/// Messages that one go forgets at most.
const FORGOTTEN_A_GO: u32 = 500;

/// What a reply asks of the account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Choice {
    /// To send no more messages.
    OptOut,
    /// To send messages again.
    OptIn,
}

/// Takes a message from a phone.
#[derive(Debug, Serialize, Deserialize)]
pub struct Receive {
    /// UUID version 7. A repeat has another one, which is not used.
    pub uid: String,
    /// The carrier.
    pub carrier: String,
    /// The carrier's id of the message, if it has one.
    pub carrier_id: Option<String>,
    /// The line, as the directory has it.
    pub line: String,
    /// The sender: a phone number in E.164 form, or what the carrier gave instead.
    pub sender: String,
    /// The text.
    pub text: String,
    /// Whether the text goes on, beyond what is kept.
    #[serde(default)]
    pub is_cut: bool,
    /// What the message asks of the account, if it does.
    pub choice: Option<Choice>,
    /// The message to its sender that confirms the choice, if the line has a text for it.
    pub confirmation: Option<Box<NewMessage>>,
    /// When the message came, ms since the Unix epoch.
    pub received_ms: i64,
}

/// What became of a message.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Received {
    /// Whether the object has had the message before.
    #[serde(default)]
    pub is_repeat: bool,
    /// Whether the sender could not be put on the blacklist, because it is full.
    #[serde(default)]
    pub blacklist_is_full: bool,
    /// Why the choice was noted and not confirmed, if the account could not send the confirmation.
    pub unconfirmed: Option<Refusal>,
}

/// What a choice has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Minded {
    /// It counts from now on.
    New,
    /// There was no choice, or it has changed nothing.
    Nothing,
    /// The blacklist is full.
    Full,
}

impl Request for Receive {
    const NAME: &'static str = "Receive";
    /// The event is to be told at once, and a confirmation handed over. The alarm also sees when the message is to be forgotten.
    const WAKES: Wakes = Wakes::In(0);
    type Reply = Received;

    fn wakes(&self, _: &Account, _: bool) -> Wakes {
        if self.confirmation.is_some() {
            Wakes::Now
        } else {
            Self::WAKES
        }
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Received> {
        if work.account.closed_ms.is_some() {
            // Its lines are free, and the directory says so soon: nobody is to have the message.
            return Ok(Received::default());
        }
        let received_ms = self.in_order(sql, work.now_ms)?;
        if self.is_known(sql, received_ms)? {
            return Ok(Received {
                is_repeat: true,
                ..Received::default()
            });
        }
        let minded = self.mind_choice(sql, work)?;
        let confirmed = match minded {
            Minded::New => decided(self.confirm(sql, work))?,
            Minded::Nothing | Minded::Full => Ok(false),
        };
        sql.exec(
            "INSERT INTO inbound (uid, carrier, carrier_id, line, sender, text, is_cut, opt_out, confirmed_ms, received_ms) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            &[
                self.uid.as_str().into(),
                self.carrier.as_str().into(),
                self.carrier_id.as_deref().into(),
                self.line.as_str().into(),
                self.sender.as_str().into(),
                self.text.as_str().into(),
                self.is_cut.into(),
                (self.choice == Some(Choice::OptOut)).into(),
                (confirmed == Ok(true)).then_some(work.now_ms).into(),
                received_ms.into(),
            ],
        )?;
        events::received(sql, work, &self.event(received_ms))?;
        Ok(Received {
            is_repeat: false,
            blacklist_is_full: minded == Minded::Full,
            unconfirmed: confirmed.err(),
        })
    }
}

impl Receive {
    /// When the message was received. It is never before the messages that the object has, so that ids and times grow together,
    /// and never in the future.
    fn in_order(&self, sql: &impl Sql, now_ms: i64) -> Result<i64, PortError> {
        let rows = sql.exec("SELECT received_ms FROM inbound ORDER BY id DESC LIMIT 1", &[])?;
        let newest_ms = rows.first().map_or(Ok(i64::MIN), |row| row.int(0))?;
        let said_ms = self.received_ms.clamp(now_ms.saturating_sub(LATEST_MS), now_ms);
        Ok(said_ms.max(newest_ms))
    }

    /// Whether the object has the message. A carrier that uses an id again for another text does not repeat anything.
    fn is_known(&self, sql: &impl Sql, received_ms: i64) -> Result<bool, PortError> {
        let same: [Value; 3] = [self.line.as_str(), self.sender.as_str(), self.text.as_str()].map(Value::from);
        // The plus keeps SQLite from the index of senders: ids are fewer.
        let (statement, narrowed_by): (_, [Value; 2]) = match self.carrier_id.as_deref() {
            Some(id) => (
                "SELECT 1 FROM inbound WHERE +line = ?1 AND +sender = ?2 AND text = ?3 AND carrier = ?4 AND carrier_id = ?5 \
                 LIMIT 1",
                [self.carrier.as_str().into(), id.into()],
            ),
            None => (
                "SELECT 1 FROM inbound WHERE line = ?1 AND sender = ?2 AND text = ?3 AND carrier = ?4 \
                   AND carrier_id IS NULL \
                   AND id >= (SELECT id FROM inbound WHERE received_ms > ?5 ORDER BY received_ms, id LIMIT 1) LIMIT 1",
                [
                    self.carrier.as_str().into(),
                    received_ms.saturating_sub(REPEAT_MS).into(),
                ],
            ),
        };
        let params: Vec<Value> = same.into_iter().chain(narrowed_by).collect();
        Ok(!sql.exec(statement, &params)?.is_empty())
    }

    /// What the account's webhooks tell of the message.
    fn event(&self, received_ms: i64) -> events::Received<'_> {
        events::Received {
            id: &self.uid,
            line: &self.line,
            from: &self.sender,
            text: &self.text,
            received_ms,
            opt_out: self.choice == Some(Choice::OptOut),
        }
    }

    /// Puts the sender on the blacklist, or takes it off. A sender that is no phone number gets no messages anyway.
    fn mind_choice(&self, sql: &impl Sql, work: &mut UnitOfWork) -> Result<Minded, PortError> {
        let Some((choice, number)) = self.choice.zip(Msisdn::parse(&self.sender).ok()) else {
            return Ok(Minded::Nothing);
        };
        let has_changed = match choice {
            Choice::OptOut => {
                let is_new = blacklist::opt_out(sql, work, number.get())?;
                if is_new == Some(true) {
                    opt_outs::count(sql, number.get(), &self.sender)?;
                }
                is_new
            }
            Choice::OptIn => Some(blacklist::opt_in(sql, work, number.get())?),
        };
        Ok(match has_changed {
            Some(true) => Minded::New,
            Some(false) => Minded::Nothing,
            None => Minded::Full,
        })
    }

    /// Sends the confirmation of a choice that counts from now on, although its recipient may be on the blacklist now. Returns
    /// whether it is sent, or why the account can't send it.
    fn confirm(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<bool> {
        let Some(message) = &self.confirmation else {
            return Ok(false);
        };
        let rows = sql.exec(
            "SELECT confirmed_ms FROM inbound WHERE sender = ?1 AND line = ?2 AND confirmed_ms IS NOT NULL \
             ORDER BY id DESC LIMIT 1",
            &[self.sender.as_str().into(), self.line.as_str().into()],
        )?;
        let last_ms = rows.first().map(|row| row.int(0)).transpose()?;
        if last_ms.is_some_and(|last_ms| work.now_ms.saturating_sub(last_ms) < CONFIRMED_MS) {
            return Ok(false);
        }
        accept::accept_confirmation(sql, work, message).map(|()| true)
    }
}

/// Forgets messages that were received at least `kept_ms` ago, at most so many; `true` when more may be old.
pub fn forget_old(sql: &impl Sql, now_ms: i64, kept_ms: i64) -> Result<bool, PortError> {
    sql.transaction(|| {
        let gone = sql.exec(
            "DELETE FROM inbound WHERE id IN \
               (SELECT id FROM inbound WHERE received_ms <= ?1 ORDER BY received_ms LIMIT ?2) RETURNING id",
            &[now_ms.saturating_sub(kept_ms).into(), FORGOTTEN_A_GO.into()],
        )?;
        let has_more = u32::try_from(gone.len()).is_ok_and(|count| count >= FORGOTTEN_A_GO);
        let due_ms = if has_more {
            now_ms
        } else {
            now_ms.saturating_add(DAY_MS)
        };
        sql.exec("UPDATE upkeep SET inbound_due_ms = ?1", &[due_ms.into()])?;
        Ok(has_more)
    })
}

/// When the object forgets messages from phones next: there is nothing to forget before the oldest is a day old.
pub fn due_ms(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    let rows = sql.exec(
        "SELECT max(inbound_due_ms, (SELECT received_ms FROM inbound ORDER BY id LIMIT 1) + ?1) FROM upkeep",
        &[DAY_MS.into()],
    )?;
    rows.first().map_or(Ok(None), |row| row.opt_int(0))
}
