//! What a gateway's report says.
//!
//! Kannel puts its number for the status into `status`, and the answer of the SMSC into `answer`. Jasmin sends
//! `message_status`: with `level` 1 the answer of the SMSC to the message, with `level` 2 its later report.

use crate::account::record::message::delivery_error::{Cause, DeliveryError};
use crate::account::record::message::status::RecipientStatus;
use crate::api::gateway::GatewayCall;

/// What a report says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reading {
    /// The recipient has come to its end. The first of these statuses that it can take is right.
    Ending(&'static [RecipientStatus], Option<Cause>),
    /// The message is still on its way.
    NotYet,
    /// The report says nothing that this version knows.
    Unknown,
}

const DELIVERED: &[RecipientStatus] = &[RecipientStatus::Delivered];
const UNDELIVERED: &[RecipientStatus] = &[RecipientStatus::Undelivered];
const EXPIRED: &[RecipientStatus] = &[RecipientStatus::Expired];
/// The SMSC behind the gateway refused the message. A recipient that the gateway has taken can't be refused any more.
const REFUSED: &[RecipientStatus] = &[RecipientStatus::Rejected, RecipientStatus::Undelivered];

/// The bits of Kannel's status.
const KANNEL_DELIVERED: u32 = 1;
const KANNEL_FAILED: u32 = 2;
const KANNEL_QUEUED: u32 = 4;
const KANNEL_TAKEN: u32 = 8;
const KANNEL_REFUSED: u32 = 16;
const KANNEL_EXPIRED: u32 = 32;

/// Whether a call is one of Jasmin's.
pub fn is_jasmins(call: &GatewayCall) -> bool {
    call.get("message_status").is_some()
}

/// Reads a report.
pub fn read(call: &GatewayCall) -> Reading {
    if let Some(status) = call.get("message_status") {
        return jasmin(call.get("level"), status, call.get("err"));
    }
    match call.get("status").map(|status| status.trim().parse()) {
        Some(Ok(status)) => kannel(status, call.get("answer").unwrap_or_default()),
        _ => Reading::Unknown,
    }
}

fn kannel(status: u32, answer: &str) -> Reading {
    let code = || code_of(answer);
    let has = |bit| status & bit != 0;
    if has(KANNEL_DELIVERED) {
        return Reading::Ending(DELIVERED, None);
    }
    if has(KANNEL_REFUSED) {
        return Reading::Ending(
            REFUSED,
            Some(Cause::new(DeliveryError::CarrierError, code().as_deref())),
        );
    }
    let stat = member(answer, "stat:").unwrap_or_default();
    if has(KANNEL_EXPIRED) || (has(KANNEL_FAILED) && stat == "EXPIRED") {
        return Reading::Ending(EXPIRED, Some(Cause::new(DeliveryError::Expired, code().as_deref())));
    }
    if has(KANNEL_FAILED) {
        return Reading::Ending(
            UNDELIVERED,
            Some(Cause::new(DeliveryError::CarrierError, code().as_deref())),
        );
    }
    if has(KANNEL_QUEUED) || has(KANNEL_TAKEN) {
        Reading::NotYet
    } else {
        Reading::Unknown
    }
}

fn jasmin(level: Option<&str>, status: &str, err: Option<&str>) -> Reading {
    let because = |error| Some(Cause::new(error, Some(err.unwrap_or(status))));
    match status {
        "DELIVRD" => Reading::Ending(DELIVERED, None),
        "EXPIRED" => Reading::Ending(EXPIRED, because(DeliveryError::Expired)),
        "UNDELIV" | "DELETED" => Reading::Ending(UNDELIVERED, because(DeliveryError::CarrierError)),
        "REJECTD" => Reading::Ending(REFUSED, because(DeliveryError::CarrierError)),
        "ACCEPTD" | "ENROUTE" | "UNKNOWN" | "ESME_ROK" => Reading::NotYet,
        // The SMSC did not take the message, and Jasmin has given up.
        error if level == Some("1") && error.starts_with("ESME_R") => {
            Reading::Ending(REFUSED, Some(Cause::new(DeliveryError::CarrierError, Some(error))))
        }
        _ => Reading::Unknown,
    }
}

/// The code in Kannel's answer: the `err:` of a report's text, or what stands behind `NACK/`.
fn code_of(answer: &str) -> Option<String> {
    let code = match answer.strip_prefix("NACK/") {
        Some(refusal) => Some(refusal.to_owned()),
        None => member(answer, "err:").map(str::to_owned),
    };
    code.filter(|code| !code.is_empty())
}

/// The word behind a name like `err:` in the text of a report.
fn member<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(name)?;
    rest.split_whitespace().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(params: &[(&str, &str)]) -> GatewayCall {
        let params = params
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        GatewayCall {
            params: params.collect(),
            ..GatewayCall::default()
        }
    }

    fn ending(statuses: &'static [RecipientStatus], error: DeliveryError, code: Option<&str>) -> Reading {
        Reading::Ending(statuses, Some(Cause::new(error, code)))
    }

    #[test]
    fn kannels_statuses_are_known_with_their_codes() {
        let failed = "id:0 sub:001 dlvrd:000 submit date:2601011200 done date:2601011201 stat:UNDELIV err:027 text:";
        let expired = "id:0 sub:001 dlvrd:000 stat:EXPIRED err:0 text:";
        let nack = "NACK/0x0000000b/Invalid Destination Address";
        let carrier = DeliveryError::CarrierError;
        for (status, answer, expected) in [
            ("1", "id:0 stat:DELIVRD err:000", Reading::Ending(DELIVERED, None)),
            ("2", failed, ending(UNDELIVERED, carrier, Some("027"))),
            ("2", "", ending(UNDELIVERED, carrier, None)),
            ("2", expired, ending(EXPIRED, DeliveryError::Expired, Some("0"))),
            ("34", "", ending(EXPIRED, DeliveryError::Expired, None)),
            ("66", "", ending(UNDELIVERED, carrier, None)),
            (
                "16",
                nack,
                ending(REFUSED, carrier, Some("0x0000000b/Invalid Destination Address")),
            ),
            ("4", "", Reading::NotYet),
            ("8", "ACK/", Reading::NotYet),
            ("0", "", Reading::Unknown),
            ("-1", "", Reading::Unknown),
            ("x", "", Reading::Unknown),
            ("%d", "", Reading::Unknown),
            ("99999999999", "", Reading::Unknown),
        ] {
            let report = call(&[("status", status), ("answer", answer)]);
            assert_eq!(read(&report), expected, "{status} {answer}");
            assert!(!is_jasmins(&report));
        }
        assert_eq!(read(&call(&[])), Reading::Unknown);
    }

    #[test]
    fn jasmins_statuses_are_known_by_their_level() {
        let carrier = DeliveryError::CarrierError;
        for (level, status, err, expected) in [
            ("2", "DELIVRD", "000", Reading::Ending(DELIVERED, None)),
            ("2", "UNDELIV", "027", ending(UNDELIVERED, carrier, Some("027"))),
            (
                "2",
                "EXPIRED",
                "",
                ending(EXPIRED, DeliveryError::Expired, Some("EXPIRED")),
            ),
            ("2", "REJECTD", "5", ending(REFUSED, carrier, Some("5"))),
            ("2", "ACCEPTD", "", Reading::NotYet),
            ("2", "UNKNOWN", "", Reading::NotYet),
            ("1", "ESME_ROK", "", Reading::NotYet),
            (
                "1",
                "ESME_RINVDSTADR",
                "",
                ending(REFUSED, carrier, Some("ESME_RINVDSTADR")),
            ),
            ("2", "ESME_RINVDSTADR", "", Reading::Unknown),
            ("2", "SOMETHING", "", Reading::Unknown),
        ] {
            let mut params = vec![("level", level), ("message_status", status), ("id", "a")];
            if !err.is_empty() {
                params.push(("err", err));
            }
            let report = call(&params);
            assert_eq!(read(&report), expected, "{level} {status}");
            assert!(is_jasmins(&report));
        }
    }
}
