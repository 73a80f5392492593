//! The operations: what each route takes and answers. [`details`] has a row for every route of the service's table, or it does
//! not compile.

use peyk::api::routes::{Access, BodyKind, Operation as Op, Route};
use peyk::auth::Scope;
use serde_json::{Map, Value, json};

use super::examples::Examples;
use super::parameters::{self, named as parameter};
use super::schema::{Schema, envelope, named, one_of, page, sent};
use super::{gateway, problems};

/// The groups of operations: each with the name that the rows below have for it, and what it is about.
macro_rules! tags {
    ($($tag:ident $name:literal $about:literal;)*) => {
        $(const $tag: &str = $name;)*

        /// The groups of operations.
        pub fn tags() -> Value {
            json!([$({"name": $name, "description": $about}),*])
        }
    };
}

tags! {
    SENDING "Sending" "Messages to phones, and what they would cost.";
    VERIFY "Verify" "Codes that Peyk makes, sends and checks.";
    MESSAGES "Messages" "What was sent, and what has become of it.";
    PATTERNS "Patterns" "Texts with placeholders.";
    PHONEBOOKS "Phonebooks" "Lists of numbers.";
    WEBHOOKS "Webhooks" "Endpoints that Peyk posts events to, and the events.";
    INBOUND "Inbound" "What phones have sent.";
    CONSOLE "Console" "Signing in to the web console. Programs send a key instead.";
    ACCOUNT "Account" "The account of the key: its money, its prices and its lines.";
    KEYS "Keys" "The API keys of the account.";
    MEMBERS "Members" "The people of the account who sign in to the console by phone.";
    BLACKLIST "Blacklist" "Numbers that get nothing.";
    ERASURES "Erasures" "What an account has on a number, and taking it out of all that the account has.";
    OF_ACCOUNTS "Operators: accounts" "The accounts of customers: their status, their limits and what they have.";
    OF_MONEY "Operators: credit" "The money of accounts: what operators add and take, and what needs a second operator.";
    OF_KEYS "Operators: keys" "The API keys of accounts, and those of operators.";
    OF_MEMBERS "Operators: members" "The people who sign in to the console by phone: operators, and those of accounts.";
    OF_MESSAGES "Operators: messages" "What became of accounts' messages, patterns that wait for approval, and what belongs to no account.";
    OF_CARRIERS "Operators: carriers" "The ways to the network.";
    OF_LINES "Operators: lines" "The numbers to send from, and where replies to them go.";
    OF_PLANS "Operators: plans" "What messages cost.";
    OF_SERVICE "Operators: service" "The service as a whole: the switch for all, usage, health, checks, and who has changed what.";
    GATEWAYS "Gateways" "What carriers' gateways call. No client needs it.";
    SERVICE "Service" "The service itself.";
}

/// What a route answers when all is well.
enum Answer {
    /// An object in the envelope, with this status.
    One(u16, &'static str),
    /// An object in the envelope: this one with 201, or that one with 202, when it waits for somebody.
    OneOrPending(&'static str, &'static str),
    /// An object as it is, in the form of a standard, with 200.
    Bare(&'static str),
    /// A page of a list.
    Page(&'static str),
    /// A page of a list, or a file.
    PageOrCsv(&'static str),
    /// The 201 of a send.
    Sent,
    /// 204.
    Nothing,
    /// 204, or this object in the envelope.
    NothingOr(&'static str),
    /// A file.
    Csv,
    /// A text for a gateway.
    Text,
    /// 302.
    Redirect,
}

/// What the document says of a route beyond its row.
struct Details {
    tag: &'static str,
    answer: Answer,
    about: &'static str,
    query: Vec<Value>,
    body: Option<&'static str>,
    is_idempotent: bool,
}

fn on(tag: &'static str, answer: Answer) -> Details {
    Details {
        tag,
        answer,
        about: "",
        query: Vec::new(),
        body: None,
        is_idempotent: false,
    }
}

impl Details {
    fn about(self, about: &'static str) -> Self {
        Details { about, ..self }
    }

    fn query(self, query: Vec<Value>) -> Self {
        Details { query, ..self }
    }

    fn body(self, name: &'static str) -> Self {
        Details {
            body: Some(name),
            ..self
        }
    }

    fn idempotent(self) -> Self {
        Details {
            is_idempotent: true,
            ..self
        }
    }
}

use Answer::{Bare, Csv, Nothing, NothingOr, One, OneOrPending, Page, PageOrCsv, Redirect, Sent, Text};

const ONCE: &str = "Peyk accepts a send as a whole or refuses it as a whole. After a 500, a 503 or a broken connection, repeat it with \
    the same `Idempotency-Key`: then it is sent and paid once.";

/// What a route says that is closed to test keys.
const LIVE_ONLY: &str = "Only for live keys: a test key gets 403.";

fn details(operation: Op) -> Details {
    match operation {
        Op::GetHome => on(SERVICE, Redirect),
        Op::GetHealth => on(SERVICE, One(200, "Health")),
        Op::GetProofKeys => on(SERVICE, Bare("ProofKeys")).about(
            "The answer has no envelope. It may be kept for five minutes. Without the secret `SECRET_KEY` there are no keys."),
        Op::GetDeliveryReport => on(GATEWAYS, Text).query(gateway::report()),
        Op::PostDeliveryReport => on(GATEWAYS, Text).query(gateway::report()),
        Op::GetInboundMessage => on(GATEWAYS, Text).query(gateway::inbound(false)),
        Op::PostInboundMessage => on(GATEWAYS, Text).query(gateway::inbound(true)),

        Op::SendSms => on(SENDING, Sent).body("SendSms").idempotent().about(ONCE),
        Op::SendPattern => on(SENDING, Sent).body("SendPattern").idempotent().about(ONCE),
        Op::SendToPhonebook => on(SENDING, Sent).body("SendToPhonebook").idempotent().about(ONCE),
        Op::SendBulk => on(SENDING, Sent).body("SendBulk").idempotent().about(ONCE),
        Op::EstimateSend => on(SENDING, One(200, "Estimate")).body("EstimateSend"),
        Op::StartVerification => on(VERIFY, One(201, "Verification")).body("NewVerification").idempotent().about(ONCE),
        Op::CheckVerification => on(VERIFY, One(200, "VerificationCheck")).body("CheckVerification"),
        Op::GetVerification | Op::CancelVerification => on(VERIFY, One(200, "Verification")),
        Op::GetVerifyStats => on(VERIFY, One(200, "VerifyStats")),

        Op::ListMessages => on(MESSAGES, Page("Message")).about(
            "A page looks at 10,000 messages at most. So with filters it may have fewer than `limit`, or none, before the list \
             ends: read on while `nextCursor` is not `null`."),
        Op::GetMessage => on(MESSAGES, One(200, "MessageDetail")),
        Op::CancelMessage => on(MESSAGES, One(200, "MessageDetail")),
        Op::FindRecipients => on(MESSAGES, One(200, "FoundRecipients")).body("RecipientsToFind").about(
            "They come in the order in which the body names them. What is not found is left out. Of a reference, the first 100 \
             recipients of the newest message that has it are told."),
        Op::ListRecipients => on(MESSAGES, Page("RecipientState")).about(
            "In pages of up to 20 recipients, no text is cut."),
        Op::ListInbound => on(INBOUND, Page("InboundMessage")).about(
            "In pages of up to 20 messages, no text is cut."),
        Op::TakeInbound => on(INBOUND, One(200, "TakenInbound")).body("InboundToTake").about(
            "They come oldest first, with whole texts, and each comes once: to another request, too. There may be more, even if \
             fewer than `limit` come: ask until none comes. What an answer that got lost had is in `GET /inbound?taken=true`."),

        Op::CreatePhonebook => on(PHONEBOOKS, One(201, "Phonebook")).body("NewPhonebook"),
        Op::ListPhonebooks => on(PHONEBOOKS, Page("Phonebook")),
        Op::ChangePhonebookInBody => on(PHONEBOOKS, One(200, "Phonebook")).body("PhonebookChangeById"),
        Op::DeletePhonebookInQuery => on(PHONEBOOKS, Nothing),
        Op::GetPhonebook => on(PHONEBOOKS, One(200, "Phonebook")),
        Op::ChangePhonebook => on(PHONEBOOKS, One(200, "Phonebook")).body("PhonebookChange"),
        Op::DeletePhonebook => on(PHONEBOOKS, Nothing),
        Op::ImportNumbers => on(PHONEBOOKS, One(201, "ImportedNumbers")).about(
            "The first line names the columns, one of them the number. A file with a quote that does not close is refused as a whole. \
             If an import stops half way, `detail` tells the last line that is saved; the file can be imported again."),
        Op::ExportNumbers => on(PHONEBOOKS, Csv),
        Op::AddNumbers => on(PHONEBOOKS, One(201, "AddedToPhonebook")).body("AddNumbers"),
        Op::ListNumbers => on(PHONEBOOKS, Page("Number")),
        Op::ChangeNumber => on(PHONEBOOKS, One(200, "Number")).body("NumberChange"),
        Op::DeleteNumber => on(PHONEBOOKS, Nothing),

        Op::CreatePattern => on(PATTERNS, One(201, "Pattern")).body("NewPattern"),
        Op::ListPatterns => on(PATTERNS, Page("Pattern")),
        Op::GetPattern => on(PATTERNS, One(200, "Pattern")),
        Op::ChangePattern => on(PATTERNS, One(200, "Pattern")).body("PatternChange"),
        Op::DeletePattern => on(PATTERNS, Nothing),
        Op::CreatePatternVersion => on(PATTERNS, One(201, "PatternVersion")).body("NewPatternVersion"),
        Op::ActivatePatternVersion => on(PATTERNS, One(200, "Pattern")),
        Op::DeactivatePattern => on(PATTERNS, One(200, "Pattern")),

        Op::ListBlacklist => on(BLACKLIST, Page("BlockedNumber")),
        Op::AddToBlacklist => on(BLACKLIST, One(201, "AddedNumbers")).body("Numbers"),
        Op::RemoveFromBlacklist => on(BLACKLIST, One(200, "RemovedNumbers")).body("Numbers"),

        Op::GetHeld => on(ERASURES, One(200, "Held")).about(
            "It is for a person who asks what you have of them. The two lists that it counts have the messages themselves. Texts to others that \
             have the number in them are not counted."),
        Op::StartErasure => on(ERASURES, One(202, "Erasure")).body("NewErasure").about(
            "The order takes the number out of messages, texts, messages from the phone, events and phonebooks. In answers, \
             `erased` stands in its place. What has not left is canceled and paid back. A blacklisted number stays blocked. An order \
             may be repeated; what is sent to the number later is not covered by it."),
        Op::ListErasures => on(ERASURES, Page("Erasure")),
        Op::GetErasure => on(ERASURES, One(200, "Erasure")),

        Op::GetAccountInfo => on(ACCOUNT, One(200, "AccountInfo")),
        Op::ListTransactions => on(ACCOUNT, PageOrCsv("Transaction")).about(
            "A page looks at 10,000 entries at most. So with `type` or `message` it may have fewer than `limit`, or none, before \
             the list ends: read on while `nextCursor` is not `null`. A CSV file has all entries of the filters, up to 200,000 \
             to look at; beyond, narrow `from` and `to`. It takes neither `limit` nor `cursor`."),
        Op::ListUsage => on(ACCOUNT, Page("UsageDay")).about(
            "Days are those of UTC. A message counts on the day on which it was accepted, and so does what becomes of it. Days \
             without messages are left out."),
        Op::GetOutcomes => on(ACCOUNT, One(200, "Outcomes")).about("It looks at the newest recipients, 20,000 or a few more."),
        Op::GetUnsent => on(ACCOUNT, One(200, "Unsent")),
        Op::GetLowBalance => on(ACCOUNT, One(200, "LowBalance")),
        Op::SetLowBalance => on(ACCOUNT, One(200, "LowBalance")).body("NewLowBalance"),
        Op::GetTariff => on(ACCOUNT, One(200, "Tariff")),
        Op::ListLines => on(ACCOUNT, Page("OwnLine")),

        Op::IssueKey => on(KEYS, One(201, "IssuedKey")).body("NewOwnKey").about(
            "What is left out is as the key of the request has it, but for the scopes `keys`, `webhook` and `erasure`, which must be named. A \
             key can't give what it lacks: another scope, line or address, the live mode, more time, or higher caps."),
        Op::ListKeys => on(KEYS, Page("OwnKey")),
        Op::OpenConsoleSession => on(CONSOLE, Nothing).about(
            "A session has all that the key has, and lasts for 12 hours at most. It ends when the key ends. Pages send the \
             cookie with the header `X-Peyk-Console: 1`. A request with a session opens none."),
        Op::GetConsoleSession => on(CONSOLE, One(200, "ConsoleSession")),
        Op::EndConsoleSession => on(CONSOLE, Nothing).about(
            "A request that comes with a key ends all sessions of that key."),
        Op::SwitchConsoleAccount => on(CONSOLE, Nothing).body("AccountChoice").about(
            "The session ends, and one in the other account begins. It ends when the first one would have ended."),
        Op::StartSignIn => on(CONSOLE, One(201, "SignIn")).body("NewSignIn").about(
            "The account that the setting `SIGN_IN_ACCOUNT` names sends the code. It counts in the browser that has asked for it. A browser \
             gets it again after 30, 60 and 120 seconds, a phone at most 5 in ten minutes and 10 a day. Nobody learns here whether a \
             phone is a member."),
        Op::CheckSignIn => on(CONSOLE, Nothing).body("SignInCode").about(
            "A code can be tried five times within three minutes, in the browser that has asked for it."),
        Op::UseConsoleLink => on(CONSOLE, Nothing).body("LinkCode"),
        Op::StartPasskey => on(CONSOLE, One(201, "PasskeyChallenge")).about(
            "It counts for five minutes, in the browser that has asked for it, and once. An address without a domain has no passkeys (409)."),
        Op::SignInByPasskey => on(CONSOLE, Nothing).body("PasskeySignIn").about(
            "The body has what `navigator.credentials.get()` returns, with the user verified. It needs no phone and no `SIGN_IN_ACCOUNT`."),
        Op::ListPasskeys => on(CONSOLE, One(200, "Passkeys")),
        Op::AddPasskey => on(CONSOLE, One(201, "Passkey")).body("NewPasskey").about(
            "The body has what `navigator.credentials.create()` returns for the algorithm ES256 (-7), with the user verified and the id of the \
             user that `passkeyUser` of the session says. A member has at most 20."),
        Op::RenamePasskey => on(CONSOLE, One(200, "Passkey")).body("PasskeyChange"),
        Op::RemovePasskey => on(CONSOLE, Nothing).about("Sessions that it has opened go on until they end."),
        Op::MakeConsoleLink => on(CONSOLE, One(201, "ConsoleLink")).body("NewLink").about(
            "Give it to a person who shall see the account and needs no key. A request with a session makes none."),
        Op::AddMember => on(MEMBERS, One(201, "Member")).body("NewAccountMember").about(
            "A member may do no more than the key or the member of the request. Without `invite` of `false` the person gets an invitation \
             by SMS, which the account pays. What refuses that text refuses the member."),
        Op::InviteMember => on(MEMBERS, One(201, "Member")).about(
            "The text goes from the account's default line and costs what a text of a pattern costs. It has a link that opens a session, once, within \
             three days. Who opens it has the phone, and joins. Members of an account that requires passkeys get none: make a link for \
             them. An account sends 50 in 24 hours, each key or member 25 of them, and 3 go to one phone."),
        Op::ListMembers => on(MEMBERS, Page("Member")),
        Op::ChangeMember => on(MEMBERS, One(200, "Member")).body("AccountMemberChange"),
        Op::RemoveMember => on(MEMBERS, NothingOr("Cascade")),
        Op::MakeMemberLink => on(MEMBERS, One(201, "ConsoleLink")).body("NewLink").about(
            "The person adds a passkey then, where only passkeys sign in. Who makes it reaches all that the member may do."),
        Op::GetSignInRule => on(MEMBERS, One(200, "SignInRule")),
        Op::SetSignInRule => on(MEMBERS, One(200, "SignInRule")).body("NewSignInRule").about(
            "With `PASSKEY`, the sessions end that a code has opened, but for that of the request. A member without a passkey can't ask for \
             it (409)."),
        Op::RevokeKey => on(KEYS, NothingOr("Cascade")).about("A key can revoke itself, too."),
        Op::RotateKey => on(KEYS, One(201, "RotatedKey")).body("Rotation").about(
            "The successor has all that the old key was issued with. If the answer is lost, the old key can't be rotated again \
             by itself, because its own time has become shorter."),

        Op::CreateWebhook => on(WEBHOOKS, One(201, "EndpointWithSecret")).body("NewEndpoint"),
        Op::ListWebhooks => on(WEBHOOKS, Page("Endpoint")),
        Op::GetWebhook => on(WEBHOOKS, One(200, "Endpoint")),
        Op::ChangeWebhook => on(WEBHOOKS, One(200, "Endpoint")).body("EndpointChange"),
        Op::DeleteWebhook => on(WEBHOOKS, Nothing),
        Op::RotateWebhookSecret => on(WEBHOOKS, One(201, "EndpointWithSecret")),
        Op::TestWebhook => on(WEBHOOKS, One(201, "Delivery")),
        Op::ListDeliveries => on(WEBHOOKS, Page("Delivery")),
        Op::GetDelivery => on(WEBHOOKS, One(200, "DeliveryWithRequest")).about(
            "The headers of the request are those of Standard Webhooks. Besides the scope `webhook`, the key needs the scope with which \
             it may read what the event tells."),
        Op::RedeliverEvent => on(WEBHOOKS, One(200, "Delivery")),

        Op::AdminCreateAccount => on(OF_ACCOUNTS, One(201, "Account")).body("NewAccount"),
        Op::AdminListAccounts => on(OF_ACCOUNTS, Page("AccountSummary")),
        Op::AdminGetAccount => on(OF_ACCOUNTS, One(200, "Account")),
        Op::AdminChangeAccount => on(OF_ACCOUNTS, One(200, "Account")).body("AccountChange"),
        Op::AdminGetUnsent => on(OF_ACCOUNTS, One(200, "Unsent")),
        Op::AdminCancelAll => on(OF_ACCOUNTS, One(200, "CanceledAll")).about(
            "Messages that come later are sent. Put the account on hold first if nothing is to leave at all."),
        Op::AdminStartErasure => on(OF_ACCOUNTS, One(202, "Erasure")).body("NewErasure").about(
            "Each account gets an order with the same `id`, which it sees in its own list. The order is `DONE` when it is in all \
             accounts. An account that is made later has no order."),
        Op::AdminListErasures => on(OF_ACCOUNTS, Page("Erasure")),
        Op::AdminGetErasure => on(OF_ACCOUNTS, One(200, "Erasure")),
        Op::AdminAddCredit => on(OF_MONEY, OneOrPending("Credited", "PendingCredit"))
            .body("Credit")
            .idempotent(),
        Op::AdminListCredits => on(OF_MONEY, Page("PendingCredit")),
        Op::AdminApproveCredit => on(OF_MONEY, One(200, "PendingCredit")),
        Op::AdminRejectCredit => on(OF_MONEY, One(200, "PendingCredit")),
        Op::AdminRestoreAccount => on(OF_ACCOUNTS, One(200, "Restored")).body("NewRestore").about(
            "Money, messages and usage go back. What has not ended gets `UNKNOWN`, and what was to leave later is canceled, so \
             nothing leaves twice. Keys, the blacklist and settings stay, and sends are off until \
             `PATCH /admin/accounts/{id}` switches them on."),
        Op::AdminGetLowBalance => on(OF_MONEY, One(200, "LowBalance")),
        Op::AdminSetLowBalance => on(OF_MONEY, One(200, "LowBalance")).body("NewLowBalance"),
        Op::AdminIssueKey => on(OF_KEYS, One(201, "IssuedKey")).body("NewKey"),
        Op::AdminListKeys => on(OF_KEYS, Page("Key")),
        Op::AdminRevokeKey => on(OF_KEYS, NothingOr("Cascade")),
        Op::AdminRotateKey => on(OF_KEYS, One(201, "RotatedKey")).body("Rotation"),
        Op::AdminIssueOperatorKey => on(OF_KEYS, One(201, "IssuedOperatorKey")).body("NewOperatorKey"),
        Op::AdminListOperatorKeys => on(OF_KEYS, Page("OperatorKey")),
        Op::AdminAddMember => on(OF_MEMBERS, One(201, "OperatorMember")).body("NewOperatorMember"),
        Op::AdminListMembers => on(OF_MEMBERS, Page("OperatorMember")),
        Op::AdminChangeMember => on(OF_MEMBERS, One(200, "OperatorMember")).body("OperatorMemberChange"),
        Op::AdminRemoveMember => on(OF_MEMBERS, NothingOr("Cascade")),
        Op::AdminMakeMemberLink => on(OF_MEMBERS, One(201, "ConsoleLink")).body("NewLink").about(
            "Operators sign in with a passkey or a key; a code by SMS opens no session of theirs."),
        Op::AdminAddAccountMember => on(OF_MEMBERS, One(201, "Member")).body("NewAccountMember"),
        Op::AdminInviteAccountMember => on(OF_MEMBERS, One(201, "Member")).about(
            "The account pays it, as it pays what its own members send."),
        Op::AdminListAccountMembers => on(OF_MEMBERS, Page("Member")),
        Op::AdminRemoveAccountMember => on(OF_MEMBERS, NothingOr("Cascade")),
        Op::AdminLookAtAccount => on(OF_MEMBERS, One(201, "ConsoleLink")).about(
            "The link can be used for ten minutes. The session may read messages and the money, and \
             changes nothing. Both end with the key of the request."),
        Op::AdminFindKey => on(OF_KEYS, One(200, "FoundKey")).body("KeyToFind").about(
            "A key of an account that is revoked is found for a minute at most.",
        ),
        Op::AdminRevokeOperatorKey => on(OF_KEYS, NothingOr("Cascade")).about(
            "Links and sessions by which the operator looks at accounts end with the key. A cascade that would end the key of the \
             request, or the last one that may do everything, is a 409 and changes nothing."),
        Op::AdminRotateOperatorKey => on(OF_KEYS, One(201, "RotatedOperatorKey")).body("Rotation"),
        Op::AdminListSandbox => on(OF_MESSAGES, Page("SandboxItem")),
        Op::AdminListRecipients => on(OF_MESSAGES, Page("OperatorsRecipient")),
        Op::AdminListPendingPatterns => on(OF_MESSAGES, Page("PendingVersion")),
        Op::AdminApprovePattern => on(OF_MESSAGES, One(200, "Pattern")),
        Op::AdminCreateCarrier => on(OF_CARRIERS, One(201, "Carrier")).body("NewCarrier"),
        Op::AdminListCarriers => on(OF_CARRIERS, Page("Carrier")),
        Op::AdminGetCarrier => on(OF_CARRIERS, One(200, "Carrier")),
        Op::AdminRotateCallback => on(OF_CARRIERS, One(201, "Carrier")),
        Op::AdminChangeCarrier => on(OF_CARRIERS, One(200, "Carrier")).body("CarrierChange"),
        Op::AdminDeleteCarrier => on(OF_CARRIERS, Nothing),
        Op::AdminCreateLine => on(OF_LINES, One(201, "Line")).body("NewLine"),
        Op::AdminListLines => on(OF_LINES, Page("Line")),
        Op::AdminGetLine => on(OF_LINES, One(200, "Line")),
        Op::AdminChangeLine => on(OF_LINES, One(200, "Line")).body("AnyLineChange"),
        Op::AdminDeleteLine => on(OF_LINES, Nothing),
        Op::AdminGetLineInbound => on(OF_LINES, One(200, "LineInbound")),
        Op::AdminSetLineInbound => on(OF_LINES, One(200, "LineInbound")).body("NewLineInbound"),
        Op::AdminListUnclaimed => on(OF_MESSAGES, Page("Unclaimed")),
        Op::AdminCreatePlan => on(OF_PLANS, One(201, "Plan")).body("NewPlan"),
        Op::AdminListPlans => on(OF_PLANS, Page("Plan")),
        Op::AdminChangePlan => on(OF_PLANS, One(200, "Plan")).body("PlanChange"),
        Op::AdminGetSending => on(OF_SERVICE, One(200, "Sending")),
        Op::AdminSwitchSending => on(OF_SERVICE, One(200, "Sending")).body("NewSending"),
        Op::AdminGetUsage => on(OF_SERVICE, Page("UsageSum")).about(
            "A message counts on the day (UTC) on which it was accepted. By carrier, recipients, parts and cost are what the carrier \
             took, and under no carrier what none has taken, so that they add up to what was accepted. Messages count under no \
             carrier, and an ending under the carrier that had the recipient. The sums are some minutes old."),
        Op::AdminGetHealth => on(OF_SERVICE, One(200, "ServiceHealth")),
        Op::AdminReconcile => on(OF_SERVICE, Page("Reconciliation")),
        Op::AdminListAudit => on(OF_SERVICE, Page("AuditEntry")).about(
            "A change of an account's own data stands here a second or two after it was made. What changes nothing has no entry, \
             such as a request that is refused or repeated."),
        Op::AdminReadAuditFeed => on(OF_SERVICE, Page("AuditEntry")).about(
            "Without a `cursor` it begins with the oldest entry. `nextCursor` is always there: keep it, and ask again with it, a minute later \
             if `data` is empty. No entry is left out. One that has parts of two stores may come twice, with the same `id` and more in it."),
        Op::AdminListDeadLetters => on(OF_MESSAGES, Page("DeadLetter")),
        Op::AdminRetryDeadLetter => on(OF_MESSAGES, One(200, "DeadLetter")),
    }
}

/// The operation of a route.
pub fn operation(route: &Route, examples: &Examples) -> Value {
    let details = details(route.operation);
    let name = route.operation.name();
    let id = name[..1].to_ascii_lowercase() + &name[1..];
    let mut operation = json!({
        "operationId": id,
        "tags": [details.tag],
        "summary": route.operation.summary(),
        "security": security(route),
        "responses": responses(route, &id, &details, examples),
    });
    let of_mode = matches!(route.access, Access::Live(_)).then_some(LIVE_ONLY);
    let about: Vec<&str> = [details.about]
        .into_iter()
        .filter(|about| !about.is_empty())
        .chain(of_mode)
        .collect();
    if !about.is_empty() {
        operation["description"] = about.join(" ").into();
    }
    let mut parameters = parameters(route, &details);
    examples.fill_parameters(&id, &mut parameters);
    if !parameters.is_empty() {
        operation["parameters"] = parameters.into();
    }
    if let Some(mut body) = body(route, &details) {
        examples.fill_body(&id, &mut body["content"]);
        operation["requestBody"] = body;
    }
    operation
}

fn security(route: &Route) -> Value {
    match route.access {
        Access::Public => json!([]),
        Access::AnyKey => json!([{"key": []}]),
        Access::Scope(_) | Access::Live(_) => json!([{"key": route.scopes().map(Scope::as_str).collect::<Vec<_>>()}]),
    }
}

fn parameters(route: &Route, details: &Details) -> Vec<Value> {
    let mut parameters = parameters::of_path(route);
    parameters.extend(details.query.iter().cloned());
    parameters.extend(route.operation.query());
    if details.is_idempotent {
        parameters.push(parameter("IdempotencyKey"));
    }
    parameters.extend([parameter("AcceptLanguage"), parameter("RequestId")]);
    parameters
}

fn body(route: &Route, details: &Details) -> Option<Value> {
    let json = |is_required: bool| {
        let name = details
            .body
            .unwrap_or_else(|| panic!("nothing describes the body of {}", route.operation.name()));
        let schema = named(name).0;
        json!({"required": is_required, "content": {"application/json": {"schema": schema}}})
    };
    match route.body {
        BodyKind::None => None,
        BodyKind::Json => Some(json(true)),
        BodyKind::OptionalJson => Some(json(false)),
        BodyKind::Csv => Some(json!({
            "required": true,
            "description": "A CSV file of up to 5 MiB, in UTF-8. Columns are separated by commas, semicolons or tabs.",
            "content": {"text/csv": {"schema": {"type": "string"}}},
        })),
        BodyKind::Form if route.path.ends_with("/dlr") => Some(gateway::report_form()),
        BodyKind::Form => Some(gateway::inbound_form()),
    }
}

fn responses(route: &Route, id: &str, details: &Details, examples: &Examples) -> Value {
    let (status, done) = success(route, details, &details.answer);
    let mut own = vec![(status.to_string(), done)];
    if let OneOrPending(_, name) = details.answer {
        let mut pending = success(route, details, &One(202, name)).1;
        pending["description"] = json!("It waits for somebody. Nothing has changed yet.");
        own.push(("202".to_owned(), pending));
    }
    if let NothingOr(name) = details.answer {
        let mut cascade = success(route, details, &One(200, name)).1;
        cascade["description"] = json!("Done: all of this. There only with `cascade`.");
        own.push(("200".to_owned(), cascade));
    }
    for (status, response) in &mut own {
        examples.fill_answer(id, status, response);
    }
    let all = own.into_iter().chain(problems::of_route(route));
    Value::Object(all.collect::<Map<_, _>>())
}

fn success(route: &Route, details: &Details, answer: &Answer) -> (u16, Value) {
    let with_json = |status, schema: Schema, about: &str| {
        let content = json!({"application/json": {"schema": schema.0}});
        (status, json!({"description": about, "content": content}))
    };
    let (status, mut response) = match *answer {
        One(status, name) => {
            let about = if status == 201 { "Done: this was made." } else { "Done." };
            with_json(status, envelope(&named(name)), about)
        }
        OneOrPending(name, _) => with_json(201, envelope(&named(name)), "Done: this was made."),
        Bare(name) => with_json(200, named(name), "Done."),
        Page(name) => with_json(200, page(&named(name)), "A page of the list."),
        PageOrCsv(name) => {
            let (status, mut response) = with_json(200, page(&named(name)), "A page of the list, or the file.");
            response["content"]["text/csv"] = json!({"schema": {"type": "string"}});
            (status, response)
        }
        Sent => with_json(201, sent(&named("SentMessage")), "The message was accepted."),
        Nothing | NothingOr(_) => (204, json!({"description": "Done."})),
        Csv => {
            let content = json!({"text/csv": {"schema": {"type": "string"}}});
            (200, json!({"description": "The file.", "content": content}))
        }
        Redirect => (
            302,
            json!({"description": "The documentation, for a browser: `Accept` names `text/html`."}),
        ),
        Text => {
            let content = json!({"text/plain": {"schema": one_of(&["", "ACK/Jasmin"]).0}});
            (
                200,
                json!({"description": "Done. Jasmin gets the text that it waits for.", "content": content}),
            )
        }
    };
    let mut headers = vec!["X-Request-Id"];
    if route.access != Access::Public {
        headers.extend(["RateLimit-Policy", "RateLimit"]);
    }
    if details.is_idempotent {
        headers.push("Idempotency-Replayed");
    }
    if matches!(details.answer, Csv | PageOrCsv(_)) {
        headers.push("Content-Disposition");
    }
    if details.tag == CONSOLE && sets_cookie(&details.answer, route.operation) {
        headers.push("Set-Cookie");
    }
    if matches!(details.answer, Redirect) {
        headers.extend(["Location", "Vary"]);
    }
    response["headers"] = Value::Object(problems::headers_of(&headers));
    (status, response)
}

/// Whether an answer of the console hands a cookie over.
fn sets_cookie(answer: &Answer, operation: Op) -> bool {
    let is_session = matches!(answer, Nothing) && operation != Op::RemovePasskey;
    is_session || matches!(operation, Op::StartSignIn | Op::StartPasskey)
}
