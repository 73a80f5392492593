//! The invariants of the account's object, over random commands, crashes and redeliveries: money is conserved, reserves
//! are resolved once, statuses only move forward, a carrier gets a recipient at most once, the mirror tells the truth, and
//! only what is old is forgotten.

mod checks;

use std::cell::Cell;
use std::collections::HashMap;

use peyk::account::record::ledger::Wallet;
use peyk::account::record::message::simulation::ending;
use peyk::account::record::message::status::RecipientStatus;
use peyk::base::ports::{Row, Sql};
use proptest::prelude::*;
use serde_json::json;

use crate::support::{Account, Answer, Request, World, cases, time::DAY_MS, to_end};

#[derive(Debug, Clone)]
enum Step {
    Send {
        endings: Vec<u16>,
        key: u8,
        scheduled: bool,
        test: bool,
        bulk: bool,
        /// In how many ms the message ends, if it does.
        ends_in: Option<i64>,
        /// Which carriers it avoids, as places among them.
        avoids: Vec<usize>,
        /// Whether it leaves out who is on the blacklist.
        skips: bool,
    },
    /// More messages for one time than an alarm's go starts.
    Campaign,
    /// Sets how many days messages are kept.
    Retain(i64),
    /// Its sender cancels a message.
    Cancel(usize),
    /// Its sender pauses a message, or lets it go on.
    Pause(usize, bool),
    Block(u16),
    Credit(i64),
    Work,
    RingAccount,
    RingSandbox,
    DeliverLate {
        at: usize,
        again: bool,
    },
    Kill,
    /// The runtime drops one of the objects.
    Drop(usize),
    /// The client of the next request hangs up after so many steps of its work.
    HangUp(u32),
    /// The runtime drops the next alarm or urgent work after so many steps.
    Cut(u32),
    /// The storage of an object, the account's or a carrier's, has room for so many more writes only; or it has room again.
    Full(usize, Option<u32>),
    /// The directory refuses what writes.
    DirectoryFull(bool),
    /// Nobody hears of so many of the next changes and questions of the directory.
    DirectoryUnheard(u32),
    /// Gives the line other routes.
    Reroute(usize),
    /// Stops a carrier, takes it out of service, or neither.
    Carrier {
        which: usize,
        active: bool,
        paused: bool,
    },
    /// Sets how long a carrier takes to report how a message ended, ms. 0: its answer says so.
    ReportAfter(usize, i64),
    PauseLine(bool),
    /// Puts the account on hold, or ends that.
    Hold(bool),
    /// An operator cancels all that has not left.
    CancelAll,
    CarriersDown(bool),
    DirectoryDown(bool),
    /// Lets the account's object fail to move recipients so many times.
    StorageFails(u32),
    Wait(i64),
    Report {
        message: i64,
        index: u32,
        status: usize,
    },
    Chaos(u64),
}

fn step() -> impl Strategy<Value = Step> {
    let ending = prop::sample::select(vec![901u16, 902, 903, 904, 905, 100, 200]);
    prop_oneof![
        4 => (prop::collection::vec(ending, 1..6), 0u8..6, prop::bool::weighted(0.25), prop::bool::weighted(0.1), any::<bool>(),
              prop::option::weighted(0.3, prop::sample::select(vec![0i64, 400, 2_500, 30_000, 90_000, 600_000])),
              prop::collection::vec(0usize..4, 0..3), any::<bool>())
            .prop_map(|(endings, key, scheduled, test, bulk, ends_in, avoids, skips)| {
                Step::Send { endings, key, scheduled, test, bulk, ends_in, avoids, skips }
            }),
        2 => (0usize..6).prop_map(Step::Cancel),
        3 => (0usize..4, any::<bool>()).prop_map(|(nth, paused)| Step::Pause(nth, paused)),
        1 => prop::sample::select(vec![2i64, 3, 9]).prop_map(Step::Retain),
        1 => Just(Step::Campaign),
        2 => prop::sample::select(vec![100u16, 901]).prop_map(Step::Block),
        1 => (-3_000i64..6_000).prop_filter("not zero", |amount| *amount != 0).prop_map(Step::Credit),
        4 => Just(Step::Work),
        4 => Just(Step::RingAccount),
        2 => Just(Step::RingSandbox),
        5 => (0usize..4, any::<bool>()).prop_map(|(at, again)| Step::DeliverLate { at, again }),
        1 => Just(Step::Kill),
        3 => (0usize..6).prop_map(Step::Drop),
        2 => (0u32..12).prop_map(Step::HangUp),
        2 => (0u32..12).prop_map(Step::Cut),
        2 => (0usize..4, prop::option::weighted(0.6, 0u32..12)).prop_map(|(which, room)| Step::Full(which, room)),
        1 => prop::bool::weighted(0.4).prop_map(Step::DirectoryFull),
        1 => (1u32..4).prop_map(Step::DirectoryUnheard),
        2 => (0..ROUTES.len()).prop_map(Step::Reroute),
        2 => (0usize..3, any::<bool>(), prop::bool::weighted(0.3))
            .prop_map(|(which, active, paused)| Step::Carrier { which, active, paused }),
        2 => (0usize..3, prop::sample::select(vec![0i64, 0, 1_000, 20_000]))
            .prop_map(|(which, after_ms)| Step::ReportAfter(which, after_ms)),
        1 => prop::bool::weighted(0.4).prop_map(Step::PauseLine),
        2 => any::<bool>().prop_map(Step::Hold),
        1 => Just(Step::CancelAll),
        1 => prop::bool::weighted(0.3).prop_map(Step::CarriersDown),
        1 => prop::bool::weighted(0.3).prop_map(Step::DirectoryDown),
        1 => (1u32..5).prop_map(Step::StorageFails),
        4 => prop::sample::select(vec![1, 500, 500, 2_000, 2_000, 19_000, 31_000, 120_000, DAY_MS - 1, DAY_MS, 4 * DAY_MS]).prop_map(Step::Wait),
        2 => (1i64..6, 0u32..6, 3usize..7).prop_map(|(message, index, status)| Step::Report { message, index, status }),
        2 => prop::sample::select(vec![0u64, 2, 3, 6]).prop_map(Step::Chaos),
    ]
}

/// All are sandboxes with a window that some sends fill.
const CARRIERS: [&str; 3] = ["sandbox", "other", "spare"];

/// Routes of the line: by prefix, by weight, with backup. The recipients of one send differ in the fifth digit.
const ROUTES: [&str; 5] = [
    r#"[{"prefixes": [], "carriers": [{"name": "sandbox", "weight": 1}], "backup": []}]"#,
    r#"[{"prefixes": ["98911", "98913"], "carriers": [{"name": "other", "weight": 1}], "backup": []},
        {"prefixes": [], "carriers": [{"name": "sandbox", "weight": 1}], "backup": [{"name": "spare", "weight": 1}]}]"#,
    r#"[{"prefixes": [], "carriers": [{"name": "sandbox", "weight": 3}, {"name": "other", "weight": 1}],
         "backup": [{"name": "spare", "weight": 1}]}]"#,
    r#"[{"prefixes": ["98910", "9893"], "carriers": [{"name": "other", "weight": 1}, {"name": "spare", "weight": 2}], "backup": []},
        {"prefixes": [], "carriers": [{"name": "sandbox", "weight": 1}], "backup": []}]"#,
    r#"[{"prefixes": [], "carriers": [{"name": "spare", "weight": 1}], "backup": [{"name": "other", "weight": 1}, {"name": "sandbox", "weight": 1}]}]"#,
];

/// How long an idempotency key is kept.
const KEY_MS: i64 = DAY_MS;

/// What a carrier's table said of a recipient when it was read last.
#[derive(Debug, Default)]
struct Seen {
    taken: i64,
    is_there: bool,
}

/// A request that always comes with the same idempotency key.
struct Keyed {
    body: String,
    /// The message that it made, and when.
    made: Option<(String, i64)>,
}

struct Run {
    world: World,
    account: Account,
    test_key: String,
    /// The last status of each recipient that was ever seen, and when its message was to be sent.
    seen: HashMap<(i64, i64), (i64, i64)>,
    /// By idempotency key and mode.
    idempotent: HashMap<(u8, bool), Keyed>,
    sent: u64,
    has_campaign: bool,
    /// Whether the storage of the account's object may fail.
    storage_fails: bool,
    /// After how many steps the client of the next request hangs up.
    hangs_up: Cell<Option<u32>>,
    /// Whether a port failed as the last request came.
    failed_before: Cell<bool>,
    /// The shortest time for which messages were kept, ms.
    kept_ms: i64,
    /// How often each carrier has taken each recipient, and what it remembers of that.
    taken: HashMap<(&'static str, i64, i64), (i64, Seen)>,
    /// While the account is on hold, once an operator was answered so: how many recipients carriers had taken then.
    held: Option<i64>,
    /// How many recipients carriers had taken of each message that its sender has canceled, when that was answered.
    stopped: HashMap<i64, i64>,
    /// The same of each that its sender has paused.
    paused: HashMap<i64, i64>,
    /// While what was canceled must not leave: up to which message, and how many recipients of these carriers had taken then.
    canceled: (i64, i64),
    /// When the run began.
    began_ms: i64,
    /// When the carriers were looked at last.
    looked_ms: Cell<i64>,
}

impl Run {
    fn new() -> Self {
        let (world, account) = World::with_account(20_000);
        let body = json!({"title": "test", "mode": "test"});
        let test_key = world.grant(&account, body).text("/data/key");
        world.add_sandboxes(&["other", "spare"], "{}");
        world.report_later(3);
        world
            .db
            .run(r#"UPDATE carrier SET settings = '{"window": 3}' WHERE name = 'other'"#);
        world.change("/admin/plans/default", json!({"refunds": ["UNDELIVERED"]}));
        world.yield_at_each_await();
        let began_ms = world.now_ms.get();
        Run {
            world,
            account,
            test_key,
            seen: HashMap::new(),
            idempotent: HashMap::new(),
            sent: 0,
            has_campaign: false,
            storage_fails: false,
            hangs_up: Cell::new(None),
            failed_before: Cell::new(false),
            kept_ms: 90 * DAY_MS,
            taken: HashMap::new(),
            held: None,
            stopped: HashMap::new(),
            paused: HashMap::new(),
            canceled: (0, 0),
            began_ms,
            looked_ms: Cell::new(began_ms),
        }
    }

    fn take(&mut self, step: &Step) {
        let world = &self.world;
        match step {
            Step::Send {
                endings,
                key,
                scheduled,
                test,
                bulk,
                ends_in,
                avoids,
                skips,
            } => {
                let avoid: Vec<&str> = avoids
                    .iter()
                    .map(|at| CARRIERS.get(*at).copied().unwrap_or("gone"))
                    .collect();
                let mut members = json!({"avoid": avoid});
                if let Some(ms) = ends_in {
                    members["expires_ms"] = (world.now_ms.get() + ms).into();
                }
                world.sends_with.replace(members);
                self.send(endings, *key, (*scheduled, *test, *bulk, *skips));
                self.world.sends_with.take();
            }
            Step::Campaign => self.campaign(),
            Step::Retain(days) => {
                world.set("RETENTION_DAYS", Some(&days.to_string()));
                self.kept_ms = self.kept_ms.min(days * DAY_MS);
            }
            Step::Cancel(nth) => self.cancel(*nth),
            Step::Pause(nth, paused) => self.pause(*nth, *paused),
            Step::Block(ending) => self.block(*ending),
            Step::Credit(amount) => {
                let path = self.account.path("/credit");
                let request = world
                    .ask("POST", &world.admin_key, &path)
                    .json(json!({"amount": amount}));
                if let Some(answer) = self.ask(request) {
                    let is_short = answer.response.status == 400;
                    assert!(is_short || self.may_answer(&answer, 201), "{}", answer.body);
                }
            }
            Step::RingAccount => world.ring(&self.account.id),
            Step::RingSandbox => CARRIERS
                .iter()
                .for_each(|carrier| world.ring_carrier(carrier, &self.account.id)),
            Step::Work => drop(world.work()),
            Step::DeliverLate { at, again } => world.deliver_late(*at, *again),
            Step::Kill => world.kill(),
            Step::Drop(at) => world.drop_object(*at),
            Step::HangUp(steps) => self.hangs_up.set(Some(*steps)),
            Step::Cut(steps) => world.steps_left.set(Some(*steps)),
            Step::Full(which, room) => {
                let sql = match which.checked_sub(1) {
                    None => world.sql(&self.account.id),
                    Some(carrier) => world.carrier_sql(CARRIERS[carrier], &self.account.id),
                };
                sql.room.set(*room);
            }
            Step::DirectoryFull(is_full) => world.db.is_full.set(*is_full),
            Step::DirectoryUnheard(batches) => world.db.unheard.set(*batches),
            Step::Reroute(routes) => self.reroute(*routes),
            Step::Carrier { which, active, paused } => {
                let change = "UPDATE carrier SET active = ?2, paused = ?3, version = version + 1 WHERE name = ?1";
                let params = [CARRIERS[*which].into(), (*active).into(), (*paused).into()];
                world.db.run_with(change, &params);
            }
            Step::ReportAfter(which, after_ms) => {
                let change = "UPDATE carrier SET settings = ?2, version = version + 1 WHERE name = ?1";
                let settings = json!({"window": 3, "reportAfterMs": after_ms}).to_string();
                world.db.run_with(change, &[CARRIERS[*which].into(), settings.into()]);
            }
            Step::PauseLine(paused) => {
                world.db.run_with("UPDATE line SET paused = ?1", &[(*paused).into()]);
            }
            Step::Hold(on_hold) => self.hold(*on_hold),
            Step::CancelAll => self.cancel_all(),
            Step::CarriersDown(down) => world.carriers_are_down.set(*down),
            Step::DirectoryDown(down) => world.db.is_down.set(*down),
            Step::StorageFails(times) => {
                let sql = world.sql(&self.account.id);
                sql.fail("UPDATE chunk SET queued = p.value", *times);
                self.storage_fails = true;
            }
            Step::Wait(ms) => world.advance(*ms),
            Step::Report { message, index, status } => self.report(*message, *index, *status),
            Step::Chaos(odds) => world.chaos.set(*odds),
        }
        self.check();
    }

    /// What is wanted, or that the tokens are used up, or, while ports fail, that one did.
    fn may_answer(&self, answer: &Answer, wanted: u16) -> bool {
        let status = answer.response.status;
        [wanted, 429].contains(&status) || (status == 503 && (self.failed_before.get() || self.is_full()))
    }

    /// Whether a storage that a request needs takes no more.
    fn is_full(&self) -> bool {
        self.world.db.is_full.get() || self.is_object_full()
    }

    /// Whether an object takes no more. While it is a carrier's, it can't be told to hold back what it has: the account has done its part,
    /// and who wanted that has to ask again.
    fn is_object_full(&self) -> bool {
        let objects = self.world.objects.borrow();
        objects.values().any(|instance| instance.sql.room.get() == Some(0))
    }

    /// What a request is answered; `None` if its client hangs up before. A request that is refused has changed nothing.
    fn ask(&self, request: Request<'_>) -> Option<Answer> {
        let (before, may_be_unheard) = (
            self.state(),
            self.world.chaos.get() > 0 || self.world.db.unheard.get() > 0 || self.is_object_full(),
        );
        self.failed_before.set(self.ports_fail());
        let answer = request.send_for(self.hangs_up.take().unwrap_or(u32::MAX))?;
        if answer.response.status >= 400 && (answer.response.status < 500 || !may_be_unheard) {
            assert_eq!(
                self.state(),
                before,
                "refused, and changed all the same: {}",
                answer.body
            );
        }
        Some(answer)
    }

    /// What a request that is refused does not change.
    fn state(&self) -> (Wallet, i64, i64, Vec<Row>) {
        let (stored, sql) = (self.world.stored(&self.account), self.world.sql(&self.account.id));
        let counts = "SELECT (SELECT count(*) FROM message), (SELECT count(*) FROM chunk), (SELECT count(*) FROM blacklist), \
             (SELECT count(*) FROM message_to), (SELECT sum(status) FROM recipient)";
        (stored.wallet, stored.message_seq, stored.ledger_seq, sql.run(counts))
    }

    fn ports_fail(&self) -> bool {
        self.world.chaos.get() > 0 || self.directory_fails() || self.storage_fails
    }

    fn directory_fails(&self) -> bool {
        let directory = &self.world.db;
        directory.is_down.get() || directory.is_full.get() || directory.unheard.get() > 0
    }

    /// Puts the account on hold, or ends that. Without an answer, nobody knows which.
    fn hold(&mut self, on_hold: bool) {
        let path = self.account.path("");
        let request = self.world.ask("PATCH", &self.world.admin_key, &path);
        self.held = None;
        let answer = self.ask(request.json(json!({"hold": on_hold})));
        if answer.is_some_and(|answer| answer.response.status == 200) && on_hold {
            self.note_taken();
            self.held = Some(self.taken_of(i64::MAX));
        }
    }

    fn cancel_all(&mut self) {
        let path = self.account.path("/cancel");
        let answer = self.ask(self.world.ask("POST", &self.world.admin_key, &path));
        if answer.is_some_and(|answer| answer.response.status == 200) {
            self.note_taken();
            let through = self.world.stored(&self.account).canceled_through;
            self.canceled = (through, self.taken_of(through));
        }
    }

    /// The number of the newest message but so many, its path, and whether something of it waits.
    fn newest(&self, nth: usize) -> Option<(i64, String, bool)> {
        let path = format!("/messages?limit={}", nth + 1);
        let list = self.world.get(&self.account.key, &path);
        let uid = list.json["data"].get(nth)?["uid"].as_str().unwrap();
        let id = peyk::base::id::number_of(uid).unwrap();
        let queued = format!("SELECT sum(queued) FROM chunk WHERE message = {id}");
        let waits = self.world.sql(&self.account.id).number(&queued) > 0;
        Some((id, format!("/messages/{uid}"), waits))
    }

    /// Cancels a message, whatever state it is in: what has not left of it never does.
    fn cancel(&mut self, nth: usize) {
        let Some((id, path, waits)) = self.newest(nth) else {
            return;
        };
        let answer = self.ask(self.world.ask("DELETE", &self.account.key, &path));
        let Some(answer) = answer else { return };
        assert!(
            self.may_answer(&answer, if waits { 200 } else { 409 }),
            "{}",
            answer.body
        );
        if answer.response.status == 200 {
            self.note_taken();
            self.stopped.insert(id, self.taken_of_message(id));
            self.paused.remove(&id);
        }
    }

    /// Lets all messages go on.
    fn resume_all(&mut self) {
        self.paused.clear();
        for row in self
            .world
            .sql(&self.account.id)
            .run("SELECT uid, test FROM message WHERE halt = 1")
        {
            let key = if row.bool(1).unwrap() {
                &self.test_key
            } else {
                &self.account.key
            };
            let path = format!("/messages/{}/resume", row.text(0).unwrap());
            self.world.advance(1_000);
            self.world.bare_post(key, &path);
        }
    }

    /// Pauses a message, whatever state it is in, or lets it go on. Without an answer, nobody knows which.
    fn pause(&mut self, nth: usize, paused: bool) {
        let Some((id, path, waits)) = self.newest(nth) else {
            return;
        };
        let path = format!("{path}/{}", if paused { "pause" } else { "resume" });
        self.paused.remove(&id);
        let answer = self.ask(self.world.ask("POST", &self.account.key, &path).json(json!({})));
        let Some(answer) = answer else { return };
        let wanted = if waits && !self.stopped.contains_key(&id) {
            200
        } else {
            409
        };
        let is_unknown = wanted == 200 && answer.response.status == 409;
        assert!(is_unknown || self.may_answer(&answer, wanted), "{}", answer.body);
        if answer.response.status == 200 && paused {
            self.note_taken();
            self.paused.insert(id, self.taken_of_message(id));
        }
    }

    /// Puts a number on the blacklist that later sends may name.
    fn block(&self, ending: u16) {
        let body = json!({"numbers": [format!("0910{:04}{ending}", 2_000 + self.sent + 1)]});
        let request = self.world.ask("POST", &self.account.key, "/blacklist");
        if let Some(answer) = self.ask(request.json(body)) {
            assert!(self.may_answer(&answer, 201), "{}", answer.body);
        }
    }

    fn send(&mut self, endings: &[u16], key: u8, (scheduled, test, bulk, skips): (bool, bool, bool, bool)) {
        self.sent += 1;
        let recipients = endings.iter().enumerate();
        let recipients: Vec<String> = recipients
            .map(|(index, ending)| format!("09{}{:04}{ending}", 10 + index, 2_000 + self.sent))
            .collect();
        let mut body = json!({"message": "hello", "recipients": recipients});
        if bulk {
            let item = |number: &String| json!({"recipient": number, "message": format!("to {number}")});
            body = json!({"messages": recipients.iter().map(item).collect::<Vec<_>>()});
        }
        if skips {
            body["blacklisted"] = "SKIP".into();
        }
        if scheduled {
            body["sendAt"] = peyk::base::time::to_rfc3339(self.world.now_ms.get() + 60_000).into();
        }
        // The same idempotency key always comes with its first body, as a client's retry does, however late.
        let name = (key, test);
        let body = match key {
            0 => body.to_string(),
            _ => {
                let keyed = || Keyed {
                    body: body.to_string(),
                    made: None,
                };
                self.idempotent.entry(name).or_insert_with(keyed).body.clone()
            }
        };
        let sender = if test { &self.test_key } else { &self.account.key };
        let is_bulk = body.contains("messages");
        let path = if is_bulk { "/sms/bulk" } else { "/sms/send" };
        let mut request = self.world.ask("POST", sender, path);
        if key > 0 {
            request = request.idempotency_key(&key.to_string());
        }
        let Some(answer) = self.ask(request.body("application/json", body.as_bytes())) else {
            return;
        };
        let is_refused = matches!(answer.response.status, 400 | 422);
        assert!(is_refused || self.may_answer(&answer, 201), "{}", answer.body);
        if key > 0 {
            self.note_keyed(name, &answer);
        }
    }

    /// While a key is kept, a retry is answered as the first request was, whatever has changed since.
    fn note_keyed(&mut self, name: (u8, bool), answer: &Answer) {
        let now_ms = self.world.now_ms.get();
        let made = &mut self.idempotent.get_mut(&name).unwrap().made;
        let kept = made.as_ref().filter(|(_, at_ms)| now_ms < at_ms + KEY_MS);
        let known = kept.map(|(uid, _)| uid.clone());
        match (answer.response.status, known) {
            (201, Some(known)) => assert_eq!(answer.text("/data/uid"), known, "an idempotency key made two messages"),
            (201, None) => {
                // A request whose answer was lost may have made the message long before this retry.
                let uid = answer.text("/data/uid");
                let made_ms = peyk::base::id::made_ms(&uid).unwrap();
                *made = Some((uid, made_ms));
            }
            (429 | 503, _) | (_, None) => {}
            (status, Some(_)) => panic!("a retry was answered {status}: {}", answer.body),
        }
    }

    /// Sends more scheduled messages than one go brings on, with one message of several chunks among them.
    fn campaign(&mut self) {
        if self.has_campaign || self.directory_fails() || self.world.sql(&self.account.id).room.get().is_some() {
            return;
        }
        self.has_campaign = true;
        let chaos = self.world.chaos.replace(0);
        let world = &self.world;
        let path = self.account.path("");
        let limit = |limit: u32, burst: u32| json!({"rateLimit": {"limit": limit, "windowSeconds": 1, "burst": burst}});
        // The bucket is full again, by the limit that holds until now.
        world.advance(60_000);
        world.change(&path, limit(1_000_000, 10_000));
        world.create(&format!("{path}/credit"), json!({"amount": 1_400_000}));
        let at = peyk::base::time::to_rfc3339(world.now_ms.get() + 60_000);
        let send = |numbers: Vec<String>| {
            let body = json!({"message": "later", "recipients": numbers, "sendAt": at});
            world.posted(&self.account.key, "/sms/send", body);
        };
        (0..150).for_each(|number| send(vec![format!("0935{number:04}100")]));
        send((0..1_000).map(|number| format!("0936{number:04}100")).collect());
        (150..300).for_each(|number| send(vec![format!("0935{number:04}100")]));
        world.change(&path, limit(10, 100));
        world.chaos.set(chaos);
    }

    /// A carrier's report, early, late, repeated or about nothing.
    fn report(&self, message: i64, index: u32, status: usize) {
        let report = peyk::account::chunk::reports::DeliveryReport {
            is_presumed: false,
            message,
            status: RecipientStatus::ALL[status],
            indexes: vec![index],
            cause: None,
        };
        // Reports come only for what the carrier was handed; and a carrier that says it has a message says its ending some
        // day, which this one never does of some numbers.
        let handed = self.handed(message, index).filter(|(_, number)| {
            report.status != RecipientStatus::Submitted || ending(*number) != RecipientStatus::Unknown
        });
        if let Some((carrier, _)) = handed {
            let chaos = self.world.chaos.replace(0);
            let told = peyk::carrier::reports::report(&self.world, carrier, &self.account.id, vec![report]);
            let _ = to_end(told);
            self.world.chaos.set(chaos);
        }
    }

    /// The carrier that has taken a recipient, and its number.
    fn handed(&self, message: i64, index: u32) -> Option<(&'static str, u64)> {
        let query = "SELECT msisdn FROM handed WHERE message = ?1 AND idx = ?2 AND taken > 0";
        CARRIERS.iter().find_map(|carrier| {
            let sql = self.world.carrier_sql(carrier, &self.account.id);
            // A sandbox has no tables before its first submission.
            let rows = sql.exec(query, &[message.into(), index.into()]).unwrap_or_default();
            let row = rows.first()?;
            Some((*carrier, u64::try_from(row.int(0).unwrap()).unwrap()))
        })
    }

    fn reroute(&self, routes: usize) {
        let params = [ROUTES[routes].into()];
        self.world.db.run_with("UPDATE line SET routes = ?1", &params);
        self.world.app.profiles.clear();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(64)) })]

    #[test]
    fn nothing_is_lost_doubled_or_moved_back(steps in prop::collection::vec(step(), 1..60)) {
        let mut run = Run::new();
        for step in &steps {
            run.take(step);
        }
        run.end();
    }
}
