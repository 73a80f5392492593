//! The audit log in the directory: how a change and its entry are one transaction, and how the log is read.
//!
//! D1 has no code between two statements of a transaction. So the first statement notes in `audit_draft` how the thing is, the
//! statements of the change follow, and the last ones compare: if the thing differs, the entry is written. The triggers of the
//! table let nobody change an entry, and let only those go whose time is over.
//!
//! A state has the names and the values that the API gives the thing: `tests/it/operator/audit.rs` compares both.

use std::cell::Cell;

use crate::base::id;
use crate::base::ports::{Db, PortError, Row, Sql, Statement, Value};
use crate::base::record::{Columns, neighbours};
use crate::directory::{all, first};
use crate::durable::audit::{self as noted, Note, Thing};

/// A text behind all ids.
const LAST: &str = "~";
/// Entries that are forgotten in one go.
const FORGOTTEN_A_GO: i64 = 1_000;

/// The directory, for a request whose change goes into the audit log: all that it changes in one batch is one transaction with
/// its entry.
pub struct Audited<'a, D: Db> {
    db: &'a D,
    entry: Option<AuditEntry>,
    batches: Cell<u32>,
    /// How many bytes the entries have that were written.
    written: &'a Cell<usize>,
}

/// An entry to write.
#[derive(Debug, Clone)]
pub struct AuditEntry {
    /// Who asks for what.
    pub note: Note,
    /// The kind of the thing.
    pub thing: Thing,
    /// Members that the entry has beside those of the thing: a JSON object. They don't make an entry by themselves.
    pub remark: Option<String>,
}

impl<'a, D: Db> Audited<'a, D> {
    /// The directory, with an entry for what is changed through it. `written` gets the bytes of the entry.
    pub fn new(db: &'a D, entry: Option<AuditEntry>, written: &'a Cell<usize>) -> Self {
        Audited {
            db,
            entry,
            batches: Cell::new(0),
            written,
        }
    }
}

impl<D: Db> Db for Audited<'_, D> {
    async fn batch(&self, statements: Vec<Statement>) -> Result<Vec<Vec<Row>>, PortError> {
        let entry = self.entry.as_ref();
        let Some((entry, of_thing)) = entry.and_then(|entry| Some((entry, statements_of(entry.thing)?))) else {
            return self.db.batch(statements).await;
        };
        self.batches.set(self.batches.get().saturating_add(1));
        let (note, count) = (&entry.note, statements.len());
        let name = note.name.as_deref().unwrap_or_default();
        let mut batch = vec![Statement::new(
            of_thing.draft,
            [name.into(), note.account.as_deref().into()],
        )];
        batch.extend(statements);
        let mut values: Vec<Value> = vec![
            name.into(),
            note.account.as_deref().into(),
            note.id.as_str().into(),
            format!("directory {}", self.batches.get()).into(),
            note.at_ms.into(),
            note.actor.as_str().into(),
            note.key.as_str().into(),
            note.operation.as_str().into(),
            note.thing.as_str().into(),
            note.name.as_deref().into(),
            note.request.as_str().into(),
            entry.remark.as_deref().into(),
            note.address.as_deref().into(),
        ];
        values.extend(of_thing.limits());
        batch.push(Statement::new(of_thing.write, values));
        batch.push(Statement::new("DELETE FROM audit_draft WHERE one = 1", []));
        let mut answers = self.db.batch(batch).await?;
        let states = first(super::answer(&answers, count.saturating_add(1)), |row| row.u32(0))?;
        if let Some(bytes) = states.and_then(|bytes| usize::try_from(bytes).ok()) {
            let bytes = bytes.saturating_add(noted::ENTRY_BYTES);
            self.written.set(self.written.get().saturating_add(bytes));
        }
        Ok(answers.drain(..).skip(1).take(count).collect())
    }

    async fn size_bytes(&self) -> Result<i64, PortError> {
        self.db.size_bytes().await
    }
}

/// A state as an entry has it: of more than `?14` bytes only the first `?15` characters.
macro_rules! bounded {
    ($state:literal, $whole:expr) => {
        concat!(
            "iif(length(CAST(",
            $state,
            " AS BLOB)) > ?14, json_object('truncated', json('true'), 'beginning', substr(",
            $state,
            ", 1, ?15)), ",
            $whole,
            ")"
        )
    };
}

/// A state whose texts of more than `?16` characters and lists of more than `?17` items are counted: what a customer has brought.
macro_rules! brief {
    ($state:literal) => {
        concat!(
            "iif(",
            $state,
            " IS NULL, NULL, (SELECT json_group_object(m.key, json(CASE \
               WHEN m.type = 'text' AND length(m.value) > ?16 THEN json_object('characters', length(m.value)) \
               WHEN m.type = 'array' AND json_array_length(m.value) > ?17 THEN json_object('count', json_array_length(m.value)) \
               ELSE ",
            $state,
            " -> m.fullkey END)) FROM json_each(",
            $state,
            ") m))"
        )
    };
}

/// The statements that note how a thing is, and that write the entry if it differs. `$state` is the thing with the id `?1` of the
/// account `?2`, as JSON. The last one answers how many bytes the entry's states have.
macro_rules! statements {
    ($state:literal) => {
        statements!(
            $state,
            "c.before",
            "c.after",
            bounded!("s.before", "s.before"),
            bounded!("s.after", "iif(?12 IS NULL, s.after, json_patch(s.after, ?12))"),
            false
        )
    };
    (brief $state:literal) => {
        statements!(
            $state,
            brief!("c.before"),
            brief!("c.after"),
            bounded!("s.before", "s.before"),
            concat!(
                "iif(?12 IS NULL OR s.after IS NULL, s.after, json_patch(",
                bounded!("s.after", "s.after"),
                ", ?12))"
            ),
            true
        )
    };
    ($state:literal, $shown_before:expr, $shown_after:expr, $before:expr, $after:expr, $is_brief:literal) => {
        Statements {
            is_brief: $is_brief,
            draft: concat!(
                "INSERT OR REPLACE INTO audit_draft (one, account, before) VALUES (1, ?2, ",
                $state,
                ")"
            ),
            write: concat!(
                "INSERT INTO audit (id, part, at_ms, actor, key, account, operation, thing, name, request, address, before, after) \
                 SELECT ?3, ?4, ?5, ?6, ?7, ?2, ?8, ?9, ?10, ?11, ?13, ",
                $before,
                ", ",
                $after,
                " FROM (SELECT ",
                $shown_before,
                " AS before, ",
                $shown_after,
                " AS after FROM (SELECT d.before AS before, ",
                $state,
                " AS after FROM audit_draft d WHERE d.one = 1) c WHERE c.before IS NOT c.after) s \
                 RETURNING coalesce(length(CAST(before AS BLOB)), 0) + coalesce(length(CAST(after AS BLOB)), 0)"
            ),
        }
    };
}

/// What notes a change of a thing.
struct Statements {
    /// Whether it is what a customer has brought.
    is_brief: bool,
    draft: &'static str,
    write: &'static str,
}

impl Statements {
    /// The limits of [`crate::durable::audit`], from `?14` on.
    fn limits(&self) -> Vec<Value> {
        let number = |limit: usize| Value::from(i64::try_from(limit).unwrap_or(i64::MAX));
        let of_states = |max_bytes| vec![number(max_bytes), number(noted::beginning_of(max_bytes))];
        if self.is_brief {
            let mut limits = of_states(noted::MAX_CUSTOMER_BYTES);
            limits.extend([noted::LONG_TEXT, noted::LONG_LIST].map(number));
            limits
        } else {
            of_states(noted::MAX_BYTES)
        }
    }
}

/// The statements for a kind of things that the directory has.
fn statements_of(thing: Thing) -> Option<Statements> {
    Some(match thing {
        Thing::Account => statements!(
            "(SELECT json_object('username', username, 'fullName', full_name, \
                'plan', json((SELECT json_object('slug', p.slug, 'title', p.title) FROM plan p WHERE p.slug = account.plan)), 'defaultLine', default_line, \
                'destinations', json(destinations)) \
              FROM account WHERE id = ?1)"
        ),
        Thing::Carrier => statements!(
            "(SELECT json_object('kind', kind, 'active', json(iif(active, 'true', 'false')), \
                'paused', json(iif(paused, 'true', 'false')), kind, json(settings), 'version', version, \
                'callbacks', json((SELECT json_group_array(json_object('version', value ->> 0, \
                   'endsAt', strftime('%Y-%m-%dT%H:%M:%fZ', (value ->> 1) / 1000.0, 'unixepoch'))) FROM json_each(callbacks)))) \
              FROM carrier WHERE name = ?1)"
        ),
        Thing::Credit => statements!(
            "(SELECT json_object('amount', amount, 'note', note, 'status', status, 'createdBy', created_by) \
              FROM credit WHERE id = ?1)"
        ),
        Thing::Line => statements!(
            "(SELECT json_object('routes', json(l.routes), 'operations', json((SELECT json_group_array(o.name) FROM \
                   (SELECT 'WEBSERVICE' AS name WHERE l.webservice UNION ALL SELECT 'PATTERN' WHERE l.pattern) o)), 'shared', json(iif(l.shared, 'true', 'false')), \
                'active', json(iif(l.active, 'true', 'false')), 'paused', json(iif(l.paused, 'true', 'false')), \
                'cheapest', json(iif(l.cheapest, 'true', 'false')), 'suffix', l.suffix, 'hours', json(l.hours), \
                'coefficients', json_object('PERSIAN', l.persian_c / 10000.0, 'ENGLISH', l.english_c / 10000.0, 'MCI', l.mci_c / 10000.0, \
                   'MTN', l.mtn_c / 10000.0, 'WEBSERVICE', l.webservice_c / 10000.0, 'PATTERN', l.pattern_c / 10000.0), \
                'accounts', json((SELECT json_group_array(account) FROM \
                   (SELECT account FROM line_account WHERE line = l.number ORDER BY account)))) \
              FROM line l WHERE l.number = ?1)"
        ),
        Thing::LineInbound => statements!(
            "(SELECT json_object('account', (SELECT account FROM line_inbound WHERE line = l.number), \
                'optOutReply', l.opt_out_reply, 'optInReply', l.opt_in_reply, \
                'keywords', json((SELECT json_group_array(json_object('keyword', keyword, 'account', account)) FROM \
                   (SELECT keyword, account FROM line_keyword WHERE line = l.number ORDER BY keyword)))) \
              FROM line l WHERE l.number = ?1)"
        ),
        Thing::Pattern => statements!(
            brief
            "(SELECT json_object('title', p.title, 'lines', json(p.lines), \
                'activeVersion', (SELECT version FROM pattern_version WHERE pattern = p.id AND status = 'ACTIVE'), \
                'newestVersion', json((SELECT json_object('version', version, 'status', status, 'reason', reason, 'characters', length(text)) \
                   FROM pattern_version WHERE pattern = p.id ORDER BY version DESC LIMIT 1))) \
              FROM pattern p WHERE p.account = ?2 AND p.slug = ?1)"
        ),
        Thing::Phonebook => statements!(
            brief
            "(SELECT json_object('title', title, 'description', description) \
              FROM phonebook WHERE id = ?1 AND account = ?2 AND deleted = 0)"
        ),
        Thing::Plan => statements!(
            "(SELECT json_object('title', title, \
                'tariff', json_object('slug', tariff_slug, 'title', tariff_title, 'price', price, 'prices', json(prices)), \
                'refunds', json(iif(refunds = '', '[]', '[\"' || replace(refunds, ' ', '\",\"') || '\"]'))) \
              FROM plan WHERE slug = ?1)"
        ),
        Thing::Restore => statements!(
            "(SELECT json_object('number', number, 'at', target, 'reason', reason) \
              FROM restore WHERE account = ?2 ORDER BY number DESC LIMIT 1)"
        ),
        Thing::Sending => statements!(
            "(SELECT json_object('enabled', json(iif(sending_enabled, 'true', 'false')), 'reason', reason) \
              FROM switch WHERE one = 1)"
        ),
        Thing::Transfer => {
            statements!(
                "(SELECT json_object('direction', iif(incoming, 'IN', 'OUT'), 'agreed', agreed) FROM transfer WHERE one = 1)"
            )
        }
        Thing::Blacklist
        | Thing::Campaign
        | Thing::DeadLetter
        | Thing::Erasure
        | Thing::Frozen
        | Thing::Inbound
        | Thing::Key
        | Thing::Member
        | Thing::Passkey
        | Thing::Message
        | Thing::Webhook => {
            return None;
        }
    })
}

/// Brings what an object has noted to the log. *A crash after the insertion* repeats it, which changes nothing.
pub async fn bring(db: &impl Db, sql: &impl Sql) -> Result<(), PortError> {
    let Some((last, parts)) = noted::oldest(sql)? else {
        return Ok(());
    };
    insert(db, &parts).await?;
    noted::forget(sql, last)
}

/// Adds parts of entries that an object has noted: a JSON list of [`crate::durable::audit::Part`]s. Adding one again changes nothing.
pub async fn insert(db: &impl Db, parts: &str) -> Result<(), PortError> {
    db.query(Statement::new(
        "INSERT OR IGNORE INTO audit (id, part, at_ms, actor, key, account, operation, thing, name, request, address, before, after) \
         SELECT e.value ->> '$.note.id', e.value ->> '$.part', e.value ->> '$.note.at_ms', e.value ->> '$.note.actor', \
                e.value ->> '$.note.key', e.value ->> '$.note.account', e.value ->> '$.note.operation', \
                e.value ->> '$.note.thing', e.value ->> '$.note.name', e.value ->> '$.note.request', \
                e.value ->> '$.note.address', e.value -> '$.before', e.value -> '$.after' FROM json_each(?1) e",
        [parts.into()],
    ))
    .await
    .map(drop)
}

const HOUR_MS: i64 = 60 * 60 * 1_000;

/// Something of a customer that an operator is about to be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The id for the entry.
    pub id: String,
    /// Whose it is.
    pub account: String,
    /// Its id, if it is one thing.
    pub name: Option<String>,
}

/// The conditions that are the same for all entries of a key that say what it was shown in the last hour.
macro_rules! read_lately {
    () => {
        "FROM audit a INDEXED BY audit_key WHERE a.key = ?3 AND a.id >= ?8 AND a.part = 'read'"
    };
}

/// Whether the key was shown the thing `e.value` by this route in the last hour.
macro_rules! was_shown {
    () => {
        concat!(
            "EXISTS (SELECT 1 ",
            read_lately!(),
            " AND a.operation = ?4 AND a.account IS e.value ->> 1 AND a.name IS e.value ->> 2)"
        )
    };
}

/// Notes what an operator is about to be shown. The same thing has one entry an hour for a key and a route, so looking again writes
/// nothing, and a key writes 100 an hour at most, and one for each route. `more` is the id of the entry that says that there was more.
pub async fn note_shown(db: &impl Db, note: &Note, shown: &[Shown], more: &str) -> Result<(), PortError> {
    let items: Vec<(&str, &str, Option<&str>)> = shown
        .iter()
        .map(|shown| (shown.id.as_str(), shown.account.as_str(), shown.name.as_deref()))
        .collect();
    let since = id::first_of(note.at_ms.saturating_sub(HOUR_MS));
    let values = |items: &str| {
        [
            note.at_ms.into(),
            note.actor.as_str().into(),
            note.key.as_str().into(),
            note.operation.as_str().into(),
            note.thing.as_str().into(),
            note.request.as_str().into(),
            note.address.as_deref().into(),
            since.as_str().into(),
            items.into(),
        ]
    };
    let items = super::to_json(&items)?;
    let named = Statement::new(
        concat!(
            "INSERT INTO audit (id, part, at_ms, actor, key, account, operation, thing, name, request, address, after) \
             SELECT e.value ->> 0, 'read', ?1, ?2, ?3, e.value ->> 1, ?4, ?5, e.value ->> 2, ?6, ?7, '{\"shown\":true}' \
             FROM json_each(?9) e WHERE NOT ",
            was_shown!(),
            " LIMIT max(0, 100 - (SELECT count(*) ",
            read_lately!(),
            "))"
        ),
        values(&items),
    );
    let mut rest = values(&items).to_vec();
    rest.push(more.into());
    let others = Statement::new(
        concat!(
            "INSERT INTO audit (id, part, at_ms, actor, key, account, operation, thing, name, request, address, after) \
             SELECT ?10, 'read', ?1, ?2, ?3, NULL, ?4, ?5, NULL, ?6, ?7, '{\"shown\":true,\"more\":true}' \
             WHERE EXISTS (SELECT 1 FROM json_each(?9) e WHERE NOT ",
            was_shown!(),
            ") AND NOT EXISTS (SELECT 1 ",
            read_lately!(),
            " AND a.operation = ?4 AND a.account IS NULL)"
        ),
        rest,
    );
    db.batch(vec![named, others]).await.map(drop)
}

/// Which entries to read. What is `None` does not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// The account that the thing belongs to.
    pub account: Option<String>,
    /// The id of the key that asked.
    pub key: Option<String>,
    /// The name of the route.
    pub operation: Option<String>,
    /// The name of the kind of things.
    pub thing: Option<String>,
    /// The id of the thing.
    pub name: Option<String>,
    /// Changes at this time or later, ms since the Unix epoch.
    pub from_ms: Option<i64>,
    /// Changes before this time.
    pub to_ms: Option<i64>,
}

/// An entry, with what all of its parts say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logged {
    /// Its id, by which the list is ordered.
    pub id: String,
    /// When the request came, ms since the Unix epoch.
    pub at_ms: i64,
    /// The account of the key that asked.
    pub actor: String,
    /// The id of that key.
    pub key: String,
    /// The account that the thing belongs to.
    pub account: Option<String>,
    /// The name of the route.
    pub operation: String,
    /// The name of the kind of things.
    pub thing: String,
    /// The id of the thing.
    pub name: Option<String>,
    /// The id of the request.
    pub request: String,
    /// The address of the client.
    pub address: Option<String>,
    /// How the thing was: a JSON list with what each part says.
    pub before: String,
    /// How it is now: a JSON list, as above.
    pub after: String,
    /// Where the newest of its parts that was asked for stands in the order in which they came; 0 in a page of the newest.
    pub place: i64,
    /// Its username. `None`: the operators.
    pub actor_username: Option<String>,
    /// Its username, if the directory has the account.
    pub account_username: Option<String>,
}

neighbours!(Logged: id, at_ms, actor, key, account, operation, thing, name, request, address, before, after, place, actor_username, account_username);

/// Entries with what all of their parts say. `$chosen` selects them by `id`, each once, with a `place`, and `$order` orders them.
macro_rules! entries {
    ($chosen:expr, $order:literal) => {
        concat!(
            "SELECT p.*, (SELECT username FROM account WHERE id = p.actor), (SELECT username FROM account WHERE id = p.account) \
             FROM (SELECT a.id AS id, min(a.at_ms), min(a.actor) AS actor, min(a.key), min(a.account) AS account, min(a.operation), \
               min(a.thing), min(a.name), min(a.request), min(a.address), json_group_array(json(a.before)), \
               json_group_array(json(a.after)), min(e.place) AS place FROM (",
            $chosen,
            ") e CROSS JOIN audit a ON a.id = e.id GROUP BY a.id) p ORDER BY ",
            $order
        )
    };
}

/// A page of entries. The first condition chooses the index that the ids are read from.
macro_rules! page {
    ($index:literal, $first:literal) => {
        entries!(
            concat!(
                "SELECT DISTINCT id, 0 AS place FROM audit ",
                $index,
                " WHERE ",
                $first,
                " AND (?2 IS NULL OR account = ?2) AND (?3 IS NULL OR key = ?3) AND (?4 IS NULL OR operation = ?4) \
                 AND (?5 IS NULL OR thing = ?5) AND (?6 IS NULL OR name = ?6) AND id >= ?7 AND id < ?8 ORDER BY id DESC LIMIT ?1"
            ),
            "p.id DESC"
        )
    };
}

/// Reads at most `limit` entries, newest first, beginning behind the id `after`.
pub async fn page(db: &impl Db, limit: u32, after: Option<&str>, filter: &Filter) -> Result<Vec<Logged>, PortError> {
    let sql = match filter {
        Filter { name: Some(_), .. } => page!("INDEXED BY audit_name", "name = ?6"),
        Filter { key: Some(_), .. } => page!("INDEXED BY audit_key", "key = ?3"),
        Filter { account: Some(_), .. } => page!("INDEXED BY audit_account", "account = ?2"),
        Filter { operation: Some(_), .. } => page!("INDEXED BY audit_operation", "operation = ?4"),
        Filter { thing: Some(_), .. } => page!("INDEXED BY audit_thing", "thing = ?5"),
        _ => page!("", "id > ''"),
    };
    let from = filter.from_ms.map(id::first_of).unwrap_or_default();
    let to = filter.to_ms.map_or_else(|| LAST.to_owned(), id::first_of);
    let before = after.filter(|after| **after < *to).unwrap_or(&to);
    let statement = Statement::new(
        sql,
        [
            limit.into(),
            filter.account.as_deref().into(),
            filter.key.as_deref().into(),
            filter.operation.as_deref().into(),
            filter.thing.as_deref().into(),
            filter.name.as_deref().into(),
            from.into(),
            before.into(),
        ],
    );
    all(&db.query(statement).await?, Logged::of)
}

/// Reads entries in the order in which their parts came into the log, beginning behind a place: those of at most `limit` parts. A
/// change that an object makes comes later than its id says, so whoever follows the log by ids misses some. The places begin anew when
/// the log has become empty.
pub async fn arrived(db: &impl Db, limit: u32, after: i64) -> Result<Vec<Logged>, PortError> {
    let statement = Statement::new(
        entries!(
            "SELECT id, max(place) AS place FROM (SELECT id, rowid AS place FROM audit \
               WHERE rowid > iif(?2 > (SELECT max(rowid) FROM audit), 0, ?2) ORDER BY rowid LIMIT ?1) GROUP BY id",
            "p.place"
        ),
        [limit.into(), after.into()],
    );
    all(&db.query(statement).await?, Logged::of)
}

/// Forgets the oldest entries of before a time, some of them. Returns whether there may be more. The table's trigger refuses
/// any deletion of entries that are younger than the horizon, so the horizon moves first.
pub async fn forget_old(db: &impl Db, before_ms: i64) -> Result<bool, PortError> {
    let answers = db
        .batch(vec![
            Statement::new(
                "UPDATE audit_horizon SET before_ms = max(before_ms, ?1) WHERE one = 1",
                [before_ms.into()],
            ),
            Statement::new(
                "DELETE FROM audit WHERE (id, part) IN \
                   (SELECT id, part FROM audit WHERE id < ?3 AND at_ms < ?1 ORDER BY id LIMIT ?2) RETURNING 1",
                [before_ms.into(), FORGOTTEN_A_GO.into(), id::first_of(before_ms).into()],
            ),
        ])
        .await?;
    let gone = i64::try_from(super::answer(&answers, 1).len()).unwrap_or(i64::MAX);
    Ok(gone >= FORGOTTEN_A_GO)
}
