//! Reads the settings of a carrier from a body, by the table of its kind.

use serde_json::{Map, Value};

use crate::api::http::forms::{Form, Look, check_length, choice, flag, formed, integer, parsed};
use crate::api::http::json_fields::{Fields, Place};
use crate::api::http::json_schema::{self, Schema};
use crate::carrier::settings::{self, ALLOW_PLAINTEXT, Default, Member, is_host, is_url, lacks_encryption, moves};
use crate::directory::carriers::Carrier;
use crate::problem::field_error::FieldErrorKind;

/// An address has at most this many characters.
const MAX_URL: usize = 500;
/// The name of a host has at most this many characters.
const MAX_HOST: usize = 253;

static URL: Look = Look {
    min: 1,
    max: MAX_URL,
    pattern: r"^https?://[\x21-\x7E]+$",
    fault: FieldErrorKind::BadForm(
        "http://host/path or https://host/path, without a user and a password",
        "http://host/path یا https://host/path، بدون نام کاربری و رمز",
    ),
    is_met: is_url,
};
/// Names of labels with dots between them, and what has the characters of an IPv6 address.
static HOST: Look = Look {
    min: 1,
    max: MAX_HOST,
    pattern: r"^(?:[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?(?:\.[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?)*|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)$",
    fault: FieldErrorKind::BadForm("a host name or an IP address", "نام هاست یا آدرس IP"),
    is_met: is_host,
};
const TEXT_FORM: FieldErrorKind = FieldErrorKind::BadForm("visible ASCII characters", "کاراکترهای قابل‌نمایش ASCII");

fn visible(max: usize) -> impl Form<Value = String> {
    let parse = move |text: &str| {
        let is_visible = check_length(text, max)?.bytes().all(|byte| byte.is_ascii_graphic());
        is_visible.then(|| text.to_owned()).ok_or(TEXT_FORM)
    };
    parsed(parse, move || json_schema::formed(max, r"^[\x21-\x7E]+$"))
}

fn one_of(names: &'static [&'static str]) -> impl Form<Value = &'static str> {
    choice(names, |name| name)
}

impl Form for settings::Form {
    type Value = Value;

    fn read(&self, value: &Value, place: &mut Place<'_>) -> Option<Value> {
        match *self {
            settings::Form::Url => formed(&URL).read(value, place).map(Value::from),
            settings::Form::Host => formed(&HOST).read(value, place).map(Value::from),
            settings::Form::Text(max) | settings::Form::Secret(max) => visible(max).read(value, place).map(Value::from),
            settings::Form::Integer(min, max) => integer(min, max).read(value, place).map(Value::from),
            settings::Form::Boolean => flag().read(value, place).map(Value::from),
            settings::Form::Choice(names) => one_of(names).read(value, place).map(Value::from),
        }
    }

    fn schema(&self) -> Schema {
        match *self {
            settings::Form::Url => formed(&URL).schema().like("https://sms.example.com/send"),
            settings::Form::Host => formed(&HOST).schema().like("smsc.example.com"),
            settings::Form::Text(max) => visible(max).schema().like("peyk"),
            settings::Form::Secret(max) => visible(max).schema().with("writeOnly", true).like("secret"),
            settings::Form::Integer(min, max) => integer(min, max).schema(),
            settings::Form::Boolean => flag().schema(),
            settings::Form::Choice(names) => one_of(names).schema(),
        }
    }
}

/// The settings that a request names.
#[derive(Debug)]
pub struct NewSettings {
    /// The members to set, and with `None` those to reset to what they are when nobody sets them.
    changes: Vec<(&'static Member, Option<Value>)>,
    /// The secrets among them.
    pub secrets: Map<String, Value>,
}

impl NewSettings {
    /// The settings after the change. Members that nobody has set yet get their defaults.
    pub fn apply(&self, mut settings: Map<String, Value>, members: &[Member]) -> Map<String, Value> {
        for (member, value) in &self.changes {
            match value {
                Some(value) => drop(settings.insert(member.name.to_owned(), value.clone())),
                None => drop(settings.remove(member.name)),
            }
        }
        for member in members {
            if let Some(value) = member.default.value() {
                settings.entry(member.name).or_insert(value);
            }
        }
        settings
    }
}

/// Reads the member of a body that is named like the kind, whose settings have these members. A carrier has settings `before`; a new
/// one has none, and needs all that is required.
pub fn read(
    fields: &mut Fields<'_>,
    kind: &str,
    members: &'static [Member],
    before: Option<&Map<String, Value>>,
) -> NewSettings {
    let mut settings = NewSettings {
        changes: Vec::new(),
        secrets: Map::new(),
    };
    let object = fields.object(kind, |own| {
        read_members(own, members, before.is_none(), &mut settings);
        let after = settings.apply(before.cloned().unwrap_or_default(), members);
        if lacks_encryption(&after) {
            own.fault(ALLOW_PLAINTEXT, FieldErrorKind::PlaintextNotAllowed);
        }
        if let Some(moved) = before.and_then(|before| moves(before, &after)) {
            need_secrets(own, members, moved);
        }
    });
    let needs_some = members.iter().any(|member| member.default == Default::Required);
    if before.is_none() && needs_some {
        fields.require(kind, object);
    }
    settings
}

/// Wants the secrets once more, because one that is kept would go elsewhere: who may change an address must not learn it by that.
fn need_secrets(fields: &mut Fields<'_>, members: &[Member], moved: &'static str) {
    for member in members {
        if matches!(member.form, settings::Form::Secret(_)) && !fields.has(member.name) {
            fields.fault(member.name, FieldErrorKind::NeededToMove(moved));
        }
    }
}

fn read_members(fields: &mut Fields<'_>, members: &'static [Member], is_new: bool, settings: &mut NewSettings) {
    for member in members {
        let value = fields.can(member.name, &member.form);
        if is_new && member.default == Default::Required {
            fields.require(member.name, value.as_ref());
        }
        let is_null = fields.has(member.name) && fields.value(member.name).is_none();
        match value {
            Some(secret) if matches!(member.form, settings::Form::Secret(_)) => {
                settings.secrets.insert(member.name.to_owned(), secret);
            }
            Some(value) => settings.changes.push((member, Some(value))),
            None if is_null && member.default != Default::Required => settings.changes.push((member, None)),
            None if is_null && !is_new => fields.fault(member.name, FieldErrorKind::Required),
            None => {}
        }
    }
    for name in fields.names() {
        if !members.iter().any(|member| member.name == name) {
            let known: Vec<&str> = members.iter().map(|member| member.name).collect();
            fields.fault(name, FieldErrorKind::NoMember(known.join(", ")));
        }
    }
}

/// The settings of a stored carrier.
pub fn stored(carrier: &Carrier) -> Map<String, Value> {
    serde_json::from_str(&carrier.settings).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::api::http::json_fields::Setting;
    use crate::base::config::Config;
    use crate::carrier::settings::SMPP;
    use crate::problem::warning::Remarks;

    /// What is read of a body, and the fields with faults.
    fn read_smpp(body: &Value, is_new: bool) -> (NewSettings, Vec<String>) {
        let object = body.as_object().unwrap();
        let config = Config::default();
        let setting = Setting {
            config: &config,
            now_ms: 0,
            origin: "",
            ignored: &Remarks::default(),
            operations: &[],
        };
        let mut fields = Fields::new(object, setting);
        let before = (!is_new).then(Map::new);
        let settings = read(&mut fields, "smpp", SMPP, before.as_ref());
        let faults = fields.into_faults();
        (
            settings,
            faults
                .iter()
                .map(crate::problem::field_error::FieldError::field)
                .collect(),
        )
    }

    #[test]
    fn an_smsc_needs_a_host_and_a_login_and_has_defaults_for_the_rest() {
        let body = json!({"smpp": {"host": "smsc.example.com", "systemId": "peyk", "password": "p4ss"}});
        let (settings, faults) = read_smpp(&body, true);
        assert_eq!(faults, Vec::<String>::new());
        assert_eq!(Value::Object(settings.secrets.clone()), json!({"password": "p4ss"}));
        let expected = json!({"host": "smsc.example.com", "port": 2_775, "tls": true, "systemId": "peyk", "binds": 1,
            "window": 50, "longMessages": "UDH", "reportIds": "AS_IS", "reportNumbers": "EITHER",
            "partReports": "AUTO", "dataCoding": 0, "defaultAlphabet": "GSM7"});
        assert_eq!(Value::Object(settings.apply(Map::new(), SMPP)), expected);
        assert_eq!(read_smpp(&json!({}), true).1, ["smpp"]);
        assert_eq!(
            read_smpp(&json!({"smpp": {}}), true).1,
            ["smpp.host", "smpp.systemId", "smpp.password"]
        );
    }

    #[test]
    fn each_setting_of_an_smsc_has_its_range() {
        for (member, good, bad) in [
            ("host", json!("10.0.0.5"), json!("10.0.0.5:2775")),
            ("port", json!(65_535), json!(65_536)),
            ("port", json!(1), json!(0)),
            ("tls", json!(false), json!("yes")),
            ("systemId", json!("x".repeat(15)), json!("x".repeat(16))),
            ("password", json!("x".repeat(8)), json!("x".repeat(9))),
            ("systemType", json!("x".repeat(12)), json!("x".repeat(13))),
            ("binds", json!(16), json!(17)),
            ("binds", json!(1), json!(0)),
            ("window", json!(1_000), json!(1_001)),
            ("throughputPerSecond", json!(1), json!(0)),
            ("longMessages", json!("SAR"), json!("sar")),
            ("reportIds", json!("HEX"), json!("OCTAL")),
            ("reportNumbers", json!("DESTINATION"), json!("PHONE")),
            ("partReports", json!("ANY"), json!("ONE_ID")),
            ("dataCoding", json!(255), json!(256)),
            ("defaultAlphabet", json!("LATIN1"), json!("ASCII")),
            ("sourceTon", json!(6), json!(7)),
            ("sourceNpi", json!(18), json!(19)),
            ("validitySeconds", json!(60), json!(59)),
            ("validitySeconds", json!(255_600), json!(255_601)),
            ("window", json!(1), json!(1.5)),
        ] {
            let with = |value: &Value| {
                let mut body = json!({"smpp": {"password": "secret"}});
                body["smpp"][member] = value.clone();
                read_smpp(&body, false).1
            };
            assert_eq!(with(&good), Vec::<String>::new(), "{member}: {good}");
            let faults = with(&bad);
            assert_eq!(faults, [format!("smpp.{member}")], "{bad}");
        }
    }

    #[test]
    fn null_takes_a_setting_away_or_back_to_its_default() {
        let body = json!({"smpp": {"sourceTon": null, "window": null, "port": 2_776, "password": "secret"}});
        let (settings, faults) = read_smpp(&body, false);
        assert_eq!(faults, Vec::<String>::new());
        let before = json!({"host": "a", "port": 2_775, "sourceTon": 5, "window": 10});
        let after = Value::Object(settings.apply(before.as_object().unwrap().clone(), SMPP));
        assert_eq!(
            (&after["port"], &after["window"], after.get("sourceTon")),
            (&json!(2_776), &json!(50), None)
        );
    }
}
