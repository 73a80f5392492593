//! An account's object goes back to an earlier time, as docs/restore.md says, while messages are on their way.

use std::collections::BTreeMap;

use peyk::account::chunk::reports::DeliveryReport;
use peyk::account::record::message::status::RecipientStatus;
use peyk::base::ports::{PortError, Sql};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::auth::sign_in;
use crate::support::passkeys::Device;
use crate::support::{Account, Answer, World, cases, history::Way, time::HOUR_MS, to_end};

const CARRIERS: [&str; 2] = ["sandbox", "other"];

/// Two carriers share what the line sends. So what was handed to one may go to the other, if somebody hands it over again.
fn world(money: i64) -> (World, Account) {
    let (world, shop) = World::with_busy_account(money);
    world.add_sandboxes(&["other"], "{}");
    let routes = r#"[{"prefixes": [], "carriers": [{"name": "sandbox", "weight": 1}, {"name": "other", "weight": 1}], "backup": []}]"#;
    world.db.run_with("UPDATE line SET routes = ?1", &[routes.into()]);
    world.app.profiles.clear();
    world.change("/admin/plans/default", json!({"refunds": ["UNDELIVERED"]}));
    (world, shop)
}

fn number(index: u32) -> String {
    format!("0912{:07}", 1_000_000 + index * 1_000 + 100)
}

fn send(world: &World, shop: &Account, from: u32, count: u32) -> String {
    let numbers: Vec<String> = (from..from + count).map(number).collect();
    let recipients: Vec<&str> = numbers.iter().map(String::as_str).collect();
    world.sent(&shop.key, &recipients)
}

fn schedule(world: &World, shop: &Account, index: u32, in_ms: i64) -> String {
    let at = peyk::base::time::to_rfc3339(world.now_ms.get() + in_ms);
    let body = json!({"message": "later", "recipients": [number(index)], "sendAt": at});
    world.posted(&shop.key, "/sms/send", body).text("/data/uid")
}

fn note(world: &World, shop: &Account) -> String {
    world.sql(&shop.id).note_history(world.now_ms.get());
    peyk::base::time::to_rfc3339(world.now_ms.get())
}

fn restore(world: &World, shop: &Account, at: &str) -> Answer {
    world.advance(1);
    world.admin("POST", &shop.path("/restore"), json!({"at": at, "reason": "a test"}))
}

fn allow_sends(world: &World, shop: &Account) {
    world.change_account(shop, json!({"sendingEnabled": true}));
}

/// How often carriers have taken each number, whatever the message.
fn taken(world: &World, shop: &Account) -> BTreeMap<i64, i64> {
    let mut taken = BTreeMap::new();
    for carrier in CARRIERS {
        let sql = world.carrier_sql(carrier, &shop.id);
        // A sandbox has no tables before its first submission.
        for row in sql.exec("SELECT msisdn, taken FROM handed", &[]).unwrap_or_default() {
            *taken.entry(row.int(0).unwrap()).or_default() += row.int(1).unwrap();
        }
    }
    taken
}

#[track_caller]
fn assert_nobody_twice(world: &World, shop: &Account) {
    for (msisdn, times) in taken(world, shop) {
        assert!(times <= 1, "{msisdn} was sent to {times} times");
    }
}

/// What is kept of the account agrees with itself, and the mirrors with that.
#[track_caller]
fn assert_sound(world: &World, shop: &Account) {
    let wallet = world.stored(shop).wallet;
    assert!(wallet.available >= 0 && wallet.locked >= 0 && wallet.spent >= 0);
    assert_eq!(wallet.available + wallet.locked + wallet.spent, wallet.credited);
    let found = world.look(&format!("/admin/reconciliation?account={}", shop.id));
    assert_eq!(found.json["data"][0]["now"]["differences"], json!([]), "{}", found.body);
}

/// The directory shows what the object has.
#[track_caller]
fn assert_mirrored(world: &World, shop: &Account) {
    // The usage gathers for a minute.
    world.settle(5 * 60_000);
    world.assert_mirrored(shop);
}

fn status(world: &World, shop: &Account, uid: &str) -> String {
    world.message(&shop.key, uid).text("/data/status")
}

fn statuses(world: &World, shop: &Account, uid: &str) -> Vec<String> {
    let path = format!("/messages/{uid}/recipients?limit=200");
    world.read(&shop.key, &path).texts("status")
}

/// What was sent before the time to go back to: in every state.
struct Sent {
    ended: String,
    handed: String,
    waiting: String,
    soon: String,
    later: String,
    canceled: String,
}

fn send_all(world: &World, shop: &Account) -> Sent {
    let ended = send(world, shop, 0, 50);
    world.settle(60_000);
    let handed = send(world, shop, 100, 700);
    world.work();
    let sent = Sent {
        ended,
        handed,
        waiting: send(world, shop, 900, 600),
        soon: schedule(world, shop, 2_000, 60_000),
        later: schedule(world, shop, 2_001, 48 * HOUR_MS),
        canceled: schedule(world, shop, 2_002, 48 * HOUR_MS),
    };
    world.advance(10);
    sent
}

#[test]
fn what_has_not_ended_is_in_doubt_and_nothing_leaves_twice() {
    let (world, shop) = world(10_000_000);
    let sent = send_all(&world, &shop);
    let at = note(&world, &shop);
    let path = format!("/messages/{}", sent.canceled);
    world.delete(&shop.key, &path).expect(200);
    world.settle(2 * HOUR_MS);
    let gone = send(&world, &shop, 3_000, 300);
    world.settle(HOUR_MS);
    let left = taken(&world, &shop);
    assert_eq!(left.len(), 50 + 700 + 600 + 1 + 300);
    let before = world.stored(&shop);

    let answer = restore(&world, &shop, &at).expect(200);
    let found = answer.int("/data/inDoubt") + answer.int("/data/canceled");
    assert_eq!(found, 600 + 3 + 700 - handed_at(&world, &shop, &sent));
    assert_eq!(answer.int("/data/canceled"), 2);
    let available_balance = answer.int("/data/walletBefore/availableBalance");
    assert_eq!(available_balance, before.wallet.available);
    assert!(world.stored(&shop).message_seq > before.message_seq);
    world.get(&shop.key, &format!("/messages/{gone}")).refused(404);
    assert_sound(&world, &shop);

    world.settle(10 * 60_000);
    assert_eq!(taken(&world, &shop), left, "nothing has left again");
    assert_eq!(status(&world, &shop, &sent.ended), "DONE");
    assert_eq!(status(&world, &shop, &sent.later), "CANCELED");
    assert_eq!(status(&world, &shop, &sent.canceled), "CANCELED");
    assert_eq!(statuses(&world, &shop, &sent.soon), ["UNKNOWN"]);
    let waiting = statuses(&world, &shop, &sent.waiting);
    assert!(waiting.iter().all(|status| status == "UNKNOWN"));
    assert_sound(&world, &shop);
    assert_mirrored(&world, &shop);
    assert_sends_on(&world, &shop);

    // Nobody's money is held for ever.
    world.settle(80 * HOUR_MS);
    assert_eq!(status(&world, &shop, &sent.handed), "DONE");
    assert_eq!(world.stored(&shop).wallet.locked, 0);
    assert_sound(&world, &shop);
    assert_mirrored(&world, &shop);
    assert_nobody_twice(&world, &shop);
}

/// Who has lost a device and removed its passkey is not signed in by it again, and who has a new device goes on with it.
#[test]
fn passkeys_are_those_of_the_present_whatever_time_the_object_goes_back_to() {
    let (world, shop) = sign_in::world();
    let path = format!("/members/{}", sign_in::name(&world, &shop, "OWNER"));
    let session = world.entered_by_link(&shop.key, &path);
    let (mut lost, mut new) = (Device::new(1), Device::new(2));
    world.add_passkey(&session, &mut lost).expect(201);
    world.advance(1);
    let at = note(&world, &shop);
    world.add_passkey(&session, &mut new).expect(201);
    let first = world.page(&session, "/console/passkeys").text("/data/passkeys/0/id");
    let remove = world.request("DELETE", &format!("/console/passkeys/{first}"));
    remove.session(&session).send().expect(204);
    restore(&world, &shop, &at).expect(200);
    world.sign_in_by(&mut lost).problem(422, 422).points_at(&["/id"]);
    world.sign_in_by(&mut new).expect(204);
}

/// How many of the message that was with the carriers had an outcome at the time to go back to.
fn handed_at(world: &World, shop: &Account, sent: &Sent) -> i64 {
    let count = "SELECT count(*) FROM recipient r JOIN message m ON m.id = r.message \
         JOIN chunk c ON c.message = m.id AND c.number = r.chunk WHERE m.uid = ?1 AND NOT (r.status = 1 AND c.state = 7)";
    let rows = world.sql(&shop.id).exec(count, &[sent.handed.as_str().into()]);
    rows.unwrap()[0].int(0).unwrap()
}

/// Sends are off until an operator allows them. Then each message leaves once, with a number that nobody has seen.
fn assert_sends_on(world: &World, shop: &Account) {
    world.send(&shop.key, &[&number(8_000)]).problem(412, 3011);
    allow_sends(world, shop);
    let uid = send(world, shop, 8_000, 400);
    world.settle(60_000);
    assert_eq!(status(world, shop, &uid), "DONE");
    let taken = taken(world, shop);
    assert!((8_000..8_400).all(|index| taken[&msisdn(index)] == 1));
    assert_nobody_twice(world, shop);
}

fn msisdn(index: u32) -> i64 {
    format!("98{}", &number(index)[1..]).parse().unwrap()
}

#[test]
fn what_was_forbidden_stays_forbidden_and_new_keys_stay() {
    let (world, shop) = world(1_000_000);
    let leaked = world.create(&shop.path("/keys"), json!({"title": "leaked"}));
    send(&world, &shop, 0, 5);
    world.settle(60_000);
    let at = note(&world, &shop);
    world.advance(1_000);
    let revoke = shop.path(&format!("/keys/{}", leaked.text("/data/id")));
    world.delete(&world.admin_key, &revoke).expect(204);
    let newer = world.create(&shop.path("/keys"), json!({"title": "newer"}));
    world.posted(&shop.key, "/blacklist", json!({"numbers": [number(7)]}));
    let limit = json!({"limit": 77, "windowSeconds": 60, "burst": 77});
    let caps = json!({"rateLimit": limit, "testRateLimit": limit, "recipientLimit": {"limit": 3, "windowSeconds": 60},
        "dailySpend": 500_000});
    world.change_account(&shop, caps.clone());
    send(&world, &shop, 0, 5);
    world.settle(60_000);
    let spent = world.look(&shop.path("")).int("/data/spentToday");
    assert!(spent > 0);
    world.change_account(&shop, json!({"hold": true}));
    restore(&world, &shop, &at).expect(200);
    let account = world.look(&shop.path("")).json["data"].clone();
    crate::support::assert_has(&account, caps);
    crate::support::assert_has(&account, json!({"hold": true, "spentToday": spent}));
    world.change_account(&shop, json!({"hold": false}));
    world.get(&leaked.text("/data/key"), "/account/info").refused(401);
    world.read(&newer.text("/data/key"), "/account/info");
    allow_sends(&world, &shop);
    assert_eq!(world.send(&shop.key, &[&number(7)]).expect(422).json["code"], 3016);
}

#[test]
fn a_restore_is_undone_by_its_bookmark() {
    let (world, shop) = world(1_000_000);
    let at = note(&world, &shop);
    world.advance(1_000);
    let uid = send(&world, &shop, 0, 10);
    world.settle(60_000);
    let before = world.balance(&shop.key);
    let undo = restore(&world, &shop, &at).expect(200).text("/data/undo");
    assert_eq!(world.balance(&shop.key), (1_000_000, 0));
    allow_sends(&world, &shop);
    let other = send(&world, &shop, 100, 10);
    world.settle(60_000);
    restore(&world, &shop, &undo).expect(200);
    assert_eq!(world.balance(&shop.key), before);
    assert_eq!(status(&world, &shop, &uid), "DONE");
    world.get(&shop.key, &format!("/messages/{other}")).refused(404);
    world.settle(60_000);
    assert_sends_on(&world, &shop);
    assert_sound(&world, &shop);
    assert_mirrored(&world, &shop);
}

#[test]
fn a_client_that_repeats_a_request_of_the_time_that_is_gone_does_not_send_again() {
    let (world, shop) = world(1_000_000);
    let once = |key: &str, index: u32| {
        let body = json!({"message": "hello", "recipients": [number(index)]});
        world.post_once(&shop.key, "/sms/send", key, body)
    };
    let first = once("before", 0).expect(201).text("/data/uid");
    let at = note(&world, &shop);
    world.advance(1_000);
    once("after", 1).expect(201);
    world.settle(60_000);
    restore(&world, &shop, &at).expect(200);
    assert_eq!(once("before", 0).expect(201).text("/data/uid"), first);
    once("after", 1).problem(412, 3011);
    world.settle(60_000);
    assert_nobody_twice(&world, &shop);
}

#[test]
fn without_a_history_nothing_changes() {
    let (world, shop) = world(1_000_000);
    let uid = send(&world, &shop, 0, 10);
    let before = world.stored(&shop);
    let answer = restore(&world, &shop, "2026-01-01T00:00:00Z").refused(409);
    assert!(answer.body.contains("point-in-time recovery"), "{}", answer.body);
    assert_eq!(world.stored(&shop).wallet, before.wallet);
    world.settle(60_000);
    assert_eq!(status(&world, &shop, &uid), "DONE");
    send(&world, &shop, 100, 1);
    let body = json!({"at": "x"});
    world.admin("POST", &shop.path("/restore"), body).refused(422);
    let nobody = "/admin/accounts/019b796d-0000-7000-8000-000000000999/restore";
    let body = json!({"at": "x", "reason": "x"});
    world.admin("POST", nobody, body).refused(404);
}

/// Where a restore breaks off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// Nowhere.
    None,
    /// The directory does not take what is kept.
    Keep,
    /// The process dies when the directory has it, and the platform knows nothing.
    BeforeGoingBack,
    /// The new session can't ask the directory.
    Ask,
    /// It can't read what was kept.
    Take,
    /// Its storage does not take the doubt.
    Doubt,
    /// The directory can't forget what was kept.
    Forget,
}

const FAULTS: [Fault; 7] = [
    Fault::None,
    Fault::Keep,
    Fault::BeforeGoingBack,
    Fault::Ask,
    Fault::Take,
    Fault::Doubt,
    Fault::Forget,
];

/// Asks for a restore that breaks off there.
fn restore_with(world: &World, shop: &Account, at: &str, fault: Fault) -> Answer {
    let sql = world.sql(&shop.id);
    let refuses = |text: &'static str| {
        world.db.watch(
            move |_, statements| match statements.iter().any(|one| one.sql.contains(text)) {
                true => Err(PortError::unavailable("d1", "down")),
                false => Ok(()),
            },
        );
    };
    match fault {
        Fault::None => {}
        Fault::Keep => refuses("INSERT INTO restore"),
        Fault::BeforeGoingBack => sql.history.way.set(Way::Nowhere),
        Fault::Ask => refuses("max(number)"),
        Fault::Take => refuses("SELECT kept"),
        Fault::Doubt => sql.fail("SET number = ?1, done", 5),
        Fault::Forget => refuses("SET kept = ''"),
    }
    let answer = restore(world, shop, at);
    world.db.unwatch();
    sql.history.way.set(Way::Back);
    sql.fail("", 0);
    answer
}

/// What comes first in the new session.
#[derive(Debug, Clone, Copy)]
enum First {
    Alarm,
    Call,
    Send,
    Report,
}

fn comes(world: &World, shop: &Account, first: First) {
    match first {
        First::Alarm => world.ring(&shop.id),
        First::Call => drop(world.balance(&shop.key)),
        First::Send => drop(world.send(&shop.key, &[&number(7_000)])),
        First::Report => {
            let report = DeliveryReport {
                is_presumed: false,
                message: 2,
                status: RecipientStatus::Delivered,
                indexes: vec![0, 1],
                cause: None,
            };
            let told = peyk::carrier::reports::report(world, "sandbox", &shop.id, vec![report]);
            to_end(told).unwrap();
        }
    }
}

#[test]
fn wherever_it_breaks_off_and_whatever_comes_then_nothing_leaves_twice() {
    for fault in FAULTS {
        for first in [First::Alarm, First::Call, First::Send, First::Report] {
            let (world, shop) = world(10_000_000);
            let sent = send_all(&world, &shop);
            let at = note(&world, &shop);
            world.settle(2 * HOUR_MS);
            let after = send(&world, &shop, 3_000, 300);
            world.settle(60_000);
            let (left, before) = (taken(&world, &shop), world.stored(&shop));
            let answer = restore_with(&world, &shop, &at, fault);
            let has_gone_back = !matches!(fault, Fault::Keep | Fault::BeforeGoingBack);
            let is_told = matches!(fault, Fault::None | Fault::Forget);
            let wanted = if is_told { 200 } else { 503 };
            assert_eq!(answer.response.status, wanted, "{fault:?}: {}", answer.body);
            comes(&world, &shop, first);
            world.work();
            world.kill();
            comes(&world, &shop, First::Alarm);
            world.settle(10 * 60_000);
            let mut now = taken(&world, &shop);
            now.remove(&msisdn(7_000));
            assert_eq!(now, left, "{fault:?} {first:?}: something has left again");
            let gone = world.get(&shop.key, &format!("/messages/{after}"));
            let wanted = if has_gone_back { 404 } else { 200 };
            assert_eq!(gone.response.status, wanted, "{fault:?} {first:?}");
            assert_eq!(statuses(&world, &shop, &sent.soon)[0] == "UNKNOWN", has_gone_back);
            if has_gone_back {
                assert!(world.stored(&shop).message_seq > before.message_seq);
                assert_sends_on(&world, &shop);
            }
            assert_sound(&world, &shop);
            assert_mirrored(&world, &shop);
        }
    }
}

#[test]
fn reports_of_what_is_gone_change_nothing() {
    let (world, shop) = world(1_000_000);
    send(&world, &shop, 0, 3);
    world.settle(60_000);
    let at = note(&world, &shop);
    world.advance(1_000);
    world.reports_are_lost.set(true);
    send(&world, &shop, 100, 50);
    world.work();
    restore(&world, &shop, &at).expect(200);
    let before = world.stored(&shop).wallet;
    world.reports_are_lost.set(false);
    allow_sends(&world, &shop);
    let uid = send(&world, &shop, 200, 50);
    world.settle(HOUR_MS);
    assert!(statuses(&world, &shop, &uid).iter().all(|status| status == "DELIVERED"));
    assert_eq!(world.stored(&shop).wallet.available, before.available - 50_000);
    assert_sound(&world, &shop);
    assert_mirrored(&world, &shop);
}

#[test]
fn events_go_on_with_ids_that_nobody_has_seen() {
    let (world, shop) = world(1_000_000);
    world.receive(|_| {
        Some(Ok(peyk::base::ports::IncomingResponse {
            status: 200,
            retry_after: None,
            body: String::new(),
        }))
    });
    let endpoint = json!({"url": "https://hooks.example/", "events": ["message.status"]});
    let made = world.posted(&shop.key, "/webhook", endpoint).text("/data/id");
    world.settle(60_000);
    send(&world, &shop, 0, 3);
    world.settle(60_000);
    let at = note(&world, &shop);
    world.advance(1_000);
    send(&world, &shop, 100, 3);
    world.settle(60_000);
    let ids = || -> Vec<Value> {
        let list = world.read(&shop.key, &format!("/webhook/{made}/deliveries?limit=200"));
        list.items().iter().map(|item| item["id"].clone()).collect()
    };
    let before = ids();
    restore(&world, &shop, &at).expect(200);
    allow_sends(&world, &shop);
    send(&world, &shop, 200, 3);
    world.settle(60_000);
    let after = ids();
    assert!(after.len() > before.len(), "{after:?}");
    let distinct: std::collections::BTreeSet<String> = after.iter().map(ToString::to_string).collect();
    assert_eq!(distinct.len(), after.len());
}

#[derive(Debug, Clone)]
enum Step {
    Send { count: u32, scheduled: bool },
    Cancel(usize),
    Credit,
    Work,
    Ring,
    RingCarriers,
    Late { at: usize, again: bool },
    Kill,
    Wait(i64),
    Chaos(u64),
    CarriersDown(bool),
    Note,
    Restore { fault: usize, undo: bool },
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        5 => (1u32..4, prop::bool::weighted(0.2)).prop_map(|(count, scheduled)| Step::Send { count, scheduled }),
        1 => (0usize..4).prop_map(Step::Cancel),
        1 => Just(Step::Credit),
        4 => Just(Step::Work),
        4 => Just(Step::Ring),
        2 => Just(Step::RingCarriers),
        3 => (0usize..4, any::<bool>()).prop_map(|(at, again)| Step::Late { at, again }),
        1 => Just(Step::Kill),
        4 => prop::sample::select(vec![1, 500, 2_000, 19_000, 31_000, 120_000, HOUR_MS]).prop_map(Step::Wait),
        2 => prop::sample::select(vec![0u64, 2, 3, 6]).prop_map(Step::Chaos),
        1 => prop::bool::weighted(0.3).prop_map(Step::CarriersDown),
        1 => Just(Step::Note),
        2 => (0..FAULTS.len(), any::<bool>()).prop_map(|(fault, undo)| Step::Restore { fault, undo }),
    ]
}

struct Run {
    world: World,
    shop: Account,
    sent: u32,
    notes: Vec<String>,
    undo: Option<String>,
    restores: u32,
}

impl Run {
    fn new() -> Self {
        let (world, shop) = world(1_000_000);
        let notes = vec![note(&world, &shop)];
        world.advance(1);
        Run {
            world,
            shop,
            sent: 0,
            notes,
            undo: None,
            restores: 0,
        }
    }

    fn take(&mut self, step: &Step) {
        let (world, shop) = (&self.world, &self.shop);
        match step {
            Step::Send { count, scheduled } => {
                let numbers: Vec<String> = (self.sent..self.sent + count).map(number).collect();
                self.sent += count;
                let mut body = json!({"message": "hello", "recipients": numbers});
                if *scheduled {
                    body["sendAt"] = peyk::base::time::to_rfc3339(world.now_ms.get() + 60_000).into();
                }
                drop(world.post(&shop.key, "/sms/send", body));
            }
            Step::Cancel(nth) => {
                if let Some(uid) = world.get(&shop.key, "/messages").json["data"][nth]["uid"].as_str() {
                    drop(world.delete(&shop.key, &format!("/messages/{uid}")));
                }
            }
            Step::Credit => drop(world.admin("POST", &shop.path("/credit"), json!({"amount": 500}))),
            Step::Work => drop(world.work()),
            Step::Ring => world.ring(&shop.id),
            Step::RingCarriers => CARRIERS
                .iter()
                .for_each(|carrier| world.ring_carrier(carrier, &shop.id)),
            Step::Late { at, again } => world.deliver_late(*at, *again),
            Step::Kill => world.kill(),
            Step::Wait(ms) => world.advance(*ms),
            Step::Chaos(odds) => world.chaos.set(*odds),
            Step::CarriersDown(down) => world.carriers_are_down.set(*down),
            Step::Note if self.notes.len() < 3 => {
                self.notes.push(note(world, shop));
                world.advance(1);
            }
            Step::Restore { fault, undo } if self.restores < 4 => {
                self.restores += 1;
                let at = self.undo.clone().filter(|_| *undo);
                let at = at.unwrap_or_else(|| self.notes[world.dice.below(self.notes.len() as u64) as usize].clone());
                let answer = restore_with(world, shop, &at, FAULTS[*fault]);
                assert!([200, 503].contains(&answer.response.status), "{}", answer.body);
                let undo = answer.json["data"]["undo"].as_str().map(str::to_owned);
                self.undo = undo.or(self.undo.take());
                drop(world.admin("PATCH", &shop.path(""), json!({"sendingEnabled": true})));
            }
            Step::Note | Step::Restore { .. } => {}
        }
        assert_nobody_twice(&self.world, &self.shop);
    }

    fn end(&self) {
        let (world, shop) = (&self.world, &self.shop);
        world.chaos.set(0);
        world.carriers_are_down.set(false);
        world.settle(4 * HOUR_MS);
        assert_sound(world, shop);
        allow_sends(world, shop);
        let uid = send(world, shop, 8_000, 3);
        world.settle(80 * HOUR_MS);
        assert_eq!(statuses(world, shop, &uid), ["DELIVERED"; 3]);
        assert_nobody_twice(world, shop);
        assert_sound(world, shop);
        assert_mirrored(world, shop);
        assert_eq!(world.stored(shop).wallet.locked, 0, "money is held for ever");
        let open = "SELECT count(*) FROM chunk WHERE state NOT IN (4, 6)";
        assert_eq!(world.number(shop, open), 0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(64)) })]

    #[test]
    fn whenever_it_goes_back_and_whatever_fails_nobody_is_sent_to_twice(steps in prop::collection::vec(step(), 1..60)) {
        let mut run = Run::new();
        for step in &steps {
            run.take(step);
        }
        run.end();
    }
}
