//! The table of routes, for those who read it outside.

use peyk::api::routes::{Access, ROUTES, Route};
use peyk::auth::Scope;

/// The names of the scopes that a route needs, all of them.
fn scopes(route: &Route) -> Vec<&'static str> {
    route.scopes().map(Scope::as_str).collect()
}

/// The table of docs/endpoints.md.
pub fn markdown() -> String {
    let head = "| endpoint | scope | what it does | errors |\n|---|---|---|---|\n";
    ROUTES.iter().fold(head.to_owned(), |table, route| table + &row(route))
}

fn row(route: &Route) -> String {
    let of_mode = match route.access {
        Access::Live(_) => ", live",
        Access::Public | Access::AnyKey | Access::Scope(_) => "",
    };
    let any = if route.access == Access::AnyKey { "any" } else { "–" };
    let scope = match scopes(route) {
        scopes if scopes.is_empty() => any.to_owned(),
        scopes => format!("`{}`{of_mode}", scopes.join("` and `")),
    };
    let told = route.operation.told();
    let errors: Vec<String> = told.errors.iter().map(u16::to_string).collect();
    let cells = [
        format!("`{} {}`", route.method, route.path),
        scope,
        told.summary(),
        errors.join(", "),
    ];
    format!("| {} |\n", cells.join(" | "))
}
