//! Finds the route of a method and a path. 404, 405 and the header `Allow` come from here.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use form_urlencoded::parse;

use super::http::route::PathParams;
use super::routes::{ROUTES, Route};
use crate::problem::Problem;

/// The route of a method and a path, and the values of its path parameters. A path that a route has word for word is no other's:
/// `/admin/keys/find` names no key.
pub fn find(method: &str, path: &str) -> Result<(&'static Route, PathParams), Problem> {
    let path = path
        .strip_prefix("/v1")
        .filter(|rest| rest.starts_with('/'))
        .unwrap_or(path);
    let is_whole = ROUTES.iter().any(|route| route.path == path);
    let mut allowed: Vec<&str> = Vec::new();
    for route in ROUTES.iter().filter(|route| !is_whole || route.path == path) {
        if let Some(params) = matches(route.path, path) {
            if route.method == method {
                return Ok((route, params));
            }
            allowed.push(route.method);
        }
    }
    if allowed.is_empty() {
        Err(no_such(path))
    } else {
        Err(Problem::MethodNotAllowed {
            allow: allowed.join(", "),
        })
    }
}

/// The first members of our routes, each once: a door asks for each of its requests.
static FIRST_MEMBERS: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
    let firsts = ROUTES.iter().filter_map(|route| route.path.split('/').nth(1));
    firsts.filter(|first| !first.is_empty()).collect()
});

/// Whether a route of ours begins with this member, in whatever case.
pub fn is_first_member(member: &str) -> bool {
    FIRST_MEMBERS.iter().any(|first| first.eq_ignore_ascii_case(member))
}

/// The problem of a path that no route has. Names the path that was meant, if it is one with a slash or a prefix less.
fn no_such(path: &str) -> Problem {
    let plain = path.to_ascii_lowercase();
    let trimmed = plain.trim_end_matches('/');
    let bare = ["/api/v1", "/v1/api", "/api", "/v1", "/v2"];
    let shorter = bare.iter().filter_map(|prefix| trimmed.strip_prefix(prefix));
    let meant = std::iter::once(trimmed).chain(shorter).find(|meant| is_path(meant));
    Problem::NoSuchPath {
        meant: meant.map(str::to_owned),
    }
}

fn is_path(path: &str) -> bool {
    path.len() > 1 && ROUTES.iter().any(|route| matches(route.path, path).is_some())
}

fn matches(pattern: &'static str, path: &str) -> Option<PathParams> {
    let (mut patterns, mut segments) = (pattern.split('/'), path.split('/'));
    let mut params = PathParams::default();
    loop {
        let (pattern, segment) = match (patterns.next(), segments.next()) {
            (None, None) => return Some(params),
            (Some(pattern), Some(segment)) => (pattern, segment),
            _ => return None,
        };
        match pattern.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
            Some(name) if !segment.is_empty() => params.push(name, percent_decoded(segment)),
            None if pattern == segment => {}
            _ => return None,
        }
    }
}

/// Decodes the percent-encoding of a segment. In a path, `+` is a plus.
fn percent_decoded(segment: &str) -> String {
    if !segment.contains('%') {
        return segment.to_owned();
    }
    let as_query = segment.replace('+', "%2B").replace('&', "%26").replace('=', "%3D");
    parse(as_query.as_bytes())
        .next()
        .map_or(String::new(), |(name, _)| name.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::routes::Operation;

    #[test]
    fn paths_are_found_with_and_without_their_version() {
        for path in ["/", "/v1/"] {
            assert_eq!(find("GET", path).unwrap().0.operation, Operation::GetHome, "{path}");
        }
        for path in ["/messages/0198/recipients", "/v1/messages/0198/recipients"] {
            let (route, params) = find("GET", path).unwrap();
            assert_eq!(route.operation, Operation::ListRecipients);
            assert_eq!(params.get("uid"), "0198");
        }
        for path in [
            "",
            "/v1",
            "/nothing",
            "/messages/",
            "/messages//recipients",
            "/v1/v1/messages",
            "/v1messages",
        ] {
            assert!(matches!(find("GET", path), Err(Problem::NoSuchPath { .. })), "{path}");
        }
    }

    #[test]
    fn parameters_are_found_by_their_names() {
        let (_, params) = find("DELETE", "/phonebook/number/a/7").unwrap();
        assert_eq!((params.get("phonebookId"), params.get("numberId")), ("a", "7"));
    }

    #[test]
    fn a_known_path_with_another_method_tells_which_it_has() {
        let allow = |method, path| match find(method, path) {
            Err(Problem::MethodNotAllowed { allow }) => allow,
            other => panic!("{other:?}"),
        };
        assert_eq!(allow("GET", "/sms/send"), "POST");
        assert_eq!(allow("DELETE", "/admin/keys/find"), "POST");
        assert_eq!(allow("GET", "/admin/keys/other"), "DELETE");
        assert_eq!(allow("PUT", "/admin/lines/10001"), "GET, PATCH, DELETE");
    }

    #[test]
    fn segments_are_percent_decoded() {
        let (_, params) = find("GET", "/admin/lines/%2B98%20+1%26=").unwrap();
        assert_eq!(params.get("number"), "+98 +1&=");
    }
}
