//! Doors: programs that were written for another provider call the service in that provider's protocol. A door turns a request of
//! its protocol into requests of our own API, and their answers into those of its protocol. It has no other way to send, to charge or to
//! count, so all that holds for our own API holds for a door: keys, the rate limit, prices, caps and errors.
//!
//! A door is a folder, and a row in [`Door`]. The setting `DOORS` says which are open.

mod answer;
mod kavenegar;
mod own;
mod params;

use super::http::{Body, Head, app::App};
use super::serve;
use super::shared::export::Answer;
use crate::base::door::Door;
use crate::base::ports::Platform;

/// Answers a request, in the protocol whose path it has.
pub async fn handle<P: Platform>(platform: &P, app: &App, head: &Head, body: &mut impl Body) -> Answer {
    match door_of(&head.path).filter(|door| app.config.doors.contains(door)) {
        Some(Door::Kavenegar) => kavenegar::answer(platform, app, head, body).await,
        None => serve::handle(platform, app, head, body).await,
    }
}

/// The door whose protocol has this path. None of our own paths is one of them.
fn door_of(path: &str) -> Option<Door> {
    kavenegar::Path::of(path).map(|_| Door::Kavenegar)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::routes::ROUTES;

    #[test]
    fn no_path_of_our_own_leads_to_a_door() {
        for route in ROUTES {
            for prefix in ["", "/v1"] {
                assert_eq!(door_of(&format!("{prefix}{}", route.path)), None, "{}", route.path);
            }
        }
        for path in [
            "/v1/messages/019b796d-a000-7000-8000-000000000007.0",
            "/v1/openapi.json",
            "/v1/pattern/x.json",
        ] {
            assert_eq!(door_of(path), None, "{path}");
        }
    }
}
