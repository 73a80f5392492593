//! The parts that are about to leave a session: urgent ones first, and within these two the one that was ready first.

use std::collections::VecDeque;

#[derive(Debug)]
pub struct SendBuffer<T> {
    urgent: VecDeque<T>,
    others: VecDeque<T>,
}

impl<T> Default for SendBuffer<T> {
    fn default() -> Self {
        SendBuffer {
            urgent: VecDeque::new(),
            others: VecDeque::new(),
        }
    }
}

impl<T> SendBuffer<T> {
    fn lane(&mut self, is_urgent: bool) -> &mut VecDeque<T> {
        if is_urgent { &mut self.urgent } else { &mut self.others }
    }

    pub fn push(&mut self, is_urgent: bool, part: T) {
        self.lane(is_urgent).push_back(part);
    }

    /// A part that has left and did not arrive is the next one again.
    pub fn put_back(&mut self, is_urgent: bool, part: T) {
        self.lane(is_urgent).push_front(part);
    }

    pub fn pop(&mut self) -> Option<T> {
        self.urgent.pop_front().or_else(|| self.others.pop_front())
    }

    /// Takes out those that stay.
    pub fn take_out(&mut self, stays: impl Fn(&T) -> bool) -> Vec<T> {
        let mut out = Vec::new();
        for lane in [&mut self.urgent, &mut self.others] {
            let (back, ready): (VecDeque<T>, VecDeque<T>) = std::mem::take(lane).into_iter().partition(&stays);
            *lane = ready;
            out.extend(back);
        }
        out
    }

    pub fn iter(&self) -> impl Iterator<Item = &T> + Clone {
        self.urgent.iter().chain(&self.others)
    }

    pub fn len(&self) -> usize {
        self.urgent.len().saturating_add(self.others.len())
    }

    pub fn len_of_urgent(&self) -> usize {
        self.urgent.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
