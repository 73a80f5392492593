//! What the shop sends, what becomes of it, and what phones send to the shop.

use peyk::base::time::to_rfc3339;
use serde_json::{Value, json};

use super::people;
use super::stage::Stage;
use crate::support::{Answer, gateway::PUBLIC_URL, time::HOUR_MS};

const ALI: &str = "+989121234567";
const SARA: &str = "+989351234567";
const FORM: &str = "application/x-www-form-urlencoded";

pub fn are_sent(stage: &mut Stage) {
    write_pattern(stage);
    let text = json!({"message": "Your order 7 is on its way.", "recipients": ["09121234567", "09351234567"],
        "clientRef": "order-7"});
    stage.show(stage.shop("POST", "/sms/estimate").json(json!({"send": text})));
    let sent = stage.show(stage.shop("POST", "/sms/send").json(text));
    stage.world.settle(5_000);
    report_by_kannel(stage);
    send_others(stage);
    look_up(stage, &sent.text("/data/uid"));
    find(stage, &sent.text("/data/uid"));
    cancel_one(stage);
    end_pattern(stage);
}

fn find(stage: &Stage, uid: &str) {
    let recipients = json!({"recipients": [format!("{uid}.0"), format!("{uid}.1")]});
    stage.show(stage.shop("POST", "/messages/recipients").json(recipients));
}

fn write_pattern(stage: &mut Stage) {
    let variables = json!([{"name": "OTP", "type": "NUMBER", "maxLength": 6, "secret": true}]);
    let new = json!({"slug": "login", "title": "Login", "text": "Your code is %OTP%.", "variables": variables});
    stage.show(stage.shop("POST", "/pattern").json(new));
    stage.show(stage.shop("POST", "/pattern/login/versions/1/activate"));
    let change = json!({"title": "Login codes", "lines": ["3000505", "10001"]});
    stage.show(stage.shop("PUT", "/pattern/login").json(change));
    stage.world.app.config.pattern_approval = true;
    let version = json!({"text": "%OTP% is your code for A Shop.", "variables": variables});
    stage.show(stage.shop("POST", "/pattern/login/versions").json(version));
    stage.show(stage.operator("GET", "/admin/patterns"));
    let refuse = stage.shop.path("/patterns/login/versions/2/refuse");
    let reason = json!({"reason": "The text has no name of a shop."});
    stage.show(stage.operator("POST", &refuse).json(reason));
    let approve = stage.shop.path("/patterns/login/versions/2/activate");
    stage.show(stage.operator("POST", &approve));
    stage.show(stage.shop("GET", "/pattern"));
    stage.show(stage.shop("GET", "/pattern/login"));
}

fn end_pattern(stage: &Stage) {
    stage.show(stage.shop("POST", "/pattern/login/deactivate"));
    stage.show(stage.shop("DELETE", "/pattern/login"));
}

/// The address that reports the newest message to a number, with what a gateway adds.
fn report(stage: &Stage, number: &str, status: &str, answer: &str) -> String {
    let added = form_urlencoded::Serializer::new(String::new())
        .append_pair("status", status)
        .append_pair("answer", answer)
        .finish();
    format!("{}&{added}", stage.outside.report_path(number))
}

/// Ali has the message. Sara's phone is not there.
fn report_by_kannel(stage: &Stage) {
    let delivered = report(stage, ALI, "1", "id:7d2f stat:DELIVRD err:000");
    stage.show(stage.world.request("GET", &delivered));
    let absent = report(stage, SARA, "2", "id:7d30 stat:UNDELIV err:027");
    stage.world.request("GET", &absent).send().expect(200);
    stage.world.settle(5_000);
}

fn send_others(stage: &Stage) {
    let pattern = json!({"pattern": "login", "variables": {"OTP": "482193"}, "recipient": "09121234567"});
    stage.show(stage.shop("POST", "/sms/pattern").json(pattern));
    let phonebook = json!({"message": "Hello %name%, we open at 9.", "phonebook": people::phonebook(stage)});
    stage.show(stage.shop("POST", "/sms/phonebook/send").json(phonebook));
    let bulk = json!({"messages": [
        {"recipient": "09121234567", "message": "Your order 8 is ready."},
        {"recipient": "09351234567", "pattern": "login", "variables": {"OTP": "705518"}}], "sourceNumber": "10001"});
    stage.show(stage.shop("POST", "/sms/bulk").json(bulk));
    stage.world.settle(5_000);
    let delivered = stage.world.request("POST", &stage.outside.report_path(SARA));
    stage.show(delivered.body(FORM, b"message_status=DELIVRD&level=2"));
    stage.world.settle(5_000);
}

fn look_up(stage: &Stage, uid: &str) {
    for path in [
        "/messages",
        &format!("/messages/{uid}"),
        &format!("/messages/{uid}/recipients"),
        &format!("/messages/{uid}/recipients?format=csv"),
    ] {
        stage.show(stage.shop("GET", path));
    }
    let path = stage.shop.path(&format!("/messages/{uid}/recipients"));
    stage.show(stage.operator("GET", &path));
}

/// A message that was to leave tomorrow.
fn cancel_one(stage: &Stage) {
    let tomorrow = to_rfc3339(stage.world.now_ms.get() + 24 * HOUR_MS);
    let send = json!({"message": "We are closed today.", "recipients": ["09121234567"], "sendAt": tomorrow});
    let sent = stage.world.posted(&stage.shop.key, "/sms/send", send);
    let path = format!("/messages/{}", sent.text("/data/uid"));
    stage.show(stage.shop("POST", &format!("{path}/pause")));
    stage.show(stage.shop("POST", &format!("{path}/resume")));
    stage.show(stage.shop("DELETE", &path));
}

/// The path that a carrier's gateway calls with messages from phones.
fn inbound_path(carrier: &Answer) -> String {
    let url = carrier.text("/data/inboundUrl");
    url.strip_prefix(PUBLIC_URL)
        .unwrap()
        .split('&')
        .next()
        .unwrap()
        .to_owned()
}

fn form(pairs: Value) -> String {
    let mut form = form_urlencoded::Serializer::new(String::new());
    for (name, value) in pairs.as_object().unwrap() {
        form.append_pair(name, value.as_str().unwrap());
    }
    form.finish()
}

pub fn come_from_phones(stage: &mut Stage) {
    let [mci, mtn] = ["mci", "mtn"].map(|name| inbound_path(&stage.world.look(&format!("/admin/carriers/{name}"))));
    let question = json!({"from": ALI, "to": "3000505", "text": "Where is my order?", "id": "a1"});
    stage.show(stage.world.request("GET", &format!("{mci}&{}", form(question))));
    let answer = json!({"from": SARA, "to": "3000505", "content": "win", "id": "b7", "origin-connector": "mtn"});
    stage.show(stage.world.request("POST", &mtn).body(FORM, form(answer).as_bytes()));
    let lost = json!({"from": SARA, "to": "3000999", "text": "Hello", "id": "a2"});
    stage
        .world
        .request("GET", &format!("{mci}&{}", form(lost)))
        .send()
        .expect(200);
    stage.world.settle(5_000);
    stage.show(stage.shop("GET", "/inbound"));
    stage.show(stage.shop("POST", "/inbound/take").json(json!({"line": "3000505"})));
    stage.show(stage.operator("GET", "/admin/inbound/unclaimed"));
}
