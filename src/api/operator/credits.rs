//! Credits, and those that need a second operator: who asks for such a credit only begins it, and another operator approves it.
//!
//! `directory/credits.rs` says why the money moves once, and what a crash leaves.

use crate::account::keys::makers::CheckSecond;
use crate::account::record::idempotency::{Idempotency, Space};
use crate::account::record::ledger::Wallet;
use crate::account::refusal::Refusal;
use crate::account::wallet::credit::{AddCredit, Credited, FindCredit};
use crate::api::http::forms::{Form, choice, integer, text};
use crate::api::http::idempotency::{self, mismatch, request_hash};
use crate::api::http::json_fields::Body;
use crate::api::http::{Response, body::JsonBody, context::Context, query::Paged, respond::Success};
use crate::api::shared::account::{WalletData, must_be_open};
use crate::base::ports::{MAX_INTEGER, Platform};
use crate::base::{id, time};
use crate::directory::credits::{self, New, PendingCredit, Status, WAITS_MS};
use crate::objects::credits::settle;
use crate::problem::{Conflict, Problem, field_error::FieldErrorKind};
use crate::{answer, body, query};
use serde_json::json;

const MAX_NOTE: usize = 500;
/// The account's object takes an approved credit within this time. A claim lasts longer, for clocks that differ.
const TAKES_MS: i64 = 20_000;
/// How long a claim lasts.
const CLAIM_MS: i64 = 30_000;

body! {
    /// Money for a wallet.
    pub struct Credit {
        /// What to add; below zero to take out.
        amount: i64 = must "amount" integer(-MAX_INTEGER, MAX_INTEGER).described(|amount| amount.with("not", json!({"const": 0}))) => 100_000;
        /// What it is for.
        note: Option<String> = can "note" text(MAX_NOTE) => "invoice 12";
    }
}

answer! {
    /// The wallet afterwards.
    pub struct CreditedData(money: Wallet, unit: &str) as "Credited" {
        "wallet": WalletData::of(money, unit), declared::<WalletData>();
    }

    /// A credit that needs a second operator.
    pub struct PendingCreditData(credit: &PendingCredit) as "PendingCredit" {
        "id": credit.id, id();
        /// The account's id.
        "account": credit.account, id();
        "amount": credit.amount, signed_money() => 100_000;
        "note": credit.note, any_text().or_null() => "invoice 12";
        /// `PENDING`: no money has moved. `APPROVED`: it has, once. `REJECTED` and `EXPIRED`: it never will.
        "status": credit.status.as_str(), one_of(&Status::ALL.map(Status::as_str)) => "PENDING";
        /// The id of the key that has asked for it.
        "createdBy": credit.created_by, any_text() => "019b796d-0000-7000-8000-000000000001";
        "createdAt": time::to_rfc3339(credit.created_ms), time();
        /// Until when it can be approved.
        "expiresAt": time::to_rfc3339(credit.created_ms.saturating_add(WAITS_MS)), time();
        /// The id of the key that has approved or rejected it.
        "decidedBy": credit.decided_by, any_text().or_null() => null;
        "decidedAt": credit.decided_ms.map(time::to_rfc3339), time().or_null();
    }
}

/// `POST /admin/accounts/{id}/credit`
pub async fn add<P: Platform>(context: &Context<'_, P>, id: &str, body: &JsonBody) -> Result<Response, Problem> {
    let mut fields = context.fields(body);
    let new = Credit::read(&mut fields);
    if new.amount == 0 && fields.has("amount") && fields.is_good() {
        fields.fault("amount", FieldErrorKind::Zero);
    }
    let key = idempotency::read_key(context.request.head, &mut fields);
    fields.finish()?;
    must_be_open(context, id).await?;
    let idempotency = key.map(|key| Idempotency {
        space: Space::Credit,
        key,
        hash: request_hash("/admin/credit", &body.bytes),
    });
    if let Some(known) = made_before(context, id, idempotency.as_ref()).await? {
        return pending(context, &known, true);
    }
    let above = context.app.config.credit_approval_above;
    if above.is_some_and(|above| new.amount.saturating_abs() > above) {
        return begin(context, id, new, idempotency).await;
    }
    let credit = AddCredit {
        amount: new.amount,
        note: new.note,
        idempotency,
        until_ms: None,
    };
    let Credited { wallet, replayed } = context.call_other(id, &credit).await?;
    credited(context, wallet, replayed)
}

fn credited<P: Platform>(context: &Context<'_, P>, wallet: Wallet, replayed: bool) -> Result<Response, Problem> {
    Success::created(CreditedData::of(wallet, &context.app.config.unit))
        .replayed(replayed)
        .response(context)
}

fn pending<P: Platform>(context: &Context<'_, P>, credit: &PendingCredit, replayed: bool) -> Result<Response, Problem> {
    Success::accepted(PendingCreditData::of(credit))
        .replayed(replayed)
        .response(context)
}

/// The credit that the same request has begun before, whatever the setting says now.
async fn made_before<P: Platform>(
    context: &Context<'_, P>,
    account: &str,
    idempotency: Option<&Idempotency>,
) -> Result<Option<PendingCredit>, Problem> {
    let Some(Idempotency { key, hash, .. }) = idempotency else {
        return Ok(None);
    };
    let known = credits::find_by_key(context.platform.db(), account, key, context.request.now_ms).await?;
    match known {
        Some(credit) if credit.key_hash.as_ref() != Some(hash) => Err(Problem::Validation(vec![mismatch()])),
        known => Ok(known),
    }
}

/// Keeps a credit until a second operator decides.
async fn begin<P: Platform>(
    context: &Context<'_, P>,
    account: &str,
    new: Credit,
    idempotency: Option<Idempotency>,
) -> Result<Response, Problem> {
    if let Some(asked) = &idempotency
        && let Some(wallet) = context.call_other(account, &FindCredit(asked.clone())).await?
    {
        return credited(context, wallet, true);
    }
    let (id, now_ms) = (id::new(context.platform)?, context.request.now_ms);
    let credit = New {
        id: &id,
        account,
        amount: new.amount,
        note: new.note.as_deref(),
        by: context.caller()?.lasting_key(),
        key: idempotency
            .as_ref()
            .map(|asked| (asked.key.as_str(), asked.hash.as_str())),
    };
    credits::insert(&context.audited_credit(account, &id)?, credit, now_ms).await?;
    if let Some(made) = credits::find(context.platform.db(), &id, now_ms).await? {
        return pending(context, &made, false);
    }
    // The same request has come twice at once, or there is no room.
    match made_before(context, account, idempotency.as_ref()).await? {
        Some(known) => pending(context, &known, true),
        None => Err(Problem::Conflict(Conflict::TooManyCredits)),
    }
}

query! {
    pub struct CreditsWish {
        /// Only those of this status.
        status: Option<Status> = can "status" choice(&Status::ALL, Status::as_str);
    }
}

/// `GET /admin/credits`, newest first
pub async fn list<P: Platform>(context: &Context<'_, P>, query: Paged<'_, CreditsWish>) -> Result<Response, Problem> {
    let (page, CreditsWish { status }) = query.listed_by_name("admin/credits")?;
    let (db, after) = (context.platform.db(), page.after().map(String::as_str));
    let mut items = credits::page(db, page.limit(), after, status, context.request.now_ms).await?;
    let next = page.cut(&mut items, |credit| credit.id.clone());
    Success::page(items.iter().map(PendingCreditData::of), next).response(context)
}

/// The credit with this id as it is now. If an approval has broken off, what became of it is found out first.
async fn find<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<PendingCredit, Problem> {
    let (db, now_ms) = (context.platform.db(), context.request.now_ms);
    let credit = credits::find(db, id, now_ms).await?.ok_or(Problem::NotFound)?;
    if credit.status != Status::Pending || credit.claim.is_none() {
        return Ok(credit);
    }
    settle(context.platform, &credit).await?;
    credits::find(db, id, now_ms).await?.ok_or(Problem::NotFound)
}

/// Answers a credit as it is now.
async fn show<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Response, Problem> {
    let credit = credits::find(context.platform.db(), id, context.request.now_ms).await?;
    Success::ok(PendingCreditData::of(&credit.ok_or(Problem::NotFound)?)).response(context)
}

/// `POST /admin/credits/{id}/approve`. Approving it again changes nothing.
pub async fn approve<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Response, Problem> {
    let credit = find(context, id).await?;
    let by = context.caller()?.lasting_key();
    let check = CheckSecond {
        first: credit.created_by.clone(),
        second: by.to_owned(),
        session: context.caller()?.key_id().to_owned(),
    };
    context.call(&check).await?;
    match credit.status {
        Status::Pending => {}
        Status::Approved => return show(context, id).await,
        Status::Rejected | Status::Expired => return Err(Problem::Conflict(Conflict::CreditEnded)),
    }
    let (db, now_ms) = (context.platform.db(), context.platform.now_ms());
    let until_ms = now_ms.saturating_add(CLAIM_MS);
    let Some((claim, is_alone)) = credits::claim(db, id, by, now_ms, until_ms).await? else {
        // Somebody has decided it in between.
        return match find(context, id).await?.status {
            Status::Approved => show(context, id).await,
            _ => Err(Problem::Conflict(Conflict::CreditEnded)),
        };
    };
    let add = AddCredit {
        amount: credit.amount,
        note: credit.note,
        idempotency: Some(Idempotency::approved(id)),
        until_ms: Some(now_ms.saturating_add(TAKES_MS)),
    };
    if let Err(refusal) = context.ask_other(&credit.account, &add).await? {
        if is_alone && refusal != Refusal::TooLate {
            credits::release(db, id, &claim).await?;
        }
        return Err(context.problem(refusal));
    }
    let db = context.audited_credit(&credit.account, id)?;
    credits::approve(&db, id, by, context.platform.now_ms()).await?;
    show(context, id).await
}

/// `POST /admin/credits/{id}/reject`. Rejecting it again changes nothing.
pub async fn reject<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Response, Problem> {
    let credit = find(context, id).await?;
    if credit.status == Status::Pending && credit.claim.is_none() {
        let by = context.caller()?.lasting_key();
        let db = context.audited_credit(&credit.account, id)?;
        credits::reject(&db, id, by, context.request.now_ms).await?;
    }
    match find(context, id).await?.status {
        Status::Rejected => show(context, id).await,
        Status::Approved => Err(Problem::Conflict(Conflict::CreditApproved)),
        Status::Pending => Err(Problem::Conflict(Conflict::CreditClaimed)),
        Status::Expired => Err(Problem::Conflict(Conflict::CreditEnded)),
    }
}
