//! Texts with placeholders, `%NAME%`. Patterns and messages to phonebooks use them.
//!
//! A template is filled in one pass, so a value that looks like a placeholder stays as text. A `%` that begins no
//! placeholder is also text, so "50% off" needs no escaping.
//!
//! Source: docs/api.md.

/// The most characters that the name of a placeholder may have.
pub const MAX_NAME: usize = 50;

/// A text, split at its placeholders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template<'a> {
    pieces: Vec<Piece<'a>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece<'a> {
    Text(&'a str),
    Placeholder(&'a str),
}

impl<'a> Template<'a> {
    /// Splits a text at its placeholders. The characters between two `%` are a placeholder if `is_name` accepts them.
    pub fn parse(text: &'a str, is_name: impl Fn(&str) -> bool) -> Self {
        let mut pieces = Vec::new();
        let mut rest = text;
        // `rest` has no placeholder that begins before this position.
        let mut seen = 0;
        while let Some((open, close)) = next_pair(rest, seen) {
            let name = rest.get(open + 1..close).unwrap_or_default();
            if name.is_empty() || !is_name(name) {
                seen = close;
                continue;
            }
            push_text(&mut pieces, rest.get(..open).unwrap_or_default());
            pieces.push(Piece::Placeholder(name));
            rest = rest.get(close + 1..).unwrap_or_default();
            seen = 0;
        }
        push_text(&mut pieces, rest);
        Template { pieces }
    }

    /// Returns the names of the placeholders, each once, in the order of the text.
    pub fn names(&self) -> Vec<&'a str> {
        let mut names = Vec::new();
        for piece in &self.pieces {
            if let Piece::Placeholder(name) = piece
                && !names.contains(name)
            {
                names.push(*name);
            }
        }
        names
    }

    /// Returns the text with each placeholder replaced by its value.
    pub fn fill<'v>(&self, value: impl Fn(&str) -> &'v str) -> String {
        self.pieces
            .iter()
            .map(|piece| match piece {
                Piece::Text(text) => text,
                Piece::Placeholder(name) => value(name),
            })
            .collect()
    }
}

impl Template<'_> {
    /// Returns the pieces of the text around a placeholder, with each other one replaced by its value: one piece more than the
    /// placeholder is there.
    pub fn around<'v>(&self, name: &str, value: impl Fn(&str) -> &'v str) -> Vec<String> {
        let (mut pieces, mut open) = (Vec::new(), String::new());
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => open.push_str(text),
                Piece::Placeholder(own) if *own == name => pieces.push(std::mem::take(&mut open)),
                Piece::Placeholder(other) => open.push_str(value(other)),
            }
        }
        pieces.push(open);
        pieces
    }
}

/// The positions of the next two `%`, from `seen` on.
fn next_pair(text: &str, seen: usize) -> Option<(usize, usize)> {
    let open = seen + text.get(seen..)?.find('%')?;
    let close = open + 1 + text.get(open + 1..)?.find('%')?;
    Some((open, close))
}

fn push_text<'a>(pieces: &mut Vec<Piece<'a>>, text: &'a str) {
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
}

/// Whether a variable of a pattern may have this name: a letter or `_` first, then letters and digits of any script,
/// `_`, `-` and the zero-width non-joiner, at most [`MAX_NAME`] characters. So neither "50%" nor "from 5% to 10%" has a
/// placeholder.
pub fn is_variable_name(name: &str) -> bool {
    name.chars().count() <= MAX_NAME
        && name
            .chars()
            .next()
            .is_some_and(|first| first.is_alphabetic() || first == '_')
        && name
            .chars()
            .all(|char| char.is_alphanumeric() || matches!(char, '_' | '-' | '\u{200c}'))
}

/// A placeholder as other services write it, which is text here: `{name}`, `{{name}}`, `#name#`, or `%token` without an end.
pub fn foreign(text: &str) -> Option<&str> {
    let between = |open: &str, close: &str| {
        text.match_indices(open).find_map(|(start, _)| {
            let inner = text.get(start + open.len()..)?;
            let end = inner.find(close)?;
            let name = inner.get(..end)?;
            let is_one = is_variable_name(if open == "#" { name } else { name.trim() });
            is_one.then(|| text.get(start..start + open.len() + end + close.len()))?
        })
    };
    let token = || {
        let (start, token) = text.match_indices("%token").next()?;
        let digits = text
            .get(start + token.len()..)?
            .bytes()
            .take_while(u8::is_ascii_digit)
            .count();
        text.get(start..start + token.len() + digits)
    };
    between("{{", "}}")
        .or_else(|| between("{", "}"))
        .or_else(|| between("#", "#"))
        .or_else(token)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn filled(text: &str, values: &[(&str, &str)]) -> String {
        let find = |name: &str| values.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
        Template::parse(text, |name| find(name).is_some()).fill(|name| find(name).unwrap_or_default())
    }

    #[test]
    fn placeholders_are_replaced_wherever_they_stand() {
        let values = [("OTP", "1234"), ("name", "علی"), ("نام", "رضا")];
        assert_eq!(filled("code: %OTP%", &values), "code: 1234");
        assert_eq!(filled("%OTP%%OTP%", &values), "12341234");
        assert_eq!(filled("سلام %name% و %نام%", &values), "سلام علی و رضا");
        assert_eq!(filled("%otp% %OTP %", &values), "%otp% %OTP %", "names are exact");
        assert_eq!(filled("", &values), "");
    }

    #[test]
    fn a_stray_percent_is_text() {
        let values = [("OTP", "1")];
        for (text, wanted) in [
            ("%", "%"),
            ("%%", "%%"),
            ("%%%", "%%%"),
            ("50% off", "50% off"),
            ("50% of %OTP%", "50% of 1"),
            ("%%OTP%%", "%1%"),
            ("100%OTP%", "1001"),
            ("%OTP", "%OTP"),
            ("OTP%", "OTP%"),
            ("%unknown%OTP%", "%unknown1"),
        ] {
            assert_eq!(filled(text, &values), wanted, "{text}");
        }
    }

    #[test]
    fn placeholders_of_other_services_are_noticed() {
        for (text, wanted) in [
            ("hello {name}!", "{name}"),
            ("hello {{ name }}", "{{ name }}"),
            ("سلام #نام# عزیز", "#نام#"),
            ("code: %token", "%token"),
            ("code: %token20 and %token", "%token20"),
        ] {
            assert_eq!(foreign(text), Some(wanted), "{text}");
        }
        for text in [
            "",
            "50% off",
            "{}",
            "{ }",
            "## a #",
            "C# and F#",
            "{1}",
            "a {b",
            "#1#",
            "%Token%",
        ] {
            assert_eq!(foreign(text), None, "{text}");
        }
    }

    #[test]
    fn values_are_never_filled_again() {
        let values = [("A", "%B%"), ("B", "%A%")];
        assert_eq!(filled("%A%%B%", &values), "%B%%A%");
        assert_eq!(filled("%A%B%", &values), "%B%B%");
    }

    #[test]
    fn names_are_told_once_in_order() {
        let template = Template::parse("%B% %A% %B% %1% %a b%", is_variable_name);
        assert_eq!(template.names(), ["B", "A"]);
    }

    #[test]
    fn variable_names_begin_with_a_letter() {
        for good in ["OTP", "_a", "first-name", "کد", "نام‌کاربر", "a1"] {
            assert!(is_variable_name(good), "{good}");
        }
        let long = "x".repeat(MAX_NAME + 1);
        for bad in ["", "1", " a", "a b", "a.b", "a\n", "-", long.as_str()] {
            assert!(!is_variable_name(bad), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn a_text_filled_with_its_own_placeholders_is_itself(text in "[%ABab ]{0,40}") {
            let template = Template::parse(&text, is_variable_name);
            let wrapped: Vec<(String, String)> =
                template.names().iter().map(|name| ((*name).to_owned(), format!("%{name}%"))).collect();
            let find = |name: &str| wrapped.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value);
            prop_assert_eq!(template.fill(find), text);
        }
    }
}
