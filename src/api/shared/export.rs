//! Answers whose body is made while it is written, page by page, so that a long one takes no more memory than a short one.

use crate::account::campaign::recipients::ListCampaignRecipients;
use crate::account::message::export::RecipientsExport;
use crate::account::message::read::ListRecipients;
use crate::account::wallet::export::EntriesExport;
use crate::api::http::{Response, forms::Form, forms::choice};
use crate::base::ports::{Platform, PortError};
use crate::directory::phonebook::export::Export as NumbersExport;
use crate::query;

/// The forms of a list, by the names of `format`.
const FORMATS: [&str; 2] = ["json", "csv"];

query! {
    /// In which form a list is to be answered.
    pub struct ListForm {
        /// `csv` answers the list as a file.
        format: Option<&'static str> = can "format" choice(&FORMATS, |name| name).described(|format| format.with("default", "json"));
    }
}

impl ListForm {
    /// Whether a file is asked for.
    pub fn is_csv(&self) -> bool {
        self.format == Some("csv")
    }
}

/// What the service answers: a response, and what writes its body if that is a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The response.
    pub response: Response,
    /// What writes the body. The response has none of it.
    pub export: Option<Export>,
}

impl From<Response> for Answer {
    fn from(response: Response) -> Self {
        Answer { response, export: None }
    }
}

/// A table that is written as CSV while it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Export {
    /// The numbers of a phonebook.
    Numbers(Box<NumbersExport>),
    /// The entries of a ledger.
    Entries(Box<EntriesExport>),
    /// The recipients of a message.
    Recipients(Box<RecipientsExport<ListRecipients>>),
    /// The people of a campaign.
    CampaignRecipients(Box<RecipientsExport<ListCampaignRecipients>>),
}

impl Export {
    /// The answer that sends the table as a file of this name.
    pub fn answer(self, file: &str) -> Answer {
        let disposition = format!("attachment; filename=\"{file}\"");
        Answer {
            response: Response {
                status: 200,
                content_type: "text/csv; charset=utf-8",
                headers: vec![("Content-Disposition", disposition)],
                body: String::new(),
            },
            export: Some(self),
        }
    }

    /// The next piece of the table. Returns `None` at its end.
    ///
    /// # Errors
    /// The rest can't be made. The response is to break off, so that the client notices it.
    pub async fn next(&mut self, platform: &impl Platform) -> Result<Option<Vec<u8>>, PortError> {
        match self {
            Export::Numbers(export) => export.next(platform.db()).await,
            Export::Entries(export) => export.next(platform).await,
            Export::Recipients(export) => export.next(platform).await,
            Export::CampaignRecipients(export) => export.next(platform).await,
        }
    }
}
