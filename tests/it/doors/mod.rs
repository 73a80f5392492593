//! Doors: programs of other providers get what their protocol promises, and the account has what our own API would have made.

mod document;
mod ippanel;
mod kavenegar;
mod keys;
mod rows;
mod smsir;
mod support;
mod twilio;
mod xml;
