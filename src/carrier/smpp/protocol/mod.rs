//! SMPP 3.4: the protocol, without a network, a clock or a store.
//!
//! [`frame`] cuts a stream of octets into PDUs, and [`pdu`] reads and writes them. [`session`] is one bind: what it is given
//! are octets and the time, and what it gives are octets and events. [`wire`] runs a session over a stream. [`encode`] makes
//! the parts of a text; [`inbound`] reads them, both by [`alphabet`]. [`receipt`] reads delivery receipts, [`status`] the codes of a peer.
//!
//! The codec is our own. A peer's PDU is read as tolerantly as possible, because what can't be read can't be reported: an
//! address that is too long, a time in a wrong format, a TLV of a wrong length spoil only themselves. `rusmpp` 0.4 refuses
//! the whole PDU for each of these, and would weigh 24 KB.

pub mod alphabet;
pub mod encode;
pub mod frame;
pub mod gsm7;
pub mod inbound;
pub mod pdu;
pub mod receipt;
pub mod session;
pub mod status;
pub mod wire;
