//! README.md has the table of routes that the code has.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[allow(dead_code, reason = "the example's main function")]
#[path = "../examples/routes.rs"]
mod routes;

const BEGIN: &str = "<!-- routes -->\n";
const END: &str = "<!-- /routes -->";

#[test]
fn the_endpoints_of_the_readme_are_those_of_the_table_of_routes() {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    let (_, rest) = readme.split_once(BEGIN).unwrap();
    let (table, _) = rest.split_once(END).unwrap();
    assert!(
        table == routes::markdown(),
        "README.md has another table of routes. Put what this command prints between the lines `<!-- routes -->` and \
         `<!-- /routes -->`: cargo run --quiet --example routes markdown"
    );
}
