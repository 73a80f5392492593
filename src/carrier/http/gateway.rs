//! What is asked of a gateway, and what its answers mean.
//!
//! The text goes as a whole: the gateway splits it, by the same rule by which Peyk has priced its parts. The parameters are
//! those of Kannel's user guide (section "Using HTTP interface to send SMS messages") and of Jasmin's HTTP API.
//!
//! The invariant: nothing below sends a message again. A `GET` counts as one that may be repeated: when a connection breaks
//! that was used before, the runtime sends it again by itself, and the phone gets the text twice. So each request is a `POST`.

use std::fmt::Write;

use form_urlencoded::Serializer;
use sms::text::{Encoding, segment};

use super::settings::{Access, Gateway};
use crate::account::record::message::delivery_error::{Cause, DeliveryError};
use crate::base::ports::{IncomingResponse, OutgoingRequest};

/// What Kannel is to report: delivered (1), not delivered (2), and refused by the next SMSC (16). The others, queued (4) and
/// taken by the next SMSC (8), would tell nothing that Peyk does not know.
const KANNEL_REPORTS: &str = "19";
/// Bytes of a gateway's answer that are read at most.
const MAX_RESPONSE_BYTES: usize = 64 * 1024;
/// The longest time that a gateway's `Retry-After` is honoured for, s.
const LONGEST_WAIT_S: i64 = 600;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message<'a> {
    pub from: &'a str,
    pub msisdn: u64,
    pub text: &'a str,
    /// The address to which the gateway is to report, with the recipient's token.
    pub report_url: &'a str,
    /// How long the gateway may try, in minutes; as long as it likes if `None`.
    pub minutes: Option<u32>,
}

/// The request that hands a message to the gateway.
pub fn request(access: &Access, message: &Message<'_>) -> OutgoingRequest {
    match access.settings.gateway {
        Gateway::Kannel => {
            let coding = if is_gsm(message.text) { "0" } else { "2" };
            let headers = [
                ("X-Kannel-From", message.from.to_owned()),
                ("X-Kannel-To", format!("+{}", message.msisdn)),
                ("X-Kannel-Coding", coding.to_owned()),
                ("X-Kannel-DLR-Mask", KANNEL_REPORTS.to_owned()),
                // Kannel puts its values where the percent signs are.
                (
                    "X-Kannel-DLR-Url",
                    format!("{}&status=%d&answer=%A&id=%F", message.report_url),
                ),
            ];
            let validity = message
                .minutes
                .map(|minutes| ("X-Kannel-Validity", minutes.to_string()));
            kannel(access, headers.into_iter().chain(validity), message.text)
        }
        Gateway::Jasmin => {
            let mut form = credentials(access);
            form.append_pair("from", message.from)
                .append_pair("to", &message.msisdn.to_string());
            if is_gsm(message.text) {
                form.append_pair("coding", "0").append_pair("content", message.text);
            } else {
                let content = hex_utf_16(message.text);
                form.append_pair("coding", "8").append_pair("hex-content", &content);
            }
            form.append_pair("dlr", "yes")
                .append_pair("dlr-level", "3")
                .append_pair("dlr-method", "POST")
                .append_pair("dlr-url", message.report_url);
            if let Some(minutes) = message.minutes {
                form.append_pair("validity-period", &minutes.to_string());
            }
            jasmin(access, form)
        }
    }
}

/// The request that finds out whether the gateway is there and knows the user. It names no recipient, so it sends nothing.
pub fn probe(access: &Access) -> OutgoingRequest {
    match access.settings.gateway {
        Gateway::Kannel => kannel(access, [], "probe"),
        Gateway::Jasmin => jasmin(access, credentials(access)),
    }
}

/// Kannel takes a `POST` with its parameters in headers, and with the text alone in the body.
fn kannel(access: &Access, headers: impl IntoIterator<Item = (&'static str, String)>, text: &str) -> OutgoingRequest {
    let own = [
        ("Content-Type", "text/plain; charset=UTF-8".to_owned()),
        ("X-Kannel-Username", access.settings.username.clone()),
        ("X-Kannel-Password", access.password.clone()),
    ];
    post(access, own.into_iter().chain(headers).collect(), text.to_owned())
}

/// Jasmin takes its parameters in the body.
fn jasmin(access: &Access, mut form: Serializer<'static, String>) -> OutgoingRequest {
    let form_type = ("Content-Type", "application/x-www-form-urlencoded".to_owned());
    post(access, vec![form_type], form.finish())
}

fn credentials(access: &Access) -> Serializer<'static, String> {
    let mut form = Serializer::new(String::new());
    form.append_pair("username", &access.settings.username)
        .append_pair("password", &access.password);
    form
}

fn post(access: &Access, headers: Vec<(&'static str, String)>, body: String) -> OutgoingRequest {
    OutgoingRequest {
        method: "POST",
        url: access.settings.url.clone(),
        headers,
        body,
        timeout_ms: access.settings.timeout_ms,
        max_response_bytes: MAX_RESPONSE_BYTES,
    }
}

fn is_gsm(text: &str) -> bool {
    segment(text).encoding == Encoding::Gsm7
}

fn hex_utf_16(text: &str) -> String {
    text.encode_utf16().fold(String::new(), |mut hex, unit| {
        // Writing to a string can't fail.
        let _ = write!(hex, "{unit:04x}");
        hex
    })
}

/// What a gateway's answer means for the recipient.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The gateway took the message. Its id, if it tells one.
    Taken(Option<String>),
    /// The gateway will never take the message.
    Refused(Cause),
    /// The gateway did not take the message, and may later.
    NotNow,
    /// The gateway wants fewer messages. How long to wait, ms, if it says so.
    Throttled(Option<i64>),
    /// The gateway would not take any message as the carrier is set up. Why, in words for operators.
    Misconfigured(&'static str),
    /// Nobody knows whether the gateway took the message.
    Unclear,
}

/// Reads the answer to [`request`]. What is not known to mean that the message was not taken is unclear.
pub fn verdict(answer: &IncomingResponse) -> Verdict {
    let body = answer.body.trim();
    let says = |words: &str| body.to_ascii_lowercase().contains(words);
    let refused = |error| Verdict::Refused(Cause::new(error, Some(&format!("{} {}", answer.status, excerpt(body)))));
    match answer.status {
        202 => Verdict::Taken(id_in(body)),
        200 if is_success(body) => Verdict::Taken(id_in(body)),
        300..=399 => Verdict::Misconfigured("the address of the gateway redirects"),
        401 => Verdict::Misconfigured("the gateway refuses the user or the password"),
        403 if says("not routable") => refused(DeliveryError::CarrierError),
        403 if says("throughput") => Verdict::Throttled(wait_ms(answer)),
        403 if says("charg") || says("balance") => Verdict::Misconfigured("the credit at the gateway is used up"),
        403 => Verdict::Misconfigured("the gateway refuses the user or the password"),
        // Jasmin checks the rights of its user with each message. The right to send long ones is about this message only.
        400 if says("authorization failed") && !says("long content") => {
            Verdict::Misconfigured("the gateway does not let the user send like this")
        }
        404 | 405 | 410 => Verdict::Misconfigured("the address of the gateway is wrong"),
        408 | 412 => Verdict::NotNow,
        429 => Verdict::Throttled(wait_ms(answer)),
        400..=499 if says("denied") || says("destination_addr") => refused(DeliveryError::Blocked),
        400..=499 if says("sender") || says("source_addr") => refused(DeliveryError::SenderRefused),
        400..=499 => refused(DeliveryError::CarrierError),
        500 if says("sending failed") || says("cannot send") => Verdict::NotNow,
        503 => match wait_ms(answer) {
            Some(wait_ms) => Verdict::Throttled(Some(wait_ms)),
            None => Verdict::NotNow,
        },
        _ => Verdict::Unclear,
    }
}

/// What the answer to [`probe`] says. `Ok`: the gateway works, and complains about the missing recipient at most.
pub fn probe_verdict(answer: &IncomingResponse) -> Result<(), Verdict> {
    match verdict(answer) {
        Verdict::Taken(_) | Verdict::Refused(_) => Ok(()),
        // Another status of success, or a gateway behind a proxy that fails.
        Verdict::Unclear if answer.status < 300 => Ok(()),
        other => Err(other),
    }
}

/// Whether the body of a 200 says that the message was taken: `0: Accepted for delivery`, `3: Queued for later delivery` or
/// `Sent.` (Kannel), `Success "…"` (Jasmin).
fn is_success(body: &str) -> bool {
    ["0:", "3:", "Sent.", "Success"]
        .iter()
        .any(|begin| body.starts_with(begin))
}

/// The id in `Success "…"`.
fn id_in(body: &str) -> Option<String> {
    let (id, _) = body.strip_prefix("Success \"")?.split_once('"')?;
    Some(id.chars().take(64).collect())
}

fn wait_ms(answer: &IncomingResponse) -> Option<i64> {
    let seconds: i64 = answer.retry_after.as_deref()?.trim().parse().ok()?;
    Some(seconds.clamp(1, LONGEST_WAIT_S).saturating_mul(1_000))
}

/// The words that a gateway gives for a refusal, without what may be a number or a text of the message.
fn excerpt(body: &str) -> String {
    let words = body.lines().next().unwrap_or_default();
    let plain = |c: char| if c.is_ascii_digit() || !c.is_ascii() { '#' } else { c };
    words.chars().take(60).map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::carrier::http::settings::Settings;

    fn access(gateway: Gateway) -> Access {
        Access {
            settings: Settings {
                url: "http://10.0.0.5/send".to_owned(),
                gateway,
                username: "peyk".to_owned(),
                timeout_ms: 5_000,
                objects: 1,
                window: 6,
            },
            password: "p&ss+word".to_owned(),
        }
    }

    fn pairs(text: &str) -> Vec<(String, String)> {
        form_urlencoded::parse(text.as_bytes()).into_owned().collect()
    }

    fn owned(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect()
    }

    const REPORT: &str = "https://sms.example.com/carrier/mci/dlr?t=AAAA";

    fn message(text: &str) -> Message<'_> {
        Message {
            from: "10001",
            msisdn: 989_121_234_567,
            text,
            report_url: REPORT,
            minutes: None,
        }
    }

    #[test]
    fn kannel_gets_its_parameters_in_headers_and_the_text_in_the_body() {
        for (text, coding) in [("hello & 100%", "0"), ("سلام 🙂", "2")] {
            let mut access = access(Gateway::Kannel);
            access.settings.url = "http://10.0.0.5/send?smsc=mci".to_owned();
            let request = request(&access, &message(text));
            assert_eq!(
                (request.method, request.body.as_str(), request.timeout_ms),
                ("POST", text, 5_000)
            );
            assert_eq!(request.url, "http://10.0.0.5/send?smsc=mci");
            let expected = [
                ("Content-Type", "text/plain; charset=UTF-8"),
                ("X-Kannel-Username", "peyk"),
                ("X-Kannel-Password", "p&ss+word"),
                ("X-Kannel-From", "10001"),
                ("X-Kannel-To", "+989121234567"),
                ("X-Kannel-Coding", coding),
                ("X-Kannel-DLR-Mask", "19"),
                (
                    "X-Kannel-DLR-Url",
                    "https://sms.example.com/carrier/mci/dlr?t=AAAA&status=%d&answer=%A&id=%F",
                ),
            ];
            assert_eq!(request.headers, expected.map(|(name, value)| (name, value.to_owned())));
        }
    }

    #[test]
    fn jasmin_gets_its_parameters_in_the_body() {
        let tail = [
            ("dlr", "yes"),
            ("dlr-level", "3"),
            ("dlr-method", "POST"),
            ("dlr-url", REPORT),
        ];
        for (text, content) in [
            ("hello", [("coding", "0"), ("content", "hello")]),
            ("سلام🙂", [("coding", "8"), ("hex-content", "06330644062706 45d83dde42")]),
        ] {
            let request = request(&access(Gateway::Jasmin), &message(text));
            assert_eq!((request.method, request.url.as_str()), ("POST", "http://10.0.0.5/send"));
            let content = content.map(|(name, value)| (name, value.replace(' ', "")));
            let mut expected = owned(&[
                ("username", "peyk"),
                ("password", "p&ss+word"),
                ("from", "10001"),
                ("to", "989121234567"),
            ]);
            expected.extend(content.map(|(name, value)| (name.to_owned(), value)));
            expected.extend(owned(&tail));
            assert_eq!(pairs(&request.body), expected);
        }
    }

    #[test]
    fn a_probe_names_no_recipient() {
        let (kannel, jasmin) = (probe(&access(Gateway::Kannel)), probe(&access(Gateway::Jasmin)));
        let names: Vec<&str> = kannel.headers.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["Content-Type", "X-Kannel-Username", "X-Kannel-Password"]);
        assert_eq!(
            pairs(&jasmin.body),
            owned(&[("username", "peyk"), ("password", "p&ss+word")])
        );
        assert_eq!((kannel.method, jasmin.method), ("POST", "POST"));
    }

    fn answer(status: u16, body: &str) -> IncomingResponse {
        IncomingResponse {
            status,
            retry_after: None,
            body: body.to_owned(),
        }
    }

    #[test]
    fn answers_of_kannel_and_jasmin_are_told_apart() {
        let refused = |error, code: &str| Verdict::Refused(Cause::new(error, Some(code)));
        let (taken, not_now) = (Verdict::Taken(None), Verdict::NotNow);
        let (throttled, unclear) = (Verdict::Throttled(None), Verdict::Unclear);
        let id = "07033084-5cfd-4812-90a4-e4d24ffb6e3d";
        let with_id = Verdict::Taken(Some(id.to_owned()));
        let redirects = Verdict::Misconfigured("the address of the gateway redirects");
        let login = Verdict::Misconfigured("the gateway refuses the user or the password");
        let credit = Verdict::Misconfigured("the credit at the gateway is used up");
        let address = Verdict::Misconfigured("the address of the gateway is wrong");
        let no_right = Verdict::Misconfigured("the gateway does not let the user send like this");
        let unpaid = "Error \"Cannot charge submit_sm, check RouterPB log file for details\"";
        let right = "Error \"Authorization failed for user [u] (Setting dlr level not authorized).\"";
        for (status, body, expected) in [
            (202, "0: Accepted for delivery", &taken),
            (202, "3: Queued for later delivery", &taken),
            (202, "Sent. Message splits: 2", &taken),
            (200, "0: Accepted for delivery\n", &taken),
            (200, &format!("Success \"{id}\""), &with_id),
            (200, "<html>Welcome</html>", &unclear),
            (200, "", &unclear),
            (301, "", &redirects),
            (401, "", &login),
            (403, "Authorization failed for sendsms", &login),
            (403, "Error \"Authentication failure for username:u\"", &login),
            (403, "Error \"User throughput exceeded\"", &throttled),
            (403, unpaid, &credit),
            (404, "Unknown request.", &address),
            (400, right, &no_right),
            (412, "Error \"No route found\"", &not_now),
            (429, "", &throttled),
            (500, "Sending failed.", &not_now),
            (500, "Error \"Unknown error: x\"", &unclear),
            (502, "", &unclear),
            (503, "Temporal failure, try again later.", &not_now),
            (504, "", &unclear),
        ] {
            assert_eq!(verdict(&answer(status, body)), *expected, "{status} {body}");
        }
        let denied = "Number(s) has/have been denied by white- and/or black-lists.";
        let filtered = "Error \"Value filter failed for user [u] (destination_address filter mismatch).\"";
        let long = "Error \"Authorization failed for user [u] (Long content not authorized).\"";
        let sender = "Sender missing and no global set, rejected";
        let (number, hidden) = (
            "Empty receiver number +98912 not allowed",
            "Empty receiver number +##### not allowed",
        );
        let route = "Not routable. Do not try again.";
        for (status, body, error, words) in [
            (403, route, DeliveryError::CarrierError, route),
            (400, denied, DeliveryError::Blocked, &denied[..60]),
            (400, filtered, DeliveryError::Blocked, &filtered[..60]),
            (400, long, DeliveryError::CarrierError, &long[..60]),
            (400, sender, DeliveryError::SenderRefused, sender),
            (400, number, DeliveryError::CarrierError, hidden),
        ] {
            let expected = refused(error, &format!("{status} {words}"));
            assert_eq!(verdict(&answer(status, body)), expected, "{status} {body}");
        }
    }

    #[test]
    fn a_gateway_says_how_long_to_wait_within_reason() {
        for (status, sent, expected) in [
            (429, "7", Some(7_000)),
            (503, " 7 ", Some(7_000)),
            (429, "0", Some(1_000)),
            (429, "-5", Some(1_000)),
            (429, "99999999", Some(600_000)),
            (429, "Wed, 21 Oct 2026 07:28:00 GMT", None),
        ] {
            let answer = IncomingResponse {
                retry_after: Some(sent.to_owned()),
                ..answer(status, "")
            };
            assert_eq!(verdict(&answer), Verdict::Throttled(expected), "{sent}");
        }
    }

    #[test]
    fn a_probe_is_content_with_a_complaint_about_the_recipient() {
        assert_eq!(probe_verdict(&answer(400, "Missing receiver number, rejected")), Ok(()));
        assert_eq!(
            probe_verdict(&answer(400, "Error \"Mandatory argument [to] is not found.\"")),
            Ok(())
        );
        for (status, body) in [
            (403, "Authorization failed for sendsms"),
            (404, ""),
            (502, ""),
            (503, "Temporal failure, try again later."),
        ] {
            assert!(probe_verdict(&answer(status, body)).is_err(), "{status}");
        }
    }
}
