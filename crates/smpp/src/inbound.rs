//! Messages that come in: the place of a part in its message.

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
    let (place, octets) = match header(deliver, payload) {
        Some((header, octets)) => (place_in(header), octets),
        None => (None, payload),
    };
    Piece {
        place: place
            .or_else(|| sar(deliver))
            .filter(|place| place.total > 1 && place.is_possible()),
        octets,
    }
}

/// Splits the header off. Some carriers don't say that there is one: then what begins as the header of a part does is one. No text
/// begins like that: it would have control characters there.
fn header<'a>(deliver: &Deliver, payload: &'a [u8]) -> Option<(&'a [u8], &'a [u8])> {
    let split = split_header(payload)?;
    let is_said = deliver.esm_class & HAS_HEADER != 0;
    let is_one =
        || !split.1.is_empty() && has_elements(split.0) && place_in(split.0).is_some_and(|place| place.is_possible());
    (is_said || is_one()).then_some(split)
}

fn split_header(payload: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = payload.split_first()?;
    rest.split_at_checked(usize::from(*length))
}

/// Whether octets are elements of a header from the first to the last.
fn has_elements(mut header: &[u8]) -> bool {
    while let [_, length, rest @ ..] = header {
        match rest.split_at_checked(usize::from(*length)) {
            Some((_, next)) => header = next,
            None => return false,
        }
    }
    header.is_empty()
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
    let number = |tag| number(deliver.tlv(tag)?);
    let total = u8::try_from(number(tag::SAR_TOTAL_SEGMENTS)?).ok()?;
    let segment = u8::try_from(number(tag::SAR_SEGMENT_SEQNUM)?).ok()?;
    place(number(tag::SAR_MSG_REF_NUM)?, total, segment)
}

/// The number in an optional parameter. The protocol says how many octets each has, and not every carrier minds.
fn number(value: &[u8]) -> Option<u16> {
    match value {
        [low] => Some(u16::from(*low)),
        [high, low] => Some(u16::from_be_bytes([*high, *low])),
        _ => None,
    }
}

fn place(reference: u16, total: u8, number: u8) -> Option<Concatenation> {
    Some(Concatenation {
        reference,
        total,
        number,
    })
}

impl Concatenation {
    /// Whether a message of so many parts has this one.
    fn is_possible(&self) -> bool {
        (1..=self.total).contains(&self.number)
    }
}
