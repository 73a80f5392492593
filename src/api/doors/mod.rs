//! Doors: programs that were written for another provider call the service in that provider's protocol. A door turns a request of
//! its protocol into requests of our own API, and their answers into those of its protocol. It has no other way to send, to charge or to
//! count, so all that holds for our own API holds for a door: keys, the rate limit, prices, caps and errors.
//!
//! A door is a folder, and a row in [`Door`]. The setting `DOORS` says which are open.

mod answer;
mod ids;
mod ippanel;
mod kavenegar;
mod multipart;
mod own;
mod params;
mod send;
mod smsir;
mod twilio;
mod walk;

use super::http::{Body, Head, app::App};
use super::serve;
use super::shared::export::Answer;
use crate::auth;
use crate::base::config::Door;
use crate::base::ports::Platform;
use crate::webhook::callbacks::twilio::API_VERSION;

/// Answers a request, in the protocol whose path it has. Programs that put the address of a page behind one that ends with a slash begin the
/// path with two.
pub async fn handle<P: Platform>(platform: &P, app: &App, head: &Head, body: &mut impl Body) -> Answer {
    if let Some(path) = with_one_slash(&head.path) {
        let head = Head { path, ..head.clone() };
        if door_of(&head).is_some() {
            return handle_path(platform, app, &head, body).await;
        }
    }
    handle_path(platform, app, head, body).await
}

/// A path that begins with several slashes, with one.
fn with_one_slash(path: &str) -> Option<String> {
    path.starts_with("//")
        .then(|| format!("/{}", path.trim_start_matches('/')))
}

async fn handle_path<P: Platform>(platform: &P, app: &App, head: &Head, body: &mut impl Body) -> Answer {
    if may_be_secret(&head.path) {
        platform.log_apart();
    }
    match door_of(head).filter(|door| app.config.doors.contains(door)) {
        Some(Door::Kavenegar) => kavenegar::answer(platform, app, head, body).await,
        Some(Door::SmsIr) => smsir::answer(platform, app, head, body).await,
        Some(Door::Twilio) => twilio::answer(platform, app, head, body).await,
        Some(Door::Ippanel) => ippanel::answer(platform, app, head, body).await,
        None => serve::handle(platform, app, head, body).await,
    }
}

/// Whether the address of a path may have a key or a phone number in it: as one protocol has it, whether its door is open or not, or by
/// mistake. The runtime puts the address beside each line of the log.
pub fn may_be_secret(path: &str) -> bool {
    let one_slash = with_one_slash(path);
    let path = one_slash.as_deref().unwrap_or(path);
    kavenegar::may_have_key(path)
        || twilio::may_have_number(path)
        || smsir::may_have_key(path)
        || ippanel::may_have_key(path)
        || auth::may_have_key(path)
}

/// The door that this request comes to. None of our own paths leads to one, however its key is sent.
pub fn door_of(head: &Head) -> Option<Door> {
    let mut doors = doors_at(&head.path).iter().copied();
    doors.find(|door| is_for(*door, head))
}

/// The doors that a path may lead to, by its first members. Of several that know it, it is of the first one. Most requests are of our own
/// API, and cost no door anything.
fn doors_at(path: &str) -> &'static [Door] {
    let mut members = path.split('/').skip(1);
    let mut next = || members.next().unwrap_or_default();
    match next() {
        "v1" | "V1" => doors_below_v1(next(), next()),
        "v2" | "v3" | API_VERSION => &[Door::Twilio],
        "api" => &[Door::SmsIr, Door::Ippanel],
        "inbox" => &[Door::Ippanel],
        "users" => &[Door::SmsIr],
        first if smsir::is_first_member(first) => &[Door::SmsIr],
        _ => &[],
    }
}

/// The doors that a path may lead to whose first member is `/v1`, by the two members behind it. Our own API is there, too. ippanel's oldest
/// protocol is told by the scheme of the key alone, so its door is asked of each path.
fn doors_below_v1(second: &str, third: &str) -> &'static [Door] {
    if second == "api" {
        &[Door::Ippanel]
    } else if smsir::is_group(second) {
        &[Door::Ippanel, Door::SmsIr]
    } else if kavenegar::is_scope(third) {
        &[Door::Ippanel, Door::Kavenegar, Door::Twilio]
    } else if twilio::is_resource(second) {
        &[Door::Ippanel, Door::Twilio]
    } else {
        &[Door::Ippanel]
    }
}

/// Whether a request is one of a door's protocol.
fn is_for(door: Door, head: &Head) -> bool {
    match door {
        Door::Kavenegar => kavenegar::Path::of(&head.path).is_some(),
        Door::SmsIr => smsir::is_path(&head.path),
        Door::Twilio => twilio::Path::of(&head.path).is_some(),
        Door::Ippanel => ippanel::Path::of(head).is_some(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::api::routes::ROUTES;

    /// Of several doors that know a path, the first one answers it.
    const IN_TURN: [Door; 4] = [Door::Ippanel, Door::SmsIr, Door::Kavenegar, Door::Twilio];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn the_first_members_of_a_path_lead_to_the_door_that_knows_the_whole(
            members in proptest::collection::vec(proptest::sample::select(vec![
                "v1", "V1", "v2", "v3", "2010-04-01", "api", "inbox", "", "key", "sms", "Sms", "verify", "send.json", "send", "Send", "Services",
                "Accounts", "credit", "PhoneNumbers", "messages", "Messages", "users", "Token", "MessageSend", "SendMessage.ashx", "ws",
                "SendReceive.asmx", "a2p", "lookup.json",
            ]), 0..5),
            authorization in proptest::sample::select(vec![None, Some("AccessKey x"), Some("Bearer x")]),
        ) {
            let head = Head {
                path: format!("/{}", members.join("/")),
                authorization: authorization.map(str::to_owned),
                ..Head::default()
            };
            let knowing = if head.path.starts_with("/api/") {
                // There, ippanel's door answers what sms.ir's does not know.
                [Door::SmsIr, Door::Ippanel].into_iter().find(|door| is_for(*door, &head))
            } else {
                IN_TURN.into_iter().find(|door| is_for(*door, &head))
            };
            prop_assert_eq!(door_of(&head), knowing, "{}", head.path);
        }
    }

    #[test]
    fn a_path_of_our_own_asks_one_door_at_most() {
        for route in ROUTES {
            assert!(doors_at(route.path).is_empty(), "{}", route.path);
            let path = format!("/v1{}", route.path);
            assert_eq!(doors_at(&path), [Door::Ippanel], "{path}");
        }
    }

    #[test]
    fn a_path_of_two_protocols_leads_to_the_one_whose_key_the_request_has() {
        for (authorization, door) in [(Some("AccessKey x"), Door::Ippanel), (None, Door::SmsIr)] {
            let head = Head {
                path: "/v1/credit".to_owned(),
                authorization: authorization.map(str::to_owned),
                ..Head::default()
            };
            assert_eq!(door_of(&head), Some(door));
        }
    }

    #[test]
    fn no_path_of_another_door_leads_to_twilios() {
        for (path, door) in [
            ("/v1/Services/sms/send.json", Some(Door::Kavenegar)),
            ("/v1/v2/sms/send.json", Some(Door::Kavenegar)),
            ("/v1/send/bulk", Some(Door::SmsIr)),
            ("/v1/line", Some(Door::SmsIr)),
            ("/v1/api/send", Some(Door::Ippanel)),
            ("/api/v1/sms/send/webservice/single", Some(Door::Ippanel)),
            ("/inbox", Some(Door::Ippanel)),
            ("/api/send", Some(Door::Ippanel)),
            ("/api/payment/credit/mine", Some(Door::Ippanel)),
            ("/api/Token", Some(Door::SmsIr)),
            ("/api/credit", Some(Door::SmsIr)),
            ("/api/tokens", Some(Door::Ippanel)),
            ("/users/v1/Token/GetToken", Some(Door::SmsIr)),
            ("/users", None),
            ("/v1/send/sms/send.json", Some(Door::SmsIr)),
            ("/v1/api/sms/send.json", Some(Door::Ippanel)),
            ("/v1/key/Sms/send", Some(Door::Kavenegar)),
            ("/v1/messages/sms/send.json", None),
            ("/SendMessage.ashx", Some(Door::SmsIr)),
            ("/ws/SendReceive.asmx", Some(Door::SmsIr)),
            ("/ws", None),
            ("/v1/Services", Some(Door::Twilio)),
            ("/v1/PhoneNumbers/x", Some(Door::Twilio)),
            ("/v1/Sinks", Some(Door::Twilio)),
            ("/v2/sms/send.json", Some(Door::Twilio)),
            ("/v3", Some(Door::Twilio)),
            ("/v1/services", None),
            ("/v1/Messages", None),
            ("/v1/SMS/Send", None),
        ] {
            let head = Head {
                path: path.to_owned(),
                ..Head::default()
            };
            assert_eq!(door_of(&head), door, "{path}");
        }
    }

    #[test]
    fn no_path_of_our_own_leads_to_a_door() {
        let mut paths: Vec<String> = ROUTES.iter().map(|route| route.path.to_owned()).collect();
        paths.extend(
            [
                "/messages/019b796d-a000-7000-8000-000000000007.0",
                "/openapi.json",
                "/pattern/x.json",
            ]
            .map(str::to_owned),
        );
        for path in paths.iter().flat_map(|path| [path.clone(), format!("/v1{path}")]) {
            let head = Head {
                path,
                authorization: Some("Bearer 0123456789abcdef".to_owned()),
                door_key: Some("0123456789abcdef".to_owned()),
                ..Head::default()
            };
            assert_eq!(door_of(&head), None, "{}", head.path);
        }
    }
}
