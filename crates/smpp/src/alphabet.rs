//! Alphabets: which one a `data_coding` names, which one an SMSC takes for its default, and the octets of texts in them.

use serde::Deserialize;

use super::gsm7;

/// What an SMSC takes text for whose `data_coding` names no alphabet, in both directions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum DefaultAlphabet {
    /// The GSM 7-bit alphabet, a septet in an octet.
    #[default]
    Gsm7,
    /// ISO-8859-1.
    Latin1,
    /// ASCII.
    Ia5,
}

impl DefaultAlphabet {
    /// Whether it has all characters of a text that is GSM-7.
    pub fn has(self, text: &str) -> bool {
        match self {
            DefaultAlphabet::Gsm7 => true,
            DefaultAlphabet::Latin1 => text.chars().all(|character| character <= '\u{FF}'),
            DefaultAlphabet::Ia5 => text.is_ascii(),
        }
    }

    /// Adds the octets of a text whose characters it [`has`](Self::has). Any other character becomes `?`.
    pub fn encode(self, out: &mut Vec<u8>, text: &str) {
        match self {
            DefaultAlphabet::Gsm7 => gsm7::encode(out, text),
            // ASCII is the first half of Latin-1.
            DefaultAlphabet::Latin1 | DefaultAlphabet::Ia5 => {
                out.extend(text.chars().map(|character| u8::try_from(character).unwrap_or(b'?')));
            }
        }
    }
}

/// How the octets of a text are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alphabet {
    /// The GSM 7-bit alphabet, a septet in an octet.
    Gsm7,
    /// ISO-8859-1, and ASCII, which is its first half.
    Latin1,
    /// UTF-16BE.
    Ucs2,
}

impl Alphabet {
    const ALL: [Alphabet; 3] = [Alphabet::Gsm7, Alphabet::Latin1, Alphabet::Ucs2];

    /// The alphabet of a `data_coding`: those of the protocol below 16, and the groups of TS 23.038 §4 above. What names none
    /// has the default one of the carrier.
    pub fn of(data_coding: u8, default: DefaultAlphabet) -> Alphabet {
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
            _ => match default {
                DefaultAlphabet::Gsm7 => Alphabet::Gsm7,
                DefaultAlphabet::Latin1 | DefaultAlphabet::Ia5 => Alphabet::Latin1,
            },
        }
    }

    /// The text of octets.
    pub fn text(self, octets: &[u8]) -> String {
        match self {
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

    /// Its name in a store.
    pub fn as_str(self) -> &'static str {
        match self {
            Alphabet::Gsm7 => "GSM7",
            Alphabet::Latin1 => "LATIN1",
            Alphabet::Ucs2 => "UCS2",
        }
    }

    /// The alphabet with this name.
    pub fn named(name: &str) -> Option<Alphabet> {
        Self::ALL.into_iter().find(|alphabet| alphabet.as_str() == name)
    }
}
