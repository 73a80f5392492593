//! Long messages of which an SMSC has reported some parts, and no ending yet. Some SMSCs report one part only, so these messages end
//! when no more receipts come for some time: how long, the [`Habit`] says.
//!
//! They stand in memory, because each message in parts is one of them for a moment. An object that begins looks through what is
//! gathered for those of the object before it.

use std::collections::{BTreeMap, BTreeSet};

use super::habit::Habit;
use crate::base::ports::{PortError, Sql};
use crate::carrier::observed_health::REST_MS;
use crate::carrier::own_row;
use crate::carrier::part_reports::PartReports;

/// Messages that stand in memory at most. Others are found when the first of these have ended.
const MOST_OPEN: usize = 20_000;

/// A recipient: account, message and index.
pub type Key = (String, i64, u32);

/// A message that may get more receipts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Open {
    /// When the last receipt came, ms since the Unix epoch.
    pub came_ms: i64,
    /// Whether the habit has been told that it lacks receipts.
    pub is_seen: bool,
}

/// Where the search for open messages goes on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cursor {
    /// The table.
    pub slot: usize,
    /// The message before.
    pub after: Key,
}

/// The messages of an object that may get more receipts, and what it has learnt from others.
#[derive(Debug, Default)]
pub struct OpenMessages {
    setting: PartReports,
    habit: Habit,
    /// What is kept, and since when, ms since the Unix epoch. `None`: it was not read yet.
    kept: Option<(Habit, i64)>,
    open: BTreeMap<Key, (i64, Open)>,
    /// When each is due, ms since the Unix epoch.
    due: BTreeSet<(i64, Key)>,
    /// Whether there was no room for one.
    has_missed: bool,
    pub(super) search: Option<Cursor>,
}

impl OpenMessages {
    /// Goes on with what is kept.
    pub fn resume(&mut self, now_ms: i64, habit: Habit) {
        self.habit = habit;
        self.kept = Some((habit, now_ms));
        self.search = Some(Cursor::default());
    }

    /// Goes on by this setting.
    pub fn set(&mut self, setting: PartReports) {
        if self.setting != setting {
            self.setting = setting;
            self.search_again();
        }
    }

    /// Looks for all messages anew.
    pub fn search_again(&mut self) {
        (self.open, self.due) = Default::default();
        self.has_missed = false;
        self.search = Some(Cursor::default());
    }

    /// Which parts are reported, as was set.
    pub fn setting(&self) -> PartReports {
        self.setting
    }

    /// Which parts are reported: as was set or learnt. `None`: nothing is known yet.
    pub fn known(&self) -> Option<PartReports> {
        match self.setting {
            PartReports::Auto => self.habit.learned(),
            set => Some(set),
        }
    }

    /// A message waits for more receipts. Where each part is known to have one, it waits for as long as it takes.
    pub fn wait(&mut self, key: Key, message: Open) {
        self.end(&key);
        if self.setting == PartReports::All {
            return;
        }
        if self.open.len() >= MOST_OPEN {
            self.has_missed = true;
            return;
        }
        let due_ms = message.came_ms.saturating_add(self.habit.quiet_ms(message.is_seen));
        self.due.insert((due_ms, key.clone()));
        self.open.insert(key, (due_ms, message));
    }

    /// A message has an ending.
    pub fn end(&mut self, key: &Key) {
        if let Some((due_ms, _)) = self.open.remove(key) {
            self.due.remove(&(due_ms, key.clone()));
        }
    }

    /// Takes the messages that may have waited long enough, the first of them.
    pub fn take_due(&mut self, now_ms: i64, most: usize) -> Vec<(Key, Open)> {
        let mut taken = Vec::new();
        while taken.len() < most
            && self.due.first().is_some_and(|(due_ms, _)| *due_ms <= now_ms)
            && let Some((_, key)) = self.due.pop_first()
        {
            let message = self.open.remove(&key);
            taken.extend(message.map(|(_, message)| (key, message)));
        }
        if self.has_missed && self.open.len() < MOST_OPEN / 2 {
            self.search_again();
        }
        taken
    }

    /// Whether a message has waited long enough.
    pub fn is_quiet(&self, now_ms: i64, message: Open) -> bool {
        now_ms >= message.came_ms.saturating_add(self.habit.quiet_ms(message.is_seen))
    }

    /// Each part of a message was reported, or one more than was awaited.
    pub fn see_all(&mut self) {
        if self.setting == PartReports::Auto {
            self.habit.see_all();
        }
    }

    /// Only these parts of a message were reported. If that is a new habit, those that have waited for the others do so no more.
    pub fn see_some(&mut self, some: PartReports) {
        if self.setting != PartReports::Auto {
            return;
        }
        let before_ms = self.habit.quiet_ms(true);
        self.habit.see_some(some);
        if self.habit.quiet_ms(true) < before_ms {
            let seen: Vec<(Key, Open)> = self
                .open
                .iter()
                .filter(|(_, (_, message))| message.is_seen)
                .map(|(key, (_, message))| (key.clone(), *message))
                .collect();
            seen.into_iter().for_each(|(key, message)| self.wait(key, message));
        }
    }

    /// Keeps what was learnt, if it differs from what is kept: at once if it is another habit, otherwise once a minute at most.
    pub fn keep(&mut self, sql: &impl Sql, now_ms: i64) -> Result<(), PortError> {
        let Some((kept, kept_ms)) = self.kept else {
            return Ok(());
        };
        let is_new = kept.learned() != self.habit.learned();
        if kept == self.habit || !(is_new || now_ms >= kept_ms.saturating_add(REST_MS)) {
            return Ok(());
        }
        own_row::keep_part_reports(sql, &self.habit)?;
        self.kept = Some((self.habit, now_ms));
        Ok(())
    }

    /// When the next one is due, or the search goes on, ms since the Unix epoch.
    pub fn due_ms(&self) -> Option<i64> {
        let goes_on = self.search.as_ref().is_some_and(|cursor| *cursor != Cursor::default());
        let first_ms = self.due.first().map(|(due_ms, _)| *due_ms);
        if goes_on { Some(0) } else { first_ms }
    }
}
