//! The Workers runtime's bindings behind the ports, and the entry points: wiring, and nothing else. What of it knows no binding, the
//! native tests use too.

pub mod crossing;
pub mod js_error;

#[cfg(all(target_arch = "wasm32", feature = "runtime"))]
mod entry;
#[cfg(all(target_arch = "wasm32", feature = "runtime"))]
mod fetch;
#[cfg(all(target_arch = "wasm32", feature = "runtime"))]
mod object;
#[cfg(all(target_arch = "wasm32", feature = "runtime"))]
mod runtime;
#[cfg(all(target_arch = "wasm32", feature = "runtime"))]
mod socket;
#[cfg(all(target_arch = "wasm32", feature = "runtime"))]
mod sql;
#[cfg(all(target_arch = "wasm32", feature = "runtime"))]
mod task;
