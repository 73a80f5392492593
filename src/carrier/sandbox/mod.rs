//! The sandbox carrier: it takes everything, sends nothing, and ends each message by the last digits of its number, so that a
//! client's program can see every ending. Each account has a sandbox of its own, an object like any carrier's: it counts
//! what it was handed, for as long as a journal keeps its notes, without secret values. It tells the endings with its answer or, if its settings say
//! so, later by reports, which come back the way any carrier's do.
//!
//! | number ends in | what happens |
//! |---|---|
//! | 901 | refused for good |
//! | 902 | taken, then undelivered |
//! | 903 | taken, then expired |
//! | 904 | taken, but the sandbox gives no answer and no report |
//! | 905 | refused for now, twice; then as any other |
//! | anything else | taken, then delivered |

pub mod erasure;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::account::chunk::reports::DeliveryReport;
use crate::account::record::chunk::ChunkId;
use crate::account::record::chunk::handover::{Answer, ChunkRef, Handover, Outcomes};
use crate::account::record::message::delivery_error::DeliveryError;
use crate::account::record::message::simulation::ending;
use crate::account::record::message::status::RecipientStatus;
use crate::account::record::rows::Rows;
use crate::base::ports::{Platform, PortError, Sql};
use crate::base::time::DAY_MS;
use crate::base::truncate::{self, Excerpt};
use crate::carrier::journal::{self, KEPT_MS, SWEEP_SLACK_MS, SWEPT_A_GO};
use crate::carrier::reports;
use crate::carrier::request::{CLASS, Submission};
use crate::carrier::sender::Sender;
use crate::carrier::settings::{self, Member};
use crate::directory::carriers::Carrier;
use crate::durable::schema::Step;
use crate::durable::{Call, Request, ask, listed, requests, to_json};
use erasure::{EraseHanded, Place};

/// How often it refuses a number that ends in 905.
const REFUSALS: i64 = 2;
/// Bytes that the recipients' own texts take in the row of a chunk, as JSON: a value of SQLite may have 2 MB. All texts of ten
/// parts fit, and of longer ones the beginnings.
const TEXTS_A_CHUNK: usize = 1_800_000;
/// How long a sandbox without room asks others to wait, ms.
const BUSY_MS: i64 = 500;

/// The settings of a sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Settings {
    /// Submissions that may wait for their reports; beyond, the sandbox is busy.
    window: i64,
    /// How long the sandbox takes to report how a message ended, ms. 0: it says so with its answer, and nothing waits.
    report_after_ms: i64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            window: 10_000,
            report_after_ms: 0,
        }
    }
}

impl Settings {
    fn of(carrier: &Carrier) -> Result<Settings, PortError> {
        serde_json::from_str(&carrier.settings).map_err(|error| PortError::json("settings", &error))
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

const TABLES: Step = &[
    // A chunk that was handed over, first at `at_ms`. `recipients` is a JSON list with an item for each time that a recipient
    // was handed over: its index, its number, 1 if it was refused, and its own text, if it has one and is new. `count` is how
    // many there were the first time.
    "CREATE TABLE handed_chunk (
        message INTEGER NOT NULL,
        number INTEGER NOT NULL,
        uid TEXT NOT NULL,
        text TEXT NOT NULL,
        at_ms INTEGER NOT NULL,
        count INTEGER NOT NULL,
        recipients TEXT NOT NULL,
        PRIMARY KEY (message, number)
    ) STRICT, WITHOUT ROWID",
    "CREATE INDEX handed_chunk_at ON handed_chunk (at_ms)",
    // The id that the sandbox gives a recipient is made of its key here, which leads back to message and recipient.
    "CREATE VIEW handed (message, idx, uid, msisdn, taken, refused, text, at_ms) AS
        SELECT h.message, r.value ->> 0, h.uid, r.value ->> 1, sum(1 - (r.value ->> 2)), sum(r.value ->> 2),
               coalesce(max(r.value ->> 3), h.text), min(h.at_ms)
        FROM handed_chunk h CROSS JOIN json_each(h.recipients) r GROUP BY h.message, r.value ->> 0",
];

requests! {
    CLASS;
    /// `None`: the sandbox has had no submission yet.
    ListHanded, "ListHanded" => Option<Vec<Handed>>;
    /// The last chunk that was looked at; `None`: all were, or the sandbox has had no submission yet.
    EraseHanded, "EraseHanded" => Option<Place>;
}

/// What a sandbox has in memory: nothing.
#[derive(Debug, Default)]
pub struct Sandbox;

impl Sender for Sandbox {
    const MEMBERS: &'static [Member] = settings::SANDBOX;
    const TABLES: &'static [Step] = &[TABLES];

    /// Nothing leaves the service.
    fn is_encrypted(_: &Carrier) -> bool {
        true
    }

    /// Each account has a sandbox of its own.
    fn object_name(carrier: &Carrier, account: &str, _: u64) -> String {
        name_of(&carrier.name, account)
    }

    fn object_names(_: &Carrier, _: bool) -> Vec<String> {
        Vec::new()
    }

    fn closed(
        &self,
        sql: &impl Sql,
        now_ms: i64,
        submission: &Submission,
        _: usize,
    ) -> Result<Option<Answer>, PortError> {
        let settings = Settings::of(&submission.carrier)?;
        let waiting = match settings.report_after_ms {
            0 => 0,
            _ => reports::waiting(sql, &submission.account)?,
        };
        let is_full = waiting >= settings.window;
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
        let report_after_ms = Settings::of(&submission.carrier)?.report_after_ms;
        let taken = sql.transaction(|| {
            let refusals = refusals(sql, &to_send)?;
            let mut take = Take {
                reports_later: report_after_ms > 0,
                refusals,
                ..Take::default()
            };
            for (handover, outcomes) in to_send {
                take.chunk(&handover, outcomes)?;
            }
            take.rows.write(|rows| note_handed(sql, now_ms, rows))?;
            reports::add(sql, now_ms, account, report_after_ms, &take.reports)?;
            let notes: Vec<_> = take
                .taken
                .iter()
                .map(|(chunk, outcomes)| (*chunk, Some(outcomes)))
                .collect();
            journal::note(sql, now_ms, account, &notes)?;
            Ok(take.taken)
        })?;
        let answers = taken.into_iter();
        Ok(answers
            .map(|(chunk, outcomes)| (chunk, Answer::Outcomes(outcomes)))
            .collect())
    }

    fn answer(&self, _: i64, sql: &impl Sql, call: &Call<'_>) -> Result<Option<String>, PortError> {
        match call.request.as_ref() {
            ListHanded::NAME => to_json(&call.body::<ListHanded>()?.read(sql)?).map(Some),
            EraseHanded::NAME => to_json(&call.body::<EraseHanded>()?.erase(sql)?).map(Some),
            _ => Ok(None),
        }
    }

    /// The journal's note is the first to be swept. Reports that come later are due before.
    fn due_after_ms(&self, now_ms: i64, carrier: &Carrier) -> Option<i64> {
        let settings = Settings::of(carrier).ok()?;
        (settings.report_after_ms == 0).then(|| journal::swept_ms(now_ms / DAY_MS))
    }

    fn next_due_ms(&self, _: i64, sql: &impl Sql) -> Result<Option<i64>, PortError> {
        sql.number(
            "SELECT min(at_ms) + ?1 FROM handed_chunk",
            &[(KEPT_MS + SWEEP_SLACK_MS).into()],
        )
    }

    /// Forgets chunks that were handed over as long ago as the journal's notes, some in one go.
    async fn work(&self, platform: &impl Platform, sql: &impl Sql) -> Result<(), PortError> {
        sql.exec(
            "DELETE FROM handed_chunk WHERE (message, number) IN \
               (SELECT message, number FROM handed_chunk WHERE at_ms <= ?1 ORDER BY at_ms LIMIT ?2)",
            &[platform.now_ms().saturating_sub(KEPT_MS).into(), SWEPT_A_GO.into()],
        )
        .map(drop)
    }
}

/// A recipient that was handed over, as its chunk's row has it: index, number, whether it was refused, its own text.
type HandedRow = (u32, u64, u8, Option<String>);

/// Takes handovers, each recipient as its number says.
#[derive(Default)]
struct Take {
    /// Whether the endings are reported later. Else the answer has them.
    reports_later: bool,
    /// How often recipients were refused that hesitate.
    refusals: BTreeMap<(i64, u32), i64>,
    /// What became of the recipients, with their earlier outcomes.
    taken: Vec<(ChunkRef, Outcomes)>,
    /// The rows of the chunks.
    rows: Rows,
    reports: Vec<DeliveryReport>,
}

impl Take {
    fn chunk(&mut self, handover: &Handover, mut outcomes: Outcomes) -> Result<(), PortError> {
        let ChunkRef { message, number, .. } = handover.chunk;
        let text_bytes = TEXTS_A_CHUNK / handover.recipients.len().max(1);
        let (mut handed, mut reports): (Vec<HandedRow>, _) =
            (Vec::with_capacity(handover.recipients.len()), Vec::new());
        for (index, msisdn) in &handover.recipients {
            let refusals = self.refusals.get(&(message, *index)).copied().unwrap_or(0);
            let hesitates = hesitates(*msisdn) && refusals < REFUSALS;
            let status = ending(*msisdn);
            match status {
                _ if hesitates => outcomes.not_now.push(*index),
                RecipientStatus::Rejected => outcomes.refused.push((*index, DeliveryError::Blocked.into())),
                RecipientStatus::Unknown => outcomes.no_answer.push(*index),
                _ if self.reports_later => {
                    outcomes.taken.push((*index, format!("{message:x}.{index:x}")));
                    reports::gather(&mut reports, message, *index, status, None);
                }
                _ => outcomes.end(*index, status, None),
            }
            let is_refused = hesitates || status == RecipientStatus::Rejected;
            // The chunk's row has the text of one that hesitates since the first time.
            let has_own = refusals == 0 && handover.texts.contains_key(index);
            let text = has_own.then(|| beginning(&handover.redacted_for(*index), text_bytes));
            handed.push((*index, *msisdn, is_refused.into(), text));
        }
        self.rows.push(&(
            message,
            number,
            &handover.uid,
            handover.redacted_text(),
            handed.len(),
            &handed,
        ))?;
        self.reports.append(&mut reports);
        self.taken.push((handover.chunk, outcomes));
        Ok(())
    }
}

/// As much of a text as a list shows, if there is room for it.
fn beginning(text: &str, bytes: usize) -> String {
    // One more than a list shows, so that the list knows whether the text goes on.
    let all = Excerpt::of(text, bytes.min(truncate::MESSAGE_BYTES + 4));
    if all.is_cut && bytes <= truncate::MESSAGE_BYTES {
        format!("{}…", all.text)
    } else {
        all.text.to_owned()
    }
}

/// How often recipients were refused that hesitate, by message and index.
fn refusals(sql: &impl Sql, handovers: &[(Handover, Outcomes)]) -> Result<BTreeMap<(i64, u32), i64>, PortError> {
    let has_hesitant = |handover: &Handover| handover.recipients.iter().any(|(_, msisdn)| hesitates(*msisdn));
    let handovers = handovers.iter().map(|(handover, _)| handover);
    let chunks: Vec<ChunkId> = handovers
        .filter(|handover| has_hesitant(handover))
        .map(|handover| handover.chunk.id())
        .collect();
    if chunks.is_empty() {
        return Ok(BTreeMap::new());
    }
    let rows = sql.exec(
        "SELECT h.message, r.value ->> 0, count(*) FROM json_each(?1) c \
         CROSS JOIN handed_chunk h ON h.message = c.value ->> 0 AND h.number = c.value ->> 1 \
         CROSS JOIN json_each(h.recipients) r WHERE r.value ->> 2 = 1 GROUP BY 1, 2",
        &[to_json(&chunks)?.into()],
    )?;
    rows.iter()
        .map(|row| Ok(((row.int(0)?, row.u32(1)?), row.int(2)?)))
        .collect()
}

/// Notes chunks that were handed over. What is handed over again is added to the row of its chunk.
fn note_handed(sql: &impl Sql, now_ms: i64, rows: String) -> Result<(), PortError> {
    sql.exec(
        concat!(
            listed!(),
            "INSERT INTO handed_chunk (message, number, uid, text, at_ms, count, recipients) \
             SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, ?2, value ->> 4, value ->> 5 FROM listed WHERE 1 \
             ON CONFLICT (message, number) DO UPDATE SET \
               recipients = substr(recipients, 1, length(recipients) - 1) || ',' || substr(excluded.recipients, 2)"
        ),
        &[rows.into(), now_ms.into()],
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

impl ListHanded {
    fn read(&self, sql: &impl Sql) -> Result<Vec<Handed>, PortError> {
        let after = self.after.unwrap_or(-1);
        let (message, index) = (after / POSITIONS, after % POSITIONS);
        let rows = sql.exec(
            "SELECT message * ?5 + idx, uid, idx, msisdn, taken, refused, substr(text, 1, ?6), at_ms FROM handed \
             WHERE message >= ?1 AND message <= ?2 AND (message, idx) > (?1, ?3) ORDER BY message, idx LIMIT ?4",
            &[
                message.into(),
                self.last_message(sql, message)?.into(),
                index.into(),
                self.limit.into(),
                POSITIONS.into(),
                truncate::MESSAGE_CHARS.into(),
            ],
        )?;
        rows.iter()
            .map(|row| {
                let mut row = row.reader();
                Ok(Handed {
                    id: row.read()?,
                    uid: row.read()?,
                    index: row.read()?,
                    msisdn: u64::try_from(row.read::<i64>()?).unwrap_or_default(),
                    taken: row.read()?,
                    refused: row.read()?,
                    text: row.read()?,
                    at_ms: row.read()?,
                })
            })
            .collect()
    }
}

impl ListHanded {
    /// The last message of which a page has recipients at most, that goes on within this one: those behind it have enough for a
    /// page.
    fn last_message(&self, sql: &impl Sql, message: i64) -> Result<i64, PortError> {
        let last = sql.number(
            "WITH near AS (SELECT message, sum(count) AS count FROM handed_chunk WHERE message >= ?1 \
               GROUP BY message ORDER BY message LIMIT ?2 + 1), \
             behind AS (SELECT message, iif(message = ?1, 0, count) AS count FROM near), \
             counted AS (SELECT message, sum(count) OVER (ORDER BY message) - count AS before FROM behind) \
             SELECT max(message) FROM counted WHERE before < ?2",
            &[message.into(), self.limit.into()],
        )?;
        Ok(last.unwrap_or(message))
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
