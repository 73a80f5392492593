//! What only the console asks: who uses it. Everything else it asks as programs do.

pub mod handle;
pub mod links;
pub mod passkeys;
pub mod session;
pub mod sign_in;
