//! Carriers: who takes messages to the network, and how their reports come back.
//!
//! A carrier is a row of the directory: a name, a kind and settings. It works in objects of its own. An account's object
//! hands chunks over with [`submit`] and learns what became of each recipient; a carrier's object reports deliveries with
//! [`report`].

pub mod journal;
pub mod object;
pub mod sandbox;

use serde::{Deserialize, Serialize};

use crate::account;
use crate::account::delivery::{Deliver, DeliveryReport};
use crate::account::handover::{Answer, ChunkRef, Handover, Outcomes};
use crate::directory::carriers::Carrier;
use crate::object::Address;
use crate::ports::{Platform, PortError, Sql};

/// The binding of the class of carriers' objects.
pub const CLASS: &str = "CARRIER";

/// Makes the table of the kinds of carriers. Each row is a kind, its name in the directory, and the module that knows how
/// such a carrier works.
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident, $name:literal, $module:ident;)*) => {
        /// A kind of carrier.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Kind {
            $($(#[$doc])* $kind,)*
        }

        impl Kind {
            /// All of them.
            pub const ALL: &[Kind] = &[$(Kind::$kind),*];

            /// Its name in the directory.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Kind::$kind => $name,)*
                }
            }

            /// The name of the object that works for a carrier and an account.
            fn object_name(self, carrier: &str, account: &str) -> String {
                match self {
                    $(Kind::$kind => $module::object_name(carrier, account),)*
                }
            }

            fn open(self, sql: &impl Sql) -> Result<(), PortError> {
                match self {
                    $(Kind::$kind => $module::open(sql),)*
                }
            }

            async fn submit(
                self,
                platform: &impl Platform,
                sql: &impl Sql,
                submission: &Submission,
            ) -> Result<Vec<(ChunkRef, Answer)>, PortError> {
                match self {
                    $(Kind::$kind => $module::submit(platform, sql, submission).await,)*
                }
            }

            async fn work(self, platform: &impl Platform, sql: &impl Sql) -> Result<(), PortError> {
                match self {
                    $(Kind::$kind => $module::work(platform, sql).await,)*
                }
            }

            fn next_due_ms(self, sql: &impl Sql) -> Result<Option<i64>, PortError> {
                match self {
                    $(Kind::$kind => $module::next_due_ms(sql),)*
                }
            }
        }
    };
}

kinds! {
    /// Sends nothing, and ends each message by the last digits of its number.
    Sandbox, "sandbox", sandbox;
}

impl Kind {
    /// The kind of a name. `None`: this version does not know it.
    pub fn parse(name: &str) -> Option<Kind> {
        Kind::ALL.iter().copied().find(|kind| kind.as_str() == name)
    }
}

/// Chunks of one account, on their way to a carrier.
#[derive(Debug, Serialize, Deserialize)]
pub struct Submission {
    /// The carrier.
    pub carrier: Carrier,
    /// The account.
    pub account: String,
    /// Until when the carrier may take them, ms since the Unix epoch. Later, somebody else may have claimed them.
    pub valid_until_ms: i64,
    /// The chunks.
    pub handovers: Vec<Handover>,
}

/// Hands chunks to a carrier and tells what became of each. One that gets no answer is in doubt, as all are when the call
/// fails.
pub async fn submit(platform: &impl Platform, submission: &Submission) -> Result<Vec<(ChunkRef, Answer)>, PortError> {
    let Some(kind) = Kind::parse(&submission.carrier.kind) else {
        // A carrier that nobody can work with is like one that is down.
        let answers = submission.handovers.iter().map(|handover| {
            let outcomes = Outcomes::all_not_now(handover);
            (handover.chunk, Answer::Outcomes(outcomes))
        });
        return Ok(answers.collect());
    };
    let name = kind.object_name(&submission.carrier.name, &submission.account);
    object::call(platform, &name, &object::Submit(submission)).await
}

/// Reports deliveries to an account's object. It returns when the reports are safe there.
pub async fn report(platform: &impl Platform, account: &str, reports: Vec<DeliveryReport>) -> Result<(), PortError> {
    let reply = account::ask(platform, account, None, &Deliver(reports)).await?;
    reply
        .outcome
        .map_err(|refusal| PortError::failed("account", format!("refused delivery reports: {refusal:?}")))
}

/// The address of the object that works for a carrier of this kind and an account.
fn address(name: &str) -> Address<'_> {
    Address { class: CLASS, name }
}
