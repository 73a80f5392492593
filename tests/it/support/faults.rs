//! How work ends without a word: after some steps, because its client or the runtime drops it; or with the object that it runs in.

use std::cell::{Cell, RefCell};
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::task::{Poll, Waker};

use super::objects::{Instance, Memory, ObjectName};
use super::world::World;

/// Runs something for so many steps. `None`: it has not ended by then, and is dropped.
pub async fn for_steps<T>(steps: u32, work: impl Future<Output = T>) -> Option<T> {
    let (mut work, mut left) = (pin!(work), steps);
    poll_fn(|context| {
        let Some(next) = left.checked_sub(1) else {
            return Poll::Ready(None);
        };
        left = next;
        let polled = work.as_mut().poll(context).map(Some);
        // What is dropped after its last step is dropped at once, as if nobody woke it any more.
        match left {
            0 if polled.is_pending() => Poll::Ready(None),
            _ => polled,
        }
    })
    .await
}

/// How often the memory of an object was lost, and who has to know.
#[derive(Default)]
pub struct Lives {
    lost: Cell<u64>,
    /// Whether its alarm was set from what is stored, as the runtime's shell does when it opens an object.
    pub is_armed: Cell<bool>,
    wakers: RefCell<Vec<Waker>>,
}

impl Lives {
    /// All that runs in the object ends.
    fn end(&self) {
        self.lost.set(self.lost.get() + 1);
        self.is_armed.set(false);
        self.wakers.take().into_iter().for_each(Waker::wake);
    }

    /// Runs something that ends with the object. `None`: the object was dropped before.
    pub async fn run<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        let (mut work, begun) = (pin!(work), self.lost.get());
        poll_fn(|context| {
            if self.lost.get() != begun {
                return Poll::Ready(None);
            }
            let polled = work.as_mut().poll(context).map(Some);
            if polled.is_pending() {
                let mut wakers = self.wakers.borrow_mut();
                if !wakers.iter().any(|waker| waker.will_wake(context.waker())) {
                    wakers.push(context.waker().clone());
                }
            }
            polled
        })
        .await
    }
}

impl Instance {
    /// Drops the object: its memory is lost, and all that runs in it ends. Its storage stays.
    pub fn lose_memory(&self, class: &str) {
        self.memory.replace(Memory::new(class));
        self.lives.end();
    }
}

impl World {
    /// Lets others run at each call to a port, before its effect and after it.
    pub fn yield_at_each_await(&self) {
        self.yields.set(true);
        self.db.yields.set(true);
    }

    /// Lets the runtime drop an object, if there is any: the one at this place.
    pub fn drop_object(&self, at: usize) {
        let all: Vec<(ObjectName, Rc<Instance>)> = self
            .objects
            .borrow()
            .iter()
            .map(|(name, instance)| (name.clone(), Rc::clone(instance)))
            .collect();
        if let Some((name, instance)) = all.get(at % all.len().max(1)) {
            self.urgent.borrow_mut().retain(|urgent| urgent != name);
            instance.lose_memory(name.0);
        }
    }
}
