//! Delivery reports on their way from a carrier's object to accounts' objects, whichever carrier they are from.
//!
//! The carrier's object stores a report before it sends it, and forgets it only when the account's object has it. A report
//! that arrives twice changes nothing the second time. While an account's object does not answer, only this account's
//! reports wait, longer with each failure, for at most as long as the journal keeps a note.
//!
//! An object may send the same reports twice at the same time, by its alarm and by other work. The first to come back
//! forgets them, and the numbers of their rows are used again. So each forgets only rows with the bodies that it has sent.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use futures_util::stream::{FuturesUnordered, StreamExt};
use serde_json::json;

use super::journal::{KEPT_MS, SWEPT_A_GO};
use crate::account::chunk::outcomes::backoff_ms;
use crate::account::chunk::reports::{Deliver, Delivered, DeliveryReport};
use crate::account::record::message::delivery_error::Cause;
use crate::account::record::message::status::RecipientStatus;
use crate::base::log;
use crate::base::ports::{Platform, PortError, Sql};
use crate::durable::schema::Step;
use crate::durable::{ask_in_time, to_json};

/// Recipients in one call with reports, about. While it is answered, the clients of the account wait.
const RECIPIENTS_A_CALL: i64 = 2_000;
/// Reports in one call, about: each is a row to write, however few recipients it has.
pub(super) const REPORTS_A_CALL: usize = 64;
/// Stored reports that are read for one call.
const ROWS_A_CALL: i64 = 20;
/// Calls with reports in one go; the alarm rings again at once for more.
const CALLS_A_GO: usize = 50;
/// Calls that are under way at once. One account that does not answer does not keep the others from their reports.
const CALLS_AT_ONCE: usize = 6;
/// A go begins no call after this time, ms, so that an alarm ends within a minute.
const GO_MS: i64 = 30_000;

/// The tables.
pub const TABLES: Step = &[
    // A row has the reports of one submission, JSON. `id` counts the rows of an account.
    "CREATE TABLE report (
        account TEXT NOT NULL,
        id INTEGER NOT NULL,
        made_ms INTEGER NOT NULL,
        due_ms INTEGER NOT NULL,
        recipients INTEGER NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (account, id)
    ) STRICT, WITHOUT ROWID",
    // The accounts whose object did not take the last call, and since when.
    "CREATE TABLE report_delay (
        account TEXT NOT NULL PRIMARY KEY,
        failures INTEGER NOT NULL,
        since_ms INTEGER NOT NULL,
        until_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID",
];

/// Stores reports to an account, to be sent `after_ms` from now. It is the same for all reports to an account, so that the
/// first to be stored is the first to be due.
pub fn add(
    sql: &impl Sql,
    now_ms: i64,
    account: &str,
    after_ms: i64,
    reports: &[DeliveryReport],
) -> Result<(), PortError> {
    if reports.is_empty() {
        return Ok(());
    }
    let recipients: usize = reports.iter().map(|report| report.indexes.len()).sum();
    sql.exec(
        "INSERT INTO report (account, id, made_ms, due_ms, recipients, body) \
         VALUES (?1, (SELECT coalesce(max(id), 0) + 1 FROM report WHERE account = ?1), ?2, ?3, ?4, ?5)",
        &[
            account.into(),
            now_ms.into(),
            now_ms.saturating_add(after_ms).into(),
            i64::try_from(recipients).unwrap_or(i64::MAX).into(),
            to_json(&reports)?.into(),
        ],
    )
    .map(drop)
}

/// Adds a report, to one of the same message and ending if there is one. What is reported of a recipient stays in its order: the first
/// ending counts.
pub(super) fn gather(
    reports: &mut Vec<DeliveryReport>,
    message: i64,
    index: u32,
    status: RecipientStatus,
    cause: Option<Cause>,
) {
    let same = |report: &&mut DeliveryReport| {
        (report.message, report.status) == (message, status) && report.cause == cause && !report.is_presumed
    };
    let names = |report: &DeliveryReport| report.message == message && report.indexes.contains(&index);
    let behind = reports.iter().rposition(names).map_or(0, |last| last + 1);
    match reports.iter_mut().skip(behind).find(same) {
        Some(report) => report.indexes.push(index),
        None => reports.push(DeliveryReport {
            message,
            status,
            indexes: vec![index],
            cause,
            is_presumed: false,
        }),
    }
}

/// Stores reports to accounts, to be sent at once. Those of the same account, message and ending are one.
pub(super) fn add_all<'r>(
    sql: &impl Sql,
    now_ms: i64,
    reports: impl IntoIterator<Item = (&'r str, &'r DeliveryReport)>,
) -> Result<(), PortError> {
    let mut of_accounts: BTreeMap<&str, Vec<DeliveryReport>> = BTreeMap::new();
    for (account, report) in reports {
        let of_account = of_accounts.entry(account).or_default();
        if report.is_presumed {
            of_account.push(report.clone());
            continue;
        }
        for index in &report.indexes {
            gather(of_account, report.message, *index, report.status, report.cause.clone());
        }
    }
    sql.transaction(|| {
        for (account, reports) in &of_accounts {
            add(sql, now_ms, account, 0, reports)?;
        }
        Ok(())
    })
}

/// How many submissions of an account wait for their reports, about.
pub fn waiting(sql: &impl Sql, account: &str) -> Result<i64, PortError> {
    Ok(sql.number(
        "SELECT (SELECT max(id) FROM report WHERE account = ?1) - (SELECT min(id) FROM report WHERE account = ?1) + 1",
        &[account.into()],
    )?.unwrap_or(0))
}

/// The accounts that have reports, each with the time of its next call: one step in the index for each account.
macro_rules! ready {
    () => {
        "WITH RECURSIVE ready (account) AS ( \
           SELECT min(account) FROM report \
           UNION ALL \
           SELECT (SELECT min(account) FROM report WHERE account > ready.account) FROM ready \
           WHERE ready.account IS NOT NULL), \
         ready_calls (account, due_ms) AS ( \
           SELECT account, max((SELECT due_ms FROM report r WHERE r.account = ready.account ORDER BY r.id LIMIT 1), \
                               coalesce((SELECT until_ms FROM report_delay d WHERE d.account = ready.account), 0)) \
           FROM ready WHERE account IS NOT NULL) "
    };
}

/// When the next call is due.
pub fn next_due_ms(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    sql.number(concat!(ready!(), "SELECT min(due_ms) FROM ready_calls"), &[])
}

/// The accounts that have stored reports.
pub(super) fn accounts(sql: &impl Sql) -> Result<BTreeSet<String>, PortError> {
    let rows = sql.exec(concat!(ready!(), "SELECT account FROM ready_calls"), &[])?;
    rows.iter().map(|row| row.text(0)).collect()
}

fn due_accounts(sql: &impl Sql, now_ms: i64) -> Result<VecDeque<String>, PortError> {
    let rows = sql.exec(
        concat!(
            ready!(),
            "SELECT account FROM ready_calls WHERE due_ms <= ?1 ORDER BY due_ms LIMIT ?2"
        ),
        &[now_ms.into(), i64::try_from(CALLS_A_GO).unwrap_or(i64::MAX).into()],
    )?;
    rows.iter().map(|row| row.text(0)).collect()
}

/// Sends the reports of a carrier that are due, in at most so many calls. The accounts take turns; each has one call at a time.
pub async fn send(platform: &impl Platform, sql: &impl Sql, carrier: &str) -> Result<(), PortError> {
    let began_ms = platform.now_ms();
    let mut accounts = due_accounts(sql, began_ms)?;
    let (mut calls, mut left) = (FuturesUnordered::new(), CALLS_A_GO);
    loop {
        let has_time = platform.now_ms() < began_ms.saturating_add(GO_MS);
        while has_time
            && left > 0
            && calls.len() < CALLS_AT_ONCE
            && let Some(account) = accounts.pop_front()
        {
            left -= 1;
            calls.push(async move {
                let has_more = send_some(platform, sql, carrier, &account).await;
                (account, has_more)
            });
        }
        let Some((account, has_more)) = calls.next().await else {
            return Ok(());
        };
        if has_more? {
            accounts.push_back(account);
        }
    }
}

/// Makes one call to an account's object. Gives `true` when the account may have more reports that are due.
async fn send_some(platform: &impl Platform, sql: &impl Sql, carrier: &str, account: &str) -> Result<bool, PortError> {
    let sent = match due(sql, platform.now_ms(), account) {
        Ok(None) => return Ok(false),
        Ok(Some(Due { rows, reports })) => report(platform, carrier, account, reports).await.map(|_| rows),
        Err(error) => Err(error),
    };
    match sent {
        Ok(rows) => forget(sql, account, &rows).map(|()| true),
        Err(error) => {
            log(platform, account, "reports did not arrive", &error.to_string());
            let since_ms = delay(sql, platform.now_ms(), account)?;
            give_up_old(platform, sql, account, since_ms)?;
            Ok(false)
        }
    }
}

/// Reports deliveries by a carrier to an account's object. It returns when the reports are safe there, and tells whether they
/// have moved anybody.
pub async fn report(
    platform: &impl Platform,
    carrier: &str,
    account: &str,
    reports: Vec<DeliveryReport>,
) -> Result<bool, PortError> {
    let deliver = Deliver {
        carrier: carrier.to_owned(),
        reports,
        asks_for_waits: true,
    };
    let reply = ask_in_time(platform, account, &deliver).await?;
    let refused = |refusal| PortError::failed("account", format!("refused delivery reports: {refusal:?}"));
    Ok(match reply.outcome.map_err(refused)? {
        Delivered::Moved(moved) => moved != Some(0),
        Delivered::Told { moved, waits } => {
            platform.tally().note_reports(carrier, &waits);
            moved != 0
        }
    })
}

/// Forgets reports of an account: its object has them.
fn forget(sql: &impl Sql, account: &str, rows: &[SentRow]) -> Result<(), PortError> {
    sql.transaction(|| {
        sql.exec(
            "DELETE FROM report WHERE account = ?1 \
               AND (id, body) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?2))",
            &[account.into(), to_json(&rows)?.into()],
        )?;
        sql.exec("DELETE FROM report_delay WHERE account = ?1", &[account.into()])
            .map(drop)
    })
}

/// The reports of one call.
struct Due {
    rows: Vec<SentRow>,
    reports: Vec<DeliveryReport>,
}

/// The `id` and the `body` of a row.
type SentRow = (i64, String);

fn due(sql: &impl Sql, now_ms: i64, account: &str) -> Result<Option<Due>, PortError> {
    let rows = sql.exec(
        "SELECT id, body, recipients, due_ms FROM report WHERE account = ?1 ORDER BY id LIMIT ?2",
        &[account.into(), ROWS_A_CALL.into()],
    )?;
    let (mut reports, mut recipients, mut sent) = (Vec::new(), 0_i64, Vec::new());
    for row in &rows {
        recipients = recipients.saturating_add(row.int(2)?);
        let is_full = reports.len() >= REPORTS_A_CALL || !sent.is_empty() && recipients > RECIPIENTS_A_CALL;
        if is_full || row.int(3)? > now_ms {
            break;
        }
        let body = row.text(1)?;
        let of_submission: Vec<DeliveryReport> =
            serde_json::from_str(&body).map_err(|error| PortError::json("report", &error))?;
        reports.extend(of_submission);
        sent.push((row.int(0)?, body));
    }
    Ok((!sent.is_empty()).then_some(Due { rows: sent, reports }))
}

/// Lets the reports of an account wait, longer with each failure. Returns the time of the first failure.
fn delay(sql: &impl Sql, now_ms: i64, account: &str) -> Result<i64, PortError> {
    let rows = sql.exec(
        "INSERT INTO report_delay (account, failures, since_ms, until_ms) VALUES (?1, 1, ?2, 0) \
         ON CONFLICT (account) DO UPDATE SET failures = failures + 1 RETURNING failures, since_ms",
        &[account.into(), now_ms.into()],
    )?;
    let row = rows.first().ok_or(PortError::failed("sql", "no row for a delay"))?;
    let (failures, since_ms) = (row.u32(0)?, row.int(1)?);
    sql.exec(
        "UPDATE report_delay SET until_ms = ?2 WHERE account = ?1",
        &[account.into(), now_ms.saturating_add(backoff_ms(failures)).into()],
    )?;
    Ok(since_ms)
}

/// Forgets old reports of an account whose object has failed in all the time since `since_ms`. Age alone is no reason:
/// perhaps nobody tried for days.
fn give_up_old(platform: &impl Platform, sql: &impl Sql, account: &str, since_ms: i64) -> Result<(), PortError> {
    let latest_ms = platform.now_ms().saturating_sub(KEPT_MS);
    if since_ms > latest_ms {
        return Ok(());
    }
    let gone = sql.exec(
        "DELETE FROM report WHERE account = ?1 AND id IN \
           (SELECT id FROM report WHERE account = ?1 ORDER BY id LIMIT ?3) AND made_ms <= ?2 RETURNING recipients",
        &[account.into(), latest_ms.into(), SWEPT_A_GO.into()],
    )?;
    if !gone.is_empty() {
        log(
            platform,
            account,
            "reports are given up",
            "they did not arrive in 7 days",
        );
    }
    Ok(())
}

fn log(platform: &impl Platform, account: &str, what: &str, cause: &str) {
    log::error(
        platform,
        "report",
        json!({"account": account, "what": what, "cause": cause}),
    );
}
