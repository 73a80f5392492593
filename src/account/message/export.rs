//! The recipients of a message, or of a campaign, as CSV. The table is written while the recipients are read, page by page, so a long list takes no
//! more memory than a short one.

use sms::mask;

use super::read::{ListRecipients, Recipients};
use crate::account::record::message::{Page, RecipientView};
use crate::account::request::Request;
use crate::base::language::Language;
use crate::base::ports::{Platform, PortError};
use crate::base::{csv, time};
use crate::durable::ask;

/// Recipients that one call reads, at most.
pub const RECIPIENTS_A_GO: u32 = 1_000;

/// What an export asks the account's object for, page by page.
pub trait Pages: Request + Clone {
    /// Asks for the page behind this place from now on.
    fn begin_behind(&mut self, place: i64);

    /// The recipients of an answer, and behind which place the next page begins; `None`: that was all.
    fn page(&self, reply: Self::Reply) -> (Vec<RecipientView>, Option<i64>);
}

impl Pages for ListRecipients {
    fn begin_behind(&mut self, place: i64) {
        self.page.after = Some(place);
    }

    fn page(&self, reply: Recipients) -> (Vec<RecipientView>, Option<i64>) {
        let is_full = u32::try_from(reply.recipients.len()).is_ok_and(|count| count >= self.page.limit);
        let last = reply
            .recipients
            .last()
            .filter(|_| is_full)
            .map(|last| last.index.into());
        (reply.recipients, last)
    }
}

/// The first page of an export.
pub const FIRST_PAGE: Page = Page {
    limit: RECIPIENTS_A_GO,
    after: None,
};

/// An export under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecipientsExport<L> {
    account: String,
    list: L,
    language: Language,
    unit: String,
    /// What was read and not written, and behind which place there is more.
    read: Option<(Vec<RecipientView>, Option<i64>)>,
    has_begun: bool,
}

impl<L: Pages> RecipientsExport<L> {
    /// An export that begins with the answer to the first page of this list. Its titles are in this language, its prices in this currency.
    pub fn of(account: &str, list: L, language: Language, unit: &str, first: L::Reply) -> Self {
        RecipientsExport {
            account: account.to_owned(),
            read: Some(list.page(first)),
            list,
            language,
            unit: unit.to_owned(),
            has_begun: false,
        }
    }

    /// Writes the next piece of the table. Returns `None` at its end.
    ///
    /// # Errors
    /// The account's object does not answer. A table that ends too soon looks like a whole one, so the response is to break off.
    pub async fn next(&mut self, platform: &impl Platform) -> Result<Option<Vec<u8>>, PortError> {
        let Some((recipients, more)) = self.read.take() else {
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
        if let Some(place) = more {
            self.list.begin_behind(place);
            let reply = ask(platform, &self.account, None, None, &self.list).await?;
            let refused = |refusal| PortError::unavailable("account", format!("refused an export: {refusal:?}"));
            self.read = Some(self.list.page(reply.outcome.map_err(refused)?));
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
