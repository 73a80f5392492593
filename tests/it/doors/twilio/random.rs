//! Random requests to Twilio's door.

use peyk::base::time::to_rfc3339;
use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::support::cases;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(80)))]

    /// Whatever comes, the answer has the protocol's form, and only one that says so has sent anything.
    #[test]
    fn garbage_gets_the_protocols_form_and_sends_nothing(
        calls in prop::collection::vec((
            prop::sample::select(&["GET", "POST", "DELETE", "PUT"][..]),
            prop_oneof![
                6 => Just("/Messages.json".to_owned()),
                1 => Just("/Balance.json".to_owned()),
                1 => Just(".json".to_owned()),
                2 => Just(format!("/Messages/{UNKNOWN_SID}.json")),
                1 => "/Messages/(SM|MM|)[0-9a-fA-F]{30,33}(/Media)?(\\.json)?",
                1 => "/[a-zA-Z%.][a-zA-Z%/.]{0,19}",
            ],
            any::<bool>(),
            prop::collection::vec((
                prop::sample::select(&[
                    "To", "From", "Body", "MessagingServiceSid", "ContentSid", "ContentVariables", "ScheduleType", "SendAt",
                    "StatusCallback", "Status", "DateSent", "DateSent>", "DateSent<", "Page", "PageSize", "PageToken",
                ][..]),
                prop_oneof![
                    4 => Just("+989121234567".to_owned()), 2 => Just("10001".to_owned()), 1 => Just("fixed".to_owned()),
                    1 => Just("9999-12-31".to_owned()), 1 => Just("0000-01-01T00:00:00Z".to_owned()),
                    1 => Just("{\"1\":[]}".to_owned()), 1 => Just("canceled".to_owned()), 1 => Just(String::new()),
                    1 => (any::<i64>(), any::<i64>()).prop_map(|(end, index)| format!("PA{end}.{index}")),
                    1 => (0..3_i64, 0..3_i64).prop_map(|(end, index)| format!("PA{end}.{index}")),
                    2 => "\\PC{0,20}", 1 => any::<i64>().prop_map(|number| number.to_string()),
                ],
            ), 0..7),
        ), 1..4),
    ) {
        let (world, shop) = world();
        let mut sent = 0_usize;
        for (method, rest, in_query, params) in calls {
            let params: Vec<(&str, &str)> = params.iter().map(|(name, value)| (*name, value.as_str())).collect();
            let form = form(&params);
            let (query, body) = if in_query { (format!("?{form}"), "") } else { (String::new(), form.as_str()) };
            let (status, told) = knock(&world, &shop.key, method, &path(&format!("{rest}{query}")), body);
            prop_assert!((200..500).contains(&status), "{method} {rest} {params:?}: {told}");
            sent += usize::from(status == 201);
        }
        prop_assert_eq!(world.read(&shop.key, "/messages").items().len(), sent);
    }

    /// Whatever is asked for under the door's prefixes, in whichever form: the answer is the protocol's own, and nothing fails.
    #[test]
    fn no_answer_leaves_the_protocols_form(
        method in prop::sample::select(&["GET", "POST", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS", "x"][..]),
        prefix in prop::sample::select(&["/2010-04-01", "/v1/Services", "/v2", "/v3", "/v1/PhoneNumbers", "/v1/Sinks", "/v1/a2p"][..]),
        steps in prop::collection::vec(prop_oneof![
            3 => prop::sample::select(&[
                "Accounts", "Accounts.json", "Services", "PhoneNumbers", "Verifications", "VerificationCheck", "Messages",
                "IncomingPhoneNumbers", "Balance", "+989121234567", "Media", "",
            ][..]).prop_map(str::to_owned),
            4 => "(AC|MG|VA|VE|SM|PN|VL)[0-9a-fA-F]{32}(\\.json)?",
            1 => "[!-~&&[^/?#]]{0,12}",
        ], 0..5),
        content_type in prop::sample::select(&[FORM, "application/json", "multipart/form-data; boundary=x", "text/xml", ""][..]),
        body in prop_oneof![
            2 => "(To|From|Code|Channel|Status|VerificationSid|Body)=[!-~]{0,20}(&(To|Code|Channel|Status)=[!-~]{0,20}){0,3}",
            1 => "\\{\"(To|Code|Status|Channel)\": (\"\\PC{0,10}\"|[0-9]{1,9}|null|\\[\\])\\}",
            1 => "\\PC{0,40}",
        ],
        query in "((Page|PageSize|CountryCode|Fields|PhoneNumber)=[!-~&&[^#]]{0,8}&?){0,3}",
    ) {
        let (world, shop) = world();
        let steps: String = steps.iter().map(|step| format!("/{step}")).collect();
        let mut head = head(method, &format!("{prefix}{steps}?{query}"), content_type);
        head.authorization = Some(format!("Basic {}", STANDARD.encode(format!("{AC}:{}", shop.key))));
        prop_assert_eq!(peyk::api::doors::door_of(&head), Some(peyk::base::config::Door::Twilio));
        let response = support::answer(&world, &head, body.as_bytes());
        prop_assert!((200..500).contains(&response.status), "{} {}: {}", method, head.path, response.body);
        let told: serde_json::Value = serde_json::from_str(&response.body).unwrap();
        if response.status >= 400 {
            let code = told["code"].as_u64().unwrap();
            prop_assert_eq!(&told["status"], &json!(response.status));
            prop_assert_eq!(&told["more_info"], &json!(format!("https://www.twilio.com/docs/errors/{code}")));
            prop_assert!(told["message"].as_str().is_some_and(|message| !message.is_empty()), "{}", told);
        }
    }

    /// A send by the door costs and does what the same send by our own API does.
    #[test]
    fn a_send_by_the_door_is_worth_the_same_as_by_our_own_api(
        to in "\\+989[1-3][0-9]{8}",
        message in prop_oneof!["[a-z ]{1,200}", "[آ-ی ]{1,200}"],
        ahead_s in prop_oneof![Just(0_i64), 60..100_000_i64],
    ) {
        let (world, shop) = world();
        let twin = world.account("twin", MONEY);
        world.advance(31_000);
        let at = to_rfc3339(world.now_ms.get() + ahead_s * SECOND_MS);
        let mut params = vec![("To", to.as_str()), ("MessagingServiceSid", MG), ("Body", message.as_str())];
        let mut body = json!({"message": message, "recipients": [to]});
        if ahead_s > 0 {
            params.extend([("ScheduleType", "fixed"), ("SendAt", at.as_str())]);
            body["sendAt"] = at.as_str().into();
        }
        let (status, sent) = create(&world, &shop.key, &params);
        let own = world.post(&twin.key, "/sms/send", body);
        prop_assert_eq!(status == 201, own.response.status == 201, "{} {}", sent, own.body);
        prop_assert_eq!(world.balance(&shop.key), world.balance(&twin.key));
        world.settle(ahead_s * SECOND_MS + MINUTE_MS);
        let got = |account: &Account| world.inbox(&account.id).into_values().collect::<Vec<_>>();
        prop_assert_eq!(got(&shop), got(&twin));
        let statuses = |key: &str| world.read(key, "/account/usage").json["data"][0]["live"].clone();
        prop_assert_eq!(statuses(&shop.key), statuses(&twin.key));
    }
}
