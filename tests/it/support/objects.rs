//! The objects of a world: their storage, their memory, their alarms and their urgent work.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::rc::Rc;

use peyk::account::record::account_row::Account as Stored;
use peyk::account::unit_of_work;
use peyk::base::ports::{Platform, PortError, Row};
use peyk::carrier::kind::Kind;
use peyk::durable::{Object, failure_line, movable::Movable};
use peyk::objects::{AccountObject, CarrierObject, WebhookObject};
use peyk::{account, carrier, webhook};

use super::client::Account;
use super::faults::{Lives, for_steps};
use super::running::while_awake;
use super::sqlite::{Own, Sqlite};
use super::template::copy_of;
use super::world::World;

/// When the runtime's shell rings an alarm again that failed, ms.
const ALARM_RETRY_MS: i64 = 5_000;
/// When the shell lets the alarm look after urgent work that a call has started, ms.
pub const LOOK_AFTER_MS: i64 = 1_000;

/// Class and name of an object.
pub type ObjectName = (&'static str, String);

/// An object: its storage, and what it holds in memory until the process is killed.
pub struct Instance {
    pub sql: Rc<Sqlite>,
    pub memory: RefCell<Rc<Memory>>,
    pub lives: Lives,
    /// Before this time, the runtime rings no alarm again that has failed, ms.
    retry_ms: Cell<i64>,
}

pub enum Memory {
    Account(Box<Movable<AccountObject>>),
    Carrier(Movable<CarrierObject>),
    Webhook(Movable<WebhookObject>),
}

impl Memory {
    pub fn new(class: &str) -> Rc<Memory> {
        Rc::new(match class {
            account::request::CLASS => Memory::Account(Box::default()),
            webhook::request::CLASS => Memory::Webhook(Movable::default()),
            _ => Memory::Carrier(Movable::default()),
        })
    }
}

impl Instance {
    /// The storage for the object, which forgets what it remembers if a test has written there.
    pub fn own(&self) -> Own<'_> {
        if self.sql.is_foreign.take() {
            match &**self.memory.borrow() {
                Memory::Account(object) => object.forget(),
                Memory::Carrier(object) => object.forget(),
                Memory::Webhook(object) => object.forget(),
            }
        }
        Own(&self.sql)
    }

    /// What an alarm does, unless the object is dropped meanwhile. One that failed rings again some seconds later.
    pub async fn chores(&self, world: &World) -> Result<(), PortError> {
        let done = self.lives.run(self.do_chores(world)).await.unwrap_or(Ok(()));
        if done.is_err() {
            self.retry_ms.set(world.now_ms.get() + ALARM_RETRY_MS);
        }
        done
    }

    async fn do_chores(&self, world: &World) -> Result<(), PortError> {
        let memory = Rc::clone(&self.memory.borrow());
        match &*memory {
            Memory::Account(object) => {
                object.begin_invocation();
                object.chores(world, &self.own()).await
            }
            Memory::Carrier(object) => object.chores(world, &self.own()).await,
            Memory::Webhook(object) => {
                object.begin_invocation();
                object.chores(world, &self.own()).await
            }
        }
    }

    /// Does urgent work, unless the object is dropped meanwhile; whether there is more.
    pub async fn urgent(&self, world: &World) -> Result<bool, PortError> {
        self.lives.run(self.do_urgent(world)).await.unwrap_or(Ok(false))
    }

    async fn do_urgent(&self, world: &World) -> Result<bool, PortError> {
        let memory = Rc::clone(&self.memory.borrow());
        match &*memory {
            Memory::Account(object) => object.urgent(world, &self.own()).await,
            Memory::Carrier(object) => object.urgent(world, &self.own()).await,
            Memory::Webhook(object) => object.urgent(world, &self.own()).await,
        }
    }

    /// Whether it has urgent work that no call has started.
    pub fn wants_urgent(&self, now_ms: i64) -> bool {
        match &**self.memory.borrow() {
            Memory::Account(object) => object.wants_urgent(now_ms),
            Memory::Carrier(object) => object.wants_urgent(now_ms),
            Memory::Webhook(_) => false,
        }
    }

    /// When its alarm is to ring after urgent work, as the runtime's shell decides it.
    pub fn due_after_urgent_ms(&self, now_ms: i64, is_armed: bool) -> Option<i64> {
        let made_due_ms = match &**self.memory.borrow() {
            Memory::Account(object) => object.due_after_urgent_ms(now_ms),
            Memory::Carrier(object) => object.due_after_urgent_ms(now_ms),
            Memory::Webhook(object) => object.due_after_urgent_ms(now_ms),
        };
        if is_armed {
            made_due_ms
        } else {
            self.next_due_ms(now_ms)
        }
    }

    /// When its alarm is to ring. One that can't be told, because the storage is full, rings as one that has failed.
    pub fn next_due_ms(&self, now_ms: i64) -> Option<i64> {
        let due = match &**self.memory.borrow() {
            Memory::Account(object) => object.next_due_ms(&self.own(), now_ms),
            Memory::Carrier(object) => object.next_due_ms(&self.own(), now_ms),
            Memory::Webhook(object) => object.next_due_ms(&self.own(), now_ms),
        };
        let due = due.unwrap_or(Some(now_ms + ALARM_RETRY_MS));
        due.map(|due_ms| due_ms.max(self.retry_ms.get()))
    }
}

fn account_object(account: &str) -> ObjectName {
    (account::request::CLASS, account.to_owned())
}

fn carrier_object(carrier: &str, account: &str) -> ObjectName {
    (carrier::request::CLASS, format!("{carrier}/{account}"))
}

/// A query of `all_usage`, `all_key_usage` and `all_ledger`: the whole usage, also by sender, and the whole ledger, with what has gathered
/// in the account's row.
pub fn whole(query: &str) -> String {
    const ALL_USAGE: &str = "\
     SELECT day, line, carrier, test, sum(messages) messages, sum(recipients) recipients, sum(parts) parts, sum(cost) cost, \
       sum(returned) returned, sum(delivered) delivered, sum(undelivered) undelivered, sum(expired) expired, \
       sum(rejected) rejected, sum(unknown) unknown, sum(canceled) canceled, sum(version) version \
     FROM (SELECT day, line, carrier, test, messages, recipients, parts, cost, returned, delivered, undelivered, expired, \
             rejected, unknown, canceled, version FROM usage \
           UNION ALL SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> '$[4][0]', value ->> '$[4][1]', \
             value ->> '$[4][2]', value ->> '$[4][3]', value ->> '$[4][4]', value ->> '$[4][5]', value ->> '$[4][6]', \
             value ->> '$[4][7]', value ->> '$[4][8]', value ->> '$[4][9]', value ->> '$[4][10]', value ->> 5 \
           FROM account a CROSS JOIN json_each(a.usage)) GROUP BY 1, 2, 3, 4";
    const ALL_KEY_USAGE: &str = "\
     SELECT day, sender, test, sum(messages) messages, sum(recipients) recipients, sum(parts) parts, sum(cost) cost, sum(returned) returned \
     FROM (SELECT day, sender, test, messages, recipients, parts, cost, returned FROM key_usage \
           UNION ALL SELECT value ->> 0, value ->> 1, value ->> 2, value ->> '$[3][0]', value ->> '$[3][1]', value ->> '$[3][2]', \
             value ->> '$[3][3]', value ->> '$[3][4]' FROM account a CROSS JOIN json_each(a.key_usage)) GROUP BY 1, 2, 3";
    const ALL_LEDGER: &str = "\
     SELECT seq, at_ms, kind, amount, available, locked, message, note FROM ledger \
     UNION ALL SELECT a.ledger_seq - a.open_entries + 1 + e.key, e.value ->> 6, e.value ->> 0, e.value ->> 1, e.value ->> 2, \
       e.value ->> 3, e.value ->> 4, e.value ->> 5 FROM account a CROSS JOIN json_each('[' || a.open_page || ']') e";
    format!("WITH all_usage AS ({ALL_USAGE}), all_key_usage AS ({ALL_KEY_USAGE}), all_ledger AS ({ALL_LEDGER}) {query}")
}

/// The storage of an object that works for a carrier of a kind, without the object.
pub fn carrier_store(kind: Kind) -> Sqlite {
    let sql = Sqlite::new();
    CarrierObject::open(&sql).unwrap();
    kind.open(&sql, None).unwrap();
    sql
}

impl World {
    pub fn instance(&self, (class, name): &ObjectName) -> Rc<Instance> {
        let mut objects = self.objects.borrow_mut();
        let instance = objects.entry((class, name.clone())).or_insert_with(|| {
            let sql = match *class {
                _ if self.objects_are_bare.get() => Sqlite::new(),
                account::request::CLASS => copy_of(class, |sql| AccountObject::open(sql).unwrap()),
                webhook::request::CLASS => copy_of(class, |sql| WebhookObject::open(sql).unwrap()),
                _ => copy_of(class, |sql| CarrierObject::open(sql).unwrap()),
            };
            Rc::new(Instance {
                sql: Rc::new(sql),
                memory: RefCell::new(Memory::new(class)),
                lives: Lives::default(),
                retry_ms: Cell::new(0),
            })
        });
        Rc::clone(instance)
    }

    /// The storage of an account's object.
    pub fn sql(&self, account: &str) -> Rc<Sqlite> {
        Rc::clone(&self.instance(&account_object(account)).sql)
    }

    /// The rows that a query of the storage of an account's object answers.
    #[track_caller]
    pub fn rows(&self, account: &Account, query: &str) -> Vec<Row> {
        self.sql(&account.id).run(query)
    }

    /// The number that a query of the storage of an account's object answers.
    #[track_caller]
    pub fn number(&self, account: &Account, query: &str) -> i64 {
        self.sql(&account.id).number(query)
    }

    /// How many rows the storage of an account's object has: see [`Sqlite::count`].
    #[track_caller]
    pub fn count(&self, account: &Account, rows: &str) -> i64 {
        self.sql(&account.id).count(rows)
    }

    /// The row of an account.
    pub fn stored(&self, account: &Account) -> Rc<Stored> {
        Stored::stored(&*self.sql(&account.id)).unwrap().unwrap()
    }

    /// Writes what gathers in an account's row into the tables, as who reads these does.
    pub fn write_gathered(&self, account: &Account) {
        let sql = self.sql(&account.id);
        unit_of_work::run(&*sql, self.now_ms.get(), |work| work.write_gathered(&*sql)).unwrap();
    }

    /// The directory shows what an account's object has: its row, and its usage.
    #[track_caller]
    pub fn assert_mirrored(&self, account: &Account) {
        let stored = self.stored(account);
        let query = "SELECT available, locked, active, sending_enabled, mirror_version FROM account WHERE id = ?1";
        let mirror = &self.db.run_with(query, &[account.id.as_str().into()])[0];
        assert_eq!(mirror.int(0).unwrap(), stored.wallet.available);
        assert_eq!(mirror.int(1).unwrap(), stored.wallet.locked);
        assert_eq!(mirror.bool(2).unwrap(), stored.active);
        assert_eq!(mirror.bool(3).unwrap(), stored.sending_enabled);
        assert_eq!(mirror.int(4).unwrap(), stored.version);
        let usage = |table: &str| {
            format!(
                "SELECT coalesce(group_concat(json_array(day, line, carrier, test, messages, recipients, parts, \
                 cost, returned, delivered, undelivered, expired, rejected, unknown, canceled, version)), '') FROM {table}"
            )
        };
        let kept = self.rows(account, &whole(&usage("all_usage")));
        assert_eq!(self.db.run(&usage("usage")), kept, "the mirror of the usage");
    }

    /// The storage of an account's webhook object.
    pub fn webhook_sql(&self, account: &str) -> Rc<Sqlite> {
        Rc::clone(&self.instance(&(webhook::request::CLASS, account.to_owned())).sql)
    }

    /// The storage of an account's sandbox.
    pub fn sandbox_sql(&self, account: &str) -> Rc<Sqlite> {
        self.carrier_sql("sandbox", account)
    }

    /// The storage of the object that works for a carrier of kind `sandbox` and an account.
    pub fn carrier_sql(&self, carrier: &str, account: &str) -> Rc<Sqlite> {
        Rc::clone(&self.instance(&carrier_object(carrier, account)).sql)
    }

    /// The storage of an object that serves all accounts of a carrier.
    pub fn shared_carrier_sql(&self, name: &str) -> Rc<Sqlite> {
        Rc::clone(&self.instance(&(carrier::request::CLASS, name.to_owned())).sql)
    }

    /// Rings the alarm of an account's object.
    pub fn ring(&self, account: &str) {
        self.ring_object(&account_object(account));
    }

    /// Rings the alarm of the object that works for a carrier of kind `sandbox` and an account.
    pub fn ring_carrier(&self, carrier: &str, account: &str) {
        self.ring_object(&carrier_object(carrier, account));
    }

    fn ring_object(&self, name: &ObjectName) {
        let instance = self.instance(name);
        // A failed alarm is rung again: by the runtime there, by the caller here.
        self.drive(async { self.log_failure("alarm", instance.chores(self).await.err()) });
        let wants_urgent = match &**instance.memory.borrow() {
            Memory::Account(object) => object.wants_urgent(self.now_ms.get()),
            Memory::Carrier(_) | Memory::Webhook(_) => false,
        };
        if wants_urgent {
            self.urgent.borrow_mut().push(name.clone());
        }
    }

    /// Logs what failed in an object, as the shell of the runtime does.
    pub fn log_failure(&self, what: &str, error: Option<PortError>) {
        if let Some(error) = error {
            self.log(&failure_line(what, &error, None));
        }
    }

    /// Does the urgent work that calls have started; `false` when there is none.
    pub fn work(&self) -> bool {
        let names = std::mem::take(&mut *self.urgent.borrow_mut());
        for name in &names {
            let instance = self.instance(name);
            self.drive(async { self.log_failure("urgent", instance.urgent(self).await.err()) });
        }
        !names.is_empty()
    }

    /// Runs something to its end. When it waits for what never comes, the process is killed, or with `calls_hang` the runtime
    /// forgets the work without a word.
    fn drive<'a>(&'a self, work: impl Future<Output = ()> + 'a) {
        let steps = self.steps_left.take().unwrap_or(u32::MAX);
        let mut work = Box::pin(for_steps(steps, work));
        match while_awake(work.as_mut()) {
            Some(_) => {}
            None if self.calls_hang.get() => std::mem::forget(work),
            None => self.kill(),
        }
    }

    /// Kills the process: all that was in memory is gone.
    pub fn kill(&self) {
        self.kills.set(self.kills.get() + 1);
        self.urgent.borrow_mut().clear();
        for ((class, _), instance) in self.objects.borrow().iter() {
            instance.lose_memory(class);
        }
    }

    /// Lets everything run that is due within `ms`, and moves the clock with it.
    pub fn settle(&self, ms: i64) {
        let end_ms = self.now_ms.get() + ms;
        for _ in 0..100_000 {
            while self.work() {}
            let Some(due_ms) = self.next_due().filter(|due_ms| *due_ms <= end_ms) else {
                self.now_ms.set(end_ms);
                return;
            };
            self.now_ms.set(self.now_ms.get().max(due_ms));
            let names: Vec<ObjectName> = self.objects.borrow().keys().cloned().collect();
            for name in names {
                self.ring_object(&name);
            }
        }
        panic!("never at rest: {:?}", self.log.borrow().last());
    }

    fn next_due(&self) -> Option<i64> {
        let now_ms = self.now_ms.get();
        let objects = self.objects.borrow();
        let due = objects.values().filter_map(|instance| instance.next_due_ms(now_ms));
        due.min()
    }
}
