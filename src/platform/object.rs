//! The Durable Objects as the runtime sees them. One shell serves all classes: it opens the object's storage, hands calls and
//! alarms to the class, and sets the alarm to when the class wants to be called again.

use std::cell::{Cell, OnceCell};
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;
use worker::{Delay, DurableObject, Env, Request, Response, Result, State, console_log, durable_object};

use super::js_error;
use super::runtime::{Runtime, now_ms};
use super::sql::ObjectStorage;
use super::task;
use crate::base::ports::PortError;
use crate::durable::{Object, Wake, failure_line, movable::Movable};
use crate::objects::{AccountObject, CarrierObject, WebhookObject, metrics};

/// When to try again after an alarm failed, ms.
const ALARM_RETRY_MS: i64 = 5_000;
/// How long after a start of urgent work the next one starts, ms. Longer gaps let more chunks travel in one call; shorter ones
/// let a lone message leave sooner.
const URGENT_GAP_MS: i64 = 10;
/// When the alarm looks after urgent work that a call has started, ms: it goes on with it if the runtime ended it.
const LOOK_AFTER_MS: i64 = 1_000;

/// One object of a class.
struct Shell<O> {
    state: State,
    storage: OnceCell<ObjectStorage>,
    runtime: Runtime,
    object: O,
    is_open: Cell<bool>,
    armed_ms: Cell<Option<i64>>,
    /// When urgent work was started last.
    urgent_ms: Cell<i64>,
    urgent_is_planned: Cell<bool>,
}

impl<O: Object + 'static> Shell<O> {
    fn new(state: State, env: Env) -> Rc<Self> {
        Rc::new(Shell {
            state,
            storage: OnceCell::new(),
            runtime: Runtime::of_object(env),
            object: O::default(),
            is_open: Cell::new(false),
            armed_ms: Cell::new(None),
            urgent_ms: Cell::new(0),
            urgent_is_planned: Cell::new(false),
        })
    }

    fn storage(&self) -> std::result::Result<&ObjectStorage, PortError> {
        if let Some(storage) = self.storage.get() {
            return Ok(storage);
        }
        let opened = ObjectStorage::of(&self.state)?;
        Ok(self.storage.get_or_init(|| opened))
    }

    /// The storage, with its schema up to date. The first time in an instance, the alarm is set from what is stored: an alarm
    /// that was set before may be lost, and a later one must not replace an earlier one.
    fn open(&self) -> std::result::Result<&ObjectStorage, PortError> {
        let storage = self.storage()?;
        if !self.is_open.get() {
            O::open(storage)?;
            self.is_open.set(true);
            self.arm(storage, self.object.next_due_ms(storage, now_ms())?)?;
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
        // The runtime takes the time 0 for no alarm at all, and drops the alarm that it has.
        storage.set_alarm(due_ms.max(now_ms() + 1))?;
        self.armed_ms.set(Some(due_ms));
        Ok(())
    }

    /// Answers calls that came together: one answer for each.
    async fn answer(self: Rc<Self>, calls: Vec<String>) -> Vec<std::result::Result<String, PortError>> {
        self.object.begin_invocation();
        let storage = match self.open() {
            Ok(storage) => storage,
            Err(error) => {
                log("call", &error, calls.first());
                return calls.iter().map(|_| Err(error.clone())).collect();
            }
        };
        let mut answers = pin!(self.object.answer_all(&self.runtime, storage, &calls));
        let answers = poll_fn(|context| {
            let answers = answers.as_mut().poll(context);
            // Perhaps the answer waits for work that nobody does yet.
            if answers.is_pending() && self.object.wants_urgent(now_ms()) {
                self.plan_urgent();
            }
            answers
        })
        .await;
        if self.object.wants_urgent(now_ms()) {
            self.plan_urgent();
        }
        let told = answers.into_iter().enumerate().map(|(at, answered)| {
            let told = answered.and_then(|answered| self.wake(storage, answered.wake).map(|()| answered.reply));
            told.inspect_err(|error| log("call", error, calls.get(at)))
        });
        told.collect()
    }

    fn wake(self: &Rc<Self>, storage: &ObjectStorage, wake: Wake) -> std::result::Result<(), PortError> {
        match wake {
            Wake::Never => Ok(()),
            Wake::At(due_ms) => self.arm(storage, Some(due_ms)),
            Wake::Now => {
                self.arm(storage, Some(now_ms() + LOOK_AFTER_MS))?;
                self.plan_urgent();
                Ok(())
            }
        }
    }

    /// Starts urgent work at once or, when some was started just before, a moment later: so calls that come together have
    /// their work done together.
    fn plan_urgent(self: &Rc<Self>) {
        if self.urgent_is_planned.replace(true) {
            return;
        }
        let shell = Rc::clone(self);
        task::spawn(async move {
            let wait_ms = (shell.urgent_ms.get() + URGENT_GAP_MS - now_ms()).min(URGENT_GAP_MS);
            if let Ok(wait_ms @ 1..) = u64::try_from(wait_ms) {
                Delay::from(Duration::from_millis(wait_ms)).await;
            }
            shell.urgent_is_planned.set(false);
            shell.urgent_ms.set(now_ms());
            shell.do_urgent().await;
        });
    }

    async fn do_urgent(self: Rc<Self>) {
        let done = match self.open() {
            Ok(storage) => self.object.urgent(&self.runtime, storage).await,
            Err(error) => Err(error),
        };
        match done {
            Ok(true) => self.plan_urgent(),
            Ok(false) => {}
            Err(error) => log("urgent", &error, None),
        }
        if let Err(error) = self.look_after() {
            log("urgent", &error, None);
        }
    }

    /// Sets the alarm after urgent work: the one that was set with the call may have rung in between.
    fn look_after(&self) -> std::result::Result<(), PortError> {
        let (storage, now_ms) = (self.storage()?, now_ms());
        let made_due_ms = self.object.due_after_urgent_ms(now_ms);
        let due_ms = match self.armed_ms.get() {
            Some(_) => made_due_ms,
            None => self.object.next_due_ms(storage, now_ms)?,
        };
        self.arm(storage, due_ms)
    }

    async fn ring(self: Rc<Self>) -> Result<Response> {
        self.armed_ms.set(None);
        // The runtime may have dropped the timer of planned work.
        self.urgent_is_planned.set(false);
        self.object.begin_invocation();
        let due_ms = self.do_chores().await.unwrap_or_else(|error| {
            log("alarm", &error, None);
            Some(now_ms() + ALARM_RETRY_MS)
        });
        if self.object.wants_urgent(now_ms()) {
            self.plan_urgent();
        }
        // Whatever was set meanwhile, what is stored now says when to ring next.
        self.armed_ms.set(None);
        match self.storage().and_then(|storage| self.arm(storage, due_ms)) {
            Ok(()) => Response::empty(),
            // The runtime itself rings a failed alarm again.
            Err(error) => Err(worker::Error::RustError(error.to_string())),
        }
    }

    async fn do_chores(&self) -> std::result::Result<Option<i64>, PortError> {
        let storage = self.open()?;
        self.object.chores(&self.runtime, storage).await?;
        metrics::tell_if_due(&self.runtime).await;
        self.object.next_due_ms(storage, now_ms())
    }
}

fn log(what: &str, error: &PortError, call: Option<&String>) {
    console_log!("{}", failure_line(what, error, call.map(String::as_str)));
}

/// Polls an answer once. Most answers wait for nobody, and a promise for each would cost more than the answer.
fn at_once_or_later(
    answer: impl Future<Output = std::result::Result<JsValue, JsValue>> + 'static,
) -> std::result::Result<JsValue, JsValue> {
    let mut answer = Box::pin(answer);
    let task = Arc::new(Task::default());
    let waker = Waker::from(Arc::clone(&task));
    match answer.as_mut().poll(&mut Context::from_waker(&waker)) {
        Poll::Ready(answered) => answered,
        Poll::Pending => {
            let later = poll_fn(move |context| {
                task.is_now(context.waker());
                answer.as_mut().poll(&mut Context::from_waker(&waker))
            });
            Ok(future_to_promise(later).into())
        }
    }
}

/// Wakes the task that has an answer, also for a future that was polled before there was a task: a timer keeps the waker of
/// its first poll for ever.
#[derive(Default)]
struct Task(Mutex<Option<Waker>>);

impl Task {
    fn is_now(&self, waker: &Waker) {
        if let Ok(mut task) = self.0.lock() {
            task.get_or_insert_with(|| waker.clone()).clone_from(waker);
        }
    }
}

impl std::task::Wake for Task {
    fn wake(self: Arc<Self>) {
        if let Ok(Some(waker)) = self.0.lock().as_deref() {
            waker.wake_by_ref();
        }
    }
}

/// The answer to one call. A failure is thrown: the runtime keeps nothing that was written in the same call.
fn one(answers: Vec<std::result::Result<String, PortError>>) -> std::result::Result<JsValue, JsValue> {
    match answers.into_iter().next() {
        Some(Ok(reply)) => Ok(reply.into()),
        Some(Err(error)) => Err(JsError::new(&js_error::marked(&error)).into()),
        None => Err(JsError::new("a call without an answer").into()),
    }
}

/// The answers to several calls: a text for each, or `{failed: words}`. What one of them has written stands although another
/// has failed.
fn all(answers: Vec<std::result::Result<String, PortError>>) -> std::result::Result<JsValue, JsValue> {
    let list = js_sys::Array::new();
    for answer in answers {
        list.push(&match answer {
            Ok(reply) => reply.into(),
            Err(error) => {
                let failed = js_sys::Object::new();
                js_sys::Reflect::set(&failed, &"failed".into(), &js_error::marked(&error).into())?;
                failed.into()
            }
        });
    }
    Ok(list.into())
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
            /// Answers one call; call and answer are JSON. The answer is a promise only if the object had to wait.
            pub fn ask(&self, call: String) -> std::result::Result<JsValue, JsValue> {
                let shell = Rc::clone(&self.shell);
                at_once_or_later(async { one(shell.answer(vec![call]).await) })
            }

            /// Answers calls that came together: a list with an answer for each, a text or `{failed: words}`.
            #[wasm_bindgen(js_name = askAll)]
            pub fn ask_all(&self, calls: Vec<String>) -> std::result::Result<JsValue, JsValue> {
                let shell = Rc::clone(&self.shell);
                at_once_or_later(async { all(shell.answer(calls).await) })
            }
        }
    };
}

class! {
    /// An account's object.
    Account: Movable<AccountObject>
}

class! {
    /// A carrier's object.
    Carrier: Movable<CarrierObject>
}

class! {
    /// An account's webhook object.
    Webhook: Movable<WebhookObject>
}
