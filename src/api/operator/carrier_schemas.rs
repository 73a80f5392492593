//! What the document says of carriers, by the table of their settings.

use serde_json::{Value, json};

use super::carriers::{CarrierHealthData, NewCarrier, Switches};
use super::queue_depth::QueueDepthData;
use crate::api::http::forms::Form as _;
use crate::api::http::json_fields::Body;
use crate::api::http::json_schema::{
    Described, Schema, absent, any_text, can, carrying, exactly_one, may, must, object, one_of,
};
use crate::carrier::kind::Kind;
use crate::carrier::settings::{Default, Form, Member as Setting};
use crate::members;

fn described(setting: &Setting) -> Schema {
    setting.form.schema().about(setting.about)
}

fn with_default(setting: &Setting) -> Schema {
    let schema = described(setting);
    match setting.default.value() {
        Some(value) => schema.with("default", value),
        None => schema,
    }
}

/// The settings of a new carrier.
fn new_settings(settings: &[Setting]) -> Schema {
    let member = |setting: &Setting| match setting.default {
        Default::Required => must(setting.name, with_default(setting)),
        _ => can(setting.name, with_default(setting)),
    };
    object(settings.iter().map(member)).with("additionalProperties", false)
}

/// What changes of a carrier's settings.
fn changed_settings(settings: &[Setting]) -> Schema {
    let member = |setting: &Setting| match setting.default {
        Default::Required => may(setting.name, described(setting)),
        _ => can(setting.name, described(setting)),
    };
    object(settings.iter().map(member)).with("additionalProperties", false)
}

/// The settings that are answered.
fn kept_settings(settings: &[Setting]) -> Schema {
    let kept = settings
        .iter()
        .filter(|setting| !matches!(setting.form, Form::Secret(_)));
    object(kept.map(|setting| may(setting.name, described(setting))))
}

fn new(kind: Kind) -> Schema {
    let needs = kind
        .members()
        .iter()
        .any(|setting| setting.default == Default::Required);
    let own = new_settings(kind.members());
    let own = match needs {
        true => must(kind.as_str(), own),
        false => can(kind.as_str(), own),
    };
    let others = Kind::ALL
        .iter()
        .filter(|other| **other != kind)
        .map(|other| absent(other.as_str(), true));
    let mut members = NewCarrier::members();
    members.retain(|member| member.name() != "kind");
    members.extend([must("kind", one_of(&[kind.as_str()])), own]);
    object(members.into_iter().chain(Switches::members()).chain(others))
}

/// The names of the schemas of a kind: of a new carrier, and of one that is answered.
fn names(kind: Kind) -> (&'static str, &'static str) {
    match kind {
        Kind::Sandbox => ("NewSandboxCarrier", "SandboxCarrier"),
        Kind::Http => ("NewHttpCarrier", "HttpCarrier"),
        Kind::Smpp => ("NewSmppCarrier", "SmppCarrier"),
    }
}

fn answered(kind: Kind) -> Schema {
    let mut members = members! {
        "name": any_text().like(kind.as_str());
        "kind": one_of(&[kind.as_str()]);
        "active": flag() => true;
        "paused": flag();
        "health": declared::<CarrierHealthData>();
        "waiting": declared::<QueueDepthData>();
    };
    members.push(must(kind.as_str(), kept_settings(kind.members())));
    if kind == Kind::Http {
        members.extend(members! {
            /// The address that its gateway calls with messages from phones. It has a key in it. Lists do not have it.
            may "inboundUrl": any_text().or_null() => null;
        });
    }
    object(members)
}

fn of_each_kind(schema: impl Fn(Kind) -> Schema) -> Schema {
    exactly_one(Kind::ALL.iter().copied().map(schema))
}

/// A carrier.
pub struct CarrierData;

impl Described for CarrierData {
    const NAME: &'static str = "Carrier";

    fn schema() -> Schema {
        of_each_kind(|kind| carrying(names(kind).1, answered(kind))).about("A carrier.")
    }
}

/// A carrier to create.
pub struct CarrierToCreate;

impl Described for CarrierToCreate {
    const NAME: &'static str = "NewCarrier";

    fn schema() -> Schema {
        of_each_kind(|kind| carrying(names(kind).0, new(kind))).about("A carrier to create.")
    }
}

/// What to change of a carrier.
pub struct CarrierChange;

impl Described for CarrierChange {
    const NAME: &'static str = "CarrierChange";

    fn schema() -> Schema {
        let fixed = ["name", "kind"].map(|name| {
            let text = any_text().about("It can't be changed: what it is now, or left out.");
            can(name, text.like(Value::Null))
        });
        let settings = Kind::ALL.iter();
        let settings = settings.map(|kind| can(kind.as_str(), changed_settings(kind.members())));
        object(fixed.into_iter().chain(Switches::members()).chain(settings))
            .about(
                "What to change. What is left out stays; `null` resets a setting. Only the settings of the carrier's own kind may be \
                 there.",
            )
            .like(json!({"paused": true}))
    }
}
