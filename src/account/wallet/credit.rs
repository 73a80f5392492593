//! Money put into a wallet.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::posting::{self, Posting};
use crate::account::record::account_row::MIRROR_DELAY_MS;
use crate::account::record::idempotency;
use crate::account::record::idempotency::{Idempotency, Known};
use crate::account::record::ledger::{EntryKind, LedgerError, Wallet};
use crate::account::record::ledger_pages::pages_between;
use crate::account::request::{ReplyResult, Request, Wakes};
use crate::account::{refusal::Refusal, unit_of_work::UnitOfWork};
use crate::base::ports::{PortError, Sql};
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
    /// After this moment it is not made any more, ms since the Unix epoch. `None`: whenever it comes.
    #[serde(default)]
    pub until_ms: Option<i64>,
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
    const NEEDS_OPEN: bool = true;
    const WAKES: Wakes = Wakes::In(MIRROR_DELAY_MS);
    type Reply = Credited;

    fn audited(&self, _: &impl Sql, work: &UnitOfWork) -> Result<Option<Subject>, PortError> {
        let account = &work.account;
        let Wallet {
            available, credited, ..
        } = account.wallet;
        let state = json!({"availableBalance": available, "credited": credited, "ledgerEntry": account.ledger_seq});
        Ok(Some(Subject {
            remark: self.note.as_ref().map(|note| json!({"note": note})),
            ..Subject::of(Some(state))
        }))
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Credited> {
        match idempotency::find(sql, work.now_ms, self.idempotency.as_ref())? {
            Known::Nothing if self.until_ms.is_some_and(|until_ms| work.now_ms > until_ms) => {
                return Err(Refusal::TooLate.into());
            }
            Known::Nothing => {}
            Known::Mismatch => return Err(Refusal::IdempotencyMismatch.into()),
            Known::Made(seq) => {
                let wallet = wallet_after(sql, seq)?;
                return Ok(Credited { wallet, replayed: true });
            }
        }
        let posting = Posting {
            kind: EntryKind::Credit,
            amount: self.amount,
            message: None,
            note: self.note.as_deref(),
            key: self.idempotency.as_ref(),
        };
        if let Err(error) = posting::post(sql, work, posting)? {
            return Err(match error {
                LedgerError::Full => Refusal::WalletFull,
                LedgerError::Short => Refusal::InsufficientBalance {
                    cost: self.amount.saturating_neg(),
                    available: work.account.wallet.available,
                },
            }
            .into());
        }
        Ok(Credited {
            wallet: work.account.wallet,
            replayed: false,
        })
    }
}

/// Asks for a credit by its idempotency key.
#[derive(Debug, Serialize, Deserialize)]
pub struct FindCredit(pub Idempotency);

impl Request for FindCredit {
    const NAME: &'static str = "FindCredit";
    const WAKES: Wakes = Wakes::Never;
    /// The wallet after it. `None`: no credit was made under the key.
    type Reply = Option<Wallet>;

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Option<Wallet>> {
        match idempotency::find(sql, work.now_ms, Some(&self.0))? {
            Known::Nothing => Ok(None),
            Known::Mismatch => Err(Refusal::IdempotencyMismatch.into()),
            Known::Made(seq) => Ok(Some(wallet_after(sql, seq)?)),
        }
    }
}

/// The wallet as it was after a ledger entry.
fn wallet_after(sql: &impl Sql, seq: i64) -> Result<Wallet, PortError> {
    let rows = sql.exec(
        concat!(
            "SELECT available, locked, (SELECT sum(credited) FROM ledger_page WHERE credited IS NOT NULL AND first <= ?1) \
             FROM ledger WHERE seq = ?1 AND ",
            pages_between!("?1", "?1 + 1")
        ),
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
