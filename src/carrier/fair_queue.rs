//! Who is next at a carrier that is short of room: the highest priority, and within a priority the accounts by turn.
//!
//! Invariants: nobody goes before a higher priority; while an account waits, no other account of its priority has two turns
//! more than it; what one account hands in keeps its order; the queue holds no more than its limit.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use crate::account::record::message::priority::Priority;

/// Things of one priority that may wait for their turn.
const LIMIT: usize = 20_000;

#[derive(Debug)]
pub struct FairQueue<T> {
    priorities: BTreeMap<Priority, Lane<T>>,
    limit: usize,
}

#[derive(Debug)]
struct Lane<T> {
    /// What each account waits for. No account has an empty list.
    waiting: BTreeMap<Rc<str>, VecDeque<T>>,
    /// The accounts that wait, the next one first.
    order: VecDeque<Rc<str>>,
    len: usize,
}

impl<T> Default for Lane<T> {
    fn default() -> Self {
        Lane {
            waiting: BTreeMap::new(),
            order: VecDeque::new(),
            len: 0,
        }
    }
}

impl<T> Lane<T> {
    fn push(&mut self, account: &str, things: impl IntoIterator<Item = T>) {
        let things: VecDeque<T> = things.into_iter().collect();
        if things.is_empty() {
            return;
        }
        self.len += things.len();
        match self.waiting.get_mut(account) {
            Some(waiting) => waiting.extend(things),
            None => {
                let account: Rc<str> = account.into();
                self.order.push_back(Rc::clone(&account));
                self.waiting.insert(account, things);
            }
        }
    }

    fn pop(&mut self) -> Option<T> {
        let account = self.order.pop_front()?;
        let waiting = self.waiting.get_mut(&account)?;
        let next = waiting.pop_front();
        if waiting.is_empty() {
            self.waiting.remove(&account);
        } else {
            self.order.push_back(account);
        }
        self.len = self.len.saturating_sub(1);
        next
    }
}

impl<T> Default for FairQueue<T> {
    fn default() -> Self {
        FairQueue {
            priorities: BTreeMap::new(),
            limit: LIMIT,
        }
    }
}

impl<T> FairQueue<T> {
    /// Whether so many things more have room in a priority.
    pub fn has_room(&self, priority: Priority, count: usize) -> bool {
        self.len_of(priority).saturating_add(count) <= self.limit
    }

    /// Lets things of an account wait for their turn, if all of them have room.
    ///
    /// # Errors
    /// They have no room. They are given back.
    pub fn push(&mut self, priority: Priority, account: &str, things: Vec<T>) -> Result<(), Vec<T>> {
        if !self.has_room(priority, things.len()) {
            return Err(things);
        }
        self.priorities.entry(priority).or_default().push(account, things);
        Ok(())
    }

    pub fn pop(&mut self) -> Option<T> {
        self.priorities.values_mut().find_map(Lane::pop)
    }

    pub fn retain(&mut self, is_wanted: impl Fn(&T) -> bool) {
        for lane in self.priorities.values_mut() {
            lane.waiting.values_mut().for_each(|waiting| waiting.retain(&is_wanted));
            lane.waiting.retain(|_, waiting| !waiting.is_empty());
            let waiting = &lane.waiting;
            lane.order.retain(|account| waiting.contains_key(account));
            lane.len = waiting.values().map(VecDeque::len).sum();
        }
    }

    /// What has waited longest in each account, of all priorities.
    pub fn oldest(&self) -> impl Iterator<Item = &T> {
        let lanes = self.priorities.values().flat_map(|lane| lane.waiting.values());
        lanes.filter_map(VecDeque::front)
    }

    pub fn len(&self) -> usize {
        self.priorities.values().map(|lane| lane.len).sum()
    }

    pub fn len_of(&self, priority: Priority) -> usize {
        self.priorities.get(&priority).map_or(0, |lane| lane.len)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn with_limit<T>(limit: usize) -> FairQueue<T> {
        FairQueue {
            limit,
            ..FairQueue::default()
        }
    }

    #[derive(Debug, Clone)]
    enum Act {
        Push(Priority, u8, usize),
        Pop,
    }

    fn acts() -> impl Strategy<Value = Vec<Act>> {
        let push = (prop::sample::select(Priority::ALL.to_vec()), 0..5_u8, 0..6_usize);
        let act = prop_oneof![
            push.prop_map(|(priority, account, count)| Act::Push(priority, account, count)),
            Just(Act::Pop)
        ];
        prop::collection::vec(act, 0..150)
    }

    #[test]
    fn a_login_code_is_next_whatever_waits() {
        let mut turns = with_limit(200_000);
        turns.push(Priority::Bulk, "a", vec!["bulk"; 100_000]).unwrap();
        turns.push(Priority::Normal, "a", vec!["plain"; 10]).unwrap();
        turns.push(Priority::Urgent, "b", vec!["code"]).unwrap();
        assert_eq!(turns.pop(), Some("code"));
        assert_eq!(turns.pop(), Some("plain"));
    }

    #[test]
    fn a_small_shop_waits_for_one_recipient_of_a_large_one() {
        let mut turns = with_limit(1_000);
        turns.push(Priority::Bulk, "large", vec!["large"; 500]).unwrap();
        turns.push(Priority::Bulk, "small", vec!["small"; 2]).unwrap();
        let first: Vec<_> = (0..5).filter_map(|_| turns.pop()).collect();
        assert_eq!(first, ["large", "small", "large", "small", "large"]);
    }

    proptest! {
        /// Against a slow and simple model: a list of all that wait, and how many turns each account has had.
        #[test]
        fn turns_are_those_of_the_model(acts in acts()) {
            let mut turns = with_limit(40);
            let mut model: Vec<(Priority, u8, u32)> = Vec::new();
            let mut orders: BTreeMap<Priority, Vec<u8>> = BTreeMap::new();
            let mut number = 0;
            for act in acts {
                match act {
                    Act::Push(priority, account, count) => {
                        let things: Vec<_> = (0..count).map(|_| { number += 1; (priority, account, number) }).collect();
                        let of_priority = model.iter().filter(|(of, ..)| *of == priority).count();
                        let pushed = turns.push(priority, &account.to_string(), things.clone());
                        prop_assert_eq!(pushed.is_ok(), of_priority + count <= 40);
                        if pushed.is_ok() && count > 0 {
                            model.extend(things);
                            let order = orders.entry(priority).or_default();
                            if !order.contains(&account) {
                                order.push(account);
                            }
                        }
                    }
                    Act::Pop => {
                        let priority = model.iter().map(|(priority, ..)| *priority).min();
                        let expected = priority.map(|priority| {
                            let order = orders.get_mut(&priority).unwrap();
                            let account = order.remove(0);
                            let is_next = |thing: &&(Priority, u8, u32)| (thing.0, thing.1) == (priority, account);
                            let next = *model.iter().find(is_next).unwrap();
                            model.retain(|thing| *thing != next);
                            if model.iter().any(|thing| (thing.0, thing.1) == (priority, account)) {
                                order.push(account);
                            }
                            next
                        });
                        prop_assert_eq!(turns.pop(), expected);
                    }
                }
                prop_assert_eq!(turns.len(), model.len());
            }
            turns.retain(|thing| thing.1 != 2);
            model.retain(|thing| thing.1 != 2);
            prop_assert_eq!(turns.len(), model.len());
            let mut left: Vec<_> = std::iter::from_fn(|| turns.pop()).collect();
            left.sort_by_key(|thing| thing.2);
            model.sort_by_key(|thing| thing.2);
            prop_assert_eq!(left, model);
        }
    }
}
