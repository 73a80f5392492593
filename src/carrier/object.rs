//! The object of a carrier. It remembers its kind with its first submission; the kind's module does the rest.

use std::cell::Cell;

use super::journal;
use super::kind::Kind;
use super::reports;
use super::request::{CLASS, Request, Submit};
use super::submission::Submission;
use crate::object::{Answered, Call, Object, Wake, to_json};
use crate::ports::{Platform, PortError, Sql};
use crate::schema::{self, Step};

const STEPS: &[Step] = &[&["CREATE TABLE carrier (
        one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
        kind TEXT NOT NULL
    ) STRICT"]];

/// A carrier's object in memory.
#[derive(Debug, Default)]
pub struct CarrierObject {
    kind: Cell<Option<Kind>>,
}

impl CarrierObject {
    /// The kind, once the object has had a submission.
    fn kind(&self, sql: &impl Sql) -> Result<Option<Kind>, PortError> {
        if self.kind.get().is_none() {
            let rows = sql.exec("SELECT kind FROM carrier", &[])?;
            let name = rows.first().map(|row| row.text(0)).transpose()?;
            let kind = name.as_deref().and_then(Kind::parse);
            if let Some(kind) = kind {
                kind.open(sql)?;
            }
            self.kind.set(kind);
        }
        Ok(self.kind.get())
    }

    fn become_kind(&self, sql: &impl Sql, name: &str) -> Result<Kind, PortError> {
        if let Some(kind) = self.kind(sql)?.filter(|kind| kind.as_str() == name) {
            return Ok(kind);
        }
        let kind = Kind::parse(name)
            .ok_or_else(|| PortError::unavailable("carrier", format!("this version knows no kind {name}")))?;
        sql.exec(
            "INSERT OR REPLACE INTO carrier (one, kind) VALUES (1, ?1)",
            &[name.into()],
        )?;
        kind.open(sql)?;
        self.kind.set(Some(kind));
        Ok(kind)
    }
}

impl Object for CarrierObject {
    const CLASS: &'static str = CLASS;

    fn open(sql: &impl Sql) -> Result<(), PortError> {
        schema::migrate(sql, "carrier", STEPS)?;
        journal::open(sql)?;
        reports::open(sql)
    }

    async fn answer<P: Platform, S: Sql>(&self, platform: &P, sql: &S, call: &str) -> Result<Answered, PortError> {
        let call = Call::read(call)?;
        let reply = match call.request.as_ref() {
            Submit::NAME => {
                let submission: Submission = call.body()?;
                let kind = self.become_kind(sql, &submission.carrier.kind)?;
                to_json(&kind.submit(platform, sql, &submission).await?)?
            }
            other => match self.kind(sql)? {
                Some(kind) => kind.answer(sql, &call)?.ok_or_else(|| {
                    PortError::unavailable("carrier", format!("this version knows no request {other}"))
                })?,
                // Before its first submission an object has no kind and knows nothing.
                None => "null".to_owned(),
            },
        };
        let due_ms = self.next_due_ms(sql, platform.now_ms())?;
        Ok(Answered {
            reply,
            wake: due_ms.map_or(Wake::Never, Wake::At),
        })
    }

    async fn urgent<P: Platform, S: Sql>(&self, _: &P, _: &S) -> Result<bool, PortError> {
        Ok(false)
    }

    /// One chore that fails does not keep the others from being done.
    async fn chores<P: Platform, S: Sql>(&self, platform: &P, sql: &S) -> Result<(), PortError> {
        let swept = journal::sweep(sql, platform.now_ms());
        let sent = reports::send(platform, sql).await;
        let worked = match self.kind(sql)? {
            Some(kind) => kind.work(platform, sql).await,
            None => Ok(()),
        };
        swept.and(sent).and(worked)
    }

    fn next_due_ms(&self, sql: &impl Sql, _: i64) -> Result<Option<i64>, PortError> {
        let of_kind = self.kind(sql)?.map_or(Ok(None), |kind| kind.next_due_ms(sql))?;
        let due = [of_kind, reports::next_due_ms(sql)?, journal::sweep_due_ms(sql)?];
        Ok(due.into_iter().flatten().min())
    }

    fn begin_invocation(&self) {}
}
