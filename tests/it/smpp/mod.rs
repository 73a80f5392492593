//! SMPP: the codec, the session, and carriers that speak it.

mod carrier;
mod codec;
mod faults;
mod losses;
mod rates;
mod session;
mod turns;
