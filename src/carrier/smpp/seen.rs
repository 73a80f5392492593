//! Messages from phones that came lately. If a link breaks before the carrier has read an answer, it delivers the message again: by
//! the next session, or by another one.
//!
//! In one session a phone may send the same text twice. So only what another session has stored before is recognised: here, or in
//! another object of the carrier, which tells when its session has broken. Each is recognised once.
//!
//! A part of a long message has a reference, so it is recognised in the same session too, and however often it comes.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use smpp::{inbound::Concatenation, pdu::Deliver};

use crate::auth::hex;
use crate::base::ports::{Platform, PortError, Sql};
use crate::carrier::journal::SWEPT_A_GO;
use crate::carrier::{log_failure, request::CLASS};
use crate::durable::schema::Step;
use crate::durable::{ask, in_time, to_json};

/// For so long the carrier may send again what it got no answer to, because the link broke, ms.
const SEEN_MS: i64 = 5 * 60 * 1_000;
/// A part is recognised for so long after it came last, ms: after its message has ended, too.
const PART_SEEN_MS: i64 = 30 * 60 * 1_000;
/// How many of the messages that came lately are recognised.
const MAX_SEEN: i64 = 10_000;
/// Of the last messages of a session, other objects hear of those that came within this time before the last one, ms: the answers
/// to earlier ones have been read.
const LAST_MS: i64 = 60_000;
/// How many of them other objects hear of at most.
const MAX_TOLD: usize = 1_000;
/// How long an object waits for the others before its next session, ms.
const SWAP_MS: i64 = 3_000;

/// The tables.
pub const TABLES: Step = &[
    // What has come lately, here or by another session. `digest` is hexadecimal digits, with `part-` before those of a part.
    "CREATE TABLE seen (
        id INTEGER PRIMARY KEY,
        at_ms INTEGER NOT NULL,
        digest TEXT NOT NULL
    ) STRICT",
    "CREATE INDEX seen_part ON seen (digest) WHERE digest GLOB 'part-*'",
];

/// A message that came lately: when, ms since the Unix epoch, and its digest.
pub type Came = (i64, String);

/// Tells another object of the carrier which messages from phones may come again by its session, because this one's has broken.
/// The answer has those of the other object, if it has no session.
#[derive(Debug, Serialize, Deserialize)]
pub struct SwapSeen(pub Vec<Came>);

/// The digests of messages that may come again. Each is recognised once.
#[derive(Debug, Default)]
pub struct Seen(BTreeSet<String>);

impl Seen {
    /// Begins anew with all that came until now.
    pub fn begin(&mut self, sql: &impl Sql, now_ms: i64) -> Result<(), PortError> {
        let rows = sql.exec(
            "SELECT digest FROM (SELECT digest, at_ms FROM seen ORDER BY id DESC LIMIT ?2) WHERE at_ms > ?1",
            &[now_ms.saturating_sub(SEEN_MS).into(), MAX_SEEN.into()],
        )?;
        self.0 = rows.iter().map(|row| row.text(0)).collect::<Result<_, _>>()?;
        Ok(())
    }

    /// Whether a message comes again.
    pub fn takes(&mut self, digest: &str) -> bool {
        self.0.remove(digest)
    }

    /// Notes what came by another session.
    pub fn add(&mut self, sql: &impl Sql, now_ms: i64, mut came: Vec<Came>) -> Result<(), PortError> {
        came.truncate(MAX_TOLD);
        came.retain(|(at_ms, _)| *at_ms > now_ms.saturating_sub(SEEN_MS));
        if came.is_empty() {
            return Ok(());
        }
        let added = sql.exec(
            "INSERT INTO seen (at_ms, digest) SELECT value ->> 0, value ->> 1 FROM json_each(?1) \
             WHERE value ->> 1 NOT IN (SELECT digest FROM seen WHERE at_ms > ?2) RETURNING digest",
            &[to_json(&came)?.into(), now_ms.saturating_sub(SEEN_MS).into()],
        )?;
        for row in &added {
            self.0.insert(row.text(0)?);
        }
        Ok(())
    }
}

/// Notes that a message or a part has come.
pub fn note(sql: &impl Sql, now_ms: i64, digest: String) -> Result<(), PortError> {
    sql.exec(
        "INSERT INTO seen (at_ms, digest) VALUES (?1, ?2)",
        &[now_ms.into(), digest.into()],
    )
    .map(drop)
}

/// Whether a part has come lately.
pub fn knows_part(sql: &impl Sql, now_ms: i64, digest: &str) -> Result<bool, PortError> {
    let rows = sql.exec(
        "SELECT 1 FROM seen WHERE digest = ?1 AND digest GLOB 'part-*' AND at_ms > ?2 LIMIT 1",
        &[digest.into(), now_ms.saturating_sub(PART_SEEN_MS).into()],
    )?;
    Ok(!rows.is_empty())
}

/// Forgets what came long ago.
pub fn sweep(sql: &impl Sql, now_ms: i64) -> Result<(), PortError> {
    sql.exec(
        "DELETE FROM seen WHERE id IN (SELECT id FROM seen ORDER BY id LIMIT ?2) AND at_ms <= ?1",
        &[now_ms.saturating_sub(PART_SEEN_MS).into(), SWEPT_A_GO.into()],
    )
    .map(drop)
}

/// The last messages of the last session. The carrier may not have read the answers to them.
pub fn last(sql: &impl Sql, now_ms: i64) -> Result<Vec<Came>, PortError> {
    let most = i64::try_from(MAX_TOLD).unwrap_or(i64::MAX);
    let rows = sql.exec(
        "SELECT at_ms, digest FROM (SELECT at_ms, digest FROM seen ORDER BY id DESC LIMIT ?2) \
         WHERE at_ms > max(?1, (SELECT max(at_ms) FROM (SELECT at_ms FROM seen ORDER BY id DESC LIMIT ?2)) - ?3)",
        &[now_ms.saturating_sub(SEEN_MS).into(), most.into(), LAST_MS.into()],
    )?;
    rows.iter().map(|row| Ok((row.int(0)?, row.text(1)?))).collect()
}

/// Swaps with the other objects of the carrier what may come again. One that does not answer is left out.
pub async fn swap(platform: &impl Platform, carrier: &str, others: &[String], own: Vec<Came>) -> Vec<Came> {
    let own = SwapSeen(own);
    let swap = |other| in_time(platform, CLASS, SWAP_MS, ask(platform, other, None, None, &own));
    let mut came = Vec::new();
    for answer in join_all(others.iter().map(|other| swap(other))).await {
        match answer {
            Ok(theirs) => came.extend(theirs.unwrap_or_default()),
            Err(error) => log_failure(
                platform,
                carrier,
                "a message from a phone may be stored twice",
                &error.to_string(),
            ),
        }
    }
    came
}

/// What a message of one part is recognised by.
pub fn digest(deliver: &Deliver) -> String {
    let numbers = [&deliver.source.number, &deliver.destination.number];
    let values = deliver.tlvs.iter().map(|tlv| tlv.value.as_slice());
    let coding = [deliver.esm_class, deliver.data_coding];
    let own = [coding.as_slice(), &deliver.short_message];
    digest_of(
        numbers
            .map(|number| number.as_bytes())
            .into_iter()
            .chain(own)
            .chain(values),
    )
}

/// What a part is recognised by, however its place was said.
pub fn digest_of_part(source: &str, destination: &str, place: Concatenation, data_coding: u8, octets: &[u8]) -> String {
    let [high, low] = place.reference.to_be_bytes();
    let place = [high, low, place.total, place.number, data_coding];
    let digest = digest_of([source.as_bytes(), destination.as_bytes(), &place, octets].into_iter());
    format!("part-{digest}")
}

fn digest_of<'a>(values: impl Iterator<Item = &'a [u8]>) -> String {
    let mut hash = Sha256::new();
    for value in values {
        hash.update(value);
        hash.update([0]);
    }
    hex(hash.finalize().get(..16).unwrap_or_default())
}
