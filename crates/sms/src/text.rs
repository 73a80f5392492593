//! The encoding of a text and the number of parts that it is sent in.
//!
//! Only this module decides both: the price, the limit on parts and the carriers use [`segment`]. The invariant: no
//! part holds more than the air interface carries, and no escape pair or surrogate pair is split between two parts. So
//! [`segment`] fills the parts one after another, as a carrier cuts the text. Dividing the length by the size of a part
//! would give too few parts when a pair does not fit at the end of a part.
//!
//! Sources: 3GPP TS 23.038 §6.2.1 (default alphabet) and §6.2.1.1 (extension table); TS 23.040 §9.2.3.16 (140 octets of
//! user data) and §9.2.3.24.1 (the header of six octets in each concatenated part).

use std::borrow::Cow;

/// The septets that a message of one part holds: 140 octets of 8 bits are 160 septets of 7 bits.
const GSM7_SINGLE: u32 = 160;
/// The septets that each of several parts holds. The header of six octets takes the room of seven septets.
const GSM7_PART: u32 = 153;
/// The UTF-16 units that a message of one part holds.
const UCS2_SINGLE: u32 = 70;
/// The UTF-16 units that each of several parts holds.
const UCS2_PART: u32 = 67;

/// The encoding of a text on the air.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// The GSM 7-bit default alphabet with its extension table (TS 23.038 §6.2.1). Its unit is the septet.
    Gsm7,
    /// UCS-2 (TS 23.038 §6.2.3). Its unit is the UTF-16 unit. In practice it is UTF-16: surrogate pairs are sent and
    /// shown.
    Ucs2,
}

impl Encoding {
    /// Returns the name of the encoding in the API: `GSM7` or `UCS2`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Gsm7 => "GSM7",
            Self::Ucs2 => "UCS2",
        }
    }
}

/// A text with its encoding and parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measured {
    /// The text, with normalised line ends.
    pub text: String,
    /// Its encoding and parts.
    pub segmentation: Segmentation,
}

impl Measured {
    /// Measures a text.
    pub fn of(text: String) -> Self {
        let segmentation = segment(&text);
        Measured { text, segmentation }
    }
}

/// The result of [`segment`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segmentation {
    /// The encoding of the whole text. All parts have the same encoding.
    pub encoding: Encoding,
    /// The number of parts, at least 1.
    pub parts: u32,
    /// The length of the text: in septets, of which an extension character takes 2, or in UTF-16 units.
    pub units: u32,
}

/// Computes the encoding, the parts and the length of a text.
///
/// The encoding is GSM-7 if every character is in the default alphabet or the extension table, and UCS-2 otherwise.
/// `\r\n` and `\r` count as one `\n`, so a text and its [`normalise`]d form have the same segmentation. U+000C is the
/// page break of the extension table and takes two septets. U+001B is the escape to that table and not a character, so
/// a text with U+001B is UCS-2. The empty text is one GSM-7 part of 0 units, because sending it would take one message.
pub fn segment(text: &str) -> Segmentation {
    let mut septets = Fill::new(GSM7_SINGLE, GSM7_PART);
    let mut units = Fill::new(UCS2_SINGLE, UCS2_PART);
    let mut is_gsm7 = true;
    let mut after_return = false;
    for character in text.chars() {
        let ends_line_twice = after_return && character == '\n';
        after_return = character == '\r';
        if ends_line_twice {
            continue;
        }
        units.add(if character > '\u{FFFF}' { 2 } else { 1 });
        if is_gsm7 {
            match septets_of(character) {
                Some(needed) => septets.add(needed),
                None => is_gsm7 = false,
            }
        }
    }
    if is_gsm7 {
        septets.finish(Encoding::Gsm7)
    } else {
        units.finish(Encoding::Ucs2)
    }
}

/// Cuts a [`normalise`]d text into the parts that it is sent in: as many as [`segment`] counts.
pub fn parts(text: &str) -> (Encoding, Vec<&str>) {
    let encoding = segment(text).encoding;
    (encoding, parts_in(text, encoding))
}

/// Cuts a [`normalise`]d text into its parts in an encoding that has its characters.
pub fn parts_in(text: &str, encoding: Encoding) -> Vec<&str> {
    let mut fill = match encoding {
        Encoding::Gsm7 => Fill::new(GSM7_SINGLE, GSM7_PART),
        Encoding::Ucs2 => Fill::new(UCS2_SINGLE, UCS2_PART),
    };
    let (mut pieces, mut start) = (Vec::new(), 0);
    for (at, character) in text.char_indices() {
        let begun = fill.parts;
        fill.add(width(character, encoding));
        if fill.parts > begun {
            pieces.extend(text.get(start..at));
            start = at;
        }
    }
    pieces.extend(text.get(start..));
    if fill.finish(encoding).parts <= 1 {
        return vec![text];
    }
    pieces
}

/// How many units fit into the last part of a [`normalise`]d text, in the encoding that the text has now.
pub fn room_in_last_part(text: &str) -> u32 {
    let (encoding, parts) = parts(text);
    let last = parts.last().copied().unwrap_or_default();
    let (single, part) = match encoding {
        Encoding::Gsm7 => (GSM7_SINGLE, GSM7_PART),
        Encoding::Ucs2 => (UCS2_SINGLE, UCS2_PART),
    };
    let used: u32 = last.chars().map(|character| width(character, encoding)).sum();
    let size = if parts.len() > 1 { part } else { single };
    size.saturating_sub(used)
}

/// Returns the text in the form that is stored and sent: `\r\n` and a lone `\r` become `\n`. Borrows a text without
/// `\r`.
pub fn normalise(text: &str) -> Cow<'_, str> {
    if !text.contains('\r') {
        return Cow::Borrowed(text);
    }
    let mut lines = String::with_capacity(text.len());
    let mut after_return = false;
    for character in text.chars() {
        match character {
            '\r' => lines.push('\n'),
            '\n' if after_return => {}
            other => lines.push(other),
        }
        after_return = character == '\r';
    }
    Cow::Owned(lines)
}

/// Fills parts one after another.
struct Fill {
    single: u32,
    part: u32,
    /// The length of the text so far.
    units: u32,
    /// The parts begun so far, if the text needs several.
    parts: u32,
    /// The units used in the last part.
    used: u32,
}

impl Fill {
    fn new(single: u32, part: u32) -> Self {
        Self {
            single,
            part,
            units: 0,
            parts: 1,
            used: 0,
        }
    }

    /// Adds one character of `width` units. All its units go into the same part.
    fn add(&mut self, width: u32) {
        self.units = self.units.saturating_add(width);
        self.used += width;
        if self.used > self.part {
            self.parts = self.parts.saturating_add(1);
            self.used = width;
        }
    }

    fn finish(self, encoding: Encoding) -> Segmentation {
        let parts = if self.units <= self.single { 1 } else { self.parts };
        Segmentation {
            encoding,
            parts,
            units: self.units,
        }
    }
}

/// The units that a character of a text takes. The encoding has the character.
fn width(character: char, encoding: Encoding) -> u32 {
    match encoding {
        Encoding::Gsm7 => septets_of(character).unwrap_or(1),
        Encoding::Ucs2 if character > '\u{FFFF}' => 2,
        Encoding::Ucs2 => 1,
    }
}

/// The septets that a character takes in GSM-7, or `None` if the alphabet does not have it. `\r` counts like the `\n`
/// that replaces it.
fn septets_of(character: char) -> Option<u32> {
    match character {
        // TS 23.038 §6.2.1.1, the extension table: an escape and a septet. The euro sign, U+20AC, is below.
        '\u{000C}' | '^' | '{' | '}' | '\\' | '[' | '~' | ']' | '|' => Some(2),
        // TS 23.038 §6.2.1, the default alphabet: line ends and the other printable ASCII characters except the grave
        // accent, …
        '\n' | '\r' | ' '..='_' | 'a'..='z' => Some(1),
        // … other Latin letters and signs, …
        '¡' | '£' | '¤' | '¥' | '§' | '¿' | 'Ä' | 'Å' | 'Æ' | 'Ç' | 'É' | 'Ñ' | 'Ö' | 'Ø' | 'Ü' | 'ß' | 'à' | 'ä'
        | 'å' | 'æ' | 'è' | 'é' | 'ì' | 'ñ' | 'ò' | 'ö' | 'ø' | 'ù' | 'ü' => Some(1),
        // … and the Greek capitals that do not look like Latin ones.
        'Γ' | 'Δ' | 'Θ' | 'Λ' | 'Ξ' | 'Π' | 'Σ' | 'Φ' | 'Ψ' | 'Ω' => Some(1),
        '€' => Some(2),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Encoding::{Gsm7, Ucs2};
    use super::*;

    /// The table of TS 23.038 §6.2.1 in its order, 0x00 to 0x7F. 0x1B is the escape.
    const DEFAULT_ALPHABET: &str = "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u{1B}ÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?\
                                    ¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";
    /// TS 23.038 §6.2.1.1.
    const EXTENSION_TABLE: &str = "\u{0C}^{}\\[~]|€";

    #[track_caller]
    fn assert_segments(text: &str, encoding: Encoding, parts: u32, units: u32) {
        assert_eq!(segment(text), Segmentation { encoding, parts, units }, "{text:?}");
    }

    #[test]
    fn the_alphabet_is_exactly_that_of_the_standard() {
        assert_eq!(DEFAULT_ALPHABET.chars().count(), 128);
        for character in '\0'..=char::MAX {
            let expected = match character {
                '\u{1B}' => None,
                listed if DEFAULT_ALPHABET.contains(listed) => Some(1),
                listed if EXTENSION_TABLE.contains(listed) => Some(2),
                _ => None,
            };
            assert_eq!(septets_of(character), expected, "{character:?}");
        }
    }

    #[test]
    fn the_empty_text_is_one_part() {
        assert_segments("", Gsm7, 1, 0);
    }

    #[test]
    fn one_part_holds_160_septets_and_several_hold_153_each() {
        assert_segments(&"a".repeat(160), Gsm7, 1, 160);
        assert_segments(&"a".repeat(161), Gsm7, 2, 161);
        for parts in 2..12 {
            let full = 153 * usize::try_from(parts).unwrap();
            assert_segments(&"a".repeat(full), Gsm7, parts, parts * 153);
            assert_segments(&"a".repeat(full + 1), Gsm7, parts + 1, parts * 153 + 1);
        }
    }

    #[test]
    fn one_part_holds_70_units_and_several_hold_67_each() {
        assert_segments(&"س".repeat(70), Ucs2, 1, 70);
        assert_segments(&"س".repeat(71), Ucs2, 2, 71);
        for parts in 2..12 {
            let full = 67 * usize::try_from(parts).unwrap();
            assert_segments(&"س".repeat(full), Ucs2, parts, parts * 67);
            assert_segments(&"س".repeat(full + 1), Ucs2, parts + 1, parts * 67 + 1);
        }
    }

    #[test]
    fn an_escape_pair_is_not_split() {
        assert_segments(&format!("{}€", "a".repeat(158)), Gsm7, 1, 160);
        assert_segments(&format!("{}€", "a".repeat(159)), Gsm7, 2, 161);
        // 306 septets are twice 153. But the pair at the boundary moves to the second part and pushes one septet into a
        // third.
        assert_segments(&format!("{}€{}", "a".repeat(152), "a".repeat(152)), Gsm7, 3, 306);
        assert_segments(&format!("{}€{}", "a".repeat(151), "a".repeat(153)), Gsm7, 2, 306);
        assert_segments(&"€".repeat(76), Gsm7, 1, 152);
        assert_segments(&"€".repeat(80), Gsm7, 1, 160);
        assert_segments(&"€".repeat(152), Gsm7, 2, 304);
        assert_segments(&"€".repeat(153), Gsm7, 3, 306);
    }

    #[test]
    fn a_surrogate_pair_is_not_split() {
        assert_segments(&"😀".repeat(35), Ucs2, 1, 70);
        assert_segments(&"😀".repeat(36), Ucs2, 2, 72);
        assert_segments(&"😀".repeat(66), Ucs2, 2, 132);
        assert_segments(&"😀".repeat(67), Ucs2, 3, 134);
        assert_segments(&format!("{}😀{}", "س".repeat(66), "س".repeat(66)), Ucs2, 3, 134);
        assert_segments(&format!("{}😀{}", "س".repeat(65), "س".repeat(67)), Ucs2, 2, 134);
    }

    #[test]
    fn one_character_outside_the_alphabet_makes_the_whole_text_ucs2() {
        assert_segments(&format!("{}`", "a".repeat(69)), Ucs2, 1, 70);
        assert_segments(&format!("{}`", "a".repeat(159)), Ucs2, 3, 160);
        assert_segments("ç", Ucs2, 1, 1);
        assert_segments("\t", Ucs2, 1, 1);
        assert_segments("\u{1B}", Ucs2, 1, 1);
        assert_segments("\u{00A0}", Ucs2, 1, 1);
    }

    #[test]
    fn extension_characters_count_once_in_ucs2() {
        assert_segments(&format!("س{}", "€".repeat(69)), Ucs2, 1, 70);
    }

    #[test]
    fn a_page_break_takes_two_septets() {
        assert_segments("\u{0C}", Gsm7, 1, 2);
    }

    #[test]
    fn a_zero_width_non_joiner_is_a_character_of_its_own() {
        assert_segments("می\u{200C}خواهم", Ucs2, 1, 8);
        assert_segments(&format!("{}\u{200C}", "س".repeat(70)), Ucs2, 2, 71);
        // At the boundary it goes to the next part alone, because only pairs are kept together.
        assert_segments(&format!("{}\u{200C}{}", "س".repeat(67), "س".repeat(66)), Ucs2, 2, 134);
    }

    #[test]
    fn a_line_break_counts_once_however_it_is_written() {
        for line_break in ["\n", "\r", "\r\n"] {
            assert_segments(&format!("{}{line_break}", "a".repeat(159)), Gsm7, 1, 160);
            assert_segments(&format!("{}{line_break}", "a".repeat(160)), Gsm7, 2, 161);
            assert_segments(&format!("{}{line_break}", "س".repeat(69)), Ucs2, 1, 70);
        }
        assert_segments("\r\r\n\n", Gsm7, 1, 3);
        assert_segments("\n\r", Gsm7, 1, 2);
    }

    #[test]
    fn normalising_leaves_line_feeds_only() {
        assert_eq!(normalise("a\r\nb\rc\nd\r\r\n\n"), "a\nb\nc\nd\n\n\n");
        assert!(matches!(normalise("no\nreturns"), Cow::Borrowed(_)));
    }

    /// Cuts a text into parts in the slow and simple way: as a list of the widths of its characters.
    fn reference(text: &str) -> Segmentation {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let is_gsm7 = text
            .chars()
            .all(|c| c != '\u{1B}' && (DEFAULT_ALPHABET.contains(c) || EXTENSION_TABLE.contains(c)));
        let widths: Vec<usize> = if is_gsm7 {
            text.chars()
                .map(|c| if EXTENSION_TABLE.contains(c) { 2 } else { 1 })
                .collect()
        } else {
            text.chars().map(char::len_utf16).collect()
        };
        let (single, part, encoding) = if is_gsm7 { (160, 153, Gsm7) } else { (70, 67, Ucs2) };
        let units: usize = widths.iter().sum();
        let mut parts = 1;
        if units > single {
            let mut rest = widths.as_slice();
            parts = 0;
            while !rest.is_empty() {
                let fitting = (1..=rest.len())
                    .rev()
                    .find(|n| rest[..*n].iter().sum::<usize>() <= part)
                    .unwrap();
                rest = &rest[fitting..];
                parts += 1;
            }
        }
        Segmentation {
            encoding,
            parts,
            units: u32::try_from(units).unwrap(),
        }
    }

    fn texts() -> impl Strategy<Value = String> {
        let gsm = "[a-zA-Z0-9 @£_\n]";
        let extended = "[a-z€\\[\\]{}|^~\\\\\u{0C}\r\n]";
        let persian = "[آ-ی\u{200C} ۰-۹]";
        let emoji = "[😀-🙏س\r\n]";
        let any = "[a-z€س😀\u{1B}`\r\n]";
        let lengths = ["{60,80}", "{130,170}", "{300,320}", "{0,480}"];
        let patterns: Vec<String> = [gsm, extended, persian, emoji, any]
            .iter()
            .flat_map(|class| lengths.iter().map(move |length| format!("{class}{length}")))
            .collect();
        prop::sample::select(patterns).prop_flat_map(|pattern| proptest::string::string_regex(&pattern).unwrap())
    }

    proptest! {
        #[test]
        fn parts_are_those_of_cutting_the_text(text in texts()) {
            prop_assert_eq!(segment(&text), reference(&text));
        }

        #[test]
        fn the_parts_are_as_many_as_counted_and_hold_the_text(text in texts()) {
            let text = normalise(&text);
            let (encoding, pieces) = parts(&text);
            let segmentation = segment(&text);
            prop_assert_eq!(encoding, segmentation.encoding);
            prop_assert_eq!(pieces.len(), usize::try_from(segmentation.parts).unwrap());
            prop_assert_eq!(pieces.concat(), &*text);
            let room = match (encoding, pieces.len()) {
                (Gsm7, 1) => 160,
                (Gsm7, _) => 153,
                (Ucs2, 1) => 70,
                (Ucs2, _) => 67,
            };
            for piece in pieces {
                let units: usize = match encoding {
                    Gsm7 => piece.chars().map(|c| if EXTENSION_TABLE.contains(c) { 2 } else { 1 }).sum(),
                    Ucs2 => piece.chars().map(char::len_utf16).sum(),
                };
                prop_assert!(units <= room, "{} of {}", units, room);
            }
        }

        #[test]
        fn the_last_part_has_the_room_that_is_told(text in texts()) {
            let text = normalise(&text);
            let room = usize::try_from(room_in_last_part(&text)).unwrap();
            let parts_with = |more: usize| segment(&format!("{text}{}", "a".repeat(more))).parts;
            prop_assert_eq!(parts_with(room), parts_with(0));
            prop_assert_eq!(parts_with(room + 1), parts_with(0) + 1);
        }

        #[test]
        fn normalising_changes_no_segmentation(text in texts()) {
            let normalised = normalise(&text);
            prop_assert_eq!(segment(&normalised), segment(&text));
            prop_assert!(!normalised.contains('\r'));
        }
    }
}
