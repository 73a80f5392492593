//! Accounts as operators see them.
//!
//! An account's object decides on its status and balance. The columns here are a mirror of them, which may be a few
//! seconds old.

use sms::destination::Prefix;

use super::behind;
use crate::base::ports::{Db, PortError, Statement};
use crate::base::record::{Columns, record};
use crate::directory::{all, first};
use crate::durable::to_json;

record! {
    /// An account as the directory has it.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ListedAccount by account {
        /// The account's id.
        pub id: String = id;
        /// The account's login name.
        pub username: String = username;
        /// The name of the account's owner.
        pub full_name: String = full_name;
        /// The slug of the account's plan.
        pub plan_slug: String = plan;
        /// The line that a send uses when it names none.
        pub default_line: Option<String> = default_line;
        /// Where it sends. `None` means where the setting says.
        pub destinations: Option<Vec<Prefix>> = destinations;
        /// When the account was made.
        pub created_ms: i64 = created_ms;
        /// Whether the account is active, by the mirror.
        pub active: bool = active;
        /// Whether the account may send, by the mirror.
        pub sending_enabled: bool = sending_enabled;
        /// The available balance in minor units, by the mirror.
        pub available: i64 = available;
        /// The locked balance in minor units, by the mirror.
        pub locked: i64 = locked;
        /// When it was closed, ms since the Unix epoch, as its object has decided. `None`: it is open.
        pub closed_ms: Option<i64> = closed_ms;
    } beside {
        /// The title of the account's plan.
        pub plan_title: String = "p.title";
    }
}

/// An account to add.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct New<'a> {
    /// The account's id.
    pub id: &'a str,
    /// The account's login name.
    pub username: &'a str,
    /// The name of the account's owner.
    pub full_name: &'a str,
    /// The slug of the account's plan.
    pub plan: &'a str,
}

/// A change of an account. A field that is `None` stays as it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Change<'a> {
    /// The new name of the owner.
    pub full_name: Option<&'a str>,
    /// The slug of the new plan.
    pub plan: Option<&'a str>,
    /// The new default line. `Some(None)` takes the default line away.
    pub default_line: Option<Option<&'a str>>,
    /// The new destinations. `Some(None)` stands for those of the setting.
    pub destinations: Option<Option<&'a [Prefix]>>,
}

/// The statement that reads entries, up to its `WHERE`.
macro_rules! select_entries {
    () => {
        concat!("SELECT ", account!(read "a."), " FROM account a JOIN plan p ON p.slug = a.plan ")
    };
}

/// Finds an account by its id.
pub async fn find(db: &impl Db, id: &str) -> Result<Option<ListedAccount>, PortError> {
    let statement = Statement::new(concat!(select_entries!(), "WHERE a.id = ?1"), [id.into()]);
    first(&db.query(statement).await?, ListedAccount::of)
}

/// The id of the account with this username.
pub async fn id_of(db: &impl Db, username: &str) -> Result<Option<String>, PortError> {
    let statement = Statement::new("SELECT id FROM account WHERE username = ?1", [username.into()]);
    first(&db.query(statement).await?, |row| row.text(0))
}

/// As [`page`], those accounts whose username, name or id begins with `search`, in upper or lower case. Each of the three has
/// an index.
pub async fn search(
    db: &impl Db,
    limit: u32,
    after: Option<&str>,
    search: &str,
) -> Result<Vec<ListedAccount>, PortError> {
    let statement = Statement::new(
        concat!(
            select_entries!(),
            "WHERE a.id > ?2 AND a.id IN ( \
               SELECT id FROM account INDEXED BY account_searched_username \
               WHERE username COLLATE NOCASE >= ?3 AND username COLLATE NOCASE < ?4 \
                 AND substr(username, 1, length(?3)) = ?3 COLLATE NOCASE \
               UNION SELECT id FROM account INDEXED BY account_searched_name \
               WHERE full_name COLLATE NOCASE >= ?3 AND full_name COLLATE NOCASE < ?4 \
                 AND substr(full_name, 1, length(?3)) = ?3 COLLATE NOCASE \
               UNION SELECT id FROM account WHERE id >= ?3 AND id < ?4) ORDER BY a.id LIMIT ?1"
        ),
        [
            limit.into(),
            after.unwrap_or_default().into(),
            search.into(),
            behind(search).into(),
        ],
    );
    all(&db.query(statement).await?, ListedAccount::of)
}

/// Reads at most `limit` accounts, in the order of their ids, beginning behind the id `after`.
pub async fn page(db: &impl Db, limit: u32, after: Option<&str>) -> Result<Vec<ListedAccount>, PortError> {
    let statement = Statement::new(
        concat!(
            select_entries!(),
            "WHERE ?2 IS NULL OR a.id > ?2 ORDER BY a.id LIMIT ?1"
        ),
        [limit.into(), after.into()],
    );
    all(&db.query(statement).await?, ListedAccount::of)
}

/// The ids of at most `limit` accounts, in their order, behind the id `after`.
pub async fn ids(db: &impl Db, limit: u32, after: &str) -> Result<Vec<String>, PortError> {
    let statement = Statement::new(
        "SELECT id FROM account WHERE id > ?2 ORDER BY id LIMIT ?1",
        [limit.into(), after.into()],
    );
    all(&db.query(statement).await?, |row| row.text(0))
}

/// Adds an account. Returns `false` if the username is taken.
pub async fn insert(db: &impl Db, account: New<'_>, now_ms: i64) -> Result<bool, PortError> {
    let statement = Statement::new(
        "INSERT INTO account (id, username, full_name, plan, default_line, created_ms, active, sending_enabled, \
           available, locked, mirror_version) VALUES (?1, ?2, ?3, ?4, NULL, ?5, 1, 1, 0, 0, 0) \
         ON CONFLICT DO NOTHING RETURNING id",
        [
            account.id.into(),
            account.username.into(),
            account.full_name.into(),
            account.plan.into(),
            now_ms.into(),
        ],
    );
    Ok(!db.query(statement).await?.is_empty())
}

/// Notes that an account is closed.
pub async fn note_closed(db: &impl Db, id: &str, closed_ms: i64) -> Result<(), PortError> {
    let statement = Statement::new(
        "UPDATE account SET closed_ms = ?2 WHERE id = ?1",
        [id.into(), closed_ms.into()],
    );
    db.query(statement).await.map(drop)
}

/// Changes an account.
pub async fn update(db: &impl Db, id: &str, change: Change<'_>) -> Result<(), PortError> {
    let clears_line = change.default_line == Some(None);
    let clears_destinations = change.destinations == Some(None);
    let destinations = change
        .destinations
        .flatten()
        .map(|prefixes| to_json(&prefixes))
        .transpose()?;
    let statement = Statement::new(
        "UPDATE account SET full_name = coalesce(?2, full_name), plan = coalesce(?3, plan), \
           default_line = CASE WHEN ?5 THEN NULL ELSE coalesce(?4, default_line) END, \
           destinations = CASE WHEN ?7 THEN NULL ELSE coalesce(?6, destinations) END WHERE id = ?1",
        [
            id.into(),
            change.full_name.into(),
            change.plan.into(),
            change.default_line.flatten().into(),
            clears_line.into(),
            destinations.into(),
            clears_destinations.into(),
        ],
    );
    db.query(statement).await.map(drop)
}
