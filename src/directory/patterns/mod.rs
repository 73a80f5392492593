//! Patterns and their versions.
//!
//! A version never changes after it was made. Only its status does. A pattern's revision grows with every change that a
//! send has to see.

pub mod add;

use std::collections::BTreeMap;

use crate::base::cache::Weigh;
use crate::base::ports::{Db, PortError, Statement};
use crate::base::record::{Columns, neighbours, record};
use crate::directory::{all, answer, first, to_json};

record! {
    /// A pattern.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Pattern by pattern {
        /// The pattern's key in the directory, and its place in lists.
        pub id: i64 = id;
        /// The pattern's name in its account.
        pub slug: String = slug;
        /// The pattern's name for people.
        pub title: String = title;
        /// The numbers of the lines that the pattern may be sent from. If the list is empty, any line will do.
        pub lines: Vec<String> = lines;
        /// The number of the pattern's newest state.
        pub revision: i64 = revision;
        /// When the pattern was made.
        pub created_ms: i64 = created_ms;
    }
}
pub(super) use pattern;
use sms::variable::Variable;

record! {
    /// A version of a pattern.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Version by version {
        /// The key of the pattern.
        pub pattern: i64 = pattern;
        /// The version's number in its pattern.
        pub version: i64 = version;
        /// The text.
        pub text: String = text;
        /// The variables of the text.
        pub variables: Vec<Variable> = variables;
        /// `DRAFT`, `PENDING`, `ACTIVE`, `RETIRED` or `REFUSED`.
        pub status: String = status;
        /// When the version was made.
        pub created_ms: i64 = created_ms;
        /// Why an operator has refused the version.
        pub reason: Option<String> = reason;
    }
}
pub(super) use version;

/// A pattern with its active version, as a send needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActivePattern {
    /// The pattern's name in its account.
    pub slug: String,
    /// The number of the pattern's newest state.
    pub revision: i64,
    /// The numbers of the lines that the pattern may be sent from. If the list is empty, any line will do.
    pub lines: Vec<String>,
    /// The active version's text.
    pub text: String,
    /// The active version's variables.
    pub variables: Vec<Variable>,
}

impl Weigh for Variable {
    fn heap(&self) -> usize {
        self.name.heap() + self.values.heap()
    }
}

impl Weigh for ActivePattern {
    fn heap(&self) -> usize {
        self.slug.heap() + self.lines.heap() + self.text.heap() + self.variables.heap()
    }
}

/// A version that waits for approval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pending {
    /// The id of the account.
    pub account: String,
    /// Its username, if the directory has the account.
    pub username: Option<String>,
    /// The pattern's name in its account.
    pub slug: String,
    /// The pattern's name for people.
    pub title: String,
    /// The version.
    pub version: Version,
}

neighbours!(ActivePattern: slug, revision, lines, text, variables);
neighbours!(Pending: version, account, slug, title, username);

/// Finds an account's pattern by its slug.
pub async fn find(db: &impl Db, account: &str, slug: &str) -> Result<Option<Pattern>, PortError> {
    let statement = Statement::new(
        concat!(
            "SELECT ",
            pattern!(columns),
            " FROM pattern WHERE account = ?1 AND slug = ?2"
        ),
        [account.into(), slug.into()],
    );
    first(&db.query(statement).await?, Pattern::of)
}

/// Finds a version of a pattern by its number.
pub async fn find_version(db: &impl Db, pattern: i64, version: u32) -> Result<Option<Version>, PortError> {
    let statement = Statement::new(
        concat!(
            "SELECT ",
            version!(columns),
            " FROM pattern_version WHERE pattern = ?1 AND version = ?2"
        ),
        [pattern.into(), version.into()],
    );
    first(&db.query(statement).await?, Version::of)
}

/// Reads all versions of a pattern, the oldest first.
pub async fn versions(db: &impl Db, pattern: i64) -> Result<Vec<Version>, PortError> {
    let statement = Statement::new(
        concat!(
            "SELECT ",
            version!(columns),
            " FROM pattern_version WHERE pattern = ?1 ORDER BY version"
        ),
        [pattern.into()],
    );
    all(&db.query(statement).await?, Version::of)
}

/// Reads those of an account's patterns that have one of these slugs and an active version.
pub async fn active(db: &impl Db, account: &str, slugs: &[&str]) -> Result<Vec<ActivePattern>, PortError> {
    let statement = Statement::new(
        "SELECT p.slug, p.revision, p.lines, v.text, v.variables FROM pattern p \
         JOIN pattern_version v ON v.pattern = p.id AND v.status = 'ACTIVE' \
         WHERE p.account = ?1 AND p.slug IN (SELECT s.value FROM json_each(?2) s)",
        [account.into(), to_json(slugs)?.into()],
    );
    all(&db.query(statement).await?, ActivePattern::of)
}

/// Returns those of these slugs that patterns of an account have, each with the reason if the pattern's newest version is refused.
pub async fn known(db: &impl Db, account: &str, slugs: &[&str]) -> Result<BTreeMap<String, Option<String>>, PortError> {
    let statement = Statement::new(
        "SELECT p.slug, (SELECT v.reason FROM pattern_version v WHERE v.pattern = p.id ORDER BY v.version DESC LIMIT 1) \
         FROM pattern p WHERE p.account = ?1 AND p.slug IN (SELECT value FROM json_each(?2))",
        [account.into(), to_json(slugs)?.into()],
    );
    let known = all(&db.query(statement).await?, |row| Ok((row.text(0)?, row.opt_text(1)?)))?;
    Ok(known.into_iter().collect())
}

/// Reads at most `limit` patterns of an account, the newest first, beginning behind the key `after`. The second list has
/// the active version and the newest version of each of them.
pub async fn page(
    db: &impl Db,
    account: &str,
    limit: u32,
    after: Option<i64>,
) -> Result<(Vec<Pattern>, Vec<Version>), PortError> {
    let place = || [account.into(), after.into(), limit.into()];
    let patterns = Statement::new(
        concat!(
            "SELECT ",
            pattern!(columns),
            " FROM pattern WHERE account = ?1 AND (?2 IS NULL OR id < ?2) ORDER BY id DESC LIMIT ?3"
        ),
        place(),
    );
    let versions = Statement::new(
        concat!(
            "SELECT ",
            version!(columns "v."),
            " FROM (SELECT id FROM pattern WHERE account = ?1 AND (?2 IS NULL OR id < ?2) \
                    ORDER BY id DESC LIMIT ?3) p \
             JOIN pattern_version v ON v.pattern = p.id \
             WHERE v.status = 'ACTIVE' \
               OR v.version = (SELECT max(version) FROM pattern_version WHERE pattern = p.id) ORDER BY 1, 2"
        ),
        place(),
    );
    let answers = db.batch(vec![patterns, versions]).await?;
    let patterns = all(answer(&answers, 0), Pattern::of)?;
    let versions = all(answer(&answers, 1), Version::of)?;
    Ok((patterns, versions))
}

/// Reads at most `limit` versions that wait for approval, in the order of their patterns' keys and their own numbers,
/// beginning behind the key and number `after`.
pub async fn pending(db: &impl Db, limit: u32, after: Option<(i64, i64)>) -> Result<Vec<Pending>, PortError> {
    let (pattern, version) = after.unwrap_or((0, 0));
    let statement = Statement::new(
        concat!(
            "SELECT ",
            version!(columns "v."),
            ", p.account, p.slug, p.title, (SELECT a.username FROM account a WHERE a.id = p.account) FROM pattern_version v JOIN pattern p ON p.id = v.pattern \
             WHERE v.status = 'PENDING' AND (v.pattern, v.version) > (?1, ?2) ORDER BY v.pattern, v.version LIMIT ?3"
        ),
        [pattern.into(), version.into(), limit.into()],
    );
    all(&db.query(statement).await?, Pending::of)
}

/// Changes the title and the lines of a pattern. What is `None` stays as it is. The new revision is at least `revision`.
/// Returns the changed pattern, or `None` if it does not exist.
pub async fn update(
    db: &impl Db,
    id: i64,
    title: Option<&str>,
    lines: Option<&[String]>,
    revision: i64,
) -> Result<Option<Pattern>, PortError> {
    let lines = lines.map(to_json).transpose()?;
    let statement = Statement::new(
        concat!(
            "UPDATE pattern SET title = coalesce(?2, title), lines = coalesce(?3, lines), \
               revision = max(revision + 1, ?4) WHERE id = ?1 RETURNING ",
            pattern!(columns)
        ),
        [id.into(), title.into(), lines.into(), revision.into()],
    );
    first(&db.query(statement).await?, Pattern::of)
}

/// Whether the version `?2` of the pattern `?1` is to become active: it is not, and a refused one only if `?3`.
macro_rules! can_be_active {
    () => {
        "EXISTS (SELECT 1 FROM pattern_version n WHERE n.pattern = ?1 AND n.version = ?2 AND n.status <> 'ACTIVE' \
           AND (?3 OR n.status <> 'REFUSED'))"
    };
}

/// Makes a version the active one, also a refused one if `approves`, and retires the version that was active. The new revision is at
/// least `revision`. Returns the changed pattern, or `None` if the version is active already, refused, or does not exist.
pub async fn activate(
    db: &impl Db,
    id: i64,
    version: i64,
    approves: bool,
    revision: i64,
) -> Result<Option<Pattern>, PortError> {
    let place = || [id.into(), version.into(), approves.into()];
    let revise = Statement::new(
        concat!(
            "UPDATE pattern SET revision = max(revision + 1, ?4) WHERE id = ?1 AND ",
            can_be_active!(),
            " RETURNING ",
            pattern!(columns)
        ),
        [id.into(), version.into(), approves.into(), revision.into()],
    );
    let retire = Statement::new(
        concat!(
            "UPDATE pattern_version SET status = 'RETIRED' WHERE pattern = ?1 AND status = 'ACTIVE' AND ",
            can_be_active!()
        ),
        place(),
    );
    let activate = Statement::new(
        concat!(
            "UPDATE pattern_version SET status = 'ACTIVE', reason = NULL WHERE pattern = ?1 AND version = ?2 AND ",
            can_be_active!()
        ),
        place(),
    );
    let answers = db.batch(vec![revise, retire, activate]).await?;
    first(answer(&answers, 0), Pattern::of)
}

/// Refuses a version for this reason. The new revision is at least `revision`. Returns the changed pattern, or `None` if the version
/// does not exist.
pub async fn refuse(
    db: &impl Db,
    id: i64,
    version: i64,
    reason: &str,
    revision: i64,
) -> Result<Option<Pattern>, PortError> {
    let revise = Statement::new(
        concat!(
            "UPDATE pattern SET revision = max(revision + 1, ?3) WHERE id = ?1 AND EXISTS \
               (SELECT 1 FROM pattern_version WHERE pattern = ?1 AND version = ?2) RETURNING ",
            pattern!(columns)
        ),
        [id.into(), version.into(), revision.into()],
    );
    let refuse = Statement::new(
        "UPDATE pattern_version SET status = 'REFUSED', reason = ?3 WHERE pattern = ?1 AND version = ?2",
        [id.into(), version.into(), reason.into()],
    );
    let answers = db.batch(vec![revise, refuse]).await?;
    first(answer(&answers, 0), Pattern::of)
}

/// Retires the active version. The new revision is at least `revision`. Returns the changed pattern, or `None` if no
/// version is active.
pub async fn deactivate(db: &impl Db, id: i64, revision: i64) -> Result<Option<Pattern>, PortError> {
    let revise = Statement::new(
        concat!(
            "UPDATE pattern SET revision = max(revision + 1, ?2) WHERE id = ?1 AND EXISTS \
               (SELECT 1 FROM pattern_version WHERE pattern = ?1 AND status = 'ACTIVE') RETURNING ",
            pattern!(columns)
        ),
        [id.into(), revision.into()],
    );
    let retire = Statement::new(
        "UPDATE pattern_version SET status = 'RETIRED' WHERE pattern = ?1 AND status = 'ACTIVE'",
        [id.into()],
    );
    let answers = db.batch(vec![revise, retire]).await?;
    first(answer(&answers, 0), Pattern::of)
}

/// Deletes a pattern with its versions. Returns `false` if a version is active, or the pattern does not exist.
pub async fn delete(db: &impl Db, id: i64) -> Result<bool, PortError> {
    let statement = Statement::new(
        "DELETE FROM pattern WHERE id = ?1 AND NOT EXISTS \
           (SELECT 1 FROM pattern_version WHERE pattern = ?1 AND status = 'ACTIVE') RETURNING id",
        [id.into()],
    );
    Ok(!db.query(statement).await?.is_empty())
}
