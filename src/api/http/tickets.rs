//! Under what the failed sign-ins of a browser count. A network may have many people, and one of them may guess codes until the network is
//! kept out. So a browser that was let in before, or has just asked for a code, shows a ticket, and its failures count for it alone.

use super::browser::{self, Browser};
use crate::api::http::{context::Context, strangers};
use crate::api::problem::Problem;
use crate::auth::challenge::{self, RANDOM_BYTES};
use crate::auth::secret::{Keys, Purpose};
use crate::auth::{self, session};
use crate::base::ports::{Platform, PortError};
use crate::base::time::DAY_MS;

const NAME: &str = "peyk_ticket";

/// What a browser has shown of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ticket {
    /// It has asked for a code. It may ask again, and try the code.
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

    fn is_shown<P: Platform>(self, context: &Context<'_, P>, browser: &Browser) -> bool {
        let head = context.request.head;
        let ticket = session::of_cookie(head.cookie.as_deref(), &head.origin, NAME, |value| !value.is_empty());
        let keys = Keys::of(context.platform, self.purpose()).ok();
        ticket.zip(keys).is_some_and(|(ticket, keys)| {
            challenge::ends_ms(
                &keys,
                ticket,
                &browser.digest(),
                self.lasts_ms(),
                context.request.now_ms,
            )
            .is_some()
        })
    }

    /// The cookie that gives a browser the ticket, as a header. `None`: it has a better one.
    pub fn cookie<P: Platform>(
        self,
        context: &Context<'_, P>,
        browser: &Browser,
    ) -> Result<Option<(&'static str, String)>, Problem> {
        if self == Ticket::Started && Ticket::Known.is_shown(context, browser) {
            return Ok(None);
        }
        let keys = Keys::of(context.platform, self.purpose()).map_err(PortError::from)?;
        let mut random = [0; RANDOM_BYTES];
        context.platform.random(&mut random)?;
        let ticket = challenge::make(&keys, &browser.digest(), random, context.request.now_ms);
        let origin = &context.request.head.origin;
        Ok(Some(session::set_cookie(
            origin,
            NAME,
            &ticket,
            self.lasts_ms() / 1_000,
        )))
    }
}

/// Under what failures of this request count. `None`: they do not, because it comes from this machine.
fn counted<P: Platform>(context: &Context<'_, P>) -> Option<String> {
    let network = strangers::network(context.request.head.address.as_deref())?;
    let shows_ticket = |browser: &Browser| {
        [Ticket::Known, Ticket::Started]
            .iter()
            .any(|ticket| ticket.is_shown(context, browser))
    };
    Some(match browser::known(context.request.head).filter(shows_ticket) {
        Some(browser) => format!("browser {}", browser.digest()),
        None => network,
    })
}

/// Counts a failure.
pub async fn note_failure<P: Platform>(context: &Context<'_, P>, what: &str) {
    let (strangers, digest) = (&context.app.strangers, auth::digest(what));
    strangers
        .note(context.platform, counted(context).as_deref(), Some(&digest))
        .await;
}

/// Refuses a request that comes from where too many have failed.
pub fn admit<P: Platform>(context: &Context<'_, P>) -> Result<(), Problem> {
    let now_ms = context.request.now_ms;
    context.app.strangers.admit(counted(context).as_deref(), now_ms)
}
