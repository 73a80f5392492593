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
