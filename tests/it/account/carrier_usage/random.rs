//! A random world: an SMSC, a gateway and a sandbox share a line, and note what they took and how it ended. Reports come before
//! answers, answers come late, and the process dies. At rest, the usage, the recipients and the events say what the carriers saw.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use peyk::account::message::{simulation::ending, status::RecipientStatus};
use peyk::base::ports::{IncomingResponse, OutgoingRequest};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Told, listen_beside, statuses_told};
use crate::support::gateway::PUBLIC_URL;
use crate::support::smsc::{Got, Reply, Smsc};
use crate::support::time::{MINUTE_MS, SECOND_MS};
use crate::support::{Account, Dice, World, cases, life::Life, smpp};

/// The carriers of the line.
const CARRIERS: [&str; 3] = ["mci", "gate", "sandbox"];
/// What the numbers end in: most are delivered.
const ENDINGS: [u16; 6] = [100, 200, 300, 901, 902, 903];
/// The price of a part.
const PRICE: i64 = 1_000;

/// What carriers know of recipients, by their numbers. No number gets two messages.
#[derive(Debug, Default)]
struct Seen {
    /// The parts that each carrier took, and the ending that it reports.
    taken: BTreeMap<u64, (&'static str, i64, RecipientStatus)>,
}

/// A message that the gateway has: its number, and where it reports.
type Pending = Rc<RefCell<Vec<(u64, String)>>>;

struct Run {
    world: World,
    shop: Account,
    smsc: Smsc,
    /// The gateway's messages that it has not reported yet, and all.
    pending: Pending,
    all: Pending,
    told: Told,
    dice: Dice,
    /// The parts that each number's text has.
    parts: RefCell<BTreeMap<u64, i64>>,
}

fn number_of(text: &str) -> u64 {
    text.trim_start_matches('+').parse().unwrap()
}

/// What an SMSC says of a message in a receipt.
fn receipt_of(status: RecipientStatus) -> &'static str {
    match status {
        RecipientStatus::Undelivered => "id:{id} stat:UNDELIV err:027",
        RecipientStatus::Expired => "id:{id} stat:EXPIRED err:000",
        _ => "id:{id} stat:DELIVRD err:000",
    }
}

/// What the SMSC does with a message to a number: it refuses it, answers soon, late or too late, or reports before it answers.
fn reply_of(number: u64) -> Reply {
    match (ending(number), number / 1_000 % 24) {
        (RecipientStatus::Rejected, _) => Reply::Status(0x0B, 0),
        (_, 0..8) => Reply::Status(0, 0),
        (_, 8..12) => Reply::Status(0, 1_500),
        // The recipient is UNKNOWN before the answer comes.
        (_, 12) => Reply::Status(0, 9_000),
        (status, 13..18) => Reply::ReceiptFirst(receipt_of(status), 0),
        (status, _) => Reply::ReceiptFirst(receipt_of(status), 700),
    }
}

impl Run {
    fn new(seed: u64) -> Run {
        let (world, shop, smsc) = smpp::world(json!({"window": 20}));
        world.set("PUBLIC_URL", Some(PUBLIC_URL));
        world.set("MAX_RECIPIENTS", Some("1000"));
        world.add_gateway("gate", "20003", "KANNEL");
        let shares = CARRIERS.map(|name| json!({"name": name, "weight": 1}));
        let routes = json!({"routes": [{"prefixes": [], "carriers": shares}]});
        world.change("/admin/lines/20002", routes);
        smsc.answer(|_, got: &Got| reply_of(number_of(&got.deliver.destination.number)));
        let (pending, all) = (Pending::default(), Pending::default());
        let noted = [Rc::clone(&pending), Rc::clone(&all)];
        let told = listen_beside(&world, &shop, move |request| {
            let (number, path) = message_of(request)?;
            noted
                .iter()
                .for_each(|noted| noted.borrow_mut().push((number, path.clone())));
            Some(IncomingResponse {
                status: 202,
                retry_after: None,
                body: "0: Accepted for delivery".to_owned(),
            })
        });
        Run {
            world,
            shop,
            smsc,
            pending,
            all,
            told,
            dice: Dice::new(seed),
            parts: RefCell::default(),
        }
    }

    fn below(&self, bound: u64) -> usize {
        usize::try_from(self.dice.below(bound)).unwrap()
    }

    /// Sends to so many new numbers: the same text to all, or to each its own.
    fn send(&self) {
        let count = 1 + self.below(150);
        let texts = [("hello", 1), (&"x".repeat(161), 2), (&"سلام ".repeat(30), 3)];
        let first = self.parts.borrow().len();
        let number = |at: usize, dice: &Dice| {
            let ending = ENDINGS[usize::try_from(dice.below(ENDINGS.len() as u64)).unwrap()];
            format!("98912{:04}{ending}", first + at)
        };
        let numbers: Vec<String> = (0..count).map(|at| number(at, &self.dice)).collect();
        let shared = self.below(3);
        let is_bulk = self.below(2) == 0;
        let own: Vec<usize> = numbers
            .iter()
            .map(|_| if is_bulk { self.below(3) } else { shared })
            .collect();
        for (number, text) in numbers.iter().zip(&own) {
            self.parts.borrow_mut().insert(number_of(number), texts[*text].1);
        }
        let (path, mut body) = if is_bulk {
            let item = |(number, text): (&String, &usize)| json!({"recipient": number, "message": texts[*text].0});
            let messages: Vec<Value> = numbers.iter().zip(&own).map(item).collect();
            ("/sms/bulk", json!({ "messages": messages }))
        } else {
            ("/sms/send", json!({"message": texts[shared].0, "recipients": numbers}))
        };
        body["sourceNumber"] = json!("20002");
        self.world.posted(&self.shop.key, path, body);
    }

    /// Lets time pass. Meanwhile the gateway reports: also what it has just taken, before the carrier's object has answered.
    fn pass(&self, life: &Life<'_>, ms: i64) {
        let end_ms = self.world.now_ms.get() + ms;
        life.settle_until(ms, || {
            if self.dice.below(3) == 0 && !self.pending.borrow().is_empty() {
                let at = self.below(self.pending.borrow().len() as u64);
                let (number, path) = self.pending.borrow_mut().swap_remove(at);
                self.report(number, &path);
            }
            self.world.now_ms.get() >= end_ms
        });
    }

    fn report(&self, number: u64, path: &str) {
        let (status, answer) = match ending(number) {
            RecipientStatus::Undelivered => (2, "stat:UNDELIV"),
            RecipientStatus::Expired => (34, ""),
            _ => (1, ""),
        };
        let report = self
            .world
            .request("GET", &format!("{path}&status={status}&answer={answer}"));
        report.send().expect(200);
    }

    /// All carriers report all that they have, once more.
    fn report_all(&self, life: &Life<'_>) {
        for (number, path) in self.all.borrow().iter() {
            self.report(*number, path);
        }
        // By the newest connection, if the SMSC has had any message.
        let connection = self.smsc.connections().saturating_sub(1);
        for (id, got) in self.smsc.taken() {
            let number = &got.deliver.destination.number;
            let receipt = receipt_of(ending(number_of(number))).replace("{id}", &id);
            self.smsc.receipt(connection, &receipt, number);
        }
        life.settle(2 * MINUTE_MS);
    }

    fn seen(&self) -> Seen {
        let (mut seen, parts) = (Seen::default(), self.parts.borrow());
        let mut take = |number: u64, carrier, parts| {
            let status = match ending(number) {
                RecipientStatus::Rejected => RecipientStatus::Delivered,
                status => status,
            };
            let taken = seen.taken.entry(number).or_insert((carrier, 0, status));
            assert_eq!(taken.0, carrier, "two carriers have {number}");
            taken.1 += parts;
        };
        for (_, got) in self.smsc.taken() {
            take(number_of(&got.deliver.destination.number), "mci", 1);
        }
        for (number, _) in self.all.borrow().iter() {
            take(*number, "gate", parts[number]);
        }
        let sandbox = self.world.sandbox_sql(&self.shop.id);
        if sandbox.count("sqlite_schema WHERE name = 'handed'") > 0 {
            for row in sandbox.run("SELECT msisdn FROM handed WHERE taken > 0") {
                let number = u64::try_from(row.int(0).unwrap()).unwrap();
                take(number, "sandbox", parts[&number]);
            }
        }
        seen
    }

    /// The recipients as the object has them: uid, number, status, carrier.
    fn recipients(&self) -> Vec<(String, u64, RecipientStatus, Option<String>)> {
        let query = "SELECT m.uid || '.' || r.idx, r.msisdn, r.status, r.carrier FROM recipient r \
             JOIN message m ON m.id = r.message";
        let rows = self.world.rows(&self.shop, query);
        let read = |row: &peyk::base::ports::Row| {
            let status = RecipientStatus::from_code(row.int(2).unwrap()).unwrap();
            let number = u64::try_from(row.int(1).unwrap()).unwrap();
            (row.text(0).unwrap(), number, status, row.opt_text(3).unwrap())
        };
        rows.iter().map(read).collect()
    }

    /// Compares what the service says with what the carriers saw.
    fn check(&self) {
        let (seen, recipients, told) = (self.seen(), self.recipients(), statuses_told(&self.told));
        let parts = self.parts.borrow();
        assert_eq!(recipients.len(), parts.len());
        let mut sums: BTreeMap<&str, BTreeMap<&str, i64>> = BTreeMap::new();
        for (uid, number, status, carrier) in &recipients {
            let told = told.get(uid).map_or(&[][..], Vec::as_slice);
            let told: Vec<&str> = told
                .iter()
                .map(String::as_str)
                .filter(|told| *told != "UNKNOWN")
                .collect();
            // Of a recipient whose answer was lost with the process, only the carrier knows: it has no id to report under.
            let taken = seen.taken.get(number).filter(|_| *status != RecipientStatus::Unknown);
            let sums = sums.entry(taken.map_or("", |(carrier, ..)| carrier)).or_default();
            let parts = parts[number];
            for (name, amount) in [("recipients", 1), ("parts", parts), ("cost", parts * PRICE)] {
                *sums.entry(name).or_default() += amount;
            }
            match taken {
                Some((name, taken_parts, ended)) => {
                    assert_eq!((status, carrier.as_deref()), (ended, Some(*name)), "{uid}");
                    // The process may end between two parts of a message: then it is not delivered.
                    assert!(*taken_parts <= parts, "{uid}");
                    assert!(*taken_parts == parts || *status != RecipientStatus::Delivered, "{uid}");
                    assert_eq!(told, ["SUBMITTED", ended.as_str()], "{uid}");
                }
                None => {
                    assert!(
                        matches!(status, RecipientStatus::Rejected | RecipientStatus::Unknown),
                        "{uid} {status:?}"
                    );
                    let ended = (*status == RecipientStatus::Rejected).then_some("REJECTED");
                    assert_eq!(told, Vec::from_iter(ended), "{uid}");
                }
            }
        }
        self.check_sums(&sums, &recipients);
    }

    /// The operator's sums by carrier, and those that must not know of carriers.
    fn check_sums(
        &self,
        sums: &BTreeMap<&str, BTreeMap<&str, i64>>,
        recipients: &[(String, u64, RecipientStatus, Option<String>)],
    ) {
        let page = self.world.look("/admin/usage?by=carrier");
        let mut left: BTreeSet<&str> = sums.keys().copied().collect();
        for item in page.items() {
            let carrier = item["key"].as_str().unwrap();
            let wanted = sums.get(carrier).cloned().unwrap_or_default();
            left.remove(carrier);
            for name in ["recipients", "parts", "cost"] {
                assert_eq!(
                    item[name],
                    json!(wanted.get(name).copied().unwrap_or(0)),
                    "{name} of {carrier:?}"
                );
            }
            for (name, status) in [
                ("delivered", RecipientStatus::Delivered),
                ("undelivered", RecipientStatus::Undelivered),
                ("expired", RecipientStatus::Expired),
                ("rejected", RecipientStatus::Rejected),
                ("unknown", RecipientStatus::Unknown),
            ] {
                let is_its = |(_, _, its, by): &&(String, u64, RecipientStatus, Option<String>)| {
                    *its == status && by.as_deref().unwrap_or_default() == carrier
                };
                assert_eq!(
                    item[name],
                    json!(recipients.iter().filter(is_its).count()),
                    "{name} of {carrier:?}"
                );
            }
        }
        assert!(left.is_empty(), "no sums of {left:?}");
        let all = |name: &str| sums.values().filter_map(|sums| sums.get(name)).sum::<i64>();
        for by in ["day", "account", "line"] {
            let page = self.world.look(&format!("/admin/usage?by={by}"));
            for name in ["recipients", "parts", "cost"] {
                assert_eq!(page.items()[0][name], json!(all(name)), "{name} by {by}");
            }
        }
        let own = self.world.read(&self.shop.key, "/account/usage");
        assert_eq!(own.items()[0]["live"]["recipients"], json!(all("recipients")));
        let checked = self
            .world
            .look(&format!("/admin/reconciliation?account={}", self.shop.id));
        assert_eq!(checked.items()[0]["now"]["differences"], json!([]), "{}", checked.body);
    }
}

/// The number that a gateway gets a message for, and the path of its report. `None`: the request is for somebody else.
fn message_of(request: &OutgoingRequest) -> Option<(u64, String)> {
    let query = request.url.split_once('?').map_or("", |(_, query)| query);
    let form = if request.body.is_empty() { query } else { &request.body };
    let params: BTreeMap<String, String> = form_urlencoded::parse(form.as_bytes()).into_owned().collect();
    let path = params
        .get("dlr-url")?
        .strip_prefix(PUBLIC_URL)?
        .split('&')
        .next()?
        .to_owned();
    Some((number_of(&params["to"]), path))
}

fn run(seed: u64) {
    let run = Run::new(seed);
    let life = Life::of(&run.world);
    (0..3).for_each(|_| run.send());
    for _ in 0..6 + run.below(10) {
        match run.below(4) {
            0 | 1 => run.send(),
            2 => life.kill_in.set(Some(run.dice.below(60))),
            _ => {}
        }
        run.pass(&life, [50, 300, SECOND_MS, 4 * SECOND_MS, 31 * SECOND_MS][run.below(5)]);
    }
    for _ in 0..60 {
        run.pass(&life, MINUTE_MS);
    }
    run.report_all(&life);
    run.report_all(&life);
    run.check();
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(16)) })]

    #[test]
    fn at_rest_the_usage_and_the_events_say_what_the_carriers_saw(seed: u64) {
        run(seed);
    }
}
