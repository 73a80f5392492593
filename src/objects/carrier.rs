//! The object of a carrier. It remembers its kind with its first submission; the kind's sender does the rest.

use std::cell::RefCell;
use std::rc::Rc;

use futures_util::future::join3;

use crate::account::record::chunk::handover::{Answer, ChunkRef};
use crate::base::ports::{Platform, PortError, Sql};
use crate::carrier::health::{Health, HealthState};
use crate::carrier::held_back::{self, HeldBack};
use crate::carrier::kind::{AnySender, Kind, whichever};
use crate::carrier::request::{Configure, GetHealth, HoldBack, StandDown, Submission};
use crate::carrier::room::Room;
use crate::carrier::waiting_list::{self, AwaitChange, NoteChange};
use crate::carrier::{carrier_of, day_tables, journal, own_row, reports, sender::Sender};
use crate::directory::carriers::Carrier;
use crate::durable::remembered::Memory;
use crate::durable::schema::{self, Step};
use crate::durable::{Answered, Call, Object, Request, Wake, in_time, storage, to_json};

/// How long an alarm lets the kind work, ms: so it ends within a minute, whoever hangs.
const WORK_MS: i64 = 50_000;

/// The tables of an object of any kind, and of a waiting list.
const TABLES: &[Step] = &[
    own_row::TABLES,
    held_back::TABLES,
    day_tables::TABLES,
    journal::TABLES,
    reports::TABLES,
    waiting_list::TABLES,
];

/// The answers to the chunks of a submission, and when the object is due, if the kind knows.
type Submitted = (Vec<(ChunkRef, Answer)>, Option<i64>);

/// A carrier's object in memory.
#[derive(Debug, Default)]
pub struct CarrierObject {
    awake: RefCell<Option<Awake>>,
    held_back: HeldBack,
    storage: storage::Watch,
    room: Room,
    memory: Memory,
}

/// What an object works with, once it has had a submission and was needed.
#[derive(Debug, Clone)]
struct Awake {
    name: Rc<str>,
    /// The newest version of the carrier that the object has seen.
    carrier: Rc<Carrier>,
    sender: Rc<AnySender>,
}

impl CarrierObject {
    /// What the object works with. One that begins anew knows the carrier at once.
    fn awake(&self, sql: &impl Sql, now_ms: i64) -> Result<Option<Awake>, PortError> {
        if self.awake.borrow().is_none()
            && let Some(row) = own_row::find(sql)?
            && let Some(kind) = Kind::parse(&row.carrier.kind)
        {
            let sender = kind.open(sql, row.schema)?;
            whichever!(&sender, sender => {
                sender.resume(now_ms, &row)?;
                sender.take_over(sql, now_ms, &row.carrier)?;
            });
            self.awake.replace(Some(Awake {
                name: row.name.into(),
                carrier: Rc::new(row.carrier),
                sender: Rc::new(sender),
            }));
        }
        Ok(self.awake.borrow().clone())
    }

    fn sender(&self, sql: &impl Sql, now_ms: i64) -> Result<Option<Rc<AnySender>>, PortError> {
        Ok(self.awake(sql, now_ms)?.map(|awake| awake.sender))
    }

    /// The object's own name. A kind that does not begin does not keep it from being known.
    fn name(&self, sql: &impl Sql) -> Result<Rc<str>, PortError> {
        match &*self.awake.borrow() {
            Some(awake) => Ok(Rc::clone(&awake.name)),
            None => own_row::name(sql).map(Into::into),
        }
    }

    /// The sender, and the newest version of the carrier, with which it works from now on.
    fn work_with(&self, sql: &impl Sql, now_ms: i64, name: &str, seen: Carrier) -> Result<Awake, PortError> {
        let known = self.awake(sql, now_ms)?;
        let awake = match known.filter(|known| known.carrier.version >= seen.version) {
            Some(known) => known,
            None => self.renew(sql, now_ms, name, seen)?,
        };
        whichever!(&*awake.sender, sender => sender.take_over(sql, now_ms, &awake.carrier))?;
        Ok(awake)
    }

    /// Keeps a version of the carrier that is newer than the one that is known.
    fn renew(&self, sql: &impl Sql, now_ms: i64, name: &str, seen: Carrier) -> Result<Awake, PortError> {
        own_row::keep_carrier(sql, name, &seen)?;
        let same = self.awake.take().filter(|known| known.carrier.kind == seen.kind);
        let unknown = format!("this version knows no kind {}", seen.kind);
        self.awake.replace(same.map(|known| Awake {
            carrier: Rc::new(seen),
            ..known
        }));
        self.awake(sql, now_ms)?
            .ok_or_else(|| PortError::unavailable("carrier", unknown))
    }

    /// Hands a submission to the sender, with the newest version of the carrier.
    async fn submit<P: Platform, S: Sql>(
        &self,
        platform: &P,
        sql: &S,
        name: &str,
        mut submission: Submission,
    ) -> Result<Submitted, PortError> {
        let Awake { carrier, sender, .. } = self.work_with(sql, platform.now_ms(), name, submission.carrier)?;
        submission.carrier = (*carrier).clone();
        let guards = (&self.held_back, &self.room);
        let answers = whichever!(&*sender, sender => sender.submit(platform, sql, &submission, guards).await)?;
        let due_ms = whichever!(&*sender, sender => sender.due_after_ms(platform.now_ms(), &carrier));
        Ok((answers, due_ms))
    }
}

impl Object for CarrierObject {
    fn open(sql: &impl Sql) -> Result<(), PortError> {
        schema::migrate(sql, "carrier", &TABLES.concat(), &[])
    }

    /// The tables of the kind come with the first submission otherwise.
    fn open_parts(sql: &impl Sql, parts: &[String]) -> Result<(), PortError> {
        Self::open(sql)?;
        for kind in parts.iter().filter_map(|part| Kind::parse(part)) {
            kind.open(sql, None)?;
        }
        Ok(())
    }

    async fn answer<P: Platform, S: Sql>(&self, platform: &P, sql: &S, call: &str) -> Result<Answered, PortError> {
        let (call, now_ms, sql) = (Call::read(call)?, platform.now_ms(), &self.memory.of(sql));
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
                let accounts =
                    sender.map(|sender| whichever!(&*sender, sender => sender.hold_back(now_ms, &held.held)));
                to_json(&accounts.unwrap_or_default())?
            }
            StandDown::NAME => {
                let StandDown { until_ms } = call.body()?;
                let sender = self.sender(sql, now_ms)?;
                to_json(
                    &sender.is_some_and(|sender| whichever!(&*sender, sender => sender.stand_down(now_ms, until_ms))),
                )?
            }
            NoteChange::NAME => to_json(&waiting_list::note(sql, now_ms)?)?,
            GetHealth::NAME => {
                let sender = self.sender(sql, now_ms)?;
                let health =
                    sender.map(|sender| whichever!(&*sender, sender => (sender.health(now_ms), sender.submissions())));
                let name = self.name(sql)?;
                let storage_bytes = sql.size_bytes()?;
                to_json(&health.map(|(health, submissions)| {
                    Health {
                        submissions: submissions
                            .map(|counted| (name.to_string(), counted))
                            .into_iter()
                            .collect(),
                        storage_bytes,
                        state: match storage::is_full(storage_bytes) {
                            true => HealthState::Down,
                            false => health.state,
                        },
                        ..health
                    }
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
        let awake = self.awake.borrow();
        awake
            .as_ref()
            .is_some_and(|awake| whichever!(&*awake.sender, sender => sender.wants_urgent(now_ms)))
    }

    async fn urgent<P: Platform, S: Sql>(&self, platform: &P, sql: &S) -> Result<bool, PortError> {
        let sql = &self.memory.of(sql);
        if let Some(sender) = self.sender(sql, platform.now_ms())? {
            whichever!(&*sender, sender => sender.urgent(platform, sql).await);
        }
        Ok(false)
    }

    /// One chore that fails does not keep the others from being done, and those that wait for the outside wait beside each other.
    async fn chores<P: Platform, S: Sql>(&self, platform: &P, sql: &S) -> Result<(), PortError> {
        let sql = &self.memory.of(sql);
        let swept = journal::sweep(sql, platform.now_ms());
        let name = self.name(sql)?;
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
        let watched = self
            .storage
            .look(platform, sql, "carrier", || Ok(Some(name.to_string())));
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

    fn forget(&self) {
        self.memory.forget();
    }
}
