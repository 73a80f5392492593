//! The entry points: what the runtime calls.

use std::cell::OnceCell;
use std::rc::Rc;

use serde_json::json;
use wasm_bindgen::prelude::*;
use worker::worker_sys::web_sys;
use worker::{Env, Result, event};

use super::runtime::{self, HttpBody, Runtime};
use super::task;
use crate::api::doors;
use crate::api::http::{Head, app::App, meter::GATHER_MS};
use crate::base::{body::AnyBody, log};
use crate::base::{config::Config, ports::Platform};
use crate::objects::{nightly, stop};

thread_local! {
    static APP: OnceCell<Rc<App>> = const { OnceCell::new() };
}

/// The isolate's settings and caches, made on first use.
fn app(runtime: &Runtime) -> Result<Rc<App>> {
    APP.with(|cell| {
        if let Some(app) = cell.get() {
            return Ok(Rc::clone(app));
        }
        let config =
            Config::read(|name| runtime.setting(name)).map_err(|error| worker::Error::RustError(error.to_string()))?;
        let app = App {
            config,
            ..App::default()
        };
        Ok(Rc::clone(cell.get_or_init(|| Rc::new(app))))
    })
}

#[event(start)]
fn start() {
    console_error_panic_hook::set_once();
}

/// Each night, by the cron in `wrangler.toml`; and before the runtime ends, if somebody says so.
#[event(scheduled)]
async fn scheduled(event: worker::ScheduledEvent, env: Env, _context: worker::ScheduleContext) {
    let runtime = Runtime::of_request(env);
    match app(&runtime) {
        Ok(_) if event.cron() == stop::STOP => {
            if let Err(error) = stop::run(&runtime).await {
                log::error(&runtime, "stop", json!({"cause": error.to_string()}));
            }
        }
        Ok(app) => nightly::run(&runtime, &app.config).await,
        Err(error) => worker::console_error!("{error}"),
    }
}

// See `worker.mjs`.
#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = peykTellLater)]
    fn js_tell_later(ms: u32);
}

/// Tells what the isolate has counted.
#[wasm_bindgen]
pub async fn tell(env: Env) {
    let runtime = Runtime::of_request(env);
    if let Ok(app) = app(&runtime) {
        app.meter.tell(&runtime).await;
    }
}

/// Answers a request: gives the response to `answered`.
#[wasm_bindgen]
pub fn fetch(request: web_sys::Request, env: Env, answered: js_sys::Function) {
    task::begin(async move {
        let (head, declared_bytes) = runtime::head(&request);
        let body = HttpBody::new(request, declared_bytes);
        let response = answer(&head, body, env).await.unwrap_or_else(|error| {
            let line = log::text("error", "internal", json!({"cause": error.to_string()}), None);
            runtime::write_line(&line, doors::may_be_secret(&head.path));
            runtime::internal_error()
        });
        // It settles a promise, which can't fail.
        let _ = answered.call1(&JsValue::UNDEFINED, &response);
    });
}

async fn answer(head: &Head, body: HttpBody, env: Env) -> Result<JsValue> {
    let runtime = Runtime::of_request(env);
    let app = app(&runtime)?;
    let mut body = AnyBody::Incoming(body);
    let answer = doors::handle(&runtime, &app, head, &mut body).await;
    if app.meter.begins(runtime.now_ms()) {
        js_tell_later(GATHER_MS);
    }
    runtime::respond(answer, runtime).map(JsValue::from)
}
