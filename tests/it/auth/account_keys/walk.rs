//! A random walk among keys, and the model of what each may do.

use std::collections::BTreeSet;

use peyk::auth::Scope;
use peyk::base::time;
use serde_json::{Value, json};

use super::{Key, grantable, issue, names, revoke, rotate};
use crate::support::{Answer, Dice, World};

/// What a key grants, as a test sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Grant {
    scopes: BTreeSet<Scope>,
    lines: Option<BTreeSet<String>>,
    is_live: bool,
    ends_ms: Option<i64>,
    /// Tokens in a minute, and money in a day.
    caps: [Option<i64>; 2],
}

/// Whether there is a bound within the other one.
fn is_within(own: Option<i64>, other: Option<i64>) -> bool {
    other.is_none_or(|other| own.is_some_and(|own| own <= other))
}

impl Grant {
    fn of(data: &Value) -> Grant {
        let scopes: Vec<String> = serde_json::from_value(data["scopes"].clone()).unwrap();
        Grant {
            scopes: scopes.iter().map(|name| Scope::parse(name).unwrap()).collect(),
            lines: serde_json::from_value(data["lines"].clone()).unwrap(),
            is_live: data["mode"] == "live",
            ends_ms: data["expiresAt"].as_str().map(|text| time::from_rfc3339(text).unwrap()),
            caps: ["ratePerMinute", "dailySpend"].map(|cap| data[cap].as_i64()),
        }
    }

    /// Whether it has nothing that `other` lacks.
    fn is_within(&self, other: &Grant) -> bool {
        let has_lines = match (&self.lines, &other.lines) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(own), Some(others)) => own.is_subset(others),
        };
        let has_bounds = is_within(self.ends_ms, other.ends_ms)
            && self
                .caps
                .iter()
                .zip(other.caps)
                .all(|(own, other)| is_within(*own, other));
        self.scopes.is_subset(&other.scopes) && has_lines && (other.is_live || !self.is_live) && has_bounds
    }
}

/// A key in the model.
#[derive(Debug, Clone)]
struct Held {
    key: Key,
    /// What it grants now.
    grant: Grant,
    /// When it was to end when it was issued.
    term_ms: Option<i64>,
    is_revoked: bool,
    /// The key that the operator issued and that this one comes from.
    root: usize,
}

impl Held {
    fn counts(&self, now_ms: i64) -> bool {
        !self.is_revoked && self.grant.ends_ms.is_none_or(|ends_ms| now_ms < ends_ms)
    }

    /// What its successor would grant.
    fn renewed(&self) -> Grant {
        Grant {
            ends_ms: self.term_ms,
            ..self.grant.clone()
        }
    }
}

/// A random part of a list, which may be all of it.
fn part<T: Clone>(dice: &Dice, all: &[T]) -> Vec<T> {
    all.iter().filter(|_| dice.below(3) > 0).cloned().collect()
}

/// A random body of a key, with and without each member.
fn random_body(dice: &Dice, now_ms: i64) -> Value {
    let mut body = json!({"title": "random"});
    let mut scopes = part(dice, &grantable());
    if dice.below(4) > 0 && !scopes.contains(&Scope::Keys) {
        scopes.push(Scope::Keys);
    }
    if dice.below(3) > 0 {
        body["scopes"] = json!(names(scopes));
    }
    if dice.below(3) == 0 {
        body["lines"] = json!(part(dice, &["10001", "10002", "10003"]));
    }
    if dice.below(2) == 0 {
        body["mode"] = json!(["live", "test"][usize::from(dice.below(2) == 0)]);
    }
    if dice.below(3) == 0 {
        let ms = 1_000 * (1 + i64::try_from(dice.below(600)).unwrap());
        body["expiresAt"] = json!(time::to_rfc3339(now_ms + ms));
    }
    // So high that no request here meets them.
    for (cap, least) in [("ratePerMinute", 50_000), ("dailySpend", 1_000_000_000)] {
        if dice.below(3) == 0 {
            body[cap] = json!(least + dice.below(4));
        }
    }
    body
}

/// What a key of this body would grant if the key of the request has `own`.
fn asked_for(body: &Value, own: &Grant) -> Grant {
    let mut data = json!({"scopes": [], "lines": null, "mode": "test", "expiresAt": null});
    data.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
    let asked = Grant::of(&data);
    let has = |name: &str| body.get(name).is_some();
    let mut usual = own.scopes.clone();
    usual.retain(|scope| !matches!(scope, Scope::Keys | Scope::Webhook | Scope::Erasure));
    Grant {
        scopes: [&usual, &asked.scopes][usize::from(has("scopes"))].clone(),
        lines: [&own.lines, &asked.lines][usize::from(has("lines"))].clone(),
        is_live: [own.is_live, asked.is_live][usize::from(has("mode"))],
        ends_ms: [own.ends_ms, asked.ends_ms][usize::from(has("expiresAt"))],
        caps: [0, 1].map(|cap| asked.caps[cap].or(own.caps[cap])),
    }
}

/// A random walk: keys that the operator has issued issue, rotate and revoke each other.
pub struct Walk {
    pub world: World,
    pub dice: Dice,
    held: Vec<Held>,
    roots: Vec<Grant>,
}

impl Walk {
    pub fn new(seed: u64) -> Walk {
        let (world, shop) = World::with_busy_account(1_000_000);
        for number in ["10002", "10003"] {
            world.share_line(number, "sandbox", &["WEBSERVICE"]);
        }
        let mut walk = Walk {
            world,
            dice: Dice::new(seed),
            held: Vec::new(),
            roots: Vec::new(),
        };
        let path = shop.path("/keys");
        for root in 0..4 {
            let body = random_body(&walk.dice, walk.world.now_ms.get());
            let issued = walk.world.create(&path, body);
            walk.roots.push(Grant::of(&issued.json["data"]));
            walk.hold(&issued, root);
        }
        walk
    }

    /// Holds the key of an answer.
    fn hold(&mut self, issued: &Answer, root: usize) {
        let grant = Grant::of(&issued.json["data"]);
        let most = &self.roots[root];
        assert!(grant.is_within(most), "{grant:?} has more than {most:?}");
        self.held.push(Held {
            key: Key::of(issued),
            term_ms: grant.ends_ms,
            grant,
            is_revoked: false,
            root,
        });
    }

    fn pick(&self) -> usize {
        usize::try_from(self.dice.below(self.held.len() as u64)).unwrap()
    }

    /// The status that a key's request gets before it is looked at, if it is refused.
    fn refused(&self, by: &Held) -> Option<u16> {
        let may = by.grant.scopes.contains(&Scope::Keys);
        match (by.counts(self.world.now_ms.get()), may) {
            (false, _) => Some(401),
            (true, false) => Some(403),
            // A test key changes no keys.
            (true, true) => (!by.grant.is_live).then_some(403),
        }
    }

    pub fn mint(&mut self) {
        let by = self.held[self.pick()].clone();
        let body = random_body(&self.dice, self.world.now_ms.get());
        let asked = asked_for(&body, &by.grant);
        let answer = issue(&self.world, &by.key.key, body.clone());
        let within = if asked.is_within(&by.grant) { 201 } else { 422 };
        let status = self.refused(&by).unwrap_or(within);
        let answer = answer.expect(status);
        if status == 201 {
            assert_eq!(Grant::of(&answer.json["data"]), asked, "{body}");
            self.hold(&answer, by.root);
        }
    }

    pub fn rotate(&mut self) {
        let (by, index) = (self.held[self.pick()].clone(), self.pick());
        let target = self.held[index].clone();
        let grace_s = i64::try_from(self.dice.below(300)).unwrap();
        let body = json!({"graceSeconds": grace_s});
        let answer = rotate(&self.world, &by.key.key, &target.key.id, body);
        let now_ms = self.world.now_ms.get();
        let within = match (target.renewed().is_within(&by.grant), target.counts(now_ms)) {
            (false, _) => 403,
            (true, false) => 404,
            (true, true) => 201,
        };
        let status = self.refused(&by).unwrap_or(within);
        let answer = answer.expect(status);
        if status == 201 {
            assert_eq!(Grant::of(&answer.json["data"]), target.renewed());
            self.hold(&answer, by.root);
            let ends_ms = now_ms + grace_s * 1_000;
            let old = &mut self.held[index].grant;
            old.ends_ms = Some(old.ends_ms.map_or(ends_ms, |ms| ms.min(ends_ms)));
        }
    }

    pub fn revoke(&mut self) {
        let (by, index) = (self.held[self.pick()].clone(), self.pick());
        let target = self.held[index].clone();
        let within = if target.grant.is_within(&by.grant) { 204 } else { 403 };
        let status = self.refused(&by).unwrap_or(within);
        revoke(&self.world, &by.key.key, &target.key.id).expect(status);
        self.held[index].is_revoked |= status == 204;
    }

    /// What each key may really do is what the model says.
    pub fn check(&self) {
        for held in &self.held {
            let counts = held.counts(self.world.now_ms.get());
            for line in ["10001", "10002", "10003"] {
                let has_line = held.grant.lines.as_ref().is_none_or(|lines| lines.contains(line));
                let may_send = held.grant.scopes.contains(&Scope::SmsSend);
                let status = match (counts, may_send, has_line) {
                    (false, ..) => 401,
                    (true, false, _) => 403,
                    (true, true, false) => 406,
                    (true, true, true) => 201,
                };
                let body = json!({"message": "x", "recipients": ["09121234567"], "sourceNumber": line});
                self.world.post(&held.key.key, "/sms/send", body).expect(status);
            }
        }
    }
}
