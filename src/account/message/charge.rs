//! The token of a request, and the answer to a send that was answered before.

use serde::{Deserialize, Serialize};

use super::read;
use crate::account::record::idempotency;
use crate::account::record::idempotency::{Idempotency, Known};
use crate::account::record::message::MessageView;
use crate::account::request::{ReplyResult, Request, Wakes};
use crate::account::unit_of_work::UnitOfWork;
use crate::account::write_buffer::WriteBuffer;
use crate::base::ports::{PortError, Sql};

/// Takes the request's token and nothing else. A send that failed before it came to the object, but succeeded earlier under
/// its idempotency key, is answered with the message that it made.
#[derive(Debug, Serialize, Deserialize)]
pub struct Charge(pub Option<Idempotency>);

impl Request for Charge {
    const NAME: &'static str = "Charge";
    const WAKES: Wakes = Wakes::Never;
    type Reply = Option<Box<MessageView>>;

    fn sees(&self, buffer: &WriteBuffer) -> bool {
        self.0.as_ref().is_some_and(|key| buffer.has_key(key))
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Self::Reply> {
        Ok(match find_message(sql, work.now_ms, self.0.as_ref())? {
            Known::Made(message) => Some(message),
            Known::Nothing | Known::Mismatch => None,
        })
    }
}

/// Takes a token, of the key's reserve if the account has none left, for a request that protects somebody.
#[derive(Debug, Serialize, Deserialize)]
pub struct ChargeReserve;

impl Request for ChargeReserve {
    const NAME: &'static str = "ChargeReserve";
    const PROTECTS: bool = true;
    const WAKES: Wakes = Wakes::Never;
    type Reply = ();

    fn sees(&self, _: &WriteBuffer) -> bool {
        false
    }

    fn answer(&self, _: &impl Sql, _: &mut UnitOfWork) -> ReplyResult<()> {
        Ok(())
    }
}

/// Takes more tokens for a request, and nothing else: as many as the work costs that it is about to do.
#[derive(Debug, Serialize, Deserialize)]
pub struct ChargeMore(pub u32);

impl Request for ChargeMore {
    const NAME: &'static str = "ChargeMore";
    const WAKES: Wakes = Wakes::Never;
    type Reply = ();

    fn tokens(&self) -> u32 {
        self.0
    }

    fn sees(&self, _: &WriteBuffer) -> bool {
        false
    }

    fn answer(&self, _: &impl Sql, _: &mut UnitOfWork) -> ReplyResult<()> {
        Ok(())
    }
}

/// Looks up the message that a send made before.
pub fn find_message(
    sql: &impl Sql,
    now_ms: i64,
    asked: Option<&Idempotency>,
) -> Result<Known<Box<MessageView>>, PortError> {
    Ok(match idempotency::find(sql, now_ms, asked)? {
        Known::Nothing => Known::Nothing,
        Known::Mismatch => Known::Mismatch,
        Known::Made(message) => Known::Made(Box::new(read::as_accepted(sql, message)?)),
    })
}
