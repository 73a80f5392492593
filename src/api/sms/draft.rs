//! From a send's body to a message with its price: patterns and phonebooks are looked up, texts filled in, every
//! recipient priced. Everything that can be decided without the account's object is decided here, for sends and for
//! estimates alike.

use super::filling::{Patterns, Personal, fill_all, look_up, personalise};
use super::parse::{Filling, Named, Order, Place, SendRequest, Text};
use super::tariff::Tariff;
use crate::account::message::{MessageKind, RecipientText};
use crate::api::context::Context;
use crate::auth::Mode;
use crate::directory::audience::{self, Audience, Member};
use crate::directory::lines::Line;
use crate::directory::profile::Profile;
use crate::fault::{Fault, FaultKind, Step};
use crate::ports::{MAX_INTEGER, Platform};
use crate::problem::Problem;
use crate::sms::msisdn::Msisdn;
use crate::sms::price::Operation;
use crate::sms::text::{Encoding, Measured, Segmentation};

/// A message, priced.
#[derive(Debug)]
pub struct Draft<'a> {
    /// Which send it came from.
    pub kind: MessageKind,
    /// The line it is sent from.
    pub line: &'a Line,
    /// The text of all, with placeholders where recipients have values of their own.
    pub text: String,
    /// `UCS2` as soon as one recipient's text is.
    pub encoding: Encoding,
    /// Parts a recipient, at most.
    pub parts: u32,
    /// Who gets it.
    pub recipients: Vec<Recipient>,
    /// The patterns it was made of, with their revisions.
    pub patterns: Vec<(String, i64)>,
    /// FaultKind it was made from, by the names that `NewMessage::sources` has for it.
    pub sources: Vec<String>,
}

/// One who gets a message.
#[derive(Debug)]
pub struct Recipient {
    /// The number.
    pub number: Msisdn,
    /// Where the body named it.
    pub place: Place,
    /// FaultKind it costs.
    pub cost: i64,
    /// FaultKind the recipient's text has of its own.
    pub text: Option<RecipientText>,
}

impl Draft<'_> {
    /// FaultKind it costs; more than any wallet holds is told as the most that one could.
    pub fn cost(&self) -> i64 {
        let sum = |sum: i64, recipient: &Recipient| sum.saturating_add(recipient.cost);
        self.recipients.iter().fold(0, sum).min(MAX_INTEGER)
    }

    fn made_of(&mut self, patterns: &Patterns) {
        for pattern in patterns.values() {
            self.patterns.push((pattern.slug.clone(), pattern.revision));
            self.sources.push(pattern_source(&pattern.slug));
        }
    }

    fn takes(&mut self, segmentation: Segmentation) {
        self.parts = self.parts.max(segmentation.parts);
        if segmentation.encoding == Encoding::Ucs2 {
            self.encoding = Encoding::Ucs2;
        }
    }
}

/// The name of a pattern among what messages are made of.
pub fn pattern_source(slug: &str) -> String {
    format!("pattern:{slug}")
}

/// The name of a phonebook among what messages are made of.
pub fn phonebook_source(id: &str) -> String {
    format!("phonebook:{id}")
}

/// Makes a draft of a request. With `fresh`, patterns are read anew, whatever the cache has.
pub async fn draft<'a, P: Platform>(
    context: &Context<'_, P>,
    profile: &'a Profile,
    request: &SendRequest,
    fresh: bool,
) -> Result<Draft<'a>, Problem> {
    let desk = Desk {
        profile,
        asked: request.source_number.as_deref(),
        path: &request.path,
        max_parts: context.app.config.max_parts,
        free: context.caller()?.mode() == Mode::Test,
    };
    let patterns = look_up(context, &request.order, fresh).await?;
    match &request.order {
        Order::Plain { text, recipients } => {
            let line = line(context, &desk, &[Operation::Webservice])?;
            let draft = empty(MessageKind::Plain, line);
            Ok(same_text(&desk, draft, text.clone(), Operation::Webservice, recipients))
        }
        Order::Pattern { filling, recipients } => {
            let line = line(context, &desk, &[Operation::Pattern])?;
            let mut texts = fill_all(&desk, line, &[filling], &patterns)?.into_iter();
            let text = texts.next().ok_or_else(unfilled)?;
            let mut draft = empty(MessageKind::Pattern, line);
            draft.made_of(&patterns);
            Ok(same_text(&desk, draft, text, Operation::Pattern, recipients))
        }
        Order::Phonebook {
            text,
            phonebooks,
            member,
            exclude,
        } => {
            let members = members(context, &desk, text, phonebooks, member, exclude).await?;
            let personal = personalise(&desk, text, &members)?;
            let line = line(context, &desk, &[Operation::Webservice])?;
            let mut draft = empty(MessageKind::Phonebook, line);
            draft.sources = phonebooks.iter().map(|id| phonebook_source(id)).collect();
            let named = members.iter().map(|each| Named {
                number: each.number,
                place: Place::Phonebook(member),
            });
            let named: Vec<Named> = named.collect();
            Ok(match personal {
                Personal::Same(text) => same_text(&desk, draft, text, Operation::Webservice, &named),
                Personal::Each(each) => {
                    draft.text.clone_from(text);
                    let texts = each
                        .into_iter()
                        .map(|(segmentation, own)| (segmentation, Operation::Webservice, own));
                    own_texts(&desk, draft, named.iter().zip(texts))
                }
            })
        }
        Order::Bulk(items) => bulk(context, &desk, items, &patterns),
    }
}

/// FaultKind all drafts are made with.
pub struct Desk<'a, 'r> {
    /// The account's plan and lines.
    pub profile: &'a Profile,
    /// The source number that the request names.
    pub asked: Option<&'r str>,
    /// Where in the body the send stands.
    pub path: &'r [Step],
    /// Parts of a message at most.
    pub max_parts: u32,
    /// From a test key: nothing costs anything.
    pub free: bool,
}

impl Desk<'_, '_> {
    /// A fault of a member of the send's body.
    pub fn member_fault(&self, member: &str, what: FaultKind) -> Fault {
        Fault::of(member, what).under(self.path)
    }
}

fn empty(kind: MessageKind, line: &Line) -> Draft<'_> {
    Draft {
        kind,
        line,
        text: String::new(),
        encoding: Encoding::Gsm7,
        parts: 1,
        recipients: Vec::new(),
        patterns: Vec::new(),
        sources: Vec::new(),
    }
}

/// The line to send from, the one asked for or the account's default, that serves all these ways of sending.
fn line<'a, P: Platform>(
    context: &Context<'_, P>,
    desk: &Desk<'a, '_>,
    operations: &[Operation],
) -> Result<&'a Line, Problem> {
    let caller = context.caller()?;
    let Some(number) = desk.asked.or(desk.profile.default_line.as_deref()) else {
        return Err(Problem::HeadNumberNotFound { number: None });
    };
    let serves = |line: &&Line| {
        line.number == number
            && operations.iter().all(|operation| line.serves(*operation))
            && caller.may_use_line(number)
    };
    desk.profile
        .lines
        .iter()
        .find(serves)
        .ok_or_else(|| Problem::HeadNumberNotFound {
            number: desk.asked.map(str::to_owned),
        })
}

async fn members<P: Platform>(
    context: &Context<'_, P>,
    desk: &Desk<'_, '_>,
    text: &str,
    ids: &[String],
    member: &'static str,
    exclude: &[Msisdn],
) -> Result<Vec<Member>, Problem> {
    let max = context.app.config.max_phonebook_recipients;
    // FaultKind could be a placeholder has a `%` on both sides.
    let with_values = text.matches('%').count() > 1;
    let account = context.caller()?.account();
    let audience = audience::audience(context.platform.db(), account, ids, exclude, max, with_values).await?;
    let fault = |what| Problem::Validation(vec![desk.member_fault(member, what)]);
    match audience {
        Audience::NotFound => Err(Problem::NotFound),
        Audience::TooMany(count) => Err(fault(FaultKind::TooManyRecipients { count, max })),
        Audience::Members(members) if members.is_empty() => Err(fault(FaultKind::NoRecipients)),
        Audience::Members(members) => Ok(members),
    }
}

fn bulk<'a, P: Platform>(
    context: &Context<'_, P>,
    desk: &Desk<'a, '_>,
    items: &[(Named, Text)],
    patterns: &Patterns,
) -> Result<Draft<'a>, Problem> {
    let has_own = items.iter().any(|(_, text)| matches!(text, Text::Own(_)));
    let operations: &[Operation] = match (has_own, patterns.is_empty()) {
        (true, true) => &[Operation::Webservice],
        (true, false) => &[Operation::Webservice, Operation::Pattern],
        (false, _) => &[Operation::Pattern],
    };
    let line = line(context, desk, operations)?;
    let fillings: Vec<&Filling> = items.iter().filter_map(|(_, text)| text.filling()).collect();
    let mut filled = fill_all(desk, line, &fillings, patterns)?.into_iter();
    let mut texts = Vec::with_capacity(items.len());
    for (named, text) in items {
        let (measured, operation) = match text {
            Text::Own(text) => (text.clone(), Operation::Webservice),
            Text::Pattern(_) => (filled.next().ok_or_else(unfilled)?, Operation::Pattern),
        };
        let Measured { text, segmentation } = measured;
        texts.push((named, (segmentation, operation, RecipientText::Whole(text))));
    }
    let mut draft = empty(MessageKind::Bulk, line);
    draft.made_of(patterns);
    Ok(own_texts(desk, draft, texts.into_iter()))
}

fn unfilled() -> Problem {
    Problem::Internal("a pattern without faults was not filled in".to_owned())
}

fn same_text<'a>(
    desk: &Desk<'a, '_>,
    mut draft: Draft<'a>,
    text: Measured,
    operation: Operation,
    recipients: &[Named],
) -> Draft<'a> {
    let Measured { text, segmentation } = text;
    draft.text = text;
    draft.takes(segmentation);
    let mut tariff = Tariff::of(desk, draft.line);
    draft.recipients = recipients
        .iter()
        .map(|named| Recipient {
            number: named.number,
            place: named.place,
            cost: tariff.cost(segmentation, operation, named.number),
            text: None,
        })
        .collect();
    draft
}

fn own_texts<'a, 'n>(
    desk: &Desk<'a, '_>,
    mut draft: Draft<'a>,
    recipients: impl Iterator<Item = (&'n Named, (Segmentation, Operation, RecipientText))>,
) -> Draft<'a> {
    let mut tariff = Tariff::of(desk, draft.line);
    for (named, (segmentation, operation, text)) in recipients {
        draft.takes(segmentation);
        draft.recipients.push(Recipient {
            number: named.number,
            place: named.place,
            cost: tariff.cost(segmentation, operation, named.number),
            text: Some(text),
        });
    }
    draft
}
