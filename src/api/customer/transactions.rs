//! The ledger of the caller's account, as a list or as CSV.

use crate::account::record::ledger::EntryKind;
use crate::account::wallet::entries::{EntryFilter, EntryView, ListTransactions};
use crate::account::wallet::export::{EntriesExport, MAX_ENTRIES};
use crate::answer;
use crate::api::http::{context::Context, query::Query, respond::Success};
use crate::api::problem::Problem;
use crate::api::problem::field_error::{FieldError, FieldErrorKind};
use crate::api::shared::export::{Answer, Export};
use crate::base::ports::{MAX_INTEGER, Platform};
use crate::base::{id, time};

/// The forms of the ledger, by the names of `format`.
const FORMATS: [&str; 2] = ["json", "csv"];
const CSV: &str = "csv";

fn read_filter(query: &mut Query) -> EntryFilter {
    EntryFilter {
        kind: query.choice("type", &EntryKind::ALL, EntryKind::as_str),
        from_ms: query.time("from"),
        to_ms: query.time("to"),
        message: query.read("message", |uid| match id::number_of(uid) {
            Some(_) => Ok(uid.to_owned()),
            None => Err(FieldErrorKind::BadForm("a message's \"uid\"", "مقدار «uid» یک پیامک")),
        }),
    }
}

/// `GET /account/transactions`
pub async fn list<P: Platform>(context: &Context<'_, P>) -> Result<Answer, Problem> {
    let mut query = Query::of(context);
    let filter = read_filter(&mut query);
    if query.choice("format", &FORMATS, |name| name) == Some(CSV) {
        return export(context, query, filter).await;
    }
    let page = query.page("transactions");
    query.finish()?;
    let list = ListTransactions {
        filter,
        page: page.to_read(),
    };
    let mut listed = context.call(&list).await?;
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
        "createdAt": time::to_rfc3339(entry.at_ms), time();
    }
}

/// Answers all entries of the filter as CSV, if they are not too many for one response.
async fn export<P: Platform>(
    context: &Context<'_, P>,
    mut query: Query<'_>,
    filter: EntryFilter,
) -> Result<Answer, Problem> {
    for name in ["limit", "cursor"] {
        query.read::<()>(name, |_| Err(FieldErrorKind::NotBeside("format")));
    }
    query.finish()?;
    let read = context.call(&EntriesExport::first(&filter)).await?;
    if read.ahead > MAX_ENTRIES {
        let fault = FieldErrorKind::TooManyEntries { max: MAX_ENTRIES };
        return Err(Problem::Validation(vec![FieldError::of("from", fault)]));
    }
    let (account, unit) = (context.caller()?.account(), &context.app.config.unit);
    let export = EntriesExport::of(account, filter, unit, read);
    Ok(Export::Entries(Box::new(export)).answer("transactions.csv"))
}
