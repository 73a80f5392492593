//! Who sends: each key that has sent has a number, under which its messages and its usage stand, and keeps it with its title when the
//! key is forgotten. People in the console share one.

use crate::account::record::key_usage::{CONSOLE, Sender};
use crate::account::unit_of_work::UnitOfWork;
use crate::base::ports::{PortError, Sql};

/// Who a request comes from, as a query of `api_key` finds it: whether it is of the console, and the number of the key.
macro_rules! sender_columns {
    () => {
        "session_of IS NOT NULL OR phone IS NOT NULL, (SELECT number FROM sender WHERE key = api_key.id)"
    };
}
pub(in crate::account) use sender_columns;

/// The sender with the id of this key or session.
pub fn of(id: &str, is_console: bool, number: Option<i64>) -> Sender {
    match is_console {
        true => Sender::Console,
        false => Sender::Key {
            id: id.to_owned(),
            number,
        },
    }
}

/// The sender that the key with this id stands for. `None`: the object has forgotten it.
pub fn find(sql: &impl Sql, key: &str) -> Result<Option<Sender>, PortError> {
    let rows = sql.exec(
        concat!("SELECT ", sender_columns!(), " FROM api_key WHERE id = ?1"),
        &[key.into()],
    )?;
    let sender = rows.first().map(|row| Ok(of(key, row.bool(0)?, row.opt_int(1)?)));
    sender.transpose()
}

/// The number of who sends what is accepted. A key gets one with its first message.
pub fn number(sql: &impl Sql, work: &mut UnitOfWork) -> Result<Option<i64>, PortError> {
    let id = match &work.sender {
        None => return Ok(None),
        Some(Sender::Console) => return Ok(Some(CONSOLE)),
        Some(Sender::Key {
            number: Some(number), ..
        }) => return Ok(Some(*number)),
        Some(Sender::Key { id, number: None }) => id.clone(),
    };
    if let Some(number) = work.entered.get(&id) {
        return Ok(Some(*number));
    }
    let number = enter(sql, &id)?;
    work.entered.extend(number.map(|number| (id, number)));
    Ok(number)
}

fn enter(sql: &impl Sql, key: &str) -> Result<Option<i64>, PortError> {
    sql.number(
        "INSERT INTO sender (key, title) SELECT id, title FROM api_key WHERE id = ?1 RETURNING number",
        &[key.into()],
    )
}
