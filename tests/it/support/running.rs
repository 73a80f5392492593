//! Runs work to its end while nobody else runs and the clock stands still.

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

/// More polls than any work needs whose world stands still.
const MOST_POLLS: u32 = 10_000_000;

/// Whether somebody has woken the work since it was last looked at.
pub struct Woken(pub AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Runs something to its end. `None`: it waits for what never comes.
pub fn while_awake<T>(mut work: Pin<&mut impl Future<Output = T>>) -> Option<T> {
    let woken = Arc::new(Woken(AtomicBool::new(true)));
    let waker = Waker::from(Arc::clone(&woken));
    for _ in 0..MOST_POLLS {
        if !woken.0.swap(false, Ordering::Relaxed) {
            return None;
        }
        if let Poll::Ready(done) = work.as_mut().poll(&mut Context::from_waker(&waker)) {
            return Some(done);
        }
    }
    panic!("it wakes itself for ever")
}

/// Runs something to its end. Panics if it waits for what never comes, so that no test hangs.
#[track_caller]
pub fn to_end<T>(work: impl Future<Output = T>) -> T {
    while_awake(pin!(work)).unwrap_or_else(|| panic!("it waits for what never comes"))
}
