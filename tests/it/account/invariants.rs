//! The invariants of the account's object, over random commands, crashes and redeliveries: money is conserved, reserves
//! are resolved once, statuses only move forward, a carrier gets a recipient at most once, the mirror tells the truth, and
//! only what is old is forgotten.

use std::collections::{HashMap, HashSet};

use peyk::account::account_row::Account as Row;
use peyk::account::message::retention::TEST_KEPT_MS;
use peyk::account::message::simulation::ending;
use peyk::account::message::status::RecipientStatus;
use peyk::base::ports::Sql;
use proptest::prelude::*;
use serde_json::json;

use crate::support::{Account, Answer, World, time::DAY_MS};

#[derive(Debug, Clone)]
enum Step {
    Send {
        endings: Vec<u16>,
        key: u8,
        scheduled: bool,
        test: bool,
        bulk: bool,
    },
    /// More messages for one time than an alarm's go starts.
    Campaign,
    /// Sets how many days messages are kept.
    Retain(i64),
    Cancel(usize),
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
    /// Gives the line other routes.
    Reroute(usize),
    /// Stops a carrier, takes it out of service, or neither.
    Carrier {
        which: usize,
        active: bool,
        paused: bool,
    },
    PauseLine(bool),
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
        4 => (prop::collection::vec(ending, 1..6), 0u8..6, prop::bool::weighted(0.25), prop::bool::weighted(0.1), any::<bool>())
            .prop_map(|(endings, key, scheduled, test, bulk)| Step::Send { endings, key, scheduled, test, bulk }),
        1 => (0usize..6).prop_map(Step::Cancel),
        1 => prop::sample::select(vec![2i64, 3, 9]).prop_map(Step::Retain),
        1 => Just(Step::Campaign),
        1 => prop::sample::select(vec![100u16, 901]).prop_map(Step::Block),
        1 => (-3_000i64..6_000).prop_filter("not zero", |amount| *amount != 0).prop_map(Step::Credit),
        4 => Just(Step::Work),
        4 => Just(Step::RingAccount),
        2 => Just(Step::RingSandbox),
        5 => (0usize..4, any::<bool>()).prop_map(|(at, again)| Step::DeliverLate { at, again }),
        1 => Just(Step::Kill),
        2 => (0..ROUTES.len()).prop_map(Step::Reroute),
        2 => (0usize..3, any::<bool>(), prop::bool::weighted(0.3))
            .prop_map(|(which, active, paused)| Step::Carrier { which, active, paused }),
        1 => prop::bool::weighted(0.4).prop_map(Step::PauseLine),
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
    /// The shortest time for which messages were kept, ms.
    kept_ms: i64,
    /// How often each carrier has taken each recipient, and what it remembers of that.
    taken: HashMap<(&'static str, i64, i64), (i64, Seen)>,
    /// When the run began.
    began_ms: i64,
}

impl Run {
    fn new() -> Self {
        let (world, account) = World::with_account(20_000);
        let path = account.path("/keys");
        let body = json!({"title": "test", "mode": "test"});
        let test_key = world.create(&path, body).text("/data/key");
        world.add_sandboxes(&["other", "spare"], r#"{"window": 3}"#);
        let window = r#"UPDATE carrier SET settings = '{"window": 3}'"#;
        world.db.run(window);
        world.change("/admin/plans/default", json!({"refunds": ["UNDELIVERED"]}));
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
            kept_ms: 90 * DAY_MS,
            taken: HashMap::new(),
            began_ms,
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
            } => self.send(endings, *key, *scheduled, *test, *bulk),
            Step::Campaign => self.campaign(),
            Step::Retain(days) => {
                world.set("RETENTION_DAYS", Some(&days.to_string()));
                self.kept_ms = self.kept_ms.min(days * DAY_MS);
            }
            Step::Cancel(nth) => self.cancel(*nth),
            Step::Block(ending) => self.block(*ending),
            Step::Credit(amount) => {
                let answer = world.admin("POST", &self.account.path("/credit"), json!({"amount": amount}));
                let is_short = answer.response.status == 400;
                assert!(is_short || self.may_answer(&answer, 201), "{}", answer.body);
            }
            Step::RingAccount => world.ring(&self.account.id),
            Step::RingSandbox => CARRIERS
                .iter()
                .for_each(|carrier| world.ring_carrier(carrier, &self.account.id)),
            Step::Work => drop(world.work()),
            Step::DeliverLate { at, again } => world.deliver_late(*at, *again),
            Step::Kill => world.kill(),
            Step::Reroute(routes) => self.reroute(*routes),
            Step::Carrier { which, active, paused } => {
                let change = "UPDATE carrier SET active = ?2, paused = ?3, version = version + 1 WHERE name = ?1";
                let params = [CARRIERS[*which].into(), (*active).into(), (*paused).into()];
                Sql::exec(&*world.db, change, &params).unwrap();
            }
            Step::PauseLine(paused) => {
                Sql::exec(&*world.db, "UPDATE line SET paused = ?1", &[(*paused).into()]).unwrap();
            }
            Step::CarriersDown(down) => world.carriers_are_down.set(*down),
            Step::DirectoryDown(down) => world.directory_is_down.set(*down),
            Step::StorageFails(times) => {
                world
                    .sql(&self.account.id)
                    .fail("UPDATE chunk SET queued = p.value", *times);
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
        [wanted, 429].contains(&status) || (status == 503 && self.ports_fail())
    }

    fn ports_fail(&self) -> bool {
        self.world.chaos.get() > 0 || self.world.directory_is_down.get() || self.storage_fails
    }

    /// Takes a message back, whatever state it is in: only one that waits for its time can be.
    fn cancel(&self, nth: usize) {
        let path = format!("/messages?limit={}", nth + 1);
        let list = self.world.get(&self.account.key, &path);
        let message = list.json["data"]
            .as_array()
            .and_then(|messages| messages.get(nth).cloned());
        let Some(message) = message else {
            return;
        };
        let path = format!("/messages/{}", message["uid"].as_str().unwrap());
        let answer = self.world.delete(&self.account.key, &path);
        let wanted = if message["status"] == "SCHEDULED" { 200 } else { 409 };
        assert!(self.may_answer(&answer, wanted), "{}", answer.body);
    }

    /// Puts a number on the blacklist that later sends may name.
    fn block(&self, ending: u16) {
        let body = json!({"numbers": [format!("0910{:04}{ending}", 2_000 + self.sent + 1)]});
        let answer = self.world.post(&self.account.key, "/blacklist", body);
        assert!(self.may_answer(&answer, 201), "{}", answer.body);
    }

    fn send(&mut self, endings: &[u16], key: u8, scheduled: bool, test: bool, bulk: bool) {
        self.sent += 1;
        let recipients: Vec<String> = endings
            .iter()
            .enumerate()
            .map(|(index, ending)| format!("09{}{:04}{ending}", 10 + index, 2_000 + self.sent))
            .collect();
        let mut body = json!({"message": "hello", "recipients": recipients});
        if bulk {
            let item = |number: &String| json!({"recipient": number, "message": format!("to {number}")});
            body = json!({"messages": recipients.iter().map(item).collect::<Vec<_>>()});
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
        let path = if body.contains("messages") {
            "/sms/bulk"
        } else {
            "/sms/send"
        };
        let request = self.world.ask("POST", sender, path);
        let request = request.body("application/json", body.as_bytes());
        let request = match key {
            0 => request,
            _ => request.idempotency_key(&key.to_string()),
        };
        let answer = request.send();
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
        let known = made
            .as_ref()
            .filter(|(_, at_ms)| now_ms < at_ms + KEY_MS)
            .map(|(uid, _)| uid.clone());
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
        if std::mem::replace(&mut self.has_campaign, true) || self.world.directory_is_down.get() {
            return;
        }
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
            message,
            status: RecipientStatus::ALL[status],
            indexes: vec![index],
            cause: None,
        };
        // Reports come only for what the carrier was handed; and a carrier that says it has a message says its ending some
        // day, which this one never does of some numbers.
        let number = self.handed(message, index);
        let handed = number.is_some_and(|number| {
            report.status != RecipientStatus::Submitted || ending(number) != RecipientStatus::Unknown
        });
        if handed {
            let chaos = self.world.chaos.replace(0);
            let _ = pollster::block_on(peyk::carrier::report::report(
                &self.world,
                &self.account.id,
                vec![report],
            ));
            self.world.chaos.set(chaos);
        }
    }

    /// The number of a recipient that a carrier has taken.
    fn handed(&self, message: i64, index: u32) -> Option<u64> {
        let query = "SELECT msisdn FROM handed WHERE message = ?1 AND idx = ?2 AND taken > 0";
        CARRIERS.iter().find_map(|carrier| {
            let sql = self.world.carrier_sql(carrier, &self.account.id);
            // A sandbox has no tables before its first submission.
            let rows = sql.exec(query, &[message.into(), index.into()]).unwrap_or_default();
            rows.first().map(|row| u64::try_from(row.int(0).unwrap()).unwrap())
        })
    }

    fn reroute(&self, routes: usize) {
        let params = [ROUTES[routes].into()];
        Sql::exec(&*self.world.db, "UPDATE line SET routes = ?1", &params).unwrap();
        self.world.app.profiles.clear();
    }

    fn check(&mut self) {
        let sql = self.world.sql(&self.account.id);
        let account = Row::stored(&*sql).unwrap().unwrap();
        let wallet = account.wallet;
        assert!(
            wallet.available >= 0 && wallet.locked >= 0 && wallet.spent >= 0,
            "{wallet:?}"
        );
        assert_eq!(wallet.available + wallet.locked + wallet.spent, wallet.credited);
        let one = |query: &str| sql.number(query);
        let wanted = one("SELECT coalesce(sum(cost), 0) FROM recipient WHERE money = 0");
        assert_eq!(wallet.locked, wanted, "unresolved");
        self.check_usage(&account);
        self.note_taken();
        self.check_ledger(&account);
        self.check_recipients();
        for (column, statuses) in [("queued", "0, 1"), ("active", "0, 1, 3"), ("open", "0, 1, 2, 3")] {
            let off = format!(
                "SELECT count(*) FROM chunk c WHERE c.state NOT IN (4, 6) AND c.{column} <> (SELECT count(*) FROM recipient r \
                 WHERE r.message = c.message AND r.chunk = c.number AND r.status IN ({statuses}))"
            );
            assert_eq!(one(&off), 0, "a chunk's count of {column} recipients is off");
        }
        let told = "SELECT count(*) FROM message m JOIN message_status s ON s.message = m.id WHERE s.status IS NOT \
             (SELECT CASE WHEN sum(status IN (0, 1, 3)) = 0 THEN iif(max(status) = 8, 'CANCELED', 'DONE') \
                          WHEN sum(status NOT IN (0, 1)) > 0 THEN 'SENDING' \
                          WHEN sum(status = 1) > 0 OR m.send_at_ms IS NULL THEN 'QUEUED' ELSE 'SCHEDULED' END \
              FROM recipient r WHERE r.message = m.id)";
        assert_eq!(one(told), 0, "a message's status is not what its recipients say");
        let lost = "SELECT count(*) FROM recipient r WHERE r.status IN (0, 1, 3) AND NOT EXISTS \
             (SELECT 1 FROM chunk c WHERE c.message = r.message AND c.number = r.chunk AND c.state NOT IN (4, 6) \
                AND r.idx BETWEEN c.first AND c.last)";
        assert_eq!(one(lost), 0, "an open recipient that nobody will look after");
    }

    /// A status only moves forward, and only what is old is forgotten.
    fn check_recipients(&mut self) {
        let query = "SELECT r.message, r.idx, r.status, coalesce(m.send_at_ms, m.created_ms) FROM recipient r \
             JOIN message m ON m.id = r.message";
        let mut there = HashSet::new();
        for row in self.world.sql(&self.account.id).run(query) {
            let (place, now) = ((row.int(0).unwrap(), row.int(1).unwrap()), row.int(2).unwrap());
            there.insert(place);
            if let Some((before, _)) = self.seen.insert(place, (now, row.int(3).unwrap()))
                && before != now
            {
                assert!(reachable(before, now), "{place:?} moved from {before} to {now}");
            }
        }
        let latest_ms = self.world.now_ms.get() - self.kept_ms.min(TEST_KEPT_MS);
        self.seen.retain(|place, (_, sent_ms)| {
            let is_there = there.contains(place);
            assert!(is_there || *sent_ms <= latest_ms, "{place:?} was forgotten early");
            is_there
        });
    }

    /// The usage adds up to the ledger, and to the recipients that are there.
    fn check_usage(&self, account: &Row) {
        let sql = self.world.sql(&self.account.id);
        let one = |query: &str| sql.number(query);
        let paid = one("SELECT coalesce(sum(cost - returned), 0) FROM usage");
        assert_eq!(paid, account.wallet.locked + account.wallet.spent, "usage and wallet");
        assert_eq!(one("SELECT coalesce(sum(messages), 0) FROM usage"), account.message_seq);
        let open = one(
            "SELECT coalesce(sum(recipients - delivered - undelivered - expired - rejected - unknown - canceled), 0) FROM usage",
        );
        assert_eq!(open, one("SELECT count(*) FROM recipient WHERE status IN (0, 1, 3)"));
        if one("SELECT count(*) FROM message") < account.message_seq {
            return;
        }
        let wanted = one("SELECT coalesce(sum(cost), 0) FROM recipient WHERE money = 1");
        assert_eq!(account.wallet.spent, wanted, "spent");
        let counted = "SELECT json_group_array(json_array(day, test, recipients, delivered, undelivered, expired, rejected, unknown, canceled)) \
             FROM (SELECT day, test, sum(recipients) recipients, sum(delivered) delivered, sum(undelivered) undelivered, \
               sum(expired) expired, sum(rejected) rejected, sum(unknown) unknown, sum(canceled) canceled FROM usage GROUP BY 1, 2 ORDER BY 1, 2)";
        let there = "SELECT json_group_array(json_array(day, test, recipients, delivered, undelivered, expired, rejected, unknown, canceled)) \
             FROM (SELECT m.created_ms / 86400000 day, m.test test, count(*) recipients, sum(r.status = 4) delivered, \
               sum(r.status = 5) undelivered, sum(r.status = 6) expired, sum(r.status = 7) rejected, sum(r.status = 2) unknown, \
               sum(r.status = 8) canceled FROM recipient r JOIN message m ON m.id = r.message GROUP BY 1, 2 ORDER BY 1, 2)";
        let text = |query: &str| sql.run(query)[0].text(0).unwrap();
        assert_eq!(text(counted), text(there), "usage by day");
    }

    /// The ledger replays to the balances.
    fn check_ledger(&self, account: &Row) {
        let sql = self.world.sql(&self.account.id);
        let mut wallet = peyk::account::wallet::ledger::Wallet::default();
        let rows = sql.run("SELECT kind, amount, available, locked FROM ledger ORDER BY seq");
        for row in &rows {
            let kind = peyk::account::wallet::ledger::EntryKind::parse(&row.text(0).unwrap()).unwrap();
            wallet = wallet.after(kind, row.int(1).unwrap()).unwrap();
            let wanted = (row.int(2).unwrap(), row.int(3).unwrap());
            assert_eq!((wallet.available, wallet.locked), wanted);
        }
        assert_eq!(wallet, account.wallet);
        assert_eq!(i64::try_from(rows.len()).unwrap(), account.ledger_seq);
    }

    /// The storm is over: everything ends, once, and the mirror tells so.
    fn end(&mut self) {
        self.world.chaos.set(0);
        self.world.carriers_are_down.set(false);
        self.world.directory_is_down.set(false);
        for all in [
            "UPDATE carrier SET active = 1, paused = 0, version = version + 1",
            "UPDATE line SET paused = 0",
        ] {
            Sql::exec(&*self.world.db, all, &[]).unwrap();
        }
        self.world.sql(&self.account.id).fail("", 0);
        // A carrier's object forgets after a week. Then a recipient may have to wait until nobody expects a report any more.
        let was_long = self.world.now_ms.get() - self.began_ms >= 7 * DAY_MS;
        self.world.settle(if was_long { 80 } else { 3 } * 60 * 60 * 1_000);
        self.check();
        let sql = self.world.sql(&self.account.id);
        let one = |query: &str| sql.number(query);
        let found = one("SELECT count(*) FROM message_status WHERE status NOT IN ('DONE', 'CANCELED')");
        assert_eq!(found, 0, "a message never ended");
        let found = one("SELECT coalesce(sum(cost), 0) FROM recipient WHERE status = 2 AND money = 0");
        assert_eq!(found, self.locked(), "held for UNKNOWN");
        self.check_taken();
        self.check_delivered(was_long);
        self.world.settle(80 * 60 * 60 * 1_000);
        self.check();
        assert_eq!(self.locked(), 0, "money is held for ever");
        let found = one("SELECT count(*) FROM chunk WHERE state NOT IN (4, 6)");
        assert_eq!(found, 0, "work is left over");
        let own = "SELECT count(*) FROM recipient r JOIN message m ON m.id = r.message WHERE (m.kind = 'BULK') <> \
             EXISTS (SELECT 1 FROM recipient_text o WHERE o.message = r.message AND o.idx = r.idx)";
        assert_eq!(one(own), 0, "a recipient's own text is lost, or one too many");
        self.check_mirror();
        self.world.set("RETENTION_DAYS", Some("9"));
        self.world.settle(11 * DAY_MS);
        self.check();
        for table in "message recipient recipient_text chunk source idempotency".split(' ') {
            assert_eq!(one(&format!("SELECT count(*) FROM {table}")), 0, "{table} is not empty");
        }
        self.check_mirror();
    }

    /// Counts what the carriers have taken, before they forget it.
    fn note_taken(&mut self) {
        for (_, seen) in self.taken.values_mut() {
            seen.is_there = false;
        }
        for carrier in CARRIERS {
            let sql = self.world.carrier_sql(carrier, &self.account.id);
            // A sandbox has no tables before its first submission.
            let rows = sql
                .exec("SELECT message, idx, taken FROM handed", &[])
                .unwrap_or_default();
            for row in rows {
                let key = (carrier, row.int(0).unwrap(), row.int(1).unwrap());
                let (total, seen) = self.taken.entry(key).or_default();
                let now = row.int(2).unwrap();
                *total += (now - seen.taken).max(0);
                *seen = Seen {
                    taken: now,
                    is_there: true,
                };
            }
        }
        for (_, seen) in self.taken.values_mut().filter(|(_, seen)| !seen.is_there) {
            seen.taken = 0;
        }
    }

    /// At most one carrier has a recipient, and at most once.
    fn check_taken(&self) {
        let mut taken: HashMap<(i64, i64), i64> = HashMap::new();
        for ((_, message, index), (total, _)) in &self.taken {
            *taken.entry((*message, *index)).or_default() += total;
        }
        for (recipient, times) in taken {
            assert!(times <= 1, "{recipient:?} was sent {times} times");
        }
    }

    /// The sandbox can tell what it has had, so no crash leaves a message undelivered: each ends as its number says. Of what it
    /// has forgotten, nobody knows.
    fn check_delivered(&self, may_be_forgotten: bool) {
        let sql = self.world.sql(&self.account.id);
        let letters = "SELECT coalesce(json_group_array(uid), '[]') FROM dead_letter";
        let letters = Sql::exec(&*self.world.db, letters, &[]).unwrap()[0].text(0).unwrap();
        let query = format!(
            "SELECT r.msisdn, r.status, m.uid IN (SELECT value FROM json_each('{letters}')) FROM recipient r \
             JOIN message m ON m.id = r.message"
        );
        for row in sql.run(&query) {
            let ending = ending(u64::try_from(row.int(0).unwrap()).unwrap());
            let status = RecipientStatus::from_code(row.int(1).unwrap()).unwrap();
            // Reports of the storm may have ended a taken message otherwise.
            let by_report = matches!(
                status,
                RecipientStatus::Delivered | RecipientStatus::Undelivered | RecipientStatus::Expired
            );
            // Only carriers that were down for long make the object give up, and then a dead letter says so.
            let given_up =
                row.bool(2).unwrap() && matches!(status, RecipientStatus::Unknown | RecipientStatus::Rejected);
            let forgotten = may_be_forgotten && status == RecipientStatus::Unknown;
            assert!(
                forgotten || status == ending || by_report || given_up || status == RecipientStatus::Canceled,
                "{} ended {status:?}",
                row.int(0).unwrap()
            );
        }
    }

    fn locked(&self) -> i64 {
        Row::stored(&*self.world.sql(&self.account.id))
            .unwrap()
            .unwrap()
            .wallet
            .locked
    }

    fn check_mirror(&self) {
        let account = Row::stored(&*self.world.sql(&self.account.id)).unwrap().unwrap();
        let params = [self.account.id.as_str().into()];
        let query = "SELECT available, locked, active, sending_enabled, mirror_version FROM account WHERE id = ?1";
        let row = &self.world.db.exec(query, &params).unwrap()[0];
        assert_eq!(row.int(0).unwrap(), account.wallet.available);
        assert_eq!(row.int(1).unwrap(), account.wallet.locked);
        assert_eq!(row.bool(2).unwrap(), account.active);
        assert_eq!(row.bool(3).unwrap(), account.sending_enabled);
        assert_eq!(row.int(4).unwrap(), account.version);
        let rows = "SELECT coalesce(group_concat(json_array(day, line, carrier, test, messages, recipients, parts, cost, returned, \
             delivered, undelivered, expired, rejected, unknown, canceled, version)), '') FROM usage";
        let truth = self.world.sql(&self.account.id).run(rows);
        assert_eq!(self.world.db.run(rows), truth, "the mirror of the usage");
    }
}

/// Whether a status leads to another in one or more steps.
fn reachable(from: i64, to: i64) -> bool {
    let (from, to) = (
        RecipientStatus::from_code(from).unwrap(),
        RecipientStatus::from_code(to).unwrap(),
    );
    to.sources()
        .iter()
        .any(|source| *source == from || reachable(from.code(), source.code()))
}

/// Few enough for every run of the tests; `PROPTEST_CASES` asks for more.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok())
        .unwrap_or(128)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases()) })]

    #[test]
    fn nothing_is_lost_doubled_or_moved_back(steps in prop::collection::vec(step(), 1..60)) {
        let mut run = Run::new();
        for step in &steps {
            run.take(step);
        }
        run.end();
    }
}
