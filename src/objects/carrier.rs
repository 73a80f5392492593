//! The object of a carrier. It remembers its kind with its first submission; the kind's sender does the rest.

use std::cell::RefCell;
use std::rc::Rc;

use futures_util::future::join3;

use crate::account::record::chunk::handover::{Answer, ChunkRef};
use crate::base::ports::{Platform, PortError, Sql};
use crate::carrier::health::{Health, HealthState};
use crate::carrier::held_back::{self, HeldBack};
use crate::carrier::kind::{AnySender, Kind, whichever};
use crate::carrier::request::{Configure, GetHealth, HoldBack, Submission};
use crate::carrier::waiting_list::{self, AwaitChange, NoteChange};
use crate::carrier::{carrier_of, journal, newest, own_name, reports, sender::Sender};
use crate::directory::carriers::Carrier;
use crate::durable::schema::{self, Step};
use crate::durable::{Answered, Call, Object, Request, Wake, in_time, storage, to_json};

/// How long an alarm lets the kind work, ms: so it ends within a minute, whoever hangs.
const WORK_MS: i64 = 50_000;

const STEPS: &[Step] = &[&["CREATE TABLE carrier (
        one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
        kind TEXT NOT NULL,
        name TEXT
    ) STRICT"]];

/// The answers to the chunks of a submission, and when the object is due, if the kind knows.
type Submitted = (Vec<(ChunkRef, Answer)>, Option<i64>);

/// A carrier's object in memory.
#[derive(Debug, Default)]
pub struct CarrierObject {
    sender: RefCell<Option<Rc<AnySender>>>,
    /// The newest version of the carrier that the object has seen, once it was needed.
    newest: RefCell<Option<Rc<Carrier>>>,
    held_back: HeldBack,
    storage: storage::Watch,
}

impl CarrierObject {
    /// The sender, once the object has had a submission. One that begins anew knows the carrier at once.
    fn sender(&self, sql: &impl Sql, now_ms: i64) -> Result<Option<Rc<AnySender>>, PortError> {
        if self.sender.borrow().is_none() {
            let rows = sql.exec("SELECT kind FROM carrier", &[])?;
            let name = rows.first().map(|row| row.text(0)).transpose()?;
            if let Some(kind) = name.as_deref().and_then(Kind::parse) {
                let sender = kind.open(sql)?;
                if let Some(carrier) = newest::find(sql)? {
                    whichever!(&sender, sender => sender.take_over(sql, now_ms, &carrier))?;
                }
                self.sender.replace(Some(Rc::new(sender)));
            }
        }
        Ok(self.sender.borrow().clone())
    }

    /// The newest version of the carrier that the object has seen, this one included.
    fn newest(&self, sql: &impl Sql, seen: Carrier) -> Result<Rc<Carrier>, PortError> {
        let mut newest = self.newest.borrow_mut();
        if newest.is_none() {
            *newest = newest::find(sql)?.map(Rc::new);
        }
        if let Some(kept) = newest.as_ref().filter(|kept| kept.version >= seen.version) {
            return Ok(Rc::clone(kept));
        }
        newest::keep(sql, &seen)?;
        Ok(Rc::clone(newest.insert(Rc::new(seen))))
    }

    /// The newest version of the carrier, and the sender, which works with it from now on. The object notes its own name: when
    /// its alarm rings, nobody tells it.
    fn work_with(
        &self,
        sql: &impl Sql,
        now_ms: i64,
        name: &str,
        seen: Carrier,
    ) -> Result<(Rc<Carrier>, Rc<AnySender>), PortError> {
        let carrier = self.newest(sql, seen)?;
        let known = self.sender(sql, now_ms)?;
        let sender = match known.filter(|sender| sender.kind().as_str() == carrier.kind) {
            Some(sender) => sender,
            None => {
                let unknown = || format!("this version knows no kind {}", carrier.kind);
                let kind = Kind::parse(&carrier.kind).ok_or_else(|| PortError::unavailable("carrier", unknown()))?;
                sql.exec(
                    "INSERT OR REPLACE INTO carrier (one, kind, name) VALUES (1, ?1, ?2)",
                    &[kind.as_str().into(), name.into()],
                )?;
                let sender = Rc::new(kind.open(sql)?);
                self.sender.replace(Some(Rc::clone(&sender)));
                sender
            }
        };
        whichever!(&*sender, sender => sender.take_over(sql, now_ms, &carrier))?;
        Ok((carrier, sender))
    }

    /// Hands a submission to the sender, with the newest version of the carrier.
    async fn submit<P: Platform, S: Sql>(
        &self,
        platform: &P,
        sql: &S,
        name: &str,
        mut submission: Submission,
    ) -> Result<Submitted, PortError> {
        let (carrier, sender) = self.work_with(sql, platform.now_ms(), name, submission.carrier)?;
        submission.carrier = (*carrier).clone();
        let answers = whichever!(&*sender, sender => sender.submit(platform, sql, &submission, &self.held_back).await)?;
        let due_ms = whichever!(&*sender, sender => sender.due_after_ms(platform.now_ms(), &carrier));
        Ok((answers, due_ms))
    }
}

impl Object for CarrierObject {
    fn open(sql: &impl Sql) -> Result<(), PortError> {
        schema::migrate(sql, "carrier", STEPS)?;
        newest::open(sql)?;
        held_back::open(sql)?;
        journal::open(sql)?;
        reports::open(sql)?;
        waiting_list::open(sql)
    }

    async fn answer<P: Platform, S: Sql>(&self, platform: &P, sql: &S, call: &str) -> Result<Answered, PortError> {
        let (call, now_ms) = (Call::read(call)?, platform.now_ms());
        let mut known_due_ms = None;
        let reply = match call.request.as_ref() {
            Submission::NAME => {
                let (answers, due_ms) = self.submit(platform, sql, &call.to, call.body()?).await?;
                known_due_ms = due_ms;
                to_json(&answers)?
            }
            Configure::NAME => to_json(&self.work_with(sql, now_ms, &call.to, call.body()?).map(drop)?)?,
            AwaitChange::NAME => {
                let AwaitChange { account } = call.body()?;
                to_json(&waiting_list::enter(sql, now_ms, &account)?)?
            }
            HoldBack::NAME => {
                let held: HoldBack = call.body()?;
                self.held_back.add(sql, now_ms, &held)?;
                let sender = self.sender(sql, now_ms)?;
                let accounts = sender.map(|sender| whichever!(&*sender, sender => sender.hold_back(&held.held)));
                to_json(&accounts.unwrap_or_default())?
            }
            NoteChange::NAME => to_json(&waiting_list::note(sql, now_ms)?)?,
            GetHealth::NAME => {
                let sender = self.sender(sql, now_ms)?;
                let health = sender.map(|sender| whichever!(&*sender, sender => sender.health(now_ms)));
                let (storage_bytes, is_full) = (sql.size_bytes()?, storage::is_full(sql)?);
                to_json(&health.map(|health| Health {
                    storage_bytes,
                    state: if is_full { HealthState::Down } else { health.state },
                    ..health
                }))?
            }
            other => match self.sender(sql, now_ms)? {
                Some(sender) => {
                    whichever!(&*sender, sender => sender.answer(now_ms, sql, &call))?.ok_or_else(|| {
                        PortError::unavailable("carrier", format!("this version knows no request {other}"))
                    })?
                }
                // Before its first submission an object has no kind and knows nothing.
                None => "null".to_owned(),
            },
        };
        let due_ms = match known_due_ms {
            Some(due_ms) => Some(due_ms),
            None => self.next_due_ms(sql, platform.now_ms())?,
        };
        Ok(Answered {
            reply,
            wake: due_ms.map_or(Wake::Never, Wake::At),
        })
    }

    fn wants_urgent(&self, now_ms: i64) -> bool {
        let sender = self.sender.borrow();
        sender
            .as_deref()
            .is_some_and(|sender| whichever!(sender, sender => sender.wants_urgent(now_ms)))
    }

    async fn urgent<P: Platform, S: Sql>(&self, platform: &P, sql: &S) -> Result<bool, PortError> {
        if let Some(sender) = self.sender(sql, platform.now_ms())? {
            whichever!(&*sender, sender => sender.urgent(platform, sql).await);
        }
        Ok(false)
    }

    /// One chore that fails does not keep the others from being done, and those that wait for the outside wait beside each other.
    async fn chores<P: Platform, S: Sql>(&self, platform: &P, sql: &S) -> Result<(), PortError> {
        let swept = journal::sweep(sql, platform.now_ms());
        let name = own_name(sql)?;
        let work = async {
            match self.sender(sql, platform.now_ms())? {
                Some(sender) => whichever!(&*sender, sender => sender.work(platform, sql).await),
                None => Ok(()),
            }
        };
        let (sent, told, worked) = join3(
            reports::send(platform, sql, carrier_of(&name)),
            waiting_list::tell(platform, sql),
            in_time(platform, "carrier", WORK_MS, work),
        )
        .await;
        let watched = self.storage.look(platform, sql, "carrier", || Ok(Some(name)));
        swept.and(sent).and(told).and(worked).and(watched)
    }

    fn next_due_ms(&self, sql: &impl Sql, now_ms: i64) -> Result<Option<i64>, PortError> {
        let of_sender = match self.sender(sql, now_ms)? {
            Some(sender) => whichever!(&*sender, sender => sender.next_due_ms(now_ms, sql))?,
            None => None,
        };
        let due = [
            of_sender,
            reports::next_due_ms(sql)?,
            journal::sweep_due_ms(sql)?,
            waiting_list::next_due_ms(sql)?,
        ];
        Ok(due.into_iter().flatten().min())
    }

    fn begin_invocation(&self) {}
}
