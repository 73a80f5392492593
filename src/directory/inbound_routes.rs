//! Where messages from phones go: the lines, their keywords, and the accounts behind them.
//!
//! The invariant: an account gets messages only from lines that it may use. A route to an account that may not use the line any
//! more is kept, and is not followed.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;
use sms::line_number::LineNumber;

use crate::base::ports::{Db, PortError, Row, Statement};
use crate::base::record::Reader;
use crate::directory::{all, answer, first, to_json};

/// An opt-out reaches at most this many accounts of a line.
const MAX_ACCOUNTS: i64 = 3_000;
/// The longest text that may name a line: 15 digits behind `+` and a prefix, with some separators.
const MAX_TO: usize = 64;
/// The longest word that may be a keyword, bytes.
const MAX_WORD: usize = 512;

/// What decides where a message to a line goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The number of the line, as the directory has it.
    pub line: String,
    /// The text that confirms an opt-out.
    pub opt_out_reply: Option<String>,
    /// The text that confirms a return.
    pub opt_in_reply: Option<String>,
    /// The account of the line, if it is not shared and only one account may use it.
    pub only_account: Option<String>,
    /// The account that gets what no keyword takes.
    pub fallback: Option<String>,
    /// The account of the keyword that the text begins with.
    pub of_first_word: Option<String>,
    /// The account of the keyword that the text ends with.
    pub of_last_word: Option<String>,
}

/// The condition that an account may use a line. The line has the alias `l`.
macro_rules! may_use {
    ($account:literal) => {
        concat!(
            "(l.shared = 1 OR EXISTS (SELECT 1 FROM line_account a WHERE a.line = l.number AND a.account = ",
            $account,
            "))"
        )
    };
}

/// What a message is searched by.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// The line that it was sent to, however its number is prefixed.
    pub to: &'a str,
    /// The word that its text begins with.
    pub first_word: &'a str,
    /// The word that it ends with.
    pub last_word: &'a str,
}

impl Wanted<'_> {
    /// What the line may be found by: the digits of its number, and the two words.
    fn searched(&self) -> (Vec<String>, &str, &str) {
        let written = || vec![self.to.trim_start_matches(['+', '0']).to_owned()];
        let digits = match self.to.len() {
            0..=MAX_TO => LineNumber::parse(self.to).map_or_else(written, LineNumber::digits),
            _ => Vec::new(),
        };
        let keyword = |word| if str::len(word) > MAX_WORD { "" } else { word };
        (digits, keyword(self.first_word), keyword(self.last_word))
    }
}

/// Finds the line of each message, and the accounts of its two keywords, in their order. `None`: there is no such line.
pub async fn targets(db: &impl Db, wanted: &[Wanted<'_>]) -> Result<Vec<Option<Target>>, PortError> {
    let searched: Vec<_> = wanted.iter().map(Wanted::searched).collect();
    let statement = Statement::new(
        concat!(
            "SELECT l.number, l.opt_out_reply, l.opt_in_reply, \
               (SELECT json_group_array(account) FROM (SELECT account FROM line_account \
                  WHERE line = l.number AND l.shared = 0 LIMIT 2)), \
               (SELECT i.account FROM line_inbound i WHERE i.line = l.number AND ",
            may_use!("i.account"),
            "), (SELECT k.account FROM line_keyword k WHERE k.line = l.number AND k.keyword = w.value ->> 1 AND ",
            may_use!("k.account"),
            "), (SELECT k.account FROM line_keyword k WHERE k.line = l.number AND k.keyword = w.value ->> 2 AND ",
            may_use!("k.account"),
            "), w.key FROM json_each(?1) w CROSS JOIN json_each(w.value, '$[0]') d \
             CROSS JOIN line l ON ltrim(l.number, '+0') = d.value ORDER BY l.number"
        ),
        [to_json(&searched)?.into()],
    );
    let found = all(&db.query(statement).await?, |row| {
        let mut row = row.reader();
        let target = read_target(&mut row)?;
        Ok((row.read()?, target))
    })?;
    let mut by_message: BTreeMap<i64, Vec<Target>> = BTreeMap::new();
    for (message, target) in found {
        by_message.entry(message).or_default().push(target);
    }
    let target = |(message, wanted): (i64, &Wanted<'_>)| meant(by_message.remove(&message)?, wanted.to);
    Ok((0..).zip(wanted).map(target).collect())
}

fn read_target(row: &mut Reader<'_>) -> Result<Target, PortError> {
    Ok(Target {
        line: row.read()?,
        opt_out_reply: row.read()?,
        opt_in_reply: row.read()?,
        only_account: {
            let mut accounts: Vec<String> = row.json("accounts")?;
            accounts.pop().filter(|_| accounts.is_empty())
        },
        fallback: row.read()?,
        of_first_word: row.read()?,
        of_last_word: row.read()?,
    })
}

/// The line that is meant, if several may be: the one that is written in the same way, else the one with the same digits, else
/// the first.
fn meant(targets: Vec<Target>, to: &str) -> Option<Target> {
    let number = LineNumber::parse(to);
    let rank = |target: &Target| match (target.line == to, number, LineNumber::parse(&target.line)) {
        (true, _, _) => Some(0),
        (false, Some(to), Some(line)) if line.is_same(to) => Some(1),
        (false, Some(to), Some(line)) if line.may_be(to) => Some(2),
        _ => None,
    };
    let ranked = targets.into_iter().filter_map(|target| Some((rank(&target)?, target)));
    ranked.min_by_key(|(rank, _)| *rank).map(|(_, target)| target)
}

/// All accounts that are known to use a line: those that it is assigned to, and those that have messages of it.
pub async fn accounts(db: &impl Db, line: &str) -> Result<Vec<String>, PortError> {
    let statement = Statement::new(
        concat!(
            "SELECT account FROM line_account WHERE line = ?1 \
             UNION SELECT i.account FROM line_inbound i JOIN line l ON l.number = i.line WHERE i.line = ?1 AND ",
            may_use!("i.account"),
            " UNION SELECT k.account FROM line_keyword k JOIN line l ON l.number = k.line WHERE k.line = ?1 AND ",
            may_use!("k.account"),
            " LIMIT ?2"
        ),
        [line.into(), MAX_ACCOUNTS.into()],
    );
    all(&db.query(statement).await?, |row| row.text(0))
}

/// The routes of a line, as operators see and set them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Routes {
    /// The account that gets what no keyword takes.
    pub fallback: Option<String>,
    /// The keywords in the form in which words are compared, each with its account.
    pub keywords: Vec<(String, String)>,
    /// The text that confirms an opt-out.
    pub opt_out_reply: Option<String>,
    /// The text that confirms a return.
    pub opt_in_reply: Option<String>,
}

/// Reads the routes of a line. Returns `None` if the line does not exist.
pub async fn find(db: &impl Db, line: &str) -> Result<Option<Routes>, PortError> {
    let statements = vec![
        Statement::new(
            "SELECT i.account, l.opt_out_reply, l.opt_in_reply FROM line l LEFT JOIN line_inbound i ON i.line = l.number WHERE l.number = ?1",
            [line.into()],
        ),
        Statement::new(
            "SELECT keyword, account FROM line_keyword WHERE line = ?1 ORDER BY keyword",
            [line.into()],
        ),
    ];
    let answers = db.batch(statements).await?;
    let of_line = |row: &Row| {
        Ok(Routes {
            fallback: row.opt_text(0)?,
            keywords: Vec::new(),
            opt_out_reply: row.opt_text(1)?,
            opt_in_reply: row.opt_text(2)?,
        })
    };
    let Some(routes) = first(answer(&answers, 0), of_line)? else {
        return Ok(None);
    };
    let keywords = all(answer(&answers, 1), |row| Ok((row.text(0)?, row.text(1)?)))?;
    Ok(Some(Routes { keywords, ..routes }))
}

/// Gives a line these routes and texts, and no others, in one transaction.
pub async fn set(db: &impl Db, line: &str, routes: &Routes) -> Result<(), PortError> {
    let statements = vec![
        Statement::new(
            "UPDATE line SET opt_out_reply = ?2, opt_in_reply = ?3 WHERE number = ?1",
            [
                line.into(),
                routes.opt_out_reply.as_deref().into(),
                routes.opt_in_reply.as_deref().into(),
            ],
        ),
        Statement::new("DELETE FROM line_inbound WHERE line = ?1", [line.into()]),
        Statement::new("DELETE FROM line_keyword WHERE line = ?1", [line.into()]),
        Statement::new(
            "INSERT INTO line_inbound (line, account) SELECT ?1, ?2 WHERE ?2 IS NOT NULL",
            [line.into(), routes.fallback.as_deref().into()],
        ),
        Statement::new(
            "INSERT INTO line_keyword (line, keyword, account) \
             SELECT ?1, k.value ->> 0, k.value ->> 1 FROM json_each(?2) k",
            [line.into(), json!(routes.keywords).to_string().into()],
        ),
    ];
    db.batch(statements).await.map(drop)
}

/// Returns those of these accounts that may use a line.
pub async fn users(db: &impl Db, line: &str, accounts: &BTreeSet<&str>) -> Result<Vec<String>, PortError> {
    let statement = Statement::new(
        concat!(
            "SELECT c.id FROM line l CROSS JOIN json_each(?2) w CROSS JOIN account c ON c.id = w.value \
             WHERE l.number = ?1 AND c.closed_ms IS NULL AND ",
            may_use!("c.id")
        ),
        [line.into(), to_json(accounts)?.into()],
    );
    all(&db.query(statement).await?, |row| row.text(0))
}
