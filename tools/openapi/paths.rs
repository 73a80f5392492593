//! The operations, each of a row of the table of routes.

use peyk::api::route_doc::{Answered, RouteDoc};
use peyk::api::routes::{Access, BodyKind, Route};
use peyk::auth::Scope;
use serde_json::{Map, Value, json};

use super::examples::Examples;
use super::parameters::{self, named as parameter};
use super::schema::{Schema, any_text, envelope, one_of, page, sent};
use super::{gateway, problems};

/// What a route says that takes an `Idempotency-Key` and sends.
const ONCE: &str = "Peyk accepts a send as a whole or refuses it as a whole. After a 500, a 503 or a broken connection, repeat it with \
    the same `Idempotency-Key`: then it is sent and paid once.";

/// What a route says that is closed to test keys.
const LIVE_ONLY: &str = "Only for live keys: a test key gets 403.";

/// The operation of a route.
pub fn operation(route: &Route, examples: &Examples) -> Value {
    let told = route.operation.told();
    let name = route.operation.name();
    let id = name[..1].to_ascii_lowercase() + &name[1..];
    let mut operation = json!({
        "operationId": id,
        "tags": [told.group.name],
        "summary": told.summary(),
        "security": security(route),
        "responses": responses(route, &id, &told, examples),
    });
    let description = description(route, &told);
    if !description.is_empty() {
        operation["description"] = description.into();
    }
    let mut parameters = parameters(route, &told);
    examples.fill_parameters(&id, &mut parameters);
    if !parameters.is_empty() {
        operation["parameters"] = parameters.into();
    }
    if let Some(mut body) = body(route, told.body) {
        examples.fill_body(&id, &mut body["content"]);
        operation["requestBody"] = body;
    }
    operation
}

fn security(route: &Route) -> Value {
    match route.access {
        Access::Public => json!([]),
        Access::AnyKey => json!([{"key": []}]),
        Access::Scope(_) | Access::Live(_) => json!([{"key": route.scopes().map(Scope::as_str).collect::<Vec<_>>()}]),
    }
}

fn description(route: &Route, told: &RouteDoc) -> String {
    let own = told.description();
    let of_send = matches!(told.answer, Answered::Sent(_) | Answered::SentOnce(_)).then_some(ONCE);
    let of_mode = matches!(route.access, Access::Live(_)).then_some(LIVE_ONLY);
    let texts = [Some(own.as_str()).filter(|own| !own.is_empty()), of_send, of_mode];
    texts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn is_idempotent(answer: &Answered) -> bool {
    matches!(
        answer,
        Answered::Sent(_) | Answered::SentOnce(_) | Answered::MadeOnce(_) | Answered::MadeOnceOrWaits(..)
    )
}

fn parameters(route: &Route, told: &RouteDoc) -> Vec<Value> {
    let mut parameters = parameters::of_path(route);
    if matches!(told.answer, Answered::Text) {
        parameters.extend(gateway::parameters(route));
    }
    parameters.extend(told.query.iter().cloned());
    if is_idempotent(&told.answer) {
        parameters.push(parameter("IdempotencyKey"));
    }
    parameters.extend([parameter("AcceptLanguage"), parameter("RequestId")]);
    parameters
}

fn body(route: &Route, schema: Option<Schema>) -> Option<Value> {
    let json = |is_required: bool| {
        let schema = schema.unwrap_or_else(|| panic!("the row of {} names no body", route.operation.name()));
        json!({"required": is_required, "content": {"application/json": {"schema": schema.0}}})
    };
    match route.body {
        BodyKind::None => None,
        BodyKind::Json | BodyKind::LargeJson => Some(json(true)),
        BodyKind::OptionalJson => Some(json(false)),
        BodyKind::Csv => Some(json!({
            "required": true,
            "description": "A CSV file of up to 5 MiB, in UTF-8. Columns are separated by commas, semicolons or tabs.",
            "content": {"text/csv": {"schema": {"type": "string"}}},
        })),
        BodyKind::Form => Some(gateway::body(route)),
    }
}

fn responses(route: &Route, id: &str, told: &RouteDoc, examples: &Examples) -> Value {
    let own = successes(&told.answer).into_iter().map(|(status, mut response)| {
        response["headers"] = Value::Object(problems::headers_of(&headers(route, &told.answer)));
        examples.fill_answer(id, status, &mut response);
        (status.to_owned(), response)
    });
    Value::Object(own.chain(problems::of_route(route)).collect::<Map<_, _>>())
}

/// The answers when all is well, each with its status.
fn successes(answer: &Answered) -> Vec<(&'static str, Value)> {
    let with = |about: &str, kind: &str, schema: Schema| json!({"description": about, "content": {kind: {"schema": schema.0}}});
    let json = |about: &str, schema: Schema| with(about, "application/json", schema);
    let made = |data: &Schema| ("201", json("Done: this was made.", envelope(data)));
    match answer {
        Answered::Found(data) => vec![("200", json("Done.", envelope(data)))],
        Answered::Made(data) | Answered::MadeOnce(data) | Answered::SentOnce(data) | Answered::MadeWithCookie(data) => {
            vec![made(data)]
        }
        Answered::MadeOnceOrWaits(data, waiting) => vec![
            made(data),
            (
                "202",
                json("It waits for somebody. Nothing has changed yet.", envelope(waiting)),
            ),
        ],
        Answered::MadeOrThere(data) => vec![
            ("200", json("It was there already: this is it.", envelope(data))),
            made(data),
        ],
        Answered::Begun(data) => vec![("202", json("Done.", envelope(data)))],
        Answered::Sent(data) => vec![("201", json("The message was accepted.", sent(data)))],
        Answered::Bare(data) => vec![("200", json("Done.", data.clone()))],
        Answered::Page(item) => vec![("200", json("A page of the list.", page(item)))],
        Answered::PageOrCsv(item) => {
            let mut response = json("A page of the list, or the file.", page(item));
            response["content"]["text/csv"] = json!({"schema": any_text().0});
            vec![("200", response)]
        }
        Answered::Csv => vec![("200", with("The file.", "text/csv", any_text()))],
        Answered::Text => {
            let about = "Done. Jasmin gets the text that it waits for.";
            vec![("200", with(about, "text/plain", one_of(&["", "ACK/Jasmin"])))]
        }
        Answered::Metrics => vec![("200", with("The metrics.", "text/plain", any_text()))],
        Answered::Done | Answered::DoneWithCookie => vec![("204", json!({"description": "Done."}))],
        Answered::DoneOr(data) => vec![
            ("204", json!({"description": "Done."})),
            (
                "200",
                json("Done: all of this. There only with `cascade`.", envelope(data)),
            ),
        ],
        Answered::Redirect => {
            let about = "The documentation, for a browser: `Accept` names `text/html`.";
            vec![("302", json!({"description": about}))]
        }
    }
}

/// The headers of an answer when all is well.
fn headers(route: &Route, answer: &Answered) -> Vec<&'static str> {
    let mut headers = vec!["X-Request-Id"];
    if route.access != Access::Public {
        headers.extend(["RateLimit-Policy", "RateLimit"]);
    }
    if is_idempotent(answer) {
        headers.push("Idempotency-Replayed");
    }
    match answer {
        Answered::Csv | Answered::PageOrCsv(_) => headers.push("Content-Disposition"),
        Answered::DoneWithCookie | Answered::MadeWithCookie(_) => headers.push("Set-Cookie"),
        Answered::Redirect => headers.extend(["Location", "Vary"]),
        _ => {}
    }
    headers
}
