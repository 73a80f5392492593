//! The Durable Objects: an account's, and the sandbox carrier's of an account. Each is a shell: it hands calls and alarms
//! to the pure code and sets the alarm to when that wants to be called again.

use std::cell::Cell;

use serde::Serialize;
use wasm_bindgen::prelude::*;
use worker::{DurableObject, Env, Request, Response, Result, State, console_log, durable_object};

use super::runtime::{Runtime, now_ms};
use super::sql::ObjectStorage;
use crate::account::command::Call;
use crate::account::{decide, outbox, store};
use crate::carrier::sandbox;
use crate::ports::PortError;

/// When to try again after an alarm failed, ms.
const ALARM_RETRY_MS: i64 = 5_000;

/// What both objects are made of.
struct Shell {
    state: State,
    env: Env,
    opened: Cell<bool>,
    armed_ms: Cell<Option<i64>>,
}

impl Shell {
    fn new(state: State, env: Env) -> Self {
        Shell {
            state,
            env,
            opened: Cell::new(false),
            armed_ms: Cell::new(None),
        }
    }

    fn storage(
        &self,
        open: fn(&ObjectStorage) -> std::result::Result<(), PortError>,
    ) -> std::result::Result<ObjectStorage, PortError> {
        let storage = ObjectStorage::of(&self.state).map_err(|error| PortError::failed("storage", error))?;
        if !self.opened.get() {
            open(&storage)?;
            self.opened.set(true);
        }
        Ok(storage)
    }

    /// Sets the alarm, unless it is set to ring as early already.
    fn arm(&self, storage: &ObjectStorage, due_ms: Option<i64>) -> std::result::Result<(), PortError> {
        let Some(due_ms) = due_ms else {
            return Ok(());
        };
        if self.armed_ms.get().is_some_and(|armed_ms| armed_ms <= due_ms) {
            return Ok(());
        }
        storage.set_alarm(due_ms)?;
        self.armed_ms.set(Some(due_ms));
        Ok(())
    }

    fn log(&self, what: &str, error: &PortError) {
        let line = serde_json::json!({"level": "error", "event": "object", "what": what, "cause": error.to_string()});
        console_log!("{line}");
    }

    /// An answer in JSON; a failure is thrown to the caller, and nothing was written.
    fn answer(&self, outcome: std::result::Result<impl Serialize, PortError>) -> std::result::Result<String, JsError> {
        let text =
            outcome.and_then(|reply| serde_json::to_string(&reply).map_err(|error| PortError::failed("json", error)));
        text.map_err(|error| {
            self.log("call", &error);
            JsError::new(&error.to_string())
        })
    }

    /// Ends an alarm: it rings again when there is something to do, or soon when it failed.
    fn rearm(&self, outcome: std::result::Result<Option<i64>, PortError>) -> Result<Response> {
        let due_ms = outcome.unwrap_or_else(|error| {
            self.log("alarm", &error);
            Some(now_ms() + ALARM_RETRY_MS)
        });
        let armed = ObjectStorage::of(&self.state)
            .map_err(|error| PortError::failed("storage", error))
            .and_then(|storage| self.arm(&storage, due_ms));
        match armed {
            Ok(()) => Response::empty(),
            // The runtime itself rings a failed alarm again.
            Err(error) => Err(worker::Error::RustError(error.to_string())),
        }
    }
}

/// An account's object.
#[durable_object]
pub struct Account {
    shell: Shell,
}

impl DurableObject for Account {
    fn new(state: State, env: Env) -> Self {
        Account {
            shell: Shell::new(state, env),
        }
    }

    async fn fetch(&self, _request: Request) -> Result<Response> {
        Response::error("asked by method only", 405)
    }

    async fn alarm(&self) -> Result<Response> {
        self.shell.armed_ms.set(None);
        let outcome = match self.shell.storage(store::open) {
            Ok(storage) => outbox::run(&Runtime::new(self.shell.env.clone()), &storage).await,
            Err(error) => Err(error),
        };
        self.shell.rearm(outcome)
    }
}

#[wasm_bindgen]
impl Account {
    /// Answers one call; both are JSON.
    pub fn ask(&self, call: &str) -> std::result::Result<String, JsError> {
        let outcome = self.shell.storage(store::open).and_then(|storage| {
            let call: Call = serde_json::from_str(call).map_err(|error| PortError::failed("call", error))?;
            let now_ms = now_ms();
            let reply = decide::handle(&storage, now_ms, &call)?;
            self.shell.arm(&storage, call.command.due_ms(now_ms))?;
            Ok(reply)
        });
        self.shell.answer(outcome)
    }
}

/// The sandbox carrier's object of one account.
#[durable_object]
pub struct Sandbox {
    shell: Shell,
}

impl DurableObject for Sandbox {
    fn new(state: State, env: Env) -> Self {
        Sandbox {
            shell: Shell::new(state, env),
        }
    }

    async fn fetch(&self, _request: Request) -> Result<Response> {
        Response::error("asked by method only", 405)
    }

    async fn alarm(&self) -> Result<Response> {
        self.shell.armed_ms.set(None);
        let outcome = match self.shell.storage(sandbox::open) {
            Ok(storage) => sandbox::run(&Runtime::new(self.shell.env.clone()), &storage).await,
            Err(error) => Err(error),
        };
        self.shell.rearm(outcome)
    }
}

#[wasm_bindgen]
impl Sandbox {
    /// Answers one call; both are JSON.
    pub fn ask(&self, call: &str) -> std::result::Result<String, JsError> {
        let outcome = self.shell.storage(sandbox::open).and_then(|storage| {
            let call: sandbox::Call = serde_json::from_str(call).map_err(|error| PortError::failed("call", error))?;
            let reply = sandbox::handle(&storage, now_ms(), &call)?;
            self.shell.arm(&storage, sandbox::next_due(&storage)?)?;
            Ok(reply)
        });
        self.shell.answer(outcome)
    }
}
