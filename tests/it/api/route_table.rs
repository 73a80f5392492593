//! docs/api.md has the tables that the code has: of routes, and of the numbers that rehearse errors.

use peyk::api::customer::send::rehearsal::{REHEARSED, last_digits};
use peyk::api::problem::Kind;

#[allow(dead_code, reason = "the example's main function")]
#[path = "../../../tools/routes.rs"]
mod routes;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/api.md");

fn rehearsals() -> String {
    let row = |kind: &Kind| {
        format!(
            "| `{}` | {}/{} {} |\n",
            last_digits(*kind),
            kind.status,
            kind.code,
            kind.name
        )
    };
    let rows: String = REHEARSED.iter().map(row).collect();
    format!("| the number ends in | error |\n|---|---|\n{rows}")
}

/// The page with this table between the marks of this name.
fn with_table(page: &str, name: &str, table: &str) -> String {
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let (before, rest) = page.split_once(&begin).unwrap();
    let (_, after) = rest.split_once(&end).unwrap();
    [before, &begin, table, &end, after].concat()
}

#[test]
fn the_tables_of_the_page_are_what_the_code_makes() {
    let page = std::fs::read_to_string(FILE).unwrap();
    let made = with_table(&page, "routes", &routes::markdown());
    let made = with_table(&made, "rehearsals", &rehearsals());
    if std::env::var("ROUTES").is_ok_and(|wish| wish == "write") {
        std::fs::write(FILE, made).unwrap();
        return;
    }
    assert!(
        page == made,
        "docs/api.md has other tables. Write them anew: ROUTES=write cargo test --test it what_the_code_makes"
    );
}
