//! The one way into an account's object: key, token, command, in one transaction.

use super::command::{Answer, Call, Command, Configure, LimitState, Overview, Refusal, Reply};
use super::ledger::{EntryKind, LedgerError};
use super::send::Known;
use super::store::{Account, Entry};
use super::{blacklist, command, keys, limiter, progress, read, schedule, send};
use crate::ports::{PortError, Sql};

/// What a command comes to: a refusal is an answer too, a [`PortError`] is not.
pub type Outcome = Result<Result<Answer, Refusal>, PortError>;

/// Answers one call; all that it writes, it writes together.
pub fn handle(sql: &impl Sql, now_ms: i64, call: &Call) -> Result<Reply, PortError> {
    sql.transaction(|| {
        let before = Account::load(sql, &call.account)?;
        let mut account = before.clone();
        let mut limit = None;
        if let Some(key) = &call.key {
            if keys::has_ended(sql, key, now_ms)? {
                return Ok(refused(None, Refusal::KeyRevoked));
            }
            let decision = limiter::admit(&account.limit, account.tat_us, now_ms);
            account.tat_us = decision.tat_us;
            limit = Some(LimitState {
                limit: account.limit,
                decision,
            });
            if !decision.allowed {
                return Ok(refused(limit, Refusal::RateLimited));
            }
        }
        let outcome = run(sql, now_ms, &mut account, &call.command)?;
        account.save(sql, &before)?;
        Ok(Reply { limit, outcome })
    })
}

fn refused(limit: Option<LimitState>, refusal: Refusal) -> Reply {
    Reply {
        limit,
        outcome: Err(refusal),
    }
}

fn run(sql: &impl Sql, now_ms: i64, account: &mut Account, command: &Command) -> Outcome {
    match command {
        Command::Charge(idempotency) => send::replay(sql, now_ms, idempotency.as_ref()),
        Command::Send(message) => send::send(sql, now_ms, account, message),
        Command::Estimate(message) => send::estimate(sql, account, message),
        Command::Cancel(uid) => schedule::cancel(sql, now_ms, account, uid),
        Command::Uses(name) => schedule::uses(sql, name),
        Command::PatternChanged { slug, revision } => send::pattern_changed(sql, slug, *revision),
        Command::Blacklist(only, page) => blacklist::list(sql, *only, *page),
        Command::BlacklistAdd(numbers) => blacklist::add(sql, now_ms, account, numbers),
        Command::BlacklistRemove(numbers) => blacklist::remove(sql, account, numbers),
        Command::Messages(filter, page) => read::messages(sql, filter, *page),
        Command::Message(uid) => read::message(sql, uid),
        Command::Recipients(uid, status, page) => read::recipients(sql, uid, *status, *page),
        Command::Overview => Ok(Ok(Answer::Overview(overview(account)))),
        Command::Transactions(page) => read::transactions(sql, *page),
        Command::Credit(credit) => self::credit(sql, now_ms, account, credit),
        Command::Configure(change) => Ok(Ok(configure(now_ms, account, change))),
        Command::IssueKey(key) => keys::issue(sql, key),
        Command::Keys { limit, after } => keys::list(sql, *limit, after.as_deref()),
        Command::RevokeKey(id) => keys::revoke(sql, now_ms, id),
        Command::RotateKey(rotation) => keys::rotate(sql, now_ms, rotation),
        Command::Claim(chunks) => progress::claim(sql, now_ms, chunks),
        Command::Report(reports) => progress::report(sql, now_ms, account, reports),
        Command::Deliver(reports) => progress::deliver(sql, now_ms, account, reports),
    }
}

fn overview(account: &Account) -> Overview {
    Overview {
        active: account.active,
        sending_enabled: account.sending_enabled,
        limit: account.limit,
        wallet: account.wallet,
    }
}

fn configure(now_ms: i64, account: &mut Account, change: &Configure) -> Answer {
    account.active = change.active.unwrap_or(account.active);
    account.sending_enabled = change.sending_enabled.unwrap_or(account.sending_enabled);
    account.limit = change.limit.unwrap_or(account.limit);
    account.touch(now_ms);
    Answer::Overview(overview(account))
}

fn credit(sql: &impl Sql, now_ms: i64, account: &mut Account, credit: &command::Credit) -> Outcome {
    match send::known(sql, now_ms, credit.idempotency.as_ref())? {
        Known::Mismatch | Known::Message(_) => return Ok(Err(Refusal::IdempotencyMismatch)),
        Known::Credit(wallet) => return Ok(Ok(Answer::Credited { wallet, replayed: true })),
        Known::Nothing => {}
    }
    let entry = Entry {
        kind: EntryKind::Credit,
        amount: credit.amount,
        message: None,
        note: credit.note.as_deref(),
    };
    if let Err(error) = account.post(sql, now_ms, entry)? {
        return Ok(Err(match error {
            LedgerError::Full => Refusal::WalletFull,
            LedgerError::Short => Refusal::InsufficientBalance {
                cost: credit.amount.saturating_neg(),
                available: account.wallet.available,
            },
        }));
    }
    send::remember(sql, now_ms, credit.idempotency.as_ref(), None, Some(account.ledger_seq))?;
    Ok(Ok(Answer::Credited {
        wallet: account.wallet,
        replayed: false,
    }))
}
