//! The settings of a deployment. Each isolate parses and checks them once. If a value is bad, every request fails with
//! an error that names the setting, so the service never runs with part of its settings.

use sms::destination::{HOME, Prefix};
use sms::words::Words;
use thiserror::Error;

use super::host::{Host, host_of, is_exposed};
use super::language::Language;
use super::named::named;
use super::ports::MAX_INTEGER;

/// The replies by which a phone asks for no more messages (`OPT_OUT_WORDS`). `11` is the reply that Iran's regulator prescribes;
/// messages name it as «لغو11».
const OPT_OUT_WORDS: &str = "STOP, UNSUBSCRIBE, لغو, لغو11, 11, توقف, خروج";
/// The replies that take it back (`OPT_IN_WORDS`). `12` is the regulator's.
const OPT_IN_WORDS: &str = "START, شروع, 12";
/// The setting with the address under which gateways reach the service.
pub const PUBLIC_URL: &str = "PUBLIC_URL";
/// A setting has at most this many words.
const MAX_WORDS: usize = 50;
/// The most destinations of an account, and of the setting (`DESTINATIONS`): more than there are countries.
pub const MAX_DESTINATIONS: usize = 300;
/// The most names of `PLAIN_HTTP_HOSTS`.
const MAX_PLAIN_HTTP_HOSTS: usize = 20;
/// A word of a setting has at most this many characters.
const MAX_WORD: usize = 32;
/// The longest list of waits (`WEBHOOK_RETRY_SECONDS`), and the longest wait in it, s.
const MAX_WAITS: usize = 20;
const MAX_WAIT_S: u32 = 24 * 60 * 60;

named! {
    /// A door: the protocol of another provider in which the service can be called, too.
    pub enum Door {
        /// The REST API of Kavenegar.
        Kavenegar => "kavenegar",
        /// The three protocols of ippanel.
        Ippanel => "ippanel",
        /// The REST API of sms.ir.
        SmsIr => "smsir",
        /// The REST API of Twilio for messages.
        Twilio => "twilio",
    }
}

/// The settings. The defaults equal the values in `wrangler.toml`, which does not set `CURRENCY_UNIT`,
/// `WEBHOOK_RETRY_SECONDS`, `CREDIT_APPROVAL_ABOVE`, `DOCS_URL` and `SIGN_IN_ACCOUNT`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// The most recipients of one request (`MAX_RECIPIENTS`).
    pub max_recipients: usize,
    /// The most recipients of one send to phonebooks (`MAX_PHONEBOOK_RECIPIENTS`).
    pub max_phonebook_recipients: usize,
    /// The most bytes that the numbers of an account's phonebooks have together (`PHONEBOOK_BYTES`).
    pub phonebook_bytes: i64,
    /// The most bytes that an account's patterns have together, with all their versions (`PATTERN_BYTES`).
    pub pattern_bytes: i64,
    /// The most bytes that the phonebooks and patterns of all accounts have together (`CUSTOMER_BYTES`).
    pub customer_bytes: i64,
    /// How many bytes D1 can hold (`D1_BYTES`). Operators are warned before it is full.
    pub d1_bytes: i64,
    /// Whether an operator must approve each version of a pattern (`PATTERN_APPROVAL`).
    pub pattern_approval: bool,
    /// The most parts of one message (`MAX_PARTS`).
    pub max_parts: u32,
    /// How many days an account keeps a message after it was to be sent (`RETENTION_DAYS`).
    pub retention_days: i64,
    /// How many days an entry of the audit log is kept (`AUDIT_DAYS`).
    pub audit_days: i64,
    /// How many bytes of the audit log the changes of one account's own keys may fill in a day (`AUDIT_BYTES_A_DAY`).
    pub audit_bytes_a_day: i64,
    /// Where accounts send that have no destinations of their own (`DESTINATIONS`).
    pub destinations: Vec<Prefix>,
    /// Above which amount, in minor units, a credit needs a second operator (`CREDIT_APPROVAL_ABOVE`). `None`: no credit does.
    pub credit_approval_above: Option<i64>,
    /// The replies that put their sender on the blacklist (`OPT_OUT_WORDS`), each in the form of [`Words::joined`].
    pub opt_out_words: Vec<String>,
    /// The replies that take their sender off the blacklist (`OPT_IN_WORDS`), in the same form.
    pub opt_in_words: Vec<String>,
    /// The unit of all amounts of money, an ISO 4217 code (`CURRENCY_UNIT`).
    pub unit: String,
    /// Whether webhooks may go to this machine, by `http` too: for development only (`WEBHOOK_ALLOW_LOOPBACK`).
    pub webhook_allow_loopback: bool,
    /// How long the delivery of an event waits after each failure, s (`WEBHOOK_RETRY_SECONDS`). After one failure more it has
    /// failed for good.
    pub webhook_retry_s: Vec<u32>,
    /// The language of error texts for a client that prefers none of them (`DEFAULT_LANGUAGE`).
    pub default_language: Language,
    /// Which requests have a line in the log (`LOG_REQUESTS`).
    pub log_requests: LogRequests,
    /// The address of the service whose `/docs` explain the errors (`DOCS_URL`, or else `PUBLIC_URL`). `None`: the address
    /// that the client called.
    pub docs_url: Option<String>,
    /// The username of the account that sends the codes by which people sign in to the console (`SIGN_IN_ACCOUNT`). `None`: nobody
    /// signs in by phone.
    pub sign_in_account: Option<String>,
    /// The protocols of other providers in which the service can be called.
    pub doors: Vec<Door>,
    /// The host of the service's own address (`PUBLIC_URL`): no webhook may lead there.
    pub public_host: Option<Host>,
    /// The names under which it answers plain HTTP, besides those of its own machine: for development only (`PLAIN_HTTP_HOSTS`).
    pub plain_http_hosts: Vec<Host>,
}

/// Which requests have a line in the log. A line costs about as much as all else that the worker does for a send.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogRequests {
    /// Those that ended with an error: status 400 and above.
    Errors,
    /// All.
    All,
}

impl LogRequests {
    /// Whether a request that ended with this status has one.
    pub fn includes(self, status: u16) -> bool {
        self == LogRequests::All || status >= 400
    }
}

impl Default for Config {
    fn default() -> Self {
        Config {
            max_recipients: 1_000,
            max_phonebook_recipients: 10_000,
            phonebook_bytes: 200_000_000,
            pattern_bytes: 10_000_000,
            customer_bytes: 5_000_000_000,
            d1_bytes: 10_000_000_000,
            pattern_approval: false,
            max_parts: 10,
            retention_days: 90,
            audit_days: 730,
            audit_bytes_a_day: 2_000_000,
            destinations: vec![HOME],
            credit_approval_above: None,
            opt_out_words: forms(OPT_OUT_WORDS),
            opt_in_words: forms(OPT_IN_WORDS),
            unit: "IRR".to_owned(),
            webhook_allow_loopback: false,
            webhook_retry_s: vec![5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
            default_language: Language::En,
            log_requests: LogRequests::Errors,
            docs_url: None,
            sign_in_account: None,
            doors: Door::ALL.to_vec(),
            public_host: None,
            plain_http_hosts: Vec::new(),
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
        let opt_out_words = words("OPT_OUT_WORDS", get("OPT_OUT_WORDS"), default.opt_out_words, &[])?;
        let opt_in_words = words(
            "OPT_IN_WORDS",
            get("OPT_IN_WORDS"),
            default.opt_in_words,
            &opt_out_words,
        )?;
        Ok(Config {
            max_recipients: whole(&get, "MAX_RECIPIENTS", default.max_recipients, 1..=10_000, "1 to 10000")?,
            max_phonebook_recipients: whole(
                &get,
                "MAX_PHONEBOOK_RECIPIENTS",
                default.max_phonebook_recipients,
                1..=10_000,
                "1 to 10000",
            )?,
            phonebook_bytes: bytes(&get, "PHONEBOOK_BYTES", default.phonebook_bytes)?,
            pattern_bytes: bytes(&get, "PATTERN_BYTES", default.pattern_bytes)?,
            customer_bytes: bytes(&get, "CUSTOMER_BYTES", default.customer_bytes)?,
            d1_bytes: bytes(&get, "D1_BYTES", default.d1_bytes)?,
            pattern_approval: flag(&get, "PATTERN_APPROVAL", default.pattern_approval)?,
            max_parts: whole(&get, "MAX_PARTS", default.max_parts, 1..=255, "1 to 255")?,
            retention_days: whole(&get, "RETENTION_DAYS", default.retention_days, 2..=3_650, "2 to 3650")?,
            audit_days: whole(&get, "AUDIT_DAYS", default.audit_days, 30..=3_650, "30 to 3650")?,
            audit_bytes_a_day: whole(
                &get,
                "AUDIT_BYTES_A_DAY",
                default.audit_bytes_a_day,
                10_000..=100_000_000,
                "10000 to 100000000",
            )?,
            destinations: destinations(get("DESTINATIONS"), default.destinations)?,
            credit_approval_above: above(&get, "CREDIT_APPROVAL_ABOVE")?,
            opt_out_words,
            opt_in_words,
            unit: unit(get("CURRENCY_UNIT"), default.unit)?,
            webhook_allow_loopback: flag(&get, "WEBHOOK_ALLOW_LOOPBACK", default.webhook_allow_loopback)?,
            webhook_retry_s: waits(get("WEBHOOK_RETRY_SECONDS"), default.webhook_retry_s)?,
            default_language: language(get("DEFAULT_LANGUAGE"), default.default_language)?,
            log_requests: log_requests(get("LOG_REQUESTS"), default.log_requests)?,
            docs_url: docs_url(get("DOCS_URL"), get(PUBLIC_URL))?,
            sign_in_account: get("SIGN_IN_ACCOUNT").filter(|username| !username.is_empty()),
            doors: doors(get("DOORS"), default.doors)?,
            public_host: get(PUBLIC_URL).and_then(|url| host_of(&url)),
            plain_http_hosts: plain_http_hosts(get("PLAIN_HTTP_HOSTS"))?,
        })
    }
}

impl Config {
    /// Whether others could read what a client sends to this address of the service.
    pub fn is_exposed(&self, origin: &str) -> bool {
        is_exposed(origin) && !host_of(origin).is_some_and(|host| self.plain_http_hosts.contains(&host))
    }
}

/// Reads hosts that stand between commas. What reaches a public host goes through networks of others.
fn plain_http_hosts(value: Option<String>) -> Result<Vec<Host>, ConfigError> {
    let value = value.unwrap_or_default();
    let names = value.split(',').map(str::trim).filter(|name| !name.is_empty());
    let hosts: Option<Vec<Host>> = names
        .map(|name| Host::parse(name).filter(|host| !host.is_public()))
        .collect();
    hosts
        .filter(|hosts| hosts.len() <= MAX_PLAIN_HTTP_HOSTS)
        .ok_or(ConfigError {
            name: "PLAIN_HTTP_HOSTS",
            value,
            expected: "at most 20 names or IP addresses between commas, none of them on the public internet, like peyk or 10.0.0.5",
        })
}

/// Reads the address of a service, without a slash at its end: `https`, or `http` on this machine. `None`: the text is no such
/// address.
pub fn address(text: &str) -> Option<String> {
    let url = text.trim().trim_end_matches('/');
    let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"))?;
    let is_good =
        !host.is_empty() && url.bytes().all(|byte| byte.is_ascii_graphic()) && !host.contains(['?', '#', '%', '@']);
    (is_good && !is_exposed(url)).then(|| url.to_owned())
}

/// A `PUBLIC_URL` that is no address is a fault of the carriers that need it, not of the settings.
fn docs_url(own: Option<String>, public: Option<String>) -> Result<Option<String>, ConfigError> {
    let Some(value) = own else {
        return Ok(public.and_then(|url| address(&url)));
    };
    match address(&value) {
        Some(url) => Ok(Some(url)),
        None => Err(ConfigError {
            name: "DOCS_URL",
            value,
            expected: "an address like https://sms.example.com",
        }),
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

/// Reads an amount of money above which something holds. A missing setting switches it off.
fn above(get: impl Fn(&str) -> Option<String>, name: &'static str) -> Result<Option<i64>, ConfigError> {
    match get(name) {
        None => Ok(None),
        Some(_) => whole(get, name, 0, 0..=MAX_INTEGER, "0 to 9007199254740991").map(Some),
    }
}

/// Reads how many bytes of D1 something may take.
fn bytes(get: impl Fn(&str) -> Option<String>, name: &'static str, default: i64) -> Result<i64, ConfigError> {
    whole(get, name, default, 1..=10_000_000_000, "1 to 10000000000")
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

/// The forms of words that stand between commas.
fn forms(list: &str) -> Vec<String> {
    if list.trim().is_empty() {
        Vec::new()
    } else {
        list.split([',', '،']).map(|word| Words::of(word).joined()).collect()
    }
}

/// Reads words that are not among the `others`. A setting without words switches off what they are for. A missing setting has
/// those of its default words that the others leave.
fn words(
    name: &'static str,
    value: Option<String>,
    mut default: Vec<String>,
    others: &[String],
) -> Result<Vec<String>, ConfigError> {
    let Some(value) = value else {
        default.retain(|form| !others.contains(form));
        return Ok(default);
    };
    let forms = forms(&value);
    let is_good = |form: &String| !form.is_empty() && form.chars().count() <= MAX_WORD && !others.contains(form);
    if forms.len() <= MAX_WORDS && forms.iter().all(is_good) {
        Ok(forms)
    } else {
        Err(ConfigError {
            name,
            value,
            expected: "at most 50 words between commas, each of 1 to 32 letters and digits, and none in both settings",
        })
    }
}

/// Reads prefixes that stand between commas.
fn destinations(value: Option<String>, default: Vec<Prefix>) -> Result<Vec<Prefix>, ConfigError> {
    let Some(value) = value else {
        return Ok(default);
    };
    let prefixes: Option<Vec<Prefix>> = value.split(',').map(|prefix| Prefix::parse(prefix.trim())).collect();
    prefixes
        .filter(|prefixes| prefixes.len() <= MAX_DESTINATIONS)
        .ok_or(ConfigError {
            name: "DESTINATIONS",
            value,
            expected: "1 to 300 prefixes of international numbers between commas, without + and zeros in front",
        })
}

/// Reads the names of doors that stand between commas. A setting without any closes them all.
fn doors(value: Option<String>, default: Vec<Door>) -> Result<Vec<Door>, ConfigError> {
    let Some(value) = value else {
        return Ok(default);
    };
    let names = value.split(',').map(str::trim).filter(|name| !name.is_empty());
    let doors: Option<Vec<Door>> = names.map(Door::parse).collect();
    doors.ok_or(ConfigError {
        name: "DOORS",
        value,
        expected: "names of doors between commas: kavenegar, ippanel, smsir, twilio",
    })
}

/// Reads a list of waits, s.
fn waits(value: Option<String>, default: Vec<u32>) -> Result<Vec<u32>, ConfigError> {
    let Some(value) = value else {
        return Ok(default);
    };
    let whole = |wait: &str| {
        wait.trim()
            .parse()
            .ok()
            .filter(|wait_s| (1..=MAX_WAIT_S).contains(wait_s))
    };
    let waits: Option<Vec<u32>> = value.split(',').map(whole).collect();
    waits.filter(|waits| waits.len() <= MAX_WAITS).ok_or(ConfigError {
        name: "WEBHOOK_RETRY_SECONDS",
        value,
        expected: "1 to 20 whole numbers of seconds between commas, each from 1 to 86400",
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

fn log_requests(value: Option<String>, default: LogRequests) -> Result<LogRequests, ConfigError> {
    match value.as_deref() {
        None => Ok(default),
        Some("errors") => Ok(LogRequests::Errors),
        Some("all") => Ok(LogRequests::All),
        Some(other) => Err(ConfigError {
            name: "LOG_REQUESTS",
            value: other.to_owned(),
            expected: "errors or all",
        }),
    }
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
    fn requests_that_end_well_have_a_line_only_if_the_setting_says_so() {
        let read = |value: Option<&str>| {
            let config = Config::read(|asked| value.filter(|_| asked == "LOG_REQUESTS").map(str::to_owned));
            let log_requests = config.unwrap().log_requests;
            [200, 201, 304, 399, 400, 429, 503].map(|status| log_requests.includes(status))
        };
        let errors = [false, false, false, false, true, true, true];
        assert_eq!(read(None), errors);
        assert_eq!(read(Some("errors")), errors);
        assert_eq!(read(Some("all")), [true; 7]);
    }

    #[test]
    fn words_are_kept_in_the_form_in_which_they_are_compared() {
        let read = |value: &str| {
            let config = Config::read(|asked| (asked == "OPT_OUT_WORDS").then(|| value.to_owned()));
            config.unwrap().opt_out_words
        };
        assert_eq!(read("Stop All ، لغو ۱۱,Ende"), ["stopall", "لغو11", "ende"]);
        assert!(read("").is_empty());
        let config = Config::read(|asked| (asked == "OPT_OUT_WORDS").then(|| "12".to_owned())).unwrap();
        assert_eq!(config.opt_in_words, ["start", "شروع"]);
        let many: Vec<String> = (0..51).map(|number| format!("w{number}")).collect();
        assert_eq!(read(&many[..50].join(",")).len(), 50);
        assert!(Config::read(|asked| (asked == "OPT_OUT_WORDS").then(|| many.join(","))).is_err());
    }

    #[test]
    fn errors_are_explained_by_the_service_itself_unless_a_setting_names_another() {
        let read = |docs: Option<&str>, public: Option<&str>| {
            let config = Config::read(|asked| match asked {
                "DOCS_URL" => docs.map(str::to_owned),
                "PUBLIC_URL" => public.map(str::to_owned),
                _ => None,
            });
            config.unwrap().docs_url
        };
        let (docs, public) = (Some("https://docs.example/peyk/"), Some("https://sms.example"));
        assert_eq!(read(docs, public).as_deref(), Some("https://docs.example/peyk"));
        assert_eq!(read(None, public).as_deref(), Some("https://sms.example"));
        assert_eq!(read(None, Some("sms.example")), None);
        assert_eq!(read(None, None), None);
    }

    #[test]
    fn destinations_stand_between_commas() {
        let read = |value: &str| {
            let config = Config::read(|asked| (asked == "DESTINATIONS").then(|| value.to_owned()));
            let names = |config: Config| config.destinations.iter().map(Prefix::to_string).collect::<Vec<_>>();
            config.map(names)
        };
        assert_eq!(
            read("98, 971,44"),
            Ok(vec!["98".to_owned(), "971".to_owned(), "44".to_owned()])
        );
        assert_eq!(read(&["7"; 300].join(",")).map(|prefixes| prefixes.len()), Ok(300));
        assert!(read(&["7"; 301].join(",")).is_err());
    }

    #[test]
    fn waits_stand_between_commas() {
        let read = |value: &str| {
            let config = Config::read(|asked| (asked == "WEBHOOK_RETRY_SECONDS").then(|| value.to_owned()));
            config.map(|config| config.webhook_retry_s)
        };
        assert_eq!(read("5"), Ok(vec![5]));
        assert_eq!(read(" 1, 300 ,86400"), Ok(vec![1, 300, 86_400]));
        assert_eq!(read(&["7"; 20].join(",")), Ok(vec![7; 20]));
        assert!(read(&["7"; 21].join(",")).is_err());
    }

    #[test]
    fn a_bad_value_is_named() {
        for (name, value) in [
            ("MAX_RECIPIENTS", "0"),
            ("MAX_PARTS", "many"),
            ("MAX_PHONEBOOK_RECIPIENTS", "10001"),
            ("PHONEBOOK_BYTES", "10000000001"),
            ("PATTERN_BYTES", "0"),
            ("CUSTOMER_BYTES", "5e9"),
            ("D1_BYTES", "10 GB"),
            ("AUDIT_BYTES_A_DAY", "9999"),
            ("CREDIT_APPROVAL_ABOVE", "-1"),
            ("CREDIT_APPROVAL_ABOVE", "1e6"),
            ("CREDIT_APPROVAL_ABOVE", "9007199254740992"),
            ("PATTERN_APPROVAL", "yes"),
            ("WEBHOOK_ALLOW_LOOPBACK", "1"),
            ("PLAIN_HTTP_HOSTS", "sms.example.com"),
            ("PLAIN_HTTP_HOSTS", "peyk, 8.8.8.8"),
            ("PLAIN_HTTP_HOSTS", "peyk:8787"),
            ("PLAIN_HTTP_HOSTS", "http://peyk"),
            // An idempotency key is kept for a day, and names its message.
            ("RETENTION_DAYS", "1"),
            ("CURRENCY_UNIT", "rial"),
            ("DEFAULT_LANGUAGE", "fa-IR"),
            ("LOG_REQUESTS", "none"),
            ("DOCS_URL", "docs.example"),
            ("DOCS_URL", "https://docs.example/?a"),
            ("DOCS_URL", "http://docs.example"),
            ("WEBHOOK_RETRY_SECONDS", ","),
            ("WEBHOOK_RETRY_SECONDS", "5,,300"),
            ("WEBHOOK_RETRY_SECONDS", "0"),
            ("WEBHOOK_RETRY_SECONDS", "5,86401"),
            ("WEBHOOK_RETRY_SECONDS", "5;300"),
            ("WEBHOOK_RETRY_SECONDS", "1.5"),
            ("WEBHOOK_RETRY_SECONDS", "-5"),
            ("DESTINATIONS", ""),
            ("DESTINATIONS", "98,,44"),
            ("DESTINATIONS", "+98"),
            ("DESTINATIONS", "0098"),
            ("OPT_OUT_WORDS", "STOP,,END"),
            ("OPT_IN_WORDS", "Go, !"),
            ("OPT_IN_WORDS", "abcdefghijklmnopqrstuvwxyz1234567"),
            ("OPT_IN_WORDS", "لغو۱۱"),
        ] {
            let error = Config::read(|asked| (asked == name).then(|| value.to_owned())).unwrap_err();
            assert!(error.to_string().contains(name), "{error}");
            assert!(error.to_string().contains(value), "{error}");
        }
    }
}
