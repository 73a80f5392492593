//! Whatever crashes, fails, comes late or comes twice: each event and each status callback is told at least once, under one id with
//! one body, and none is lost.

mod callbacks;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use peyk::account::record::message::status::RecipientStatus;
use peyk::base::ports::{IncomingResponse, OutgoingRequest, PortError};
use proptest::prelude::*;
use serde_json::{Value, json};

use self::callbacks::Heard;
use crate::support::{Dice, World, cases, time::HOUR_MS};

/// A delivery may fail this often and still have attempts left.
const MOST_FAILURES: u32 = 8;

#[derive(Debug, Clone)]
enum Step {
    /// A send to so many recipients.
    Send(u32),
    /// A send to one number with a status callback, to one of the receivers.
    Call(usize),
    /// Time passes, and what is due runs.
    Pass(i64),
    /// The process is killed.
    Kill,
    /// The runtime drops one of the objects.
    Drop(usize),
    /// The runtime drops the next alarm or urgent work after so many steps.
    Cut(u32),
    /// The storage of an object, the webhooks' or the account's, has room for so many more writes only; or it has room again.
    Full(bool, Option<u32>),
    /// The client of the next send hangs up after so many steps.
    HangUp(u32),
    /// A call arrives that nobody waits for any more, perhaps once more later.
    Late(usize, bool),
    /// An endpoint is given a new secret, or switched off and on.
    Rotate,
    /// The chosen number of calls to a receiver fails from now on: by a status, by no answer, or by a crash.
    Fail(u32),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (1_u32..=230).prop_map(Step::Send),
        4 => (0_usize..14).prop_map(Step::Call),
        4 => prop::sample::select(vec![0, 10, 500, 999, 1_000, 1_001, 7_000, 400_000]).prop_map(Step::Pass),
        2 => Just(Step::Kill),
        2 => (0_usize..6).prop_map(Step::Drop),
        2 => (0_u32..12).prop_map(Step::Cut),
        2 => (any::<bool>(), prop::option::weighted(0.6, 0_u32..12)).prop_map(|(is_webhooks, room)| Step::Full(is_webhooks, room)),
        1 => (0_u32..12).prop_map(Step::HangUp),
        2 => (0_usize..10, any::<bool>()).prop_map(|(at, again)| Step::Late(at, again)),
        1 => Just(Step::Rotate),
        2 => (1_u32..=4).prop_map(Step::Fail),
    ];
    prop::collection::vec(step, 1..40)
}

/// What one endpoint was told.
#[derive(Default)]
struct Told {
    /// The body of each event, by id.
    bodies: BTreeMap<String, String>,
    /// The ids of the events that were taken with success.
    taken: BTreeSet<String>,
}

/// Failures that are still to come, and how many may be left.
struct Trouble {
    left: Cell<u32>,
    budget: Cell<u32>,
    dice: Dice,
}

impl Trouble {
    fn strikes(&self) -> bool {
        let strikes = self.left.get() > 0 && self.budget.get() > 0;
        if strikes {
            self.left.set(self.left.get() - 1);
            self.budget.set(self.budget.get() - 1);
        }
        strikes
    }
}

fn ok(status: u16) -> Option<Result<IncomingResponse, PortError>> {
    Some(Ok(IncomingResponse {
        status,
        retry_after: None,
        body: String::new(),
    }))
}

/// What all receivers were told.
#[derive(Default)]
struct All {
    /// Endpoints, by their addresses.
    endpoints: BTreeMap<String, Told>,
    /// Receivers of callbacks.
    callbacks: Heard,
}

impl All {
    /// Notes what was told, and that the receiver has it, if it has.
    fn note(&mut self, request: &OutgoingRequest, is_taken: bool) {
        if let Some(token) = self.callbacks.note(request) {
            if is_taken {
                self.callbacks.take(token);
            }
            return;
        }
        let told = self.endpoints.entry(request.url.clone()).or_default();
        let mut headers = request.headers.iter();
        let id = headers.find(|(name, _)| *name == "webhook-id").unwrap().1.clone();
        let body = told.bodies.entry(id.clone()).or_insert_with(|| request.body.clone());
        assert_eq!(*body, request.body, "one id has one body");
        if is_taken {
            told.taken.insert(id);
        }
    }
}

fn receive(world: &World, trouble: &Rc<Trouble>) -> Rc<RefCell<All>> {
    let told = Rc::new(RefCell::new(All::default()));
    let (noted, trouble) = (Rc::clone(&told), Rc::clone(trouble));
    world.receive(move |request| {
        let (is_taken, answer) = match trouble.strikes().then(|| trouble.dice.below(4)) {
            None => (true, ok(200)),
            Some(0) => (false, ok(500)),
            Some(1) => (false, Some(Err(PortError::unavailable("fetch", "no response")))),
            // Killed before the receiver had it, or after.
            Some(2) => (false, None),
            Some(_) => (true, None),
        };
        noted.borrow_mut().note(request, is_taken);
        answer
    });
    told
}

/// What the events of these ids tell: `(recipient, status)`, and in how many events each stands.
fn endings(told: &Told) -> BTreeMap<(String, String), u32> {
    let mut endings = BTreeMap::new();
    for id in &told.taken {
        let body: Value = serde_json::from_str(&told.bodies[id]).unwrap();
        let recipients = body["data"]["recipients"].as_array().unwrap();
        assert!(!recipients.is_empty() && recipients.len() <= 100);
        for recipient in recipients {
            let text = |name: &str| recipient[name].as_str().unwrap().to_owned();
            *endings.entry((text("uid"), text("status"))).or_insert(0) += 1;
        }
    }
    endings
}

fn run(steps: &[Step], seed: u64, chaos: u64) {
    let (world, shop) = World::with_busy_account(1_000_000_000);
    let trouble = Rc::new(Trouble {
        left: Cell::new(0),
        budget: Cell::new(MOST_FAILURES),
        dice: Dice::new(seed),
    });
    let told = receive(&world, &trouble);
    let urls = ["https://a.example/", "https://b.example/"];
    let ids = urls.map(|url| {
        let body = json!({"url": url, "events": ["message.status"]});
        world.posted(&shop.key, "/webhook", body).text("/data/id")
    });
    world.chaos.set(chaos);
    world.yield_at_each_await();
    let mut hangs_up: Option<u32> = None;
    let numbers = [100, 200, 901, 902, 903, 904, 905];
    for (place, step) in steps.iter().enumerate() {
        match step {
            Step::Send(count) => {
                let number = |index: u32| {
                    format!(
                        "0912{:04}{}",
                        (place as u32 * 10 + index) % 10_000,
                        numbers[index as usize % 7]
                    )
                };
                let recipients: Vec<String> = (0..*count).map(number).collect();
                let body = json!({"message": "hello", "recipients": recipients});
                // Chaos may take the answer.
                let request = world.ask("POST", &shop.key, "/sms/send").json(body);
                request.send_for(hangs_up.take().unwrap_or(u32::MAX));
            }
            Step::Call(at) => {
                let number = format!("0913{:04}{}", place % 10_000, numbers[at % 7]);
                callbacks::send(&world, &shop, &number, at / 7, hangs_up.take().unwrap_or(u32::MAX));
            }
            Step::Pass(ms) => world.settle(*ms),
            Step::Kill => world.kill(),
            Step::Drop(at) => world.drop_object(*at),
            Step::Cut(steps) => world.steps_left.set(Some(*steps)),
            Step::Full(is_webhooks, room) => {
                let sql = if *is_webhooks {
                    world.webhook_sql(&shop.id)
                } else {
                    world.sql(&shop.id)
                };
                sql.room.set(*room);
            }
            Step::HangUp(steps) => hangs_up = Some(*steps),
            Step::Late(at, again) => world.deliver_late(*at, *again),
            Step::Rotate => {
                world.post(&shop.key, &format!("/webhook/{}/rotate", ids[place % 2]), json!({}));
            }
            Step::Fail(count) => trouble.left.set(*count),
        }
    }
    world.chaos.set(0);
    world.steps_left.set(None);
    [world.sql(&shop.id), world.webhook_sql(&shop.id)]
        .iter()
        .for_each(|sql| sql.room.set(None));
    world.settle(100 * HOUR_MS);
    trouble.left.set(0);
    world.settle(100 * HOUR_MS);
    let sql = world.sql(&shop.id);
    let rows = sql.run("SELECT m.uid || '.' || r.idx, r.status FROM recipient r JOIN message m ON m.id = r.message");
    let ended = rows.iter().map(|row| {
        let status = RecipientStatus::from_code(row.int(1).unwrap()).unwrap();
        (row.text(0).unwrap(), status.as_str().to_owned())
    });
    let ended: BTreeSet<(String, String)> = ended.collect();
    for url in urls {
        let told = told.borrow();
        let endings = told.endpoints.get(url).map_or(BTreeMap::new(), endings);
        assert!(endings.values().all(|events| *events == 1), "an ending has one event");
        for ending in &ended {
            assert!(endings.contains_key(ending), "{url} never heard of {ending:?}");
        }
        // Whatever else was told is a recipient's earlier rest.
        let others = endings.keys().filter(|ending| !ended.contains(*ending));
        assert!(others.map(|(_, status)| status).all(|status| status == "UNKNOWN"));
    }
    callbacks::check(&world, &shop, &told.borrow().callbacks);
    for (table, sql) in [
        ("event", &sql),
        ("delivery WHERE state <> 1", &world.webhook_sql(&shop.id)),
    ] {
        let rows = sql.run(&format!("SELECT count(*) FROM {table}"));
        assert_eq!(rows[0].int(0).unwrap(), 0, "{table}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(24)) })]

    #[test]
    fn each_ending_is_told_once_or_more_under_one_id(steps in steps(), seed: u64, chaos in 0_u64..12) {
        run(&steps, seed, chaos);
    }
}
