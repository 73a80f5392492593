//! The kinds of carriers. A kind is a module that knows how such a carrier works, and a row of the table below.

use super::health::Health;
use super::http;
use super::sandbox;
use super::settings::Member;
use super::smpp;
use super::submission::Submission;
use crate::account::chunk::handover::{Answer, ChunkRef};
use crate::base::ports::{Platform, PortError, Sql};
use crate::directory::carriers::Carrier;
use crate::durable::Call;

/// Makes the table of the kinds of carriers. Each row is a kind, its name in the directory, and the module that knows how
/// such a carrier works. The module has a struct `Sender`: what an object of the kind has in memory.
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

            /// The members of the settings of such a carrier.
            pub fn members(self) -> &'static [Member] {
                match self {
                    $(Kind::$kind => $module::MEMBERS,)*
                }
            }

            /// The name of the object that works for a carrier and an account. A carrier may have several objects that
            /// take turns: `turn` counts the calls.
            pub fn object_name(self, carrier: &Carrier, account: &str, turn: u64) -> String {
                match self {
                    $(Kind::$kind => $module::object_name(carrier, account, turn),)*
                }
            }

            /// The names of all objects that serve every account, which operators tell of changes and ask for their
            /// health. With `ever`, those that the carrier does not have at the moment are among them.
            pub fn object_names(self, carrier: &Carrier, ever: bool) -> Vec<String> {
                match self {
                    $(Kind::$kind => $module::object_names(carrier, ever),)*
                }
            }

            /// Brings the schema of such a carrier's object up to date, and makes its worker.
            pub fn open(self, sql: &impl Sql) -> Result<Sender, PortError> {
                match self {
                    $(Kind::$kind => {
                        $module::open(sql)?;
                        Ok(Sender::$kind(Box::default()))
                    })*
                }
            }
        }

        /// What an object of a carrier has in memory, and what it does.
        #[derive(Debug)]
        pub enum Sender {
            $($(#[$doc])* $kind(Box<$module::Sender>),)*
        }

        impl Sender {
            /// The kind of the carrier.
            pub fn kind(&self) -> Kind {
                match self {
                    $(Sender::$kind(_) => Kind::$kind,)*
                }
            }

            /// Takes a submission.
            pub async fn submit(
                &self,
                platform: &impl Platform,
                sql: &impl Sql,
                submission: &Submission,
            ) -> Result<Vec<(ChunkRef, Answer)>, PortError> {
                match self {
                    $(Sender::$kind(worker) => worker.submit(platform, sql, submission).await,)*
                }
            }

            /// Takes over a newer version of the carrier.
            pub async fn configure(
                &self,
                platform: &impl Platform,
                sql: &impl Sql,
                carrier: &Carrier,
            ) -> Result<(), PortError> {
                match self {
                    $(Sender::$kind(worker) => worker.configure(platform, sql, carrier).await,)*
                }
            }

            /// How the object is.
            pub fn health(&self, now_ms: i64) -> Health {
                match self {
                    $(Sender::$kind(worker) => worker.health(now_ms),)*
                }
            }

            /// Answers a request that only this kind knows; `None`: it does not know it.
            pub fn answer(&self, now_ms: i64, sql: &impl Sql, call: &Call<'_>) -> Result<Option<String>, PortError> {
                match self {
                    $(Sender::$kind(worker) => worker.answer(now_ms, sql, call),)*
                }
            }

            /// Whether there is urgent work that nobody does.
            pub fn wants_urgent(&self, now_ms: i64) -> bool {
                match self {
                    $(Sender::$kind(worker) => worker.wants_urgent(now_ms),)*
                }
            }

            /// Does the urgent work. It may go on for as long as the object lives.
            pub async fn urgent(&self, platform: &impl Platform, sql: &impl Sql) -> Result<bool, PortError> {
                match self {
                    $(Sender::$kind(worker) => worker.urgent(platform, sql).await,)*
                }
            }

            /// Does the chores that are due.
            pub async fn work(&self, platform: &impl Platform, sql: &impl Sql) -> Result<(), PortError> {
                match self {
                    $(Sender::$kind(worker) => worker.work(platform, sql).await,)*
                }
            }

            /// When a chore is due next.
            pub fn next_due_ms(&self, now_ms: i64, sql: &impl Sql) -> Result<Option<i64>, PortError> {
                match self {
                    $(Sender::$kind(worker) => worker.next_due_ms(now_ms, sql),)*
                }
            }
        }
    };
}

kinds! {
    /// Sends nothing, and ends each message by the last digits of its number.
    Sandbox, "sandbox", sandbox;
    /// Hands messages to a gateway over HTTP: Kannel's `sendsms`, or Jasmin's `/send`.
    Http, "http", http;
    /// Hands messages to an SMSC over SMPP 3.4.
    Smpp, "smpp", smpp;
}

impl Kind {
    /// The kind of a name. `None`: this version does not know it.
    pub fn parse(name: &str) -> Option<Kind> {
        Kind::ALL.iter().copied().find(|kind| kind.as_str() == name)
    }
}
