//! Prints the table of routes: as JSON, or with the argument `markdown` as docs/endpoints.md has it.
//!
//! ```text
//! $ cargo run --quiet --bin routes markdown
//! ```
//!
//! `tests/support/routes.mjs` reads the JSON. `tests/it/api/route_table.rs` compares docs/endpoints.md with the markdown.

use std::io::{self, Write};

use tools::routes;

fn main() -> io::Result<()> {
    let text = match std::env::args().nth(1).as_deref() {
        Some("markdown") => routes::markdown(),
        _ => routes::json() + "\n",
    };
    io::stdout().write_all(text.as_bytes())
}
