//! Programs that were written for a service with the same API work unmodified: `clients.json` has what they send, to the byte, and
//! what they read of the answers.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::support::{Account, Answer, World};

/// A key as such services issue it. An operator imports it.
const KEY: &str = "18|Zq4mT0bWn7rKx2Vd9LsYc5HfJ8uPgA3eRi6oN1tC4d7e90ab";

/// A request of a client.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sent {
    client: String,
    method: String,
    path: String,
    headers: BTreeMap<String, String>,
    /// As it is on the wire: each language escapes in its own way.
    body: Option<String>,
    /// The status that it expects.
    status: u16,
    /// What it reads of the answer, by JSON pointers: the type of the value, or the value.
    reads: BTreeMap<String, Value>,
}

impl Sent {
    fn send(&self, world: &World, key: &str) -> Answer {
        let mut request = world.request(&self.method, &self.path).key(key);
        for (name, value) in &self.headers {
            request = match name.as_str() {
                "accept" => request.accept(value),
                "accept-language" => request.language(value),
                "content-type" => request,
                other => panic!("the service reads no header {other}"),
            };
        }
        if let Some(body) = &self.body {
            request = request.body(&self.headers["content-type"], body.as_bytes());
        }
        request.send()
    }

    /// Expects what the client reads.
    fn check(&self, answer: &Answer) {
        let what = format!("{}: {} {}: {}", self.client, self.method, self.path, answer.body);
        assert_eq!(answer.response.status, self.status, "{what}");
        for (pointer, wanted) in &self.reads {
            let found = answer.json.pointer(pointer).unwrap_or(&Value::Null);
            match wanted.as_str() {
                Some("string") => assert!(found.as_str().is_some_and(|text| !text.is_empty()), "{pointer}: {what}"),
                Some("number") => assert!(found.is_number(), "{pointer}: {what}"),
                _ => assert_eq!(found, wanted, "{pointer}: {what}"),
            }
        }
    }
}

fn all() -> Vec<Sent> {
    serde_json::from_str(include_str!("clients.json")).unwrap()
}

/// A world with the patterns of the clients, and their key.
fn world() -> (World, Account) {
    let (world, shop) = World::with_account(1_000_000);
    let scopes = ["sms:send", "account:read"];
    world.grant(&shop, json!({"title": "imported", "key": KEY, "scopes": scopes}));
    for (slug, text) in [
        ("login", "کد ورود: %OTP%"),
        ("order", "%NAME% عزیز، سفارش %ORDER% به مبلغ %PRICE% ثبت شد."),
        ("thanks", "از خرید شما سپاسگزاریم."),
        ("clinic", "کد تایید شما %otp_code%"),
        ("visit", "%full_name% گرامی، نوبت شما در تاریخ %time% %date% ثبت شد."),
        ("survey", "%NAME% عزیز، نظر شما: %LINK%"),
        ("code", "Your code is %code%."),
        ("approved", "سفارش %orderId% تایید شد: %items%"),
    ] {
        let pattern = json!({"slug": slug, "title": slug, "text": text});
        world.active_pattern(&shop.key, pattern);
    }
    (world, shop)
}

#[test]
fn requests_of_existing_clients_are_answered_as_they_expect() {
    let (world, _) = world();
    let requests = all();
    for request in &requests {
        let answer = request.send(&world, KEY);
        request.check(&answer);
        if request.status < 300 {
            assert_eq!(answer.json["meta"].get("ignored"), None, "{}", request.client);
            // One client takes these for a failure.
            let failures = ["REJECTED", "CANCELED", "FAILED", "NO_BALANCE"];
            assert!(!failures.iter().any(|status| answer.json["data"]["status"] == *status));
            continue;
        }
        // They show the text to people, and a number of them read the code as a number and `extra` as texts.
        assert!(answer.json["code"].is_u64() && answer.json["status"].is_u64());
        let texts = answer.json["extra"].as_array().unwrap();
        assert!(texts.iter().all(Value::is_string), "{}", answer.body);
        // One looks for this word, to try other patterns.
        let detail = answer.text("/detail").to_lowercase();
        assert_eq!(detail.contains("pattern"), answer.json["code"] == 3002, "{detail}");
    }
    let kinds = |status: u16| requests.iter().filter(|request| request.status == status).count();
    assert!(
        kinds(201) >= 15 && kinds(200) == 2 && kinds(422) >= 3,
        "the file has all kinds"
    );
}

#[test]
fn the_texts_leave_as_the_clients_have_written_them() {
    let (world, shop) = world();
    for request in all().iter().filter(|request| request.status == 201) {
        request.send(&world, KEY);
    }
    world.settle(60_000);
    let texts: Vec<String> = world.handed(&shop.id).into_iter().map(|(_, text)| text).collect();
    for text in [
        "سفارش ۱۰۴۲ ثبت شد: https://shop.example/o/1042",
        "سارا عزیز، سفارش 1042 به مبلغ 850000 ثبت شد.",
        "سارا عزیز، نظر شما: https://salon.example/s/7f3a",
        "مریم رضایی گرامی، نوبت شما در تاریخ 17:30 1405/07/07 ثبت شد.",
        "Your code is 501288.",
    ] {
        assert!(texts.iter().any(|sent| sent == text), "{text}: {texts:?}");
    }
}

#[test]
fn a_client_finds_the_coefficients_of_its_line_by_its_digits() {
    let (world, _) = world();
    world.share_line("3000505", "sandbox", &["WEBSERVICE", "PATTERN"]);
    world.advance(31_000);
    let tariff = world
        .request("GET", "/plan/tariff")
        .key(KEY)
        .accept("application/json")
        .send()
        .expect(200);
    let rows = tariff.json["data"]["textsCoefficients"].as_array().unwrap();
    let digits = |row: &Value| {
        let title = row["title"].as_str().unwrap();
        title.chars().filter(char::is_ascii_digit).collect::<String>()
    };
    for line in ["10001", "3000505"] {
        assert_eq!(
            rows.iter().filter(|row| digits(row) == line).count(),
            1,
            "{}",
            tariff.body
        );
    }
}

#[test]
fn a_client_is_told_what_stands_against_its_send() {
    let (world, shop) = world();
    let requests = all();
    let send = requests
        .iter()
        .find(|request| request.path == "/sms/pattern" && request.status == 201)
        .unwrap();
    let codes = |status: u16, code: u16| {
        let answer = send.send(&world, KEY).problem(status, code);
        assert!(!answer.text("/detail").is_empty() && !answer.text("/title").is_empty());
    };
    world.change_account(&shop, json!({"sendingEnabled": false}));
    codes(412, 3011);
    world.change_account(&shop, json!({"sendingEnabled": true, "status": "INACTIVE"}));
    codes(412, 1003);
    world.change_account(&shop, json!({"status": "ACTIVE"}));
    world.credit(&shop, -1_000_000);
    codes(400, 2001);
    send.send(&world, "18|nobody").refused(401);
    // A key without the prefix that one client adds by itself.
    let request = world
        .request("POST", &send.path)
        .authorization(&format!("bearer {KEY}"));
    request
        .body("application/json", send.body.as_deref().unwrap().as_bytes())
        .send()
        .problem(400, 2001);
}
