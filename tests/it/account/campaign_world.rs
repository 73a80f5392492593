//! A campaign in any world: carriers and the directory fail, the process dies at any step, money runs out, people opt out and phonebooks
//! change. Nobody gets it twice, everybody is reached or told why not, and the money adds up.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use peyk::base::time::from_rfc3339;
use peyk::base::window::Window;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::life::Life;
use crate::support::time::{DAY_MS, HOUR_MS};
use crate::support::{Account, Answer, World, assert_has, cases};

const PART: i64 = 1_000;
/// 2026-03-28, 22:00: three hours before Europe puts its clocks forward.
const DST_MS: i64 = 1_774_735_200_000;

#[derive(Debug, Clone)]
enum Step {
    Settle(i64),
    /// The process is killed after so many rounds.
    KillIn(u64),
    /// What an object does next is broken off after so many steps.
    BreakOff(u32),
    CarriersAreDown(bool),
    CarrierIsPaused(bool),
    Steer(&'static str),
    /// The same, when the objects have made so many steps.
    SteerAfter(usize, &'static str),
    Credit,
    Block(usize),
    Add(usize),
    Remove(usize),
    Change,
    OperatorCancels,
}

fn step() -> impl Strategy<Value = Step> {
    let steps = || prop_oneof![Just("pause"), Just("resume"), Just("start")];
    prop_oneof![
        5 => (0..20_000i64).prop_map(Step::Settle),
        3 => (0..40u64).prop_map(Step::KillIn),
        3 => (0..30u32).prop_map(Step::BreakOff),
        1 => any::<bool>().prop_map(Step::CarriersAreDown),
        1 => any::<bool>().prop_map(Step::CarrierIsPaused),
        3 => steps().prop_map(Step::Steer),
        3 => (0..60usize, steps()).prop_map(|(rounds, how)| Step::SteerAfter(rounds, how)),
        1 => Just(Step::Credit),
        2 => (0..60usize).prop_map(Step::Block),
        2 => (0..60usize).prop_map(Step::Add),
        2 => (0..60usize).prop_map(Step::Remove),
        1 => Just(Step::Change),
        1 => Just(Step::OperatorCancels),
    ]
}

/// A number that ends as this index says: some fail, and of some nobody reports.
fn number(index: usize) -> String {
    let end = [100, 100, 100, 902, 903, 904][index % 6];
    format!("+98912{:07}", 1_000_000 + index * 1_000 + end)
}

struct Run<'w> {
    world: &'w World,
    life: Life<'w>,
    shop: &'w Account,
    books: [String; 2],
    campaign: String,
    /// Who is in the first phonebook all the time, and was never blocked.
    stayed: BTreeSet<usize>,
    money: i64,
    /// The hours of the campaign, and those of the line.
    hours: Vec<Window>,
}

impl<'w> Run<'w> {
    fn new(
        world: &'w World,
        shop: &'w Account,
        money: i64,
        (per_minute, window): (Option<u32>, Option<Value>),
    ) -> Self {
        let book = |title: &str, people: std::ops::Range<usize>| {
            let people: Vec<String> = people.map(number).collect();
            world.phonebook(&shop.key, title, json!(people))
        };
        let books = [book("first", 0..40), book("second", 30..50)];
        let line = world.look("/admin/lines/10001").json["data"]["hours"].clone();
        let hours = window.iter().chain(Some(&line).filter(|hours| !hours.is_null()));
        let hours = hours
            .map(|hours| serde_json::from_value(hours.clone()).unwrap())
            .collect();
        let body = json!({
            "title": "x", "message": "Hello %name%", "phonebooks": books, "perMinute": per_minute, "exclude": {"numbers": [number(7)]},
            "window": window,
        });
        let campaign = world.posted(&shop.key, "/campaigns", body).text("/data/id");
        world.settle(2_000);
        Run {
            world,
            life: Life::of(world),
            shop,
            books,
            campaign,
            stayed: (0..40).filter(|index| *index != 7).collect(),
            money,
            hours,
        }
    }

    /// Nothing was accepted outside of the hours, whatever held it up.
    fn check_hours(&self) {
        for wave in self.world.all(&self.shop.key, "/messages?limit=100") {
            let at_ms = from_rfc3339(wave["createdAt"].as_str().unwrap()).unwrap();
            for hours in &self.hours {
                assert_eq!(hours.opens_ms(self.world, at_ms), None, "{wave}");
            }
        }
    }

    fn path(&self, rest: &str) -> String {
        format!("/campaigns/{}{rest}", self.campaign)
    }

    fn take(&mut self, step: &Step) {
        let (world, key) = (self.world, self.shop.key.as_str());
        match step {
            Step::Settle(ms) => self.life.settle(*ms),
            Step::KillIn(rounds) => {
                self.life.kill_in.set(Some(*rounds));
                self.life.settle(3_000);
                self.life.kill_in.set(None);
            }
            Step::BreakOff(steps) => {
                world.steps_left.set(Some(*steps));
                self.life.settle(3_000);
                world.steps_left.set(None);
            }
            Step::CarriersAreDown(are_down) => world.carriers_are_down.set(*are_down),
            Step::CarrierIsPaused(paused) => drop(world.change("/admin/carriers/sandbox", json!({"paused": paused}))),
            Step::Steer(how) => drop(world.bare_post(key, &self.path(&format!("/{how}")))),
            Step::SteerAfter(rounds, how) => self.steer_after(*rounds, how),
            Step::Credit => {
                world.credit(self.shop, 5 * PART);
                self.money += 5 * PART;
            }
            Step::Block(index) => {
                world.posted(key, "/blacklist", json!({"numbers": [number(*index)]}));
                self.stayed.remove(index);
            }
            Step::Add(index) => {
                let path = format!("/phonebook/number/{}", self.books[1]);
                world.post(key, &path, json!({"number": number(*index)}));
            }
            Step::Remove(index) => self.remove(*index),
            Step::Change => {
                let change = json!({"title": "y", "perMinute": null});
                world.ask("PATCH", key, &self.path("")).json(change).send();
            }
            Step::OperatorCancels => {
                world.admin("POST", &self.shop.path("/cancel"), json!({})).expect(200);
            }
        }
    }

    fn steer_after(&self, rounds: usize, how: &str) {
        let (world, left) = (self.world, Cell::new(rounds));
        let end_ms = world.now_ms.get() + 3_000;
        self.life.settle_until(3_000, || {
            left.replace(left.get().saturating_sub(1)) == 0 || world.now_ms.get() >= end_ms
        });
        let request = world.ask("POST", &self.shop.key, &self.path(&format!("/{how}")));
        self.life.spawn(async move { drop(request.answer().await) });
    }

    fn remove(&mut self, index: usize) {
        let (world, key) = (self.world, self.shop.key.as_str());
        let book = &self.books[0];
        let listed = world.all(key, &format!("/phonebook/number/{book}?limit=100"));
        if let Some(entry) = listed.iter().find(|one| one["number"] == json!(number(index))) {
            let path = format!("/phonebook/number/{book}/{}", entry["id"]);
            world.delete(key, &path).expect(204);
            self.stayed.remove(&index);
        }
    }

    /// Lets it come to its end, whatever held it up.
    fn finish(&mut self) -> Value {
        let (world, key) = (self.world, self.shop.key.as_str());
        world.carriers_are_down.set(false);
        world.change("/admin/carriers/sandbox", json!({"paused": false}));
        world.credit(self.shop, 100 * PART);
        self.money += 100 * PART;
        for step in ["start", "resume"] {
            world.bare_post(key, &self.path(&format!("/{step}")));
        }
        self.life.settle(DAY_MS);
        // An operator may have canceled in the last moment.
        world.bare_post(key, &self.path("/resume"));
        self.life.settle(5 * DAY_MS);
        world.read(key, &self.path("")).json["data"].clone()
    }

    /// Resends the campaign, which is done, and lets these steps befall the resend. Checks who gets it, what carriers have taken of both, and
    /// the money of both.
    fn resend(&mut self, steps: &[Step]) {
        let (world, key) = (self.world, self.shop.key.as_str());
        let first = self.people();
        let spent = spent(&world.read(key, &self.path("")));
        self.campaign = world.bare_post(key, &self.path("/resend")).expect(201).text("/data/id");
        self.life.settle(5_000);
        for step in steps {
            self.take(step);
        }
        // What broke counting off is over.
        world.steps_left.set(None);
        self.life.settle(HOUR_MS);
        let done = self.finish();
        assert_has(&done, json!({"state": "DONE", "reason": null}));
        let again = self.people();
        for (number, one) in &again {
            assert!(is_missed(&first[number]), "{one} {}", first[number]);
        }
        for index in &self.stayed {
            let number = number(*index);
            assert!(
                !is_missed(&first[&number]) || again.contains_key(&number),
                "{number} is not told"
            );
        }
        let mut taken: BTreeMap<(bool, String), u64> = BTreeMap::new();
        for (uid, (times, _)) in world.inbox(&self.shop.id) {
            let of = |people: &BTreeMap<String, Value>| {
                let one = people.iter().find(|(_, one)| one["uid"] == json!(uid));
                one.map(|(number, _)| number.clone())
            };
            let number = of(&first)
                .map(|number| (false, number))
                .or(of(&again).map(|number| (true, number)));
            *taken.entry(number.unwrap()).or_default() += times;
        }
        for ((is_resend, number), times) in &taken {
            let one = if *is_resend { &again[number] } else { &first[number] };
            assert!(*times <= 1, "{one}");
            let has_left = ["DELIVERED", "UNDELIVERED", "EXPIRED", "UNKNOWN"]
                .iter()
                .any(|status| one["status"] == json!(status));
            assert!(*times == 0 || has_left, "{one}");
        }
        let spent = spent + self::spent(&world.read(key, &self.path("")));
        assert_eq!(world.balance(key), (self.money - spent, 0));
        let checked = world.look(&format!("/admin/reconciliation?account={}", self.shop.id));
        assert_eq!(checked.items()[0]["now"]["differences"], json!([]), "{}", checked.body);
        world.bare_post(key, &self.path("/resend")).problem(409, 409);
    }

    /// The people of the campaign, by number. Nobody is there twice.
    fn people(&self) -> BTreeMap<String, Value> {
        let mut people = BTreeMap::new();
        for one in self.world.all(&self.shop.key, &self.path("/recipients?limit=100")) {
            let before = people.insert(one["recipient"].as_str().unwrap().to_owned(), one);
            assert!(before.is_none(), "twice: {before:?}");
        }
        people
    }

    fn check(&mut self) {
        let done = self.finish();
        assert_has(&done, json!({"state": "DONE", "reason": null}));
        let (world, key) = (self.world, self.shop.key.as_str());
        let listed = world.all(key, &self.path("/recipients?limit=100"));
        let mut told: BTreeMap<String, &Value> = BTreeMap::new();
        for one in &listed {
            let before = told.insert(one["recipient"].as_str().unwrap().to_owned(), one);
            assert!(before.is_none(), "twice: {one} {before:?}");
        }
        for index in &self.stayed {
            assert!(told.contains_key(&number(*index)), "{index} is not told");
        }
        assert!(!told.contains_key(&number(7)));
        let mut taken: BTreeMap<String, u64> = BTreeMap::new();
        for (uid, (times, _)) in world.inbox(&self.shop.id) {
            let one = listed.iter().find(|one| one["uid"] == json!(uid)).unwrap();
            *taken.entry(one["recipient"].as_str().unwrap().to_owned()).or_default() += times;
        }
        assert!(taken.values().all(|times| *times <= 1), "{taken:?}");
        let progress = &done["progress"];
        let count = |wanted: &dyn Fn(&Value) -> bool| listed.iter().filter(|one| wanted(one)).count();
        let skipped = count(&|one| one["status"] == "SKIPPED");
        assert_has(
            progress,
            json!({"recipients": listed.len() - skipped, "skipped": skipped, "queued": 0}),
        );
        assert_eq!(progress["delivered"], count(&|one| one["status"] == "DELIVERED"));
        let cost: i64 = listed.iter().map(|one| one["cost"].as_i64().unwrap()).sum();
        assert_eq!(progress["cost"], cost);
        let spent = cost - progress["returned"].as_i64().unwrap();
        assert_eq!(world.balance(key), (self.money - spent, 0));
        let checked = world.look(&format!("/admin/reconciliation?account={}", self.shop.id));
        assert_eq!(checked.items()[0]["now"]["differences"], json!([]), "{}", checked.body);
    }
}

/// Whether somebody with this ending certainly does not have the message.
fn is_missed(one: &Value) -> bool {
    match one["status"].as_str().unwrap() {
        "REJECTED" | "UNDELIVERED" => true,
        "EXPIRED" => one["error"] != "NO_REPORT",
        _ => false,
    }
}

/// What a campaign has cost.
fn spent(campaign: &Answer) -> i64 {
    let progress = &campaign.json["data"]["progress"];
    progress["cost"].as_i64().unwrap() - progress["returned"].as_i64().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(24), ..ProptestConfig::default() })]

    #[test]
    fn nobody_gets_a_campaign_twice_and_everybody_is_reached_or_told_why_not(
        money in 0..60i64,
        per_minute in prop_oneof![Just(None), Just(Some(3)), Just(Some(12)), Just(Some(30))],
        window in 0..3usize,
        has_line_hours in any::<bool>(),
        has_others_run in any::<bool>(),
        steps in prop::collection::vec(step(), 0..25),
        more in prop::collection::vec(step(), 0..12),
    ) {
        let money = (money + 1) * PART;
        let (world, shop) = World::with_busy_account(money);
        world.change("/admin/plans/default", json!({"refunds": ["UNDELIVERED"]}));
        // The second hours are over midnight, and in their first night clocks are put forward.
        world.advance(DST_MS - world.now_ms.get());
        let windows = [
            None,
            Some(json!({"from": "12:00", "to": "19:00", "timeZone": "Asia/Tehran"})),
            Some(json!({"from": "23:30", "to": "03:30", "timeZone": "Europe/Berlin"})),
        ];
        // Both have hours in common.
        if has_line_hours && window != 2 {
            let hours = json!({"from": "08:00", "to": "18:00", "timeZone": "Asia/Tehran"});
            world.change("/admin/lines/10001", json!({"hours": hours}));
        }
        let window = windows[window].clone();
        if has_others_run {
            world.yield_at_each_await();
        }
        let mut run = Run::new(&world, &shop, money, (per_minute, window));
        run.take(&Step::Steer("start"));
        for step in &steps {
            run.take(step);
        }
        run.check();
        run.resend(&more);
        run.check_hours();
    }
}
