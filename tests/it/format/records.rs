//! A record's declaration names the columns that the real table has, after all migrations.

use std::collections::BTreeSet;

use peyk::account::chunk::dead_letters::DeadLetter;
use peyk::account::keys::{KeyView, passkeys::Passkey};
use peyk::account::record::account_row::Account;
use peyk::account::record::campaign_row::CampaignRow;
use peyk::account::record::chunk::progress::{Place, Progress};
use peyk::account::record::message::row::MessageRow;
use peyk::account::verify::row::Verification;
use peyk::base::record::Record;
use peyk::directory::accounts::ListedAccount;
use peyk::directory::carriers::Carrier;
use peyk::directory::credits::PendingCredit;
use peyk::directory::lines::Line;
use peyk::directory::patterns::{Pattern, Version};
use peyk::directory::phonebook::Phonebook;
use peyk::directory::plans::Plan;

use crate::support::World;

/// Compares a table's columns with those of its records, beside which it has `others`.
fn compare(table: &str, columns: Vec<String>, records: &[&[&str]], others: &str) {
    let mut named: BTreeSet<&str> = others.split_ascii_whitespace().collect();
    for name in records.iter().flat_map(|record| record.iter()) {
        assert!(named.insert(name), "{table} has {name} twice");
    }
    assert_eq!(
        columns.iter().map(String::as_str).collect::<BTreeSet<_>>(),
        named,
        "{table}"
    );
}

fn query(table: &str) -> String {
    format!("SELECT name FROM pragma_table_info('{table}')")
}

#[test]
fn records_of_an_accounts_object_have_the_columns_of_its_tables() {
    let (world, shop) = World::with_account(0);
    let columns = |table: &str| {
        world
            .rows(&shop, &query(table))
            .iter()
            .map(|row| row.text(0).unwrap())
            .collect()
    };
    for (table, records, others) in [
        ("account", &[Account::NAMES][..], "one"),
        (
            "chunk",
            &[Place::NAMES, Progress::NAMES, MessageRow::NAMES],
            "recipients delivered failed returned failed_for",
        ),
        ("message", &[MessageRow::NAMES], "id"),
        ("api_key", &[KeyView::NAMES], "audit_full_us counted_full_us"),
        ("campaign", &[CampaignRow::NAMES], ""),
        ("passkey", &[Passkey::NAMES], ""),
        ("verification", &[Verification::NAMES], ""),
        ("dead_letter", &[DeadLetter::NAMES], ""),
    ] {
        compare(table, columns(table), records, others);
    }
}

#[test]
fn records_of_the_directory_have_the_columns_of_its_tables() {
    let world = World::new();
    let columns = |table: &str| world.db.texts(&query(table));
    for (table, record, others) in [
        ("plan", Plan::NAMES, "created_ms"),
        ("carrier", Carrier::NAMES, "created_ms"),
        ("line", Line::NAMES, "created_ms opt_out_reply opt_in_reply"),
        ("pattern", Pattern::NAMES, "account"),
        ("pattern_version", Version::NAMES, ""),
        ("phonebook", Phonebook::NAMES, "account deleted"),
        ("credit", PendingCredit::NAMES, "key"),
        (
            "account",
            ListedAccount::NAMES,
            "mirror_version pattern_bytes phonebook_bytes",
        ),
        ("dead_letter", DeadLetter::NAMES, "id account"),
    ] {
        compare(table, columns(table), &[record], others);
    }
}

/// A statement without its line ends and what an open store does not keep of it.
fn words(sql: &str) -> String {
    let words: Vec<&str> = sql.split_ascii_whitespace().collect();
    words
        .join(" ")
        .replace("IF NOT EXISTS ", "")
        .replace("( ", "(")
        .replace(" )", ")")
}

#[test]
fn the_plain_worker_of_the_benchmark_has_the_tables_that_the_service_has() {
    let (world, shop) = World::with_account(0);
    let file = std::fs::read_to_string(concat!(env!("PEYK_ROOT"), "/bench/plain/schema.mjs")).unwrap();
    let plain: Vec<String> = file.split(';').map(words).collect();
    for name in ["number", "chunk", "ledger_page", "chunk_ready", "chunk_waiting"] {
        let query = format!("SELECT sql FROM sqlite_master WHERE name = '{name}'");
        let own = words(&world.rows(&shop, &query)[0].text(0).unwrap());
        assert!(plain.contains(&own), "bench/plain/schema.mjs lacks: {own}");
    }
}
