//! Prints the OpenAPI document of the API.
//!
//! ```text
//! $ cargo run --quiet --bin openapi > openapi.json
//! ```
//!
//! `tests/it/api/openapi.rs` compares `openapi.json` with what this prints.

use std::io::{self, Write};

fn main() -> io::Result<()> {
    io::stdout().write_all(tools::openapi::text().as_bytes())
}
