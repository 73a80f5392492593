//! Keys, scopes and secrets.

mod account_keys;
mod budgets;
mod caps;
mod cascade;
mod console_sessions;
mod hints;
mod invitations;
mod looking;
mod members;
mod operator_keys;
mod operator_scopes;
mod passkeys;
mod people_world;
mod proofs;
mod secrets;
pub mod sign_in;
mod strangers;
