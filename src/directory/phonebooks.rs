//! Phonebooks, without their numbers.

use super::{Insertion, all, first};
use crate::ports::{Db, PortError, Row, Statement};

/// An account has at most this many phonebooks.
const MAX_PHONEBOOKS: i64 = 1_000;

/// A phonebook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phonebook {
    /// The phonebook's key in the directory, and its place in lists.
    pub seq: i64,
    /// The phonebook's id in the API.
    pub id: String,
    /// The phonebook's name. An account has each name once.
    pub title: String,
    /// The phonebook's description.
    pub description: Option<String>,
    /// The number of numbers in the phonebook.
    pub count: i64,
    /// When the phonebook was made.
    pub created_ms: i64,
}

/// A phonebook to add.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct New<'a> {
    /// The phonebook's id in the API.
    pub id: &'a str,
    /// The id of the account.
    pub account: &'a str,
    /// The phonebook's name.
    pub title: &'a str,
    /// The phonebook's description.
    pub description: Option<&'a str>,
}

/// A change of a phonebook. A field that is `None` stays as it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Change<'a> {
    /// The new name.
    pub title: Option<&'a str>,
    /// The new description. `Some(None)` takes the description away.
    pub description: Option<Option<&'a str>>,
}

/// The columns of a phonebook, in the order that [`from_row`] reads.
macro_rules! phonebook_columns {
    () => {
        columns!("", "seq", "id", "title", "description", "count", "created_ms")
    };
}

fn from_row(row: &Row) -> Result<Phonebook, PortError> {
    Ok(Phonebook {
        seq: row.int(0)?,
        id: row.text(1)?,
        title: row.text(2)?,
        description: row.opt_text(3)?,
        count: row.int(4)?,
        created_ms: row.int(5)?,
    })
}

/// Finds an account's phonebook by its id.
pub async fn find(db: &impl Db, account: &str, id: &str) -> Result<Option<Phonebook>, PortError> {
    let statement = Statement::new(
        concat!(
            "SELECT ",
            phonebook_columns!(),
            " FROM phonebook WHERE id = ?1 AND account = ?2"
        ),
        [id.into(), account.into()],
    );
    first(&db.query(statement).await?, from_row)
}

/// Reads at most `limit` phonebooks of an account, the newest first, beginning behind the key `after`.
pub async fn page(db: &impl Db, account: &str, limit: u32, after: Option<i64>) -> Result<Vec<Phonebook>, PortError> {
    let statement = Statement::new(
        concat!(
            "SELECT ",
            phonebook_columns!(),
            " FROM phonebook WHERE account = ?1 AND (?2 IS NULL OR seq < ?2) ORDER BY seq DESC LIMIT ?3"
        ),
        [account.into(), after.into(), limit.into()],
    );
    all(&db.query(statement).await?, from_row)
}

/// Adds a phonebook, which has no numbers yet.
pub async fn insert(db: &impl Db, new: New<'_>, now_ms: i64) -> Result<Insertion<Phonebook>, PortError> {
    let count = Statement::new(
        "SELECT count(*) FROM phonebook WHERE account = ?1",
        [new.account.into()],
    );
    let insertion = Statement::new(
        concat!(
            "INSERT INTO phonebook (id, account, title, description, count, created_ms) \
             SELECT ?1, ?2, ?3, ?4, 0, ?5 WHERE (SELECT count(*) FROM phonebook WHERE account = ?2) < ?6 \
             ON CONFLICT (account, title) DO NOTHING RETURNING ",
            phonebook_columns!()
        ),
        [
            new.id.into(),
            new.account.into(),
            new.title.into(),
            new.description.into(),
            now_ms.into(),
            MAX_PHONEBOOKS.into(),
        ],
    );
    let answers = db.batch(vec![count, insertion]).await?;
    Insertion::of(&answers, MAX_PHONEBOOKS, from_row)
}

/// Changes a phonebook. Returns the changed phonebook, or `None` if the title is taken or the phonebook does not exist.
pub async fn update(db: &impl Db, seq: i64, change: Change<'_>) -> Result<Option<Phonebook>, PortError> {
    let statement = Statement::new(
        concat!(
            "UPDATE OR IGNORE phonebook SET title = coalesce(?2, title), \
               description = CASE ?3 WHEN 1 THEN ?4 ELSE description END WHERE seq = ?1 RETURNING ",
            phonebook_columns!()
        ),
        [
            seq.into(),
            change.title.into(),
            change.description.is_some().into(),
            change.description.flatten().into(),
        ],
    );
    first(&db.query(statement).await?, from_row)
}

/// Deletes a phonebook with its numbers.
pub async fn delete(db: &impl Db, seq: i64) -> Result<(), PortError> {
    let statement = Statement::new("DELETE FROM phonebook WHERE seq = ?1", [seq.into()]);
    db.query(statement).await.map(drop)
}
