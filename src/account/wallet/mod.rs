//! The money of an account: the wallet and its ledger, credit, and the ledger as its owner reads it.

pub mod credit;
pub mod entries;
pub mod export;
pub mod posting;
