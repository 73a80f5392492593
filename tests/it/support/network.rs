//! Sockets and timers of the native tests, in virtual time.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::future::{Future, poll_fn};
use std::rc::Rc;
use std::task::{Poll, Waker};

use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use peyk::base::ports::PortError;
use tokio::io::DuplexStream;

/// What a connection takes at first.
const PIPE_BYTES: usize = 64 * 1024;

/// Who waits for which time.
#[derive(Default)]
pub struct Timers {
    pub now_ms: Cell<i64>,
    next: Cell<u64>,
    waiting: RefCell<BTreeMap<(i64, u64), Waker>>,
}

impl Timers {
    /// Waits until a time.
    pub fn until(self: &Rc<Self>, due_ms: i64) -> impl Future<Output = ()> + 'static {
        let timers = Rc::clone(self);
        timers.next.set(timers.next.get() + 1);
        let key = (due_ms, timers.next.get());
        let guard = Waiting { timers, key };
        poll_fn(move |context| match guard.timers.now_ms.get() >= due_ms {
            true => Poll::Ready(()),
            false => {
                let waker = context.waker().clone();
                guard.timers.waiting.borrow_mut().insert(guard.key, waker);
                Poll::Pending
            }
        })
    }

    /// When somebody waits for, first.
    pub fn next_due(&self) -> Option<i64> {
        self.waiting.borrow().keys().next().map(|(due_ms, _)| *due_ms)
    }

    /// Sets the time, and wakes those whose time has come.
    pub fn set(&self, now_ms: i64) {
        self.now_ms.set(now_ms);
        let later = self.waiting.borrow_mut().split_off(&(now_ms + 1, 0));
        self.waiting.replace(later).into_values().for_each(Waker::wake);
    }
}

struct Waiting {
    timers: Rc<Timers>,
    key: (i64, u64),
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.timers.waiting.borrow_mut().remove(&self.key);
    }
}

type Listener = Rc<dyn Fn(DuplexStream) -> LocalBoxFuture<'static, ()>>;

/// Who listens on which port, and the connections that were made and are not served yet.
pub struct Network {
    pub timers: Rc<Timers>,
    /// Octets that a connection takes before its other side has read them.
    pub pipe_bytes: Cell<usize>,
    listeners: RefCell<BTreeMap<u16, Listener>>,
    pub incoming: RefCell<Vec<LocalBoxFuture<'static, ()>>>,
    pub connections: Cell<u64>,
}

impl Default for Network {
    fn default() -> Self {
        Network {
            timers: Rc::default(),
            pipe_bytes: Cell::new(PIPE_BYTES),
            listeners: RefCell::default(),
            incoming: RefCell::default(),
            connections: Cell::default(),
        }
    }
}

impl Network {
    /// Lets somebody serve the connections to a port.
    pub fn listen<F: Future<Output = ()> + 'static>(&self, port: u16, serve: impl Fn(DuplexStream) -> F + 'static) {
        let listener: Listener = Rc::new(move |stream| serve(stream).boxed_local());
        self.listeners.borrow_mut().insert(port, listener);
    }

    /// Nobody listens there any more.
    pub fn unlisten(&self, port: u16) {
        self.listeners.borrow_mut().remove(&port);
    }

    pub fn connect(&self, port: u16) -> Result<DuplexStream, PortError> {
        let listener = self.listeners.borrow().get(&port).cloned();
        let listener = listener.ok_or_else(|| PortError::unavailable("socket", "connection refused"))?;
        let (ours, theirs) = tokio::io::duplex(self.pipe_bytes.get());
        self.connections.set(self.connections.get() + 1);
        self.incoming.borrow_mut().push(listener(theirs));
        Ok(ours)
    }
}
