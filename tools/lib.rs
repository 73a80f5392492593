//! What the service's own tables become for those who read them outside: the OpenAPI document, and the table of routes. The programs
//! in `bin/` print both, and the native tests hold them against the files that are checked in.
#![cfg(not(target_arch = "wasm32"))]

pub mod openapi;
pub mod routes;
