//! The settings of each kind of carrier: one table, from which the API reads what an operator sends.
//!
//! A carrier's settings are a JSON object with the members of its kind. Those marked as secret are kept apart, sealed, and
//! are never answered.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::account::record::chunk::REPORT_DEADLINE_MS;
use crate::auth::secret::{Keys, Purpose};
use crate::base::ports::Platform;
use crate::directory::carriers::Carrier;

/// The most objects that serve all accounts of a carrier. One over SMPP has one for each bind.
pub const MAX_OBJECTS: i64 = 16;
/// The requests that an object of a gateway has under way at once, unless an operator says otherwise: so many connections of
/// one object the platform lets wait for their answers.
pub const HTTP_WINDOW: i64 = 6;
/// The most that an operator may say. On the platform a request beyond [`HTTP_WINDOW`] waits for another's answer, and its time
/// runs. With twice as many, it waits for one.
const MAX_HTTP_WINDOW: i64 = 2 * HTTP_WINDOW;
/// The longest time that an SMSC may be told to try, s: an hour less than an account's object waits for the report. A
/// message that arrived after that would have been told to be `EXPIRED`.
pub const MAX_VALIDITY_S: i64 = (REPORT_DEADLINE_MS - 60 * 60 * 1_000) / 1_000;

/// A member of a kind's settings.
#[derive(Debug, Clone, Copy)]
pub struct Member {
    /// Its name.
    pub name: &'static str,
    /// What its value has to be.
    pub form: Form,
    /// What it is when nobody sets it.
    pub default: Default,
    /// What it is for, as the document says it. The service does not carry the document.
    #[cfg(not(target_arch = "wasm32"))]
    pub about: &'static str,
}

/// What a member is when nobody sets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Default {
    /// It must be set.
    Required,
    /// It is not there.
    Absent,
    /// This number.
    Integer(i64),
    /// This text.
    Text(&'static str),
    /// `true`.
    Yes,
    /// `false`.
    No,
}

impl Default {
    /// The value. `None`: there is none.
    pub fn value(self) -> Option<Value> {
        match self {
            Default::Required | Default::Absent => None,
            Default::Integer(number) => Some(json!(number)),
            Default::Text(text) => Some(json!(text)),
            Default::Yes => Some(json!(true)),
            Default::No => Some(json!(false)),
        }
    }
}

/// What a member's value has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// An address with `http` or `https`, without a user, a password and a fragment.
    Url,
    /// The name or the IP address of a host.
    Host,
    /// Visible ASCII characters, at most so many.
    Text(usize),
    /// As [`Form::Text`], and a secret.
    Secret(usize),
    /// A whole number in this range.
    Integer(i64, i64),
    /// `true` or `false`.
    Boolean,
    /// One of these.
    Choice(&'static [&'static str]),
}

/// The member by which an operator says that an address may begin with `http://`: that others may read messages and passwords on
/// their way to it.
pub const ALLOW_PLAINTEXT: &str = "allowPlaintext";

/// The settings of sandboxes.
pub const SANDBOX: &[Member] = &[
    member(
        "window",
        Form::Integer(1, 1_000_000),
        Default::Integer(10_000),
        "Calls of one account that may wait for their reports.",
    ),
    member(
        "reportAfterMs",
        Form::Integer(0, 60_000),
        Default::Integer(0),
        "How long it takes to report how a message ended, ms. With 0 its answer says so.",
    ),
];

/// The settings of carriers that are gateways with an HTTP interface.
pub const HTTP: &[Member] = &[
    member(
        "url",
        Form::Url,
        Default::Required,
        "The gateway's address for sending, with `http` or `https`, without a user and a password.",
    ),
    member(
        ALLOW_PLAINTEXT,
        Form::Boolean,
        Default::No,
        "Must be `true` for a `url` with `http`: others can then read messages and the password on their way.",
    ),
    member(
        "gateway",
        Form::Choice(&["KANNEL", "JASMIN"]),
        Default::Text("KANNEL"),
        "Which gateway it is.",
    ),
    member("username", Form::Text(64), Default::Required, "The user's name."),
    member("password", Form::Secret(64), Default::Required, PASSWORD),
    member(
        "timeoutMs",
        Form::Integer(500, 8_000),
        Default::Integer(8_000),
        "How long a request may take, ms.",
    ),
    member(
        "objects",
        Form::Integer(1, MAX_OBJECTS),
        Default::Integer(1),
        "Objects that share the messages, each with requests of its own.",
    ),
    member(
        "window",
        Form::Integer(1, MAX_HTTP_WINDOW),
        Default::Integer(HTTP_WINDOW),
        "Requests that one object has under way at once.",
    ),
];

/// The settings of carriers that speak SMPP. The lengths of the texts are those that SMPP 3.4 allows.
pub const SMPP: &[Member] = &[
    member(
        "host",
        Form::Host,
        Default::Required,
        "The name or the IP address of the SMSC's host.",
    ),
    member("port", Form::Integer(1, 65_535), Default::Integer(2_775), "Its port."),
    member(
        "tls",
        Form::Boolean,
        Default::Yes,
        "Whether the connection is encrypted. `false` for an SMSC without TLS: others can then read messages and the password on \
         their way.",
    ),
    member("systemId", Form::Text(15), Default::Required, "The name to bind with."),
    member("password", Form::Secret(8), Default::Required, PASSWORD),
    member(
        "systemType",
        Form::Text(12),
        Default::Absent,
        "What the SMSC's operator asks for, often nothing.",
    ),
    member(
        "binds",
        Form::Integer(1, MAX_OBJECTS),
        Default::Integer(1),
        "Sessions at the same time.",
    ),
    member(
        "window",
        Form::Integer(1, 1_000),
        Default::Integer(50),
        "Messages of one session that may wait for their answers.",
    ),
    member(
        "throughputPerSecond",
        Form::Integer(1, 10_000),
        Default::Absent,
        "Messages that one session sends in a second at most; each part of a long message counts. Left out: no limit.",
    ),
    member(
        "longMessages",
        Form::Choice(&["UDH", "PAYLOAD", "SAR"]),
        Default::Text("UDH"),
        "How long messages travel. `UDH`: in parts that begin with a header. `SAR`: in parts that optional parameters number. \
         `PAYLOAD`: whole, in `message_payload`.",
    ),
    member(
        "reportIds",
        Form::Choice(&["AS_IS", "HEX", "DECIMAL"]),
        Default::Text("AS_IS"),
        "How the id of a report differs from that of the answer. `AS_IS`: not at all. `DECIMAL`: by leading zeros or the case of \
         letters. `HEX`: one is hexadecimal and the other one decimal. If it is wrong, messages stay `SUBMITTED`.",
    ),
    member(
        "reportNumbers",
        Form::Choice(&["EITHER", "SOURCE", "DESTINATION", "NONE"]),
        Default::Text("EITHER"),
        "In which address a report names its recipient. `EITHER`: in the one that is an Iranian mobile number. `NONE`: in neither, \
         so the id alone counts.",
    ),
    member(
        "partReports",
        Form::Choice(&["AUTO", "ALL", "FIRST", "LAST", "ANY"]),
        Default::Text("AUTO"),
        "Which parts of a long message have reports. `AUTO`: Peyk learns it, and the first long messages may stay `SUBMITTED` for \
         five and a half minutes. `ALL`: each part. `FIRST`, `LAST`: this one. `ANY`: one that is not always the same.",
    ),
    member(
        "dataCoding",
        Form::Integer(0, 255),
        Default::Integer(0),
        "The `data_coding` of a text in the default alphabet.",
    ),
    member(
        "defaultAlphabet",
        Form::Choice(&["GSM7", "LATIN1", "IA5"]),
        Default::Text("GSM7"),
        "The SMSC's default alphabet; `IA5` is ASCII. If `@` and `_` arrive as other characters, it is wrong. A text with a \
         character that it lacks goes as UCS-2, and may take more parts.",
    ),
    member(
        "sourceTon",
        Form::Integer(0, 6),
        Default::Absent,
        "The type of number (TON) of all senders. Left out: by the sender.",
    ),
    member(
        "sourceNpi",
        Form::Integer(0, 18),
        Default::Absent,
        "The numbering plan (NPI) of all senders. Left out: by the sender.",
    ),
    member(
        "validitySeconds",
        Form::Integer(60, MAX_VALIDITY_S),
        Default::Absent,
        "How long the SMSC is to try, s. Left out: as long as it does by itself.",
    ),
];

const PASSWORD: &str = "The password. It is sealed, and never answered.";

#[cfg_attr(
    target_arch = "wasm32",
    expect(unused_variables, reason = "the service does not carry the document")
)]
const fn member(name: &'static str, form: Form, default: Default, about: &'static str) -> Member {
    Member {
        name,
        form,
        default,
        #[cfg(not(target_arch = "wasm32"))]
        about,
    }
}

#[derive(Deserialize)]
struct Secrets {
    password: String,
}

/// The password of a carrier, opened.
///
/// # Errors
/// Words for operators, without values: why the carrier can't be used as it is.
pub(super) fn password(platform: &impl Platform, carrier: &Carrier) -> Result<String, String> {
    let sealed = carrier.secrets.as_deref().ok_or("the carrier has no password")?;
    let keys = Keys::of(platform, Purpose::CarrierSecrets).map_err(|error| error.to_string())?;
    let opened = keys.open(&carrier.name, sealed).map_err(|error| error.to_string())?;
    let secrets: Secrets = serde_json::from_str(&opened).map_err(|_| "the secrets can't be read".to_owned())?;
    Ok(secrets.password)
}

/// The settings that say to whom the carrier's secret goes, and how.
const DESTINATION: [&str; 5] = ["url", "host", "port", "tls", "systemId"];

/// The first setting by which the secret would go elsewhere after a change.
pub fn moves(before: &Map<String, Value>, after: &Map<String, Value>) -> Option<&'static str> {
    DESTINATION
        .into_iter()
        .find(|name| before.get(*name) != after.get(*name))
}

/// Whether settings have an address that is not encrypted, and nobody has said that it may be.
pub fn lacks_encryption(settings: &Map<String, Value>) -> bool {
    let url = settings.get("url").and_then(Value::as_str);
    let is_allowed = settings.get(ALLOW_PLAINTEXT).and_then(Value::as_bool);
    url.is_some_and(|url| url.starts_with("http://")) && is_allowed != Some(true)
}

/// Whether a text is an address to which requests can go: `http` or `https`, a host, no user, no password, no fragment, and
/// nothing but visible ASCII characters.
pub fn is_url(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let Some(rest) = rest.filter(|rest| rest.bytes().all(|byte| byte.is_ascii_graphic())) else {
        return false;
    };
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, Some(port)),
        _ => (authority, None),
    };
    let is_port = |port: &str| port.len() <= 5 && port.parse::<u16>().is_ok_and(|port| port > 0);
    let unwrapped = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let is_good = match unwrapped {
        Some(address) => is_ip_6(address),
        None => is_host(host) && !host.contains(':'),
    };
    is_good && port.is_none_or(is_port) && !rest.contains(['#', '\\', '"', '<', '>'])
}

/// Whether a text is the name or the IP address of a host.
pub fn is_host(text: &str) -> bool {
    let is_label = |label: &str| {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        (1..=63).contains(&label.len())
            && label.bytes().all(is_plain)
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let is_name = text.len() <= 253 && text.split('.').all(is_label);
    is_name || is_ip_6(text)
}

fn is_ip_6(text: &str) -> bool {
    text.parse::<std::net::Ipv6Addr>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_gateways_are_told_from_what_is_none() {
        for good in [
            "http://10.0.0.5:13013/cgi-bin/sendsms",
            "https://sms.example.com/send?smsc=mci",
            "http://localhost:1401",
            "http://[::1]:13013/cgi-bin/sendsms",
            "http://kannel_box/",
        ] {
            assert!(is_url(good), "{good}");
        }
        let bad = "|sms.example.com|ftp://sms.example.com|http://|http:///cgi-bin|http://user:word@sms.example.com/\
            |http://user@sms.example.com/|http://sms.example.com:0/|http://sms.example.com:65536/|http://sms.example.com:/\
            |http://sms example.com/|http://sms.example.com/#x|http://-sms.example.com/|http://sms..example.com/\
            |http://پیامک.example/|http://::1/|http://[::1/";
        for bad in bad.split('|') {
            assert!(!is_url(bad), "{bad}");
        }
    }

    #[test]
    fn each_setting_says_what_it_is_for() {
        for member in [SANDBOX, HTTP, SMPP].concat() {
            assert!(member.about.len() > 5 && member.about.ends_with('.'), "{}", member.name);
        }
    }

    #[test]
    fn hosts_are_told_from_what_is_none() {
        for good in ["smsc.example.com", "10.0.0.5", "localhost", "::1", "2001:db8::5", "a"] {
            assert!(is_host(good), "{good}");
        }
        let long = "a.".repeat(127) + "ab";
        let label = "a".repeat(64);
        let bad = "|.|a..b|a b|a/b|a:2775|http://a|user@a|-a|a-".split('|');
        for bad in bad.chain([label.as_str(), long.as_str()]) {
            assert!(!is_host(bad), "{bad}");
        }
    }
}
