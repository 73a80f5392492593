//! Random requests.

use proptest::prelude::*;
use serde_json::json;

use super::{call, ids, knock};
use crate::doors::support::{self, FORM, MONEY, form, head, world};
use crate::support::time::MINUTE_MS;
use crate::support::{Account, cases};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(80)))]

    /// Whatever comes, the answer has the protocol's form, and only one that says so has sent anything.
    #[test]
    fn garbage_gets_the_protocols_form_and_sends_nothing(
        calls in prop::collection::vec((
            prop::sample::select(&[
                "sms/send", "sms/sendarray", "sms/status", "sms/select", "sms/cancel", "sms/statuslocalmessageid", "verify/lookup",
                "sms/latestoutbox", "sms/selectoutbox", "sms/countoutbox", "account/info", "account/config", "sms/x",
                "sms/receive", "sms/countinbox", "sms/inboxpaged", "sms/statusbyreceptor", "utils/getdate",
            ][..]),
            prop::collection::vec((
                prop::sample::select(&[
                    "receptor", "message", "sender", "date", "localid", "localmessageids", "messageid", "template", "token", "token10",
                    "pagesize", "linenumber", "isread", "startdate", "enddate", "type", "status", "pagenumber",
                ][..]),
                prop_oneof![
                    Just("09121234567".to_owned()), Just("[\"09121234567\",\"0935\"]".to_owned()), Just("1,2,,3".to_owned()),
                    Just("-1".to_owned()), Just("9223372036854775807".to_owned()), Just("[[".to_owned()), Just("null".to_owned()),
                    "\\PC{0,20}", any::<i64>().prop_map(|number| number.to_string()),
                ],
            ), 0..6),
            prop::sample::select(&["GET", "POST", "PUT"][..]),
        ), 1..4),
    ) {
        let (world, shop) = world();
        let mut sent = 0_usize;
        for (method, params, verb) in calls {
            let params: Vec<(&str, &str)> = params.iter().map(|(name, value)| (*name, value.as_str())).collect();
            let path = format!("/v1/{}/{method}.json", shop.key);
            let (status, body) = knock(&world, verb, &path, FORM, form(&params).as_bytes());
            prop_assert_eq!(&body["return"]["status"], &json!(status));
            prop_assert!((200..500).contains(&status) && status != 402, "{method} {params:?}: {body}");
            let made = status == 200 && ["sms/send", "sms/sendarray", "verify/lookup"].contains(&method);
            sent += if made { ids(&body["entries"]).into_iter().filter(|id| *id > 0).count() } else { 0 };
        }
        let messages = world.read(&shop.key, "/messages");
        prop_assert_eq!(messages.items().is_empty(), sent == 0);
    }

    /// A send by the door costs and does what the same send by our own API does.
    #[test]
    fn a_send_by_the_door_is_worth_the_same_as_by_our_own_api(
        receptors in prop::collection::vec("09[1-3][0-9]{8}", 1..20),
        message in prop_oneof!["[a-z ]{1,200}", "[آ-ی ]{1,200}"],
        ahead_s in prop_oneof![Just(0_i64), 60..100_000_i64],
    ) {
        let (world, shop) = world();
        let twin = world.account("twin", MONEY);
        world.advance(31_000);
        let date_s = world.now_ms.get() / 1_000 + ahead_s;
        let (list, date) = (receptors.join(","), date_s.to_string());
        let (status, sent) = call(&world, &shop.key, "sms/send", &[("receptor", &list), ("message", &message), ("date", &date)]);
        let mut body = json!({"message": message, "recipients": receptors});
        if ahead_s > 0 {
            body["sendAt"] = peyk::base::time::to_rfc3339(date_s * 1_000).into();
        }
        let own = world.post(&twin.key, "/sms/send", body);
        prop_assert_eq!(status == 200, own.response.status == 201, "{}", own.body);
        prop_assert_eq!(world.balance(&shop.key), world.balance(&twin.key));
        if status == 200 {
            prop_assert_eq!(sent.as_array().unwrap().len(), receptors.len());
        }
        world.settle(ahead_s * 1_000 + MINUTE_MS);
        let got = |account: &Account| world.inbox(&account.id).into_values().collect::<Vec<_>>();
        prop_assert_eq!(got(&shop), got(&twin));
        let statuses = |key: &str| world.read(key, "/account/usage").json["data"][0]["live"].clone();
        prop_assert_eq!(statuses(&shop.key), statuses(&twin.key));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(80)))]

    /// Whatever is asked for behind a key and the word of a scope, in whichever form: the answer is the protocol's own, and nothing fails.
    #[test]
    fn no_answer_leaves_the_protocols_form(
        method in prop::sample::select(&["GET", "POST", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS", "x"][..]),
        has_key in any::<bool>(),
        scope in prop::sample::select(&["sms", "Sms", "VERIFY", "account", "call", "utils", "line"][..]),
        steps in prop::collection::vec(prop_oneof![
            3 => prop::sample::select(&[
                "send.json", "Send.xml", "send", "send.php", "lookup.json", "info.json", "getdate.xml", "status.json", "nothing.json", "",
            ][..]).prop_map(str::to_owned),
            1 => "[!-~&&[^/?#]]{0,12}",
        ], 0..3),
        content_type in prop::sample::select(&[FORM, "application/json", "multipart/form-data; boundary=x", "text/xml", ""][..]),
        body in prop_oneof![
            2 => "(receptor|message|sender|messageid|token)=[!-~]{0,20}(&(message|localid|date)=[!-~]{0,20}){0,3}",
            1 => "\\{\"(receptor|message|date)\": (\"\\PC{0,10}\"|[0-9]{1,9}|null|\\[\\])\\}",
            1 => "\\PC{0,40}",
        ],
        query in "((receptor|message|startdate|pagesize)=[!-~&&[^#]]{0,8}&?){0,3}",
    ) {
        let (world, shop) = world();
        let key = if has_key { shop.key.as_str() } else { "Services" };
        let steps: String = steps.iter().map(|step| format!("/{step}")).collect();
        let head = head(method, &format!("/v1/{key}/{scope}{steps}?{query}"), content_type);
        prop_assert_eq!(peyk::api::doors::door_of(&head), Some(peyk::base::config::Door::Kavenegar));
        let response = support::answer(&world, &head, body.as_bytes());
        prop_assert!((200..500).contains(&response.status), "{} {}: {}", method, head.path, response.body);
        if response.content_type.starts_with("application/xml") {
            let status = format!("<status>{}</status></return>", response.status);
            prop_assert!(response.body.contains(&status), "{}", response.body);
        } else {
            let told: serde_json::Value = serde_json::from_str(&response.body).unwrap();
            prop_assert_eq!(&told["return"]["status"], &json!(response.status), "{}", told);
            prop_assert!(told["return"]["message"].as_str().is_some_and(|message| !message.is_empty()), "{}", told);
        }
        prop_assert!(has_key || response.status >= 400);
    }
}
