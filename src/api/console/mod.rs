//! What only the console asks: who uses it. Everything else it asks as programs do.

pub mod session;
