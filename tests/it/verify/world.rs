//! A random world of verifications: starts, repeats, right and wrong checks, some of them at the same time, carriers that come and
//! go, objects that lose their memory, and time that passes beyond each bound. Whatever comes when: a code is right at most once
//! and never after its end, nobody gets one after its end, people get what was paid for, a
//! repeat goes by another carrier, and no storage has a code.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use peyk::account::codes::{self, Of};
use peyk::auth::secret::MasterKey;
use peyk::base::id::number_of;
use proptest::prelude::*;
use serde_json::json;

use super::{MINUTE_MS, MONEY, code_in, texts, world};
use crate::support::{Account, World, cases, pick, to_end};

/// Two gateways share the line. Both stop at once, so that the other one is there whenever one is.
const CARRIERS: [&str; 2] = ["kannel", "other"];
const PURPOSES: [&str; 2] = ["login", "pay"];

#[derive(Debug, Clone)]
enum Act {
    /// A number, a purpose, and how long the code lasts, s.
    Start(u8, u8, i64),
    /// So many checks at the same time of the newest of a number and a purpose, of which some are right.
    Check(u8, u8, Vec<bool>),
    Cancel(u8, u8),
    Carriers {
        is_paused: bool,
    },
    Forget,
    Pass(i64),
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let who = || (0..3_u8, 0..2_u8);
    let act = prop_oneof![
        5 => (who(), prop::sample::select(vec![60, 120, 900])).prop_map(|((number, purpose), ttl)| Act::Start(number, purpose, ttl)),
        4 => (who(), prop::collection::vec(prop::bool::weighted(0.4), 1..12)).prop_map(|((number, purpose), right)| Act::Check(number, purpose, right)),
        1 => who().prop_map(|(number, purpose)| Act::Cancel(number, purpose)),
        1 => prop::bool::ANY.prop_map(|is_paused| Act::Carriers { is_paused }),
        1 => Just(Act::Forget),
        4 => prop::sample::select(vec![500, 20_000, 30_000, 45_000, 61_000, 121_000, 600_000, 901_000]).prop_map(Act::Pass),
    ];
    prop::collection::vec(act, 5..40)
}

/// A verification as the client knows it.
#[derive(Debug, Clone)]
struct Known {
    id: String,
    code: String,
    expires_ms: i64,
    max_attempts: i64,
    checks: i64,
    successes: u32,
    is_ended: bool,
}

struct Play<'w> {
    world: &'w World,
    shop: &'w Account,
    known: BTreeMap<(u8, u8), Known>,
    /// When each code that was made ends, ms since the Unix epoch.
    codes: BTreeMap<String, i64>,
    /// The messages that repeat a code, each with the carriers that had the code before.
    repeats: Vec<(String, Vec<String>)>,
    received: i64,
    price: i64,
}

fn number(index: u8) -> String {
    format!("0912{index}234567")
}

impl Play<'_> {
    fn play(&mut self, act: &Act) {
        match act {
            Act::Start(number, purpose, ttl) => self.start(*number, *purpose, *ttl),
            Act::Check(number, purpose, right) => self.check(*number, *purpose, right),
            Act::Cancel(number, purpose) => self.cancel(*number, *purpose),
            Act::Carriers { is_paused } => self.pause(*is_paused),
            Act::Forget => self.world.kill(),
            Act::Pass(ms) => self.pass(*ms),
        }
        self.look();
    }

    fn pause(&self, is_paused: bool) {
        for carrier in CARRIERS {
            let path = format!("/admin/carriers/{carrier}");
            self.world.change(&path, json!({"paused": is_paused}));
        }
    }

    /// The carriers that have messages, which a condition chooses.
    fn carriers(&self, condition: &str) -> Vec<String> {
        let query = format!(
            "SELECT DISTINCT r.carrier FROM verification v CROSS JOIN json_each(v.sends) s \
             CROSS JOIN recipient r ON r.message = s.value ->> 0 WHERE r.carrier IS NOT NULL AND {condition}"
        );
        let rows = self.world.rows(self.shop, &query);
        rows.iter().map(|row| row.text(0).unwrap()).collect()
    }

    /// Lets time pass, and sees when people get their codes.
    fn pass(&mut self, ms: i64) {
        let until_ms = self.world.now_ms.get() + ms;
        while self.world.now_ms.get() < until_ms {
            let left_ms = until_ms - self.world.now_ms.get();
            self.world.settle(left_ms.min(5_000));
            self.receive();
        }
    }

    fn receive(&mut self) {
        for text in texts(self.world) {
            let ends_ms = self.codes[&code_in(&text)];
            // A step of the clock is five seconds long.
            assert!(self.world.now_ms.get() - 5_000 < ends_ms, "{text} came after its end");
            self.received += 1;
        }
    }

    fn start(&mut self, index: u8, purpose: u8, ttl: i64) {
        let body = json!({"recipient": number(index), "purpose": PURPOSES[usize::from(purpose)], "ttlSeconds": ttl, "codeLength": 10});
        let before = self
            .known
            .get(&(index, purpose))
            .map(|known| format!("v.uid = '{}'", known.id));
        let before = before.map(|condition| self.carriers(&condition)).unwrap_or_default();
        let answer = self.world.post(&self.shop.key, "/verify", body);
        if answer.response.status == 429 {
            let wait_s: i64 = answer.header("Retry-After").unwrap().parse().unwrap();
            assert!(wait_s > 0);
            return;
        }
        let answer = answer.expect(201);
        let (id, now_ms) = (answer.text("/data/id"), self.world.now_ms.get());
        if let Some(known) = self.known.get(&(index, purpose)).filter(|known| known.id == id) {
            assert!(
                !known.is_ended && known.expires_ms > now_ms,
                "a repeat of what has ended"
            );
            self.repeats.push((answer.text("/data/messageUid"), before));
            return;
        }
        let rows = self
            .world
            .rows(self.shop, &format!("SELECT seed FROM verification WHERE uid = '{id}'"));
        let seed = rows[0].text(0).unwrap();
        let of = Of {
            seed: &seed,
            length: 10,
            msisdn: 0,
            test: false,
        };
        let code = codes::make(&MasterKey::of(self.world), of).unwrap();
        let before = self.known.insert(
            (index, purpose),
            Known {
                id,
                code: code.clone(),
                expires_ms: now_ms + ttl * 1_000,
                max_attempts: 5,
                checks: 0,
                successes: 0,
                is_ended: false,
            },
        );
        assert!(
            before.is_none_or(|before| before.is_ended || before.expires_ms <= now_ms),
            "two at once"
        );
        self.codes.insert(code, now_ms + ttl * 1_000);
    }

    fn check(&mut self, index: u8, purpose: u8, right: &[bool]) {
        let Some(known) = self.known.get_mut(&(index, purpose)) else {
            return;
        };
        let requests = right.iter().map(|is_right| {
            let code = if *is_right {
                known.code.clone()
            } else {
                super::wrong(&known.code)
            };
            let body = json!({"recipient": number(index), "purpose": PURPOSES[usize::from(purpose)], "code": code});
            self.world
                .ask("POST", &self.shop.key, "/verify/check")
                .json(body)
                .answer()
        });
        let answers = to_end(join_all(requests));
        let lasts = !known.is_ended && self.world.now_ms.get() < known.expires_ms;
        for (answer, is_right) in answers.into_iter().zip(right) {
            if !lasts || known.is_ended {
                answer.problem(422, 3019);
                continue;
            }
            let answer = answer.expect(200);
            known.checks += 1;
            known.successes += u32::from(*is_right);
            known.is_ended = *is_right || known.checks >= known.max_attempts;
            assert_eq!(answer.json["data"]["verified"], *is_right);
            let left = if known.is_ended {
                0
            } else {
                known.max_attempts - known.checks
            };
            assert_eq!(answer.int("/data/attemptsLeft"), left);
        }
        assert!(known.successes <= 1);
    }

    fn cancel(&mut self, index: u8, purpose: u8) {
        let Some(known) = self.known.get_mut(&(index, purpose)) else {
            return;
        };
        let lasts = !known.is_ended && self.world.now_ms.get() < known.expires_ms;
        let answer = self.world.delete(&self.shop.key, &format!("/verify/{}", known.id));
        assert_eq!(answer.response.status, if lasts { 200 } else { 422 });
        known.is_ended = true;
    }

    /// What each verification says is what the client knows.
    fn look(&mut self) {
        self.receive();
        for known in self.known.values() {
            let status = self
                .world
                .read(&self.shop.key, &format!("/verify/{}", known.id))
                .text("/data/status");
            let lasts = !known.is_ended && self.world.now_ms.get() < known.expires_ms;
            assert_eq!(status == "PENDING", lasts, "{known:?} is {status}");
            assert_eq!(status == "APPROVED", known.successes == 1, "{known:?} is {status}");
        }
        self.find();
        // One whose time is over is noted as ended a moment later, with others.
        let now_ms = self.world.now_ms.get();
        let pending = format!(
            "SELECT count(*) - count(DISTINCT msisdn || purpose) FROM verification WHERE status = 0 AND expires_ms > {now_ms}"
        );
        assert_eq!(self.world.number(self.shop, &pending), 0);
    }

    /// The pending ones of a number are those that last, the newest first.
    fn find(&self) {
        let now_ms = self.world.now_ms.get();
        for index in 0..3 {
            let found = self
                .world
                .read(&self.shop.key, &format!("/verify?recipient={}", number(index)));
            let ids: Vec<String> = pick(&found.json["data"]["verifications"], "id");
            let known = self.known.iter().filter(|((of, _), _)| *of == index);
            let lasting = known.filter(|(_, known)| !known.is_ended && now_ms < known.expires_ms);
            let mut lasting: Vec<&String> = lasting.map(|(_, known)| &known.id).collect();
            // Ids sort by their times, and of one time by what is random: their numbers say which is newer.
            lasting.sort_by_key(|id| std::cmp::Reverse(number_of(id)));
            assert_eq!(ids.iter().collect::<Vec<_>>(), lasting);
        }
    }

    /// At rest, people have got what is paid for, and nothing has a code.
    fn end(mut self) {
        self.pause(false);
        self.pass(40 * MINUTE_MS);
        self.look();
        assert_eq!(
            self.world.balance(&self.shop.key),
            (MONEY - self.price * self.received, 0)
        );
        for (uid, before) in self.repeats.iter().filter(|(_, before)| before.len() < CARRIERS.len()) {
            let own = self.carriers(&format!("s.value ->> 1 = '{uid}'"));
            assert!(
                own.iter().all(|carrier| !before.contains(carrier)),
                "{uid} went by {own:?} after {before:?}"
            );
        }
        let codes: Vec<&str> = self.codes.keys().map(String::as_str).collect();
        if !codes.is_empty() {
            assert_eq!(self.world.places_of(&codes), Vec::<String>::new());
        }
        assert!(codes.iter().all(|code| !self.world.has_logged(code)));
        assert_eq!(
            self.world
                .count(self.shop, "verification WHERE seed IS NOT NULL OR status = 0"),
            0
        );
        assert_eq!(self.world.count(self.shop, "chunk WHERE sealed IS NOT NULL"), 0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(24), max_shrink_iters: 200, ..ProptestConfig::default() })]
    #[test]
    fn a_code_is_right_once_and_outlives_nothing(acts in acts(), travel in any::<bool>()) {
        let (world, shop) = world();
        world.add_gateway("other", "20003", "KANNEL");
        let carriers = CARRIERS.map(|name| json!({"name": name, "weight": 1}));
        world.change("/admin/lines/20002", json!({"routes": [{"carriers": carriers}]}));
        world.advance(31_000);
        world.calls_travel.set(travel);
        let mut play = Play {
            world: &world,
            shop: &shop,
            known: BTreeMap::new(),
            codes: BTreeMap::new(),
            repeats: Vec::new(),
            received: 0,
            price: 1_000,
        };
        for act in &acts {
            play.play(act);
        }
        play.end();
    }
}

/// A hundred people, or one with a hundred hands.
#[test]
fn of_a_hundred_right_checks_at_once_one_succeeds() {
    for travel in [false, true] {
        let (world, shop) = world();
        world.calls_travel.set(travel);
        let id = super::started(&world, &shop.key, super::PHONE);
        let code = super::code(&world);
        let body = json!({"id": id, "code": code});
        let requests = (0..100).map(|_| {
            world
                .ask("POST", &shop.key, "/verify/check")
                .json(body.clone())
                .answer()
        });
        let answers = to_end(join_all(requests));
        let successes = answers.iter().filter(|answer| answer.response.status == 200);
        assert_eq!(successes.count(), 1);
    }
}
