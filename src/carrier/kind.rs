//! The kinds of carriers. A kind is a module that knows how such a carrier works, and a row of the table below.

use super::sandbox;
use super::submission::Submission;
use crate::account::handover::{Answer, ChunkRef};
use crate::object::Call;
use crate::ports::{Platform, PortError, Sql};

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
            pub fn object_name(self, carrier: &str, account: &str) -> String {
                match self {
                    $(Kind::$kind => $module::object_name(carrier, account),)*
                }
            }

            /// Brings the schema of such a carrier's object up to date.
            pub fn open(self, sql: &impl Sql) -> Result<(), PortError> {
                match self {
                    $(Kind::$kind => $module::open(sql),)*
                }
            }

            /// Takes a submission.
            pub async fn submit(
                self,
                platform: &impl Platform,
                sql: &impl Sql,
                submission: &Submission,
            ) -> Result<Vec<(ChunkRef, Answer)>, PortError> {
                match self {
                    $(Kind::$kind => $module::submit(platform, sql, submission).await,)*
                }
            }

            /// Answers a request that only this kind knows; `None`: it does not know it.
            pub fn answer(self, sql: &impl Sql, call: &Call<'_>) -> Result<Option<String>, PortError> {
                match self {
                    $(Kind::$kind => $module::answer(sql, call),)*
                }
            }

            /// Does the chores that are due.
            pub async fn work(self, platform: &impl Platform, sql: &impl Sql) -> Result<(), PortError> {
                match self {
                    $(Kind::$kind => $module::work(platform, sql).await,)*
                }
            }

            /// When a chore is due next.
            pub fn next_due_ms(self, sql: &impl Sql) -> Result<Option<i64>, PortError> {
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
