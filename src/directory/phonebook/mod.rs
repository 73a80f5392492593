//! Phonebooks, without their numbers.

pub mod audience;
pub mod changes;
pub mod columns;
pub mod condition;
pub mod decimal;
pub mod erasure;
pub mod export;
pub mod following;
pub mod held;
pub mod numbers;
mod part;
mod row;
pub mod search;
pub mod titles;
pub mod writes;

use crate::base::ports::{Db, PortError, Statement};
use crate::base::record::Columns as _;
use crate::directory::{Insertion, all, answer, first};
use changes::{apply, end};
pub use row::Phonebook;
use row::phonebook;

/// An account has at most this many phonebooks. A deleted one counts until its last number is removed.
const MAX_PHONEBOOKS: i64 = 1_000;
/// One step removes at most this many numbers of a deleted phonebook.
pub const REMOVED_A_STEP: u32 = 2_000;

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

/// Selects the ids of the first `?3` numbers of the phonebook with the id `?1` of the account `?2`.
macro_rules! first_numbers {
    () => {
        "SELECT r.id FROM phonebook p CROSS JOIN phonebook_number r ON r.phonebook = p.seq \
         WHERE p.id = ?1 AND p.account = ?2 ORDER BY r.msisdn LIMIT ?3"
    };
}

/// Finds an account's phonebook by its id.
pub async fn find(db: &impl Db, account: &str, id: &str) -> Result<Option<Phonebook>, PortError> {
    let statement = Statement::new(
        concat!(
            "SELECT ",
            phonebook!(columns),
            " FROM phonebook WHERE id = ?1 AND account = ?2 AND deleted = 0"
        ),
        [id.into(), account.into()],
    );
    first(&db.query(statement).await?, Phonebook::of)
}

/// Reads at most `limit` phonebooks of an account, the newest first, beginning behind the key `after`.
pub async fn page(db: &impl Db, account: &str, limit: u32, after: Option<i64>) -> Result<Vec<Phonebook>, PortError> {
    let statement = Statement::new(
        concat!(
            "SELECT ",
            phonebook!(columns),
            " FROM phonebook WHERE account = ?1 AND deleted = 0 AND (?2 IS NULL OR seq < ?2) ORDER BY seq DESC LIMIT ?3"
        ),
        [account.into(), after.into(), limit.into()],
    );
    all(&db.query(statement).await?, Phonebook::of)
}

/// Adds a phonebook, which has no numbers yet.
pub async fn insert(db: &impl Db, new: New<'_>, now_ms: i64) -> Result<Insertion<Phonebook>, PortError> {
    let count = Statement::new(
        "SELECT count(*) FROM phonebook WHERE account = ?1",
        [new.account.into()],
    );
    let insertion = Statement::new(
        concat!(
            "INSERT INTO phonebook (id, account, title, description, columns, count, deleted, created_ms) \
             SELECT ?1, ?2, ?3, ?4, '[]', 0, 0, ?5 WHERE (SELECT count(*) FROM phonebook WHERE account = ?2) < ?6 \
             ON CONFLICT (account, title) WHERE deleted = 0 DO NOTHING RETURNING ",
            phonebook!(columns)
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
    Insertion::of(&answers, MAX_PHONEBOOKS, Phonebook::of)
}

/// Changes a phonebook. Returns the changed phonebook, or `None` if the title is taken or the phonebook does not exist.
pub async fn update(db: &impl Db, seq: i64, change: Change<'_>) -> Result<Option<Phonebook>, PortError> {
    let statement = Statement::new(
        concat!(
            "UPDATE OR IGNORE phonebook SET title = coalesce(?2, title), \
               description = CASE ?3 WHEN 1 THEN ?4 ELSE description END \
             WHERE seq = ?1 AND deleted = 0 RETURNING ",
            phonebook!(columns)
        ),
        [
            seq.into(),
            change.title.into(),
            change.description.is_some().into(),
            change.description.flatten().into(),
        ],
    );
    first(&db.query(statement).await?, Phonebook::of)
}

/// Deletes a phonebook and removes its first numbers; repeated, it removes them all, and then the phonebook. From the first
/// time on, no other function finds the phonebook, and its title is free. The numbers' bytes go back to the account as the
/// numbers go: until then they fill the database. Returns whether nothing is left, which is so too if the account has no
/// such phonebook.
pub async fn remove(db: &impl Db, account: &str, id: &str) -> Result<bool, PortError> {
    let place = || [id.into(), account.into()];
    let step = || [id.into(), account.into(), REMOVED_A_STEP.into()];
    let [counts, bytes] = apply(None)?;
    let statements = vec![
        Statement::new(
            "UPDATE phonebook SET deleted = 1 WHERE id = ?1 AND account = ?2",
            place(),
        ),
        Statement::new(
            concat!(
                "INSERT OR REPLACE INTO phonebook_change (one, phonebook, account, added, bytes, used, verdict) \
                 SELECT 1, b.seq, b.account, -count(n.id), -coalesce(sum(n.bytes), 0), 0, 'MADE' FROM phonebook b \
                 LEFT JOIN phonebook_number n ON n.id IN (",
                first_numbers!(),
                ") WHERE b.id = ?1 AND b.account = ?2 GROUP BY b.seq"
            ),
            step(),
        ),
        counts,
        bytes,
        Statement::new(
            concat!("DELETE FROM phonebook_number WHERE id IN (", first_numbers!(), ")"),
            step(),
        ),
        Statement::new(
            "DELETE FROM phonebook WHERE id = ?1 AND account = ?2 \
               AND NOT EXISTS (SELECT 1 FROM phonebook_number n WHERE n.phonebook = phonebook.seq)",
            place(),
        ),
        end(),
        Statement::new("SELECT 1 FROM phonebook WHERE id = ?1 AND account = ?2", place()),
    ];
    let answers = db.batch(statements).await?;
    Ok(answer(&answers, 7).is_empty())
}
