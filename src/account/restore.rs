//! Going back in time: what the object must not forget when its storage goes back, and what it does first in the new session.
//!
//! What is restored looks as if it had never left. So the new session puts everything that has not ended in doubt, and goes on
//! with numbers that nobody has seen, in one transaction ([`make_good`]), before anything else. That it has to, the object can't
//! know from its own storage. The directory tells it: each restore has a number there, and `restore.number` is the last one that
//! this storage knows. The object writes a new number here *before* the directory gets it, and the storage loses it again when it
//! goes back. So the directory has a higher number than the storage if, and only if, the storage has gone back and nobody has made
//! that good. *A crash at any moment* leaves one of the two, and both are safe.
//!
//! Money, messages and usage go back. What was forbidden stays so: revoked keys, removed passkeys, numbers on the blacklist, an account that is not
//! active or is on hold, its limits, and what it has spent today.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::campaign;
use super::chunk::{in_doubt, queue_depth, stalled};
use super::keys::makers::{self, Places};
use super::keys::{self, KeyView, passkeys};
use super::limiter::Limit;
use super::refusal::Refusal;
use super::request::{ReplyResult, Request, Wakes};
use super::{sign_in, verify};
use crate::account::record::account_row::Account;
use crate::account::record::caps::{DailySpend, RecipientLimit};
use crate::account::record::ledger::Wallet;
use crate::account::record::usage_pending;
use crate::account::unit_of_work::UnitOfWork;
use crate::base::ports::{PortError, Row, Sql};
use crate::durable::to_json;

/// The numbers of the new session begin so far above those that were seen: calls that are under way may still count some.
const GAP: i64 = 1_000_000;
/// So many of the newest numbers on the blacklist are kept at most.
const BLOCKED: i64 = 50_000;
/// A request that comes later than this is refused, ms: its operator has gone.
const LATEST_MS: i64 = 60_000;

/// Where to go back to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Target {
    /// A time, ms since the Unix epoch.
    At(i64),
    /// A bookmark that an earlier restore has told.
    Bookmark(String),
}

/// Takes the object back in time. It does not answer, because its session ends.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Restore {
    /// The number of the restore: when it was asked for, ms since the Unix epoch.
    pub number: i64,
    /// Where to.
    pub target: Target,
    /// Why, in the operator's words.
    pub reason: String,
}

impl Request for Restore {
    const NAME: &'static str = "Restore";
    const NEEDS_OPEN: bool = true;
    const WAKES: Wakes = Wakes::Never;
    const GOES_BACK: bool = true;
    type Reply = ();

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<()> {
        let is_late = work.now_ms > self.number.saturating_add(LATEST_MS);
        if is_late || self.number <= number(sql)? {
            return Err(Refusal::NotRestored("the request came too late".to_owned()).into());
        }
        Ok(())
    }
}

/// Asks what became of a restore.
#[derive(Debug, Serialize, Deserialize)]
pub struct GetRestored {
    /// Its number.
    pub number: i64,
}

impl Request for GetRestored {
    const NAME: &'static str = "GetRestored";
    /// After a restore there is work, and no alarm may be set.
    const WAKES: Wakes = Wakes::In(0);
    /// `None`: it has not happened.
    type Reply = Option<Done>;

    fn answer(&self, sql: &impl Sql, _: &mut UnitOfWork) -> ReplyResult<Option<Done>> {
        let rows = sql.exec("SELECT done FROM restore", &[])?;
        let Some(done) = rows.first().map_or(Ok(None), |row| row.opt_text(0))? else {
            return Ok(None);
        };
        let done: Done = serde_json::from_str(&done).map_err(|error| PortError::json("restore", &error))?;
        Ok((done.number == self.number).then_some(done))
    }
}

/// What a restore has changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Done {
    /// Its number.
    pub number: i64,
    /// When the object made it good, ms since the Unix epoch.
    pub at_ms: i64,
    /// The wallet before.
    pub before: Wallet,
    /// The wallet now.
    pub after: Wallet,
    /// How many recipients are in doubt.
    pub in_doubt: i64,
    /// How many were to get a message later, and are canceled.
    pub canceled: i64,
    /// The bookmark of the storage as it was before.
    pub undo: String,
}

/// What the object must not forget when it goes back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CarriedOver {
    /// The bookmark of the storage as it is.
    pub bookmark: String,
    /// The number of the last message.
    pub message: i64,
    /// The version of the mirror.
    pub version: i64,
    /// The number of the last event.
    pub event: i64,
    /// The numbers that SQLite has given last, by table.
    pub sequences: BTreeMap<String, i64>,
    /// The money.
    pub wallet: Wallet,
    /// Whether the account is active.
    pub active: bool,
    /// Whether it is on hold.
    pub on_hold: bool,
    /// The newest message of which an operator has canceled what had not left; 0 for none.
    pub canceled_through: i64,
    /// Its rate limit.
    pub limit: Limit,
    /// The rate limit of its test keys.
    pub test_limit: Limit,
    /// How many messages of patterns a recipient may get.
    pub recipient_limit: RecipientLimit,
    /// What may be spent in a day, and what is spent today.
    pub daily_spend: DailySpend,
    /// Its keys.
    pub keys: Vec<KeyView>,
    /// Which of them have made which.
    pub makers: Places,
    /// The passkeys of its members. `None`: a version has noted it that knew of none, so those of that time stay.
    #[serde(default)]
    pub passkeys: Option<passkeys::carried_over::CarriedOver>,
    /// The newest numbers on its blacklist, and whether their owners have put them there.
    pub blocked: Vec<(i64, i64)>,
    /// The digests of erased numbers that stay blocked, and whether their owners had blocked them.
    #[serde(default)]
    pub blocked_digests: Vec<(String, i64)>,
    /// What its endpoints ask for: version, types, and those of its test endpoints.
    pub webhook: Option<(i64, i64, i64)>,
    /// The thresholds for `wallet.low`, and whether they were told.
    pub low_balances: Vec<(i64, i64)>,
    /// The campaigns that nobody has started.
    #[serde(default)]
    pub not_started: Vec<i64>,
}

/// The number of the last restore that the storage knows.
pub fn number(sql: &impl Sql) -> Result<i64, PortError> {
    let rows = sql.exec("SELECT number FROM restore", &[])?;
    rows.first().map_or(Ok(0), |row| row.int(0))
}

/// Notes the number of a restore that is about to begin, and gives what is to be kept. This must be durable before the directory
/// gets the number.
pub fn begin(sql: &impl Sql, number: i64, bookmark: String) -> Result<CarriedOver, PortError> {
    sql.transaction(|| {
        sql.exec("UPDATE restore SET number = ?1", &[number.into()])?;
        let account = Account::stored(sql)?.ok_or(PortError::failed("restore", "no account"))?;
        let event =
            "SELECT coalesce((SELECT max(last_seq, coalesce((SELECT max(seq) FROM event), 0)) FROM webhook), 0)";
        let sequences = pairs(sql, "SELECT name, seq FROM sqlite_sequence", |row| {
            Ok((row.text(0)?, row.int(1)?))
        })?;
        let newest = format!("SELECT msisdn, opt_out FROM blacklist ORDER BY id DESC LIMIT {BLOCKED}");
        let ints = |row: &Row| Ok((row.int(0)?, row.int(1)?));
        Ok(CarriedOver {
            bookmark,
            message: account.message_seq,
            version: account.version,
            event: sql.exec(event, &[])?.first().map_or(Ok(0), |row| row.int(0))?,
            sequences: sequences.into_iter().collect(),
            wallet: account.wallet,
            active: account.active,
            on_hold: account.on_hold,
            canceled_through: account.canceled_through,
            limit: account.limit,
            test_limit: account.test_limit,
            recipient_limit: account.recipient_limit,
            daily_spend: account.daily_spend,
            keys: keys::all(sql)?,
            makers: makers::all(sql)?,
            passkeys: Some(passkeys::carried_over::of(sql)?),
            blocked: pairs(sql, &newest, ints)?,
            blocked_digests: pairs(
                sql,
                &format!("SELECT digest, opt_out FROM blocked_digest LIMIT {BLOCKED}"),
                |row| Ok((row.text(0)?, row.int(1)?)),
            )?,
            webhook: pairs(sql, "SELECT version, types, test_types FROM webhook", |row| {
                Ok((row.int(0)?, row.int(1)?, row.int(2)?))
            })?
            .pop(),
            low_balances: pairs(sql, "SELECT threshold, told FROM low_balance ORDER BY threshold", ints)?,
            not_started: campaign::not_started(sql)?,
        })
    })
}

fn pairs<T>(sql: &impl Sql, query: &str, read: impl Fn(&Row) -> Result<T, PortError>) -> Result<Vec<T>, PortError> {
    sql.exec(query, &[])?.iter().map(read).collect()
}

/// Makes a restore good, in one transaction: nothing that may have left leaves again, and no number is given twice. Sends stay
/// off until an operator switches them on, because the idempotency keys of the time that is gone are forgotten. `removals` are
/// phonebooks that were deleted and may have numbers in the directory.
pub fn make_good(
    sql: &impl Sql,
    now_ms: i64,
    (id, number): (&str, i64),
    kept: &CarriedOver,
    removals: &str,
) -> Result<Done, PortError> {
    sql.transaction(|| {
        let before = Account::load(sql, id)?;
        let mut account = Account {
            active: before.active && kept.active,
            sending_enabled: false,
            on_hold: before.on_hold || kept.on_hold,
            canceled_through: before.canceled_through.max(kept.canceled_through),
            limit: kept.limit,
            test_limit: kept.test_limit,
            recipient_limit: kept.recipient_limit,
            daily_spend: kept.daily_spend,
            message_seq: before.message_seq.max(kept.message).saturating_add(GAP),
            version: before.version.max(kept.version).saturating_add(GAP),
            ..(*before).clone()
        };
        account.touch(now_ms);
        let after = account.wallet;
        account.save(sql, &before)?;
        let (in_doubt, canceled) = in_doubt::begin(sql, now_ms)?;
        verify::end::end_all(sql, now_ms)?;
        campaign::end_all(sql, now_ms, &kept.not_started)?;
        sign_in::end_all(sql)?;
        // Nothing of it is stalled any more. The directory forgets its letters too.
        stalled::forget_all(sql)?;
        // What the directory has been told in the time that is gone is taken back.
        queue_depth::note_told(sql, now_ms)?;
        keys::replace(sql, &kept.keys)?;
        makers::restore(sql, &kept.keys, &kept.makers)?;
        if let Some(kept) = &kept.passkeys {
            passkeys::carried_over::restore(sql, kept)?;
        }
        keep_settings(sql, now_ms, kept)?;
        count_on(sql, kept)?;
        sql.exec(
            "INSERT OR IGNORE INTO removal (phonebook, noted_ms) SELECT value, ?2 FROM json_each(?1)",
            &[removals.into(), now_ms.into()],
        )?;
        let done = Done {
            number,
            at_ms: now_ms,
            before: kept.wallet,
            after,
            in_doubt,
            canceled,
            undo: kept.bookmark.clone(),
        };
        sql.exec(
            "UPDATE restore SET number = ?1, done = ?2",
            &[number.into(), to_json(&done)?.into()],
        )?;
        Ok(done)
    })
}

/// Keeps what others have decided in the time that is gone.
fn keep_settings(sql: &impl Sql, now_ms: i64, kept: &CarriedOver) -> Result<(), PortError> {
    sql.exec(
        "INSERT OR IGNORE INTO blacklist (msisdn, created_ms, opt_out) \
         SELECT value ->> 0, ?2, value ->> 1 FROM json_each(?1) ORDER BY key DESC",
        &[to_json(&kept.blocked)?.into(), now_ms.into()],
    )?;
    sql.exec(
        "INSERT OR IGNORE INTO blocked_digest (digest, opt_out) SELECT value ->> 0, value ->> 1 FROM json_each(?1)",
        &[to_json(&kept.blocked_digests)?.into()],
    )?;
    if let Some((version, types, test_types)) = kept.webhook {
        sql.exec(
            "INSERT INTO webhook (one, version, types, test_types, last_seq) VALUES (1, ?1, ?2, ?3, ?4) \
             ON CONFLICT DO UPDATE SET version = excluded.version, types = excluded.types, test_types = excluded.test_types, \
               last_seq = excluded.last_seq",
            &[
                version.into(),
                types.into(),
                test_types.into(),
                kept.event.saturating_add(GAP).into(),
            ],
        )?;
    }
    sql.exec("DELETE FROM low_balance", &[])?;
    sql.exec(
        "INSERT INTO low_balance (threshold, told) SELECT value ->> 0, value ->> 1 FROM json_each(?1)",
        &[to_json(&kept.low_balances)?.into()],
    )?;
    // No worker's word about a pattern counts that is older than this.
    sql.exec(
        "UPDATE pattern SET revision = NULL, changes = changes + ?1",
        &[GAP.into()],
    )
    .map(drop)
}

/// Lets counters go on above what was seen.
fn count_on(sql: &impl Sql, kept: &CarriedOver) -> Result<(), PortError> {
    for (table, seq) in &kept.sequences {
        sql.exec(
            "UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1",
            &[table.as_str().into(), seq.saturating_add(GAP).into()],
        )?;
        sql.exec(
            "INSERT INTO sqlite_sequence (name, seq) SELECT ?1, ?2 \
             WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?1)",
            &[table.as_str().into(), seq.saturating_add(GAP).into()],
        )?;
    }
    // The directory has forgotten the days that have gone back, and gets them again.
    sql.exec(
        "UPDATE usage SET version = version + ?1, mirrored = 0 WHERE day >= (SELECT max(day) FROM usage) - ?2",
        &[GAP.into(), super::usage::DAYS_WITH_CHANGES.into()],
    )
    .map(drop)
}

/// From which day on the directory forgets the usage: it gets that of the storage, as it is now.
pub fn first_day(sql: &impl Sql) -> Result<i64, PortError> {
    usage_pending::fold_stored(sql)?;
    let rows = sql.exec(
        "SELECT coalesce(max(day) - ?1, 0) FROM usage",
        &[super::usage::DAYS_WITH_CHANGES.into()],
    )?;
    rows.first().map_or(Ok(0), |row| row.int(0))
}
