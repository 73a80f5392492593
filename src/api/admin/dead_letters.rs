//! Dead letters: the chunks of messages that accounts' objects gave up, and those that are stuck.

use serde_json::{Value, json};

use crate::api::context::Context;
use crate::api::query::Query;
use crate::api::respond::Success;
use crate::directory::dead_letters::{self, Entry};
use crate::http::Response;
use crate::ports::Platform;
use crate::problem::Problem;
use crate::time;

fn data(entry: &Entry) -> Value {
    let letter = &entry.letter;
    json!({
        "id": entry.id,
        "kind": letter.kind,
        "account": entry.account,
        "message": letter.uid,
        "carrier": letter.carrier,
        "recipients": letter.recipients,
        "attempts": letter.attempts,
        "reason": letter.reason,
        "createdAt": time::to_rfc3339(letter.at_ms),
    })
}

/// `GET /admin/dead-letters`, newest first
pub async fn list<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    let mut query = Query::of(context.request.head);
    let page = query.page("admin/dead-letters");
    query.finish()?;
    let asked = page.to_read();
    let mut entries = dead_letters::page(context.platform.db(), asked.limit, asked.after).await?;
    let next = page.cut(&mut entries, |entry| entry.id);
    let data: Vec<Value> = entries.iter().map(data).collect();
    Success::page(data, next).response(&context.request.id)
}
