//! What an estimate tells of alternatives to a text.

use sms::alternatives::{Change, Priced};
use sms::msisdn::Msisdn;
use sms::price::Operation;
use sms::template::{Template, is_variable_name};

use crate::answer;
use crate::api::http::json_schema::{Schema, list, one_of};
use crate::base::ports::Platform;
use crate::compose::cheapest::cheaper;
use crate::compose::composer::Composer;
use crate::compose::draft::PricedRecipient;
use crate::compose::request::{Order, SendRequest};
use crate::compose::tariff::Tariff;
use crate::compose::terms::Terms;
use crate::problem::Problem;

/// An estimate has at most so many alternatives.
pub const MOST: usize = 3;

answer! {
    /// A text that reads the same and costs less. To use it, send its `text` in place of yours.
    pub struct AlternativeData<'a>(priced: &'a Priced) as "Alternative" {
        /// The text. A reader sees the same as in yours.
        "text": priced.alternative.text, any_text() => "Your code is 1234.";
        "encoding": priced.segmentation.encoding.as_str(), encoding();
        "parts": priced.segmentation.parts, parts();
        /// The price of all recipients together.
        "cost": priced.cost, money() => 1_000;
        /// What differs from your text. `MARKS`: invisible marks and lines that stretch letters are gone. `COMPOSED`: a letter and its
        /// accent are one character. `LETTERS`: Arabic ي and ك within words of a Persian text are ی and ک. `BLANKS`: blanks at the ends of lines are gone. `LOOK_ALIKES`: quotes, dashes, spaces and dots
        /// are those of plain Latin. `DIGITS`: the digits are Latin. `NO_BREAK_SPACE`: a space does not break, so that the text is
        /// sent in UCS-2, whose parts cost less here.
        "changes": priced.alternative.changes.iter().map(|change| change.as_str()).collect::<Vec<_>>(), changes();
    }
}

fn changes() -> Schema {
    let names = Change::ALL.map(Change::as_str);
    list(one_of(&names), 1, names.len())
}

/// The alternatives to the text of a send, the cheapest first. Only a text of the request's own that all recipients get has any: the
/// client can't send another text in place of a pattern or of one with values.
pub fn of<P: Platform>(
    composer: &Composer<'_, P>,
    request: &SendRequest,
    recipients: &[PricedRecipient],
) -> Result<Vec<Priced>, Problem> {
    let Some(text) = own_text(request, recipients) else {
        return Ok(Vec::new());
    };
    let terms = Terms::of(composer, request);
    let line = terms.line(&[Operation::Webservice])?;
    if !line.cheapest {
        return Ok(Vec::new());
    }
    let text = &terms.suffixed(line, text);
    let mut tariff = Tariff::of(&terms, line);
    let numbers: Vec<Msisdn> = recipients.iter().map(|recipient| recipient.number).collect();
    let mut cheaper = cheaper(&terms, &mut tariff, text, Operation::Webservice, &numbers);
    // Without its invisible marks, a text may read like one with a placeholder.
    if let Order::Phonebook { .. } = &request.order {
        cheaper.retain(|priced| {
            Template::parse(&priced.alternative.text, is_variable_name)
                .names()
                .is_empty()
        });
    }
    Ok(cheaper)
}

fn own_text<'r>(request: &'r SendRequest, recipients: &[PricedRecipient]) -> Option<&'r str> {
    let text = match &request.order {
        Order::Plain { text, .. } => text.text.as_str(),
        Order::Phonebook { text, .. } => text,
        Order::Pattern { .. } | Order::Bulk(_) | Order::Code(_) => return None,
    };
    let is_same = recipients.iter().all(|recipient| recipient.text.is_none());
    is_same.then_some(text)
}
