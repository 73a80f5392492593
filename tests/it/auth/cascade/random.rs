//! Random families of keys, with endpoints, calls under way and crashes.

use std::collections::BTreeSet;

use futures_util::future::join;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{active, endpoint, thrown_out, whole};
use crate::support::{Account, Dice, World, cases, give_way, to_end};

/// A key in the model.
struct Held {
    /// Its id, which is its title before the answer comes.
    id: String,
    /// The key itself. `None`: the answer that shows it never came.
    key: Option<String>,
    /// Itself, its makers and whom it stands for, and theirs.
    from: BTreeSet<usize>,
}

/// An endpoint in the model: the keys that made it, and that were the last to change its address and its events.
struct Made {
    id: String,
    created: usize,
    url: usize,
    events: usize,
}

struct Family {
    world: World,
    shop: Account,
    dice: Dice,
    held: Vec<Held>,
    made: Vec<Made>,
    thrown_out: BTreeSet<usize>,
    is_over: BTreeSet<String>,
}

impl Family {
    fn new(seed: u64) -> Family {
        let (world, shop) = World::with_busy_account(10_000);
        world.yield_at_each_await();
        let mut family = Family {
            world,
            shop,
            dice: Dice::new(seed),
            held: Vec::new(),
            made: Vec::new(),
            thrown_out: BTreeSet::new(),
            is_over: BTreeSet::new(),
        };
        for _ in 0..3 {
            let key = super::grant(&family.world, &family.shop, "root");
            family.hold(key.id, Some(key.key), BTreeSet::new());
        }
        family
    }

    fn hold(&mut self, id: String, key: Option<String>, mut from: BTreeSet<usize>) {
        from.insert(self.held.len());
        self.held.push(Held { id, key, from });
    }

    fn below(&self, bound: usize) -> usize {
        usize::try_from(self.dice.below(bound as u64)).unwrap()
    }

    /// A key that somebody has.
    fn pick(&self) -> (usize, String) {
        let known = |at: &usize| self.held[*at].key.is_some();
        let known: Vec<usize> = (0..self.held.len()).filter(known).collect();
        let at = known[self.below(known.len())];
        (at, self.held[at].key.clone().unwrap())
    }

    /// Sends a request, which breaks off now and then: the status and the data of the answer.
    fn send(&self, method: &str, key: &str, path: &str, body: Value) -> Option<(u16, Value)> {
        self.world.advance(1);
        let request = self.world.ask(method, key, path).json(body);
        let answer = match self.below(4) {
            0 => request.send_for(u32::try_from(1 + self.below(12)).unwrap())?,
            _ => request.send(),
        };
        Some((answer.response.status, answer.json["data"].clone()))
    }

    /// The ids of rows that the model does not have yet: those of a request without an answer.
    fn unknown(&self, ids: Vec<String>) -> Option<String> {
        let is_known = |id: &String| {
            let mut held = self.held.iter().map(|held| &held.id);
            let mut made = self.made.iter().map(|made| &made.id);
            held.any(|known| known == id) || made.any(|known| known == id) || *id == self.shop.key_id
        };
        ids.into_iter().find(|id| !is_known(id))
    }

    fn new_key(&mut self, answer: Option<(u16, Value)>, from: BTreeSet<usize>) {
        let text = |data: &Value, name: &str| data[name].as_str().unwrap().to_owned();
        match answer {
            Some((201, data)) => self.hold(text(&data, "id"), Some(text(&data, "key")), from),
            _ => {
                let ids = self.world.sql(&self.shop.id).texts("SELECT id FROM api_key");
                if let Some(id) = self.unknown(ids) {
                    self.hold(id, None, from);
                }
            }
        }
    }

    fn issue(&mut self) {
        let (by, key) = self.pick();
        let answer = self.send("POST", &key, "/keys", whole("child"));
        self.new_key(answer, self.held[by].from.clone());
    }

    fn rotate(&mut self) {
        let ((by, key), old) = (self.pick(), self.below(self.held.len()));
        let mut from = self.held[old].from.clone();
        let (by, key) = match self.below(4) {
            0 => (None, self.world.admin_key.clone()),
            _ => (Some(by), key),
        };
        let path = format!("/keys/{}/rotate", self.held[old].id);
        let path = by.map_or_else(|| self.shop.path(&path), |_| path.clone());
        from.extend(by.iter().flat_map(|by| self.held[*by].from.clone()));
        let grace = json!({"graceSeconds": 60 + self.below(100_000)});
        let answer = self.send("POST", &key, &path, grace);
        self.new_key(answer, from);
    }

    fn listen(&mut self) {
        let (by, key) = self.pick();
        self.send("POST", &key, "/webhook", endpoint("any"));
        self.note_made(by);
    }

    /// Notes the endpoint that this key has made just now, if it has.
    fn note_made(&mut self, by: usize) {
        let endpoints = self.world.webhook_sql(&self.shop.id);
        if let Some(id) = self.unknown(endpoints.texts("SELECT id FROM endpoint WHERE deleted = 0")) {
            self.made.push(Made {
                id,
                created: by,
                url: by,
                events: by,
            });
        }
    }

    fn change(&mut self) {
        let ((by, key), Some(last)) = (self.pick(), self.made.len().checked_sub(1)) else {
            return;
        };
        let at = self.below(last + 1);
        let path = format!("/webhook/{}", self.made[at].id);
        let is_url = self.below(2) == 0;
        let (old_url, old_events) = self.stored(at);
        let kind = ["message.status", "message.received"][self.below(2)];
        let change = match is_url {
            true => json!({"url": format!("https://{}.example/", self.below(3))}),
            false => json!({"events": [kind]}),
        };
        self.send("PUT", &key, &path, change);
        let (url, events) = self.stored(at);
        if url != old_url {
            self.made[at].url = by;
        }
        if events != old_events {
            self.made[at].events = by;
        }
    }

    fn stored(&self, at: usize) -> (String, String) {
        let sql = self.world.webhook_sql(&self.shop.id);
        let column = |name: &str| {
            let query = format!("SELECT {name} FROM endpoint WHERE id = '{}'", self.made[at].id);
            sql.texts(&query).pop().unwrap()
        };
        (column("url"), column("events"))
    }

    /// Throws a key out, while a call of a key is under way. Requests break off and are repeated.
    fn throw_out(&mut self) {
        let leaked = self.below(self.held.len());
        let path = self.shop.path(&format!("/keys/{}?cascade=true", self.held[leaked].id));
        let (by, key) = self.pick();
        let wait = self.below(30);
        let world = &self.world;
        let late = world.ask("POST", &key, "/webhook").json(endpoint("late")).answer();
        let steps = u32::try_from(1 + self.below(30)).unwrap();
        let cascade = async {
            for _ in 0..wait {
                give_way().await;
            }
            let request = world.ask("DELETE", &world.admin_key, &path).answer();
            crate::support::faults::for_steps(steps, request).await;
        };
        to_end(join(late, cascade));
        self.note_made(by);
        let answer = self.world.delete(&self.world.admin_key, &path).expect(200);
        let comes_from = |at: &usize| self.held[*at].from.contains(&leaked);
        let gone: BTreeSet<usize> = (0..self.held.len()).filter(comes_from).collect();
        let ids: BTreeSet<String> = gone.iter().map(|at| self.held[*at].id.clone()).collect();
        let over = |made: &&Made| [made.created, made.url, made.events].iter().any(|by| gone.contains(by));
        let over: BTreeSet<String> = self.made.iter().filter(over).map(|made| made.id.clone()).collect();
        assert_eq!(thrown_out(&answer), (ids, over.clone()));
        self.thrown_out.extend(gone);
        self.is_over.extend(over);
        self.check();
    }

    /// What was thrown out counts nowhere, and the rest is as it was.
    fn check(&self) {
        let counting = "SELECT id FROM api_key WHERE revoked_ms IS NULL";
        let counting: BTreeSet<String> = self.world.sql(&self.shop.id).texts(counting).into_iter().collect();
        for (at, held) in self.held.iter().enumerate() {
            assert_ne!(
                counting.contains(&held.id),
                self.thrown_out.contains(&at),
                "{}",
                held.id
            );
        }
        assert!(counting.contains(&self.shop.key_id));
        let made = self.made.iter().map(|made| made.id.clone());
        let wanted: BTreeSet<String> = made.filter(|id| !self.is_over.contains(id)).collect();
        assert_eq!(active(&self.world, &self.shop), wanted);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(40)) })]

    #[test]
    fn whatever_comes_from_a_leaked_key_goes_and_everything_else_stays(seed: u64) {
        let mut family = Family::new(seed);
        for _ in 0..50 {
            match family.below(12) {
                0..4 => family.issue(),
                4..6 => family.rotate(),
                6..8 => family.listen(),
                8..11 => family.change(),
                _ => family.throw_out(),
            }
        }
        family.throw_out();
    }
}
