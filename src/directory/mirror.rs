//! The mirror of an account: its status and balance, copied from the account's object.

use crate::account::record::usage_totals::Key;
use crate::account::usage;
use crate::account::usage::UsageRow;
use crate::base::ports::{Db, PortError, Statement};
use crate::base::record::{Columns, neighbours};
use crate::directory::{all, answer, first};

/// What the mirror shows of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mirrored {
    /// Whether the account is active.
    pub active: bool,
    /// Whether the account may send.
    pub sending_enabled: bool,
    /// The available balance, in minor units.
    pub available: i64,
    /// The locked balance, in minor units.
    pub locked: i64,
    /// The version. The account's object counts it.
    pub version: i64,
}

/// Writes the mirror of an account, unless it has this version or a newer one. So a late write cannot replace a newer one.
pub async fn mirror(db: &impl Db, account: &str, shown: Mirrored) -> Result<(), PortError> {
    let statement = Statement::new(
        "UPDATE account SET active = ?2, sending_enabled = ?3, available = ?4, locked = ?5, mirror_version = ?6 \
         WHERE id = ?1 AND mirror_version < ?6",
        [
            account.into(),
            shown.active.into(),
            shown.sending_enabled.into(),
            shown.available.into(),
            shown.locked.into(),
            shown.version.into(),
        ],
    );
    db.query(statement).await.map(drop)
}

/// The mirrors of all accounts together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sums {
    /// How many accounts are active.
    pub active: i64,
    /// How many are not.
    pub inactive: i64,
    /// The available balances, in minor units.
    pub available: i64,
    /// The locked balances, in minor units.
    pub locked: i64,
}

neighbours!(Sums: active, inactive, available, locked);

/// Adds up the mirrors of all accounts. It reads the row of each.
pub async fn sums(db: &impl Db) -> Result<Sums, PortError> {
    let statement = Statement::new(
        "SELECT count(*) FILTER (WHERE active), count(*) FILTER (WHERE NOT active), coalesce(sum(available), 0), \
                coalesce(sum(locked), 0) FROM account",
        [],
    );
    Ok(first(&db.query(statement).await?, Sums::of)?.unwrap_or_default())
}

neighbours!(Mirrored: active, sending_enabled, available, locked, version);

/// Reads the mirror of an account, and the next rows of the mirror of its usage before a key, the newest first. `None`: the
/// directory has no such account.
pub async fn find(
    db: &impl Db,
    account: &str,
    (day, line, carrier, is_test): &Key,
) -> Result<(Option<Mirrored>, Vec<UsageRow>), PortError> {
    let limit = i64::try_from(usage::ROWS_A_STEP).unwrap_or(i64::MAX);
    let answers = db
        .batch(vec![
            Statement::new(
                "SELECT active, sending_enabled, available, locked, mirror_version FROM account WHERE id = ?1",
                [account.into()],
            ),
            Statement::new(
                "SELECT day, line, carrier, test, version, json_array(messages, recipients, parts, cost, returned, \
                   delivered, undelivered, expired, rejected, unknown, canceled) \
                 FROM usage WHERE account = ?1 AND (day, line, carrier, test) < (?2, ?3, ?4, ?5) \
                 ORDER BY day DESC, line DESC, carrier DESC, test DESC LIMIT ?6",
                [
                    account.into(),
                    (*day).into(),
                    line.as_str().into(),
                    carrier.as_str().into(),
                    (*is_test).into(),
                    limit.into(),
                ],
            ),
        ])
        .await?;
    let mirrored = first(answer(&answers, 0), Mirrored::of)?;
    Ok((mirrored, all(answer(&answers, 1), UsageRow::of)?))
}
