//! The languages of error texts, and which of them a client prefers.

/// A language of error texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Language {
    /// English.
    #[default]
    En,
    /// Persian.
    Fa,
}

impl Language {
    /// The language's tag (RFC 5646).
    pub fn tag(self) -> &'static str {
        match self {
            Language::En => "en",
            Language::Fa => "fa",
        }
    }

    /// Returns the language with this tag.
    pub fn parse(tag: &str) -> Option<Language> {
        [Language::En, Language::Fa]
            .into_iter()
            .find(|language| language.tag() == tag)
    }

    fn other(self) -> Language {
        match self {
            Language::En => Language::Fa,
            Language::Fa => Language::En,
        }
    }

    /// Returns the language that an `Accept-Language` header (RFC 9110, 12.5.4) prefers: that with the larger weight, and of
    /// two with the same weight the one that the header names first. Returns `default` if the header prefers neither.
    pub fn preferred(header: Option<&str>, default: Language) -> Language {
        let ranges = Ranges::read(header.unwrap_or_default());
        let other = default.other();
        match ranges.weight(other) > ranges.weight(default) {
            true => other,
            false => default,
        }
    }
}

/// A weight in thousandths, and a place that counts down: the client prefers what it names first.
type Weight = (u32, i64);

/// What a header says of the languages that Peyk has.
#[derive(Default)]
struct Ranges {
    persian: Option<Weight>,
    english: Option<Weight>,
    any: Option<Weight>,
}

impl Ranges {
    fn read(header: &str) -> Ranges {
        let mut ranges = Ranges::default();
        for (range, place) in header.split(',').zip((i64::MIN..=0).rev()) {
            let (tag, params) = range.split_once(';').unwrap_or((range, ""));
            let primary = tag.trim().split('-').next().unwrap_or_default().to_ascii_lowercase();
            let weight = Some((quality(params), place));
            match primary.as_str() {
                "fa" => ranges.persian = ranges.persian.max(weight),
                "en" => ranges.english = ranges.english.max(weight),
                "*" => ranges.any = ranges.any.max(weight),
                _ => {}
            }
        }
        ranges
    }

    /// How much the client wants a language. One that the header does not name is worth as much as `*`; without that, it is
    /// wanted more than one with the weight 0, which the client refuses, and less than any other.
    fn weight(&self, language: Language) -> Weight {
        let named = match language {
            Language::En => self.english,
            Language::Fa => self.persian,
        };
        match named.or(self.any) {
            Some((0, _)) => (0, i64::MIN),
            Some(weight) => weight,
            None => (0, 0),
        }
    }
}

/// Reads `q=0.8` as thousandths. A missing weight counts as 1, an unreadable one as 0.
fn quality(params: &str) -> u32 {
    let Some(value) = params.split(';').find_map(|param| param.trim().strip_prefix("q=")) else {
        return 1_000;
    };
    let (whole, fraction) = value.split_once('.').unwrap_or((value, ""));
    let digits: String = fraction.chars().chain("000".chars()).take(3).collect();
    match (whole.parse::<u32>(), digits.parse::<u32>()) {
        (Ok(whole), Ok(thousandths)) => (whole.min(1) * 1_000 + thousandths).min(1_000),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use Language::{En, Fa};

    #[test]
    fn the_language_that_a_client_prefers_is_answered_whatever_the_default() {
        for (header, preferred) in [
            ("fa", Fa),
            ("fa-IR", Fa),
            ("FA", Fa),
            ("fa,en", Fa),
            ("fa;q=0.9, en;q=0.8", Fa),
            ("de, fa;q=0.5", Fa),
            ("fa-IR,fa;q=0.9,en-US;q=0.8,en;q=0.7", Fa),
            ("en;q=0", Fa),
            ("en;q=0, *", Fa),
            ("fa;q=0.001", Fa),
            ("en", En),
            ("EN-us", En),
            ("en, fa", En),
            ("en, fa;q=0.9", En),
            ("fa;q=0", En),
            ("fa;q=x", En),
            ("*, fa;q=0.5", En),
            ("fa;q=0.5, en;q=0.9, fa;q=0.7", En),
        ] {
            for default in [En, Fa] {
                assert_eq!(
                    Language::preferred(Some(header), default),
                    preferred,
                    "{header}, {default:?}"
                );
            }
        }
    }

    #[test]
    fn a_client_that_prefers_none_of_them_gets_the_default() {
        for default in [En, Fa] {
            assert_eq!(Language::preferred(None, default), default);
            for header in [
                "",
                "*",
                "de",
                "far",
                "english",
                "*;q=0",
                "de, *;q=0.1",
                ",;,",
                "fa;q=0, en;q=0",
            ] {
                assert_eq!(Language::preferred(Some(header), default), default, "{header}");
            }
        }
    }

    #[test]
    fn languages_go_by_their_tags() {
        for language in [En, Fa] {
            assert_eq!(Language::parse(language.tag()), Some(language));
        }
        for other in ["", "FA", "fa-IR", "de"] {
            assert_eq!(Language::parse(other), None, "{other}");
        }
    }
}
