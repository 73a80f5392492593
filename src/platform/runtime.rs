//! The worker's implementation of the platform: HTTP, KV, D1, calls to objects, clock and randomness.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use futures_util::StreamExt;
use wasm_bindgen::prelude::*;
use worker::kv::{KvError, KvStore};
use worker::worker_sys::web_sys;
use worker::{ByteStream, D1Database, Date, Env, Headers, console_log};

use super::fetch;
use super::js_error::{self, Thrown};
use super::socket;
use super::sql::{self, caught};
use super::task::Settled;
use crate::account;
use crate::api::http::{Body, BodyError, Head, address, origin_of};
use crate::api::shared::export::{Answer, Export};
use crate::base::body::read_pieces;
use crate::base::log;
use crate::base::metrics::work::Tally;
use crate::base::ports::{Db, IncomingResponse, OutgoingRequest, Platform, PortError, Row, Statement, Zones};

/// The bindings of the runtime, behind the ports.
pub struct Runtime {
    env: Env,
    db: Database,
    is_in_object: bool,
    /// Whether what it logs stands apart from its request.
    is_apart: Cell<bool>,
    /// The id of the request that is answered.
    trace: RefCell<Option<String>>,
    tally: Rc<Tally>,
}

thread_local! {
    static TALLY: Rc<Tally> = Rc::default();
}

/// D1. The binding is looked up at the first query, because most requests find the directory's data in the cache.
pub struct Database {
    env: Env,
    binding: OnceCell<D1Database>,
}

impl Database {
    fn binding(&self) -> Result<&D1Database, PortError> {
        if let Some(binding) = self.binding.get() {
            return Ok(binding);
        }
        let found = self
            .env
            .d1("DB")
            .map_err(|_| PortError::failed("d1", "no binding DB"))?;
        Ok(self.binding.get_or_init(|| found))
    }
}

impl Db for Database {
    async fn batch(&self, statements: Vec<Statement>) -> Result<Vec<Vec<Row>>, PortError> {
        sql::batch(self.binding()?, &statements).await
    }

    async fn size_bytes(&self) -> Result<i64, PortError> {
        sql::size_bytes(self.binding()?).await
    }
}

impl Runtime {
    /// The runtime of a worker's request, from its bindings.
    pub fn of_request(env: Env) -> Self {
        Runtime::new(env, false)
    }

    /// The runtime of an object, from its bindings.
    pub fn of_object(env: Env) -> Self {
        Runtime::new(env, true)
    }

    fn new(env: Env, is_in_object: bool) -> Self {
        let db = Database {
            env: env.clone(),
            binding: OnceCell::new(),
        };
        Runtime {
            env,
            db,
            is_in_object,
            is_apart: Cell::new(false),
            trace: RefCell::default(),
            tally: TALLY.with(Rc::clone),
        }
    }

    fn object(&self, class: &'static str, name: &str) -> Result<JsStub, PortError> {
        let failed = |error: JsValue| js_error::by_call(class, &caught(&error));
        let objects = js_sys::Reflect::get(&self.env, &JsValue::from_str(class)).map_err(failed)?;
        let objects: JsClass = objects.unchecked_into();
        objects.get_by_name(name).map_err(failed)
    }
}

/// What one of several calls has thrown, from `{failed: words}`.
fn failure(answer: &JsValue) -> Thrown {
    let words = js_sys::Reflect::get(answer, &JsValue::from_str("failed"));
    let words = words.ok().and_then(|words| words.as_string());
    Thrown {
        words: words.unwrap_or_else(|| "peyk.failed: a call without an answer".to_owned()),
        ..Thrown::default()
    }
}

fn keys(env: &Env) -> Result<KvStore, PortError> {
    env.kv("KEYS").map_err(|_| PortError::failed("kv", "no binding KEYS"))
}

fn kv_failed(error: KvError) -> PortError {
    js_error::by_kv(&caught(&error.into()))
}

// The `worker` crate calls objects only by request and response. Peyk's objects have a method, see `worker.mjs`.
#[wasm_bindgen]
extern "C" {
    /// `DurableObjectNamespace`.
    type JsClass;
    #[wasm_bindgen(method, catch, js_name = getByName)]
    fn get_by_name(this: &JsClass, name: &str) -> Result<JsStub, JsValue>;

    /// `DurableObjectStub`.
    type JsStub;
    #[wasm_bindgen(method)]
    fn ask(this: &JsStub, call: &str) -> js_sys::Promise;

    /// Makes calls to an object in one: a promise of a list with a text for each, or `{failed: words}`.
    #[wasm_bindgen(js_name = peykAskAll)]
    fn ask_all(object: &JsStub, calls: Vec<String>) -> js_sys::Promise;

    /// Calls an account's object, together with other calls to it.
    #[wasm_bindgen(js_name = peykAskAccount)]
    fn ask_account(name: &str, call: &str) -> js_sys::Promise;
}

impl Platform for Runtime {
    type Body = HttpBody;
    type Db = Database;
    type Socket = socket::Connection;

    fn db(&self) -> &Database {
        &self.db
    }

    fn now_ms(&self) -> i64 {
        now_ms()
    }

    fn tally(&self) -> &Tally {
        &self.tally
    }

    fn random(&self, bytes: &mut [u8]) -> Result<(), PortError> {
        getrandom::fill(bytes).map_err(|error| PortError::failed("random", error))
    }

    fn log(&self, line: &str) {
        write_line(line, self.is_apart.get());
    }

    fn begin_trace(&self, own_id: &str) {
        self.trace.replace(Some(own_id.to_owned()));
    }

    fn trace(&self) -> Option<String> {
        self.trace.borrow().clone()
    }

    fn log_apart(&self) {
        self.is_apart.set(true);
    }

    fn setting(&self, name: &str) -> Option<String> {
        self.env.var(name).ok().map(|value| value.to_string())
    }

    async fn key(&self, digest: &str) -> Result<Option<String>, PortError> {
        keys(&self.env)?.get(digest).text().await.map_err(kv_failed)
    }

    async fn count_failure(&self, address: &str) -> bool {
        let counted = Settled::of(&js_count_failure(address)).await;
        // A limiter that fails keeps nobody out.
        counted.ok().and_then(|admitted| admitted.as_bool()).unwrap_or(true)
    }

    async fn put_key(&self, digest: &str, record: &str) -> Result<(), PortError> {
        let put = keys(&self.env)?.put(digest, record).map_err(kv_failed)?;
        put.execute().await.map_err(kv_failed)
    }

    async fn delete_key(&self, digest: &str) -> Result<(), PortError> {
        keys(&self.env)?.delete(digest).await.map_err(kv_failed)
    }

    async fn call(&self, class: &'static str, name: &str, call: String) -> Result<String, PortError> {
        let failed = |error: JsValue| js_error::by_call(class, &caught(&error));
        let answer = match class {
            // An account's object answers at once. Others may take long, and nobody else is to wait for that. What an object
            // sends travels alone: it comes in batches already, and no request of a client is to depend on it.
            account::request::CLASS if !self.is_in_object => ask_account(name, &call),
            _ => self.object(class, name)?.ask(&call),
        };
        let answer = Settled::of(&answer).await.map_err(failed)?;
        answer
            .as_string()
            .ok_or_else(|| PortError::failed(class, "an answer that is no text"))
    }

    async fn call_all(
        &self,
        class: &'static str,
        name: &str,
        calls: Vec<String>,
    ) -> Result<Vec<Result<String, PortError>>, PortError> {
        let answers = Settled::of(&ask_all(&self.object(class, name)?, calls)).await;
        let answers = answers.map_err(|error| js_error::by_call(class, &caught(&error)))?;
        let read = |answer: JsValue| match answer.as_string() {
            Some(answer) => Ok(answer),
            None => Err(js_error::by_call(class, &failure(&answer))),
        };
        Ok(js_sys::Array::from(&answers).iter().map(read).collect())
    }

    async fn sleep(&self, ms: i64) {
        socket::sleep(ms).await;
    }

    async fn connect(&self, host: &str, port: u16, tls: bool) -> Result<socket::Connection, PortError> {
        socket::connect(host, port, tls).await
    }

    async fn fetch(&self, request: &OutgoingRequest) -> Result<IncomingResponse, PortError> {
        fetch::fetch(request).await
    }
}

// See `zones.mjs`.
#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = peykUtcOffset)]
    fn js_utc_offset(time_zone: &str, at_ms: f64) -> Option<i32>;
}

impl Zones for Runtime {
    fn utc_offset_minutes(&self, time_zone: &str, at_ms: i64) -> Option<i32> {
        js_utc_offset(time_zone, at_ms as f64)
    }
}

/// Writes a line of the log, beside the request that is under way or apart from it.
pub fn write_line(line: &str, is_apart: bool) {
    if is_apart {
        js_log_apart(line);
    } else {
        console_log!("{line}");
    }
}

// See `apart.mjs`.
#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = peykLogApart)]
    fn js_log_apart(line: &str);
}

/// Returns the milliseconds since the Unix epoch.
pub fn now_ms() -> i64 {
    i64::try_from(Date::now().as_millis()).unwrap_or_default()
}

// See `crossings.mjs`.
#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = peykHead)]
    fn js_head(request: &web_sys::Request) -> String;
    #[wasm_bindgen(js_name = peykRespond, catch)]
    fn js_respond(status: u16, headers: &str, body: &str) -> Result<web_sys::Response, JsValue>;
}

/// Reads the parts of a request that Peyk needs, and the length that it declares for its body, bytes.
pub fn head(request: &web_sys::Request) -> (Head, Option<usize>) {
    let head = js_head(request);
    let mut lines = head.split('\n');
    let mut line = || lines.next().unwrap_or_default();
    let (method, url) = (line().to_owned(), line());
    let mut header = || line().strip_prefix('=').map(str::to_owned);
    let origin = origin_of(url);
    let target = url.get(origin.len()..).unwrap_or_default();
    let target = target.split('#').next().unwrap_or_default();
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let mut head = Head {
        method,
        path: path.to_owned(),
        query: query.to_owned(),
        origin: origin.to_owned(),
        authorization: header(),
        content_type: header(),
        accept_language: header(),
        idempotency_key: header(),
        request_id: header(),
        accept: header(),
        address: header().and_then(|text| address(&text)),
        ..Head::default()
    };
    let declared = header().and_then(|length| length.parse().ok());
    head.cookie = header();
    head.console = header();
    head.fetch_site = header();
    head.page_origin = header();
    let [x_api_key, apikey, token] = [header(), header(), header()];
    head.door_key = x_api_key.or(apikey).or(token);
    (head, declared)
}

/// Converts an answer to the runtime's type.
pub fn respond(answer: Answer, runtime: Runtime) -> worker::Result<web_sys::Response> {
    let Answer { response, export } = answer;
    let Some(export) = export else {
        let mut headers = format!("Content-Type\n{}", response.content_type);
        if response.content_type.is_empty() {
            headers.clear();
        }
        for (name, value) in &response.headers {
            for part in [name, value.as_str()] {
                headers.push('\n');
                headers.push_str(part);
            }
        }
        let headers = headers.strip_prefix('\n').unwrap_or(&headers);
        return js_respond(response.status, headers, &response.body).map_err(worker::Error::from);
    };
    let headers = Headers::new();
    headers.set("Content-Type", response.content_type)?;
    for (name, value) in &response.headers {
        headers.set(name, value)?;
    }
    let builder = worker::Response::builder()
        .with_status(response.status)
        .with_headers(headers);
    Ok(builder.from_stream(pieces(export, runtime))?.into())
}

/// The response to a request that could not even be answered with a problem.
pub fn internal_error() -> JsValue {
    js_respond(500, "", "INTERNAL SERVER ERROR").map_or(JsValue::UNDEFINED, JsValue::from)
}

/// The pieces of an export. A failure breaks the response off, so that the client notices it.
fn pieces(export: Export, runtime: Runtime) -> impl futures_util::Stream<Item = worker::Result<Vec<u8>>> {
    futures_util::stream::unfold(Some((export, runtime)), |state| async {
        let (mut export, runtime) = state?;
        match export.next(&runtime).await {
            Ok(piece) => piece.map(|piece| (Ok(piece), Some((export, runtime)))),
            Err(error) => {
                log::error(&runtime, "export", serde_json::json!({"cause": error.to_string()}));
                Some((Err(worker::Error::RustError("the export failed".to_owned())), None))
            }
        }
    })
}

/// A larger body is admitted before anything is made of it, bytes.
const SMALL_BODY_BYTES: usize = 8 * 1024;
/// What is made of a JSON body takes so many times as much as what is made of a file, which is read through as it is.
const FILE_SHARE: usize = 8;

/// The body of an incoming request. What it takes of the isolate's memory is free again when it is dropped.
pub struct HttpBody {
    request: web_sys::Request,
    declared_bytes: Option<usize>,
    /// The stream of the body, opened by the first read of a piece.
    pieces: Option<ByteStream>,
    admission: Option<Admission>,
}

impl HttpBody {
    /// Wraps the body of a request that declares this length.
    pub fn new(request: web_sys::Request, declared_bytes: Option<usize>) -> Self {
        HttpBody {
            request,
            declared_bytes,
            pieces: None,
            admission: None,
        }
    }

    /// Reads the whole body, of which a `share`th is admitted.
    async fn read_whole(&mut self, limit_bytes: usize, share: usize) -> Result<Vec<u8>, BodyError> {
        match self.declared_bytes {
            Some(declared) if declared > limit_bytes => Err(BodyError::TooLarge),
            // The runtime keeps a body to its declared length, so it can be read in one call.
            Some(_) => {
                let unreadable = |_| BodyError::Unreadable;
                let bytes = Settled::of(&self.request.array_buffer().map_err(unreadable)?).await;
                let bytes = js_sys::Uint8Array::new(&bytes.map_err(unreadable)?);
                // Only now: a client that takes long to send its body keeps nobody out.
                let length = usize::try_from(bytes.length()).unwrap_or(limit_bytes);
                self.admit(length / share).await?;
                Ok(bytes.to_vec())
            }
            None => {
                let bytes = read_pieces(self, limit_bytes).await?;
                self.admit(bytes.len() / share).await?;
                Ok(bytes)
            }
        }
    }

    /// Waits until the isolate has memory for what is made of a body of this size.
    async fn admit(&mut self, bytes: usize) -> Result<(), BodyError> {
        if bytes > SMALL_BODY_BYTES {
            self.admission = Some(Admission::of(bytes).await?);
        }
        Ok(())
    }
}

// See `bodies.mjs`.
#[wasm_bindgen]
extern "C" {
    /// Gives a ticket, or a promise of one; 0 stands for none.
    #[wasm_bindgen(js_name = peykAdmitBody)]
    fn js_admit_body(bytes: f64) -> JsValue;
    #[wasm_bindgen(js_name = peykReleaseBody)]
    fn js_release_body(ticket: f64);
    #[wasm_bindgen(js_name = peykCountFailure)]
    fn js_count_failure(address: &str) -> js_sys::Promise;
}

/// The room that a large body takes in the isolate, until it is dropped.
struct Admission(f64);

impl Admission {
    /// Waits for room.
    async fn of(bytes: usize) -> Result<Admission, BodyError> {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        let given = js_admit_body(bytes.into());
        let ticket = match given.as_f64() {
            Some(ticket) => Some(ticket),
            None => Settled::of(&js_sys::Promise::from(given))
                .await
                .ok()
                .and_then(|ticket| ticket.as_f64()),
        };
        match ticket {
            Some(ticket) if ticket > 0.0 => Ok(Admission(ticket)),
            _ => Err(BodyError::NoRoom),
        }
    }
}

impl Drop for Admission {
    fn drop(&mut self) {
        js_release_body(self.0);
    }
}

impl Body for HttpBody {
    fn declared_bytes(&self) -> Option<usize> {
        self.declared_bytes
    }

    async fn next(&mut self) -> Result<Option<Vec<u8>>, BodyError> {
        if self.request.body().is_none() {
            return Ok(None);
        }
        let pieces = match &mut self.pieces {
            Some(pieces) => pieces,
            none => {
                let mut request = worker::Request::from(Clone::clone(&self.request));
                none.insert(request.stream().map_err(|_| BodyError::Unreadable)?)
            }
        };
        let piece = pieces.next().await.transpose();
        piece.map_err(|_| BodyError::Unreadable)
    }

    async fn read(&mut self, limit_bytes: usize) -> Result<Vec<u8>, BodyError> {
        self.read_whole(limit_bytes, 1).await
    }

    async fn read_file(&mut self, limit_bytes: usize) -> Result<Vec<u8>, BodyError> {
        self.read_whole(limit_bytes, FILE_SHARE).await
    }
}
