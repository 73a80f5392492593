//! The routes of a line, as operators write and read them.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::api::http::json_fields::Fields;
use crate::api::problem::field_error::FaultKind;
use crate::sms::routing::{Route, Routes, Share};

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

const PREFIX_FORM: FaultKind = FaultKind::BadForm(
    "1 to 15 digits that an international number begins with, without + or 00",
    "1 تا 15 رقم آغاز شماره‌ی بین‌المللی، بدون + یا 00",
);
const ONE_OF: FaultKind = FaultKind::BadForm(
    "given only when `routes` is left out: it means one route to this carrier",
    "فقط وقتی بیاید که `routes` نیامده است؛ یعنی یک مسیر به همین اپراتور",
);
const NO_REST: FaultKind = FaultKind::BadForm(
    "a list with exactly one route without prefixes, which takes all other numbers",
    "فهرستی با دقیقاً یک مسیر بدون پیش‌شماره که بقیه‌ی شماره‌ها را می‌گیرد",
);
const TOO_LONG: FaultKind = FaultKind::BadForm(
    "routes that take at most 8192 bytes of JSON together",
    "مسیرهایی که روی هم حداکثر 8192 بایت JSON باشند",
);
const REPEATED: FaultKind = FaultKind::BadForm(
    "a value that the list has not had before",
    "مقداری که پیش‌تر در فهرست نیامده باشد",
);

/// Reads `carrier` or `routes`.
pub fn read(fields: &mut Fields<'_>) -> Option<Routes> {
    let carrier = fields.text("carrier", MAX_CARRIER);
    if fields.value("routes").is_none() {
        return carrier.map(Routes::to);
    }
    if fields.value("carrier").is_some() {
        fields.fault("carrier", ONE_OF);
    }
    let routes = Routes(
        fields
            .objects("routes", MAX_ROUTES, route)?
            .into_iter()
            .collect::<Option<_>>()?,
    );
    check_rest(fields, &routes)?;
    check_prefixes(fields, &routes)?;
    check_size(fields, &routes)?;
    Some(routes)
}

fn route(fields: &mut Fields<'_>) -> Option<Route> {
    let prefixes = match fields.value("prefixes") {
        None => Some(Vec::new()),
        Some(_) => fields.texts("prefixes", MAX_PREFIXES, prefix),
    };
    let carriers = shares(fields, "carriers");
    let carriers = fields.require("carriers", carriers);
    if carriers.as_ref().is_some_and(Vec::is_empty) {
        fields.fault("carriers", FaultKind::Empty);
    }
    let backup = match fields.value("backup") {
        None => Some(Vec::new()),
        Some(_) => shares(fields, "backup"),
    };
    let route = Route {
        prefixes: prefixes?,
        carriers: carriers?,
        backup: backup?,
    };
    check_names(fields, &route)?;
    Some(route)
}

fn prefix(text: &str) -> Result<String, FaultKind> {
    let is_good = (1..=15).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    is_good.then(|| text.to_owned()).ok_or(PREFIX_FORM)
}

fn shares(fields: &mut Fields<'_>, name: &str) -> Option<Vec<Share>> {
    fields.objects(name, MAX_CARRIERS, share)?.into_iter().collect()
}

fn share(fields: &mut Fields<'_>) -> Option<Share> {
    let name = fields.text("name", MAX_CARRIER);
    let name = fields.require("name", name);
    let weight = match fields.value("weight") {
        None => Some(1),
        Some(_) => fields.integer("weight", 1, MAX_WEIGHT),
    };
    Some(Share {
        name: name?.to_owned(),
        weight: u32::try_from(weight?).ok()?,
    })
}

/// A carrier stands in a route once.
fn check_names(fields: &mut Fields<'_>, route: &Route) -> Option<()> {
    let mut seen = BTreeSet::new();
    for (name, shares) in [("carriers", &route.carriers), ("backup", &route.backup)] {
        for (index, share) in shares.iter().enumerate() {
            if !seen.insert(&share.name) {
                fields.item_fault(name, index, REPEATED);
                return None;
            }
        }
    }
    Some(())
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
            fields.item_fault("routes", index, REPEATED);
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

/// The routes as the API tells them.
pub fn data(routes: &Routes) -> Value {
    let shares = |shares: &[Share]| -> Vec<Value> {
        let share = |share: &Share| json!({"name": share.name, "weight": share.weight});
        shares.iter().map(share).collect()
    };
    let route = |route: &Route| json!({"prefixes": route.prefixes, "carriers": shares(&route.carriers), "backup": shares(&route.backup)});
    Value::Array(routes.0.iter().map(route).collect())
}
