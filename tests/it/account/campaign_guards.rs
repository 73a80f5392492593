//! What goes wrong with a campaign: its guard stops it, opt-outs since are counted, and failures are told by reason.

use peyk::carrier::inbound::{self, InboundSms};
use serde_json::{Value, json};

use super::campaigns::{MONEY, assert_reconciled, campaign, number, phonebook, started, steer, taken};
use crate::support::time::{DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS};
use crate::support::{Account, World, assert_has, to_end};

/// A phonebook of these numbers.
fn book(world: &World, shop: &Account, numbers: impl IntoIterator<Item = String>) -> String {
    let id = phonebook(world, &shop.key, "A", []);
    let csv: String = numbers.into_iter().map(|number| format!("{number},x\n")).collect();
    world.import(&shop.key, &id, format!("number,name\n{csv}")).expect(201);
    id
}

/// A number that ends as the sandbox reads it.
fn ending_in(index: usize, end: usize) -> String {
    format!("+98912{:07}", 1_000_000 + index * 1_000 + end)
}

/// Lets a phone send this text to the shop.
fn text(world: &World, from: &str, text: &str) {
    let sms = InboundSms {
        carrier: "sandbox".to_owned(),
        to: "10001".to_owned(),
        from: from.to_owned(),
        text: text.to_owned(),
        carrier_id: Some(peyk::base::id::new(world).unwrap()),
        received_ms: world.now_ms.get(),
        left: Vec::new(),
    };
    to_end(inbound::receive(world, sms))
        .map_err(|not_taken| not_taken.error)
        .unwrap();
}

/// An account that has what phones send to its line.
fn with_replies() -> (World, Account) {
    let (world, shop) = World::with_busy_account(MONEY);
    let path = "/admin/lines/10001/inbound";
    world.admin("PUT", path, json!({"account": shop.id})).expect(200);
    (world, shop)
}

#[test]
fn a_guard_stops_a_campaign_of_which_too_many_fail_and_judges_anew_what_comes_after_a_resume() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let book = book(
        &world,
        &shop,
        (0..400).map(|index| ending_in(index, if index % 5 == 0 { 902 } else { 100 })),
    );
    let body = json!({
        "title": "x", "message": "x", "phonebooks": [book], "perMinute": 100, "guard": {"failedShare": 10, "after": 100},
    });
    let id = started(&world, key, body);
    let guard = json!({"failedShare": 10, "optOutShare": null, "after": 100});
    assert_eq!(campaign(&world, key, &id)["guard"], guard);
    for waves in 1..=2 {
        world.settle(5 * MINUTE_MS);
        let stopped = campaign(&world, key, &id);
        assert_has(&stopped, json!({"state": "STOPPED", "reason": "FAILED_SHARE"}));
        assert_has(
            &stopped["progress"],
            json!({"waves": waves, "failed": waves * 20, "delivered": waves * 80}),
        );
        steer(&world, key, &id, "resume").expect(200);
    }
    world.settle(5 * MINUTE_MS);
    let path = format!("/campaigns/{id}");
    let change = |guard: Value| world.ask("PATCH", key, &path).json(json!({"guard": guard})).send();
    for (bad, pointer) in [
        (json!({}), "/guard/failedShare"),
        (json!({"failedShare": 0}), "/guard/failedShare"),
        (json!({"optOutShare": 101}), "/guard/optOutShare"),
        (json!({"failedShare": 5, "after": 100_001}), "/guard/after"),
        (json!(5), "/guard"),
    ] {
        change(bad).points_at(&[pointer]);
    }
    change(json!({"optOutShare": 3})).expect(200);
    let guard = json!({"failedShare": null, "optOutShare": 3, "after": 100});
    assert_eq!(campaign(&world, key, &id)["guard"], guard);
    change(json!(null)).expect(200);
    steer(&world, key, &id, "resume").expect(200);
    world.settle(5 * MINUTE_MS);
    assert_has(&campaign(&world, key, &id), json!({"state": "DONE", "guard": null}));
    assert_eq!(taken(&world, &shop).len(), 400);
    assert_reconciled(&world, &shop);
}

#[test]
fn who_opts_out_counts_once_in_the_campaign_that_reached_the_number_last() {
    let (world, shop) = with_replies();
    let key = shop.key.as_str();
    let book = phonebook(&world, key, "A", 0..20);
    let opt_outs = |id: &str| campaign(&world, key, id)["progress"]["optOuts"].clone();
    // It is on the blacklist before anything reaches it.
    text(&world, &number(0), "STOP");
    let first = started(&world, key, json!({"title": "x", "message": "x", "phonebooks": [book]}));
    world.settle(MINUTE_MS);
    text(&world, &number(0), "STOP");
    text(&world, &number(50), "STOP");
    text(&world, &number(1), "hello");
    assert_eq!(opt_outs(&first), 0);
    for word in ["STOP", "STOP", "START", "STOP"] {
        text(&world, &number(1), word);
        assert_eq!(opt_outs(&first), 1, "{word}");
    }
    world.settle(MINUTE_MS);
    let guarded = json!({
        "title": "x", "message": "x", "phonebooks": [book], "perMinute": 10, "guard": {"optOutShare": 5, "after": 10},
    });
    let second = started(&world, key, guarded);
    world.settle(30 * SECOND_MS);
    assert_eq!(campaign(&world, key, &second)["progress"]["delivered"], 8);
    text(&world, &number(2), "STOP");
    text(&world, &number(15), "لغو11");
    assert_eq!((opt_outs(&first), opt_outs(&second)), (json!(2), json!(1)));
    world.settle(5 * MINUTE_MS);
    // It judged by 8 endings, which were too few.
    assert_eq!(campaign(&world, key, &second)["state"], "DONE");
    assert_eq!(world.all(key, "/campaigns?limit=10")[0]["progress"]["optOuts"], 1);
}

#[test]
fn a_guard_stops_a_campaign_of_which_too_many_opt_out() {
    let (world, shop) = with_replies();
    let key = shop.key.as_str();
    let book = phonebook(&world, key, "A", 0..30);
    let body = json!({
        "title": "x", "message": "x", "phonebooks": [book], "perMinute": 10, "guard": {"optOutShare": 10, "after": 10},
    });
    let id = started(&world, key, body);
    world.settle(30 * SECOND_MS);
    text(&world, &number(2), "STOP");
    text(&world, &number(3), "STOP");
    world.settle(HOUR_MS);
    let stopped = campaign(&world, key, &id);
    assert_has(&stopped, json!({"state": "STOPPED", "reason": "OPT_OUT_SHARE"}));
    assert_has(&stopped["progress"], json!({"waves": 1, "optOuts": 2}));
    steer(&world, key, &id, "resume").expect(200);
    world.settle(HOUR_MS);
    assert_has(&campaign(&world, key, &id), json!({"state": "DONE"}));
}

#[test]
fn failures_are_told_by_reason_and_mobile_operator_and_outlive_the_messages() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let mci = (0..60).map(|index| ending_in(index, [901, 902, 903, 904, 100, 100][index % 6]));
    let mtn = ["+989351000901", "+989351000902"].map(str::to_owned);
    let book = book(&world, &shop, mci.chain(mtn));
    let id = started(&world, key, json!({"title": "x", "message": "x", "phonebooks": [book]}));
    world.settle(MINUTE_MS);
    let progress = campaign(&world, key, &id)["progress"].clone();
    assert_has(&progress, json!({"recipients": 62, "delivered": 20, "failed": 32}));
    let failures = progress["failures"].as_array().unwrap();
    let counts = failures.iter().map(|one| {
        let text = |name: &str| one[name].as_str().unwrap().to_owned();
        (text("error"), text("operator"), one["count"].as_i64().unwrap())
    });
    let mut counts: Vec<(String, String, i64)> = counts.collect();
    counts.sort();
    let listed = world.all(key, &format!("/campaigns/{id}/recipients?limit=100"));
    let mut told = std::collections::BTreeMap::new();
    for one in listed.iter().filter(|one| one.get("error").is_some()) {
        let number = one["recipient"].as_str().unwrap();
        let operator = if number.starts_with("+98935") { "MTN" } else { "MCI" };
        *told
            .entry((one["error"].as_str().unwrap().to_owned(), operator.to_owned()))
            .or_default() += 1;
    }
    let told: Vec<(String, String, i64)> = told
        .into_iter()
        .map(|((error, operator), count)| (error, operator, count))
        .collect();
    assert_eq!(counts, told);
    assert_eq!(counts.iter().map(|(.., count)| count).sum::<i64>(), 32);
    let in_list = world.all(key, "/campaigns?limit=10");
    assert_eq!(in_list[0]["progress"].get("failures"), None);
    world.settle(400 * DAY_MS);
    assert_eq!(world.count(&shop, "message"), 0);
    let kept = campaign(&world, key, &id)["progress"].clone();
    assert_eq!(kept["failures"], progress["failures"]);
}
