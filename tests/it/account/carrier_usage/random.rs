//! A random world: an SMSC with three binds, a gateway and a sandbox share a line, and note what they took and how it ended.
//! The sandbox of every other world says so with its answer. Reports come before answers, answers come late or never. Clients hang up, objects are dropped, the process dies, storages
//! and the directory are full, down, or hang. At rest, the recipients, the money, the usage and the events say what the
//! carriers saw, and each customer has one message for each send.

mod checks;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use peyk::account::record::message::simulation::ending;
use peyk::account::record::message::status::RecipientStatus;
use peyk::account::request::CLASS as ACCOUNT;
use peyk::base::ports::{IncomingResponse, OutgoingRequest, PortError};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Told, listen_beside};
use crate::support::faults::for_steps;
use crate::support::gateway::PUBLIC_URL;
use crate::support::smsc::{Got, Reply, Smsc};
use crate::support::time::{HOUR_MS, MINUTE_MS, SECOND_MS};
use crate::support::{Account, Dice, World, cases, life::Life, smpp};

/// The carriers of the line.
const CARRIERS: [&str; 3] = ["mci", "gate", "sandbox"];
/// What the numbers end in: most are delivered.
const ENDINGS: [u16; 6] = [100, 200, 300, 901, 902, 903];
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
    sends: RefCell<Vec<Send>>,
    /// Whether those outside are in trouble.
    is_stormy: Rc<Cell<bool>>,
}

/// A send. It always comes with the same idempotency key, until its customer hears of a message.
struct Send {
    path: &'static str,
    body: Value,
    uid: Option<String>,
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
        (_, 0..6) => Reply::Status(0, 0),
        (_, 6) => Reply::Silence,
        (_, 7) if (number / 1_000).is_multiple_of(7) => Reply::Close,
        (_, 7) => Reply::Status(0, 0),
        (_, 8..12) => Reply::Status(0, 1_500),
        // The recipient is UNKNOWN before the answer comes.
        (_, 12) => Reply::Status(0, 9_000),
        (status, 13..18) => Reply::ReceiptFirst(receipt_of(status), 0),
        (status, _) => Reply::ReceiptFirst(receipt_of(status), 700),
    }
}

impl Run {
    fn new(seed: u64) -> Run {
        let (world, shop, smsc) = smpp::world(json!({"window": 20, "binds": 3}));
        if seed.is_multiple_of(2) {
            world.report_later(10_000);
        }
        world.set("PUBLIC_URL", Some(PUBLIC_URL));
        world.set("MAX_RECIPIENTS", Some("1000"));
        world.set("WEBHOOK_RETRY_SECONDS", Some("5,5,5,60,600,600,600,600,600"));
        world.add_gateway("gate", "20003", "KANNEL");
        let shares = CARRIERS.map(|name| json!({"name": name, "weight": 1}));
        let routes = json!({"routes": [{"prefixes": [], "carriers": shares}], "allowSandbox": true});
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
        let is_stormy = Rc::default();
        be_troubled(&world, Rc::clone(&is_stormy), Dice::new(seed ^ 1));
        world.dice.reseed(seed ^ 2);
        world.yield_at_each_await();
        Run {
            world,
            shop,
            smsc,
            pending,
            all,
            told,
            dice: Dice::new(seed),
            parts: RefCell::default(),
            sends: RefCell::default(),
            is_stormy,
        }
    }

    fn below(&self, bound: u64) -> usize {
        usize::try_from(self.dice.below(bound)).unwrap()
    }

    /// Sends to so many new numbers: the same text to all, or to each its own.
    fn send<'w>(&'w self, life: &Life<'w>) {
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
        let uid = None;
        self.sends.borrow_mut().push(Send { path, body, uid });
        if self.below(3) == 0 {
            // The account was idle for long.
            self.world
                .instance(&(ACCOUNT, self.shop.id.clone()))
                .lose_memory(ACCOUNT);
        }
        let hangs_up = self.below(4) == 0;
        let steps = if hangs_up {
            self.dice.below(14)
        } else {
            u64::from(u32::MAX)
        };
        self.ask(life, self.sends.borrow().len() - 1, u32::try_from(steps).unwrap());
    }

    /// Makes the request of a send, whose client hangs up after so many steps.
    fn ask<'w>(&'w self, life: &Life<'w>, at: usize, steps: u32) {
        life.spawn(async move {
            let (path, body) = (self.sends.borrow()[at].path, self.sends.borrow()[at].body.clone());
            let request = self
                .world
                .ask("POST", &self.shop.key, path)
                .idempotency_key(&at.to_string());
            let Some(answer) = for_steps(steps, request.json(body).answer()).await else {
                return;
            };
            match answer.response.status {
                201 => {
                    let uid = answer.text("/data/uid");
                    let known = self.sends.borrow_mut()[at].uid.replace(uid.clone());
                    assert!(known.is_none_or(|known| known == uid), "a key made two messages");
                }
                503 => {}
                _ => panic!("{}", answer.body),
            }
        });
    }

    /// Repeats the sends whose customers have not heard of a message.
    fn ask_again<'w>(&'w self, life: &Life<'w>) {
        let unheard = |at: &usize| self.sends.borrow()[*at].uid.is_none();
        let all = 0..self.sends.borrow().len();
        all.filter(unheard).for_each(|at| self.ask(life, at, u32::MAX));
    }

    /// Something goes wrong: once, or until it is calm again.
    fn storm(&self, life: &Life<'_>) {
        let world = &self.world;
        match self.below(10) {
            0 => life.kill_in.set(Some(self.dice.below(60))),
            1 | 2 => life.drop_in.set(Some((self.dice.below(60), self.below(10)))),
            3 => world.steps_left.set(Some(u32::try_from(self.dice.below(12)).unwrap())),
            4 => world.db.is_down.set(true),
            5 => world.db.is_full.set(true),
            6 => world.db.unheard.set(1 + u32::try_from(self.dice.below(3)).unwrap()),
            7 => world.db.hangs.set(true),
            8 => world.chaos.set(2 + self.dice.below(6)),
            _ => {
                let objects = world.objects.borrow();
                let sql = &objects.values().nth(self.below(objects.len() as u64)).unwrap().sql;
                sql.room.set(Some(u32::try_from(self.dice.below(20)).unwrap()));
            }
        }
    }

    fn calm(&self) {
        self.is_stormy.set(false);
        let world = &self.world;
        world.steps_left.set(None);
        world.db.is_down.set(false);
        world.db.is_full.set(false);
        world.db.unheard.set(0);
        world.db.hangs.set(false);
        world.chaos.set(0);
        for instance in world.objects.borrow().values() {
            instance.sql.room.set(None);
        }
    }

    /// Calls arrive that nobody waits for any more.
    fn deliver_late<'w>(&'w self, life: &Life<'w>) {
        while let Some((name, call)) = self.world.late_call(0, self.below(3) == 0) {
            life.spawn(async move {
                let _ = self.world.take_effect(&name, &call).await;
            });
        }
    }

    /// Lets time pass. Meanwhile the gateway reports: also what it has just taken, before the carrier's object has answered.
    fn pass<'w>(&'w self, life: &Life<'w>, ms: i64) {
        let end_ms = self.world.now_ms.get() + ms;
        life.settle_until(ms, || {
            if self.dice.below(3) == 0 && !self.pending.borrow().is_empty() {
                let at = self.below(self.pending.borrow().len() as u64);
                let (number, path) = self.pending.borrow_mut().swap_remove(at);
                life.spawn(self.report(number, path));
            }
            self.world.now_ms.get() >= end_ms
        });
    }

    /// The gateway reports, until it is answered 200.
    async fn report(&self, number: u64, path: String) {
        let (status, answer) = match ending(number) {
            RecipientStatus::Undelivered => (2, "stat:UNDELIV"),
            RecipientStatus::Expired => (34, ""),
            _ => (1, ""),
        };
        let url = format!("{path}&status={status}&answer={answer}");
        if self.world.request("GET", &url).answer().await.response.status != 200 {
            self.pending.borrow_mut().push((number, path));
        }
    }

    /// All carriers report all that they have, once more.
    fn report_all<'w>(&'w self, life: &Life<'w>) {
        for (number, path) in self.all.borrow().clone() {
            life.spawn(self.report(number, path));
        }
        // By the newest connection, if the SMSC has had any message.
        let connection = self.smsc.connections().saturating_sub(1);
        for (id, got) in self.smsc.taken() {
            let number = &got.deliver.destination.number;
            let receipt = receipt_of(ending(number_of(number))).replace("{id}", &id);
            self.smsc.receipt(connection, &receipt, number);
        }
        // As long as a receipt may wait for its turn among those that name no message, and until the directory has the usage.
        life.settle(HOUR_MS + 2 * MINUTE_MS);
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

/// While it is stormy, those who answer the service's requests hang now and then, before they have noted what came or
/// afterwards; or the connection breaks; or the receiver of events has no use for one.
fn be_troubled(world: &World, is_stormy: Rc<Cell<bool>>, dice: Dice) {
    let mut calm = world.receiver.take().unwrap();
    world.receive(move |request| {
        let is_event = request.headers.iter().any(|(name, _)| *name == "webhook-id");
        match dice.below(if is_stormy.get() { 12 } else { 0 }) {
            1 => None,
            2 => calm(request).and(None),
            3 => Some(Err(PortError::unavailable("fetch", "Network connection lost."))),
            4 => calm(request).and(Some(Err(PortError::unavailable("fetch", "Network connection lost.")))),
            5 if is_event => {
                calm(request).map(|answer| answer.map(|answer| IncomingResponse { status: 500, ..answer }))
            }
            _ => calm(request),
        }
    });
}

fn run(seed: u64) {
    let run = Run::new(seed);
    let life = Life::of(&run.world);
    (0..3).for_each(|_| run.send(&life));
    for _ in 0..6 + run.below(10) {
        match run.below(6) {
            0 | 1 => run.send(&life),
            2 | 3 => run.storm(&life),
            4 => run.calm(),
            _ => {
                run.is_stormy.set(true);
                run.deliver_late(&life);
            }
        }
        run.pass(&life, [50, 300, SECOND_MS, 4 * SECOND_MS, 31 * SECOND_MS][run.below(5)]);
    }
    run.calm();
    for _ in 0..3 {
        run.pass(&life, MINUTE_MS);
        run.ask_again(&life);
    }
    run.deliver_late(&life);
    // As long as a message may wait for its turn.
    for _ in 0..5 {
        run.pass(&life, HOUR_MS);
    }
    run.report_all(&life);
    run.report_all(&life);
    run.check();
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(10)) })]

    #[test]
    fn at_rest_the_usage_and_the_events_say_what_the_carriers_saw(seed: u64) {
        run(std::env::var("WORLD_SEED").map_or(seed, |seed| seed.parse().unwrap()));
    }
}
