//! The sandbox carrier: takes everything, sends nothing, and ends each message by the last digits of its number, so a
//! client's program can see every ending. Its state is real: an object of its own for each account, with its own SQLite
//! and alarm, that counts what it was handed, and whose reports come back the way any carrier's do.
//!
//! | number ends in | what happens |
//! |---|---|
//! | 901 | refused for good |
//! | 902 | taken, then undelivered |
//! | 903 | taken, then expired |
//! | 904 | taken, but no answer is given and no report ever comes |
//! | 905 | refused for the moment, twice; then as any other |
//! | anything else | taken, then delivered |

use serde::{Deserialize, Serialize};

use super::deliver;
use crate::account::command::{ChunkReport, DeliveryReport, Job};
use crate::account::status::RecipientStatus;
use crate::ports::{Platform, PortError, Sql};

/// Its name in lines and carriers.
pub const NAME: &str = "sandbox";

/// How long the sandbox takes to report a delivery, ms.
const REPORT_AFTER_MS: i64 = 1_000;
/// Refusals for the moment that a number ending in 905 meets.
const REFUSALS: i64 = 2;
/// Texts of recipients noted in one statement: at ten parts each, well below the 2 MB that a value of SQLite may have.
const TEXTS_A_STATEMENT: usize = 200;
/// Rows of reports in one alarm, each of one hand-over; it rings again at once for more.
const REPORTS_A_GO: i64 = 10;

/// How a message to this number ends.
pub fn ending(msisdn: u64) -> RecipientStatus {
    match msisdn % 1_000 {
        901 => RecipientStatus::Rejected,
        902 => RecipientStatus::Undelivered,
        903 => RecipientStatus::Expired,
        904 => RecipientStatus::Unknown,
        _ => RecipientStatus::Delivered,
    }
}

fn hesitates(msisdn: u64) -> bool {
    msisdn % 1_000 == 905
}

/// What can be asked of the sandbox's object.
#[derive(Debug, Serialize, Deserialize)]
pub enum Call {
    /// Take these.
    Submit {
        /// Whose they are: the object remembers for its reports.
        account: String,
        /// What is handed over.
        jobs: Vec<Job>,
    },
    /// Which of these were taken?
    LookUp(Vec<Job>),
    /// What was handed over, oldest first, after a place in the list.
    Inbox {
        /// Items at most.
        limit: u32,
        /// The place of the last item of the page before.
        after: Option<i64>,
    },
}

/// What the sandbox's object answers.
#[derive(Debug, Serialize, Deserialize)]
pub enum Reply {
    /// To [`Call::Submit`] and [`Call::LookUp`].
    Reports(Vec<ChunkReport>),
    /// To [`Call::Inbox`].
    Inbox(Vec<Handed>),
}

/// A recipient that the sandbox was handed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handed {
    /// Its place in the list.
    pub id: i64,
    /// The message's uid.
    pub uid: String,
    /// The recipient's place in it.
    pub index: u32,
    /// Its number.
    pub msisdn: u64,
    /// The text it was to get.
    pub text: String,
    /// How often it was taken: more than once would be a message sent twice.
    pub taken: u32,
    /// How often it was refused, for the moment or for good.
    pub refused: u32,
}

const SCHEMA: [&str; 5] = [
    "CREATE TABLE IF NOT EXISTS owner (one INTEGER PRIMARY KEY CHECK (one = 1), account TEXT NOT NULL) STRICT",
    "CREATE TABLE IF NOT EXISTS message (id INTEGER PRIMARY KEY, uid TEXT NOT NULL) STRICT",
    "CREATE TABLE IF NOT EXISTS handed (
        message INTEGER NOT NULL,
        idx INTEGER NOT NULL,
        msisdn INTEGER NOT NULL,
        taken INTEGER NOT NULL,
        refused INTEGER NOT NULL,
        PRIMARY KEY (message, idx)
    ) STRICT, WITHOUT ROWID",
    // What was to be sent: under the index -1 to all recipients of a message, else to one.
    "CREATE TABLE IF NOT EXISTS text (
        message INTEGER NOT NULL,
        idx INTEGER NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (message, idx)
    ) STRICT, WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS report (
        id INTEGER PRIMARY KEY,
        due_ms INTEGER NOT NULL,
        body TEXT NOT NULL
    ) STRICT",
];

/// Makes the object's tables; to be called once an instance, before anything else.
pub fn open(sql: &impl Sql) -> Result<(), PortError> {
    SCHEMA
        .iter()
        .try_for_each(|statement| sql.exec(statement, &[]).map(drop))
}

/// Answers one call.
pub fn handle(sql: &impl Sql, now_ms: i64, call: &Call) -> Result<Reply, PortError> {
    sql.transaction(|| match call {
        Call::Submit { account, jobs } => {
            sql.exec("INSERT OR IGNORE INTO owner VALUES (1, ?1)", &[account.as_str().into()])?;
            take(sql, now_ms, jobs).map(Reply::Reports)
        }
        Call::LookUp(jobs) => {
            let reports = jobs.iter().map(|job| taken(sql, job)).collect::<Result<_, _>>()?;
            Ok(Reply::Reports(reports))
        }
        Call::Inbox { limit, after } => inbox(sql, *limit, *after).map(Reply::Inbox),
    })
}

fn take(sql: &impl Sql, now_ms: i64, jobs: &[Job]) -> Result<Vec<ChunkReport>, PortError> {
    // What comes late gets no answer: its claim is over, and another may be on its way here.
    let in_time: Vec<&Job> = jobs.iter().filter(|job| now_ms <= job.hand_over_by_ms).collect();
    let mut answers = Vec::with_capacity(in_time.len());
    let mut handed: Vec<(i64, u32, u64, u32)> = Vec::new();
    let mut deliveries: Vec<DeliveryReport> = Vec::new();
    for job in &in_time {
        let message = job.chunk.message;
        let mut answer = ChunkReport {
            chunk: job.chunk,
            submitted: Vec::new(),
            rejected: Vec::new(),
            unknown: Vec::new(),
        };
        let mut ended: Vec<DeliveryReport> = Vec::new();
        for (index, msisdn) in &job.recipients {
            let status = ending(*msisdn);
            let hesitates = hesitates(*msisdn) && refusals(sql, message, *index)? < REFUSALS;
            let is_refused = hesitates || status == RecipientStatus::Rejected;
            handed.push((message, *index, *msisdn, is_refused.into()));
            match status {
                _ if hesitates => {}
                RecipientStatus::Rejected => answer.rejected.push(*index),
                RecipientStatus::Unknown => answer.unknown.push(*index),
                _ => {
                    answer.submitted.push(*index);
                    match ended.iter_mut().find(|report| report.status == status) {
                        Some(report) => report.indexes.push(*index),
                        None => ended.push(DeliveryReport {
                            message,
                            status,
                            indexes: vec![*index],
                        }),
                    }
                }
            }
        }
        deliveries.append(&mut ended);
        answers.push(answer);
    }
    note_handed(sql, &in_time, &handed)?;
    if !deliveries.is_empty() {
        sql.exec(
            "INSERT INTO report (due_ms, body) VALUES (?1, ?2)",
            &[
                now_ms.saturating_add(REPORT_AFTER_MS).into(),
                to_json(&deliveries)?.into(),
            ],
        )?;
    }
    Ok(answers)
}

fn refusals(sql: &impl Sql, message: i64, index: u32) -> Result<i64, PortError> {
    let rows = sql.exec(
        "SELECT refused FROM handed WHERE message = ?1 AND idx = ?2",
        &[message.into(), index.into()],
    )?;
    rows.first().map_or(Ok(0), |row| row.int(0))
}

fn note_handed(sql: &impl Sql, jobs: &[&Job], handed: &[(i64, u32, u64, u32)]) -> Result<(), PortError> {
    let messages: Vec<(i64, &str)> = jobs.iter().map(|job| (job.chunk.message, job.uid.as_str())).collect();
    sql.exec(
        "INSERT OR IGNORE INTO message (id, uid) SELECT value ->> 0, value ->> 1 FROM json_each(?1)",
        &[to_json(&messages)?.into()],
    )?;
    note_texts(sql, jobs)?;
    sql.exec(
        "INSERT INTO handed (message, idx, msisdn, taken, refused) \
         SELECT value ->> 0, value ->> 1, value ->> 2, 1 - (value ->> 3), value ->> 3 FROM json_each(?1) WHERE 1 \
         ON CONFLICT (message, idx) DO UPDATE SET taken = taken + excluded.taken, refused = refused + excluded.refused",
        &[to_json(&handed)?.into()],
    )
    .map(drop)
}

fn note_texts(sql: &impl Sql, jobs: &[&Job]) -> Result<(), PortError> {
    let (shared, own): (Vec<&Job>, Vec<&Job>) = jobs.iter().partition(|job| job.own.is_empty());
    let shared = shared.iter().map(|job| (job.chunk.message, -1, job.text.as_str()));
    insert_texts(sql, &to_json(&shared.collect::<Vec<_>>())?)?;
    for job in own {
        let message = job.chunk.message;
        for recipients in job.recipients.chunks(TEXTS_A_STATEMENT) {
            let texts = recipients
                .iter()
                .map(|(index, _)| (message, *index, job.text_for(*index)));
            insert_texts(sql, &to_json(&texts.collect::<Vec<_>>())?)?;
        }
    }
    Ok(())
}

fn insert_texts(sql: &impl Sql, texts: &str) -> Result<(), PortError> {
    sql.exec(
        "INSERT OR IGNORE INTO text (message, idx, text) \
         SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?1)",
        &[texts.into()],
    )
    .map(drop)
}

fn to_json(value: &impl Serialize) -> Result<String, PortError> {
    serde_json::to_string(value).map_err(|error| PortError::failed("json", error))
}

/// Which recipients of a job were taken before; those that were refused, or never seen, are not named.
fn taken(sql: &impl Sql, job: &Job) -> Result<ChunkReport, PortError> {
    let indexes: Vec<u32> = job.recipients.iter().map(|(index, _)| *index).collect();
    let rows = sql.exec(
        "SELECT idx, msisdn FROM handed \
         WHERE message = ?1 AND idx IN (SELECT value FROM json_each(?2)) AND taken > 0",
        &[job.chunk.message.into(), to_json(&indexes)?.into()],
    )?;
    let mut report = ChunkReport {
        chunk: job.chunk,
        submitted: Vec::new(),
        rejected: Vec::new(),
        unknown: Vec::new(),
    };
    for row in &rows {
        let msisdn = u64::try_from(row.int(1)?).unwrap_or_default();
        match ending(msisdn) {
            RecipientStatus::Unknown => report.unknown.push(row.u32(0)?),
            _ => report.submitted.push(row.u32(0)?),
        }
    }
    Ok(report)
}

/// Places in the inbox's order that one message takes: more than it can have recipients.
const PLACES: i64 = 1_000_000;

fn inbox(sql: &impl Sql, limit: u32, after: Option<i64>) -> Result<Vec<Handed>, PortError> {
    let after = after.unwrap_or(-1);
    let rows = sql.exec(
        "SELECT h.message * ?4 + h.idx, m.uid, h.idx, h.msisdn, h.taken, h.refused, \
                coalesce((SELECT text FROM text t WHERE t.message = h.message AND t.idx = h.idx), \
                         (SELECT text FROM text t WHERE t.message = h.message AND t.idx = -1), '') \
         FROM handed h JOIN message m ON m.id = h.message \
         WHERE (h.message, h.idx) > (?1, ?2) ORDER BY h.message, h.idx LIMIT ?3",
        &[
            (after / PLACES).into(),
            (after % PLACES).into(),
            limit.into(),
            PLACES.into(),
        ],
    )?;
    rows.iter()
        .map(|row| {
            Ok(Handed {
                id: row.int(0)?,
                uid: row.text(1)?,
                index: row.u32(2)?,
                msisdn: u64::try_from(row.int(3)?).unwrap_or_default(),
                taken: row.u32(4)?,
                refused: row.u32(5)?,
                text: row.text(6)?,
            })
        })
        .collect()
}

/// When the object's alarm has to ring next.
pub fn next_due(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    // In order of their making is in order of their time: each waits equally long.
    let rows = sql.exec("SELECT due_ms FROM report ORDER BY id LIMIT 1", &[])?;
    rows.first().map_or(Ok(None), |row| row.opt_int(0))
}

/// Sends the reports that are due and tells when to come again. A report is forgotten only after it was received; one
/// that is sent twice changes nothing the second time.
pub async fn run<P: Platform, S: Sql>(platform: &P, sql: &S) -> Result<Option<i64>, PortError> {
    let now_ms = platform.now_ms();
    let owner = sql.exec("SELECT account FROM owner", &[])?;
    let Some(owner) = owner.first() else {
        return Ok(None);
    };
    let rows = sql.exec(
        "SELECT id, body FROM report WHERE due_ms <= ?1 ORDER BY id LIMIT ?2",
        &[now_ms.into(), REPORTS_A_GO.into()],
    )?;
    let mut reports: Vec<DeliveryReport> = Vec::with_capacity(rows.len());
    for row in &rows {
        let of_row: Vec<DeliveryReport> =
            serde_json::from_str(&row.text(1)?).map_err(|error| PortError::failed("json", error))?;
        reports.extend(of_row);
    }
    if let Some(last) = rows.last() {
        deliver(platform, &owner.text(0)?, reports).await?;
        sql.exec("DELETE FROM report WHERE id <= ?1", &[last.int(0)?.into()])?;
    }
    next_due(sql)
}

/// Hands jobs to the account's sandbox.
pub async fn submit(platform: &impl Platform, account: &str, jobs: Vec<Job>) -> Result<Vec<ChunkReport>, PortError> {
    let call = Call::Submit {
        account: account.to_owned(),
        jobs,
    };
    reports(platform.sandbox(account, &call).await?)
}

/// Asks the account's sandbox which of these it has had.
pub async fn look_up(platform: &impl Platform, account: &str, jobs: Vec<Job>) -> Result<Vec<ChunkReport>, PortError> {
    reports(platform.sandbox(account, &Call::LookUp(jobs)).await?)
}

fn reports(reply: Reply) -> Result<Vec<ChunkReport>, PortError> {
    match reply {
        Reply::Reports(reports) => Ok(reports),
        Reply::Inbox(_) => Err(PortError::failed("sandbox", "an inbox where reports were asked for")),
    }
}
