//! Delivery receipts: what a `deliver_sm` says about a message that was sent, in its text, in its optional parameters, or in
//! both.
//!
//! No carrier writes the text quite as the appendix of the protocol does. So its members are found by their names, in any
//! order and case; those that are missing are missing.

use serde::{Deserialize, Serialize};

use super::pdu::{Deliver, tag};
use super::status::SmscError;

/// How the ids of receipts are written, compared with those of responses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum ReportIds {
    /// Alike.
    #[default]
    #[serde(rename = "AS_IS")]
    AsIs,
    /// One of them in hexadecimal, the other one in decimal digits.
    Hex,
    /// Both in decimal digits; one of them may have leading zeros.
    Decimal,
}

/// What became of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", content = "fault")]
pub enum Ending {
    /// It is on its way.
    Pending,
    /// The recipient has it.
    Delivered,
    /// The recipient does not have it.
    Undelivered(SmscError),
    /// Its time was over.
    Expired,
}

/// What a receipt says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// The carrier's id of the message.
    pub id: String,
    /// What became of it.
    pub ending: Ending,
    /// The carrier's own words for it: state and error.
    pub code: String,
    /// Whether the state is one of the protocol's, or like one.
    pub has_known_state: bool,
    /// When the carrier took the message, in a time zone of its own, ms since the Unix epoch.
    pub taken_ms: Option<i64>,
    /// How the message's text begins, if the receipt says it in ASCII.
    pub text: Option<String>,
}

/// The bits of `esm_class` that say what a `deliver_sm` is.
const KIND: u8 = 0b0011_1100;
/// A receipt of the carrier.
const RECEIPT: u8 = 0b0000_0100;
/// An acknowledgement of the recipient's phone, or a notification in between: a receipt too, if it names a message.
const OTHERS: [u8; 3] = [0b0000_1000, 0b0001_0000, 0b0010_0000];

impl Receipt {
    /// Reads a receipt. `None`: the `deliver_sm` is none, or names no message.
    pub fn read(deliver: &Deliver) -> Option<Receipt> {
        let kind = deliver.esm_class & KIND;
        let named = deliver.tlv(tag::RECEIPTED_MESSAGE_ID);
        if kind != RECEIPT && !OTHERS.contains(&kind) && named.is_none() {
            return None;
        }
        let text: String = deliver.payload().iter().map(|octet| char::from(*octet)).collect();
        let fields = Fields::of(&text);
        let id = match named.map(id_of).filter(|id| !id.is_empty()) {
            Some(id) => id,
            None => clip(fields.get("id")?),
        };
        let state = match deliver.tlv(tag::MESSAGE_STATE).and_then(<[u8]>::first) {
            Some(state) => state_name(*state),
            None => fields.get("stat").unwrap_or("UNKNOWN"),
        };
        let error = error_of(deliver, &fields);
        Some(Receipt {
            ending: ending(state, error.unwrap_or(0)),
            code: match error {
                Some(error) => format!("{} {error:03}", clip(state)),
                None => clip(state),
            },
            has_known_state: is_known(state),
            taken_ms: fields.get("submit date").and_then(time),
            text: beginning(&text),
            id,
        })
    }
}

/// The time of ten or twelve digits: year, month, day, hour, minute and perhaps second.
fn time(digits: &str) -> Option<i64> {
    let minutes = digits.get(..10)?;
    let time = chrono::NaiveDateTime::parse_from_str(&format!("20{minutes}"), "%Y%m%d%H%M").ok()?;
    Some(time.and_utc().timestamp_millis())
}

/// Characters of a text that a receipt repeats.
const REPEATED_CHARS: usize = 20;

/// What stands behind `text:`.
fn beginning(text: &str) -> Option<String> {
    let at = text.to_ascii_lowercase().find("text:")?;
    let begin: String = text.get(at + "text:".len()..)?.chars().take(REPEATED_CHARS).collect();
    let is_plain = begin.chars().all(|char| char == ' ' || char.is_ascii_graphic());
    (is_plain && !begin.trim().is_empty()).then_some(begin)
}

/// Whether a state says what became of the message, or that it is on its way.
fn is_known(state: &str) -> bool {
    const ON_THE_WAY: [&str; 6] = ["SCHED", "ENROU", "ACCEP", "UNKNO", "BUFFE", "QUEUE"];
    let begin: String = state
        .chars()
        .take(5)
        .map(|letter| letter.to_ascii_uppercase())
        .collect();
    ending(state, 0) != Ending::Pending || ON_THE_WAY.contains(&begin.as_str())
}

/// The longest id that the protocol knows, and a little more.
const ID_BYTES: usize = 72;

fn clip(text: &str) -> String {
    text.chars().take(ID_BYTES).collect()
}

fn id_of(value: &[u8]) -> String {
    let octets = value.iter().take_while(|octet| **octet != 0);
    clip(octets.map(|octet| char::from(*octet)).collect::<String>().trim())
}

fn error_of(deliver: &Deliver, fields: &Fields<'_>) -> Option<u32> {
    match deliver.tlv(tag::NETWORK_ERROR_CODE) {
        Some([_, high, low, ..]) => Some(u32::from(u16::from_be_bytes([*high, *low]))),
        _ => fields.get("err")?.parse().ok(),
    }
}

/// The members of a receipt's text: `name:value`, with blanks in between.
struct Fields<'a>(Vec<(String, &'a str)>);

/// The names that a receipt's text has. Two of them have a blank, `text` is the last one.
const NAMES: [&str; 8] = ["id", "sub", "dlvrd", "submit date", "done date", "stat", "err", "text"];

impl<'a> Fields<'a> {
    fn of(text: &'a str) -> Self {
        // ASCII letters only change their case: places in this text are places in the other one.
        let lower = text.to_ascii_lowercase();
        let mut fields = Vec::new();
        for name in NAMES {
            let mut from = 0;
            while let Some(at) = lower.get(from..).and_then(|rest| rest.find(name)).map(|at| from + at) {
                let end = at + name.len();
                let is_word = lower.get(..at).unwrap_or_default().chars().next_back();
                let is_word = is_word.is_none_or(|before| !before.is_alphanumeric());
                let value = text.get(end..).and_then(|rest| rest.trim_start().strip_prefix(':'));
                if let Some(value) = value.filter(|_| is_word) {
                    let value = value.trim_start();
                    let value = value.split_whitespace().next().unwrap_or_default();
                    fields.push((name.to_owned(), value));
                    break;
                }
                from = end;
            }
        }
        Fields(fields)
    }

    fn get(&self, name: &str) -> Option<&'a str> {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| *value).filter(|value| !value.is_empty())
    }
}

fn state_name(state: u8) -> &'static str {
    match state {
        0 => "SCHEDULED",
        1 => "ENROUTE",
        2 => "DELIVRD",
        3 => "EXPIRED",
        4 => "DELETED",
        5 => "UNDELIV",
        6 => "ACCEPTD",
        8 => "REJECTD",
        9 => "SKIPPED",
        _ => "UNKNOWN",
    }
}

/// What a state means, with the error that came with it. A state that nobody knows is no ending: the message's time limit
/// ends it.
fn ending(state: &str, error: u32) -> Ending {
    let state = state.to_ascii_uppercase();
    match state.get(..5).unwrap_or(&state) {
        "DELIV" => Ending::Delivered,
        "EXPIR" => Ending::Expired,
        "REJEC" => Ending::Undelivered(match meaning(error) {
            SmscError::Carrier => SmscError::Blocked,
            other => other,
        }),
        "UNDEL" | "DELET" | "FAILE" | "SKIPP" => Ending::Undelivered(meaning(error)),
        _ => Ending::Pending,
    }
}

/// What the errors mean that most carriers agree on: those of GSM MAP (TS 29.002), as they stand in receipts.
fn meaning(error: u32) -> SmscError {
    match error {
        1 | 5 | 9 => SmscError::UnknownSubscriber,
        6 | 27 | 31 | 32 => SmscError::AbsentSubscriber,
        11 | 13 | 21 => SmscError::Blocked,
        _ => SmscError::Carrier,
    }
}

/// The form in which the id of a response is kept.
pub fn stored_id(id: &str, ids: ReportIds) -> String {
    match ids {
        ReportIds::AsIs => id.trim().to_owned(),
        ReportIds::Hex | ReportIds::Decimal => bare(id),
    }
}

/// The forms in which a response may have named the message of a receipt, the likeliest first. Where there are several, the
/// recipient's number must decide.
pub fn candidates(id: &str, ids: ReportIds) -> Vec<String> {
    let bare = bare(id);
    match ids {
        ReportIds::AsIs => vec![id.trim().to_owned()],
        ReportIds::Decimal => vec![bare],
        ReportIds::Hex => {
            let as_hex = bare.parse::<u128>().ok().map(|number| format!("{number:x}"));
            let as_decimal = u128::from_str_radix(&bare, 16).ok().map(|number| number.to_string());
            let both: Vec<String> = as_hex.into_iter().chain(as_decimal).collect();
            if both.is_empty() { vec![bare] } else { both }
        }
    }
}

/// An id without blanks, leading zeros and `0x`, in small letters.
fn bare(id: &str) -> String {
    let id = id.trim().to_ascii_lowercase();
    let digits = id.strip_prefix("0x").unwrap_or(&id).trim_start_matches('0');
    let is_zero = digits.is_empty() && !id.is_empty();
    if is_zero { "0" } else { digits }.to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::carrier::smpp::protocol::pdu::Tlv;

    fn text(text: &str) -> Deliver {
        Deliver {
            esm_class: 4,
            short_message: text.as_bytes().to_vec(),
            ..Deliver::default()
        }
    }

    #[track_caller]
    fn assert_read(deliver: &Deliver, id: &str, ending: Ending, code: &str) {
        let receipt = Receipt::read(deliver).unwrap();
        assert_eq!(
            (receipt.id.as_str(), receipt.ending, receipt.code.as_str()),
            (id, ending, code)
        );
    }

    #[test]
    fn texts_of_many_carriers_are_read() {
        let endings = [
            (
                "id:0123456789 sub:001 dlvrd:001 submit date:2601011200 done date:2601011201 stat:DELIVRD err:000 text:Hi id:9",
                "0123456789",
                Ending::Delivered,
                "DELIVRD 000",
            ),
            (
                "ID: ab-12 Stat:Undeliv Err:001",
                "ab-12",
                Ending::Undelivered(SmscError::UnknownSubscriber),
                "Undeliv 001",
            ),
            ("stat:EXPIRED id:7 text:", "7", Ending::Expired, "EXPIRED"),
            (
                "id:7 stat:REJECTD err:13",
                "7",
                Ending::Undelivered(SmscError::Blocked),
                "REJECTD 013",
            ),
            (
                "id:7 stat:UNDELIV err:027",
                "7",
                Ending::Undelivered(SmscError::AbsentSubscriber),
                "UNDELIV 027",
            ),
            (
                "id:7 stat:UNDELIV err:9xz",
                "7",
                Ending::Undelivered(SmscError::Carrier),
                "UNDELIV",
            ),
            ("id:7 stat:ENROUTE", "7", Ending::Pending, "ENROUTE"),
            ("id:7 stat:ACCEPTD err:000", "7", Ending::Pending, "ACCEPTD 000"),
            ("id:7", "7", Ending::Pending, "UNKNOWN"),
            ("id : 7 stat :\tDELIVERED", "7", Ending::Delivered, "DELIVERED"),
            ("msgid:8 id:7 stat:DELIVRD", "7", Ending::Delivered, "DELIVRD"),
        ];
        for (words, id, ending, code) in endings {
            assert_read(&text(words), id, ending, code);
        }
    }

    #[test]
    fn the_time_and_the_beginning_of_the_text_are_read_if_they_are_there() {
        let read = |words: &str| {
            let receipt = Receipt::read(&text(&format!("id:7 stat:DELIVRD {words}"))).unwrap();
            (receipt.taken_ms, receipt.text)
        };
        let noon_ms = Some(1_767_268_800_000);
        assert_eq!(read("submit date:2601011200 done date:2601011201"), (noon_ms, None));
        assert_eq!(
            read("submit date:260101120042 text: Your code"),
            (noon_ms, Some(" Your code".to_owned()))
        );
        assert_eq!(
            read("Text:12345678901234567890123").1,
            Some("12345678901234567890".to_owned())
        );
        assert_eq!(read("text:a text:b").1, Some("a text:b".to_owned()));
        for words in [
            "submit date:2613011200",
            "submit date:26010112",
            "submit date:",
            "text:",
            "text:  ",
            "text:caf\u{e9}",
        ] {
            assert_eq!(read(words), (None, None), "{words}");
        }
    }

    #[test]
    fn optional_parameters_go_before_the_text() {
        let tlvs = vec![
            Tlv {
                tag: tag::RECEIPTED_MESSAGE_ID,
                value: b"ab12\0".to_vec(),
            },
            Tlv {
                tag: tag::MESSAGE_STATE,
                value: vec![5],
            },
            Tlv {
                tag: tag::NETWORK_ERROR_CODE,
                value: vec![3, 0, 27],
            },
        ];
        let deliver = Deliver {
            tlvs,
            ..text("id:other stat:DELIVRD err:000")
        };
        assert_read(
            &deliver,
            "ab12",
            Ending::Undelivered(SmscError::AbsentSubscriber),
            "UNDELIV 027",
        );
        let without_class = Deliver {
            esm_class: 0,
            ..deliver
        };
        assert_eq!(Receipt::read(&without_class).unwrap().id, "ab12");
    }

    #[test]
    fn what_is_no_receipt_or_names_no_message_is_not_read() {
        assert_eq!(
            Receipt::read(&Deliver {
                esm_class: 0,
                ..text("id:7 stat:DELIVRD")
            }),
            None
        );
        assert_eq!(Receipt::read(&text("stat:DELIVRD")), None);
        assert_eq!(Receipt::read(&text("")), None);
    }

    #[test]
    fn ids_of_responses_and_receipts_meet() {
        let pairs = [
            ("  7f ", "7f", ReportIds::AsIs),
            ("00123", "123", ReportIds::Decimal),
            ("123", "0000000123", ReportIds::Decimal),
            ("1A2B", "6699", ReportIds::Hex),
            ("6699", "1A2B", ReportIds::Hex),
            ("0x00001a2b", "0006699", ReportIds::Hex),
            ("291", "123", ReportIds::Hex),
            ("0", "00", ReportIds::Hex),
        ];
        for (response, receipt, ids) in pairs {
            assert!(
                candidates(receipt, ids).contains(&stored_id(response, ids)),
                "{response} {receipt} {ids:?}"
            );
        }
        assert!(!candidates("0123", ReportIds::AsIs).contains(&stored_id("123", ReportIds::AsIs)));
    }

    proptest! {
        #[test]
        fn hexadecimal_and_decimal_ids_meet_in_both_directions(number in any::<u64>()) {
            let (hex, decimal) = (format!("{number:X}"), format!("{number:020}"));
            prop_assert!(candidates(&decimal, ReportIds::Hex).contains(&stored_id(&hex, ReportIds::Hex)));
            prop_assert!(candidates(&hex, ReportIds::Hex).contains(&stored_id(&decimal, ReportIds::Hex)));
        }

        #[test]
        fn any_text_is_read_without_a_panic(words in "\\PC{0,200}", class in any::<u8>(), state in any::<u8>()) {
            let tlvs = vec![Tlv { tag: tag::MESSAGE_STATE, value: vec![state] }];
            let _ = Receipt::read(&Deliver { esm_class: class, tlvs, ..text(&words) });
            let _ = Receipt::read(&Deliver { esm_class: class, ..text(&format!("id:{words} stat:{words}")) });
            let _ = candidates(&words, ReportIds::Hex);
        }
    }
}
