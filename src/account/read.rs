//! What the object tells: messages, recipients, the ledger. Lists go newest first by number, and a page begins after
//! the last number of the page before, so inserts in between neither repeat nor hide an item.

use std::collections::BTreeMap;

use super::command::{Answer, EntryView, MessageFilter, MessageKind, MessageView, Page, RecipientView, Refusal};
use super::decide::Outcome;
use super::ledger::EntryKind;
use super::progress;
use super::status::{MessageStatus, RecipientStatus};
use crate::ports::{PortError, Row, Sql, Value};

/// Recipients told with their message.
const FIRST_RECIPIENTS: u32 = 100;

const MESSAGE: &str = "id, uid, kind, status, test, line, text, encoding, parts, cost, unit, client_ref, send_at_ms, \
                       created_ms, total";

fn shape(column: usize, expected: &'static str) -> PortError {
    PortError::Shape { column, expected }
}

fn message_view(row: &Row) -> Result<MessageView, PortError> {
    Ok(MessageView {
        id: row.int(0)?,
        uid: row.text(1)?,
        kind: MessageKind::parse(&row.text(2)?).ok_or(shape(2, "a kind of message"))?,
        status: MessageStatus::parse(&row.text(3)?).ok_or(shape(3, "a message's status"))?,
        test: row.bool(4)?,
        line: row.text(5)?,
        text: row.text(6)?,
        encoding: row.text(7)?,
        parts: row.u32(8)?,
        cost: row.int(9)?,
        unit: row.text(10)?,
        client_ref: row.opt_text(11)?,
        send_at_ms: row.opt_int(12)?,
        created_ms: row.int(13)?,
        total: row.u32(14)?,
        counts: BTreeMap::new(),
        recipients: Vec::new(),
    })
}

/// A page of messages, newest first.
pub fn messages(sql: &impl Sql, filter: &MessageFilter, page: Page) -> Outcome {
    let mut conditions: Vec<&str> = Vec::new();
    let mut params: Vec<Value> = Vec::new();
    let mut narrow = |condition: &'static str, value: Option<Value>| {
        if let Some(value) = value {
            conditions.push(condition);
            params.push(value);
        }
    };
    narrow("id < ?", page.after.map(Value::from));
    narrow("status = ?", filter.status.map(|status| status.as_str().into()));
    narrow("kind = ?", filter.kind.map(|kind| kind.as_str().into()));
    narrow("created_ms >= ?", filter.from_ms.map(Value::from));
    narrow("created_ms < ?", filter.to_ms.map(Value::from));
    narrow("client_ref = ?", filter.client_ref.as_deref().map(Value::from));
    let msisdn = filter.msisdn.and_then(|msisdn| i64::try_from(msisdn).ok());
    narrow(
        "id IN (SELECT message FROM recipient WHERE msisdn = ?)",
        msisdn.map(Value::from),
    );
    let condition = match conditions.is_empty() {
        true => "1".to_owned(),
        false => conditions.join(" AND "),
    };
    params.push(page.limit.into());
    let rows = sql.exec(
        &format!("SELECT {MESSAGE} FROM message WHERE {condition} ORDER BY id DESC LIMIT ?"),
        &params,
    )?;
    let messages = rows.iter().map(message_view).collect::<Result<_, _>>()?;
    Ok(Ok(Answer::Messages(messages)))
}

fn find(sql: &impl Sql, column: &str, value: Value) -> Result<Option<MessageView>, PortError> {
    let rows = sql.exec(&format!("SELECT {MESSAGE} FROM message WHERE {column} = ?1"), &[value])?;
    rows.first().map(message_view).transpose()
}

/// One message with its counts by status and its first recipients.
pub fn message(sql: &impl Sql, uid: &str) -> Outcome {
    let Some(mut message) = find(sql, "uid", uid.into())? else {
        return Ok(Err(Refusal::NotFound));
    };
    let groups = sql.exec(
        "SELECT status, count(*) FROM recipient WHERE message = ?1 GROUP BY status",
        &[message.id.into()],
    )?;
    for group in &groups {
        message.counts.insert(status(group, 0)?, group.u32(1)?);
    }
    let page = Page {
        limit: FIRST_RECIPIENTS,
        after: None,
    };
    let mut recipients = recipients_of(sql, message.id, None, page)?;
    add_own_texts(sql, &message, &mut recipients)?;
    message.recipients = recipients;
    Ok(Ok(Answer::Message(Box::new(message))))
}

/// A message as it was told when it was accepted, with all its recipients.
pub fn as_accepted(sql: &impl Sql, id: i64) -> Result<MessageView, PortError> {
    let mut message = find(sql, "id", id.into())?.ok_or(PortError::failed("sql", "a remembered message is gone"))?;
    let (message_status, recipient_status) = match message.send_at_ms {
        Some(_) => (MessageStatus::Scheduled, RecipientStatus::Scheduled),
        None => (MessageStatus::Queued, RecipientStatus::Queued),
    };
    let page = Page {
        limit: message.total,
        after: None,
    };
    message.status = message_status;
    message.recipients = recipients_of(sql, id, None, page)?;
    for recipient in &mut message.recipients {
        recipient.status = recipient_status;
    }
    Ok(message)
}

fn status(row: &Row, column: usize) -> Result<RecipientStatus, PortError> {
    RecipientStatus::from_code(row.int(column)?).ok_or(shape(column, "a recipient's status"))
}

fn recipients_of(
    sql: &impl Sql,
    message: i64,
    wanted: Option<RecipientStatus>,
    page: Page,
) -> Result<Vec<RecipientView>, PortError> {
    let rows = sql.exec(
        "SELECT idx, msisdn, status, cost, changed_ms FROM recipient \
         WHERE message = ?1 AND idx > ?2 AND (?3 IS NULL OR status = ?3) ORDER BY idx LIMIT ?4",
        &[
            message.into(),
            page.after.unwrap_or(-1).into(),
            wanted.map(RecipientStatus::code).into(),
            page.limit.into(),
        ],
    )?;
    rows.iter()
        .map(|row| {
            Ok(RecipientView {
                index: row.u32(0)?,
                msisdn: u64::try_from(row.int(1)?).map_err(|_| shape(1, "a phone number"))?,
                status: status(row, 2)?,
                cost: row.int(3)?,
                changed_ms: row.int(4)?,
                text: None,
            })
        })
        .collect()
}

/// Tells each recipient its own text, where the message's recipients have one.
fn add_own_texts(sql: &impl Sql, message: &MessageView, recipients: &mut [RecipientView]) -> Result<(), PortError> {
    if !message.kind.has_own_texts() {
        return Ok(());
    }
    let indexes = recipients.iter().map(|recipient| recipient.index);
    let own = progress::own_texts(sql, message.id, indexes)?;
    for recipient in recipients {
        recipient.text = own.get(&recipient.index).map(|own| own.text(&message.text));
    }
    Ok(())
}

/// A page of one message's recipients, in the order in which they were given.
pub fn recipients(sql: &impl Sql, uid: &str, wanted: Option<RecipientStatus>, page: Page) -> Outcome {
    let Some(message) = find(sql, "uid", uid.into())? else {
        return Ok(Err(Refusal::NotFound));
    };
    let mut recipients = recipients_of(sql, message.id, wanted, page)?;
    add_own_texts(sql, &message, &mut recipients)?;
    Ok(Ok(Answer::Recipients(message.uid, recipients)))
}

/// A page of the ledger, newest first.
pub fn transactions(sql: &impl Sql, page: Page) -> Outcome {
    let rows = sql.exec(
        "SELECT l.seq, l.kind, l.amount, l.available, l.locked, m.uid, l.note, l.at_ms FROM ledger l \
         LEFT JOIN message m ON m.id = l.message WHERE ?1 IS NULL OR l.seq < ?1 ORDER BY l.seq DESC LIMIT ?2",
        &[page.after.into(), page.limit.into()],
    )?;
    let entries = rows
        .iter()
        .map(|row| {
            Ok(EntryView {
                seq: row.int(0)?,
                kind: EntryKind::parse(&row.text(1)?).ok_or(shape(1, "a kind of entry"))?,
                amount: row.int(2)?,
                available: row.int(3)?,
                locked: row.int(4)?,
                message_uid: row.opt_text(5)?,
                note: row.opt_text(6)?,
                at_ms: row.int(7)?,
            })
        })
        .collect::<Result<_, PortError>>()?;
    Ok(Ok(Answer::Transactions(entries)))
}
