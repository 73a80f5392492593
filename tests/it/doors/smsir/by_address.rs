//! The oldest way to send by sms.ir: all in the address, and the answer is a word.

use peyk::base::config::Door;
use peyk::base::config::LogRequests;
use serde_json::json;

use crate::doors::support::{self, FORM, MONEY, head, world};
use crate::support::World;
use crate::support::time::MINUTE_MS;

const PATH: &str = "/SendMessage.ashx";

/// The HTTP status, and what a person reads.
fn ask(world: &World, method: &str, path: &str, content_type: &str, body: &str) -> (u16, String) {
    let response = support::answer(world, &head(method, path, content_type), body.as_bytes());
    assert_eq!(response.content_type, "text/plain; charset=utf-8", "{}", response.body);
    (response.status, response.body)
}

fn ok() -> (u16, String) {
    (200, "ok".to_owned())
}

/// As the sources of these programs write it, byte for byte.
#[test]
fn each_program_that_sends_by_address_is_told_ok() {
    let (world, shop) = world();
    let key = shop.key.as_str();
    // Persian WooCommerce SMS: `user`, `pass`, `to`, `lineNo`, `text`, by GET.
    let persian = "%D8%B3%D9%84%D8%A7%D9%85%20%D8%AF%D9%86%DB%8C%D8%A7";
    let to = "09121234567%2C09351234567";
    let plugin = format!("{PATH}?user=shop&pass={key}&to={to}&lineNo=10001&text={persian}");
    assert_eq!(ask(&world, "GET", &plugin, "", ""), ok());
    // WP SMS writes the list as it is.
    let older = format!("{PATH}?user=shop&pass={key}&lineNo=10001&to=09121234567,09351234567&text={persian}");
    assert_eq!(ask(&world, "GET", &older, "", ""), ok());
    // Python's `requests.post(url, params=…)`, and .NET's `PostAsync` with nothing in the body.
    let posted = format!("{PATH}?user=shop&pass={key}&lineNo=10001&to=09121234567&text=a+b");
    assert_eq!(ask(&world, "POST", &posted, "text/plain; charset=utf-8", ""), ok());
    // A program of Apps Script has a part of it in a form.
    let split = format!("{PATH}?user=shop&pass={key}&lineNo=10001");
    assert_eq!(
        ask(&world, "POST", &split, FORM, "To=%2B989121234567&text=x&From=10001"),
        ok()
    );
    let small = format!("/sendmessage.ashx/?text=x&lineno=10001&to=09121234567&user=shop&pass={key}");
    assert_eq!(ask(&world, "GET", &small, "", ""), ok());
    world.settle(MINUTE_MS);
    let mut texts: Vec<String> = world.handed(&shop.id).into_iter().map(|(_, text)| text).collect();
    texts.sort();
    let persian = "سلام دنیا";
    assert_eq!(texts, ["a b", "x", "x", persian, persian, persian, persian]);
    assert_eq!(world.balance(key), (MONEY - 7_000, 0));
}

#[test]
fn a_refusal_says_in_words_what_is_wrong_and_sends_nothing() {
    let (mut world, shop) = world();
    let good = [
        ("pass", shop.key.as_str()),
        ("to", "09121234567"),
        ("lineNo", "10001"),
        ("text", "x"),
    ];
    let with = |name: &str, value: &str| {
        let params = good.map(|(known, as_is)| (known, if known == name { value } else { as_is }));
        format!("{PATH}?user=shop&{}", support::form(&params))
    };
    for (name, value, status, words) in [
        ("pass", "wrong", 401, "کلید"),
        ("pass", "", 401, "کلید"),
        ("to", "", 400, "موبایل"),
        ("to", "12", 400, "موبایل"),
        ("to", "09121234567,12", 400, "موبایل"),
        ("to", "00971501234567", 400, "+971501234567"),
        ("lineNo", "", 400, "خط"),
        ("lineNo", "99999", 400, "99999"),
        ("text", " ", 400, "خالی"),
        ("to", &vec!["09121234567"; 101].join(","), 400, "100"),
    ] {
        let (told, text) = ask(&world, "GET", &with(name, value), "", "");
        assert_eq!(told, status, "{name}={value}: {text}");
        // It must not be taken for a success: the plugin looks for these.
        assert!(text != "ok" && !text.contains("ارسال با موفقیت انجام شد"), "{text}");
        assert!(text.contains(words), "{name}={value}: {text}");
    }
    let response = support::answer(&world, &head("PUT", &with("text", "x"), ""), b"");
    assert_eq!(response.status, 405);
    world.credit(&shop, 1 - MONEY);
    assert_eq!(ask(&world, "GET", &with("text", "x"), "", "").0, 400);
    assert!(world.read(&shop.key, "/messages").items().is_empty());
    world.app.config.doors.retain(|door| *door != Door::SmsIr);
    let (status, problem) = support::knock(&world, &head("GET", &with("text", "x"), ""), b"");
    assert_eq!((status, &problem["code"]), (404, &json!(404)));
}

#[test]
fn the_soap_service_beside_it_says_what_to_call_instead() {
    let (world, _) = world();
    for (method, path) in [
        ("GET", "/ws/SendReceive.asmx?wsdl"),
        ("POST", "/ws/SendReceive.asmx"),
        ("GET", "/WS/sendreceive.asmx/"),
    ] {
        let (status, text) = ask(&world, method, path, "text/xml; charset=utf-8", "<soap:Envelope/>");
        assert_eq!(status, 400, "{path}");
        assert!(text.contains("SendMessage.ashx") && text.contains("SOAP"), "{text}");
    }
    for path in ["/ws", "/ws/other.asmx", "/SendMessage.ashx/more"] {
        let (status, problem) = support::knock(&world, &head("GET", path, ""), b"");
        assert_eq!((status, &problem["code"]), (404, &json!(404)), "{path}");
    }
}

#[test]
fn no_line_of_the_log_stands_beside_an_address_whose_parameters_have_a_key() {
    let (mut world, shop) = world();
    world.app.config.log_requests = LogRequests::All;
    let imported = "imported-key-of-another-form";
    world.grant(
        &shop,
        json!({"title": "imported", "scopes": ["sms:send"], "key": imported}),
    );
    for is_open in [true, false] {
        if !is_open {
            world.app.config.doors.clear();
        }
        for path in [
            format!("{PATH}?user=shop&pass={imported}&to=09121234567&lineNo=10001&text=x"),
            format!("/v1/send?username=shop&password={imported}&mobile=09121234567&line=10001&text=x"),
            format!("/V1/Send/?username=shop&password={imported}"),
            format!("/v1/api/send/webservice?apikey={imported}&to=09121234567&from=10001&message=x"),
            format!("/api/send/webservice?apikey={imported}"),
        ] {
            world.log.take();
            world.log_apart.take();
            support::answer(&world, &head("GET", &path, ""), b"");
            let (all, apart) = (world.log.take(), world.log_apart.take());
            assert_eq!((all.len(), &all), (1, &apart), "{path}");
            assert!(!all[0].contains(imported), "{all:?}");
        }
    }
}
