//! Outgoing HTTP over the runtime's `fetch`.

use std::pin::pin;
use std::time::Duration;

use futures_util::future::{Either, select};
use wasm_bindgen::JsValue;
use worker::{
    AbortController, AbortSignal, Delay, Fetch, Headers, Method, Request, RequestInit, RequestRedirect, Response,
};

use crate::base::body::beginning;
use crate::base::ports::{IncomingResponse, OutgoingRequest, PortError};

fn failed(error: impl std::fmt::Display) -> PortError {
    PortError::unavailable("fetch", error)
}

/// Makes a request. When its time is over the request is aborted, and nobody knows whether the other side had it.
pub async fn fetch(request: &OutgoingRequest) -> Result<IncomingResponse, PortError> {
    let (outgoing, max_bytes) = (outgoing(request).map_err(failed)?, request.max_response_bytes);
    let controller = AbortController::default();
    let signal = controller.signal();
    let exchange = pin!(exchange(outgoing, &signal, max_bytes));
    let time = pin!(Delay::from(Duration::from_millis(request.timeout_ms.into())));
    match select(exchange, time).await {
        Either::Left((response, _)) => response.map_err(failed),
        Either::Right(_) => {
            controller.abort();
            Err(failed(format!("no response within {} ms", request.timeout_ms)))
        }
    }
}

fn outgoing(request: &OutgoingRequest) -> worker::Result<Request> {
    let headers = Headers::new();
    for (name, value) in &request.headers {
        headers.set(name, value)?;
    }
    let mut init = RequestInit::new();
    init.with_method(Method::from(request.method.to_owned()))
        .with_headers(headers)
        .with_redirect(RequestRedirect::Manual);
    if !request.body.is_empty() {
        init.with_body(Some(JsValue::from_str(&request.body)));
    }
    Request::new_with_init(&request.url, &init)
}

async fn exchange(request: Request, signal: &AbortSignal, max_bytes: usize) -> worker::Result<IncomingResponse> {
    let mut response = Fetch::Request(request).send_with_signal(signal).await?;
    let retry_after = response.headers().get("retry-after")?;
    Ok(IncomingResponse {
        status: response.status_code(),
        retry_after,
        body: text(&mut response, max_bytes).await?,
    })
}

/// The beginning of the body, if there is one. The runtime is told to fetch no more of it.
async fn text(response: &mut Response, max_bytes: usize) -> worker::Result<String> {
    match response.stream() {
        Ok(pieces) => beginning(pieces, max_bytes).await,
        Err(_) => Ok(String::new()),
    }
}
