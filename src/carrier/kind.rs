//! The kinds of carriers: one table.

use super::http::HttpSender;
use super::sandbox::Sandbox;
use super::sender::Sender;
use super::settings::Member;
use super::smpp::SmppSender;
use crate::base::ports::{PortError, Sql};
use crate::directory::carriers::Carrier;
use crate::durable::schema;

/// Makes the table of the kinds of carriers. Each row is a kind, its name in the directory, and its [`Sender`].
macro_rules! kinds {
    ($d:tt $($(#[$doc:meta])* $kind:ident, $name:literal, $sender:ty;)*) => {
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

            /// As [`Sender::MEMBERS`].
            pub fn members(self) -> &'static [Member] {
                match self {
                    $(Kind::$kind => <$sender>::MEMBERS,)*
                }
            }

            /// As [`Sender::is_encrypted`].
            pub fn is_encrypted(self, carrier: &Carrier) -> bool {
                match self {
                    $(Kind::$kind => <$sender>::is_encrypted(carrier),)*
                }
            }

            /// As [`Sender::object_name`].
            pub fn object_name(self, carrier: &Carrier, account: &str, turn: u64) -> String {
                match self {
                    $(Kind::$kind => <$sender>::object_name(carrier, account, turn),)*
                }
            }

            /// As [`Sender::object_names`].
            pub fn object_names(self, carrier: &Carrier, ever: bool) -> Vec<String> {
                match self {
                    $(Kind::$kind => <$sender>::object_names(carrier, ever),)*
                }
            }

            /// Brings the schema of such a carrier's object up to date from this version, and makes its sender.
            pub fn open(self, sql: &impl Sql, version: Option<i64>) -> Result<AnySender, PortError> {
                match self {
                    $(Kind::$kind => {
                        schema::apply(sql, $name, version, &<$sender>::TABLES.concat(), &[])?;
                        Ok(AnySender::$kind(Box::default()))
                    })*
                }
            }
        }

        /// The sender of any kind.
        #[derive(Debug)]
        pub enum AnySender {
            $($(#[$doc])* $kind(Box<$sender>),)*
        }

        impl AnySender {
            /// The kind of the carrier.
            pub fn kind(&self) -> Kind {
                match self {
                    $(AnySender::$kind(_) => Kind::$kind,)*
                }
            }
        }

        /// Does the same with the [`Sender`] of whichever kind.
        macro_rules! whichever {
            ($d any:expr, $d sender:ident => $d done:expr) => {
                match $d any {
                    $($crate::carrier::kind::AnySender::$kind($d sender) => $d done,)*
                }
            };
        }
        pub(crate) use whichever;
    };
}

kinds! {
    $ // For the macro that this one makes.
    /// Sends nothing, and ends each message by the last digits of its number.
    Sandbox, "sandbox", Sandbox;
    /// Hands messages to a gateway over HTTP: Kannel's `sendsms`, or Jasmin's `/send`.
    Http, "http", HttpSender;
    /// Hands messages to an SMSC over SMPP 3.4.
    Smpp, "smpp", SmppSender;
}

impl Kind {
    /// The kind of a name. `None`: this version does not know it.
    pub fn parse(name: &str) -> Option<Kind> {
        Kind::ALL.iter().copied().find(|kind| kind.as_str() == name)
    }
}
