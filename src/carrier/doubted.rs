//! Which messages have recipients whose answers are lost, by the last digits of their numbers. So a receipt that names no message
//! leads to the few accounts that it may belong to, however many the carrier has, and a part of a long text to the object of the
//! carrier that has sent it.
//!
//! Many numbers end with the same digits, so nothing of an erased number is left here. A row stays when its recipient has ended: the
//! receipt may come again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::day_tables::{DayTables, day_tables};
use crate::account::record::chunk::handover::{Handover, Outcomes};
use crate::base::ports::{PortError, Sql};
use crate::durable::schema::Step;
use crate::durable::{listed, to_json};

/// Rows that a day has, about. Of the accounts that come after these the numbers are not kept.
const MOST: i64 = 20_000;
const LAST_DIGITS: u64 = 1_000_000;
/// In place of the digits of an account of which there are too many, and of its messages.
const ANY: i64 = -1;
/// Messages of an account that are told for one number, the newest. An account that has more tells no receipts apart
/// (`orphan_receipts.rs`).
const MOST_MESSAGES: i64 = 100;

const DOUBTED: DayTables = day_tables!(
    "doubted",
    ["0", "1", "2", "3", "4"],
    "(
        digits INTEGER NOT NULL,
        account TEXT NOT NULL,
        message INTEGER NOT NULL,
        PRIMARY KEY (digits, account, message)
    ) STRICT, WITHOUT ROWID"
);

static FIND: LazyLock<String> = LazyLock::new(|| {
    let rows = "SELECT digits, account, message FROM ( \
         SELECT *, row_number() OVER (PARTITION BY digits, account ORDER BY message DESC) AS place \
         FROM {table} WHERE digits IN (SELECT value FROM json_each(?1))) WHERE place <= ?2";
    DOUBTED.of_all(rows, "1, 2")
});

/// Messages that may have recipients of some numbers whose answers are lost.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Doubted {
    /// Their accounts and numbers, by the last digits of the recipient's number.
    pub by_digits: BTreeMap<u64, BTreeSet<(String, i64)>>,
    /// The accounts that may have any number.
    pub others: BTreeSet<String>,
}

impl Doubted {
    /// Adds a message of an account with a number.
    pub fn add(&mut self, digits: u64, account: &str, message: i64) {
        let of_digits = self.by_digits.entry(digits).or_default();
        of_digits.insert((account.to_owned(), message));
    }

    /// The accounts that may have a recipient whose number ends so.
    pub fn accounts(&self, digits: u64) -> BTreeSet<&str> {
        let of_digits = self.by_digits.get(&digits).into_iter().flatten();
        let named = of_digits.map(|(account, _)| account);
        named.chain(&self.others).map(String::as_str).collect()
    }

    /// Whether a message has a recipient whose number ends so.
    pub fn has(&self, digits: u64, account: &str, message: i64) -> bool {
        let of_digits = self.by_digits.get(&digits);
        of_digits.is_some_and(|messages| messages.contains(&(account.to_owned(), message)))
    }

    /// Adds what another object says.
    pub fn extend(&mut self, more: Doubted) {
        for (digits, messages) in more.by_digits {
            self.by_digits.entry(digits).or_default().extend(messages);
        }
        self.others.extend(more.others);
    }
}

/// The tables.
pub const TABLES: Step = DOUBTED.tables;

/// What is kept of a number.
pub fn digits_of(msisdn: u64) -> u64 {
    msisdn % LAST_DIGITS
}

/// Notes the recipients of a handover that got no answer.
pub fn note(
    sql: &impl Sql,
    now_ms: i64,
    account: &str,
    handover: &Handover,
    outcomes: &Outcomes,
) -> Result<(), PortError> {
    if outcomes.no_answer.is_empty() {
        return Ok(());
    }
    let lost: BTreeSet<u32> = outcomes.no_answer.iter().copied().collect();
    let recipients = handover.recipients.iter().filter(|(index, _)| lost.contains(index));
    let digits = recipients.map(|(_, msisdn)| digits_of(*msisdn)).collect();
    note_digits(sql, now_ms, account, handover.chunk.message, &digits)
}

/// Notes the recipient of a rest that goes on: until all its parts have their answers, one of them may be lost.
pub fn note_rest(sql: &impl Sql, now_ms: i64, account: &str, handover: &Handover) -> Result<(), PortError> {
    let digits = handover
        .recipients
        .iter()
        .map(|(_, msisdn)| digits_of(*msisdn))
        .collect();
    note_digits(sql, now_ms, account, handover.chunk.message, &digits)
}

/// Forgets the recipient of a rest: all its parts have their answers.
pub fn forget_rest(sql: &impl Sql, account: &str, message: i64, msisdn: u64) -> Result<(), PortError> {
    for table in DOUBTED.slots {
        sql.exec(
            &format!("DELETE FROM {table} WHERE digits = ?1 AND account = ?2 AND message = ?3"),
            &[
                i64::try_from(digits_of(msisdn)).unwrap_or(ANY).into(),
                account.into(),
                message.into(),
            ],
        )?;
    }
    Ok(())
}

fn note_digits(
    sql: &impl Sql,
    now_ms: i64,
    account: &str,
    message: i64,
    digits: &BTreeSet<u64>,
) -> Result<(), PortError> {
    let table = DOUBTED.today(sql, now_ms)?;
    sql.exec(
        &format!(
            concat!(
                listed!(),
                "INSERT OR IGNORE INTO {table} (digits, account, message) \
                 SELECT iif(has_room, value, ?4), ?2, iif(has_room, ?5, ?4) \
                 FROM listed, (SELECT count(*) < ?3 AS has_room FROM {table})"
            ),
            table = table
        ),
        &[
            to_json(&digits)?.into(),
            account.into(),
            MOST.into(),
            ANY.into(),
            message.into(),
        ],
    )
    .map(drop)
}

/// The messages that were noted with one of these numbers, by their digits.
pub fn find(sql: &impl Sql, digits: &[u64]) -> Result<Doubted, PortError> {
    let mut doubted = Doubted::default();
    let wanted = digits.iter().map(|digits| i64::try_from(*digits).unwrap_or(ANY));
    let wanted: Vec<i64> = wanted.chain([ANY]).collect();
    for row in &sql.exec(&FIND, &[to_json(&wanted)?.into(), MOST_MESSAGES.into()])? {
        let account = row.text(1)?;
        match u64::try_from(row.int(0)?) {
            Ok(digits) => doubted.add(digits, &account, row.int(2)?),
            Err(_) => drop(doubted.others.insert(account)),
        }
    }
    Ok(doubted)
}

/// Forgets the days whose time is over.
pub fn sweep(sql: &impl Sql, now_ms: i64) -> Result<(), PortError> {
    DOUBTED.sweep(sql, now_ms)
}
