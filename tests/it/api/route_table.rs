//! docs/api.md has the table of routes that the code has.

#[allow(dead_code, reason = "the example's main function")]
#[path = "../../../tools/routes.rs"]
mod routes;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/api.md");
const BEGIN: &str = "<!-- routes -->\n";
const END: &str = "<!-- /routes -->";

#[test]
fn the_table_of_endpoints_is_what_the_code_makes() {
    let page = std::fs::read_to_string(FILE).unwrap();
    let (before, rest) = page.split_once(BEGIN).unwrap();
    let (table, after) = rest.split_once(END).unwrap();
    if std::env::var("ROUTES").is_ok_and(|wish| wish == "write") {
        std::fs::write(FILE, [before, BEGIN, &routes::markdown(), END, after].concat()).unwrap();
        return;
    }
    assert!(
        table == routes::markdown(),
        "docs/api.md has another table of routes. Write it anew: ROUTES=write cargo test --test it what_the_code_makes"
    );
}
