//! How many codes to sign in with are sent: to a phone, for a browser and for a network.

use super::{Send, SignIn};
use crate::base::time::DAY_MS;

/// How long a code is not sent again to the same browser after the first message, the second, and each later one, ms.
pub const DELAYS_MS: [i64; 3] = [30_000, 60_000, 120_000];
/// How many messages a window has at most, ms: of all browsers that the person never signed in with.
const OF_PHONE: [(usize, i64); 2] = [(5, 600_000), (10, DAY_MS)];
/// Of one network among these: it leaves some of the phone's messages to others.
const OF_NETWORK: [(usize, i64); 2] = [(3, 600_000), (6, DAY_MS)];
/// Of a browser that is known. What others do does not count for it.
const OF_KNOWN: [(usize, i64); 2] = [(5, 600_000), (10, DAY_MS)];

/// Whether a code may be sent for `own`, which is among `all` of the phone.
pub(super) fn allows(all: &[SignIn], own: &SignIn, network: Option<&str>, now_ms: i64) -> bool {
    if own.code(now_ms).is_some() && now_ms < next_ms(own) {
        return false;
    }
    if own.is_known(now_ms) {
        return has_room([own].into_iter(), &OF_KNOWN, now_ms);
    }
    let strangers = || all.iter().filter(|one| !one.is_known(now_ms));
    let of_network = strangers().filter(|one| one.network.as_deref() == network);
    has_room(strangers(), &OF_PHONE, now_ms) && has_room(of_network, &OF_NETWORK, now_ms)
}

fn next_ms(own: &SignIn) -> i64 {
    let delay = DELAYS_MS.get(own.sends.len().saturating_sub(1)).or(DELAYS_MS.last());
    own.sent_ms().saturating_add(delay.copied().unwrap_or_default())
}

fn has_room<'a>(of: impl Iterator<Item = &'a SignIn>, most: &[(usize, i64)], now_ms: i64) -> bool {
    let times: Vec<i64> = of.flat_map(|one| &one.sends).map(|Send(_, at_ms)| *at_ms).collect();
    let is_free = |(most, window_ms): &(usize, i64)| {
        let since_ms = now_ms.saturating_sub(*window_ms);
        times.iter().filter(|at_ms| **at_ms > since_ms).count() < *most
    };
    most.iter().all(is_free)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(browser: &str, network: &str, minutes: &[i64]) -> SignIn {
        SignIn {
            network: Some(network.to_owned()),
            sends: minutes.iter().map(|minute| Send(1, minute * 60_000)).collect(),
            ..SignIn::new(989_121_234_567, browser.to_owned())
        }
    }

    fn is_sent(all: &[SignIn], own: &SignIn, network: &str, minute: i64) -> bool {
        allows(all, own, Some(network), minute * 60_000)
    }

    #[test]
    fn a_network_leaves_codes_to_others_and_all_networks_leave_them_to_known_browsers() {
        let own = SignIn::new(989_121_234_567, "own".to_owned());
        let noisy = [
            asked("a", "n", &[100]),
            asked("b", "n", &[101]),
            asked("c", "n", &[102]),
        ];
        assert!(!is_sent(&noisy, &own, "n", 103));
        assert!(is_sent(&noisy, &own, "other", 103));
        assert!(is_sent(&noisy, &own, "n", 110));
        let many: Vec<SignIn> = (0..5).map(|n| asked(&n.to_string(), &n.to_string(), &[100])).collect();
        assert!(!is_sent(&many, &own, "own", 105));
        let known = SignIn { known_ms: 1, ..own };
        assert!(is_sent(&many, &known, "0", 105));
        let used = SignIn {
            sends: asked("", "", &[100, 101, 102, 103, 104]).sends,
            ..known
        };
        assert!(!is_sent(&many, &used, "0", 105));
    }

    #[test]
    fn a_day_has_ten_codes_and_six_of_one_network() {
        let own = SignIn::new(989_121_234_567, "own".to_owned());
        let spread = asked("a", "n", &[100, 200, 300, 400, 500, 600]);
        assert!(!is_sent(std::slice::from_ref(&spread), &own, "n", 700));
        let more = asked("b", "m", &[150, 250, 350, 450]);
        assert!(!is_sent(&[spread.clone(), more], &own, "own", 700));
        assert!(is_sent(&[spread], &own, "own", 700));
    }

    #[test]
    fn a_pending_code_is_sent_again_after_a_while_and_one_that_has_ended_at_once() {
        let pending = SignIn {
            seed: Some("00".to_owned()),
            ..asked("a", "n", &[100])
        };
        let allows = |own: &SignIn, seconds: i64| {
            allows(
                std::slice::from_ref(own),
                own,
                Some("n"),
                100 * 60_000 + seconds * 1_000,
            )
        };
        assert!(!allows(&pending, 29) && allows(&pending, 30));
        assert!(allows(&SignIn { seed: None, ..pending }, 1));
    }
}
