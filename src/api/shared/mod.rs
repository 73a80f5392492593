//! What handlers of customers and of operators share: keys, and forms of answers.

pub mod account;
pub mod caps;
pub mod cascade;
pub mod destinations;
pub mod erasures;
pub mod export;
pub mod forms;
pub mod keys;
pub mod line_data;
pub mod links;
pub mod low_balance;
pub mod members;
pub mod unsent;
pub mod view;
pub mod webhook;
pub mod window;
