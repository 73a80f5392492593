//! What carriers' gateways call: their reports, and the messages that phones have sent. No API key opens these routes, but
//! what stands in the address: a token for one recipient, or a key of the carrier.
//!
//! A gateway takes 200 for done, and comes again after anything else.

mod charset;
pub mod dlr;
pub mod inbound;
pub mod report;

use form_urlencoded::parse;
use percent_encoding::percent_decode;
use serde_json::json;

use super::http::{Response, context::Context};
use super::shared::forms::is_carrier_name;
use crate::auth::secret::SecretError;
use crate::base::{log, ports::Platform, redact};
use crate::problem::Problem;

/// The query of a call, and its body, have at most this many bytes each.
pub const MAX_BYTES: usize = 16 * 1024;
/// What Jasmin wants to read before it takes a call for done.
const JASMIN_IS_CONTENT: &str = "ACK/Jasmin";

/// The parameters of a call: those of its query, and behind them those of its body.
#[derive(Default)]
pub struct GatewayCall {
    params: Vec<(String, String)>,
    /// As they came.
    form: Vec<u8>,
}

impl GatewayCall {
    /// Reads the parameters.
    pub fn of<P: Platform>(context: &Context<'_, P>, form: &[u8]) -> Result<GatewayCall, Problem> {
        let query = context.request.head.query.as_bytes();
        if query.len() > MAX_BYTES || form.len() > MAX_BYTES {
            return Err(Problem::PayloadTooLarge { limit_bytes: MAX_BYTES });
        }
        Ok(GatewayCall::read(&[query, form].join(&b'&')))
    }

    fn read(form: &[u8]) -> GatewayCall {
        GatewayCall {
            params: parse(form).into_owned().collect(),
            form: form.to_owned(),
        }
    }

    /// The first value of a parameter that is not empty. So nothing in a body replaces what stands in the address.
    pub fn get(&self, name: &str) -> Option<&str> {
        let mut values = self
            .params
            .iter()
            .filter(|(key, value)| key == name && !value.is_empty());
        values.next().map(|(_, value)| value.as_str())
    }

    /// The octets of the value that [`get`](Self::get) reads as UTF-8.
    pub fn octets(&self, name: &str) -> Option<Vec<u8>> {
        let pairs = self.form.split(|octet| *octet == b'&').filter_map(|pair| {
            let mut halves = pair.splitn(2, |octet| *octet == b'=');
            halves.next().zip(halves.next())
        });
        let mut values = pairs.filter(|(key, value)| !value.is_empty() && decoded(key) == name.as_bytes());
        values.next().map(|(_, value)| decoded(value))
    }
}

/// The octets of a name or a value of a form.
fn decoded(octets: &[u8]) -> Vec<u8> {
    let blank = |octet: &u8| if *octet == b'+' { b' ' } else { *octet };
    let octets: Vec<u8> = octets.iter().map(blank).collect();
    percent_decode(&octets).collect()
}

/// Logs a call that was refused, unless one of its kind stands in the log of this minute: further ones are counted. The line has
/// nothing of the address but the carrier's name, if it can be one. A stranger may write a phone's number in its place, so long
/// numbers are cut.
fn log_refusal<P: Platform>(context: &Context<'_, P>, carrier: &str, cause: &'static str) {
    let carrier = is_carrier_name(carrier).then(|| redact::of_id(carrier));
    let request = &context.request;
    context.app.refusals.tell(context.platform);
    if context.app.refusals.note(carrier.clone(), cause, request.now_ms) {
        let line =
            json!({"requestId": request.logged_id(), "ownId": request.own_id, "carrier": carrier, "cause": cause});
        log::warning(context.platform, "callback", line);
    }
}

/// The deployment lacks what calls are checked with. The gateway is to come again.
fn unavailable(error: SecretError) -> Problem {
    Problem::Unavailable(error.to_string())
}

/// Tells the gateway that its call is done. Kannel sends a text that it gets here to the phone, so it gets none.
fn done(is_jasmin: bool) -> Response {
    let text = if is_jasmin { JASMIN_IS_CONTENT } else { "" };
    Response {
        status: 200,
        content_type: "text/plain; charset=utf-8",
        headers: Vec::new(),
        body: text.to_owned(),
    }
}
