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

    /// Returns the language that an `Accept-Language` header (RFC 9110, 12.5.4) prefers. That is Persian if `fa` weighs
    /// more than `en` and `*`. Otherwise it is English.
    pub fn preferred(header: Option<&str>) -> Language {
        // Of two languages with the same weight, the client prefers the one that it names first. So places count down.
        let (mut persian, mut english) = ((0, i64::MIN), (0, i64::MIN));
        for (range, place) in header.unwrap_or_default().split(',').zip((i64::MIN..=0).rev()) {
            let (tag, params) = range.split_once(';').unwrap_or((range, ""));
            let primary = tag.trim().split('-').next().unwrap_or_default().to_ascii_lowercase();
            let weight = (quality(params), place);
            match primary.as_str() {
                "fa" => persian = persian.max(weight),
                "en" | "*" => english = english.max(weight),
                _ => {}
            }
        }
        if persian.0 > 0 && persian > english {
            Language::Fa
        } else {
            Language::En
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

    #[test]
    fn persian_is_answered_only_where_it_is_preferred() {
        for header in [
            "fa",
            "fa-IR",
            "FA",
            "fa,en",
            "fa;q=0.9, en;q=0.8",
            "de, fa;q=0.5",
            "fa-IR,fa;q=0.9,en-US;q=0.8,en;q=0.7",
        ] {
            assert_eq!(Language::preferred(Some(header)), Language::Fa, "{header}");
        }
        for header in [
            "",
            "en",
            "en, fa",
            "en, fa;q=0.9",
            "*",
            "de",
            "fa;q=0",
            "fa;q=x",
            "far",
            "*, fa;q=0.5",
        ] {
            assert_eq!(Language::preferred(Some(header)), Language::En, "{header}");
        }
        assert_eq!(Language::preferred(None), Language::En);
    }
}
