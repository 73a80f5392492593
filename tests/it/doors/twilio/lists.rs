//! The lists of Twilio's door.

use peyk::base::time::{to_rfc3339, to_rfc5322};
use serde_json::{Value, json};

use super::*;

#[test]
fn a_list_has_each_recipient_once_newest_first_whatever_the_size_of_its_pages() {
    let (world, shop) = world();
    world.share_line("10002", "sandbox", &["WEBSERVICE"]);
    world.advance(31_000);
    let numbers: Vec<String> = (0..7).map(|index| format!("0935123456{index}")).collect();
    world.posted(
        &shop.key,
        "/sms/send",
        json!({"message": "first", "recipients": ["09121234567"]}),
    );
    let many = json!({"message": "many", "recipients": numbers, "sourceNumber": "10002"});
    world.posted(&shop.key, "/sms/send", many);
    created(&world, &shop.key, &with("Body", "last"));
    let whole = got(&world, &shop.key, "/Messages.json");
    let sids = texts(&whole, "sid");
    assert_eq!(sids.len(), 9);
    assert_eq!(
        texts(&whole, "body"),
        [&["last"][..], &["many"; 7], &["first"]].concat()
    );
    assert_eq!(
        (&whole["next_page_uri"], &whole["page_size"], &whole["end"]),
        (&Value::Null, &json!(50), &json!(8))
    );
    for size in [1, 2, 3, 5, 9, 1_000] {
        let pages = walked(&world, &shop.key, &format!("PageSize={size}"));
        let told: Vec<&str> = pages.iter().flat_map(|page| texts(page, "sid")).collect();
        assert_eq!(told, sids, "{size}");
        assert!(pages.iter().all(|page| texts(page, "sid").len() <= size));
    }
    for (query, count) in [
        ("To=09121234567&PageSize=1", 2),
        ("To=%2B989351234566&PageSize=1", 1),
        ("To=%2B989131234566", 0),
        ("From=10002&PageSize=2", 7),
        ("From=%2B10001&PageSize=1", 2),
        ("From=10009", 0),
        ("From=10001&To=%2B989351234566", 0),
    ] {
        let pages = walked(&world, &shop.key, query);
        let count_of = |page: &Value| texts(page, "sid").len();
        assert_eq!(pages.iter().map(count_of).sum::<usize>(), count, "{query}");
    }
    let members: Vec<&String> = whole.as_object().unwrap().keys().collect();
    assert_eq!(members.len(), 9, "a library takes no other member: {members:?}");
}

#[test]
fn a_number_is_found_among_more_recipients_than_a_call_reads() {
    let (world, shop) = world();
    let numbers: Vec<String> = (0..900).map(|index| format!("0935{index:07}")).collect();
    world.posted(&shop.key, "/sms/send", json!({"message": "x", "recipients": numbers}));
    let found = got(&world, &shop.key, "/Messages.json?To=09350000899&PageSize=1");
    assert_eq!(texts(&found, "to"), ["+989350000899"]);
    assert_eq!(found["next_page_uri"], Value::Null);
    let pages = walked(&world, &shop.key, "PageSize=1000");
    let sizes: Vec<usize> = pages.iter().map(|page| texts(page, "sid").len()).collect();
    assert_eq!(sizes, [500, 400]);
}

#[test]
fn a_list_is_of_days_and_moments() {
    let (world, shop) = world();
    let noon_ms = world.now_ms.get().div_euclid(DAY_MS) * DAY_MS + 12 * HOUR_MS;
    for body in ["one", "two", "three"] {
        let rest_ms = noon_ms - world.now_ms.get();
        world.advance(if body == "one" && rest_ms > 0 { rest_ms } else { DAY_MS });
        created(&world, &shop.key, &with("Body", body));
    }
    let second_ms = world.now_ms.get() - DAY_MS;
    let at = |ms: i64| to_rfc3339(ms).replace(".000Z", "Z").replace(':', "%3A");
    let day = to_rfc3339(second_ms)[..10].to_owned();
    let mail = to_rfc5322(second_ms).replace(' ', "+").replace("+0000", "%2B0000");
    for (query, wanted) in [
        (format!("DateSent={day}"), vec!["two"]),
        (format!("DateSent={}", at(second_ms - HOUR_MS)), vec!["two"]),
        (format!("DateSent%3E={day}"), vec!["three", "two"]),
        (format!("DateSent>={}", at(second_ms)), vec!["three", "two"]),
        (format!("DateSent%3E={}", at(second_ms + SECOND_MS)), vec!["three"]),
        (format!("DateSent%3C={day}"), vec!["two", "one"]),
        (format!("DateSent%3C={mail}"), vec!["two", "one"]),
        (format!("DateSent%3C={}", at(second_ms - SECOND_MS)), vec!["one"]),
        (format!("DateSent%3E={day}&DateSent%3C={day}"), vec!["two"]),
        (format!("DateSent%3E={day}&PageSize=1"), vec!["three", "two"]),
    ] {
        let pages = walked(&world, &shop.key, &query);
        let bodies: Vec<&str> = pages.iter().flat_map(|page| texts(page, "body")).collect();
        assert_eq!(bodies, wanted, "{query}");
    }
    for (query, code) in [
        ("DateSent=tomorrow", 20_001),
        ("PageSize=x", 20_001),
        ("Page=-1", 20_001),
        ("PageToken=x", 20_001),
        ("To=+", 21_211),
        ("To=999999999999999999999999999999999", 21_211),
        ("From=999999999999999999999999999999999", 21_212),
    ] {
        let (status, body) = knock(&world, &shop.key, "GET", &path(&format!("/Messages.json?{query}")), "");
        assert_eq!((status, &body["code"]), (400, &json!(code)), "{query}");
    }
}
