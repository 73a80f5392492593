//! From a text to the octets of its parts. The parts are those that were priced: [`crate::sms::text`] cuts the text.

use serde::{Deserialize, Serialize};

use super::gsm7;
use super::pdu::{Address, Tlv, tag};
use crate::sms::text::{self, Encoding};

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
    pub tlvs: Vec<Tlv>,
}

/// The parts of a text. `reference` is what the parts of one message have in common. `gsm7_coding` is the `data_coding` by
/// which the carrier knows its default alphabet: 0 for most.
pub fn parts(text: &str, long: LongMessages, reference: u8, gsm7_coding: u8) -> Vec<Part> {
    let text = text::normalise(text);
    let (encoding, pieces) = text::parts(&text);
    let data_coding = match encoding {
        Encoding::Gsm7 => gsm7_coding,
        Encoding::Ucs2 => UCS2,
    };
    let plain = |octets: Vec<u8>| Part {
        data_coding,
        short_message: octets,
        ..Part::default()
    };
    match u8::try_from(pieces.len()) {
        Ok(0 | 1) => vec![plain(octets(encoding, &[], &text))],
        Ok(total) if long != LongMessages::Payload => {
            let numbered = (1..=total).zip(pieces).map(|(number, piece)| match long {
                LongMessages::Sar => Part {
                    tlvs: sar(reference, total, number),
                    ..plain(octets(encoding, &[], piece))
                },
                LongMessages::Udh | LongMessages::Payload => Part {
                    esm_class: HAS_HEADER,
                    ..plain(octets(encoding, &[5, 0, 3, reference, total, number], piece))
                },
            });
            numbered.collect()
        }
        _ => {
            let payload = Tlv {
                tag: tag::MESSAGE_PAYLOAD,
                value: octets(encoding, &[], &text),
            };
            vec![Part {
                tlvs: vec![payload],
                ..plain(Vec::new())
            }]
        }
    }
}

fn octets(encoding: Encoding, header: &[u8], text: &str) -> Vec<u8> {
    let mut octets = Vec::with_capacity(header.len() + 2 * text.len());
    octets.extend_from_slice(header);
    match encoding {
        Encoding::Gsm7 => gsm7::encode(&mut octets, text),
        Encoding::Ucs2 => octets.extend(text.encode_utf16().flat_map(u16::to_be_bytes)),
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
