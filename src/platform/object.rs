//! The Durable Objects as the runtime sees them. One shell serves all classes: it opens the object's storage, hands calls and
//! alarms to the class, and sets the alarm to when the class wants to be called again.

use std::cell::Cell;
use std::rc::Rc;

use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use worker::{DurableObject, Env, Request, Response, Result, State, console_log, durable_object};

use super::runtime::{Runtime, now_ms};
use super::sql::ObjectStorage;
use crate::object::{Object, Wake};
use crate::objects::{AccountObject, CarrierObject};
use crate::ports::PortError;

/// When to try again after an alarm failed, ms.
const ALARM_RETRY_MS: i64 = 5_000;
/// When the alarm looks after urgent work that a call has started, ms: it goes on with it if the runtime ended it.
const LOOK_AFTER_MS: i64 = 1_000;

/// One object of a class.
struct Shell<O> {
    state: State,
    runtime: Runtime,
    object: O,
    is_open: Cell<bool>,
    armed_ms: Cell<Option<i64>>,
}

impl<O: Object + 'static> Shell<O> {
    fn new(state: State, env: Env) -> Rc<Self> {
        Rc::new(Shell {
            state,
            runtime: Runtime::new(env),
            object: O::default(),
            is_open: Cell::new(false),
            armed_ms: Cell::new(None),
        })
    }

    fn storage(&self) -> std::result::Result<ObjectStorage, PortError> {
        ObjectStorage::of(&self.state).map_err(|error| PortError::failed("storage", error))
    }

    /// The storage, with its schema up to date. The first time in an instance, the alarm is set from what is stored: an alarm
    /// that was set before may be lost, and a later one must not replace an earlier one.
    fn open(&self) -> std::result::Result<ObjectStorage, PortError> {
        let storage = self.storage()?;
        if !self.is_open.get() {
            O::open(&storage)?;
            self.is_open.set(true);
            self.arm(&storage, self.object.next_due_ms(&storage, now_ms())?)?;
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

    /// Answers one call.
    async fn ask(self: Rc<Self>, call: String) -> std::result::Result<String, PortError> {
        self.object.begin_invocation();
        let storage = self.open()?;
        let answered = self.object.answer(&self.runtime, &storage, &call).await?;
        match answered.wake {
            Wake::Never => {}
            Wake::At(due_ms) => self.arm(&storage, Some(due_ms))?,
            Wake::Now => {
                self.arm(&storage, Some(now_ms() + LOOK_AFTER_MS))?;
                spawn_local(Rc::clone(&self).do_urgent());
            }
        }
        Ok(answered.reply)
    }

    async fn do_urgent(self: Rc<Self>) {
        let done = match self.open() {
            Ok(storage) => self.object.urgent(&self.runtime, &storage).await,
            Err(error) => Err(error),
        };
        let armed = done.and_then(|()| {
            let storage = self.storage()?;
            // The alarm that was set with the call looks after everything, unless it has rung in between.
            match self.armed_ms.get() {
                Some(_) => Ok(()),
                None => self.arm(&storage, self.object.next_due_ms(&storage, now_ms())?),
            }
        });
        if let Err(error) = armed {
            log("urgent", &error);
        }
    }

    async fn ring(self: Rc<Self>) -> Result<Response> {
        self.armed_ms.set(None);
        self.object.begin_invocation();
        let due_ms = self.do_chores().await.unwrap_or_else(|error| {
            log("alarm", &error);
            Some(now_ms() + ALARM_RETRY_MS)
        });
        match self.storage().and_then(|storage| self.arm(&storage, due_ms)) {
            Ok(()) => Response::empty(),
            // The runtime itself rings a failed alarm again.
            Err(error) => Err(worker::Error::RustError(error.to_string())),
        }
    }

    async fn do_chores(&self) -> std::result::Result<Option<i64>, PortError> {
        let storage = self.open()?;
        self.object.chores(&self.runtime, &storage).await?;
        self.object.next_due_ms(&storage, now_ms())
    }
}

fn log(what: &str, error: &PortError) {
    let line = serde_json::json!({"level": "error", "event": "object", "what": what, "cause": error.to_string()});
    console_log!("{line}");
}

/// A failure is thrown to the caller; the runtime keeps nothing that was written in the same call.
fn answer(outcome: std::result::Result<String, PortError>) -> std::result::Result<String, JsError> {
    outcome.map_err(|error| {
        log("call", &error);
        JsError::new(&error.to_string())
    })
}

/// Makes a class that the runtime knows of a class of ours.
macro_rules! class {
    ($(#[$doc:meta])* $name:ident: $object:ty) => {
        $(#[$doc])*
        #[durable_object]
        pub struct $name {
            shell: Rc<Shell<$object>>,
        }

        impl DurableObject for $name {
            fn new(state: State, env: Env) -> Self {
                $name {
                    shell: Shell::new(state, env),
                }
            }

            async fn fetch(&self, _request: Request) -> Result<Response> {
                Response::error("asked by method only", 405)
            }

            async fn alarm(&self) -> Result<Response> {
                Rc::clone(&self.shell).ring().await
            }
        }

        #[wasm_bindgen]
        impl $name {
            /// Answers one call; call and answer are JSON.
            pub async fn ask(&self, call: String) -> std::result::Result<String, JsError> {
                answer(Rc::clone(&self.shell).ask(call).await)
            }
        }
    };
}

class! {
    /// An account's object.
    Account: AccountObject
}

class! {
    /// A carrier's object.
    Carrier: CarrierObject
}
