//! Reads the settings of a carrier from a body, by the table of its kind.

use serde_json::{Map, Value};

use crate::carrier::settings::{Default, Form, Member, is_host, is_url};
use crate::directory::carriers::Carrier;
use crate::fault::FaultKind;
use crate::input::Fields;

/// An address has at most this many characters.
const MAX_URL: usize = 500;
/// The name of a host has at most this many characters.
const MAX_HOST: usize = 253;

const URL_FORM: FaultKind = FaultKind::BadForm(
    "http://host/path or https://host/path, without a user and a password",
    "http://host/path یا https://host/path، بدون نام کاربری و رمز",
);
const HOST_FORM: FaultKind = FaultKind::BadForm("a host name or an IP address", "نام هاست یا آدرس IP");
const TEXT_FORM: FaultKind = FaultKind::BadForm("visible ASCII characters", "کاراکترهای قابل‌نمایش ASCII");

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

/// Reads the member of a body that is named like the kind, whose settings have these members. A new carrier needs all that is required.
pub fn read(fields: &mut Fields<'_>, kind: &str, members: &'static [Member], is_new: bool) -> NewSettings {
    let mut settings = NewSettings {
        changes: Vec::new(),
        secrets: Map::new(),
    };
    let object = fields.object(kind, |own| {
        read_members(own, members, is_new, &mut settings);
    });
    let needs_some = members.iter().any(|member| member.default == Default::Required);
    if is_new && needs_some {
        fields.require(kind, object);
    }
    settings
}

fn read_members(fields: &mut Fields<'_>, members: &'static [Member], is_new: bool, settings: &mut NewSettings) {
    for member in members {
        let value = read_value(fields, member);
        if is_new && member.default == Default::Required {
            fields.require(member.name, value.as_ref());
        }
        let is_null = fields.has(member.name) && fields.value(member.name).is_none();
        match value {
            Some(secret) if matches!(member.form, Form::Secret(_)) => {
                settings.secrets.insert(member.name.to_owned(), secret);
            }
            Some(value) => settings.changes.push((member, Some(value))),
            None if is_null && member.default != Default::Required => settings.changes.push((member, None)),
            None if is_null && !is_new => fields.fault(member.name, FaultKind::Required),
            None => {}
        }
    }
    for name in fields.names() {
        if !members.iter().any(|member| member.name == name) {
            let known: Vec<&str> = members.iter().map(|member| member.name).collect();
            fields.fault(name, FaultKind::NoMember(known.join(", ")));
        }
    }
}

fn read_value(fields: &mut Fields<'_>, member: &Member) -> Option<Value> {
    let name = member.name;
    match member.form {
        Form::Url => fields.formed(name, MAX_URL, URL_FORM, is_url).map(Value::from),
        Form::Host => fields.formed(name, MAX_HOST, HOST_FORM, is_host).map(Value::from),
        Form::Text(max) | Form::Secret(max) => fields.formed(name, max, TEXT_FORM, is_visible).map(Value::from),
        Form::Integer(min, max) => fields.integer(name, min, max).map(Value::from),
        Form::Boolean => fields.boolean(name).map(Value::from),
        Form::Choice(names) => {
            let text = fields.any_text(name)?;
            match names.contains(&text) {
                true => Some(text.into()),
                false => {
                    fields.fault(name, FaultKind::NotOneOf(names.join(", ")));
                    None
                }
            }
        }
    }
}

fn is_visible(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_graphic())
}

/// The settings of a stored carrier.
pub fn stored(carrier: &Carrier) -> Map<String, Value> {
    serde_json::from_str(&carrier.settings).unwrap_or_default()
}
