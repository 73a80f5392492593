//! Money put into a wallet.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::ledger::{EntryKind, LedgerError, Wallet};
use crate::account::account_row::{Account, Entry, MIRROR_DELAY_MS};
use crate::account::idempotency::{self, Known};
use crate::account::refusal::Refusal;
use crate::account::request::{Idempotency, Outcome, Request};
use crate::base::ports::{PortError, Sql};
use crate::durable::Wake;
use crate::durable::audit::Subject;

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
