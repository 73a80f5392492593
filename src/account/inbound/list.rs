//! Lists the messages from phones.

use serde::{Deserialize, Serialize};

use super::MAX_CHARS;
use crate::account::record::message::Page;
use crate::account::request::{ReplyResult, Request, Wakes};
use crate::account::unit_of_work::UnitOfWork;
use crate::base::ports::{MAX_INTEGER, PortError, Sql, Value};
use crate::base::record::{Columns, neighbours};
use crate::base::truncate;

/// Whether a message was taken. A mark without a line stands for all lines.
macro_rules! is_taken {
    () => {
        "(id <= coalesce((SELECT taken FROM inbound_mark WHERE inbound_mark.line = inbound.line), 0) \
          OR id <= coalesce((SELECT taken FROM inbound_mark WHERE inbound_mark.line = ''), 0))"
    };
}
pub(super) use is_taken;

/// What narrows a list of messages from phones.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct InboundFilter {
    /// Only to this line.
    pub line: Option<String>,
    /// Only from this sender.
    pub sender: Option<String>,
    /// Received at or after this time.
    pub since_ms: Option<i64>,
    /// Received before this time.
    pub until_ms: Option<i64>,
    /// Only those that were taken, or only the others.
    pub taken: Option<bool>,
}

/// Asks for a page of the messages from phones, newest first.
#[derive(Debug, Serialize, Deserialize)]
pub struct ListInbound {
    /// Which messages.
    pub filter: InboundFilter,
    /// The page.
    pub page: Page,
    /// Whether texts are whole. Otherwise long ones are cut.
    #[serde(default)]
    pub whole_texts: bool,
}

/// A message from a phone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InboundView {
    /// Its position in the list.
    pub id: i64,
    /// Its id.
    pub uid: String,
    /// The line.
    pub line: String,
    /// The sender.
    pub sender: String,
    /// The text, or its beginning.
    pub text: String,
    /// Whether the text goes on, beyond what is kept.
    #[serde(default)]
    pub is_cut: bool,
    /// Whether its sender asked for no more messages.
    #[serde(default)]
    pub opt_out: bool,
    /// When it was received, ms since the Unix epoch.
    pub received_ms: i64,
    /// Whether the account has taken it.
    #[serde(default)]
    pub taken: bool,
}

/// The columns of a view. The first parameter is the longest text, characters.
pub const COLUMNS: &str = concat!(
    "id, uid, line, sender, substr(text, 1, ?1), is_cut, opt_out, received_ms, ",
    is_taken!()
);

neighbours!(InboundView: id, uid, line, sender, text, is_cut, opt_out, received_ms, taken);

impl Request for ListInbound {
    const NAME: &'static str = "ListInbound";
    const WAKES: Wakes = Wakes::Never;
    type Reply = Vec<InboundView>;

    fn answer(&self, sql: &impl Sql, _: &mut UnitOfWork) -> ReplyResult<Vec<InboundView>> {
        let chars = if self.whole_texts {
            MAX_CHARS
        } else {
            truncate::MESSAGE_CHARS
        };
        let mut statement = format!("SELECT {COLUMNS} FROM inbound WHERE id < ?2");
        let before = self.page.after.unwrap_or(MAX_INTEGER);
        let mut params: Vec<Value> = vec![chars.into(), before.into()];
        let mut narrow = |condition, value: Option<Value>| {
            if let Some(value) = value {
                statement.push_str(condition);
                params.push(value);
            }
        };
        narrow(" AND sender = ?", self.filter.sender.as_deref().map(Value::from));
        narrow(" AND line = ?", self.filter.line.as_deref().map(Value::from));
        // Ids and times grow together. So the time becomes an id, by which each of the indexes goes on.
        narrow(
            " AND id >= (SELECT id FROM inbound WHERE received_ms >= ? ORDER BY received_ms, id LIMIT 1)",
            self.filter.since_ms.map(Value::from),
        );
        narrow(
            " AND id < coalesce((SELECT id FROM inbound WHERE received_ms >= ? ORDER BY received_ms, id LIMIT 1), 1 << 53)",
            self.filter.until_ms.map(Value::from),
        );
        narrow(
            concat!(" AND ", is_taken!(), " = ?"),
            self.filter.taken.map(Value::from),
        );
        narrow(" ORDER BY id DESC LIMIT ?", Some(self.page.limit.into()));
        let rows = sql.exec(&statement, &params)?;
        rows.iter()
            .map(InboundView::of)
            .collect::<Result<_, PortError>>()
            .map_err(Into::into)
    }
}
