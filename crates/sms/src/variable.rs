//! The typed variables of patterns and the checks of their values.
//!
//! Source: the API's contract, section 8.

use serde::{Deserialize, Serialize};

/// The most characters of a value, unless the variable sets another maximum.
pub const DEFAULT_MAX_LENGTH: u32 = 100;

/// What stands in the place of a secret value that is redacted.
pub const REDACTED: &str = "••••";

/// A variable in a version of a pattern.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Variable {
    /// The name. In the text it stands between two `%`.
    pub name: String,
    /// The type of its values.
    pub r#type: VariableType,
    /// The most characters of a value. [`VariableType::Enum`] ignores it.
    pub max_length: u32,
    /// The allowed values of a [`VariableType::Enum`]; empty for the other types.
    #[serde(default)]
    pub values: Vec<String>,
    /// Whether its values are redacted a day after a message has ended.
    #[serde(default)]
    pub secret: bool,
}

/// The type of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum VariableType {
    /// Any text.
    Text,
    /// ASCII, Persian or Arabic-Indic digits, with an optional sign, optional commas and an optional fraction.
    Number,
    /// An http or https address.
    Link,
    /// One of the listed values.
    Enum,
}

impl VariableType {
    /// The names of all types, for error messages.
    pub const NAMES: &str = "TEXT, NUMBER, LINK, ENUM";

    /// Returns the type with this name.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "TEXT" => Some(VariableType::Text),
            "NUMBER" => Some(VariableType::Number),
            "LINK" => Some(VariableType::Link),
            "ENUM" => Some(VariableType::Enum),
            _ => None,
        }
    }
}

/// The reason why a value is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Invalid {
    /// The value has more characters than this.
    TooLong(u32),
    /// The value is not a number.
    NotANumber,
    /// The value is not an http or https address.
    NotALink,
    /// The value is none of these.
    NotOneOf(Vec<String>),
}

impl Variable {
    /// The variable for a placeholder that the request does not describe: any text of at most [`DEFAULT_MAX_LENGTH`]
    /// characters.
    pub fn text(name: &str) -> Self {
        Variable {
            name: name.to_owned(),
            r#type: VariableType::Text,
            max_length: DEFAULT_MAX_LENGTH,
            values: Vec::new(),
            secret: false,
        }
    }

    /// Checks whether a value may go into the text.
    pub fn check(&self, value: &str) -> Result<(), Invalid> {
        if self.r#type == VariableType::Enum {
            return if self.values.iter().any(|allowed| allowed == value) {
                Ok(())
            } else {
                Err(Invalid::NotOneOf(self.values.clone()))
            };
        }
        if u32::try_from(value.chars().count()).map_or(true, |length| length > self.max_length) {
            return Err(Invalid::TooLong(self.max_length));
        }
        match self.r#type {
            VariableType::Number if !is_number(value) => Err(Invalid::NotANumber),
            VariableType::Link if !is_link(value) => Err(Invalid::NotALink),
            _ => Ok(()),
        }
    }
}

/// Whether the value has ASCII, Persian or Arabic-Indic digits, with an optional sign and fraction. Commas may stand
/// between the digits before the fraction.
fn is_number(value: &str) -> bool {
    let unsigned = value.strip_prefix(['-', '+']).unwrap_or(value);
    let (whole, fraction) = unsigned.split_once(['.', '٫']).unwrap_or((unsigned, "0"));
    let is_digit = |char: char| char.is_ascii_digit() || matches!(char, '۰'..='۹' | '٠'..='٩');
    let grouped = |char: char| is_digit(char) || matches!(char, ',' | '٬');
    whole.starts_with(is_digit)
        && whole.ends_with(is_digit)
        && whole.chars().all(grouped)
        && !fraction.is_empty()
        && fraction.chars().all(is_digit)
}

fn is_link(value: &str) -> bool {
    let Some((scheme, rest)) = value.split_once("://") else {
        return false;
    };
    let is_http = scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http");
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    is_http && !host.is_empty() && !value.chars().any(|char| char.is_whitespace() || char.is_control())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(r#type: VariableType) -> Variable {
        Variable {
            r#type,
            values: vec!["red".to_owned(), "blue".to_owned()],
            max_length: 20,
            ..Variable::text("x")
        }
    }

    #[test]
    fn texts_are_bounded_in_characters_not_bytes() {
        let text = variable(VariableType::Text);
        assert_eq!(text.check(&"س".repeat(20)), Ok(()));
        assert_eq!(text.check(&"س".repeat(21)), Err(Invalid::TooLong(20)));
    }

    #[test]
    fn numbers_are_digits_of_any_script() {
        let number = variable(VariableType::Number);
        for good in [
            "0",
            "1234",
            "-5",
            "+5",
            "3.14",
            "۱۲۳۴",
            "٣",
            "1,250,000",
            "۱۲٬۵۰۰",
            "۳٫۵",
        ] {
            assert_eq!(number.check(good), Ok(()), "{good}");
        }
        for bad in ["", "-", "1.", ".5", "1e5", "12a", "1 2", "1.2.3", ",1", "1,"] {
            assert_eq!(number.check(bad), Err(Invalid::NotANumber), "{bad}");
        }
        assert_eq!(number.check(&"1".repeat(21)), Err(Invalid::TooLong(20)));
    }

    #[test]
    fn links_are_of_the_web() {
        let link = variable(VariableType::Link);
        for good in ["https://a.ir", "HTTP://a/b?c#d", "https://فروشگاه.ir"] {
            assert_eq!(link.check(good), Ok(()), "{good}");
        }
        for bad in [
            "a.ir",
            "ftp://a.ir",
            "https://",
            "https:///x",
            "https://a b",
            "javascript:alert()",
        ] {
            assert_eq!(link.check(bad), Err(Invalid::NotALink), "{bad}");
        }
    }

    #[test]
    fn choices_are_exact() {
        let choice = variable(VariableType::Enum);
        assert_eq!(choice.check("red"), Ok(()));
        assert!(matches!(choice.check("Red"), Err(Invalid::NotOneOf(values)) if values.len() == 2));
    }
}
