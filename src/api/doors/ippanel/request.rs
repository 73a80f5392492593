//! Requests, and the members of their bodies.

use serde_json::Value;

use super::fault::Fault;
use crate::api::doors::params::{self, Params};
use crate::api::http::{Body, Head};

/// A request.
#[derive(Debug)]
pub struct Request<'a> {
    method: &'a str,
    /// The path without the beginning that all calls of the protocol have.
    pub call: &'a str,
    pub query: Params,
    /// A JSON object, or `null`.
    pub body: Value,
}

impl<'a> Request<'a> {
    /// Reads a request. One of the libraries sends a body with each GET: nobody reads that.
    pub async fn read(call: &'a str, head: &'a Head, body: &mut impl Body) -> Result<Request<'a>, Fault> {
        let has_body = head.method == "POST";
        Ok(Request {
            method: &head.method,
            call,
            query: Params::of_query(&head.query),
            body: if has_body {
                params::object(body).await?
            } else {
                Value::Null
            },
        })
    }

    /// Refuses a call with another method.
    pub fn only(&self, method: &'static str) -> Result<(), Fault> {
        if self.method == method {
            Ok(())
        } else {
            Err(Fault::no_method(method))
        }
    }

    /// A parameter of the query that is a whole number.
    pub fn number(&self, name: &str) -> Result<Option<i64>, Fault> {
        let read = |text: &str| text.trim().parse().map_err(|_| Fault::not_allowed(name));
        self.query.get(name).map(read).transpose()
    }
}

/// A member that is a text or a number. `called` is its name in errors.
pub fn text(value: &Value, called: &str) -> Result<Option<String>, Fault> {
    match value {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text.clone()).filter(|text| !text.is_empty())),
        Value::Number(number) => Ok(Some(number.to_string())),
        _ => Err(Fault::not_allowed(called)),
    }
}

/// A text that must be there.
pub fn must(value: &Value, called: &str) -> Result<String, Fault> {
    text(value, called)?.ok_or_else(|| Fault::missing(called))
}

/// A list of texts that has some. Programs also write a single text.
pub fn texts(value: &Value, called: &str) -> Result<Vec<String>, Fault> {
    let Value::Array(items) = value else {
        return Ok(vec![must(value, called)?]);
    };
    if items.is_empty() {
        return Err(Fault::missing(called));
    }
    items.iter().map(|item| must(item, called)).collect()
}

/// A whole number, which programs also write as a text.
pub fn number(value: &Value, called: &str) -> Result<Option<i64>, Fault> {
    let read = |text: String| text.trim().parse().map_err(|_| Fault::not_allowed(called));
    text(value, called)?.map(read).transpose()
}
