//! A send as a request describes it.

use std::collections::BTreeMap;

use sms::{msisdn::Msisdn, text::Measured};

use crate::account::record::message::MessageKind;
use crate::account::record::message::callback::Callback;
use crate::base::language::Language;
use crate::problem::field_error::Step;

/// The body of a send.
#[derive(Debug)]
pub struct SendRequest {
    /// The path of the send in the body: empty, except in an estimate.
    pub path: Vec<Step>,
    /// What to send, and to whom.
    pub order: Order,
    /// The line to send from. `None` means the account's default line.
    pub source_number: Option<String>,
    /// When to send, ms since the Unix epoch. `None` means at once.
    pub send_at_ms: Option<i64>,
    /// The client's own reference.
    pub client_ref: Option<String>,
    /// Who hears what becomes of the recipient.
    pub callback: Option<Callback>,
    /// Whether recipients on the blacklist are left out. Otherwise one of them refuses the send.
    pub skips_blocked: bool,
    /// Whether texts are to be sent in their cheapest form, in place of as they are.
    pub is_cheapest: bool,
}

/// What to send, and to whom.
#[derive(Debug)]
pub enum Order {
    /// One text to several numbers.
    Plain {
        /// The text.
        text: Measured,
        /// Each number once.
        recipients: Vec<NamedNumber>,
    },
    /// A pattern, filled in once, to several numbers.
    Pattern {
        /// The pattern and its values.
        pattern: FilledPattern,
        /// Each number once.
        recipients: Vec<NamedNumber>,
    },
    /// One text, filled in for each number, to phonebooks.
    Phonebook {
        /// The text, with `\n` line ends.
        text: String,
        /// The ids of the phonebooks, each once.
        phonebooks: Vec<String>,
        /// The member of the body that names the phonebooks.
        member: &'static str,
        /// The numbers that do not get the text.
        exclude: Vec<Msisdn>,
        /// Whether placeholders that no phonebook has are sent as they are.
        keeps_unknown: bool,
    },
    /// A text of its own to each number.
    Bulk(Vec<(NamedNumber, BulkText)>),
    /// A text with a code, which the account's object makes, to one number.
    Code(CodeOrder),
}

/// A text with a code, to one number.
#[derive(Debug)]
pub struct CodeOrder {
    /// The number.
    pub recipient: NamedNumber,
    /// The text.
    pub text: CodeText,
    /// What stands behind it, so that the phone fills the code in.
    pub autofill: Option<Autofill>,
    /// How many digits the code has.
    pub length: u32,
}

/// Where the text around a code comes from.
#[derive(Debug)]
pub enum CodeText {
    /// A pattern of the account's, with `%CODE%`.
    Pattern(FilledPattern),
    /// The service's own, in this language.
    BuiltIn(Language),
    /// The service's own for an invitation to the console.
    Invitation {
        /// The language.
        language: Language,
        /// The name of who invites.
        account: String,
        /// The address that the code is the end of.
        address: String,
    },
}

/// The last line of a text with a code, by which a phone knows whose code it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Autofill {
    /// The domain of a web page: `@shop.ir #123456`.
    Domain(String),
    /// The hash of an Android app.
    AppHash(String),
}

impl Order {
    /// The kind of the message that the order makes.
    pub fn kind(&self) -> MessageKind {
        match self {
            Order::Plain { .. } => MessageKind::Plain,
            Order::Pattern { .. } => MessageKind::Pattern,
            Order::Phonebook { .. } => MessageKind::Phonebook,
            Order::Bulk(_) => MessageKind::Bulk,
            Order::Code(_) => MessageKind::Verify,
        }
    }

    /// Whether it sends own texts to many: then the line's suffix belongs to them, and they keep its hours.
    pub fn is_to_many(&self) -> bool {
        match self {
            Order::Plain { recipients, .. } => recipients.len() > 1,
            Order::Phonebook { .. } => true,
            Order::Bulk(items) => items.len() > 1 && items.iter().any(|(_, text)| text.pattern().is_none()),
            Order::Pattern { .. } | Order::Code(_) => false,
        }
    }

    /// The recipients that the order names. Those of phonebooks it does not.
    pub fn named_numbers(&self) -> impl Iterator<Item = &NamedNumber> {
        let (listed, items): (&[NamedNumber], &[(NamedNumber, BulkText)]) = match self {
            Order::Plain { recipients, .. } | Order::Pattern { recipients, .. } => (recipients, &[]),
            Order::Phonebook { .. } => (&[], &[]),
            Order::Bulk(items) => (&[], items),
            Order::Code(order) => (std::slice::from_ref(&order.recipient), &[]),
        };
        listed.iter().chain(items.iter().map(|(named, _)| named))
    }

    /// The patterns of the order.
    pub fn patterns(&self) -> Vec<&FilledPattern> {
        match self {
            Order::Pattern { pattern, .. } => vec![pattern],
            Order::Bulk(items) => items.iter().filter_map(|(_, text)| text.pattern()).collect(),
            Order::Code(order) => match &order.text {
                CodeText::Pattern(pattern) => vec![pattern],
                CodeText::BuiltIn(_) | CodeText::Invitation { .. } => Vec::new(),
            },
            Order::Plain { .. } | Order::Phonebook { .. } => Vec::new(),
        }
    }
}

/// A number, and where the body names it first.
#[derive(Debug, Clone)]
pub struct NamedNumber {
    /// The number.
    pub number: Msisdn,
    /// Where the body names it.
    pub named_at: NamedAt,
}

/// Where in the body of a send a recipient is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamedAt {
    /// In `recipient`.
    Recipient,
    /// In `recipients[…]`.
    Recipients(usize),
    /// In `messages[…].recipient`.
    Messages(usize),
    /// In a phonebook. The member that names the phonebook.
    Phonebook(&'static str),
}

impl NamedAt {
    /// The path of the text of a message of a bulk, and of all others.
    pub fn message_path(self) -> Vec<Step> {
        let mut path = self.path();
        path.pop();
        path.push(Step::Name("message".to_owned()));
        path
    }

    /// The path from the root of the send.
    pub fn path(self) -> Vec<Step> {
        let name = |name: &str| Step::Name(name.to_owned());
        match self {
            NamedAt::Recipient => vec![name("recipient")],
            NamedAt::Recipients(index) => vec![name("recipients"), Step::Index(index)],
            NamedAt::Messages(index) => vec![name("messages"), Step::Index(index), name("recipient")],
            NamedAt::Phonebook(member) => vec![name(member)],
        }
    }
}

/// The text of one message of a bulk.
#[derive(Debug)]
pub enum BulkText {
    /// A text of the client's.
    Message(Measured),
    /// A pattern.
    Pattern(FilledPattern),
}

impl BulkText {
    /// The pattern, if the text is one.
    pub fn pattern(&self) -> Option<&FilledPattern> {
        match self {
            BulkText::Pattern(pattern) => Some(pattern),
            BulkText::Message(_) => None,
        }
    }
}

/// A pattern with the values for its variables.
#[derive(Debug)]
pub struct FilledPattern {
    /// The path of the object that names the pattern, from the root of the body.
    pub path: Vec<Step>,
    /// The slug of the pattern.
    pub slug: String,
    /// The values by the names of the variables, with `\n` line ends.
    pub values: BTreeMap<String, String>,
}
