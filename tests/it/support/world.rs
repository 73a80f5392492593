//! A world: the whole service in one process, with all that a test may set.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::rc::Rc;

use peyk::account::OPERATOR;
use peyk::api::http::app::App;
use peyk::auth::{self, KeyRecord, Mode, Scope};
use peyk::base::metrics::work::Tally;
use peyk::base::ports::{IncomingResponse, OutgoingRequest, PortError};
use serde_json::json;

use super::calls::{Fate, Travelling};
use super::client::Account;
use super::dice::Dice;
use super::directory::Directory;
use super::objects::{Instance, ObjectName};
use super::{gateway, network};

/// The address by which the tests call the service, and whose pages explain its errors.
pub const DOCS: &str = "https://sms.example";

#[derive(Default)]
pub struct World {
    pub db: Directory,
    pub app: App,
    pub now_ms: Cell<i64>,
    pub dice: Dice,
    pub keys: RefCell<HashMap<String, String>>,
    /// The settings that the objects read.
    pub settings: RefCell<HashMap<&'static str, String>>,
    /// How often addresses came with bad keys, by address and minute.
    pub failures: RefCell<BTreeMap<(String, i64), u32>>,
    /// What KV was asked for, in order: `get`, `put` or `delete`, and the digest.
    pub kv_calls: RefCell<Vec<(&'static str, String)>>,
    pub objects: RefCell<BTreeMap<ObjectName, Rc<Instance>>>,
    /// Whether a new object has no tables before its first call, as in the runtime. Otherwise tests can look into each at once.
    pub objects_are_bare: Cell<bool>,
    /// Objects with urgent work that has not run yet.
    pub urgent: RefCell<Vec<ObjectName>>,
    /// When alarms are to ring that calls and urgent work have asked for since [`Life`](super::life::Life) set the last ones.
    pub wakes: RefCell<Vec<(ObjectName, i64)>>,
    /// Calls that are still on their way, although nobody waits for their answer any more.
    pub late: RefCell<Vec<(ObjectName, String)>>,
    pub log: RefCell<Vec<String>>,
    /// Those lines of it that stand apart from their request.
    pub log_apart: RefCell<Vec<String>>,
    /// The id of the request that is under way.
    pub trace: RefCell<Option<String>>,
    /// Whether the request that is under way writes apart.
    pub is_apart: Cell<bool>,
    /// What the isolate counts of its work.
    pub tally: Tally,
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
    pub travelling: RefCell<Vec<Travelling>>,
    /// Whether calls to carriers' objects never return, in a process that lives on.
    pub calls_hang: Cell<bool>,
    /// Members that each message gets on its way to its account's object, over what the API gives it.
    pub sends_with: RefCell<serde_json::Value>,
    /// What happens just before the next calls that ask an account's object about a message, one for each.
    pub before_asking: RefCell<VecDeque<Interruption>>,
    /// Whether each call to a port lets others run, before its effect and after it. So whatever waits can be dropped there.
    pub yields: Cell<bool>,
    /// After how many steps the runtime drops the next alarm or urgent work. The object lives on.
    pub steps_left: Cell<Option<u32>>,
    /// Whether KV fails.
    pub keys_are_down: Cell<bool>,
    /// How many more calls with delivery reports fail, in turn before and after they had their effect.
    pub failing_reports: Cell<u32>,
    /// Whether all calls with delivery reports fail before they have their effect.
    pub reports_are_lost: Cell<bool>,
    /// How long an account's object takes to answer reports and messages from phones, ms.
    pub accounts_take_ms: Cell<i64>,
    /// What becomes of the next calls with messages from phones. Further ones pass.
    pub receives: RefCell<VecDeque<Fate>>,
    /// What becomes of the next calls with sends. Further ones pass.
    pub sends: RefCell<VecDeque<Fate>>,
    /// When calls with delivery reports were made.
    pub report_times_ms: RefCell<Vec<i64>>,
    /// Answers the requests that the service makes.
    pub gateway: Rc<gateway::Gateway>,
    /// Calls with this request fail before they have their effect.
    pub failing_request: Cell<Option<&'static str>>,
    /// Those calls.
    pub failed_calls: RefCell<Vec<String>>,
    /// Whether nobody outside of an object answers: neither receivers nor other objects.
    pub outside_hangs: Cell<bool>,
    /// How often the service has waited for no time, and when it did so last.
    pub waits_for_nothing: Cell<(u32, i64)>,
    /// The accounts whose objects never answer delivery reports.
    pub hanging_accounts: RefCell<Vec<String>>,
    /// Calls with this request never return.
    pub hanging_request: Cell<Option<&'static str>>,
    /// Who answers HTTP requests of the service. Without one, nobody is there.
    pub receiver: RefCell<Option<Box<Receiver>>>,
    /// How long it takes to answer, ms. Only a [`Life`](super::life::Life) lets time pass meanwhile.
    pub receiver_takes_ms: Cell<i64>,
    pub admin_key: String,
    /// Whether a request that the service accepts must be one that `openapi.json` allows.
    pub holds_requests: Cell<bool>,
}

/// Answers an HTTP request; `None` if the process is killed before the answer comes.
pub type Receiver = dyn FnMut(&OutgoingRequest) -> Option<Result<IncomingResponse, PortError>>;

/// Something that happens in between.
pub type Interruption = Box<dyn FnOnce(&World)>;

/// Thursday 2026-01-01 noon.
const START_MS: i64 = 1_767_268_800_000;

/// The id of the operator key that every world begins with. It is in KV only, as the script leaves it.
pub const OPERATOR_KEY_ID: &str = "019b796d-0000-7000-8000-00000000000a";

impl World {
    pub fn new() -> Self {
        let mut world = World {
            db: Directory::new(),
            now_ms: Cell::new(START_MS),
            dice: Dice::new(42),
            admin_key: auth::mint(Mode::Live, |bytes| bytes.fill(7)),
            holds_requests: Cell::new(true),
            ..World::default()
        };
        world.set("SECRET_KEY", Some(gateway::SECRET_KEY));
        world.db.timers = Rc::clone(&world.network.timers);
        world.db.outage_words.replace("down".to_owned());
        let record = KeyRecord {
            v: 1,
            account: OPERATOR.to_owned(),
            key: OPERATOR_KEY_ID.to_owned(),
            scopes: vec![Scope::Admin],
            mode: Mode::Live,
            lines: None,
            ips: None,
            expires_at: None,
            session_of: None,
            looks: false,
            ways: Vec::new(),
            bootstrapped_at: Some(START_MS),
        };
        let record = serde_json::to_string(&record).unwrap();
        world.keys.borrow_mut().insert(auth::digest(&world.admin_key), record);
        world
    }

    /// A world with a shared line `10001`, a plan at 1,000 a part, and an account with this much money.
    pub fn with_account(money: i64) -> (World, Account) {
        let world = World::new();
        world.share_line("10001", "sandbox", &["WEBSERVICE", "PATTERN"]);
        let account = world.account("shop", money);
        (world, account)
    }

    /// As [`World::with_account`], with a rate limit that no test reaches.
    pub fn with_busy_account(money: i64) -> (World, Account) {
        let (world, account) = World::with_account(money);
        let limit = json!({"limit": 1_000_000, "windowSeconds": 1, "burst": 10_000});
        world.change_account(&account, json!({"rateLimit": limit, "testRateLimit": limit}));
        (world, account)
    }

    pub fn account(&self, username: &str, money: i64) -> Account {
        let new = json!({"username": username, "fullName": "A Shop"});
        let id = self.create("/admin/accounts", new).text("/data/id");
        let mut account = Account {
            id,
            key: String::new(),
            key_id: String::new(),
        };
        self.change_account(&account, json!({"defaultLine": "10001"}));
        if money > 0 {
            self.create(&account.path("/credit"), json!({"amount": money, "note": "start"}));
        }
        let scopes = Scope::all_of(false).into_iter().map(Scope::as_str);
        let issued = self.grant(&account, json!({"title": "main", "scopes": scopes.collect::<Vec<_>>()}));
        account.key = issued.text("/data/key");
        account.key_id = issued.text("/data/id");
        account
    }

    /// A phonebook with these numbers: its id.
    pub fn phonebook(&self, key: &str, title: &str, numbers: serde_json::Value) -> String {
        let id = self.posted(key, "/phonebook", json!({"title": title})).text("/data/id");
        self.posted(key, &format!("/phonebook/number/{id}"), json!({"numbers": numbers}));
        id
    }

    /// A pattern whose version 1 is active.
    pub fn active_pattern(&self, key: &str, pattern: serde_json::Value) {
        let made = self.posted(key, "/pattern", pattern);
        self.activate(key, &made.text("/data/slug"), 1);
    }

    /// Adds carriers of kind `sandbox` to the directory.
    pub fn add_sandboxes(&self, names: &[&str], settings: &str) {
        for name in names {
            let params = [(*name).into(), settings.into()];
            let insert = "INSERT INTO carrier (name, kind, settings, created_ms) VALUES (?1, 'sandbox', ?2, 0)";
            self.db.run_with(insert, &params);
        }
    }

    /// Lets the sandboxes report how messages end a second after they have answered. So many submissions of an account may wait
    /// for that.
    pub fn report_later(&self, window: u32) {
        let settings = json!({"window": window, "reportAfterMs": 1_000}).to_string();
        let change = "UPDATE carrier SET settings = ?1, version = version + 1 WHERE kind = 'sandbox'";
        self.db.run_with(change, &[settings.into()]);
    }

    /// Lets this receiver answer HTTP requests of the service.
    pub fn receive(
        &self,
        receiver: impl FnMut(&OutgoingRequest) -> Option<Result<IncomingResponse, PortError>> + 'static,
    ) {
        self.receiver.replace(Some(Box::new(receiver)));
    }

    /// Whether a line with this text was logged.
    pub fn has_logged(&self, text: &str) -> bool {
        self.log.borrow().iter().any(|line| line.contains(text))
    }

    pub fn advance(&self, ms: i64) {
        self.now_ms.set(self.now_ms.get() + ms);
    }
}
