//! An account that is closed for good: nothing of it works any more, its books stay, and all else goes, whatever breaks meanwhile.

use peyk::account::chunk::reports::{Deliver, Delivered, DeliveryReport};
use peyk::account::inbound::Receive;
use peyk::account::record::message::status::RecipientStatus;
use peyk::carrier::inbound::{self, InboundSms};
use peyk::durable::ask;
use peyk::objects::nightly;
use serde_json::{Value, json};

use crate::support::time::{DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS};
use crate::support::{Account, Answer, Dice, World, to_end};

const MONEY: i64 = 1_000_000;
/// What people have given, or were sent.
const PERSONAL: [&str; 8] = [
    "9121234567",
    "9131234567",
    "9141234567",
    "9161234567",
    "Sara",
    "a text for one",
    "a text of the pattern",
    "shop.example",
];
/// The sandbox keeps for a week what it was handed.
const GONE_MS: i64 = 9 * DAY_MS;

fn close(world: &World, account: &Account) -> Answer {
    world.delete(&world.admin_key, &account.path(""))
}

fn is_closed(world: &World, account: &Account) -> bool {
    let shown = world.look(&account.path(""));
    shown.json["data"]["closedAt"].is_string()
}

/// Takes the whole balance out.
fn take_out(world: &World, account: &Account) {
    let balance = world.look(&account.path("")).int("/data/wallet/availableBalance");
    world.create(
        &account.path("/credit"),
        json!({"amount": -balance, "note": "paid back"}),
    );
}

/// What a phone sends to a line, as the sandbox gets it.
fn text_from_phone(world: &World, line: &str) {
    let sms = InboundSms {
        carrier: "sandbox".to_owned(),
        to: line.to_owned(),
        from: "+989131234567".to_owned(),
        text: "Sara is here".to_owned(),
        carrier_id: None,
        received_ms: world.now_ms.get(),
        left: Vec::new(),
    };
    to_end(inbound::receive(world, sms)).unwrap();
}

/// Gives an account some of everything, of which nothing is under way afterwards, and takes its money out.
fn fill(world: &World, shop: &Account) {
    let key = &shop.key;
    let line =
        json!({"number": "3000", "carrier": "sandbox", "operations": ["WEBSERVICE", "PATTERN"], "accounts": [shop.id]});
    world.create("/admin/lines", line);
    let keywords = json!([{"keyword": "win", "account": shop.id}]);
    let route = json!({"account": shop.id, "keywords": keywords});
    world.admin("PUT", "/admin/lines/3000/inbound", route).expect(200);
    // Nobody answers it, so its events wait.
    let endpoint = json!({"url": "https://shop.example/peyk", "events": ["message.status", "message.received"]});
    world.posted(key, "/webhook", endpoint);
    world.settle(SECOND_MS);
    let send = json!({"message": "a text for one", "recipients": ["09121234567"], "clientRef": "Sara"});
    world.posted(key, "/sms/send", send);
    let bulk = json!([{"recipient": "09121234567", "message": "a text for one"}, {"recipient": "09141234567", "message": "x"}]);
    world.posted(key, "/sms/bulk", json!({"messages": bulk}));
    world.posted(
        key,
        "/pattern",
        json!({"slug": "hello", "title": "Sara", "text": "a text of the pattern"}),
    );
    world.activate(key, "hello", 1);
    let book = world.phonebook(key, "Sara's", json!([{"number": "09121234567", "name": "Sara"}]));
    world.posted(key, "/blacklist", json!({"numbers": ["09131234567"]}));
    let campaign = json!({"title": "for Sara", "message": "a text for one", "phonebooks": [book], "sendAt": "2026-03-01T00:00:00Z"});
    let campaign = world.posted(key, "/campaigns", campaign).text("/data/id");
    let member = json!({"phone": "09161234567", "name": "Sara", "role": "SENDER", "invite": false});
    world.posted(key, "/members", member);
    text_from_phone(world, "3000");
    world.settle(MINUTE_MS);
    world
        .bare_post(key, &format!("/campaigns/{campaign}/start"))
        .expect(200);
    world.settle(SECOND_MS);
    take_out(world, shop);
}

/// Where something of people is left. The audit log keeps what it has.
#[track_caller]
fn assert_nothing_personal(world: &World) {
    let mut places = world.places_of(&PERSONAL);
    places.retain(|place| !place.starts_with("directory: audit: "));
    assert!(places.is_empty(), "{}", places.join("\n"));
}

/// How many rows each of these tables of the directory has.
fn rows_of_directory(world: &World) -> Vec<(String, Vec<String>)> {
    let tables = [
        "line_account",
        "line_inbound",
        "line_keyword",
        "pattern",
        "pattern_version",
        "phonebook",
        "phonebook_number",
        "member",
    ];
    let rows = |table: &&str| {
        let count = world.db.texts(&format!("SELECT count(*) || '' FROM {table}"));
        ((*table).to_owned(), count)
    };
    tables.iter().map(rows).collect()
}

#[track_caller]
fn assert_gone(world: &World, shop: &Account) {
    for (table, count) in rows_of_directory(world) {
        assert_eq!(count, ["0"], "{table}");
    }
    for table in [
        "chunk",
        "number",
        "recipient_text",
        "inbound",
        "blacklist",
        "campaign",
        "api_key",
        "passkey",
        "event",
        "removal",
    ] {
        assert_eq!(world.count(shop, table), 0, "{table}");
    }
    let webhooks = world.webhook_sql(&shop.id);
    for table in ["endpoint", "event", "delivery", "callback"] {
        assert_eq!(webhooks.number(&format!("SELECT count(*) FROM {table}")), 0, "{table}");
    }
    assert_eq!(
        world.number(shop, "SELECT count(*) FROM closing WHERE due_ms IS NULL"),
        1,
        "nothing is left to do"
    );
    assert_eq!(world.db.texts("SELECT bytes || '' FROM room"), ["0"]);
}

/// What stays of the books: the ledger and the usage.
fn books(world: &World, shop: &Account) -> (Vec<String>, Value) {
    let sql = world.sql(&shop.id);
    world.write_gathered(shop);
    let usage = world.all(&world.admin_key, &format!("/admin/usage?account={}", shop.id));
    (
        sql.texts("SELECT kind || amount || ' ' || available FROM ledger ORDER BY seq"),
        json!(usage),
    )
}

#[test]
fn a_closed_account_keeps_its_books_and_all_else_goes() {
    let (world, shop) = World::with_account(MONEY);
    fill(&world, &shop);
    world.settle(MINUTE_MS);
    let (ledger, usage) = books(&world, &shop);
    assert!(!world.places_of(&PERSONAL).is_empty());
    let session = world.signed_in(&shop.key);
    assert_eq!(close(&world, &shop).expect(204).body, "");
    world.get(&shop.key, "/account/info").problem(401, 401);
    world.page(&session, "/account/info").expect(401);
    world.send(&shop.key, &["09121234567"]).problem(401, 401);
    world.settle(GONE_MS);
    assert_gone(&world, &shop);
    assert_nothing_personal(&world);
    assert_eq!(books(&world, &shop), (ledger, usage));
    let shown = world.look(&shop.path(""));
    shown.has(json!({"status": "INACTIVE", "sendingEnabled": false, "defaultLine": null, "username": "shop"}));
    assert!(is_closed(&world, &shop));
    let listed = world.look("/admin/accounts");
    assert_eq!(listed.json["data"][0]["closedAt"], shown.json["data"]["closedAt"]);
    to_end(nightly::run(&world, &world.app.config));
    let checked = world.look("/admin/reconciliation");
    let found = &checked.items()[0]["now"];
    assert_eq!(
        found,
        &json!({"checkedAt": found["checkedAt"], "differences": [], "unchecked": []})
    );
}

#[test]
fn closing_again_answers_the_same_and_changes_nothing() {
    let (world, shop) = World::with_account(0);
    close(&world, &shop).expect(204);
    let closed = world.look(&shop.path("")).text("/data/closedAt");
    world.settle(DAY_MS);
    close(&world, &shop).expect(204);
    world.settle(DAY_MS);
    assert_eq!(world.look(&shop.path("")).text("/data/closedAt"), closed);
    assert_eq!(
        world.number(&shop, "SELECT count(*) FROM closing WHERE due_ms IS NULL"),
        1
    );
    world.delete(&world.admin_key, "/admin/accounts/none").problem(404, 404);
    world
        .delete(&world.admin_key, "/admin/accounts/operator")
        .problem(404, 404);
}

#[test]
fn an_account_with_money_or_with_something_under_way_stays_open() {
    let (world, shop) = World::with_account(5_000);
    let refused = close(&world, &shop).refused(409);
    assert!(
        refused
            .text("/detail")
            .starts_with("The account has 5000 IRR available and 0 IRR reserved"),
        "{}",
        refused.body
    );
    let later = json!({"message": "x", "recipients": ["09121234567"], "sendAt": "2026-01-02T12:00:00Z"});
    world.posted(&shop.key, "/sms/send", later);
    take_out(&world, &shop);
    let refused = close(&world, &shop).refused(409);
    let told = "0 IRR available and 1000 IRR reserved, and 1 recipients of it have no ending.";
    assert!(refused.text("/detail").contains(told), "{}", refused.body);
    world.bare_post(&world.admin_key, &shop.path("/cancel")).expect(200);
    close(&world, &shop).refused(409);
    assert!(!is_closed(&world, &shop));
    assert_eq!(
        world.balance(&shop.key),
        (1_000, 0),
        "what was canceled is paid back first"
    );
    take_out(&world, &shop);
    close(&world, &shop).expect(204);
}

#[test]
fn what_a_carrier_has_not_reported_is_waited_for() {
    let (world, shop) = World::with_account(1_000);
    world.report_later(10);
    world.reports_are_lost.set(true);
    world.sent(&shop.key, &["09121234567"]);
    world.settle(10 * SECOND_MS);
    let refused = close(&world, &shop).refused(409);
    assert!(
        refused.text("/detail").contains("1 recipients of it have no ending"),
        "{}",
        refused.body
    );
    assert_eq!(world.balance(&shop.key), (0, 0));
    world.reports_are_lost.set(false);
    world.settle(HOUR_MS);
    close(&world, &shop).expect(204);
}

#[test]
fn every_other_change_of_a_closed_account_is_refused() {
    let (mut world, shop) = World::with_account(0);
    world.app.config.credit_approval_above = Some(1_000);
    let keys = ["first", "second"].map(|title| {
        let new = json!({"title": title, "scopes": ["admin"]});
        world.posted(&world.admin_key, "/admin/keys", new).text("/data/key")
    });
    let waits = world
        .post(&keys[0], &shop.path("/credit"), json!({"amount": 2_000}))
        .expect(202);
    let member = json!({"phone": "09161234567", "name": "Sara", "role": "SENDER", "invite": false});
    let member_id = world.posted(&shop.key, "/members", member.clone()).text("/data/id");
    close(&world, &shop).expect(204);
    let told = "The account was closed for good, and nothing of it can be changed. Its ledger and its usage can still be read.";
    for (method, rest, body) in [
        ("PATCH", "", json!({"fullName": "x"})),
        ("PATCH", "", json!({"status": "ACTIVE"})),
        ("POST", "/credit", json!({"amount": 5})),
        ("POST", "/cancel", json!({})),
        ("PUT", "/low-balance", json!({"lowBalance": 5})),
        ("POST", "/restore", json!({"at": "2026-01-01T11:00:00Z", "reason": "x"})),
        ("POST", "/keys", json!({"title": "x"})),
        ("DELETE", &format!("/keys/{}", shop.key_id), json!({})),
        ("POST", &format!("/keys/{}/rotate", shop.key_id), json!({})),
        ("POST", "/members", member),
        ("POST", &format!("/members/{member_id}/invitation"), json!({})),
        ("DELETE", &format!("/members/{member_id}"), json!({})),
        ("POST", "/console-link", json!({})),
    ] {
        let answer = world.admin(method, &shop.path(rest), body).problem(409, 409);
        assert_eq!(answer.text("/detail"), told, "{method} {rest}");
    }
    let approve = format!("/admin/credits/{}/approve", waits.text("/data/id"));
    world.post(&keys[1], &approve, json!({})).problem(409, 409);
    let line = json!({"number": "3000", "carrier": "sandbox", "operations": ["WEBSERVICE"], "accounts": [shop.id]});
    world.admin("POST", "/admin/lines", line).problem(422, 422);
    let inbound = json!({"account": shop.id});
    world
        .admin("PUT", "/admin/lines/10001/inbound", inbound)
        .problem(422, 422);
    assert_eq!(world.look(&shop.path("")).int("/data/wallet/availableBalance"), 0);
    assert_eq!(world.look(&shop.path("")).text("/data/fullName"), "A Shop");
}

#[test]
fn the_object_refuses_a_change_that_has_passed_the_directory_before_the_closing() {
    let (world, shop) = World::with_account(0);
    close(&world, &shop).expect(204);
    world.db.run("UPDATE account SET closed_ms = NULL");
    world
        .admin("PATCH", &shop.path(""), json!({"status": "ACTIVE"}))
        .problem(409, 409);
    world
        .admin("POST", &shop.path("/credit"), json!({"amount": 5}))
        .problem(409, 409);
    world
        .admin("POST", &shop.path("/keys"), json!({"title": "x"}))
        .problem(409, 409);
    world.settle(MINUTE_MS);
    assert_eq!(
        world.db.texts("SELECT count(closed_ms) || '' FROM account"),
        ["1"],
        "the object tells it again"
    );
}

#[test]
fn its_lines_are_free_for_others() {
    let (world, shop) = World::with_account(MONEY);
    let other = world.account("other", MONEY);
    fill(&world, &shop);
    close(&world, &shop).expect(204);
    world.settle(MINUTE_MS);
    world.change("/admin/lines/3000", json!({"accounts": [other.id]}));
    world
        .admin("PUT", "/admin/lines/3000/inbound", json!({"account": other.id}))
        .expect(200);
    world.settle(MINUTE_MS);
    text_from_phone(&world, "3000");
    assert_eq!(world.all(&other.key, "/inbound").len(), 1);
    assert_eq!(world.count(&shop, "inbound"), 0);
    assert_eq!(world.balance(&other.key), (MONEY, 0));
    world.sent(&other.key, &["09121234567"]);
}

#[test]
fn late_reports_and_messages_from_phones_find_nobody_and_break_nothing() {
    let (world, shop) = World::with_account(1_000);
    world.sent(&shop.key, &["09121234567"]);
    world.settle(MINUTE_MS);
    close(&world, &shop).expect(204);
    world.settle(2 * HOUR_MS);
    let report = Deliver {
        carrier: "sandbox".to_owned(),
        reports: vec![DeliveryReport {
            message: 1,
            status: RecipientStatus::Undelivered,
            indexes: vec![0],
            cause: None,
            is_presumed: false,
        }],
        asks_for_waits: false,
    };
    let moved = to_end(ask(&world, &shop.id, None, None, &report)).unwrap();
    assert_eq!(moved.outcome.unwrap(), Delivered::Moved(Some(0)));
    let message = Receive {
        uid: "019b796d-0000-7000-8000-000000000001".to_owned(),
        carrier: "sandbox".to_owned(),
        carrier_id: None,
        line: "10001".to_owned(),
        sender: "+989131234567".to_owned(),
        text: "hello".to_owned(),
        is_cut: false,
        choice: None,
        confirmation: None,
        received_ms: world.now_ms.get(),
    };
    let taken = to_end(ask(&world, &shop.id, None, None, &message)).unwrap();
    assert!(taken.outcome.is_ok(), "the carrier keeps it no longer");
    assert_eq!(world.count(&shop, "inbound"), 0);
    world.settle(HOUR_MS);
    assert_gone(&world, &shop);
}

#[test]
fn the_invitation_and_the_link_of_a_closed_account_open_nothing() {
    let (world, shop) = World::with_account(0);
    let link = world
        .bare_post(&world.admin_key, &shop.path("/console-link"))
        .expect(201);
    let code = link.text("/data/code");
    close(&world, &shop).expect(204);
    world.enter(&code).problem(422, 422);
    world.settle(DAY_MS);
    world.enter(&code).problem(422, 422);
    assert_eq!(world.count(&shop, "api_key"), 0);
}

#[test]
fn a_closing_that_breaks_off_anywhere_is_brought_to_its_end() {
    for steps in 0..30 {
        let (world, shop) = World::with_account(MONEY);
        fill(&world, &shop);
        close(&world, &shop).expect(204);
        world.steps_left.set(Some(steps));
        world.settle(SECOND_MS);
        world.kill();
        world.settle(GONE_MS);
        assert_gone(&world, &shop);
        assert_nothing_personal(&world);
    }
}

#[test]
fn a_closing_goes_on_whatever_fails_meanwhile() {
    for seed in 0..8 {
        let (mut world, shop) = World::with_account(MONEY);
        fill(&world, &shop);
        world.dice = Dice::new(seed);
        close(&world, &shop).expect(204);
        world.chaos.set(3);
        world.settle(10 * MINUTE_MS);
        world.chaos.set(0);
        world.kill();
        world.settle(GONE_MS);
        assert_gone(&world, &shop);
        assert!(is_closed(&world, &shop));
    }
}

#[test]
fn what_a_request_writes_that_began_before_the_closing_goes_in_the_second_pass() {
    let (world, shop) = World::with_account(0);
    close(&world, &shop).expect(204);
    world.settle(MINUTE_MS);
    let late = [shop.id.as_str().into()];
    world
        .db
        .run_with("INSERT INTO line_account (line, account) VALUES ('10001', ?1)", &late);
    world.db.run_with(
        "INSERT INTO phonebook (id, account, title, columns, count, deleted, created_ms) VALUES ('late', ?1, 'Sara', '[]', 0, 0, 0)",
        &late,
    );
    world.settle(2 * HOUR_MS);
    assert_gone(&world, &shop);
}
