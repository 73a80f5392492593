//! Money put into a wallet, and the ledger as the account's owner reads it.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::idempotency::{self, Known};
use super::ledger::{EntryKind, LedgerError, Wallet};
use super::message::Page;
use super::named::Named;
use super::refusal::Refusal;
use super::request::{Idempotency, Outcome, Request};
use super::store::{Account, Entry, MIRROR_DELAY_MS};
use crate::audit::Subject;
use crate::object::Wake;
use crate::ports::{PortError, Row, Sql};

/// Adds money, or takes it back when the amount is negative.
#[derive(Debug, Serialize, Deserialize)]
pub struct AddCredit {
    /// Not 0.
    pub amount: i64,
    /// Why, in the operator's words.
    pub note: Option<String>,
    /// The request's idempotency key.
    pub idempotency: Option<Idempotency>,
}

/// The wallet after a credit.
#[derive(Debug, Serialize, Deserialize)]
pub struct Credited {
    /// The wallet.
    pub wallet: Wallet,
    /// Whether an earlier request with the same idempotency key made the credit.
    #[serde(default)]
    pub replayed: bool,
}

impl Request for AddCredit {
    const NAME: &'static str = "AddCredit";
    type Reply = Credited;

    fn wake(&self, now_ms: i64) -> Wake {
        Wake::At(now_ms.saturating_add(MIRROR_DELAY_MS))
    }

    fn audited(&self, _: &impl Sql, account: &Account) -> Result<Option<Subject>, PortError> {
        let Wallet {
            available, credited, ..
        } = account.wallet;
        let state = json!({"availableBalance": available, "credited": credited, "ledgerEntry": account.ledger_seq});
        Ok(Some(Subject {
            remark: self.note.as_ref().map(|note| json!({"note": note})),
            ..Subject::of(Some(state))
        }))
    }

    fn answer(&self, sql: &impl Sql, now_ms: i64, account: &mut Account) -> Outcome<Credited> {
        match idempotency::find(sql, now_ms, self.idempotency.as_ref())? {
            Known::Nothing => {}
            Known::Mismatch => return Ok(Err(Refusal::IdempotencyMismatch)),
            Known::Made(seq) => {
                let wallet = wallet_after(sql, seq)?;
                return Ok(Ok(Credited { wallet, replayed: true }));
            }
        }
        let entry = Entry {
            kind: EntryKind::Credit,
            amount: self.amount,
            message: None,
            note: self.note.as_deref(),
        };
        if let Err(error) = account.post(sql, now_ms, entry)? {
            return Ok(Err(match error {
                LedgerError::Full => Refusal::WalletFull,
                LedgerError::Short => Refusal::InsufficientBalance {
                    cost: self.amount.saturating_neg(),
                    available: account.wallet.available,
                },
            }));
        }
        idempotency::remember_credit(sql, now_ms, self.idempotency.as_ref(), account.ledger_seq)?;
        Ok(Ok(Credited {
            wallet: account.wallet,
            replayed: false,
        }))
    }
}

/// The wallet as it was after a ledger entry.
fn wallet_after(sql: &impl Sql, seq: i64) -> Result<Wallet, PortError> {
    let rows = sql.exec(
        "SELECT available, locked, (SELECT sum(amount) FROM ledger WHERE kind = 'CREDIT' AND seq <= ?1) \
         FROM ledger WHERE seq = ?1",
        &[seq.into()],
    )?;
    let row = rows
        .first()
        .ok_or(PortError::failed("sql", "no ledger entry of a credit"))?;
    let (available, locked, credited) = (row.int(0)?, row.int(1)?, row.int(2)?);
    Ok(Wallet {
        available,
        locked,
        spent: credited.saturating_sub(available).saturating_sub(locked),
        credited,
    })
}

/// A ledger entry as the object tells it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryView {
    /// Its number, from 1.
    pub seq: i64,
    /// What happened.
    pub kind: Named<EntryKind>,
    /// How much was moved.
    pub amount: i64,
    /// The available balance after it.
    pub available: i64,
    /// The locked balance after it.
    pub locked: i64,
    /// The message it belongs to.
    pub message_uid: Option<String>,
    /// The operator's words.
    pub note: Option<String>,
    /// When it was made.
    pub at_ms: i64,
}

/// Asks for a page of the ledger, newest first.
#[derive(Debug, Serialize, Deserialize)]
pub struct ListTransactions(pub Page);

impl Request for ListTransactions {
    const NAME: &'static str = "ListTransactions";
    type Reply = Vec<EntryView>;

    fn wake(&self, _: i64) -> Wake {
        Wake::Never
    }

    fn answer(&self, sql: &impl Sql, _: i64, _: &mut Account) -> Outcome<Vec<EntryView>> {
        let rows = sql.exec(
            "SELECT l.seq, l.kind, l.amount, l.available, l.locked, m.uid, l.note, l.at_ms FROM ledger l \
             LEFT JOIN message m ON m.id = l.message WHERE ?1 IS NULL OR l.seq < ?1 ORDER BY l.seq DESC LIMIT ?2",
            &[self.0.after.into(), self.0.limit.into()],
        )?;
        rows.iter().map(entry_view).collect::<Result<_, _>>().map(Ok)
    }
}

fn entry_view(row: &Row) -> Result<EntryView, PortError> {
    Ok(EntryView {
        seq: row.int(0)?,
        kind: EntryKind::parse(&row.text(1)?)
            .ok_or(PortError::Shape {
                column: 1,
                expected: "a kind of entry",
            })?
            .into(),
        amount: row.int(2)?,
        available: row.int(3)?,
        locked: row.int(4)?,
        message_uid: row.opt_text(5)?,
        note: row.opt_text(6)?,
        at_ms: row.int(7)?,
    })
}
