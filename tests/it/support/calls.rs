//! Calls between objects: how they have their effect, travel together, go wrong and come late.

use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;

use peyk::base::ports::PortError;
use peyk::durable::{Answered, Object, Wake};
use peyk::platform::js_error::{self, Thrown};

use super::give_way;
use super::objects::{LOOK_AFTER_MS, Memory, ObjectName};
use super::to_end;
use super::world::World;

/// A call that waits for others, and where its answer comes.
pub type Travelling = (ObjectName, String, Rc<RefCell<Option<Result<String, PortError>>>>);

/// What becomes of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    Passes,
    FailsBefore,
    FailsAfter,
}

/// How a call goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mishap {
    FailsBefore,
    FailsAfter,
    ComesLate,
    IsKilledBefore,
    IsKilledAfter,
    IsKilledAndComesLate,
}

/// What a caller hears of an object that the runtime has dropped.
fn was_reset(name: &ObjectName) -> PortError {
    PortError::unavailable(name.0, "the object was reset")
}

impl World {
    /// With chaos on, lets a call go wrong now and then. Only calls between objects are killed: a client always gets an answer.
    pub fn mishap(&self, call: &str) -> Option<Mishap> {
        let asks_for = |request| call.contains(&format!(r#""request":"{request}""#));
        if self.failing_request.get().is_some_and(asks_for) {
            return Some(Mishap::FailsBefore);
        }
        if self.hanging_request.get().is_some_and(asks_for) {
            return Some(Mishap::IsKilledBefore);
        }
        if self.carriers_are_down.get() && call.contains(r#""request":"Submit""#) {
            return Some(Mishap::FailsBefore);
        }
        if call.contains(r#""request":"Receive""#) {
            match self.receives.borrow_mut().pop_front() {
                Some(Fate::FailsBefore) => return Some(Mishap::FailsBefore),
                Some(Fate::FailsAfter) => return Some(Mishap::FailsAfter),
                Some(Fate::Passes) | None => {}
            }
        }
        if call.contains(r#""request":"Deliver""#) {
            self.report_times_ms.borrow_mut().push(self.now_ms.get());
            let is_to = |account: &String| call.contains(&format!(r#""to":"{account}""#));
            if self.hanging_accounts.borrow().iter().any(is_to) {
                return Some(Mishap::IsKilledBefore);
            }
            if self.reports_are_lost.get() {
                return Some(Mishap::FailsBefore);
            }
            let left = self.failing_reports.get();
            if left > 0 {
                self.failing_reports.set(left - 1);
                return Some(if left.is_multiple_of(2) {
                    Mishap::FailsBefore
                } else {
                    Mishap::FailsAfter
                });
            }
        }
        if self.calls_hang.get() && call.contains(r#""request":"Submit""#) {
            return Some(Mishap::IsKilledBefore);
        }
        let odds = self.chaos.get();
        if odds == 0 || self.dice.below(odds) > 0 {
            return None;
        }
        let between_objects = ["Submit", "Deliver", "TakeEvents"];
        let between_objects = between_objects.map(|request| call.contains(&format!(r#""request":"{request}""#)));
        let between_objects = between_objects.contains(&true);
        Some(match self.dice.below(if between_objects { 6 } else { 2 }) {
            0 => Mishap::FailsBefore,
            1 => Mishap::FailsAfter,
            2 => Mishap::ComesLate,
            3 => Mishap::IsKilledBefore,
            4 => Mishap::IsKilledAfter,
            _ => Mishap::IsKilledAndComesLate,
        })
    }

    /// Lets a call arrive whose answer nobody waits for any more; with `again`, it arrives once more later.
    pub fn deliver_late(&self, at: usize, again: bool) {
        if let Some((name, call)) = self.late_call(at, again) {
            let _ = to_end(self.take_effect(&name, &call));
        }
    }

    /// A call that arrives although nobody waits for its answer any more.
    pub fn late_call(&self, at: usize, again: bool) -> Option<(ObjectName, String)> {
        let mut late = self.late.borrow_mut();
        let at = at.checked_rem(late.len())?;
        Some(if again { late[at].clone() } else { late.remove(at) })
    }

    /// Lets a call have its effect on an object.
    pub fn take_effect<'a>(
        &'a self,
        name: &'a ObjectName,
        call: &'a str,
    ) -> Pin<Box<dyn Future<Output = Result<String, PortError>> + 'a>> {
        Box::pin(async move {
            let instance = self.instance(name);
            let memory = Rc::clone(&instance.memory.borrow());
            let answer = async {
                match &*memory {
                    Memory::Account(object) => {
                        object.begin_invocation();
                        let answered = object.answer(self, &instance.own(), call).await;
                        // The object has ended its session.
                        if instance.sql.history.has_ended.take() {
                            instance.memory.replace(Memory::new(name.0));
                        }
                        answered
                    }
                    Memory::Carrier(object) => object.answer(self, &instance.own(), call).await,
                    Memory::Webhook(object) => {
                        object.begin_invocation();
                        object.answer(self, &instance.own(), call).await
                    }
                }
            };
            match instance.lives.run(answer).await {
                Some(answered) => self.reply(name, answered),
                None => Err(was_reset(name)),
            }
        })
    }

    pub fn reply(&self, name: &ObjectName, answered: Result<Answered, PortError>) -> Result<String, PortError> {
        let answered = answered.map_err(|error| {
            // Between objects travel only words, as in the runtime.
            let thrown = Thrown {
                words: js_error::marked(&error),
                ..Thrown::default()
            };
            self.log_failure("call", Some(error));
            js_error::by_call(name.0, &thrown)
        })?;
        self.wake(name, answered.wake);
        Ok(answered.reply)
    }

    /// As the runtime's shell does after a call.
    fn wake(&self, name: &ObjectName, wake: Wake) {
        let at_ms = match wake {
            Wake::Never => return,
            Wake::At(at_ms) => at_ms,
            Wake::Now => {
                self.urgent.borrow_mut().push(name.clone());
                self.now_ms.get() + LOOK_AFTER_MS
            }
        };
        self.wakes.borrow_mut().push((name.clone(), at_ms));
    }

    /// Lets all calls to an account's object that are made at the same time travel together.
    pub async fn travel(&self, name: ObjectName, call: String) -> Result<String, PortError> {
        let answer = Rc::new(RefCell::new(None));
        let waiting = (name.clone(), call, Rc::clone(&answer));
        self.travelling.borrow_mut().push(waiting);
        give_way().await;
        if answer.borrow().is_none() {
            let together: Vec<_> = self
                .travelling
                .borrow_mut()
                .extract_if(.., |(to, ..)| *to == name)
                .collect();
            let calls: Vec<String> = together.iter().map(|(_, call, _)| call.clone()).collect();
            let answers = self.take_effects(&name, &calls).await;
            for (at, (.., slot)) in together.iter().enumerate() {
                *slot.borrow_mut() = Some(match &answers {
                    Ok(answers) => answers[at].clone(),
                    Err(error) => Err(error.clone()),
                });
            }
        }
        answer.take().unwrap()
    }

    /// Lets calls that travel together have their effect on an account's object.
    pub async fn take_effects(
        &self,
        name: &ObjectName,
        calls: &[String],
    ) -> Result<Vec<Result<String, PortError>>, PortError> {
        let instance = self.instance(name);
        let memory = Rc::clone(&instance.memory.borrow());
        let Memory::Account(object) = &*memory else {
            panic!("only calls to accounts travel together")
        };
        object.begin_invocation();
        let own = instance.own();
        let answering = object.answer_all(self, &own, calls);
        let answers = instance.lives.run(answering).await.ok_or_else(|| was_reset(name))?;
        Ok(answers.into_iter().map(|answered| self.reply(name, answered)).collect())
    }

    pub fn reach_keys(&self) -> Result<(), PortError> {
        match self.keys_are_down.get() {
            true => Err(PortError::unavailable("kv", self.db.outage_words.borrow())),
            false => Ok(()),
        }
    }
}
