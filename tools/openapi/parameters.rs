//! The parameters of paths and queries, and the headers.

use peyk::api::http::{json_fields::Form as _, paging};
use peyk::api::routes::Route;
use serde_json::{Value, json};

use super::schema::{Schema, any_text, id, integer, text};

/// A quoted string of 1 to 255 characters, or a text of as many that begins with no quote.
const KEY: &str = r#"^(?:"(?:[ !#-\[\]-~]|\\["\\]){1,255}"|[!#-~](?:[ -~]{0,253}[!-~])?)$"#;

/// The parameters that many routes have.
pub fn components() -> Value {
    json!({
        "Limit": {
            "name": "limit", "in": "query", "description": "How many items the page has at most.",
            "schema": paging::limit().schema().0,
        },
        "Cursor": {
            "name": "cursor", "in": "query",
            "description": "Where the page begins: `meta.nextCursor` of the page before. A cursor belongs to one list.",
            "schema": paging::place("", paging::name).schema().0,
        },
        "AcceptLanguage": {
            "name": "Accept-Language", "in": "header",
            "description": "The language of error texts, `en` or `fa`.",
            "schema": any_text().like("fa").0,
        },
        "RequestId": {
            "name": "X-Request-Id", "in": "header",
            "description": "An id of your own for this request, 1 to 64 of `[A-Za-z0-9._-]`. Peyk makes one if this is missing \
                or has another form.",
            "schema": any_text().like("order-7").0,
        },
        "IdempotencyKey": {
            "name": "Idempotency-Key", "in": "header",
            "description": "A key of your own for this request, kept for 24 hours: 1 to 255 visible ASCII characters, bare or \
                as a quoted string. A repeat with the same key and the same body gets the first answer again and costs nothing. \
                The same key with another request is a 422.",
            "schema": text(512).with("pattern", KEY).like("order-7").0,
        },
    })
}

/// The headers that answers have.
pub fn headers() -> Value {
    let header = |text: &str, schema: Schema| json!({"description": text, "schema": schema.0});
    json!({
        "X-Request-Id": header("The id of the request: yours, or one that Peyk has made.", any_text().like("order-7")),
        "RateLimit-Policy": header("How many tokens (`q`) the account gets in how many seconds (`w`). There if the account's object was asked.",
            any_text().like("\"default\";q=1200;w=60")),
        "RateLimit": header("How many tokens are left (`r`), and in how many seconds the account has all again (`t`).",
            any_text().like("\"default\";r=299;t=1")),
        "Retry-After": header("How many seconds to wait.", integer(1, 4_294_967_295).like(3)),
        "Content-Language": header("The language of the texts, `en` or `fa`.", any_text().like("en")),
        "WWW-Authenticate": header("What is wrong with the key (RFC 6750).", any_text().like("Bearer error=\"invalid_token\"")),
        "Idempotency-Replayed": header("There if this is the answer of an earlier request with the same `Idempotency-Key`.",
            Schema(json!({"type": "string", "const": "true"}))),
        "Set-Cookie": header("The session, an empty one in its place, or the name of the browser that signs in.",
            any_text().like("__Host-peyk_session=…; Path=/; HttpOnly; SameSite=Strict; Max-Age=43200; Secure")),
        "Location": header("Where the documentation is.", any_text().like("/docs")),
        "Vary": header("The headers of the request that decide.", any_text().like("Accept, Accept-Language")),
        "Content-Disposition": header("The name of the file.", any_text().like("attachment; filename=\"phonebook-1.csv\"")),
    })
}

/// A reference to a parameter of the components.
pub fn named(name: &str) -> Value {
    json!({"$ref": format!("#/components/parameters/{name}")})
}

/// The parameters of a route's path.
pub fn of_path(route: &Route) -> Vec<Value> {
    let parameter = |name: &&str| {
        let (about, schema) = path_parameter(route.path, name);
        json!({"name": name, "in": "path", "required": true, "description": about, "schema": schema.0})
    };
    route.params.iter().map(parameter).collect()
}

fn path_parameter(path: &str, name: &str) -> (&'static str, Schema) {
    let slug = || any_text().with("minLength", 1).like("login");
    match name {
        "uid" => ("The message's `uid`.", id()),
        "n" => ("The number of the version, from 1.", integer(1, 100).like(1)),
        "slug" if path.starts_with("/admin/plans") => ("The plan's `slug`.", slug().like("default")),
        "slug" => ("The pattern's `slug`.", slug()),
        "key" => ("The key's `id`.", id()),
        "phonebookId" => ("The phonebook's `id`.", id()),
        "numberId" => (
            "The `id` of the number in the phonebook.",
            integer(0, peyk::base::ports::MAX_INTEGER).like(7),
        ),
        "deliveryId" => (
            "The delivery's `id`.",
            slug().like("evt_019b796da00000000000000000000000"),
        ),
        "number" => ("The line's `number`.", slug().like("3000505")),
        "name" => ("The carrier's `name`.", text(32).like("sandbox")),
        "id" if path.starts_with("/phonebook") => ("The phonebook's `id`.", id()),
        "id" if path.starts_with("/webhook") => (
            "The endpoint's `id`.",
            slug().like("019b796d-a000-7000-8000-000000000000"),
        ),
        "id" if path.contains("/erasures/") => ("The order's `id`.", id()),
        "id" if path.starts_with("/campaigns") => ("The campaign's `id`.", id()),
        "id" if path.starts_with("/verify") => ("The verification's `id`.", id()),
        "id" if path.starts_with("/keys") => ("The key's `id`.", id()),
        "id" if path.starts_with("/console/passkeys") => ("The passkey's `id`.", id()),
        "id" if path.starts_with("/members") || path.starts_with("/admin/members") => ("The member's `id`.", id()),
        "member" => ("The member's `id`.", id()),
        "webhook" => (
            "The endpoint's `id`.",
            slug().like("019b796d-a000-7000-8000-000000000000"),
        ),
        "id" if path.starts_with("/admin/accounts") => ("The account's `id`.", id()),
        "id" if path.starts_with("/admin/credits") => ("The credit's `id`.", id()),
        "id" if path.starts_with("/admin/dead-letters") => (
            "The dead letter's `id`.",
            integer(0, peyk::base::ports::MAX_INTEGER).like(7),
        ),
        other => panic!("{path}: nothing describes the parameter {other}"),
    }
}
