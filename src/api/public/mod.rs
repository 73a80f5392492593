//! The routes that need no key.

pub mod health;
pub mod home;
