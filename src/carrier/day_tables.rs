//! Rows that are kept for some days, in a table for each day. A day is forgotten by dropping its table, which writes no row,
//! while a `DELETE` writes one for each row that it deletes.
//!
//! The tables stand in a ring: a day has the table of an earlier day whose time is over. Which day a table is of stands in
//! `day_table`.

use crate::base::ports::{PortError, Sql};
use crate::base::time::DAY_MS;
use crate::durable::remembered::{self, Remembered, compared};
use crate::durable::schema::Step;

/// The runtime takes no more terms in one compound `SELECT`.
const MOST_TERMS: usize = 5;

/// Which day each table is of.
pub const TABLES: Step = &["CREATE TABLE day_table (
        name TEXT NOT NULL,
        slot INTEGER NOT NULL,
        day INTEGER NOT NULL,
        PRIMARY KEY (name, slot)
    ) STRICT, WITHOUT ROWID"];

/// Tables of one kind of rows: one for each day that is kept, today included.
#[derive(Debug)]
pub struct DayTables {
    pub(super) name: &'static str,
    pub(super) columns: &'static str,
    pub(super) slots: &'static [&'static str],
    pub(super) tables: Step,
}

/// The tables `name_0`, `name_1` and so on, with these columns.
macro_rules! day_tables {
    ($name:literal, [$($slot:literal),*], $columns:literal) => {
        $crate::carrier::day_tables::DayTables {
            name: $name,
            columns: $columns,
            slots: &[$(concat!($name, "_", $slot)),*],
            tables: &[$(concat!("CREATE TABLE ", $name, "_", $slot, " ", $columns)),*],
        }
    };
}
pub(super) use day_tables;

/// The day that a table is of, days since the Unix epoch.
#[derive(Debug, PartialEq, Eq)]
struct DayOf(i64);

impl Remembered for DayOf {
    /// The table.
    type Key = String;
    const TABLES: &'static [&'static str] = &["day_table"];
    const MAX_OCTETS: usize = 10_000;

    fn octets(&self, table: &String) -> usize {
        size_of::<(Self, Self::Key)>() + table.len()
    }
}

macro_rules! find_day {
    () => {
        "SELECT day FROM day_table WHERE name = ?1 AND slot = ?2"
    };
}

impl DayTables {
    /// For how long before today rows are kept at least, ms.
    fn kept_ms(&self) -> i64 {
        let slots = i64::try_from(self.slots.len()).unwrap_or(1);
        slots.saturating_sub(1).saturating_mul(DAY_MS)
    }

    /// The name of the table for what is written now.
    pub fn today(&self, sql: &impl Sql, now_ms: i64) -> Result<&'static str, PortError> {
        let day = now_ms.div_euclid(DAY_MS);
        let slot = usize::try_from(day).unwrap_or(0) % self.slots.len().max(1);
        let table = self.slots.get(slot).copied().unwrap_or_default();
        let slot = i64::try_from(slot).unwrap_or(0);
        let find = |statement| {
            let day = sql.number(statement, &[self.name.into(), slot.into()])?;
            Ok(day.map(DayOf))
        };
        let compare = || find(concat!(find_day!(), compared!()));
        let had = remembered::read(sql, &table.to_owned(), || find(find_day!()), compare)?;
        // A clock that goes back finds the table of a later day: what stands there is of use.
        if had.as_ref().is_none_or(|had| had.0 < day) {
            sql.transaction(|| {
                if had.is_some() {
                    self.empty(sql, table)?;
                }
                sql.exec(
                    "INSERT OR REPLACE INTO day_table (name, slot, day) VALUES (?1, ?2, ?3)",
                    &[self.name.into(), slot.into(), day.into()],
                )
            })?;
        }
        Ok(table)
    }

    fn empty(&self, sql: &impl Sql, table: &str) -> Result<(), PortError> {
        sql.exec(&format!("DROP TABLE {table}"), &[])?;
        sql.exec(&format!("CREATE TABLE {table} {}", self.columns), &[])
            .map(drop)
    }

    /// A statement on each of the tables, as one, ordered by its first columns. See [`Self::union`].
    pub fn of_all(&self, select: &str, order: &str) -> String {
        format!("{} ORDER BY {order}", self.union(select))
    }

    /// The rows of a statement on each of the tables. `select` says what is asked of a table: `{table}` stands for its name, and `{day}`
    /// for its day.
    pub fn union(&self, select: &str) -> String {
        let select = |(slot, table): (usize, &&str)| {
            let day = format!(
                "(SELECT day FROM day_table WHERE name = '{}' AND slot = {slot})",
                self.name
            );
            select.replace("{table}", table).replace("{day}", &day)
        };
        let all: Vec<String> = self.slots.iter().enumerate().map(select).collect();
        let groups = all.chunks(MOST_TERMS).map(|some| some.join(" UNION ALL "));
        let groups: Vec<String> = groups.map(|group| format!("SELECT * FROM ({group})")).collect();
        groups.join(" UNION ALL ")
    }

    /// Forgets the days whose time is over.
    pub fn sweep(&self, sql: &impl Sql, now_ms: i64) -> Result<(), PortError> {
        let last_day = now_ms.saturating_sub(self.kept_ms()).div_euclid(DAY_MS) - 1;
        let old = sql.exec(
            "SELECT slot FROM day_table WHERE name = ?1 AND day <= ?2",
            &[self.name.into(), last_day.into()],
        )?;
        for row in &old {
            let slot = row.int(0)?;
            let table = usize::try_from(slot).ok().and_then(|slot| self.slots.get(slot));
            sql.transaction(|| {
                table.map_or(Ok(()), |table| self.empty(sql, table))?;
                sql.exec(
                    "DELETE FROM day_table WHERE name = ?1 AND slot = ?2",
                    &[self.name.into(), slot.into()],
                )
            })?;
        }
        Ok(())
    }

    /// When the next sweep is due, ms since the Unix epoch.
    pub fn sweep_due_ms(&self, sql: &impl Sql) -> Result<Option<i64>, PortError> {
        let first = sql.number("SELECT min(day) FROM day_table WHERE name = ?1", &[self.name.into()])?;
        Ok(first.map(|day| self.swept_ms(day)))
    }

    /// When the table of a day is swept, ms since the Unix epoch.
    pub fn swept_ms(&self, day: i64) -> i64 {
        // A day is over when the next one begins.
        (day + 1) * DAY_MS + self.kept_ms()
    }
}
