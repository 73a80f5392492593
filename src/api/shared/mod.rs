//! What handlers of customers and of operators share: keys, and forms of answers.

pub mod keys;
pub mod line_data;
pub mod low_balance;
pub mod message_text;
pub mod slug;
pub mod source;
pub mod view;
