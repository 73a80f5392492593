#![doc = include_str!("../README.md")]
//!
//! The modules, from the highest to the lowest; none names a higher one:
//!
//! - [`wire`]: runs a session over a stream.
//! - [`session`]: one bind.
//! - [`window`]: how many messages of a session may wait for their answers.
//! - [`receipt`]: reads delivery receipts.
//! - [`encode`]: makes the parts of a text.
//! - [`inbound`]: takes apart what comes in.
//! - [`frame`]: cuts a stream of octets into PDUs.
//! - [`alphabet`]: which alphabet octets are in, and their text.
//! - [`gsm7`]: the GSM 7-bit alphabet.
//! - [`pdu`]: reads and writes PDUs.
//! - [`status`]: the codes of a peer, and what they mean.
//!
//! The codec is our own: `rusmpp` 0.4 refuses a whole PDU where this one passes over a member, and would weigh 24 KB.

pub mod alphabet;
pub mod encode;
pub mod frame;
pub mod gsm7;
pub mod inbound;
pub mod pdu;
pub mod receipt;
pub mod session;
pub mod status;
pub mod window;
pub mod wire;
