//! What holds for every list: what its cursors may say, and how large its answers may be.

use peyk::account::OPERATOR;
use peyk::api::{http::paging, routes::Operation, routes::ROUTES, routes::Route};
use serde_json::{Value, json};

use crate::support::{Account, Answer, World};

/// How the items of a list are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    Numbers,
    Names,
}

/// A world with one of everything that has a list.
struct Lists {
    world: World,
    shop: Account,
    message: String,
    phonebook: String,
    webhook: String,
    campaign: String,
}

impl Lists {
    fn new() -> Self {
        let (world, shop) = World::with_account(1_000_000);
        let message = world.sent(&shop.key, &["09121234567"]);
        let phonebook = world.phonebook(&shop.key, "A", json!(["09121234567"]));
        let webhook = json!({"url": "https://shop.example/", "events": ["message.status"]});
        let webhook = world.posted(&shop.key, "/webhook", webhook).text("/data/id");
        let campaign = json!({"title": "A", "message": "x", "phonebooks": [phonebook]});
        let campaign = world.posted(&shop.key, "/campaigns", campaign).text("/data/id");
        Lists {
            world,
            shop,
            message,
            phonebook,
            webhook,
            campaign,
        }
    }

    fn path(&self, route: &Route) -> String {
        let path = route.path.replace("{uid}", &self.message);
        let path = path.replace("{phonebookId}", &self.phonebook);
        path.replace(
            "{id}",
            match self.is_admin(route) {
                true => &self.shop.id,
                false if route.path.starts_with("/webhook") => &self.webhook,
                false if route.path.starts_with("/campaigns") => &self.campaign,
                false => &self.phonebook,
            },
        )
        .replace("{slug}", "missing")
        .replace("{webhook}", &self.webhook)
        .replace("{number}", "10001")
    }

    fn is_admin(&self, route: &Route) -> bool {
        route.access.is_for_operators()
    }

    fn get(&self, route: &Route, query: &str) -> Answer {
        let key = match self.is_admin(route) {
            true => &self.world.admin_key,
            false => &self.shop.key,
        };
        // Each request finds a full bucket, so that it shows what it has paid.
        self.world.advance(60_000);
        self.world.get(key, &format!("{}?{query}", self.path(route)))
    }

    /// The routes that answer in pages.
    fn routes(&self) -> Vec<&'static Route> {
        let is_list =
            |route: &&Route| route.method == "GET" && self.get(route, "").json["meta"].get("nextCursor").is_some();
        ROUTES.iter().filter(is_list).collect()
    }

    /// The name that a list has in its cursors, and what its positions are. A new list needs a line here.
    fn list(&self, operation: Operation) -> (String, Order) {
        let (name, order) = match operation {
            Operation::ListMessages => ("messages", Order::Numbers),
            Operation::ListRecipients => return (format!("messages/{}", self.message), Order::Numbers),
            Operation::AdminListRecipients => return (format!("admin/messages/{}", self.message), Order::Numbers),
            Operation::ListCampaigns => ("campaigns", Order::Numbers),
            Operation::ListCampaignRecipients => return (format!("campaigns/{}", self.campaign), Order::Numbers),
            Operation::ListTransactions => ("transactions", Order::Numbers),
            Operation::ListUsage => ("usage", Order::Numbers),
            Operation::ListPhonebooks => ("phonebook", Order::Numbers),
            Operation::ListNumbers => return (format!("phonebook/{}", self.phonebook), Order::Numbers),
            Operation::ListPatterns => ("pattern", Order::Numbers),
            Operation::ListBlacklist => ("blacklist", Order::Numbers),
            Operation::ListErasures => ("erasures", Order::Numbers),
            Operation::AdminListErasures => ("erasures", Order::Numbers),
            Operation::ListInbound => ("inbound", Order::Numbers),
            Operation::AdminListUnclaimed => ("admin/inbound/unclaimed", Order::Numbers),
            Operation::AdminListMessages => {
                return (format!("admin/accounts/{}/messages", self.shop.id), Order::Numbers);
            }
            Operation::AdminListTransactions => {
                return (format!("admin/accounts/{}/transactions", self.shop.id), Order::Numbers);
            }
            Operation::AdminListWebhooks => {
                return (format!("admin/accounts/{}/webhooks", self.shop.id), Order::Names);
            }
            Operation::AdminListDeliveries => return (format!("admin/deliveries/{}", self.webhook), Order::Names),
            Operation::AdminListSandbox => return (format!("sandbox/{}", self.shop.id), Order::Numbers),
            Operation::AdminListPendingPatterns => ("admin/patterns", Order::Numbers),
            Operation::AdminListDeadLetters => ("admin/dead-letters", Order::Numbers),
            Operation::ListWebhooks => ("webhook", Order::Names),
            Operation::ListDeliveries => return (format!("deliveries/{}", self.webhook), Order::Names),
            Operation::ListLines => ("lines", Order::Names),
            Operation::AdminListAccounts => ("admin/accounts", Order::Names),
            Operation::ListKeys | Operation::AdminListKeys => return (format!("keys/{}", self.shop.id), Order::Names),
            Operation::AdminListOperatorKeys => ("keys/operator", Order::Names),
            Operation::ListMembers | Operation::AdminListAccountMembers => {
                return (format!("members/{}", self.shop.id), Order::Names);
            }
            Operation::AdminListMembers => ("members/operator", Order::Names),
            Operation::AdminListLines => ("admin/lines", Order::Names),
            Operation::AdminListCarriers => ("admin/carriers", Order::Names),
            Operation::AdminListPlans => ("admin/plans", Order::Names),
            Operation::AdminListCredits => ("admin/credits", Order::Names),
            Operation::AdminListAudit => ("admin/audit", Order::Names),
            Operation::AdminReadAuditFeed => ("admin/audit/feed", Order::Numbers),
            Operation::AdminGetUsage => ("admin/usage", Order::Names),
            Operation::AdminReconcile => ("admin/reconciliation", Order::Names),
            other => panic!("{other:?} answers in pages: say here how its cursors are made"),
        };
        (name.to_owned(), order)
    }
}

/// How many tokens are left, as the answer says.
fn left(answer: &Answer) -> i64 {
    let (_, rest) = answer.header("RateLimit").unwrap().split_once("r=").unwrap();
    rest.split(';').next().unwrap().parse().unwrap()
}

#[test]
fn a_forged_cursor_is_refused_or_finds_nothing_and_pays_like_any_other() {
    let lists = Lists::new();
    let routes = lists.routes();
    assert!(routes.len() >= 15, "{}", routes.len());
    for route in routes {
        let (list, order) = lists.list(route.operation);
        let paid = left(&lists.get(route, ""));
        let ask = |position: &str| {
            let answer = lists.get(route, &format!("cursor={}", paging::cursor(&list, position)));
            assert_eq!(left(&answer), paid, "{} {position} pays one token", route.path);
            answer
        };
        let foreign = paging::cursor("another list", "5");
        lists.get(route, &format!("cursor={foreign}")).refused(422);
        // The checksum is good: these show it.
        for position in ["0", "5", "9007199254740991"] {
            ask(position).expect(200);
        }
        for position in [
            "-1",
            "9007199254740992",
            "9007199254740993",
            "9223372036854775807",
            "-9007199254740992",
            "-9223372036854775808",
            "9223372036854775808",
            "1e3",
            "",
            "x",
        ] {
            let answer = ask(position);
            match order {
                Order::Numbers => {
                    let refused = answer.refused(422);
                    assert!(refused.extra()[0].starts_with("cursor: "), "{}", refused.body);
                }
                Order::Names => drop(answer.expect(200)),
            }
        }
        if order == Order::Names {
            for position in ["\u{0}", "'; --", "\u{10ffff}", &"x".repeat(4_000)] {
                ask(position).expect(200);
            }
        }
    }
}

const MIB: usize = 1024 * 1024;
/// The character that takes most bytes in JSON.
const LONGEST: &str = "\u{1}";

/// Fills every list with more than a page of the largest items that the limits of the API and its settings allow.
fn fill(lists: &Lists) {
    let (world, shop) = (&lists.world, &lists.shop);
    let number = |index: u32| format!("0912{index:07}");
    let own = |index: u32| json!({"recipient": number(index), "message": format!("to {index}")});
    for index in 0..210 {
        world.send(&shop.key, &[&number(index)]).expect(201);
        world.advance(1_000);
    }
    world.settle(10_000);
    let blocked: Vec<String> = (300..510).map(number).collect();
    world.posted(&shop.key, "/blacklist", json!({"numbers": blocked}));
    let bulk = json!({"messages": (0..210).map(own).collect::<Vec<_>>()});
    world.posted(&shop.key, "/sms/bulk", bulk);
    let count = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) ";
    let many = format!("{count}, few (i) AS (SELECT i FROM n WHERE i <= 210) ");
    let text = |length: usize| LONGEST.repeat(length);
    let account = world.sql(&shop.id);
    let set = |sql: &str, values: &[String]| {
        let values: Vec<peyk::base::ports::Value> = values.iter().map(|value| value.as_str().into()).collect();
        account.run_with(sql, &values);
    };
    // A message to phonebooks may be as long as a body, whose text has six bytes for this character.
    set(
        "UPDATE chunk SET text = ?1, client_ref = ?2 WHERE kind <> 'BULK'",
        &[text(43_000), text(64)],
    );
    // At 255 parts, the most that a setting allows, of 67 units each.
    let longest_text = json!({"text": text(255 * 67)}).to_string();
    set("UPDATE recipient_text SET text = ?1", &[longest_text]);
    world.write_gathered(shop);
    set(
        "UPDATE ledger_page SET entries = json_replace(entries, '$[0][5]', ?1)",
        &[text(500)],
    );
    let key = "INSERT INTO api_key (id, title, digest, scopes, mode, lines, created_ms, expires_ms, revoked_ms, successor, term_ms, used_ms, address, \
           created_by, ips, rate_per_minute, daily_spend, hint, session_of, phone, role, is_link) SELECT 'key-' || printf('%032d', i), ?1, 'digest', 'sms:send', 'live', ?2, 0, 0, 0, printf('%036d', i), 0, 1767268800000, \
           printf('%045d', i), printf('%036d', i), ?3, 100000, 9007199254740991, printf('%019d', i), printf('%036d', i), NULL, NULL, 0 FROM few";
    set(
        &format!("{many}{key}"),
        &[
            text(200),
            vec!["x".repeat(32); 100].join(" "),
            vec!["2001:db8:1111:2222:3333:4444:5555:6666/127"; 50].join(" "),
        ],
    );
    let usage = "INSERT INTO usage (day, line, carrier, test, messages, recipients, parts, cost, returned, delivered, \
           undelivered, expired, rejected, unknown, canceled) \
         SELECT 20000 + i, '10001', '', t.value, m.value, m.value, m.value, m.value, m.value, s.value, s.value, s.value, \
           s.value, s.value, s.value \
         FROM few, json_each('[0, 1]') t, json_each('[9007199254740991]') m, json_each('[1000000000000000]') s";
    set(&format!("{many}{usage}"), &[]);
    let inbound = "INSERT INTO inbound (uid, carrier, line, sender, text, is_cut, opt_out, received_ms) \
         SELECT printf('%036d', i), 'sandbox', printf('%015d', i), ?1, ?2, 0, 0, i FROM few";
    set(&format!("{many}{inbound}"), &[text(32), text(10_000)]);
    set(
        "UPDATE chunk SET campaign = (SELECT id FROM campaign) WHERE kind = 'BULK' AND number = 0",
        &[],
    );
    let campaigns = "INSERT INTO campaign (id, uid, title, state, reason, test, plan, starter, revision, created_ms, started_ms, ended_ms, due_ms, \
           next_number, wave, canceled_through, counted, forgotten, opt_outs, forgiven, was_resent) \
         SELECT 1000000 + i, printf('%036d', i), ?1, 4, 7, 0, plan, starter, 0, 0, 0, 0, NULL, 0, NULL, 0, counted, forgotten, 0, forgiven, 0 FROM few, campaign";
    set(&format!("{many}{campaigns}"), &[text(200)]);
    let erasures = "INSERT INTO erasure (id, ending, by_operators, created_ms, done_ms, due_ms, step, position, found) \
         SELECT printf('%036d', i), '67', 1, 0, 0, 0, 0, '', '{\"recipients\":9007199254740991}' FROM few";
    set(&format!("{many}{erasures}"), &[]);
    world.sql(OPERATOR).run_with(&format!("{many}{erasures}"), &[]);
    let operators = "INSERT INTO api_key (id, title, digest, scopes, mode, lines, created_ms, expires_ms, revoked_ms, successor, term_ms, used_ms, address, \
           created_by, ips, rate_per_minute, daily_spend, hint, session_of, phone, role, is_link) SELECT 'key-' || printf('%032d', i), ?1, 'digest', 'admin', 'live', NULL, 0, 0, 0, \
         printf('%036d', i), 0, 1767268800000, printf('%045d', i), printf('%036d', i), NULL, NULL, NULL, printf('%019d', i), printf('%036d', i), NULL, NULL, 0 FROM few";
    world
        .sql(OPERATOR)
        .run_with(&format!("{many}{operators}"), &[text(200).into()]);
    let members = "INSERT INTO api_key (id, title, digest, scopes, mode, created_ms, created_by, phone, role) \
         SELECT printf('%036d', i), ?1, 'd', 'admin', 'live', 0, printf('%036d', i), 989121234567 + i, 'FINANCE' FROM few";
    for account in [&*shop.id, OPERATOR] {
        world
            .sql(account)
            .run_with(&format!("{many}{members}"), &[text(100).into()]);
    }
    let sandbox = world.sandbox_sql(&shop.id);
    sandbox.run_with("UPDATE handed_chunk SET text = ?1", &[text(255 * 67).into()]);
    let directory = |sql: &str, values: &[&str]| {
        let values: Vec<peyk::base::ports::Value> = values.iter().map(|value| (*value).into()).collect();
        world.db.run_with(&format!("{many}{sql}"), &values);
    };
    directory(
        "INSERT INTO account SELECT printf('%036d', i), 'user' || printf('%060d', i), ?1, 'default', '10001', 0, 1, 1, \
           9007199254740991, 0, 0, 0, 0, NULL, NULL FROM n WHERE 1",
        &[&text(200)],
    );
    let settings = json!({"url": format!("http://{}", "x".repeat(493)), "allowPlaintext": true, "gateway": "KANNEL", "username": "x".repeat(64),
        "timeoutMs": 8_000});
    directory(
        "INSERT INTO carrier (name, kind, settings, secrets, created_ms) SELECT printf('%032d', i), 'http', ?1, 'v1.', 0 FROM few",
        &[&settings.to_string()],
    );
    directory(
        "INSERT INTO line (number, routes, webservice, pattern, shared, active, persian_c, english_c, mci_c, mtn_c, webservice_c, \
           pattern_c, paused, created_ms) \
         SELECT printf('%015d', i), '[{\"carriers\":[{\"name\":\"sandbox\",\"weight\":1}],\"prefixes\":[\"' || printf('%08100d', 9) || '\"]}]', 1, 1, 1, 1, 1000000, 1000000, 1000000, 1000000, 1000000, \
           1000000, 0, 0 FROM few",
        &[],
    );
    directory(
        "INSERT INTO line_account SELECT printf('%015d', few.i), printf('%036d', n.i) FROM few, n",
        &[],
    );
    let most_prices: Vec<Value> = (0..300)
        .map(|number: u64| json!({"prefix": (100_000_000_000_000 + number).to_string(), "price": 10_000_000}))
        .collect();
    let most_prices = json!(most_prices);
    directory(
        "INSERT INTO plan SELECT printf('%064d', i), ?1, printf('%064d', i), ?1, 10000000, 'UNDELIVERED EXPIRED', 0, ?2 FROM few",
        &[&text(200), &most_prices.to_string()],
    );
    directory(
        "INSERT INTO phonebook (id, account, title, description, columns, count, deleted, created_ms) \
         SELECT printf('%036d', i), ?1, i || ?2, ?3, '[]', 0, 0, 0 FROM few",
        &[&shop.id, &text(197), &text(1_000)],
    );
    directory(
        "UPDATE phonebook SET columns = ?2 WHERE id = ?1",
        &[&lists.phonebook, r#"["a"]"#],
    );
    let attributes = json!([text(2_048 - 4)]).to_string();
    directory(
        "INSERT INTO phonebook_number (phonebook, msisdn, name, search_name, attributes, created_ms) \
         SELECT (SELECT seq FROM phonebook WHERE id = ?1), 989350000000 + i, ?2, '', ?3, 0 FROM few",
        &[&lists.phonebook, &text(200), &attributes],
    );
    let lines = json!((1..=100).map(|index| format!("{index:015}")).collect::<Vec<_>>()).to_string();
    directory(
        "INSERT INTO pattern (account, slug, title, lines, revision, created_ms) \
         SELECT ?1, printf('%064d', i), ?2, ?3, 0, 0 FROM few",
        &[&shop.id, &text(200), &lines],
    );
    directory(
        "INSERT INTO pattern_version SELECT p.id, version.i, ?1, ?2, CASE version.i WHEN 1 THEN 'ACTIVE' ELSE 'PENDING' END, 0, NULL \
         FROM pattern p, n AS version WHERE version.i <= 2",
        &[&text(2_000), &variables()],
    );
    directory(
        "INSERT INTO dead_letter (account, seq, at_ms, uid, carrier, recipients, attempts, reason) \
         SELECT ?1, i, 0, printf('%036d', i), ?2, 500, 1000, 'the carrier refused it for now, each time' FROM few",
        &[&shop.id, &text(32)],
    );
    directory(
        "INSERT INTO unclaimed (day, carrier, line, reason, messages) \
         SELECT i, ?1, printf('%015d', i), 'NO_ACCOUNT_FOR_OPT_OUT', 9007199254740991 FROM few",
        &[&text(32)],
    );
    directory(
        "INSERT INTO credit (id, account, amount, note, created_by, created_ms) \
         SELECT printf('%036d', i), ?1, 9007199254740991, ?2, printf('%036d', i), 0 FROM few",
        &[&shop.id, &text(500)],
    );
    let day = world.now_ms.get() / 86_400_000;
    directory(
        &format!(
            "INSERT INTO usage SELECT printf('%036d', i), {day}, '10001', '', 0, v, v, v, v, v, s, s, s, s, s, s, 1 \
             FROM few, (SELECT 36028797018963 AS v, 1000000000000 AS s)"
        ),
        &[],
    );
    let state = json!({"x": text(1_360)}).to_string();
    let bytes = state.len();
    assert!((8_000..=peyk::durable::audit::MAX_BYTES).contains(&bytes), "{bytes}");
    directory(
        "INSERT INTO audit SELECT printf('%036d', i), '', 0, ?1, printf('%036d', i), ?1, 'AdminSetLineInbound', 'lineInbound', \
           printf('%064d', i), printf('%064d', i), printf('%039d', i), ?2, ?2 FROM few",
        &[&"9".repeat(64), &state],
    );
    let differences = vec![json!({"check": "WALLET", "detail": "x".repeat(300)}); 8];
    directory(
        "INSERT INTO reconciliation SELECT printf('%036d', i), 0, ?1 FROM few",
        &[&json!({"differences": differences}).to_string()],
    );
    let webhook = |sql: &str, values: &[&str]| {
        let values: Vec<peyk::base::ports::Value> = values.iter().map(|value| (*value).into()).collect();
        world.webhook_sql(&shop.id).run_with(&format!("{many}{sql}"), &values);
    };
    // More than an account may have.
    webhook(
        "INSERT INTO endpoint (id, url, events, description, active, created_ms, secrets, held_ms, deleted, test) \
         SELECT printf('%036d', i), ?1, ?2, ?3, 0, 0, '[]', 0, 0, 0 FROM few",
        &[
            &format!("https://shop.example/{}", "x".repeat(2_000)),
            r#"["message.status","message.submitted","message.received","wallet.low","webhook.disabled"]"#,
            &text(500),
        ],
    );
    webhook(
        "INSERT INTO event (id, type, made_ms, data, test) SELECT printf('%036d', i), 'message.submitted', 0, ?1, 0 FROM few",
        &[&text(10_000)],
    );
    webhook(
        "INSERT INTO delivery (endpoint, event, state, due_ms, failures, attempts, last_ms, status, error) \
         SELECT ?1, printf('%036d', i), 2, 0, 10, 1000000, 0, 500, 'ADDRESS_REFUSED' FROM few",
        &[&lists.webhook],
    );
    world.app.profiles.clear();
}

/// The variables that take most room: long names, and values up to the limit of all together.
fn variables() -> String {
    let names = (0..20).map(|index| format!("{}{index:02}", "𐐷".repeat(48)));
    let variables: Vec<Value> = names
        .map(|name| json!({"name": name, "type": "ENUM", "maxLength": 1_000, "values": vec!["x".repeat(100); 5]}))
        .collect();
    let json = json!(variables).to_string();
    assert!((15_000..=16 * 1024).contains(&json.len()), "{}", json.len());
    json
}

#[test]
fn no_list_is_larger_than_four_mebibytes_and_what_is_cut_says_so() {
    let mut lists = Lists::new();
    fill(&lists);
    let newest = lists.world.read(&lists.shop.key, "/messages?limit=2");
    let (bulk, plain) = (newest.text("/data/0/uid"), newest.text("/data/1/uid"));
    lists.message = bulk.clone();
    for route in lists.routes() {
        // So many days can't be asked for.
        let query = match route.operation {
            Operation::AdminGetUsage => "limit=200&by=account",
            _ => "limit=200",
        };
        let page = lists.get(route, query).expect(200);
        let items = page.items();
        let count = items.len();
        assert_eq!(count, 200, "{}: fill this list with its largest items", route.path);
        let bytes = page.body.len();
        assert!(bytes < 4 * MIB, "{} answers {bytes} bytes", route.path);
        let flags = page.body.matches("\"textTruncated\":true").count();
        let expected = match route.operation {
            Operation::ListMessages | Operation::AdminListMessages => 199,
            Operation::ListRecipients
            | Operation::AdminListSandbox
            | Operation::AdminListPendingPatterns
            | Operation::ListInbound => 200,
            Operation::ListPatterns => 400,
            _ => 0,
        };
        assert_eq!(flags, expected, "{}", route.path);
        let shorter = page.body.matches("\"accountsTruncated\":true").count();
        let wanted = route.operation == Operation::AdminListLines;
        assert_eq!(shorter > 0, wanted, "{}", route.path);
    }
    // Alone, each of them is whole.
    let (world, key) = (&lists.world, &lists.shop.key);
    let whole = |answer: Answer, pointer: &str, length: usize| {
        assert_eq!(answer.text(pointer).chars().count(), length);
        assert!(!answer.body.contains("textTruncated"));
        answer
    };
    whole(world.message(key, &plain), "/data/message", 43_000);
    whole(world.message(key, &bulk), "/data/recipients/99/message", 255 * 67);
    let few = world.read(key, &format!("/messages/{bulk}/recipients?limit=20"));
    let few = whole(few, "/data/19/message", 255 * 67);
    assert!(few.body.len() < 4 * MIB);
    assert_eq!(few.int("/data/19/parts"), 255);
    let cut = world.read(key, &format!("/messages/{bulk}/recipients?limit=21"));
    let wanted = (255, "UCS2".to_owned());
    assert_eq!((cut.int("/data/0/parts"), cut.text("/data/0/encoding")), wanted);
    assert!(cut.text("/data/0/message").len() < 1_000);
    let received = world.read(key, "/inbound?limit=20");
    assert!(received.body.len() < 4 * MIB);
    whole(received, "/data/19/text", 10_000);
    let pattern = format!("/pattern/{:064}", 7);
    let pattern = whole(world.read(key, &pattern), "/data/versions/1/text", 2_000);
    let count = pattern.json["data"]["versions"][1]["variables"][19]["values"]
        .as_array()
        .unwrap()
        .len();
    assert_eq!(count, 5);
    let path = format!("/admin/lines/{:015}", 7);
    let line = world.admin("GET", &path, json!({})).expect(200);
    assert_eq!(line.json["data"]["accounts"].as_array().unwrap().len(), 1_000);
    assert!(line.json["data"].get("accountsTruncated").is_none());
}

#[test]
fn texts_of_the_usual_length_are_whole_in_every_list() {
    let (world, shop) = World::with_account(1_000_000);
    // Ten parts, of the characters that take most bytes.
    for text in [
        "x".repeat(1_530),
        "\"".repeat(1_530),
        "€".repeat(750),
        "سلام ".repeat(134),
        LONGEST.repeat(670),
    ] {
        let body = json!({"message": text, "recipients": ["09121234567"]});
        world.posted(&shop.key, "/sms/send", body);
        let bulk = json!({"messages": [{"recipient": "09121234567", "message": text}]});
        let uid = world.posted(&shop.key, "/sms/bulk", bulk).text("/data/uid");
        world.settle(2_000);
        let messages = world.read(&shop.key, "/messages?limit=200");
        assert_eq!(messages.text("/data/1/message"), text);
        let recipients = world.read(&shop.key, &format!("/messages/{uid}/recipients?limit=200"));
        assert_eq!(recipients.text("/data/0/message"), text);
        let sandbox = world.look(&shop.path("/sandbox?limit=200"));
        assert!(sandbox.items().iter().any(|item| item["message"] == text.as_str()));
        for page in [messages, recipients, sandbox] {
            assert!(!page.body.contains("Truncated"));
        }
    }
}

#[test]
fn a_keys_line_has_a_bound() {
    let (world, shop) = World::with_account(0);
    let path = shop.path("/keys");
    let key = |line: String| world.admin("POST", &path, json!({"title": "x", "lines": [line]}));
    key("9".repeat(32)).expect(201);
    let refused = key("9".repeat(33)).refused(422);
    assert!(refused.extra()[0].starts_with("lines[0]: "), "{}", refused.body);
}
