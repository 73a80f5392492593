//! The sandbox carrier: it takes everything, sends nothing, and ends each message by the last digits of its number, so that a
//! client's program can see every ending. Each account has a sandbox of its own, an object like any carrier's: it counts
//! what it was handed, for as long as a journal keeps its notes, and its reports come back the way any carrier's do.
//!
//! | number ends in | what happens |
//! |---|---|
//! | 901 | refused for good |
//! | 902 | taken, then undelivered |
//! | 903 | taken, then expired |
//! | 904 | taken, but the sandbox gives no answer and no report |
//! | 905 | refused for now, twice; then as any other |
//! | anything else | taken, then delivered |

use serde::{Deserialize, Serialize};

use super::journal::{self, KEPT_MS, SWEEP_SLACK_MS, SWEPT_A_GO};
use super::reports;
use super::request::{CLASS, Submission};
use super::sender::Sender;
use super::settings::{self, Member};
use crate::account::chunk::handover::{Answer, ChunkRef, Handover, Outcomes};
use crate::account::chunk::reports::DeliveryReport;
use crate::account::message::{delivery_error::DeliveryError, simulation::ending, status::RecipientStatus};
use crate::base::ports::{Platform, PortError, Sql};
use crate::base::truncate;
use crate::directory::carriers::Carrier;
use crate::durable::schema::{self, Step};
use crate::durable::{Call, Request, ask, listed, to_json};

/// How long the sandbox takes to report a delivery, ms.
const REPORT_AFTER_MS: i64 = 1_000;
/// How often it refuses a number that ends in 905.
const REFUSALS: i64 = 2;
/// Texts of recipients in one statement: at ten parts each, well below the 2 MB that a value of SQLite may have.
const TEXTS_A_STATEMENT: usize = 200;
/// How long a sandbox without room asks others to wait, ms.
const BUSY_MS: i64 = 500;

/// The settings of a sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default)]
struct Settings {
    /// Submissions that may wait for their reports; beyond, the sandbox is busy.
    window: i64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { window: 10_000 }
    }
}

fn hesitates(msisdn: u64) -> bool {
    msisdn % 1_000 == 905
}

fn name_of(carrier: &str, account: &str) -> String {
    format!("{carrier}/{account}")
}

/// A recipient that the sandbox was handed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handed {
    /// Its position in the list.
    pub id: i64,
    /// The message's uid.
    pub uid: String,
    /// The recipient's index in the message.
    pub index: u32,
    /// Its number.
    pub msisdn: u64,
    /// The beginning of the text that it was to get, as lists need it.
    pub text: String,
    /// When it was handed over first, ms since the Unix epoch.
    pub at_ms: i64,
    /// How often it was taken: more than once would be a message sent twice.
    pub taken: u32,
    /// How often it was refused, for the moment or for good.
    pub refused: u32,
}

const STEPS: &[Step] = &[&[
    // `at_ms` is when recipients of the message were handed over last.
    "CREATE TABLE message (id INTEGER PRIMARY KEY, uid TEXT NOT NULL, at_ms INTEGER NOT NULL) STRICT",
    "CREATE INDEX message_at ON message (at_ms)",
    // The id that the sandbox gives a recipient is made of its key here, which leads back to message and recipient.
    "CREATE TABLE handed (
        message INTEGER NOT NULL,
        idx INTEGER NOT NULL,
        msisdn INTEGER NOT NULL,
        taken INTEGER NOT NULL,
        refused INTEGER NOT NULL,
        at_ms INTEGER NOT NULL,
        PRIMARY KEY (message, idx)
    ) STRICT, WITHOUT ROWID",
    // The texts that were to be sent: under the index -1 to all recipients of a message, else to one.
    "CREATE TABLE text (
        message INTEGER NOT NULL,
        idx INTEGER NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (message, idx)
    ) STRICT, WITHOUT ROWID",
]];

/// The messages that were handed over last at `?1` or before, at most `?2` of them.
macro_rules! old_messages {
    () => {
        "(SELECT id FROM message WHERE at_ms <= ?1 ORDER BY at_ms LIMIT ?2) m "
    };
}

/// What a sandbox has in memory: nothing.
#[derive(Debug, Default)]
pub struct Sandbox;

impl Sender for Sandbox {
    const MEMBERS: &'static [Member] = settings::SANDBOX;

    /// Each account has a sandbox of its own.
    fn object_name(carrier: &Carrier, account: &str, _: u64) -> String {
        name_of(&carrier.name, account)
    }

    fn object_names(_: &Carrier, _: bool) -> Vec<String> {
        Vec::new()
    }

    fn open(sql: &impl Sql) -> Result<(), PortError> {
        schema::migrate(sql, "sandbox", STEPS)
    }

    fn closed(
        &self,
        sql: &impl Sql,
        now_ms: i64,
        submission: &Submission,
        _: usize,
    ) -> Result<Option<Answer>, PortError> {
        let settings: Settings =
            serde_json::from_str(&submission.carrier.settings).map_err(|error| PortError::json("settings", &error))?;
        let is_full = reports::waiting(sql, &submission.account)? >= settings.window;
        Ok(is_full.then_some(Answer::Busy(now_ms.saturating_add(BUSY_MS))))
    }

    /// Taking is one transaction with its note, so that the sandbox can always tell what it has.
    async fn send(
        &self,
        platform: &impl Platform,
        sql: &impl Sql,
        submission: &Submission,
        to_send: Vec<(Handover, Outcomes)>,
    ) -> Result<Vec<(ChunkRef, Answer)>, PortError> {
        let (now_ms, account) = (platform.now_ms(), submission.account.as_str());
        let taken = sql.transaction(|| {
            let taken = take(sql, now_ms, account, to_send)?;
            let notes: Vec<_> = taken.iter().map(|(chunk, outcomes)| (*chunk, Some(outcomes))).collect();
            journal::note(sql, now_ms, account, &notes)?;
            Ok(taken)
        })?;
        let answers = taken.into_iter();
        Ok(answers
            .map(|(chunk, outcomes)| (chunk, Answer::Outcomes(outcomes)))
            .collect())
    }

    fn answer(&self, _: i64, sql: &impl Sql, call: &Call<'_>) -> Result<Option<String>, PortError> {
        if call.request != ListHanded::NAME {
            return Ok(None);
        }
        let list: ListHanded = call.body()?;
        to_json(&list.read(sql)?).map(Some)
    }

    fn next_due_ms(&self, _: i64, sql: &impl Sql) -> Result<Option<i64>, PortError> {
        sql.number(
            "SELECT min(at_ms) + ?1 FROM message",
            &[(KEPT_MS + SWEEP_SLACK_MS).into()],
        )
    }

    /// Forgets messages that were handed over as long ago as the journal's notes, some rows of each table in one go. A message
    /// goes last, so that its other rows are still found.
    async fn work(&self, platform: &impl Platform, sql: &impl Sql) -> Result<(), PortError> {
        let params = [platform.now_ms().saturating_sub(KEPT_MS).into(), SWEPT_A_GO.into()];
        sql.transaction(|| {
            for statement in [
                concat!(
                    "DELETE FROM handed WHERE (message, idx) IN (SELECT h.message, h.idx FROM ",
                    old_messages!(),
                    "CROSS JOIN handed h ON h.message = m.id LIMIT ?2)"
                ),
                concat!(
                    "DELETE FROM text WHERE (message, idx) IN (SELECT t.message, t.idx FROM ",
                    old_messages!(),
                    "CROSS JOIN text t ON t.message = m.id LIMIT ?2)"
                ),
                concat!(
                    "DELETE FROM message WHERE id IN (SELECT m.id FROM ",
                    old_messages!(),
                    "WHERE NOT EXISTS (SELECT 1 FROM handed h WHERE h.message = m.id) \
                       AND NOT EXISTS (SELECT 1 FROM text t WHERE t.message = m.id))"
                ),
            ] {
                sql.exec(statement, &params)?;
            }
            Ok(())
        })
    }
}

/// Takes recipients, each as its number says, and adds what became of them to their earlier outcomes.
fn take(
    sql: &impl Sql,
    now_ms: i64,
    account: &str,
    handovers: Vec<(Handover, Outcomes)>,
) -> Result<Vec<(ChunkRef, Outcomes)>, PortError> {
    let mut taken = Vec::with_capacity(handovers.len());
    let mut handed: Vec<(i64, u32, u64, u32)> = Vec::new();
    let mut reports: Vec<DeliveryReport> = Vec::new();
    for (handover, outcomes) in &handovers {
        let message = handover.chunk.message;
        let mut outcomes = outcomes.clone();
        let mut of_chunk: Vec<DeliveryReport> = Vec::new();
        for (index, msisdn) in &handover.recipients {
            let status = ending(*msisdn);
            let hesitates = hesitates(*msisdn) && refusals(sql, message, *index)? < REFUSALS;
            let is_refused = hesitates || status == RecipientStatus::Rejected;
            handed.push((message, *index, *msisdn, is_refused.into()));
            match status {
                _ if hesitates => outcomes.not_now.push(*index),
                RecipientStatus::Rejected => outcomes.refused.push((*index, DeliveryError::Blocked.into())),
                RecipientStatus::Unknown => outcomes.no_answer.push(*index),
                _ => {
                    outcomes.taken.push((*index, format!("{message:x}.{index:x}")));
                    reports::gather(&mut of_chunk, message, *index, status, None);
                }
            }
        }
        reports.append(&mut of_chunk);
        taken.push((handover.chunk, outcomes));
    }
    note_handed(sql, now_ms, &handovers, &handed)?;
    reports::add(sql, now_ms, account, REPORT_AFTER_MS, &reports)?;
    Ok(taken)
}

fn refusals(sql: &impl Sql, message: i64, index: u32) -> Result<i64, PortError> {
    Ok(sql
        .number(
            "SELECT refused FROM handed WHERE message = ?1 AND idx = ?2",
            &[message.into(), index.into()],
        )?
        .unwrap_or(0))
}

fn note_handed(
    sql: &impl Sql,
    now_ms: i64,
    handovers: &[(Handover, Outcomes)],
    handed: &[(i64, u32, u64, u32)],
) -> Result<(), PortError> {
    let messages: Vec<(i64, &str)> = handovers
        .iter()
        .map(|(handover, _)| (handover.chunk.message, handover.uid.as_str()))
        .collect();
    sql.exec(
        "INSERT INTO message (id, uid, at_ms) SELECT value ->> 0, value ->> 1, ?2 FROM json_each(?1) WHERE 1 \
         ON CONFLICT (id) DO UPDATE SET at_ms = excluded.at_ms",
        &[to_json(&messages)?.into(), now_ms.into()],
    )?;
    note_texts(sql, handovers)?;
    sql.exec(
        concat!(
            listed!(),
            "INSERT INTO handed (message, idx, msisdn, taken, refused, at_ms) \
             SELECT value ->> 0, value ->> 1, value ->> 2, 1 - (value ->> 3), value ->> 3, ?2 FROM listed WHERE 1 \
             ON CONFLICT (message, idx) DO UPDATE SET taken = taken + excluded.taken, refused = refused + excluded.refused"
        ),
        &[to_json(&handed)?.into(), now_ms.into()],
    )
    .map(drop)
}

fn note_texts(sql: &impl Sql, handovers: &[(Handover, Outcomes)]) -> Result<(), PortError> {
    let handovers = handovers.iter().map(|(handover, _)| handover);
    let (shared, own): (Vec<&Handover>, Vec<&Handover>) = handovers.partition(|handover| handover.texts.is_empty());
    let shared = shared
        .iter()
        .map(|handover| (handover.chunk.message, -1, handover.text.as_str()));
    insert_texts(sql, &to_json(&shared.collect::<Vec<_>>())?)?;
    for handover in own {
        let message = handover.chunk.message;
        for recipients in handover.recipients.chunks(TEXTS_A_STATEMENT) {
            let texts = recipients
                .iter()
                .map(|(index, _)| (message, *index, handover.text_for(*index)));
            insert_texts(sql, &to_json(&texts.collect::<Vec<_>>())?)?;
        }
    }
    Ok(())
}

fn insert_texts(sql: &impl Sql, texts: &str) -> Result<(), PortError> {
    sql.exec(
        concat!(
            listed!(),
            "INSERT OR IGNORE INTO text (message, idx, text) \
             SELECT value ->> 0, value ->> 1, value ->> 2 FROM listed"
        ),
        &[texts.into()],
    )
    .map(drop)
}

/// Positions in the list that one message takes: more than it can have recipients.
const POSITIONS: i64 = 1_000_000;

/// Asks what the sandbox was handed, oldest first.
#[derive(Debug, Serialize, Deserialize)]
pub struct ListHanded {
    /// Items at most.
    pub limit: u32,
    /// The position of the last item of the page before.
    pub after: Option<i64>,
}

impl Request for ListHanded {
    const CLASS: &'static str = CLASS;
    const NAME: &'static str = "ListHanded";
    /// `None`: the sandbox has had no submission yet.
    type Reply = Option<Vec<Handed>>;
}

impl ListHanded {
    fn read(&self, sql: &impl Sql) -> Result<Vec<Handed>, PortError> {
        let after = self.after.unwrap_or(-1);
        let rows = sql.exec(
            "SELECT h.message * ?4 + h.idx, m.uid, h.idx, h.msisdn, h.taken, h.refused, \
                    substr(coalesce((SELECT text FROM text t WHERE t.message = h.message AND t.idx = h.idx), \
                                    (SELECT text FROM text t WHERE t.message = h.message AND t.idx = -1), ''), 1, ?5), \
                    h.at_ms \
             FROM handed h JOIN message m ON m.id = h.message \
             WHERE (h.message, h.idx) > (?1, ?2) ORDER BY h.message, h.idx LIMIT ?3",
            &[
                (after / POSITIONS).into(),
                (after % POSITIONS).into(),
                self.limit.into(),
                POSITIONS.into(),
                truncate::MESSAGE_CHARS.into(),
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
                    at_ms: row.int(7)?,
                })
            })
            .collect()
    }
}

/// What the sandbox of this name was handed for an account.
pub async fn handed(
    platform: &impl Platform,
    carrier: &str,
    account: &str,
    page: &ListHanded,
) -> Result<Vec<Handed>, PortError> {
    let handed = ask(platform, &name_of(carrier, account), None, None, page).await?;
    Ok(handed.unwrap_or_default())
}
