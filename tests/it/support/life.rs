//! Lets the objects of a world live at the same time: their calls wait for one another, their urgent work goes on, their
//! alarms ring, and the clock moves when nobody has anything to do.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Waker};

use super::faults::for_steps;
use super::objects::ObjectName;
use super::running::Woken;
use super::world::World;

/// No alarm waits for the outside for longer than this, ms.
const LONGEST_ALARM_MS: i64 = 60_000;
/// More rounds than all who are awake at one moment need until they rest.
const MOST_ROUNDS: u32 = 20_000;

type Task<'w> = (Pin<Box<dyn Future<Output = ()> + 'w>>, Arc<Woken>);

/// The process of a world.
pub struct Life<'w> {
    world: &'w World,
    tasks: RefCell<Vec<Task<'w>>>,
    /// The connections' other sides: they outlive a kill.
    peers: RefCell<Vec<Task<'static>>>,
    /// When the alarm of each object rings.
    armed: Rc<RefCell<BTreeMap<ObjectName, i64>>>,
    /// The objects whose alarm is under way: the runtime rings it no second time meanwhile.
    ringing: Rc<RefCell<BTreeSet<ObjectName>>>,
    /// How many rounds are left until the process is killed.
    pub kill_in: Cell<Option<u64>>,
    /// How many rounds are left until the runtime drops one of the objects, and which.
    pub drop_in: Cell<Option<(u64, usize)>>,
}

impl<'w> Life<'w> {
    pub fn of(world: &'w World) -> Self {
        world.network.timers.set(world.now_ms.get());
        Life {
            world,
            tasks: RefCell::default(),
            peers: RefCell::default(),
            armed: Rc::default(),
            ringing: Rc::default(),
            kill_in: Cell::new(None),
            drop_in: Cell::new(None),
        }
    }

    /// Runs something along with the objects.
    pub fn spawn(&self, work: impl Future<Output = ()> + 'w) {
        self.tasks.borrow_mut().push((Box::pin(work), awake()));
    }

    /// Kills the process: all that was in memory is gone, and so are its connections.
    pub fn kill(&self) {
        self.tasks.borrow_mut().clear();
        self.ringing.borrow_mut().clear();
        self.world.kill();
        self.kill_in.set(None);
    }

    /// Lets everything run that is due within `ms`.
    pub fn settle(&self, ms: i64) {
        let end_ms = self.world.now_ms.get() + ms;
        self.until(end_ms, || false);
    }

    /// Lets everything run until `is_done`, for at most `ms`.
    #[track_caller]
    pub fn settle_until(&self, ms: i64, is_done: impl Fn() -> bool) {
        let end_ms = self.world.now_ms.get() + ms;
        self.until(end_ms, &is_done);
        assert!(is_done(), "not in {ms} ms: {:?}", self.world.log.borrow().last());
    }

    fn until(&self, end_ms: i64, is_done: impl Fn() -> bool) {
        // The test may have changed what is stored.
        for instance in self.world.objects.borrow().values() {
            instance.lives.is_armed.set(false);
        }
        let mut rounds = 0;
        while rounds < MOST_ROUNDS {
            self.round();
            if is_done() {
                return;
            }
            if self.is_busy() {
                rounds += 1;
                continue;
            }
            let now_ms = self.world.now_ms.get();
            self.arm();
            let due_ms = self.next_due();
            let Some(due_ms) = due_ms.filter(|due_ms| *due_ms <= end_ms) else {
                self.set_clock(end_ms.max(now_ms));
                return;
            };
            rounds = if due_ms > now_ms { 0 } else { rounds + 1 };
            self.set_clock(due_ms.max(now_ms));
            self.ring(due_ms);
        }
        panic!("never at rest at one moment: {:?}", self.world.log.borrow().last());
    }

    fn set_clock(&self, now_ms: i64) {
        self.world.now_ms.set(now_ms);
        self.world.network.timers.set(now_ms);
    }

    fn is_busy(&self) -> bool {
        let is_awake = |woken: &Arc<Woken>| woken.0.load(Ordering::Relaxed);
        self.tasks.borrow().iter().any(|(_, woken)| is_awake(woken))
            || self.peers.borrow().iter().any(|(_, woken)| is_awake(woken))
            || !self.world.urgent.borrow().is_empty()
            || !self.world.network.incoming.borrow().is_empty()
    }

    /// Polls all that is awake, once.
    fn round(&self) {
        if let Some(left) = self.kill_in.get() {
            match left {
                0 => self.kill(),
                _ => self.kill_in.set(Some(left - 1)),
            }
        }
        match self.drop_in.take() {
            Some((0, at)) => self.world.drop_object(at),
            Some((left, at)) => self.drop_in.set(Some((left - 1, at))),
            None => {}
        }
        for name in std::mem::take(&mut *self.world.urgent.borrow_mut()) {
            self.begin_urgent(name);
        }
        self.begin_wanted();
        for incoming in std::mem::take(&mut *self.world.network.incoming.borrow_mut()) {
            self.peers.borrow_mut().push((incoming, awake()));
        }
        poll_all(&self.tasks);
        poll_all(&self.peers);
    }

    fn begin_urgent(&self, name: ObjectName) {
        let world = self.world;
        let steps = world.steps_left.take().unwrap_or(u32::MAX);
        let armed = Rc::clone(&self.armed);
        self.spawn(async move {
            let instance = world.instance(&name);
            let done = for_steps(steps, instance.urgent(world)).await;
            if done.is_some() {
                let is_armed = armed.borrow().contains_key(&name);
                let due_ms = instance.due_after_urgent_ms(world.now_ms.get(), is_armed);
                world
                    .wakes
                    .borrow_mut()
                    .extend(due_ms.map(|due_ms| (name.clone(), due_ms)));
            }
            if let Some(Ok(true)) = done {
                world.urgent.borrow_mut().push(name);
            }
            world.log_failure("urgent", done.and_then(Result::err));
        });
    }

    fn begin_wanted(&self) {
        let now_ms = self.world.now_ms.get();
        let wanting: Vec<ObjectName> = self
            .world
            .objects
            .borrow()
            .iter()
            .filter(|(_, instance)| instance.wants_urgent(now_ms))
            .map(|(name, _)| name.clone())
            .collect();
        wanting.into_iter().for_each(|name| self.begin_urgent(name));
    }

    /// Sets the alarms of objects that were opened, and those that calls and urgent work have asked for.
    fn arm(&self) {
        let now_ms = self.world.now_ms.get();
        let mut wakes = self.world.wakes.take();
        for (name, instance) in &*self.world.objects.borrow() {
            if !instance.lives.is_armed.replace(true) {
                wakes.extend(instance.next_due_ms(now_ms).map(|due_ms| (name.clone(), due_ms)));
            }
        }
        let mut armed = self.armed.borrow_mut();
        for (name, due_ms) in wakes {
            let at_ms = armed.entry(name).or_insert(due_ms);
            *at_ms = due_ms.min(*at_ms);
        }
    }

    fn next_due(&self) -> Option<i64> {
        let (armed, ringing) = (self.armed.borrow(), self.ringing.borrow());
        let rests = armed.iter().filter(|(name, _)| !ringing.contains(*name));
        let alarm = rests.map(|(_, at_ms)| *at_ms).min();
        [alarm, self.world.network.timers.next_due()]
            .into_iter()
            .flatten()
            .min()
    }

    fn ring(&self, now_ms: i64) {
        let ringing = Rc::clone(&self.ringing);
        let due = |(name, at_ms): &(&ObjectName, &i64)| **at_ms <= now_ms && !ringing.borrow().contains(*name);
        let names: Vec<ObjectName> = self
            .armed
            .borrow()
            .iter()
            .filter(due)
            .map(|(name, _)| name.clone())
            .collect();
        for name in names {
            self.armed.borrow_mut().remove(&name);
            self.ringing.borrow_mut().insert(name.clone());
            let (ringing, armed) = (Rc::clone(&self.ringing), Rc::clone(&self.armed));
            let world = self.world;
            let began_ms = world.now_ms.get();
            let steps = world.steps_left.take().unwrap_or(u32::MAX);
            self.spawn(async move {
                let instance = world.instance(&name);
                let done = for_steps(steps, instance.chores(world)).await;
                world.log_failure("alarm", done.and_then(Result::err));
                // The runtime aborts an alarm that takes too long, with all that runs beside it.
                let took_ms = world.now_ms.get() - began_ms;
                ringing.borrow_mut().remove(&name);
                assert!(took_ms <= LONGEST_ALARM_MS, "the alarm of {name:?} took {took_ms} ms");
                // As the runtime's shell does after an alarm. What is stored then replaces what was asked for meanwhile.
                if instance.wants_urgent(world.now_ms.get()) {
                    world.urgent.borrow_mut().push(name.clone());
                }
                let due_ms = instance.next_due_ms(world.now_ms.get());
                armed.borrow_mut().extend(due_ms.map(|due_ms| (name, due_ms)));
            });
        }
    }
}

fn awake() -> Arc<Woken> {
    Arc::new(Woken(AtomicBool::new(true)))
}

/// Polls the tasks that are awake. They may start others meanwhile.
fn poll_all<'t>(tasks: &RefCell<Vec<Task<'t>>>) {
    let mut polled = Vec::new();
    for (mut work, woken) in tasks.take() {
        let is_awake = woken.0.swap(false, Ordering::Relaxed);
        let waker = Waker::from(Arc::clone(&woken));
        if !is_awake || work.as_mut().poll(&mut Context::from_waker(&waker)).is_pending() {
            polled.push((work, woken));
        }
    }
    let started = tasks.replace(polled);
    tasks.borrow_mut().extend(started);
}
