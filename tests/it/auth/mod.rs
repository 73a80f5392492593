//! Keys, scopes and secrets.

mod account_keys;
mod budgets;
mod caps;
mod cascade;
mod hints;
mod looking;
mod members;
mod operator_keys;
mod operator_scopes;
mod passkeys;
mod proofs;
mod secrets;
mod sessions;
mod sign_in;
mod strangers;
