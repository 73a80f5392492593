//! An erasure at any time in any world: at rest no store, no log and no answer has the number, and the money adds up.

use peyk::account::record::message::status::Money;
use peyk::carrier::inbound::{self, InboundSms};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{Account, World, cases, time::DAY_MS, to_end};

const NUMBER: &str = "09121234567";
/// What all forms of the number have in common, in two scripts.
const DIGITS: [&str; 2] = ["9121234567", "۹۱۲۱۲۳۴۵۶۷"];
/// The last one gets no answer and no report.
const OTHERS: [&str; 3] = ["09351234567", "09351234902", "09351234904"];
/// Texts that have the number and others.
const TEXTS: [&str; 4] = ["hello", "call 00989121234567", "شماره ۰۹۱۲۱۲۳۴۵۶۷ است", "+989121234567"];

#[derive(Debug, Clone)]
enum Step {
    Send {
        to_it: bool,
        others: usize,
        text: usize,
        scheduled: bool,
    },
    Bulk {
        to_it: bool,
        text: usize,
    },
    Pattern {
        to_it: bool,
    },
    ToPhonebook,
    Receive {
        from_it: bool,
        text: usize,
    },
    Block,
    Settle(i64),
    Kill,
    CarriersAreDown(bool),
    ReceiverIsDown(bool),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (any::<bool>(), 0..3usize, 0..4usize, any::<bool>())
            .prop_map(|(to_it, others, text, scheduled)| Step::Send { to_it, others, text, scheduled }),
        2 => (any::<bool>(), 0..4usize).prop_map(|(to_it, text)| Step::Bulk { to_it, text }),
        2 => any::<bool>().prop_map(|to_it| Step::Pattern { to_it }),
        1 => Just(Step::ToPhonebook),
        2 => (any::<bool>(), 0..4usize).prop_map(|(from_it, text)| Step::Receive { from_it, text }),
        1 => Just(Step::Block),
        3 => (0..100_000i64).prop_map(Step::Settle),
        1 => Just(Step::Kill),
        1 => any::<bool>().prop_map(Step::CarriersAreDown),
        1 => any::<bool>().prop_map(Step::ReceiverIsDown),
    ]
}

struct Run {
    world: World,
    shop: Account,
    key: String,
    book: String,
    /// Whether the order was given. What comes to the number later is not covered by it.
    is_ordered: bool,
}

impl Run {
    fn new() -> Self {
        let (world, shop) = World::with_busy_account(100_000_000);
        let scopes = "erasure sms:send sms:read phonebook blacklist webhook account:read pattern";
        let scopes: Vec<&str> = scopes.split(' ').collect();
        let key = world
            .grant(&shop, json!({"title": "all", "scopes": scopes}))
            .text("/data/key");
        world.change_account(&shop, json!({"recipientLimit": {"limit": 0, "windowSeconds": 60}}));
        let line = json!({"number": "3000", "carrier": "sandbox", "operations": ["WEBSERVICE"], "accounts": [shop.id]});
        world.create("/admin/lines", line);
        let events = ["message.status", "message.submitted", "message.received"];
        world.posted(
            &key,
            "/webhook",
            json!({"url": "https://shop.example/peyk", "events": events}),
        );
        let pattern = json!({"slug": "login", "title": "Login", "text": "code %OTP%", "variables": [{"name": "OTP", "secret": true}]});
        world.active_pattern(&key, pattern);
        let numbers = json!([{"number": NUMBER, "name": "Ali"}, {"number": OTHERS[0], "name": "Sara"}]);
        let book = world.phonebook(&key, "book", numbers);
        Run {
            world,
            shop,
            key,
            book,
            is_ordered: false,
        }
    }

    fn take(&self, step: &Step) {
        let (world, key) = (&self.world, self.key.as_str());
        let it = |wanted: bool| (wanted && !self.is_ordered).then_some(NUMBER);
        match step {
            Step::Send {
                to_it,
                others,
                text,
                scheduled,
            } => {
                let recipients: Vec<&str> = it(*to_it).into_iter().chain(OTHERS.into_iter().take(*others)).collect();
                let mut body = json!({"message": TEXTS[*text], "recipients": recipients, "clientRef": TEXTS[*text]});
                if *scheduled {
                    body["sendAt"] = peyk::base::time::to_rfc3339(world.now_ms.get() + DAY_MS).into();
                }
                self.may_send("/sms/send", &body, *text);
            }
            Step::Bulk { to_it, text } => {
                let own = it(*to_it).map(|number| json!({"recipient": number, "message": TEXTS[*text]}));
                let other = json!({"recipient": OTHERS[0], "message": TEXTS[*text]});
                let messages: Vec<Value> = own.into_iter().chain([other]).collect();
                self.may_send("/sms/bulk", &json!({"messages": messages}), *text);
            }
            Step::Pattern { to_it } => {
                let recipient = it(*to_it).unwrap_or(OTHERS[1]);
                let body = json!({"pattern": "login", "variables": {"OTP": "12345"}, "recipient": recipient});
                self.may_send("/sms/pattern", &body, 0);
            }
            Step::ToPhonebook => {
                if !self.is_ordered {
                    self.may_send(
                        "/sms/phonebook/send",
                        &json!({"phonebook": self.book, "message": "سلام %name%"}),
                        0,
                    );
                }
            }
            Step::Receive { from_it, text } => self.receive(it(*from_it).unwrap_or(OTHERS[0]), *text),
            Step::Block => drop(it(true).map(|number| world.post(key, "/blacklist", json!({"numbers": [number]})))),
            Step::Settle(ms) => world.settle(*ms),
            Step::Kill => world.kill(),
            Step::CarriersAreDown(are_down) => world.carriers_are_down.set(*are_down),
            Step::ReceiverIsDown(is_down) => world.failing_request.set(is_down.then_some("TakeEvents")),
        }
    }

    /// A send of a text that does not bring the number anew. It may be refused.
    fn may_send(&self, path: &str, body: &Value, text: usize) {
        if !self.is_ordered || text == 0 {
            self.world.post(&self.key, path, body.clone());
        }
    }

    fn receive(&self, from: &str, text: usize) {
        if self.is_ordered && text > 0 {
            return;
        }
        let sms = InboundSms {
            carrier: "sandbox".to_owned(),
            to: "3000".to_owned(),
            from: from.to_owned(),
            text: TEXTS[text].to_owned(),
            carrier_id: None,
            received_ms: self.world.now_ms.get(),
            left: Vec::new(),
        };
        to_end(inbound::receive(&self.world, sms))
            .map_err(|not_taken| not_taken.error)
            .unwrap();
    }

    /// More messages to the number than one go erases.
    fn send_many(&self) {
        for _ in 0..60 {
            self.may_send("/sms/send", &json!({"message": TEXTS[0], "recipients": [NUMBER]}), 0);
        }
    }

    /// Gives the order to the account, or to this account and another one. Returns the path at which it is read, and by which key.
    fn order(&mut self, everywhere: bool) -> (String, String) {
        let (key, base) = match everywhere {
            true => (self.world.admin_key.clone(), "/admin/erasures"),
            false => (self.key.clone(), "/erasures"),
        };
        if everywhere {
            let other = self.world.account("other", 1_000_000);
            self.world.phonebook(&other.key, "book", json!([{"number": NUMBER}]));
        }
        let made = self.world.post(&key, base, json!({"number": NUMBER})).expect(202);
        self.is_ordered = true;
        (format!("{base}/{}", made.text("/data/id")), key)
    }

    fn rest(&self) {
        self.world.carriers_are_down.set(false);
        self.world.failing_request.set(None);
        self.world.settle(5 * DAY_MS);
    }

    /// All that the account and the operators can read.
    fn answers(&self) -> String {
        let world = &self.world;
        let mut answers = String::new();
        let mut uids = Vec::new();
        for path in [
            "/messages",
            "/inbound",
            "/blacklist",
            "/phonebook",
            "/webhook",
            "/account/transactions",
            "/erasures",
        ] {
            let items = world.all(&self.key, &format!("{path}?limit=200"));
            if path == "/messages" {
                uids = items
                    .iter()
                    .map(|item| item["uid"].as_str().unwrap().to_owned())
                    .collect();
            }
            answers += &json!(items).to_string();
        }
        for uid in uids {
            answers += &world.message(&self.key, &uid).body;
            answers += &json!(world.all(&self.key, &format!("/messages/{uid}/recipients?limit=200"))).to_string();
        }
        answers += &json!(world.all(&self.key, &format!("/phonebook/number/{}?limit=200", self.book))).to_string();
        for path in ["/admin/audit", "/admin/dead-letters", "/admin/erasures"] {
            answers += &json!(world.all(&world.admin_key, &format!("{path}?limit=200"))).to_string();
        }
        answers
            + &json!(world.all(
                &world.admin_key,
                &format!("/admin/accounts/{}/sandbox?limit=200", self.shop.id)
            ))
            .to_string()
    }

    /// Nothing is locked, and what is spent is what the recipients have paid who paid.
    fn assert_money(&self) {
        let wallet = self.world.stored(&self.shop).wallet;
        assert_eq!(wallet.locked, 0);
        let spent = format!(
            "SELECT CAST(total(cost) AS INTEGER) FROM recipient WHERE money = {}",
            Money::Spent.code()
        );
        assert_eq!(wallet.spent, self.world.number(&self.shop, &spent));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(12)))]

    #[test]
    fn at_rest_after_an_erasure_nothing_has_the_number_and_the_money_adds_up(
        before in proptest::collection::vec(step(), 1..25),
        after in proptest::collection::vec(step(), 0..12),
        many in any::<bool>(),
        everywhere in any::<bool>(),
    ) {
        let mut run = Run::new();
        if many {
            run.send_many();
        }
        before.iter().for_each(|step| run.take(step));
        let (path, key) = run.order(everywhere);
        after.iter().for_each(|step| run.take(step));
        run.rest();
        let order = run.world.read(&key, &path);
        prop_assert_eq!(order.text("/data/status"), "DONE", "{}", order.body);
        let places = run.world.places_of(&DIGITS);
        prop_assert!(places.is_empty(), "{}", places.join("\n"));
        let answers = run.answers();
        prop_assert!(DIGITS.iter().all(|digits| !answers.contains(digits)), "{answers}");
        run.assert_money();
    }
}
