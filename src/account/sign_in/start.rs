//! Sending a code to sign in with.

use serde::{Deserialize, Serialize};

use super::{Send, SignIn, TTL_MS, forget_old, limits, of_phone};
use crate::account::codes::{self, SEED_BYTES};
use crate::account::message::accept::{accept, refusals};
use crate::account::record::account_row::Account;
use crate::account::record::message::code_text;
use crate::account::record::message::{MessageKind, NewMessage};
use crate::account::request::{ReplyResult, Request, Wakes};
use crate::account::unit_of_work::UnitOfWork;
use crate::account::verify::start::carriers;
use crate::auth::{hex, secret::NONCE_BYTES};
use crate::base::ports::{PortError, Sql};
use crate::base::time::DAY_MS;

/// Sends the code of a browser, or a new one. For the phone of no member it sends nothing; it is asked all the same, so that an object
/// that is slow or does not answer tells nobody who is a member.
#[derive(Debug, Serialize, Deserialize)]
pub struct StartSignIn {
    /// The message to the only recipient. Its text is without the code.
    pub message: NewMessage,
    /// The person's number.
    pub msisdn: u64,
    /// Whether a member has the number.
    pub is_member: bool,
    /// The digest of the browser's cookie.
    pub browser: String,
    /// The network that the browser is in.
    pub network: Option<String>,
    /// The pieces of the text between which the code stands.
    pub pieces: Vec<String>,
    /// Random, for a new code.
    pub seed: [u8; SEED_BYTES],
    /// Random, to seal the text.
    pub nonce: [u8; NONCE_BYTES],
}

impl Request for StartSignIn {
    const NAME: &'static str = "StartSignIn";
    const WAKES: Wakes = Wakes::Now;
    const NEEDS_KEY: bool = true;

    /// Strangers ask for many codes, of which few are sent.
    fn wakes(&self, _: &Account, is_changed: bool) -> Wakes {
        if is_changed { Self::WAKES } else { Wakes::Never }
    }

    /// Whether a message has left: only a member gets one, and the limits may let none go.
    type Reply = bool;

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<bool> {
        if let Some(refusal) = refusals(sql, work, &self.message)?.into_iter().next() {
            return Err(refusal.into());
        }
        if !self.is_member {
            return Ok(false);
        }
        forget_old(sql, work.now_ms)?;
        let all = of_phone(sql, self.msisdn)?;
        let own = all.iter().find(|one| one.browser == self.browser).cloned();
        let own = own.unwrap_or_else(|| SignIn::new(self.msisdn, self.browser.clone()));
        if !limits::allows(&all, &own, self.network.as_deref(), work.now_ms) {
            return Ok(false);
        }
        self.send(sql, work, own)?;
        Ok(true)
    }
}

impl StartSignIn {
    fn send(&self, sql: &impl Sql, work: &mut UnitOfWork, mut own: SignIn) -> Result<(), PortError> {
        let now_ms = work.now_ms;
        if own.code(now_ms).is_none() {
            own.seed = Some(hex(&self.seed));
            own.checks = 0;
        }
        let earlier: Vec<i64> = own.sends.iter().map(|Send(message, _)| *message).collect();
        own.network.clone_from(&self.network);
        own.sends
            .retain(|Send(_, at_ms)| *at_ms > now_ms.saturating_sub(DAY_MS));
        let number = work.account.message_seq.saturating_add(1);
        own.sends.push(Send(number, now_ms));
        let of = own.code(now_ms).ok_or_else(no_code)?;
        let code = codes::make(&work.master_key, of)?;
        let owner = (work.account.id.as_str(), number);
        let text = code_text::seal(&work.master_key, self.nonce, owner, &self.pieces, &code)?;
        let message = NewMessage {
            kind: MessageKind::SignIn,
            expires_ms: Some(now_ms.saturating_add(TTL_MS)),
            avoid: carriers(sql, &earlier)?,
            ..self.message.clone()
        };
        accept(sql, work, &message, Some(text))?;
        own.write(sql)
    }
}

fn no_code() -> PortError {
    PortError::failed("sign in", "a code that was just made can't be checked")
}
