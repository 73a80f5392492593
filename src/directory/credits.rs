//! Credits that wait for a second operator, and what became of them. The directory has who asked for what and who has decided; the
//! money moves in the account's object.
//!
//! The invariant: a credit is approved exactly if the object has made it, and then it was made once. Whoever approves *claims* the
//! credit first, and the object takes it only before the claim ends. So a credit whose claim is over, and which the object does
//! not have, never comes into the object any more, and may be rejected. *A crash after the claim* leaves it pending; the next who
//! looks at it, or the nightly cron, asks the object and notes what it says (`objects/credits.rs`).

use crate::base::named::named;
use crate::base::ports::{Db, PortError, Statement};
use crate::base::record::{Columns, neighbours, record};
use crate::base::time::DAY_MS;
use crate::directory::{all, answer, first};

/// How long a credit waits for approval.
pub const WAITS_MS: i64 = 7 * DAY_MS;
/// How long an idempotency key counts.
const KEY_MS: i64 = DAY_MS;
/// How long a decided credit is listed. The audit log keeps it for longer.
const LISTED_MS: i64 = 90 * DAY_MS;
/// Credits of all accounts that may wait at the same time.
const MAX_WAITING: i64 = 1_000;
/// Credits that are forgotten in one go, and claims that are looked at in one.
const A_GO: i64 = 100;

named! {
    /// What became of a credit.
    pub enum Status {
        /// It waits for a second operator.
        Pending => "PENDING",
        /// It was approved, and the money has moved.
        Approved => "APPROVED",
        /// It was rejected. No money has moved.
        Rejected => "REJECTED",
        /// Nobody has decided in time. No money has moved.
        Expired => "EXPIRED",
    }
}

record! {
    /// A credit that needs a second operator.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct PendingCredit by credit {
        /// Its id, by which lists are ordered.
        pub id: String = id;
        /// Whose wallet it is for.
        pub account: String = account;
        /// Not 0.
        pub amount: i64 = amount;
        /// Why, in the operator's words.
        pub note: Option<String> = note;
        /// What became of it, at the time that was asked for.
        pub status: Status = status;
        /// The key that it was asked for with.
        pub created_by: String = created_by;
        /// When, ms since the Unix epoch.
        pub created_ms: i64 = created_ms;
        /// The hash of the request, if it came with an idempotency key.
        pub key_hash: Option<String> = key_hash;
        /// Who is about to approve it, or was when something broke.
        pub claim: Option<Claim> = claimed_by, claimed_ms;
        /// The key that has approved or rejected it.
        pub decided_by: Option<String> = decided_by;
        /// When.
        pub decided_ms: Option<i64> = decided_ms;
    }
}

/// A claim of a credit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The key that is about to approve it.
    pub by: String,
    /// Until when the object may take the credit. Each claim of a credit has another end.
    pub until_ms: i64,
}

neighbours!(Claim: by, until_ms);

/// A credit to keep until a second operator decides.
#[derive(Debug, Clone, Copy)]
pub struct New<'a> {
    /// Its id.
    pub id: &'a str,
    /// Whose wallet it is for.
    pub account: &'a str,
    /// Not 0.
    pub amount: i64,
    /// Why.
    pub note: Option<&'a str>,
    /// The key that it is asked for with.
    pub by: &'a str,
    /// The idempotency key, and the hash of the request.
    pub key: Option<(&'a str, &'a str)>,
}

/// What a page and a single one are read from. What waits since `?1` or longer has expired, if nobody may have approved it.
macro_rules! credits {
    () => {
        "(SELECT id, account, amount, note, iif(status = 'PENDING' AND claimed_ms IS NULL AND created_ms <= ?1, 'EXPIRED', \
            status) AS status, created_by, created_ms, key, key_hash, claimed_by, claimed_ms, decided_by, decided_ms FROM credit)"
    };
}

/// Since when a credit waits too long.
fn expired_ms(now_ms: i64) -> i64 {
    now_ms.saturating_sub(WAITS_MS)
}

/// Adds a credit, unless the account has one under the same idempotency key, or too many wait. Who wants to know reads it.
pub async fn insert(db: &impl Db, new: New<'_>, now_ms: i64) -> Result<(), PortError> {
    let (key, hash) = new.key.unzip();
    db.query(Statement::new(
        "INSERT INTO credit (id, account, amount, note, created_by, created_ms, key, key_hash) \
         SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8 \
         WHERE NOT EXISTS (SELECT 1 FROM credit WHERE account = ?2 AND key = ?7 AND created_ms > ?9) \
           AND (SELECT count(*) FROM credit WHERE status = 'PENDING' AND (claimed_ms IS NOT NULL OR created_ms > ?10)) < ?11",
        [
            new.id.into(),
            new.account.into(),
            new.amount.into(),
            new.note.into(),
            new.by.into(),
            now_ms.into(),
            key.into(),
            hash.into(),
            now_ms.saturating_sub(KEY_MS).into(),
            expired_ms(now_ms).into(),
            MAX_WAITING.into(),
        ],
    ))
    .await
    .map(drop)
}

/// The credit with this id.
pub async fn find(db: &impl Db, id: &str, now_ms: i64) -> Result<Option<PendingCredit>, PortError> {
    let statement = Statement::new(
        concat!("SELECT ", credit!(columns), " FROM ", credits!(), " WHERE id = ?2"),
        [expired_ms(now_ms).into(), id.into()],
    );
    first(&db.query(statement).await?, PendingCredit::of)
}

/// The credit that a request of the last day has made under this idempotency key.
pub async fn find_by_key(
    db: &impl Db,
    account: &str,
    key: &str,
    now_ms: i64,
) -> Result<Option<PendingCredit>, PortError> {
    let statement = Statement::new(
        concat!(
            "SELECT ",
            credit!(columns),
            " FROM ",
            credits!(),
            " WHERE account = ?2 AND key = ?3 AND created_ms > ?4 ORDER BY id DESC LIMIT 1"
        ),
        [
            expired_ms(now_ms).into(),
            account.into(),
            key.into(),
            now_ms.saturating_sub(KEY_MS).into(),
        ],
    );
    first(&db.query(statement).await?, PendingCredit::of)
}

/// A page of credits, newest first: all, or those of a status.
pub async fn page(
    db: &impl Db,
    limit: u32,
    after: Option<&str>,
    status: Option<Status>,
    now_ms: i64,
) -> Result<Vec<PendingCredit>, PortError> {
    let statement = Statement::new(
        concat!(
            "SELECT ",
            credit!(columns),
            " FROM ",
            credits!(),
            " WHERE (?2 IS NULL OR id < ?2) AND (?3 IS NULL OR status = ?3) ORDER BY id DESC LIMIT ?4"
        ),
        [
            expired_ms(now_ms).into(),
            after.into(),
            status.map(Status::as_str).into(),
            limit.into(),
        ],
    );
    all(&db.query(statement).await?, PendingCredit::of)
}

/// Claims a credit that waits, until about `until_ms`. `None`: it waits no more. Also says whether nobody else can be at it.
pub async fn claim(
    db: &impl Db,
    id: &str,
    by: &str,
    now_ms: i64,
    until_ms: i64,
) -> Result<Option<(Claim, bool)>, PortError> {
    let answers = db
        .batch(vec![
            Statement::new(
                "SELECT coalesce(claimed_ms, 0) < ?2 FROM credit WHERE id = ?1",
                [id.into(), now_ms.into()],
            ),
            Statement::new(
                "UPDATE credit SET claimed_by = ?2, claimed_ms = max(coalesce(claimed_ms, 0) + 1, ?3) \
                 WHERE id = ?1 AND status = 'PENDING' AND (claimed_ms IS NOT NULL OR created_ms > ?4) \
                 RETURNING claimed_by, claimed_ms",
                [id.into(), by.into(), until_ms.into(), expired_ms(now_ms).into()],
            ),
        ])
        .await?;
    let alone = first(answer(&answers, 0), |row| row.bool(0))?;
    let claim = first(answer(&answers, 1), Claim::of)?;
    Ok(claim.zip(alone))
}

/// Takes a claim back of which nothing came: the object has not made the credit, and won't by this claim.
pub async fn release(db: &impl Db, id: &str, claim: &Claim) -> Result<(), PortError> {
    let statement = Statement::new(
        "UPDATE credit SET claimed_by = NULL, claimed_ms = NULL WHERE id = ?1 AND status = 'PENDING' AND claimed_ms = ?2",
        [id.into(), claim.until_ms.into()],
    );
    db.query(statement).await.map(drop)
}

/// Notes that a credit is approved: the object has made it. Noting it again changes nothing.
pub async fn approve(db: &impl Db, id: &str, by: &str, now_ms: i64) -> Result<(), PortError> {
    let statement = Statement::new(
        "UPDATE credit SET status = 'APPROVED', decided_by = ?2, decided_ms = ?3 WHERE id = ?1 AND status = 'PENDING'",
        [id.into(), by.into(), now_ms.into()],
    );
    db.query(statement).await.map(drop)
}

/// Rejects a credit that waits, and that nobody has claimed.
pub async fn reject(db: &impl Db, id: &str, by: &str, now_ms: i64) -> Result<(), PortError> {
    let statement = Statement::new(
        "UPDATE credit SET status = 'REJECTED', decided_by = ?2, decided_ms = ?3 \
         WHERE id = ?1 AND status = 'PENDING' AND claimed_ms IS NULL AND created_ms > ?4",
        [id.into(), by.into(), now_ms.into(), expired_ms(now_ms).into()],
    );
    db.query(statement).await.map(drop)
}

/// Rejects the credits of an account that wait, and that nobody has claimed.
pub async fn reject_all(db: &impl Db, account: &str, by: &str, now_ms: i64) -> Result<(), PortError> {
    let statement = Statement::new(
        "UPDATE credit SET status = 'REJECTED', decided_by = ?2, decided_ms = ?3 \
         WHERE account = ?1 AND status = 'PENDING' AND claimed_ms IS NULL AND created_ms > ?4",
        [account.into(), by.into(), now_ms.into(), expired_ms(now_ms).into()],
    );
    db.query(statement).await.map(drop)
}

/// Credits whose claim is over, some of them.
pub async fn broken_off(db: &impl Db, now_ms: i64) -> Result<Vec<PendingCredit>, PortError> {
    let statement = Statement::new(
        concat!(
            "SELECT ",
            credit!(columns),
            " FROM ",
            credits!(),
            " WHERE status = 'PENDING' AND claimed_ms < ?2 ORDER BY id LIMIT ?3"
        ),
        [expired_ms(now_ms).into(), now_ms.into(), A_GO.into()],
    );
    all(&db.query(statement).await?, PendingCredit::of)
}

/// Forgets old credits, some of them.
pub async fn forget_old(db: &impl Db, now_ms: i64) -> Result<(), PortError> {
    let statement = Statement::new(
        "DELETE FROM credit WHERE id IN (SELECT id FROM credit WHERE created_ms < ?1 AND claimed_ms IS NULL \
           OR created_ms < ?1 AND status <> 'PENDING' ORDER BY id LIMIT ?2)",
        [now_ms.saturating_sub(LISTED_MS).into(), A_GO.into()],
    );
    db.query(statement).await.map(drop)
}
