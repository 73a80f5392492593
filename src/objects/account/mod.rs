//! An account's object: it answers requests, hands chunks to carriers, and does its chores when its alarm rings.

mod campaigns;
mod closing;
mod erasure_everywhere;
mod erasure_steps;
mod mirrors;
mod queue_depth;
mod restore;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::json;

use super::dispatch::Dispatcher;
use crate::account::chunk::{dead_letters, stalled, timers};
use crate::account::keys::ended::{self, Old};
use crate::account::message::{redaction, retention, test_messages};
use crate::account::outbox::events::{self, Batch};
use crate::account::outbox::removals;
use crate::account::record::account_row::{Account, MIRROR_DELAY_MS};
use crate::account::refusal::Refusal;
use crate::account::request::{After, Reply};
use crate::account::restore::Restore;
use crate::account::{campaign, closing as account_closing, erasure, handle, inbound, schema, verify};
use crate::auth::KeyRecord;
use crate::auth::secret::MasterKey;
use crate::base::ports::{Platform, PortError, Sql};
use crate::base::{config::Config, log, time::DAY_MS};
use crate::carrier::sandbox_names::SandboxNames;
use crate::directory::{audit as directory_audit, dead_letters as directory_letters, members, phonebook};
use crate::durable::remembered::{Memory, Remembering};
use crate::durable::{Answered, Call, Object, Wake, ask_in_time, audit, in_time, storage, to_json};
use crate::webhook::callbacks::TakeCallbacks;
use crate::webhook::event::TakeEvents;
use mirrors::Mirrors;
use queue_depth::QueueDepthMirror;
use restore::ObjectSession;

/// When the alarm looks again while calls to carriers are under way, ms.
const WATCH_MS: i64 = 3_000;
/// When the alarm looks again after it has asked for a run of the dispatcher, ms.
const START_MS: i64 = 1_000;
/// How long a chore that failed waits, ms.
const RETRY_MS: i64 = 5_000;
/// Goes of a chore in one alarm. What is left is due at once again, in a new invocation.
const GOES: u32 = 10;
/// How long a chore may take, and after which part of an alarm no other one begins, ms: an alarm ends within a minute, whoever
/// hangs. What is left is due at once again, before what has failed.
const CHORE_MS: i64 = 25_000;
const CHORES_MS: i64 = 30_000;
/// The name of handing chunks over, among the chores.
const DISPATCH: &str = "hand chunks over";
/// Steps of removing phonebooks in one alarm. They are few, because other chores wait for them.
const REMOVAL_STEPS: u32 = 4;

/// An account's object in memory.
#[derive(Debug, Default)]
pub struct AccountObject {
    session: ObjectSession,
    /// What of the storage need not be read again.
    memory: Memory,
    dispatcher: Dispatcher,
    mirrors: Mirrors,
    queue_depth: QueueDepthMirror,
    sandboxes: SandboxNames,
    /// When a chore that failed may be done again, ms since the Unix epoch, by its name.
    retries: RefCell<BTreeMap<&'static str, i64>>,
    /// Whether chunks are due that nobody hands over yet.
    has_ready: Cell<bool>,
    storage: storage::Watch,
    /// Before this time, ms since the Unix epoch, no chunk has waited so long that it is stalled.
    stalled_ms: Cell<i64>,
}

/// When a chore is due: `own` if the object's memory decides about it too.
macro_rules! due {
    ($object:expr, $sql:expr, $now_ms:expr, own $($due_ms:ident).+) => {
        $object.$($due_ms).+($sql, $now_ms)
    };
    ($object:expr, $sql:expr, $now_ms:expr, $due_ms:path) => {
        $due_ms($sql)
    };
}

/// Makes the list of chores. Each row names a chore, what it does, and when it is due next.
macro_rules! chores {
    ($($name:literal, $($run:ident).+, {$($due_ms:tt)+};)*) => {
        impl AccountObject {
            /// Does the chores that are due, and begins none at `last_ms` or later. One that fails does not keep the others from
            /// being done.
            async fn do_chores<P: Platform, S: Sql>(&self, platform: &P, sql: &S, last_ms: i64) {
                $(
                    match self.is_due($name, due!(self, sql, platform.now_ms(), $($due_ms)+), platform.now_ms()) {
                        Ok(true) if platform.now_ms() < last_ms => {
                            let done = in_time(platform, $name, CHORE_MS, self.$($run).+(platform, sql)).await;
                            self.note(platform, $name, done);
                        }
                        Ok(_) => {}
                        Err(error) => self.note(platform, $name, Err(error)),
                    }
                )*
            }

            fn chores_due_ms(&self, sql: &impl Sql, now_ms: i64) -> Result<Option<i64>, PortError> {
                let due = [$(due!(self, sql, now_ms, $($due_ms)+)?.map(|due_ms| due_ms.max(self.retry_ms($name)))),*];
                Ok(due.into_iter().flatten().min())
            }
        }
    };
}

chores! {
    "bring chunks on", bring_on, {timers::due_ms};
    "see to verifications", see_to_verifications, {verify::upkeep::due_ms};
    // Before the next, which tells what it finds.
    "look for stuck chunks", look_for_stalled, {own stalled_due_ms};
    "tell dead letters", tell_dead_letters, {dead_letters::due_ms};
    "hand events over", hand_events, {events::due_ms};
    "write the mirror", mirrors.write_balance, {own mirrors.balance_due_ms};
    "mirror the usage", mirrors.write_usage, {own mirrors.usage_due_ms};
    "mirror what waits", mirror_waiting, {own waiting_due_ms};
    "go on with campaigns", go_on_with_campaigns, {campaign::due_ms};
    "erase numbers", erase_numbers, {erasure::due_ms};
    "redact secret values", redact_secrets, {redaction::due_ms};
    "forget old messages", forget_old, {retention::due_ms};
    "forget surplus test messages", forget_surplus, {test_messages::due_ms};
    "forget old messages from phones", forget_old_inbound, {inbound::due_ms};
    "go on with the closing", go_on_with_closing, {account_closing::due_ms};
    "prune ended keys", prune_keys, {ended::due_ms};
    "remove phonebooks", remove_phonebooks, {removals::due_ms};
    "tell the audit log", tell_audit_log, {audit::due_ms};
}

impl AccountObject {
    /// Notes how a chore ended: one that failed is logged and waits a little.
    fn note(&self, platform: &impl Platform, chore: &'static str, done: Result<(), impl std::fmt::Display>) {
        let mut retries = self.retries.borrow_mut();
        match done {
            Ok(()) => drop(retries.remove(chore)),
            Err(error) => {
                log::error(platform, "chore", json!({"chore": chore, "cause": error.to_string()}));
                retries.insert(chore, platform.now_ms().saturating_add(RETRY_MS));
            }
        }
    }

    fn is_due(&self, chore: &str, due_ms: Result<Option<i64>, PortError>, now_ms: i64) -> Result<bool, PortError> {
        Ok(due_ms?.is_some_and(|due_ms| due_ms.max(self.retry_ms(chore)) <= now_ms))
    }

    fn retry_ms(&self, chore: &str) -> i64 {
        self.retries.borrow().get(chore).copied().unwrap_or(0)
    }

    async fn bring_on<P: Platform, S: Sql>(&self, platform: &P, sql: &S) -> Result<(), PortError> {
        go_on(|| timers::bring_on(sql, platform.now_ms()))
    }

    async fn see_to_verifications<P: Platform, S: Sql>(&self, platform: &P, sql: &S) -> Result<(), PortError> {
        go_on(|| verify::upkeep::go_on(sql, platform.now_ms()))
    }

    /// When to look for stalled chunks. Those that come from now on are stalled later than those that are there.
    fn stalled_due_ms(&self, sql: &impl Sql, now_ms: i64) -> Result<Option<i64>, PortError> {
        if self.stalled_ms.get() <= now_ms {
            self.stalled_ms.set(stalled::earliest_ms(sql, now_ms)?);
        }
        stalled::due_ms(sql, self.stalled_ms.get())
    }

    async fn look_for_stalled<P: Platform, S: Sql>(&self, platform: &P, sql: &S) -> Result<(), PortError> {
        let Some(account) = Account::stored(sql)? else {
            return Ok(());
        };
        let moved = stalled::look(sql, platform.now_ms())?;
        if moved.is_empty() {
            return Ok(());
        }
        directory_letters::take_back(platform.db(), &account.id, &moved).await?;
        stalled::forget(sql, &moved)
    }

    fn waiting_due_ms(&self, sql: &impl Sql, _: i64) -> Result<Option<i64>, PortError> {
        self.queue_depth.due_ms(sql, self.dispatcher.has_ready())
    }

    async fn mirror_waiting<P: Platform, S: Sql>(&self, platform: &P, sql: &S) -> Result<(), PortError> {
        self.queue_depth.write(platform, sql, &self.dispatcher).await
    }

    async fn tell_dead_letters<P: Platform, S: Sql>(&self, platform: &P, sql: &S) -> Result<(), PortError> {
        let (letters, account) = (dead_letters::oldest(sql)?, Account::stored(sql)?);
        let (Some(last), Some(account)) = (letters.last(), account) else {
            return Ok(());
        };
        directory_letters::insert(platform.db(), &account.id, &letters).await?;
        dead_letters::forget(sql, last.seq)
    }

    async fn tell_audit_log<P: Platform, S: Sql>(&self, platform: &P, sql: &S) -> Result<(), PortError> {
        directory_audit::bring(platform.db(), sql).await
    }

    /// Hands events to the account's webhook object.
    async fn hand_events<P: Platform, S: Sql>(&self, platform: &P, sql: &S) -> Result<(), PortError> {
        let Some(account) = Account::stored(sql)? else {
            return Ok(());
        };
        for _ in 0..GOES {
            let Some(batch) = events::next_batch(sql, platform.now_ms())? else {
                break;
            };
            let sandboxes = match batch.is_about_messages() {
                true => self.sandboxes.all(platform.db(), platform.now_ms()).await,
                false => Rc::default(),
            };
            if let Err(error) = hand_over(platform, &account.id, &batch, &sandboxes).await {
                let given_up = events::give_up_old(sql, platform.now_ms())?;
                if given_up > 0 {
                    log::error(
                        platform,
                        "webhook",
                        json!({"what": "events are given up",
                        "account": account.id, "rows": given_up}),
                    );
                }
                return Err(error);
            }
            events::forget(sql, &batch.rows)?;
        }
        Ok(())
    }

    async fn prune_keys<P: Platform, S: Sql>(&self, platform: &P, sql: &S) -> Result<(), PortError> {
        let old = ended::old(sql, platform.now_ms())?;
        self.forget_keys(platform, sql, &old).await
    }

    /// Forgets keys that have ended, first where others look for them.
    async fn forget_keys<P: Platform, S: Sql>(&self, platform: &P, sql: &S, old: &[Old]) -> Result<(), PortError> {
        for key in old {
            erase_record(platform, &key.id, &key.digest).await?;
        }
        let members: Vec<(u64, &str)> = old.iter().filter_map(|key| Some((key.phone?, &*key.id))).collect();
        if let (false, Some(account)) = (members.is_empty(), Account::stored(sql)?) {
            members::remove_all(platform.db(), &account.id, &members).await?;
        }
        let ids: Vec<&str> = old.iter().map(|key| key.id.as_str()).collect();
        ended::forget(sql, &ids)
    }

    async fn forget_old_inbound<P: Platform, S: Sql>(&self, platform: &P, sql: &S) -> Result<(), PortError> {
        let kept_ms = kept_ms(platform)?;
        go_on(|| inbound::forget_old(sql, platform.now_ms(), kept_ms))
    }

    /// Counts people of campaigns, and accepts waves, which are handed over at once.
    async fn go_on_with_campaigns<P: Platform, S: Sql>(&self, platform: &P, sql: &S) -> Result<(), PortError> {
        for _ in 0..GOES {
            if !campaigns::go(platform, sql).await? {
                break;
            }
        }
        Ok(())
    }

    async fn erase_numbers<P: Platform, S: Sql>(&self, platform: &P, sql: &S) -> Result<(), PortError> {
        for _ in 0..GOES {
            if !erasure_steps::go(platform, sql).await? {
                break;
            }
        }
        Ok(())
    }

    async fn redact_secrets<P: Platform, S: Sql>(&self, platform: &P, sql: &S) -> Result<(), PortError> {
        go_on(|| redaction::redact_old(sql, platform.now_ms()))
    }

    async fn forget_old<P: Platform, S: Sql>(&self, platform: &P, sql: &S) -> Result<(), PortError> {
        let kept_ms = kept_ms(platform)?;
        go_on(|| retention::forget_old(sql, platform.now_ms(), kept_ms))
    }

    async fn forget_surplus<P: Platform, S: Sql>(&self, _: &P, sql: &S) -> Result<(), PortError> {
        go_on(|| retention::forget_surplus(sql))
    }

    /// Removes deleted phonebooks from the directory, some steps of them. What is left is due at once again.
    async fn remove_phonebooks<P: Platform, S: Sql>(&self, platform: &P, sql: &S) -> Result<(), PortError> {
        let Some(account) = Account::stored(sql)? else {
            return Ok(());
        };
        for _ in 0..REMOVAL_STEPS {
            let Some(phonebook) = removals::oldest(sql)? else {
                break;
            };
            if phonebook::remove(platform.db(), &account.id, &phonebook).await? {
                removals::forget(sql, &phonebook)?;
            }
        }
        Ok(())
    }
}

impl AccountObject {
    /// The storage, of which the object remembers some.
    fn remembering<'a, S: Sql>(&self, sql: &'a S) -> Remembering<'a, S> {
        self.memory.of(sql)
    }

    /// Answers calls that came together, once the object may work.
    async fn answer_calls<P: Platform, S: Sql>(
        &self,
        platform: &P,
        sql: &S,
        calls: &[impl AsRef<str>],
    ) -> Vec<Result<Answered, PortError>> {
        let failed = |error: &PortError| calls.iter().map(|_| Err(error.clone())).collect();
        let has_gone_back = match self.enter(platform, sql, calls).await {
            Ok(has_gone_back) => has_gone_back,
            Err(error) => return failed(&error),
        };
        self.dispatcher.begin_calls();
        let decided = handle::handle(
            sql,
            platform.now_ms(),
            calls,
            &self.dispatcher,
            &MasterKey::of(platform),
        );
        // Of calls that travel together, one may have been written before the chunks of the others were claimed.
        if calls.len() > 1 || !self.dispatcher.has_claimed_all() {
            self.dispatcher.expect_due();
        }
        let mut answers = Vec::with_capacity(decided.len());
        for (decided, call) in decided.into_iter().zip(calls) {
            answers.push(match decided {
                Ok(Answered {
                    reply,
                    wake: After::Wake(wake),
                }) => Ok(Answered { reply, wake }),
                Ok(Answered {
                    reply,
                    wake: After::LookAgain,
                }) => {
                    self.dispatcher.look_again();
                    Ok(Answered { reply, wake: Wake::Now })
                }
                Ok(Answered {
                    wake: After::GoBack, ..
                }) => {
                    let answered = self.go_back(platform, sql, call.as_ref()).await;
                    if let (Err(error), true) = (&answered, self.session.is_over()) {
                        return failed(error);
                    }
                    answered
                }
                Err(error) => Err(error),
            });
        }
        if has_gone_back {
            for answered in answers.iter_mut().flatten() {
                answered.wake = answered.wake.or_at(platform.now_ms());
            }
        }
        answers
    }

    /// Asks whether the object may work, for calls. A call names the object, which may be new.
    async fn enter<P: Platform, S: Sql>(
        &self,
        platform: &P,
        sql: &S,
        calls: &[impl AsRef<str>],
    ) -> Result<bool, PortError> {
        if self.session.is_open() {
            return Ok(false);
        }
        match calls.iter().find_map(|call| Call::read(call.as_ref()).ok()) {
            Some(call) => self.session.enter(platform, sql, &call.to).await,
            None => Ok(false),
        }
    }

    /// Goes back in time, as a call asks. The answer, if there is one, is a refusal.
    async fn go_back<P: Platform, S: Sql>(&self, platform: &P, sql: &S, call: &str) -> Result<Answered, PortError> {
        let call = Call::read(call)?;
        let asked: Restore = call.body()?;
        // What waits for the log is not in the storage any more afterwards.
        for _ in 0..GOES {
            self.tell_audit_log(platform, sql).await?;
        }
        let refusal = self
            .session
            .go_back(platform, sql, &call.to, &asked, call.audit.as_ref());
        let reply: Reply<()> = Reply {
            limit: None,
            outcome: Err::<(), Refusal>(refusal.await?),
        };
        Ok(Answered {
            reply: to_json(&reply)?,
            wake: Wake::Never,
        })
    }
}

/// Hands the events and the status callbacks of a batch over. If the second fails, the first are recognised when they come again.
async fn hand_over(
    platform: &impl Platform,
    account: &str,
    batch: &Batch,
    sandboxes: &[String],
) -> Result<(), PortError> {
    let refused = |refusal| PortError::unavailable("webhook", format!("refused events: {refusal:?}"));
    let events = TakeEvents(batch.events(account, sandboxes)?);
    if !events.0.is_empty() {
        ask_in_time(platform, account, &events).await?.map_err(refused)?;
    }
    let callbacks = TakeCallbacks(batch.callbacks(account)?);
    if !callbacks.0.is_empty() {
        ask_in_time(platform, account, &callbacks).await?.map_err(refused)?;
    }
    Ok(())
}

/// Goes on while there is more to do, for some goes.
fn go_on(mut go: impl FnMut() -> Result<bool, PortError>) -> Result<(), PortError> {
    for _ in 0..GOES {
        if !go()? {
            break;
        }
    }
    Ok(())
}

/// How long messages are kept, ms.
fn kept_ms(platform: &impl Platform) -> Result<i64, PortError> {
    let config = Config::read(|name| platform.setting(name)).map_err(|error| PortError::failed("settings", error))?;
    Ok(config.retention_days.saturating_mul(DAY_MS))
}

/// Erases the record of a key from KV. An imported key may have been imported again: then the record belongs to the newer key.
async fn erase_record(platform: &impl Platform, id: &str, digest: &str) -> Result<(), PortError> {
    let Some(record) = platform.key(digest).await? else {
        return Ok(());
    };
    let is_newer = serde_json::from_str(&record).is_ok_and(|record: KeyRecord| record.key != id);
    if is_newer {
        Ok(())
    } else {
        platform.delete_key(digest).await
    }
}

impl Object for AccountObject {
    fn open(sql: &impl Sql) -> Result<(), PortError> {
        schema::open(sql)
    }

    async fn answer<P: Platform, S: Sql>(&self, platform: &P, sql: &S, call: &str) -> Result<Answered, PortError> {
        let mut answers = self.answer_calls(platform, &self.remembering(sql), &[call]).await;
        answers.pop().unwrap_or_else(|| Err(handle::unanswered()))
    }

    async fn answer_all<P: Platform, S: Sql>(
        &self,
        platform: &P,
        sql: &S,
        calls: &[String],
    ) -> Vec<Result<Answered, PortError>> {
        self.answer_calls(platform, &self.remembering(sql), calls).await
    }

    fn wants_urgent(&self, _: i64) -> bool {
        self.has_ready.get() || self.dispatcher.has_claims()
    }

    async fn urgent<P: Platform, S: Sql>(&self, platform: &P, sql: &S) -> Result<bool, PortError> {
        if !self.session.is_open() {
            return Ok(false);
        }
        if self.has_ready.replace(false) {
            self.dispatcher.expect_due();
        }
        let done = self.dispatcher.run(platform, &self.remembering(sql)).await;
        self.note(
            platform,
            DISPATCH,
            done.as_ref().map(drop).map_err(|error| error.to_string()),
        );
        done
    }

    /// What became of recipients is to be told: to the directory, and to who asks for events.
    fn due_after_urgent_ms(&self, now_ms: i64) -> Option<i64> {
        self.dispatcher
            .take_noted()
            .then(|| now_ms.saturating_add(MIRROR_DELAY_MS))
    }

    async fn chores<P: Platform, S: Sql>(&self, platform: &P, sql: &S) -> Result<(), PortError> {
        let sql = &self.remembering(sql);
        let last_ms = platform.now_ms().saturating_add(CHORES_MS);
        if !self.session.is_open()
            && let Some(account) = Account::stored(sql)?
        {
            let entered = self.session.enter(platform, sql, &account.id);
            in_time(platform, "session", CHORE_MS, entered).await?;
        }
        // The first, because a claim whose lease has ended is in doubt.
        self.dispatcher.unnoted.note_again(platform, sql);
        self.do_chores(platform, sql, last_ms).await;
        // An alarm that waited for carriers would keep the next one from ringing: this is done beside it.
        let is_due = self.is_due(DISPATCH, self.dispatcher.next_due_ms(sql), platform.now_ms());
        self.has_ready.set(is_due.unwrap_or(true));
        let account = || Ok(Account::stored(sql)?.map(|account| account.id.clone()));
        self.storage.look(platform, sql, "account", account)
    }

    fn next_due_ms(&self, sql: &impl Sql, now_ms: i64) -> Result<Option<i64>, PortError> {
        let sql = &self.remembering(sql);
        let ready_ms = self
            .dispatcher
            .next_due_ms(sql)?
            .map(|due_ms| due_ms.max(self.retry_ms(DISPATCH)));
        // A chunk that is due may wait for a call that is under way, or for the directory. The run that waits for this hands it
        // over afterwards.
        let earliest_ms = if self.dispatcher.is_under_way(now_ms) || self.dispatcher.is_looking(now_ms) {
            now_ms.saturating_add(WATCH_MS)
        } else if self.has_ready.get() {
            // The run that the last alarm has asked for may not have begun yet.
            now_ms.saturating_add(START_MS)
        } else {
            0
        };
        let ready_ms = ready_ms.map(|due_ms| due_ms.max(earliest_ms));
        let claimed_ms = self.dispatcher.has_claims().then(|| now_ms.saturating_add(START_MS));
        let due = [
            self.chores_due_ms(sql, now_ms)?,
            ready_ms,
            claimed_ms,
            self.dispatcher.unnoted.due_ms(),
        ];
        let due_ms = due.into_iter().flatten().min();
        Ok(due_ms.map(|due_ms| due_ms.max(self.session.not_before_ms())))
    }

    fn stand_still(&self) {
        self.dispatcher.stand_still();
    }

    fn begin_invocation(&self) {
        self.dispatcher.begin_invocation();
    }

    fn forget(&self) {
        self.memory.forget();
    }
}
