//! The object of a carrier. It remembers its kind with its first submission; the kind's module does the rest.

use std::cell::RefCell;
use std::rc::Rc;

use crate::account::chunk::handover::{Answer, ChunkRef};
use crate::base::ports::{Platform, PortError, Sql};
use crate::carrier::journal;
use crate::carrier::kind::{Kind, Sender};
use crate::carrier::newest;
use crate::carrier::reports;
use crate::carrier::request::{CLASS, Configure, GetHealth, Request, Submit};
use crate::carrier::submission::Submission;
use crate::directory::carriers::Carrier;
use crate::durable::schema::{self, Step};
use crate::durable::{Answered, Call, Object, Wake, to_json};

const STEPS: &[Step] = &[&["CREATE TABLE carrier (
        one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
        kind TEXT NOT NULL,
        name TEXT
    ) STRICT"]];

/// A carrier's object in memory.
#[derive(Debug, Default)]
pub struct CarrierObject {
    worker: RefCell<Option<Rc<Sender>>>,
    /// The newest version of the carrier that the object has seen, once it was needed.
    newest: RefCell<Option<Rc<Carrier>>>,
}

impl CarrierObject {
    /// The worker, once the object has had a submission.
    fn worker(&self, sql: &impl Sql) -> Result<Option<Rc<Sender>>, PortError> {
        if self.worker.borrow().is_none() {
            let rows = sql.exec("SELECT kind FROM carrier", &[])?;
            let name = rows.first().map(|row| row.text(0)).transpose()?;
            if let Some(kind) = name.as_deref().and_then(Kind::parse) {
                self.begin(sql, kind)?;
            }
        }
        Ok(self.worker.borrow().clone())
    }

    fn begin(&self, sql: &impl Sql, kind: Kind) -> Result<Rc<Sender>, PortError> {
        let worker = Rc::new(kind.open(sql)?);
        self.worker.replace(Some(Rc::clone(&worker)));
        Ok(worker)
    }

    /// Compares a version of the carrier with the newest that the object has seen, and returns the newer one. The second
    /// value tells whether it is new to the object.
    fn newest(&self, sql: &impl Sql, seen: Carrier) -> Result<(Rc<Carrier>, bool), PortError> {
        if self.newest.borrow().is_none() {
            self.newest.replace(newest::find(sql)?.map(Rc::new));
        }
        if let Some(kept) = self
            .newest
            .borrow()
            .as_ref()
            .filter(|kept| kept.version >= seen.version)
        {
            return Ok((Rc::clone(kept), false));
        }
        newest::keep(sql, &seen)?;
        let seen = Rc::new(seen);
        self.newest.replace(Some(Rc::clone(&seen)));
        Ok((seen, true))
    }

    /// Hands a submission to the worker, with the newest version of the carrier.
    async fn submit<P: Platform, S: Sql>(
        &self,
        platform: &P,
        sql: &S,
        name: &str,
        mut submission: Submission,
    ) -> Result<Vec<(ChunkRef, Answer)>, PortError> {
        let (carrier, is_new) = self.newest(sql, submission.carrier)?;
        let worker = self.become_kind(sql, name, &carrier.kind)?;
        if is_new {
            worker.configure(platform, sql, &carrier).await?;
        }
        submission.carrier = (*carrier).clone();
        worker.submit(platform, sql, &submission).await
    }

    async fn configure<P: Platform, S: Sql>(
        &self,
        platform: &P,
        sql: &S,
        name: &str,
        seen: Carrier,
    ) -> Result<(), PortError> {
        let (carrier, _) = self.newest(sql, seen)?;
        let worker = self.become_kind(sql, name, &carrier.kind)?;
        worker.configure(platform, sql, &carrier).await
    }

    /// The worker of this kind. The object notes its own name: when its alarm rings, nobody tells it.
    fn become_kind(&self, sql: &impl Sql, name: &str, kind: &str) -> Result<Rc<Sender>, PortError> {
        if let Some(worker) = self.worker(sql)?.filter(|worker| worker.kind().as_str() == kind) {
            return Ok(worker);
        }
        let kind = Kind::parse(kind)
            .ok_or_else(|| PortError::unavailable("carrier", format!("this version knows no kind {kind}")))?;
        sql.exec(
            "INSERT OR REPLACE INTO carrier (one, kind, name) VALUES (1, ?1, ?2)",
            &[kind.as_str().into(), name.into()],
        )?;
        self.begin(sql, kind)
    }
}

impl Object for CarrierObject {
    const CLASS: &'static str = CLASS;

    fn open(sql: &impl Sql) -> Result<(), PortError> {
        schema::migrate(sql, "carrier", STEPS)?;
        newest::open(sql)?;
        journal::open(sql)?;
        reports::open(sql)
    }

    async fn answer<P: Platform, S: Sql>(&self, platform: &P, sql: &S, call: &str) -> Result<Answered, PortError> {
        let call = Call::read(call)?;
        let reply = match call.request.as_ref() {
            Submit::NAME => {
                let submission: Submission = call.body()?;
                to_json(&self.submit(platform, sql, &call.to, submission).await?)?
            }
            Configure::NAME => to_json(&self.configure(platform, sql, &call.to, call.body()?).await?)?,
            GetHealth::NAME => {
                let worker = self.worker(sql)?;
                to_json(&worker.map(|worker| worker.health(platform.now_ms())))?
            }
            other => match self.worker(sql)? {
                Some(worker) => worker.answer(platform.now_ms(), sql, &call)?.ok_or_else(|| {
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

    fn wants_urgent(&self, now_ms: i64) -> bool {
        let worker = self.worker.borrow();
        worker.as_ref().is_some_and(|worker| worker.wants_urgent(now_ms))
    }

    async fn urgent<P: Platform, S: Sql>(&self, platform: &P, sql: &S) -> Result<bool, PortError> {
        match self.worker(sql)? {
            Some(worker) => worker.urgent(platform, sql).await,
            None => Ok(false),
        }
    }

    /// One chore that fails does not keep the others from being done.
    async fn chores<P: Platform, S: Sql>(&self, platform: &P, sql: &S) -> Result<(), PortError> {
        let swept = journal::sweep(sql, platform.now_ms());
        let sent = reports::send(platform, sql).await;
        let worked = match self.worker(sql)? {
            Some(worker) => worker.work(platform, sql).await,
            None => Ok(()),
        };
        swept.and(sent).and(worked)
    }

    fn next_due_ms(&self, sql: &impl Sql, now_ms: i64) -> Result<Option<i64>, PortError> {
        let of_worker = self
            .worker(sql)?
            .map_or(Ok(None), |worker| worker.next_due_ms(now_ms, sql))?;
        let due = [of_worker, reports::next_due_ms(sql)?, journal::sweep_due_ms(sql)?];
        Ok(due.into_iter().flatten().min())
    }

    fn begin_invocation(&self) {}
}
