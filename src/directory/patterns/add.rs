//! Adds patterns and versions, as far as there is room: for their number, for the bytes of the account, and for those of all
//! accounts. Triggers count the bytes (`migrations/`), so what an addition sees holds for its whole transaction.

use sms::variable::Variable;

use super::{Pattern, Version, pattern, version};
use crate::base::ports::{Db, PortError, Row, Statement};
use crate::base::record::Columns;
use crate::directory::{answer, first, to_json};

/// An account has at most this many patterns.
const MAX_PATTERNS: i64 = 1_000;
/// A pattern has at most this many versions.
const MAX_VERSIONS: i64 = 100;
/// What a pattern takes beside its slug, its title and its lines, in bytes.
const PATTERN_BYTES: i64 = 200;
/// What a version takes beside its text and its variables, in bytes.
const VERSION_BYTES: i64 = 100;

/// A pattern to add.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct New<'a> {
    /// The id of the account.
    pub account: &'a str,
    /// The pattern's name in its account.
    pub slug: &'a str,
    /// The pattern's name for people.
    pub title: &'a str,
    /// The numbers of the lines that the pattern may be sent from.
    pub lines: &'a [String],
    /// The revision to begin with.
    pub revision: i64,
}

/// A version to add.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewVersion<'a> {
    /// The text.
    pub text: &'a str,
    /// The variables of the text.
    pub variables: &'a [Variable],
    /// The status to begin with.
    pub status: &'static str,
}

/// What patterns may take, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// All patterns of an account, with their versions.
    pub account: i64,
    /// All phonebooks and patterns of all accounts.
    pub room: i64,
}

/// Why a pattern or a version is not added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    /// The account has a pattern of this slug.
    Taken,
    /// There are as many patterns, or versions of the pattern, as there may be.
    Full,
    /// The account would keep more bytes than it may.
    TooManyBytes {
        /// The bytes that the account keeps now.
        used: i64,
    },
    /// All accounts would keep more bytes together than they may.
    NoRoom,
}

/// Whether there is room for the bytes `$bytes`, as far as the account `?1` may keep `$account` and all accounts `$room`.
macro_rules! has_room {
    ($bytes:literal, $account:literal, $room:literal) => {
        concat!(
            "(SELECT pattern_bytes FROM account WHERE id = ?1) + ",
            $bytes,
            " <= ",
            $account,
            " AND (SELECT bytes FROM room WHERE one = 1) + ",
            $bytes,
            " <= ",
            $room
        )
    };
}

/// The first statement of an addition: how many patterns the account has, and the bytes of the account and of all.
fn look(account: &str) -> Statement {
    Statement::new(
        "SELECT (SELECT count(*) FROM pattern WHERE account = ?1) AS patterns, a.pattern_bytes AS used, r.bytes AS taken \
         FROM account a CROSS JOIN room r ON r.one = 1 WHERE a.id = ?1",
        [account.into()],
    )
}

/// What an addition of these bytes came to, from the answers of its batch: that of [`look`], and the added row, if one was added.
fn added<T>(
    answers: &[Vec<Row>],
    bytes: i64,
    limits: Limits,
    read: impl Fn(&Row) -> Result<T, PortError>,
) -> Result<Result<T, Obstacle>, PortError> {
    if let Some(added) = first(answer(answers, 1), read)? {
        return Ok(Ok(added));
    }
    let seen = first(answer(answers, 0), |row| Ok((row.int(0)?, row.int(1)?, row.int(2)?)))?;
    let (patterns, used, taken) = seen.unwrap_or_default();
    Ok(Err(match () {
        () if used.saturating_add(bytes) > limits.account => Obstacle::TooManyBytes { used },
        () if taken.saturating_add(bytes) > limits.room => Obstacle::NoRoom,
        () if patterns >= MAX_PATTERNS => Obstacle::Full,
        () => Obstacle::Taken,
    }))
}

/// How many bytes texts have, with these beside them: as the columns `bytes` say.
fn bytes_of(beside: i64, texts: &[&str]) -> i64 {
    let bytes: usize = texts.iter().map(|text| text.len()).sum();
    beside.saturating_add(i64::try_from(bytes).unwrap_or(i64::MAX))
}

/// Adds a pattern, and its first version if there is one, in one transaction.
pub async fn insert(
    db: &impl Db,
    new: New<'_>,
    version: Option<NewVersion<'_>>,
    limits: Limits,
    now_ms: i64,
) -> Result<Result<Pattern, Obstacle>, PortError> {
    let lines = to_json(new.lines)?;
    let mut bytes = bytes_of(PATTERN_BYTES, &[new.slug, new.title, &lines]);
    let mut additions = Vec::new();
    if let Some(version) = version {
        // The version goes only to the pattern made here. A pattern that had this slug before has another revision.
        let (addition, of_version) =
            version_insertion(new.account, new.slug, Some(new.revision), version, limits, now_ms)?;
        bytes = bytes.saturating_add(of_version);
        additions.push(addition);
    }
    let mut statements = vec![look(new.account), insertion(new, lines, bytes, limits, now_ms)];
    statements.append(&mut additions);
    added(&db.batch(statements).await?, bytes, limits, Pattern::of)
}

/// The statement that adds a pattern, unless the account has the slug already or has no room for it and its first version.
fn insertion(new: New<'_>, lines: String, bytes: i64, limits: Limits, now_ms: i64) -> Statement {
    Statement::new(
        concat!(
            "INSERT INTO pattern (account, slug, title, lines, revision, created_ms) \
             SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE (SELECT count(*) FROM pattern WHERE account = ?1) < ?7 AND ",
            has_room!("?8", "?9", "?10"),
            " ON CONFLICT (account, slug) DO NOTHING RETURNING ",
            pattern!(columns)
        ),
        [
            new.account.into(),
            new.slug.into(),
            new.title.into(),
            lines.into(),
            new.revision.into(),
            now_ms.into(),
            MAX_PATTERNS.into(),
            bytes.into(),
            limits.account.into(),
            limits.room.into(),
        ],
    )
}

/// Adds a version to an account's pattern, which exists. Returns it, or why it is not added.
pub async fn insert_version(
    db: &impl Db,
    account: &str,
    slug: &str,
    version: NewVersion<'_>,
    limits: Limits,
    now_ms: i64,
) -> Result<Result<Version, Obstacle>, PortError> {
    let (addition, bytes) = version_insertion(account, slug, None, version, limits, now_ms)?;
    let answers = db.batch(vec![look(account), addition]).await?;
    let added = added(&answers, bytes, limits, Version::of)?;
    Ok(added.map_err(|obstacle| match obstacle {
        Obstacle::Taken => Obstacle::Full,
        other => other,
    }))
}

/// The statement that adds a version to a pattern, unless there is no room, and the version's bytes. If `revision` is given, the
/// statement does nothing when the pattern has another revision.
fn version_insertion(
    account: &str,
    slug: &str,
    revision: Option<i64>,
    version: NewVersion<'_>,
    limits: Limits,
    now_ms: i64,
) -> Result<(Statement, i64), PortError> {
    let variables = to_json(version.variables)?;
    let bytes = bytes_of(VERSION_BYTES, &[version.text, &variables]);
    let statement = Statement::new(
        concat!(
            "INSERT INTO pattern_version (",
            version!(columns),
            ") SELECT p.id, (SELECT coalesce(max(version), 0) + 1 FROM pattern_version WHERE pattern = p.id), \
                 ?4, ?5, ?6, ?7, NULL \
             FROM pattern p WHERE p.account = ?1 AND p.slug = ?2 AND (?3 IS NULL OR p.revision = ?3) \
               AND (SELECT count(*) FROM pattern_version WHERE pattern = p.id) < ?8 AND ",
            has_room!("?9", "?10", "?11"),
            " RETURNING ",
            version!(columns)
        ),
        [
            account.into(),
            slug.into(),
            revision.into(),
            version.text.into(),
            variables.into(),
            version.status.into(),
            now_ms.into(),
            MAX_VERSIONS.into(),
            bytes.into(),
            limits.account.into(),
            limits.room.into(),
        ],
    );
    Ok((statement, bytes))
}
