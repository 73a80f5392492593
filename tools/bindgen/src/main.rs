//! Makes the JavaScript around a WebAssembly of Rust, for the Workers runtime or for pages.
//!
//! It calls the library of `wasm-bindgen` without its command line and without optimisation, because compiling that is most of a first
//! start.

use std::env;

use anyhow::{Context, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--version"] => println!("{}", env!("CARGO_PKG_VERSION")),
        ["worker", input, out_dir] => bind(for_worker()?, input, out_dir)?,
        ["page", input, out_dir] => bind(for_page()?, input, out_dir)?,
        _ => bail!("usage: peyk-bindgen worker|page INPUT.wasm OUT_DIR"),
    }
    Ok(())
}

/// The JavaScript can start a new instance of the WebAssembly after a panic or a trap (`src/platform/restart.mjs`).
fn for_worker() -> Result<Bindgen> {
    let mut bindgen = Bindgen::new();
    bindgen
        .module(true)?
        .typescript(false)
        .reset_state_function(true)
        .force_enable_abort_handler(true);
    Ok(bindgen)
}

/// The JavaScript loads the WebAssembly from beside it when the page asks for it, and has declarations of its types.
fn for_page() -> Result<Bindgen> {
    let mut bindgen = Bindgen::new();
    bindgen.web(true)?.typescript(true).omit_default_module_path(false);
    Ok(bindgen)
}

/// Writes `index.js` and `index_bg.wasm`, and `index.d.ts` if types are asked for.
fn bind(mut bindgen: Bindgen, input: &str, out_dir: &str) -> Result<()> {
    bindgen
        .input_path(input)
        .out_name("index")
        .generate(out_dir)
        .with_context(|| format!("no bindings for {input}"))
}
