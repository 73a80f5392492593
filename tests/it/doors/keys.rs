//! A door tells nothing to a key that does not count any more, or has no tokens left: not even that a list is empty, which it may know
//! without asking our own API.

use base64::prelude::{BASE64_STANDARD, Engine};
use peyk::api::http::Head;
use serde_json::json;

use super::support::{FORM, MONEY, answer, head};
use crate::support::{Account, World};

const JSON: &str = "application/json";
/// What is read without a body.
const LISTS: [&str; 34] = [
    "/v1/{key}/sms/latestoutbox.json",
    "/v1/{key}/sms/selectoutbox.json?startdate={day}&enddate={day}",
    "/v1/{key}/sms/countoutbox.json?startdate={day}&enddate={day}",
    "/v1/{key}/sms/countinbox.json?startdate={day}&enddate={day}",
    "/v1/{key}/sms/statusbyreceptor.json?startdate={day}&receptor=09121234567",
    "/v1/{key}/sms/inboxpaged.json?linenumber=10001&isread=1",
    "/v1/{key}/sms/receive.json?linenumber=10001&isread=1",
    "/v1/{key}/sms/status.json?messageid=7",
    "/v1/{key}/utils/getdate.json",
    "/v1/send/live",
    "/v1/send/pack",
    "/v1/send/archive?fromDate=7&toDate=6",
    "/v1/receive/live",
    "/v1/receive/latest",
    "/v1/receive/archive?fromDate=7&toDate=6",
    "/v1/line",
    "/api/MessageSend?Shamsi_FromDate=1405/09/02&Shamsi_ToDate=1405/09/01",
    "/api/ReceiveMessage?Shamsi_FromDate=1405/09/02&Shamsi_ToDate=1405/09/01",
    "/api/ReceiveMessage?id=0",
    "/api/SMSLine",
    "/api/v1/sms/message/all",
    "/api/v1/sms/message/all?message_id=7",
    "/inbox",
    "/v1/messages/inbox",
    "/v1/api/numbers",
    "{account}/Messages.json",
    "{account}/Messages.json?To=10001&PageToken=PA7.0.0",
    "{account}/Messages.json?To=10001&PageToken=PA7.0",
    "{account}/Messages.json?From=10009&PageToken=PA0.0.7",
    "{account}/Messages.json?To=10001&From=10009&PageToken=PA7.0.0",
    "{account}/IncomingPhoneNumbers.json?Page=7",
    "/2010-04-01/Accounts.json?Page=7",
    "/v1/Services?Page=7",
    "/v2/PhoneNumbers/x",
];
/// What is read by a POST.
const POSTED: [&str; 2] = ["/v1/api/report/new_list", "/v1/api/report/messages-inbox"];

/// The statuses of all lists, each with its list.
fn read<'a>(world: &World, key: &str) -> Vec<(&'a str, u16)> {
    let gotten = LISTS.iter().map(|list| ("GET", *list, String::new()));
    let posted = POSTED.iter().map(|list| ("POST", *list, json!({}).to_string()));
    gotten
        .chain(posted)
        .map(|(method, list, body)| {
            (
                list,
                answer(world, &asking(world, key, method, list), body.as_bytes()).status,
            )
        })
        .collect()
}

fn asking(world: &World, key: &str, method: &str, list: &str) -> Head {
    let account = "AC0123456789abcdef0123456789abcdef";
    let day = (world.now_ms.get() / 1_000).to_string();
    let path = list
        .replace("{key}", key)
        .replace("{day}", &day)
        .replace("{account}", &format!("/2010-04-01/Accounts/{account}"));
    let is_twilios = ["/2010-04-01", "/v1/Services", "/v2"]
        .iter()
        .any(|of| path.starts_with(of));
    let authorization = if is_twilios {
        Some(format!("Basic {}", BASE64_STANDARD.encode(format!("{account}:{key}"))))
    } else {
        path.starts_with("/v1/messages").then(|| format!("AccessKey {key}"))
    };
    let content_type = if method == "POST" { JSON } else { FORM };
    Head {
        authorization,
        door_key: Some(key.to_owned()).filter(|_| !is_twilios),
        ..head(method, &path, content_type)
    }
}

fn not<'a>(told: &[(&'a str, u16)], wanted: &[u16]) -> Vec<(&'a str, u16)> {
    let others = told.iter().filter(|(_, status)| !wanted.contains(status));
    others.copied().collect()
}

fn shop() -> (World, Account) {
    let (world, shop) = World::with_busy_account(MONEY);
    assert_eq!(not(&read(&world, &shop.key), &[200]), []);
    (world, shop)
}

#[test]
fn no_list_is_told_to_a_key_that_was_revoked_while_it_was_remembered() {
    let (world, shop) = shop();
    let made = world.grant(&shop, json!({"title": "t"}));
    let key = made.text("/data/key");
    world.get(&key, "/account/info").expect(200);
    world.delete(&shop.key, &format!("/keys/{}", made.text("/data/id")));
    // Kavenegar's 403 is that of a key that is not good.
    assert_eq!(not(&read(&world, &key), &[401, 403]), []);
}

#[test]
fn each_list_pays_its_token() {
    let (world, shop) = shop();
    let limit = json!({"rateLimit": {"limit": 60, "windowSeconds": 60, "burst": 1}});
    world.change_account(&shop, limit);
    // The key has a reserve of its own for what it must always be able to ask.
    let is_out = |_| world.get(&shop.key, "/console/session").response.status == 429;
    assert!((0..1_000).any(is_out), "the reserve ends");
    // Kavenegar's 451.
    assert_eq!(not(&read(&world, &shop.key), &[429, 451]), []);
}
