//! The audit log, below everything that writes it: what an entry says, and the rows that wait in an object for the directory.
//!
//! The invariant: a change has exactly one entry, and what changes nothing has none. An entry is written in the transaction of
//! its change, if the thing differs afterwards: in D1 together with the change (`directory/audit.rs`), in an object into the
//! table `audit`, whose rows a chore brings to D1. The id of an entry is made once for a request of the API, so that a row
//! that is brought twice stands there once. A request that changes things in two stores has a *part* in each; readers see them
//! as one entry. *A crash between the two* leaves the parts of what was changed. *While the directory does not answer*, rows
//! wait; when too many do, a change is not made, because its entry would have no place.
//!
//! The log is kept for years in the database that all customers share. So an entry is small: long texts and lists that a
//! customer has brought stand in it as counts, with a keyed digest, and no number of a recipient ever does. And a customer may
//! write only so many bytes a day (`account/audit_budget.rs`).

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::base::named::named;
use crate::base::ports::{PortError, Sql};

/// What is shown of a thing that operators have changed takes at most this many bytes as JSON; of more, only the beginning is
/// kept.
pub const MAX_BYTES: usize = 8 * 1024;
/// The same of a thing that a customer has changed.
pub const MAX_CUSTOMER_BYTES: usize = 2 * 1024;
/// Of a longer text that a customer has brought, only the count of its characters is kept.
pub const LONG_TEXT: usize = 256;
/// Of a longer list, only the count of its items.
pub const LONG_LIST: usize = 20;
/// What an entry takes beside its two states, at most: the ids, and the entries in the indexes of the log.
pub const ENTRY_BYTES: usize = 1_024;
/// The member of an entry's `after` with the keyed digest.
const DIGEST: &str = "digest";
/// The part of an entry that says that operators were shown data.
pub const READ: &str = "read";
/// Rows that a chore brings to the directory in one go.
const A_GO: i64 = 50;
/// Rows that wait for the directory at most. The changes that operators make have as much room again.
pub const MAX_WAITING: i64 = 10_000;

/// The table of an object with the rows that the directory does not have yet.
pub const TABLE: &str = "CREATE TABLE audit (
        seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
        at_ms INTEGER NOT NULL,
        entry TEXT NOT NULL
    ) STRICT";

named! {
    /// A kind of things that requests change.
    pub enum Thing {
        /// An account: its data, its status, its switch, its limit, its money.
        Account => "account",
        /// The blacklist of an account.
        Blacklist => "blacklist",
        /// A campaign.
        Campaign => "campaign",
        /// A carrier.
        Carrier => "carrier",
        /// A credit that waits for a second operator.
        Credit => "credit",
        /// A chunk that waits for an operator, by its dead letter.
        DeadLetter => "deadLetter",
        /// An order to erase a number.
        Erasure => "erasure",
        /// Objects that stand still while the service moves, of one store.
        Frozen => "frozen",
        /// Messages from phones, to a line or to any.
        Inbound => "inbound",
        /// A key of an account, or of the operators.
        Key => "key",
        /// A line, and which accounts may use it.
        Line => "line",
        /// Where messages from phones to a line go.
        LineInbound => "lineInbound",
        /// A person who signs in to the console by phone.
        Member => "member",
        /// A message.
        Message => "message",
        /// A passkey of a member.
        Passkey => "passkey",
        /// A pattern with its versions.
        Pattern => "pattern",
        /// A phonebook, without its numbers.
        Phonebook => "phonebook",
        /// A plan.
        Plan => "plan",
        /// A restore of an account's object.
        Restore => "restore",
        /// The switch for all accounts.
        Sending => "sending",
        /// The move of the service to another one, or from another one.
        Transfer => "transfer",
        /// An endpoint for events.
        Webhook => "webhook",
    }
}

/// Who asks for a change, and of what. It travels with the call that makes the change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// The id of the entry, the same for all parts of a request.
    pub id: String,
    /// When the request came, ms since the Unix epoch.
    pub at_ms: i64,
    /// The account of the key that asked; `operator` for the operators.
    pub actor: String,
    /// The id of that key.
    pub key: String,
    /// The account that the thing belongs to. Some things belong to none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<String>,
    /// The name of the route.
    pub operation: String,
    /// The name of the [`Thing`].
    pub thing: String,
    /// The thing's id, if the request names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The id of the request.
    pub request: String,
    /// The address of the client, if the platform tells it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// The keyed digest of what the request brings and the log leaves out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// The bytes that the actor may write into the log in a day. `None`: an operator, who is never refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes_a_day: Option<i64>,
}

/// A thing that an object is about to change, or has changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Subject {
    /// Its id, if the address of the request does not have it.
    pub name: Option<String>,
    /// How it is. `None`: there is no such thing.
    pub state: Option<Value>,
    /// What a reader learns only from the change, such as the words that came with it.
    pub remark: Option<Value>,
}

impl Subject {
    /// A thing that the address of the request names.
    pub fn of(state: Option<Value>) -> Self {
        Subject {
            state,
            ..Subject::default()
        }
    }

    /// A thing with this id.
    pub fn named(name: &str, state: Option<Value>) -> Self {
        Subject {
            name: Some(name.to_owned()),
            ..Subject::of(state)
        }
    }
}

/// A part of an entry, as an object keeps it for the directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Which part of the entry: the name of the request to the object.
    pub part: String,
    /// Who has asked for what.
    pub note: Note,
    /// How the thing was. Left out: there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Value>,
    /// How it is now. Left out: it is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Value>,
}

/// How many characters are kept of a state that takes more than so many bytes. A character takes up to four bytes, and the members
/// around them take some more.
pub const fn beginning_of(max_bytes: usize) -> usize {
    (max_bytes / 4).saturating_sub(32)
}

/// Cuts a state that is too long to be kept.
fn bounded(state: Value, max_bytes: usize) -> Value {
    let text = state.to_string();
    if text.len() <= max_bytes {
        return state;
    }
    let beginning: String = text.chars().take(beginning_of(max_bytes)).collect();
    json!({"truncated": true, "beginning": beginning})
}

/// A state with counts in place of the long texts and lists among its members.
fn brief(state: Value) -> Value {
    let Value::Object(members) = state else {
        return state;
    };
    let shorten = |value: Value| match &value {
        Value::String(text) => match text.chars().count() {
            characters if characters > LONG_TEXT => json!({"characters": characters}),
            _ => value,
        },
        Value::Array(items) if items.len() > LONG_LIST => json!({"count": items.len()}),
        _ => value,
    };
    Value::Object(
        members
            .into_iter()
            .map(|(name, value)| (name, shorten(value)))
            .collect(),
    )
}

impl Note {
    /// How a state is shown in the entry.
    pub fn shown(&self, state: Value) -> Value {
        match self.bytes_a_day {
            Some(_) => bounded(brief(state), MAX_CUSTOMER_BYTES),
            None => bounded(state, MAX_BYTES),
        }
    }
}

/// Notes a change in the transaction that makes it, if the thing differs. Returns how many bytes the entry takes in the log, 0
/// if there is none.
pub fn note(
    sql: &impl Sql,
    now_ms: i64,
    note: &Note,
    part: &str,
    before: Option<Subject>,
    after: Option<Subject>,
) -> Result<usize, PortError> {
    let (Some(before), Some(after)) = (before, after) else {
        return Ok(0);
    };
    if before.state == after.state {
        return Ok(0);
    }
    if waiting(sql)? >= room_for(note) {
        return Err(PortError::unavailable(
            "audit",
            "too many entries wait for the directory",
        ));
    }
    let digest = note.digest.as_ref().map(|digest| json!({DIGEST: digest}));
    let shown = remarked(after.state, after.remark).map(|state| note.shown(state));
    let entry = Part {
        part: part.to_owned(),
        before: before.state.map(|state| note.shown(state)),
        after: remarked(shown, digest),
        note: Note {
            name: after.name.or(before.name).or_else(|| note.name.clone()),
            digest: None,
            bytes_a_day: None,
            ..note.clone()
        },
    };
    let states = [&entry.before, &entry.after].into_iter().flatten();
    let bytes = states
        .map(|state| state.to_string().len())
        .sum::<usize>()
        .saturating_add(ENTRY_BYTES);
    let entry = serde_json::to_string(&entry).map_err(|error| PortError::json("audit", &error))?;
    sql.exec(
        "INSERT INTO audit (at_ms, entry) VALUES (?1, ?2)",
        &[now_ms.into(), entry.into()],
    )?;
    Ok(bytes)
}

/// How many rows wait. Only the oldest are ever forgotten, so their numbers have no gaps.
fn waiting(sql: &impl Sql) -> Result<i64, PortError> {
    Ok(sql
        .number(
            "SELECT coalesce((SELECT seq FROM audit ORDER BY seq DESC LIMIT 1) \
                       - (SELECT seq FROM audit ORDER BY seq LIMIT 1) + 1, 0)",
            &[],
        )?
        .unwrap_or(0))
}

/// How many rows may wait before a change. An account that has used up its room keeps no operator from ending its keys.
fn room_for(note: &Note) -> i64 {
    if note.bytes_a_day.is_some() {
        MAX_WAITING
    } else {
        MAX_WAITING.saturating_mul(2)
    }
}

/// A state with the members of a remark.
fn remarked(state: Option<Value>, remark: Option<Value>) -> Option<Value> {
    let mut state = state;
    if let (Some(Value::Object(members)), Some(Value::Object(more))) = (&mut state, remark) {
        members.extend(more);
    }
    state
}

/// The oldest rows that the directory does not have, as a JSON list of [`Part`]s, and the number of the last one.
pub fn oldest(sql: &impl Sql) -> Result<Option<(i64, String)>, PortError> {
    let rows = sql.exec(
        "SELECT max(seq), json_group_array(json(entry)) FROM (SELECT seq, entry FROM audit ORDER BY seq LIMIT ?1)",
        &[A_GO.into()],
    )?;
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    let entries = row.text(1)?;
    Ok(row.opt_int(0)?.map(|last| (last, entries)))
}

/// Forgets rows up to this one: the directory has them.
pub fn forget(sql: &impl Sql, last: i64) -> Result<(), PortError> {
    sql.exec("DELETE FROM audit WHERE seq <= ?1", &[last.into()]).map(drop)
}

/// When the directory is to be told: as soon as there is a row.
pub fn due_ms(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    sql.number("SELECT at_ms FROM audit ORDER BY seq LIMIT 1", &[])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_that_is_too_long_is_cut_between_characters() {
        let short = json!({"a": "b"});
        assert_eq!(bounded(short.clone(), MAX_BYTES), short);
        for text in ["x".repeat(MAX_BYTES), "پ".repeat(MAX_BYTES), "\"".repeat(MAX_BYTES)] {
            let cut = bounded(json!({"text": text}), MAX_BYTES);
            assert_eq!(cut["truncated"], true);
            assert!(cut.to_string().len() <= MAX_BYTES);
        }
    }

    #[test]
    fn long_texts_and_lists_are_counted() {
        let state = |text: usize, items: usize| json!({"text": "پ".repeat(text), "list": vec![1; items], "count": 7});
        assert_eq!(brief(state(LONG_TEXT, LONG_LIST)), state(LONG_TEXT, LONG_LIST));
        let expected = json!({"text": {"characters": LONG_TEXT + 1}, "list": {"count": LONG_LIST + 1}, "count": 7});
        assert_eq!(brief(state(LONG_TEXT + 1, LONG_LIST + 1)), expected);
    }

    #[test]
    fn no_two_kinds_of_things_have_the_same_name() {
        let names: std::collections::BTreeSet<&str> = Thing::ALL.map(Thing::as_str).into();
        assert_eq!(names.len(), Thing::ALL.len());
    }
}
