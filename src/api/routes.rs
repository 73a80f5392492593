//! The table of all routes, one row each. Everything about a route is in its row: adding a route takes a row and a handler.
//!
//! The macro makes three things from the rows: [`ROUTES`], which is plain data for the service and tests, [`call_handler`], and what
//! the document says of each route ([`Operation::told`]), which is not compiled for the service. A row reads:
//!
//! ```text
//! /// Summary.
//! ///
//! /// What else there is to say.
//! Operation: METHOD "/path/{name}" ? Query, scope, payment, body, audit, handler(name) -> answer, [codes of its own errors], GROUP;
//! ```
//!
//! - The query is a type that [`query!`](crate::query) declares, in [`List`] for a page of a list. A route without parameters has none.
//! - The scope is one of [`Scope`], or `Public`, or `AnyKey`. It stands in `Live(…)` if test keys may not call the route. A route that
//!   needs two has `Live(One + Other)` or `Both(One + Other)`.
//! - The payment is one of [`Payment`], the body one of [`BodyKind`], with the type that [`body!`](crate::body) declares if it is JSON.
//! - The audit says what the audit log has of it, as [`Audit`]: `Reads`, `Shows` or `Logged` with a kind of [`Thing`], or `Unlogged`
//!   with a reason. A row without one does not compile, and `tests/it/operator/audit.rs` holds each row to it.
//! - The handler gets the decoded path parameters that the row names, then the query, and then the body, if the route has them.
//! - The answer is one of [`Answered`](super::route_doc::Answered), with the type that [`answer!`](crate::answer) declares.
//! - The errors are those that not all routes have. Every path can answer 403, 404, 405, 500 and 503; with a key also 401
//!   and 429; with a body also 400, 413, 415 and 422.
//! - The group is one of [`told`](super::told).
//!
//! docs/endpoints.md has the same table: `ROUTES=write cargo test --test it what_the_code_makes` writes it.

use std::ops::Deref;
use std::pin::Pin;

use super::customer::{
    account, blacklist, campaigns, delivery_stats, find, held, inbound, members, messages, own_keys, pattern,
    phonebook, send, transactions, usage, verify, webhook,
};
use super::http::body::{self, OptionalJson};
use super::http::query::{List, Query};
use super::http::{Body, context::Context};
#[cfg(not(target_arch = "wasm32"))]
use super::http::{json_schema::declared, query::Asked};
#[cfg(not(target_arch = "wasm32"))]
use super::route_doc::{self, Answered, RouteDoc};
use super::shared::export::Answer;
use super::{console, gateway, operator, public, shared};
use crate::auth::Scope;
use crate::base::ports::Platform;
use crate::durable::audit::Thing;
use crate::problem::Problem;

pub use super::http::route::{Access, Audit, BodyKind, Payment, RouteInfo};

const IS_A_SEND: &str = "The message is the record of itself, and a line of the ledger beside it.";
const IS_A_QUESTION: &str = "It asks only, with a body.";
const IS_A_CODE: &str = "A verification is the record of itself, and there are as many as people who sign in.";
const IS_CONTENT: &str = "The numbers of a phonebook are data about people, which must go when their owner deletes them. The \
    log keeps what it has.";
const IS_AN_EVENT: &str = "It sends an event and changes no setting. The log of deliveries has it.";
const IS_A_STEP: &str =
    "It is one of thousands of steps. The log has when the move of the service begins and ends, and what is frozen.";
const IS_A_REPORT: &str = "A carrier's gateway calls it, without a key.";

/// A row of the table: a route and its name. It reads like what is known of the route.
#[derive(Debug, Clone, Copy)]
pub struct Route {
    /// The name.
    pub operation: Operation,
    /// All else.
    pub info: RouteInfo,
}

impl Deref for Route {
    type Target = RouteInfo;

    fn deref(&self) -> &RouteInfo {
        &self.info
    }
}

macro_rules! access {
    (Public) => {
        Access::Public
    };
    (AnyKey) => {
        Access::AnyKey
    };
    (Live $scope:ident) => {
        Access::Live(Scope::$scope)
    };
    (Both $scope:ident) => {
        Access::Scope(Scope::$scope)
    };
    ($scope:ident) => {
        Access::Scope(Scope::$scope)
    };
}

macro_rules! also {
    () => {
        None
    };
    ($scope:ident) => {
        Some(Scope::$scope)
    };
}

macro_rules! audit {
    (Reads) => {
        Audit::Reads
    };
    (Shows $thing:ident) => {
        Audit::Shows(Thing::$thing)
    };
    (Logged $thing:ident) => {
        Audit::Logged(Thing::$thing)
    };
    (Unlogged $why:ident) => {
        Audit::Unlogged($why)
    };
}

/// What is made of a type, if there is one.
#[cfg(not(target_arch = "wasm32"))]
macro_rules! optional {
    ($none:expr) => {
        $none
    };
    ($none:expr, $some:expr) => {
        $some
    };
}

/// Puts the future of a handler on the heap. It is made in a frame of its own: without optimisation, the frame of
/// [`call_handler`] would have room for the futures of all handlers, which is more than a stack.
fn on_heap<F: Future>(make: impl FnOnce() -> F) -> Pin<Box<F>> {
    Box::pin(make())
}

/// Calls a handler with its path parameters and its body.
macro_rules! answer {
    (None, $context:ident, $body:ident, $handler:path, [$($param:ident)*] $(? $query:ty)?) => {
        on_heap(|| $handler($context $(, $context.request.params.get(stringify!($param)))* $(, Query::<$query>::of($context))?)).await.map(Answer::from)
    };
    (Json, $context:ident, $body:ident, $handler:path, [$($param:ident)*] $(? $query:ty)?) => {{
        let json = body::read_json($context.request.head, $body).await?;
        on_heap(|| $handler($context $(, $context.request.params.get(stringify!($param)))* $(, Query::<$query>::of($context))?, &json)).await.map(Answer::from)
    }};
    (LargeJson, $context:ident, $body:ident, $handler:path, [$($param:ident)*] $(? $query:ty)?) => {{
        let json = body::read_large_json($context.request.head, $body).await?;
        on_heap(|| $handler($context $(, $context.request.params.get(stringify!($param)))* $(, Query::<$query>::of($context))?, &json)).await.map(Answer::from)
    }};
    (OptionalJson, $context:ident, $body:ident, $handler:path, [$($param:ident)*] $(? $query:ty)?) => {{
        let json = OptionalJson::new($context.request.head, $body);
        on_heap(|| $handler($context $(, $context.request.params.get(stringify!($param)))* $(, Query::<$query>::of($context))?, json)).await.map(Answer::from)
    }};
    (Form, $context:ident, $body:ident, $handler:path, [$($param:ident)*] $(? $query:ty)?) => {{
        let form = body::read_form($context.request.head, $body, gateway::MAX_BYTES).await?;
        on_heap(|| $handler($context $(, $context.request.params.get(stringify!($param)))* $(, Query::<$query>::of($context))?, &form)).await.map(Answer::from)
    }};
    (Csv, $context:ident, $body:ident, $handler:path, [$($param:ident)*] $(? $query:ty)?) => {{
        body::require_csv($context.request.head)?;
        on_heap(|| $handler($context $(, $context.request.params.get(stringify!($param)))* $(, Query::<$query>::of($context))?, $body)).await.map(Answer::from)
    }};
}

macro_rules! routes {
    ($(
        $(#[doc = $line:literal])+
        $operation:ident: $method:ident $path:literal $(? $query:ty)?, $access:ident $(($scope:ident $(+ $also:ident)?))?, $payment:ident,
        $body:ident $(($object:ty))?, $audit:ident $(($logged:ident))?,
        $($handler:ident)::+($($param:ident),*) -> $answer:ident $(($($data:ty),+))?, [$($error:literal),*], $group:ident;
    )*) => {
        /// The name of a route.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Operation {
            $($(#[doc = $line])+ $operation,)*
        }

        impl Operation {
            /// The name as a text.
            pub fn name(self) -> &'static str {
                match self {
                    $(Operation::$operation => stringify!($operation),)*
                }
            }

            /// What the document says of the route.
            #[cfg(not(target_arch = "wasm32"))]
            pub fn told(self) -> RouteDoc {
                match self {
                    $(Operation::$operation => RouteDoc {
                        group: route_doc::$group,
                        lines: &[$($line),+],
                        query: optional!(Vec::new() $(, <$query as Asked>::parameters())?),
                        body: optional!(None $(, Some(declared::<$object>()))?),
                        answer: Answered::$answer $(($(declared::<$data>()),+))?,
                        errors: &[$($error),*],
                    },)*
                }
            }
        }

        /// All routes. Each answers under `/v1` too.
        pub const ROUTES: &[Route] = &[$(Route {
            operation: Operation::$operation,
            info: RouteInfo {
                name: stringify!($operation),
                method: stringify!($method),
                path: $path,
                access: access!($access $($scope)?),
                also: also!($($($also)?)?),
                payment: Payment::$payment,
                body: BodyKind::$body,
                audit: audit!($audit $($logged)?),
                params: &[$(stringify!($param)),*],
            },
        },)*];

        /// The names of all routes.
        pub const NAMES: &[&str] = &[$(stringify!($operation)),*];

        /// Reads the body as the row says, and calls the handler of the row.
        pub async fn call_handler<P: Platform>(
            operation: Operation,
            context: &Context<'_, P>,
            body: &mut impl Body,
        ) -> Result<Answer, Problem> {
            match operation {
                $(Operation::$operation => answer!($body, context, body, $($handler)::+, [$($param)*] $(? $query)?),)*
            }
        }
    };
}

routes! {
    /// Sends a browser to the documentation. For a program there is nothing here.
    GetHome: GET "/", Public, Free, None, Reads, public::home() -> Redirect, [404], SERVICE;
    /// Says that the service is up, and its version.
    GetHealth: GET "/health", Public, Free, None, Reads, public::health() -> Found(public::HealthData), [], SERVICE;
    /// Returns the keys that check proofs, as a JWK Set (RFC 7517).
    ///
    /// The answer has no envelope. It may be kept for five minutes. Without the secret `SECRET_KEY` there are no keys.
    GetProofKeys: GET "/.well-known/jwks.json", Public, Free, None, Reads, public::proof_keys() -> Bare(public::ProofKeysData), [], SERVICE;

    /// Takes a delivery report of a carrier's gateway. The address has a token for the recipient.
    GetDeliveryReport: GET "/carrier/{name}/dlr", Public, Free, None, Unlogged(IS_A_REPORT), gateway::dlr::get(name) -> Text, [413], GATEWAYS;
    /// Takes a delivery report, as a form.
    PostDeliveryReport: POST "/carrier/{name}/dlr", Public, Free, Form, Unlogged(IS_A_REPORT), gateway::dlr::post(name) -> Text, [], GATEWAYS;
    /// Takes a message that a phone has sent. The address has the key of the carrier.
    GetInboundMessage: GET "/carrier/{name}/inbound", Public, Free, None, Unlogged(IS_A_REPORT), gateway::inbound::get(name) -> Text, [413, 422],
        GATEWAYS;
    /// Takes a message that a phone has sent, as a form.
    PostInboundMessage: POST "/carrier/{name}/inbound", Public, Free, Form, Unlogged(IS_A_REPORT), gateway::inbound::post(name) -> Text, [], GATEWAYS;

    /// Sends one text to up to 1,000 numbers.
    SendSms: POST "/sms/send", SmsSend, WithCall, Json(send::parse::SendSms), Unlogged(IS_A_SEND), send::send_text() -> Sent(shared::view::SentData),
        [3012, 3017, 1003, 3011, 3016, 3018, 2002, 2001], SENDING;
    /// Sends a pattern, filled in once, to one number or up to 1,000.
    SendPattern: POST "/sms/pattern", SmsSend, WithCall, Json(send::parse::SendPattern), Unlogged(IS_A_SEND),
        send::send_pattern() -> Sent(shared::view::SentData), [3002, 3012, 3013, 3014, 3015, 3017, 1003, 3011, 3016, 3018, 2002, 2001], SENDING;
    /// Sends one text, filled in for each number, to phonebooks.
    SendToPhonebook: POST "/sms/phonebook/send", SmsSend, WithCall, Json(send::parse::SendToPhonebook), Unlogged(IS_A_SEND),
        send::send_to_phonebook() -> Sent(shared::view::SentData), [404, 3012, 3017, 1003, 3011, 3016, 3018, 2002, 2001], SENDING;
    /// Sends up to 1,000 texts, each to its own number.
    SendBulk: POST "/sms/bulk", SmsSend, WithCall, Json(send::parse::SendBulk), Unlogged(IS_A_SEND), send::send_bulk() -> Sent(shared::view::SentData),
        [3002, 3012, 3013, 3014, 3015, 3017, 1003, 3011, 3016, 3018, 2002, 2001], SENDING;
    /// Says what a send would cost. `faults` lists the refusals that depend on the account (1003, 3011, 3016, 3018, 2002, 2001).
    EstimateSend: POST "/sms/estimate", SmsSend, WithCall, Json(send::estimates::SendToEstimate), Unlogged(IS_A_QUESTION),
        send::estimate() -> Found(send::EstimateData), [404, 3002, 3012, 3013, 3014, 3015, 3017], SENDING;

    /// Makes a code and sends it to a number, or sends the pending code again.
    StartVerification: POST "/verify", Verify, WithCall, Json(verify::parse::NewVerification), Unlogged(IS_A_SEND),
        verify::start() -> SentOnce(verify::VerificationData), [1003, 2001, 2002, 3002, 3011, 3012, 3013, 3014, 3015, 3016, 3017, 3018], VERIFY;
    /// Finds the pending verifications of a number, newest first: `recipient`, `purpose`.
    ///
    /// A program that has lost the id finds it so, to take the code back or to see when it can be sent again.
    FindVerifications: GET "/verify" ? verify::PendingWish, Verify, WithCall, None, Reads, verify::find() -> Found(verify::PendingData), [422], VERIFY;
    /// Checks a code that a person has typed.
    CheckVerification: POST "/verify/check", Verify, WithCall, Json(verify::parse::CodeToCheck), Unlogged(IS_A_CODE),
        verify::check() -> Found(verify::CheckData), [3019], VERIFY;
    /// Tells how verifications have ended, by day, first digits of numbers, line or carrier.
    GetVerifyStats: GET "/verify/stats" ? verify::stats::StatsWish, Verify, WithCall, None, Reads,
        verify::stats::list() -> Found(verify::stats::StatsData), [422], VERIFY;
    /// Returns a verification.
    GetVerification: GET "/verify/{id}", Verify, WithCall, None, Reads, verify::get(id) -> Found(verify::VerificationData), [404], VERIFY;
    /// Takes a verification back. What has not left of its messages is canceled.
    CancelVerification: DELETE "/verify/{id}", Verify, WithCall, None, Unlogged(IS_A_CODE), verify::cancel(id) -> Found(verify::VerificationData),
        [404, 3019], VERIFY;

    /// Lists messages, newest first. Filters: `status`, `type`, `from`, `to`, `recipient`, `clientRef`.
    ///
    /// A page looks at 10,000 messages at most. So with filters it may have fewer than `limit`, or none, before the list ends: read on while
    /// `nextCursor` is not `null`.
    ListMessages: GET "/messages" ? List<messages::MessagesWish>, SmsRead, WithCall, None, Reads, messages::list() -> Page(shared::view::MessageData),
        [422], MESSAGES;
    /// Returns a message with its counts by status and its first 100 recipients.
    GetMessage: GET "/messages/{uid}", SmsRead, WithCall, None, Reads, messages::get(uid) -> Found(shared::view::MessageDetail), [404], MESSAGES;
    /// Cancels what has not left of a message, and releases its money.
    ///
    /// What carriers have at the moment comes back within half a minute, and is canceled then, as far as they have not sent it. It works once: when
    /// nothing waits any more, the answer is 409. A message of a verification is canceled with that.
    CancelMessage: DELETE "/messages/{uid}", SmsSend, WithCall, None, Logged(Message), messages::cancel(uid) -> Found(shared::view::CanceledMessage),
        [404, 409], MESSAGES;
    /// Pauses a message: nothing more of it leaves until it is resumed. Its money stays reserved.
    ///
    /// It waits for as long as it could wait for a carrier: half an hour if it is made of a pattern, 24 hours if it was sent to a phonebook or in bulk, else
    /// four hours. What has not left by then is canceled.
    PauseMessage: POST "/messages/{uid}/pause", SmsSend, WithCall, None, Logged(Message), messages::pause(uid) -> Found(shared::view::MessageDetail),
        [404, 409], MESSAGES;
    /// Lets a paused message go on. One that is not paused stays as it is.
    ResumeMessage: POST "/messages/{uid}/resume", SmsSend, WithCall, None, Logged(Message), messages::resume(uid) -> Found(shared::view::MessageDetail),
        [404, 409], MESSAGES;
    /// Returns up to 500 recipients of any messages, by their uids or by your references: `{"recipients"}` or `{"clientRefs"}`.
    ///
    /// They come in the order in which the body names them. What is not found is left out. Of a reference, the first 100 recipients of the newest
    /// message that has it are told.
    FindRecipients: POST "/messages/recipients", SmsRead, WithCall, Json(find::RecipientsToFind), Unlogged(IS_A_QUESTION),
        find::recipients() -> Found(find::FoundRecipients), [], MESSAGES;
    /// Lists the recipients of a message. Filters: `status`, `recipient`, `error`. As `text/csv` with `format=csv`.
    ///
    /// In pages of up to 20 recipients, no text is cut. A CSV file has all recipients of the filters, with titles in the language of
    /// `Accept-Language`, and no texts. It takes neither `limit` nor `cursor`. An import reads its numbers.
    ListRecipients: GET "/messages/{uid}/recipients" ? List<(messages::RecipientsWish, shared::export::ListForm)>, SmsRead, WithCall, None, Reads,
        messages::recipients(uid) -> PageOrCsv(shared::view::RecipientState), [404, 422], MESSAGES;

    /// Lists what phones have sent to the account, newest first. Filters: `line`, `from`, `since`, `until`, `taken`.
    ///
    /// In pages of up to 20 messages, no text is cut.
    ListInbound: GET "/inbound" ? List<inbound::InboundWish>, Live(SmsRead), WithCall, None, Reads,
        inbound::list() -> Page(inbound::InboundMessageData), [422], INBOUND;
    /// Returns the oldest messages from phones that were not taken before, and marks them as taken: `{"line"?, "limit"?}`.
    ///
    /// They come oldest first, with whole texts, and each comes once: to another request, too. There may be more, even if fewer than `limit` come:
    /// ask until none comes. What an answer that got lost had is in `GET /inbound?taken=true`.
    TakeInbound: POST "/inbound/take", Live(SmsSend + SmsRead), WithCall, Json(inbound::InboundToTake), Logged(Inbound),
        inbound::take() -> Found(inbound::TakenInbound), [], INBOUND;

    /// Makes a campaign of a text or a pattern to phonebooks, and counts its people.
    ///
    /// It is `COUNTING` until it is counted, and then a `DRAFT`: `counted` says whom it would reach and what that would cost. Nobody gets anything
    /// before `POST /campaigns/{id}/start`. It goes in waves of up to 1,000 people, in ascending order of their numbers; each wave is a message,
    /// which is paid when it is accepted. A number that stands in several phonebooks counts once. Who is on the blacklist, or can't be sent to, is left
    /// out and told. After a 500, a 503 or a broken connection, repeat it with the same `Idempotency-Key`: then one campaign is made.
    CreateCampaign: POST "/campaigns", SmsSend, WithCall, Json(campaigns::NewCampaign), Logged(Campaign),
        campaigns::create() -> MadeOnce(campaigns::CampaignDetail), [404, 409, 3002, 3012, 3013, 3014, 3015], CAMPAIGNS;
    /// Lists the campaigns, newest first.
    ListCampaigns: GET "/campaigns" ? List, SmsRead, WithCall, None, Reads, campaigns::list() -> Page(campaigns::CampaignData), [422], CAMPAIGNS;
    /// Returns a campaign: what it sends to whom, and what it has come to so far.
    GetCampaign: GET "/campaigns/{id}", SmsRead, WithCall, None, Reads, campaigns::get(id) -> Found(campaigns::CampaignDetail), [404], CAMPAIGNS;
    /// Lists the people of a campaign, wave by wave, with what became of each. Filters: `status`, `recipient`, `error`. As `text/csv` with
    /// `format=csv`.
    ///
    /// Who was left out has the status `SKIPPED`, and `error` says why. A page looks at 20 waves at most. So with filters it may have fewer than
    /// `limit`, or none, before the list ends: read on while `nextCursor` is not `null`. A CSV file has all people of the filters, with titles in the
    /// language of `Accept-Language`. It takes neither `limit` nor `cursor`. An import reads its numbers.
    ListCampaignRecipients: GET "/campaigns/{id}/recipients" ? List<(messages::RecipientsWish, shared::export::ListForm)>, SmsRead, WithCall, None, Reads,
        campaigns::recipients(id) -> PageOrCsv(shared::view::RecipientState), [404, 422], CAMPAIGNS;
    /// Changes a campaign.
    ///
    /// Until it is started, all can be changed; what changes its people, its text or its line has it counted anew. So it is with one that is paused and has
    /// reached nobody: it is a `DRAFT` again then, and waits for its start. Later its title, time, window, pace, budget and guard can be changed, unless it
    /// runs: pause it first. The message and the people of a resend can't be changed.
    ChangeCampaign: PATCH "/campaigns/{id}", SmsSend, WithCall, Json(campaigns::CampaignChange), Logged(Campaign),
        campaigns::change(id) -> Found(campaigns::CampaignDetail), [404, 409, 3002, 3012, 3013, 3014, 3015], CAMPAIGNS;
    /// Deletes a campaign that was not started or has ended. Its messages stay.
    DeleteCampaign: DELETE "/campaigns/{id}", SmsSend, WithCall, None, Logged(Campaign), campaigns::delete(id) -> Done, [404, 409], CAMPAIGNS;
    /// Starts a campaign: at once, or at its time. Started again, it stays as it is.
    ///
    /// Its waves count for the daily spending of this key, and go out from its lines, also when the key has ended meanwhile.
    StartCampaign: POST "/campaigns/{id}/start", SmsSend, WithCall, None, Logged(Campaign), campaigns::start(id) -> Found(campaigns::CampaignDetail),
        [404, 409], CAMPAIGNS;
    /// Pauses a campaign: nothing more of it leaves until it is resumed. The wave that is on its way is paused with it.
    PauseCampaign: POST "/campaigns/{id}/pause", SmsSend, WithCall, None, Logged(Campaign), campaigns::pause(id) -> Found(campaigns::CampaignDetail),
        [404, 409], CAMPAIGNS;
    /// Lets a campaign go on that is paused or was stopped. Its waves count for this key from now on.
    ResumeCampaign: POST "/campaigns/{id}/resume", SmsSend, WithCall, None, Logged(Campaign), campaigns::resume(id) -> Found(campaigns::CampaignDetail),
        [404, 409], CAMPAIGNS;
    /// Ends a campaign for good. What has not left of its newest wave is canceled, and paid back.
    CancelCampaign: POST "/campaigns/{id}/cancel", SmsSend, WithCall, None, Logged(Campaign), campaigns::cancel(id) -> Found(campaigns::CampaignDetail),
        [404, 409], CAMPAIGNS;
    /// Makes the resend of a campaign that has ended: another campaign, to those whom it certainly did not reach. Asked again, it answers the same one.
    ///
    /// It sends the same to the recipients that are `REJECTED` or `UNDELIVERED`, or `EXPIRED` because their carrier said so: by another carrier, if the
    /// line has one. It is counted, and waits for `POST /campaigns/{id}/start`. `counted.skipped` says who is left out: `UNKNOWN` and `NO_REPORT`, who
    /// may have the message, `OPEN`, `CANCELED` and `SKIPPED`, `BLACKLISTED`, and `NO_MEMBER`, who is in the phonebooks no more. A campaign is resent once.
    ResendCampaign: POST "/campaigns/{id}/resend", SmsSend, WithCall, None, Logged(Campaign), campaigns::resend(id) -> MadeOrThere(campaigns::CampaignDetail),
        [404, 409], CAMPAIGNS;

    /// Creates a phonebook: `{"title", "description"?}`.
    CreatePhonebook: POST "/phonebook", Live(Phonebook), First, Json(phonebook::NewPhonebook), Logged(Phonebook),
        phonebook::create() -> Made(phonebook::PhonebookData), [409], PHONEBOOKS;
    /// Lists the phonebooks.
    ListPhonebooks: GET "/phonebook" ? List, Phonebook, First, None, Reads, phonebook::list() -> Page(phonebook::PhonebookData), [422], PHONEBOOKS;
    /// Returns a phonebook.
    GetPhonebook: GET "/phonebook/{id}", Phonebook, First, None, Reads, phonebook::get(id) -> Found(phonebook::PhonebookData), [404], PHONEBOOKS;
    /// Changes the title or the description of a phonebook.
    ChangePhonebook: PUT "/phonebook/{id}", Live(Phonebook), First, Json(phonebook::PhonebookChange), Logged(Phonebook),
        phonebook::change(id) -> Found(phonebook::PhonebookData), [404, 409], PHONEBOOKS;
    /// Deletes a phonebook with its numbers.
    DeletePhonebook: DELETE "/phonebook/{id}", Live(Phonebook), WithCall, None, Logged(Phonebook), phonebook::delete(id) -> Done, [404, 409],
        PHONEBOOKS;
    /// Adds the numbers of a file (`text/csv`) to a phonebook, or updates them. `number` in the query names their column.
    ///
    /// The first line names the columns, one of them the number. A file with a quote that does not close is refused as a whole. If an import stops
    /// half way, `detail` tells the last line that is saved; the file can be imported again.
    ImportNumbers: POST "/phonebook/{id}/import" ? phonebook::import::ImportWish, Live(Phonebook), First, Csv, Unlogged(IS_CONTENT),
        phonebook::import::import(id) -> Made(phonebook::import::ImportedData), [404, 409], PHONEBOOKS;
    /// Returns the numbers of a phonebook as `text/csv`.
    ExportNumbers: GET "/phonebook/{id}/export", Live(Phonebook), First, None, Reads, phonebook::export(id) -> Csv, [404], PHONEBOOKS;
    /// Adds or updates numbers: `{"number", "name"?, "attributes"?}`, or `{"numbers": [… ≤ 1,000]}`.
    AddNumbers: POST "/phonebook/number/{phonebookId}", Live(Phonebook), First, Json(phonebook::numbers::AddNumbers), Unlogged(IS_CONTENT),
        phonebook::numbers::add(phonebookId) -> Made(phonebook::numbers::AddedData), [404, 409], PHONEBOOKS;
    /// Lists the numbers of a phonebook. Filter: `q`, with which the number or the name begins.
    ListNumbers: GET "/phonebook/number/{phonebookId}" ? List<phonebook::numbers::NumbersWish>, Live(Phonebook), First, None, Reads,
        phonebook::numbers::list(phonebookId) -> Page(phonebook::numbers::NumberData), [404, 422], PHONEBOOKS;
    /// Changes a number of a phonebook, its name or its attributes.
    ChangeNumber: PUT "/phonebook/number/{phonebookId}/{numberId}", Live(Phonebook), First, Json(phonebook::parse::NumberChange), Unlogged(IS_CONTENT),
        phonebook::numbers::change(phonebookId, numberId) -> Found(phonebook::numbers::NumberData), [404, 409], PHONEBOOKS;
    /// Deletes a number of a phonebook.
    DeleteNumber: DELETE "/phonebook/number/{phonebookId}/{numberId}", Live(Phonebook), First, None, Unlogged(IS_CONTENT),
        phonebook::numbers::delete(phonebookId, numberId) -> Done, [404], PHONEBOOKS;
    /// Changes the phonebook whose `id` is in the body.
    ChangePhonebookInBody: PUT "/phonebook", Live(Phonebook), First, Json(phonebook::PhonebookChangeById), Logged(Phonebook),
        phonebook::change_in_body() -> Found(phonebook::PhonebookData), [404, 409], PHONEBOOKS;
    /// Deletes the phonebook whose `id` is in the query.
    DeletePhonebookInQuery: DELETE "/phonebook" ? phonebook::DeletionWish, Live(Phonebook), WithCall, None, Logged(Phonebook),
        phonebook::delete_in_query() -> Done, [404, 409, 422], PHONEBOOKS;

    /// Creates a pattern: `{"slug"?, "title", "lines"?, "text"?, "variables"?}`.
    CreatePattern: POST "/pattern", Live(Pattern), First, Json(pattern::PatternToCreate), Logged(Pattern),
        pattern::create() -> Made(pattern::data::PatternData), [409], PATTERNS;
    /// Lists the patterns, each with its active version and its newest.
    ListPatterns: GET "/pattern" ? List, Pattern, First, None, Reads, pattern::list() -> Page(pattern::data::PatternData), [422], PATTERNS;
    /// Returns a pattern with all of its versions.
    GetPattern: GET "/pattern/{slug}", Pattern, First, None, Reads, pattern::get(slug) -> Found(pattern::data::PatternData), [404], PATTERNS;
    /// Changes the `title` or the `lines` of a pattern.
    ChangePattern: PUT "/pattern/{slug}", Live(Pattern), First, Json(pattern::PatternChange), Logged(Pattern),
        pattern::change(slug) -> Found(pattern::data::PatternData), [404], PATTERNS;
    /// Deletes a pattern without an active version.
    DeletePattern: DELETE "/pattern/{slug}", Live(Pattern), WithCall, None, Logged(Pattern), pattern::delete(slug) -> Done, [404, 409], PATTERNS;
    /// Adds a version to a pattern: `{"text", "variables"?}`.
    CreatePatternVersion: POST "/pattern/{slug}/versions", Live(Pattern), First, Json(pattern::parse::NewPatternVersion), Logged(Pattern),
        pattern::versions::create(slug) -> Made(pattern::data::VersionData), [404, 409], PATTERNS;
    /// Activates a version of a pattern and retires the active one.
    ActivatePatternVersion: POST "/pattern/{slug}/versions/{n}/activate", Live(Pattern), First, None, Logged(Pattern),
        pattern::versions::activate(slug, n) -> Found(pattern::data::PatternData), [404, 409], PATTERNS;
    /// Retires the active version of a pattern.
    DeactivatePattern: POST "/pattern/{slug}/deactivate", Live(Pattern), First, None, Logged(Pattern),
        pattern::versions::deactivate(slug) -> Found(pattern::data::PatternData), [404, 409], PATTERNS;

    /// Lists the numbers on the blacklist. Filter: `number`.
    ListBlacklist: GET "/blacklist" ? List<blacklist::BlockedWish>, Live(Blacklist), WithCall, None, Reads,
        blacklist::list() -> Page(blacklist::BlockedNumberData), [422], BLACKLIST;
    /// Adds numbers to the blacklist: `{"numbers"}`.
    AddToBlacklist: POST "/blacklist", Live(Blacklist), WithCall, Json(blacklist::Numbers), Logged(Blacklist),
        blacklist::add() -> Made(blacklist::AddedNumbersData), [409], BLACKLIST;
    /// Removes numbers from the blacklist: `{"numbers"}`, or `number` in the query.
    RemoveFromBlacklist: DELETE "/blacklist" ? blacklist::RemovalWish, Live(Blacklist), WithCall, OptionalJson(blacklist::Numbers), Logged(Blacklist),
        blacklist::remove() -> Found(blacklist::RemovedNumbersData), [], BLACKLIST;

    /// Tells what the account has on a number: `number` in the query.
    ///
    /// It is for a person who asks what you have of them. The two lists that it counts have the messages themselves. Texts to others that have the
    /// number in them are not counted.
    GetHeld: GET "/held" ? held::HeldWish, Live(SmsRead + Phonebook), WithCall, None, Reads, held::get() -> Found(held::HeldData), [422], ERASURES;
    /// Erases a number from all that the account has: `{"number"}`.
    ///
    /// The order takes the number out of messages, texts, messages from the phone, events and phonebooks. In answers, `erased` stands in its place.
    /// What has not left is canceled and paid back. A blacklisted number stays blocked. An order may be repeated; what is sent to the number later is
    /// not covered by it.
    StartErasure: POST "/erasures", Live(Erasure), WithCall, Json(shared::erasures::NewErasure), Logged(Erasure),
        shared::erasures::start() -> Begun(shared::erasures::ErasureData), [409], ERASURES;
    /// Lists the orders to erase a number.
    ListErasures: GET "/erasures" ? List, Live(Erasure), WithCall, None, Reads, shared::erasures::list() -> Page(shared::erasures::ErasureData), [422],
        ERASURES;
    /// Returns an order to erase a number: whether it is done, and what it has met.
    GetErasure: GET "/erasures/{id}", Live(Erasure), WithCall, None, Reads, shared::erasures::get(id) -> Found(shared::erasures::ErasureData), [404],
        ERASURES;

    /// Returns the wallet, the status and the plan of the account.
    GetAccountInfo: GET "/account/info", AccountRead, WithCall, None, Reads, account::info() -> Found(account::AccountInfoData), [], ACCOUNT;
    /// Changes what the account decides for itself: `{"timeZone"?}`.
    ///
    /// In the console, the days of filters begin and end in this zone. It is `Asia/Tehran` until it is set.
    ChangeAccountInfo: PATCH "/account/info", Live(Keys), WithCall, Json(account::NewAccountSettings), Logged(Account),
        account::change() -> Found(account::AccountSettingsData), [], ACCOUNT;
    /// Lists the entries of the account's ledger, newest first. Filters: `type`, `from`, `to`, `message`. As `text/csv` with `format=csv`.
    ///
    /// A page looks at 10,000 entries at most. So with `type` or `message` it may have fewer than `limit`, or none, before the list ends: read on
    /// while `nextCursor` is not `null`. A CSV file has all entries of the filters, up to 200,000 to look at; beyond, narrow `from` and `to`. It
    /// takes neither `limit` nor `cursor`.
    ListTransactions: GET "/account/transactions" ? List<(transactions::EntriesWish, shared::export::ListForm)>, AccountRead, WithCall, None, Reads,
        transactions::list() -> PageOrCsv(transactions::TransactionData), [422], ACCOUNT;
    /// Counts what the account has sent, by day and by key, newest first. Filters: `from`, `to`.
    ///
    /// Days are those of UTC, whatever the account's `timeZone` is: midnight in UTC is 03:30 in Tehran. To add up the ledger of the same day, ask
    /// for its entries from midnight to midnight in UTC. A message counts on the day on which it was accepted, and so does what becomes of it, but
    /// the ledger has money on the day on which it moved. Days without messages are left out.
    ListUsage: GET "/account/usage" ? List<usage::UsageWish>, AccountRead, WithCall, None, Reads, usage::list() -> Page(usage::UsageDayData), [422],
        ACCOUNT;
    /// Says how the newest messages have ended, by mobile operator, and why some have not arrived. Filter: `from`.
    ///
    /// It looks at the newest recipients, 20,000 or a few more.
    GetOutcomes: GET "/account/outcomes" ? delivery_stats::DeliveryStatsWish, AccountRead, WithCall, None, Reads,
        delivery_stats::get() -> Found(delivery_stats::DeliveryStatsData), [422], ACCOUNT;
    /// Says how many recipients have not left yet, and on which lines they wait longer than they should.
    GetUnsent: GET "/account/unsent", AccountRead, WithCall, None, Reads, account::unsent() -> Found(shared::unsent::UnsentData), [], ACCOUNT;
    /// Returns the balance below which the account's endpoints get `wallet.low`.
    GetLowBalance: GET "/account/low-balance", AccountRead, First, None, Reads,
        shared::low_balance::get() -> Found(shared::low_balance::LowBalanceData), [], ACCOUNT;
    /// Sets the balance below which the endpoints without a `lowBalance` of their own get `wallet.low`: `{"lowBalance"}`.
    SetLowBalance: PUT "/account/low-balance", Live(Webhook), First, Json(shared::low_balance::NewLowBalance), Logged(Account),
        shared::low_balance::set() -> Found(shared::low_balance::LowBalanceData), [], ACCOUNT;
    /// Returns the price of one part and the coefficients of each line.
    GetTariff: GET "/plan/tariff", AccountRead, First, None, Reads, account::tariff() -> Found(account::PricesData), [], ACCOUNT;
    /// Lists the lines that the caller may send from.
    ListLines: GET "/lines" ? List, AccountRead, First, None, Reads, account::lines() -> Page(account::OwnLineData), [422], ACCOUNT;

    /// Issues a key that has no more than the caller's: `{"title", "scopes"?, "expiresAt"?, "lines"?, "mode"?, "ips"?, "ratePerMinute"?, "dailySpend"?}`. Shows it once.
    ///
    /// What is left out is as the key of the request has it, but for the scopes `keys`, `webhook` and `erasure`, which must be named. A key can't
    /// give what it lacks: another scope, line or address, the live mode, more time, or higher caps.
    IssueKey: POST "/keys", Live(Keys), WithCall, Json(own_keys::NewOwnKey), Logged(Key), own_keys::issue() -> Made(shared::keys::IssuedKeyData),
        [409], KEYS;
    /// Lists the keys of the account, newest first.
    ListKeys: GET "/keys" ? List, Keys, WithCall, None, Reads, own_keys::list() -> Page(shared::keys::OwnKeyData), [422], KEYS;
    /// Revokes a key that has no more than the caller's, at once. `?cascade=true`: with all that comes from it.
    ///
    /// A key can revoke itself, too.
    RevokeKey: DELETE "/keys/{id}" ? shared::cascade::CascadeWish, Live(Keys), WithCall, None, Logged(Key),
        own_keys::revoke(id) -> DoneOr(shared::cascade::CascadeData), [404, 422], KEYS;
    /// Replaces a key that has no more than the caller's. The old one works for `graceSeconds` more, a day if left out.
    ///
    /// The successor has all that the old key was issued with. If the answer is lost, the old key can't be rotated again by itself, because its own
    /// time has become shorter.
    RotateKey: POST "/keys/{id}/rotate", Live(Keys), WithCall, Json(shared::keys::Rotation), Logged(Key),
        own_keys::rotate(id) -> Made(shared::keys::RotatedKeyData), [404, 409], KEYS;

    /// Creates an endpoint for events: `{"url", "events", "lowBalance"?, "description"?}`. Shows its secret once.
    CreateWebhook: POST "/webhook", Webhook, First, Json(webhook::parse::NewEndpoint), Logged(Webhook),
        webhook::create() -> Made(webhook::EndpointWithSecretData), [409], WEBHOOKS;
    /// Lists the endpoints, newest first.
    ListWebhooks: GET "/webhook" ? List, Webhook, First, None, Reads, webhook::list() -> Page(webhook::EndpointData), [422], WEBHOOKS;
    /// Returns an endpoint.
    GetWebhook: GET "/webhook/{id}", Webhook, First, None, Reads, webhook::get(id) -> Found(webhook::EndpointData), [404], WEBHOOKS;
    /// Changes `url`, `events`, `lowBalance`, `description` or `active` of an endpoint.
    ChangeWebhook: PUT "/webhook/{id}", Webhook, First, Json(webhook::parse::EndpointChange), Logged(Webhook),
        webhook::change(id) -> Found(webhook::EndpointData), [404], WEBHOOKS;
    /// Deletes an endpoint with its log.
    DeleteWebhook: DELETE "/webhook/{id}", Webhook, First, None, Logged(Webhook), webhook::delete(id) -> Done, [404], WEBHOOKS;
    /// Gives an endpoint a new secret and shows it once. The old one signs too for a day.
    RotateWebhookSecret: POST "/webhook/{id}/rotate", Webhook, First, None, Logged(Webhook),
        webhook::rotate(id) -> Made(webhook::EndpointWithSecretData), [404], WEBHOOKS;
    /// Sends an event of type `webhook.test` to an endpoint.
    TestWebhook: POST "/webhook/{id}/test", Webhook, First, None, Unlogged(IS_AN_EVENT), webhook::test(id) -> Made(webhook::deliveries::DeliveryData),
        [404, 409], WEBHOOKS;
    /// Lists what was sent to an endpoint in the last 30 days, newest first.
    ListDeliveries: GET "/webhook/{id}/deliveries" ? List, Webhook, First, None, Reads,
        webhook::list_deliveries(id) -> Page(webhook::deliveries::DeliveryData), [404, 422], WEBHOOKS;
    /// Returns what was sent to an endpoint, with the body of the request.
    ///
    /// The headers of the request are those of Standard Webhooks. Besides the scope `webhook`, the key needs the scope with which it may read what
    /// the event tells.
    GetDelivery: GET "/webhook/{id}/deliveries/{deliveryId}", Webhook, First, None, Reads,
        webhook::get_delivery(id, deliveryId) -> Found(webhook::deliveries::DeliveryWithRequestData), [404], WEBHOOKS;
    /// Sends an event to an endpoint again, with the same id.
    RedeliverEvent: POST "/webhook/{id}/deliveries/{deliveryId}/redeliver", Webhook, First, None, Unlogged(IS_AN_EVENT),
        webhook::redeliver(id, deliveryId) -> Found(webhook::deliveries::DeliveryData), [404, 409], WEBHOOKS;

    /// Opens a session of the console for the key of the request, in a cookie.
    ///
    /// A session has all that the key has, and lasts for 12 hours at most. It ends when the key ends. Pages send the cookie with the header
    /// `X-Peyk-Console: 1`. A request with a session opens none.
    OpenConsoleSession: POST "/console/session", AnyKey, WithCall, None, Logged(Key), console::session::open() -> DoneWithCookie, [409], CONSOLE;
    /// Says who is signed in.
    GetConsoleSession: GET "/console/session", AnyKey, WithCall, None, Reads, console::session::get() -> Found(console::session::SessionData), [],
        CONSOLE;
    /// Ends the session and its cookie. `?everywhere=true`: all sessions of the same key.
    ///
    /// A request that comes with a key ends all sessions of that key.
    EndConsoleSession: DELETE "/console/session" ? console::session::EndWish, AnyKey, WithCall, None, Logged(Key),
        console::session::end() -> DoneWithCookie, [422], CONSOLE;
    /// Goes over to another account of the member who has signed in: `{"account"}`.
    ///
    /// The session ends, and one in the other account begins. It ends when the first one would have ended.
    SwitchConsoleAccount: POST "/console/session/switch", AnyKey, WithCall, Json(console::sign_in::AccountChoice), Logged(Key),
        console::sign_in::switch() -> DoneWithCookie, [404, 409], CONSOLE;
    /// Sends a code to a member's phone: `{"phone"}`. Who is no member gets the same answer, and no code.
    ///
    /// The account that the setting `SIGN_IN_ACCOUNT` names sends the code. It counts in the browser that has asked for it. A browser gets it again
    /// after 30, 60 and 120 seconds, a phone at most 5 in ten minutes and 10 a day. Nobody learns here whether a phone is a member.
    StartSignIn: POST "/console/sign-in", Public, Free, Json(console::sign_in::NewSignIn), Unlogged(IS_A_CODE),
        console::sign_in::start() -> MadeWithCookie(console::sign_in::SignInData), [409, 429], CONSOLE;
    /// Opens a session of the console for the member whose code is right, in a cookie: `{"phone", "code", "account"?}`.
    ///
    /// A code can be tried five times within three minutes, in the browser that has asked for it.
    CheckSignIn: POST "/console/sign-in/check", Public, Free, Json(console::sign_in::SignInCode), Logged(Key),
        console::sign_in::check() -> DoneWithCookie, [409, 429], CONSOLE;
    /// Opens the one session of a link, in a cookie: `{"code"}`.
    UseConsoleLink: POST "/console/sign-in/link", Public, Free, Json(console::links::LinkCode), Logged(Key), console::links::enter() -> DoneWithCookie,
        [409, 429], CONSOLE;
    /// Returns a challenge for a passkey to sign, to add it or to sign in with it.
    ///
    /// It counts for five minutes, in the browser that has asked for it, and once. An address without a domain has no passkeys (409).
    StartPasskey: POST "/console/passkeys/challenge", Public, Free, None, Unlogged(IS_A_QUESTION),
        console::passkeys::challenge() -> MadeWithCookie(console::passkeys::ChallengeData), [409], CONSOLE;
    /// Opens a session of the console for the member whose passkey has signed, in a cookie.
    ///
    /// The body has what `navigator.credentials.get()` returns, with the user verified. It needs no phone and no `SIGN_IN_ACCOUNT`.
    SignInByPasskey: POST "/console/sign-in/passkey", Public, Free, Json(console::passkeys::PasskeySignIn), Logged(Key),
        console::passkeys::enter() -> DoneWithCookie, [409, 429], CONSOLE;
    /// Lists the passkeys of the member who has signed in.
    ListPasskeys: GET "/console/passkeys", AnyKey, WithCall, None, Reads, console::passkeys::list() -> Found(console::passkeys::PasskeysData), [],
        CONSOLE;
    /// Adds a passkey of the member who has signed in: `{"title", "clientDataJSON", "authenticatorData"}`.
    ///
    /// The body has what `navigator.credentials.create()` returns for the algorithm ES256 (-7), with the user verified and the id of the user that
    /// `passkeyUser` of the session says. A member has at most 20.
    AddPasskey: POST "/console/passkeys", AnyKey, WithCall, Json(console::passkeys::NewPasskey), Logged(Passkey),
        console::passkeys::add() -> Made(console::passkeys::PasskeyData), [409], CONSOLE;
    /// Changes the `title` of a passkey.
    RenamePasskey: PATCH "/console/passkeys/{id}", AnyKey, WithCall, Json(console::passkeys::PasskeyChange), Logged(Passkey),
        console::passkeys::rename(id) -> Found(console::passkeys::PasskeyData), [404], CONSOLE;
    /// Removes a passkey.
    ///
    /// Sessions that it has opened go on until they end.
    RemovePasskey: DELETE "/console/passkeys/{id}", AnyKey, WithCall, None, Logged(Passkey), console::passkeys::remove(id) -> Done, [404], CONSOLE;
    /// Makes a link that opens one session of the console for the key of the request: `{"ttlSeconds"?}`.
    ///
    /// Give it to a person who shall see the account and needs no key. A request with a session makes none.
    MakeConsoleLink: POST "/console/link", AnyKey, WithCall, Json(shared::links::NewLink), Logged(Key),
        console::links::make() -> Made(shared::links::LinkData), [409], CONSOLE;

    /// Admits a person who signs in to the console, and sends an invitation: `{"phone", "name", "role", "invite"?}`.
    ///
    /// A member may do no more than the key or the member of the request. Without `invite` of `false` the person gets an invitation by SMS, which the
    /// account pays. What refuses that text refuses the member.
    AddMember: POST "/members", Live(Keys), WithCall, Json(shared::members::NewAccountMember), Logged(Member),
        members::add() -> Made(shared::members::MemberData), [409, 1003, 2001, 2002, 3011, 3012, 3016, 3017, 3018], MEMBERS;
    /// Lists the members of the account, newest first.
    ListMembers: GET "/members" ? List, Live(Keys), WithCall, None, Reads, members::list() -> Page(shared::members::MemberData), [422], MEMBERS;
    /// Changes the `name` or the `role` of a member, but nobody their own role. With the role, all sessions of the person end.
    ChangeMember: PATCH "/members/{id}", Live(Keys), WithCall, Json(members::AccountMemberChange), Logged(Member),
        members::change(id) -> Found(shared::members::MemberData), [404, 409], MEMBERS;
    /// Makes a link that signs a member in, once: `{"ttlSeconds"?}`.
    ///
    /// The person adds a passkey then, where only passkeys sign in. Who makes it reaches all that the member may do.
    MakeMemberLink: POST "/members/{id}/link", Live(Keys), WithCall, Json(shared::links::NewLink), Logged(Key),
        members::link(id) -> Made(shared::links::LinkData), [404, 409], MEMBERS;
    /// Sends a member who has not joined yet the invitation again.
    ///
    /// The text goes from the account's default line and costs what a text of a pattern costs. It has a link that opens a session, once, within three
    /// days. Who opens it has the phone, and joins. Members of an account that requires passkeys get none: make a link for them. An account sends 50
    /// in 24 hours, each key or member 25 of them, and 3 go to one phone.
    InviteMember: POST "/members/{id}/invitation", Live(Keys), WithCall, None, Logged(Member),
        members::invite(id) -> Made(shared::members::MemberData), [404, 409, 1003, 2001, 2002, 3011, 3012, 3016, 3017, 3018], MEMBERS;
    /// Returns what members need to sign in.
    GetSignInRule: GET "/members/sign-in", Keys, WithCall, None, Reads, members::rule() -> Found(members::SignInRuleData), [], MEMBERS;
    /// Sets what members need to sign in: `{"require"}`.
    ///
    /// With `PASSKEY`, the sessions end that a code has opened, but for that of the request. A member without a passkey can't ask for it (409).
    SetSignInRule: PUT "/members/sign-in", Live(Keys), WithCall, Json(members::NewSignInRule), Logged(Account),
        members::set_rule() -> Found(members::SignInRuleData), [409], MEMBERS;
    /// Lets a member go. All sessions of the person end. `?cascade=true`: with all that comes from the person.
    RemoveMember: DELETE "/members/{id}" ? shared::cascade::CascadeWish, Live(Keys), WithCall, None, Logged(Member),
        members::remove(id) -> DoneOr(shared::cascade::CascadeData), [404, 409, 422], MEMBERS;

    /// Creates an account: `{"username", "fullName", "plan"?}`.
    AdminCreateAccount: POST "/admin/accounts", AdminAccounts, First, Json(operator::accounts::NewAccount), Logged(Account),
        operator::accounts::create() -> Made(operator::accounts::AccountData), [409], OF_ACCOUNTS;
    /// Lists the accounts. Balances and statuses are from the mirror, which may be a few seconds old. Filter: `q`.
    AdminListAccounts: GET "/admin/accounts" ? List<operator::accounts::AccountsWish>, AdminRead, FirstOfReserve, None, Reads,
        operator::accounts::list() -> Page(operator::accounts::AccountSummaryData), [422], OF_ACCOUNTS;
    /// Returns an account with its true balance and status.
    AdminGetAccount: GET "/admin/accounts/{id}", AdminRead, FirstOfReserve, None, Reads,
        operator::accounts::get(id) -> Found(operator::accounts::AccountData), [404], OF_ACCOUNTS;
    /// Changes `status`, `sendingEnabled`, `hold`, `rateLimit`, `testRateLimit`, `recipientLimit`, `dailySpend`, `plan`, `defaultLine`, `destinations` or `fullName` of an account.
    AdminChangeAccount: PATCH "/admin/accounts/{id}", AdminAccounts, FirstOfReserve, Json(operator::accounts::AccountChange), Logged(Account),
        operator::accounts::change(id) -> Found(operator::accounts::AccountData), [404, 409], OF_ACCOUNTS;
    /// Closes an account for good. Closing it again changes nothing.
    ///
    /// It must have no money, and nothing of it may be under way: else the answer is 409, which says what is left and what to do. From the answer on
    /// none of its keys, sessions and invitations works. Its lines, webhooks, patterns, phonebooks, members and messages go within minutes. Its ledger,
    /// its usage and its name stay, and every other change of it is refused with 409.
    AdminCloseAccount: DELETE "/admin/accounts/{id}", AdminAccounts, FirstOfReserve, None, Logged(Account), operator::closing::close(id) -> Done,
        [404, 409], OF_ACCOUNTS;
    /// Says how many recipients of an account have not left yet: what a hold keeps back, and what a cancel takes back.
    AdminGetUnsent: GET "/admin/accounts/{id}/unsent", AdminRead, First, None, Reads, operator::holds::unsent(id) -> Found(shared::unsent::UnsentData),
        [404], OF_ACCOUNTS;
    /// Cancels everything of an account that has not left, and pays it back.
    ///
    /// Messages that come later are sent. Put the account on hold first if nothing is to leave at all.
    AdminCancelAll: POST "/admin/accounts/{id}/cancel", AdminAccounts, FirstOfReserve, None, Logged(Account),
        operator::holds::cancel_all(id) -> Found(operator::holds::CanceledAllData), [404, 409], OF_ACCOUNTS;
    /// Erases a number from all accounts: `{"number"}`.
    ///
    /// Each account gets an order with the same `id`, which it sees in its own list. The order is `DONE` when it is in all accounts. An account that
    /// is made later has no order.
    AdminStartErasure: POST "/admin/erasures", AdminAccounts, WithCall, Json(shared::erasures::NewErasure), Logged(Erasure),
        shared::erasures::start() -> Begun(shared::erasures::ErasureData), [409], OF_ACCOUNTS;
    /// Lists the orders to erase a number from all accounts.
    AdminListErasures: GET "/admin/erasures" ? List, AdminRead, WithCall, None, Reads, shared::erasures::list() -> Page(shared::erasures::ErasureData),
        [422], OF_ACCOUNTS;
    /// Returns an order to erase a number from all accounts: whether it is done, and what it has met.
    AdminGetErasure: GET "/admin/erasures/{id}", AdminRead, WithCall, None, Reads, shared::erasures::get(id) -> Found(shared::erasures::ErasureData),
        [404], OF_ACCOUNTS;
    /// Adds money to a wallet or takes money out: `{"amount", "note"?}`. Takes an `Idempotency-Key`. Above `CREDIT_APPROVAL_ABOVE` it waits for a second operator.
    AdminAddCredit: POST "/admin/accounts/{id}/credit", AdminMoney, First, Json(operator::credits::Credit), Logged(Account),
        operator::credits::add(id) -> MadeOnceOrWaits(operator::credits::CreditedData, operator::credits::PendingCreditData), [404, 409, 2001],
        OF_MONEY;
    /// Lists the credits that needed a second operator, newest first. Filter: `status`.
    AdminListCredits: GET "/admin/credits" ? List<operator::credits::CreditsWish>, AdminRead, First, None, Reads,
        operator::credits::list() -> Page(operator::credits::PendingCreditData), [422], OF_MONEY;
    /// Approves a credit that another operator has asked for. The money moves once.
    AdminApproveCredit: POST "/admin/credits/{id}/approve", AdminMoney, First, None, Logged(Credit),
        operator::credits::approve(id) -> Found(operator::credits::PendingCreditData), [404, 409, 2001], OF_MONEY;
    /// Rejects a credit that waits for a second operator.
    AdminRejectCredit: POST "/admin/credits/{id}/reject", AdminMoney, First, None, Logged(Credit),
        operator::credits::reject(id) -> Found(operator::credits::PendingCreditData), [404, 409], OF_MONEY;
    /// Takes an account's object back in time. What has not ended is in doubt then, and sends are off.
    ///
    /// Money, messages and usage go back. What has not ended gets `UNKNOWN`, and what was to leave later is canceled, so nothing leaves twice. Keys,
    /// the blacklist and settings stay, and sends are off until `PATCH /admin/accounts/{id}` switches them on.
    AdminRestoreAccount: POST "/admin/accounts/{id}/restore", AdminService, First, Json(operator::restore::NewRestore), Logged(Restore),
        operator::restore::restore(id) -> Found(operator::restore::RestoredData), [404, 409], OF_ACCOUNTS;
    /// Returns the balance below which the endpoints of an account get `wallet.low`.
    AdminGetLowBalance: GET "/admin/accounts/{id}/low-balance", AdminRead, First, None, Reads,
        shared::low_balance::get_of(id) -> Found(shared::low_balance::LowBalanceData), [404], OF_MONEY;
    /// Sets the balance below which the endpoints of an account get `wallet.low`: `{"lowBalance"}`.
    AdminSetLowBalance: PUT "/admin/accounts/{id}/low-balance", AdminAccounts, First, Json(shared::low_balance::NewLowBalance), Logged(Account),
        shared::low_balance::set_of(id) -> Found(shared::low_balance::LowBalanceData), [404, 409], OF_MONEY;
    /// Issues or imports a key: `{"title", "scopes"?, "expiresAt"?, "lines"?, "mode"?, "ips"?, "ratePerMinute"?, "dailySpend"?, "key"?}`. Shows it once.
    AdminIssueKey: POST "/admin/accounts/{id}/keys", AdminAccounts, First, Json(operator::keys::NewKey), Logged(Key),
        operator::keys::issue(id) -> Made(shared::keys::IssuedKeyData), [404, 409], OF_KEYS;
    /// Lists the keys of an account, newest first.
    AdminListKeys: GET "/admin/accounts/{id}/keys" ? List, AdminRead, FirstOfReserve, None, Reads,
        operator::keys::list(id) -> Page(shared::keys::AccountKeyData), [404, 422], OF_KEYS;
    /// Revokes a key at once. `?cascade=true`: with all that comes from it.
    AdminRevokeKey: DELETE "/admin/accounts/{id}/keys/{key}" ? shared::cascade::CascadeWish, AdminAccounts, FirstOfReserve, None, Logged(Key),
        operator::keys::revoke(id, key) -> DoneOr(shared::cascade::CascadeData), [404, 409, 422], OF_KEYS;
    /// Replaces a key. The old one works for `graceSeconds` more, a day if left out.
    AdminRotateKey: POST "/admin/accounts/{id}/keys/{key}/rotate", AdminAccounts, First, Json(shared::keys::Rotation), Logged(Key),
        operator::keys::rotate(id, key) -> Made(shared::keys::RotatedKeyData), [404, 409], OF_KEYS;
    /// Issues a key for an operator: `{"title", "scopes"?, "expiresAt"?}`. Shows it once.
    AdminIssueOperatorKey: POST "/admin/keys", AdminService, WithCall, Json(operator::operator_keys::NewOperatorKey), Logged(Key),
        operator::operator_keys::issue() -> Made(shared::keys::IssuedOperatorKeyData), [409], OF_KEYS;
    /// Lists the keys of operators, newest first.
    AdminListOperatorKeys: GET "/admin/keys" ? List, AdminRead, WithCall, None, Reads, operator::operator_keys::list() -> Page(shared::keys::KeyData),
        [422], OF_KEYS;
    /// Admits a person as an operator, who signs in to the console with a passkey: `{"phone", "name", "scopes"}`.
    AdminAddMember: POST "/admin/members", AdminService, WithCall, Json(operator::members::NewOperatorMember), Logged(Member),
        operator::members::add() -> Made(shared::members::OperatorMemberData), [409], OF_MEMBERS;
    /// Lists the people who are operators, newest first.
    AdminListMembers: GET "/admin/members" ? List, AdminRead, WithCall, None, Reads,
        operator::members::list() -> Page(shared::members::OperatorMemberData), [422], OF_MEMBERS;
    /// Changes the `name` or the `scopes` of an operator. With the scopes, all sessions of the person end.
    AdminChangeMember: PATCH "/admin/members/{id}", AdminService, WithCall, Json(operator::members::OperatorMemberChange), Logged(Member),
        operator::members::change(id) -> Found(shared::members::OperatorMemberData), [404, 409], OF_MEMBERS;
    /// Makes a link that signs an operator in, once: `{"ttlSeconds"?}`. The person adds a passkey then.
    ///
    /// Operators sign in with a passkey or a key; a code by SMS opens no session of theirs.
    AdminMakeMemberLink: POST "/admin/members/{id}/link", AdminService, WithCall, Json(shared::links::NewLink), Logged(Key),
        operator::members::link(id) -> Made(shared::links::LinkData), [404, 409], OF_MEMBERS;
    /// Lets an operator go. All sessions of the person end. `?cascade=true`: with all that comes from the person.
    AdminRemoveMember: DELETE "/admin/members/{id}" ? shared::cascade::CascadeWish, AdminService, WithCall, None, Logged(Member),
        operator::members::remove(id) -> DoneOr(shared::cascade::CascadeData), [404, 409, 422], OF_MEMBERS;
    /// Admits a person to an account, such as its first owner, and sends an invitation: `{"phone", "name", "role", "invite"?}`.
    AdminAddAccountMember: POST "/admin/accounts/{id}/members", AdminAccounts, First, Json(shared::members::NewAccountMember), Logged(Member),
        operator::members::add_to(id) -> Made(shared::members::MemberData), [404, 409, 1003, 2001, 2002, 3011, 3012, 3016, 3017, 3018], OF_MEMBERS;
    /// Lists the members of an account, newest first.
    AdminListAccountMembers: GET "/admin/accounts/{id}/members" ? List, AdminRead, FirstOfReserve, None, Reads,
        operator::members::list_of(id) -> Page(shared::members::MemberData), [404, 422], OF_MEMBERS;
    /// Sends a member of an account who has not joined yet the invitation again.
    ///
    /// The account pays it, as it pays what its own members send.
    AdminInviteAccountMember: POST "/admin/accounts/{id}/members/{member}/invitation", AdminAccounts, First, None, Logged(Member),
        operator::members::invite(id, member) -> Made(shared::members::MemberData), [404, 409, 1003, 2001, 2002, 3011, 3012, 3016, 3017, 3018],
        OF_MEMBERS;
    /// Lets a member of an account go. All sessions of the person end. `?cascade=true`: with all that comes from the person.
    AdminRemoveAccountMember: DELETE "/admin/accounts/{id}/members/{member}" ? shared::cascade::CascadeWish, AdminAccounts, FirstOfReserve, None,
        Logged(Member), operator::members::remove_from(id, member) -> DoneOr(shared::cascade::CascadeData), [404, 409, 422], OF_MEMBERS;
    /// Makes a link to the console that shows an account as a viewer sees it, for an hour. The account sees the session among its keys.
    ///
    /// The link can be used for ten minutes. The session may read messages and the money, and changes nothing. Both end with the key of the request.
    AdminLookAtAccount: POST "/admin/accounts/{id}/console-link", Both(AdminAccounts + AdminRead), First, None, Logged(Key),
        console::links::look_at(id) -> Made(shared::links::LinkData), [404, 409], OF_MEMBERS;
    /// Says whose a key is: `{"key"}`. It changes nothing.
    ///
    /// A key of an account that is revoked is found for a minute at most.
    AdminFindKey: POST "/admin/keys/find", AdminRead, FirstOfReserve, Json(operator::find_key::KeyToFind), Shows(Key),
        operator::find_key::find() -> Found(operator::find_key::FoundKeyData), [404], OF_KEYS;
    /// Revokes another operator key than the one that is used, at once. `?cascade=true`: with all that comes from it.
    ///
    /// Links and sessions by which the operator looks at accounts end with the key. A cascade that would end the key of the request, or the last one
    /// that may do everything, is a 409 and changes nothing.
    AdminRevokeOperatorKey: DELETE "/admin/keys/{key}" ? shared::cascade::CascadeWish, AdminService, WithCall, None, Logged(Key),
        operator::operator_keys::revoke(key) -> DoneOr(shared::cascade::CascadeData), [404, 409, 422], OF_KEYS;
    /// Replaces an operator key. The old one works for `graceSeconds` more, a day if left out.
    AdminRotateOperatorKey: POST "/admin/keys/{key}/rotate", AdminService, WithCall, Json(shared::keys::Rotation), Logged(Key),
        operator::operator_keys::rotate(key) -> Made(shared::keys::RotatedOperatorKeyData), [404, 409], OF_KEYS;
    /// Lists what the sandbox carrier was handed for an account.
    AdminListSandbox: GET "/admin/accounts/{id}/sandbox" ? List, AdminRead, First, None, Shows(Message),
        operator::accounts::sandbox(id) -> Page(operator::accounts::SandboxItemData), [404, 422], OF_MESSAGES;
    /// Lists the messages of an account, newest first, of its live and its test keys. Filters: `status`, `type`, `from`, `to`, `recipient`, `clientRef`.
    ///
    /// A page looks at 10,000 messages at most. So with filters it may have fewer than `limit`, or none, before the list ends: read on while
    /// `nextCursor` is not `null`.
    AdminListMessages: GET "/admin/accounts/{id}/messages" ? List<messages::MessagesWish>, AdminRead, First, None, Shows(Message),
        operator::messages::list(id) -> Page(shared::view::MessageData), [404, 422], OF_MESSAGES;
    /// Returns a message of an account with its counts by status and its first 100 recipients.
    AdminGetMessage: GET "/admin/accounts/{id}/messages/{uid}", AdminRead, First, None, Shows(Message),
        operator::messages::get(id, uid) -> Found(shared::view::MessageDetail), [404], OF_MESSAGES;
    /// Lists the ledger of an account, newest first. Filters: `type`, `from`, `to`, `message`. As `text/csv` with `format=csv`.
    ///
    /// A page looks at 10,000 entries at most. So with `type` or `message` it may have fewer than `limit`, or none, before the list ends: read on
    /// while `nextCursor` is not `null`. A CSV file has all entries of the filters, up to 200,000 to look at; beyond, narrow `from` and `to`. It
    /// takes neither `limit` nor `cursor`.
    AdminListTransactions: GET "/admin/accounts/{id}/transactions" ? List<(transactions::EntriesWish, shared::export::ListForm)>, AdminRead, First, None, Reads,
        operator::support::transactions(id) -> PageOrCsv(transactions::TransactionData), [404, 422], OF_MONEY;
    /// Lists the webhooks of an account, newest first.
    AdminListWebhooks: GET "/admin/accounts/{id}/webhooks" ? List<operator::support::ModeWish>, AdminRead, First, None, Reads,
        operator::support::webhooks(id) -> Page(webhook::EndpointData), [404, 422], OF_ACCOUNTS;
    /// Lists what was sent to a webhook of an account, newest first, with what became of it.
    AdminListDeliveries: GET "/admin/accounts/{id}/webhooks/{webhook}/deliveries" ? List<operator::support::ModeWish>, AdminRead, First, None, Reads,
        operator::support::deliveries(id, webhook) -> Page(webhook::deliveries::DeliveryData), [404, 422], OF_ACCOUNTS;
    /// Lists the recipients of a message, each with its carrier and the carrier's own code of an error. Filters: `status`, `recipient`, `error`.
    AdminListRecipients: GET "/admin/accounts/{id}/messages/{uid}/recipients" ? List<messages::RecipientsWish>, AdminRead, First, None, Shows(Message),
        operator::messages::recipients(id, uid) -> Page(shared::view::OperatorsRecipient), [404, 422], OF_MESSAGES;
    /// Lists the versions of patterns that wait for approval.
    AdminListPendingPatterns: GET "/admin/patterns" ? List, AdminRead, First, None, Shows(Pattern),
        pattern::versions::pending() -> Page(pattern::data::PendingData), [422], OF_MESSAGES;
    /// Approves a version of a pattern and activates it.
    AdminApprovePattern: POST "/admin/accounts/{id}/patterns/{slug}/versions/{n}/activate", AdminAccounts, First, None, Logged(Pattern),
        pattern::versions::approve(id, slug, n) -> Found(pattern::data::PatternData), [404, 409], OF_MESSAGES;
    /// Refuses a version of a pattern, also an active one: nothing is sent with it.
    AdminRefusePattern: POST "/admin/accounts/{id}/patterns/{slug}/versions/{n}/refuse", AdminAccounts, First, Json(pattern::versions::PatternRefusal), Logged(Pattern),
        pattern::versions::refuse(id, slug, n) -> Found(pattern::data::PatternData), [404], OF_MESSAGES;
    /// Creates a carrier: `{"name", "kind", "active"?, "paused"?, "http"? or "smpp"?}`.
    AdminCreateCarrier: POST "/admin/carriers", AdminCarriers, First, Json(operator::carrier_schemas::CarrierToCreate), Logged(Carrier),
        operator::carriers::create() -> Made(operator::carrier_schemas::CarrierData), [409], OF_CARRIERS;
    /// Lists the carriers, each with its health. Filter: `q`.
    AdminListCarriers: GET "/admin/carriers" ? List<operator::carriers::CarriersWish>, AdminRead, First, None, Reads,
        operator::carriers::list() -> Page(operator::carrier_schemas::CarrierData), [422], OF_CARRIERS;
    /// Returns a carrier with its health.
    AdminGetCarrier: GET "/admin/carriers/{name}", AdminRead, First, None, Reads,
        operator::carriers::get(name) -> Found(operator::carrier_schemas::CarrierData), [404], OF_CARRIERS;
    /// Changes `active`, `paused` or settings of a carrier, at once.
    AdminChangeCarrier: PATCH "/admin/carriers/{name}", AdminCarriers, First, Json(operator::carrier_schemas::CarrierChange), Logged(Carrier),
        operator::carriers::change(name) -> Found(operator::carrier_schemas::CarrierData), [404, 409], OF_CARRIERS;
    /// Makes new addresses for a carrier's gateway. The old ones work for a day more.
    AdminRotateCallback: POST "/admin/carriers/{name}/rotate-callback", AdminCarriers, First, None, Logged(Carrier),
        operator::carriers::rotate_callback(name) -> Made(operator::carrier_schemas::CarrierData), [404, 409], OF_CARRIERS;
    /// Deletes a carrier that no line uses. `?force=true`: also while reports of what it took are missing.
    AdminDeleteCarrier: DELETE "/admin/carriers/{name}" ? operator::carriers::DeletionWish, AdminCarriers, First, None, Logged(Carrier),
        operator::carriers::delete(name) -> Done, [404, 409, 422], OF_CARRIERS;
    /// Creates a line: `{"number", "carrier", "operations", "accounts"? or "shared"?, "coefficients"?, "cheapest"?, "suffix"?, "active"?}`.
    AdminCreateLine: POST "/admin/lines", AdminCarriers, First, Json(operator::lines::NewLine), Logged(Line),
        operator::lines::create() -> Made(operator::lines::LineData), [409], OF_LINES;
    /// Lists all lines. Filter: `q`.
    AdminListLines: GET "/admin/lines" ? List<operator::lines::LinesWish>, AdminRead, First, None, Reads,
        operator::lines::list() -> Page(operator::lines::LineData), [422], OF_LINES;
    /// Returns a line.
    AdminGetLine: GET "/admin/lines/{number}", AdminRead, First, None, Reads, operator::lines::get(number) -> Found(operator::lines::LineData), [404],
        OF_LINES;
    /// Changes a line.
    AdminChangeLine: PATCH "/admin/lines/{number}", AdminCarriers, First, Json(operator::lines::AnyLineChange), Logged(Line),
        operator::lines::change(number) -> Found(operator::lines::LineData), [404], OF_LINES;
    /// Deletes a line that is no account's default line.
    AdminDeleteLine: DELETE "/admin/lines/{number}", AdminCarriers, First, None, Logged(Line), operator::lines::delete(number) -> Done, [404, 409],
        OF_LINES;
    /// Says which accounts get what phones send to a line.
    AdminGetLineInbound: GET "/admin/lines/{number}/inbound", AdminRead, First, None, Reads,
        operator::line_inbound::get(number) -> Found(operator::line_inbound::LineInboundData), [404], OF_LINES;
    /// Sets which accounts get what phones send to a line: `{"account"?, "keywords"?: [{"keyword", "account"}]}`.
    AdminSetLineInbound: PUT "/admin/lines/{number}/inbound", AdminCarriers, First, Json(operator::line_inbound::NewLineInbound), Logged(LineInbound),
        operator::line_inbound::set(number) -> Found(operator::line_inbound::LineInboundData), [404], OF_LINES;
    /// Counts the messages from phones that belong to no account, by day.
    AdminListUnclaimed: GET "/admin/inbound/unclaimed" ? List, AdminRead, First, None, Reads,
        operator::line_inbound::list_unclaimed() -> Page(operator::line_inbound::UnclaimedData), [422], OF_MESSAGES;
    /// Creates a plan: `{"slug", "title", "tariff": {"slug", "title", "price", "prices"?}, "refunds"?}`.
    AdminCreatePlan: POST "/admin/plans", AdminAccounts, First, Json(operator::plans::NewPlan), Logged(Plan),
        operator::plans::create() -> Made(operator::plans::PlanData), [409], OF_PLANS;
    /// Lists the plans. Filter: `q`.
    AdminListPlans: GET "/admin/plans" ? List<operator::plans::PlansWish>, AdminRead, First, None, Reads,
        operator::plans::list() -> Page(operator::plans::PlanData), [422], OF_PLANS;
    /// Changes a plan.
    AdminChangePlan: PATCH "/admin/plans/{slug}", AdminAccounts, First, Json(operator::plans::PlanChange), Logged(Plan),
        operator::plans::change(slug) -> Found(operator::plans::PlanData), [404], OF_PLANS;
    /// Says whether accounts may send, who has switched it, when and why.
    AdminGetSending: GET "/admin/sending", AdminRead, First, None, Reads, operator::sending::get() -> Found(operator::sending::SendingData), [],
        OF_SERVICE;
    /// Switches sending on or off for all accounts: `{"enabled"}`, and `reason` if there is one.
    AdminSwitchSending: PUT "/admin/sending", AdminService, FirstOfReserve, Json(operator::sending::NewSending), Logged(Sending),
        operator::sending::switch() -> Found(operator::sending::SendingData), [], OF_SERVICE;
    /// Adds up what was sent, `by` `day`, `account`, `line` or `carrier`. Filters: `from`, `to`, `account`, `line`, `carrier`, `mode`.
    ///
    /// A message counts on the day (UTC) on which it was accepted. By carrier, recipients, parts and cost are what the carrier took, and under no
    /// carrier what none has taken, so that they add up to what was accepted. Messages count under no carrier, and an ending under the carrier that
    /// had the recipient. The sums are some minutes old.
    AdminGetUsage: GET "/admin/usage" ? List<operator::usage::UsageWish>, AdminRead, First, None, Reads,
        operator::usage::list() -> Page(operator::usage::UsageSumData), [422], OF_SERVICE;
    /// Asks KV, D1, an object and each carrier how they are, and says how long each took.
    ///
    /// `worries` says what an operator should look at. With `probe=strict` the answer is a 503 if the service is `DOWN` or a worry is
    /// urgent: for monitors that read the status alone.
    AdminGetHealth: GET "/admin/health" ? operator::health::HealthWish, AdminRead, First, None, Reads,
        operator::health::get() -> Found(operator::health::ServiceHealthData), [422], OF_SERVICE;
    /// Returns how the service is and what it has done, in the text format of Prometheus.
    ///
    /// What does not answer in time is left out.
    GetMetrics: GET "/metrics", AdminMetrics, First, None, Reads, operator::metrics::get() -> Metrics, [], OF_SERVICE;
    /// Says whether the service moves to another one, and what there is to move.
    AdminGetTransfer: GET "/admin/transfer" ? operator::transfer::TransferWish, AdminTransfer, First, None, Reads, operator::transfer::get() -> Found(operator::transfer::TransferData), [422],
        OF_SERVICE;
    /// Begins or ends the move of the service to another one, or from another one: `{"direction"}`.
    ///
    /// `npm run export` and `npm run import` do the whole move. A service takes data only while it has no accounts, lines, plans and
    /// carriers but its first ones.
    AdminSetTransfer: PUT "/admin/transfer", AdminTransfer, First, Json(operator::transfer::NewTransfer), Logged(Transfer),
        operator::transfer::set() -> Found(operator::transfer::TransferData), [409], OF_SERVICE;
    /// Freezes objects, or lets them go on: `{"store", "objects", "state"}`.
    ///
    /// A frozen object answers nothing and sends nothing, until it is thawed: its clients get a 503. While the service takes data, only
    /// an object that nobody has used can be frozen.
    AdminChangeObjects: POST "/admin/transfer/objects", AdminTransfer, First, Json(operator::transfer::objects::ObjectsChange), Logged(Frozen),
        operator::transfer::objects::change() -> Found(operator::transfer::objects::ObjectsData), [409], OF_SERVICE;
    /// Reads a page of the rows of a store, in the order of their keys: `{"store"}`, and `object` of those that have objects.
    ///
    /// An object has to be frozen, but for that of the operators. A page has 160 KB of rows, or one row that is larger.
    AdminReadRows: POST "/admin/transfer/rows", AdminTransfer, First, Json(operator::transfer::rows::RowsWish), Unlogged(IS_A_STEP),
        operator::transfer::rows::read() -> Found(operator::transfer::rows::PageData), [409], OF_SERVICE;
    /// Inserts rows into a store of a service that takes data: all of them, or none.
    ///
    /// Rows that are there already stay as they are. An object has to be frozen. What a table does not take is a 409. The body may have 8 MiB.
    AdminInsertRows: POST "/admin/transfer/insert", AdminTransfer, First, LargeJson(operator::transfer::rows::RowsToInsert), Unlogged(IS_A_STEP),
        operator::transfer::rows::insert() -> Found(operator::transfer::rows::InsertedData), [409], OF_SERVICE;
    /// Checks accounts: money against reserves and ledger, the mirror, chunks that are stuck. Filter: `account`.
    AdminReconcile: GET "/admin/reconciliation" ? List<operator::reconciliation::ReconciliationWish>, AdminRead, First, None, Reads,
        operator::reconciliation::list() -> Page(operator::reconciliation::ReconciliationData), [422], OF_SERVICE;
    /// Lists who changed what, newest first. Filters: `account`, `key`, `operation`, `thing`, `thingId`, `from`, `to`.
    ///
    /// A change of an account's own data stands here a second or two after it was made. What changes nothing has no entry, such as a request that is
    /// refused or repeated.
    AdminListAudit: GET "/admin/audit" ? List<operator::audit::AuditWish>, AdminRead, First, None, Reads,
        operator::audit::list() -> Page(operator::audit::AuditEntryData), [422], OF_SERVICE;
    /// Reads the audit log in the order in which its entries came, for programs that follow it.
    ///
    /// Without a `cursor` it begins with the oldest entry. `nextCursor` is always there: keep it, and ask again with it, a minute later if `data` is
    /// empty. No entry is left out. One that has parts of two stores may come twice, with the same `id` and more in it.
    AdminReadAuditFeed: GET "/admin/audit/feed" ? List, AdminRead, First, None, Reads,
        operator::audit::feed() -> Page(operator::audit::AuditEntryData), [422], OF_SERVICE;
    /// Lists the chunks of messages that were given up, and those that wait for a carrier for an hour, newest first. Filters: `account`, `kind`.
    AdminListDeadLetters: GET "/admin/dead-letters" ? List<operator::dead_letters::DeadLettersWish>, AdminRead, First, None, Reads,
        operator::dead_letters::list() -> Page(operator::dead_letters::DeadLetterData), [422], OF_MESSAGES;
    /// Tries a chunk again that waits for a carrier, or that carriers have refused each time.
    AdminRetryDeadLetter: POST "/admin/dead-letters/{id}/retry", AdminCarriers, First, None, Logged(DeadLetter),
        operator::dead_letters::retry(id) -> Found(operator::dead_letters::DeadLetterData), [404, 409], OF_MESSAGES;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::kind;

    #[test]
    fn no_two_routes_have_the_same_method_and_path() {
        for (position, route) in ROUTES.iter().enumerate() {
            for other in &ROUTES[position + 1..] {
                assert!(
                    (route.method, route.path) != (other.method, other.path),
                    "{} {}",
                    route.method,
                    route.path
                );
            }
        }
    }

    #[test]
    fn handlers_get_exactly_the_parameters_of_their_paths() {
        for route in ROUTES {
            let segments = route.path.split('/');
            let in_path: Vec<&str> = segments
                .filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'))
                .collect();
            assert_eq!(route.params, in_path, "{} {}", route.method, route.path);
        }
    }

    #[test]
    fn every_admin_path_needs_a_part_of_the_admin_scope_and_no_other_path_does() {
        for route in ROUTES {
            assert_eq!(
                route.path.starts_with("/admin/") || route.path == "/metrics",
                route.access.is_for_operators(),
                "{}",
                route.path
            );
            assert_ne!(
                route.access,
                Access::Scope(Scope::Admin),
                "{}: a part of it is enough",
                route.path
            );
        }
    }

    #[test]
    fn operators_who_read_need_the_scope_to_read_and_those_who_change_need_another() {
        // Who moves the service reads and changes everything.
        let moves = |route: &&Route| route.access == Access::Scope(Scope::AdminTransfer);
        for route in ROUTES
            .iter()
            .filter(|route| route.access.is_for_operators() && !moves(route))
        {
            let reads = [Scope::AdminRead, Scope::AdminMetrics]
                .map(Access::Scope)
                .contains(&route.access);
            let asks = route.method == "GET" || route.operation == Operation::AdminFindKey;
            assert_eq!(reads, asks, "{} {}", route.method, route.path);
        }
    }

    #[test]
    fn only_public_routes_are_free() {
        for route in ROUTES {
            let is_free = route.payment == Payment::Free;
            assert_eq!(route.access == Access::Public, is_free, "{}", route.path);
        }
    }

    #[test]
    fn each_route_that_does_not_read_says_what_the_log_has_of_it() {
        for route in ROUTES {
            let may_only_read = route.method == "GET" && route.access != Access::Public
                || ["/", "/health", "/.well-known/jwks.json", "/admin/keys/find"].contains(&route.path);
            assert_eq!(
                matches!(route.audit, Audit::Reads | Audit::Shows(_)),
                may_only_read,
                "{} {}",
                route.method,
                route.path
            );
        }
    }

    #[test]
    fn only_operators_are_noted_for_what_they_are_shown() {
        for route in ROUTES.iter().filter(|route| matches!(route.audit, Audit::Shows(_))) {
            assert!(route.access.is_for_operators(), "{}", route.path);
        }
    }

    #[test]
    fn the_errors_of_routes_are_errors_of_the_table() {
        for route in ROUTES {
            for code in route.operation.told().errors {
                assert!(
                    kind::ALL.iter().any(|kind| kind.code == *code),
                    "{}: {code}",
                    route.path
                );
            }
        }
    }
}
