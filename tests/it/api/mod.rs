//! The API: what holds for all routes, and what customers ask for.

mod abroad;
mod anything;
mod blacklist;
mod estimates;
mod examples;
mod faults;
mod home;
mod idempotency;
mod inbound;
mod isolation;
mod lists;
mod logs;
mod messages;
mod mistakes;
mod openapi;
mod openapi_bodies;
mod patterns;
mod payment;
mod placeholders;
mod rehearsals;
mod route_table;
mod sends;
mod source_numbers;
mod statements;
mod unknown;
mod wording;
