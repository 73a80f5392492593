//! Lets the account's object decide about a send or an estimate, in one call.

use crate::account::Request;
use crate::account::message::accept::{EstimateMessage, Estimated, SendMessage, Sent};
use crate::account::record::idempotency::Idempotency;
use crate::account::record::message::NewMessage;
use crate::account::record::message::delivery_error::DeliveryError;
use crate::account::refusal::Refusal;
use crate::api::http::context::Context;
use crate::base::ports::Platform;
use crate::compose;
use crate::compose::composer::Composer;
use crate::compose::draft::PricedRecipient;
use crate::compose::learned::{Again, Heard, Learned};
use crate::compose::message::message;
use crate::compose::rehearsal;
use crate::compose::request::SendRequest;
use crate::directory::profile::Profile;
use crate::problem::Problem;

/// A request is tried at most so many times.
const MAX_TRIES: usize = 4;

/// A request to the account's object about a new message.
pub trait AboutMessage: Request {
    /// Gives the message back.
    fn into_message(self) -> NewMessage;

    /// What the message is to be made again with, if that is the object's answer.
    fn again(reply: &Self::Reply) -> Option<Again<'_>>;
}

impl AboutMessage for SendMessage {
    fn into_message(self) -> NewMessage {
        self.0
    }

    fn again(reply: &Sent) -> Option<Again<'_>> {
        match reply {
            Sent::PatternsStale(stale) => Some(Again::Patterns(stale)),
            Sent::Blocked(numbers) => Some(Again::Without(numbers, DeliveryError::Blacklisted)),
            Sent::Accepted(_) | Sent::Replayed(_) => None,
        }
    }
}

impl AboutMessage for EstimateMessage {
    fn into_message(self) -> NewMessage {
        self.0
    }

    fn again(reply: &Estimated) -> Option<Again<'_>> {
        match reply {
            Estimated::PatternsStale(stale) => Some(Again::Patterns(stale)),
            Estimated::Blocked(numbers) => Some(Again::Without(numbers, DeliveryError::Blacklisted)),
            Estimated::Refusals(_) => None,
        }
    }
}

/// A message with its recipients, and what the account's object decided about it.
pub struct Decided<R: Request> {
    /// What a live key would pay.
    pub price: i64,
    /// What a live key would pay more for texts as they were given.
    pub saved: i64,
    /// The message.
    pub message: NewMessage,
    /// The recipients, in the order of the message.
    pub recipients: Vec<PricedRecipient>,
    /// The object's answer.
    pub outcome: Result<R::Reply, Refusal>,
}

/// Prices a request and lets the account's object decide. If a cached pattern may be the reason for a refusal, or the object
/// does not take a pattern as it was read, it tries again without the cache. So every send sees a change of a pattern at
/// once. If the object names recipients to leave out, it tries again without them, so that the price is that of the others. More
/// tries are needed only if something changes during one. `make` makes the request of the message, and of the
/// pieces of its text between which a code stands.
pub async fn decide<P: Platform, R: AboutMessage>(
    context: &Context<'_, P>,
    profile: &Profile,
    request: &SendRequest,
    idempotency: Option<Idempotency>,
    make: impl Fn(NewMessage, Vec<String>) -> R,
) -> Result<Decided<R>, Problem> {
    let composer = context.composer(profile)?;
    let mut learned = Learned::default();
    let mut decided = decide_once(context, &composer, request, idempotency.clone(), &learned, &make).await;
    for tried in 1..MAX_TRIES {
        match &decided {
            Ok(Decided { outcome: Ok(reply), .. }) => match R::again(reply) {
                Some(again) => learned.learn(&again),
                None => break,
            },
            Err(problem) if tried == 1 && is_about_patterns(problem) && !request.order.patterns().is_empty() => {
                learned.heard = Some(Heard::new());
            }
            _ => break,
        }
        decided = decide_once(context, &composer, request, idempotency.clone(), &learned, &make).await;
    }
    decided
}

/// The message of a request whose text is the service's own, and the pieces of the text between which a code stands.
pub async fn own_text<P: Platform>(
    context: &Context<'_, P>,
    profile: &Profile,
    request: &SendRequest,
) -> Result<(NewMessage, Vec<String>), Problem> {
    let (composer, learned) = (context.composer(profile)?, Learned::default());
    let mut draft = compose::draft(&composer, request, &learned).await?;
    let pieces = std::mem::take(&mut draft.pieces);
    let (message, _) = message(&composer, request, draft, None, &learned)?;
    Ok((message, pieces))
}

fn is_about_patterns(problem: &Problem) -> bool {
    matches!(
        problem,
        Problem::PatternNoActiveVersion(_)
            | Problem::PatternHeadNumberNotAcceptable(_)
            | Problem::PatternVariableHasNoValue(_)
            | Problem::PatternVariableNotValid(_)
            | Problem::Validation(_)
    )
}

/// One try, with what earlier ones have learned.
async fn decide_once<P: Platform, R: AboutMessage>(
    context: &Context<'_, P>,
    composer: &Composer<'_, P>,
    request: &SendRequest,
    idempotency: Option<Idempotency>,
    learned: &Learned,
    make: &impl Fn(NewMessage, Vec<String>) -> R,
) -> Result<Decided<R>, Problem> {
    let mut draft = compose::draft(composer, request, learned).await?;
    let (price, saved) = (draft.cost(), draft.saved());
    let mut rehearsed = Vec::new();
    if composer.is_test() {
        draft.make_free();
        rehearsed = rehearsal::refusals(request, &learned.skipped, price, composer.now_ms);
    }
    let pieces = std::mem::take(&mut draft.pieces);
    let (mut message, recipients) = message(composer, request, draft, idempotency, learned)?;
    message.rehearsed = rehearsed;
    let about = make(message, pieces);
    let outcome = context.ask(&about).await?;
    Ok(Decided {
        price,
        saved,
        message: about.into_message(),
        recipients,
        outcome,
    })
}
