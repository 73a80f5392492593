//! The handlers: one file a resource, from a request to a response.

#[cfg(not(target_arch = "wasm32"))]
pub mod bodies;
pub mod customer;
pub mod gateway;
pub mod http;
pub mod operator;
pub mod problem;
pub mod public;
pub mod router;
pub mod routes;
pub mod serve;
pub mod shared;
