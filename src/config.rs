//! The settings of a deployment. Each isolate parses and checks them once. If a value is bad, every request fails with
//! an error that names the setting, so the service never runs with part of its settings.

use thiserror::Error;

use crate::language::Language;

/// The settings. The defaults equal the values in `wrangler.toml`, which does not set `CURRENCY_UNIT`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// The most recipients of one request (`MAX_RECIPIENTS`).
    pub max_recipients: usize,
    /// The most recipients of one send to phonebooks (`MAX_PHONEBOOK_RECIPIENTS`).
    pub max_phonebook_recipients: usize,
    /// The most bytes that the numbers of an account's phonebooks have together (`PHONEBOOK_BYTES`).
    pub phonebook_bytes: i64,
    /// Whether an operator must approve each version of a pattern (`PATTERN_APPROVAL`).
    pub pattern_approval: bool,
    /// The most parts of one message (`MAX_PARTS`).
    pub max_parts: u32,
    /// How many days an account keeps a message after it was to be sent (`RETENTION_DAYS`).
    pub retention_days: i64,
    /// The unit of all amounts of money, an ISO 4217 code (`CURRENCY_UNIT`).
    pub unit: String,
    /// Whether webhooks may go to this machine, by `http` too: for development only (`WEBHOOK_ALLOW_LOOPBACK`).
    pub webhook_allow_loopback: bool,
    /// The language of error texts for a client that prefers none of them (`DEFAULT_LANGUAGE`).
    pub default_language: Language,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            max_recipients: 1_000,
            max_phonebook_recipients: 10_000,
            phonebook_bytes: 200_000_000,
            pattern_approval: false,
            max_parts: 10,
            retention_days: 90,
            unit: "IRR".to_owned(),
            webhook_allow_loopback: false,
            default_language: Language::En,
        }
    }
}

/// A setting has a value that cannot be used.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("setting {name}={value:?}: must be {expected}")]
pub struct ConfigError {
    name: &'static str,
    value: String,
    expected: &'static str,
}

impl Config {
    /// Reads the settings with `get`. A missing setting gets its default.
    pub fn read(get: impl Fn(&str) -> Option<String>) -> Result<Self, ConfigError> {
        let default = Config::default();
        Ok(Config {
            max_recipients: whole(&get, "MAX_RECIPIENTS", default.max_recipients, 1..=10_000, "1 to 10000")?,
            max_phonebook_recipients: whole(
                &get,
                "MAX_PHONEBOOK_RECIPIENTS",
                default.max_phonebook_recipients,
                1..=10_000,
                "1 to 10000",
            )?,
            phonebook_bytes: whole(
                &get,
                "PHONEBOOK_BYTES",
                default.phonebook_bytes,
                1..=10_000_000_000,
                "1 to 10000000000",
            )?,
            pattern_approval: flag(&get, "PATTERN_APPROVAL", default.pattern_approval)?,
            max_parts: whole(&get, "MAX_PARTS", default.max_parts, 1..=255, "1 to 255")?,
            retention_days: whole(&get, "RETENTION_DAYS", default.retention_days, 2..=3_650, "2 to 3650")?,
            unit: unit(get("CURRENCY_UNIT"), default.unit)?,
            webhook_allow_loopback: flag(&get, "WEBHOOK_ALLOW_LOOPBACK", default.webhook_allow_loopback)?,
            default_language: language(get("DEFAULT_LANGUAGE"), default.default_language)?,
        })
    }
}

fn whole<T: std::str::FromStr + PartialOrd + Copy>(
    get: impl Fn(&str) -> Option<String>,
    name: &'static str,
    default: T,
    range: std::ops::RangeInclusive<T>,
    expected: &'static str,
) -> Result<T, ConfigError> {
    let Some(value) = get(name) else {
        return Ok(default);
    };
    value
        .parse()
        .ok()
        .filter(|number| range.contains(number))
        .ok_or(ConfigError { name, value, expected })
}

fn flag(get: impl Fn(&str) -> Option<String>, name: &'static str, default: bool) -> Result<bool, ConfigError> {
    match get(name).as_deref() {
        None => Ok(default),
        Some("true") => Ok(true),
        Some("false") => Ok(false),
        Some(other) => Err(ConfigError {
            name,
            value: other.to_owned(),
            expected: "true or false",
        }),
    }
}

fn unit(value: Option<String>, default: String) -> Result<String, ConfigError> {
    let Some(value) = value else {
        return Ok(default);
    };
    if value.len() == 3 && value.bytes().all(|byte| byte.is_ascii_uppercase()) {
        return Ok(value);
    }
    Err(ConfigError {
        name: "CURRENCY_UNIT",
        value,
        expected: "three capital letters",
    })
}

fn language(value: Option<String>, default: Language) -> Result<Language, ConfigError> {
    let Some(value) = value else {
        return Ok(default);
    };
    Language::parse(&value).ok_or(ConfigError {
        name: "DEFAULT_LANGUAGE",
        value,
        expected: "en or fa",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_settings_take_their_defaults() {
        assert_eq!(Config::read(|_| None), Ok(Config::default()));
    }

    #[test]
    fn the_default_language_is_set() {
        for language in [Language::En, Language::Fa] {
            let config = Config::read(|asked| (asked == "DEFAULT_LANGUAGE").then(|| language.tag().to_owned()));
            assert_eq!(config.unwrap().default_language, language);
        }
    }

    #[test]
    fn a_bad_value_is_named() {
        for (name, value) in [
            ("MAX_RECIPIENTS", "0"),
            ("MAX_PARTS", "many"),
            ("MAX_PHONEBOOK_RECIPIENTS", "10001"),
            ("PHONEBOOK_BYTES", "10000000001"),
            ("PATTERN_APPROVAL", "yes"),
            ("WEBHOOK_ALLOW_LOOPBACK", "1"),
            // An idempotency key is kept for a day, and names its message.
            ("RETENTION_DAYS", "1"),
            ("CURRENCY_UNIT", "rial"),
            ("DEFAULT_LANGUAGE", "fa-IR"),
        ] {
            let error = Config::read(|asked| (asked == name).then(|| value.to_owned())).unwrap_err();
            assert!(error.to_string().contains(name), "{error}");
            assert!(error.to_string().contains(value), "{error}");
        }
    }
}
