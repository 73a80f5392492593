//! Whatever is asked, it is never answered with a fault of ours: every route with random bodies, ids and queries.

use peyk::api::routes::{Access, ROUTES};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::support::{Dice, World, cases};

const MEMBERS: [&str; 35] = [
    "message",
    "messages",
    "recipient",
    "recipients",
    "pattern",
    "variables",
    "phonebook",
    "phonebooks",
    "exclude",
    "sourceNumber",
    "sendAt",
    "clientRef",
    "title",
    "description",
    "id",
    "number",
    "numbers",
    "name",
    "attributes",
    "slug",
    "lines",
    "text",
    "type",
    "maxLength",
    "values",
    "send",
    "bulk",
    "OTP",
    "status",
    "note",
    "kind",
    "http",
    "url",
    "events",
    "lowBalance",
];

/// Values that mean something here, and values that mean trouble.
fn leaf() -> impl Strategy<Value = Value> {
    let known = vec![
        json!("09121234567"),
        json!("+989351234567"),
        json!("mine"),
        json!("10001"),
        json!("%name% %OTP% %"),
        json!("ENUM"),
        json!("http"),
        json!("https://shop.example/"),
        json!("message.status"),
        json!("2026-01-02T00:00:00Z"),
        json!("0000-00-00"),
        json!(""),
        json!(" "),
        json!("\u{0}"),
        json!("😀"),
        json!("%%%"),
        json!(0),
        json!(-1),
        json!(1.5),
        json!(1e300),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(true),
        json!(null),
    ];
    prop_oneof![
        6 => prop::sample::select(known),
        1 => any::<String>().prop_map(Value::from),
        1 => (0usize..3_000).prop_map(|length| Value::from("آ".repeat(length))),
    ]
}

fn tree() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(4, 40, 8, |inner| {
        let member = (prop::sample::select(MEMBERS.to_vec()), inner.clone());
        prop_oneof![
            prop::collection::vec(inner, 0..8).prop_map(Value::from),
            prop::collection::vec(member, 0..8).prop_map(|members| {
                let members = members.into_iter().map(|(name, value)| (name.to_owned(), value));
                Value::from(members.collect::<Map<_, _>>())
            }),
        ]
    })
}

/// An object whose members are those of the API.
fn body() -> impl Strategy<Value = Value> {
    let member = (prop::sample::select(MEMBERS.to_vec()), tree());
    prop::collection::vec(member, 0..8).prop_map(|members| {
        let members = members.into_iter().map(|(name, value)| (name.to_owned(), value));
        Value::from(members.collect::<Map<_, _>>())
    })
}

fn query() -> impl Strategy<Value = String> {
    let part = (
        prop::sample::select(vec![
            "limit",
            "cursor",
            "q",
            "id",
            "number",
            "status",
            "type",
            "from",
            "to",
            "recipient",
            "clientRef",
        ]),
        prop_oneof![
            prop::sample::select(vec![
                "1",
                "200",
                "DONE",
                "09121234567",
                "%25",
                "%F0%9F%98%80",
                "%FF",
                "x'--",
                "2026-01-01T00:00:00Z"
            ])
            .prop_map(str::to_owned),
            "[ -~]{0,12}".prop_map(|text| text.replace(['&', '#'], "")),
        ],
    );
    prop::collection::vec(part, 0..3).prop_map(|parts| {
        let parts = parts.into_iter();
        let parts: Vec<String> = parts.map(|(name, value)| format!("{name}={value}")).collect();
        parts.join("&")
    })
}

fn segment() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "1",
            "0",
            "-1",
            "mine",
            "9007199254740993",
            "99999999999999999999",
            "%FF",
            "%00",
            "a'b",
            "%2F"
        ])
        .prop_map(str::to_owned),
        "[a-zA-Z0-9_%-]{1,40}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(100)) })]

    #[test]
    fn a_port_that_fails_is_an_outage_and_no_fault_of_ours(bodies in prop::collection::vec(body(), 12), seed: u64) {
        let (world, shop) = World::with_account(10_000);
        let dice = Dice::new(seed);
        for (index, route) in ROUTES.iter().filter(|route| route.access != Access::Public).enumerate() {
            let key = if route.access.is_for_operators() { &world.admin_key } else { &shop.key };
            world.app.keys.clear();
            world.app.profiles.clear();
            world.keys_are_down.set(dice.below(4) == 0);
            world.db.is_down.set(dice.below(3) == 0);
            world.chaos.set(dice.below(3));
            let path = route.path.replace("{id}", &shop.id);
            let request = world.ask(route.method, key, &path);
            let answer = match route.path.ends_with("/import") {
                true => request.body("text/csv", b"number\n09121234567\n").send(),
                false => request.json(bodies[index % bodies.len()].clone()).send(),
            };
            let status = answer.response.status;
            prop_assert!(status < 500 || status == 503, "{} {path}: {}", route.method, world.log.borrow().join("\n"));
            if status == 503 {
                prop_assert!(answer.header("Retry-After").is_some());
            }
            world.advance(60_000);
        }
    }

    #[test]
    fn nothing_that_is_asked_is_our_fault(bodies in prop::collection::vec(body(), 12), queries in prop::collection::vec(query(), 12), segments in prop::collection::vec(segment(), 24), csv in "[a-z,;\"\\n\\r0-9%آ ]{0,80}") {
        let (world, shop) = World::with_account(10_000);
        let post = |path: &str, body: Value| world.post(&shop.key, path, body);
        let id = post("/phonebook", json!({"title": "A"})).expect(201).text("/data/id");
        post(&format!("/phonebook/number/{id}"), json!({"number": "09121234567", "name": "A"})).expect(201);
        post("/pattern", json!({"slug": "mine", "title": "x", "text": "%OTP%"})).expect(201);
        post("/pattern/mine/versions/1/activate", json!({})).expect(200);
        let routes = ROUTES.iter().filter(|route| route.access != Access::Public && !route.access.is_for_operators());
        for (index, route) in routes.enumerate() {
            let pick = |list: &[String], salt: usize| list[(index * 7 + salt) % list.len()].clone();
            let mut path = String::new();
            for (place, part) in route.path.split('/').skip(1).enumerate() {
                let value = match part {
                    "{id}" | "{phonebookId}" if index % 3 > 0 => id.clone(),
                    "{slug}" if index % 3 > 0 => "mine".to_owned(),
                    part if part.starts_with('{') => pick(&segments, place),
                    part => part.to_owned(),
                };
                path = format!("{path}/{value}");
            }
            let path = format!("{path}?{}", pick(&queries, 0));
            let request = world.ask(route.method, &shop.key, &path);
            let answer = match route.path.ends_with("/import") {
                true => request.body("text/csv", format!("number,name\n{csv}").as_bytes()).send(),
                false => request.json(bodies[index % bodies.len()].clone()).send(),
            };
            prop_assert!(answer.response.status < 500, "{} {path}: {}", route.method, world.log.borrow().join("\n"));
        }
        world.settle(60_000);
        prop_assert!(world.read(&shop.key, "/account/info").int("/data/wallet/availableBalance") >= 0);
    }
}
