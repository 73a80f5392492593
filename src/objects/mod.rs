//! The classes of Durable Objects, each as a whole: what it answers and which chores it has. `platform/object.rs` is the
//! shell that the runtime sees.

pub mod account;
pub mod carrier;
pub mod dispatch;
pub mod nightly;
pub mod reconciliation;
pub mod webhook;

pub use account::AccountObject;
pub use carrier::CarrierObject;
pub use webhook::WebhookObject;
