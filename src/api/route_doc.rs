//! What the document says of a route beside what the service knows of it. Each row of the table has it ([`routes`](super::routes)).
//! Only programs for the host read it, so it is not compiled for the service.

use serde_json::Value;

use super::http::json_schema::Schema;

/// A group of routes.
#[derive(Debug, Clone, Copy)]
pub struct Group {
    /// Its name.
    pub name: &'static str,
    /// What it is about.
    pub about: &'static str,
}

/// What a route answers when all is well: an object in the envelope, if it is not said otherwise.
#[derive(Debug)]
#[allow(missing_docs, reason = "a name says it where there is no more to say")]
pub enum Answered {
    Found(Schema),
    Made(Schema),
    /// A repeat with its `Idempotency-Key` gets the first answer.
    MadeOnce(Schema),
    /// The same, and a message is sent with it.
    SentOnce(Schema),
    /// The same, or with 202 another object, when it waits for somebody.
    MadeOnceOrWaits(Schema, Schema),
    MadeWithCookie(Schema),
    /// 201, or 200 if it was there already.
    MadeOrThere(Schema),
    Begun(Schema),
    /// The 201 of a send, which is made once.
    Sent(Schema),
    /// An object as it is, in the form of a standard.
    Bare(Schema),
    Page(Schema),
    PageOrCsv(Schema),
    Csv,
    /// A text for a gateway.
    Text,
    /// A text in the format of Prometheus.
    Metrics,
    Done,
    DoneWithCookie,
    /// 204, or 200 and what was done with it.
    DoneOr(Schema),
    Redirect,
}

/// What the document says of a route.
#[derive(Debug)]
pub struct RouteDoc {
    /// Its group.
    pub group: Group,
    /// The lines of its comment: what it does, and after an empty line what else there is to say.
    pub lines: &'static [&'static str],
    /// The parameters of its query.
    pub query: Vec<Value>,
    /// The schema of its body, if that is JSON.
    pub body: Option<Schema>,
    /// What it answers.
    pub answer: Answered,
    /// The codes of the errors that not all routes have.
    pub errors: &'static [u16],
}

impl RouteDoc {
    /// What the route does, in one line.
    pub fn summary(&self) -> String {
        self.paragraph(0)
    }

    /// What else there is to say. It may be empty.
    pub fn description(&self) -> String {
        self.paragraph(1)
    }

    fn paragraph(&self, position: usize) -> String {
        let lines: Vec<&str> = self.lines.iter().map(|line| line.trim()).collect();
        let paragraph = lines.split(|line| line.is_empty()).nth(position);
        paragraph.unwrap_or_default().join(" ")
    }
}

/// Declares the groups, in the order of the document.
macro_rules! groups {
    ($($group:ident $name:literal $about:literal;)*) => {
        $(#[doc = $about] pub const $group: Group = Group { name: $name, about: $about };)*

        /// All groups.
        pub const GROUPS: &[Group] = &[$($group),*];
    };
}

groups! {
    SENDING "Sending" "Messages to phones, and what they would cost.";
    VERIFY "Verify" "Codes that Peyk makes, sends and checks.";
    MESSAGES "Messages" "What was sent, and what has become of it.";
    PATTERNS "Patterns" "Texts with placeholders.";
    CAMPAIGNS "Campaigns" "One message to many, in waves that can be watched and stopped.";
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
