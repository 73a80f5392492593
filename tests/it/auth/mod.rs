//! Keys, scopes and secrets.

mod account_keys;
mod operator_keys;
mod secrets;
mod strangers;
