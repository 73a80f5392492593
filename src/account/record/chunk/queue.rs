//! Queues: chunks of one priority that may go the same ways. The index `chunk_ready` keeps each apart, so that no queue's
//! backlog stands before the others.
//!
//! A chunk's route is `line/prefix`. If its message avoids carriers, their names follow, each behind a `~`, so that it stands in
//! another queue than chunks that may go by them at once. A `!` stands before the route of chunks that keep the hours of their line.

use std::collections::BTreeSet;

use super::{ChunkId, is_ready};
use crate::account::record::message::priority::Priority;
use crate::base::ports::{PortError, Sql};
use crate::durable::remembered::{self, Remembered, compared};

/// Chunks in one bundle at most.
pub const CHUNKS_A_BUNDLE: usize = 50;

/// Chunks of one priority that may go the same ways.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Queue {
    /// How urgent they are.
    pub priority: Priority,
    /// Their [route], or `@` and the name of the one object that may have them.
    pub name: String,
    /// When the first of them is due.
    pub due_ms: i64,
}

/// A queue by what it says of the ways that its chunks may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way<'a> {
    /// By the routes of the line, as for numbers with this prefix, and by these carriers only if no other can take them.
    Route(&'a str, &'a str, Avoided<'a>),
    /// To this object of a carrier and no other.
    Object(&'a str),
}

/// The carriers that chunks avoid: their names, with a `~` between two.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Avoided<'a>(&'a str);

impl Avoided<'_> {
    /// Whether a carrier is among them.
    pub fn has(self, carrier: &str) -> bool {
        !carrier.is_empty() && self.0.split(AVOIDS).any(|name| name == carrier)
    }
}

/// Stands before each carrier that chunks avoid. No line, no prefix and no carrier has it in its name.
const AVOIDS: char = '~';
/// Carriers that chunks avoid at most. Others count as any.
const MOST_AVOIDED: usize = 8;

/// Stands before the route of chunks that keep the hours of their line. No line has it in its number.
const KEEPS_HOURS: char = '!';

/// The route of chunks on a line whose numbers have this prefix, that avoid these carriers, and that may have to keep the line's hours.
pub fn route(line: &str, prefix: &str, avoid: &[String], keeps_hours: bool) -> String {
    let mut route = String::new();
    if keeps_hours {
        route.push(KEEPS_HOURS);
    }
    route.push_str(line);
    route.push('/');
    route.push_str(prefix);
    // In one order, so that the same carriers make the same queue. A name with other signs is no carrier's.
    let is_name = |name: &&String| !name.is_empty() && !name.contains([AVOIDS, '/', '@']);
    let names: BTreeSet<&String> = avoid.iter().filter(is_name).collect();
    for name in names.into_iter().take(MOST_AVOIDED) {
        route.push(AVOIDS);
        route.push_str(name);
    }
    route
}

impl<'a> Way<'a> {
    /// The ways that chunks of the queue with this name may go.
    pub fn of(queue: &'a str) -> Self {
        if let Some(object) = queue.strip_prefix('@') {
            return Way::Object(object);
        }
        let queue = queue.strip_prefix(KEEPS_HOURS).unwrap_or(queue);
        let (route, avoided) = queue.split_once(AVOIDS).unwrap_or((queue, ""));
        let (line, prefix) = route.rsplit_once('/').unwrap_or((route, ""));
        Way::Route(line, prefix, Avoided(avoided))
    }
}

impl Queue {
    /// The ways that its chunks may go.
    pub fn way(&self) -> Way<'_> {
        Way::of(&self.name)
    }

    /// Whether its chunks leave in the hours of their line only.
    pub fn keeps_hours(&self) -> bool {
        self.name.starts_with(KEEPS_HOURS)
    }

    /// Whether both are one queue, whatever is due in it.
    pub fn is_same(&self, other: &Queue) -> bool {
        self.priority == other.priority && self.name == other.name
    }
}

/// The queues in which chunks are ready: one step in the index for each, however many chunks it has.
const QUEUES: &str = concat!(
    "WITH RECURSIVE ready (class, queue) AS ( \
       SELECT c.value, (SELECT min(queue) FROM chunk WHERE ",
    is_ready!(),
    " AND class = c.value) FROM json_each('[0,1,2]') c \
       UNION ALL \
       SELECT class, (SELECT min(queue) FROM chunk WHERE ",
    is_ready!(),
    " AND class = ready.class AND queue > ready.queue) \
       FROM ready WHERE ready.queue IS NOT NULL) \
     SELECT class, queue, (SELECT min(due_ms) FROM chunk c WHERE ",
    is_ready!("c."),
    " AND c.class = ready.class AND c.queue = ready.queue) due_ms \
     FROM ready WHERE queue IS NOT NULL AND (substr(queue, 1, 1) = '@' OR NOT (SELECT on_hold FROM account WHERE one = 1)) \
     ORDER BY class, due_ms"
);

/// The queues in which chunks are ready, the most urgent class first, and in a class the one that is due longest. Of an account
/// on hold, only those of chunks in doubt: their carriers are asked.
pub fn all(sql: &impl Sql) -> Result<Vec<Queue>, PortError> {
    let rows = sql.exec(QUEUES, &[])?;
    let queues = rows.iter().map(|row| {
        Ok(Queue {
            priority: Priority::from_code(row.int(0)?).ok_or(PortError::Shape {
                column: 0,
                expected: "a priority",
            })?,
            name: row.text(1)?,
            due_ms: row.int(2)?,
        })
    });
    queues.collect()
}

/// When the first chunk of a queue is due that is ready, ms since the Unix epoch. `None`: none is ready.
#[derive(Debug, PartialEq, Eq)]
pub struct FirstDue(Option<i64>);

impl Remembered for FirstDue {
    /// The number of the queue's priority, and the queue's name.
    type Key = (i64, String);
    const TABLES: &'static [&'static str] = &["chunk"];
    const MAX_OCTETS: usize = 100_000;

    fn octets(&self, (_, name): &(i64, String)) -> usize {
        size_of::<(Self, Self::Key)>() + name.len()
    }
}

macro_rules! first_due {
    () => {
        concat!(
            "SELECT min(due_ms) FROM chunk WHERE ",
            is_ready!(),
            " AND class = ?1 AND queue = ?2"
        )
    };
}

/// The statement that finds when the first chunk of a queue is due, by which a debug build compares.
pub const COMPARED: &str = concat!(first_due!(), compared!());

/// Whether chunks of a queue are ready and due.
pub fn has_due(sql: &impl Sql, now_ms: i64, queue: &Queue) -> Result<bool, PortError> {
    let key = (queue.priority.code(), queue.name.clone());
    let find = |statement: &str| {
        let due_ms = sql.number(statement, &[key.0.into(), key.1.as_str().into()])?;
        Ok(Some(FirstDue(due_ms)))
    };
    let first = remembered::read(sql, &key, || find(first_due!()), || find(COMPARED))?;
    Ok(first.is_some_and(|first| first.0.is_some_and(|due_ms| due_ms <= now_ms)))
}

/// Chunks of a queue that are due, the oldest first, as many as one bundle may have; each with how many of its recipients wait.
pub fn due(sql: &impl Sql, now_ms: i64, queue: &Queue) -> Result<Vec<(ChunkId, i64)>, PortError> {
    let rows = sql.exec(
        concat!(
            "SELECT message, number, queued FROM chunk WHERE ",
            is_ready!(),
            " AND class = ?1 AND queue = ?2 AND due_ms <= ?3 ORDER BY due_ms LIMIT ?4"
        ),
        &[
            queue.priority.code().into(),
            queue.name.as_str().into(),
            now_ms.into(),
            i64::try_from(CHUNKS_A_BUNDLE).unwrap_or(i64::MAX).into(),
        ],
    )?;
    let due = rows.iter().map(|row| Ok(((row.int(0)?, row.u32(1)?), row.int(2)?)));
    due.collect()
}

/// The chunks of a queue that have waited since `since_ms` or longer and are due: some of the oldest.
pub fn overdue(sql: &impl Sql, now_ms: i64, queue: &Queue, since_ms: i64) -> Result<Vec<ChunkId>, PortError> {
    let rows = sql.exec(
        concat!(
            "SELECT message, number FROM (SELECT message, number, ready_ms FROM chunk WHERE ",
            is_ready!(),
            " AND class = ?1 AND queue = ?2 AND due_ms <= ?3 ORDER BY due_ms LIMIT ?4) WHERE ready_ms <= ?5"
        ),
        &[
            queue.priority.code().into(),
            queue.name.as_str().into(),
            now_ms.into(),
            i64::try_from(CHUNKS_A_BUNDLE).unwrap_or(i64::MAX).into(),
            since_ms.into(),
        ],
    )?;
    rows.iter().map(|row| Ok((row.int(0)?, row.u32(1)?))).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_route_names_each_carrier_that_is_avoided_once_and_in_one_order() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert_eq!(route("10001", "", &[], false), "10001/");
        assert_eq!(route("10001", "98912", &names(&["mci"]), false), "10001/98912~mci");
        assert_eq!(
            route("Peyk", "", &names(&["mtn", "mci", "mtn"]), false),
            "Peyk/~mci~mtn"
        );
        assert_eq!(route("10001", "", &names(&["", "a~b", "a/b", "@a"]), false), "10001/");
        let many: Vec<String> = (0..20).map(|number| format!("c{number:02}")).collect();
        assert_eq!(
            route("10001", "", &many, false),
            "10001/~c00~c01~c02~c03~c04~c05~c06~c07"
        );
        assert_eq!(route("10001", "98912", &names(&["mci"]), true), "!10001/98912~mci");
        assert_eq!(Way::of("@mci/0"), Way::Object("mci/0"));
    }

    proptest! {
        #[test]
        fn a_route_leads_back_to_its_line_its_prefix_and_its_carriers(
            line in r"\+?[0-9]{3,15}|[A-Za-z0-9]{3,11}",
            prefix in "[0-9]{0,15}",
            avoid in prop::collection::vec("[a-z0-9-]{2,32}", 0..=MOST_AVOIDED),
            other in "[a-z0-9-]{2,32}",
            keeps_hours in any::<bool>(),
        ) {
            let queue = route(&line, &prefix, &avoid, keeps_hours);
            let Way::Route(found_line, found_prefix, avoided) = Way::of(&queue) else {
                return Err(TestCaseError::fail(queue));
            };
            prop_assert_eq!((found_line, found_prefix), (line.as_str(), prefix.as_str()));
            prop_assert!(avoid.iter().all(|name| avoided.has(name)));
            prop_assert_eq!(avoided.has(&other), avoid.contains(&other));
            prop_assert!(!avoided.has(""));
        }
    }
}
