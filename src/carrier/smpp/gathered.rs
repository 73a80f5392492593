//! What becomes of the parts of long messages. A message is delivered when all its parts are, or when no more of them are reported
//! and those that are were delivered; a part that fails ends it. What comes after that takes nothing back.

use std::collections::{BTreeMap, BTreeSet};

use super::open_messages::{Cursor, Key, Open, OpenMessages};
use crate::account::chunk::reports::DeliveryReport;
use crate::account::record::message::status::RecipientStatus;
use crate::base::named::named;
use crate::base::ports::{PortError, Sql};
use crate::carrier::day_tables::{DayTables, day_tables};
use crate::carrier::part_reports::PartReports;
use crate::carrier::reports;
use crate::durable::schema::Step;
use crate::durable::{listed, to_json};

/// The first number of a part that nobody can name, because its answer is lost. Those of parts that have names are smaller.
const FIRST_LOST: u8 = 200;
/// Messages that end in one go because no more of their parts are reported.
const A_GO: usize = 500;
/// Rows that a search for open messages reads in one go.
const ROWS_A_GO: usize = 1_000;

/// `delivered` has the numbers of the parts that were delivered, a JSON list; `came_ms` is when the last of them came; `has_one_id` is 1 if
/// parts have one id; `turns` counts how often its text was cut and how often its rest has left: it is odd while parts may not have left;
/// `answered` is 1 if answers that were given up came late, so that its account does not know that it was taken whole.
const GATHERED: DayTables = day_tables!(
    "gathered",
    ["0", "1", "2", "3", "4", "5", "6", "7"],
    "(
        account TEXT NOT NULL,
        message INTEGER NOT NULL,
        idx INTEGER NOT NULL,
        parts INTEGER NOT NULL,
        state INTEGER NOT NULL,
        came_ms INTEGER NOT NULL,
        has_one_id INTEGER NOT NULL,
        turns INTEGER NOT NULL,
        answered INTEGER NOT NULL,
        delivered TEXT NOT NULL,
        PRIMARY KEY (account, message, idx)
    ) STRICT, WITHOUT ROWID"
);

named! {
    /// How far a message is.
    #[derive(Default)]
    enum State {
        /// It has no ending yet.
        #[default]
        Open = 0 => "OPEN",
        /// All its parts were delivered, or those that decide.
        Whole = 1 => "WHOLE",
        /// Some parts were delivered, and no more was reported.
        Quiet = 2 => "QUIET",
        /// A part has failed.
        Failed = 3 => "FAILED",
    }
}

/// The tables.
pub const TABLES: Step = GATHERED.tables;

/// Forgets the days whose time is over.
pub fn sweep(sql: &impl Sql, now_ms: i64) -> Result<(), PortError> {
    GATHERED.sweep(sql, now_ms)
}

/// When the next sweep is due.
pub fn sweep_due_ms(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    GATHERED.sweep_due_ms(sql)
}

/// Parts of one message that a receipt is about: several, if the SMSC has given them one id.
#[derive(Debug, PartialEq, Eq)]
pub struct Found {
    /// Whose message it is.
    pub key: Key,
    /// The parts, from 0.
    pub named: BTreeSet<u8>,
    /// How many parts the message has.
    pub parts: u8,
}

/// What follows from the ending of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Follows {
    /// Nothing: other parts are awaited, or the message has ended.
    Nothing,
    /// The message has the same ending.
    Ending,
    /// Nothing, though the part has failed: the message was delivered before.
    Late,
    /// The same, but that it was delivered was presumed: it has this ending if its account did not take that.
    LateEnding,
}

#[derive(Debug, Clone, Default)]
struct Record {
    parts: u8,
    state: State,
    came_ms: i64,
    has_one_id: bool,
    turns: u32,
    is_answered: bool,
    delivered: BTreeSet<u8>,
}

impl Record {
    /// Whether parts of it may not have left, so that nothing is presumed of it.
    fn is_cut(&self) -> bool {
        self.turns % 2 == 1
    }

    /// Notes a receipt that says that a part was delivered. `true`: it tells of a part that was not known to be.
    fn note(&mut self, now_ms: i64, found: &Found, setting: PartReports) -> bool {
        // With one id for several parts, each receipt tells of the next one; if each part is to have a receipt, of all of them.
        let new = found.named.difference(&self.delivered).copied();
        let new: Vec<u8> = match setting {
            PartReports::All => new.collect(),
            _ => new.take(1).collect(),
        };
        self.delivered.extend(&new);
        self.has_one_id |= found.named.len() > 1;
        if !new.is_empty() {
            self.came_ms = now_ms;
        }
        !new.is_empty()
    }

    /// Whether it was delivered, now that these parts are reported.
    fn is_whole(&self, named: &BTreeSet<u8>, setting: PartReports) -> bool {
        let last = self.parts.saturating_sub(1);
        let decides = match setting {
            PartReports::First => named.contains(&0),
            PartReports::Last => named.contains(&last),
            PartReports::Any => !named.is_empty(),
            PartReports::Auto | PartReports::All | PartReports::OneId => false,
        };
        (decides && !self.is_cut()) || self.delivered.len() >= usize::from(self.parts)
    }

    /// Which parts were reported, of a message that no more comes for.
    fn which(&self) -> PartReports {
        let last = self.parts.saturating_sub(1);
        match self.delivered.first() {
            _ if self.has_one_id => PartReports::OneId,
            _ if self.delivered.len() != 1 => PartReports::Any,
            Some(0) => PartReports::First,
            Some(part) if *part == last => PartReports::Last,
            _ => PartReports::Any,
        }
    }
}

/// What became of the parts of some messages.
#[derive(Debug, Default)]
pub struct Gathering {
    records: BTreeMap<Key, Record>,
    changed: BTreeSet<Key>,
}

impl Gathering {
    /// Reads what is known of these messages.
    pub fn read(sql: &impl Sql, keys: &[&Key]) -> Result<Self, PortError> {
        let mut gathering = Gathering::default();
        if keys.is_empty() {
            return Ok(gathering);
        }
        let rows = sql.exec(
            &GATHERED.of_all(
                "SELECT g.account, g.message, g.idx, g.parts, g.state, g.came_ms, g.has_one_id, g.turns, g.answered, g.delivered \
                 FROM json_each(?1) k CROSS JOIN {table} g \
                   ON g.account = k.value ->> 0 AND g.message = k.value ->> 1 AND g.idx = k.value ->> 2",
                "1",
            ),
            &[to_json(&keys)?.into()],
        )?;
        for row in &rows {
            let mut row = row.reader();
            let key: Key = row.read()?;
            let (parts, state, came_ms): (u32, i64, i64) = row.read()?;
            let (has_one_id, turns, is_answered): (bool, u32, bool) = row.read()?;
            let delivered: BTreeSet<u8> = row.json("gathered")?;
            let record = gathering.records.entry(key).or_default();
            // The rows of several days are of one message.
            record.parts = u8::try_from(parts).unwrap_or(u8::MAX);
            record.state = record.state.max(State::from_code(state).unwrap_or_default());
            record.came_ms = record.came_ms.max(came_ms);
            record.has_one_id |= has_one_id;
            record.turns = record.turns.max(turns);
            record.is_answered |= is_answered;
            record.delivered.extend(delivered);
        }
        Ok(gathering)
    }

    /// The text of a message was cut, or its rest has left as a whole.
    fn turn(&mut self, (key, parts): &(Key, u8), is_cut: bool) -> &mut Record {
        let record = self.records.entry(key.clone()).or_default();
        record.parts = *parts;
        if record.is_cut() != is_cut {
            record.turns = record.turns.saturating_add(1);
            self.changed.insert(key.clone());
        }
        record
    }

    /// The carrier has answered late that it took the last part of a message.
    fn answer(&mut self, (key, parts): &(Key, u8)) -> &Record {
        let record = self.records.entry(key.clone()).or_default();
        record.parts = *parts;
        record.is_answered = true;
        self.changed.insert(key.clone());
        record
    }

    /// A receipt says that a part was delivered.
    pub fn deliver(&mut self, now_ms: i64, found: &Found, open: &mut OpenMessages) -> Follows {
        let record = self.records.entry(found.key.clone()).or_default();
        record.parts = found.parts;
        match record.state {
            State::Failed => Follows::Nothing,
            // Until the account has the report, the receipt that has brought it comes again.
            State::Whole if found.named.is_disjoint(&record.delivered) => Follows::Nothing,
            State::Whole => Follows::Ending,
            State::Quiet => {
                if record.note(now_ms, found, open.setting()) {
                    open.see_all();
                    self.changed.insert(found.key.clone());
                }
                if !record.is_whole(&found.named, open.setting()) {
                    return Follows::Nothing;
                }
                // What was presumed of it counts only for a recipient whose answer came.
                record.state = State::Whole;
                Follows::Ending
            }
            State::Open => {
                if record.note(now_ms, found, open.setting()) {
                    self.changed.insert(found.key.clone());
                }
                if record.is_whole(&found.named, open.setting()) {
                    record.state = State::Whole;
                    self.changed.insert(found.key.clone());
                    open.end(&found.key);
                    open.see_all();
                    return Follows::Ending;
                }
                let message = Open {
                    came_ms: record.came_ms,
                    is_seen: false,
                };
                open.wait(found.key.clone(), message);
                Follows::Nothing
            }
        }
    }

    /// A receipt says that a part has failed.
    pub fn fail(&mut self, found: &Found, open: &mut OpenMessages) -> Follows {
        let record = self.records.entry(found.key.clone()).or_default();
        record.parts = found.parts;
        match record.state {
            State::Whole => Follows::Late,
            State::Quiet => {
                open.see_all();
                Follows::LateEnding
            }
            State::Open => {
                record.state = State::Failed;
                self.changed.insert(found.key.clone());
                open.end(&found.key);
                Follows::Ending
            }
            State::Failed => Follows::Ending,
        }
    }

    /// Stores what has changed.
    pub fn write(&self, sql: &impl Sql, now_ms: i64) -> Result<(), PortError> {
        let changed = self.changed.iter();
        let rows: Vec<_> = changed
            .filter_map(|key| Some((key, self.records.get(key)?)))
            .map(|((account, message, index), record)| {
                let Record {
                    parts,
                    state,
                    came_ms,
                    has_one_id,
                    turns,
                    is_answered,
                    delivered,
                } = record;
                let has_one_id = i64::from(*has_one_id);
                let is_answered = i64::from(*is_answered);
                (
                    account,
                    message,
                    index,
                    parts,
                    state.code(),
                    came_ms,
                    has_one_id,
                    turns,
                    is_answered,
                    delivered,
                )
            })
            .collect();
        if rows.is_empty() {
            return Ok(());
        }
        let table = GATHERED.today(sql, now_ms)?;
        sql.exec(
            &format!(
                concat!(
                    listed!(),
                    "INSERT OR REPLACE INTO {table} \
                       (account, message, idx, parts, state, came_ms, has_one_id, turns, answered, delivered) \
                     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, \
                            value ->> 6, value ->> 7, value ->> 8, value ->> 9 \
                     FROM listed"
                ),
                table = table
            ),
            &[to_json(&rows)?.into()],
        )
        .map(drop)
    }
}

/// Messages, each with how many parts it has, of which it turned out which parts the carrier has.
#[derive(Debug, Default)]
pub struct Turns {
    /// Their texts were cut.
    pub cut: Vec<(Key, u8)>,
    /// Their rests have left as a whole.
    pub whole: Vec<(Key, u8)>,
    /// The carrier has answered late that it took their last parts.
    pub answered: Vec<(Key, u8)>,
}

/// Notes these messages. What was reported of those that the carrier has as a whole may be enough by now.
pub fn turn(sql: &impl Sql, now_ms: i64, turns: &Turns, open: &mut OpenMessages) -> Result<(), PortError> {
    let all = turns.cut.iter().chain(&turns.whole).chain(&turns.answered);
    let keys: Vec<&Key> = all.map(|(key, _)| key).collect();
    if keys.is_empty() {
        return Ok(());
    }
    let mut gathering = Gathering::read(sql, &keys)?;
    for message in &turns.cut {
        gathering.turn(message, true);
        open.end(&message.0);
    }
    let mut delivered = Vec::new();
    for message in &turns.answered {
        // What was presumed of it before does not count, so it is told once more.
        if gathering.answer(message).state == State::Quiet {
            delivered.push(report(&message.0, false));
        }
    }
    for message in &turns.whole {
        let record = gathering.turn(message, false);
        if record.state != State::Open || record.delivered.is_empty() {
            continue;
        }
        if record.is_whole(&record.delivered, open.setting()) {
            record.state = State::Whole;
            delivered.push(report(&message.0, false));
        } else {
            let message_open = Open {
                came_ms: record.came_ms,
                is_seen: false,
            };
            open.wait(message.0.clone(), message_open);
        }
    }
    gathering.write(sql, now_ms)?;
    reports::add_all(
        sql,
        now_ms,
        delivered.iter().map(|(account, report)| (account.as_str(), report)),
    )
}

/// The report to an account that a message was delivered.
fn report((account, message, index): &Key, is_presumed: bool) -> (String, DeliveryReport) {
    let report = DeliveryReport {
        is_presumed,
        message: *message,
        status: RecipientStatus::Delivered,
        indexes: vec![*index],
        cause: None,
    };
    (account.clone(), report)
}

/// The number for the next part of a message that nobody can name.
pub fn next_lost(sql: &impl Sql, key: &Key) -> Result<u8, PortError> {
    let gathering = Gathering::read(sql, &[key])?;
    let delivered = gathering.records.get(key).map(|record| &record.delivered);
    let last = delivered.and_then(|delivered| delivered.last()).copied().unwrap_or(0);
    Ok(last.saturating_add(1).max(FIRST_LOST))
}

/// Ends the messages that have waited long enough for more receipts: what was reported of them was delivered. Their reports are stored.
pub fn end_quiet(sql: &impl Sql, now_ms: i64, open: &mut OpenMessages) -> Result<(), PortError> {
    search(sql, open)?;
    let due = open.take_due(now_ms, A_GO);
    if due.is_empty() {
        return Ok(());
    }
    let ended = end(sql, now_ms, open, due);
    if ended.is_err() {
        open.search_again();
    }
    ended
}

fn end(sql: &impl Sql, now_ms: i64, open: &mut OpenMessages, due: Vec<(Key, Open)>) -> Result<(), PortError> {
    let keys: Vec<&Key> = due.iter().map(|(key, _)| key).collect();
    let mut gathering = Gathering::read(sql, &keys)?;
    let mut delivered: Vec<(String, DeliveryReport)> = Vec::new();
    for (key, mut message) in due {
        let Some(record) = gathering.records.get_mut(&key) else {
            continue;
        };
        // One whose text is cut waits until its rest has left, and of one that was cut nothing may have been reported yet.
        if record.state != State::Open || record.is_cut() || record.delivered.is_empty() {
            continue;
        }
        // What is known of the SMSC may have changed since.
        if open.is_quiet(now_ms, message) && !message.is_seen {
            open.see_some(record.which());
            message.is_seen = true;
        }
        if !open.is_quiet(now_ms, message) {
            open.wait(key, message);
            continue;
        }
        record.state = State::Quiet;
        delivered.push(report(&key, !record.is_answered));
        gathering.changed.insert(key);
    }
    sql.transaction(|| {
        gathering.write(sql, now_ms)?;
        let reports = delivered.iter().map(|(account, report)| (account.as_str(), report));
        reports::add_all(sql, now_ms, reports)?;
        open.keep(sql, now_ms)
    })
}

/// Goes on with the search for open messages of an earlier object.
fn search(sql: &impl Sql, open: &mut OpenMessages) -> Result<(), PortError> {
    let mut left = ROWS_A_GO;
    while left > 0
        && let Some(cursor) = open.search.clone()
    {
        let Some(table) = GATHERED.slots.get(cursor.slot) else {
            open.search = None;
            return Ok(());
        };
        let (account, message, index) = &cursor.after;
        let rows = sql.exec(
            &format!(
                "SELECT account, message, idx, state, came_ms FROM {table} \
                 WHERE (account, message, idx) > (?1, ?2, ?3) ORDER BY account, message, idx LIMIT ?4"
            ),
            &[
                account.as_str().into(),
                (*message).into(),
                (*index).into(),
                i64::try_from(left).unwrap_or(i64::MAX).into(),
            ],
        )?;
        let mut last = None;
        for row in &rows {
            let mut row = row.reader();
            let key = (row.read::<String>()?, row.read::<i64>()?, row.read::<u32>()?);
            last = Some(key.clone());
            if State::from_code(row.read::<i64>()?) == Some(State::Open) {
                let message = Open {
                    came_ms: row.read()?,
                    is_seen: false,
                };
                open.wait(key, message);
            }
        }
        let is_full = rows.len() >= left;
        left = left.saturating_sub(rows.len());
        open.search = Some(match last {
            Some(after) if is_full => Cursor { after, ..cursor },
            _ => Cursor {
                slot: cursor.slot + 1,
                after: Key::default(),
            },
        });
    }
    Ok(())
}
