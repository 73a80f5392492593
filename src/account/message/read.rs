//! A message and its recipients as the account's owner reads them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sms::text;

use crate::account::record::chunk::recipients::Recipient;
use crate::account::record::message::delivery_error::DeliveryError;
use crate::account::record::message::recipient_text::RecipientText;
use crate::account::record::message::row::Halt;
use crate::account::record::message::status::{MessageStatus, Money, RecipientStatus};
use crate::account::record::message::{
    Cheapest, MessageKind, MessageView, OwnText, Page, RecipientView, Spending, first_status, recipient_text,
    simulation,
};
use crate::account::request::{ReplyResult, Request, Wakes};
use crate::account::{refusal::Refusal, unit_of_work::UnitOfWork};
use crate::auth::Mode;
use crate::base::id;
use crate::base::named::Named;
use crate::base::ports::{PortError, Row, Sql};
use crate::base::truncate::{self, Excerpt};

/// Recipients that a message is told with.
const FIRST_RECIPIENTS: u32 = 100;

/// The columns of `message m` of which [`message_view`] makes a message, with this column or beginning of it for its text.
macro_rules! message_columns {
    ($text:literal) => {
        concat!(
            "m.id, m.uid, m.kind, m.halt, (SELECT s.progress FROM message_progress s WHERE s.message = m.id), m.test, m.line, ",
            $text,
            ", m.encoding, m.parts, m.cost, m.unit, m.client_ref, m.send_at_ms, m.opens_ms, m.created_ms, m.total, m.skipped, \
             (SELECT g.uid FROM campaign g WHERE g.id = m.campaign)"
        )
    };
}
pub(super) use message_columns;

/// Reads the columns of `message_columns!`.
pub fn message_view(row: &Row) -> Result<MessageView, PortError> {
    let mut row = row.reader();
    let (id, uid, kind, halt): (_, _, _, Option<Halt>) = row.read()?;
    let (status, delivered, failed): (Named<MessageStatus>, u32, u32) = row.json("progress")?;
    let view = MessageView {
        id,
        uid,
        kind,
        status,
        delivered,
        failed,
        test: row.read()?,
        line: row.read()?,
        text: row.read()?,
        encoding: row.read()?,
        parts: row.read()?,
        cost: row.read()?,
        unit: row.read()?,
        client_ref: row.read()?,
        send_at_ms: row.read()?,
        opens_ms: row.read()?,
        created_ms: row.read()?,
        total: row.read()?,
        skipped: row.read()?,
        paused: halt == Some(Halt::Paused),
        campaign: row.read()?,
        simulated: false,
        money: Spending::default(),
        counts: BTreeMap::new(),
        recipients: Vec::new(),
        cheapest: None,
    };
    let is_over = matches!(view.status.known(), Some(MessageStatus::Done | MessageStatus::Canceled));
    Ok(MessageView {
        paused: view.paused && !is_over,
        opens_ms: view.opens_ms.filter(|_| !is_over && halt != Some(Halt::Canceled)),
        ..view
    })
}

fn find(sql: &impl Sql, id: i64) -> Result<Option<MessageView>, PortError> {
    const QUERY: &str = concat!("SELECT ", message_columns!("m.text"), " FROM message m WHERE m.id = ?1");
    let rows = sql.exec(QUERY, &[id.into()])?;
    rows.first().map(message_view).transpose()
}

/// The message of this uid, if it is one of this mode. A key of the other mode does not see it.
fn find_by_uid(sql: &impl Sql, uid: &str, mode: Option<Mode>) -> Result<Option<MessageView>, PortError> {
    let message = id::number_of(uid).map(|id| find(sql, id)).transpose()?;
    let is_seen = |message: &MessageView| mode.is_none_or(|mode| message.test == (mode == Mode::Test));
    Ok(message
        .flatten()
        .filter(|message| message.uid == uid && is_seen(message)))
}

/// Asks for a message.
#[derive(Debug, Serialize, Deserialize)]
pub struct GetMessage {
    /// Its uid.
    pub uid: String,
    /// Only if a key of this mode has sent it; `None`: whichever.
    pub mode: Option<Mode>,
    /// The names of the carriers that only simulate.
    #[serde(default)]
    pub sandboxes: Vec<String>,
}

impl Request for GetMessage {
    const NAME: &'static str = "GetMessage";
    const WAKES: Wakes = Wakes::Never;
    /// The message with its counts and first recipients.
    type Reply = Box<MessageView>;

    fn answer(&self, sql: &impl Sql, _: &mut UnitOfWork) -> ReplyResult<Box<MessageView>> {
        let mut message = message(sql, &self.uid, self.mode)?;
        simulation::mark(sql, std::slice::from_mut(&mut *message), &self.sandboxes)?;
        Ok(message)
    }
}

/// One message with its counts by status and its first recipients.
pub fn message(sql: &impl Sql, uid: &str, mode: Option<Mode>) -> ReplyResult<Box<MessageView>> {
    let mut message = find_by_uid(sql, uid, mode)?.ok_or(Refusal::NotFound)?;
    let groups = sql.exec(
        "SELECT status, money, count(*), sum(cost) FROM recipient WHERE message = ?1 GROUP BY status, money",
        &[message.id.into()],
    )?;
    for group in &groups {
        let mut group = group.reader();
        let status: RecipientStatus = group.read()?;
        let (money, count, cost): (Money, u32, i64) = group.read()?;
        message.money.add(money, cost);
        *message.counts.entry(status.into()).or_default() += count;
    }
    let page = Page {
        limit: FIRST_RECIPIENTS,
        after: None,
    };
    let mut recipients = recipients_of(sql, message.id, &RecipientFilter::default(), page)?;
    add_texts(sql, &message, &mut recipients, usize::MAX)?;
    message.recipients = recipients;
    Ok(Box::new(message))
}

/// A message as the API answered it when it was accepted, with all its recipients.
pub fn as_accepted(sql: &impl Sql, id: i64) -> Result<MessageView, PortError> {
    let mut message = find(sql, id)?.ok_or(PortError::failed("sql", "a remembered message is gone"))?;
    let opens_ms = sql.number("SELECT opens_ms FROM message WHERE id = ?1", &[id.into()])?;
    let (message_status, recipient_status) = first_status(message.send_at_ms);
    let page = Page {
        limit: message.total,
        after: None,
    };
    message.status = message_status.into();
    // What was accepted in the hours of its line may have come to wait for the next ones.
    message.opens_ms = opens_ms.filter(|opens_ms| message.send_at_ms == Some(*opens_ms));
    message.recipients = recipients_of(sql, id, &RecipientFilter::default(), page)?;
    for recipient in &mut message.recipients {
        recipient.status = recipient_status.into();
    }
    message.cheapest = cheapest(sql, id)?;
    Ok(message)
}

fn cheapest(sql: &impl Sql, id: i64) -> Result<Option<Cheapest>, PortError> {
    let rows = sql.exec(
        "SELECT saved, iif(EXISTS (SELECT 1 FROM recipient_text WHERE message = ?1), NULL, coalesce(redacted, text)) \
         FROM message WHERE id = ?1 AND saved IS NOT NULL",
        &[id.into()],
    )?;
    let cheapest = rows.first().map(|row| {
        Ok(Cheapest {
            saved: row.int(0)?,
            text: row.opt_text(1)?,
        })
    });
    cheapest.transpose()
}

/// A page of the recipients of a message, without the texts that they have of their own.
pub(in crate::account) fn recipients_of(
    sql: &impl Sql,
    message: i64,
    wanted: &RecipientFilter,
    page: Page,
) -> Result<Vec<RecipientView>, PortError> {
    let rows = sql.exec(
        "SELECT idx, msisdn, status, cost, changed_ms, carrier, error, error_code FROM recipient \
         WHERE message = ?1 AND idx > ?2 AND (?3 IS NULL OR status = ?3) AND (?4 IS NULL OR msisdn = ?4) \
           AND (?5 IS NULL OR error = ?5) ORDER BY idx LIMIT ?6",
        &[
            message.into(),
            page.after.unwrap_or(-1).into(),
            wanted.status.map(RecipientStatus::code).into(),
            wanted.msisdn.and_then(|msisdn| i64::try_from(msisdn).ok()).into(),
            wanted.error.map(DeliveryError::as_str).into(),
            page.limit.into(),
        ],
    )?;
    rows.iter()
        .map(|row| {
            let mut row = row.reader();
            Ok(RecipientView {
                index: row.read()?,
                msisdn: row.read()?,
                status: row.read::<RecipientStatus>()?.into(),
                cost: row.read()?,
                changed_ms: row.read()?,
                text: None,
                carrier: row.read()?,
                error: row.read()?,
                error_code: row.read()?,
            })
        })
        .collect()
}

/// What a recipient of a chunk is told as.
pub(super) fn view_of(recipient: Recipient) -> RecipientView {
    RecipientView {
        index: recipient.index,
        msisdn: recipient.msisdn,
        status: recipient.status.into(),
        cost: recipient.cost,
        changed_ms: recipient.changed_ms,
        text: None,
        carrier: recipient.carrier,
        error: recipient.error,
        error_code: recipient.error_code,
    }
}

/// Adds the texts that recipients have of their own, each with at most `max_bytes` as JSON.
pub(super) fn add_texts(
    sql: &impl Sql,
    message: &MessageView,
    recipients: &mut [RecipientView],
    max_bytes: usize,
) -> Result<(), PortError> {
    if !message.kind.known().is_some_and(MessageKind::has_recipient_texts) {
        return Ok(());
    }
    let indexes = recipients.iter().map(|recipient| recipient.index);
    let texts = recipient_text::read(sql, message.id, indexes)?;
    for recipient in recipients {
        let text = texts.get(&recipient.index);
        recipient.text = text.map(|text| own_text(text, &message.text, max_bytes));
    }
    Ok(())
}

fn own_text(own: &RecipientText, message: &str, max_bytes: usize) -> OwnText {
    let text = own.fill(message);
    let beginning = Excerpt::of(&text, max_bytes);
    let (encoding, parts) = match own {
        RecipientText::Redacted(redacted) => (redacted.encoding.clone(), redacted.parts),
        _ => {
            let segmentation = text::segment(&text);
            (segmentation.encoding.as_str().to_owned(), segmentation.parts)
        }
    };
    OwnText {
        text: beginning.text.to_owned(),
        is_cut: beginning.is_cut,
        encoding,
        parts,
    }
}

/// Which recipients of a message are asked for: those that have all of what is set.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RecipientFilter {
    /// Their status.
    pub status: Option<RecipientStatus>,
    /// Their number.
    pub msisdn: Option<u64>,
    /// Why they did not get the message.
    pub error: Option<DeliveryError>,
}

/// Asks for a page of one message's recipients, in the order in which the request named them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListRecipients {
    /// The message.
    pub uid: String,
    /// Only if a key of this mode has sent it; `None`: whichever.
    pub mode: Option<Mode>,
    /// Only these.
    #[serde(default)]
    pub filter: RecipientFilter,
    /// The page.
    pub page: Page,
    /// Whether to tell whole texts. Otherwise long ones are cut.
    #[serde(default)]
    pub whole_texts: bool,
}

/// Recipients of one message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipients {
    /// The message.
    pub uid: String,
    /// Its recipients.
    pub recipients: Vec<RecipientView>,
}

impl Request for ListRecipients {
    const NAME: &'static str = "ListRecipients";
    const WAKES: Wakes = Wakes::Never;
    type Reply = Recipients;

    fn answer(&self, sql: &impl Sql, _: &mut UnitOfWork) -> ReplyResult<Recipients> {
        let message = find_by_uid(sql, &self.uid, self.mode)?.ok_or(Refusal::NotFound)?;
        let mut recipients = recipients_of(sql, message.id, &self.filter, self.page)?;
        let max_bytes = if self.whole_texts {
            usize::MAX
        } else {
            truncate::MESSAGE_BYTES
        };
        add_texts(sql, &message, &mut recipients, max_bytes)?;
        Ok(Recipients {
            uid: message.uid,
            recipients,
        })
    }
}
