//! SMSCs that report one part of a long message, one id for all its parts, or nothing: when the message is delivered, and when not.

use std::collections::{BTreeMap, BTreeSet};

use peyk::account::record::account_row::Account as Row;
use serde_json::{Value, json};
use smpp::inbound;

use crate::support::smpp::{
    DELIVERED, SUBMITTED, UNDELIVERED, UNKNOWN, has, health, number, send, statuses, submit, world,
};
use crate::support::smsc::{Got, Reply, Smsc};
use crate::support::time::{HOUR_MS, MINUTE_MS, SECOND_MS};
use crate::support::{Account, Dice, World, cases, life::Life};

/// So many parts has the text.
const PARTS: u8 = 3;

fn text() -> String {
    "a".repeat(400)
}

/// Which part a message is, from 0.
fn part_of(got: &Got) -> u8 {
    inbound::piece(&got.deliver).place.map_or(0, |place| place.number - 1)
}

/// What an SMSC names and reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Habit {
    All,
    First,
    Second,
    Last,
    /// One id for all parts, and this many receipts.
    OneId(u8),
    /// Only the last part has an id.
    LastHasAnId,
    None,
}

/// The id that the SMSC gives to a part.
fn id_of(habit: Habit, got: &Got) -> String {
    let (to, part) = (&got.deliver.destination.number, part_of(got));
    match habit {
        Habit::OneId(_) => to.clone(),
        Habit::LastHasAnId if part + 1 < PARTS => String::new(),
        _ => format!("{to}.{part}"),
    }
}

/// The ids of the receipts for a recipient, in the order of the parts.
fn receipts_of(habit: Habit, to: &str) -> Vec<String> {
    let of = |part: u8| format!("{to}.{part}");
    match habit {
        Habit::All => (0..PARTS).map(of).collect(),
        Habit::First => vec![of(0)],
        Habit::Second => vec![of(1)],
        Habit::Last | Habit::LastHasAnId => vec![of(PARTS - 1)],
        Habit::OneId(times) => (0..times).map(|_| to.to_owned()).collect(),
        Habit::None => Vec::new(),
    }
}

fn give_ids(smsc: &Smsc, habit: Habit) {
    smsc.answer(move |_, got| Reply::Named(id_of(habit, got), 0));
}

/// Sends a receipt by the newest connection.
fn tell(smsc: &Smsc, id: &str, state: &str, to: &str) {
    smsc.receipt(smsc.connections() - 1, &format!("id:{id} stat:{state}"), to);
}

fn tell_all(smsc: &Smsc, habit: Habit, indexes: std::ops::Range<usize>) {
    for to in indexes.map(number) {
        for id in receipts_of(habit, &to) {
            tell(smsc, &id, "DELIVRD", &to);
        }
    }
}

fn part_reports(world: &World) -> Value {
    health(world)["partReports"].clone()
}

#[test]
fn whichever_parts_an_smsc_reports_a_message_is_delivered_and_soon_once_that_is_known() {
    for (habit, known) in [
        (Habit::All, "ALL"),
        (Habit::First, "FIRST"),
        (Habit::Second, "ANY"),
        (Habit::Last, "LAST"),
        (Habit::OneId(1), "ONE_ID"),
        (Habit::OneId(PARTS), "ALL"),
        (Habit::LastHasAnId, "LAST"),
    ] {
        let (world, shop, smsc) = world(json!({}));
        let life = Life::of(&world);
        give_ids(&smsc, habit);
        submit(&world, &life, &shop, &text(), 0..10);
        assert_eq!(part_reports(&world), Value::Null, "{habit:?}");
        tell_all(&smsc, habit, 0..10);
        life.settle(4 * MINUTE_MS);
        let is_told_at_once = known == "ALL";
        assert_eq!(has(&world, &shop, DELIVERED, 10), is_told_at_once, "{habit:?}");
        life.settle_until(3 * MINUTE_MS, || has(&world, &shop, DELIVERED, 10));
        assert_eq!(part_reports(&world), known, "{habit:?}");
        send(&world, &shop, &text(), 10..20);
        life.settle_until(MINUTE_MS, || has(&world, &shop, SUBMITTED, 10));
        tell_all(&smsc, habit, 10..20);
        life.settle_until(3 * MINUTE_MS, || has(&world, &shop, DELIVERED, 20));
        assert_eq!(Row::stored(&*world.sql(&shop.id)).unwrap().unwrap().wallet.locked, 0);
    }
}

#[test]
fn a_setting_fixes_which_part_decides() {
    for (set, part, is_delivered) in [
        ("FIRST", 0, true),
        ("FIRST", 1, false),
        ("LAST", PARTS - 1, true),
        ("LAST", 0, false),
        ("ANY", 1, true),
        ("ALL", 0, false),
    ] {
        let (world, shop, smsc) = world(json!({ "partReports": set }));
        let life = Life::of(&world);
        give_ids(&smsc, Habit::All);
        submit(&world, &life, &shop, &text(), 0..1);
        assert_eq!(part_reports(&world), set);
        let to = number(0);
        tell(&smsc, &format!("{to}.{part}"), "DELIVRD", &to);
        life.settle(10 * SECOND_MS);
        assert_eq!(has(&world, &shop, DELIVERED, 1), is_delivered, "{set} {part}");
        life.settle(10 * MINUTE_MS);
        assert_eq!(has(&world, &shop, DELIVERED, 1), set != "ALL", "{set} {part}");
        // The others come late.
        (0..PARTS).for_each(|part| tell(&smsc, &format!("{to}.{part}"), "DELIVRD", &to));
        life.settle(10 * SECOND_MS);
        assert!(has(&world, &shop, DELIVERED, 1), "{set} {part}");
        // A part that fails now takes nothing back.
        tell(&smsc, &format!("{to}.1"), "UNDELIV", &to);
        life.settle(10 * SECOND_MS);
        assert!(has(&world, &shop, DELIVERED, 1), "{set} {part}");
        assert_eq!(health(&world)["lateFailures"], 1, "{set} {part}");
    }
}

#[test]
fn a_late_answer_makes_what_is_reported_of_some_parts_enough() {
    // Each part in turn is answered when its recipient is UNKNOWN: after the receipt of the first part, or before it.
    for (late, reported) in [(0, 0), (0, 2), (1, 0), (2, 0), (2, 2)] {
        let (world, shop, smsc) = world(json!({}));
        let life = Life::of(&world);
        smsc.answer(move |_, got| {
            let part = part_of(got);
            Reply::Named(id_of(Habit::All, got), if part == late { 20 * SECOND_MS } else { 0 })
        });
        send(&world, &shop, &text(), 0..1);
        life.settle_until(MINUTE_MS, || has(&world, &shop, UNKNOWN, 1));
        let to = number(0);
        tell(&smsc, &format!("{to}.{reported}"), "DELIVRD", &to);
        life.settle_until(7 * MINUTE_MS, || has(&world, &shop, DELIVERED, 1));
    }
}

#[test]
fn nothing_is_presumed_of_a_text_whose_second_answer_is_missing_still() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    smsc.answer(|_, got| match part_of(got) {
        0 => Reply::Named(id_of(Habit::All, got), 0),
        1 => Reply::Named(id_of(Habit::All, got), 20 * SECOND_MS),
        _ => Reply::Silence,
    });
    send(&world, &shop, &text(), 0..1);
    life.settle_until(MINUTE_MS, || has(&world, &shop, UNKNOWN, 1));
    let to = number(0);
    tell(&smsc, &format!("{to}.0"), "DELIVRD", &to);
    life.settle(HOUR_MS);
    assert!(has(&world, &shop, UNKNOWN, 1));
}

#[test]
fn a_failed_part_decides_and_one_that_fails_too_late_takes_nothing_back_and_is_counted() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    give_ids(&smsc, Habit::All);
    submit(&world, &life, &shop, &text(), 0..3);
    let say = |index: usize, part: u8, state: &str| {
        let to = number(index);
        tell(&smsc, &format!("{to}.{part}"), state, &to);
        life.settle(SECOND_MS);
    };
    // One fails first, one in between, one too late.
    say(0, 1, "UNDELIV");
    (0..3).for_each(|index| say(index, 0, "DELIVRD"));
    say(1, 2, "UNDELIV");
    assert!(has(&world, &shop, UNDELIVERED, 2));
    life.settle_until(6 * MINUTE_MS, || has(&world, &shop, DELIVERED, 1));
    say(2, 1, "UNDELIV");
    say(0, 2, "DELIVRD");
    life.settle(HOUR_MS);
    assert!(has(&world, &shop, UNDELIVERED, 2) && has(&world, &shop, DELIVERED, 1));
    assert_eq!(health(&world)["lateFailures"], 1);
    assert!(world.has_logged("a part has failed after its message was delivered"));
}

#[test]
fn what_waits_and_what_was_learnt_outlives_the_object() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    let restart = || {
        let connections = smsc.connections();
        life.kill();
        life.settle_until(2 * MINUTE_MS, || smsc.connections() > connections);
    };
    give_ids(&smsc, Habit::First);
    submit(&world, &life, &shop, &text(), 0..5);
    tell_all(&smsc, Habit::First, 0..5);
    life.settle(MINUTE_MS);
    restart();
    life.settle_until(7 * MINUTE_MS, || has(&world, &shop, DELIVERED, 5));
    restart();
    assert_eq!(part_reports(&world), "FIRST");
}

#[test]
fn an_smsc_that_reports_each_part_is_waited_for_a_day_and_one_that_changes_its_habit_is_believed_soon() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    give_ids(&smsc, Habit::All);
    submit(&world, &life, &shop, &text(), 0..20);
    tell_all(&smsc, Habit::All, 0..10);
    life.settle_until(MINUTE_MS, || has(&world, &shop, DELIVERED, 10));
    assert_eq!(part_reports(&world), "ALL");
    // The phone goes off after the first part.
    tell_all(&smsc, Habit::First, 10..11);
    life.settle(23 * HOUR_MS);
    assert!(has(&world, &shop, DELIVERED, 10));
    life.settle_until(2 * HOUR_MS, || has(&world, &shop, DELIVERED, 11));
    tell_all(&smsc, Habit::First, 11..20);
    life.settle_until(10 * MINUTE_MS, || has(&world, &shop, DELIVERED, 20));
    assert_eq!(part_reports(&world), "FIRST");
}

#[test]
fn parts_of_one_message_are_reported_by_several_sessions() {
    let (world, shop, smsc) = world(json!({"binds": 2}));
    let life = Life::of(&world);
    crate::support::smpp::bind(&world, &life, &smsc, 2);
    give_ids(&smsc, Habit::All);
    submit(&world, &life, &shop, &text(), 0..10);
    for index in 0..10 {
        for part in 0..PARTS {
            let to = number(index);
            let id = format!("{to}.{part}");
            smsc.receipt(usize::from(part) % 2, &format!("id:{id} stat:DELIVRD"), &to);
        }
    }
    life.settle_until(MINUTE_MS, || has(&world, &shop, DELIVERED, 10));
}

/// What was sent and reported of a world.
struct Play<'l, 'w> {
    world: &'l World,
    shop: &'l Account,
    smsc: &'l Smsc,
    life: &'l Life<'w>,
    /// Receipts that are to come: id, state, number.
    to_come: Vec<(String, &'static str, String)>,
    /// Whose part was reported as failed before it was delivered.
    failed: BTreeSet<String>,
    /// Who was reported at all.
    told: BTreeSet<String>,
}

impl Play<'_, '_> {
    fn status(&self, to: &str) -> i64 {
        let select = format!("SELECT status FROM recipient WHERE msisdn = {to}");
        self.world.rows(self.shop, &select)[0].int(0).unwrap()
    }

    /// Receipts for a recipient by a habit: perhaps one fails, perhaps one comes twice, perhaps one contradicts.
    fn plan(&mut self, dice: &Dice, habit: Habit, to: &str) {
        for id in receipts_of(habit, to) {
            let state = if dice.below(6) == 0 { "UNDELIV" } else { "DELIVRD" };
            self.to_come.push((id.clone(), state, to.to_owned()));
            match dice.below(12) {
                0 => self.to_come.push((id, state, to.to_owned())),
                1 => self.to_come.push((id, "UNDELIV", to.to_owned())),
                2 => self.to_come.push((id, "ENROUTE", to.to_owned())),
                _ => {}
            }
        }
    }

    /// One of the receipts that are to come comes.
    fn come(&mut self, dice: &Dice) {
        let at = dice.below(self.to_come.len() as u64) as usize;
        let (id, state, to) = self.to_come.swap_remove(at);
        if state == "UNDELIV" && self.status(&to) != DELIVERED {
            self.failed.insert(to.clone());
        }
        if state != "ENROUTE" {
            self.told.insert(to.clone());
        }
        tell(self.smsc, &id, state, &to);
        self.life.settle(100);
    }
}

#[test]
fn whatever_an_smsc_reports_and_however_it_changes_nobody_is_delivered_whose_part_had_failed_and_all_that_is_told_ends()
{
    let habits = [
        Habit::All,
        Habit::First,
        Habit::Second,
        Habit::Last,
        Habit::OneId(1),
        Habit::OneId(PARTS),
        Habit::LastHasAnId,
        Habit::None,
    ];
    for seed in 0..u64::from(cases(4)) {
        let (world, shop, smsc) = world(json!({"window": 30}));
        let (life, dice) = (Life::of(&world), Dice::new(seed));
        let mut play = Play {
            world: &world,
            shop: &shop,
            smsc: &smsc,
            life: &life,
            to_come: Vec::new(),
            failed: BTreeSet::new(),
            told: BTreeSet::new(),
        };
        let mut sent = 0;
        for _ in 0..8 {
            let habit = habits[dice.below(habits.len() as u64) as usize];
            give_ids(&smsc, habit);
            let count = 1 + dice.below(12) as usize;
            send(&world, &shop, &text(), sent..sent + count);
            life.settle_until(MINUTE_MS, || smsc.got_count() == (sent + count) * usize::from(PARTS));
            life.settle(SECOND_MS);
            (sent..sent + count).for_each(|index| play.plan(&dice, habit, &number(index)));
            sent += count;
            for _ in 0..dice.below(1 + play.to_come.len() as u64) {
                play.come(&dice);
            }
            life.settle(dice.below(8 * MINUTE_MS as u64) as i64);
            if dice.below(4) == 0 {
                let connections = smsc.connections();
                life.kill();
                life.settle_until(2 * MINUTE_MS, || smsc.connections() > connections);
            }
        }
        while !play.to_come.is_empty() {
            play.come(&dice);
        }
        life.settle(26 * HOUR_MS);
        for to in &play.told {
            let expected = if play.failed.contains(to) {
                UNDELIVERED
            } else {
                DELIVERED
            };
            assert_eq!(play.status(to), expected, "seed {seed}: {to}");
        }
        let untold = sent - play.told.len();
        let open = statuses(&world, &shop).get(&SUBMITTED).copied().unwrap_or(0);
        assert_eq!(open, untold as i64, "seed {seed}");
        assert_usage(&world, &smsc, sent, statuses(&world, &shop));
    }
}

/// The usage of the carrier is what the SMSC has counted.
fn assert_usage(world: &World, smsc: &Smsc, recipients: usize, statuses: BTreeMap<i64, i64>) {
    let page = world.look("/admin/usage?by=carrier");
    let of_carrier = page.items().iter().find(|item| item["key"] == "mci").cloned().unwrap();
    assert_eq!(of_carrier["recipients"], recipients);
    assert_eq!(of_carrier["parts"], smsc.taken().len());
    assert_eq!(of_carrier["delivered"], statuses.get(&DELIVERED).copied().unwrap_or(0));
}
