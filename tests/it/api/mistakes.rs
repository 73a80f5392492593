//! Typical mistakes of newcomers, and what they are told: a list with the answers' `detail` in both languages, each read by
//! people. `MISTAKES=write` writes it anew.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Account, World};

const REQUESTS: &str = include_str!("mistakes/requests.json");
const ANSWERS: &str = concat!(env!("PEYK_ROOT"), "/tests/it/api/mistakes/answers.json");

/// What the requests name.
struct Names {
    world: World,
    shop: Account,
    names: Vec<(&'static str, String)>,
}

impl Names {
    fn new() -> Self {
        let (world, shop) = World::with_busy_account(1_000_000);
        let world = world.with_secrets();
        world.add_gateway("mci", "20001", "KANNEL");
        world.share_line("10002", "sandbox", &["WEBSERVICE", "PATTERN"]);
        let key = shop.key.clone();
        let variables = json!([{"name": "OTP", "type": "NUMBER", "maxLength": 6}]);
        world.active_pattern(
            &key,
            json!({"slug": "login", "title": "Login code", "text": "code %OTP%", "variables": variables}),
        );
        world.posted(
            &key,
            "/pattern",
            json!({"slug": "draft", "title": "Draft", "text": "a"}),
        );
        let numbers = json!([{"number": "09121234567", "name": "Ali", "attributes": {"city": "Yazd"}}]);
        let book = world.phonebook(&key, "Customers", numbers.clone());
        let used = world.phonebook(&key, "Used", numbers);
        let empty = world
            .posted(&key, "/phonebook", json!({"title": "Empty"}))
            .text("/data/id");
        let later = json!({"phonebook": used, "message": "a", "sendAt": "2026-01-02T12:00:00Z"});
        world.posted(&key, "/sms/phonebook/send", later);
        world.posted(&key, "/blacklist", json!({"numbers": ["09139999999"]}));
        let uid = world.sent(&key, &["09121234567"]);
        world.advance(31_000);
        world.settle(60_000);
        let keys = Self::keys(&world, &shop);
        let mut names = vec![
            ("book", book),
            ("used", used),
            ("empty", empty),
            ("uid", uid),
            ("shop", shop.path("")),
        ];
        names.extend(keys);
        Names { world, shop, names }
    }

    /// The keys that a request may name.
    fn keys(world: &World, shop: &Account) -> Vec<(&'static str, String)> {
        let poor = world.account("poor", 0);
        let (inactive, off) = (world.account("inactive", 9_000), world.account("off", 9_000));
        world.change_account(&inactive, json!({"status": "INACTIVE"}));
        world.change_account(&off, json!({"sendingEnabled": false}));
        let granted = |key: Value| world.grant(shop, key).text("/data/key");
        vec![
            ("live", shop.key.clone()),
            ("reader", granted(json!({"title": "reader", "scopes": ["sms:read"]}))),
            ("test", granted(json!({"title": "test", "mode": "test"}))),
            ("operator", world.admin_key.clone()),
            ("poor", poor.key),
            ("inactive", inactive.key),
            ("off", off.key),
        ]
    }

    fn fill(&self, text: &str) -> String {
        let fill = |text: String, (name, value): &(&str, String)| text.replace(&format!("{{{name}}}"), value);
        self.names.iter().fold(text.to_owned(), fill)
    }

    /// What the mistake is answered in a language.
    fn answer(&self, mistake: &Value, language: &str) -> Value {
        let request = self.fill(mistake["request"].as_str().unwrap());
        let (method, path) = request.split_once(' ').unwrap();
        let request = self.world.request(method, path).language(language).request_id("7");
        let named = mistake["key"].as_str().unwrap_or("live");
        let known = self.names.iter().find(|(name, _)| *name == named);
        let request = match (named, known) {
            ("none", _) => request,
            ("bare", _) => request.authorization(&self.shop.key),
            (_, Some((_, key))) => request.key(key),
            (key, None) => request.key(key),
        };
        let request = match mistake["idempotencyKey"].as_str() {
            Some(key) => request.idempotency_key(key),
            None => request,
        };
        let request = match (&mistake["raw"], &mistake["body"]) {
            (Value::String(raw), _) => request.body(mistake["contentType"].as_str().unwrap(), raw.as_bytes()),
            (_, Value::Null) => request,
            (_, body) => request.json(serde_json::from_str(&self.fill(&body.to_string())).unwrap()),
        };
        request.send().json
    }
}

/// The answers, without ids that differ from run to run.
fn answers() -> Vec<Value> {
    let names = Names::new();
    let mistakes: Vec<Value> = serde_json::from_str(REQUESTS).unwrap();
    let bare = |text: &str| {
        let ids = names.names.iter().filter(|(_, value)| value.len() > 30);
        ids.fold(text.to_owned(), |text, (name, value)| {
            text.replace(value, &format!("{{{name}}}"))
        })
    };
    let answer = |mistake: &Value| {
        let [english, persian] = ["en", "fa"].map(|language| names.answer(mistake, language));
        json!({
            "mistake": mistake["mistake"],
            "status": english["status"],
            "code": english["code"],
            "en": english["detail"].as_str().map(bare),
            "fa": persian["detail"].as_str().map(bare),
        })
    };
    mistakes.iter().map(answer).collect()
}

#[test]
fn a_hundred_mistakes_are_told_in_words_that_say_what_to_mend() {
    let answers = answers();
    assert!(answers.len() >= 100);
    for answer in &answers {
        assert!(
            answer["status"]
                .as_u64()
                .is_some_and(|status| (400..500).contains(&status)),
            "{answer}"
        );
    }
    let text = serde_json::to_string_pretty(&answers).unwrap() + "\n";
    if std::env::var("MISTAKES").is_ok_and(|value| value == "write") {
        fs::write(ANSWERS, &text).unwrap();
    }
    assert_eq!(
        fs::read_to_string(ANSWERS).unwrap(),
        text,
        "MISTAKES=write writes the list anew"
    );
}
