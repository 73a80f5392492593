//! The classes of Durable Objects, each as a whole: what it answers and which chores it has. `platform/object.rs` is the
//! shell that the runtime sees.

mod account;
mod carrier;
pub mod credits;
mod dispatch;
pub mod nightly;
pub mod reconciliation;
mod webhook;

pub use account::AccountObject;
pub use carrier::CarrierObject;
pub use webhook::WebhookObject;
