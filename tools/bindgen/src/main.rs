//! Makes the JavaScript between the Workers runtime and a WebAssembly of Rust.

use std::env;

use anyhow::{Context, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--version"] => println!("{}", env!("CARGO_PKG_VERSION")),
        [input, out_dir] => bind(input, out_dir)?,
        _ => bail!("usage: peyk-bindgen INPUT.wasm OUT_DIR"),
    }
    Ok(())
}

/// Writes `index.js` and `index_bg.wasm`. The JavaScript can start a new instance of the WebAssembly after a panic or a trap
/// (`src/platform/restart.mjs`).
fn bind(input: &str, out_dir: &str) -> Result<()> {
    Bindgen::new()
        .input_path(input)
        .out_name("index")
        .module(true)?
        .typescript(false)
        .reset_state_function(true)
        .force_enable_abort_handler(true)
        .generate(out_dir)
        .with_context(|| format!("no bindings for {input}"))
}
