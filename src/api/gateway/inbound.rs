//! Messages that phones have sent, from gateways. The address carries the key of the carrier.
//!
//! Kannel calls with `from`, `to`, `text`, `charset` and `id`, as its `get-url` says. Jasmin posts `from`, `to`, `id`, `content`, `coding`,
//! `origin-connector` and `binary`, which has the content as it came, in hexadecimal.

use smpp::alphabet::{Alphabet, DefaultAlphabet};

use crate::api::gateway::charset::{self, Charset};
use crate::api::gateway::{GatewayCall, done, log_refusal, unavailable};
use crate::api::http::{Response, context::Context};
use crate::base::ports::Platform;
use crate::carrier::gateway_url;
use crate::carrier::inbound::{InboundSms, receive};
use crate::directory::carriers;
use crate::problem::Problem;
use crate::problem::field_error::{FieldError, FieldErrorKind};

/// `GET /carrier/{name}/inbound`
pub async fn get<P: Platform>(context: &Context<'_, P>, name: &str) -> Result<Response, Problem> {
    take(context, name, &[]).await
}

/// `POST /carrier/{name}/inbound`
pub async fn post<P: Platform>(context: &Context<'_, P>, name: &str, form: &[u8]) -> Result<Response, Problem> {
    take(context, name, form).await
}

/// Takes a message. The gateway gets its 200 only when the message is safe.
async fn take<P: Platform>(context: &Context<'_, P>, name: &str, form: &[u8]) -> Result<Response, Problem> {
    let call = GatewayCall::of(context, form)?;
    let key = call.get("k").unwrap_or_default();
    let version = gateway_url::inbound_version(context.platform, name, key).map_err(unavailable)?;
    if !works(context, name, version).await? {
        log_refusal(
            context,
            name,
            "the address of an inbound message is not one that was given out",
        );
        return Err(Problem::AddressRefused { is_expired: false });
    }
    let sms = message(context.request.now_ms, name, &call).inspect_err(|_| {
        log_refusal(
            context,
            name,
            "an inbound message lacks a number, or is in a charset that nobody knows",
        )
    })?;
    receive(context.platform, sms)
        .await
        .map_err(|not_taken| not_taken.error)?;
    Ok(done(call.get("origin-connector").is_some()))
}

/// Whether the address of this version is one of a carrier that there is.
async fn works<P: Platform>(context: &Context<'_, P>, name: &str, version: Option<i64>) -> Result<bool, Problem> {
    let Some(version) = version else {
        return Ok(false);
    };
    let carrier = carriers::find(context.platform.db(), name).await?;
    Ok(carrier.is_some_and(|carrier| carrier.callbacks.has(version, context.request.now_ms)))
}

fn message(now_ms: i64, carrier: &str, call: &GatewayCall) -> Result<InboundSms, Problem> {
    let missing = ["from", "to"].into_iter().filter(|name| call.get(name).is_none());
    let mut faults: Vec<FieldError> = missing
        .map(|name| FieldError::of(name, FieldErrorKind::Required))
        .collect();
    let text = text(call).map_err(|kind| faults.push(FieldError::of("charset", kind)));
    let Some(text) = text.ok().filter(|_| faults.is_empty()) else {
        return Err(Problem::Validation(faults));
    };
    let own = |name: &str| call.get(name).unwrap_or_default().to_owned();
    Ok(InboundSms {
        carrier: carrier.to_owned(),
        to: own("to"),
        from: own("from"),
        text,
        carrier_id: call.get("id").map(str::to_owned),
        received_ms: now_ms,
        left: Vec::new(),
    })
}

/// The text. What Jasmin sends as `content` are the octets of the phone's alphabet, which need not be UTF-8, so its `binary` is
/// read.
fn text(call: &GatewayCall) -> Result<String, FieldErrorKind> {
    if let Some(octets) = call.get("binary").and_then(octets) {
        return Ok(Alphabet::of(coding(call), DefaultAlphabet::Gsm7).text(&octets));
    }
    let Some(octets) = call.octets("text").or_else(|| call.octets("content")) else {
        return Ok(String::new());
    };
    let charset = call.get("charset").map_or(Some(Charset::Utf8), Charset::named);
    let charset = charset.ok_or_else(|| FieldErrorKind::NotOneOf(charset::KNOWN.to_owned()))?;
    Ok(charset.text(&octets))
}

/// The `data_coding` of Jasmin's `coding`. Jasmin writes its octet as it is (`%08`), although its documentation has digits. A
/// message without it has the default alphabet.
fn coding(call: &GatewayCall) -> u8 {
    let coding = call.get("coding").unwrap_or_default();
    let mut characters = coding.chars();
    match (characters.next(), characters.next()) {
        (Some(octet), None) if !octet.is_ascii_digit() => u8::try_from(octet).unwrap_or_default(),
        _ => coding.parse().unwrap_or_default(),
    }
}

/// Reads octets from their hexadecimal digits.
fn octets(hex: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = hex
        .chars()
        .map(|c| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
        .collect();
    let digits = digits?;
    let (octets, rest) = digits.as_chunks::<2>();
    rest.is_empty()
        .then(|| octets.iter().map(|[high, low]| high << 4 | low).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(params: &[(&str, &str)]) -> String {
        let mut form = form_urlencoded::Serializer::new(String::new());
        let form = form.extend_pairs(params).finish();
        text(&GatewayCall::read(form.as_bytes())).unwrap()
    }

    #[test]
    fn a_gateway_that_says_its_charset_is_believed() {
        let read = |form: &str| text(&GatewayCall::read(form.as_bytes()));
        for (form, expected) in [
            ("text=%063%06D%06%27%06E&charset=UTF-16BE", "سلام"),
            ("charset=utf-16be&te%78t=%063%06D%06%27%06E&text=x", "سلام"),
            ("text=%00a%00%2B%00+%00%26&charset=UTF-16BE", "a+ &"),
            ("text=caf%E9+1&charset=ISO-8859-1", "café 1"),
            ("content=%80&charset=WINDOWS-1252", "€"),
            ("text=%D8%B3&charset=UTF-8", "س"),
            ("text=%D8%B3", "س"),
            ("text=%D8%B3&charset=", "س"),
            ("charset=UTF-16BE", ""),
        ] {
            assert_eq!(read(form).unwrap(), expected, "{form}");
        }
        assert!(matches!(
            read("text=x&charset=EBCDIC"),
            Err(FieldErrorKind::NotOneOf(_))
        ));
    }

    #[test]
    fn jasmins_octets_are_read_in_their_alphabet() {
        let persian = "06330644062706450020d83dde42";
        for (coding, binary, expected) in [
            ("\u{8}", persian, "سلام 🙂"),
            ("8", persian, "سلام 🙂"),
            ("\u{8}", "d83d", "\u{fffd}"),
            ("\u{0}", "48690080", "Hi@\u{fffd}"),
            ("0", "4869", "Hi"),
            ("\u{3}", "e9", "é"),
            ("3", "e9", "é"),
            ("\u{11}", "4869", "Hi"),
        ] {
            let params = [("coding", coding), ("binary", binary), ("content", "x")];
            assert_eq!(text_of(&params), expected, "{coding:?} {binary}");
        }
        assert_eq!(text_of(&[("binary", "4869"), ("content", "x")]), "Hi", "no coding");
    }

    #[test]
    fn what_is_no_octets_is_left_to_the_content() {
        for bad in ["0", "063", "06g3", "سلام"] {
            assert_eq!(octets(bad), None, "{bad}");
            let params = [("coding", "8"), ("binary", bad), ("content", "x")];
            assert_eq!(text_of(&params), "x", "{bad}");
        }
        assert_eq!(octets(""), Some(Vec::new()));
        assert_eq!(text_of(&[("text", "سلام"), ("coding", "2")]), "سلام");
        assert_eq!(text_of(&[]), "");
    }
}
