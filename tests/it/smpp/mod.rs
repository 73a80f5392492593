//! SMPP: the codec, the session, and carriers that speak it.

mod carrier;
mod codec;
mod direct;
mod erasures;
mod faults;
mod losses;
mod message_ids;
mod rates;
mod rests;
mod session;
mod strays;
mod turns;
