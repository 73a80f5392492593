//! Under what the failures of a browser count. A network may have many people, and one of them may guess codes or keys until the network
//! is kept out. So a browser that was let in before, or has just asked for a code, shows a ticket, and is kept out for its own failures
//! alone.

use super::Head;
use super::browser::{self, Browser};
use super::strangers::{self, Strangers};
use crate::auth::challenge::{self, RANDOM_BYTES};
use crate::auth::console_session;
use crate::auth::secret::{Keys, Purpose};
use crate::base::ports::Platform;
use crate::base::time::DAY_MS;
use crate::problem::Problem;

const NAME: &str = "peyk_ticket";

/// What a browser has shown of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ticket {
    /// It has asked for a code a moment ago. It may try the code.
    Started,
    /// A member has signed in there.
    Known,
}

impl Ticket {
    fn purpose(self) -> Purpose {
        match self {
            Ticket::Started => Purpose::StartedBrowsers,
            Ticket::Known => Purpose::KnownBrowsers,
        }
    }

    fn lasts_ms(self) -> i64 {
        match self {
            Ticket::Started => challenge::TTL_MS,
            Ticket::Known => 90 * DAY_MS,
        }
    }

    fn is_shown(self, platform: &impl Platform, head: &Head, browser: &Browser, now_ms: i64) -> bool {
        let ticket = console_session::of_cookie(head.cookie.as_deref(), &head.origin, NAME, |value| !value.is_empty());
        let keys = Keys::of(platform, self.purpose()).ok();
        ticket.zip(keys).is_some_and(|(ticket, keys)| {
            challenge::ends_ms(&keys, ticket, &browser.digest(), self.lasts_ms(), now_ms).is_some()
        })
    }

    /// The ticket that a request shows, and its browser.
    fn of(platform: &impl Platform, head: &Head, now_ms: i64) -> Option<(Ticket, Browser)> {
        let browser = browser::known(head)?;
        let ticket = [Ticket::Known, Ticket::Started]
            .into_iter()
            .find(|ticket| ticket.is_shown(platform, head, &browser, now_ms))?;
        Some((ticket, browser))
    }

    /// The cookie that gives a browser the ticket, as a header. `None`: it has one that is as good. So one that has asked for a code does
    /// not go on for ever by asking again.
    pub fn cookie(
        self,
        platform: &impl Platform,
        head: &Head,
        browser: &Browser,
        now_ms: i64,
    ) -> Result<Option<(&'static str, String)>, Problem> {
        if self == Ticket::Started && Ticket::of(platform, head, now_ms).is_some() {
            return Ok(None);
        }
        // A service without its secret lets people in by links all the same.
        let Ok(keys) = Keys::of(platform, self.purpose()) else {
            return Ok(None);
        };
        let mut random = [0; RANDOM_BYTES];
        platform.random(&mut random)?;
        let ticket = challenge::make(&keys, &browser.digest(), random, now_ms);
        Ok(Some(console_session::set_cookie(
            &head.origin,
            NAME,
            &ticket,
            self.lasts_ms() / 1_000,
        )))
    }
}

/// What a request that failed has tried.
#[derive(Debug, Clone, Copy)]
pub enum Tried<'a> {
    /// Nothing.
    Nothing,
    /// A key or a code, with this digest.
    Secret(&'a str),
    /// A phone. Nothing of it is for the log: whoever reads a digest finds the number by trying all.
    Phone,
}

fn name_of(browser: &Browser) -> String {
    format!("browser {}", browser.digest())
}

/// Refuses a request that comes from where too many have failed.
pub fn admit(strangers: &Strangers, platform: &impl Platform, head: &Head, now_ms: i64) -> Result<(), Problem> {
    let Some(network) = strangers::network(head.address.as_deref()) else {
        return Ok(());
    };
    let name = Ticket::of(platform, head, now_ms).map_or(network, |(_, browser)| name_of(&browser));
    strangers.admit(&name, now_ms)
}

/// Counts a failure: of the network, unless a member has signed in in that browser, and of a browser that shows a ticket.
pub async fn note_failure(strangers: &Strangers, platform: &impl Platform, head: &Head, now_ms: i64, tried: Tried<'_>) {
    let network = strangers::network(head.address.as_deref());
    let digest = match tried {
        Tried::Secret(digest) => Some(digest),
        Tried::Nothing | Tried::Phone => None,
    };
    strangers.gather(network.as_deref(), digest, now_ms);
    let Some(network) = network.filter(|_| !matches!(tried, Tried::Nothing)) else {
        return;
    };
    let shown = Ticket::of(platform, head, now_ms);
    if !matches!(shown, Some((Ticket::Known, _))) {
        strangers.count(platform, &network, now_ms).await;
    }
    if let Some((_, browser)) = shown {
        strangers.count(platform, &name_of(&browser), now_ms).await;
    }
}
