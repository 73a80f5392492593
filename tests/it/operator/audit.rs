//! The audit log: each change has exactly one entry that says who has changed what, and what changes nothing has none.

mod people;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use peyk::api::routes::{Audit, Operation as Op, ROUTES, Route};
use peyk::base::ports::{PortError, Sql, Statement};
use peyk::carrier::inbound::{self as phones, InboundSms};
use peyk::directory::audit::forget_old;
use peyk::durable::audit::MAX_WAITING;
use peyk::objects::nightly;
use serde_json::{Value, json};

use crate::support::{Account, Answer, OPERATOR_KEY_ID, World, to_end};

const REST_MS: i64 = 10_000;
/// Routes that answer the thing: its entry in the log says the same of it.
const ALIKE: [Op; 25] = [
    Op::AdminCreatePlan,
    Op::AdminChangePlan,
    Op::AdminCreateLine,
    Op::AdminChangeLine,
    Op::AdminSetLineInbound,
    Op::AdminCreateCarrier,
    Op::AdminChangeCarrier,
    Op::AdminCreateAccount,
    Op::AdminChangeAccount,
    Op::AdminApproveCredit,
    Op::AdminSwitchSending,
    Op::AdminIssueKey,
    Op::AdminIssueOperatorKey,
    Op::IssueKey,
    Op::CreatePhonebook,
    Op::ChangePhonebook,
    Op::CreatePattern,
    Op::CreateWebhook,
    Op::ChangeWebhook,
    Op::StartErasure,
    Op::SetLowBalance,
    Op::ChangeAccountInfo,
    Op::CancelMessage,
    Op::PauseMessage,
    Op::ResumeMessage,
];

/// All entries, newest first.
fn entries(world: &World, query: &str) -> Vec<Value> {
    world.all(&world.admin_key, &format!("/admin/audit?limit=7&{query}"))
}

fn route(operation: Op) -> &'static Route {
    ROUTES.iter().find(|route| route.operation == operation).unwrap()
}

/// A world whose requests are held against the log.
struct Held {
    world: World,
    shop: Account,
    changed: RefCell<BTreeMap<&'static str, u32>>,
    refused: RefCell<BTreeSet<&'static str>>,
    /// The routes whose answers have members of the entry.
    alike: RefCell<BTreeSet<&'static str>>,
}

impl Held {
    fn new() -> Self {
        let (mut world, shop) = World::with_busy_account(1_000_000);
        world.app.config.credit_approval_above = Some(10_000_000);
        world.app.config.sign_in_account = Some("shop".to_owned());
        let world = world.with_secrets();
        world.settle(REST_MS);
        Held {
            world,
            shop,
            changed: RefCell::default(),
            refused: RefCell::default(),
            alike: RefCell::default(),
        }
    }

    fn send(&self, method: &str, path: &str, body: &Value) -> Answer {
        let key = match path.starts_with("/admin") {
            true => &self.world.admin_key,
            false => &self.shop.key,
        };
        let mut request = self.world.ask(method, key, path).browser(1).json(body.clone());
        // The same credit comes under the same key.
        if path.ends_with("/credit") {
            request = request.idempotency_key(&body.to_string());
        }
        let answer = request.send();
        self.world.settle(REST_MS);
        answer
    }

    /// The answer to a request, and the entries that it leaves.
    fn watched(&self, method: &str, path: &str, body: &Value) -> (Answer, Vec<Value>) {
        let before = entries(&self.world, "");
        let answer = self.send(method, path, body);
        let mut after = entries(&self.world, "");
        assert!(after.ends_with(&before), "no entry changes: {method} {path}");
        after.truncate(after.len() - before.len());
        (answer, after)
    }

    /// A request that changes something: its answer and its one entry.
    #[track_caller]
    fn changes(&self, operation: Op, path: &str, body: &Value) -> (Answer, Value) {
        let route = route(operation);
        let (answer, new) = self.watched(route.method, path, body);
        assert!(answer.response.status < 300, "{path}: {}", answer.body);
        assert_eq!(new.len(), 1, "{} {path}: {new:?}", route.method);
        let entry = new[0].clone();
        assert_eq!(entry["operation"], operation.name());
        let Audit::Logged(thing) = route.audit else {
            panic!("{} is not logged", operation.name());
        };
        assert_eq!(entry["thing"]["kind"], thing.as_str());
        assert_eq!(entry["requestId"].as_str(), answer.header("X-Request-Id"));
        let actor = match path.starts_with("/admin") {
            true => json!({"account": "operator", "username": null, "key": OPERATOR_KEY_ID}),
            false => json!({"account": self.shop.id, "username": "shop", "key": self.shop.key_id}),
        };
        assert_eq!(entry["actor"], actor);
        assert_ne!(entry["before"], entry["after"]);
        if alike(&answer, &entry["after"]) > 0 {
            self.alike.borrow_mut().insert(operation.name());
        }
        *self.changed.borrow_mut().entry(operation.name()).or_default() += 1;
        (answer, entry)
    }

    /// A request that is refused leaves nothing.
    #[track_caller]
    fn refuses(&self, operation: Op, path: &str, body: &Value) {
        let (answer, new) = self.watched(route(operation).method, path, body);
        assert!(answer.response.status >= 400, "{path}: {}", answer.body);
        assert_eq!(new, Vec::<Value>::new(), "{path}");
        self.refused.borrow_mut().insert(operation.name());
    }

    /// A request that is answered and changes nothing leaves nothing.
    #[track_caller]
    fn changes_nothing(&self, method: &str, path: &str, body: &Value) {
        let (answer, new) = self.watched(method, path, body);
        assert!(answer.response.status < 300, "{path}: {}", answer.body);
        assert_eq!(new, Vec::<Value>::new(), "{method} {path}");
    }
}

/// What the entry says of the thing is what the API says of it, wherever both have the same member. Returns how many they have.
#[track_caller]
fn alike(answer: &Answer, after: &Value) -> usize {
    let (Some(data), Some(after)) = (answer.json["data"].as_object(), after.as_object()) else {
        return 0;
    };
    // This answer is about the successor of the key.
    if data.contains_key("replaces") {
        return 0;
    }
    let mut count = 0;
    for (name, value) in after {
        // Without destinations of its own, an account has those of the setting.
        let is_by_setting = name == "destinations" && value.is_null();
        if let Some(told) = data.get(name).filter(|_| !is_by_setting) {
            assert_eq!(value, told, "{name}: {}", answer.body);
            count += 1;
        }
    }
    count
}

/// This member was so before, and is so now.
#[track_caller]
fn assert_turned(entry: &Value, member: &str, before: Value, after: Value) {
    assert_eq!((&entry["before"][member], &entry["after"][member]), (&before, &after));
}

/// An entry's thing, and how it was and is.
fn said(entry: &Value) -> (&Value, &Value, &Value) {
    (&entry["thing"], &entry["before"], &entry["after"])
}

fn plans_and_lines(held: &Held) {
    let tariff = json!({"slug": "t", "title": "T", "price": 7});
    let plan = json!({"slug": "gold", "title": "Gold", "tariff": tariff});
    let (_, entry) = held.changes(Op::AdminCreatePlan, "/admin/plans", &plan);
    let tariff = json!({"slug": "t", "title": "T", "price": 7, "prices": []});
    let after = json!({"title": "Gold", "tariff": tariff, "refunds": []});
    let thing = json!({"kind": "plan", "id": "gold", "account": null, "username": null});
    assert_eq!(said(&entry), (&thing, &json!(null), &after));
    held.refuses(Op::AdminCreatePlan, "/admin/plans", &plan);
    held.refuses(Op::AdminCreatePlan, "/admin/plans", &json!({"slug": "x"}));
    let change = json!({"title": "Silver"});
    let (_, entry) = held.changes(Op::AdminChangePlan, "/admin/plans/gold", &change);
    assert_turned(&entry, "title", json!("Gold"), json!("Silver"));
    held.changes_nothing("PATCH", "/admin/plans/gold", &change);
    held.refuses(Op::AdminChangePlan, "/admin/plans/none", &change);

    let shop = &held.shop.id;
    let tariff = json!({"slug": "t", "title": "T", "price": 7, "prices": [{"prefix": "971", "price": 9}]});
    let refunds = json!({"refunds": ["EXPIRED", "UNDELIVERED"], "tariff": tariff});
    let (_, entry) = held.changes(Op::AdminChangePlan, "/admin/plans/gold", &refunds);
    assert_eq!(entry["after"]["refunds"], refunds["refunds"]);
    held.changes(Op::AdminChangePlan, "/admin/plans/gold", &json!({"refunds": []}));
    let line = json!({"number": "20002", "carrier": "sandbox", "operations": ["WEBSERVICE"], "accounts": [shop],
        "coefficients": {"PERSIAN": 1.5, "MTN": 0.0001}});
    let (_, entry) = held.changes(Op::AdminCreateLine, "/admin/lines", &line);
    assert_eq!(entry["after"]["accounts"], json!([shop]));
    let body = json!({"number": "20002", "carrier": "sandbox", "operations": []});
    held.refuses(Op::AdminCreateLine, "/admin/lines", &body);
    let (_, entry) = held.changes(Op::AdminChangeLine, "/admin/lines/20002", &json!({"paused": true}));
    assert_turned(&entry, "paused", json!(false), json!(true));
    let (_, entry) = held.changes(Op::AdminChangeLine, "/admin/lines/20002", &json!({"cheapest": false}));
    assert_turned(&entry, "cheapest", json!(true), json!(false));
    let suffix = json!({"suffix": "لغو۱۱"});
    let (_, entry) = held.changes(Op::AdminChangeLine, "/admin/lines/20002", &suffix);
    assert_turned(&entry, "suffix", json!(null), json!("لغو۱۱"));
    held.changes_nothing("PATCH", "/admin/lines/20002", &suffix);
    held.refuses(Op::AdminChangeLine, "/admin/lines/20002", &json!({"suffix": ""}));
    let (_, entry) = held.changes(Op::AdminChangeLine, "/admin/lines/20002", &json!({"suffix": null}));
    assert_turned(&entry, "suffix", json!("لغو۱۱"), json!(null));
    let hours = json!({"hours": {"from": "08:00", "to": "21:00", "timeZone": "Asia/Tehran"}});
    let (_, entry) = held.changes(Op::AdminChangeLine, "/admin/lines/20002", &hours);
    assert_turned(&entry, "hours", json!(null), hours["hours"].clone());
    held.changes_nothing("PATCH", "/admin/lines/20002", &hours);
    held.refuses(Op::AdminChangeLine, "/admin/lines/9", &json!({"paused": true}));
    let body = json!({"account": shop, "keywords": [{"keyword": "win", "account": shop}]});
    let (_, entry) = held.changes(Op::AdminSetLineInbound, "/admin/lines/20002/inbound", &body);
    assert_turned(&entry, "account", json!(null), json!(shop));
    let body = json!({"account": "none"});
    held.refuses(Op::AdminSetLineInbound, "/admin/lines/20002/inbound", &body);
    let (_, entry) = held.changes(Op::AdminDeleteLine, "/admin/lines/20002", &json!({}));
    assert_eq!(entry["thing"]["id"], "20002");
    assert_eq!(entry["after"], json!(null));
    held.refuses(Op::AdminDeleteLine, "/admin/lines/10001", &json!({}));
}

fn carriers(held: &Held) {
    let smpp = json!({"host": "127.0.0.1", "systemId": "me", "password": "hush-1"});
    let carrier = json!({"name": "smsc", "kind": "smpp", "smpp": smpp, "active": false});
    let (_, entry) = held.changes(Op::AdminCreateCarrier, "/admin/carriers", &carrier);
    assert_eq!(entry["after"]["password"], "changed");
    held.refuses(Op::AdminCreateCarrier, "/admin/carriers", &carrier);
    let change = json!({"smpp": {"password": "hush-2"}});
    let (_, entry) = held.changes(Op::AdminChangeCarrier, "/admin/carriers/smsc", &change);
    assert_eq!(entry["after"]["password"], "changed");
    assert!(entry["after"]["smpp"]["systemId"] == "me" && entry["before"]["smpp"] == entry["after"]["smpp"]);
    let gateway = json!({"url": "https://gateway.example", "username": "me", "password": "hush-3"});
    let gateway = json!({"name": "gateway", "kind": "http", "http": gateway});
    held.world.set("PUBLIC_URL", Some("https://sms.example"));
    held.changes(Op::AdminCreateCarrier, "/admin/carriers", &gateway);
    let (_, entry) = held.changes(
        Op::AdminRotateCallback,
        "/admin/carriers/gateway/rotate-callback",
        &json!({}),
    );
    let ends = peyk::base::time::to_rfc3339(held.world.now_ms.get() + 86_400_000 - REST_MS);
    let is_old = |callback: &Value| {
        callback["endsAt"]
            .as_str()
            .is_some_and(|at| *at <= *ends && at.len() == ends.len())
    };
    assert!(
        entry["after"]["callbacks"].as_array().unwrap().iter().any(is_old),
        "{entry}"
    );
    assert_ne!(entry["before"]["callbacks"], entry["after"]["callbacks"]);
    held.refuses(
        Op::AdminRotateCallback,
        "/admin/carriers/smsc/rotate-callback",
        &json!({}),
    );
    let (_, entry) = held.changes(Op::AdminChangeCarrier, "/admin/carriers/smsc", &json!({"paused": true}));
    assert_turned(&entry, "paused", json!(false), json!(true));
    assert_eq!(entry["after"]["password"], Value::Null);
    held.refuses(Op::AdminChangeCarrier, "/admin/carriers/none", &change);
    let (_, entry) = held.changes(Op::AdminDeleteCarrier, "/admin/carriers/smsc", &json!({}));
    assert_eq!(entry["after"], Value::Null);
    held.refuses(Op::AdminDeleteCarrier, "/admin/carriers/sandbox", &json!({}));
    let stored = json!(entries(&held.world, "")).to_string();
    assert!(!stored.contains("hush"), "no password stands in the log");
}

fn accounts(held: &Held) {
    let account = json!({"username": "other", "fullName": "Other"});
    let (answer, entry) = held.changes(Op::AdminCreateAccount, "/admin/accounts", &account);
    let id = answer.text("/data/id");
    let thing = json!({"kind": "account", "id": id, "account": id, "username": "other"});
    let plan = json!({"slug": "default", "title": "Default"});
    let after =
        json!({"username": "other", "fullName": "Other", "plan": plan, "destinations": null, "defaultLine": null});
    assert_eq!(said(&entry), (&thing, &json!(null), &after));
    held.refuses(Op::AdminCreateAccount, "/admin/accounts", &account);

    let path = format!("/admin/accounts/{id}");
    // One change in the directory, one in the object, and one in both.
    for (change, member) in [
        (json!({"fullName": "An Other"}), "fullName"),
        (json!({"sendingEnabled": false}), "sendingEnabled"),
    ] {
        let (_, entry) = held.changes(Op::AdminChangeAccount, &path, &change);
        assert_eq!((&entry["after"][member], &entry["thing"]), (&change[member], &thing));
        held.changes_nothing("PATCH", &path, &change);
    }
    let both = json!({"plan": "gold", "status": "INACTIVE"});
    let (_, entry) = held.changes(Op::AdminChangeAccount, &path, &both);
    assert_turned(&entry, "plan", plan, json!({"slug": "gold", "title": "Silver"}));
    assert_turned(&entry, "status", json!("ACTIVE"), json!("INACTIVE"));
    held.refuses(Op::AdminChangeAccount, &path, &json!({"plan": "none"}));

    let credit = json!({"amount": 70, "note": "invoice 12"});
    let credits = format!("{path}/credit");
    let (_, entry) = held.changes(Op::AdminAddCredit, &credits, &credit);
    let expected = json!({"availableBalance": 0, "credited": 0, "ledgerEntry": 0});
    assert_eq!(entry["before"], expected);
    let expected = json!({"availableBalance": 70, "credited": 70, "ledgerEntry": 1, "note": "invoice 12"});
    assert_eq!(entry["after"], expected);
    // A repeat gets the first answer and is no second change.
    held.changes_nothing("POST", &credits, &credit);
    held.refuses(Op::AdminAddCredit, &credits, &json!({"amount": -71}));
    held.refuses(Op::AdminAddCredit, "/admin/accounts/none/credit", &json!({"amount": 1}));
}

/// Credits that another operator has asked for.
fn credits(held: &Held) {
    let (world, path) = (&held.world, held.shop.path("/credit"));
    let other = world.create("/admin/keys", json!({"title": "other"})).text("/data/key");
    let ask = || {
        let asked = world.post(&other, &path, json!({"amount": 20_000_000})).expect(202);
        world.settle(REST_MS);
        format!("/admin/credits/{}", asked.text("/data/id"))
    };
    let (one, two) = (ask(), ask());
    let approve = format!("{one}/approve");
    let (_, entry) = held.changes(Op::AdminApproveCredit, &approve, &json!({}));
    assert_turned(&entry, "status", json!("PENDING"), json!("APPROVED"));
    assert_turned(&entry, "availableBalance", json!(1_000_000), json!(21_000_000));
    held.changes_nothing("POST", &approve, &json!({}));
    held.refuses(Op::AdminRejectCredit, &format!("{one}/reject"), &json!({}));
    let reject = format!("{two}/reject");
    let (_, entry) = held.changes(Op::AdminRejectCredit, &reject, &json!({}));
    assert_turned(&entry, "status", json!("PENDING"), json!("REJECTED"));
    held.changes_nothing("POST", &reject, &json!({}));
    held.refuses(Op::AdminApproveCredit, &format!("{two}/approve"), &json!({}));
}

/// A program takes a message from a phone.
fn inbound(held: &Held) {
    let (world, shop) = (&held.world, &held.shop);
    let line = json!({"number": "30007", "carrier": "sandbox", "operations": ["WEBSERVICE"], "accounts": [shop.id]});
    world.create("/admin/lines", line);
    held.refuses(Op::TakeInbound, "/inbound/take", &json!({"limit": 0}));
    held.changes_nothing("POST", "/inbound/take", &json!({}));
    let sms = InboundSms {
        carrier: "sandbox".to_owned(),
        to: "30007".to_owned(),
        from: "+989121234567".to_owned(),
        text: "hello".to_owned(),
        carrier_id: None,
        received_ms: world.now_ms.get(),
        left: Vec::new(),
    };
    to_end(phones::receive(world, sms))
        .map_err(|not_taken| not_taken.error)
        .unwrap();
    held.changes(Op::TakeInbound, "/inbound/take", &json!({"line": "30007"}));
}

fn phonebooks_and_patterns(held: &Held) {
    let (answer, entry) = held.changes(Op::CreatePhonebook, "/phonebook", &json!({"title": "A"}));
    let id = answer.text("/data/id");
    let thing = json!({"kind": "phonebook", "id": id, "account": held.shop.id, "username": "shop"});
    let expected = json!({"title": "A", "description": null});
    assert_eq!(said(&entry), (&thing, &json!(null), &expected));
    held.refuses(Op::CreatePhonebook, "/phonebook", &json!({"title": "A"}));
    let path = format!("/phonebook/{id}");
    let (_, entry) = held.changes(Op::ChangePhonebook, &path, &json!({"title": "B"}));
    assert_turned(&entry, "title", json!("A"), json!("B"));
    held.refuses(Op::ChangePhonebook, "/phonebook/none", &json!({"title": "B"}));
    let body = json!({"id": id, "title": "C"});
    let (_, entry) = held.changes(Op::ChangePhonebookInBody, "/phonebook", &body);
    assert_eq!(entry["thing"], thing);
    held.refuses(Op::ChangePhonebookInBody, "/phonebook", &json!({"title": "C"}));
    let body = json!({"number": "09121234567"});
    held.changes_nothing("POST", &format!("/phonebook/number/{id}"), &body);
    let (_, entry) = held.changes(Op::DeletePhonebook, &path, &json!({}));
    assert_eq!(said(&entry), (&thing, &json!({"title": "C"}), &json!(null)));
    held.refuses(Op::DeletePhonebook, &path, &json!({}));
    let id = held.send("POST", "/phonebook", &json!({"title": "D"})).text("/data/id");
    let (_, entry) = held.changes(Op::DeletePhonebookInQuery, &format!("/phonebook?id={id}"), &json!({}));
    assert_eq!(entry["thing"]["id"], json!(id));
    held.refuses(Op::DeletePhonebookInQuery, "/phonebook?id=none", &json!({}));

    let pattern = json!({"slug": "login", "title": "Login", "text": "code %OTP%"});
    let (_, entry) = held.changes(Op::CreatePattern, "/pattern", &pattern);
    let expected = json!({"kind": "pattern", "id": "login", "account": held.shop.id, "username": "shop"});
    assert_eq!(entry["thing"], expected);
    let expected = json!({"version": 1, "status": "DRAFT", "reason": null, "characters": 10});
    assert_eq!(entry["after"]["newestVersion"], expected);
    held.refuses(Op::CreatePattern, "/pattern", &pattern);
    held.changes(Op::ChangePattern, "/pattern/login", &json!({"title": "Log in"}));
    held.changes_nothing("PUT", "/pattern/login", &json!({"title": "Log in"}));
    held.refuses(Op::ChangePattern, "/pattern/none", &json!({"title": "x"}));
    let version = json!({"text": "your code %OTP%"});
    held.changes(Op::CreatePatternVersion, "/pattern/login/versions", &version);
    held.refuses(Op::CreatePatternVersion, "/pattern/none/versions", &version);
    let activate = "/pattern/login/versions/1/activate";
    let (_, entry) = held.changes(Op::ActivatePatternVersion, activate, &json!({}));
    assert_turned(&entry, "activeVersion", json!(null), json!(1));
    held.refuses(Op::ActivatePatternVersion, activate, &json!({}));
    let approve = held.shop.path("/patterns/login/versions/2/activate");
    let (_, entry) = held.changes(Op::AdminApprovePattern, &approve, &json!({}));
    assert_turned(&entry, "activeVersion", json!(1), json!(2));
    let expected = json!({"kind": "pattern", "id": "login", "account": held.shop.id, "username": "shop"});
    assert_eq!(entry["thing"], expected);
    held.refuses(Op::AdminApprovePattern, &approve, &json!({}));
    let refuse = held.shop.path("/patterns/login/versions/2/refuse");
    let (_, entry) = held.changes(Op::AdminRefusePattern, &refuse, &json!({"reason": "No name of a shop"}));
    assert_turned(&entry, "activeVersion", json!(2), json!(null));
    assert_eq!(entry["after"]["newestVersion"]["reason"], "No name of a shop");
    held.refuses(Op::AdminRefusePattern, &refuse, &json!({}));
    held.changes(Op::AdminApprovePattern, &approve, &json!({}));
    held.refuses(Op::DeletePattern, "/pattern/login", &json!({}));
    held.changes(Op::DeactivatePattern, "/pattern/login/deactivate", &json!({}));
    held.refuses(Op::DeactivatePattern, "/pattern/login/deactivate", &json!({}));
    let (_, entry) = held.changes(Op::DeletePattern, "/pattern/login", &json!({}));
    assert_eq!(entry["after"], Value::Null);
}

fn blacklist_and_webhooks(held: &Held) {
    let numbers = json!({"numbers": ["09121234567", "09121234568"]});
    let (_, entry) = held.changes(Op::AddToBlacklist, "/blacklist", &numbers);
    let counts = |numbers: u32| json!({"numbers": numbers, "optedOut": 0});
    let with_digest = |numbers: u32| {
        let mut after = counts(numbers);
        after["digest"] = entry["after"]["digest"].clone();
        after
    };
    assert_eq!((said(&entry).1, said(&entry).2), (&counts(0), &with_digest(2)));
    held.changes_nothing("POST", "/blacklist", &numbers);
    held.refuses(Op::AddToBlacklist, "/blacklist", &json!({"numbers": ["no number"]}));
    let (_, entry) = held.changes(Op::RemoveFromBlacklist, "/blacklist?number=09121234567", &json!({}));
    assert_eq!(entry["before"], counts(1));
    held.changes_nothing("DELETE", "/blacklist?number=09121234567", &json!({}));
    held.refuses(Op::RemoveFromBlacklist, "/blacklist?number=x", &json!({}));
    let (_, entry) = held.changes(Op::StartErasure, "/erasures", &json!({"number": "09121234567"}));
    assert_eq!(
        (&entry["before"], &entry["after"]["numberEnding"]),
        (&Value::Null, &json!("67"))
    );
    assert!(entry["after"]["digest"].is_string());
    held.refuses(Op::StartErasure, "/erasures", &json!({"number": "no number"}));
    let (_, entry) = held.changes(
        Op::AdminStartErasure,
        "/admin/erasures",
        &json!({"number": "09121234567"}),
    );
    assert_eq!(entry["after"]["numberEnding"], json!("67"));
    held.refuses(
        Op::AdminStartErasure,
        "/admin/erasures",
        &json!({"number": "no number"}),
    );

    for (path, set) in [
        ("/account/low-balance".to_owned(), Op::SetLowBalance),
        (held.shop.path("/low-balance"), Op::AdminSetLowBalance),
    ] {
        let threshold = |amount: i64| json!({"lowBalance": amount});
        let amount = if set == Op::SetLowBalance { 500 } else { 700 };
        let (_, entry) = held.changes(set, &path, &threshold(amount));
        assert_eq!(entry["after"], threshold(amount));
        assert_eq!(entry["thing"]["account"], held.shop.id);
        held.changes_nothing("PUT", &path, &threshold(amount));
        held.refuses(set, &path, &threshold(0));
    }

    let zone = |name: &str| json!({"timeZone": name});
    let (_, entry) = held.changes(Op::ChangeAccountInfo, "/account/info", &zone("Europe/Berlin"));
    assert_eq!(
        (&entry["before"], &entry["after"]),
        (&zone("Asia/Tehran"), &zone("Europe/Berlin"))
    );
    held.changes_nothing("PATCH", "/account/info", &zone("Europe/Berlin"));
    held.refuses(Op::ChangeAccountInfo, "/account/info", &zone("Mars/Phobos"));

    let endpoint = json!({"url": "https://example.com/hook", "events": ["message.received"]});
    let (answer, entry) = held.changes(Op::CreateWebhook, "/webhook", &endpoint);
    let (id, secret) = (answer.text("/data/id"), answer.text("/data/secret"));
    let expected = json!({"kind": "webhook", "id": id, "account": held.shop.id, "username": "shop"});
    assert_eq!(entry["thing"], expected);
    assert!(!entry.to_string().contains(&secret), "no secret stands in the log");
    held.refuses(Op::CreateWebhook, "/webhook", &json!({"url": "x"}));
    let path = format!("/webhook/{id}");
    let (_, entry) = held.changes(Op::ChangeWebhook, &path, &json!({"description": "orders"}));
    assert_eq!(entry["after"]["description"], "orders");
    held.changes_nothing("PUT", &path, &json!({"description": "orders"}));
    held.refuses(Op::ChangeWebhook, "/webhook/none", &json!({"description": "x"}));
    let (answer, entry) = held.changes(Op::RotateWebhookSecret, &format!("{path}/rotate"), &json!({}));
    let secret = answer.text("/data/secret");
    assert!(!entry.to_string().contains(&secret), "no secret stands in the log");
    held.refuses(Op::RotateWebhookSecret, "/webhook/none/rotate", &json!({}));
    held.changes_nothing("POST", &format!("{path}/test"), &json!({}));
    let (_, entry) = held.changes(Op::DeleteWebhook, &path, &json!({}));
    assert_eq!(entry["after"], Value::Null);
    held.refuses(Op::DeleteWebhook, &path, &json!({}));
}

fn messages_and_switches(held: &Held) {
    let send = json!({"message": "x", "recipients": ["09121234561"], "sendAt": "2026-01-02T12:00:00Z"});
    let (answer, new) = held.watched("POST", "/sms/send", &send);
    assert_eq!(new, Vec::<Value>::new(), "the message is its own record");
    let uid = answer.expect(201).text("/data/uid");
    let path = format!("/messages/{uid}");
    let thing = json!({"kind": "message", "id": uid, "account": held.shop.id, "username": "shop"});
    let state = |status: &str, paused: bool| json!({"status": status, "paused": paused});
    let (waits, paused) = (state("SCHEDULED", false), state("SCHEDULED", true));
    let (_, entry) = held.changes(Op::PauseMessage, &format!("{path}/pause"), &json!({}));
    assert_eq!(said(&entry), (&thing, &waits, &paused));
    held.changes_nothing("POST", &format!("{path}/pause"), &json!({}));
    let (_, entry) = held.changes(Op::ResumeMessage, &format!("{path}/resume"), &json!({}));
    assert_eq!(said(&entry), (&thing, &paused, &waits));
    held.changes_nothing("POST", &format!("{path}/resume"), &json!({}));
    let (_, entry) = held.changes(Op::CancelMessage, &path, &json!({}));
    assert_eq!(said(&entry), (&thing, &waits, &state("CANCELED", false)));
    held.refuses(Op::CancelMessage, &path, &json!({}));
    held.refuses(Op::PauseMessage, &format!("{path}/pause"), &json!({}));
    held.refuses(Op::ResumeMessage, &format!("{path}/resume"), &json!({}));
    let path = held.shop.path("/cancel");
    let (_, entry) = held.changes(Op::AdminCancelAll, &path, &json!({}));
    let newest = held.world.sql(&held.shop.id).number("SELECT message_seq FROM account");
    assert_turned(&entry, "canceledThrough", json!(0), json!(newest));
    held.changes_nothing("POST", &path, &json!({}));
    held.refuses(Op::AdminCancelAll, "/admin/accounts/none/cancel", &json!({}));
    let new = json!({"username": "old-shop", "fullName": "An Old Shop"});
    let old = held.world.create("/admin/accounts", new).text("/data/id");
    let path = format!("/admin/accounts/{old}");
    held.refuses(Op::AdminCloseAccount, &held.shop.path(""), &json!({}));
    let (_, entry) = held.changes(Op::AdminCloseAccount, &path, &json!({}));
    assert_eq!(
        (&entry["before"]["closedAt"], entry["after"]["closedAt"].is_string()),
        (&Value::Null, true)
    );
    held.changes_nothing("DELETE", &path, &json!({}));

    let stop = json!({"enabled": false, "reason": "maintenance"});
    let (answer, entry) = held.changes(Op::AdminSwitchSending, "/admin/sending", &stop);
    assert_eq!(answer.json["data"]["changedBy"], OPERATOR_KEY_ID);
    assert_eq!(entry["after"], stop);
    held.changes_nothing("PUT", "/admin/sending", &stop);
    let body = json!({"enabled": true, "reason": ""});
    held.refuses(Op::AdminSwitchSending, "/admin/sending", &body);
    let (_, entry) = held.changes(Op::AdminSwitchSending, "/admin/sending", &json!({"enabled": true}));
    assert_eq!(entry["after"], json!({"enabled": true, "reason": null}));

    let path = "/admin/transfer";
    let (_, entry) = held.changes(Op::AdminSetTransfer, path, &json!({"direction": "OUT"}));
    let thing = json!({"kind": "transfer", "id": "service", "account": null, "username": null});
    let out = json!({"direction": "OUT", "agreed": null});
    assert_eq!(said(&entry), (&thing, &json!(null), &out));
    held.changes_nothing("PUT", path, &json!({"direction": "OUT"}));
    held.refuses(Op::AdminSetTransfer, path, &json!({"direction": "IN"}));
    let objects = "/admin/transfer/objects";
    let turn = |state: &str| json!({"store": "WEBHOOK", "objects": [held.shop.id], "state": state});
    held.changes_nothing("POST", objects, &turn("THAWED"));
    let thing = json!({"kind": "frozen", "id": "WEBHOOK", "account": held.shop.id, "username": "shop"});
    for (before, after) in [("THAWED", "FROZEN"), ("FROZEN", "THAWED")] {
        let (_, entry) = held.changes(Op::AdminChangeObjects, objects, &turn(after));
        let (before, now) = (
            json!({"state": before}),
            json!({"state": after, "names": [held.shop.id]}),
        );
        assert_eq!(said(&entry), (&thing, &before, &now));
        held.changes_nothing("POST", objects, &turn(after));
    }
    let (_, entry) = held.changes(Op::AdminSetTransfer, path, &json!({"direction": "NONE"}));
    assert_eq!(entry["after"], json!(null));
    held.refuses(Op::AdminChangeObjects, objects, &turn("FROZEN"));
}

/// A chunk that waits for an hour, because its carrier has no room, and is tried again.
fn campaigns(held: &Held) {
    let (world, key) = (&held.world, held.shop.key.as_str());
    let book = world.phonebook(key, "campaign", json!(["09121234561"]));
    world.settle(REST_MS);
    let new = json!({"title": "A", "message": "x", "phonebooks": [book], "sendAt": "2026-03-01T00:00:00Z"});
    let (answer, entry) = held.changes(Op::CreateCampaign, "/campaigns", &new);
    let id = answer.text("/data/id");
    let thing = json!({"kind": "campaign", "id": id, "account": held.shop.id, "username": "shop"});
    let state = |title: &str, state: &str| json!({"title": title, "state": state, "perMinute": null, "budget": null, "guard": null, "resendOf": null});
    assert_eq!(said(&entry), (&thing, &json!(null), &state("A", "COUNTING")));
    held.refuses(Op::CreateCampaign, "/campaigns", &json!({"title": "A"}));
    let path = format!("/campaigns/{id}");
    let (_, entry) = held.changes(Op::ChangeCampaign, &path, &json!({"title": "B"}));
    assert_eq!(said(&entry), (&thing, &state("A", "DRAFT"), &state("B", "DRAFT")));
    let steps = [
        (Op::StartCampaign, "start", "DRAFT", "SCHEDULED"),
        (Op::PauseCampaign, "pause", "SCHEDULED", "PAUSED"),
        (Op::ResumeCampaign, "resume", "PAUSED", "SCHEDULED"),
        (Op::CancelCampaign, "cancel", "SCHEDULED", "CANCELED"),
    ];
    for (operation, step, before, after) in steps {
        let path = format!("{path}/{step}");
        let (_, entry) = held.changes(operation, &path, &json!({}));
        assert_eq!(said(&entry), (&thing, &state("B", before), &state("B", after)));
        held.changes_nothing("POST", &path, &json!({}));
    }
    for (operation, step) in [
        (Op::StartCampaign, "start"),
        (Op::PauseCampaign, "pause"),
        (Op::ResumeCampaign, "resume"),
    ] {
        held.refuses(operation, &format!("{path}/{step}"), &json!({}));
    }
    held.refuses(Op::CancelCampaign, "/campaigns/none/cancel", &json!({}));
    held.refuses(Op::ChangeCampaign, &path, &json!({"title": "C"}));
    let resend = format!("{path}/resend");
    let (answer, entry) = held.changes(Op::ResendCampaign, &resend, &json!({}));
    let made = json!({"kind": "campaign", "id": answer.text("/data/id"), "account": held.shop.id, "username": "shop"});
    let resent =
        json!({"title": "B", "state": "COUNTING", "perMinute": null, "budget": null, "guard": null, "resendOf": id});
    assert_eq!(said(&entry), (&made, &json!(null), &resent));
    held.changes_nothing("POST", &resend, &json!({}));
    held.refuses(Op::ResendCampaign, "/campaigns/none/resend", &json!({}));
    let (_, entry) = held.changes(Op::DeleteCampaign, &path, &json!({}));
    assert_eq!(entry["after"], Value::Null);
    held.refuses(Op::DeleteCampaign, &path, &json!({}));
}

fn dead_letters(held: &Held) {
    let world = &held.world;
    let room = |settings: &str| {
        let change = "UPDATE carrier SET settings = ?1, version = version + 1 WHERE name = 'sandbox'";
        world.db.run_with(change, &[settings.into()]);
    };
    room(r#"{"window": 0}"#);
    world.send(&held.shop.key, &["09121234569"]).expect(201);
    world.work();
    world.advance(peyk::account::chunk::stalled::STALLED_MS);
    for _ in 0..3 {
        world.ring(&held.shop.id);
        world.work();
    }
    let letters = world.look("/admin/dead-letters");
    let path = format!("/admin/dead-letters/{}/retry", letters.int("/data/0/id"));
    let before = entries(world, "").len();
    world.admin("POST", &path, json!({})).expect(200);
    world.ring(&held.shop.id);
    let new = entries(world, "");
    assert_eq!(new.len(), before + 1);
    assert_eq!(new[0]["operation"], Op::AdminRetryDeadLetter.name());
    assert_eq!(new[0]["thing"]["account"], held.shop.id);
    assert_ne!(new[0]["before"]["readyAt"], new[0]["after"]["readyAt"]);
    held.changed.borrow_mut().insert(Op::AdminRetryDeadLetter.name(), 1);
    room("{}");
    held.refuses(Op::AdminRetryDeadLetter, "/admin/dead-letters/999/retry", &json!({}));
}

/// What operators are shown of numbers and texts.
fn reads(held: &Held) {
    let uid = held.world.read(&held.shop.key, "/messages").text("/data/0/uid");
    for (operation, path) in [
        (Op::AdminListSandbox, held.shop.path("/sandbox")),
        (
            Op::AdminListRecipients,
            held.shop.path(&format!("/messages/{uid}/recipients")),
        ),
        (Op::AdminGetMessage, held.shop.path(&format!("/messages/{uid}"))),
    ] {
        let (answer, entries) = held.watched("GET", &path, &json!({}));
        assert!(answer.body.contains("+98912123456"), "{}", answer.body);
        assert_eq!((entries.len(), &entries[0]["operation"]), (1, &json!(operation.name())));
        held.changes_nothing("GET", &path, &json!({}));
    }
}

/// All numbers of recipients here have these digits. No column of the log has them, in no way of writing: not of any route, and
/// not where a client has chosen an id.
fn no_number_is_kept(held: &Held) {
    let request = held
        .world
        .ask("POST", &held.shop.key, "/blacklist")
        .request_id("to-989121234567");
    request.json(json!({"numbers": ["09121234569"]})).send().expect(201);
    held.world.settle(REST_MS);
    let columns = "id, part, actor, key, coalesce(account, ''), operation, thing, coalesce(name, ''), request, \
         coalesce(address, ''), coalesce(before, ''), coalesce(after, '')";
    let kept = "SELECT group_concat(name) FROM pragma_table_info('audit')";
    assert_eq!(
        held.world.db.texts(kept)[0].split(',').count(),
        13,
        "each column but at_ms is looked through"
    );
    let rows = held
        .world
        .db
        .texts(&format!("SELECT concat_ws(' ', {columns}) FROM audit"));
    assert!(
        rows.len() > 60 && rows.iter().any(|row| row.contains("to-…4567")),
        "{}",
        rows.len()
    );
    for row in rows {
        assert!(!row.contains("121234"), "{row}");
    }
}

/// An account's object that goes back in time.
fn restores(held: &Held) {
    let path = held.shop.path("/restore");
    let asked = json!({"at": "2026-01-01T12:00:00Z", "reason": "a test"});
    held.refuses(Op::AdminRestoreAccount, &path, &asked);
    let bookmark = held.world.sql(&held.shop.id).note_history(held.world.now_ms.get());
    let asked = json!({"at": bookmark, "reason": "a test"});
    let (_, entry) = held.changes(Op::AdminRestoreAccount, &path, &asked);
    let after = json!({"number": entry["after"]["number"], "at": bookmark, "reason": "a test"});
    let thing = json!({"kind": "restore", "id": held.shop.id, "account": held.shop.id, "username": "shop"});
    assert_eq!(said(&entry), (&thing, &json!(null), &after));
}

#[test]
fn each_changing_route_leaves_one_entry_and_a_refused_or_repeated_request_none() {
    let held = Held::new();
    held.world
        .set("SECRET_KEY", Some("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="));
    plans_and_lines(&held);
    carriers(&held);
    accounts(&held);
    credits(&held);
    people::keys(&held);
    people::members(&held);
    people::sign_ins(&held);
    people::passkeys(&held);
    inbound(&held);
    people::sessions(&held);
    phonebooks_and_patterns(&held);
    blacklist_and_webhooks(&held);
    campaigns(&held);
    messages_and_switches(&held);
    dead_letters(&held);
    reads(&held);
    restores(&held);
    no_number_is_kept(&held);
    let logged = ROUTES.iter().filter(|route| matches!(route.audit, Audit::Logged(_)));
    let logged: BTreeSet<&str> = logged.map(|route| route.operation.name()).collect();
    let changed: BTreeSet<&str> = held.changed.borrow().keys().copied().collect();
    assert_eq!(changed, logged, "each logged route was tried");
    assert_eq!(*held.refused.borrow(), logged, "and refused");
    for operation in ALIKE {
        assert!(held.alike.borrow().contains(operation.name()), "{}", operation.name());
    }
    filters(&held);
}

/// Each filter finds what it names, and all of that.
fn filters(held: &Held) {
    let all = entries(&held.world, "");
    let wanted = |accepts: &dyn Fn(&Value) -> bool| -> Vec<Value> {
        all.iter().filter(|entry| accepts(entry)).cloned().collect()
    };
    let shop = &held.shop;
    let found = |query: &str| entries(&held.world, query);
    let expected = wanted(&|entry| entry["thing"]["account"] == shop.id);
    assert_eq!(found(&format!("account={}", shop.id)), expected);
    let expected = wanted(&|entry| entry["actor"]["key"] == shop.key_id);
    assert_eq!(found(&format!("key={}", shop.key_id)), expected);
    let expected = wanted(&|entry| entry["operation"] == "AdminChangePlan");
    assert_eq!(found("operation=AdminChangePlan"), expected);
    let expected = wanted(&|entry| entry["thing"]["kind"] == "webhook");
    assert_eq!(found("thing=webhook"), expected);
    assert_eq!(found("thingId=gold"), wanted(&|entry| entry["thing"]["id"] == "gold"));
    let both = found(&format!("thing=pattern&key={}&thingId=login", shop.key_id));
    assert!(!both.is_empty());
    let fits = |entry: &Value| entry["thing"]["id"] == "login" && entry["actor"]["key"] == shop.key_id;
    assert!(both.iter().all(fits));
    let middle = all[all.len() / 2]["at"].as_str().unwrap();
    let since = found(&format!("from={middle}"));
    let before = found(&format!("to={middle}"));
    assert!(!since.is_empty() && !before.is_empty());
    assert_eq!([since.as_slice(), before.as_slice()].concat(), all);
    for bad in ["operation=none", "thing=none", "from=x", "account=", "cursor=x"] {
        let path = format!("/admin/audit?{bad}");
        held.world.get(&held.world.admin_key, &path).refused(422);
    }
    held.world.get(&shop.key, "/admin/audit").refused(403);
}

#[test]
fn nobody_changes_an_entry_and_only_old_ones_go() {
    let held = Held::new();
    held.send("POST", "/phonebook", &json!({"title": "A"})).expect(201);
    let (world, all) = (&held.world, entries(&held.world, ""));
    for statement in ["UPDATE audit SET actor = 'x'", "DELETE FROM audit"] {
        assert!(world.db.exec(statement, &[]).is_err(), "{statement}");
    }
    let newest_ms = world.now_ms.get();
    to_end(forget_old(&world.db, newest_ms - 3_600_000)).unwrap();
    assert_eq!(entries(world, ""), all);
    let days_ms = world.app.config.audit_days * 86_400_000;
    world.now_ms.set(newest_ms + days_ms - 1_000_000);
    to_end(nightly::run(world, &world.app.config));
    assert_eq!(entries(world, ""), all);
    world.now_ms.set(newest_ms + days_ms + 1);
    to_end(nightly::run(world, &world.app.config));
    assert_eq!(entries(world, ""), Vec::<Value>::new());
}

#[test]
fn a_change_in_an_object_has_its_one_entry_whatever_fails_on_the_way_to_the_directory() {
    let held = Held::new();
    let (world, before) = (&held.world, entries(&held.world, "").len());
    // The directory takes the rows, and the object does not hear of it.
    world.sql(&held.shop.id).fail("DELETE FROM audit", 2);
    held.send("POST", "/blacklist", &json!({"numbers": ["09121234567"]}))
        .expect(201);
    assert_eq!(entries(world, "").len(), before + 1);
    // The directory is down when the change is made, and the process dies.
    world.posted(&held.shop.key, "/blacklist", json!({"numbers": ["09121234568"]}));
    world.db.is_down.set(true);
    world.ring(&held.shop.id);
    world.kill();
    world.db.is_down.set(false);
    assert_eq!(entries(world, "").len(), before + 1);
    world.settle(REST_MS);
    assert_eq!(entries(world, "").len(), before + 2);
}

#[test]
fn old_entries_go_in_bounded_steps() {
    let world = World::new();
    let many = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500) \
         INSERT INTO audit (id, part, at_ms, actor, key, operation, thing, request) \
         SELECT printf('%06d', i), 'x', 5, 'operator', 'k', 'o', 't', 'r' FROM n";
    world.db.run(many);
    let left = || world.db.count("audit");
    for (expected, goes_on) in [(1_500, true), (500, true), (0, false)] {
        let found = to_end(forget_old(&world.db, world.now_ms.get())).unwrap();
        assert_eq!(found, goes_on);
        assert_eq!(left(), expected);
    }
}

#[test]
fn entries_wait_for_the_directory_up_to_a_bound_where_changes_are_refused_and_sends_go_on() {
    let (world, shop) = World::with_busy_account(1_000_000);
    world.settle(REST_MS);
    world.db.watch(|_, statements| {
        let is_of_audit = |statement: &Statement| statement.sql.contains("INTO audit (");
        match statements.iter().any(is_of_audit) {
            true => Err(PortError::unavailable("d1", "this does not work")),
            false => Ok(()),
        }
    });
    let add = |number: &str| world.post(&shop.key, "/blacklist", json!({"numbers": [number]}));
    add("09121234561").expect(201);
    let fill = |rows: i64| {
        let copies = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1) \
             INSERT INTO audit (at_ms, entry) SELECT a.at_ms, json_set(a.entry, '$.note.id', printf('%06d', n.i)) \
             FROM n, (SELECT at_ms, entry FROM audit ORDER BY seq LIMIT 1) a";
        world.sql(&shop.id).run_with(copies, &[rows.into()]);
    };
    let waiting = || world.sql(&shop.id).count("audit");
    fill(MAX_WAITING - 2);
    add("09121234562").expect(201);
    assert_eq!(waiting(), MAX_WAITING);
    add("09121234563").refused(503);
    let blocked = world.read(&shop.key, "/blacklist");
    assert_eq!(blocked.items().len(), 2, "what was refused is not done");
    world.send(&shop.key, &["09121234567"]).expect(201);
    // What changes nothing needs no entry.
    add("09121234562").expect(201);

    let keys = shop.path("/keys");
    let leaked = world.create(&keys, json!({"title": "leaked"}));
    let path = format!("{keys}/{}", leaked.text("/data/id"));
    world.admin("DELETE", &path, json!({})).expect(204);
    fill(2 * MAX_WAITING - waiting());
    let body = json!({"title": "one too many"});
    world.admin("POST", &keys, body).refused(503);
    assert_eq!(waiting(), 2 * MAX_WAITING);

    world.db.unwatch();
    world.settle(REST_MS);
    assert_eq!(waiting(), 0);
    add("09121234563").expect(201);
    world.settle(REST_MS);
    let own = entries(
        &world,
        &format!("account={}&thing=blacklist&from=2026-01-01T00:00:00Z", shop.id),
    );
    assert_eq!(own.len(), 3, "each change has its entry");
}

#[test]
fn a_change_in_the_directory_and_its_entry_are_one_transaction() {
    let held = Held::new();
    let (world, before) = (&held.world, entries(&held.world, ""));
    world.db.fail("INSERT INTO audit (", 1);
    let plan = json!({"slug": "gold", "title": "Gold", "tariff": {"slug": "t", "title": "T", "price": 7}});
    assert_eq!(world.admin("POST", "/admin/plans", plan).response.status, 503);
    assert_eq!(entries(world, ""), before);
    let plans = world.look("/admin/plans");
    assert_eq!(plans.items().len(), 1, "the plan is not there either");
    assert_eq!(world.db.count("audit_draft"), 0);
}
