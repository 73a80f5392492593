//! The move of the whole service to another machine, or to Cloudflare and back. `npm run export` and `npm run import` do it by
//! these routes, and docs/moving-a-service.md says in which order, and why nothing leaves twice.

pub mod objects;
pub mod rows;

use crate::api::http::forms::{Look, choice, formed, true_or_false};
use crate::api::http::json_fields::Body;
use crate::api::http::query::Query;
use crate::api::http::{Response, body::JsonBody, context::Context, respond::Success};
use crate::auth::{self, secret::Keys, secret::Purpose};
use crate::base::named::named;
use crate::base::ports::{Db, Platform};
use crate::base::time;
use crate::carrier::kind::Kind;
use crate::directory::carriers::{self, MAX_CARRIERS};
use crate::directory::transfer::{self, Counts, Transfer};
use crate::problem::field_error::FieldErrorKind;
use crate::problem::{Conflict, Problem};
use crate::{account, answer, body, carrier, query, webhook};

/// The name of the move in the audit log.
const NAME: &str = "service";
/// What the fingerprint of the secret is a tag of.
const FINGERPRINT: &[u8] = b"fingerprint";

named! {
    /// Where data go.
    pub enum Direction {
        /// Nowhere: the service does not move.
        Nowhere => "NONE",
        /// To another service.
        Out => "OUT",
        /// From another service into this one.
        In => "IN",
    }
}

named! {
    /// A store of the service.
    pub enum Store {
        /// D1.
        Directory => "DIRECTORY",
        /// The objects of accounts.
        Account => "ACCOUNT",
        /// The webhook objects of accounts.
        Webhook => "WEBHOOK",
        /// The objects of carriers.
        Carrier => "CARRIER",
    }
}

impl Store {
    /// The binding of its objects. `None`: it has none.
    fn class(self) -> Option<&'static str> {
        match self {
            Store::Directory => None,
            Store::Account => Some(account::request::CLASS),
            Store::Webhook => Some(webhook::request::CLASS),
            Store::Carrier => Some(carrier::request::CLASS),
        }
    }
}

impl Direction {
    fn of(moves: Option<&Transfer>) -> Self {
        match moves {
            None => Direction::Nowhere,
            Some(Transfer { incoming: false, .. }) => Direction::Out,
            Some(Transfer { incoming: true, .. }) => Direction::In,
        }
    }
}

/// A SHA-256.
static DIGEST: Look = Look {
    min: 64,
    max: 64,
    pattern: "^[0-9a-f]{64}$",
    fault: FieldErrorKind::BadFormat("^[0-9a-f]{64}$"),
    is_met: |text| text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')),
};

query! {
    pub struct TransferWish {
        /// `false`: without `found`, for which the service reads all accounts and all usage. Left out, it is told.
        counts: Option<bool> = can "counts" true_or_false();
    }
}

body! {
    /// A move to begin or to end.
    pub struct NewTransfer {
        /// `OUT` begins to give data to another service, `IN` to take those of another one. `NONE` ends either.
        direction: Option<Direction> = needs "direction" choice(&Direction::ALL, Direction::as_str) => "OUT";
        /// With `IN`: the digest of an archive of which all rows are in.
        agreed: Option<String> = can "agreed" formed(&DIGEST) => "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
    }
}

/// What there is to say of a move.
pub struct State {
    moves: Option<Transfer>,
    secret: String,
    found: Option<(Counts, i64)>,
    objects: Vec<String>,
    sandboxes: Vec<String>,
}

answer! {
    /// Whether the service moves, and what there is to move.
    pub struct TransferData(state: &State, unit: &str) as "Transfer" {
        "direction": Direction::of(state.moves.as_ref()).as_str(), one_of(&Direction::ALL.map(Direction::as_str)) => "NONE";
        /// Since when it moves.
        "since": state.moves.as_ref().map(|moves| time::to_rfc3339(moves.since_ms)), time().or_null();
        /// The digest of the archive of which all rows are in, until the service goes on.
        "agreed": state.moves.as_ref().and_then(|moves| moves.agreed.as_deref()), any_text().or_null() => null;
        /// The version of the service. Data go only to a service of the same one.
        "version": env!("CARGO_PKG_VERSION"), any_text() => "0.2.0";
        /// Two services have the same fingerprint if they have the same `SECRET_KEY`. Data go only to such a service.
        "secret": state.secret, any_text() => "5d41402abc4b2a76b9719d911017c592";
        /// What there is to move, as the directory knows it. `null` if nobody has asked for that.
        "found": state.found.as_ref().map(|(counts, bytes)| FoundToMoveData::of(counts, *bytes, unit)), declared::<FoundToMoveData>().or_null();
        /// The objects of carriers that serve all accounts.
        "carrierObjects": state.objects, any_list(any_text().like("mci/0"));
        /// The carriers that have an object for each account.
        "sandboxes": state.sandboxes, any_list(any_text().like("sandbox"));
    }

    /// What there is to move.
    pub struct FoundToMoveData(counts: &Counts, bytes: i64, unit: &str) as "FoundToMove" {
        /// Accounts, closed ones too.
        "accounts": counts.accounts, count();
        /// The available balances of all.
        "available": counts.available, money();
        /// The locked balances of all.
        "locked": counts.locked, money();
        "unit": unit, unit();
        /// Messages that were ever accepted.
        "messages": counts.messages, count();
        "patterns": counts.patterns, count();
        "phonebooks": counts.phonebooks, count();
        /// Numbers in phonebooks.
        "numbers": counts.numbers, count();
        /// The bytes of the directory.
        "bytes": bytes, count();
    }
}

/// `GET /admin/transfer`
pub async fn get<P: Platform>(context: &Context<'_, P>, query: Query<'_, TransferWish>) -> Result<Response, Problem> {
    let TransferWish { counts } = query.all()?;
    tell(context, counts.unwrap_or(true)).await
}

async fn tell<P: Platform>(context: &Context<'_, P>, counts: bool) -> Result<Response, Problem> {
    let (platform, db) = (context.platform, context.platform.db());
    let secret = Keys::of(platform, Purpose::Transfer).map_err(|error| Problem::Unavailable(error.to_string()))?;
    let max = u32::try_from(MAX_CARRIERS).unwrap_or(u32::MAX);
    let carriers = carriers::page(db, max, None, None).await?;
    let is_sandbox = |kind: &str| kind == Kind::Sandbox.as_str();
    let objects = carriers.iter().filter_map(|carrier| {
        let kind = Kind::parse(&carrier.kind)?;
        Some(kind.object_names(carrier, true))
    });
    let state = State {
        moves: transfer::find(db).await?,
        secret: auth::hex(&secret.tag(&[FINGERPRINT])),
        found: match counts {
            true => Some((transfer::counts(db).await?, db.size_bytes().await?)),
            false => None,
        },
        objects: objects.flatten().collect(),
        sandboxes: carriers
            .iter()
            .filter(|carrier| is_sandbox(&carrier.kind))
            .map(|carrier| carrier.name.clone())
            .collect(),
    };
    Success::ok(TransferData::of(&state, &context.app.config.unit)).response(context)
}

/// `PUT /admin/transfer`
pub async fn set<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let mut fields = context.fields(body);
    let NewTransfer { direction, agreed } = NewTransfer::read(&mut fields);
    if agreed.is_some() && direction != Some(Direction::In) {
        fields.fault(
            "agreed",
            FieldErrorKind::MustBe("left out unless \"direction\" is IN", "فقط همراه «direction» برابر IN"),
        );
    }
    fields.finish()?;
    let db = context.audited_db(NAME)?;
    let incoming = match direction.unwrap_or(Direction::Nowhere) {
        Direction::Nowhere => {
            transfer::end(&db).await?;
            // What was read while data came is not all that there is now.
            context.app.profiles.clear();
            context.app.sandboxes.clear();
            return tell(context, false).await;
        }
        Direction::Out => false,
        Direction::In => true,
    };
    match transfer::begin(&db, incoming, context.request.now_ms).await? {
        None => Err(Problem::Conflict(Conflict::ServiceNotEmpty)),
        Some(moves) if moves.incoming != incoming => Err(Problem::Conflict(Conflict::OtherTransfer)),
        Some(_) => {
            if let Some(digest) = agreed {
                transfer::agree(&db, &digest).await?;
            }
            tell(context, false).await
        }
    }
}

/// Fails unless the service moves; with `incoming`, unless it takes data.
async fn must_move<P: Platform>(context: &Context<'_, P>, incoming: bool) -> Result<Transfer, Problem> {
    let moves = transfer::find(context.platform.db()).await?;
    let is_meant = |moves: &Transfer| moves.incoming || !incoming;
    moves.filter(is_meant).ok_or(Problem::Conflict(Conflict::NoTransfer))
}

/// An object of another version.
fn unexpected() -> Problem {
    Problem::Unavailable("the object answered another step of a transfer".to_owned())
}
