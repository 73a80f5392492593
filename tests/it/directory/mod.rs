//! The directory, which is in D1.

mod following;
mod phonebook_search;
mod phonebook_storage;
mod phonebooks;
mod profiles;
mod restore;
