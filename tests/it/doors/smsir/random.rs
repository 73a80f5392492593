//! Whatever a program sends: the form of the answer, and what it is worth.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{call, ids, now_s, older};
use crate::doors::support::{MONEY, world};
use crate::support::time::MINUTE_MS;
use crate::support::{Account, cases};

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!("09121234567")),
        Just(json!(["09121234567", "9351234567"])),
        Just(json!(["09121234567"])),
        Just(json!(["a", "b"])),
        Just(json!(["a"])),
        Just(json!([{"name": "Code", "value": "1"}])),
        Just(json!([[], {"name": 7}])),
        Just(json!(10001)),
        Just(json!(null)),
        Just(json!(1e300)),
        Just(json!({"a": {"b": []}})),
        any::<i64>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        "\\PC{0,20}".prop_map(Value::from),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(80)))]

    /// Whatever comes, the answer has the protocol's form, and only one that says so has sent anything.
    #[test]
    fn garbage_gets_the_protocols_form_and_sends_nothing(
        calls in prop::collection::vec((
            prop_oneof![
                prop::sample::select(&[
                    "send/bulk", "send/likeToLike", "send/verify", "send", "send/scheduled/", "send/pack/", "send/pack", "send/live",
                    "send/archive", "send/7", "receive/latest", "receive/live", "receive/archive", "credit", "credit//", "line", "templates",
                ][..]).prop_map(str::to_owned),
                "(send|receive|credit)/[a-zA-Z0-9%/.-]{0,40}",
            ],
            prop::collection::vec((
                prop::sample::select(&[
                    "lineNumber", "MessageText", "mobiles", "messageTexts", "sendDateTime", "mobile", "templateId", "parameters",
                ][..]),
                value(),
            ), 0..6),
            prop_oneof![Just(String::new()), "[a-zA-Z]{4,12}=[0-9a-z%&-]{0,20}", "(pageSize|pageNumber|fromDate|toDate|count|mobile)=-?[0-9]{0,20}"],
            prop::sample::select(&["GET", "POST", "DELETE", "PUT"][..]),
        ), 1..4),
        bytes in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let (world, shop) = world();
        world.active_pattern(&shop.key, json!({"slug": "10001", "title": "x", "text": "%CODE%"}));
        let mut sent = 0_usize;
        for (path, members, query, method) in calls {
            let body: serde_json::Map<String, Value> = members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
            let path = format!("/v1/{path}?{query}");
            let (http, answer) = call(&world, &shop.key, method, &path, Value::Object(body).to_string().as_bytes());
            let (_, other) = call(&world, &shop.key, "POST", "/v1/send/bulk", &bytes);
            prop_assert!(other["status"] != 1);
            let made = answer["data"].get("cost").is_some() && method == "POST";
            sent += usize::from(http == 200 && made);
        }
        let messages = world.read(&shop.key, "/messages");
        prop_assert_eq!(messages.items().len(), sent);
    }

    /// The same holds for the API before `v1`, with and without a token.
    #[test]
    fn garbage_to_the_older_api_gets_its_form_and_sends_nothing(
        calls in prop::collection::vec((
            prop_oneof![
                4 => prop::sample::select(&[
                    "api/Token", "api/MessageSend", "api/UltraFastSend", "api/UltraFastSend/direct", "api/VerificationCode",
                    "api/credit", "api/SMSLine", "api/ReceiveMessage", "api/MessageReport", "api/CustomerClub/Send",
                ][..]).prop_map(str::to_owned),
                1 => "(api/(token|credit|messagesend)|users/v1)/[a-zA-Z0-9%/.-]{0,20}",
            ],
            prop::collection::vec((
                prop::sample::select(&[
                    "Messages", "MobileNumbers", "LineNumber", "SendDateTime", "CanContinueInCaseOfError", "ParameterArray", "Mobile",
                    "TemplateId", "Code", "MobileNumber", "UserApiKey",
                ][..]),
                value(),
            ), 0..7),
            prop_oneof![
                "(Shamsi_FromDate=[0-9]{1,5}/[0-9]{1,3}/[0-9]{1,3}&Shamsi_ToDate=[0-9]{4}/[0-9]{1,2}/[0-9]{1,2})?(&RowsPerPage=[0-9]{1,3})?(&RequestedPageNumber=[0-9]{1,20})?",
                "(id|pageId|batchKey)=[0-9a-z%-]{0,20}",
            ],
            prop::sample::select(&["GET", "POST", "DELETE", "PUT"][..]),
            any::<bool>(),
        ), 1..5),
        bytes in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let (world, shop) = world();
        world.active_pattern(&shop.key, json!({"slug": "10001", "title": "x", "text": "%CODE%"}));
        world.active_pattern(&shop.key, json!({"slug": "VerificationCode", "title": "x", "text": "%CODE%"}));
        let mut sent = 0_usize;
        for (path, members, query, method, has_token) in calls {
            let token = if has_token { shop.key.as_str() } else { "" };
            let body: serde_json::Map<String, Value> = members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
            let (http, answer) = older::call(&world, token, method, &format!("/{path}?{query}"), Value::Object(body).to_string().as_bytes());
            prop_assert!([200, 201, 400, 401, 403, 405].contains(&http), "{method} {path}: {http} {answer}");
            let (other, _) = older::call(&world, &shop.key, "POST", "/api/MessageSend", &bytes);
            prop_assert!(other >= 400);
            sent += usize::from(http == 201);
        }
        prop_assert_eq!(world.read(&shop.key, "/messages").items().len(), sent);
    }

    /// A send by the door costs and does what the same send by our own API does.
    #[test]
    fn a_send_by_the_door_is_worth_the_same_as_by_our_own_api(
        mobiles in prop::collection::vec("09[1-3][0-9]{8}", 1..20),
        message in prop_oneof!["[a-z ]{1,200}", "[آ-ی ]{1,200}"],
        ahead_s in prop_oneof![Just(0_i64), 60..100_000_i64],
        is_bulk in any::<bool>(),
    ) {
        let (world, shop) = world();
        let twin = world.account("twin", MONEY);
        world.advance(31_000);
        let at_s = now_s(&world) + ahead_s;
        let theirs = if is_bulk {
            json!({"lineNumber": 10001, "messageText": message, "mobiles": mobiles})
        } else {
            json!({"lineNumber": 10001, "messageTexts": vec![&message; mobiles.len()], "mobiles": mobiles})
        };
        let ours = if is_bulk {
            json!({"sourceNumber": "10001", "message": message, "recipients": mobiles})
        } else {
            let messages: Vec<Value> = mobiles.iter().map(|mobile| json!({"recipient": mobile, "message": message})).collect();
            json!({"sourceNumber": "10001", "messages": messages})
        };
        let [mut theirs, mut ours] = [theirs, ours];
        if ahead_s > 0 {
            theirs["sendDateTime"] = at_s.into();
            ours["sendAt"] = peyk::base::time::to_rfc3339(at_s * 1_000).into();
        }
        let (their_path, our_path) = if is_bulk { ("/v1/send/bulk", "/sms/send") } else { ("/v1/send/likeToLike", "/sms/bulk") };
        let (http, answer) = call(&world, &shop.key, "POST", their_path, theirs.to_string().as_bytes());
        let own = world.post(&twin.key, our_path, ours);
        prop_assert_eq!(http == 200, own.response.status == 201, "{} {}", answer, own.body);
        prop_assert_eq!(world.balance(&shop.key), world.balance(&twin.key));
        if http == 200 {
            prop_assert_eq!(ids(&answer["data"]).len(), mobiles.len());
            prop_assert_eq!(&answer["data"]["cost"], &own.json["data"]["cost"]);
        }
        world.settle(ahead_s * 1_000 + MINUTE_MS);
        let got = |account: &Account| world.inbox(&account.id).into_values().collect::<Vec<_>>();
        prop_assert_eq!(got(&shop), got(&twin));
        let statuses = |key: &str| world.read(key, "/account/usage").json["data"][0]["live"].clone();
        prop_assert_eq!(statuses(&shop.key), statuses(&twin.key));
    }
}
