//! The platform of native tests: real SQLite under the real SQL and migrations, a clock that moves when told, and KV in
//! memory. Calls to objects can be made to fail before or after their effect, to come late, or never to return, as when the
//! process is killed.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::new_without_default,
    clippy::cast_possible_truncation,
    reason = "support for tests, of which each binary uses a part"
)]

pub mod conformity;
pub mod gateway;
pub mod history;
pub mod life;
pub mod network;
pub mod smpp;
pub mod smsc;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use peyk::account::{self, OPERATOR};
use peyk::api::http::app::App;
use peyk::api::http::{Body, BodyError, Head, Response};
use peyk::api::serve;
use peyk::auth::{self, KeyRecord, Mode, Scope};
use peyk::base::js_error::{self, Thrown};
use peyk::base::ports::{
    Db, IncomingResponse, MAX_INTEGER, OutgoingRequest, Platform, PortError, Row, Sql, Statement, Value,
};
use peyk::carrier;
use peyk::durable::{self, Answered, Object};
use peyk::objects::{AccountObject, CarrierObject, WebhookObject};
use peyk::webhook;
use rusqlite::Connection;
use rusqlite::types::{ToSqlOutput, ValueRef};
use serde_json::json;

/// The address by which the tests call the service, and whose pages explain its errors.
pub const DOCS: &str = "https://sms.example";

/// SQLite behind both SQL ports.
pub struct Sqlite {
    connection: Connection,
    /// Every statement that was run.
    statements: RefCell<BTreeSet<String>>,
    /// How many statements were run.
    pub runs: Cell<u64>,
    /// The steps that SQLite has taken for all statements: a measure of work that is the same on every machine.
    pub steps: Cell<i64>,
    /// The size that the storage says it has, in place of its own.
    pub claimed_bytes: Cell<Option<i64>>,
    /// How many more statements with this text fail.
    failing: RefCell<(String, u32)>,
    /// What the storage was like at its bookmarks.
    pub history: history::History,
}

struct Bound<'a>(&'a Value);

impl rusqlite::ToSql for Bound<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self.0 {
            Value::Null => ToSqlOutput::Borrowed(ValueRef::Null),
            // As the runtime binds them, JavaScript having only this kind of number: dividing by a parameter is no
            // division of integers.
            Value::Int(number) => ToSqlOutput::Borrowed(ValueRef::Real(*number as f64)),
            Value::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
        })
    }
}

impl Sqlite {
    pub fn new() -> Self {
        let connection = Connection::open_in_memory().unwrap();
        connection.set_prepared_statement_cache_capacity(256);
        Sqlite {
            connection,
            statements: RefCell::default(),
            runs: Cell::new(0),
            steps: Cell::new(0),
            claimed_bytes: Cell::new(None),
            failing: RefCell::default(),
            history: history::History::default(),
        }
    }

    /// Notes the storage as it is at a time, so that an object can go back to it.
    pub fn note_history(&self, at_ms: i64) -> String {
        self.history.note(&self.connection, at_ms)
    }

    /// Lets the next statements that contain this text fail.
    pub fn fail(&self, text: &str, times: u32) {
        self.failing.replace((text.to_owned(), times));
    }

    fn is_to_fail(&self, sql: &str) -> bool {
        let (text, times) = &mut *self.failing.borrow_mut();
        let fails = *times > 0 && sql.contains(text.as_str());
        *times -= u32::from(fails);
        fails
    }

    fn run(&self, sql: &str, params: &[Value]) -> rusqlite::Result<Vec<Row>> {
        if !self.statements.borrow().contains(sql) {
            self.statements.borrow_mut().insert(sql.to_owned());
        }
        self.runs.set(self.runs.get() + 1);
        let mut statement = self.connection.prepare_cached(sql)?;
        let width = statement.column_count();
        let mut rows = statement.query(rusqlite::params_from_iter(params.iter().map(Bound)))?;
        let mut answer = Vec::new();
        while let Some(row) = rows.next()? {
            let values = (0..width).map(|column| match row.get_ref(column).unwrap() {
                ValueRef::Null => Value::Null,
                ValueRef::Integer(number) => Value::Int(number),
                // A whole one is as good as an integer to JavaScript; any other is none that we could read.
                ValueRef::Real(number) if number.fract() == 0.0 => Value::Int(number as i64),
                ValueRef::Text(text) => Value::Text(String::from_utf8(text.to_vec()).unwrap()),
                other => panic!("a column of another type: {other:?}"),
            });
            answer.push(Row(values.collect()));
        }
        drop(rows);
        let steps = statement.reset_status(rusqlite::StatementStatus::VmStep);
        self.steps.set(self.steps.get() + i64::from(steps));
        Ok(answer)
    }
}

impl Sqlite {
    /// Every statement that was run.
    pub fn statements(&self) -> Vec<String> {
        self.statements.borrow().iter().cloned().collect()
    }

    /// The statements that were run and walk through all rows of a table, each with its plan.
    pub fn scans(&self) -> Vec<String> {
        let statements = self.statements.borrow().clone();
        let explain = |sql: &String| {
            let params = vec![Value::Text("[]".to_owned()); self.connection.prepare(sql).unwrap().parameter_count()];
            let mut statement = self.connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
            let steps = statement.query_map(rusqlite::params_from_iter(params.iter().map(Bound)), |row| row.get(3));
            steps.unwrap().map(Result::unwrap).collect::<Vec<String>>()
        };
        let is_scan = |step: &String| {
            step.starts_with("SCAN") && !step.contains("VIRTUAL TABLE") && !step.starts_with("SCAN ready")
        };
        let queries = statements
            .iter()
            .filter(|sql| !sql.starts_with("CREATE") && !sql.ends_with(" work"));
        let plans = queries.map(|sql| (sql, explain(sql)));
        plans
            .filter(|(_, steps)| steps.iter().any(is_scan))
            .map(|(sql, steps)| format!("{sql}\n  {}", steps.join("\n  ")))
            .collect()
    }
}

impl Sqlite {
    /// The statements that were run and walk through all rows of one of these tables.
    pub fn walks(&self, tables: &[&str]) -> Vec<String> {
        // The first rows of a table are read without walking through the others.
        let is_bounded = |scan: &str| scan.contains(" LIMIT ") && !scan.contains(" WHERE ");
        let mut scans = self.scans();
        scans.retain(|scan| !is_bounded(scan) && tables.iter().any(|table| scan.contains(&format!("SCAN {table}"))));
        scans
    }
}

impl Sql for Sqlite {
    fn exec(&self, sql: &str, params: &[Value]) -> Result<Vec<Row>, PortError> {
        if self.is_to_fail(sql) {
            return Err(PortError::unavailable("sql", "the storage does not answer"));
        }
        for param in params {
            if let Value::Int(number) = param
                && number.unsigned_abs() > MAX_INTEGER.unsigned_abs()
            {
                return Err(PortError::OutOfRange(*number));
            }
        }
        self.run(sql, params).map_err(|error| PortError::failed("sql", error))
    }

    fn transaction<T>(&self, work: impl FnOnce() -> Result<T, PortError>) -> Result<T, PortError> {
        self.exec("SAVEPOINT work", &[])?;
        let result = work();
        let end = if result.is_ok() {
            "RELEASE work"
        } else {
            "ROLLBACK TO work"
        };
        self.exec(end, &[])?;
        if result.is_err() {
            self.exec("RELEASE work", &[])?;
        }
        result
    }

    fn size_bytes(&self) -> Result<i64, PortError> {
        let size = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";
        let own = || self.connection.query_row(size, [], |row| row.get(0)).unwrap();
        Ok(self.claimed_bytes.get().unwrap_or_else(own))
    }

    async fn bookmark(&self, at_ms: Option<i64>) -> Result<String, PortError> {
        self.history.bookmark(&self.connection, at_ms)
    }

    async fn go_back(&self, bookmark: &str) -> PortError {
        self.history.go_back(&self.connection, bookmark)
    }
}

/// The directory, which fails when the world says so.
pub struct Directory {
    sqlite: Sqlite,
    is_down: Rc<Cell<bool>>,
    outage_words: Rc<RefCell<String>>,
    /// Looks at each batch before it runs, and may change the directory or let the batch fail.
    watcher: RefCell<Option<Box<Watcher>>>,
    /// Whether each batch lets others run first. So requests that run together mingle.
    pub yields: Cell<bool>,
    /// How many bytes the texts of one batch's answers had at most, and those of all batches together.
    pub answered: Cell<(usize, usize)>,
}

type Watcher = dyn FnMut(&Sqlite, &[Statement]) -> Result<(), PortError>;

impl Directory {
    /// Lets `watcher` look at each batch from now on.
    pub fn watch(&self, watcher: impl FnMut(&Sqlite, &[Statement]) -> Result<(), PortError> + 'static) {
        self.watcher.replace(Some(Box::new(watcher)));
    }

    /// Ends [`Directory::watch`].
    pub fn unwatch(&self) {
        self.watcher.replace(None);
    }

    fn note_answers(&self, answers: &[Vec<Row>]) {
        let values = answers.iter().flatten().flat_map(|Row(values)| values);
        let bytes = values.map(|value| match value {
            Value::Text(text) => text.len(),
            Value::Null | Value::Int(_) => 8,
        });
        let (bytes, (most, all)) = (bytes.sum::<usize>(), self.answered.get());
        self.answered.set((most.max(bytes), all + bytes));
    }
}

impl std::ops::Deref for Directory {
    type Target = Sqlite;

    fn deref(&self) -> &Sqlite {
        &self.sqlite
    }
}

impl Db for Directory {
    async fn batch(&self, statements: Vec<Statement>) -> Result<Vec<Vec<Row>>, PortError> {
        if self.is_down.get() {
            return Err(PortError::unavailable("d1", self.outage_words.borrow()));
        }
        if self.yields.get() {
            let mut has_yielded = false;
            std::future::poll_fn(|context| match std::mem::replace(&mut has_yielded, true) {
                true => Poll::Ready(()),
                false => {
                    context.waker().wake_by_ref();
                    Poll::Pending
                }
            })
            .await;
        }
        if let Some(watcher) = &mut *self.watcher.borrow_mut() {
            watcher(&self.sqlite, &statements)?;
        }
        let answers = self.sqlite.batch(statements).await?;
        self.note_answers(&answers);
        Ok(answers)
    }
}

impl Db for Sqlite {
    async fn batch(&self, statements: Vec<Statement>) -> Result<Vec<Vec<Row>>, PortError> {
        self.transaction(|| {
            statements
                .iter()
                .map(|statement| self.exec(statement.sql, &statement.params))
                .collect()
        })
    }
}

/// A small generator, enough to make choices that a seed repeats.
pub struct Dice(Cell<u64>);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Dice(Cell::new(seed.wrapping_mul(2).wrapping_add(1)))
    }

    pub fn below(&self, bound: u64) -> u64 {
        let mut state = self.0.get();
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        self.0.set(state);
        (state >> 11) % bound.max(1)
    }
}

pub struct World {
    pub db: Directory,
    pub app: App,
    pub now_ms: Cell<i64>,
    pub dice: Dice,
    pub keys: RefCell<HashMap<String, String>>,
    /// The settings that the objects read.
    pub settings: RefCell<HashMap<&'static str, String>>,
    /// What KV was asked for, in order: `get`, `put` or `delete`, and the digest.
    pub kv_calls: RefCell<Vec<(&'static str, String)>>,
    objects: RefCell<BTreeMap<ObjectName, Rc<Instance>>>,
    /// Objects with urgent work that has not run yet.
    urgent: RefCell<Vec<ObjectName>>,
    /// Calls that are still on their way, although nobody waits for their answer any more.
    late: RefCell<Vec<(ObjectName, String)>>,
    pub log: RefCell<Vec<String>>,
    /// Sockets and timers.
    pub network: network::Network,
    /// How many calls objects got.
    pub calls: Cell<u64>,
    /// One in how many calls to a port goes wrong; 0 for none.
    pub chaos: Cell<u64>,
    /// How often a run of an object was killed.
    pub kills: Cell<u64>,
    /// Whether every call to a carrier's object fails.
    pub carriers_are_down: Cell<bool>,
    /// Whether calls to an account's object that are made at the same time travel together, as in the runtime.
    pub calls_travel: Cell<bool>,
    travelling: RefCell<Vec<Travelling>>,
    /// Whether calls to carriers' objects never return, in a process that lives on.
    pub calls_hang: Cell<bool>,
    /// Whether the directory fails.
    pub directory_is_down: Rc<Cell<bool>>,
    /// What happens just before the next calls that ask an account's object about a message, one for each.
    pub before_asking: RefCell<VecDeque<Interruption>>,
    /// Whether KV fails.
    pub keys_are_down: Cell<bool>,
    /// What the platform says when a port fails.
    pub outage_words: Rc<RefCell<String>>,
    /// How many more calls with delivery reports fail, in turn before and after they had their effect.
    pub failing_reports: Cell<u32>,
    /// Whether all calls with delivery reports fail before they have their effect.
    pub reports_are_lost: Cell<bool>,
    /// How long an account's object takes to answer reports and messages from phones, ms.
    pub accounts_take_ms: Cell<i64>,
    /// What becomes of the next calls with messages from phones. Further ones pass.
    pub receives: RefCell<VecDeque<Fate>>,
    /// When calls with delivery reports were made.
    pub report_times_ms: RefCell<Vec<i64>>,
    /// Answers the requests that the service makes.
    pub gateway: Rc<gateway::Gateway>,
    /// Calls with this request fail before they have their effect.
    pub failing_request: Cell<Option<&'static str>>,
    /// Calls with this request never return.
    pub hanging_request: Cell<Option<&'static str>>,
    /// Who answers HTTP requests of the service. Without one, nobody is there.
    pub receiver: RefCell<Option<Box<Receiver>>>,
    pub admin_key: String,
    /// Whether a request that the service accepts must be one that `openapi.json` allows.
    pub holds_requests: Cell<bool>,
}

/// Answers an HTTP request; `None` if the process is killed before the answer comes.
pub type Receiver = dyn FnMut(&OutgoingRequest) -> Option<Result<IncomingResponse, PortError>>;

/// Something that happens in between.
pub type Interruption = Box<dyn FnOnce(&World)>;

/// Class and name of an object.
type ObjectName = (&'static str, String);

/// An object: its storage, and what it holds in memory until the process is killed.
/// A call that waits for others, and where its answer comes.
type Travelling = (ObjectName, String, Rc<RefCell<Option<Result<String, PortError>>>>);

struct Instance {
    sql: Rc<Sqlite>,
    memory: RefCell<Rc<Memory>>,
}

enum Memory {
    Account(Box<AccountObject>),
    Carrier(CarrierObject),
    Webhook(WebhookObject),
}

impl Memory {
    fn new(class: &str) -> Rc<Memory> {
        Rc::new(match class {
            account::request::CLASS => Memory::Account(Box::default()),
            webhook::request::CLASS => Memory::Webhook(WebhookObject::default()),
            _ => Memory::Carrier(CarrierObject::default()),
        })
    }
}

/// What becomes of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    Passes,
    FailsBefore,
    FailsAfter,
}

/// How a call goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mishap {
    FailsBefore,
    FailsAfter,
    ComesLate,
    IsKilledBefore,
    IsKilledAfter,
    IsKilledAndComesLate,
}

struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Thursday 2026-01-01 noon.
const START_MS: i64 = 1_767_268_800_000;

/// The id of the operator key that every world begins with. It is in KV only, as the script leaves it.
pub const OPERATOR_KEY_ID: &str = "019b796d-0000-7000-8000-00000000000a";

impl World {
    pub fn new() -> Self {
        let directory_is_down = Rc::new(Cell::new(false));
        let outage_words = Rc::new(RefCell::new("down".to_owned()));
        let world = World {
            db: Directory {
                sqlite: Sqlite::new(),
                is_down: Rc::clone(&directory_is_down),
                watcher: RefCell::default(),
                yields: Cell::new(false),
                answered: Cell::default(),
                outage_words: Rc::clone(&outage_words),
            },
            app: App::default(),
            now_ms: Cell::new(START_MS),
            dice: Dice::new(42),
            keys: RefCell::default(),
            settings: RefCell::default(),
            kv_calls: RefCell::default(),
            objects: RefCell::default(),
            urgent: RefCell::default(),
            late: RefCell::default(),
            log: RefCell::default(),
            network: network::Network::default(),
            calls: Cell::new(0),
            chaos: Cell::new(0),
            kills: Cell::new(0),
            carriers_are_down: Cell::new(false),
            calls_travel: Cell::new(false),
            travelling: RefCell::default(),
            calls_hang: Cell::new(false),
            directory_is_down: Rc::clone(&directory_is_down),
            before_asking: RefCell::default(),
            keys_are_down: Cell::new(false),
            outage_words,
            failing_reports: Cell::new(0),
            reports_are_lost: Cell::new(false),
            accounts_take_ms: Cell::new(0),
            receives: RefCell::default(),
            report_times_ms: RefCell::default(),
            gateway: Rc::default(),
            failing_request: Cell::new(None),
            hanging_request: Cell::new(None),
            receiver: RefCell::default(),
            admin_key: auth::mint(Mode::Live, |bytes| bytes.fill(7)),
            holds_requests: Cell::new(true),
        };
        let migrations = concat!(env!("CARGO_MANIFEST_DIR"), "/migrations");
        let mut files: Vec<_> = std::fs::read_dir(migrations)
            .unwrap()
            .map(|file| file.unwrap().path())
            .collect();
        files.sort();
        for file in files {
            world
                .db
                .connection
                .execute_batch(&std::fs::read_to_string(file).unwrap())
                .unwrap();
        }
        let record = KeyRecord {
            v: 1,
            account: OPERATOR.to_owned(),
            key: OPERATOR_KEY_ID.to_owned(),
            scopes: vec![Scope::Admin],
            mode: Mode::Live,
            lines: None,
            expires_at: None,
            bootstrapped_at: Some(START_MS),
        };
        let record = serde_json::to_string(&record).unwrap();
        world.keys.borrow_mut().insert(auth::digest(&world.admin_key), record);
        world
    }

    /// A world with a shared line `10001`, a plan at 1,000 a part, and an account with this much money.
    pub fn with_account(money: i64) -> (World, Account) {
        let world = World::new();
        let line =
            json!({"number": "10001", "carrier": "sandbox", "operations": ["WEBSERVICE", "PATTERN"], "shared": true});
        world.admin("POST", "/admin/lines", line).expect(201);
        let account = world.account("shop", money);
        (world, account)
    }

    /// As [`World::with_account`], with a rate limit that no test reaches.
    pub fn with_busy_account(money: i64) -> (World, Account) {
        let (world, account) = World::with_account(money);
        let limit = json!({"rateLimit": {"limit": 1_000_000, "windowSeconds": 1, "burst": 10_000}});
        let path = format!("/admin/accounts/{}", account.id);
        world.admin("PATCH", &path, limit).expect(200);
        (world, account)
    }

    pub fn account(&self, username: &str, money: i64) -> Account {
        let body = json!({"username": username, "fullName": "A Shop"});
        let id = self.admin("POST", "/admin/accounts", body).expect(201).text("/data/id");
        let path = format!("/admin/accounts/{id}");
        self.admin("PATCH", &path, json!({"defaultLine": "10001"})).expect(200);
        if money > 0 {
            self.admin(
                "POST",
                &format!("{path}/credit"),
                json!({"amount": money, "note": "start"}),
            )
            .expect(201);
        }
        let issued = self
            .admin("POST", &format!("{path}/keys"), json!({"title": "main"}))
            .expect(201);
        Account {
            id,
            key: issued.text("/data/key"),
            key_id: issued.text("/data/id"),
        }
    }

    pub fn admin(&self, method: &str, path: &str, body: serde_json::Value) -> Answer {
        self.request(method, path).key(&self.admin_key).json(body).send()
    }

    /// What KV was asked about a key, in order.
    pub fn kv_calls_for(&self, key: &str) -> Vec<&'static str> {
        let digest = auth::digest(key);
        let calls = self.kv_calls.borrow();
        let own = calls.iter().filter(|(_, asked)| *asked == digest);
        own.map(|(call, _)| *call).collect()
    }

    pub fn get(&self, key: &str, path: &str) -> Answer {
        self.request("GET", path).key(key).send()
    }

    pub fn send(&self, key: &str, recipients: &[&str]) -> Answer {
        let body = json!({"message": "hello", "recipients": recipients});
        self.request("POST", "/sms/send").key(key).json(body).send()
    }

    pub fn post(&self, key: &str, path: &str, body: serde_json::Value) -> Answer {
        self.request("POST", path).key(key).json(body).send()
    }

    /// A phonebook with these numbers: its id.
    pub fn phonebook(&self, key: &str, title: &str, numbers: serde_json::Value) -> String {
        let made = self.post(key, "/phonebook", json!({"title": title})).expect(201);
        let id = made.text("/data/id");
        let numbers = json!({"numbers": numbers});
        self.post(key, &format!("/phonebook/number/{id}"), numbers).expect(201);
        id
    }

    /// A pattern whose version 1 is active.
    pub fn active_pattern(&self, key: &str, pattern: serde_json::Value) {
        let made = self.post(key, "/pattern", pattern).expect(201);
        let path = format!("/pattern/{}/versions/1/activate", made.text("/data/slug"));
        self.post(key, &path, json!({})).expect(200);
    }

    /// The available and the locked balance.
    pub fn balance(&self, key: &str) -> (i64, i64) {
        let info = self.get(key, "/account/info").expect(200);
        (
            info.int("/data/wallet/availableBalance"),
            info.int("/data/wallet/lockedBalance"),
        )
    }

    /// Nothing was written for an account but its credit.
    #[track_caller]
    pub fn assert_untouched(&self, account: &Account, money: i64) {
        assert_eq!(self.balance(&account.key), (money, 0));
        let sql = self.sql(&account.id);
        for table in [
            "message",
            "recipient",
            "recipient_text",
            "chunk",
            "source",
            "idempotency",
        ] {
            let rows = sql.exec(&format!("SELECT count(*) FROM {table}"), &[]).unwrap();
            assert_eq!(rows[0].int(0).unwrap(), 0, "{table}");
        }
    }

    /// What the sandbox was to send for an account: `(number, text)`.
    pub fn handed(&self, account: &str) -> Vec<(String, String)> {
        let mut items = Vec::new();
        for item in self.sandbox_items(account) {
            let text = |name: &str| item[name].as_str().unwrap().to_owned();
            items.push((text("recipient"), text("message")));
        }
        items
    }

    /// All that the sandbox lists for an account.
    fn sandbox_items(&self, account: &str) -> Vec<serde_json::Value> {
        let mut items = Vec::new();
        let first = format!("/admin/accounts/{account}/sandbox?limit=200");
        let mut path = first.clone();
        loop {
            let page = self.get(&self.admin_key, &path).expect(200);
            items.extend(page.json["data"].as_array().unwrap().iter().cloned());
            match page.json["meta"]["nextCursor"].as_str() {
                Some(cursor) => path = format!("{first}&cursor={cursor}"),
                None => return items,
            }
        }
    }

    pub fn request<'a>(&'a self, method: &str, path: &str) -> Request<'a> {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let head = Head {
            method: method.to_owned(),
            path: path.to_owned(),
            query: query.to_owned(),
            origin: DOCS.to_owned(),
            ..Head::default()
        };
        Request {
            world: self,
            head,
            body: Vec::new(),
        }
    }

    pub fn advance(&self, ms: i64) {
        self.now_ms.set(self.now_ms.get() + ms);
    }

    fn instance(&self, (class, name): &ObjectName) -> Rc<Instance> {
        let mut objects = self.objects.borrow_mut();
        let instance = objects.entry((class, name.clone())).or_insert_with(|| {
            let sql = Sqlite::new();
            match *class {
                account::request::CLASS => AccountObject::open(&sql).unwrap(),
                webhook::request::CLASS => WebhookObject::open(&sql).unwrap(),
                _ => CarrierObject::open(&sql).unwrap(),
            }
            Rc::new(Instance {
                sql: Rc::new(sql),
                memory: RefCell::new(Memory::new(class)),
            })
        });
        Rc::clone(instance)
    }

    /// The storage of an account's object.
    pub fn sql(&self, account: &str) -> Rc<Sqlite> {
        Rc::clone(&self.instance(&account_object(account)).sql)
    }

    /// The storage of an account's webhook object.
    pub fn webhook_sql(&self, account: &str) -> Rc<Sqlite> {
        Rc::clone(&self.instance(&(webhook::request::CLASS, account.to_owned())).sql)
    }

    /// Lets this receiver answer HTTP requests of the service.
    pub fn receive(
        &self,
        receiver: impl FnMut(&OutgoingRequest) -> Option<Result<IncomingResponse, PortError>> + 'static,
    ) {
        self.receiver.replace(Some(Box::new(receiver)));
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

    /// Adds carriers of kind `sandbox` to the directory.
    pub fn add_sandboxes(&self, names: &[&str], settings: &str) {
        for name in names {
            let params = [(*name).into(), settings.into()];
            let insert = "INSERT INTO carrier (name, kind, settings, created_ms) VALUES (?1, 'sandbox', ?2, 0)";
            Sql::exec(&*self.db, insert, &params).unwrap();
        }
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
        let memory = Rc::clone(&instance.memory.borrow());
        // A failed alarm is rung again: by the runtime there, by the caller here.
        self.drive(async {
            let done = match &*memory {
                Memory::Account(object) => {
                    object.begin_invocation();
                    object.chores(self, &*instance.sql).await
                }
                Memory::Carrier(object) => object.chores(self, &*instance.sql).await,
                Memory::Webhook(object) => {
                    object.begin_invocation();
                    object.chores(self, &*instance.sql).await
                }
            };
            self.log_failure("alarm", done.err());
        });
        let wants_urgent = match &**instance.memory.borrow() {
            Memory::Account(object) => object.wants_urgent(self.now_ms.get()),
            Memory::Carrier(_) | Memory::Webhook(_) => false,
        };
        if wants_urgent {
            self.urgent.borrow_mut().push(name.clone());
        }
    }

    /// Logs what failed in an object, as the shell of the runtime does.
    fn log_failure(&self, what: &str, error: Option<PortError>) {
        if let Some(error) = error {
            let line = json!({"level": "error", "event": "object", "what": what, "cause": error.to_string()});
            self.log(&line.to_string());
        }
    }

    /// Does the urgent work that calls have started; `false` when there is none.
    pub fn work(&self) -> bool {
        let names = std::mem::take(&mut *self.urgent.borrow_mut());
        for name in &names {
            let instance = self.instance(name);
            let memory = Rc::clone(&instance.memory.borrow());
            self.drive(async {
                let done = match &*memory {
                    Memory::Account(object) => object.urgent(self, &*instance.sql).await,
                    Memory::Carrier(object) => object.urgent(self, &*instance.sql).await,
                    Memory::Webhook(object) => object.urgent(self, &*instance.sql).await,
                };
                self.log_failure("urgent", done.err());
            });
        }
        !names.is_empty()
    }

    /// Runs something to its end. When it waits for what never comes, the process is killed, or with `calls_hang` the runtime
    /// forgets the work without a word.
    fn drive<'a>(&'a self, work: impl Future<Output = ()> + 'a) {
        let mut work = Box::pin(work);
        let woken = Arc::new(Woken(AtomicBool::new(true)));
        let waker = Waker::from(Arc::clone(&woken));
        while woken.0.swap(false, Ordering::Relaxed) {
            if work.as_mut().poll(&mut Context::from_waker(&waker)) == Poll::Ready(()) {
                return;
            }
        }
        match self.calls_hang.get() {
            true => std::mem::forget(work),
            false => self.kill(),
        }
    }

    /// Kills the process: all that was in memory is gone.
    pub fn kill(&self) {
        self.kills.set(self.kills.get() + 1);
        self.urgent.borrow_mut().clear();
        for ((class, _), instance) in self.objects.borrow().iter() {
            instance.memory.replace(Memory::new(class));
        }
    }

    /// Lets a call arrive whose answer nobody waits for any more; with `again`, it arrives once more later.
    pub fn deliver_late(&self, at: usize, again: bool) {
        let count = self.late.borrow().len();
        if count == 0 {
            return;
        }
        let (name, call) = self.late.borrow()[at % count].clone();
        if !again {
            self.late.borrow_mut().remove(at % count);
        }
        let _ = pollster::block_on(self.take_effect(&name, &call));
    }

    /// Lets everything run that is due within `ms`, and moves the clock with it.
    pub fn settle(&self, ms: i64) {
        let end_ms = self.now_ms.get() + ms;
        for _ in 0..100_000 {
            while self.work() {}
            let due = self.next_due().filter(|due_ms| *due_ms <= end_ms);
            let Some(due_ms) = due else {
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
        let due = objects
            .values()
            .filter_map(|instance| match &**instance.memory.borrow() {
                Memory::Account(object) => object.next_due_ms(&*instance.sql, now_ms).unwrap(),
                Memory::Carrier(object) => object.next_due_ms(&*instance.sql, now_ms).unwrap(),
                Memory::Webhook(object) => object.next_due_ms(&*instance.sql, now_ms).unwrap(),
            });
        due.min()
    }

    /// Everything the sandbox was handed for an account: `msisdn → (taken, refused)` by recipient uid.
    pub fn inbox(&self, account: &str) -> BTreeMap<String, (u64, u64)> {
        let count = |item: &serde_json::Value, name: &str| item[name].as_u64().unwrap();
        let items = self.sandbox_items(account).into_iter();
        items
            .map(|item| {
                let uid = item["uid"].as_str().unwrap().to_owned();
                (uid, (count(&item, "taken"), count(&item, "refused")))
            })
            .collect()
    }

    /// With chaos on, lets a call go wrong now and then. Only calls between objects are killed: a client always gets an answer.
    fn mishap(&self, call: &str) -> Option<Mishap> {
        let asks_for = |request| call.contains(&format!(r#""request":"{request}""#));
        if self.failing_request.get().is_some_and(asks_for) {
            return Some(Mishap::FailsBefore);
        }
        if self.hanging_request.get().is_some_and(asks_for) {
            return Some(Mishap::IsKilledBefore);
        }
        if self.carriers_are_down.get() && call.contains(r#""request":"Submit""#) {
            return Some(Mishap::FailsBefore);
        }
        if call.contains(r#""request":"Receive""#) {
            match self.receives.borrow_mut().pop_front() {
                Some(Fate::FailsBefore) => return Some(Mishap::FailsBefore),
                Some(Fate::FailsAfter) => return Some(Mishap::FailsAfter),
                Some(Fate::Passes) | None => {}
            }
        }
        if call.contains(r#""request":"Deliver""#) {
            self.report_times_ms.borrow_mut().push(self.now_ms.get());
            if self.reports_are_lost.get() {
                return Some(Mishap::FailsBefore);
            }
            let left = self.failing_reports.get();
            if left > 0 {
                self.failing_reports.set(left - 1);
                return Some(if left.is_multiple_of(2) {
                    Mishap::FailsBefore
                } else {
                    Mishap::FailsAfter
                });
            }
        }
        if self.calls_hang.get() && call.contains(r#""request":"Submit""#) {
            return Some(Mishap::IsKilledBefore);
        }
        let odds = self.chaos.get();
        if odds == 0 || self.dice.below(odds) > 0 {
            return None;
        }
        let between_objects = ["Submit", "Deliver", "TakeEvents"];
        let between_objects = between_objects.map(|request| call.contains(&format!(r#""request":"{request}""#)));
        let between_objects = between_objects.contains(&true);
        Some(match self.dice.below(if between_objects { 6 } else { 2 }) {
            0 => Mishap::FailsBefore,
            1 => Mishap::FailsAfter,
            2 => Mishap::ComesLate,
            3 => Mishap::IsKilledBefore,
            4 => Mishap::IsKilledAfter,
            _ => Mishap::IsKilledAndComesLate,
        })
    }

    /// Lets a call have its effect on an object.
    fn take_effect<'a>(
        &'a self,
        name: &'a ObjectName,
        call: &'a str,
    ) -> Pin<Box<dyn Future<Output = Result<String, PortError>> + 'a>> {
        Box::pin(async move {
            let instance = self.instance(name);
            let memory = Rc::clone(&instance.memory.borrow());
            let answered = match &*memory {
                Memory::Account(object) => {
                    object.begin_invocation();
                    let answered = object.answer(self, &*instance.sql, call).await;
                    // The object has ended its session.
                    if instance.sql.history.has_ended.take() {
                        instance.memory.replace(Memory::new(name.0));
                    }
                    answered
                }
                Memory::Carrier(object) => object.answer(self, &*instance.sql, call).await,
                Memory::Webhook(object) => {
                    object.begin_invocation();
                    object.answer(self, &*instance.sql, call).await
                }
            };
            self.reply(name, answered)
        })
    }

    fn reply(&self, name: &ObjectName, answered: Result<Answered, PortError>) -> Result<String, PortError> {
        let answered = answered.map_err(|error| {
            // Between objects travel only words, as in the runtime.
            let thrown = Thrown {
                words: js_error::marked(&error),
                ..Thrown::default()
            };
            self.log_failure("call", Some(error));
            js_error::by_call(name.0, &thrown)
        })?;
        if answered.wake == durable::Wake::Now {
            self.urgent.borrow_mut().push(name.clone());
        }
        Ok(answered.reply)
    }

    /// Lets all calls to an account's object that are made at the same time travel together.
    async fn travel(&self, name: ObjectName, call: String) -> Result<String, PortError> {
        let answer = Rc::new(RefCell::new(None));
        let waiting = (name.clone(), call, Rc::clone(&answer));
        self.travelling.borrow_mut().push(waiting);
        let mut has_waited = false;
        poll_fn(|context| match std::mem::replace(&mut has_waited, true) {
            true => Poll::Ready(()),
            false => {
                context.waker().wake_by_ref();
                Poll::Pending
            }
        })
        .await;
        if answer.borrow().is_none() {
            let together: Vec<_> = self
                .travelling
                .borrow_mut()
                .extract_if(.., |(to, ..)| *to == name)
                .collect();
            let calls: Vec<String> = together.iter().map(|(_, call, _)| call.clone()).collect();
            let instance = self.instance(&name);
            let memory = Rc::clone(&instance.memory.borrow());
            let Memory::Account(object) = &*memory else {
                panic!("only calls to accounts travel together")
            };
            object.begin_invocation();
            let answers = object.answer_all(self, &*instance.sql, &calls).await;
            for ((.., slot), answered) in together.iter().zip(answers) {
                *slot.borrow_mut() = Some(self.reply(&name, answered));
            }
        }
        answer.take().unwrap()
    }
}

impl World {
    fn reach_keys(&self) -> Result<(), PortError> {
        match self.keys_are_down.get() {
            true => Err(PortError::unavailable("kv", self.outage_words.borrow())),
            false => Ok(()),
        }
    }
}

fn account_object(account: &str) -> ObjectName {
    (account::request::CLASS, account.to_owned())
}

fn carrier_object(carrier: &str, account: &str) -> ObjectName {
    (carrier::request::CLASS, format!("{carrier}/{account}"))
}

impl Platform for World {
    type Db = Directory;
    type Socket = tokio::io::DuplexStream;

    fn db(&self) -> &Directory {
        &self.db
    }

    fn now_ms(&self) -> i64 {
        self.now_ms.get()
    }

    fn random(&self, bytes: &mut [u8]) -> Result<(), PortError> {
        for byte in bytes {
            *byte = u8::try_from(self.dice.below(256)).unwrap();
        }
        Ok(())
    }

    fn log(&self, line: &str) {
        self.log.borrow_mut().push(line.to_owned());
    }

    fn setting(&self, name: &str) -> Option<String> {
        self.settings.borrow().get(name).cloned()
    }

    async fn key(&self, digest: &str) -> Result<Option<String>, PortError> {
        self.kv_calls.borrow_mut().push(("get", digest.to_owned()));
        self.reach_keys()?;
        Ok(self.keys.borrow().get(digest).cloned())
    }

    async fn put_key(&self, digest: &str, record: &str) -> Result<(), PortError> {
        self.kv_calls.borrow_mut().push(("put", digest.to_owned()));
        self.reach_keys()?;
        self.keys.borrow_mut().insert(digest.to_owned(), record.to_owned());
        Ok(())
    }

    async fn delete_key(&self, digest: &str) -> Result<(), PortError> {
        self.kv_calls.borrow_mut().push(("delete", digest.to_owned()));
        self.reach_keys()?;
        self.keys.borrow_mut().remove(digest);
        Ok(())
    }

    async fn sleep(&self, ms: i64) {
        self.network.timers.until(self.now_ms.get() + ms).await;
    }

    async fn connect(&self, _host: &str, port: u16, _tls: bool) -> Result<Self::Socket, PortError> {
        self.network.connect(port)
    }

    /// There is no network in native tests, only a receiver or a gateway that a test may set up.
    async fn fetch(&self, request: &OutgoingRequest) -> Result<IncomingResponse, PortError> {
        if request.headers.iter().any(|(name, _)| *name == "webhook-id") {
            conformity::check_event(&request.body);
        }
        let answer = self.receiver.borrow_mut().as_mut().map(|receiver| receiver(request));
        match answer {
            Some(Some(answer)) => answer,
            Some(None) => std::future::pending().await,
            None => self.gateway.fetch(request).await,
        }
    }

    async fn call(&self, class: &'static str, name: &str, call: String) -> Result<String, PortError> {
        self.calls.set(self.calls.get() + 1);
        if call.contains(r#""request":"SendMessage""#) || call.contains(r#""request":"EstimateMessage""#) {
            let interruption = self.before_asking.borrow_mut().pop_front();
            interruption.into_iter().for_each(|happen| happen(self));
        }
        let name = (class, name.to_owned());
        let failed = |when: &str| {
            let words = format!("crashed {when}: {}", self.outage_words.borrow());
            Err(PortError::unavailable(class, words))
        };
        let mishap = self.mishap(&call);
        let is_for_account = call.contains(r#""request":"Deliver""#) || call.contains(r#""request":"Receive""#);
        match mishap {
            None if self.accounts_take_ms.get() > 0 && is_for_account => {
                let answer = self.take_effect(&name, &call).await;
                self.sleep(self.accounts_take_ms.get()).await;
                return answer;
            }
            None if self.calls_travel.get() && class == account::request::CLASS => {
                return self.travel(name, call).await;
            }
            None => return self.take_effect(&name, &call).await,
            Some(Mishap::FailsAfter | Mishap::IsKilledAfter) => drop(self.take_effect(&name, &call).await),
            Some(Mishap::ComesLate | Mishap::IsKilledAndComesLate) => self.late.borrow_mut().push((name, call)),
            Some(Mishap::FailsBefore | Mishap::IsKilledBefore) => {}
        }
        match mishap {
            Some(Mishap::FailsBefore) => failed("before"),
            Some(Mishap::FailsAfter | Mishap::ComesLate) | None => failed("after"),
            Some(Mishap::IsKilledBefore | Mishap::IsKilledAfter | Mishap::IsKilledAndComesLate) => {
                std::future::pending().await
            }
        }
    }
}

pub struct Account {
    pub id: String,
    pub key: String,
    pub key_id: String,
}

pub struct Request<'a> {
    world: &'a World,
    head: Head,
    body: Vec<u8>,
}

impl Request<'_> {
    pub fn key(mut self, key: &str) -> Self {
        self.head.authorization = Some(format!("Bearer {key}"));
        self
    }

    pub fn authorization(mut self, value: &str) -> Self {
        self.head.authorization = Some(value.to_owned());
        self
    }

    pub fn json(self, body: serde_json::Value) -> Self {
        self.body("application/json", body.to_string().as_bytes())
    }

    pub fn body(mut self, content_type: &str, body: &[u8]) -> Self {
        self.head.content_type = Some(content_type.to_owned());
        self.body = body.to_vec();
        self
    }

    pub fn idempotency_key(mut self, key: &str) -> Self {
        self.head.idempotency_key = Some(key.to_owned());
        self
    }

    pub fn language(mut self, language: &str) -> Self {
        self.head.accept_language = Some(language.to_owned());
        self
    }

    pub fn accept(mut self, accept: &str) -> Self {
        self.head.accept = Some(accept.to_owned());
        self
    }

    pub fn request_id(mut self, id: &str) -> Self {
        self.head.request_id = Some(id.to_owned());
        self
    }

    pub fn send(self) -> Answer {
        pollster::block_on(self.answer())
    }

    /// Sends the request and waits for the answer. Several requests may do so together.
    pub async fn answer(self) -> Answer {
        let sent = self.body.clone();
        let mut body = Bytes(self.body);
        let answer = serve::handle(self.world, &self.world.app, &self.head, &mut body).await;
        let mut response = answer.response;
        let body = match answer.export {
            None => std::mem::take(&mut response.body),
            Some(mut export) => {
                let mut bytes = Vec::new();
                while let Some(piece) = export.next(self.world).await.unwrap() {
                    bytes.extend(piece);
                }
                String::from_utf8(bytes).unwrap()
            }
        };
        let config = &self.world.app.config;
        // The document names the limits that the settings have unless an operator changes them.
        let is_usual = config.max_recipients <= 1_000 && config.max_parts <= 10;
        let is_held = self.world.holds_requests.get() && is_usual;
        let sent = is_held.then_some(sent.as_slice());
        conformity::check(&self.head, sent, &response, &body);
        Answer {
            json: serde_json::from_str(&body).unwrap_or_default(),
            response,
            body,
        }
    }
}

/// A body that comes in pieces, without a declared length.
struct Bytes(Vec<u8>);

impl Body for Bytes {
    fn declared_bytes(&self) -> Option<usize> {
        None
    }

    async fn next(&mut self) -> Result<Option<Vec<u8>>, BodyError> {
        let rest = self.0.split_off(self.0.len().min(1_000));
        let piece = std::mem::replace(&mut self.0, rest);
        Ok((!piece.is_empty()).then_some(piece))
    }
}

pub struct Answer {
    pub response: Response,
    pub body: String,
    pub json: serde_json::Value,
}

impl Answer {
    #[track_caller]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.response.status, status, "{}", self.body);
        self
    }

    /// Expects a problem document of this status and code, well formed in all that does not depend on the fault.
    #[track_caller]
    pub fn problem(self, status: u16, code: u16) -> Self {
        let answer = self.expect(status);
        assert_eq!(answer.json["code"], code, "{}", answer.body);
        assert_eq!(answer.json["status"], status);
        assert_eq!(answer.json["statusCode"], status);
        assert_eq!(answer.response.content_type, "application/problem+json");
        assert_eq!(answer.json["meta"]["requestId"].as_str(), answer.header("X-Request-Id"));
        assert!(
            answer.json["extra"]
                .as_array()
                .unwrap()
                .iter()
                .all(serde_json::Value::is_string)
        );
        assert_eq!(
            answer.json["extra"].as_array().unwrap().len(),
            answer.json["errors"].as_array().unwrap().len()
        );
        answer
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.response
            .headers
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value.as_str())
    }

    #[track_caller]
    pub fn text(&self, pointer: &str) -> String {
        self.json
            .pointer(pointer)
            .and_then(|value| value.as_str())
            .unwrap_or_else(|| panic!("{}", self.body))
            .to_owned()
    }

    #[track_caller]
    pub fn int(&self, pointer: &str) -> i64 {
        self.json
            .pointer(pointer)
            .and_then(serde_json::Value::as_i64)
            .unwrap_or_else(|| panic!("{}", self.body))
    }

    pub fn extra(&self) -> Vec<String> {
        self.json["extra"]
            .as_array()
            .unwrap()
            .iter()
            .map(|text| text.as_str().unwrap().to_owned())
            .collect()
    }
}
