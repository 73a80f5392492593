//! What each sender has sent on a day, as the account's owner reads it. Together they are what the account has sent.

use serde::{Deserialize, Serialize};

use crate::account::record::key_usage::{CONSOLE, SentSums};
use crate::account::record::usage_totals::Totals;
use crate::base::ports::{PortError, Sql};

/// A key that has sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SendingKey {
    /// Its id.
    pub id: String,
    /// What it is for, or was.
    pub title: String,
}

/// What a sender has sent on a day.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyUsage {
    /// The key. `None`: it is no key.
    #[serde(default)]
    pub key: Option<SendingKey>,
    /// Whether people have sent it in the console.
    #[serde(default)]
    pub console: bool,
    /// What live keys have sent.
    #[serde(default)]
    pub live: SentSums,
    /// What test keys have sent.
    #[serde(default)]
    pub test: SentSums,
}

/// The senders of a day on which the account has sent so much: people in the console, keys, and then what is left of the account, which
/// no sender has sent.
pub fn of_day(sql: &impl Sql, day: i64, live: &Totals, test: &Totals) -> Result<Vec<KeyUsage>, PortError> {
    let rows = sql.exec(
        "SELECT u.sender, s.key, s.title, u.test, u.messages, u.recipients, u.parts, u.cost, u.returned \
         FROM key_usage u LEFT JOIN sender s ON s.number = u.sender WHERE u.day = ?1 ORDER BY u.sender, u.test",
        &[day.into()],
    )?;
    let (mut senders, mut last) = (Vec::<KeyUsage>::new(), None);
    let (mut live, mut test) = (sent(live), sent(test));
    for row in &rows {
        let (sender, id, title, is_test, sent): (i64, Option<String>, Option<String>, bool, SentSums) =
            row.reader().read()?;
        if last != Some(sender) {
            senders.push(KeyUsage {
                key: id.zip(title).map(|(id, title)| SendingKey { id, title }),
                console: sender == CONSOLE,
                ..KeyUsage::default()
            });
            last = Some(sender);
        }
        let left = if is_test { &mut test } else { &mut live };
        *left = left.without(&sent);
        if let Some(of) = senders.last_mut() {
            let sum = if is_test { &mut of.test } else { &mut of.live };
            *sum = sent;
        }
    }
    let others = KeyUsage {
        live,
        test,
        ..KeyUsage::default()
    };
    if others != KeyUsage::default() {
        senders.push(others);
    }
    Ok(senders)
}

fn sent(totals: &Totals) -> SentSums {
    SentSums {
        messages: totals.messages,
        recipients: totals.recipients,
        parts: totals.parts,
        cost: totals.cost,
        returned: totals.returned,
    }
}
