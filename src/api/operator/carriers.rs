//! Carriers: who takes messages to the network. Passwords are sealed before they are stored, and never answered.
//!
//! A change is in the directory first, then the carrier's objects are told. An object that can't be told learns of it with
//! its next submission, within thirty seconds; a change that is repeated is told again.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::carrier_settings::{self, NewSettings};
use super::queue_depth::QueueDepthData;
use crate::api::http::forms::{Look, any_text, choice, flag, formed, search, switch};
use crate::api::http::json_fields::{Body, Fields};
use crate::api::http::query::{Paged, Query};
use crate::api::http::{self, Response, body::JsonBody, context::Context, respond::Success};
use crate::api::shared::forms::{MAX_CARRIER_NAME, is_carrier_name};
use crate::auth::secret::{Keys, Purpose, SecretError};
use crate::base::{ports::Platform, time};
use crate::carrier::health::{Health, HealthState};
use crate::carrier::part_reports::PartReports;
use crate::carrier::{control, gateway_url, kind::Kind};
use crate::directory::Insertion;
use crate::directory::carriers::{self, Carrier};
use crate::directory::gateway_url_versions::GatewayUrlVersions;
use crate::directory::queue_depth::{self, QueueDepth};
use crate::directory::usage;
use crate::problem::{Conflict, Problem, field_error::FieldErrorKind};
use crate::{answer, body, query};

/// The carrier that always exists.
const ALWAYS: &str = "sandbox";
/// A change is tried so often when others change the carrier at the same time.
const TRIES: u32 = 5;
/// What is seen of the reports of parts.
const SEEN_PART_REPORTS: [&str; 5] = ["ALL", "FIRST", "LAST", "ONE_ID", "ANY"];
/// The mirror has counted what a carrier took before this time, ms.
const COUNTED_MS: i64 = 120_000;
const CHANGED_MEANWHILE: &str = "the carrier was changed by others each time";
static NAME: Look = Look {
    min: 2,
    max: MAX_CARRIER_NAME,
    pattern: "^[a-z0-9-]{2,32}$",
    fault: FieldErrorKind::BadFormat("[a-z0-9-]{2,32}"),
    is_met: is_carrier_name,
};

body! {
    /// What a new carrier has besides settings.
    pub struct NewCarrier {
        name: String = must "name" formed(&NAME) => "mci";
        kind: Option<Kind> = needs "kind" choice(Kind::ALL, Kind::as_str);
    }

    /// What all kinds of carriers have.
    pub struct Switches {
        /// Whether it is in service.
        active: Option<bool> = can "active" flag();
        /// Whether it is stopped for a while. What waits for it waits on.
        paused: Option<bool> = can "paused" flag();
    }
}

impl From<SecretError> for Problem {
    /// What an operator has to mend before secrets can be kept.
    fn from(error: SecretError) -> Self {
        match error {
            SecretError::Missing => Problem::Conflict(Conflict::NoSecretKey),
            SecretError::Malformed(name) => Problem::Conflict(Conflict::BadSecretKey(name)),
            SecretError::Unreadable => Problem::Internal(error.to_string()),
        }
    }
}

/// What a request says about a carrier.
struct Change {
    switches: Switches,
    settings: NewSettings,
}

/// All members of a carrier's body.
fn names() -> Vec<&'static str> {
    let kinds = Kind::ALL.iter().map(|kind| kind.as_str());
    NewCarrier::names()
        .into_iter()
        .chain(Switches::names())
        .chain(kinds)
        .collect()
}

fn read(fields: &mut Fields<'_>, kind: Kind, before: Option<&Map<String, Value>>) -> Change {
    fields.knows(names);
    for other in Kind::ALL.iter().filter(|other| **other != kind) {
        if fields.value(other.as_str()).is_some() {
            fields.fault(other.as_str(), FieldErrorKind::NotForKind(kind.as_str()));
        }
    }
    Change {
        switches: Switches::read_part(fields),
        settings: carrier_settings::read(fields, kind.as_str(), kind.members(), before),
    }
}

/// Seals the secrets that a request brings. Without new ones, those that are kept are sealed anew if they can be, so that
/// any change brings them to the newest key.
fn sealed<P: Platform>(platform: &P, carrier: &Carrier, new: &Map<String, Value>) -> Result<Option<String>, Problem> {
    let keys = Keys::of(platform, Purpose::CarrierSecrets);
    if !new.is_empty() {
        let text = Value::Object(new.clone()).to_string();
        return Ok(Some(keys?.seal(platform, &carrier.name, &text)?));
    }
    let opened = keys.ok().zip(carrier.secrets.as_deref());
    let opened = opened.and_then(|(keys, kept)| keys.open(&carrier.name, kept).ok().map(|text| (keys, text)));
    match opened {
        Some((keys, text)) => Ok(Some(keys.seal(platform, &carrier.name, &text)?)),
        None => Ok(carrier.secrets.clone()),
    }
}

/// What the audit log says of the secrets that a request brings: their names.
fn remark(secrets: &Map<String, Value>) -> Option<String> {
    let changed: Map<String, Value> = secrets.keys().map(|name| (name.clone(), "changed".into())).collect();
    (!changed.is_empty()).then(|| Value::Object(changed).to_string())
}

/// `POST /admin/carriers`
pub async fn create<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let mut fields = context.fields(body);
    let NewCarrier { name, kind } = NewCarrier::read_part(&mut fields);
    let change = kind.map(|kind| (kind, read(&mut fields, kind, None)));
    fields.finish()?;
    let Some((kind, change)) = change else {
        return Err(Problem::Internal("a kind is missing without a fault".to_owned()));
    };
    let platform = context.platform;
    if kind == Kind::Http && gateway_url::public_url(platform).is_none() {
        return Err(Problem::Conflict(Conflict::NoPublicUrl));
    }
    let mut carrier = Carrier {
        name,
        kind: kind.as_str().to_owned(),
        settings: Value::Object(change.settings.apply(Map::new(), kind.members())).to_string(),
        secrets: None,
        active: change.switches.active.unwrap_or(true),
        paused: change.switches.paused.unwrap_or(false),
        version: context.request.now_ms,
        callbacks: match kind {
            Kind::Http => GatewayUrlVersions::new(context.request.now_ms),
            _ => GatewayUrlVersions::default(),
        },
    };
    carrier.secrets = sealed(platform, &carrier, &change.settings.secrets)?;
    let db = context.audited_db_with(&carrier.name, remark(&change.settings.secrets))?;
    context.app.sandboxes.clear();
    let carrier = match carriers::insert(&db, &carrier, context.request.now_ms).await? {
        Insertion::Done(carrier) => carrier,
        Insertion::Taken => return Err(Problem::Conflict(Conflict::CarrierExists)),
        Insertion::Full => return Err(Problem::Conflict(Conflict::TooManyCarriers)),
    };
    control::tell(platform, &carrier).await;
    let data = shown(context, &carrier).await?;
    Success::created(data).response(context)
}

async fn find<P: Platform>(context: &Context<'_, P>, name: &str) -> Result<Carrier, Problem> {
    let carrier = carriers::find(context.platform.db(), name).await?;
    carrier.ok_or(Problem::NotFound)
}

/// The kind of a stored carrier. While a deploy mixes versions, a newer one may have stored a kind that this one lacks.
fn kind_of(carrier: &Carrier) -> Result<Kind, Problem> {
    let kind = Kind::parse(&carrier.kind);
    kind.ok_or_else(|| Problem::Unavailable("this version does not know the carrier's kind".to_owned()))
}

/// `PATCH /admin/carriers/{name}`
pub async fn change<P: Platform>(context: &Context<'_, P>, name: &str, body: &JsonBody) -> Result<Response, Problem> {
    for _ in 0..TRIES {
        let mut carrier = find(context, name).await?;
        let kind = kind_of(&carrier)?;
        let mut fields = context.fields(body);
        for (member, kept) in [("name", carrier.name.as_str()), ("kind", carrier.kind.as_str())] {
            if fields.can(member, &any_text()).is_some_and(|text| text != kept) {
                fields.fault(member, FieldErrorKind::Fixed);
            }
        }
        let before = carrier_settings::stored(&carrier);
        let change = read(&mut fields, kind, Some(&before));
        fields.finish()?;
        carrier.settings = Value::Object(change.settings.apply(before, kind.members())).to_string();
        carrier.secrets = sealed(context.platform, &carrier, &change.settings.secrets)?;
        carrier.active = change.switches.active.unwrap_or(carrier.active);
        carrier.paused = change.switches.paused.unwrap_or(carrier.paused);
        let db = context.audited_db_with(name, remark(&change.settings.secrets))?;
        if let Some(carrier) = carriers::update(&db, &carrier).await? {
            control::tell(context.platform, &carrier).await;
            let data = shown(context, &carrier).await?;
            return Success::ok(data).response(context);
        }
    }
    Err(Problem::Unavailable(CHANGED_MEANWHILE.to_owned()))
}

/// `POST /admin/carriers/{name}/rotate-callback`
pub async fn rotate_callback<P: Platform>(context: &Context<'_, P>, name: &str) -> Result<Response, Problem> {
    for _ in 0..TRIES {
        let mut carrier = find(context, name).await?;
        if kind_of(&carrier)? != Kind::Http {
            return Err(Problem::Conflict(Conflict::NoCallback));
        }
        carrier.callbacks = carrier.callbacks.rotated(context.request.now_ms);
        if let Some(carrier) = carriers::update(&context.audited_db(name)?, &carrier).await? {
            control::tell(context.platform, &carrier).await;
            let data = shown(context, &carrier).await?;
            return Success::created(data).response(context);
        }
    }
    Err(Problem::Unavailable(CHANGED_MEANWHILE.to_owned()))
}

/// `DELETE /admin/carriers/{name}`
pub async fn delete<P: Platform>(
    context: &Context<'_, P>,
    name: &str,
    query: Query<'_, DeletionWish>,
) -> Result<Response, Problem> {
    let is_forced = query.all()?.force == Some(true);
    let carrier = find(context, name).await?;
    if name == ALWAYS {
        return Err(Problem::Conflict(Conflict::CarrierStays));
    }
    if !is_forced {
        miss_no_report(context, &carrier).await?;
    }
    let lines = carriers::delete(&context.audited_db(name)?, name).await?;
    if !lines.is_empty() {
        return Err(Problem::Conflict(Conflict::CarrierInUse(lines)));
    }
    let gone = Carrier {
        active: false,
        secrets: None,
        version: carrier.version.saturating_add(1),
        ..carrier
    };
    control::tell(context.platform, &gone).await;
    Ok(http::no_content())
}

/// Refuses while reports are missing of what a carrier has taken: of what the mirror of the accounts' usage knows, and of what its
/// objects have; and while the mirror may not know yet what the carrier took. Who has to change lines first hears that instead.
async fn miss_no_report<P: Platform>(context: &Context<'_, P>, carrier: &Carrier) -> Result<(), Problem> {
    let (db, today) = (context.platform.db(), context.request.now_ms.div_euclid(time::DAY_MS));
    let missing = usage::without_report(db, &carrier.name, today).await?;
    let health = health(context, carrier).await;
    let under_way = health.queued.saturating_add(health.in_window);
    let missing = missing.saturating_add(under_way.into());
    let counted_ms = context.request.now_ms.saturating_sub(COUNTED_MS);
    let took_lately = health.last_success_ms.is_some_and(|success_ms| success_ms > counted_ms);
    let conflict = match missing {
        0 if took_lately => Conflict::CarrierJustUsed,
        0 => return Ok(()),
        missing => Conflict::ReportsMissing(missing),
    };
    let lines = carriers::lines_of(db, &carrier.name).await?;
    Err(Problem::Conflict(match lines.is_empty() {
        true => conflict,
        false => Conflict::CarrierInUse(lines),
    }))
}

query! {
    pub struct CarriersWish {
        /// Finds carriers whose name contains it.
        search: Option<String> = can "q" search();
    }

    pub struct DeletionWish {
        /// `true`: deletes it although recipients that it has taken have no report yet. Without it, that is a 409 with their count.
        force: Option<bool> = can "force" switch();
    }
}

/// `GET /admin/carriers`
pub async fn list<P: Platform>(context: &Context<'_, P>, query: Paged<'_, CarriersWish>) -> Result<Response, Problem> {
    let (page, CarriersWish { search }) = query.listed_by_name("admin/carriers")?;
    let after = page.after().map(String::as_str);
    let mut found = carriers::page(context.platform.db(), page.limit(), after, search.as_deref()).await?;
    let next = page.cut(&mut found, |carrier| carrier.name.clone());
    let health = control::health_of(context.platform, &found).await;
    let waiting = waiting(context, &found).await?;
    let items = found.iter().zip(&health).map(|(carrier, health)| {
        let waiting = waiting.get(&carrier.name).copied().unwrap_or_default();
        data(carrier, health, &waiting, context.request.now_ms)
    });
    Success::page(items, next).response(context)
}

/// What waits for each of these carriers.
async fn waiting<P: Platform>(
    context: &Context<'_, P>,
    carriers: &[Carrier],
) -> Result<BTreeMap<String, QueueDepth>, Problem> {
    let names: Vec<&str> = carriers.iter().map(|carrier| carrier.name.as_str()).collect();
    Ok(queue_depth::for_carriers(context.platform.db(), &names).await?)
}

/// `GET /admin/carriers/{name}`
pub async fn get<P: Platform>(context: &Context<'_, P>, name: &str) -> Result<Response, Problem> {
    let carrier = find(context, name).await?;
    let data = shown(context, &carrier).await?;
    Success::ok(data).response(context)
}

async fn health<P: Platform>(context: &Context<'_, P>, carrier: &Carrier) -> Health {
    let health = control::health_of(context.platform, std::slice::from_ref(carrier)).await;
    health.into_iter().next().unwrap_or_default()
}

/// A carrier with its health, and with the address that an operator gives to its gateway for inbound messages.
async fn shown<P: Platform>(context: &Context<'_, P>, carrier: &Carrier) -> Result<Value, Problem> {
    let health = health(context, carrier).await;
    let waiting = waiting(context, std::slice::from_ref(carrier))
        .await?
        .into_values()
        .next()
        .unwrap_or_default();
    let mut data = data(carrier, &health, &waiting, context.request.now_ms);
    if Kind::parse(&carrier.kind) == Some(Kind::Http)
        && let Some(object) = data.as_object_mut()
    {
        let address = gateway_url::inbound_url(context.platform, carrier);
        object.insert("inboundUrl".to_owned(), address.into());
    }
    Ok(data)
}

fn data(carrier: &Carrier, health: &Health, waiting: &QueueDepth, now_ms: i64) -> Value {
    let mut data = json!({
        "name": carrier.name,
        "kind": carrier.kind,
        "active": carrier.active,
        "paused": carrier.paused,
        "health": CarrierHealthData::of(carrier, health),
        "waiting": QueueDepthData::of(waiting, now_ms),
    });
    if let Some(object) = data.as_object_mut() {
        object.insert(carrier.kind.clone(), Value::Object(carrier_settings::stored(carrier)));
    }
    data
}

fn is_encrypted(carrier: &Carrier) -> bool {
    Kind::parse(&carrier.kind).is_some_and(|kind| kind.is_encrypted(carrier))
}

fn state(carrier: &Carrier, health: &Health) -> HealthState {
    match carrier {
        Carrier { active: false, .. } => HealthState::Inactive,
        Carrier { paused: true, .. } => HealthState::Paused,
        _ => health.state,
    }
}

answer! {
    /// How the carrier is.
    pub struct CarrierHealthData(carrier: &Carrier, health: &Health) as "CarrierHealth" {
        "state": state(carrier, health).as_str(), one_of(&HealthState::ALL.map(HealthState::as_str));
        "lastSuccessAt": health.last_success_ms.map(time::to_rfc3339), time().or_null();
        "lastErrorAt": health.last_error_ms.map(time::to_rfc3339), time().or_null();
        /// What has failed last.
        "lastError": health.last_error, any_text().or_null() => null;
        /// Messages that have left and wait for an answer.
        "inWindow": health.in_window, count();
        /// Recipients that the carrier's objects have taken and that wait there for their turn. A carrier that is down takes none: what
        /// is to go to it waits in the accounts (`waiting`).
        "queued": health.queued, count();
        /// How long the oldest of them has waited.
        "oldestQueuedSeconds": health.oldest_queued_seconds, count();
        /// Messages that it took in the last minute.
        "lastMinute": health.last_minute, count();
        /// Messages a second that it was seen to take when it throttled, by all its connections that were throttled. Not there
        /// before.
        "learnedPerSecond": health.learned_per_second, count().or_null() => null;
        /// Whether what goes to it is encrypted, as its settings say. What goes to a sandbox never leaves the service.
        "encrypted": is_encrypted(carrier), flag() => true;
        /// Reports about no message that is known, about several, or with a state that nobody knows, since its objects began. If it
        /// grows, `reportIds` or `reportNumbers` may be wrong.
        "unknownReports": health.unknown_reports, count();
        /// Reports of a failed part of a long message that was `DELIVERED` by then, since its objects began.
        "lateFailures": health.late_failures, count() => 0;
        /// Which parts of long messages have reports, as its setting `partReports` says or, with `AUTO`, as was learnt: `ALL`, `FIRST`,
        /// `LAST`, all by one id (`ONE_ID`), or one that is not always the same (`ANY`). Not there before.
        "partReports": health.part_reports.map(PartReports::as_str), one_of(&SEEN_PART_REPORTS).or_null() => null;
        /// Bytes that the object of the carrier keeps; of several, the largest. The runtime allows 10,000,000,000.
        "storageBytes": health.storage_bytes, count();
    }
}
