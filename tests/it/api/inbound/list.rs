//! The customer's list of messages from phones.

use peyk::carrier::inbound::InboundSms;
use serde_json::json;

use super::{line, list, one_shop, receive, sms, text};

#[test]
fn a_long_text_is_cut_in_lists_and_whole_on_short_pages() {
    let (world, shop, _) = one_shop();
    let long = "ب".repeat(10_000);
    text(&world, "3000", &long);
    let short = &list(&world, &shop, "limit=20")[0];
    assert_eq!(short["text"], long.as_str());
    assert!(short.get("textTruncated").is_none());
    let cut = &list(&world, &shop, "limit=21")[0];
    assert_eq!(cut["text"].as_str().unwrap().chars().count(), 2_048);
    assert_eq!(cut["textTruncated"], true);
    // Nothing of a longer text is kept behind ten thousand characters, and it comes again as the same.
    let endless = sms(&world, "3000", &"x\u{0}".repeat(100_000));
    receive(&world, endless.clone()).unwrap();
    receive(&world, endless).unwrap();
    let items = list(&world, &shop, "limit=20");
    assert_eq!(items.len(), 2);
    assert_eq!(items[0]["text"], "x".repeat(10_000));
    assert_eq!(items[0]["textTruncated"], true);
}

#[test]
fn the_list_is_filtered_and_paged() {
    let (world, shop, other) = one_shop();
    line(&world, "3001", &[&shop]);
    let start_ms = world.now_ms.get();
    let senders = ["+989121234567", "8282", "+989351234567"];
    for index in 0..12_usize {
        let to = if index % 2 == 0 { "3000" } else { "3001" };
        let message = InboundSms {
            from: senders[index % 3].to_owned(),
            ..sms(&world, to, &index.to_string())
        };
        receive(&world, message).unwrap();
        world.advance(1_000);
    }
    let found = |query: &str| {
        let items = list(&world, &shop, query);
        let numbers = items.iter().map(|item| item["text"].as_str().unwrap().parse().unwrap());
        numbers.collect::<Vec<usize>>()
    };
    let newest_first = |wanted: fn(usize) -> bool| (0..12).rev().filter(|index| wanted(*index)).collect::<Vec<_>>();
    let at = |seconds: i64| peyk::base::time::to_rfc3339(start_ms + seconds * 1_000);
    assert_eq!(found(""), newest_first(|_| true));
    assert_eq!(found("line=3001"), newest_first(|index| index % 2 == 1));
    assert_eq!(found("from=09121234567"), newest_first(|index| index % 3 == 0));
    assert_eq!(found("from=8282"), newest_first(|index| index % 3 == 1));
    let wanted = newest_first(|index| index % 2 == 0 && index % 3 == 1);
    assert_eq!(found("line=3000&from=8282"), wanted);
    assert_eq!(found(&format!("since={}", at(7))), newest_first(|index| index >= 7));
    let wanted = newest_first(|index| index >= 7 && index % 2 == 0);
    assert_eq!(found(&format!("line=3000&since={}", at(7))), wanted);
    assert!(found(&format!("since={}", at(60))).is_empty());
    assert!(found("line=98-3000").is_empty() && found("from=nobody").is_empty());
    for filter in ["", "&line=3000", "&from=8282", "&line=3000&from=8282"] {
        let mut paged = Vec::new();
        world.walk(&shop.key, &format!("/inbound?limit=2{filter}"), |page| {
            paged.extend(page.texts("text").iter().map(|text| text.parse::<usize>().unwrap()));
            // What comes meanwhile neither repeats nor hides others.
            text(&world, "10001", "x");
        });
        assert_eq!(paged, found(filter), "{filter}");
    }
    assert!(list(&world, &other, "").is_empty());
    let scans = world.sql(&shop.id).walks(&["inbound"]);
    assert!(scans.is_empty(), "{}", scans.join("\n"));
}

#[test]
fn the_list_refuses_bad_filters_and_keys_that_may_not_read() {
    let (world, shop, _) = one_shop();
    let path = format!("/inbound?since=today&from=&line={}&limit=0&cursor=x", "9".repeat(33));
    let faults = world.get(&shop.key, &path).refused(422).extra();
    let fields = faults.iter().filter_map(|fault| fault.split_once(':'));
    let fields: Vec<&str> = fields.map(|(field, _)| field).collect();
    assert_eq!(fields, ["limit", "cursor", "line", "from", "since"]);
    world.request("GET", "/inbound").send().refused(401);
    let body = json!({"title": "x", "scopes": ["sms:send"]});
    let key = world.grant(&shop, body).text("/data/key");
    world.get(&key, "/inbound").refused(403);
}
