//! Signing in to the console by phone and by link: who has the code gets a session of the member, once, and nobody learns who is a
//! member.

use futures_util::future::join_all;
use peyk::base::time;
use serde_json::{Value, json};

use crate::support::console_sessions::{cookie, ticket};
use crate::support::time::DAY_MS;
use crate::support::{Account, Answer, World, to_end_in_time};

pub const SARA: &str = "+989121234567";
const MINUTE_MS: i64 = 60_000;

/// A world in which the account `shop` sends the codes, over a gateway that shows what people get.
pub fn world() -> (World, Account) {
    let (mut world, shop) = World::with_account(1_000_000);
    world.app.config.sign_in_account = Some("shop".to_owned());
    let world = world.with_secrets();
    world.add_gateway("kannel", "20002", "KANNEL");
    world.change_account(&shop, json!({"defaultLine": "20002"}));
    world.advance(31_000);
    (world, shop)
}

/// Admits a person, who hears nothing of it.
pub fn name(world: &World, shop: &Account, role: &str) -> String {
    let person = json!({"phone": SARA, "name": "Sara", "role": role, "invite": false});
    world.create(&shop.path("/members"), person).text("/data/id")
}

/// Admits a person, who accepts the invitation and signs out.
pub fn admit(world: &World, shop: &Account, role: &str) -> String {
    let person = json!({"phone": SARA, "name": "Sara", "role": role});
    let id = world.create(&shop.path("/members"), person).text("/data/id");
    let session = cookie(&world.enter(&link_in(&texts(world).pop().unwrap())).expect(204));
    let end = world.request("DELETE", "/console/session").session(&session).send();
    end.expect(204);
    world.settle(1_000);
    id
}

/// The code of the link in a text.
pub fn link_in(text: &str) -> String {
    text.split_once("#/sign-in?invitation=").unwrap().1.to_owned()
}

/// The browser of the tests that have one only.
const OWN: u8 = 1;
const NETWORK: &str = "203.0.113.7";

pub fn start_in(world: &World, browser: u8, address: &str, phone: &str) -> Answer {
    let request = world.request("POST", "/console/sign-in").json(json!({"phone": phone}));
    request.browser(browser).from(address).send()
}

pub fn check_in(world: &World, browser: u8, address: &str, body: Value) -> Answer {
    let request = world.request("POST", "/console/sign-in/check").json(body);
    request.browser(browser).from(address).send()
}

pub fn start(world: &World, phone: &str) -> Answer {
    start_in(world, OWN, "127.0.0.1", phone)
}

pub fn check(world: &World, body: Value) -> Answer {
    check_in(world, OWN, "127.0.0.1", body)
}

/// The texts that people have got since the last look.
pub fn texts(world: &World) -> Vec<String> {
    world.settle(1_000);
    let messages = world.gateway.take();
    messages.iter().map(|message| message.get("text").to_owned()).collect()
}

pub fn code_in(text: &str) -> String {
    let runs = text.split(|char: char| !char.is_ascii_digit());
    runs.max_by_key(|run| run.len()).unwrap_or_default().to_owned()
}

/// Asks for a code and reads it off the phone.
pub fn code(world: &World) -> String {
    start(world, "09121234567").expect(201);
    code_in(&texts(world).pop().unwrap())
}

/// Signs in with a code, to this account if there is a choice.
pub fn signed_in(world: &World, account: Option<&str>) -> String {
    let code = code(world);
    cookie(&check(world, json!({"phone": SARA, "code": code, "account": account})).expect(204))
}

fn wrong(code: &str) -> String {
    let first = if code.starts_with('0') { '1' } else { '0' };
    format!("{first}{}", &code[1..])
}

fn told(world: &World, session: &str) -> Answer {
    world.page(session, "/console/session")
}

#[test]
fn a_member_signs_in_with_the_code_that_the_phone_shows_once() {
    let (world, shop) = world();
    let member = admit(&world, &shop, "SENDER");
    let now_ms = world.now_ms.get();
    let asked = start(&world, "0912 123 4567").expect(201);
    let ends = time::to_rfc3339(now_ms + 3 * MINUTE_MS);
    asked.has(json!({"phone": SARA, "expiresAt": ends, "resendAt": time::to_rfc3339(now_ms + 30_000)}));
    let texts = texts(&world);
    assert_eq!(texts.len(), 1);
    let code = code_in(&texts[0]);
    let body = json!({"phone": SARA, "code": code});
    let answer = check(&world, body.clone()).expect(204);
    let session = cookie(&answer);
    let told = told(&world, &session).expect(200);
    let info = world.page(&session, "/account/info");
    let full_name = info.text("/data/accountInfo/fullName");
    told.has(json!({
        "title": "Sara", "role": "CUSTOMER", "mode": "live", "lines": null,
        "account": {"id": shop.id, "username": "shop", "fullName": full_name, "timeZone": "Asia/Tehran"},
        "accounts": [{"id": shop.id, "username": "shop", "fullName": full_name}],
    }));
    let text = json!({"message": "x", "recipients": ["09121234568"]});
    world
        .request("POST", "/sms/send")
        .session(&session)
        .json(text)
        .send()
        .expect(201);
    world.page(&session, "/keys").refused(403);
    check(&world, body).problem(422, 422).points_at(&["/code"]);
    world.settle(10_000);
    let entries = world.look(&format!("/admin/audit?account={}&operation=CheckSignIn", shop.id));
    let [entry] = entries.items().as_slice() else {
        panic!("{}", entries.body)
    };
    assert_eq!(entry["actor"]["key"], json!(member));
    assert_eq!(entry["after"]["sessionOf"], json!(member));
    assert!(!entry.to_string().contains("9121234567"), "no number stands in the log");
}

#[test]
fn nobody_learns_who_is_a_member() {
    let (world, shop) = world();
    let known = |answer: Answer| {
        let mut document = answer.json.clone();
        document["meta"] = json!(null);
        document["data"]["phone"] = json!(null);
        (answer.response.status, document)
    };
    let nobody = known(start(&world, SARA));
    let no_code = known(check(&world, json!({"phone": SARA, "code": "123456"})));
    assert_eq!(texts(&world), Vec::<String>::new());
    admit(&world, &shop, "OWNER");
    world.advance(-1_000);
    assert_eq!(known(start(&world, SARA)).0, nobody.0);
    let code = code_in(&texts(&world).pop().unwrap());
    assert_eq!(
        known(check(&world, json!({"phone": SARA, "code": wrong(&code)}))),
        no_code
    );
    // The code is on its way already.
    assert_eq!(known(start(&world, SARA)).0, 201);
    assert_eq!(texts(&world), Vec::<String>::new());
    check(&world, json!({"phone": SARA, "code": code})).expect(204);
}

#[test]
fn while_codes_cannot_be_checked_members_and_others_get_the_same_answer() {
    let (world, shop) = world();
    admit(&world, &shop, "OWNER");
    world.sql(&shop.id).fail("FROM sign_in", 100);
    for phone in [SARA, "+989121234999"] {
        check(&world, json!({"phone": phone, "code": "123456"})).problem(503, 503);
    }
}

#[test]
fn the_object_that_sends_codes_is_asked_about_members_and_others_alike() {
    let (world, shop) = world();
    admit(&world, &shop, "OWNER");
    let calls = |phone: &str| {
        let before = world.calls.get();
        start(&world, phone).expect(201);
        world.calls.get() - before
    };
    let nobody = "+989121234999";
    assert_eq!(calls(nobody), calls(SARA));
    assert_eq!(texts(&world).len(), 1);
    assert_eq!(world.sql(&shop.id).count("sign_in WHERE msisdn = 989121234999"), 0);
    // An object that does not answer is told to the log, and of members only: strangers write no lines there.
    world.advance(10 * MINUTE_MS);
    world.sql(&shop.id).fail("FROM sign_in", 100);
    world.log.borrow_mut().clear();
    assert_eq!(calls(nobody), calls(SARA));
    let log = world.log.borrow();
    let told = log.iter().filter(|line| line.contains("sign_in_code")).count();
    assert_eq!(told, 1, "{log:?}");
}

#[test]
fn the_log_of_strangers_has_nothing_of_the_phones_that_were_tried() {
    let (world, shop) = world();
    admit(&world, &shop, "OWNER");
    start_in(&world, 9, NETWORK, SARA).expect(201);
    check_in(&world, 9, NETWORK, json!({"phone": SARA, "code": "000000"})).problem(422, 422);
    world.advance(2 * MINUTE_MS);
    start_in(&world, 9, NETWORK, SARA).expect(201);
    let log = world.log.borrow().join("\n");
    assert!(world.has_logged("strangers") && log.contains(NETWORK), "{log}");
    for form in [SARA, "09121234567", "989121234567"] {
        assert!(!log.contains(&peyk::auth::digest(form)[..8]), "{log}");
    }
}

#[test]
fn five_wrong_codes_end_a_code_and_so_do_three_minutes() {
    let (world, shop) = world();
    admit(&world, &shop, "OWNER");
    let first = code(&world);
    for _ in 0..5 {
        check(&world, json!({"phone": SARA, "code": wrong(&first)}))
            .problem(422, 422)
            .points_at(&["/code"]);
    }
    check(&world, json!({"phone": SARA, "code": first})).problem(422, 422);
    world.advance(MINUTE_MS);
    let second = code(&world);
    world.advance(3 * MINUTE_MS);
    check(&world, json!({"phone": SARA, "code": second})).problem(422, 422);
    assert_eq!(world.sql(&shop.id).count("api_key WHERE session_of IS NOT NULL"), 0);
}

#[test]
fn who_asks_too_often_from_elsewhere_is_kept_out_whether_the_phone_is_a_member_or_not() {
    for is_member in [false, true] {
        let (world, shop) = world();
        if is_member {
            admit(&world, &shop, "VIEWER");
        }
        let ask = || {
            world
                .request("POST", "/console/sign-in")
                .json(json!({"phone": SARA}))
                .from(NETWORK)
        };
        let answers = to_end_in_time(&world, join_all((0..200).map(|_| ask().answer())));
        let admitted = answers.iter().filter(|answer| answer.response.status == 201).count();
        assert!(admitted < 200 && texts(&world).len() <= 3, "{is_member}");
        ask().send().problem(429, 429);
        start(&world, SARA).expect(201);
    }
}

#[test]
fn no_request_of_the_api_reaches_a_code_to_sign_in_with_and_no_code_of_its_own_signs_in() {
    let (world, shop) = world();
    admit(&world, &shop, "OWNER");
    let key = world
        .grant(&shop, json!({"title": "codes", "scopes": ["verify"]}))
        .text("/data/key");
    for purpose in ["console", "sign-in", "login"] {
        let wanted = json!({"recipient": SARA, "purpose": purpose, "codeLength": 4, "maxAttempts": 10});
        let started = world.posted(&key, "/verify", wanted);
        let short = code_in(&texts(&world).pop().unwrap());
        assert_eq!(short.len(), 4);
        check(&world, json!({"phone": SARA, "code": short}))
            .problem(422, 422)
            .points_at(&["/code"]);
        world
            .delete(&key, &format!("/verify/{}", started.text("/data/id")))
            .expect(200);
        world.advance(2 * MINUTE_MS);
    }
    let own = code(&world);
    assert_eq!(own.len(), 6, "what the verifications had asked for changes nothing");
    for purpose in ["console", "sign-in", "login"] {
        let body = json!({"recipient": SARA, "purpose": purpose, "code": own});
        let answer = world.post(&key, "/verify/check", body);
        assert!(
            answer.response.status == 422 || answer.text("/data/status") != "APPROVED",
            "{}",
            answer.body
        );
    }
    let message = world.read(&shop.key, "/messages?type=SIGN_IN");
    assert_eq!(message.items().len(), 2, "the invitation, and the code");
    assert!(!message.body.contains(&own), "the code stands nowhere");
    let stats = world.read(&key, "/verify/stats?by=day");
    assert_eq!(stats.int("/data/rows/0/started"), 3, "{}", stats.body);
    check(&world, json!({"phone": SARA, "code": own})).expect(204);
}

#[test]
fn a_stranger_neither_ends_the_code_of_the_owners_browser_nor_uses_up_its_tries() {
    let (world, shop) = world();
    admit(&world, &shop, "OWNER");
    let own = code(&world);
    for browser in 10..20 {
        start_in(&world, browser, NETWORK, SARA).expect(201);
        for _ in 0..5 {
            let guess = json!({"phone": SARA, "code": wrong(&own)});
            check_in(&world, browser, NETWORK, guess).problem(422, 422);
        }
    }
    // The code of one browser is of no use in another one, and two of one network leave some to others.
    check_in(&world, 10, NETWORK, json!({"phone": SARA, "code": own})).problem(422, 422);
    assert!(texts(&world).len() <= 3);
    check(&world, json!({"phone": SARA, "code": own})).expect(204);
}

/// Guesses codes from a network until it is kept out.
fn flood(world: &World, browser: u8) {
    let guess = || {
        let request = world.request("POST", "/console/sign-in/check");
        request
            .browser(browser)
            .from(NETWORK)
            .json(json!({"phone": SARA, "code": "000000"}))
    };
    to_end_in_time(world, join_all((0..70).map(|_| guess().answer())));
    guess().send().problem(429, 429);
}

#[test]
fn a_stranger_in_the_same_network_keeps_out_no_browser_that_has_begun_or_was_let_in() {
    let (world, shop) = world();
    admit(&world, &shop, "OWNER");
    let ask = |path: &str, browser: u8, ticket: &str, body: Value| {
        let request = world
            .request("POST", path)
            .browser(browser)
            .ticket(ticket)
            .from(NETWORK);
        request.json(body).send()
    };
    let started = start_in(&world, OWN, NETWORK, SARA).expect(201);
    let first = ticket(&started).unwrap();
    let code = code_in(&texts(&world).pop().unwrap());
    flood(&world, 9);
    let right = json!({"phone": SARA, "code": code});
    // A new browser has to wait, also with what was made for another one, or was made up.
    for (browser, ticket) in [(OWN, ""), (3, first.as_str()), (OWN, "AAAA"), (OWN, &first[1..])] {
        ask("/console/sign-in/check", browser, ticket, right.clone()).problem(429, 429);
    }
    let entered = ask("/console/sign-in/check", OWN, &first, right).expect(204);
    let known = ticket(&entered).unwrap();
    assert_ne!(known, first);
    // The member's own session goes on, too, in an isolate that does not know it.
    world.app.keys.forget(&peyk::auth::digest(&cookie(&entered)));
    let read = |ticket: &str| {
        let request = world.request("GET", "/console/session").session(&cookie(&entered));
        request.browser(OWN).ticket(ticket).from(NETWORK).send().response.status
    };
    assert_eq!((read("AAAA"), read(&known)), (429, 200));
    world.advance(10 * MINUTE_MS);
    flood(&world, 9);
    let wanted = json!({"phone": SARA});
    ask("/console/sign-in", OWN, &first, wanted.clone()).problem(429, 429);
    let again = ask("/console/sign-in", OWN, &known, wanted.clone()).expect(201);
    assert_eq!(ticket(&again), None, "it has a better one");
    let code = code_in(&texts(&world).pop().unwrap());
    // Who guesses in a known browser keeps that out, and nobody else.
    let wrong = json!({"phone": SARA, "code": wrong(&code)});
    let guess = || {
        let request = world
            .request("POST", "/console/sign-in/check")
            .browser(OWN)
            .ticket(&known);
        request.from(NETWORK).json(wrong.clone())
    };
    to_end_in_time(&world, join_all((0..70).map(|_| guess().answer())));
    guess().send().problem(429, 429);
    world.advance(2 * MINUTE_MS);
    ask("/console/sign-in", OWN, &known, wanted.clone()).expect(201);
    world.advance(90 * DAY_MS);
    flood(&world, 9);
    ask("/console/sign-in", OWN, &known, wanted).problem(429, 429);
}

#[test]
fn a_service_without_its_secret_lets_people_in_by_links() {
    let (world, shop) = World::with_account(1_000);
    world.set("SECRET_KEY", None);
    let made = world.post(&shop.key, "/console/link", json!({})).expect(201);
    let entered = world.enter(&made.text("/data/code")).expect(204);
    assert_eq!(ticket(&entered), None);
    told(&world, &cookie(&entered)).expect(200);
}

#[test]
fn a_browser_in_which_the_person_has_signed_in_gets_its_code_whatever_strangers_ask_for() {
    let (world, shop) = world();
    admit(&world, &shop, "OWNER");
    signed_in(&world, None);
    world.advance(10 * MINUTE_MS);
    for network in 1..=12 {
        start_in(&world, 10 + network, &format!("198.51.100.{network}"), SARA).expect(201);
    }
    let sent = texts(&world).len();
    assert_eq!(sent, 5, "all strangers together");
    start_in(&world, 99, "192.0.2.1", SARA).expect(201);
    assert_eq!(texts(&world), Vec::<String>::new(), "a new browser has to wait");
    let session = signed_in(&world, None);
    told(&world, &session).expect(200);
}

#[test]
fn what_keeps_a_code_from_being_sent_is_for_the_log_alone() {
    let (world, shop) = world();
    admit(&world, &shop, "OWNER");
    let key = world
        .grant(&shop, json!({"title": "list", "scopes": ["blacklist"]}))
        .text("/data/key");
    world.post(&key, "/blacklist", json!({"numbers": [SARA]})).expect(201);
    let known = |answer: Answer| {
        let mut document = answer.json.clone();
        document["meta"] = json!(null);
        document["data"] = json!(null);
        (answer.response.status, document)
    };
    let nobody = known(start(&world, "+989121234999"));
    world.log.borrow_mut().clear();
    assert_eq!(known(start(&world, SARA)), nobody);
    assert!(world.has_logged("sign_in_code"));
    let log = world.log.borrow().join("\n");
    assert!(!log.contains("9121234567"), "{log}");
    assert_eq!(texts(&world), Vec::<String>::new());
}

#[test]
fn without_an_account_that_sends_codes_nobody_signs_in_by_phone() {
    let (mut world, shop) = World::with_account(1_000_000);
    name(&world, &shop, "OWNER");
    start(&world, SARA).problem(409, 409);
    check(&world, json!({"phone": SARA, "code": "123456"})).problem(409, 409);
    world.app.config.sign_in_account = Some("nobody".to_owned());
    start(&world, SARA).problem(503, 503);
}

#[test]
fn while_sending_is_off_the_answer_is_the_same_and_the_log_says_why() {
    let (world, shop) = world();
    admit(&world, &shop, "OWNER");
    world.change_account(&shop, json!({"sendingEnabled": false}));
    start(&world, SARA).expect(201);
    assert!(world.has_logged("SmsSendNotAllowed"));
    start(&world, "12").problem(422, 422).points_at(&["/phone"]);
    check(&world, json!({"phone": SARA, "code": "x"}))
        .problem(422, 422)
        .points_at(&["/code"]);
}

#[test]
fn a_phone_of_several_accounts_chooses_one_and_goes_over_to_another() {
    let (world, shop) = world();
    admit(&world, &shop, "VIEWER");
    let other = world.account("other", 5_000);
    world.change_account(&other, json!({"defaultLine": "20002"}));
    world.advance(31_000);
    admit(&world, &other, "OWNER");
    let session = signed_in(&world, Some(&other.id));
    let choices = told(&world, &session).expect(200);
    let ids: Vec<&Value> = choices.json["data"]["accounts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["id"])
        .collect();
    assert_eq!(ids, [&json!(other.id), &json!(shop.id)]);
    assert_eq!(
        [choices.text("/data/member/phone"), choices.text("/data/member/role")],
        [SARA, "OWNER"]
    );
    let ends = choices.text("/data/expiresAt");
    world.advance(MINUTE_MS);
    let switch = |session: &str, account: &str| {
        let body = json!({"account": account});
        world
            .request("POST", "/console/session/switch")
            .session(session)
            .json(body)
            .send()
    };
    switch(&session, "none").problem(404, 404);
    let over = cookie(&switch(&session, &shop.id).expect(204));
    told(&world, &session).refused(401);
    let now = told(&world, &over).expect(200);
    assert_eq!(
        [now.text("/data/member/role"), now.text("/data/expiresAt")],
        ["VIEWER".to_owned(), ends]
    );
    // The session of a key has nowhere to go.
    switch(&world.signed_in(&shop.key), &other.id).problem(404, 404);
}

#[test]
fn an_account_that_lets_nobody_in_keeps_nobody_from_the_others() {
    let (world, shop) = world();
    admit(&world, &shop, "OWNER");
    // By its name it comes first.
    let first = world.account("a-first", 5_000);
    world.change_account(&first, json!({"defaultLine": "20002"}));
    world.advance(31_000);
    admit(&world, &first, "OWNER");
    let limit = json!({"limit": 1, "windowSeconds": 86_400, "burst": 1});
    world.change_account(&first, json!({"rateLimit": limit}));
    world.get(&first.key, "/lines");
    // The member has a reserve of its own, and uses it up, too.
    let in_first = signed_in(&world, Some(&first.id));
    let used_up = || {
        let reads = (0..30).map(|_| told(&world, &in_first).response.status);
        assert_eq!(reads.last(), Some(429));
    };
    world.advance(2 * MINUTE_MS);
    let ours = code(&world);
    used_up();
    let session = cookie(&check(&world, json!({"phone": SARA, "code": ours})).expect(204));
    assert_eq!(told(&world, &session).text("/data/account/id"), shop.id);
    world.advance(10 * MINUTE_MS);
    let code = code(&world);
    used_up();
    check(&world, json!({"phone": SARA, "code": code, "account": first.id})).refused(429);
}

/// Who may erase numbers from the account that sends the codes ends no code, and gives nobody more tries.
#[test]
fn an_erasure_leaves_a_code_and_its_limits_until_their_day_is_over() {
    let (world, shop) = world();
    admit(&world, &shop, "OWNER");
    let privacy = json!({"title": "privacy", "scopes": ["erasure"]});
    let privacy = world.grant(&shop, privacy).text("/data/key");
    let code = code(&world);
    for _ in 0..4 {
        check(&world, json!({"phone": SARA, "code": wrong(&code)})).refused(422);
    }
    let order = world.post(&privacy, "/erasures", json!({"number": SARA})).expect(202);
    world.settle(MINUTE_MS);
    let fifth = json!({"phone": SARA, "code": wrong(&code)});
    check(&world, fifth).refused(422);
    check(&world, json!({"phone": SARA, "code": code})).refused(422);
    let path = format!("/erasures/{}", order.text("/data/id"));
    let status = || world.read(&privacy, &path).text("/data/status");
    world.settle(3 * 60 * MINUTE_MS);
    assert_eq!((status(), world.count(&shop, "sign_in")), ("RUNNING".to_owned(), 1));
    world.settle(24 * 60 * MINUTE_MS);
    assert_eq!((status(), world.count(&shop, "sign_in")), ("DONE".to_owned(), 0));
}

#[test]
fn who_is_let_go_is_out_at_once_and_who_gets_another_role_signs_in_anew() {
    let (world, shop) = world();
    let id = admit(&world, &shop, "OWNER");
    let session = signed_in(&world, None);
    let path = format!("/members/{id}");
    let own = world
        .request("DELETE", &path)
        .session(&session)
        .send()
        .problem(409, 409);
    assert_eq!(
        own.text("/detail"),
        "This is yourself; let another member do it, or a key."
    );
    let renamed = world
        .request("PATCH", &path)
        .session(&session)
        .json(json!({"name": "S"}))
        .send();
    renamed.expect(200);
    told(&world, &session).expect(200);
    world
        .request("PATCH", &path)
        .session(&session)
        .json(json!({"role": "FINANCE"}))
        .send()
        .problem(409, 409);
    world
        .ask("PATCH", &shop.key, &path)
        .json(json!({"role": "FINANCE"}))
        .send()
        .expect(200);
    told(&world, &session).refused(401);
    world.advance(MINUTE_MS);
    let session = signed_in(&world, None);
    told(&world, &session).has(json!({"scopes": ["account:read"]}));
    world.admin("DELETE", &shop.path(&path), json!({})).expect(204);
    told(&world, &session).refused(401);
    world.advance(2 * MINUTE_MS);
    start(&world, SARA).expect(201);
    assert_eq!(texts(&world), Vec::<String>::new());
}

#[test]
fn what_the_directory_still_knows_of_a_member_lets_nobody_in() {
    let (world, shop) = world();
    let id = admit(&world, &shop, "OWNER");
    world
        .admin("DELETE", &shop.path(&format!("/members/{id}")), json!({}))
        .expect(204);
    let kept = "INSERT INTO member (phone, account, id) VALUES (989121234567, ?1, ?2)";
    world.db.run_with(kept, &[shop.id.as_str().into(), id.as_str().into()]);
    let code = code(&world);
    check(&world, json!({"phone": SARA, "code": code})).problem(422, 422);
    world.advance(2 * MINUTE_MS);
    start(&world, SARA).expect(201);
    assert_eq!(
        texts(&world),
        Vec::<String>::new(),
        "the directory has forgotten the phone"
    );
}

/// A code takes time to send and to check, but the answer comes when that of somebody else comes.
#[test]
fn how_long_an_answer_takes_does_not_tell_who_is_a_member() {
    let (world, shop) = world();
    admit(&world, &shop, "VIEWER");
    let timed = |ask: &dyn Fn() -> Answer, status: u16| {
        let begin_ms = world.now_ms.get();
        ask().expect(status);
        world.now_ms.get() - begin_ms
    };
    for phone in [SARA, "+989121234568"] {
        assert_eq!(timed(&|| start(&world, phone), 201), 1_000, "{phone}");
        let body = json!({"phone": phone, "code": "000000"});
        assert_eq!(timed(&|| check(&world, body.clone()), 422), 1_000, "{phone}");
    }
}

fn link(world: &World, key: &str) -> Answer {
    world.post(key, "/console/link", json!({})).expect(201)
}

#[test]
fn a_link_opens_one_session_of_its_key() {
    let (world, shop) = world();
    let made = link(&world, &shop.key);
    let code = made.text("/data/code");
    assert!(
        made.text("/data/url")
            .ends_with(&format!("/console#/sign-in?code={code}"))
    );
    assert_eq!(
        made.text("/data/expiresAt"),
        time::to_rfc3339(world.now_ms.get() + 10 * MINUTE_MS)
    );

    world.get(&code, "/console/session").refused(401);
    told(&world, &code).refused(401);
    let session = cookie(&world.enter(&code).expect(204));
    let known = told(&world, &session).expect(200);
    known.has(json!({"role": "CUSTOMER", "member": null, "accounts": []}));
    world.enter(&code).problem(422, 422).points_at(&["/code"]);
    world.settle(10_000);
    let entries = world.look(&format!("/admin/audit?account={}&operation=UseConsoleLink", shop.id));
    assert_eq!(entries.items()[0]["actor"]["key"], json!(shop.key_id));
    let revoke = shop.path(&format!("/keys/{}", shop.key_id));
    world.admin("DELETE", &revoke, json!({})).expect(204);
    told(&world, &session).refused(401);
}

#[test]
fn a_link_ends_with_its_time_and_with_its_key() {
    let (world, shop) = world();
    let late = link(&world, &shop.key).text("/data/code");
    world.advance(10 * MINUTE_MS);
    world.enter(&late).problem(422, 422).points_at(&["/code"]);
    let lasting = world
        .post(&shop.key, "/console/link", json!({"ttlSeconds": 86_400}))
        .expect(201);
    assert_eq!(
        lasting.text("/data/expiresAt"),
        time::to_rfc3339(world.now_ms.get() + 24 * 60 * MINUTE_MS)
    );
    let orphan = link(&world, &shop.key).text("/data/code");
    world
        .admin("DELETE", &shop.path(&format!("/keys/{}", shop.key_id)), json!({}))
        .expect(204);
    world.enter(&orphan).problem(422, 422).points_at(&["/code"]);
    world
        .enter(&lasting.text("/data/code"))
        .problem(422, 422)
        .points_at(&["/code"]);
    world.enter("peyk_link_x").problem(422, 422).points_at(&["/code"]);
    world
        .post(&shop.key, "/console/link", json!({"ttlSeconds": 59}))
        .problem(401, 401);
}

#[test]
fn a_session_makes_no_link() {
    let (world, shop) = world();
    let session = world.signed_in(&shop.key);
    let asked = world
        .request("POST", "/console/link")
        .session(&session)
        .json(json!({}))
        .send();
    asked.problem(401, 401);
    let faulty = world
        .post(&shop.key, "/console/link", json!({"ttlSeconds": 59}))
        .problem(422, 422);
    faulty.points_at(&["/ttlSeconds"]);
}

#[test]
fn an_operator_looks_at_an_account_for_an_hour_and_the_account_sees_it() {
    let (world, shop) = world();
    let made = world.create(&shop.path("/console-link"), json!({}));
    let session = cookie(&world.enter(&made.text("/data/code")).expect(204));
    let known = told(&world, &session).expect(200);
    known.has(json!({"title": "operator (looks only)", "role": "CUSTOMER", "scopes": ["sms:read", "account:read"]}));
    world.page(&session, "/messages").expect(200);
    let text = json!({"message": "x", "recipients": ["09121234568"]});
    world
        .request("POST", "/sms/send")
        .session(&session)
        .json(text)
        .send()
        .refused(403);
    let keys = world.all(&world.admin_key, &shop.path("/keys"));
    let looks: Vec<&Value> = keys
        .iter()
        .filter(|key| key["title"] == "operator (looks only)")
        .collect();
    assert_eq!(looks.len(), 1, "the link itself is no session");
    world.settle(10_000);
    let entries = world.look(&format!("/admin/audit?account={}", shop.id));
    let operations: Vec<&Value> = entries.items().iter().map(|entry| &entry["operation"]).collect();
    assert!(operations.contains(&&json!("AdminLookAtAccount")) && operations.contains(&&json!("UseConsoleLink")));
    world.advance(60 * MINUTE_MS);
    told(&world, &session).refused(401);
    world
        .admin("POST", "/admin/accounts/none/console-link", json!({}))
        .problem(404, 404);
}
