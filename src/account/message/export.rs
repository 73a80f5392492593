//! The recipients of a message as CSV. The table is written while the recipients are read, page by page, so a long list takes no
//! more memory than a short one.

use sms::mask;

use super::read::{ListRecipients, RecipientFilter, Recipients};
use crate::account::record::message::{Page, RecipientView};
use crate::auth::Mode;
use crate::base::language::Language;
use crate::base::ports::{Platform, PortError};
use crate::base::{csv, time};
use crate::durable::ask;

/// Recipients that one call reads, at most.
pub const RECIPIENTS_A_GO: u32 = 1_000;

/// An export under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecipientsExport {
    account: String,
    list: ListRecipients,
    language: Language,
    unit: String,
    /// What was read and not written.
    read: Option<Recipients>,
    has_begun: bool,
}

impl RecipientsExport {
    /// What to ask of the account's object first.
    pub fn first(uid: &str, mode: Mode, filter: RecipientFilter) -> ListRecipients {
        ListRecipients {
            uid: uid.to_owned(),
            mode: Some(mode),
            filter,
            page: Page {
                limit: RECIPIENTS_A_GO,
                after: None,
            },
            whole_texts: false,
        }
    }

    /// An export that begins with the answer to [`RecipientsExport::first`]. Its titles are in this language, its prices in this currency.
    pub fn of(account: &str, list: ListRecipients, language: Language, unit: &str, read: Recipients) -> Self {
        RecipientsExport {
            account: account.to_owned(),
            list,
            language,
            unit: unit.to_owned(),
            read: Some(read),
            has_begun: false,
        }
    }

    /// Writes the next piece of the table. Returns `None` at its end.
    ///
    /// # Errors
    /// The account's object does not answer. A table that ends too soon looks like a whole one, so the response is to break off.
    pub async fn next(&mut self, platform: &impl Platform) -> Result<Option<Vec<u8>>, PortError> {
        let Some(Recipients { recipients, .. }) = self.read.take() else {
            return Ok(None);
        };
        let mut piece = Vec::new();
        if !std::mem::replace(&mut self.has_begun, true) {
            // By this mark, spreadsheets know that the titles are UTF-8.
            piece.extend(csv::BYTE_ORDER_MARK);
            csv::write_row(&mut piece, titles(self.language));
        }
        for recipient in &recipients {
            write(&mut piece, recipient, &self.unit);
        }
        let is_full = recipients.len() >= usize::try_from(RECIPIENTS_A_GO).unwrap_or(usize::MAX);
        if let Some(last) = recipients.last().filter(|_| is_full) {
            self.list.page.after = Some(last.index.into());
            let reply = ask(platform, &self.account, None, None, &self.list).await?;
            let refused = |refusal| PortError::unavailable("account", format!("refused an export: {refusal:?}"));
            self.read = Some(reply.outcome.map_err(refused)?);
        }
        Ok(Some(piece))
    }
}

/// The titles. An import reads that of the numbers.
fn titles(language: Language) -> [&'static str; 6] {
    match language {
        Language::En => ["number", "status", "error", "cost", "unit", "updatedAt"],
        Language::Fa => ["شماره", "وضعیت", "علت", "هزینه", "واحد", "زمان"],
    }
}

/// Writes the line of a recipient. Its number is in E.164 form: a spreadsheet keeps all its digits, and an import reads it.
fn write(out: &mut Vec<u8>, recipient: &RecipientView, unit: &str) {
    let row = [
        &mask::shown(recipient.msisdn),
        recipient.status.as_str(),
        recipient.error.as_deref().unwrap_or_default(),
        &recipient.cost.to_string(),
        unit,
        &time::to_rfc3339(recipient.changed_ms),
    ];
    csv::write_row(out, row);
}
