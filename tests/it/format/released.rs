//! What each released version has stored comes to the schema of today by the steps.
//!
//! `tests/released/VERSION/objects/` has the schema of each kind of object as that version made it. A release writes that of the
//! package's version: `RELEASED=write cargo test --test it released`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use peyk::account;
use peyk::carrier::kind::Kind;
use peyk::durable::Object;
use peyk::objects::{CarrierObject, WebhookObject};
use serde_json::Value;

use crate::support::Sqlite;

const KINDS: [&str; 5] = ["account", "webhook", "sandbox", "http", "smpp"];

/// Brings an object of a kind up to date; a carrier's object has the name of the kind of its carrier.
fn open(kind: &str, sql: &Sqlite) {
    match (kind, Kind::parse(kind)) {
        ("account", _) => account::schema::open(sql).unwrap(),
        ("webhook", _) => WebhookObject::open(sql).unwrap(),
        (_, Some(carrier)) => {
            CarrierObject::open(sql).unwrap();
            let version = sql.run(&format!("SELECT version FROM schema_version WHERE part = '{kind}'"));
            let version = version.first().map(|row| row.int(0).unwrap());
            carrier.open(sql, version).unwrap();
        }
        _ => panic!("{kind}"),
    }
}

fn fresh(kind: &str) -> Sqlite {
    let sql = Sqlite::new();
    open(kind, &sql);
    sql
}

/// The statements that make a store anew.
fn dump(sql: &Sqlite) -> String {
    let own = "sql IS NOT NULL AND name NOT LIKE 'sqlite_%'";
    let mut statements = sql.texts(&format!("SELECT sql FROM sqlite_schema WHERE {own} ORDER BY rowid"));
    for table in sql.texts(&format!(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND {own} ORDER BY name"
    )) {
        let columns = sql.texts(&format!(
            "SELECT 'quote(' || name || ')' FROM pragma_table_info('{table}')"
        ));
        let values = columns.join(" || ', ' || ");
        let rows = sql.texts(&format!("SELECT {values} FROM {table}"));
        statements.extend(rows.iter().map(|row| format!("INSERT INTO {table} VALUES ({row})")));
    }
    statements.join(";\n") + ";\n"
}

/// What a store can keep: the columns of each table, its indexes, its views, and the versions of its parts.
fn shape(sql: &Sqlite) -> BTreeSet<String> {
    let columns = sql.texts(
        "SELECT 'column ' || m.name || '.' || c.name || ' ' || c.type || ' ' || c.\"notnull\" || ' ' || coalesce(c.dflt_value, '-') \
           || ' ' || c.pk || ' ' || c.hidden FROM sqlite_schema m JOIN pragma_table_xinfo(m.name) c WHERE m.type = 'table'",
    );
    let others = sql
        .texts("SELECT type || ' ' || name || ' ' || sql FROM sqlite_schema WHERE type <> 'table' AND sql IS NOT NULL");
    let spaced = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let versions = sql.texts("SELECT 'version ' || part || ' ' || version FROM schema_version");
    columns
        .into_iter()
        .chain(others.into_iter().map(spaced))
        .chain(versions)
        .collect()
}

fn released() -> PathBuf {
    PathBuf::from(concat!(env!("PEYK_ROOT"), "/tests/released"))
}

/// The folder of the package's own version, which was released last.
fn newest() -> PathBuf {
    let package = std::fs::read_to_string(concat!(env!("PEYK_ROOT"), "/package.json")).unwrap();
    let package: Value = serde_json::from_str(&package).unwrap();
    released().join(package["version"].as_str().unwrap()).join("objects")
}

fn read(folder: &Path, kind: &str) -> Sqlite {
    let file = folder.join(format!("{kind}.sql"));
    let sql = Sqlite::new();
    let statements = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    sql.connection.execute_batch(&statements).unwrap();
    sql
}

#[test]
fn what_a_released_version_has_stored_comes_to_the_schema_of_today() {
    if std::env::var("RELEASED").is_ok_and(|value| value == "write") {
        std::fs::create_dir_all(newest()).unwrap();
        for kind in KINDS {
            std::fs::write(newest().join(format!("{kind}.sql")), dump(&fresh(kind))).unwrap();
        }
    }
    let folders = std::fs::read_dir(released()).unwrap();
    let folders: BTreeSet<PathBuf> = folders.map(|entry| entry.unwrap().path().join("objects")).collect();
    assert!(folders.contains(&newest()), "{} is not there", newest().display());
    for (folder, kind) in folders.iter().flat_map(|folder| KINDS.map(|kind| (folder, kind))) {
        let sql = read(folder, kind);
        open(kind, &sql);
        assert_eq!(
            shape(&sql),
            shape(&fresh(kind)),
            "{} of {kind}: a step lacks",
            folder.display()
        );
    }
}

#[test]
fn an_object_that_lacks_what_a_step_should_have_brought_has_another_shape() {
    for change in [
        "ALTER TABLE removal ADD COLUMN more INTEGER",
        "DROP INDEX removal_noted",
        "DROP VIEW message_status",
        "UPDATE schema_version SET version = 9",
    ] {
        let sql = fresh("account");
        sql.run(change);
        assert_ne!(shape(&sql), shape(&fresh("account")), "{change}");
    }
}
