//! The ledger of the caller's account, as a list or as CSV.

use crate::account::record::ledger::EntryKind;
use crate::account::wallet::entries::{EntryFilter, EntryView, ListTransactions};
use crate::account::wallet::export::{EntriesExport, MAX_ENTRIES};
use crate::api::http::forms::{Form, choice, parsed, time};
use crate::api::http::{context::Context, json_schema, query::Paged, respond::Success};
use crate::api::shared::export::{Answer, Export, ListForm};
use crate::api::shared::keys::Owner;
use crate::base::ports::{MAX_INTEGER, Platform};
use crate::base::{id, time::to_rfc3339};
use crate::problem::Problem;
use crate::problem::field_error::{FieldError, FieldErrorKind};
use crate::{answer, query};

query! {
    pub struct EntriesWish {
        /// Only entries of this kind.
        kind: Option<EntryKind> = can "type" choice(&EntryKind::ALL, EntryKind::as_str);
        /// Only entries of this time or later ones.
        from_ms: Option<i64> = can "from" time();
        /// Only entries before this time.
        to_ms: Option<i64> = can "to" time();
        /// Only entries of the message with this uid.
        message: Option<String> = can "message" uid();
    }
}

fn uid() -> impl Form<Value = String> {
    let parse = |uid: &str| match id::number_of(uid) {
        Some(_) => Ok(uid.to_owned()),
        None => Err(FieldErrorKind::BadForm("a message's \"uid\"", "مقدار «uid» یک پیامک")),
    };
    parsed(parse, json_schema::id)
}

/// `GET /account/transactions`
pub async fn list<P: Platform>(
    context: &Context<'_, P>,
    query: Paged<'_, (EntriesWish, ListForm)>,
) -> Result<Answer, Problem> {
    list_of(
        context,
        Owner::Caller(context.caller()?.account()),
        "transactions",
        query,
    )
    .await
}

/// Lists the ledger of an account. The list has this name in its cursors.
pub async fn list_of<P: Platform>(
    context: &Context<'_, P>,
    owner: Owner<'_>,
    name: &str,
    mut query: Paged<'_, (EntriesWish, ListForm)>,
) -> Result<Answer, Problem> {
    let (wish, form) = query.filters();
    let filter = EntryFilter {
        kind: wish.kind,
        from_ms: wish.from_ms,
        to_ms: wish.to_ms,
        message: wish.message,
    };
    if form.is_csv() {
        return export(context, owner, query, filter).await;
    }
    let page = query.page(name);
    query.finish()?;
    let list = ListTransactions {
        filter,
        page: page.to_read(),
    };
    let mut listed = owner.ask(context, &list).await?;
    let next = page.cut(&mut listed.entries, |entry| entry.seq);
    let next = next.or_else(|| listed.walked_to.map(|seq| page.cursor_behind(&seq)));
    let unit = &context.app.config.unit;
    let data = listed.entries.iter().map(|entry| TransactionData::of(entry, unit));
    let response = Success::page(data, next).response(context)?;
    Ok(response.into())
}

answer! {
    /// An entry of the ledger.
    pub struct TransactionData(entry: &EntryView, unit: &str) as "Transaction" {
        /// Its number in the ledger.
        "id": entry.seq, integer(1, MAX_INTEGER);
        /// `CREDIT`: an operator has added money, or taken it out. `RESERVE`, `SETTLE`, `RELEASE` and `REFUND`: money of a
        /// message was reserved, spent, released or given back.
        "type": entry.kind.as_str(), one_of(&EntryKind::ALL.map(EntryKind::as_str));
        "amount": entry.amount, signed_money() => 100_000;
        /// The balance after it.
        "availableBalance": entry.available, signed_money() => 100_000;
        /// The balance after it.
        "lockedBalance": entry.locked, money();
        "unit": unit, unit();
        /// The message's uid. `null` if there is none, or if it is gone.
        "message": entry.message_uid, id().or_null();
        /// What an operator has written.
        "note": entry.note, any_text().or_null() => "invoice 12";
        "createdAt": to_rfc3339(entry.at_ms), time();
    }
}

/// Answers all entries of the filter as CSV, if they are not too many for one response.
async fn export<P: Platform>(
    context: &Context<'_, P>,
    owner: Owner<'_>,
    mut query: Paged<'_, (EntriesWish, ListForm)>,
    filter: EntryFilter,
) -> Result<Answer, Problem> {
    query.refuse_page("format");
    query.finish()?;
    let read = owner.ask(context, &EntriesExport::first(&filter)).await?;
    if read.ahead > MAX_ENTRIES {
        let fault = FieldErrorKind::TooManyEntries { max: MAX_ENTRIES };
        return Err(Problem::Validation(vec![FieldError::of("from", fault)]));
    }
    let unit = &context.app.config.unit;
    let export = EntriesExport::of(owner.id(), filter, unit, read);
    Ok(Export::Entries(Box::new(export)).answer("transactions.csv"))
}
