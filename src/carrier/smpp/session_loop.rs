//! The work of an object while it is up: it binds, sends, takes reports, and binds again when a session ends.
//!
//! One reconnect loop is at work at a time. Each turn of a session goes in this order: what came is looked at; what it means, and
//! who is about to leave next, is stored together; only then something leaves. A crash
//! - before the store costs nothing: nothing has left, and the carrier repeats what was not answered,
//! - after it puts those in doubt who were about to leave: they become `UNKNOWN`.
//!
//! A store that fails ends the session, and what has not left waits for another. The reconnect loop goes on, with growing delays.

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use futures_util::FutureExt;
use futures_util::future::{Either, LocalBoxFuture, select};
use smpp::pdu::{Bind, Deliver};
use smpp::session::{Event, Reason, Session};
use smpp::{status, wire::Wire};

use super::gathered::{self, Turns};
use super::in_flight::{InFlight, Notes};
use super::pass_through::PassThrough;
use super::receipts::{Asked, Receipts};
use super::sender::{Phase, SmppSender};
use super::settings::Settings;
use super::{inbox, message_ids, rest::Rest};
use crate::account::record::chunk::handover::{ChunkRef, Outcomes};
use crate::base::ports::{Platform, PortError, Sql};
use crate::carrier::{doubted, journal, log_failure, reports};
use crate::directory::carriers::Carrier;
use crate::durable::under_way::Mark;

/// How long a connection may take, ms.
const CONNECT_MS: i64 = 10_000;
/// A turn takes no longer than this, so that the object is seen to be at work, ms.
const IDLE_TURN_MS: i64 = 10_000;
/// A turn takes no longer than this while recipients wait, ms: their time may be over.
const TURN_MS: i64 = 1_000;
/// How long the last octets of a session may take, ms.
const CLOSE_MS: i64 = 2_000;
/// How often the other chores of a session are looked after, ms.
const CHORES_MS: i64 = 250;

/// How a session has ended.
pub enum Ended {
    /// It never began.
    Failed(String),
    /// The carrier wants another name or password.
    WrongLogin(String),
    /// It was lost, or the carrier has ended it.
    Lost(String),
    /// The same, while messages waited for their answers.
    Cut(String),
    /// The object could not store what it must.
    NotStored(String),
    /// We have ended it.
    Unbound,
}

/// All that a session needs.
pub struct Terms<'a, P, S> {
    pub(super) sender: &'a SmppSender,
    pub(super) platform: &'a P,
    pub(super) sql: &'a S,
    pub(super) carrier: Rc<Carrier>,
    pub(super) settings: Rc<Settings>,
    /// The names of the objects of the other sessions, also of those that ended lately.
    pub(super) others: Vec<String>,
    mark: &'a Mark,
}

/// Runs one session from its connection to its end.
pub async fn session<P: Platform, S: Sql>(
    sender: &SmppSender,
    platform: &P,
    sql: &S,
    carrier: Rc<Carrier>,
    mark: &Mark,
) -> Result<Ended, PortError> {
    let settings = match Settings::of(&carrier) {
        Ok(settings) => Rc::new(settings),
        Err(why) => return Ok(Ended::WrongLogin(why)),
    };
    let bind = match settings.login(platform, &carrier) {
        Ok(bind) => bind,
        Err(why) => return Ok(Ended::WrongLogin(why)),
    };
    sender.phase.set(Phase::Connecting);
    let stream = match connect(platform, &settings).await {
        Ok(stream) => stream,
        Err(why) => return Ok(Ended::Failed(why)),
    };
    let terms = Terms {
        others: sender.others(platform.now_ms()),
        sender,
        platform,
        sql,
        carrier,
        settings,
        mark,
    };
    terms.run(Wire::over(stream), &bind).await
}

async fn connect<P: Platform>(platform: &P, settings: &Settings) -> Result<P::Socket, String> {
    let connecting = pin!(platform.connect(&settings.host, settings.port, settings.tls));
    match select(connecting, pin!(platform.sleep(CONNECT_MS))).await {
        Either::Left((connected, _)) => connected.map_err(|error| {
            if settings.tls {
                // The runtime does not tell why.
                format!("nobody listens, it speaks no TLS, or its certificate is not trusted: {error}")
            } else {
                error.to_string()
            }
        }),
        Either::Right(_) => Err("no connection in time".to_owned()),
    }
}

impl<P: Platform, S: Sql> Terms<'_, P, S> {
    pub(super) fn log(&self, what: &str, why: &str) {
        log_failure(self.platform, &self.carrier.name, what, why);
    }

    async fn run(&self, mut wire: Wire<P::Socket>, bind: &Bind) -> Result<Ended, PortError> {
        let mut session = Session::begin(self.platform.now_ms(), bind);
        let mut work = Work::of(self)?;
        let ended = loop {
            let due_ms = work.due_ms(self, &session);
            let wait_ms = due_ms.saturating_sub(self.platform.now_ms()).clamp(0, IDLE_TURN_MS);
            let until = work.until(self, wait_ms);
            let mut events = wire.turn(&mut session, || self.platform.now_ms(), until).await;
            let now_ms = self.platform.now_ms();
            if !self.mark.show(now_ms) {
                return Ok(Ended::Unbound);
            }
            if self.sender.is_changed(now_ms, &self.carrier) {
                session.unbind(now_ms);
            }
            session.tick(now_ms, &mut events);
            if let Some(ended) = work.turn(self, now_ms, &mut session, events)? {
                break ended;
            }
        };
        wire.close(&mut session, self.platform.sleep(CLOSE_MS)).await;
        Ok(ended)
    }
}

/// What is under way in a session.
pub struct Work<'a> {
    link: InFlight,
    pub(super) receipts: Receipts,
    /// Receipts whose reports are on their way to accounts' objects.
    pub(super) pass_through: PassThrough<'a>,
    /// Stored reports on their way there.
    reporting: Option<LocalBoxFuture<'a, Result<(), PortError>>>,
    /// Messages from phones on their way there.
    handing: Option<LocalBoxFuture<'a, Result<(), PortError>>>,
    /// Receipts on their way to the objects of other sessions.
    pub(super) asking: Option<LocalBoxFuture<'a, Asked>>,
    /// What the others have answered.
    pub(super) answered: Option<Asked>,
    /// When the chores are due, ms since the Unix epoch.
    pub(super) chores_ms: i64,
}

impl<'a> Work<'a> {
    fn of<P: Platform, S: Sql>(terms: &Terms<'_, P, S>) -> Result<Self, PortError> {
        let now_ms = terms.platform.now_ms();
        terms.sender.seen.borrow_mut().begin(terms.sql, now_ms)?;
        terms.sender.rests.borrow_mut().read(terms.sql)?;
        Ok(Work {
            link: terms.sender.begin_session(&terms.settings, now_ms),
            receipts: Receipts::stored(terms.sql)?,
            pass_through: PassThrough::default(),
            reporting: None,
            handing: None,
            asking: None,
            answered: None,
            chores_ms: 0,
        })
    }

    fn due_ms<P: Platform, S: Sql>(&self, terms: &Terms<'_, P, S>, session: &Session) -> i64 {
        // Whatever can be done now was done in the turn before: only the clock allows more.
        let now_ms = terms.platform.now_ms();
        let waits = !terms.sender.queue.borrow().is_empty() || !terms.sender.rests.borrow().is_empty();
        let has_work = self.link.is_ready() || waits;
        let longest_ms = if has_work { TURN_MS } else { IDLE_TURN_MS };
        let of_link = Some(self.link.pace.due_ms())
            .filter(|due_ms| *due_ms > now_ms)
            .unwrap_or(i64::MAX);
        // Receipts that are due wait until the others have answered for those before them.
        let of_receipts = self.asking.is_none().then(|| self.receipts.due_ms());
        let of_receipts = of_receipts.unwrap_or(i64::MAX).min(self.pass_through.due_ms());
        let due_ms = session.due_ms().min(of_link).min(of_receipts);
        due_ms.min(now_ms.saturating_add(longest_ms))
    }

    /// Waits until something is to be done beside the session.
    async fn until<P: Platform, S: Sql>(&mut self, terms: &Terms<'_, P, S>, wait_ms: i64) {
        let mut wait = pin!(terms.platform.sleep(wait_ms));
        poll_fn(|context| {
            if terms.sender.notify.has_rung(context) | self.poll_calls(context) {
                return Poll::Ready(());
            }
            wait.as_mut().poll(context)
        })
        .await;
    }

    /// Goes on with the calls that are under way. `true`: one has ended.
    fn poll_calls(&mut self, context: &mut Context<'_>) -> bool {
        let mut has_ended = self.pass_through.poll(context);
        for work in [&mut self.reporting, &mut self.handing] {
            if let Some(Poll::Ready(done)) = work.as_mut().map(|work| work.poll_unpin(context)) {
                *work = None;
                has_ended = true;
                // There may be more. What has failed waits.
                if done.is_ok() {
                    self.chores_ms = 0;
                }
            }
        }
        if let Some(Poll::Ready(answered)) = self.asking.as_mut().map(|call| call.poll_unpin(context)) {
            self.asking = None;
            self.answered = Some(answered);
            has_ended = true;
        }
        has_ended
    }

    /// One turn. Returns how the session has ended, if it has.
    fn turn<P: Platform, S: Sql>(
        &mut self,
        terms: &Terms<'a, P, S>,
        now_ms: i64,
        session: &mut Session,
        events: Vec<Event>,
    ) -> Result<Option<Ended>, PortError> {
        let mut notes = Notes::default();
        let turned = self.turn_with(terms, now_ms, session, events, &mut notes);
        // The carrier has answered, whatever could be stored of it.
        terms.sender.observed.count_answers(&notes.answers);
        if turned.is_err() {
            self.link.abandon(session, notes);
        }
        turned
    }

    fn turn_with<P: Platform, S: Sql>(
        &mut self,
        terms: &Terms<'a, P, S>,
        now_ms: i64,
        session: &mut Session,
        events: Vec<Event>,
        notes: &mut Notes,
    ) -> Result<Option<Ended>, PortError> {
        let sender = terms.sender;
        let (delivered, mut ended) = self.hear_events(terms, now_ms, events, notes);
        if self.link.is_unbound {
            session.unbind(now_ms);
        }
        sender.note_answers(now_ms, notes, &self.link);
        sender.observed.keep(terms.sql, now_ms)?;
        match &mut ended {
            Some(ended) => {
                for sequence in session.take_back() {
                    self.link.stayed(sequence, notes);
                }
                if let Ended::Lost(why) = ended
                    && self.link.in_window() > 0
                {
                    *ended = Ended::Cut(std::mem::take(why));
                }
                self.link.close(notes);
            }
            None => {
                self.link.expire(now_ms, notes);
                if session.is_bound() && sender.observed.circuit.open_until(now_ms).is_none() {
                    let at_most = sender.at_most(self.link.in_window());
                    self.link.go_on(now_ms, &mut sender.rests.borrow_mut(), at_most, notes);
                    self.link.fill(now_ms, &mut sender.queue.borrow_mut(), at_most, notes);
                }
            }
        }
        store(terms, now_ms, notes)?;
        notes.tell_jobs();
        sender.note(now_ms, notes);
        self.take_deliveries(terms, now_ms, session, delivered, !notes.taken.is_empty())?;
        if ended.is_some() {
            self.pass_through.store_all(terms.sql, now_ms)?;
        }
        self.link.send(now_ms, session);
        sender.in_window.set(self.link.in_window());
        self.do_chores(terms, now_ms);
        Ok(ended)
    }

    /// Hears what the session brings. Returns what the carrier delivers, and how the session has ended, if it has.
    fn hear_events<P: Platform, S: Sql>(
        &mut self,
        terms: &Terms<'a, P, S>,
        now_ms: i64,
        events: Vec<Event>,
        notes: &mut Notes,
    ) -> (Vec<(u32, Box<Deliver>)>, Option<Ended>) {
        let (mut delivered, mut ended) = (Vec::new(), None);
        for event in events {
            match event {
                Event::Bound => terms.sender.note_bound(now_ms),
                Event::Answered {
                    sequence, status, id, ..
                } => {
                    self.link.answered(now_ms, sequence, status, &id, notes);
                }
                Event::Unanswered { sequence } => self.link.unanswered(sequence, notes),
                Event::Stayed { sequence } => self.link.stayed(sequence, notes),
                Event::Delivered { sequence, deliver } => delivered.push((sequence, deliver)),
                Event::Garbled => terms.log("a delivery can't be read", "it ends too early"),
                Event::Closed(_) if self.link.is_unbound => {
                    // A peer that binds and then denies it would be bound again and again.
                    ended = Some(Ended::Lost("the carrier says that the session is not bound".to_owned()));
                }
                Event::Closed(reason) => ended = Some(ended_by(reason)),
            }
        }
        (delivered, ended)
    }

    /// Sends reports and messages from phones on. Neither waits for the other.
    fn do_chores<P: Platform, S: Sql>(&mut self, terms: &Terms<'a, P, S>, now_ms: i64) {
        if now_ms < self.chores_ms {
            return;
        }
        self.chores_ms = now_ms.saturating_add(CHORES_MS);
        let (platform, sql) = (terms.platform, terms.sql);
        let is_due =
            |due: Result<Option<i64>, PortError>| due.is_ok_and(|due| due.is_some_and(|due_ms| due_ms <= now_ms));
        if let Err(error) = self.pass_through.try_again(sql) {
            terms.log("the stored reports were not looked up", &error.to_string());
        }
        if self.reporting.is_none() && is_due(reports::next_due_ms(sql)) {
            let name = terms.carrier.name.clone();
            self.reporting = Some(async move { reports::send(platform, sql, &name).await }.boxed_local());
        }
        if self.handing.is_none() && is_due(inbox::next_due_ms(sql)) {
            let name = terms.carrier.name.clone();
            self.handing = Some(async move { inbox::hand_over(platform, sql, &name).await }.boxed_local());
        }
    }
}

/// Stores what a turn has brought, in one transaction.
fn store<P: Platform, S: Sql>(terms: &Terms<'_, P, S>, now_ms: i64, notes: &Notes) -> Result<(), PortError> {
    if notes.is_empty() {
        return Ok(());
    }
    // The journal gets all outcomes of what ends with this turn, in place of a step.
    let (ended, steps) = notes.sorted(|job| terms.sender.has_call(now_ms, job));
    let mut outcomes: BTreeMap<&str, Vec<(ChunkRef, &Outcomes)>> = BTreeMap::new();
    for (job, of_job) in &ended {
        outcomes.entry(&job.account).or_default().push((job.chunk, of_job));
    }
    let (noted, rests) = (&terms.sender.steps, &terms.sender.rests);
    let stored = terms.sql.transaction(|| {
        message_ids::keep(terms.sql, now_ms, &notes.taken)?;
        noted.borrow_mut().note(terms.sql, now_ms, &steps)?;
        for (job, outcomes) in &ended {
            doubted::note(terms.sql, now_ms, &job.account, &job.handover, outcomes)?;
        }
        for (account, outcomes) in &outcomes {
            journal::finish(terms.sql, now_ms, account, outcomes)?;
        }
        for (account, report) in &notes.reports {
            reports::add(terms.sql, now_ms, account, 0, std::slice::from_ref(report))?;
        }
        note_rests(terms, now_ms, notes)?;
        let rows: Vec<i64> = notes.gone_on.iter().map(|(row, ..)| *row).collect();
        rests.borrow_mut().note(terms.sql, now_ms, &rows, &notes.cut)
    });
    if stored.is_err() {
        noted.borrow_mut().forget();
        rests.borrow_mut().forget();
        terms.sender.open.borrow_mut().search_again();
        return stored;
    }
    for (job, _) in &ended {
        noted.borrow_mut().end(&job.account, [job.chunk.id()]);
        job.is_noted.set(true);
    }
    Ok(())
}

/// Notes texts that were cut, rests that go on, and those that have left as a whole.
fn note_rests<P: Platform, S: Sql>(terms: &Terms<'_, P, S>, now_ms: i64, notes: &Notes) -> Result<(), PortError> {
    for (_, account, handover) in &notes.gone_on {
        doubted::note_rest(terms.sql, now_ms, account, handover)?;
    }
    let turns = Turns {
        cut: notes.cut.iter().filter_map(Rest::message).collect(),
        whole: notes.whole.iter().map(|(message, _)| message.clone()).collect(),
        answered: notes.answered.clone(),
    };
    gathered::turn(terms.sql, now_ms, &turns, &mut terms.sender.open.borrow_mut())?;
    for (((account, message, _), _), msisdn) in &notes.whole {
        doubted::forget_rest(terms.sql, account, *message, *msisdn)?;
    }
    Ok(())
}

fn ended_by(reason: Reason) -> Ended {
    match reason {
        Reason::Refused(code) if status::is_wrong_login(code) => Ended::WrongLogin(status::name(code)),
        Reason::Refused(code) => Ended::Failed(format!("the bind was refused: {}", status::name(code))),
        Reason::NoBind => Ended::Failed("the bind was not answered".to_owned()),
        Reason::Silent => Ended::Lost("the carrier does not answer any more".to_owned()),
        Reason::Garbage => Ended::Lost("the carrier does not speak SMPP".to_owned()),
        Reason::PeerUnbound => Ended::Lost("the carrier has ended the session".to_owned()),
        Reason::Lost => Ended::Lost("the connection was lost".to_owned()),
        Reason::Unbound => Ended::Unbound,
    }
}
