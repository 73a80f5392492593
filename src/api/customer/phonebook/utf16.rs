//! Makes UTF-8 of files in UTF-16, in which spreadsheets save "Unicode text". Their byte order mark tells them. All other bytes stay
//! as they are.

use std::borrow::Cow;

/// A byte that no UTF-8 has, in the place of what is no UTF-16.
const BROKEN: u8 = 0xff;

/// Reads a file in pieces, however they are cut.
#[derive(Debug, Default)]
pub struct Utf16 {
    form: Form,
    /// The bytes that wait for the next piece: less than a character.
    rest: Vec<u8>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// The file has not had two bytes yet.
    #[default]
    Unknown,
    /// It is no UTF-16.
    Other,
    LittleEndian,
    BigEndian,
}

impl Utf16 {
    /// The next piece in UTF-8.
    pub fn feed<'p>(&mut self, piece: &'p [u8]) -> Cow<'p, [u8]> {
        if self.form == Form::Other {
            return Cow::Borrowed(piece);
        }
        self.rest.extend_from_slice(piece);
        if self.form == Form::Unknown {
            self.form = match self.rest.as_slice() {
                [] | [_] => return Cow::Borrowed(&[]),
                [0xff, 0xfe, ..] => Form::LittleEndian,
                [0xfe, 0xff, ..] => Form::BigEndian,
                _ => Form::Other,
            };
            if self.form == Form::Other {
                return Cow::Owned(std::mem::take(&mut self.rest));
            }
            self.rest.drain(..2);
        }
        Cow::Owned(self.decode())
    }

    /// What is left at the end of the file.
    pub fn finish(&mut self) -> Vec<u8> {
        let rest = std::mem::take(&mut self.rest);
        match self.form {
            Form::Unknown | Form::Other => rest,
            _ if rest.is_empty() => rest,
            _ => vec![BROKEN],
        }
    }

    /// The characters that are whole.
    fn decode(&mut self) -> Vec<u8> {
        let unit = |pair: &[u8]| {
            let pair = [pair.first().copied().unwrap_or(0), pair.get(1).copied().unwrap_or(0)];
            match self.form {
                Form::BigEndian => u16::from_be_bytes(pair),
                _ => u16::from_le_bytes(pair),
            }
        };
        let mut units: Vec<u16> = self.rest.chunks_exact(2).map(unit).collect();
        // The first half of a character waits for the second.
        if units.last().is_some_and(|last| (0xd800..0xdc00).contains(last)) {
            units.pop();
        }
        self.rest.drain(..2 * units.len());
        let mut bytes = Vec::with_capacity(2 * units.len());
        for character in char::decode_utf16(units) {
            match character {
                Ok(character) => bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
                Err(_) => bytes.push(BROKEN),
            }
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A file, read in pieces that end at these places.
    fn read(file: &[u8], cuts: &[usize]) -> Vec<u8> {
        let (mut decoder, mut text, mut from) = (Utf16::default(), Vec::new(), 0);
        let mut ends: Vec<usize> = cuts.iter().map(|cut| cut % (file.len() + 1)).collect();
        ends.push(file.len());
        ends.sort_unstable();
        for to in ends {
            text.extend_from_slice(&decoder.feed(&file[from..to]));
            from = to;
        }
        text.extend(decoder.finish());
        text
    }

    proptest! {
        #[test]
        fn utf16_becomes_utf8_however_it_is_cut(text in any::<String>(), is_big: bool, cuts in proptest::collection::vec(any::<usize>(), 0..6)) {
            let units = std::iter::once(0xfeff).chain(text.encode_utf16());
            let file: Vec<u8> = units.flat_map(|unit| if is_big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect();
            prop_assert_eq!(read(&file, &cuts), text.as_bytes());
        }

        #[test]
        fn other_files_stay_as_they_are(file in any::<Vec<u8>>(), cuts in proptest::collection::vec(any::<usize>(), 0..6)) {
            prop_assume!(!file.starts_with(&[0xff, 0xfe]) && !file.starts_with(&[0xfe, 0xff]));
            prop_assert_eq!(read(&file, &cuts), file);
        }
    }

    #[test]
    fn what_is_no_utf16_is_no_utf8_either() {
        for file in [&b"\xff\xfe\x00\xd8"[..], b"\xff\xfe\x00\xdc\x41\x00", b"\xff\xfe\x41"] {
            assert!(String::from_utf8(read(file, &[])).is_err(), "{file:?}");
        }
    }
}
