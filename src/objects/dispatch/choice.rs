//! Which carrier's object gets the next chunks of a queue.
//!
//! The routes of the line name carriers that share the chunks by weight, and others for backup. A carrier that is down, or
//! that has no room for a while, is left alone; the others take its share. The backup takes chunks only while none of the
//! carriers before it takes any.
//!
//! Chunks may avoid carriers: then all others of their route come first, also the backup and also while operators have stopped one
//! of them. Those that are avoided take what no other can, because a login code by the same carrier is better than none.
//!
//! All that is here stands in memory. If it is lost, the dispatcher asks a carrier once too often, and nothing else. The
//! runtime drops an object after ten idle seconds, so an account that sends a code a minute chooses anew each time. So the
//! turns begin at a point that depends on the account and the moment: over many accounts and moments, each carrier and each
//! of its objects gets its share.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use sms::routing::{Route, Share};

use crate::account::chunk::outcomes::backoff_ms;
use crate::account::record::chunk::queue::{Avoided, Queue, Way};
use crate::account::record::message::priority::Priority;
use crate::base::cache::{Cache, Weigh};
use crate::base::ports::{Platform, PortError};
use crate::carrier::{carrier_of, kind::Kind, most_objects};
use crate::directory::carriers::{self, Carrier};
use crate::directory::lines::{self, Ways};

/// A queue without a carrier is looked at again after this time, ms: routes and carriers may have changed.
const LONGEST_REST_MS: i64 = 30_000;
/// What is kept of lines takes at most so many bytes, and what is kept of carriers too: an isolate has many accounts' objects.
const MAX_BYTES: usize = 1 << 20;
/// Objects that are remembered at most.
const MAX_REMEMBERED: usize = 1_000;
/// The golden section of 2^64. Multiples of it, modulo 2^64, lie evenly in each range, however few or many they are.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// What is known of lines, carriers and their objects.
#[derive(Debug, Default)]
pub struct Choice {
    lines: Cache<Option<Ways>, MAX_BYTES>,
    carriers: Cache<Option<Carrier>, MAX_BYTES>,
    /// The objects that are left alone.
    away: RefCell<BTreeMap<String, Away>>,
    /// Where the turns begin.
    begin: OnceCell<u64>,
    /// Claims so far.
    turns: Cell<u64>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Away {
    until_ms: i64,
    /// Failures one after the other.
    failures: u32,
}

/// Where the chunks of a queue may go.
#[derive(Debug)]
pub enum Options {
    /// To these carriers.
    Carriers(Tiers),
    /// To this object of a carrier and no other.
    Object(Rc<Option<Carrier>>, String),
    /// Nowhere: an operator has stopped the line.
    Paused,
    /// Nowhere before the hours of the line begin, ms since the Unix epoch.
    Closed(i64),
}

/// Carriers in the order in which they are asked.
#[derive(Debug, Default)]
pub struct Tiers {
    /// While chunks avoid carriers of the route: all its others, and then the others of its backup. Nobody waits for them.
    before: [Vec<Candidate>; 2],
    /// The carriers of the route and its backup, as far as they do not stand before.
    own: [Vec<Candidate>; 2],
}

impl Tiers {
    /// The tiers of a route, whose second list is the backup.
    fn of([carriers, backup]: [Vec<Candidate>; 2], avoided: Avoided<'_>) -> Tiers {
        let is_other = |one: &Candidate| !avoided.has(&one.share.name);
        if carriers.iter().chain(&backup).all(is_other) {
            return Tiers {
                own: [carriers, backup],
                ..Tiers::default()
            };
        }
        let (other_carriers, carriers) = carriers.into_iter().partition(is_other);
        let (other_backup, backup) = backup.into_iter().partition(is_other);
        Tiers {
            before: [other_carriers, other_backup],
            own: [carriers, backup],
        }
    }

    fn candidates(&self) -> impl Iterator<Item = &Candidate> {
        self.before.iter().chain(&self.own).flatten()
    }
}

/// A carrier and its weight. `None`: the directory has no such carrier.
#[derive(Debug)]
pub struct Candidate {
    carrier: Rc<Option<Carrier>>,
    share: Share,
}

/// Where the next chunks of a queue go, as far as all carriers or one of them decides it.
#[derive(Debug)]
pub enum Chosen {
    /// To this object of this carrier.
    Object(Carrier, String),
    /// Nowhere, until a call that is under way ends.
    Full,
    /// Nowhere until this time, ms since the Unix epoch, because all carriers are down.
    Down(i64),
    /// Nowhere before this time, ms since the Unix epoch, at which the hours of the line begin.
    Closed(i64),
    /// Nowhere until this time, ms since the Unix epoch, because an operator has stopped the line or its carriers.
    Paused(i64),
}

impl Options {
    /// The names of the carriers among which there is a choice.
    pub fn carriers(&self) -> Vec<&str> {
        match self {
            Options::Carriers(tiers) => tiers.candidates().map(|one| one.share.name.as_str()).collect(),
            Options::Object(_, object) => vec![carrier_of(object)],
            Options::Paused | Options::Closed(_) => Vec::new(),
        }
    }
}

impl Choice {
    /// Reads where the chunks of a queue may go.
    pub async fn options(&self, platform: &impl Platform, queue: &Queue) -> Result<Options, PortError> {
        match queue.way() {
            Way::Object(object) => {
                let name = carrier_of(object);
                Ok(Options::Object(self.carrier(platform, name).await?, object.to_owned()))
            }
            Way::Route(line, prefix, avoided) => {
                let ways = self.ways(platform, line).await?;
                match route_of(&ways, queue, prefix, platform.now_ms()) {
                    Ok(route) => self.of_route(platform, route, avoided).await,
                    Err(options) => Ok(options),
                }
            }
        }
    }

    /// The carrier that chunks on this way wait for: the first of their route that they do not avoid, whether it is stopped or not.
    /// Empty: nobody takes them.
    pub async fn first_carrier(&self, platform: &impl Platform, way: Way<'_>) -> Result<String, PortError> {
        let (line, prefix, avoided) = match way {
            Way::Route(line, prefix, avoided) => (line, prefix, avoided),
            Way::Object(object) => return Ok(carrier_of(object).to_owned()),
        };
        let ways = self.ways(platform, line).await?;
        let route = ways.as_ref().as_ref().and_then(|ways| ways.routes.route_of(prefix));
        let carrier = route.and_then(|route| route.first_carrier(|name| avoided.has(name)));
        Ok(carrier.unwrap_or_default().to_owned())
    }

    /// Where the chunks of a queue may go, if all of that is in memory.
    pub fn known(&self, now_ms: i64, queue: &Queue) -> Option<Options> {
        let (line, prefix, avoided) = match queue.way() {
            Way::Route(line, prefix, avoided) => (line, prefix, avoided),
            Way::Object(object) => {
                let carrier = self.carriers.peek(carrier_of(object), now_ms)?;
                return Some(Options::Object(carrier, object.to_owned()));
            }
        };
        let ways = self.lines.peek(line, now_ms)?;
        let route = match route_of(&ways, queue, prefix, now_ms) {
            Ok(route) => route,
            Err(options) => return Some(options),
        };
        let mut tiers = [Vec::new(), Vec::new()];
        for (tier, shares) in tiers.iter_mut().zip([&route.carriers, &route.backup]) {
            for share in shares {
                tier.push(Candidate {
                    carrier: self.carriers.peek(&share.name, now_ms)?,
                    share: share.clone(),
                });
            }
        }
        Some(Options::Carriers(Tiers::of(tiers, avoided)))
    }

    pub fn known_carrier(&self, now_ms: i64, name: &str) -> Option<Carrier> {
        self.carriers.peek(name, now_ms)?.as_ref().clone()
    }

    async fn of_route(
        &self,
        platform: &impl Platform,
        route: &Route,
        avoided: Avoided<'_>,
    ) -> Result<Options, PortError> {
        let mut tiers = [Vec::new(), Vec::new()];
        for (tier, shares) in tiers.iter_mut().zip([&route.carriers, &route.backup]) {
            for share in shares {
                let carrier = self.carrier(platform, &share.name).await?;
                tier.push(Candidate {
                    carrier,
                    share: share.clone(),
                });
            }
        }
        Ok(Options::Carriers(Tiers::of(tiers, avoided)))
    }

    async fn ways(&self, platform: &impl Platform, line: &str) -> Result<Rc<Option<Ways>>, PortError> {
        let now_ms = platform.now_ms();
        read_through(
            &self.lines,
            now_ms,
            line,
            lines::ways(platform.db(), platform, line, now_ms),
        )
        .await
    }

    async fn carrier(&self, platform: &impl Platform, name: &str) -> Result<Rc<Option<Carrier>>, PortError> {
        read_through(
            &self.carriers,
            platform.now_ms(),
            name,
            carriers::find(platform.db(), name),
        )
        .await
    }

    /// Chooses where the next chunks of a queue go. `is_free` says whether an object may have one more call of a priority.
    pub fn choose(
        &self,
        now_ms: i64,
        account: &str,
        queue: &Queue,
        options: &Options,
        is_free: impl Fn(&str, Priority) -> bool,
    ) -> Chosen {
        let is_free = |object: &str| is_free(object, queue.priority);
        match options {
            Options::Closed(opens_ms) => Chosen::Closed(*opens_ms),
            Options::Paused => Chosen::Paused(now_ms.saturating_add(LONGEST_REST_MS)),
            Options::Object(carrier, object) => self.pinned(now_ms, carrier, object, is_free),
            Options::Carriers(tiers) => self.of_tiers(now_ms, account, tiers, is_free),
        }
    }

    /// Only this object can say what became of its chunks, also when the carrier is out of service.
    fn pinned(&self, now_ms: i64, carrier: &Option<Carrier>, object: &str, is_free: impl Fn(&str) -> bool) -> Chosen {
        let latest_ms = now_ms.saturating_add(LONGEST_REST_MS);
        match (carrier, self.away_until(object, now_ms)) {
            (None, _) => Chosen::Down(latest_ms),
            (Some(_), Some(until_ms)) => Chosen::Down(until_ms.min(latest_ms)),
            (Some(carrier), None) if is_free(object) => Chosen::Object(carrier.clone(), object.to_owned()),
            (Some(_), None) => Chosen::Full,
        }
    }

    fn of_tiers(&self, now_ms: i64, account: &str, tiers: &Tiers, is_free: impl Fn(&str) -> bool) -> Chosen {
        let (mut until_ms, mut is_paused) = (now_ms.saturating_add(LONGEST_REST_MS), false);
        for tier in &tiers.before {
            match self.of_tier(now_ms, account, tier, &is_free) {
                Chosen::Paused(_) => is_paused = true,
                Chosen::Down(down_ms) => until_ms = until_ms.min(down_ms),
                chosen => return chosen,
            }
        }
        for tier in &tiers.own {
            match self.of_tier(now_ms, account, tier, &is_free) {
                Chosen::Down(down_ms) => until_ms = until_ms.min(down_ms),
                chosen => return chosen,
            }
        }
        if is_paused {
            Chosen::Paused(until_ms)
        } else {
            Chosen::Down(until_ms)
        }
    }

    /// Where chunks go if one of these carriers gets them.
    fn of_tier(&self, now_ms: i64, account: &str, tier: &[Candidate], is_free: impl Fn(&str) -> bool) -> Chosen {
        let latest_ms = now_ms.saturating_add(LONGEST_REST_MS);
        let (mut free, mut is_full, mut is_paused) = (Vec::new(), false, false);
        let mut down_ms: Option<i64> = None;
        for candidate in tier {
            match self.of_carrier(now_ms, account, candidate, &is_free) {
                Chosen::Object(carrier, object) => free.push((candidate.share.weight.max(1), (carrier, object))),
                Chosen::Full => is_full = true,
                Chosen::Paused(_) | Chosen::Closed(_) => is_paused = true,
                Chosen::Down(until_ms) => down_ms = Some(down_ms.map_or(until_ms, |known| known.min(until_ms))),
            }
        }
        match at_point(free, self.point(now_ms, account)) {
            Some((carrier, object)) => Chosen::Object(carrier, object),
            None if is_full => Chosen::Full,
            // An operator who stops a carrier wants its messages to wait.
            None if is_paused && down_ms.is_none() => Chosen::Paused(latest_ms),
            None => Chosen::Down(down_ms.unwrap_or(latest_ms)),
        }
    }

    fn begin(&self, now_ms: i64, account: &str) -> u64 {
        *self.begin.get_or_init(|| {
            let mut hasher = DefaultHasher::new();
            (account, now_ms).hash(&mut hasher);
            hasher.finish()
        })
    }

    /// Where this turn falls among the weights, in 2^64ths of their sum.
    fn point(&self, now_ms: i64, account: &str) -> u64 {
        let passed = self.turns.get().wrapping_mul(GOLDEN);
        self.begin(now_ms, account).wrapping_add(passed)
    }

    /// Where chunks go if this carrier gets them.
    fn of_carrier(&self, now_ms: i64, account: &str, candidate: &Candidate, is_free: impl Fn(&str) -> bool) -> Chosen {
        let latest_ms = now_ms.saturating_add(LONGEST_REST_MS);
        let Some(carrier) = candidate.carrier.as_ref().as_ref().filter(|carrier| carrier.active) else {
            return Chosen::Down(latest_ms);
        };
        if carrier.paused {
            return Chosen::Paused(latest_ms);
        }
        let Some(kind) = Kind::parse(&carrier.kind) else {
            return Chosen::Down(latest_ms);
        };
        // The low bits say which object, the high ones which carrier.
        let turn = self.begin(now_ms, account).wrapping_add(self.turns.get());
        let (mut first, mut is_full, mut until_ms) = (None, false, i64::MAX);
        for number in 0..most_objects() {
            let object = kind.object_name(carrier, account, turn.wrapping_add(number));
            if first.as_ref() == Some(&object) {
                break;
            }
            match self.away_until(&object, now_ms) {
                Some(away_ms) => until_ms = until_ms.min(away_ms),
                None if is_free(&object) => return Chosen::Object(carrier.clone(), object),
                None => is_full = true,
            }
            first = first.or(Some(object));
        }
        if is_full { Chosen::Full } else { Chosen::Down(until_ms) }
    }

    fn away_until(&self, object: &str, now_ms: i64) -> Option<i64> {
        let away = self.away.borrow();
        away.get(object)
            .map(|away| away.until_ms)
            .filter(|until_ms| *until_ms > now_ms)
    }

    /// The turn is over: an object got what was claimed.
    pub fn count(&self) {
        self.turns.set(self.turns.get().wrapping_add(1));
    }

    pub fn leave(&self, object: &str, until_ms: i64) {
        self.change(object, |away| away.until_ms = until_ms);
    }

    /// Leaves an object alone that failed, longer with each failure.
    pub fn leave_failing(&self, object: &str, now_ms: i64) {
        self.change(object, |away| {
            away.failures = away.failures.saturating_add(1);
            away.until_ms = now_ms.saturating_add(backoff_ms(away.failures));
        });
    }

    pub fn welcome(&self, object: &str) {
        self.away.borrow_mut().remove(object);
    }

    /// Forgets what it knows of a carrier: the next look reads it anew.
    pub fn forget_carrier(&self, name: &str) {
        self.carriers.forget(name);
    }

    /// Forgets what it knows of lines and carriers.
    pub fn forget_directory(&self) {
        self.lines.clear();
        self.carriers.clear();
    }

    /// Forgets that too which objects are to be left alone.
    pub fn forget_all(&self) {
        self.forget_directory();
        self.away.borrow_mut().clear();
    }

    fn change(&self, object: &str, change: impl FnOnce(&mut Away)) {
        let mut away = self.away.borrow_mut();
        if away.len() >= MAX_REMEMBERED {
            away.clear();
        }
        change(away.entry(object.to_owned()).or_default());
    }
}

/// The route of a line for numbers with this prefix, or where the chunks of the queue go without one.
fn route_of<'w>(ways: &'w Option<Ways>, queue: &Queue, prefix: &str, now_ms: i64) -> Result<&'w Route, Options> {
    let nowhere = || Options::Carriers(Tiers::default());
    let Some(ways) = ways else {
        return Err(nowhere());
    };
    if ways.paused {
        return Err(Options::Paused);
    }
    match ways
        .opens_ms
        .filter(|opens_ms| queue.keeps_hours() && *opens_ms > now_ms)
    {
        Some(opens_ms) => Err(Options::Closed(opens_ms)),
        None => ways.routes.route_of(prefix).ok_or_else(nowhere),
    }
}

/// What a cache knows under a name, or what is found.
async fn read_through<T: Weigh>(
    cache: &Cache<T, MAX_BYTES>,
    now_ms: i64,
    name: &str,
    find: impl Future<Output = Result<T, PortError>>,
) -> Result<Rc<T>, PortError> {
    match cache.get(name, now_ms) {
        Some(known) => Ok(known),
        None => Ok(cache.put(name, now_ms, find.await?)),
    }
}

/// The item on which a point falls, in 2^64ths of the sum of the weights.
fn at_point<T>(items: Vec<(u32, T)>, point: u64) -> Option<T> {
    let sum: u64 = items.iter().map(|(weight, _)| u64::from(*weight)).sum();
    let mut rest = (u128::from(point) * u128::from(sum)) >> 64;
    items.into_iter().find_map(|(weight, item)| {
        let is_here = rest < u128::from(weight);
        rest = rest.saturating_sub(u128::from(weight));
        is_here.then_some(item)
    })
}
