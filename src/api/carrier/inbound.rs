//! Messages that phones have sent, from gateways. The address carries the key of the carrier.
//!
//! Kannel calls with `from`, `to`, `text` and `id`, as its `get-url` says. Jasmin posts `from`, `to`, `content`, `coding` and
//! `binary`, which has the content as it came, in hexadecimal.

use super::{Callback, done, log_refusal, unavailable};
use crate::api::context::Context;
use crate::carrier::callback;
use crate::carrier::inbound::{InboundSms, receive};
use crate::directory::carriers;
use crate::fault::{Fault, FaultKind};
use crate::http::Response;
use crate::ports::Platform;
use crate::problem::Problem;

/// Jasmin's coding of UCS-2.
const UCS_2: &str = "8";

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
    let callback = Callback::of(context, form)?;
    let key = callback.get("k").unwrap_or_default();
    let is_known = callback::is_inbound_key(context.platform, name, key).map_err(unavailable)?;
    if !is_known || carriers::find(context.platform.db(), name).await?.is_none() {
        log_refusal(
            context,
            name,
            "the address of an inbound message is not one that was given out",
        );
        return Err(Problem::AddressRefused { is_expired: false });
    }
    let sms = message(context.request.now_ms, name, &callback)?;
    receive(context.platform, sms).await?;
    Ok(done(callback.get("origin-connector").is_some()))
}

fn message(now_ms: i64, carrier: &str, callback: &Callback) -> Result<InboundSms, Problem> {
    let missing = ["from", "to"].into_iter().filter(|name| callback.get(name).is_none());
    let faults: Vec<Fault> = missing.map(|name| Fault::of(name, FaultKind::Required)).collect();
    if !faults.is_empty() {
        return Err(Problem::Validation(faults));
    }
    let own = |name: &str| callback.get(name).unwrap_or_default().to_owned();
    Ok(InboundSms {
        carrier: carrier.to_owned(),
        to: own("to"),
        from: own("from"),
        text: text(callback),
        carrier_id: callback.get("id").map(str::to_owned),
        received_ms: now_ms,
    })
}

fn text(callback: &Callback) -> String {
    let is_ucs_2 = callback.get("coding") == Some(UCS_2);
    if let Some(text) = callback.get("binary").filter(|_| is_ucs_2).and_then(utf_16) {
        return text;
    }
    let text = callback.get("text").or(callback.get("content"));
    text.unwrap_or_default().to_owned()
}

/// Reads UTF-16 in hexadecimal. Half a character becomes the sign for an unreadable one.
fn utf_16(hex: &str) -> Option<String> {
    let digits: Option<Vec<u16>> = hex
        .chars()
        .map(|c| c.to_digit(16).and_then(|digit| u16::try_from(digit).ok()))
        .collect();
    let digits = digits?;
    let (units, rest) = digits.as_chunks::<4>();
    let units: Vec<u16> = units.iter().map(|[a, b, c, d]| a << 12 | b << 8 | c << 4 | d).collect();
    rest.is_empty().then(|| String::from_utf16_lossy(&units))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf_16_is_read_from_its_digits() {
        assert_eq!(
            utf_16("06330644062706 45d83dde42".replace(' ', "").as_str()).as_deref(),
            Some("سلام🙂")
        );
        assert_eq!(utf_16("").as_deref(), Some(""));
        assert_eq!(utf_16("d83d").as_deref(), Some("\u{fffd}"));
        for bad in ["0", "063", "06g3", "سلام"] {
            assert_eq!(utf_16(bad), None, "{bad}");
        }
    }
}
