//! The GSM 7-bit default alphabet as SMPP carries it: one septet in an octet.
//!
//! Source: 3GPP TS 23.038 §6.2.1 and §6.2.1.1. Which characters the alphabet has is decided in [`sms::text`]; a test
//! holds this table against it.

/// The escape to the extension table.
const ESCAPE: u8 = 0x1B;

/// The default alphabet, 0x00 to 0x7F. The escape stands for itself.
const ALPHABET: [char; 128] = [
    '@', '£', '$', '¥', 'è', 'é', 'ù', 'ì', 'ò', 'Ç', '\n', 'Ø', 'ø', '\r', 'Å', 'å', 'Δ', '_', 'Φ', 'Γ', 'Λ', 'Ω',
    'Π', 'Ψ', 'Σ', 'Θ', 'Ξ', '\u{1B}', 'Æ', 'æ', 'ß', 'É', ' ', '!', '"', '#', '¤', '%', '&', '\'', '(', ')', '*', '+',
    ',', '-', '.', '/', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', ':', ';', '<', '=', '>', '?', '¡', 'A', 'B',
    'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L', 'M', 'N', 'O', 'P', 'Q', 'R', 'S', 'T', 'U', 'V', 'W', 'X', 'Y',
    'Z', 'Ä', 'Ö', 'Ñ', 'Ü', '§', '¿', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o', 'p',
    'q', 'r', 's', 't', 'u', 'v', 'w', 'x', 'y', 'z', 'ä', 'ö', 'ñ', 'ü', 'à',
];

/// The extension table: the septet after the escape, and its character.
const EXTENSION: [(u8, char); 10] = [
    (0x0A, '\u{0C}'),
    (0x14, '^'),
    (0x28, '{'),
    (0x29, '}'),
    (0x2F, '\\'),
    (0x3C, '['),
    (0x3D, '~'),
    (0x3E, ']'),
    (0x40, '|'),
    (0x65, '€'),
];

/// Adds the septets of a text. A character that the alphabet does not have becomes `?`.
pub fn encode(out: &mut Vec<u8>, text: &str) {
    for character in text.chars() {
        if character.is_ascii_alphanumeric() || matches!(character, ' ' | '\n' | '%'..='?') {
            // These septets are those of ASCII.
            out.push(u8::try_from(character).unwrap_or(b'?'));
        } else if let Some((septet, _)) = EXTENSION.iter().find(|(_, listed)| *listed == character) {
            out.extend([ESCAPE, *septet]);
        } else {
            let place = ALPHABET
                .iter()
                .position(|listed| *listed == character && character != '\u{1B}');
            out.push(place.and_then(|at| u8::try_from(at).ok()).unwrap_or(b'?'));
        }
    }
}

/// The text of septets. After an escape, a septet that the extension table does not have is read as one of the alphabet, as
/// the standard says; an octet that is no septet becomes U+FFFD.
pub fn decode(octets: &[u8]) -> String {
    let mut text = String::with_capacity(octets.len());
    let mut is_escaped = false;
    for octet in octets {
        let extended = EXTENSION.iter().find(|(septet, _)| is_escaped && septet == octet);
        let plain = ALPHABET.get(usize::from(*octet)).copied();
        if *octet == ESCAPE && !is_escaped {
            is_escaped = true;
            continue;
        }
        is_escaped = false;
        text.push(extended.map_or(plain.unwrap_or(char::REPLACEMENT_CHARACTER), |(_, listed)| *listed));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use sms::text::{Encoding, segment};

    #[test]
    fn each_character_of_the_alphabet_survives_and_no_other_is_in_it() {
        for character in '\0'..=char::MAX {
            let text = character.to_string();
            let mut octets = Vec::new();
            encode(&mut octets, &text);
            // Line ends are normalised before they are sent.
            if segment(&text).encoding == Encoding::Gsm7 && character != '\r' {
                assert_eq!(decode(&octets), text, "{character:?}");
                assert_eq!(
                    octets.len(),
                    usize::try_from(segment(&text).units).unwrap(),
                    "{character:?}"
                );
            } else if character != '\r' {
                assert_eq!(octets, b"?", "{character:?}");
            }
        }
    }

    #[test]
    fn septets_of_the_standard() {
        let mut octets = Vec::new();
        encode(&mut octets, "@£ Δ{€}ñà");
        assert_eq!(
            octets,
            [0x00, 0x01, 0x20, 0x10, 0x1B, 0x28, 0x1B, 0x65, 0x1B, 0x29, 0x7D, 0x7F]
        );
        assert_eq!(decode(&[0x1B, 0x61, 0x1B, 0x1B, 0x80]), "a\u{1B}\u{FFFD}");
    }
}
