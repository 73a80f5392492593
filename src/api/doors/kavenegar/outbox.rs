//! What an account has sent, newest first.

use serde_json::{Value, json};

use super::entry::Entry;
use super::errors::Fault;
use super::{must, state};
use crate::api::doors::answer::Members;
use crate::api::doors::own::{Ask, Own};
use crate::api::doors::params::Params;
use crate::base::ports::Platform;
use crate::base::time;

/// The most entries of a call.
const MAX_ENTRIES: usize = 500;
/// Pages of our own list that a call reads, at most, of [`PAGE`] messages each.
const MAX_PAGES: usize = 20;
const PAGE: usize = 200;
/// The longest time that a call looks at, s.
const DAY_S: i64 = 86_400;

/// A time between two moments, s since the Unix epoch.
struct Span {
    from_s: i64,
    to_s: i64,
}

impl Span {
    fn read<P: Platform>(own: &Own<'_, P>, params: &Params) -> Result<Span, Fault> {
        let read = |text: &str| text.parse::<i64>().map_err(|_| Fault::of(417));
        let from_s = read(must(params, "startdate")?)?;
        let end = params.get("enddate").or_else(|| params.get("endate"));
        let to_s = end.map(read).transpose()?.filter(|to_s| *to_s > 0);
        let to_s = to_s.unwrap_or_else(|| own.now_ms().div_euclid(1_000).saturating_add(1));
        if (0..=DAY_S).contains(&to_s.saturating_sub(from_s)) && from_s >= 0 {
            Ok(Span { from_s, to_s })
        } else {
            Err(Fault::of(417))
        }
    }

    fn query(&self) -> String {
        let [from, to] = [self.from_s, self.to_s].map(|at_s| time::to_rfc3339(at_s.saturating_mul(1_000)));
        format!("&from={from}&to={to}")
    }
}

/// A walk through our own list of messages, newest first.
struct Walk {
    query: String,
    cursor: Option<String>,
    pages: usize,
}

impl Walk {
    fn of(query: String) -> Walk {
        Walk {
            query,
            cursor: None,
            pages: 0,
        }
    }

    /// The next messages; `None`: there are no more, or the walk has been long enough.
    async fn next<P: Platform>(&mut self, own: &Own<'_, P>) -> Result<Option<Vec<Value>>, Fault> {
        if self.pages >= MAX_PAGES || (self.pages > 0 && self.cursor.is_none()) {
            return Ok(None);
        }
        let cursor = self
            .cursor
            .take()
            .map_or(String::new(), |cursor| format!("&cursor={cursor}"));
        let path = format!("/messages?limit={PAGE}{}{cursor}", self.query);
        let ask = Ask {
            path: &path,
            ..Ask::default()
        };
        let (page, next) = own.page(ask).await?;
        self.cursor = next;
        self.pages = self.pages.saturating_add(1);
        Ok(Some(page))
    }
}

/// The newest entries of messages, of one line if `sender` is given.
async fn newest<P: Platform>(
    own: &Own<'_, P>,
    query: String,
    sender: Option<&str>,
    most: usize,
) -> Result<Value, Fault> {
    let mut walk = Walk::of(query);
    let mut names: Vec<String> = Vec::new();
    while names.len() < most
        && let Some(messages) = walk.next(own).await?
    {
        for message in messages
            .iter()
            .filter(|message| sender.is_none_or(|line| message.text("sourceNumber") == line))
        {
            let uid = message.text("uid");
            let count = u64::try_from(message.number("recipientCount")).unwrap_or_default();
            let room = u64::try_from(most.saturating_sub(names.len())).unwrap_or_default();
            names.extend((0..count.min(room)).map(|index| format!("{uid}.{index}")));
        }
    }
    if names.is_empty() {
        return Ok(json!([]));
    }
    let found = state::recipients(own, json!({"recipients": names})).await?;
    Ok(found.iter().map(|recipient| Entry::found(recipient).full()).collect())
}

/// `sms/latestoutbox`
pub async fn latest<P: Platform>(own: &Own<'_, P>, params: &Params) -> Result<Value, Fault> {
    let size = params.get("pagesize").map(str::parse::<usize>).transpose();
    let size = size.map_err(|_| Fault::of(422))?.unwrap_or(MAX_ENTRIES);
    newest(own, String::new(), params.get("sender"), size.clamp(1, MAX_ENTRIES)).await
}

/// `sms/selectoutbox`
pub async fn select<P: Platform>(own: &Own<'_, P>, params: &Params) -> Result<Value, Fault> {
    let span = Span::read(own, params)?;
    newest(own, span.query(), params.get("sender"), MAX_ENTRIES).await
}

/// `sms/countoutbox`: the sums over a time. If it has more messages than a call reads, the error says that it is too much.
pub async fn count<P: Platform>(own: &Own<'_, P>, params: &Params) -> Result<Value, Fault> {
    let span = Span::read(own, params)?;
    let mut walk = Walk::of(span.query());
    let (mut parts, mut recipients, mut cost) = (0_i64, 0_i64, 0_i64);
    while let Some(messages) = walk.next(own).await? {
        for message in &messages {
            let count = message.number("recipientCount");
            recipients = recipients.saturating_add(count);
            parts = parts.saturating_add(message.number("parts").saturating_mul(count));
            cost = cost.saturating_add(message.number("cost"));
        }
    }
    if walk.cursor.is_some() {
        return Err(Fault::of(414));
    }
    Ok(json!([{
        "startdate": span.from_s, "enddate": span.to_s, "sumpart": parts, "sumcount": recipients, "cost": cost,
    }]))
}
