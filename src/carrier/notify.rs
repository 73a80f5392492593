//! Wakes one waiting future of the same object.

use std::cell::{Cell, RefCell};
use std::task::{Context, Poll, Waker};

/// A notify for one listener. It rings on until somebody has heard it.
#[derive(Debug, Default)]
pub struct Notify {
    rings: Cell<bool>,
    listener: RefCell<Option<Waker>>,
}

impl Notify {
    /// Rings it.
    pub fn ring(&self) {
        self.rings.set(true);
        if let Some(listener) = self.listener.take() {
            listener.wake();
        }
    }

    /// Hears it, once for all rings so far.
    pub fn poll(&self, context: &Context<'_>) -> Poll<()> {
        match self.rings.replace(false) {
            true => Poll::Ready(()),
            false => {
                self.listener.replace(Some(context.waker().clone()));
                Poll::Pending
            }
        }
    }
}
