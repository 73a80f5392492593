//! A service that moves: frozen objects do nothing, rows come as they went, and a service takes them only while it is empty.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::pin::pin;

use futures_util::future::{Either, pending, select};
use peyk::account::{OPERATOR, request::CLASS as ACCOUNT};
use peyk::base::ports::{Platform, PortError, Sql};
use peyk::base::time::to_rfc3339;
use peyk::carrier::request::CLASS as CARRIER;
use peyk::durable::movable::Movable;
use peyk::durable::tables::{PAGE_BYTES, Page};
use peyk::durable::transfer::{Answer as Said, Refused, Standstill, Step};
use peyk::durable::{Answered, Call, Object, Wake, schema};
use peyk::objects::nightly;
use serde_json::{Value, json};

use crate::support::time::{DAY_MS, HOUR_MS, MINUTE_MS};
use crate::support::{Account, Answer, Sqlite, World, to_end};

const PATH: &str = "/admin/transfer";

fn begin(world: &World, direction: &str) -> Answer {
    world.admin("PUT", PATH, json!({"direction": direction}))
}

fn objects(world: &World, store: &str, names: &[&str], state: &str) -> Answer {
    let change = json!({"store": store, "objects": names, "state": state});
    world.admin("POST", &format!("{PATH}/objects"), change)
}

fn read(world: &World, store: &str, object: Option<&str>, from: Option<&str>) -> Answer {
    let wish = json!({"store": store, "object": object, "from": from});
    world.admin("POST", &format!("{PATH}/rows"), wish)
}

fn insert(world: &World, store: &str, object: Option<&str>, page: &Value) -> Answer {
    let rows = json!({"store": store, "object": object, "tables": page["tables"], "keys": page["keys"]});
    world.admin("POST", &format!("{PATH}/insert"), rows)
}

/// A shop with a message for later.
fn with_message_for_later() -> (World, Account, String) {
    let (world, shop) = World::with_account(10_000);
    let at = to_rfc3339(world.now_ms.get() + HOUR_MS);
    let send = json!({"message": "later", "recipients": ["09121234567"], "sendAt": at});
    let uid = world.posted(&shop.key, "/sms/send", send).text("/data/uid");
    (world, shop, uid)
}

fn status(world: &World, shop: &Account, uid: &str) -> String {
    world.message(&shop.key, uid).text("/data/recipients/0/status")
}

#[test]
fn a_frozen_object_answers_nothing_and_does_nothing_until_it_is_thawed() {
    let (world, shop, uid) = with_message_for_later();
    begin(&world, "OUT").expect(200);
    let frozen = objects(&world, "ACCOUNT", &[&shop.id], "FROZEN").expect(200);
    assert_eq!(frozen.json["data"]["objects"][0]["parts"], json!(["account"]));
    for _ in 0..2 {
        let refused = world.get(&shop.key, "/account/info").refused(503);
        assert!(refused.header("Retry-After").is_some());
        world.send(&shop.key, &["09121234567"]).refused(503);
        world.settle(2 * HOUR_MS);
        // Frozen it stays, also after a restart.
        world.kill();
    }
    assert_eq!(world.handed(&shop.id), []);
    let others = world.account("other", 0);
    world.get(&others.key, "/account/info").expect(200);
    objects(&world, "ACCOUNT", &[&shop.id], "THAWED").expect(200);
    world.settle(MINUTE_MS);
    assert_eq!(status(&world, &shop, &uid), "DELIVERED");
    assert_eq!(world.balance(&shop.key), (9_000, 0));
}

#[test]
fn a_frozen_object_hands_nothing_more_over_although_its_dispatch_is_under_way() {
    let (world, shop) = World::with_busy_account(10_000_000);
    for message in 0..8 {
        // The carrier refuses one of each for now, so that the dispatch looks for more as soon as it has an answer.
        let end = |index: u32| if index == 0 { "905" } else { "100" };
        let numbers: Vec<String> = (0..500)
            .map(|index| format!("0912{:04}{}", message * 500 + index, end(index)))
            .collect();
        world.sent(&shop.key, &numbers.iter().map(String::as_str).collect::<Vec<_>>());
    }
    begin(&world, "OUT").expect(200);
    let sql = || world.carrier_sql("sandbox", &shop.id);
    let count = |what: &str| sql().exec(what, &[]).map_or(0, |rows| rows[0].int(0).unwrap());
    let taken = || count("SELECT count(*) FROM handed");
    let object = world.instance(&(ACCOUNT, shop.id.clone()));
    world.yields.set(true);
    let mut dispatch = pin!(object.urgent(&world));
    while taken() == 0 {
        let ended = to_end(select(dispatch.as_mut(), std::future::ready(())));
        assert!(matches!(ended, Either::Right(_)), "it has handed nothing over");
    }
    objects(&world, "ACCOUNT", &[&shop.id], "FROZEN").expect(200);
    to_end(dispatch).unwrap();
    world.settle(MINUTE_MS);
    assert!(taken() <= 2_000, "only the two calls that were under way: {}", taken());
    objects(&world, "ACCOUNT", &[&shop.id], "THAWED").expect(200);
    world.settle(10 * MINUTE_MS);
    assert_eq!(count("SELECT count(*) FROM handed WHERE taken = 1"), 4_000);
}

/// An object that works for ever, and whose schema has every kind of value.
#[derive(Debug, Default)]
struct Worker {
    calls: Cell<u32>,
}

impl Object for Worker {
    fn open(sql: &impl Sql) -> Result<(), PortError> {
        let many: Vec<String> = (0..45).map(|number| format!("c{number} ANY")).collect();
        let wide = format!("CREATE TABLE wide (id INTEGER PRIMARY KEY, {}) STRICT", many.join(", "));
        let wide: &'static str = Box::leak(wide.into_boxed_str());
        let whole = [
            wide,
            "CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT, n INTEGER, t TEXT, b BLOB) STRICT",
            "CREATE TABLE pair (\"a b\" TEXT NOT NULL, b INTEGER NOT NULL, \
               c TEXT GENERATED ALWAYS AS (\"a b\" || b) VIRTUAL, PRIMARY KEY (b, \"a b\")) STRICT, WITHOUT ROWID",
            "CREATE TABLE bare (n INTEGER UNIQUE) STRICT",
            "INSERT INTO bare VALUES (7)",
            "CREATE TABLE none (one INTEGER PRIMARY KEY) STRICT",
        ];
        schema::migrate(sql, "worker", &whole, &[])
    }

    async fn answer<P: Platform, S: Sql>(&self, _: &P, _: &S, _: &str) -> Result<Answered, PortError> {
        self.calls.set(self.calls.get() + 1);
        pending().await
    }

    async fn urgent<P: Platform, S: Sql>(&self, _: &P, _: &S) -> Result<bool, PortError> {
        Ok(true)
    }

    async fn chores<P: Platform, S: Sql>(&self, _: &P, _: &S) -> Result<(), PortError> {
        pending().await
    }

    fn next_due_ms(&self, _: &impl Sql, now_ms: i64) -> Result<Option<i64>, PortError> {
        Ok(Some(now_ms))
    }

    fn begin_invocation(&self) {}
}

fn read_from(from: Option<String>) -> Step {
    Step::Read {
        from,
        only: Vec::new(),
        few: Vec::new(),
    }
}

struct Workshop {
    world: World,
    sql: Sqlite,
    object: Movable<Worker>,
}

impl Workshop {
    fn new() -> Self {
        Workshop {
            world: World::new(),
            sql: Sqlite::new(),
            object: Movable::default(),
        }
    }

    /// One that is used.
    fn used() -> Self {
        let shop = Workshop::new();
        Worker::open(&shop.sql).unwrap();
        shop
    }

    /// One that is to take rows.
    fn taking() -> Self {
        let shop = Workshop::new();
        let incoming = Some(vec!["worker".to_owned()]);
        let frozen = shop.step(&Step::Freeze { incoming, now: false });
        assert!(matches!(frozen, Said::Frozen(_)), "{frozen:?}");
        shop
    }

    fn step(&self, step: &Step) -> Said {
        let call = Call::write("x", None, None, "Transfer", step).unwrap();
        let answered = to_end(self.object.answer(&self.world, &self.sql, &call)).unwrap();
        serde_json::from_str(&answered.reply).unwrap()
    }

    fn freeze(&self, now: bool) -> Standstill {
        match self.step(&Step::Freeze { incoming: None, now }) {
            Said::Frozen(how) => how,
            other => panic!("{other:?}"),
        }
    }

    fn pages(&self) -> Vec<Page> {
        let (mut pages, mut from) = (Vec::new(), None);
        loop {
            let page = match self.step(&read_from(from)) {
                Said::Page(page) => page,
                other => panic!("{other:?}"),
            };
            from = page.next.clone();
            pages.push(page);
            if from.is_none() {
                return pages;
            }
        }
    }

    fn insert(&self, page: &Page) -> Said {
        self.step(&Step::Insert {
            tables: page.tables.clone(),
            adds: false,
        })
    }

    /// All that the storage has, each value as SQLite writes it.
    fn dump(&self) -> Vec<String> {
        let tables = self
            .sql
            .texts("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'frozen' ORDER BY name");
        let rows = |table: String| {
            let columns = self
                .sql
                .texts(&format!("SELECT name FROM pragma_table_info('{table}')"));
            let quoted: Vec<String> = columns.iter().map(|column| format!("quote(\"{column}\")")).collect();
            let rows = self.sql.texts(&format!(
                "SELECT concat_ws(' ', {}) FROM \"{table}\" ORDER BY 1",
                quoted.join(", ")
            ));
            rows.into_iter().map(move |row| format!("{table}: {row}"))
        };
        tables.into_iter().flat_map(rows).collect()
    }
}

#[test]
fn what_is_under_way_may_end_and_is_dropped_if_it_must_not() {
    let shop = Workshop::used();
    let (world, sql) = (&shop.world, &shop.sql);
    let call = Call::write("x", None, None, "Other", &()).unwrap();
    let mut answer = pin!(shop.object.answer(world, sql, &call));
    assert!(matches!(
        to_end(select(answer.as_mut(), std::future::ready(()))),
        Either::Right(_)
    ));
    assert!(shop.freeze(false).is_busy);
    assert!(to_end(shop.object.answer(world, sql, &call)).is_err());
    assert_eq!(
        shop.object.object().calls.get(),
        1,
        "the other call has not come to the object"
    );
    assert!(!to_end(shop.object.urgent(world, sql)).unwrap());
    to_end(shop.object.chores(world, sql)).unwrap();
    assert_eq!(shop.object.next_due_ms(sql, 0).unwrap(), None);
    assert!(!shop.freeze(true).is_busy);
    let dropped = to_end(answer).unwrap_err();
    assert!(matches!(dropped, PortError::Unavailable { .. }), "{dropped}");
    assert_eq!(shop.object.object().calls.get(), 0, "it begins anew in memory");
    let call = Call::write("x", None, None, "Transfer", &Step::Thaw).unwrap();
    let thawed = to_end(shop.object.answer(world, sql, &call)).unwrap();
    assert_eq!(
        thawed.wake,
        Wake::At(world.now_ms.get()),
        "it goes on from what is stored"
    );
    assert!(to_end(shop.object.urgent(world, sql)).unwrap());
}

#[test]
fn rows_of_every_kind_go_page_by_page_and_come_as_they_were() {
    let shop = Workshop::used();
    let sql = &shop.sql;
    sql.run(
        "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 3000) \
         INSERT INTO counted (n, t, b) SELECT n, iif(n % 3 = 0, NULL, 'text \"' || n || '\" سلام' || char(10) || substr(hex(zeroblob(60)), n % 60)), \
           iif(n % 2 = 0, NULL, unhex(printf('00%06X', n))) FROM n",
    );
    sql.run("INSERT INTO counted (n, t, b) VALUES (9223372036854775807, '7', x''), (-9223372036854775807, '', NULL)");
    sql.run("DELETE FROM counted WHERE id > 2990 AND id < 3000");
    sql.run("INSERT INTO pair SELECT 'key ' || (n % 10), n FROM counted WHERE n > 0 AND n < 1200");
    sql.run("INSERT INTO wide (id, c0, c29, c30, c44) VALUES (1, 1, x'00ff', 9007199254740993, 'the last')");
    sql.run("INSERT INTO bare VALUES (NULL), (3)");
    shop.freeze(false);
    let pages = shop.pages();
    assert!(pages.len() > 2, "{}", pages.len());
    let sizes = pages
        .iter()
        .map(|page| serde_json::to_string(&page.tables).unwrap().len());
    assert!(sizes.max().unwrap() < PAGE_BYTES + 10_000);
    let count = |page: &Page| page.tables.iter().map(|table| table.rows.len()).sum::<usize>();
    let rows: usize = pages.iter().map(count).sum();
    assert_eq!(rows, shop.dump().len());

    let target = Workshop::taking();
    let broken = pages.iter().flat_map(|page| [page, page]);
    for page in broken {
        assert_eq!(target.insert(page), Said::Inserted, "a page may come twice");
    }
    let (there, here) = (target.dump(), shop.dump());
    let differs = here.iter().zip(&there).find(|(here, there)| here != there);
    assert_eq!((differs, there.len()), (None, here.len()));
    assert!(target.pages() == pages);
    target.step(&Step::Thaw);
    assert_eq!(target.insert(&pages[0]), Said::Refused(Refused::NotFrozen));
    // The counter goes on where it was.
    target.sql.run("INSERT INTO counted (n) VALUES (1)");
    assert_eq!(target.sql.number("SELECT max(id) FROM counted"), 3_003);
}

#[test]
fn only_a_new_object_takes_rows_and_only_those_of_its_tables() {
    let source = Workshop::used();
    source.freeze(false);
    let page = source.pages().remove(0);
    assert_eq!(
        source.insert(&page),
        Said::Refused(Refused::NotFrozen),
        "it gives its own rows"
    );
    let used = Workshop::used();
    let incoming = || Step::Freeze {
        incoming: Some(vec!["worker".to_owned()]),
        now: false,
    };
    assert_eq!(used.step(&incoming()), Said::Refused(Refused::NotEmpty));
    assert_eq!(source.step(&incoming()), Said::Refused(Refused::NotEmpty));

    let target = Workshop::taking();
    let before = target.dump();
    assert_eq!(
        before,
        Vec::<String>::new(),
        "what the schema puts into its tables is away"
    );
    assert!(
        matches!(target.step(&incoming()), Said::Frozen(_)),
        "it may be asked twice"
    );
    let freeze = Step::Freeze {
        incoming: None,
        now: false,
    };
    assert_eq!(
        target.step(&freeze),
        Said::Refused(Refused::NotEmpty),
        "it gives no rows"
    );
    let bare = page.tables.iter().find(|table| table.table == "bare").unwrap();
    let mut changed = [bare.clone(), bare.clone(), bare.clone(), bare.clone()];
    changed[0].table = "nothing".to_owned();
    changed[1].columns = vec!["other".to_owned()];
    changed[2].rows = vec!["[\"text\"]".to_owned()];
    changed[3].table = "frozen".to_owned();
    for rows in changed {
        let (table, tables) = (rows.table.clone(), vec![bare.clone(), rows]);
        let refused = target.step(&Step::Insert { tables, adds: false });
        assert_eq!(refused, Said::Refused(Refused::NotOfTable(table)));
        assert_eq!(target.dump(), before, "none of the rows is in");
    }
    let nowhere = read_from(Some("x".to_owned()));
    assert_eq!(target.step(&nowhere), Said::Refused(Refused::NoPage));
    assert!(Workshop::new().freeze(false).is_new);
}

#[test]
fn only_a_frozen_object_is_read_as_a_whole() {
    for shop in [Workshop::new(), Workshop::used()] {
        assert_eq!(shop.step(&read_from(None)), Said::Refused(Refused::NotFrozen));
    }
    let shop = Workshop::used();
    shop.freeze(false);
    assert!(matches!(shop.step(&read_from(None)), Said::Page(_)));
    shop.step(&Step::Thaw);
    assert_eq!(shop.step(&read_from(None)), Said::Refused(Refused::NotFrozen));
    // The operators' object is never frozen. What goes of it is some tables.
    let some = Step::Read {
        from: None,
        only: vec!["bare".to_owned()],
        few: Vec::new(),
    };
    assert!(matches!(shop.step(&some), Said::Page(_)));
}

/// The same class in a later version.
#[derive(Debug, Default)]
struct Newer(Worker);

impl Object for Newer {
    fn open(sql: &impl Sql) -> Result<(), PortError> {
        let step: &[&str] = &["ALTER TABLE bare ADD COLUMN more TEXT"];
        Worker::open(sql)?;
        schema::migrate(sql, "worker", &[], &[step])
    }

    async fn answer<P: Platform, S: Sql>(&self, platform: &P, sql: &S, call: &str) -> Result<Answered, PortError> {
        self.0.answer(platform, sql, call).await
    }

    async fn urgent<P: Platform, S: Sql>(&self, platform: &P, sql: &S) -> Result<bool, PortError> {
        self.0.urgent(platform, sql).await
    }

    async fn chores<P: Platform, S: Sql>(&self, platform: &P, sql: &S) -> Result<(), PortError> {
        self.0.chores(platform, sql).await
    }

    fn next_due_ms(&self, sql: &impl Sql, now_ms: i64) -> Result<Option<i64>, PortError> {
        self.0.next_due_ms(sql, now_ms)
    }

    fn begin_invocation(&self) {}
}

#[test]
fn a_frozen_object_gives_its_rows_as_a_new_version_has_them_and_one_that_takes_rows_gets_it_with_the_thaw() {
    let source = Workshop::used();
    source.freeze(false);
    let upgraded = |sql: Sqlite| (Movable::<Newer>::default(), sql);
    let ask = |(object, sql): &(Movable<Newer>, Sqlite), step: &Step| {
        let call = Call::write("x", None, None, "Transfer", step).unwrap();
        let answered = to_end(object.answer(&source.world, sql, &call)).unwrap();
        serde_json::from_str::<Said>(&answered.reply).unwrap()
    };
    let columns = |answer: Said| match answer {
        Said::Page(page) => {
            page.tables
                .into_iter()
                .find(|rows| rows.table == "bare")
                .unwrap()
                .columns
        }
        other => panic!("{other:?}"),
    };
    let target = Workshop::taking();
    for page in source.pages() {
        target.insert(&page);
    }
    let (source, target) = (upgraded(source.sql), upgraded(target.sql));
    assert_eq!(columns(ask(&source, &read_from(None))), ["rowid", "n", "more"]);
    assert_eq!(columns(ask(&target, &read_from(None))), ["rowid", "n"]);
    assert_eq!(ask(&target, &Step::Thaw), Said::Thawed);
    ask(
        &target,
        &Step::Freeze {
            incoming: None,
            now: false,
        },
    );
    assert_eq!(columns(ask(&target, &read_from(None))), ["rowid", "n", "more"]);
}

#[test]
fn a_page_has_few_large_rows_and_one_of_any_size_and_reads_no_more_than_that() {
    let shop = Workshop::used();
    let texts = [10_000, 10, 1_500_000, 10, 100_000, 100_000, 100_000, 5];
    let is_large = |length: usize| length > PAGE_BYTES;
    for length in texts {
        shop.sql.run(&format!(
            "INSERT INTO counted (t) VALUES (substr(hex(zeroblob({length})), 1, {length}))"
        ));
    }
    shop.sql.run("WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 20) INSERT INTO counted (t) SELECT hex(zeroblob(900000)) FROM n");
    shop.freeze(false);
    let pages = shop.pages();
    let rows = |page: &Page| {
        page.tables
            .iter()
            .map(|rows| rows.rows.clone())
            .collect::<Vec<_>>()
            .concat()
    };
    for page in &pages {
        let lengths: Vec<usize> = rows(page).iter().map(String::len).collect();
        assert!(
            !lengths.iter().any(|length| is_large(*length)) || lengths.len() == 1,
            "{lengths:?}"
        );
    }
    let most = shop.sql.most_bytes.get();
    assert_eq!(
        pages.iter().map(|page| rows(page).len()).sum::<usize>(),
        shop.dump().len()
    );
    assert!(most < 2_500_000, "a statement has read {most} bytes");
    let target = Workshop::taking();
    for page in &pages {
        assert_eq!(target.insert(page), Said::Inserted);
    }
    assert!(target.dump() == shop.dump());
}

#[test]
fn an_account_with_many_keys_moves_in_portions_and_so_does_a_row_of_two_megabytes() {
    let (world, shop) = World::with_account(10_000);
    let sql = world.sql(&shop.id);
    sql.run(
        "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 700) \
         INSERT INTO api_key (id, title, digest, scopes, mode, created_ms) \
         SELECT printf('key-%05d', n), hex(zeroblob(100)), printf('%064x', n), 'sms:send', 'LIVE', n FROM n",
    );
    let record = json!({"v": 1, "account": shop.id, "key": "key-00001", "scopes": [], "mode": "live", "title": "x".repeat(1_500)});
    for number in 1..=700 {
        to_end(world.put_key(&format!("{number:064x}"), &record.to_string())).unwrap();
    }
    // A quotation mark of JSON in JSON takes four bytes in a body.
    sql.run(
        "INSERT INTO recipient_text (message, idx, text) VALUES (1, 0, replace(hex(zeroblob(1900000)), '00', '\"'))",
    );
    begin(&world, "OUT").expect(200);
    let frozen = objects(&world, "ACCOUNT", &[&shop.id], "FROZEN").expect(200);
    let pages = pages(&world, "ACCOUNT", Some(&shop.id));
    let target = empty();
    begin(&target, "IN").expect(200);
    let parts = &frozen.json["data"]["objects"][0]["parts"];
    let freeze = json!({"store": "ACCOUNT", "objects": [shop.id], "state": "FROZEN", "parts": parts});
    target.admin("POST", &format!("{PATH}/objects"), freeze).expect(200);
    for page in &pages {
        assert!(page["keys"].as_array().unwrap().len() <= 200);
        insert(&target, "ACCOUNT", Some(&shop.id), page).expect(200);
    }
    assert!(tables(&self::pages(&target, "ACCOUNT", Some(&shop.id))) == tables(&pages));
    for number in 1..=700 {
        let moved = to_end(target.key(&format!("{number:064x}"))).unwrap();
        assert_eq!(moved.as_deref(), Some(record.to_string().as_str()));
    }
}

/// The pages of a store.
fn pages(world: &World, store: &str, object: Option<&str>) -> Vec<Value> {
    let (mut pages, mut from) = (Vec::new(), None);
    loop {
        let page = read(world, store, object, from.as_deref()).expect(200).json["data"].clone();
        from = page["next"].as_str().map(str::to_owned);
        pages.push(page);
        world.advance(1_000);
        if from.is_none() {
            return pages;
        }
    }
}

/// The rows of pages, by table.
fn tables(pages: &[Value]) -> BTreeMap<String, Vec<Value>> {
    let mut tables = BTreeMap::<String, Vec<Value>>::new();
    for table in pages.iter().flat_map(|page| page["tables"].as_array().unwrap()) {
        let rows = table["rows"].as_array().unwrap().clone();
        tables
            .entry(table["table"].as_str().unwrap().to_owned())
            .or_default()
            .extend(rows);
    }
    tables
}

/// An empty service.
fn empty() -> World {
    let world = World::new();
    world.objects_are_bare.set(true);
    world
}

/// The objects of a service with these accounts.
fn all_objects(world: &World, accounts: &[&str]) -> Vec<(&'static str, String)> {
    let found = world.look(PATH).json["data"].clone();
    let shared = found["carrierObjects"].as_array().unwrap().iter();
    let mut all: Vec<_> = shared
        .map(|name| ("CARRIER", name.as_str().unwrap().to_owned()))
        .collect();
    for account in accounts {
        for carrier in found["sandboxes"].as_array().unwrap() {
            all.push(("CARRIER", format!("{}/{account}", carrier.as_str().unwrap())));
        }
        all.extend([("WEBHOOK", (*account).to_owned()), ("ACCOUNT", (*account).to_owned())]);
    }
    all
}

#[test]
fn a_whole_service_moves_and_what_was_scheduled_leaves_once() {
    let (world, shop, uid) = with_message_for_later();
    world.set("SECRET_KEY", Some(crate::support::gateway::SECRET_KEY));
    let other = world.account("other", 5_000);
    world.active_pattern(
        &shop.key,
        json!({"slug": "order", "title": "Order", "text": "Your order has left"}),
    );
    let book = world.phonebook(&shop.key, "customers", json!(["09121111111", "09122222222"]));
    let hook = json!({"url": "https://shop.example/", "events": ["message.status"]});
    world.posted(&shop.key, "/webhook", hook);
    world.sent(&shop.key, &["09121234567", "09121234560"]);
    world.settle(10 * MINUTE_MS);
    let reader = json!({"title": "a monitor", "scopes": ["admin:metrics"]});
    let reader = world.admin("POST", "/admin/keys", reader).expect(201).text("/data/key");

    begin(&world, "OUT").expect(200);
    let accounts = [shop.id.as_str(), other.id.as_str()];
    let mut moved = Vec::new();
    for (store, name) in all_objects(&world, &accounts) {
        let frozen = objects(&world, store, &[&name], "FROZEN").expect(200).json["data"]["objects"][0].clone();
        moved.push((
            store,
            name.clone(),
            frozen["parts"].clone(),
            pages(&world, store, Some(&name)),
        ));
    }
    let directory = pages(&world, "DIRECTORY", None);
    let operators = pages(&world, "ACCOUNT", Some(OPERATOR));

    let target = empty();
    target.now_ms.set(world.now_ms.get());
    begin(&target, "IN").expect(200);
    for (store, name, parts, _) in &moved {
        let freeze = json!({"store": store, "objects": [name], "state": "FROZEN", "parts": parts});
        target.admin("POST", &format!("{PATH}/objects"), freeze).expect(200);
        target.advance(1_000);
    }
    for page in &directory {
        insert(&target, "DIRECTORY", None, page).expect(200);
        insert(&target, "DIRECTORY", None, page).expect(200);
    }
    for page in &operators {
        insert(&target, "ACCOUNT", Some(OPERATOR), page).expect(200);
    }
    for (store, name, _, pages) in &moved {
        for page in pages {
            insert(&target, store, Some(name), page).expect(200);
            target.advance(1_000);
        }
    }
    target.get(&shop.key, "/account/info").refused(503);
    target.settle(2 * HOUR_MS);
    for (store, name, _, before) in &moved {
        let (there, here) = (tables(&pages(&target, store, Some(name))), tables(before));
        let differs = here.iter().find(|(table, rows)| there.get(*table) != Some(*rows));
        assert_eq!((differs, there.len()), (None, here.len()), "{store} {name}");
    }
    let (mut before, mut after) = (tables(&directory), tables(&pages(&target, "DIRECTORY", None)));
    let (log, own) = (before.remove("audit").unwrap(), after.remove("audit").unwrap());
    assert!(
        log.iter().all(|entry| own.contains(entry)),
        "the log is added to that of the target"
    );
    let differs = before.iter().find(|(table, rows)| after.get(*table) != Some(*rows));
    assert_eq!((differs, after.len()), (None, before.len()));

    let frozen = target.sql(&shop.id).note_history(target.now_ms.get());
    let frozen_at = to_rfc3339(target.now_ms.get());
    for (store, name, ..) in &moved {
        objects(&target, store, &[name], "THAWED").expect(200);
        target.advance(1_000);
    }
    begin(&target, "NONE").expect(200);
    target.settle(MINUTE_MS);
    assert_eq!(status(&target, &shop, &uid), "DELIVERED");
    assert_eq!(target.handed(&shop.id).len(), 3);
    assert_eq!(target.balance(&other.key), (5_000, 0));
    assert_eq!(target.balance(&shop.key), (7_000, 0));
    target.get(&reader, "/metrics").expect(200);
    assert_eq!(target.all(&shop.key, &format!("/phonebook/number/{book}")).len(), 2);
    target.settle(DAY_MS);
    world.settle(DAY_MS);
    for (store, name, _, before) in &moved {
        let now = tables(&pages(&world, store, Some(name)));
        assert!(now == tables(before), "the source stays frozen: {store} {name}");
    }
    world.get(&shop.key, "/account/info").refused(503);

    // The storage of the new object goes back to before it had all rows, and the account does not.
    let restore = |at: &str| {
        target.advance(1);
        target.admin("POST", &shop.path("/restore"), json!({"at": at, "reason": "a test"}))
    };
    for too_early in [&frozen_at, &frozen] {
        let refused = restore(too_early).problem(409, 409);
        assert!(
            refused.body.contains("came with the move of the service at"),
            "{}",
            refused.body
        );
        assert_eq!(target.balance(&shop.key), (7_000, 0));
    }
    target.sql(&shop.id).note_history(target.now_ms.get());
    restore(&to_rfc3339(target.now_ms.get())).expect(200);
}

#[test]
fn a_service_takes_data_only_while_it_is_empty_and_gives_them_only_when_it_was_told_to() {
    let (world, shop) = World::with_account(10_000);
    begin(&world, "IN").problem(409, 409);
    // An import looks for conflicts before it begins.
    read(&world, "ACCOUNT", Some(OPERATOR), None).expect(200);
    objects(&world, "ACCOUNT", &[&shop.id], "FROZEN").problem(409, 409);
    read(&world, "DIRECTORY", None, None).problem(409, 409);
    let page = json!({"tables": []});
    insert(&world, "DIRECTORY", None, &page).problem(409, 409);
    // The directory hears of the money a little later.
    world.settle(MINUTE_MS);
    let begun = begin(&world, "OUT").expect(200);
    assert_eq!(begun.text("/data/direction"), "OUT");
    assert_eq!(begun.json["data"]["found"], json!(null), "nobody has asked to count");
    assert_eq!(
        world.look(&format!("{PATH}?counts=false")).json["data"]["found"],
        json!(null)
    );
    assert_eq!(world.look(PATH).json["data"]["found"]["available"], 10_000);
    insert(&world, "DIRECTORY", None, &page).problem(409, 409);
    begin(&world, "IN").problem(409, 409);
    read(&world, "DIRECTORY", None, Some("x")).problem(409, 409);
    read(&world, "ACCOUNT", Some(&shop.id), Some("x")).problem(409, 409);
    read(&world, "ACCOUNT", None, None).faults(&["object: is required"]);
    objects(&world, "ACCOUNT", &["operator"], "FROZEN").problem(422, 422);
    begin(&world, "NONE").expect(200);
    assert_eq!(world.look(PATH).text("/data/direction"), "NONE");
    world.get(&shop.key, "/account/info").expect(200);

    let target = empty();
    begin(&target, "IN").expect(200);
    let agree = |world: &World, direction: &str| {
        world.admin("PUT", PATH, json!({"direction": direction, "agreed": "a".repeat(64)}))
    };
    agree(&world, "OUT").faults(&["agreed: must be left out unless \"direction\" is IN"]);
    assert_eq!(agree(&target, "IN").expect(200).text("/data/agreed"), "a".repeat(64));
    assert_eq!(begin(&target, "IN").expect(200).text("/data/agreed"), "a".repeat(64));
    assert_eq!(begin(&target, "NONE").expect(200).json["data"]["agreed"], json!(null));
    begin(&target, "IN").expect(200);
    let rows =
        |row: &str| json!({"tables": [{"table": "member", "columns": ["phone", "account", "id"], "rows": [row]}]});
    insert(&target, "DIRECTORY", None, &rows("[1,\"a\",\"b\"]")).expect(200);
    insert(&target, "DIRECTORY", None, &rows("[1,\"a\"]")).problem(422, 422);
    insert(&target, "DIRECTORY", None, &rows("[\"x\",\"a\",\"b\"]")).problem(409, 409);
    insert(&target, "ACCOUNT", Some("x"), &page).problem(409, 409);
    let key = json!({"tables": [], "keys": [{"digest": "a".repeat(64), "record": "{}"}]});
    insert(&target, "ACCOUNT", Some("x"), &key).problem(409, 409);
    assert_eq!(target.db.number("SELECT count(*) FROM member"), 1);
    let carrier = (CARRIER, "sandbox/x".to_owned());
    target
        .instance(&carrier)
        .sql
        .run("CREATE TABLE schema_version (part TEXT, version INTEGER)");
    objects(&target, "CARRIER", &["sandbox/x"], "FROZEN").problem(409, 409);
}

#[test]
fn nothing_is_done_at_night_while_a_service_moves() {
    let (world, _) = World::with_account(10_000);
    let night = || to_end(nightly::run(&world, &world.app.config));
    begin(&world, "OUT").expect(200);
    night();
    assert_eq!(world.db.count("reconciliation"), 0);
    begin(&world, "NONE").expect(200);
    night();
    assert_eq!(world.db.count("reconciliation"), 1);
}
