//! Wakes one waiting future of the same object.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// A notify for one listener. It rings on until somebody has heard it.
#[derive(Debug, Default)]
pub struct Notify {
    rings: Cell<bool>,
    listener: RefCell<Option<Waker>>,
}

impl Notify {
    pub fn ring(&self) {
        self.rings.set(true);
        if let Some(listener) = self.listener.take() {
            listener.wake();
        }
    }

    /// Whether it has rung, once for all rings so far. If not, it wakes this listener the next time.
    pub fn has_rung(&self, context: &Context<'_>) -> bool {
        let has_rung = self.rings.replace(false);
        if !has_rung {
            self.listener.replace(Some(context.waker().clone()));
        }
        has_rung
    }

    /// Waits until it rings, or until the time is over.
    pub async fn heard_or(&self, time: impl Future<Output = ()>) {
        let mut time = pin!(time);
        poll_fn(|context| {
            if self.has_rung(context) {
                return Poll::Ready(());
            }
            time.as_mut().poll(context)
        })
        .await;
    }
}
