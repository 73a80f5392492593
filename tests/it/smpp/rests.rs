//! Long texts that are cut in their middle: the rest goes on by the next session, or ends.

use std::collections::BTreeSet;

use serde_json::json;

use crate::support::life::Life;
use crate::support::smpp::{
    DELIVERED, SUBMITTED, UNDELIVERED, assert_once_and_ended, change, deliver_all, has, send, statuses, world,
};
use crate::support::smsc::{Reply, Smsc};
use crate::support::time::{HOUR_MS, MINUTE_MS, SECOND_MS};
use crate::support::{Account, World};

/// A text of so many parts.
fn long(parts: usize) -> String {
    "a".repeat(153 * parts)
}

/// Sends a text of five parts to one recipient, and waits until the SMSC has two of them: one part leaves in a second.
fn cut_world(then: impl FnOnce(&World, &Life<'_>, &Account, &Smsc)) {
    let (world, shop, smsc) = world(json!({"throughputPerSecond": 1}));
    let life = Life::of(&world);
    send(&world, &shop, &long(5), 0..1);
    life.settle_until(MINUTE_MS, || smsc.taken().len() == 2);
    then(&world, &life, &shop, &smsc);
}

/// All five parts come once, as parts of one text, and their receipts end the recipient.
#[track_caller]
fn assert_whole(world: &World, life: &Life<'_>, shop: &Account, smsc: &Smsc) {
    life.settle_until(5 * MINUTE_MS, || {
        smsc.taken().len() == 5 && has(world, shop, SUBMITTED, 1)
    });
    let got = smsc.got();
    let reference: BTreeSet<u8> = got.iter().map(|got| got.deliver.short_message[3]).collect();
    let numbers: BTreeSet<u8> = got.iter().map(|got| got.deliver.short_message[5]).collect();
    assert_eq!((reference.len(), numbers.len(), got.len()), (1, 5, 5));
    deliver_all(smsc, smsc.connections() - 1);
    life.settle_until(MINUTE_MS, || has(world, shop, DELIVERED, 1));
    assert_once_and_ended(world, shop, smsc);
}

#[test]
fn the_rest_of_a_text_goes_on_after_the_smsc_ends_the_session() {
    const UNBIND: [u8; 16] = [0, 0, 0, 16, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 9];
    for unbinds in [false, true] {
        cut_world(|world, life, shop, smsc| {
            if unbinds {
                smsc.send(0, &UNBIND);
            } else {
                smsc.hang_up();
            }
            assert_whole(world, life, shop, smsc);
        });
    }
}

#[test]
fn the_rest_of_a_text_goes_on_after_a_setting_was_changed() {
    for settings in [json!({"window": 7}), json!({"longMessages": "SAR"})] {
        cut_world(|world, life, shop, smsc| {
            change(world, settings.clone());
            assert_whole(world, life, shop, smsc);
        });
    }
}

#[test]
fn the_rest_of_a_text_goes_on_after_a_pause_also_if_the_object_is_dropped_meanwhile() {
    for is_killed in [false, true] {
        cut_world(|world, life, shop, smsc| {
            world.change("/admin/carriers/mci", json!({"paused": true}));
            life.settle(10 * MINUTE_MS);
            assert!(has(world, shop, SUBMITTED, 1), "{:?}", statuses(world, shop));
            let left = smsc.taken().len();
            assert!(left < 5, "{left}");
            if is_killed {
                life.kill();
            }
            world.change("/admin/carriers/mci", json!({"paused": false}));
            assert_whole(world, life, shop, smsc);
        });
    }
}

#[test]
fn a_rest_that_is_cut_again_and_again_goes_on() {
    cut_world(|world, life, shop, smsc| {
        for parts in [3, 4] {
            smsc.hang_up();
            life.settle_until(MINUTE_MS, || smsc.taken().len() == parts);
        }
        smsc.hang_up();
        assert_whole(world, life, shop, smsc);
    });
}

#[test]
fn the_rest_of_a_text_that_is_too_old_ends_also_during_a_pause() {
    cut_world(|world, life, shop, smsc| {
        world.change("/admin/carriers/mci", json!({"paused": true}));
        life.settle_until(2 * HOUR_MS, || has(world, shop, UNDELIVERED, 1));
        let left = smsc.got_count();
        world.change("/admin/carriers/mci", json!({"paused": false}));
        life.settle(10 * MINUTE_MS);
        assert_eq!(smsc.got_count(), left);
        assert!(has(world, shop, UNDELIVERED, 1));
        assert_once_and_ended(world, shop, smsc);
    });
}

#[test]
fn a_rest_that_the_smsc_refuses_ends() {
    cut_world(|world, life, shop, smsc| {
        smsc.hang_up();
        smsc.answer(|_, _| Reply::Status(0x0B, 0));
        life.settle_until(5 * MINUTE_MS, || has(world, shop, UNDELIVERED, 1));
        life.settle(5 * SECOND_MS);
        assert!(smsc.got_count() < 5, "{}", smsc.got_count());
        assert_once_and_ended(world, shop, smsc);
    });
}
