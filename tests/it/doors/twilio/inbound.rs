//! What phones have sent, in the lists of Twilio's door and one by one.

use peyk::base::time::to_rfc5322;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::support::cases;

const PHONE: &str = "+989351234567";
const OTHER: &str = "+989121234567";

/// A shop with a line that phones send to.
fn shop() -> (World, Account) {
    let (world, shop) = world();
    let line = json!({"number": "3000", "carrier": "sandbox", "operations": ["WEBSERVICE"], "accounts": [shop.id]});
    world.create("/admin/lines", line);
    world.advance(31_000);
    (world, shop)
}

fn send(world: &World, shop: &Account, text: &str, recipients: &[&str]) {
    let body = json!({"message": text, "recipients": recipients, "sourceNumber": "3000"});
    world.posted(&shop.key, "/sms/send", body);
}

fn bodies(world: &World, key: &str, query: &str) -> Vec<String> {
    let pages = walked(world, key, query);
    let told = pages.iter().flat_map(|page| texts(page, "body"));
    told.map(str::to_owned).collect()
}

#[test]
fn a_message_from_a_phone_is_a_record_by_its_sid_and_in_the_list() {
    let (world, shop) = shop();
    let at_ms = world.now_ms.get();
    phone_sends(&world, PHONE, &"ب".repeat(100));
    let listed = got(&world, &shop.key, "/Messages.json");
    let [message] = listed["messages"].as_array().unwrap().as_slice() else {
        panic!("{listed}");
    };
    let at = to_rfc5322(at_ms);
    let sid = text(message, "sid");
    let uri = path(&format!("/Messages/{sid}"));
    let wanted = json!({
        "sid": sid, "account_sid": AC, "api_version": "2010-04-01", "body": "ب".repeat(100), "direction": "inbound",
        "from": PHONE, "to": "3000", "status": "received", "error_code": null, "error_message": null, "date_created": at,
        "date_updated": at, "date_sent": at, "num_segments": "2", "num_media": "0", "price": null, "price_unit": "IRR",
        "messaging_service_sid": null, "uri": format!("{uri}.json"), "subresource_uris": {"media": format!("{uri}/Media.json")},
    });
    assert_eq!(message, &wanted);
    assert!(sid.ends_with("000000000001"), "{sid}");
    for sid in [sid.to_owned(), sid.replace("SM", "MM"), sid.to_uppercase()] {
        assert_eq!(fetched(&world, &shop.key, &sid)["sid"], wanted["sid"]);
    }
    assert_eq!(
        got(&world, &shop.key, &format!("/Messages/{sid}/Media.json"))["media_list"],
        json!([])
    );
    // Nothing changes it.
    assert_eq!(
        on(&world, &shop.key, "POST", sid, &[("Status", "canceled")]),
        (409, 30_409)
    );
    assert_eq!(on(&world, &shop.key, "DELETE", sid, &[]), (403, 20_403));
    let stranger = world.account("stranger", MONEY);
    let test = test_key(&world, &shop);
    for key in [&stranger.key, &test] {
        for (method, params) in [("GET", &[][..]), ("DELETE", &[]), ("POST", &[("Status", "canceled")])] {
            assert_eq!(on(&world, key, method, sid, params), (404, 20_404));
        }
    }
    let unknown = sid.replace("000000000001", "000000000002");
    assert_eq!(on(&world, &shop.key, "GET", &unknown, &[]), (404, 20_404));
}

fn test_key(world: &World, shop: &Account) -> String {
    let key = json!({"title": "t", "mode": "test"});
    world.grant(shop, key).text("/data/key")
}

#[test]
fn filters_name_phones_and_lines_however_programs_write_them() {
    let (world, shop) = shop();
    send(&world, &shop, "to one", &[PHONE]);
    world.advance(SECOND_MS);
    phone_sends(&world, PHONE, "from one");
    world.advance(SECOND_MS);
    phone_sends(&world, "8282", "from a short number");
    world.advance(SECOND_MS);
    send(&world, &shop, "to another", &[OTHER]);
    let all = ["to another", "from a short number", "from one", "to one"];
    for (query, wanted) in [
        ("", &all[..]),
        ("PageSize=1", &all),
        ("To=3000", &["from a short number", "from one"]),
        ("To=+3000&PageSize=1", &["from a short number", "from one"]),
        ("To=%2B3000", &["from a short number", "from one"]),
        ("From=3000", &["to another", "to one"]),
        ("From=+3000&PageSize=1", &["to another", "to one"]),
        ("From=09351234567", &["from one"]),
        ("From=+989351234567", &["from one"]),
        ("From=%2B989351234567&To=3000", &["from one"]),
        ("From=8282", &["from a short number"]),
        ("To=+989351234567", &["to one"]),
        ("To=%2B989351234567&From=3000", &["to one"]),
        ("To=10001", &[]),
        ("To=+971501234567", &[]),
        ("From=10009", &[]),
    ] {
        assert_eq!(bodies(&world, &shop.key, query), wanted, "{query}");
    }
    // A test key sees what it has sent, as before: messages from phones are none of its.
    assert!(bodies(&world, &test_key(&world, &shop), "").is_empty());
    let sending = json!({"title": "t", "scopes": ["sms:read"]});
    let blind = world.grant(&shop, sending).text("/data/key");
    // One that may not see the lines can still read.
    for (query, wanted) in [("To=3000", 2), ("To=%2B989351234567", 1), ("From=%2B989351234567", 1)] {
        assert_eq!(bodies(&world, &blind, query).len(), wanted, "{query}");
    }
}

#[test]
fn a_key_that_may_not_read_messages_never_takes_that_for_an_empty_list() {
    let (world, shop) = shop();
    phone_sends(&world, PHONE, "from a phone");
    let given = |grant: Value| world.grant(&shop, grant).text("/data/key");
    let blind = given(json!({"title": "t", "scopes": ["phonebook", "account:read"]}));
    let blind_test = given(json!({"title": "t", "mode": "test", "scopes": ["phonebook", "account:read"]}));
    let test = test_key(&world, &shop);
    for query in [
        "",
        "To=3000",
        "To=%2B989351234567",
        "From=%2B989351234567",
        "From=%2B989351234567&To=3000",
        "PageToken=PA0.0.7",
        "PageToken=PA7.0.0",
        "To=3000&PageToken=PA7.0.0",
        "To=%2B989351234567&PageToken=PA0.0.7",
        "From=%2B989351234567&PageToken=PA7.0.0",
    ] {
        let list = path(&format!("/Messages.json?{query}"));
        for key in [&blind, &blind_test] {
            let (status, body) = knock(&world, key, "GET", &list, "");
            assert_eq!((status, &body["code"]), (403, &json!(20_403)), "{query}");
        }
        let (status, page) = knock(&world, &test, "GET", &list, "");
        assert_eq!((status, texts(&page, "sid")), (200, vec![]), "{query}");
    }
}

#[test]
fn a_line_is_found_with_any_prefix_and_after_it_was_taken_away() {
    let (world, shop) = shop();
    for line in ["3000505", "982191001234"] {
        let settings =
            json!({"number": line, "carrier": "sandbox", "operations": ["WEBSERVICE"], "accounts": [shop.id]});
        world.create("/admin/lines", settings);
    }
    world.advance(31_000);
    for line in ["3000505", "982191001234"] {
        let body = json!({"message": line, "recipients": [OTHER], "sourceNumber": line});
        world.posted(&shop.key, "/sms/send", body);
    }
    send(&world, &shop, "from another", &[OTHER]);
    phone_sends_to(&world, "3000505", PHONE, "to it");
    phone_sends(&world, PHONE, "to another");
    let check = || {
        for (query, text) in [
            ("From=3000505", "3000505"),
            ("From=%2B983000505", "3000505"),
            ("From=+983000505", "3000505"),
            ("From=02191001234", "982191001234"),
            ("From=%2B982191001234", "982191001234"),
            ("To=3000505", "to it"),
        ] {
            assert_eq!(bodies(&world, &shop.key, query), [text], "{query}");
        }
    };
    check();
    for query in ["To=%2B983000505", "To=+983000505", "To=03000505"] {
        assert_eq!(bodies(&world, &shop.key, query), ["to it"], "{query}");
    }
    for line in ["3000505", "982191001234"] {
        world
            .admin("PATCH", &format!("/admin/lines/{line}"), json!({"accounts": []}))
            .expect(200);
    }
    world.advance(31_000);
    check();
}

#[test]
fn a_phone_number_that_is_a_line_is_found_as_one() {
    let (world, shop) = shop();
    world.share_line("982191001234", "sandbox", &["WEBSERVICE"]);
    world.advance(31_000);
    let body = json!({"message": "from it", "recipients": [OTHER], "sourceNumber": "982191001234"});
    world.posted(&shop.key, "/sms/send", body);
    send(&world, &shop, "from another", &[OTHER]);
    for query in [
        "From=982191001234",
        "From=%2B982191001234",
        "From=+982191001234",
        "From=02191001234",
    ] {
        assert_eq!(bodies(&world, &shop.key, query), ["from it"], "{query}");
    }
}

#[test]
fn days_hold_for_both_kinds() {
    let (world, shop) = shop();
    let day = |ms: i64| peyk::base::time::to_rfc3339(ms)[..10].to_owned();
    let first_ms = world.now_ms.get();
    send(&world, &shop, "sent", &[OTHER]);
    phone_sends(&world, PHONE, "received");
    world.advance(DAY_MS);
    send(&world, &shop, "sent later", &[OTHER]);
    phone_sends(&world, PHONE, "received later");
    let [first, later] = [day(first_ms), day(world.now_ms.get())];
    for (query, wanted) in [
        (format!("DateSent={first}"), ["sent", "received"]),
        (format!("DateSent<={first}"), ["sent", "received"]),
        (format!("DateSent>={later}"), ["sent later", "received later"]),
    ] {
        assert_eq!(bodies(&world, &shop.key, &query), wanted, "{query}");
    }
}

#[test]
fn a_page_that_begins_with_two_slashes_is_the_same_page() {
    let (world, shop) = shop();
    phone_sends(&world, PHONE, "one");
    phone_sends(&world, PHONE, "two");
    let first = got(&world, &shop.key, "/Messages.json?To=3000&PageSize=1");
    let next = format!("/{}", text(&first, "next_page_uri"));
    assert!(next.starts_with("//2010-04-01/"));
    let (status, page) = knock(&world, &shop.key, "GET", &next, "");
    assert_eq!((status, texts(&page, "body")), (200, vec!["one"]));
    // A path of our own stays what it is.
    let head = support::head("GET", "//messages", FORM);
    assert_eq!(support::answer(&world, &head, b"").status, 404);
}

#[test]
fn a_token_of_a_list_without_messages_from_phones_leads_on_in_that_list() {
    let (world, shop) = shop();
    for text in ["one", "two", "three"] {
        send(&world, &shop, text, &[OTHER]);
        phone_sends(&world, PHONE, "from a phone");
    }
    assert_eq!(bodies(&world, &shop.key, "PageSize=1&PageToken=PA3.0"), ["two", "one"]);
}

#[test]
fn long_lists_of_both_kinds_are_told_whole() {
    let (world, shop) = shop();
    let numbers: Vec<String> = (0..300).map(|index| format!("0912{index:07}")).collect();
    let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
    for round in 0..260 {
        phone_sends(&world, PHONE, &format!("in {round}"));
        if round == 130 {
            send(&world, &shop, "out", &numbers);
        }
        world.advance(10);
    }
    let wanted: Vec<String> = (0..260)
        .rev()
        .flat_map(|round| {
            let out = vec!["out".to_owned(); if round == 130 { 300 } else { 0 }];
            out.into_iter().chain([format!("in {round}")])
        })
        .collect();
    for size in [7, 50, 500] {
        assert_eq!(bodies(&world, &shop.key, &format!("PageSize={size}")), wanted, "{size}");
    }
}

/// What happens in a world.
#[derive(Debug, Clone)]
enum Step {
    /// A message to so many numbers leaves.
    Send(usize),
    Receive,
    /// So many milliseconds pass.
    Wait(i64),
}

fn steps(most: usize) -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        2 => (1..5_usize).prop_map(Step::Send),
        3 => Just(Step::Receive),
        2 => (1..2_000_i64).prop_map(Step::Wait),
    ];
    prop::collection::vec(step, 0..most)
}

/// Does the steps. Returns the texts, each once for a number, the newest first; of one time, those that were sent come first.
fn played(world: &World, shop: &Account, steps: &[Step], called: &str) -> Vec<String> {
    let (mut told, mut from) = (Vec::new(), world.now_ms.get());
    for (index, step) in steps.iter().enumerate() {
        let text = format!("{called} {index}");
        match step {
            Step::Send(count) => {
                let numbers: Vec<String> = (0..*count).map(|number| format!("0912000000{number}")).collect();
                let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
                send(world, shop, &text, &numbers);
                told.push((from, 1, index, text, *count));
            }
            Step::Receive => {
                phone_sends(world, PHONE, &text);
                told.push((from, 0, index, text, 1));
            }
            Step::Wait(ms) => {
                world.advance(*ms);
                from = world.now_ms.get();
            }
        }
    }
    told.sort();
    let newest = told.into_iter().rev();
    newest.flat_map(|(_, _, _, text, count)| vec![text; count]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(60)))]

    /// Pages of any size tell each entry of both kinds once, newest first, whatever comes while a program reads them.
    #[test]
    fn pages_of_both_kinds_tell_each_entry_once_in_order(
        before in steps(25),
        between in steps(5),
        sizes in prop::collection::vec(1..12_usize, 1..4),
    ) {
        let (world, shop) = shop();
        let wanted = played(&world, &shop, &before, "before");
        let mut sizes = sizes.into_iter().cycle();
        let mut size = || sizes.next().unwrap();
        let (mut told, mut token) = (Vec::new(), String::new());
        for page in 0..200 {
            let listed = got(&world, &shop.key, &format!("/Messages.json?PageSize={}{token}", size()));
            told.extend(texts(&listed, "body").into_iter().map(str::to_owned));
            if page == 0 {
                world.advance(1);
                played(&world, &shop, &between, "between");
            }
            let Some(next) = listed["next_page_uri"].as_str() else {
                break;
            };
            let (_, rest) = next.split_once("&PageToken=").unwrap();
            token = format!("&PageToken={rest}");
        }
        prop_assert_eq!(told, wanted);
        let mut sids: Vec<String> = Vec::new();
        for page in walked(&world, &shop.key, "PageSize=5") {
            sids.extend(texts(&page, "sid").into_iter().map(str::to_owned));
        }
        let count = sids.len();
        sids.sort();
        sids.dedup();
        prop_assert_eq!(sids.len(), count, "a SID names one entry");
    }
}
