//! Prints the OpenAPI document of the API.
//!
//! ```text
//! $ cargo run --quiet --example openapi > openapi.json
//! ```
//!
//! `tests/it/api/openapi.rs` compares `openapi.json` with what this prints.

use std::io::{self, Write};

#[path = "document.rs"]
mod document;

fn main() -> io::Result<()> {
    io::stdout().write_all(document::text().as_bytes())
}
