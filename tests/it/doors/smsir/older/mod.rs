//! The API of sms.ir before `v1`: each call as its programs send it, and what they read.

mod errors;
mod lists;

use peyk::api::http::Response;
use serde_json::{Value, json};

use crate::doors::support::{self, head, world};
use crate::support::time::{DAY_MS, MINUTE_MS};
use crate::support::{Account, World};

const JSON: &str = "application/json";

/// What a program gets that shows this token.
pub fn knock(world: &World, token: &str, method: &str, path: &str, body: &[u8]) -> Response {
    let mut head = head(method, path, JSON);
    head.door_key = Some(token.to_owned()).filter(|token| !token.is_empty());
    support::answer(world, &head, body)
}

/// What a call is answered with: the HTTP status and the body, which has the protocol's form.
#[track_caller]
pub fn call(world: &World, token: &str, method: &str, path: &str, body: &[u8]) -> (u16, Value) {
    let response = knock(world, token, method, path, body);
    let body: Value = serde_json::from_str(&response.body).unwrap();
    let is_done = [200, 201].contains(&response.status);
    assert_eq!(body["IsSuccessful"], is_done, "{body}");
    assert!(body["Message"].as_str().is_some_and(|text| !text.is_empty()), "{body}");
    (response.status, body)
}

/// A call whose answer must be this, to the letter. Its `Message` is left out of `wanted`.
#[track_caller]
fn exact(world: &World, token: &str, call: (&str, &str, &str), status: u16, members: &str) {
    let (method, path, body) = call;
    let response = knock(world, token, method, path, body.as_bytes());
    let wanted = format!(r#"{{"IsSuccessful":true,"Message":"انجام شد",{members}}}"#);
    assert_eq!((response.status, response.body), (status, wanted), "{path}");
    assert_eq!(response.content_type, "application/json; charset=utf-8");
}

#[track_caller]
fn posted(world: &World, token: &str, path: &str, body: Value) -> Value {
    let (status, answer) = call(world, token, "POST", path, body.to_string().as_bytes());
    assert_eq!(status, 201, "{answer}");
    answer
}

#[track_caller]
fn got(world: &World, token: &str, path: &str) -> Value {
    let (status, answer) = call(world, token, "GET", path, b"");
    assert_eq!(status, 200, "{answer}");
    answer
}

#[track_caller]
fn refused(world: &World, token: &str, path: &str, body: &Value, status: u16, words: &str) {
    let (told, answer) = call(world, token, "POST", path, body.to_string().as_bytes());
    assert_eq!(told, status, "{path} {body}: {answer}");
    assert!(answer["Message"].as_str().unwrap().contains(words), "{body}: {answer}");
}

fn send(name: &str, value: Value) -> Value {
    let mut body = json!({
        "Messages": ["x"], "MobileNumbers": ["09121234567"], "LineNumber": "10001", "SendDateTime": "",
        "CanContinueInCaseOfError": "false",
    });
    body[name] = value;
    body
}

/// A shop with the pattern of a template.
fn shop() -> (World, Account) {
    let (world, shop) = world();
    world.active_pattern(
        &shop.key,
        json!({"slug": "26000", "title": "x", "text": "code %CODE% of %Name%"}),
    );
    (world, shop)
}

fn line_of_phones(world: &World, shop: &Account) {
    let line = json!({"number": "3000", "carrier": "sandbox", "operations": ["WEBSERVICE"], "accounts": [shop.id]});
    world.create("/admin/lines", line);
}

#[test]
fn each_call_is_answered_to_the_letter() {
    let (world, shop) = shop();
    line_of_phones(&world, &shop);
    let key = shop.key.as_str();
    // As the PHP samples of the provider write it, and as `py-persian-sms` does.
    for path in ["/api/Token", "/api/token"] {
        let body = format!(r#"{{"UserApiKey":"{key}","SecretKey":"it66)%#teBC!@*&","System":"php_rest_v_1_2"}}"#);
        exact(
            &world,
            "",
            ("POST", path, &body),
            201,
            &format!(r#""TokenKey":"{key}""#),
        );
    }
    let body = r#"{"Messages":["سلام"],"MobileNumbers":["09121234567"],"LineNumber":"10001","SendDateTime":"","CanContinueInCaseOfError":"false"}"#;
    let response = knock(&world, key, "POST", "/api/MessageSend", body.as_bytes());
    let sent: Value = serde_json::from_str(&response.body).unwrap();
    let (batch, id) = (
        sent["BatchKey"].as_str().unwrap(),
        sent["Ids"][0]["ID"].as_i64().unwrap(),
    );
    let members = format!(r#""BatchKey":"{batch}","Ids":[{{"ID":{id},"MobileNo":"9121234567"}}]"#);
    let wanted = format!(r#"{{"IsSuccessful":true,"Message":"انجام شد",{members}}}"#);
    assert_eq!((response.status, response.body), (201, wanted));
    let next = id + 100;
    let template = r#""ParameterArray":[{"Parameter":"Code","ParameterValue":"48213"},{"Parameter":"Name","ParameterValue":7}],"Mobile":"09121234567","TemplateId":"26000""#;
    let told = |id: i64| format!(r#""VerificationCodeId":{id}"#);
    exact(
        &world,
        key,
        ("POST", "/api/UltraFastSend", &format!("{{{template}}}")),
        201,
        &told(next),
    );
    for (path, id) in [
        ("/api/UltraFastSend/direct", next + 100),
        ("/api/UltraFastSend/UserApiKey", next + 200),
    ] {
        let body = format!(
            r#"{{{},"UserApiKey":"{key}","SecretKey":"x"}}"#,
            template.replace("Mobile", "mobile")
        );
        exact(&world, "", ("POST", path, &body), 201, &told(id));
    }
    world.active_pattern(key, json!({"slug": "VerificationCode", "title": "x", "text": "%CODE%"}));
    let code = r#"{"Code":"12345","MobileNumber":"09121234567"}"#;
    exact(
        &world,
        key,
        ("POST", "/api/VerificationCode", code),
        201,
        &told(next + 300),
    );
    exact(
        &world,
        key,
        ("GET", "/api/SMSLine", ""),
        200,
        r#""SMSLines":[{"ID":1,"LineNumber":10001},{"ID":2,"LineNumber":3000}]"#,
    );
    world.settle(MINUTE_MS);
    let (credit, _) = world.balance(key);
    exact(
        &world,
        key,
        ("GET", "/api/credit", ""),
        200,
        &format!(r#""Credit":{credit}"#),
    );
    let text = |index: i64| {
        let path = format!("/api/MessageSend?id={}", id + 100 * index);
        got(&world, key, &path)["Messages"]["SMSMessageBody"].clone()
    };
    let code = "code 48213 of 7";
    assert_eq!([0, 1, 2, 3, 4].map(text), ["سلام", code, code, code, "12345"]);
}

#[test]
fn a_time_to_come_is_kept_and_one_that_is_over_means_now() {
    let (world, shop) = shop();
    let at_ms = world.now_ms.get() + 2 * DAY_MS;
    let local = peyk::base::time::to_rfc3339(at_ms + 12_600_000);
    let sent = posted(
        &world,
        &shop.key,
        "/api/MessageSend",
        send("SendDateTime", json!(local[..19])),
    );
    let message = world.message(&shop.key, sent["BatchKey"].as_str().unwrap());
    let wanted = peyk::base::time::to_rfc3339(at_ms / 1_000 * 1_000);
    assert_eq!(message.json["data"]["sendAt"], wanted);
    posted(
        &world,
        &shop.key,
        "/api/MessageSend",
        send("SendDateTime", json!("2019-01-01T00:00:00")),
    );
    world.settle(MINUTE_MS);
    assert_eq!(world.inbox(&shop.id).len(), 1);
    refused(
        &world,
        &shop.key,
        "/api/MessageSend",
        &send("SendDateTime", json!("tomorrow")),
        400,
        "زمان",
    );
}
