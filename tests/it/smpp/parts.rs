//! Parts of long messages from phones: whatever their order, and whatever references and repeats they have, each message is whole and
//! comes once.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use peyk::base::ports::Sql;
use peyk::carrier::kind::Kind;
use peyk::carrier::smpp::{inbox, seen};
use serde_json::Value;
use smpp::alphabet::DefaultAlphabet;
use smpp::pdu::{Address, Deliver, Tlv};

use crate::support::{Dice, Sqlite, carrier_store, cases};

use crate::support::time::{MINUTE_MS, SECOND_MS};

/// An inbox, and its clock.
struct Inbox {
    sql: Sqlite,
    seen: RefCell<seen::Seen>,
    now_ms: Cell<i64>,
}

impl Inbox {
    fn new() -> Inbox {
        Inbox {
            sql: carrier_store(Kind::Smpp),
            seen: RefCell::default(),
            now_ms: Cell::new(1_000_000),
        }
    }

    fn take(&self, deliver: &Deliver) {
        let seen = &mut self.seen.borrow_mut();
        assert!(inbox::store(&self.sql, self.now_ms.get(), deliver, DefaultAlphabet::Gsm7, seen).unwrap());
    }

    /// Takes these parts one after another.
    fn take_all(&self, parts: &[&str]) -> Vec<String> {
        parts.iter().for_each(|part| self.take(&named(part)));
        self.texts()
    }

    fn pass(&self, ms: i64) {
        self.now_ms.set(self.now_ms.get() + ms);
        inbox::sweep(&self.sql, self.now_ms.get()).unwrap();
    }

    /// The texts of the messages that are whole or have waited.
    fn texts(&self) -> Vec<String> {
        let rows = self
            .sql
            .exec("SELECT body FROM inbound_message ORDER BY id", &[])
            .unwrap();
        let text = |body: String| {
            serde_json::from_str::<Value>(&body).unwrap()["text"]
                .as_str()
                .unwrap()
                .to_owned()
        };
        rows.iter().map(|row| text(row.text(0).unwrap())).collect()
    }
}

/// Where a part has its place.
#[derive(Clone, Copy)]
enum How {
    Udh,
    LongUdh,
    Sar,
    ShortSar,
}

fn part(how: How, from: &str, reference: u8, total: u8, number: u8, text: &str) -> Deliver {
    let address = |number: &str| Address {
        ton: 1,
        npi: 1,
        number: number.to_owned(),
    };
    let header: Vec<u8> = match how {
        How::Udh => vec![5, 0, 3, reference, total, number],
        How::LongUdh => vec![6, 8, 4, 0, reference, total, number],
        How::Sar | How::ShortSar => Vec::new(),
    };
    let tlv = |tag, value: &[u8]| Tlv {
        tag,
        value: value.to_vec(),
    };
    let numbers = match how {
        How::Udh | How::LongUdh => Vec::new(),
        How::Sar => vec![
            tlv(0x020C, &[0, reference]),
            tlv(0x020E, &[total]),
            tlv(0x020F, &[number]),
        ],
        How::ShortSar => vec![tlv(0x020C, &[reference]), tlv(0x020E, &[total]), tlv(0x020F, &[number])],
    };
    let is_ascii = text.is_ascii();
    let octets: Vec<u8> = if is_ascii {
        text.as_bytes().to_vec()
    } else {
        text.encode_utf16().flat_map(u16::to_be_bytes).collect()
    };
    Deliver {
        source: address(from),
        destination: address("20003"),
        esm_class: if header.is_empty() { 0 } else { 0x40 },
        data_coding: if is_ascii { 0 } else { 8 },
        short_message: [header, octets].concat(),
        tlvs: numbers,
    }
}

/// A part of two that says its number at its end, like `A1`. All have the same reference.
fn named(text: &str) -> Deliver {
    let number = text.chars().next_back().and_then(|digit| digit.to_digit(10)).unwrap();
    part(How::Udh, "989121234567", 7, 2, u8::try_from(number).unwrap(), text)
}

#[test]
fn a_part_that_differs_from_the_one_that_stands_opens_another_message() {
    let inbox = Inbox::new();
    assert_eq!(inbox.take_all(&["A1", "B1", "B2"]), ["B1B2"]);
    inbox.pass(4 * MINUTE_MS);
    assert_eq!(inbox.texts(), ["B1B2"]);
    inbox.pass(MINUTE_MS);
    assert_eq!(inbox.texts(), ["B1B2", "A1[…]"]);
    // Its rest comes after all.
    let inbox = Inbox::new();
    assert_eq!(inbox.take_all(&["A1", "B1", "B2", "A2"]), ["B1B2", "A1A2"]);
    inbox.pass(20 * MINUTE_MS);
    assert_eq!(inbox.texts().len(), 2);
    // The alphabet tells two messages apart.
    let inbox = Inbox::new();
    assert_eq!(inbox.take_all(&["A1", "ب1", "A2", "ب2"]), ["A1A2", "ب1ب2"]);
}

#[test]
fn a_part_that_comes_again_makes_no_message_as_long_as_it_comes_again() {
    let inbox = Inbox::new();
    assert_eq!(inbox.take_all(&["A2", "A2", "A1", "A2"]), ["A1A2"]);
    for minutes in [1, 6, 29, 29, 29] {
        inbox.pass(minutes * MINUTE_MS);
        assert_eq!(inbox.take_all(&["A2", "A1"]), ["A1A2"], "{minutes}");
    }
    inbox.pass(11 * MINUTE_MS);
    assert_eq!(
        inbox.take_all(&["B2", "A1", "B1"]),
        ["A1A2", "B1B2"],
        "a repeat in the middle of the next one"
    );
    // A part of a message that was given up.
    assert_eq!(inbox.take_all(&["C1"]).len(), 2);
    inbox.pass(5 * MINUTE_MS);
    assert_eq!(inbox.take_all(&["C1"]), ["A1A2", "B1B2", "C1[…]"]);
    inbox.pass(40 * MINUTE_MS);
    assert_eq!(inbox.texts().len(), 3);
    assert_eq!(inbox::next_due_ms(&inbox.sql).unwrap().map(|_| ()), Some(()));
    assert_eq!((inbox.sql.count("inbound_part"), inbox.sql.count("seen")), (0, 0));
}

#[test]
fn two_messages_that_begin_alike_are_both_whole_though_the_reference_is_the_same() {
    for order in [["same1", "B2"], ["B2", "same1"]] {
        let inbox = Inbox::new();
        assert_eq!(inbox.take_all(&["same1", "A2"]), ["same1A2"]);
        inbox.pass(MINUTE_MS);
        inbox.take_all(&order);
        inbox.pass(6 * MINUTE_MS);
        assert_eq!(inbox.texts(), ["same1A2", "same1B2"]);
        inbox.pass(6 * MINUTE_MS);
        assert_eq!(inbox.texts().len(), 2);
    }
    // A repeat that came at another time is not taken for a part that is lost.
    let inbox = Inbox::new();
    inbox.take_all(&["A1", "A2", "A1"]);
    inbox.pass(MINUTE_MS);
    inbox.take_all(&["B2"]);
    inbox.pass(10 * MINUTE_MS);
    assert_eq!(inbox.texts(), ["A1A2", "[…]B2"]);
}

#[test]
fn messages_that_never_end_are_bounded_and_none_is_lost() {
    let inbox = Inbox::new();
    let parts: Vec<String> = (0..40).map(|at| format!("{at}-1")).collect();
    parts.iter().for_each(|part| inbox.take(&named(part)));
    assert_eq!((inbox.texts().len(), inbox.sql.count("inbound_part")), (30, 10));
    inbox.pass(5 * MINUTE_MS);
    let expected: Vec<String> = parts.iter().map(|part| format!("{part}[…]")).collect();
    assert_eq!(inbox.texts(), expected);
}

/// A message whose parts are still to come, the next one last.
struct Coming {
    key: (usize, u8, u8),
    how: How,
    texts: Vec<String>,
    left: Vec<u8>,
    /// When its first part came.
    began_ms: Option<i64>,
}

/// Senders that use few references again and again, parts in any order, repeats at any time, and messages whose end is lost.
struct Senders<'a> {
    inbox: &'a Inbox,
    dice: Dice,
    coming: Vec<Coming>,
    delivered: Vec<Deliver>,
    /// Which keys have had a message whose last part was lost.
    torsos: BTreeSet<(usize, u8, u8)>,
    expected: Vec<String>,
}

impl Senders<'_> {
    fn begin(&mut self, at: usize) {
        let from = self.dice.below(2) as usize;
        let key = (from, self.dice.below(3) as u8, 2 + self.dice.below(3) as u8);
        if self.coming.iter().any(|coming| coming.key == key) {
            return;
        }
        let word = ["part", "بخش"][self.dice.below(2) as usize];
        let texts: Vec<String> = (1..=key.2).map(|number| format!("{word} {number} of {at};")).collect();
        let how = [How::Udh, How::LongUdh, How::Sar, How::ShortSar][self.dice.below(4) as usize];
        let mut left: Vec<u8> = (1..=key.2).collect();
        for from in (1..left.len()).rev() {
            left.swap(from, self.dice.below(from as u64 + 1) as usize);
        }
        let last = key.2;
        let is_torso = self.dice.below(8) == 0;
        if is_torso {
            left.retain(|number| *number != last);
            self.torsos.insert(key);
            let all: String = texts[..texts.len() - 1].concat();
            self.expected.push(format!("{all}[…]"));
        } else {
            self.expected.push(texts.concat());
        }
        if self.torsos.contains(&key) && left.last() == Some(&last) {
            // Where a last part is missing, the next message must not begin with one: nobody could tell whose it is.
            left.rotate_right(1);
        }
        let coming = Coming {
            key,
            how,
            texts,
            left,
            began_ms: None,
        };
        if is_torso {
            // No repeat comes beside it, so that it is known to be lost.
            self.inbox.pass(20 * SECOND_MS);
            coming
                .left
                .iter()
                .rev()
                .for_each(|number| self.deliver(&coming, *number));
            self.inbox.pass(20 * SECOND_MS);
        } else {
            self.coming.push(coming);
        }
    }

    fn deliver(&mut self, coming: &Coming, number: u8) {
        let (from, reference, total) = coming.key;
        let text = &coming.texts[usize::from(number) - 1];
        let from = ["989121234567", "989351234567"][from];
        let deliver = part(coming.how, from, reference, total, number, text);
        self.inbox.take(&deliver);
        self.delivered.push(deliver);
    }

    fn go_on(&mut self) {
        let at = self.dice.below(self.coming.len() as u64) as usize;
        self.deliver_next(at);
    }

    /// The first part waits five minutes for the others: these come before.
    fn finish_old(&mut self) {
        let latest_ms = self.inbox.now_ms.get() - 4 * MINUTE_MS;
        let is_old = |coming: &Coming| coming.began_ms.is_some_and(|began_ms| began_ms < latest_ms);
        while let Some(at) = self.coming.iter().position(is_old) {
            self.deliver_next(at);
        }
    }

    fn deliver_next(&mut self, at: usize) {
        let mut coming = self.coming.swap_remove(at);
        coming.began_ms.get_or_insert(self.inbox.now_ms.get());
        let number = coming.left.pop().unwrap();
        self.deliver(&coming, number);
        if !coming.left.is_empty() {
            self.coming.push(coming);
        }
    }

    fn repeat(&self) {
        let newest = self.delivered.len().min(60) as u64;
        if newest > 0 {
            let back = self.dice.below(newest) as usize;
            self.inbox.take(&self.delivered[self.delivered.len() - 1 - back]);
        }
    }
}

#[test]
fn each_message_is_whole_and_comes_once_whatever_the_order_the_references_and_the_repeats() {
    for seed in 0..u64::from(cases(40)) {
        let inbox = Inbox::new();
        let mut senders = Senders {
            inbox: &inbox,
            dice: Dice::new(seed),
            coming: Vec::new(),
            delivered: Vec::new(),
            torsos: BTreeSet::new(),
            expected: Vec::new(),
        };
        for at in 0..120 {
            senders.finish_old();
            senders.begin(at);
            while senders.coming.len() > 3 || (at == 119 && !senders.coming.is_empty()) {
                senders.go_on();
                if senders.dice.below(2) == 0 {
                    senders.repeat();
                }
                inbox.pass(senders.dice.below(3) as i64 * SECOND_MS);
            }
        }
        inbox.pass(5 * MINUTE_MS);
        for _ in 0..20 {
            senders.repeat();
        }
        inbox.pass(10 * MINUTE_MS);
        let mut texts = inbox.texts();
        texts.sort();
        senders.expected.sort();
        assert_eq!(texts, senders.expected, "seed {seed}");
        assert_eq!(inbox.sql.count("inbound_part"), 0, "seed {seed}");
    }
}
