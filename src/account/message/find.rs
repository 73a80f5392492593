//! Finds recipients of many messages in one call: those that the caller names, or those of messages with the caller's references.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::read::{add_texts, message_columns, message_view, view_of};
use crate::account::record::chunk::recipients;
use crate::account::record::message::MessageView;
use crate::account::request::{ReplyResult, Request, Wakes};
use crate::account::unit_of_work::UnitOfWork;
use crate::auth::Mode;
use crate::base::ports::{PortError, Sql};
use crate::durable::to_json;

/// The most recipients, or references, that one call names.
pub const MAX_NAMED: usize = 500;
/// Recipients that are told of a message that a reference names.
const OF_A_REFERENCE: u32 = 100;

/// Asks for recipients.
#[derive(Debug, Serialize, Deserialize)]
pub struct FindRecipients {
    /// Which: the message's number in its account, and the recipient's index in it.
    #[serde(default)]
    pub named: Vec<(i64, u32)>,
    /// Those of the newest message with each of these references.
    #[serde(default)]
    pub client_refs: Vec<String>,
    /// Only of messages that keys of this mode have sent.
    pub mode: Mode,
}

impl Request for FindRecipients {
    const NAME: &'static str = "FindRecipients";
    const WAKES: Wakes = Wakes::Never;
    /// The messages, each with those of its recipients that were asked for, in no order.
    type Reply = Vec<MessageView>;

    fn answer(&self, sql: &impl Sql, _: &mut UnitOfWork) -> ReplyResult<Vec<MessageView>> {
        let mut wanted: BTreeMap<i64, BTreeSet<u32>> = BTreeMap::new();
        for (message, index) in &self.named {
            wanted.entry(*message).or_default().insert(*index);
        }
        for message in by_references(sql, &self.client_refs, self.mode)? {
            wanted.entry(message).or_default().extend(0..OF_A_REFERENCE);
        }
        let mut messages = messages(sql, &wanted, self.mode)?;
        add_recipients(sql, &mut messages, &wanted)?;
        Ok(messages.into_values().collect())
    }
}

/// The numbers of the newest messages with these references.
fn by_references(sql: &impl Sql, client_refs: &[String], mode: Mode) -> Result<Vec<i64>, PortError> {
    if client_refs.is_empty() {
        return Ok(Vec::new());
    }
    let rows = sql.exec(
        "SELECT (SELECT max(m.id) FROM message m WHERE m.client_ref = p.value AND m.test = ?2) AS message \
         FROM json_each(?1) p WHERE message IS NOT NULL",
        &[to_json(&client_refs)?.into(), mode.is_test().into()],
    )?;
    rows.iter().map(|row| row.int(0)).collect()
}

fn messages(
    sql: &impl Sql,
    wanted: &BTreeMap<i64, BTreeSet<u32>>,
    mode: Mode,
) -> Result<BTreeMap<i64, MessageView>, PortError> {
    const QUERY: &str = concat!(
        "SELECT ",
        message_columns!("m.text"),
        " FROM json_each(?1) p CROSS JOIN message m ON m.id = p.value WHERE m.test = ?2"
    );
    let ids: Vec<&i64> = wanted.keys().collect();
    let rows = sql.exec(QUERY, &[to_json(&ids)?.into(), mode.is_test().into()])?;
    rows.iter()
        .map(|row| message_view(row).map(|message| (message.id, message)))
        .collect()
}

/// Reads each chunk that has one of the recipients once, whatever else it has.
fn add_recipients(
    sql: &impl Sql,
    messages: &mut BTreeMap<i64, MessageView>,
    wanted: &BTreeMap<i64, BTreeSet<u32>>,
) -> Result<(), PortError> {
    let bounds: Vec<(i64, u32, u32)> = messages
        .keys()
        .filter_map(|id| {
            let indexes = wanted.get(id)?;
            Some((*id, *indexes.first()?, *indexes.last()?))
        })
        .collect();
    let rows = sql.exec(
        "SELECT c.message, c.recipients FROM json_each(?1) p CROSS JOIN chunk c ON c.message = p.value ->> 0 \
         WHERE c.first <= p.value ->> 2 AND c.last >= p.value ->> 1",
        &[to_json(&bounds)?.into()],
    )?;
    for row in &rows {
        let id = row.int(0)?;
        let (Some(message), Some(indexes)) = (messages.get_mut(&id), wanted.get(&id)) else {
            continue;
        };
        let all = recipients::read(&row.text(1)?)?.into_iter();
        let asked = all.filter(|recipient| indexes.contains(&recipient.index));
        message.recipients.extend(asked.map(view_of));
    }
    for message in messages.values_mut() {
        let mut found = std::mem::take(&mut message.recipients);
        found.sort_by_key(|recipient| recipient.index);
        add_texts(sql, message, &mut found, usize::MAX)?;
        message.recipients = found;
    }
    Ok(())
}
