//! Carriers, by the table of their settings.

use peyk::api::http::forms::Form as _;
use peyk::api::http::json_fields::Body as _;
use peyk::api::operator::carriers::{NewCarrier, Switches};
use peyk::carrier::health::HealthState;
use peyk::carrier::kind::Kind;
use peyk::carrier::settings::{Default, Form, Member as Setting};
use serde_json::json;

use super::schema::{Named, Schema, absent, any_text, can, count, flag, may, must, named, object, one_of, time};

fn with_default(setting: &Setting) -> Schema {
    let schema = setting.form.schema();
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
        Default::Required => may(setting.name, setting.form.schema()),
        _ => can(setting.name, setting.form.schema()),
    };
    object(settings.iter().map(member)).with("additionalProperties", false)
}

/// The settings that are answered.
fn kept_settings(settings: &[Setting]) -> Schema {
    let kept = settings
        .iter()
        .filter(|setting| !matches!(setting.form, Form::Secret(_)));
    object(kept.map(|setting| may(setting.name, setting.form.schema())))
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

fn health() -> Schema {
    object([
        must("state", one_of(&HealthState::ALL.map(HealthState::as_str))),
        must("lastSuccessAt", time().or_null()),
        must("lastErrorAt", time().or_null()),
        must(
            "lastError",
            any_text()
                .or_null()
                .about("What has failed last.")
                .like(serde_json::Value::Null),
        ),
        must(
            "inWindow",
            count().about("Messages that have left and wait for an answer."),
        ),
        must("queued", count().about("Recipients that wait for their turn.")),
        must(
            "oldestQueuedSeconds",
            count().about("How long the oldest of them has waited."),
        ),
        must("lastMinute", count().about("Messages that it took in the last minute.")),
    ])
    .about("How the carrier is.")
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
    let members = [
        must("name", any_text().like(kind.as_str())),
        must("kind", one_of(&[kind.as_str()])),
        must("active", flag().like(true)),
        must("paused", flag()),
        must("health", named("CarrierHealth")),
        must(kind.as_str(), kept_settings(kind.members())),
    ];
    let address = any_text().or_null().about(
        "The address that its gateway calls with messages from phones. It has a key in it. Lists do not have it.",
    );
    let address = (kind == Kind::Http).then(|| may("inboundUrl", address.like(serde_json::Value::Null)));
    object(members.into_iter().chain(address))
}

/// All schemas.
pub fn schemas() -> Vec<Named> {
    let one_of_names = |names: Vec<&str>| {
        let variants: Vec<_> = names.into_iter().map(|name| named(name).0).collect();
        Schema(json!({"oneOf": variants}))
    };
    let kinds = Kind::ALL.iter().copied();
    let mut schemas: Vec<Named> = kinds
        .clone()
        .flat_map(|kind| [(names(kind).0, new(kind)), (names(kind).1, answered(kind))])
        .collect();
    let fixed = ["name", "kind"].map(|name| {
        let text = any_text().about("It can't be changed: what it is now, or left out.");
        can(name, text.like(serde_json::Value::Null))
    });
    let settings = kinds
        .clone()
        .map(|kind| can(kind.as_str(), changed_settings(kind.members())));
    let change = object(fixed.into_iter().chain(Switches::members()).chain(settings));
    schemas.extend([
        ("NewCarrier", one_of_names(kinds.clone().map(|kind| names(kind).0).collect()).about("A carrier to create.")),
        ("CarrierChange", change.about(
            "What to change. What is left out stays; `null` resets a setting. Only the settings of the carrier's own kind may be \
             there.").like(json!({"paused": true}))),
        ("Carrier", one_of_names(kinds.map(|kind| names(kind).1).collect()).about("A carrier.")),
        ("CarrierHealth", health()),
    ]);
    schemas
}
