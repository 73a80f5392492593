//! The account and its lines, as Edge tells them.

use serde_json::{Value, json};

use crate::api::doors::answer::Members;
use crate::api::doors::ippanel::fault::Fault;
use crate::api::doors::ippanel::read::{self, get};
use crate::api::doors::own::Own;
use crate::base::ports::Platform;
use crate::base::time;

/// `GET payment/credit/mine`
pub async fn credit<P: Platform>(own: &Own<'_, P>) -> Result<Value, Fault> {
    let credit = read::credit(own).await?;
    let now = time::to_rfc3339(own.now_ms()).replace('T', " ");
    let now = now.split('.').next().unwrap_or_default();
    Ok(json!({"credit": credit, "yesterday_credit": credit, "gift": 0, "gift_expires_at": null, "updated_at": now}))
}

/// `POST acl/auth/check_token`
pub async fn key<P: Platform>(own: &Own<'_, P>) -> Result<Value, Fault> {
    let info = read::account_info(own).await?;
    let account = info.member("accountInfo");
    Ok(json!({
        "user_name": account.text("username"), "name": account.text("fullName"), "user_id": 0, "document_block": false,
        "is_reseller": false, "send_block": account.text("status") != "ACTIVE",
    }))
}

/// `GET number/numbers`
pub async fn lines<P: Platform>(own: &Own<'_, P>) -> Result<Value, Fault> {
    let lines = get(own, "/lines?limit=200").await?;
    let lines = lines.as_array().into_iter().flatten().zip(1_u32..);
    let told = lines.map(|(line, id)| {
        json!({"id": id, "number": read::line(line.text("number")), "operator_id": 1, "alias": null, "gets": 0, "is_66_char": 0})
    });
    Ok(told.collect())
}
