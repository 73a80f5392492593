//! The errors: which codes a route can answer, and an example of each, which the code of the service writes.

use std::collections::BTreeMap;

use peyk::api::routes::{Access, BodyKind, ROUTES, Route};
use peyk::auth::Scope;
use peyk::base::language::Language;
use peyk::members;
use peyk::problem::field_error::{FieldError, FieldErrorKind, Step};
use peyk::problem::{BadRequest, Conflict, Kind, Problem, kind};
use serde_json::{Map, Value, json};

use super::schema::{Named, object};

/// An address that stands for that of the service.
pub const SERVICE: &str = "https://sms.example.com";
const REQUEST_ID: &str = "019b796d-a000-7000-8000-000000000000";

/// The codes that a route can answer, each once. Unknown paths and methods are none of a route's.
pub fn codes(route: &Route) -> Vec<u16> {
    let mut codes = route.operation.told().errors.to_vec();
    codes.extend([403, 500, 503]);
    if route.access != Access::Public {
        codes.extend([401, 429]);
    }
    if route.access.is_for_operators() {
        // With its first request, a key that the script has made comes among the operators' keys, which may be full.
        codes.push(409);
    }
    if route.body != BodyKind::None {
        codes.extend([400, 413, 415, 422]);
    }
    codes.sort_unstable();
    codes.dedup();
    codes
}

fn kind_of(code: u16) -> Kind {
    let found = kind::ALL.iter().find(|kind| kind.code == code);
    *found.unwrap_or_else(|| panic!("no error {code}"))
}

/// The codes of a route by status.
fn by_status(route: &Route) -> BTreeMap<u16, Vec<Kind>> {
    let mut statuses: BTreeMap<u16, Vec<Kind>> = BTreeMap::new();
    for kind in codes(route).into_iter().map(kind_of) {
        statuses.entry(kind.status).or_default().push(kind);
    }
    statuses
}

/// The name of the response with these errors among the components.
fn response_name(status: u16, kinds: &[Kind]) -> String {
    let own = kinds.iter().filter(|kind| kind.code != status);
    let own: String = own.map(|kind| format!("_{}", kind.code)).collect();
    match kinds.iter().any(|kind| kind.code == status) {
        true => format!("Problem{status}{own}"),
        false => format!("Problem{status}_only{own}"),
    }
}

/// The responses of a route that are errors, by status.
pub fn of_route(route: &Route) -> Vec<(String, Value)> {
    let reference = |name: String| json!({"$ref": format!("#/components/responses/{name}")});
    let statuses = by_status(route).into_iter();
    statuses
        .map(|(status, kinds)| (status.to_string(), reference(response_name(status, &kinds))))
        .collect()
}

/// The responses of all routes that are errors, by name.
pub fn responses() -> Map<String, Value> {
    let mut responses = Map::new();
    for (status, kinds) in ROUTES.iter().flat_map(by_status) {
        let name = response_name(status, &kinds);
        responses.entry(name).or_insert_with(|| response(status, &kinds));
    }
    responses
}

fn response(status: u16, kinds: &[Kind]) -> Value {
    let lines: Vec<String> = kinds
        .iter()
        .map(|kind| format!("- {} `{}`: {}.", kind.code, kind.name, kind.title_en))
        .collect();
    let codes: Vec<u16> = kinds.iter().map(|kind| kind.code).collect();
    let examples = kinds.iter().map(|kind| {
        let reference = json!({"$ref": format!("#/components/examples/{}", kind.name)});
        (kind.name.to_owned(), reference)
    });
    let mut headers = headers_of(&["X-Request-Id", "Content-Language", "RateLimit-Policy", "RateLimit"]);
    headers.extend(match status {
        401 | 403 => headers_of(&["WWW-Authenticate"]),
        429 | 503 => headers_of(&["Retry-After"]),
        _ => Map::new(),
    });
    json!({
        "description": lines.join("\n"),
        "headers": headers,
        "content": {"application/problem+json": {
            "schema": {
                "allOf": [{"$ref": "#/components/schemas/Problem"}],
                "properties": {"status": {"const": status}, "code": {"type": "integer", "enum": codes}},
            },
            "examples": examples.collect::<Map<_, _>>(),
        }},
    })
}

/// References to these headers.
pub fn headers_of(names: &[&str]) -> Map<String, Value> {
    let reference = |name: &&str| {
        let path = format!("#/components/headers/{name}");
        ((*name).to_owned(), json!({"$ref": path}))
    };
    names.iter().map(reference).collect()
}

/// The path that an example of an error has: of a route that can answer it, a send if there is one.
pub fn instance(kind: Kind) -> &'static str {
    let sends = ROUTES.iter().filter(|route| route.path.starts_with("/sms/"));
    let fixed = ROUTES.iter().filter(|route| route.params.is_empty());
    let found = sends.chain(fixed).find(|route| codes(route).contains(&kind.code));
    found.map_or("/sms/send", |route| route.path)
}

/// An example of each error that a route can answer.
pub fn examples() -> Map<String, Value> {
    let routes = ROUTES.iter().flat_map(codes);
    let examples = routes.map(|code| {
        let kind = kind_of(code);
        let document = problem(kind).document(Language::En, SERVICE, instance(kind), REQUEST_ID);
        let value = json!({"summary": kind.title_en, "value": document});
        (kind.name.to_owned(), value)
    });
    examples.collect()
}

fn under(names: &[&str], fault: FieldErrorKind) -> Vec<FieldError> {
    let path = names.iter().map(|name| match name.parse() {
        Ok(index) => Step::Index(index),
        Err(_) => Step::Name((*name).to_owned()),
    });
    vec![FieldError::at(path.collect(), fault)]
}

/// A problem of this kind.
pub fn problem(kind: Kind) -> Problem {
    let number = || "10001".to_owned();
    match kind {
        kind::BAD_REQUEST => Problem::BadRequest(BadRequest::Malformed { line: 1, column: 9 }),
        kind::UNAUTHORIZED => Problem::Unauthorized { key_sent: true },
        kind::FORBIDDEN => Problem::Forbidden(Scope::SmsSend),
        kind::NOT_FOUND => Problem::NotFound,
        kind::METHOD_NOT_ALLOWED => Problem::MethodNotAllowed {
            allow: "GET, POST".to_owned(),
        },
        kind::CONFLICT => Problem::Conflict(Conflict::TitleTaken),
        kind::PAYLOAD_TOO_LARGE => Problem::PayloadTooLarge { limit_bytes: 262_144 },
        kind::UNSUPPORTED_MEDIA_TYPE => Problem::UnsupportedMediaType {
            wanted: "application/json",
        },
        kind::VALIDATION => Problem::Validation(under(&["recipients", "1"], FieldErrorKind::NotAPhoneNumber)),
        kind::TOO_MANY_REQUESTS => Problem::TooManyRequests { retry_after_s: 3 },
        kind::INTERNAL => Problem::Internal(String::new()),
        kind::UNAVAILABLE => Problem::Unavailable(String::new()),
        kind::USER_INACTIVE => Problem::UserInactive,
        kind::INSUFFICIENT_BALANCE => Problem::InsufficientBalance {
            cost: 2_500,
            available: 1_000,
            unit: "IRR".to_owned(),
        },
        kind::SEND_NOT_ALLOWED => Problem::SendNotAllowed { for_all: false },
        kind::HEAD_NUMBER_NOT_FOUND => Problem::HeadNumberNotFound { number: Some(number()) },
        kind::PATTERN_NO_ACTIVE_VERSION => {
            Problem::PatternNoActiveVersion(under(&["pattern"], FieldErrorKind::NoPattern("login".to_owned())))
        }
        kind::PATTERN_HEAD_NUMBER_NOT_ACCEPTABLE => {
            let fault = FieldErrorKind::NotOnLine {
                number: number(),
                lines: "3000505".to_owned(),
            };
            Problem::PatternHeadNumberNotAcceptable(under(&["pattern"], fault))
        }
        kind::PATTERN_VARIABLE_HAS_NO_VALUE => {
            Problem::PatternVariableHasNoValue(under(&["variables", "OTP"], FieldErrorKind::NoValue(None)))
        }
        kind::PATTERN_VARIABLE_NOT_VALID => {
            Problem::PatternVariableNotValid(under(&["variables", "OTP"], FieldErrorKind::NotANumeral))
        }
        kind::DESTINATION_NOT_ALLOWED => {
            let fault = FieldErrorKind::NotADestination("+971501234567".to_owned());
            Problem::DestinationNotAllowed(under(&["recipients", "0"], fault))
        }
        kind::RECIPIENT_LIMIT => Problem::RecipientLimit {
            faults: under(
                &["recipient"],
                FieldErrorKind::RecipientLimit("+989121234567".to_owned()),
            ),
            retry_after_s: 240,
        },
        kind::VERIFY_NOT_PENDING => {
            let fault = FieldErrorKind::NotPending(Some("EXPIRED".to_owned()));
            Problem::VerifyNotPending(under(&["id"], fault))
        }
        kind::DAILY_LIMIT_REACHED => Problem::DailyLimitReached {
            limit: 100_000,
            spent: 99_000,
            cost: 2_500,
            of_key: false,
            retry_after_s: 3_600,
        },
        kind::RECIPIENT_BLACKLISTED => {
            let fault = FieldErrorKind::Blacklisted("+989121234567".to_owned());
            Problem::RecipientBlacklisted(under(&["recipients", "0"], fault))
        }
        other => panic!("there is no example of {}", other.name),
    }
}

/// The members of a problem document that a refusal in an estimate has, too.
const OF_REFUSAL: [&str; 6] = ["status", "code", "name", "detail", "extra", "errors"];

/// The schemas of problem documents.
pub fn schemas() -> Vec<Named> {
    let least = i64::from(kind::ALL.iter().map(|kind| kind.status).min().unwrap());
    let highest = i64::from(kind::ALL.iter().map(|kind| kind.code).max().unwrap());
    let names: Vec<&str> = kind::ALL.iter().map(|kind| kind.name).collect();
    let fault = members! {
        /// Where the fault is: a JSON pointer into the body, or the name of a query parameter or a header behind a `/`.
        "pointer": any_text() => "/recipients/1";
        /// What is wrong.
        "detail": any_text() => "is not a valid phone number";
    };
    let members = members! {
        /// The kind of the error: the address of a page that explains it.
        "type": any_text().with("format", "uri");
        /// The kind of the error in words, in the language that `Accept-Language` prefers.
        "title": any_text();
        /// The HTTP status.
        "status": integer(least, 599);
        /// The HTTP status.
        "statusCode": integer(least, 599);
        /// What went wrong, as a number. A program should decide by it.
        "code": integer(least, highest);
        /// What went wrong, as a name.
        "name": one_of(&names);
        /// What to mend, for people. At most 1,000 characters.
        "detail": any_text();
        /// The path of the request.
        "instance": any_text();
        /// The faults in words. Each begins with a field.
        "extra": any_list(any_text().like("recipients[1]: is not a valid phone number"));
        /// The same faults, for programs.
        "errors": any_list(object(fault));
        "meta": named("Meta");
    };
    let refusal = members.iter().filter(|member| OF_REFUSAL.contains(&member.name()));
    let refusal = object(refusal.cloned());
    vec![
        ("Problem", object(members).about("A problem document (RFC 9457).")),
        ("Refusal", refusal.about("A refusal that a send would meet.")),
    ]
}
