//! Receipts in the forms that real SMSCs give them, over the real session.

use serde_json::json;
use smpp::pdu::{Deliver, Tlv, command, tag};

use crate::support::life::Life;
use crate::support::smpp::{
    DELIVERED, EXPIRED, SUBMITTED, UNDELIVERED, change, has, health, number, send, submit, world,
};
use crate::support::smsc::{Got, Reply, Smsc, receipt};
use crate::support::time::{HOUR_MS, MINUTE_MS, SECOND_MS};
use crate::support::{Account, World};

/// A world with a line for messages from phones.
fn world_with_inbox() -> (World, Account, Smsc) {
    let (world, shop, smsc) = world(json!({}));
    let line = json!({"number": "20003", "carrier": "mci", "operations": ["WEBSERVICE"], "accounts": [shop.id]});
    world.create("/admin/lines", line);
    (world, shop, smsc)
}

fn utf_16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_be_bytes).collect()
}

fn tlv(tag: u16, value: &[u8]) -> Tlv {
    let value = value.to_vec();
    Tlv { tag, value }
}

const USUAL: &str = "sub:001 dlvrd:001 submit date:2601011200 done date:2601011201 stat:DELIVRD err:000 text:";

#[test]
fn receipts_in_utf_16_and_by_data_sm_are_read_and_answered() {
    let (world, shop, smsc) = world_with_inbox();
    let life = Life::of(&world);
    submit(&world, &life, &shop, "hello", 0..4);
    let words = |id: &str| utf_16(&format!("id:{id} {USUAL}سلام"));
    let plain = receipt("", "");
    let in_message = Deliver {
        data_coding: 8,
        short_message: words("id0"),
        ..plain.clone()
    };
    let in_payload = Deliver {
        data_coding: 8,
        tlvs: vec![tlv(tag::MESSAGE_PAYLOAD, &words("id1"))],
        ..plain.clone()
    };
    let named = vec![tlv(tag::RECEIPTED_MESSAGE_ID, b"id2\0"), tlv(tag::MESSAGE_STATE, &[2])];
    let ascii = format!("ID:ID3 {USUAL}");
    let sent = [
        (smsc.deliver(0, &in_message), command::DELIVER_SM_RESP),
        (smsc.deliver_data(0, &in_payload), command::DATA_SM_RESP),
        (
            smsc.deliver_data(
                0,
                &Deliver {
                    tlvs: named,
                    ..plain.clone()
                },
            ),
            command::DATA_SM_RESP,
        ),
        (
            smsc.deliver(
                0,
                &Deliver {
                    data_coding: 8,
                    short_message: ascii.into_bytes(),
                    ..plain
                },
            ),
            command::DELIVER_SM_RESP,
        ),
    ];
    life.settle_until(MINUTE_MS, || has(&world, &shop, DELIVERED, 4));
    for (sequence, _) in sent {
        assert_eq!(smsc.confirmed().get(&sequence), Some(&0));
    }
    let answered = |wanted: u32| smsc.commands().into_iter().filter(|command| *command == wanted).count();
    assert_eq!(
        (answered(command::DELIVER_SM_RESP), answered(command::DATA_SM_RESP)),
        (2, 2)
    );
}

#[test]
fn of_two_ids_that_one_counts_which_stands_in_the_parameter_unless_nobody_knows_it() {
    let (world, shop, smsc) = world_with_inbox();
    let life = Life::of(&world);
    submit(&world, &life, &shop, "hello", 0..2);
    let say = |in_parameter: &[u8], in_text: &str| {
        let told = Deliver {
            tlvs: vec![tlv(tag::RECEIPTED_MESSAGE_ID, in_parameter)],
            ..receipt(&format!("id:{in_text} {USUAL}"), "")
        };
        smsc.deliver(0, &told);
    };
    say(b"id0\0", "id1");
    life.settle_until(MINUTE_MS, || has(&world, &shop, DELIVERED, 1));
    say(b"nobody\0", "id1");
    life.settle_until(MINUTE_MS, || has(&world, &shop, DELIVERED, 2));
}

#[test]
fn a_receipt_without_its_class_is_one_by_its_form_and_never_a_message_to_the_shop() {
    let (world, shop, smsc) = world_with_inbox();
    let life = Life::of(&world);
    submit(&world, &life, &shop, "hello", 0..2);
    let inbox = || world.count(&shop, "inbound");
    let from = |source: &str, text: &str| {
        let mut deliver = Deliver {
            esm_class: 0,
            ..receipt(text, source)
        };
        deliver.destination.number = "20003".to_owned();
        smsc.deliver(0, &deliver)
    };
    from(&number(0), &format!("id:id0 {USUAL}"));
    // So little of the form may be a person's: the id decides.
    from(&number(1), "id:id1 stat:UNDELIV");
    life.settle_until(MINUTE_MS, || {
        has(&world, &shop, DELIVERED, 1) && has(&world, &shop, UNDELIVERED, 1)
    });
    assert_eq!((inbox(), health(&world)["unknownReports"].clone()), (0, json!(0)));
    // It has the whole form and names nobody: operators hear of it.
    let unknown = from("989121234567", &format!("id:nobody {USUAL}"));
    life.settle_until(MINUTE_MS, || world.has_logged("no message that is known"));
    assert_eq!((inbox(), health(&world)["unknownReports"].clone()), (0, json!(1)));
    assert_eq!(smsc.confirmed().get(&unknown), Some(&0));
    for text in ["id: 77, stat: delivered?", "my id:5 and stat:DELIVRD", "سلام"] {
        from("989121234567", text);
    }
    life.settle_until(MINUTE_MS, || inbox() == 3);
    assert_eq!(health(&world)["unknownReports"], 1);
}

#[test]
fn of_receipts_that_come_together_the_first_ending_counts() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    submit(&world, &life, &shop, "hello", 0..40);
    for states in [["UNDELIV", "DELIVRD"], ["DELIVRD", "UNDELIV"]] {
        for index in 0..40 {
            smsc.receipt(
                0,
                &format!("id:id{index} stat:{} err:001", states[index % 2]),
                &number(index),
            );
        }
    }
    life.settle_until(MINUTE_MS, || {
        has(&world, &shop, UNDELIVERED, 20) && has(&world, &shop, DELIVERED, 20)
    });
    let statuses = world.rows(&shop, "SELECT status FROM recipient ORDER BY msisdn");
    let wanted = [UNDELIVERED, DELIVERED].repeat(20);
    assert_eq!(
        statuses.iter().map(|row| row.int(0).unwrap()).collect::<Vec<_>>(),
        wanted
    );
}

#[test]
fn an_expired_recipient_says_whether_the_smsc_said_so_or_nothing() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    submit(&world, &life, &shop, "hello", 0..2);
    let uid = world.read(&shop.key, "/messages").text("/data/0/uid");
    smsc.receipt(0, "id:id0 stat:EXPIRED err:000", &number(0));
    life.settle_until(MINUTE_MS, || has(&world, &shop, EXPIRED, 1));
    life.settle_until(80 * HOUR_MS, || has(&world, &shop, EXPIRED, 2));
    let page = world.read(&shop.key, &format!("/messages/{uid}/recipients"));
    let errors: Vec<&str> = page
        .items()
        .iter()
        .map(|shown| shown["error"].as_str().unwrap())
        .collect();
    assert_eq!(errors, ["EXPIRED", "NO_REPORT"]);
}

#[test]
fn a_short_receipt_without_its_class_is_read_once() {
    for before in ["", "your "] {
        let (world, shop, smsc) = world(json!({}));
        let life = Life::of(&world);
        smsc.answer(|_, _| Reply::Named("one".to_owned(), 0));
        submit(&world, &life, &shop, &"a".repeat(200), 0..1);
        let say = |state: &str| without_class(&smsc, 0, &format!("{before}id:one stat:{state}"), 0);
        say("DELIVRD");
        life.settle(10 * SECOND_MS);
        assert!(has(&world, &shop, SUBMITTED, 1), "it is of one part of two");
        say("UNDELIV");
        life.settle_until(MINUTE_MS, || has(&world, &shop, UNDELIVERED, 1));
    }
}

/// Sends a receipt without its class, to a line that takes messages, by a connection.
fn without_class(smsc: &Smsc, connection: usize, text: &str, index: usize) -> u32 {
    let mut deliver = Deliver {
        esm_class: 0,
        ..receipt(text, &number(index))
    };
    deliver.destination.number = "20003".to_owned();
    smsc.deliver(connection, &deliver)
}

#[test]
fn a_short_receipt_without_its_class_finds_its_message_by_any_session_and_before_the_answer() {
    let (world, shop, smsc) = world_with_inbox();
    change(&world, json!({"binds": 2}));
    let life = Life::of(&world);
    life.settle_until(MINUTE_MS, || smsc.connections() >= 2);
    let answer_after = |ms| smsc.answer(move |_, got| Reply::Named(got.deliver.destination.number.clone(), ms));
    answer_after(0);
    submit(&world, &life, &shop, "hello", 0..6);
    let newest = smsc.connections() - 1;
    let tell = |index: usize, connection: usize| {
        without_class(&smsc, connection, &format!("id:{} stat:DELIVRD", number(index)), index);
    };
    let of_other = |got: &Got| if got.connection == newest { newest - 1 } else { newest };
    let got = smsc.got();
    for index in 0..6 {
        let got = got.iter().find(|got| got.deliver.destination.number == number(index));
        tell(index, of_other(got.unwrap()));
    }
    life.settle_until(5 * MINUTE_MS, || has(&world, &shop, DELIVERED, 6));
    answer_after(5 * SECOND_MS);
    send(&world, &shop, "hello", 6..7);
    life.settle_until(MINUTE_MS, || smsc.got_count() == 7);
    tell(6, newest);
    life.settle_until(5 * MINUTE_MS, || has(&world, &shop, DELIVERED, 7));
    assert_eq!(world.count(&shop, "inbound"), 0);
}

#[test]
fn an_id_is_found_as_it_was_answered_also_where_receipts_have_hexadecimal_ones() {
    let (world, shop, smsc) = world(json!({"reportIds": "HEX"}));
    let life = Life::of(&world);
    smsc.answer(|index, _| Reply::Named(["56BAB0C", "1234", "255"][index].to_owned(), 0));
    submit(&world, &life, &shop, "hello", 0..3);
    for (index, id) in ["56BAB0C", "1234", "ff"].iter().enumerate() {
        smsc.receipt(0, &format!("id:{id} stat:DELIVRD err:000"), &number(index));
    }
    life.settle_until(MINUTE_MS, || has(&world, &shop, DELIVERED, 3));
}

#[test]
fn masked_numbers_and_marks_around_an_id_do_not_hide_a_message() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    submit(&world, &life, &shop, "hello", 0..4);
    let say = |text: &str, source: &str| {
        let mut deliver = receipt(text, source);
        deliver.destination.number = "20002".to_owned();
        smsc.deliver(0, &deliver);
    };
    say("id:id0 stat:DELIVRD err:000", "98912xxxx000");
    say("id:\"id1\", sub:001, dlvrd:001, stat:DELIVRD, err:000", &number(1));
    say("stat:DELIVRD id:id2\0", &number(2));
    say("id:'id3'; stat:DELIVRD; err:000", "***");
    life.settle_until(MINUTE_MS, || has(&world, &shop, DELIVERED, 4));
}

#[test]
fn a_wrong_id_beside_a_right_one_and_a_contradiction_are_told_and_read() {
    let (world, shop, smsc) = world_with_inbox();
    let life = Life::of(&world);
    submit(&world, &life, &shop, "hello", 0..2);
    let wrong = vec![
        tlv(tag::RECEIPTED_MESSAGE_ID, b"other\0"),
        tlv(tag::MESSAGE_STATE, &[1]),
    ];
    smsc.deliver(
        0,
        &Deliver {
            tlvs: wrong,
            ..receipt(&format!("id:id0 {USUAL}"), "")
        },
    );
    life.settle_until(MINUTE_MS, || has(&world, &shop, DELIVERED, 1));
    assert!(world.has_logged("a receipt contradicts itself"));
    let failed = vec![tlv(tag::MESSAGE_STATE, &[5])];
    smsc.deliver(
        0,
        &Deliver {
            tlvs: failed,
            ..receipt(&format!("id:id1 {USUAL}"), "")
        },
    );
    life.settle_until(10 * SECOND_MS, || has(&world, &shop, UNDELIVERED, 1));
}
