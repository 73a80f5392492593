//! Encoding and parts of texts: reads one JSON string a line and writes one JSON object a line.
//!
//! ```text
//! $ echo '"سلام"' | cargo run --quiet --example segment
//! {"encoding":"UCS2","parts":1,"units":4}
//! ```
//!
//! `tests/native/segments.test.mjs` holds it against an independent calculator.

use std::io::{self, BufRead, BufWriter, Write};

fn main() -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let text: String = serde_json::from_str(&line?)?;
        let found = sms::text::segment(&text);
        let (encoding, parts, units) = (found.encoding.as_str(), found.parts, found.units);
        writeln!(out, r#"{{"encoding":"{encoding}","parts":{parts},"units":{units}}}"#)?;
    }
    out.flush()
}
