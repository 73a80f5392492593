//! Carriers in the directory.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::base::cache::Weigh;
use crate::base::ports::{Db, PortError, Statement};
use crate::base::record::{Columns, record};
use crate::directory::gateway_url_versions::GatewayUrlVersions;
use crate::directory::{Insertion, all, first};

/// The most carriers that there may be. Operators see the health of each, which takes a call or more.
pub const MAX_CARRIERS: i64 = 100;
/// A refusal names at most this many lines.
const NAMED_LINES: u32 = 3;

record! {
    /// A carrier.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Carrier by carrier {
        /// Its name.
        pub name: String = name;
        /// The name of its kind.
        pub kind: String = kind;
        /// Its settings, a JSON object whose members its kind knows. It has no secrets.
        pub settings: String = settings;
        /// Its secrets, sealed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub secrets: Option<String> = secrets;
        /// Whether it is in service.
        #[serde(default = "yes")]
        pub active: bool = active;
        /// Whether an operator has stopped it for a while.
        #[serde(default)]
        pub paused: bool = paused;
        /// Grows with each change. A new carrier begins with the time, so that it is newer than a deleted one of its name.
        #[serde(default)]
        pub version: i64 = version;
        /// The versions of the addresses that its gateway calls.
        #[serde(default, skip_serializing_if = "GatewayUrlVersions::is_empty")]
        pub callbacks: GatewayUrlVersions = callbacks;
    }
}

impl Weigh for Carrier {
    fn heap(&self) -> usize {
        self.name.heap() + self.kind.heap() + self.settings.heap() + self.secrets.heap() + self.callbacks.heap()
    }
}

impl Carrier {
    /// Whether it may be given messages.
    pub fn is_in_service(&self) -> bool {
        self.active && !self.paused
    }
}

/// A carrier that a version without this member tells is in service.
fn yes() -> bool {
    true
}

/// The carrier of a name.
pub async fn find(db: &impl Db, name: &str) -> Result<Option<Carrier>, PortError> {
    let sql = concat!("SELECT ", carrier!(columns), " FROM carrier WHERE name = ?1");
    let rows = db.query(Statement::new(sql, [name.into()])).await?;
    first(&rows, Carrier::of)
}

/// Reads at most `limit` carriers, in the order of their names, beginning behind the name `after`; only those whose names
/// contain `search`. There are at most [`MAX_CARRIERS`].
pub async fn page(
    db: &impl Db,
    limit: u32,
    after: Option<&str>,
    search: Option<&str>,
) -> Result<Vec<Carrier>, PortError> {
    let statement = Statement::new(
        concat!(
            "SELECT ",
            carrier!(columns),
            " FROM carrier WHERE (?2 IS NULL OR name > ?2) AND (?3 IS NULL OR instr(name, ?3)) ORDER BY name LIMIT ?1"
        ),
        [limit.into(), after.into(), search.into()],
    );
    all(&db.query(statement).await?, Carrier::of)
}

/// All carriers of a kind.
pub async fn of_kind(db: &impl Db, kind: &str) -> Result<Vec<Carrier>, PortError> {
    let statement = Statement::new(
        concat!(
            "SELECT ",
            carrier!(columns),
            " FROM carrier WHERE kind = ?1 ORDER BY name"
        ),
        [kind.into()],
    );
    all(&db.query(statement).await?, Carrier::of)
}

/// Adds a carrier, if its name is free and there are not too many.
pub async fn insert(db: &impl Db, carrier: &Carrier, now_ms: i64) -> Result<Insertion<Carrier>, PortError> {
    let insert = concat!(
        "INSERT INTO carrier (",
        carrier!(columns),
        ", created_ms) SELECT ",
        carrier!(marks),
        ", ? WHERE (SELECT count(*) FROM carrier) < ? ON CONFLICT DO NOTHING RETURNING ",
        carrier!(columns)
    );
    let mut params = carrier.values()?;
    params.extend([now_ms.into(), MAX_CARRIERS.into()]);
    let answers = db
        .batch(vec![
            Statement::new("SELECT count(*) FROM carrier", []),
            Statement::new(insert, params),
        ])
        .await?;
    Insertion::of(&answers, MAX_CARRIERS, Carrier::of)
}

/// Changes a carrier to what `carrier` says, unless it has changed since it had that version. Returns the changed carrier;
/// `None`: it has changed meanwhile, or is gone.
pub async fn update(db: &impl Db, carrier: &Carrier) -> Result<Option<Carrier>, PortError> {
    let statement = Statement::new(
        concat!(
            "UPDATE carrier SET settings = ?3, secrets = ?4, active = ?5, paused = ?6, callbacks = ?7, version = version + 1 \
             WHERE name = ?1 AND version = ?2 RETURNING ",
            carrier!(columns)
        ),
        [
            carrier.name.as_str().into(),
            carrier.version.into(),
            carrier.settings.as_str().into(),
            carrier.secrets.as_deref().into(),
            carrier.active.into(),
            carrier.paused.into(),
            super::to_json(&carrier.callbacks)?.into(),
        ],
    );
    first(&db.query(statement).await?, Carrier::of)
}

/// Deletes a carrier that no line uses. Otherwise returns some of these lines.
pub async fn delete(db: &impl Db, name: &str) -> Result<Vec<String>, PortError> {
    let answers = db
        .batch(vec![
            Statement::new(
                "DELETE FROM carrier WHERE name = ?1 AND NOT EXISTS (SELECT 1 FROM line_carrier WHERE carrier = ?1)",
                [name.into()],
            ),
            read_lines(name),
        ])
        .await?;
    all(super::answer(&answers, 1), |row| row.text(0))
}

/// Some of the lines that use a carrier.
pub async fn lines_of(db: &impl Db, name: &str) -> Result<Vec<String>, PortError> {
    all(&db.query(read_lines(name)).await?, |row| row.text(0))
}

fn read_lines(carrier: &str) -> Statement {
    Statement::new(
        "SELECT line FROM line_carrier WHERE carrier = ?1 ORDER BY line LIMIT ?2",
        [carrier.into(), NAMED_LINES.into()],
    )
}

/// Returns those of these names that carriers have, each with the carrier's kind.
pub async fn kinds(db: &impl Db, names: &[&str]) -> Result<BTreeMap<String, String>, PortError> {
    let statement = Statement::new(
        "SELECT name, kind FROM carrier WHERE name IN (SELECT value FROM json_each(?1))",
        [super::to_json(names)?.into()],
    );
    let rows = db.query(statement).await?;
    rows.iter().map(|row| Ok((row.text(0)?, row.text(1)?))).collect()
}
