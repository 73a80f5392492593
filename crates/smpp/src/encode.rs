//! From a text to the octets of its parts. [`sms::text`] cuts the text, so the parts are those that are counted and priced by it.

use serde::{Deserialize, Serialize};
use sms::text::{self, Encoding};

use super::alphabet::DefaultAlphabet;
use super::pdu::{Address, Tlv, tag};

/// `data_coding` of UCS-2.
const UCS2: u8 = 8;
/// `esm_class`: the text begins with a header.
const HAS_HEADER: u8 = 0x40;

/// How a long message travels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum LongMessages {
    /// In parts that each begin with a header (UDH).
    #[default]
    Udh,
    /// In one PDU with `message_payload`; the carrier cuts it.
    Payload,
    /// In parts that optional parameters number (SAR).
    Sar,
}

/// One part as `submit_sm` carries it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// What `short_message` is.
    pub esm_class: u8,
    /// How the text is encoded.
    pub data_coding: u8,
    /// The text.
    pub short_message: Vec<u8>,
    /// The optional parameters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tlvs: Vec<Tlv>,
}

/// How a carrier takes a text that is GSM-7.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DefaultCoding {
    /// The alphabet that it takes such a text for.
    pub alphabet: DefaultAlphabet,
    /// The `data_coding` by which it knows this alphabet: 0 for most.
    pub data_coding: u8,
}

/// The parts of a text. `reference` is what the parts of one message have in common.
///
/// A text of GSM-7 with a character that the carrier's own alphabet lacks is sent in UCS-2, so that its reader gets this
/// character. It may take more parts than were priced then.
pub fn parts(text: &str, long: LongMessages, reference: u8, default: DefaultCoding) -> Vec<Part> {
    let text = text::normalise(text);
    let alphabet = match text::segment(&text).encoding {
        Encoding::Gsm7 if default.alphabet.has(&text) => Some(default.alphabet),
        Encoding::Gsm7 | Encoding::Ucs2 => None,
    };
    let (encoding, data_coding) = match alphabet {
        Some(_) => (Encoding::Gsm7, default.data_coding),
        None => (Encoding::Ucs2, UCS2),
    };
    let pieces = text::parts_in(&text, encoding);
    let octets = |header: &[u8], text: &str| octets(alphabet, header, text);
    let plain = |octets: Vec<u8>| Part {
        data_coding,
        short_message: octets,
        ..Part::default()
    };
    match u8::try_from(pieces.len()) {
        Ok(0 | 1) => vec![plain(octets(&[], &text))],
        Ok(total) if long != LongMessages::Payload => {
            let numbered = (1..=total).zip(pieces).map(|(number, piece)| match long {
                LongMessages::Sar => Part {
                    tlvs: sar(reference, total, number),
                    ..plain(octets(&[], piece))
                },
                LongMessages::Udh | LongMessages::Payload => Part {
                    esm_class: HAS_HEADER,
                    ..plain(octets(&[5, 0, 3, reference, total, number], piece))
                },
            });
            numbered.collect()
        }
        _ => {
            let payload = Tlv {
                tag: tag::MESSAGE_PAYLOAD,
                value: octets(&[], &text),
            };
            vec![Part {
                tlvs: vec![payload],
                ..plain(Vec::new())
            }]
        }
    }
}

/// The octets of a text in an alphabet of the carrier, or else in UCS-2.
fn octets(alphabet: Option<DefaultAlphabet>, header: &[u8], text: &str) -> Vec<u8> {
    let mut octets = Vec::with_capacity(header.len() + 2 * text.len());
    octets.extend_from_slice(header);
    match alphabet {
        Some(alphabet) => alphabet.encode(&mut octets, text),
        None => octets.extend(text.encode_utf16().flat_map(u16::to_be_bytes)),
    }
    octets
}

fn sar(reference: u8, total: u8, number: u8) -> Vec<Tlv> {
    let tlv = |tag, value: Vec<u8>| Tlv { tag, value };
    vec![
        tlv(tag::SAR_MSG_REF_NUM, vec![0, reference]),
        tlv(tag::SAR_TOTAL_SEGMENTS, vec![total]),
        tlv(tag::SAR_SEGMENT_SEQNUM, vec![number]),
    ]
}

/// Digits of a sender that is a short code of a country, at most.
const SHORT_CODE_DIGITS: usize = 8;

/// The address of a sender. Its type follows from what it is, unless the settings name one: letters are alphanumeric (5/0),
/// a number with a country code is international (1/1), a short number is one of the country (3/1).
pub fn sender(line: &str, ton: Option<u8>, npi: Option<u8>) -> Address {
    let number = line.strip_prefix('+').unwrap_or(line);
    let (own_ton, own_npi) = if !number.bytes().all(|octet| octet.is_ascii_digit()) {
        (5, 0)
    } else if number.len() <= SHORT_CODE_DIGITS {
        (3, 1)
    } else {
        (1, 1)
    };
    Address {
        ton: ton.unwrap_or(own_ton),
        npi: npi.unwrap_or(own_npi),
        number: number.to_owned(),
    }
}

/// A time from now in the relative format of the protocol: years, months, days, hours, minutes, seconds. The empty text lets
/// the carrier decide.
pub fn validity(seconds: Option<u32>) -> String {
    let Some(seconds) = seconds.filter(|seconds| *seconds > 0) else {
        return String::new();
    };
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // A month of the format has no fixed length; what is 30 days or longer is written in days as far as they go.
    let days = days.min(99);
    format!(
        "0000{days:02}{:02}{:02}{:02}000R",
        rest / 3_600,
        rest / 60 % 60,
        rest % 60
    )
}
