//! The classes of Durable Objects, each as a whole: what it answers and which chores it has. `platform/object.rs` is the
//! shell that the runtime sees.

pub mod account;
mod mirrors;
mod restore;
pub mod webhook;

pub use crate::carrier::object::CarrierObject;
pub use account::AccountObject;
pub use webhook::WebhookObject;
