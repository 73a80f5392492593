//! The Workers runtime's bindings behind the ports, and the entry points: wiring, and nothing else.

mod object;
mod runtime;
mod sql;

use std::cell::OnceCell;
use std::rc::Rc;

use wasm_bindgen::JsValue;
use worker::{Context, Env, MessageBatch, MessageExt, QueueRetryOptionsBuilder, Request, Result, event};

use crate::api::{self, App};
use crate::config::Config;
use crate::dispatch::{self, Verdict};
use runtime::{HttpBody, Runtime};

thread_local! {
    static APP: OnceCell<Rc<App>> = const { OnceCell::new() };
}

/// The isolate's settings and caches, made on first use.
fn app(env: &Env) -> Result<Rc<App>> {
    APP.with(|cell| {
        if let Some(app) = cell.get() {
            return Ok(Rc::clone(app));
        }
        let config = Config::read(|name| env.var(name).ok().map(|value| value.to_string()))
            .map_err(|error| worker::Error::RustError(error.to_string()))?;
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

#[event(fetch)]
async fn fetch(request: Request, env: Env, _context: Context) -> Result<worker::Response> {
    let app = app(&env)?;
    let head = runtime::head(&request)?;
    let mut body = HttpBody::new(request);
    let runtime = Runtime::new(env);
    let response = api::handle(&runtime, &app, &head, &mut body).await;
    runtime::respond(response, runtime)
}

#[event(queue)]
async fn queue(batch: MessageBatch<JsValue>, env: Env, _context: Context) -> Result<()> {
    let runtime = Runtime::new(env);
    let is_dead = batch.queue().ends_with("-dead");
    for message in batch.raw_iter() {
        let body = message.body().as_string().unwrap_or_default();
        if is_dead {
            dispatch::bury(&runtime, &body);
            message.ack();
            continue;
        }
        let sent_ms = i64::try_from(message.timestamp().as_millis()).unwrap_or_default();
        match dispatch::consume(&runtime, &body, sent_ms).await {
            Verdict::Ack => message.ack(),
            Verdict::Retry { delay_s } => {
                let options = QueueRetryOptionsBuilder::new().with_delay_seconds(delay_s).build();
                message.retry_with_options(&options);
            }
        }
    }
    Ok(())
}
