//! Starting a verification, or sending the code of the pending one again.

use serde::{Deserialize, Serialize};

use super::limits::Times;
use super::row::{Sent, Verification};
use super::{MAX_TTL_MS, VerificationView, VerifyStatus, end, guard, row};
use crate::account::codes::{self, Of, SEED_BYTES};
use crate::account::message::accept::{accept, place, refusals};
use crate::account::message::patterns;
use crate::account::message::patterns::StalePattern;
use crate::account::record::idempotency;
use crate::account::record::idempotency::Known;
use crate::account::record::message::NewMessage;
use crate::account::record::message::code_text;
use crate::account::request::{ReplyResult, Request, Wakes};
use crate::account::{refusal::Refusal, unit_of_work::UnitOfWork, write_buffer::WriteBuffer};
use crate::auth::{hex, secret::NONCE_BYTES};
use crate::base::ports::{PortError, Sql};
use crate::base::{id, time::seconds_until};

/// Starts a verification, or sends the code of the one that is pending for the recipient and the purpose.
#[derive(Debug, Serialize, Deserialize)]
pub struct StartVerification {
    /// The message to the only recipient. Its text is without the code.
    pub message: NewMessage,
    /// Who is verified, and what for.
    pub asked: Asked,
}

/// What a client asks for.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Asked {
    /// UUID version 7 for a new verification.
    pub uid: String,
    /// Whose number is verified.
    pub msisdn: u64,
    /// What for.
    pub purpose: String,
    /// The pieces of the text between which the code stands.
    pub pieces: Vec<String>,
    /// How many digits the code has. The text was priced so.
    pub length: u32,
    /// How long the code can be checked, ms.
    pub ttl_ms: i64,
    /// How many codes may be tried.
    pub max_attempts: u32,
    /// The address of the person who asks for the code.
    pub address: Option<String>,
    /// Random, for a new code.
    pub seed: [u8; SEED_BYTES],
    /// Random, to seal the text.
    pub nonce: [u8; NONCE_BYTES],
}

/// What became of a request that was not refused.
#[derive(Debug, Serialize, Deserialize)]
pub enum Started {
    /// A message brings the code, or the guard has let none go. What that message costs.
    Sent(Box<VerificationView>, i64),
    /// The idempotency key made this before.
    Replayed(Box<VerificationView>, i64),
    /// These patterns may have been changed since the worker read them. Nothing was done.
    PatternsStale(Vec<StalePattern>),
    /// The pending code has so many digits, and the text was priced with another number of them. Nothing was done.
    OtherLength(u32),
}

impl Request for StartVerification {
    const NAME: &'static str = "StartVerification";
    const WAKES: Wakes = Wakes::Now;
    const NEEDS_KEY: bool = true;
    type Reply = Started;

    /// Only a message that came with the same key, and other messages that count for a limit of the recipient.
    fn sees(&self, buffer: &WriteBuffer) -> bool {
        self.message.idempotency.as_ref().is_some_and(|key| buffer.has_key(key)) || buffer.limits(&self.message)
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Started> {
        match idempotency::find(sql, work.now_ms, self.message.idempotency.as_ref())? {
            Known::Nothing => {}
            Known::Mismatch => return Err(Refusal::IdempotencyMismatch.into()),
            Known::Made(message) => {
                if let Some(known) = row::of_message(sql, message)? {
                    return self.replayed(sql, work, &known).map_err(Into::into);
                }
            }
        }
        let stale = patterns::stale(sql, &self.message)?;
        if !stale.is_empty() {
            return Ok(Started::PatternsStale(stale));
        }
        let (asked, now_ms) = (&self.asked, work.now_ms);
        let since_ms = now_ms.saturating_sub(MAX_TTL_MS);
        let newest = row::newest(sql, (asked.msisdn, &asked.purpose), self.message.test, since_ms)?;
        let pending = newest.filter(|known| known.status == VerifyStatus::Pending);
        if let Some(length) = other_length(pending.as_ref(), now_ms, asked.length) {
            return Ok(Started::OtherLength(length));
        }
        let times = Times::read(sql, now_ms, asked.msisdn, self.message.test)?;
        if let Some(refusal) = self.refusal(sql, work, pending.as_ref(), &times)? {
            return Err(refusal.into());
        }
        self.start(sql, work, pending, times).map_err(Into::into)
    }
}

/// The length of the pending code, if it is another one.
fn other_length(pending: Option<&Verification>, now_ms: i64, length: u32) -> Option<u32> {
    let lasts = pending.filter(|known| known.status_at(now_ms) == VerifyStatus::Pending);
    lasts.map(|known| known.length).filter(|known| *known != length)
}

impl StartVerification {
    fn replayed(&self, sql: &impl Sql, work: &UnitOfWork, known: &Verification) -> Result<Started, PortError> {
        let free_ms = Times::read(sql, work.now_ms, known.msisdn, known.test)?.free_ms();
        let view = known.view(work.now_ms, free_ms);
        Ok(Started::Replayed(Box::new(view), self.message.cost))
    }

    /// Why no code can be sent now: the first of the reasons, in the order in which the API answers them.
    fn refusal(
        &self,
        sql: &impl Sql,
        work: &UnitOfWork,
        pending: Option<&Verification>,
        times: &Times,
    ) -> Result<Option<Refusal>, PortError> {
        let mut all = refusals(sql, work, &self.message)?;
        let next_ms = pending.map_or(0, Verification::next_ms).max(times.free_ms());
        if next_ms > work.now_ms {
            all.push(Refusal::RecipientLimit {
                recipients: vec![self.asked.msisdn],
                retry_after_s: seconds_until(next_ms, work.now_ms),
            });
        }
        Ok(all.into_iter().min_by_key(place))
    }

    /// Sends a code: that of the pending verification, as long as it lasts, or a new one.
    fn start(
        &self,
        sql: &impl Sql,
        work: &mut UnitOfWork,
        pending: Option<Verification>,
        mut times: Times,
    ) -> Result<Started, PortError> {
        let now_ms = work.now_ms;
        let (lasting, over): (Vec<_>, Vec<_>) = pending
            .into_iter()
            .partition(|known| known.status_at(now_ms) == VerifyStatus::Pending);
        for mut over in over {
            end::end(sql, work, &mut over, VerifyStatus::Expired)?;
        }
        let lasting = lasting.into_iter().next();
        let is_new = lasting.is_none();
        // What a test key asks for costs nothing, so the guard lets it go.
        if is_new && !self.message.test && guard::blocks(sql, work, self.asked.msisdn, self.asked.address.as_deref())? {
            return self.block(sql, work);
        }
        let mut verification = match lasting {
            Some(lasting) => lasting,
            None => self.fresh(work)?,
        };
        let (uid, cost) = self.send(sql, work, &mut verification)?;
        times.note(now_ms);
        verification.line.clone_from(&self.message.line);
        verification.cost = verification.cost.saturating_add(cost);
        verification.sends.push(Sent(work.account.message_seq, uid, now_ms));
        verification.write(sql)?;
        if is_new {
            work.account
                .verifications
                .note(verification.number, verification.expires_ms);
        }
        let view = verification.view(now_ms, times.free_ms());
        Ok(Started::Sent(Box::new(view), cost))
    }

    /// A new verification, with the number of the next message.
    fn fresh(&self, work: &UnitOfWork) -> Result<Verification, PortError> {
        let (asked, now_ms) = (&self.asked, work.now_ms);
        let number = work.account.message_seq.saturating_add(1);
        Ok(Verification {
            number,
            uid: id::numbered(&asked.uid, number)?,
            status: VerifyStatus::Pending,
            test: self.message.test,
            msisdn: asked.msisdn,
            purpose: asked.purpose.clone(),
            line: self.message.line.clone(),
            seed: Some(hex(&asked.seed)),
            length: asked.length,
            max_attempts: asked.max_attempts,
            checks: 0,
            sends: Vec::new(),
            cost: 0,
            created_ms: now_ms,
            expires_ms: now_ms.saturating_add(asked.ttl_ms),
            ended_ms: None,
            address: asked.address.clone(),
            client_ref: self.message.client_ref.clone(),
        })
    }

    /// Accepts the message with the code. Returns its uid and what it costs.
    fn send(&self, sql: &impl Sql, work: &mut UnitOfWork, of: &mut Verification) -> Result<(String, i64), PortError> {
        let seed = of.seed.as_deref().unwrap_or_default();
        let of_code = Of {
            seed,
            length: of.length,
            msisdn: of.msisdn,
            test: of.test,
        };
        let code = codes::make(&work.master_key, of_code)?;
        let number = work.account.message_seq.saturating_add(1);
        let owner = (work.account.id.as_str(), number);
        let text = code_text::seal(&work.master_key, self.asked.nonce, owner, &self.asked.pieces, &code)?;
        let earlier: Vec<i64> = of.sends.iter().map(|Sent(message, ..)| *message).collect();
        let message = NewMessage {
            expires_ms: Some(of.expires_ms),
            avoid: carriers(sql, &earlier)?,
            ..self.message.clone()
        };
        let uid = accept(sql, work, &message, Some(text))?;
        Ok((uid, message.cost))
    }

    /// Lets no message go.
    fn block(&self, sql: &impl Sql, work: &mut UnitOfWork) -> Result<Started, PortError> {
        let blocked = Verification {
            status: VerifyStatus::Blocked,
            seed: None,
            ended_ms: Some(work.now_ms),
            ..self.fresh(work)?
        };
        // No message gets its number.
        work.account.message_seq = blocked.number;
        blocked.write(sql)?;
        work.account.verifications.note(blocked.number, blocked.expires_ms);
        end::tell(sql, work, &blocked)?;
        Ok(Started::Sent(Box::new(blocked.view(work.now_ms, 0)), 0))
    }
}

/// The carriers that have had these messages.
pub(in crate::account) fn carriers(sql: &impl Sql, messages: &[i64]) -> Result<Vec<String>, PortError> {
    if messages.is_empty() {
        return Ok(Vec::new());
    }
    let rows = sql.exec(
        "SELECT DISTINCT r.carrier FROM json_each(?1) p CROSS JOIN recipient r ON r.message = p.value \
         WHERE r.carrier IS NOT NULL ORDER BY r.carrier",
        &[crate::durable::to_json(&messages)?.into()],
    )?;
    rows.iter().map(|row| row.text(0)).collect()
}
