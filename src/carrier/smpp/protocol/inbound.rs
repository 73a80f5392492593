//! Messages that come in: the place of a part in its message, and the text of octets.

use super::gsm7;
use super::pdu::{Deliver, tag};

/// The bit of `esm_class` that says that the text begins with a header.
const HAS_HEADER: u8 = 0x40;

/// The place of a part in a long message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Concatenation {
    /// What the parts of a message have in common.
    pub reference: u16,
    /// How many there are.
    pub total: u8,
    /// Which one this is, from 1.
    pub number: u8,
}

/// The text of a `deliver_sm`, without its header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece<'a> {
    /// Its place, if it is a part of a long message.
    pub place: Option<Concatenation>,
    /// Its octets.
    pub octets: &'a [u8],
}

/// Takes a `deliver_sm` apart. A header that can't be read is left out, so that nobody gets it as text.
pub fn piece(deliver: &Deliver) -> Piece<'_> {
    let payload = deliver.payload();
    let header = (deliver.esm_class & HAS_HEADER != 0)
        .then(|| split_header(payload))
        .flatten();
    let (place, octets) = match header {
        Some((header, octets)) => (place_in(header), octets),
        None => (None, payload),
    };
    Piece {
        place: place.or_else(|| sar(deliver)).filter(is_possible),
        octets,
    }
}

fn split_header(payload: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = payload.split_first()?;
    rest.split_at_checked(usize::from(*length))
}

/// Looks for the element of a header that tells the place: 0x00 with a reference of one octet, 0x08 with one of two.
fn place_in(mut header: &[u8]) -> Option<Concatenation> {
    loop {
        let (element, rest) = header.split_first()?;
        let (length, rest) = rest.split_first()?;
        let (value, rest) = rest.split_at_checked(usize::from(*length))?;
        match (*element, value) {
            (0x00, [reference, total, number]) => return place(u16::from(*reference), *total, *number),
            (0x08, [high, low, total, number]) => return place(u16::from_be_bytes([*high, *low]), *total, *number),
            _ => header = rest,
        }
    }
}

fn sar(deliver: &Deliver) -> Option<Concatenation> {
    let reference = match deliver.tlv(tag::SAR_MSG_REF_NUM)? {
        [high, low] => u16::from_be_bytes([*high, *low]),
        _ => return None,
    };
    let total = deliver.tlv(tag::SAR_TOTAL_SEGMENTS)?.first()?;
    let number = deliver.tlv(tag::SAR_SEGMENT_SEQNUM)?.first()?;
    place(reference, *total, *number)
}

fn place(reference: u16, total: u8, number: u8) -> Option<Concatenation> {
    Some(Concatenation {
        reference,
        total,
        number,
    })
}

fn is_possible(place: &Concatenation) -> bool {
    place.total > 1 && (1..=place.total).contains(&place.number)
}

/// The text of octets. What `data_coding` does not name is read as the default alphabet of the carrier, GSM-7.
pub fn text(data_coding: u8, octets: &[u8]) -> String {
    match alphabet(data_coding) {
        Alphabet::Gsm7 => gsm7::decode(octets),
        Alphabet::Latin1 => octets.iter().map(|octet| char::from(*octet)).collect(),
        Alphabet::Ucs2 => {
            let units = octets.chunks(2).map(|unit| match unit {
                [high, low] => u16::from_be_bytes([*high, *low]),
                _ => 0xFFFD,
            });
            char::decode_utf16(units)
                .map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER))
                .collect()
        }
    }
}

enum Alphabet {
    Gsm7,
    Latin1,
    Ucs2,
}

/// The alphabet of a `data_coding`: those of the protocol below 16, and the groups of TS 23.038 §4 above.
fn alphabet(data_coding: u8) -> Alphabet {
    match data_coding {
        0x08 => Alphabet::Ucs2,
        // ASCII, two forms of octets, Latin-1.
        0x01..=0x04 => Alphabet::Latin1,
        // General groups: two bits name the alphabet.
        0x10..=0x7F if data_coding & 0x0C == 0x08 => Alphabet::Ucs2,
        0x10..=0x7F if data_coding & 0x0C == 0x04 => Alphabet::Latin1,
        // A message that waits, in UCS-2.
        0xE0..=0xEF => Alphabet::Ucs2,
        // Octets with a class.
        0xF0..=0xFF if data_coding & 0x04 != 0 => Alphabet::Latin1,
        _ => Alphabet::Gsm7,
    }
}
