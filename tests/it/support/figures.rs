//! What came to a carrier that throttles, and the figures of it.

use std::cell::RefCell;
use std::rc::Rc;

/// When each message came, and whether it was taken.
pub type Log = Rc<RefCell<Vec<(i64, bool)>>>;

/// What came between two times after the first message: how many were taken in ten seconds, and how many of a thousand throttled.
pub fn figures(log: &Log, from_ms: i64, to_ms: i64) -> (i64, i64) {
    let log = log.borrow();
    let first_ms = log[0].0;
    let within = log
        .iter()
        .filter(|(at_ms, _)| (from_ms..to_ms).contains(&(at_ms - first_ms)));
    let within: Vec<bool> = within.map(|(_, is_taken)| *is_taken).collect();
    let count = |is_taken: bool| within.iter().filter(|taken| **taken == is_taken).count();
    let (taken, throttled) = (count(true), count(false));
    let (taken, throttled) = (i64::try_from(taken).unwrap(), i64::try_from(throttled).unwrap());
    (
        taken * 10_000 / (to_ms - from_ms),
        throttled * 1_000 / (taken + throttled).max(1),
    )
}
