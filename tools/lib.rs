//! What the service's own tables become for those who read them outside: the OpenAPI document, and the table of routes. The native
//! tests compare both with the files that are checked in, and write these anew when asked.
#![cfg(not(target_arch = "wasm32"))]

pub mod openapi;
pub mod routes;
