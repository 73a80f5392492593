//! How futures of requests go on. The bindings make a promise, closures and a microtask for each step of a future, which is much of
//! what a request costs. Here, a promise that settles calls straight into the future that waits for it.
//!
//! A future goes on in turns: what is ready when a turn begins goes on in it. If JavaScript throws through a turn, the future of then
//! is lost, and the next turn takes up the others.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;

type Work = Pin<Box<dyn Future<Output = ()>>>;

thread_local! {
    /// Futures that are not at their end, with what wakes them, by their numbers.
    static WORKS: RefCell<BTreeMap<u32, (Work, Waker)>> = const { RefCell::new(BTreeMap::new()) };
    /// The numbers of those that can go on.
    static READY: RefCell<VecDeque<u32>> = const { RefCell::new(VecDeque::new()) };
    /// What is waited for, by its number.
    static AWAITED: RefCell<BTreeMap<u32, Awaited>> = const { RefCell::new(BTreeMap::new()) };
    static LAST_NUMBER: Cell<u32> = const { Cell::new(0) };
    /// Whether a turn comes without being planned.
    static TURN_COMES: Cell<bool> = const { Cell::new(false) };
    static IS_PLANNED: Cell<bool> = const { Cell::new(false) };
}

fn next_number() -> u32 {
    let number = LAST_NUMBER.get().wrapping_add(1);
    LAST_NUMBER.set(number);
    number
}

/// Begins a future at once. Only JavaScript that has just entered Rust may do so.
pub fn begin(work: impl Future<Output = ()> + 'static) {
    let number = add(work);
    READY.with_borrow_mut(|ready| ready.push_back(number));
    turn();
}

/// Begins a future a moment later.
pub fn spawn(work: impl Future<Output = ()> + 'static) {
    Arc::new(Task(add(work))).wake();
}

fn add(work: impl Future<Output = ()> + 'static) -> u32 {
    let number = next_number();
    let waker = Waker::from(Arc::new(Task(number)));
    let work: Work = Box::pin(work);
    WORKS.with_borrow_mut(|works| works.insert(number, (work, waker)));
    number
}

/// Lets those go on that are ready now.
fn turn() {
    for _ in 0..READY.with_borrow(VecDeque::len) {
        let Some(number) = READY.with_borrow_mut(VecDeque::pop_front) else {
            return;
        };
        // It may be at its end already: what it no longer waits for wakes it too.
        let Some((mut work, waker)) = WORKS.with_borrow_mut(|works| works.remove(&number)) else {
            continue;
        };
        if work.as_mut().poll(&mut Context::from_waker(&waker)).is_pending() {
            WORKS.with_borrow_mut(|works| works.insert(number, (work, waker)));
        }
    }
}

/// Wakes the future with its number.
struct Task(u32);

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        READY.with_borrow_mut(|ready| ready.push_back(self.0));
        if !TURN_COMES.get() && !IS_PLANNED.replace(true) {
            spawn_local(async {
                IS_PLANNED.set(false);
                turn();
            });
        }
    }
}

#[derive(Default)]
struct Awaited {
    outcome: Option<Result<JsValue, JsValue>>,
    waker: Option<Waker>,
}

// See `restart.mjs`.
#[wasm_bindgen]
extern "C" {
    /// Calls [`settle`] with this number when a promise settles.
    #[wasm_bindgen(js_name = peykAwait)]
    fn js_await(promise: &js_sys::Promise, number: u32);
}

/// Takes what a promise has come to. JavaScript calls it when nothing of Rust is under way.
#[wasm_bindgen]
pub fn settle(number: u32, value: JsValue, is_kept: bool) {
    let waker = AWAITED.with_borrow_mut(|awaited| {
        let awaited = awaited.get_mut(&number)?;
        awaited.outcome = Some(if is_kept { Ok(value) } else { Err(value) });
        awaited.waker.take()
    });
    let Some(waker) = waker else { return };
    TURN_COMES.set(true);
    waker.wake();
    TURN_COMES.set(false);
    turn();
}

/// Waits for a promise.
pub struct Settled(u32);

impl Settled {
    /// What a promise comes to.
    pub fn of(promise: &js_sys::Promise) -> Self {
        let number = next_number();
        AWAITED.with_borrow_mut(|awaited| awaited.insert(number, Awaited::default()));
        js_await(promise, number);
        Settled(number)
    }
}

impl Future for Settled {
    type Output = Result<JsValue, JsValue>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        AWAITED.with_borrow_mut(|awaited| {
            let awaited = awaited.entry(self.0).or_default();
            match awaited.outcome.take() {
                Some(outcome) => Poll::Ready(outcome),
                None => {
                    awaited.waker = Some(context.waker().clone());
                    Poll::Pending
                }
            }
        })
    }
}

impl Drop for Settled {
    fn drop(&mut self) {
        // Dropped after the borrow: a waker may hold what has to do with all this.
        let awaited = AWAITED.with_borrow_mut(|awaited| awaited.remove(&self.0));
        drop(awaited);
    }
}
