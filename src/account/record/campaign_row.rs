//! A campaign as it is stored, in one row: what it sends, to whom, how far it has come, and what its forgotten waves came to.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::auth::Mode;
use crate::base::id;
use crate::base::named::named;
use crate::base::ports::{PortError, Sql};
use crate::base::record::{Columns, json_columns, neighbours, record};
use crate::base::window::Window;
use crate::durable::to_json;

/// Campaigns named at most.
const NAMED: i64 = 10;

named! {
    /// How far a campaign has come.
    pub enum CampaignState {
        /// Its people are counted and priced. Nobody gets anything.
        Counting = 0 => "COUNTING",
        /// It is counted, and waits for its sender to start it.
        Draft = 1 => "DRAFT",
        /// It is started, and waits for its time.
        Scheduled = 2 => "SCHEDULED",
        /// It goes out, wave by wave.
        Running = 3 => "RUNNING",
        /// No further wave goes out until its sender resumes it.
        Paused = 4 => "PAUSED",
        /// One of its bounds has stopped it. Its sender may resume it.
        Stopped = 5 => "STOPPED",
        /// Everybody has been reached, or left out.
        Done = 6 => "DONE",
        /// Its sender has ended it.
        Canceled = 7 => "CANCELED",
    }
}

named! {
    /// Why a campaign is paused, stopped or canceled, if that was not its sender.
    pub enum CampaignReason {
        /// The balance does not pay the next wave.
        LowBalance = 0 => "LOW_BALANCE",
        /// The account can't use the line, the line has no way out, or its hours have no time in common with those of the campaign.
        NoLine = 1 => "NO_LINE",
        /// Sending is switched off, or the account is not active.
        SendingOff = 2 => "SENDING_OFF",
        /// A phonebook of the campaign is gone, or one that it leaves out.
        NoPhonebook = 3 => "NO_PHONEBOOK",
        /// The text or the pattern can't be sent any more.
        NotSendable = 4 => "NOT_SENDABLE",
        /// An operator has canceled what the account had not sent.
        ByOperator = 5 => "BY_OPERATOR",
        /// The next wave would cost more than the budget of the campaign has left.
        Budget = 6 => "BUDGET",
        /// The account, or the key that started the campaign, may spend no more today.
        DailyLimit = 7 => "DAILY_LIMIT",
        /// The account was taken back in time, so nobody knows whom the campaign had reached.
        Restored = 8 => "RESTORED",
        /// Too large a share of the people failed to get it, as its guard says.
        FailedShare = 9 => "FAILED_SHARE",
        /// Too large a share of the people opted out of more, as its guard says.
        OptOutShare = 10 => "OPT_OUT_SHARE",
    }
}

/// What a campaign sends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Content {
    /// A text, filled in for each number.
    Text(String),
    /// A pattern of the account's, filled in once.
    Pattern {
        /// Its slug.
        slug: String,
        /// The values of its variables, by their names.
        values: BTreeMap<String, String>,
    },
}

/// Who is left out of an audience.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Exclude {
    /// The members of these phonebooks, by their ids.
    pub phonebooks: Vec<String>,
    /// These numbers.
    pub numbers: Vec<u64>,
}

/// What stops a campaign that goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Guard {
    /// How many of a hundred endings may be failures.
    #[serde(default)]
    pub failed_share: Option<u32>,
    /// How many of a hundred recipients may opt out.
    #[serde(default)]
    pub opt_out_share: Option<u32>,
    /// How many recipients must have their ending before it judges.
    pub after: u32,
}

/// What a campaign sends, to whom, and how fast.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// What it sends.
    pub content: Content,
    /// Whether placeholders of the text that no phonebook has are sent as they are.
    #[serde(default)]
    pub keeps_unknown: bool,
    /// The line; `None` for the account's default line.
    #[serde(default)]
    pub line: Option<String>,
    /// The phonebooks whose members it goes to, by their ids.
    pub phonebooks: Vec<String>,
    /// Which of the members, as the directory reads it; `None` for all.
    #[serde(default)]
    pub condition: Option<Json>,
    /// Who is left out.
    #[serde(default)]
    pub exclude: Exclude,
    /// When it begins, ms since the Unix epoch; `None`: as soon as it is started.
    #[serde(default)]
    pub send_at_ms: Option<i64>,
    /// The hours in which waves go out; `None` for all.
    #[serde(default)]
    pub window: Option<Window>,
    /// How many people it may reach in a minute; `None` for as many as can be.
    #[serde(default)]
    pub per_minute: Option<u32>,
    /// What all of it may cost, in minor units; `None` for as much as there is.
    #[serde(default)]
    pub budget: Option<i64>,
    /// What stops it when it goes wrong; `None`: nothing does.
    #[serde(default)]
    pub guard: Option<Guard>,
}

json_columns!(Plan);

impl Plan {
    /// Whether it sends the same to the same people as another one, whenever it begins, and is as strict with its text.
    pub fn is_as(&self, other: &Plan) -> bool {
        let mine = (&self.content, &self.line, &self.phonebooks, &self.condition);
        let others = (&other.content, &other.line, &other.phonebooks, &other.condition);
        mine == others && self.exclude == other.exclude && self.keeps_unknown == other.keeps_unknown
    }
}

/// Who has started a campaign: its waves count for the caps of this key, and go out from its lines.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Starter {
    /// The id of the key.
    pub key: String,
    /// The lines that the key may use; `None` for all of the account.
    pub lines: Option<Vec<String>>,
    /// Whether it was started in the console.
    pub console: bool,
}

json_columns!(Starter);

/// What counting a campaign has found so far.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Counted {
    /// How many people would get it.
    pub people: i64,
    /// Their parts together.
    pub parts: i64,
    /// Their cost together.
    pub cost: i64,
    /// How many would be left out, by the name of the reason.
    pub skipped: BTreeMap<String, i64>,
    /// The people and their cost by mobile operator.
    pub operators: BTreeMap<String, (i64, i64)>,
}

json_columns!(Counted);

impl Counted {
    /// Adds what counting has found in others.
    pub fn add(&mut self, others: &Counted) {
        self.people = self.people.saturating_add(others.people);
        self.parts = self.parts.saturating_add(others.parts);
        self.cost = self.cost.saturating_add(others.cost);
        for (reason, count) in &others.skipped {
            let sum = self.skipped.entry(reason.clone()).or_default();
            *sum = sum.saturating_add(*count);
        }
        for (operator, (people, cost)) in &others.operators {
            let sum = self.operators.entry(operator.clone()).or_default();
            *sum = (sum.0.saturating_add(*people), sum.1.saturating_add(*cost));
        }
    }
}

/// What waves came to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Sums {
    /// How many waves.
    pub waves: i64,
    /// The recipients that get the message.
    pub recipients: i64,
    /// Those that were left out.
    pub skipped: i64,
    /// Those that have not left.
    pub queued: i64,
    /// Those that have no ending yet.
    pub open: i64,
    /// Those that have the message.
    pub delivered: i64,
    /// Those that failed to get it.
    pub failed: i64,
    /// What was reserved for them.
    pub cost: i64,
    /// What of that is back in the wallet.
    pub returned: i64,
    /// The carriers that have its recipients, or had them last.
    pub carriers: BTreeSet<String>,
}

neighbours!(Sums: waves, recipients, skipped, queued, open, delivered, failed, cost, returned, carriers);

/// What the guard of a campaign judges by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Judged {
    /// The recipients that get the message.
    pub recipients: i64,
    /// Those that have the message.
    pub delivered: i64,
    /// Those that failed to get it.
    pub failed: i64,
    /// Those that opted out.
    pub opt_outs: i64,
}

json_columns!(Judged);

/// How many recipients failed for one reason whose numbers are of one mobile operator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The name of the error.
    pub error: String,
    /// The name of the mobile operator.
    pub operator: String,
    /// How many.
    pub count: i64,
}

neighbours!(Failure: error, operator, count);

/// What is kept in the row of a campaign of its forgotten waves.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Forgotten {
    /// What they came to.
    pub sums: Sums,
    /// Their failures.
    pub failures: Vec<Failure>,
}

json_columns!(Forgotten);

/// Failures by error and operator, each once.
fn together(failures: impl IntoIterator<Item = Failure>) -> Vec<Failure> {
    let mut counts: BTreeMap<(String, String), i64> = BTreeMap::new();
    for Failure { error, operator, count } in failures {
        let sum = counts.entry((error, operator)).or_default();
        *sum = sum.saturating_add(count);
    }
    let failures = counts
        .into_iter()
        .map(|((error, operator), count)| Failure { error, operator, count });
    failures.collect()
}

impl Sums {
    /// Both together.
    #[must_use]
    pub fn with(self, other: Sums) -> Sums {
        Sums {
            waves: self.waves.saturating_add(other.waves),
            recipients: self.recipients.saturating_add(other.recipients),
            skipped: self.skipped.saturating_add(other.skipped),
            queued: self.queued.saturating_add(other.queued),
            open: self.open.saturating_add(other.open),
            delivered: self.delivered.saturating_add(other.delivered),
            failed: self.failed.saturating_add(other.failed),
            cost: self.cost.saturating_add(other.cost),
            returned: self.returned.saturating_add(other.returned),
            carriers: self.carriers.into_iter().chain(other.carriers).collect(),
        }
    }
}

record! {
    /// A campaign.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct CampaignRow by campaign_row {
        /// Its number in its account.
        pub id: i64 = id "INTEGER NOT NULL";
        /// Its id in the API, whose last digits are the number.
        pub uid: String = uid "TEXT NOT NULL";
        /// Its name.
        pub title: String = title "TEXT NOT NULL";
        /// How far it has come.
        pub state: CampaignState = state "INTEGER NOT NULL";
        /// Why it is where it is, if that was not its sender.
        pub reason: Option<CampaignReason> = reason "INTEGER";
        /// Whether a test key has made it.
        pub test: bool = test "INTEGER NOT NULL";
        /// What it sends, to whom, and how fast.
        pub plan: Plan = plan "TEXT NOT NULL";
        /// Who has started it.
        pub starter: Starter = starter "TEXT NOT NULL";
        /// Counts the changes of the row.
        pub revision: i64 = revision "INTEGER NOT NULL";
        /// When it was made, ms since the Unix epoch, as all its times.
        pub created_ms: i64 = created_ms "INTEGER NOT NULL";
        /// When it was started.
        pub started_ms: Option<i64> = started_ms "INTEGER";
        /// When it ended.
        pub ended_ms: Option<i64> = ended_ms "INTEGER";
        /// When the object goes on with it; `None`: not by itself.
        pub due_ms: Option<i64> = due_ms "INTEGER";
        /// The smallest phone number that was not looked at yet; in a resend, the [place](crate::account::campaign::recipients::place) of the
        /// first person.
        pub next: i64 = next_number "INTEGER NOT NULL";
        /// The message of its newest wave.
        pub wave: Option<i64> = wave "INTEGER";
        /// The newest message that an operator had canceled when it was started.
        pub canceled_through: i64 = canceled_through "INTEGER NOT NULL";
        /// What counting has found so far.
        pub counted: Counted = counted "TEXT NOT NULL";
        /// What those of its waves came to that are forgotten.
        pub forgotten: Forgotten = forgotten "TEXT NOT NULL";
        /// How many people have opted out since it reached them.
        pub opt_outs: i64 = opt_outs "INTEGER NOT NULL";
        /// What it had come to when its sender resumed it although its guard had stopped it: the guard judges by what came since.
        pub forgiven: Judged = forgiven "TEXT NOT NULL";
        /// The id of the campaign that it is the resend of.
        pub resend_of: Option<String> = resend_of "TEXT";
        /// The id of its resend, as long as that is there.
        pub resent_as: Option<String> = resent_as "TEXT";
        /// Whether it was resent, or may have been: it gets no other resend.
        pub was_resent: bool = was_resent "INTEGER NOT NULL";
        /// The idempotency key of the request that has made it.
        pub key: Option<String> = key "TEXT";
        /// The hash of that request.
        pub key_hash: Option<String> = key_hash "TEXT";
    }
}
pub(in crate::account) use campaign_row;

/// What waves came to, over the first chunks `m` of their messages and all chunks `c`, as [`Sums`] are read.
macro_rules! sums {
    () => {
        "coalesce(sum(c.number = 0), 0), coalesce(sum(iif(c.number = 0, m.total, 0)), 0), \
         coalesce(sum(iif(c.number = 0, m.skipped, 0)), 0), coalesce(sum(c.queued), 0), coalesce(sum(c.open), 0), \
         coalesce(sum(c.delivered), 0), coalesce(sum(c.failed), 0), coalesce(sum(iif(c.number = 0, m.cost, 0)), 0), \
         coalesce(sum(c.returned), 0), \
         json_group_array(DISTINCT substr(c.object, 1, instr(c.object, '/') - 1)) FILTER (WHERE c.object IS NOT NULL)"
    };
}

impl CampaignRow {
    /// Writes it, whether it is new or was changed.
    pub fn write(&self, sql: &impl Sql) -> Result<(), PortError> {
        sql.exec(
            concat!(
                "INSERT OR REPLACE INTO campaign (",
                campaign_row!(columns),
                ") VALUES (",
                campaign_row!(marks),
                ")"
            ),
            &self.values()?,
        )
        .map(drop)
    }

    /// What its waves came to, those that are forgotten too.
    pub fn sums(&self, sql: &impl Sql) -> Result<Sums, PortError> {
        let rows = sql.exec(
            concat!(
                "SELECT ",
                sums!(),
                " FROM chunk m CROSS JOIN chunk c ON c.message = m.message WHERE m.campaign = ?1"
            ),
            &[self.id.into()],
        )?;
        let there = rows.first().map(Sums::of).transpose()?.unwrap_or_default();
        Ok(self.forgotten.sums.clone().with(there))
    }

    /// Why recipients of its waves failed, those that are forgotten too.
    pub fn failures(&self, sql: &impl Sql) -> Result<Vec<Failure>, PortError> {
        let rows = sql.exec(
            "SELECT f.value ->> 0, f.value ->> 1, sum(f.value ->> 2) \
             FROM chunk m CROSS JOIN chunk c ON c.message = m.message CROSS JOIN json_each(c.failed_for) f \
             WHERE m.campaign = ?1 GROUP BY f.value ->> 0, f.value ->> 1",
            &[self.id.into()],
        )?;
        let there: Vec<Failure> = rows.iter().map(Failure::of).collect::<Result<_, PortError>>()?;
        Ok(together(self.forgotten.failures.iter().cloned().chain(there)))
    }

    /// Notes in the first campaign that this resend of it is started. Of any other campaign there is nothing to note.
    pub fn note_resend(&self, sql: &impl Sql) -> Result<(), PortError> {
        self.change_first(sql, "UPDATE campaign SET was_resent = 1 WHERE id = ?1")
    }

    /// Notes in the first campaign that this resend of it is gone. Another may be made, unless this one was started.
    pub fn forget_resend(&self, sql: &impl Sql) -> Result<(), PortError> {
        self.change_first(sql, "UPDATE campaign SET resent_as = NULL WHERE id = ?1")
    }

    fn change_first(&self, sql: &impl Sql, statement: &str) -> Result<(), PortError> {
        match self.resend_of.as_deref().and_then(id::number_of) {
            Some(first) => sql.exec(statement, &[first.into()]).map(drop),
            None => Ok(()),
        }
    }

    /// What its guard judges by.
    pub fn judged(&self, sums: &Sums) -> Judged {
        Judged {
            recipients: sums.recipients,
            delivered: sums.delivered,
            failed: sums.failed,
            opt_outs: self.opt_outs,
        }
    }
}

/// Finds the campaign with this id, if a key of this mode has made it.
pub fn find(sql: &impl Sql, uid: &str, mode: Mode) -> Result<Option<CampaignRow>, PortError> {
    let rows = sql.exec(
        concat!(
            "SELECT ",
            campaign_row!(columns),
            " FROM campaign WHERE id = ?1 AND uid = ?2 AND test = ?3"
        ),
        &[id::number_of(uid).into(), uid.into(), mode.is_test().into()],
    )?;
    rows.first().map(CampaignRow::of).transpose()
}

/// The campaign with this number.
pub fn numbered(sql: &impl Sql, id: i64) -> Result<Option<CampaignRow>, PortError> {
    let rows = sql.exec(
        concat!("SELECT ", campaign_row!(columns), " FROM campaign WHERE id = ?1"),
        &[id.into()],
    )?;
    rows.first().map(CampaignRow::of).transpose()
}

/// The ids of the first campaigns that were started, have not ended, and read the phonebook with this id. One of a test key keeps nobody
/// from anything.
pub fn readers_of(sql: &impl Sql, phonebook: &str) -> Result<Vec<String>, PortError> {
    let rows = sql.exec(
        "SELECT uid FROM campaign WHERE test = 0 AND started_ms IS NOT NULL AND ended_ms IS NULL \
           AND (EXISTS (SELECT 1 FROM json_each(plan, '$.phonebooks') WHERE value = ?1) \
             OR EXISTS (SELECT 1 FROM json_each(plan, '$.exclude.phonebooks') WHERE value = ?1)) ORDER BY id LIMIT ?2",
        &[phonebook.into(), NAMED.into()],
    )?;
    rows.iter().map(|row| row.text(0)).collect()
}

/// Keeps in campaigns what their waves came to among these messages, a JSON list, which are about to be forgotten.
pub fn keep_sums(sql: &impl Sql, messages: &str) -> Result<(), PortError> {
    let rows = sql.exec(
        concat!(
            "SELECT m.campaign, ",
            sums!(),
            " FROM json_each(?1) p CROSS JOIN chunk m ON m.message = p.value AND m.number = 0 AND m.campaign IS NOT NULL \
             CROSS JOIN chunk c ON c.message = m.message GROUP BY m.campaign"
        ),
        &[messages.into()],
    )?;
    for row in &rows {
        let mut row = row.reader();
        let (campaign, gone): (i64, Sums) = row.read()?;
        let kept = sql.exec("SELECT forgotten FROM campaign WHERE id = ?1", &[campaign.into()])?;
        // Who has deleted a campaign does not ask for its sums.
        if let Some(kept) = kept.first() {
            let kept = Forgotten::of(kept)?;
            let forgotten = Forgotten {
                sums: kept.sums.with(gone),
                failures: together(kept.failures.into_iter().chain(failures_of(sql, messages, campaign)?)),
            };
            sql.exec(
                "UPDATE campaign SET forgotten = ?2 WHERE id = ?1",
                &[campaign.into(), to_json(&forgotten)?.into()],
            )?;
        }
    }
    Ok(())
}

/// Why recipients of a campaign's waves among these messages failed.
fn failures_of(sql: &impl Sql, messages: &str, campaign: i64) -> Result<Vec<Failure>, PortError> {
    let rows = sql.exec(
        "SELECT f.value ->> 0, f.value ->> 1, f.value ->> 2 \
         FROM json_each(?1) p CROSS JOIN chunk m ON m.message = p.value AND m.number = 0 AND m.campaign = ?2 \
         CROSS JOIN chunk c ON c.message = m.message CROSS JOIN json_each(c.failed_for) f",
        &[messages.into(), campaign.into()],
    )?;
    rows.iter().map(Failure::of).collect()
}
