//! In which charset a gateway says that a text is. One that says nothing sends UTF-8.

use smpp::alphabet::Alphabet;

/// What the names of known charsets are, for those that send another one.
pub const KNOWN: &str = "UTF-8, UTF-16BE, UTF-16LE, ISO-8859-1, WINDOWS-1252, US-ASCII, GSM, 8-BIT";

/// How the octets of a text are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Charset {
    Utf8,
    /// The order of its octets is that of the mark that it begins with, if it has one.
    Utf16Be,
    Utf16Le,
    /// ISO-8859-1 and ASCII, too: it has their characters, and others only where they have control characters.
    Windows1252,
    Gsm7,
}

impl Charset {
    /// The charset with this name, however it is spelt.
    pub fn named(name: &str) -> Option<Charset> {
        let letters = name.chars().filter(char::is_ascii_alphanumeric);
        let name: String = letters.map(|letter| letter.to_ascii_lowercase()).collect();
        match name.as_str() {
            "utf8" => Some(Charset::Utf8),
            "utf16" | "utf16be" | "ucs2" | "ucs2be" | "iso10646ucs2" => Some(Charset::Utf16Be),
            "utf16le" | "ucs2le" => Some(Charset::Utf16Le),
            "windows1252" | "cp1252" | "iso88591" | "latin1" | "usascii" | "ascii" | "8bit" | "binary" => {
                Some(Charset::Windows1252)
            }
            "gsm" | "gsm7" | "gsm0338" => Some(Charset::Gsm7),
            _ => None,
        }
    }

    /// The text of octets.
    pub fn text(self, octets: &[u8]) -> String {
        match (self, octets) {
            (Charset::Utf16Be | Charset::Utf16Le, [0xFE, 0xFF, rest @ ..]) => Alphabet::Ucs2.text(rest),
            (Charset::Utf16Be | Charset::Utf16Le, [0xFF, 0xFE, rest @ ..]) => Alphabet::Ucs2.text(&swapped(rest)),
            (Charset::Utf16Be, _) => Alphabet::Ucs2.text(octets),
            (Charset::Utf16Le, _) => Alphabet::Ucs2.text(&swapped(octets)),
            (Charset::Utf8, _) => String::from_utf8_lossy(octets)
                .trim_start_matches('\u{FEFF}')
                .to_owned(),
            (Charset::Windows1252, _) => octets.iter().copied().map(windows_1252).collect(),
            (Charset::Gsm7, _) => Alphabet::Gsm7.text(octets),
        }
    }
}

/// The octets of each pair in the other order.
fn swapped(octets: &[u8]) -> Vec<u8> {
    octets.chunks(2).flat_map(|pair| pair.iter().rev().copied()).collect()
}

/// A character of Windows-1252: that of ISO-8859-1, but for 0x80 to 0x9F. The five that are not given out stay control characters.
fn windows_1252(octet: u8) -> char {
    const OTHERS: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}', '\u{90}', '‘',
        '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
    ];
    let other = octet.checked_sub(0x80).and_then(|at| OTHERS.get(usize::from(at)));
    other.copied().unwrap_or(char::from(octet))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_gateway_says_is_believed_however_it_is_spelt() {
        let (be, le) = (b"\x06\x33\x06\x44\x06\x27\x06\x45", b"\x33\x06\x44\x06\x27\x06\x45\x06");
        for name in ["UTF-16BE", "utf-16", "UCS-2", "ISO-10646-UCS-2"] {
            assert_eq!(Charset::named(name).unwrap().text(be), "سلام", "{name}");
        }
        for (name, octets, text) in [
            ("UTF-16LE", &le[..], "سلام"),
            ("UTF-16", b"\xFE\xFF\x06\x33", "س"),
            ("UTF-16", b"\xFF\xFE\x33\x06", "س"),
            ("UTF-16BE", b"\xD8\x3D\xDE\x42", "🙂"),
            ("UTF-16BE", b"\x06\x33\x06", "س\u{FFFD}"),
            ("utf8", "سلام".as_bytes(), "سلام"),
            ("ISO-8859-1", b"caf\xE9", "café"),
            ("WINDOWS-1252", b"5 \x80 \x93\xE9\x94", "5 € “é”"),
            ("US-ASCII", b"hi", "hi"),
            ("8-BIT", b"hi", "hi"),
            ("GSM", b"\x00\x11\x1B\x65", "@_€"),
        ] {
            assert_eq!(Charset::named(name).unwrap().text(octets), text, "{name}");
        }
        for name in KNOWN.split(", ") {
            assert!(Charset::named(name).is_some(), "{name}");
        }
        for name in ["", "%C", "UTF-7", "EBCDIC", "x"] {
            assert_eq!(Charset::named(name), None, "{name}");
        }
    }
}
