//! Whatever comes.

use proptest::prelude::*;

use super::*;
use crate::support::cases;
use crate::support::time::MINUTE_MS;

const CALLS: [(&str, &str, &str); 21] = [
    ("edge", "POST", "send"),
    ("edge", "POST", "send/cancel"),
    ("edge", "POST", "send/calculate-price"),
    ("edge", "GET", "send/webservice"),
    ("edge", "GET", "report/recipients"),
    ("edge", "GET", "report/by_bulk"),
    ("edge", "POST", "report/new_list"),
    ("edge", "POST", "report/messages-inbox"),
    ("edge", "POST", "acl/auth/check_token"),
    ("api2", "POST", "sms/send/webservice/single"),
    ("api2", "POST", "sms/send/webservice/peer-to-peer"),
    ("api2", "POST", "sms/send/webservice/phonebook"),
    ("api2", "POST", "sms/pattern/normal/send"),
    ("api2", "POST", "sms/pattern/normal/store"),
    ("api2", "GET", "sms/message/all"),
    ("api2", "GET", "sms/message/show-recipient/message-id/1"),
    ("rest", "POST", "messages"),
    ("rest", "POST", "messages/patterns/send"),
    ("rest", "POST", "messages/patterns"),
    ("rest", "GET", "messages/1"),
    ("rest", "GET", "messages/35184372098833/recipients"),
];

const NAMES: [&str; 28] = [
    "sending_type",
    "from_number",
    "message",
    "params",
    "recipients",
    "recipient",
    "code",
    "send_time",
    "time",
    "sender",
    "variable",
    "phonebook_ids",
    "message_outbox_id",
    "page",
    "per_page",
    "limit",
    "filters",
    "number",
    "originator",
    "values",
    "pattern_code",
    "pattern",
    "bulk_id",
    "messages_outbox_id",
    "message_id",
    "type",
    "state_id",
    "create_from_date",
];

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        Just(json!(PHONE)),
        Just(json!("10001")),
        Just(json!("login")),
        Just(json!("2026-13-01 00:00:00")),
        prop::sample::select(&["webservice", "pattern", "peer_to_peer", "phonebook", "votp"][..])
            .prop_map(|kind| json!(kind)),
        any::<i64>().prop_map(|number| json!(number)),
        any::<f64>().prop_map(|number| json!(number)),
        any::<bool>().prop_map(|flag| json!(flag)),
        "\\PC{0,20}".prop_map(|text| json!(text)),
    ];
    leaf.prop_recursive(3, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            members(inner.boxed(), 5),
        ]
    })
}

fn members(value: BoxedStrategy<Value>, most: usize) -> impl Strategy<Value = Value> {
    let members = prop::collection::vec((prop::sample::select(&NAMES[..]), value), 0..most);
    members.prop_map(|members| {
        members
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(80)))]

    /// Whatever comes, the answer has the protocol's form, and only one that says so has sent anything.
    #[test]
    fn garbage_gets_the_protocols_form_and_sends_nothing(
        calls in prop::collection::vec((
            prop::sample::select(&CALLS[..]),
            members(value().boxed(), 7),
            prop::collection::vec((prop::sample::select(&NAMES[..]), "[0-9a-z+%-]{0,12}"), 0..4),
            prop::sample::select(&["", "", "PUT", "HEAD"][..]),
        ), 1..4),
    ) {
        let (world, shop) = world();
        let mut sent = 0_usize;
        for ((protocol, method, call), body, query, other) in calls {
            let method = if other.is_empty() { method } else { other };
            let query: String = query.iter().map(|(name, value)| format!("{name}={value}&")).collect();
            let call = format!("{call}?{query}");
            let (status, answer) = match protocol {
                "edge" => edge(&world, &shop.key, method, &call, &body),
                "api2" => api2(&world, &shop.key, method, &call, &body),
                _ => rest(&world, &shop.key, method, &call, &body),
            };
            prop_assert!((200..500).contains(&status), "{call} {body}: {answer}");
            let data = &answer["data"];
            let made = ["message_outbox_ids", "bulk_id"].iter().any(|name| data.get(name).is_some());
            sent += usize::from(made || method == "POST" && data.get("message_id").is_some());
        }
        let messages = world.read(&shop.key, "/messages");
        prop_assert_eq!(messages.items().is_empty(), sent == 0);
    }

    /// A send by the door costs and does what the same send by our own API does.
    #[test]
    fn a_send_by_the_door_is_worth_the_same_as_by_our_own_api(
        recipients in prop::collection::vec("09[1-3][0-9]{8}", 1..20),
        message in prop_oneof!["[a-z ]{1,200}", "[آ-ی ]{1,200}"],
        ahead_s in prop_oneof![Just(0_i64), 60..100_000_i64],
        protocol in 0..4_u8,
    ) {
        let (world, shop) = world();
        let twin = world.account("twin", MONEY);
        world.advance(31_000);
        let at = peyk::base::time::to_rfc3339(world.now_ms.get() + ahead_s * 1_000);
        let numbers: Vec<&str> = recipients.iter().map(String::as_str).collect();
        let with_time = |mut body: Value, name: &str| {
            body[name] = json!(at);
            body
        };
        let halves: Vec<Value> = numbers.chunks(7).map(|part| json!({"recipients": part, "message": message})).collect();
        let (status, answer) = match protocol {
            0 => edge(&world, &shop.key, "POST", "send", &with_time(text_to(&numbers, &message), "send_time")),
            1 => api2(&world, &shop.key, "POST", &format!("{SEND}/single"), &with_time(single_to(&numbers, &message), "time")),
            2 => rest(&world, &shop.key, "POST", "messages", &with_time(json!({"recipients": numbers, "message": message}), "time")),
            _ => edge(&world, &shop.key, "POST", "send", &with_time(json!({"sending_type": "peer_to_peer", "params": halves}), "send_time")),
        };
        let each = numbers.iter().map(|to| json!({"recipient": to, "message": message}));
        let (path, mut body) = if protocol == 3 {
            ("/sms/bulk", json!({"messages": each.collect::<Value>()}))
        } else {
            ("/sms/send", json!({"message": message, "recipients": recipients}))
        };
        if ahead_s > 0 {
            body["sendAt"] = json!(at);
        }
        let own = world.post(&twin.key, path, body);
        prop_assert_eq!(status == 200, own.response.status == 201, "{} {}", answer, own.body);
        prop_assert_eq!(world.balance(&shop.key), world.balance(&twin.key));
        world.settle(ahead_s * 1_000 + MINUTE_MS);
        let got = |account: &Account| world.inbox(&account.id).into_values().collect::<Vec<_>>();
        prop_assert_eq!(got(&shop), got(&twin));
        let statuses = |key: &str| world.read(key, "/account/usage").json["data"][0]["live"].clone();
        prop_assert_eq!(statuses(&shop.key), statuses(&twin.key));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(80)))]

    /// Whatever is asked for under the door's prefixes, in whichever form: the answer is the protocol's own, and nothing fails.
    #[test]
    fn no_answer_leaves_the_protocols_form(
        method in prop::sample::select(&["GET", "POST", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS", "x"][..]),
        prefix in prop::sample::select(&["/v1/api", "/api", "/api/v1", "/inbox", "/v1"][..]),
        steps in prop::collection::vec(prop_oneof![
            3 => prop::sample::select(&[
                "send", "webservice", "report", "recipients", "sms", "message", "messages", "all", "inbox", "patterns", "payment", "user",
                "acl", "Services", "7", "35184372098833", "",
            ][..]).prop_map(str::to_owned),
            1 => "[!-~&&[^/?#]]{0,12}",
        ], 0..5),
        content_type in prop::sample::select(&[JSON, "application/x-www-form-urlencoded", "text/xml", ""][..]),
        body in prop_oneof![
            2 => members(value().boxed(), 5).prop_map(|body| body.to_string()),
            1 => "\\PC{0,40}",
        ],
        query in "((page|per_page|limit|bulk_id|to|message)=[!-~&&[^#]]{0,8}&?){0,3}",
    ) {
        let (world, shop) = world();
        // What begins with two slashes may be a path of another protocol.
        let steps = steps.join("/");
        let steps = steps.trim_start_matches('/');
        let path = match prefix {
            "/inbox" => "/inbox/".to_owned(),
            prefix => format!("{prefix}/{steps}"),
        };
        let is_rest = prefix == "/v1";
        let head = Head {
            authorization: Some(if is_rest { format!("AccessKey {}", shop.key) } else { shop.key.clone() }),
            ..head(method, &format!("{path}?{query}"), content_type)
        };
        prop_assert_eq!(peyk::api::doors::door_of(&head), Some(peyk::base::config::Door::Ippanel));
        let response = support::answer(&world, &head, body.as_bytes());
        prop_assert!((200..500).contains(&response.status), "{} {}: {}", method, head.path, response.body);
        let told: Value = serde_json::from_str(&response.body).unwrap();
        match prefix {
            "/inbox" | "/api/v1" => assert_api2(response.status, &told),
            "/v1" if !steps.starts_with("api/") => assert_rest(response.status, &told),
            "/api" if steps.starts_with("v1/") => assert_api2(response.status, &told),
            _ => assert_edge(response.status, &told),
        }
    }
}
