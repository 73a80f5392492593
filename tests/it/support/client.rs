//! What a client of the service does and gets.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::pin::pin;

use peyk::api::{http::Body, http::BodyError, http::Head, http::Response, serve};
use peyk::auth;
use peyk::base::body::AnyBody;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::conformity;
use super::faults::for_steps;
use super::running::while_awake;
use super::to_end;
use super::world::{DOCS, World};

/// The longest time that a request waits by itself.
const LONGEST_WAIT_MS: i64 = 1_000;

pub struct Account {
    pub id: String,
    pub key: String,
    pub key_id: String,
}

impl Account {
    /// The path of what operators have of the account: `rest` stands behind the account's own path.
    pub fn path(&self, rest: &str) -> String {
        format!("/admin/accounts/{}{rest}", self.id)
    }
}

pub struct Request<'a> {
    world: &'a World,
    pub head: Head,
    pub body: Vec<u8>,
}

/// Runs requests to their end. If they wait for a time, that comes: nobody else runs meanwhile.
#[track_caller]
pub fn to_end_in_time<T>(world: &World, work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    loop {
        if let Some(done) = while_awake(work.as_mut()) {
            return done;
        }
        let due_ms = world.network.timers.next_due();
        let due_ms = due_ms.filter(|due_ms| *due_ms <= world.now_ms.get() + LONGEST_WAIT_MS);
        let Some(due_ms) = due_ms else {
            panic!("it waits for what never comes")
        };
        world.now_ms.set(world.now_ms.get().max(due_ms));
        world.network.timers.set(world.now_ms.get());
    }
}

impl Request<'_> {
    pub fn key(mut self, key: &str) -> Self {
        self.head.authorization = Some(format!("Bearer {key}"));
        self
    }

    /// As a page of the console asks, with this session.
    pub fn session(mut self, session: &str) -> Self {
        // By HTTPS and on this machine it has two names.
        let name = peyk::auth::console_session::COOKIE;
        self.head.cookie = Some(format!("__Host-{name}={session}; {name}={session}"));
        self.head.console = Some("1".to_owned());
        self.head.fetch_site = Some("same-origin".to_owned());
        self
    }

    /// As a browser asks that has this name.
    pub fn browser(mut self, name: u8) -> Self {
        let own = format!("__Host-peyk_browser={}", format!("{name:02x}").repeat(16));
        let cookies = self.head.cookie.iter().chain(std::iter::once(&own));
        self.head.cookie = Some(cookies.cloned().collect::<Vec<_>>().join("; "));
        self
    }

    /// As a browser asks that has this ticket.
    pub fn ticket(mut self, ticket: &str) -> Self {
        let own = format!("__Host-peyk_ticket={ticket}");
        let cookies = self.head.cookie.iter().chain(std::iter::once(&own));
        self.head.cookie = Some(cookies.cloned().collect::<Vec<_>>().join("; "));
        self
    }

    /// Changes a header that the world has no word for.
    pub fn head(mut self, change: impl FnOnce(&mut Head)) -> Self {
        change(&mut self.head);
        self
    }

    pub fn authorization(mut self, value: &str) -> Self {
        self.head.authorization = Some(value.to_owned());
        self
    }

    pub fn json(self, body: Value) -> Self {
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

    /// The address that the platform says the client has.
    pub fn from(mut self, address: &str) -> Self {
        self.head.address = Some(address.to_owned());
        self
    }

    pub fn accept(mut self, accept: &str) -> Self {
        self.head.accept = Some(accept.to_owned());
        self
    }

    pub fn origin(mut self, origin: &str) -> Self {
        origin.clone_into(&mut self.head.origin);
        self
    }

    pub fn request_id(mut self, id: &str) -> Self {
        self.head.request_id = Some(id.to_owned());
        self
    }

    #[track_caller]
    pub fn send(self) -> Answer {
        to_end_in_time(self.world, self.answer())
    }

    /// Sends the request, and hangs up after so many steps of its work: `None` if the answer has not come by then.
    pub fn send_for(self, steps: u32) -> Option<Answer> {
        to_end(for_steps(steps, self.answer()))
    }

    /// Sends the request and waits for the answer. Several requests may do so together.
    pub async fn answer(self) -> Answer {
        let sent = self.body.clone();
        let mut body = AnyBody::Incoming(Bytes(self.body));
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
pub struct Bytes(pub Vec<u8>);

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
    pub json: Value,
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
        assert_eq!(answer.extra().len(), answer.json["errors"].as_array().unwrap().len());
        answer
    }

    /// Expects a problem whose code is its status.
    #[track_caller]
    pub fn refused(self, status: u16) -> Self {
        self.problem(status, status)
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.response.headers.iter();
        headers
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value.as_str())
    }

    #[track_caller]
    pub fn text(&self, pointer: &str) -> String {
        let text = self.json.pointer(pointer).and_then(Value::as_str);
        text.unwrap_or_else(|| panic!("{}", self.body)).to_owned()
    }

    #[track_caller]
    pub fn int(&self, pointer: &str) -> i64 {
        let int = self.json.pointer(pointer).and_then(Value::as_i64);
        int.unwrap_or_else(|| panic!("{}", self.body))
    }

    /// Expects a refusal with exactly these faults of the request.
    #[track_caller]
    pub fn faults<S: Debug>(self, faults: &[S])
    where
        String: PartialEq<S>,
    {
        assert_eq!(self.refused(422).extra(), faults);
    }

    /// The items of a list.
    #[track_caller]
    pub fn items(&self) -> &Vec<Value> {
        self.json["data"].as_array().unwrap_or_else(|| panic!("{}", self.body))
    }

    /// This text of each item of a list.
    #[track_caller]
    pub fn texts(&self, member: &str) -> Vec<String> {
        pick(&self.json["data"], member)
    }

    /// The faults that a refusal names: all are texts.
    #[track_caller]
    pub fn extra(&self) -> Vec<String> {
        serde_json::from_value(self.json["extra"].clone()).unwrap()
    }

    /// The places that a refusal names, before the words about each.
    #[track_caller]
    pub fn points_at(&self, pointers: &[&str]) {
        assert_eq!(self.pointers(), pointers, "{}", self.body);
    }

    pub fn places(&self) -> Vec<String> {
        let place = |fault: &String| fault.split(':').next().unwrap().to_owned();
        self.extra().iter().map(place).collect()
    }

    /// The pointers that a refusal names.
    #[track_caller]
    pub fn pointers(&self) -> Vec<String> {
        pick(&self.json["errors"], "pointer")
    }

    /// Expects that the data has members with these values.
    #[track_caller]
    pub fn has(&self, members: Value) {
        assert_has(&self.json["data"], members);
    }
}

/// Expects that an object has members with these values; `null` stands for a missing one too.
#[track_caller]
pub fn assert_has(object: &Value, members: Value) {
    let of_object = |name: &String| (name.clone(), object[name].clone());
    let found: Value = members.as_object().unwrap().keys().map(of_object).collect();
    assert_eq!(found, members);
}

/// The rows of a table in JSON: short to write where rows of Rust would take many lines.
pub fn table<Row: DeserializeOwned>(rows: Value) -> Vec<Row> {
    serde_json::from_value(rows).unwrap()
}

#[track_caller]
pub fn assert_contains(text: &str, part: &str) {
    assert!(text.contains(part), "{text}");
}

#[track_caller]
pub fn assert_starts(text: &str, start: &str) {
    assert!(text.starts_with(start), "{text}");
}

/// This member of each item of a list.
#[track_caller]
pub fn pick<T: DeserializeOwned>(list: &Value, member: &str) -> Vec<T> {
    let of_item = |item: &Value| serde_json::from_value(item[member].clone()).unwrap();
    list.as_array().unwrap().iter().map(of_item).collect()
}

impl World {
    pub fn admin(&self, method: &str, path: &str, body: Value) -> Answer {
        self.ask(method, &self.admin_key, path).json(body).send()
    }

    /// An operator makes something.
    #[track_caller]
    pub fn create(&self, path: &str, body: Value) -> Answer {
        self.admin("POST", path, body).expect(201)
    }

    /// An operator changes something.
    #[track_caller]
    pub fn change(&self, path: &str, body: Value) -> Answer {
        self.admin("PATCH", path, body).expect(200)
    }

    /// What an operator reads there.
    #[track_caller]
    pub fn look(&self, path: &str) -> Answer {
        self.read(&self.admin_key, path)
    }

    pub fn get(&self, key: &str, path: &str) -> Answer {
        self.ask("GET", key, path).send()
    }

    /// A request with a key.
    pub fn ask<'a>(&'a self, method: &str, key: &str, path: &str) -> Request<'a> {
        self.request(method, path).key(key)
    }

    /// What is answered to a `POST` without a body.
    pub fn bare_post(&self, key: &str, path: &str) -> Answer {
        self.ask("POST", key, path).send()
    }

    /// What is answered to a `POST` with an idempotency key.
    pub fn post_once(&self, key: &str, path: &str, idempotency_key: &str, body: Value) -> Answer {
        let request = self.ask("POST", key, path).idempotency_key(idempotency_key);
        request.json(body).send()
    }

    /// Imports a file into a phonebook.
    pub fn import(&self, key: &str, phonebook: &str, csv: impl AsRef<[u8]>) -> Answer {
        let request = self.ask("POST", key, &format!("/phonebook/{phonebook}/import"));
        request.body("text/csv; charset=utf-8", csv.as_ref()).send()
    }

    /// What a key reads there.
    #[track_caller]
    pub fn read(&self, key: &str, path: &str) -> Answer {
        self.get(key, path).expect(200)
    }

    pub fn send(&self, key: &str, recipients: &[&str]) -> Answer {
        self.post(key, "/sms/send", json!({"message": "hello", "recipients": recipients}))
    }

    /// Makes a version of a pattern the active one.
    #[track_caller]
    pub fn activate(&self, key: &str, slug: &str, version: i64) {
        let path = format!("/pattern/{slug}/versions/{version}/activate");
        self.post(key, &path, json!({})).expect(200);
    }

    /// The uid of a message that is sent to these recipients.
    #[track_caller]
    pub fn sent(&self, key: &str, recipients: &[&str]) -> String {
        self.send(key, recipients).expect(201).text("/data/uid")
    }

    pub fn put(&self, key: &str, path: &str, body: Value) -> Answer {
        self.ask("PUT", key, path).json(body).send()
    }

    pub fn delete(&self, key: &str, path: &str) -> Answer {
        self.ask("DELETE", key, path).send()
    }

    /// A message, by its uid.
    #[track_caller]
    pub fn message(&self, key: &str, uid: &str) -> Answer {
        self.read(key, &format!("/messages/{uid}"))
    }

    #[track_caller]
    pub fn change_account(&self, account: &Account, change: Value) -> Answer {
        self.change(&account.path(""), change)
    }

    /// Lets an account send to all numbers there are. Abroad a part costs as much as at home.
    #[track_caller]
    pub fn open_all_destinations(&self, account: &Account) {
        let all: Vec<String> = (1..=9).map(|digit: u8| digit.to_string()).collect();
        let prices: Vec<Value> = all
            .iter()
            .map(|prefix| json!({"prefix": prefix, "price": 1_000}))
            .collect();
        self.change("/admin/plans/default", json!({"tariff": {"prices": prices}}));
        self.change_account(account, json!({ "destinations": all }));
    }

    /// Gives an account money, or takes it.
    #[track_caller]
    pub fn credit(&self, account: &Account, amount: i64) -> Answer {
        self.create(&account.path("/credit"), json!({"amount": amount, "note": "x"}))
    }

    /// An operator issues a key for an account.
    #[track_caller]
    pub fn grant(&self, account: &Account, key: Value) -> Answer {
        self.create(&account.path("/keys"), key)
    }

    /// Adds a line that all accounts may use for these operations.
    #[track_caller]
    pub fn share_line(&self, number: &str, carrier: &str, operations: &[&str]) {
        let line = json!({"number": number, "carrier": carrier, "operations": operations, "shared": true});
        self.create("/admin/lines", line);
    }

    pub fn post(&self, key: &str, path: &str, body: Value) -> Answer {
        self.ask("POST", key, path).json(body).send()
    }

    /// A `POST` that is answered 201.
    #[track_caller]
    pub fn posted(&self, key: &str, path: &str, body: Value) -> Answer {
        self.post(key, path, body).expect(201)
    }

    /// The available and the locked balance.
    pub fn balance(&self, key: &str) -> (i64, i64) {
        let info = self.read(key, "/account/info");
        let balance = |name: &str| info.int(&format!("/data/wallet/{name}Balance"));
        (balance("available"), balance("locked"))
    }

    /// Nothing was written for an account but its credit.
    #[track_caller]
    pub fn assert_untouched(&self, account: &Account, money: i64) {
        assert_eq!(self.balance(&account.key), (money, 0));
        for table in "message recipient recipient_text chunk source number".split(' ') {
            assert_eq!(self.count(account, table), 0, "{table}");
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
    fn sandbox_items(&self, account: &str) -> Vec<Value> {
        self.all(&self.admin_key, &format!("/admin/accounts/{account}/sandbox?limit=200"))
    }

    /// Walks through a list page by page. The path has a query.
    #[track_caller]
    pub fn walk(&self, key: &str, path: &str, mut see: impl FnMut(&Answer)) {
        let mut next = path.to_owned();
        loop {
            let page = self.get(key, &next).expect(200);
            let limit = path.split("limit=").nth(1);
            let limit = limit.and_then(|rest| rest.split('&').next()?.parse().ok());
            assert!(limit.is_none_or(|limit: usize| page.items().len() <= limit), "{next}");
            see(&page);
            match page.json["meta"]["nextCursor"].as_str() {
                Some(cursor) => next = format!("{path}&cursor={cursor}"),
                None => return,
            }
        }
    }

    /// All items of a list. The path has a query.
    #[track_caller]
    pub fn all(&self, key: &str, path: &str) -> Vec<Value> {
        let mut items = Vec::new();
        self.walk(key, path, |page| items.extend(page.items().iter().cloned()));
        items
    }

    /// Everything the sandbox was handed for an account: `msisdn → (taken, refused)` by recipient uid.
    pub fn inbox(&self, account: &str) -> BTreeMap<String, (u64, u64)> {
        let count = |item: &Value, name: &str| item[name].as_u64().unwrap();
        let items = self.sandbox_items(account).into_iter();
        items
            .map(|item| {
                let uid = item["uid"].as_str().unwrap().to_owned();
                (uid, (count(&item, "taken"), count(&item, "refused")))
            })
            .collect()
    }

    /// What KV was asked about a key, in order.
    pub fn kv_calls_for(&self, key: &str) -> Vec<&'static str> {
        let digest = auth::digest(key);
        let calls = self.kv_calls.borrow();
        let own = calls.iter().filter(|(_, asked)| *asked == digest);
        own.map(|(call, _)| *call).collect()
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
}
