//! Whose a key is that somebody has: a customer who reports that theirs has leaked, or a program that nobody knows any more.
//!
//! KV says whose object knows the key. When a key of an account is revoked, KV forgets it, and nobody can tell it from a key that
//! never was. The operators' object is asked in any case.

use crate::account::OPERATOR;
use crate::account::keys::{KeyView, requests::FindKey};
use crate::api::http::caller::read_record;
use crate::api::http::calls::of_script;
use crate::api::http::forms::{Form, check_length, parsed};
use crate::api::http::{Response, body::JsonBody, context::Context, json_schema, respond::Success};
use crate::api::shared::keys::AccountKeyData;
use crate::auth;
use crate::base::named::named;
use crate::base::ports::Platform;
use crate::directory::accounts;
use crate::problem::{Problem, field_error::FieldErrorKind};
use crate::{answer, body};

const NOT_A_KEY: FieldErrorKind =
    FieldErrorKind::BadForm("1 to 512 visible ASCII characters", "1 تا 512 کاراکتر قابل چاپ ASCII");
const WRONG_CHECKSUM: FieldErrorKind = FieldErrorKind::BadForm(
    "a whole key: one that begins so has 48 characters, and its last six, the checksum, follow from the others",
    "یک کلید کامل: کلیدی که این‌طور شروع می‌شود 48 کاراکتر دارد و شش کاراکتر آخر آن، یعنی چک‌سام، از بقیه به دست می‌آید",
);

named! {
    /// Whether a key counts.
    pub enum KeyStatus {
        /// It does.
        Active => "ACTIVE",
        /// Somebody has revoked it.
        Revoked => "REVOKED",
        /// Its time is over.
        Expired => "EXPIRED",
    }
}

impl KeyStatus {
    fn of(key: &KeyView, now_ms: i64) -> Self {
        match key.revoked_ms {
            Some(_) => KeyStatus::Revoked,
            None if key.counts(now_ms) => KeyStatus::Active,
            None => KeyStatus::Expired,
        }
    }
}

/// Whose a key is.
pub struct OwnerOfKey {
    account: String,
    /// `None`: the directory has no such account.
    username: Option<String>,
}

answer! {
    /// A key, and whose it is.
    pub struct FoundKeyData(key: &KeyView, owner: Option<&OwnerOfKey>, now_ms: i64) as "FoundKey" with AccountKeyData(key) {
        /// The account that has it. `null`: the operators.
        "account": owner.map(|owner| owner.account.as_str()), id().or_null();
        "username": owner.and_then(|owner| owner.username.as_deref()), any_text().or_null() => "shop";
        /// Whether it counts.
        "status": KeyStatus::of(key, now_ms).as_str(), one_of(&KeyStatus::ALL.map(KeyStatus::as_str));
    }
}

/// A whole key.
fn whole_key() -> impl Form<Value = String> {
    let parse = |text: &str| {
        let key = check_length(text, auth::MAX_KEY_BYTES)?;
        match (auth::is_key(key), auth::checksum_ok(key)) {
            (true, true) => Ok(key.to_owned()),
            (true, false) => Err(WRONG_CHECKSUM),
            (false, _) => Err(NOT_A_KEY),
        }
    };
    parsed(parse, || json_schema::formed(auth::MAX_KEY_BYTES, r"^[\x21-\x7E]+$"))
}

body! {
    /// A key to find.
    pub struct KeyToFind {
        /// The whole key.
        key: String = must "key" whole_key() => "peyk_live_0123456789abcdefghijABCDEFGHIJKL0a1b2c";
    }
}

/// The account that knows a key, and the key.
async fn find_owned<P: Platform>(context: &Context<'_, P>, key: &str) -> Result<Option<(String, KeyView)>, Problem> {
    let digest = auth::digest(key);
    let text = context.platform.key(&digest).await?;
    let record = text.map(|text| read_record(&digest, &text)).transpose()?;
    let account = record.as_ref().map_or(OPERATOR, |record| record.account.as_str());
    let found = context.call_other(account, &FindKey { digest }).await?;
    let found = found.or_else(|| record.as_ref().and_then(|record| of_script(record, key)));
    Ok(found.map(|found| (account.to_owned(), found)))
}

/// `POST /admin/keys/find`
pub async fn find<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let KeyToFind { key } = context.read(body)?;
    let (account, found) = find_owned(context, &key).await?.ok_or(Problem::NotFound)?;
    let owner = match account.as_str() {
        OPERATOR => None,
        _ => {
            let listed = accounts::find(context.platform.db(), &account).await?;
            let username = listed.map(|listed| listed.username);
            Some(OwnerOfKey { account, username })
        }
    };
    if let Some(owner) = &owner {
        context.note_shown(&[(&owner.account, Some(&found.id))]).await?;
    }
    Success::ok(FoundKeyData::of(&found, owner.as_ref(), context.request.now_ms)).response(context)
}
