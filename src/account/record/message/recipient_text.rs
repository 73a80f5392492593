//! Texts that only one recipient gets, and the table that keeps them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sms::template::Template;

use crate::base::ports::{PortError, Sql};
use crate::durable::to_json;

/// What a recipient's text has that the message's text has not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum RecipientText {
    /// The whole text.
    #[serde(rename = "text")]
    Whole(String),
    /// The values for the placeholders of the message's text.
    #[serde(rename = "values")]
    Values(BTreeMap<String, String>),
    /// The whole text, which has secret values.
    #[serde(rename = "secret")]
    Secret {
        /// The text.
        text: String,
        /// What stays of it.
        redacted: RedactedText,
    },
    /// What stays of a text that had secret values.
    #[serde(rename = "redacted")]
    Redacted(RedactedText),
}

/// A text whose secret values are redacted, with the form that the whole text had.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RedactedText {
    /// The text without the values.
    pub text: String,
    /// `GSM7` or `UCS2`.
    pub encoding: String,
    /// How many parts it was sent in.
    pub parts: u32,
}

impl RecipientText {
    /// Reads it from JSON, as the request and the table have it.
    pub fn parse(json: &str) -> Result<Self, PortError> {
        serde_json::from_str(json).map_err(|error| PortError::json("recipient_text", &error))
    }

    /// The text that the recipient gets.
    pub fn fill(&self, message: &str) -> String {
        match self {
            RecipientText::Whole(text) | RecipientText::Secret { text, .. } => text.clone(),
            RecipientText::Redacted(redacted) => redacted.text.clone(),
            RecipientText::Values(values) => Template::parse(message, |name| values.contains_key(name))
                .fill(|name| values.get(name).map_or("", String::as_str)),
        }
    }
}

/// Redacts the secret values of the recipients' own texts in these messages, a JSON list.
pub fn redact(sql: &impl Sql, messages: &str) -> Result<(), PortError> {
    sql.exec(
        "UPDATE recipient_text SET text = json_object('redacted', text -> '$.secret.redacted') \
         WHERE message IN (SELECT value FROM json_each(?1)) AND text -> '$.secret' IS NOT NULL",
        &[messages.into()],
    )
    .map(drop)
}

/// What the texts of these recipients have of their own, by index.
pub fn read(
    sql: &impl Sql,
    message: i64,
    indexes: impl Iterator<Item = u32>,
) -> Result<BTreeMap<u32, RecipientText>, PortError> {
    let rows = sql.exec(
        "SELECT idx, text FROM recipient_text WHERE message = ?1 AND idx IN (SELECT value FROM json_each(?2))",
        &[message.into(), to_json(&indexes.collect::<Vec<_>>())?.into()],
    )?;
    let texts = rows
        .iter()
        .map(|row| Ok((row.u32(0)?, RecipientText::parse(&row.text(1)?)?)));
    texts.collect()
}

/// Writes rows, a JSON list of lists: message, index and text.
pub fn insert(sql: &impl Sql, rows: String) -> Result<(), PortError> {
    sql.exec(
        "INSERT INTO recipient_text (message, idx, text) SELECT value ->> 0, value ->> 1, value -> 2 FROM json_each(?1)",
        &[rows.into()],
    )
    .map(drop)
}
