//! Which accounts a phone is a member of. The accounts' objects decide who is one; this only says where to ask.

use super::all;
use crate::base::ports::{Db, PortError, Row, Statement};
use crate::durable::to_json;

/// The most accounts of one phone that count.
const MAX_ACCOUNTS: u32 = 50;

/// An account that has a phone as a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Membership {
    /// The id of the account; that of the operators' pseudo account, if the person is one.
    pub account: String,
    /// The id of the member.
    pub member: String,
    /// The account's username. `None`: it is the operators'.
    pub username: Option<String>,
    /// The name of the account's owner.
    pub full_name: Option<String>,
}

fn from_row(row: &Row) -> Result<Membership, PortError> {
    Ok(Membership {
        account: row.text(0)?,
        member: row.text(1)?,
        username: row.opt_text(2)?,
        full_name: row.opt_text(3)?,
    })
}

/// The accounts that have this phone, in the order of their usernames.
pub async fn of_phone(db: &impl Db, phone: u64) -> Result<Vec<Membership>, PortError> {
    let statement = Statement::new(
        "SELECT m.account, m.id, a.username, a.full_name FROM member m LEFT JOIN account a ON a.id = m.account \
         WHERE m.phone = ?1 ORDER BY a.username LIMIT ?2",
        [bound(phone).into(), MAX_ACCOUNTS.into()],
    );
    all(&db.query(statement).await?, from_row)
}

/// Notes that an account has this phone as the member with this id.
pub async fn put(db: &impl Db, phone: u64, account: &str, member: &str) -> Result<(), PortError> {
    let statement = Statement::new(
        "INSERT INTO member (phone, account, id) VALUES (?1, ?2, ?3) \
         ON CONFLICT (phone, account) DO UPDATE SET id = excluded.id",
        [bound(phone).into(), account.into(), member.into()],
    );
    db.query(statement).await.map(drop)
}

/// Forgets a member. One that has come after it stays.
pub async fn remove(db: &impl Db, phone: u64, account: &str, member: &str) -> Result<(), PortError> {
    let statement = Statement::new(
        "DELETE FROM member WHERE phone = ?1 AND account = ?2 AND id = ?3",
        [bound(phone).into(), account.into(), member.into()],
    );
    db.query(statement).await.map(drop)
}

/// Forgets members of an account, each by its phone and its id.
pub async fn remove_all(db: &impl Db, account: &str, members: &[(u64, &str)]) -> Result<(), PortError> {
    if members.is_empty() {
        return Ok(());
    }
    let statement = Statement::new(
        "DELETE FROM member WHERE (phone, account, id) IN (SELECT value ->> 0, ?1, value ->> 1 FROM json_each(?2))",
        [account.into(), to_json(&members)?.into()],
    );
    db.query(statement).await.map(drop)
}

fn bound(phone: u64) -> i64 {
    i64::try_from(phone).unwrap_or(i64::MAX)
}
