//! Delivery receipts: what a `deliver_sm` says about a message that was sent, in its text, in its optional parameters, or in
//! both.
//!
//! No carrier writes the text quite as the appendix of the protocol does. So its members are found by their names, in any
//! order and case; those that are missing are missing.

use std::fmt::{self, Display, Formatter};

use serde::{Deserialize, Serialize};

use super::inbound::piece;
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
    /// The id in the text, if the optional parameter names another one.
    pub other_id: Option<String>,
    /// What became of it.
    pub ending: Ending,
    /// The carrier's own words for it: state and error.
    pub code: String,
    /// Whether the state is one of the protocol's, or like one.
    pub has_known_state: bool,
    /// Whether the text and the optional parameters tell different ids or endings.
    pub is_contradictory: bool,
    /// Whether only the form of its text says that it is a receipt, and little of it: a person may have written this.
    pub is_doubtful: bool,
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
    /// Reads a receipt. `None`: the PDU is none, or names no message.
    pub fn read(deliver: &Deliver) -> Option<Receipt> {
        let kind = deliver.esm_class & KIND;
        let in_tlv = deliver.tlv(tag::RECEIPTED_MESSAGE_ID).map(id_of);
        let has_class = kind == RECEIPT || OTHERS.contains(&kind) || in_tlv.is_some();
        let text = words(piece(deliver).octets);
        let fields = Fields::of(&text);
        if !has_class && !fields.has_form() {
            return None;
        }
        let in_text = fields.get("id").map(clip);
        let in_tlv = in_tlv.filter(|id| !id.is_empty());
        let id = in_tlv.or_else(|| in_text.clone())?;
        let other_id = in_text.filter(|other| *other != id);
        let error = error_of(deliver, &fields);
        let number = error.as_ref().map_or(0, NetworkError::number);
        let (state, tells_two_endings) = state_of(deliver, &fields, number);
        Some(Receipt {
            ending: ending(state.unwrap_or_default(), number),
            code: match error {
                Some(error) => format!("{} {error}", clip(state.unwrap_or("UNKNOWN"))),
                None => clip(state.unwrap_or("UNKNOWN")),
            },
            has_known_state: state.is_some_and(is_known),
            is_contradictory: tells_two_endings || other_id.is_some(),
            is_doubtful: !has_class && !fields.is_usual() && !is_bare(&text),
            taken_ms: fields.get("submit date").and_then(time),
            text: beginning(&text),
            id,
            other_id,
        })
    }
}

/// Whether a text is an id and a state of the protocol's, both as a carrier writes them, and nothing that is not a receipt's.
fn is_bare(text: &str) -> bool {
    let fields: Option<Vec<(&str, &str)>> = text
        .trim_end_matches('\0')
        .split_whitespace()
        .map(|word| word.split_once(':').filter(|(_, value)| !value.is_empty()))
        .collect();
    let fields = fields.unwrap_or_default();
    let has_state = fields
        .iter()
        .any(|(name, state)| *name == "stat" && (0..=9).filter_map(state_name).any(|known| known == *state));
    fields.first().is_some_and(|(name, _)| *name == "id")
        && has_state
        && fields.iter().all(|(name, _)| NAMES.contains(name))
}

/// The text of a receipt. Most carriers write it in ASCII, whatever `data_coding` says; some write UTF-16, of which each octet of
/// an ASCII character is followed or preceded by a zero.
fn words(octets: &[u8]) -> String {
    let units = |read: fn([u8; 2]) -> u16| {
        let units = octets.chunks_exact(2).filter_map(|unit| unit.try_into().ok()).map(read);
        char::decode_utf16(units)
            .map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect::<String>()
    };
    // The text of the message that a receipt repeats may be of any letters. A zero alone ends a text.
    let has_zeros = |place: usize| {
        let zeros = octets.iter().skip(place).step_by(2).filter(|octet| **octet == 0);
        zeros.count().saturating_mul(8) > octets.len()
    };
    if has_zeros(0) {
        units(u16::from_be_bytes)
    } else if has_zeros(1) {
        units(u16::from_le_bytes)
    } else {
        octets.iter().map(|octet| char::from(*octet)).collect()
    }
}

/// The state that a receipt tells, and whether its text and its parameter tell two endings. A state that is an ending goes before
/// one that is none, and the parameter goes before the text.
fn state_of<'a>(deliver: &Deliver, fields: &Fields<'a>, error: u32) -> (Option<&'a str>, bool) {
    let in_tlv = deliver
        .tlv(tag::MESSAGE_STATE)
        .and_then(<[u8]>::first)
        .and_then(|state| state_name(*state));
    let in_text = fields.get("stat");
    let is_ending = |state: &&str| ending(state, error) != Ending::Pending;
    match (in_tlv.filter(is_ending), in_text.filter(is_ending)) {
        (Some(one), Some(other)) => (Some(one), !is_alike(ending(one, error), ending(other, error))),
        (one, other) => (
            one.or(other)
                .or(in_text.filter(|state| is_known(state)))
                .or(in_tlv)
                .or(in_text),
            false,
        ),
    }
}

/// Whether two endings are of the same kind.
fn is_alike(one: Ending, other: Ending) -> bool {
    std::mem::discriminant(&one) == std::mem::discriminant(&other)
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
    let state = state.to_ascii_uppercase();
    ending(&state, 0) != Ending::Pending || ON_THE_WAY.iter().any(|begin| state.starts_with(begin))
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

/// Characters that are kept of an error.
const ERROR_CHARS: usize = 12;

/// The error that a receipt tells.
enum NetworkError {
    Number(u32),
    /// What is no decimal number, in the carrier's own form.
    Other(String),
}

impl NetworkError {
    fn of(text: &str) -> Self {
        let plain = text.chars().filter(char::is_ascii_graphic).take(ERROR_CHARS);
        text.parse()
            .map_or_else(|_| NetworkError::Other(plain.collect()), NetworkError::Number)
    }

    /// The number, if it is certain what it is: 0 otherwise.
    fn number(&self) -> u32 {
        match self {
            NetworkError::Number(number) => *number,
            NetworkError::Other(text) => {
                let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
                let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
                number.unwrap_or(0)
            }
        }
    }
}

impl Display for NetworkError {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            NetworkError::Number(number) => write!(formatter, "{number:03}"),
            NetworkError::Other(text) => formatter.write_str(text),
        }
    }
}

/// The error of the optional parameter, or that of the text if the parameter tells none.
fn error_of(deliver: &Deliver, fields: &Fields<'_>) -> Option<NetworkError> {
    let in_tlv = match deliver.tlv(tag::NETWORK_ERROR_CODE) {
        Some([_, high, low, ..]) => Some(u32::from(u16::from_be_bytes([*high, *low]))),
        _ => None,
    };
    let in_text = fields.get("err").map(NetworkError::of);
    match in_tlv {
        Some(error) if error != 0 || in_text.is_none() => Some(NetworkError::Number(error)),
        _ => in_text,
    }
}

/// The members of a receipt's text: `name:value`, with blanks in between.
struct Fields<'a>(Vec<(String, &'a str)>);

/// The names that a receipt's text has. Two of them have a blank, `text` is the last one.
const NAMES: [&str; 8] = ["id", "sub", "dlvrd", "submit date", "done date", "stat", "err", "text"];

impl<'a> Fields<'a> {
    fn of(text: &'a str) -> Self {
        let text = text.trim_end_matches('\0');
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
                    let value = value.trim_end_matches([',', ';']).trim_matches(['"', '\'']);
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

    /// Whether the text may be a receipt: it names a message and a state that carriers have.
    fn has_form(&self) -> bool {
        self.get("id").is_some() && self.get("stat").is_some_and(is_known)
    }

    /// Whether the text has so much of the form that only a carrier writes it.
    fn is_usual(&self) -> bool {
        const OF_CARRIERS: [&str; 5] = ["sub", "dlvrd", "submit date", "done date", "err"];
        let has_digit = |name: &str| {
            self.get(name)
                .is_some_and(|value| value.starts_with(|c: char| c.is_ascii_digit()))
        };
        self.has_form() && OF_CARRIERS.iter().filter(|name| has_digit(name)).count() >= 2
    }
}

/// The name of a state of the protocol, as it stands in texts.
fn state_name(state: u8) -> Option<&'static str> {
    Some(match state {
        0 => "SCHEDULED",
        1 => "ENROUTE",
        2 => "DELIVRD",
        3 => "EXPIRED",
        4 => "DELETED",
        5 => "UNDELIV",
        6 => "ACCEPTD",
        7 => "UNKNOWN",
        8 => "REJECTD",
        9 => "SKIPPED",
        _ => return None,
    })
}

/// What a state means, with the error that came with it. Its words decide, so `DELIVERY_FAILED` is no `DELIVERED`. A state that
/// nobody knows is no ending: the message's time limit ends it.
fn ending(state: &str, error: u32) -> Ending {
    let state = state.to_ascii_uppercase();
    let begins = |begin: &str| {
        state
            .split(|letter: char| !letter.is_alphanumeric())
            .any(|word| word.starts_with(begin))
    };
    if begins("REJEC") {
        Ending::Undelivered(match meaning(error) {
            SmscError::Carrier => SmscError::Blocked,
            other => other,
        })
    } else if begins("EXPIR") {
        Ending::Expired
    } else if ["UNDEL", "DELET", "FAIL", "SKIPP", "NOT", "ERR"]
        .into_iter()
        .any(begins)
    {
        Ending::Undelivered(meaning(error))
    } else if is_delivered(&state) {
        Ending::Delivered
    } else {
        Ending::Pending
    }
}

/// Whether a state, in capital letters, begins with `DELIVERED` or a shorter form of it, but not with `DELIVERY`.
fn is_delivered(state: &str) -> bool {
    let word = state
        .split(|letter: char| !letter.is_alphanumeric())
        .next()
        .unwrap_or_default();
    word == "DELIV" || (word.starts_with("DELIV") && word.ends_with('D'))
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
        ReportIds::AsIs => in_any_case(id.trim()),
        ReportIds::Decimal => vec![bare],
        ReportIds::Hex => {
            let as_hex = bare.parse::<u128>().ok().map(|number| format!("{number:x}"));
            let as_decimal = u128::from_str_radix(&bare, 16).ok().map(|number| number.to_string());
            as_hex.into_iter().chain(as_decimal).chain([bare]).collect()
        }
    }
}

/// An id as it is, in small and in capital letters: carriers count with letters of both cases, so the id as it is goes first.
fn in_any_case(id: &str) -> Vec<String> {
    let mut forms = vec![id.to_owned()];
    for other in [id.to_ascii_lowercase(), id.to_ascii_uppercase()] {
        if !forms.contains(&other) {
            forms.push(other);
        }
    }
    forms
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
    use crate::pdu::Tlv;

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
                "UNDELIV 9xz",
            ),
            (
                "id:7 stat:UNDELIV err:21b",
                "7",
                Ending::Undelivered(SmscError::Carrier),
                "UNDELIV 21b",
            ),
            (
                "id:7 stat:UNDELIV err:E02",
                "7",
                Ending::Undelivered(SmscError::Carrier),
                "UNDELIV E02",
            ),
            (
                "id:7 stat:UNDELIV err:0x1b",
                "7",
                Ending::Undelivered(SmscError::AbsentSubscriber),
                "UNDELIV 0x1b",
            ),
            (
                "id:7 stat:UNDELIV err:a-very-long-code",
                "7",
                Ending::Undelivered(SmscError::Carrier),
                "UNDELIV a-very-long-",
            ),
            (
                "id:7 stat:DELIVERY_FAILED",
                "7",
                Ending::Undelivered(SmscError::Carrier),
                "DELIVERY_FAILED",
            ),
            ("id:7 stat:DELIVERY_EXPIRED", "7", Ending::Expired, "DELIVERY_EXPIRED"),
            (
                "id:7 stat:NOT_DELIVERED",
                "7",
                Ending::Undelivered(SmscError::Carrier),
                "NOT_DELIVERED",
            ),
            ("id:7 stat:Delivery", "7", Ending::Pending, "Delivery"),
            ("id:7 stat:DELIVERD", "7", Ending::Delivered, "DELIVERD"),
            (
                "id:7 stat:DELIVERED_TO_HANDSET",
                "7",
                Ending::Delivered,
                "DELIVERED_TO_HANDSET",
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

    fn tlv(tag: u16, value: &[u8]) -> Tlv {
        let value = value.to_vec();
        Tlv { tag, value }
    }

    /// A text as UTF-16, in one of the two orders of octets.
    fn utf_16(text: &str, octets: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(octets).collect()
    }

    const USUAL: &str =
        "id:ab7 sub:001 dlvrd:001 submit date:2601011200 done date:2601011201 stat:UNDELIV err:027 text:";

    #[test]
    fn a_text_in_utf_16_is_read_wherever_it_stands_and_whatever_the_coding_says() {
        let absent = Ending::Undelivered(SmscError::AbsentSubscriber);
        let words = format!("{USUAL}سلام، کد شما");
        let in_utf_16 = [utf_16(&words, u16::to_be_bytes), utf_16(&words, u16::to_le_bytes)];
        let mut odd = utf_16(USUAL, u16::to_be_bytes);
        odd.push(0);
        let ended = format!("{USUAL}\0").into_bytes();
        for octets in in_utf_16.into_iter().chain([odd, ended, USUAL.as_bytes().to_vec()]) {
            for data_coding in [0, 8] {
                let in_message = Deliver {
                    data_coding,
                    short_message: octets.clone(),
                    ..text("")
                };
                assert_read(&in_message, "ab7", absent, "UNDELIV 027");
                let tlvs = vec![tlv(tag::MESSAGE_PAYLOAD, &octets)];
                assert_read(
                    &Deliver {
                        data_coding,
                        tlvs,
                        ..text("")
                    },
                    "ab7",
                    absent,
                    "UNDELIV 027",
                );
                let tlvs = vec![tlv(tag::RECEIPTED_MESSAGE_ID, b"cd8\0")];
                assert_read(&Deliver { tlvs, ..in_message }, "cd8", absent, "UNDELIV 027");
            }
        }
    }

    #[test]
    fn the_more_definite_of_two_states_counts_and_two_endings_contradict() {
        let read = |state: u8, words: &str| {
            let tlvs = vec![
                tlv(tag::RECEIPTED_MESSAGE_ID, b"7\0"),
                tlv(tag::MESSAGE_STATE, &[state]),
            ];
            let receipt = Receipt::read(&Deliver { tlvs, ..text(words) }).unwrap();
            (receipt.ending, receipt.is_contradictory, receipt.has_known_state)
        };
        for state in [0, 1, 6, 7, 0x32] {
            assert_eq!(
                read(state, "id:7 stat:DELIVRD"),
                (Ending::Delivered, false, true),
                "{state}"
            );
            assert_eq!(
                read(state, "id:7 stat:EXPIRED"),
                (Ending::Expired, false, true),
                "{state}"
            );
            assert_eq!(read(state, ""), (Ending::Pending, false, state != 0x32), "{state}");
        }
        for words in ["id:7 stat:ENROUTE", "id:7 stat:NONSENSE", "id:7"] {
            assert_eq!(read(2, words), (Ending::Delivered, false, true), "{words}");
        }
        let carrier = Ending::Undelivered(SmscError::Carrier);
        assert_eq!(read(5, "id:7 stat:DELIVRD"), (carrier, true, true));
        assert_eq!(read(2, "id:7 stat:UNDELIV"), (Ending::Delivered, true, true));
        assert_eq!(read(5, "id:7 stat:DELETED err:0"), (carrier, false, true));
    }

    #[test]
    fn an_error_of_zero_hides_none_and_two_ids_are_both_told() {
        let tlvs = vec![
            tlv(tag::NETWORK_ERROR_CODE, &[3, 0, 0]),
            tlv(tag::RECEIPTED_MESSAGE_ID, b"wrong\0"),
        ];
        let receipt = Receipt::read(&Deliver { tlvs, ..text(USUAL) }).unwrap();
        assert_eq!(receipt.ending, Ending::Undelivered(SmscError::AbsentSubscriber));
        assert_eq!(
            (receipt.id.as_str(), receipt.other_id.as_deref()),
            ("wrong", Some("ab7"))
        );
        assert!(receipt.is_contradictory);
        let tlvs = vec![tlv(tag::NETWORK_ERROR_CODE, &[3, 0, 0])];
        assert_read(
            &Deliver {
                tlvs,
                ..text("id:7 stat:UNDELIV")
            },
            "7",
            Ending::Undelivered(SmscError::Carrier),
            "UNDELIV 000",
        );
    }

    #[test]
    fn without_a_class_the_form_of_the_text_says_what_is_a_receipt() {
        let read = |words: &str| {
            let receipt = Receipt::read(&Deliver {
                esm_class: 0,
                ..text(words)
            });
            receipt.map(|receipt| receipt.is_doubtful)
        };
        assert_eq!(read(USUAL), Some(false));
        assert_eq!(read("id:7 dlvrd:001 stat:DELIVRD err:000"), Some(false));
        assert_eq!(read("id:7 stat:DELIVRD"), Some(false));
        for words in [
            "id:7 stat:delivered",
            "id:7 stat:DELIVRD thanks",
            "my id:7 stat:DELIVRD",
            "stat:DELIVRD id:7",
        ] {
            assert_eq!(read(words), Some(true), "{words}");
        }
        assert_eq!(read("my id: 7, stat: delivered, sub: none, err: no"), Some(true));
        for words in [
            "id:7 stat:fine",
            "stat:DELIVRD err:000 sub:001",
            "id:7 sub:001 dlvrd:001 err:000",
            "سلام",
        ] {
            assert_eq!(read(words), None, "{words}");
        }
    }

    #[test]
    fn what_names_no_message_is_not_read() {
        assert_eq!(Receipt::read(&text("stat:DELIVRD")), None);
        assert_eq!(Receipt::read(&text("")), None);
    }

    #[test]
    fn ids_of_responses_and_receipts_meet() {
        let pairs = [
            ("  7f ", "7f", ReportIds::AsIs),
            ("AB-7f", "AB-7f", ReportIds::AsIs),
            ("AB-7F", "ab-7f", ReportIds::AsIs),
            ("ab-7f", "AB-7F", ReportIds::AsIs),
            ("Ab-7F", "aB-7f", ReportIds::Decimal),
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
        assert_eq!(candidates("aB", ReportIds::AsIs), ["aB", "ab", "AB"]);
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
