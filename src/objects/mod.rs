//! The classes of Durable Objects, each as a whole: what it answers and which chores it has. `platform/object.rs` is the
//! shell that the runtime sees.
//!
//! What stands here, from the highest to the lowest; none names a higher one, nor one on its own line:
//!
//! - `account`, `nightly`, `stop`: the object of an account; what runs each night, and before the runtime ends.
//! - `carrier`, `webhook`, `dispatch`, `credits`, `reconciliation`, `metrics`: the other classes, and what an account does with several objects.

mod account;
mod carrier;
pub mod credits;
mod dispatch;
pub mod metrics;
pub mod nightly;
pub mod reconciliation;
pub mod stop;
mod webhook;

pub use account::AccountObject;
pub use carrier::CarrierObject;
pub use webhook::WebhookObject;
