//! The table of all routes, one row each. Everything about a route is in its row: adding a route takes a row and a handler.
//!
//! The macro makes two things from the rows: [`ROUTES`], which is plain data for documents and tests, and
//! [`call_handler`]. A row reads:
//!
//! ```text
//! Operation: METHOD "/path/{name}", scope, payment, body, audit, handler(name), [codes of its own errors], "Summary.";
//! ```
//!
//! - The scope is one of [`Scope`], or `Public`, or `AnyKey`. It stands in `Live(…)` if test keys may not call the route. A route that
//!   needs two has `Live(One + Other)` or `Both(One + Other)`.
//! - The payment is one of [`Payment`], the body one of [`BodyKind`].
//! - The audit says what the audit log has of it, as [`Audit`]: `Reads`, `Shows` or `Logged` with a kind of [`Thing`], or `Unlogged`
//!   with a reason. A row without one does not compile, and `tests/it/operator/audit.rs` holds each row to it.
//! - The handler gets the decoded path parameters that the row names, and then the body, if the route has one.
//! - The errors are those that not all routes have. Every path can answer 403, 404, 405, 500 and 503; with a key also 401
//!   and 429; with a body also 400, 413, 415 and 422.
//!
//! docs/endpoints.md has the same table: `ROUTES=write cargo test --test it what_the_code_makes` writes it.

use std::ops::Deref;
use std::pin::Pin;

use serde_json::Value;

use super::customer::{
    account, blacklist, find, held, inbound, members, messages, outcomes, own_keys, pattern, phonebook, send,
    transactions, usage, verify, webhook,
};
use super::http::body::{self, OptionalJson};
use super::http::query::{Asked, Paged, Query};
use super::http::{Body, context::Context};
use super::problem::Problem;
use super::shared::{cascade::CascadeWish, erasures, export::Answer, low_balance};
use super::{console, gateway, operator, public};
use crate::auth::Scope;
use crate::base::ports::Platform;
use crate::durable::audit::Thing;

pub use super::http::route::{Access, Audit, BodyKind, Payment, RouteInfo};

const IS_A_SEND: &str = "The message is the record of itself, and a line of the ledger beside it.";
const IS_A_QUESTION: &str = "It asks only, with a body.";
const IS_A_CODE: &str = "A verification is the record of itself, and there are as many as people who sign in.";
const IS_CONTENT: &str = "The numbers of a phonebook are data about people, which must go when their owner deletes them. The \
    log keeps what it has.";
const IS_AN_EVENT: &str = "It sends an event and changes no setting. The log of deliveries has it.";
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

macro_rules! parameters {
    () => {
        Vec::new()
    };
    ($query:ty) => {
        <$query as Asked>::parameters()
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
        $operation:ident: $method:ident $path:literal $(? $query:ty)?, $access:ident $(($scope:ident $(+ $also:ident)?))?, $payment:ident, $body:ident,
        $audit:ident $(($logged:ident))?, $($handler:ident)::+($($param:ident),*), [$($error:literal),*], $summary:literal;
    )*) => {
        /// The name of a route.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Operation {
            $(#[doc = $summary] $operation,)*
        }

        impl Operation {
            /// The name as a text.
            pub fn name(self) -> &'static str {
                match self {
                    $(Operation::$operation => stringify!($operation),)*
                }
            }

            /// What the route does, in one line. Only the documentation needs it. It is no field of the row, because the
            /// served WebAssembly would carry it then.
            pub fn summary(self) -> &'static str {
                match self {
                    $(Operation::$operation => $summary,)*
                }
            }

            /// The parameters of the query. Only the documentation needs them.
            pub fn query(self) -> Vec<Value> {
                match self {
                    $(Operation::$operation => parameters!($($query)?),)*
                }
            }

            /// The codes of the errors that not all routes have. Only the documentation needs them.
            pub fn errors(self) -> &'static [u16] {
                match self {
                    $(Operation::$operation => &[$($error),*],)*
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
    GetHome: GET "/", Public, Free, None, Reads, public::home(), [404],
        "Sends a browser to the documentation. For a program there is nothing here.";
    GetHealth: GET "/health", Public, Free, None, Reads, public::health(), [],
        "Says that the service is up, and its version.";
    GetProofKeys: GET "/.well-known/jwks.json", Public, Free, None, Reads, public::proof_keys(), [],
        "Returns the keys that check proofs, as a JWK Set (RFC 7517).";

    GetDeliveryReport: GET "/carrier/{name}/dlr", Public, Free, None, Unlogged(IS_A_REPORT),
        gateway::dlr::get(name), [413],
        "Takes a delivery report of a carrier's gateway. The address has a token for the recipient.";
    PostDeliveryReport: POST "/carrier/{name}/dlr", Public, Free, Form, Unlogged(IS_A_REPORT),
        gateway::dlr::post(name), [],
        "Takes a delivery report, as a form.";
    GetInboundMessage: GET "/carrier/{name}/inbound", Public, Free, None, Unlogged(IS_A_REPORT),
        gateway::inbound::get(name), [413, 422],
        "Takes a message that a phone has sent. The address has the key of the carrier.";
    PostInboundMessage: POST "/carrier/{name}/inbound", Public, Free, Form, Unlogged(IS_A_REPORT),
        gateway::inbound::post(name), [],
        "Takes a message that a phone has sent, as a form.";

    SendSms: POST "/sms/send", SmsSend, WithCall, Json, Unlogged(IS_A_SEND),
        send::send_text(), [3012, 3017, 1003, 3011, 3016, 3018, 2002, 2001],
        "Sends one text to up to 1,000 numbers.";
    SendPattern: POST "/sms/pattern", SmsSend, WithCall, Json, Unlogged(IS_A_SEND), send::send_pattern(),
        [3002, 3012, 3013, 3014, 3015, 3017, 1003, 3011, 3016, 3018, 2002, 2001],
        "Sends a pattern, filled in once, to one number or up to 1,000.";
    SendToPhonebook: POST "/sms/phonebook/send", SmsSend, WithCall, Json, Unlogged(IS_A_SEND),
        send::send_to_phonebook(),
        [404, 3012, 3017, 1003, 3011, 3016, 3018, 2002, 2001],
        "Sends one text, filled in for each number, to phonebooks.";
    SendBulk: POST "/sms/bulk", SmsSend, WithCall, Json, Unlogged(IS_A_SEND), send::send_bulk(),
        [3002, 3012, 3013, 3014, 3015, 3017, 1003, 3011, 3016, 3018, 2002, 2001],
        "Sends up to 1,000 texts, each to its own number.";
    EstimateSend: POST "/sms/estimate", SmsSend, WithCall, Json, Unlogged(IS_A_QUESTION), send::estimate(),
        [404, 3002, 3012, 3013, 3014, 3015, 3017],
        "Says what a send would cost. `faults` lists the refusals that depend on the account (1003, 3011, 3016, 3018, 2002, 2001).";

    StartVerification: POST "/verify", Verify, WithCall, Json, Unlogged(IS_A_SEND), verify::start(),
        [1003, 2001, 2002, 3002, 3011, 3012, 3013, 3014, 3015, 3016, 3017, 3018],
        "Makes a code and sends it to a number, or sends the pending code again.";
    CheckVerification: POST "/verify/check", Verify, WithCall, Json, Unlogged(IS_A_CODE), verify::check(), [3019],
        "Checks a code that a person has typed.";
    GetVerifyStats: GET "/verify/stats" ? verify::StatsWish, Verify, WithCall, None, Reads, verify::stats(), [422],
        "Tells how verifications have ended, by day, first digits of numbers, line or carrier.";
    GetVerification: GET "/verify/{id}", Verify, WithCall, None, Reads, verify::get(id), [404],
        "Returns a verification.";
    CancelVerification: DELETE "/verify/{id}", Verify, WithCall, None, Unlogged(IS_A_CODE), verify::cancel(id), [404, 3019],
        "Takes a verification back. What has not left of its messages is canceled.";

    ListMessages: GET "/messages" ? Paged<messages::MessagesWish>, SmsRead, WithCall, None, Reads, messages::list(), [422],
        "Lists messages, newest first. Filters: `status`, `type`, `from`, `to`, `recipient`, `clientRef`.";
    GetMessage: GET "/messages/{uid}", SmsRead, WithCall, None, Reads, messages::get(uid), [404],
        "Returns a message with its counts by status and its first 100 recipients.";
    CancelMessage: DELETE "/messages/{uid}", SmsSend, WithCall, None, Logged(Message),
        messages::cancel(uid), [404, 409],
        "Cancels a scheduled message and releases its money.";
    FindRecipients: POST "/messages/recipients", SmsRead, WithCall, Json, Unlogged(IS_A_QUESTION), find::recipients(), [],
        "Returns up to 500 recipients of any messages, by their uids or by your references: `{\"recipients\"}` or `{\"clientRefs\"}`.";
    ListRecipients: GET "/messages/{uid}/recipients" ? Paged<messages::RecipientsWish>, SmsRead, WithCall, None, Reads,
        messages::recipients(uid), [404, 422],
        "Lists the recipients of a message. Filter: `status`.";

    ListInbound: GET "/inbound" ? Paged<inbound::InboundWish>, Live(SmsRead), WithCall, None, Reads, inbound::list(), [422],
        "Lists what phones have sent to the account, newest first. Filters: `line`, `from`, `since`, `until`, `taken`.";
    TakeInbound: POST "/inbound/take", Live(SmsSend + SmsRead), WithCall, Json, Logged(Inbound), inbound::take(), [],
        "Returns the oldest messages from phones that were not taken before, and marks them as taken: `{\"line\"?, \"limit\"?}`.";

    CreatePhonebook: POST "/phonebook", Live(Phonebook), First, Json, Logged(Phonebook), phonebook::create(), [409],
        "Creates a phonebook: `{\"title\", \"description\"?}`.";
    ListPhonebooks: GET "/phonebook" ? Paged, Phonebook, First, None, Reads, phonebook::list(), [422],
        "Lists the phonebooks.";
    GetPhonebook: GET "/phonebook/{id}", Phonebook, First, None, Reads, phonebook::get(id), [404],
        "Returns a phonebook.";
    ChangePhonebook: PUT "/phonebook/{id}", Live(Phonebook), First, Json, Logged(Phonebook),
        phonebook::change(id), [404, 409],
        "Changes the title or the description of a phonebook.";
    DeletePhonebook: DELETE "/phonebook/{id}", Live(Phonebook), WithCall, None, Logged(Phonebook),
        phonebook::delete(id), [404, 409],
        "Deletes a phonebook with its numbers.";
    ImportNumbers: POST "/phonebook/{id}/import" ? phonebook::import::ImportWish, Live(Phonebook), First, Csv, Unlogged(IS_CONTENT),
        phonebook::import::import(id), [404, 409],
        "Adds the numbers of a file (`text/csv`) to a phonebook, or updates them. `number` in the query names their column.";
    ExportNumbers: GET "/phonebook/{id}/export", Live(Phonebook), First, None, Reads, phonebook::export(id), [404],
        "Returns the numbers of a phonebook as `text/csv`.";
    AddNumbers: POST "/phonebook/number/{phonebookId}", Live(Phonebook), First, Json, Unlogged(IS_CONTENT),
        phonebook::numbers::add(phonebookId), [404, 409],
        "Adds or updates numbers: `{\"number\", \"name\"?, \"attributes\"?}`, or `{\"numbers\": [… ≤ 1,000]}`.";
    ListNumbers: GET "/phonebook/number/{phonebookId}" ? Paged<phonebook::numbers::NumbersWish>, Live(Phonebook), First, None, Reads,
        phonebook::numbers::list(phonebookId), [404, 422],
        "Lists the numbers of a phonebook. Filter: `q`, with which the number or the name begins.";
    ChangeNumber: PUT "/phonebook/number/{phonebookId}/{numberId}", Live(Phonebook), First, Json, Unlogged(IS_CONTENT),
        phonebook::numbers::change(phonebookId, numberId), [404, 409],
        "Changes a number of a phonebook, its name or its attributes.";
    DeleteNumber: DELETE "/phonebook/number/{phonebookId}/{numberId}", Live(Phonebook), First, None, Unlogged(IS_CONTENT),
        phonebook::numbers::delete(phonebookId, numberId), [404],
        "Deletes a number of a phonebook.";
    ChangePhonebookInBody: PUT "/phonebook", Live(Phonebook), First, Json, Logged(Phonebook),
        phonebook::change_in_body(), [404, 409],
        "Changes the phonebook whose `id` is in the body.";
    DeletePhonebookInQuery: DELETE "/phonebook" ? phonebook::DeletionWish, Live(Phonebook), WithCall, None, Logged(Phonebook),
        phonebook::delete_in_query(), [404, 409, 422],
        "Deletes the phonebook whose `id` is in the query.";

    CreatePattern: POST "/pattern", Live(Pattern), First, Json, Logged(Pattern), pattern::create(), [409],
        "Creates a pattern: `{\"slug\"?, \"title\", \"lines\"?, \"text\"?, \"variables\"?}`.";
    ListPatterns: GET "/pattern" ? Paged, Pattern, First, None, Reads, pattern::list(), [422],
        "Lists the patterns, each with its active version and its newest.";
    GetPattern: GET "/pattern/{slug}", Pattern, First, None, Reads, pattern::get(slug), [404],
        "Returns a pattern with all of its versions.";
    ChangePattern: PUT "/pattern/{slug}", Live(Pattern), First, Json, Logged(Pattern), pattern::change(slug), [404],
        "Changes the `title` or the `lines` of a pattern.";
    DeletePattern: DELETE "/pattern/{slug}", Live(Pattern), WithCall, None, Logged(Pattern),
        pattern::delete(slug), [404, 409],
        "Deletes a pattern without an active version.";
    CreatePatternVersion: POST "/pattern/{slug}/versions", Live(Pattern), First, Json, Logged(Pattern),
        pattern::versions::create(slug), [404, 409],
        "Adds a version to a pattern: `{\"text\", \"variables\"?}`.";
    ActivatePatternVersion: POST "/pattern/{slug}/versions/{n}/activate", Live(Pattern), First, None, Logged(Pattern),
        pattern::versions::activate(slug, n), [404, 409],
        "Activates a version of a pattern and retires the active one.";
    DeactivatePattern: POST "/pattern/{slug}/deactivate", Live(Pattern), First, None, Logged(Pattern),
        pattern::versions::deactivate(slug), [404, 409],
        "Retires the active version of a pattern.";

    ListBlacklist: GET "/blacklist" ? Paged<blacklist::BlockedWish>, Live(Blacklist), WithCall, None, Reads, blacklist::list(), [422],
        "Lists the numbers on the blacklist. Filter: `number`.";
    AddToBlacklist: POST "/blacklist", Live(Blacklist), WithCall, Json, Logged(Blacklist), blacklist::add(), [409],
        "Adds numbers to the blacklist: `{\"numbers\"}`.";
    RemoveFromBlacklist: DELETE "/blacklist" ? blacklist::RemovalWish, Live(Blacklist), WithCall, OptionalJson, Logged(Blacklist),
        blacklist::remove(), [],
        "Removes numbers from the blacklist: `{\"numbers\"}`, or `number` in the query.";

    GetHeld: GET "/held" ? held::HeldWish, Live(SmsRead + Phonebook), WithCall, None, Reads, held::get(), [422],
        "Tells what the account has on a number: `number` in the query.";
    StartErasure: POST "/erasures", Live(Erasure), WithCall, Json, Logged(Erasure), erasures::start(), [409],
        "Erases a number from all that the account has: `{\"number\"}`.";
    ListErasures: GET "/erasures" ? Paged, Live(Erasure), WithCall, None, Reads, erasures::list(), [422],
        "Lists the orders to erase a number.";
    GetErasure: GET "/erasures/{id}", Live(Erasure), WithCall, None, Reads, erasures::get(id), [404],
        "Returns an order to erase a number: whether it is done, and what it has met.";

    GetAccountInfo: GET "/account/info", AccountRead, WithCall, None, Reads, account::info(), [],
        "Returns the wallet, the status and the plan of the account.";
    ListTransactions: GET "/account/transactions" ? Paged<transactions::EntriesWish>, AccountRead, WithCall, None, Reads, transactions::list(), [422],
        "Lists the entries of the account's ledger, newest first. Filters: `type`, `from`, `to`, `message`. As `text/csv` with `format=csv`.";
    ListUsage: GET "/account/usage" ? Paged<usage::UsageWish>, AccountRead, WithCall, None, Reads, usage::list(), [422],
        "Counts what the account has sent, by day, newest first. Filters: `from`, `to`.";
    GetOutcomes: GET "/account/outcomes" ? outcomes::OutcomesWish, AccountRead, WithCall, None, Reads, outcomes::get(), [422],
        "Says how the newest messages have ended, by mobile operator, and why some have not arrived. Filter: `from`.";
    GetUnsent: GET "/account/unsent", AccountRead, WithCall, None, Reads, account::unsent(), [],
        "Says how many recipients have not left yet, and on which lines they wait longer than they should.";
    GetLowBalance: GET "/account/low-balance", AccountRead, First, None, Reads, low_balance::get(), [],
        "Returns the balance below which the account's endpoints get `wallet.low`.";
    SetLowBalance: PUT "/account/low-balance", Live(Webhook), First, Json, Logged(Account), low_balance::set(), [],
        "Sets the balance below which the endpoints without a `lowBalance` of their own get `wallet.low`: `{\"lowBalance\"}`.";
    GetTariff: GET "/plan/tariff", AccountRead, First, None, Reads, account::tariff(), [],
        "Returns the price of one part and the coefficients of each line.";
    ListLines: GET "/lines" ? Paged, AccountRead, First, None, Reads, account::lines(), [422],
        "Lists the lines that the caller may send from.";

    IssueKey: POST "/keys", Live(Keys), WithCall, Json, Logged(Key), own_keys::issue(), [409],
        "Issues a key that has no more than the caller's: `{\"title\", \"scopes\"?, \"expiresAt\"?, \"lines\"?, \"mode\"?, \"ips\"?, \"ratePerMinute\"?, \"dailySpend\"?}`. Shows it once.";
    ListKeys: GET "/keys" ? Paged, Keys, WithCall, None, Reads, own_keys::list(), [422],
        "Lists the keys of the account, newest first.";
    RevokeKey: DELETE "/keys/{id}" ? CascadeWish, Live(Keys), WithCall, None, Logged(Key), own_keys::revoke(id), [404, 422],
        "Revokes a key that has no more than the caller's, at once. `?cascade=true`: with all that comes from it.";
    RotateKey: POST "/keys/{id}/rotate", Live(Keys), WithCall, Json, Logged(Key), own_keys::rotate(id), [404, 409],
        "Replaces a key that has no more than the caller's. The old one works for `graceSeconds` more, a day if left out.";

    CreateWebhook: POST "/webhook", Webhook, First, Json, Logged(Webhook), webhook::create(), [409],
        "Creates an endpoint for events: `{\"url\", \"events\", \"lowBalance\"?, \"description\"?}`. Shows its secret once.";
    ListWebhooks: GET "/webhook" ? Paged, Webhook, First, None, Reads, webhook::list(), [422],
        "Lists the endpoints, newest first.";
    GetWebhook: GET "/webhook/{id}", Webhook, First, None, Reads, webhook::get(id), [404],
        "Returns an endpoint.";
    ChangeWebhook: PUT "/webhook/{id}", Webhook, First, Json, Logged(Webhook), webhook::change(id), [404],
        "Changes `url`, `events`, `lowBalance`, `description` or `active` of an endpoint.";
    DeleteWebhook: DELETE "/webhook/{id}", Webhook, First, None, Logged(Webhook), webhook::delete(id), [404],
        "Deletes an endpoint with its log.";
    RotateWebhookSecret: POST "/webhook/{id}/rotate", Webhook, First, None, Logged(Webhook), webhook::rotate(id), [404],
        "Gives an endpoint a new secret and shows it once. The old one signs too for a day.";
    TestWebhook: POST "/webhook/{id}/test", Webhook, First, None, Unlogged(IS_AN_EVENT), webhook::test(id), [404, 409],
        "Sends an event of type `webhook.test` to an endpoint.";
    ListDeliveries: GET "/webhook/{id}/deliveries" ? Paged, Webhook, First, None, Reads,
        webhook::list_deliveries(id), [404, 422],
        "Lists what was sent to an endpoint in the last 30 days, newest first.";
    GetDelivery: GET "/webhook/{id}/deliveries/{deliveryId}", Webhook, First, None, Reads,
        webhook::get_delivery(id, deliveryId), [404],
        "Returns what was sent to an endpoint, with the body of the request.";
    RedeliverEvent: POST "/webhook/{id}/deliveries/{deliveryId}/redeliver", Webhook, First, None, Unlogged(IS_AN_EVENT),
        webhook::redeliver(id, deliveryId), [404, 409],
        "Sends an event to an endpoint again, with the same id.";

    OpenConsoleSession: POST "/console/session", AnyKey, WithCall, None, Logged(Key), console::session::open(), [409],
        "Opens a session of the console for the key of the request, in a cookie.";
    GetConsoleSession: GET "/console/session", AnyKey, WithCall, None, Reads, console::session::get(), [],
        "Says who is signed in.";
    EndConsoleSession: DELETE "/console/session" ? console::session::EndWish, AnyKey, WithCall, None, Logged(Key), console::session::end(), [422],
        "Ends the session and its cookie. `?everywhere=true`: all sessions of the same key.";
    SwitchConsoleAccount: POST "/console/session/switch", AnyKey, WithCall, Json, Logged(Key), console::sign_in::switch(), [404, 409],
        "Goes over to another account of the member who has signed in: `{\"account\"}`.";
    StartSignIn: POST "/console/sign-in", Public, Free, Json, Unlogged(IS_A_CODE), console::sign_in::start(), [409, 429],
        "Sends a code to a member's phone: `{\"phone\"}`. Who is no member gets the same answer, and no code.";
    CheckSignIn: POST "/console/sign-in/check", Public, Free, Json, Logged(Key), console::sign_in::check(), [409, 429],
        "Opens a session of the console for the member whose code is right, in a cookie: `{\"phone\", \"code\", \"account\"?}`.";
    UseConsoleLink: POST "/console/sign-in/link", Public, Free, Json, Logged(Key), console::links::enter(), [409, 429],
        "Opens the one session of a link, in a cookie: `{\"code\"}`.";
    StartPasskey: POST "/console/passkeys/challenge", Public, Free, None, Unlogged(IS_A_QUESTION), console::passkeys::challenge(), [409],
        "Returns a challenge for a passkey to sign, to add it or to sign in with it.";
    SignInByPasskey: POST "/console/sign-in/passkey", Public, Free, Json, Logged(Key), console::passkeys::enter(), [409, 429],
        "Opens a session of the console for the member whose passkey has signed, in a cookie.";
    ListPasskeys: GET "/console/passkeys", AnyKey, WithCall, None, Reads, console::passkeys::list(), [],
        "Lists the passkeys of the member who has signed in.";
    AddPasskey: POST "/console/passkeys", AnyKey, WithCall, Json, Logged(Passkey), console::passkeys::add(), [409],
        "Adds a passkey of the member who has signed in: `{\"title\", \"clientDataJSON\", \"authenticatorData\"}`.";
    RenamePasskey: PATCH "/console/passkeys/{id}", AnyKey, WithCall, Json, Logged(Passkey), console::passkeys::rename(id), [404],
        "Changes the `title` of a passkey.";
    RemovePasskey: DELETE "/console/passkeys/{id}", AnyKey, WithCall, None, Logged(Passkey), console::passkeys::remove(id), [404],
        "Removes a passkey.";
    MakeConsoleLink: POST "/console/link", AnyKey, WithCall, Json, Logged(Key), console::links::make(), [409],
        "Makes a link that opens one session of the console for the key of the request: `{\"ttlSeconds\"?}`.";

    AddMember: POST "/members", Live(Keys), WithCall, Json, Logged(Member), members::add(), [409, 1003, 2001, 2002, 3011, 3012, 3016, 3017, 3018],
        "Admits a person who signs in to the console, and sends an invitation: `{\"phone\", \"name\", \"role\", \"invite\"?}`.";
    ListMembers: GET "/members" ? Paged, Live(Keys), WithCall, None, Reads, members::list(), [422],
        "Lists the members of the account, newest first.";
    ChangeMember: PATCH "/members/{id}", Live(Keys), WithCall, Json, Logged(Member), members::change(id), [404, 409],
        "Changes the `name` or the `role` of a member, but nobody their own role. With the role, all sessions of the person end.";
    MakeMemberLink: POST "/members/{id}/link", Live(Keys), WithCall, Json, Logged(Key), members::link(id), [404, 409],
        "Makes a link that signs a member in, once: `{\"ttlSeconds\"?}`.";
    InviteMember: POST "/members/{id}/invitation", Live(Keys), WithCall, None, Logged(Member), members::invite(id),
        [404, 409, 1003, 2001, 2002, 3011, 3012, 3016, 3017, 3018],
        "Sends a member who has not joined yet the invitation again.";
    GetSignInRule: GET "/members/sign-in", Keys, WithCall, None, Reads, members::rule(), [],
        "Returns what members need to sign in.";
    SetSignInRule: PUT "/members/sign-in", Live(Keys), WithCall, Json, Logged(Account), members::set_rule(), [409],
        "Sets what members need to sign in: `{\"require\"}`.";
    RemoveMember: DELETE "/members/{id}" ? CascadeWish, Live(Keys), WithCall, None, Logged(Member), members::remove(id), [404, 409, 422],
        "Lets a member go. All sessions of the person end. `?cascade=true`: with all that comes from the person.";

    AdminCreateAccount: POST "/admin/accounts", AdminAccounts, First, Json, Logged(Account),
        operator::accounts::create(), [409],
        "Creates an account: `{\"username\", \"fullName\", \"plan\"?}`.";
    AdminListAccounts: GET "/admin/accounts" ? Paged<operator::accounts::AccountsWish>, AdminRead, FirstOfReserve, None, Reads, operator::accounts::list(), [422],
        "Lists the accounts. Balances and statuses are from the mirror, which may be a few seconds old. Filter: `q`.";
    AdminGetAccount: GET "/admin/accounts/{id}", AdminRead, FirstOfReserve, None, Reads, operator::accounts::get(id), [404],
        "Returns an account with its true balance and status.";
    AdminChangeAccount: PATCH "/admin/accounts/{id}", AdminAccounts, FirstOfReserve, Json, Logged(Account),
        operator::accounts::change(id), [404],
        "Changes `status`, `sendingEnabled`, `hold`, `rateLimit`, `testRateLimit`, `recipientLimit`, `dailySpend`, `plan`, `defaultLine`, `destinations` or `fullName` of an account.";
    AdminGetUnsent: GET "/admin/accounts/{id}/unsent", AdminRead, First, None, Reads, operator::holds::unsent(id), [404],
        "Says how many recipients of an account have not left yet: what a hold keeps back, and what a cancel takes back.";
    AdminCancelAll: POST "/admin/accounts/{id}/cancel", AdminAccounts, FirstOfReserve, None, Logged(Account),
        operator::holds::cancel_all(id), [404],
        "Cancels everything of an account that has not left, and pays it back.";
    AdminStartErasure: POST "/admin/erasures", AdminAccounts, WithCall, Json, Logged(Erasure), erasures::start(), [409],
        "Erases a number from all accounts: `{\"number\"}`.";
    AdminListErasures: GET "/admin/erasures" ? Paged, AdminRead, WithCall, None, Reads, erasures::list(), [422],
        "Lists the orders to erase a number from all accounts.";
    AdminGetErasure: GET "/admin/erasures/{id}", AdminRead, WithCall, None, Reads, erasures::get(id), [404],
        "Returns an order to erase a number from all accounts: whether it is done, and what it has met.";
    AdminAddCredit: POST "/admin/accounts/{id}/credit", AdminMoney, First, Json, Logged(Account),
        operator::credits::add(id), [404, 409, 2001],
        "Adds money to a wallet or takes money out: `{\"amount\", \"note\"?}`. Takes an `Idempotency-Key`. Above `CREDIT_APPROVAL_ABOVE` it waits for a second operator.";
    AdminListCredits: GET "/admin/credits" ? Paged<operator::credits::CreditsWish>, AdminRead, First, None, Reads, operator::credits::list(), [422],
        "Lists the credits that needed a second operator, newest first. Filter: `status`.";
    AdminApproveCredit: POST "/admin/credits/{id}/approve", AdminMoney, First, None, Logged(Credit),
        operator::credits::approve(id), [404, 409, 2001],
        "Approves a credit that another operator has asked for. The money moves once.";
    AdminRejectCredit: POST "/admin/credits/{id}/reject", AdminMoney, First, None, Logged(Credit),
        operator::credits::reject(id), [404, 409],
        "Rejects a credit that waits for a second operator.";
    AdminRestoreAccount: POST "/admin/accounts/{id}/restore", AdminService, First, Json, Logged(Restore),
        operator::restore::restore(id), [404, 409],
        "Takes an account's object back in time. What has not ended is in doubt then, and sends are off.";
    AdminGetLowBalance: GET "/admin/accounts/{id}/low-balance", AdminRead, First, None, Reads,
        low_balance::get_of(id), [404],
        "Returns the balance below which the endpoints of an account get `wallet.low`.";
    AdminSetLowBalance: PUT "/admin/accounts/{id}/low-balance", AdminAccounts, First, Json, Logged(Account),
        low_balance::set_of(id), [404],
        "Sets the balance below which the endpoints of an account get `wallet.low`: `{\"lowBalance\"}`.";
    AdminIssueKey: POST "/admin/accounts/{id}/keys", AdminAccounts, First, Json, Logged(Key),
        operator::keys::issue(id), [404, 409],
        "Issues or imports a key: `{\"title\", \"scopes\"?, \"expiresAt\"?, \"lines\"?, \"mode\"?, \"ips\"?, \"ratePerMinute\"?, \"dailySpend\"?, \"key\"?}`. Shows it once.";
    AdminListKeys: GET "/admin/accounts/{id}/keys" ? Paged, AdminRead, FirstOfReserve, None, Reads, operator::keys::list(id), [404, 422],
        "Lists the keys of an account, newest first.";
    AdminRevokeKey: DELETE "/admin/accounts/{id}/keys/{key}" ? CascadeWish, AdminAccounts, FirstOfReserve, None, Logged(Key),
        operator::keys::revoke(id, key), [404, 422],
        "Revokes a key at once. `?cascade=true`: with all that comes from it.";
    AdminRotateKey: POST "/admin/accounts/{id}/keys/{key}/rotate", AdminAccounts, First, Json, Logged(Key),
        operator::keys::rotate(id, key), [404, 409],
        "Replaces a key. The old one works for `graceSeconds` more, a day if left out.";
    AdminIssueOperatorKey: POST "/admin/keys", AdminService, WithCall, Json, Logged(Key),
        operator::operator_keys::issue(), [409],
        "Issues a key for an operator: `{\"title\", \"scopes\"?, \"expiresAt\"?}`. Shows it once.";
    AdminListOperatorKeys: GET "/admin/keys" ? Paged, AdminRead, WithCall, None, Reads, operator::operator_keys::list(), [422],
        "Lists the keys of operators, newest first.";
    AdminAddMember: POST "/admin/members", AdminService, WithCall, Json, Logged(Member), operator::members::add(), [409],
        "Admits a person as an operator, who signs in to the console with a passkey: `{\"phone\", \"name\", \"scopes\"}`.";
    AdminListMembers: GET "/admin/members" ? Paged, AdminRead, WithCall, None, Reads, operator::members::list(), [422],
        "Lists the people who are operators, newest first.";
    AdminChangeMember: PATCH "/admin/members/{id}", AdminService, WithCall, Json, Logged(Member),
        operator::members::change(id), [404, 409],
        "Changes the `name` or the `scopes` of an operator. With the scopes, all sessions of the person end.";
    AdminMakeMemberLink: POST "/admin/members/{id}/link", AdminService, WithCall, Json, Logged(Key), operator::members::link(id), [404, 409],
        "Makes a link that signs an operator in, once: `{\"ttlSeconds\"?}`. The person adds a passkey then.";
    AdminRemoveMember: DELETE "/admin/members/{id}" ? CascadeWish, AdminService, WithCall, None, Logged(Member),
        operator::members::remove(id), [404, 409, 422],
        "Lets an operator go. All sessions of the person end. `?cascade=true`: with all that comes from the person.";
    AdminAddAccountMember: POST "/admin/accounts/{id}/members", AdminAccounts, First, Json, Logged(Member),
        operator::members::add_to(id), [404, 409, 1003, 2001, 2002, 3011, 3012, 3016, 3017, 3018],
        "Admits a person to an account, such as its first owner, and sends an invitation: `{\"phone\", \"name\", \"role\", \"invite\"?}`.";
    AdminListAccountMembers: GET "/admin/accounts/{id}/members" ? Paged, AdminRead, FirstOfReserve, None, Reads,
        operator::members::list_of(id), [404, 422],
        "Lists the members of an account, newest first.";
    AdminInviteAccountMember: POST "/admin/accounts/{id}/members/{member}/invitation", AdminAccounts, First, None, Logged(Member),
        operator::members::invite(id, member),
        [404, 409, 1003, 2001, 2002, 3011, 3012, 3016, 3017, 3018],
        "Sends a member of an account who has not joined yet the invitation again.";
    AdminRemoveAccountMember: DELETE "/admin/accounts/{id}/members/{member}" ? CascadeWish, AdminAccounts, FirstOfReserve, None, Logged(Member),
        operator::members::remove_from(id, member), [404, 422],
        "Lets a member of an account go. All sessions of the person end. `?cascade=true`: with all that comes from the person.";
    AdminLookAtAccount: POST "/admin/accounts/{id}/console-link", Both(AdminAccounts + AdminRead), First, None, Logged(Key),
        console::links::look_at(id), [404, 409],
        "Makes a link to the console that shows an account as a viewer sees it, for an hour. The account sees the session among its keys.";
    AdminFindKey: POST "/admin/keys/find", AdminRead, FirstOfReserve, Json, Shows(Key), operator::find_key::find(), [404],
        "Says whose a key is: `{\"key\"}`. It changes nothing.";
    AdminRevokeOperatorKey: DELETE "/admin/keys/{key}" ? CascadeWish, AdminService, WithCall, None, Logged(Key),
        operator::operator_keys::revoke(key), [404, 409, 422],
        "Revokes another operator key than the one that is used, at once. `?cascade=true`: with all that comes from it.";
    AdminRotateOperatorKey: POST "/admin/keys/{key}/rotate", AdminService, WithCall, Json, Logged(Key),
        operator::operator_keys::rotate(key), [404, 409],
        "Replaces an operator key. The old one works for `graceSeconds` more, a day if left out.";
    AdminListSandbox: GET "/admin/accounts/{id}/sandbox" ? Paged, AdminRead, First, None, Shows(Message),
        operator::accounts::sandbox(id), [404, 422],
        "Lists what the sandbox carrier was handed for an account.";
    AdminListRecipients: GET "/admin/accounts/{id}/messages/{uid}/recipients" ? Paged<messages::RecipientsWish>, AdminRead, First, None, Shows(Message),
        operator::messages::recipients(id, uid), [404, 422],
        "Lists the recipients of a message, each with its carrier and the carrier's own code of an error. Filter: `status`.";
    AdminListPendingPatterns: GET "/admin/patterns" ? Paged, AdminRead, First, None, Shows(Pattern), pattern::versions::pending(), [422],
        "Lists the versions of patterns that wait for approval.";
    AdminApprovePattern: POST "/admin/accounts/{id}/patterns/{slug}/versions/{n}/activate", AdminAccounts, First, None, Logged(Pattern),
        pattern::versions::approve(id, slug, n), [404, 409],
        "Approves a version of a pattern and activates it.";
    AdminCreateCarrier: POST "/admin/carriers", AdminCarriers, First, Json, Logged(Carrier),
        operator::carriers::create(), [409],
        "Creates a carrier: `{\"name\", \"kind\", \"active\"?, \"paused\"?, \"http\"? or \"smpp\"?}`.";
    AdminListCarriers: GET "/admin/carriers" ? Paged<operator::carriers::CarriersWish>, AdminRead, First, None, Reads, operator::carriers::list(), [422],
        "Lists the carriers, each with its health. Filter: `q`.";
    AdminGetCarrier: GET "/admin/carriers/{name}", AdminRead, First, None, Reads, operator::carriers::get(name), [404],
        "Returns a carrier with its health.";
    AdminChangeCarrier: PATCH "/admin/carriers/{name}", AdminCarriers, First, Json, Logged(Carrier),
        operator::carriers::change(name), [404, 409],
        "Changes `active`, `paused` or settings of a carrier, at once.";
    AdminRotateCallback: POST "/admin/carriers/{name}/rotate-callback", AdminCarriers, First, None, Logged(Carrier),
        operator::carriers::rotate_callback(name), [404, 409],
        "Makes new addresses for a carrier's gateway. The old ones work for a day more.";
    AdminDeleteCarrier: DELETE "/admin/carriers/{name}" ? operator::carriers::DeletionWish, AdminCarriers, First, None, Logged(Carrier),
        operator::carriers::delete(name), [404, 409, 422],
        "Deletes a carrier that no line uses. `?force=true`: also while reports of what it took are missing.";
    AdminCreateLine: POST "/admin/lines", AdminCarriers, First, Json, Logged(Line), operator::lines::create(), [409],
        "Creates a line: `{\"number\", \"carrier\", \"operations\", \"accounts\"? or \"shared\"?, \"coefficients\"?, \"cheapest\"?, \"active\"?}`.";
    AdminListLines: GET "/admin/lines" ? Paged<operator::lines::LinesWish>, AdminRead, First, None, Reads, operator::lines::list(), [422],
        "Lists all lines. Filter: `q`.";
    AdminGetLine: GET "/admin/lines/{number}", AdminRead, First, None, Reads, operator::lines::get(number), [404],
        "Returns a line.";
    AdminChangeLine: PATCH "/admin/lines/{number}", AdminCarriers, First, Json, Logged(Line),
        operator::lines::change(number), [404],
        "Changes a line.";
    AdminDeleteLine: DELETE "/admin/lines/{number}", AdminCarriers, First, None, Logged(Line),
        operator::lines::delete(number), [404, 409],
        "Deletes a line that is no account's default line.";
    AdminGetLineInbound: GET "/admin/lines/{number}/inbound", AdminRead, First, None, Reads,
        operator::line_inbound::get(number), [404],
        "Says which accounts get what phones send to a line.";
    AdminSetLineInbound: PUT "/admin/lines/{number}/inbound", AdminCarriers, First, Json, Logged(LineInbound),
        operator::line_inbound::set(number), [404],
        "Sets which accounts get what phones send to a line: `{\"account\"?, \"keywords\"?: [{\"keyword\", \"account\"}]}`.";
    AdminListUnclaimed: GET "/admin/inbound/unclaimed" ? Paged, AdminRead, First, None, Reads,
        operator::line_inbound::list_unclaimed(), [422],
        "Counts the messages from phones that belong to no account, by day.";
    AdminCreatePlan: POST "/admin/plans", AdminAccounts, First, Json, Logged(Plan), operator::plans::create(), [409],
        "Creates a plan: `{\"slug\", \"title\", \"tariff\": {\"slug\", \"title\", \"price\", \"prices\"?}, \"refunds\"?}`.";
    AdminListPlans: GET "/admin/plans" ? Paged<operator::plans::PlansWish>, AdminRead, First, None, Reads, operator::plans::list(), [422],
        "Lists the plans. Filter: `q`.";
    AdminChangePlan: PATCH "/admin/plans/{slug}", AdminAccounts, First, Json, Logged(Plan),
        operator::plans::change(slug), [404],
        "Changes a plan.";
    AdminGetSending: GET "/admin/sending", AdminRead, First, None, Reads, operator::sending::get(), [],
        "Says whether accounts may send, who has switched it, when and why.";
    AdminSwitchSending: PUT "/admin/sending", AdminService, FirstOfReserve, Json, Logged(Sending), operator::sending::switch(), [],
        "Switches sending on or off for all accounts: `{\"enabled\"}`, and `reason` if there is one.";
    AdminGetUsage: GET "/admin/usage" ? Paged<operator::usage::UsageWish>, AdminRead, First, None, Reads, operator::usage::list(), [422],
        "Adds up what was sent, `by` `day`, `account`, `line` or `carrier`. Filters: `from`, `to`, `account`, `line`, `carrier`, `mode`.";
    AdminGetHealth: GET "/admin/health", AdminRead, First, None, Reads, operator::health::get(), [],
        "Asks KV, D1, an object and each carrier how they are, and says how long each took.";
    AdminReconcile: GET "/admin/reconciliation" ? Paged<operator::reconciliation::ReconciliationWish>, AdminRead, First, None, Reads, operator::reconciliation::list(), [422],
        "Checks accounts: money against reserves and ledger, the mirror, chunks that are stuck. Filter: `account`.";
    AdminListAudit: GET "/admin/audit" ? Paged<operator::audit::AuditWish>, AdminRead, First, None, Reads, operator::audit::list(), [422],
        "Lists who changed what, newest first. Filters: `account`, `key`, `operation`, `thing`, `thingId`, `from`, `to`.";
    AdminReadAuditFeed: GET "/admin/audit/feed" ? Paged, AdminRead, First, None, Reads, operator::audit::feed(), [422],
        "Reads the audit log in the order in which its entries came, for programs that follow it.";
    AdminListDeadLetters: GET "/admin/dead-letters" ? Paged<operator::dead_letters::DeadLettersWish>, AdminRead, First, None, Reads, operator::dead_letters::list(), [422],
        "Lists the chunks of messages that were given up, and those that wait for a carrier for an hour, newest first. Filters: `account`, `kind`.";
    AdminRetryDeadLetter: POST "/admin/dead-letters/{id}/retry", AdminCarriers, First, None, Logged(DeadLetter),
        operator::dead_letters::retry(id), [404, 409],
        "Tries a chunk again that waits for a carrier, or that carriers have refused each time.";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::problem::kind;

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
                route.path.starts_with("/admin/"),
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
        for route in ROUTES.iter().filter(|route| route.access.is_for_operators()) {
            let reads = route.access == Access::Scope(Scope::AdminRead);
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
            for code in route.operation.errors() {
                assert!(
                    kind::ALL.iter().any(|kind| kind.code == *code),
                    "{}: {code}",
                    route.path
                );
            }
        }
    }
}
