//! Makes responses: the envelope around every success, and the problem document.

use serde::Serialize;

use super::context::Context;
use crate::api::http::Response;
use crate::base::ports::Platform;
use crate::base::{language::Language, redact};
use crate::problem::Problem;

/// The envelope around the data of a success.
#[derive(Serialize)]
struct Envelope<'a, T> {
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
    data: T,
    meta: Meta<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Meta<'a> {
    request_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<Option<String>>,
    /// What the request has and the service does not read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ignored: Vec<String>,
    /// What the client may not have meant so.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

/// A success that is not in its envelope yet.
pub struct Success<T> {
    status: u16,
    marker: Option<&'static str>,
    data: T,
    next_cursor: Option<Option<String>>,
    headers: Vec<(&'static str, String)>,
}

impl<T: Serialize> Success<T> {
    /// 200 with `data`.
    pub fn ok(data: T) -> Self {
        Success {
            status: 200,
            marker: None,
            data,
            next_cursor: None,
            headers: Vec::new(),
        }
    }

    /// 201 with `data`.
    pub fn created(data: T) -> Self {
        Success {
            status: 201,
            ..Success::ok(data)
        }
    }

    /// 202 with `data`: it waits for somebody.
    pub fn accepted(data: T) -> Self {
        Success {
            status: 202,
            ..Success::ok(data)
        }
    }

    /// 201 of a send. Its root has the member `"status": "CREATED"`, because clients look for it.
    pub fn sent(data: T) -> Self {
        Success {
            marker: Some("CREATED"),
            ..Success::created(data)
        }
    }

    /// Says whether the service gave this answer before.
    pub fn replayed(mut self, replayed: bool) -> Self {
        if replayed {
            self.headers.push(("Idempotency-Replayed", "true".to_owned()));
        }
        self
    }

    /// Makes the response to the request.
    pub fn response<P: Platform>(self, context: &Context<'_, P>) -> Result<Response, Problem> {
        let envelope = Envelope {
            status: self.marker,
            data: self.data,
            meta: Meta {
                request_id: &context.request.id,
                next_cursor: self.next_cursor,
                ignored: context.record.ignored.all(),
                warnings: context.record.warnings.all(),
            },
        };
        let json = serde_json::to_string(&envelope).map_err(|error| Problem::Internal(redact::of_json(&error)))?;
        Ok(Response {
            status: self.status,
            content_type: "application/json",
            headers: self.headers,
            body: json,
        })
    }
}

impl<T: Serialize> Success<Vec<T>> {
    /// One page of a list. `next_cursor` names the page after it, if there is one.
    pub fn page(items: impl IntoIterator<Item = T>, next_cursor: Option<String>) -> Self {
        Success {
            next_cursor: Some(next_cursor),
            ..Success::ok(items.into_iter().collect())
        }
    }
}

/// Makes the response of a problem. `docs` is the address of the service that explains it, `path` the path of the request.
pub fn problem_response(problem: &Problem, language: Language, docs: &str, path: &str, request_id: &str) -> Response {
    let document = problem.document(language, docs, path, request_id);
    let mut headers = problem.headers();
    headers.push(("Content-Language", language.tag().to_owned()));
    Response {
        status: document.status,
        content_type: "application/problem+json",
        headers,
        body: serde_json::to_string(&document).unwrap_or_default(),
    }
}
