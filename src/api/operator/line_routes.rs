//! The routes of a line, as operators write and read them.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use sms::destination::Prefix;
use sms::routing::{self, Route, Routes};

use crate::api::http::forms::{Form, by, integer, list_of, made, refused, text};
use crate::api::http::json_fields::{Fields, Place};
use crate::api::shared::destinations::prefix;
use crate::problem::field_error::FieldErrorKind;
use crate::{answer, body};

/// A line has at most this many routes.
const MAX_ROUTES: usize = 50;
/// A route has at most this many prefixes.
const MAX_PREFIXES: usize = 100;
/// A route has at most this many carriers, and as many for backup.
const MAX_CARRIERS: usize = 8;
const MAX_WEIGHT: i64 = 1_000;
/// The routes of a line take at most this many bytes as JSON, so that lists of lines stay small.
const MAX_BYTES: usize = 8 * 1024;
/// The name of a carrier has at most this many characters.
const MAX_CARRIER: usize = 32;

/// `carrier` means one route to it, so it says nothing beside `routes`.
const ONE_OF: FieldErrorKind = FieldErrorKind::NotBeside("routes");
const NO_REST: FieldErrorKind = FieldErrorKind::MustBe(
    "a list with exactly one route without prefixes, which takes all other numbers",
    "فهرستی با دقیقاً یک مسیر بدون پیش‌شماره که بقیه‌ی شماره‌ها را می‌گیرد",
);
const NOT_APART: FieldErrorKind = FieldErrorKind::MustBe(
    "a route whose prefixes no other route has",
    "مسیری با پیش‌شماره‌هایی که در مسیر دیگری نیست",
);
const TOO_LONG: FieldErrorKind = FieldErrorKind::MustBe(
    "routes that take at most 8192 bytes of JSON together",
    "مسیرهایی با حداکثر 8192 بایت JSON روی هم",
);

body! {
    /// A carrier of a route.
    pub struct Share {
        /// The carrier's name.
        name: String = must "name" text(MAX_CARRIER) => "sandbox";
        /// Its share among the carriers of the route.
        weight: i64 = can "weight" integer(1, MAX_WEIGHT), or 1 => 1;
    }

    /// Which carriers take the messages to which numbers.
    pub struct NewRoute {
        /// What the numbers begin with, as international numbers without `+`. One route has none and takes all others.
        prefixes: Option<Vec<Prefix>> = can "prefixes" list_of(prefix(), 0, MAX_PREFIXES) => [];
        /// Who takes the messages.
        carriers: Vec<routing::Share> = must "carriers" list_of(made(share), 1, MAX_CARRIERS);
        /// Who takes them while none of `carriers` works.
        backup: Option<Vec<routing::Share>> = can "backup" list_of(made(share), 0, MAX_CARRIERS) => [];
    }
}

/// The carrier that takes all messages.
pub fn carrier() -> impl Form<Value = String> {
    text(MAX_CARRIER)
        .about("The carrier that takes all messages.")
        .like("sandbox")
}

/// A carrier beside routes. It must not be there, whatever it is.
pub fn carrier_beside() -> impl Form<Value = ()> {
    let read = |value: &Value, place: &mut Place<'_>| {
        text(MAX_CARRIER).read(value, place);
        refused(ONE_OF).read(value, place)
    };
    by(read, || refused(ONE_OF).schema())
}

/// Routes that are not there.
pub fn no_routes() -> impl Form<Value = ()> {
    refused(ONE_OF)
}

/// The routes. [`check`] does the rest.
pub fn routes() -> impl Form<Value = Vec<Route>> {
    // An empty list lacks the route for all others, and gets that fault.
    list_of(made(route), 0, MAX_ROUTES)
        .described(|routes| {
            let example = json!([{"carriers": [{"name": "sandbox"}]}]);
            routes.with("minItems", 1).like(example)
        })
        .about("At most 8,192 bytes as JSON. No prefix comes twice.")
}

fn share(new: Share, _: &mut Fields<'_>) -> Option<routing::Share> {
    Some(routing::Share {
        name: new.name,
        weight: u32::try_from(new.weight).ok()?,
    })
}

fn route(new: NewRoute, fields: &mut Fields<'_>) -> Option<Route> {
    let route = Route {
        prefixes: new.prefixes.iter().flatten().map(Prefix::to_string).collect(),
        carriers: new.carriers,
        backup: new.backup.unwrap_or_default(),
    };
    if fields.is_good() {
        check_names(fields, &route);
    }
    Some(route)
}

/// Checks the routes as a whole.
pub fn check(fields: &mut Fields<'_>, routes: Option<Vec<Route>>) -> Option<Routes> {
    let routes = Routes(routes?);
    check_rest(fields, &routes)?;
    check_prefixes(fields, &routes)?;
    check_size(fields, &routes)?;
    Some(routes)
}

/// A carrier stands in a route once.
fn check_names(fields: &mut Fields<'_>, route: &Route) {
    let mut seen = BTreeSet::new();
    for (name, shares) in [("carriers", &route.carriers), ("backup", &route.backup)] {
        for (index, share) in shares.iter().enumerate() {
            if !seen.insert(&share.name) {
                return fields.item_fault(name, index, FieldErrorKind::Twice);
            }
        }
    }
}

fn check_rest(fields: &mut Fields<'_>, routes: &Routes) -> Option<()> {
    let rest = routes.0.iter().filter(|route| route.prefixes.is_empty());
    if rest.count() != 1 {
        fields.fault("routes", NO_REST);
        return None;
    }
    Some(())
}

/// A prefix stands in a line once: else nobody could tell which route it means.
fn check_prefixes(fields: &mut Fields<'_>, routes: &Routes) -> Option<()> {
    let mut seen = BTreeSet::new();
    for (index, route) in routes.0.iter().enumerate() {
        if route.prefixes.iter().any(|prefix| !seen.insert(prefix)) {
            fields.item_fault("routes", index, NOT_APART);
            return None;
        }
    }
    Some(())
}

fn check_size(fields: &mut Fields<'_>, routes: &Routes) -> Option<()> {
    let fits = serde_json::to_string(routes).is_ok_and(|json| json.len() <= MAX_BYTES);
    if !fits {
        fields.fault("routes", TOO_LONG);
    }
    fits.then_some(())
}

answer! {
    /// Which carriers take the messages to which numbers.
    pub struct RouteData(route: &Route) as "Route" {
        "prefixes": route.prefixes, any_list(any_text().like("98912"));
        "carriers": shares(&route.carriers), any_list(ShareData::schema());
        "backup": shares(&route.backup), any_list(ShareData::schema());
    }

    pub struct ShareData(share: &routing::Share) {
        "name": share.name, any_text() => "sandbox";
        "weight": share.weight, integer(1, MAX_WEIGHT);
    }
}

fn shares(shares: &[routing::Share]) -> Vec<Value> {
    shares.iter().map(ShareData::of).collect()
}
