//! The HTTP API: from a request to a response. What stands here, from the highest to the lowest; none names a higher one, nor
//! one on its own line:
//!
//! - [`doors`]: the protocols of other providers, each of which calls our own API.
//! - [`serve`]: the steps that every request takes, in the order in which the API answers errors.
//! - [`router`]: finds the route of a method and a path.
//! - [`routes`]: the table of all routes.
//! - `route_doc`: what the document says of a route.
//! - [`console`]: what only the console asks. Signing in by phone sends a code as customers do.
//! - [`public`], [`operator`], [`gateway`]: handlers, one file or folder a resource. An operator invites people as a customer does.
//! - [`customer`]: the customers' handlers, one file or folder a resource.
//! - [`shared`]: what handlers of customers and of operators share.
//! - [`http`]: what a handler is given, what it reads, and what it answers.

pub mod console;
pub mod customer;
pub mod doors;
pub mod gateway;
pub mod http;
pub mod operator;
pub mod public;
#[cfg(not(target_arch = "wasm32"))]
pub mod route_doc;
pub mod router;
pub mod routes;
pub mod serve;
pub mod shared;
