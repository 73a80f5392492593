//! SMPP: the codec, the session, and carriers that speak it.

mod carrier;
mod codec;
mod faults;
mod session;
mod turns;
