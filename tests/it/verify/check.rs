//! `POST /verify/check`.

use serde_json::json;

use super::{MINUTE_MS, PHONE, check, code, started, world, wrong};
use crate::support::assert_contains;

#[test]
fn a_code_is_right_once_in_digits_of_any_script() {
    for write in [
        |code: &str| code.to_owned(),
        |code: &str| {
            code.chars()
                .map(|c| char::from_u32(u32::from(c) - 48 + 0x06F0).unwrap())
                .collect()
        },
        |code: &str| {
            code.chars()
                .map(|c| char::from_u32(u32::from(c) - 48 + 0x0660).unwrap())
                .collect()
        },
        |code: &str| format!(" {}-{} ", &code[..3], &code[3..]),
    ] {
        let (world, shop) = world();
        let id = started(&world, &shop.key, PHONE);
        let code = code(&world);
        let answer = check(&world, &shop.key, &id, &write(&code)).expect(200);
        answer.has(
            json!({"id": id, "verified": true, "status": "APPROVED", "purpose": "login",
            "recipient": "+989121234567"}),
        );
        let again = check(&world, &shop.key, &id, &code).problem(422, 3019);
        assert_contains(&again.extra()[0], "APPROVED");
        world
            .read(&shop.key, &format!("/verify/{id}"))
            .has(json!({"status": "APPROVED", "attemptsLeft": 0}));
    }
}

#[test]
fn as_many_wrong_codes_as_may_be_fail_it_and_the_right_one_comes_too_late() {
    let (world, shop) = world();
    let body = json!({"recipient": PHONE, "maxAttempts": 3});
    let id = world.posted(&shop.key, "/verify", body).text("/data/id");
    let code = code(&world);
    for (left, status) in [(2, "PENDING"), (1, "PENDING"), (0, "FAILED")] {
        let answer = check(&world, &shop.key, &id, &wrong(&code)).expect(200);
        answer.has(json!({"verified": false, "status": status, "attemptsLeft": left}));
    }
    let late = check(&world, &shop.key, &id, &code).problem(422, 3019);
    assert_contains(&late.extra()[0], "FAILED");
}

#[test]
fn the_recipient_and_the_purpose_find_the_newest() {
    let (world, shop) = world();
    let for_pay = world
        .posted(&shop.key, "/verify", json!({"recipient": PHONE, "purpose": "pay"}))
        .text("/data/id");
    let pay = code(&world);
    let for_login = started(&world, &shop.key, PHONE);
    let login = code(&world);
    assert_ne!(for_pay, for_login);
    let check = |purpose: &str, code: &str| {
        let body = json!({"recipient": "+98 912 123 4567", "purpose": purpose, "code": code});
        world.post(&shop.key, "/verify/check", body)
    };
    if pay != login {
        check("login", &pay).expect(200).has(json!({"verified": false}));
    }
    check("login", &login)
        .expect(200)
        .has(json!({"verified": true, "id": for_login}));
    check("pay", &pay)
        .expect(200)
        .has(json!({"verified": true, "id": for_pay}));
    check("other", &pay).problem(422, 3019);
}

#[test]
fn a_code_whose_time_is_over_is_not_checked() {
    let (world, shop) = world();
    let id = started(&world, &shop.key, PHONE);
    let code = code(&world);
    world.advance(2 * MINUTE_MS);
    let late = check(&world, &shop.key, &id, &code).problem(422, 3019);
    assert_contains(&late.extra()[0], "EXPIRED");
    let by_number = world
        .post(&shop.key, "/verify/check", json!({"recipient": PHONE, "code": code}))
        .problem(422, 3019);
    assert_contains(&by_number.extra()[0], "EXPIRED");
}

#[test]
fn a_body_says_which_verification_and_a_code() {
    let (world, shop) = world();
    let places = |body| world.post(&shop.key, "/verify/check", body).problem(422, 422).places();
    assert_eq!(places(json!({"code": "123456"})), ["recipient", "id"]);
    assert_eq!(
        places(json!({"id": "x", "recipient": PHONE, "code": "123456"})),
        ["recipient"]
    );
    assert_eq!(places(json!({"id": "x", "code": "12a456"})), ["code"]);
    assert_eq!(places(json!({"id": "x", "code": 123_456})), ["code"]);
    assert_eq!(places(json!({"id": "x", "code": "123"})), ["code"]);
    assert_eq!(places(json!({"id": "x"})), ["code"]);
    world
        .post(&shop.key, "/verify/check", json!({"id": "x", "code": "123456"}))
        .problem(422, 3019);
}

/// A body with a fault is no attempt.
#[test]
fn a_refused_check_counts_for_nothing() {
    let (world, shop) = world();
    let id = started(&world, &shop.key, PHONE);
    check(&world, &shop.key, &id, "12").problem(422, 422);
    assert_eq!(
        world
            .read(&shop.key, &format!("/verify/{id}"))
            .int("/data/attemptsLeft"),
        5
    );
}
