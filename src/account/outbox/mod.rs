//! What the account's object still has to tell others: events for webhooks, and phonebooks to be emptied.

pub mod callbacks;
pub mod events;
pub mod removals;
