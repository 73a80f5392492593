//! Routes: which carriers get a line's messages, by prefix, by weight, and when some of them take none.

use std::collections::BTreeMap;

use peyk::base::ports::Sql;
use serde_json::{Value, json};

use crate::support::time::{HOUR_MS, MINUTE_MS};
use crate::support::{Account, World, table};

/// A world with the carriers `sandbox`, `other` and `spare`, and these routes of the line `10001`.
fn world(routes: &Value) -> (World, Account) {
    let (world, shop) = World::with_busy_account(100_000_000);
    world.add_sandboxes(&["other", "spare"], "{}");
    world.change("/admin/lines/10001", json!({"routes": routes}));
    (world, shop)
}

fn shares(names: &[(&str, u32)]) -> Value {
    let share = |(name, weight): &(&str, u32)| json!({"name": name, "weight": weight});
    names.iter().map(share).collect()
}

fn route(prefixes: &[&str], carriers: &[(&str, u32)], backup: &[(&str, u32)]) -> Value {
    json!({"prefixes": prefixes, "carriers": shares(carriers), "backup": shares(backup)})
}

/// The numbers that each carrier has taken.
fn taken(world: &World, shop: &Account) -> BTreeMap<&'static str, Vec<u64>> {
    let of = |carrier: &'static str| {
        let sql = world.carrier_sql(carrier, &shop.id);
        let rows = sql
            .exec("SELECT msisdn FROM handed WHERE taken > 0 ORDER BY msisdn", &[])
            .unwrap_or_default();
        let numbers: Vec<u64> = rows.iter().map(|row| row.int(0).unwrap().try_into().unwrap()).collect();
        (carrier, numbers)
    };
    let all = ["sandbox", "other", "spare"].into_iter().map(of);
    all.filter(|(_, numbers)| !numbers.is_empty()).collect()
}

fn counts_of(world: &World, shop: &Account) -> Vec<(&'static str, usize)> {
    let taken = taken(world, shop);
    let count = |(carrier, numbers): (_, Vec<u64>)| (carrier, numbers.len());
    taken.into_iter().map(count).collect()
}

/// What the directory says of carriers. The account's object sees it when its cache of 30 seconds is over.
fn set(world: &World, change: &str) {
    world.db.run(change);
    world.db.run("UPDATE carrier SET version = version + 1");
    world.advance(30_000);
}

fn statuses(world: &World, shop: &Account, uid: &str) -> Value {
    world.read(&shop.key, &format!("/messages/{uid}")).json["data"]["counts"].clone()
}

#[test]
fn recipients_of_one_message_go_by_the_longest_prefix_of_their_numbers() {
    let (world, shop) = world(&json!([
        route(&["98912", "98913"], &[("other", 1)], &[]),
        route(&[], &[("sandbox", 1)], &[]),
        route(&["9891", "44"], &[("spare", 1)], &[]),
    ]));
    // More than one chunk for each way, in turns.
    let numbers: Vec<String> = (0..1_800u32)
        .map(|number| {
            let prefix = ["98912", "98935", "98910"][usize::try_from(number % 3).unwrap()];
            format!("+{prefix}{number:04}100")
        })
        .collect();
    let mut uids = Vec::new();
    for thousand in numbers.chunks(1_000) {
        let thousand: Vec<&str> = thousand.iter().map(String::as_str).collect();
        uids.push(world.sent(&shop.key, &thousand));
    }
    world.settle(MINUTE_MS);
    let taken = taken(&world, &shop);
    let all_begin = |carrier: &str, prefix: &str| {
        taken[carrier]
            .iter()
            .all(|number| number.to_string().starts_with(prefix))
    };
    assert!(all_begin("other", "98912") && all_begin("sandbox", "98935") && all_begin("spare", "98910"));
    let wanted = [("other", 600), ("sandbox", 600), ("spare", 600)];
    assert_eq!(counts_of(&world, &shop), wanted);
    assert_eq!(statuses(&world, &shop, &uids[0]), json!({"DELIVERED": 1_000}));
    // The order of the recipients is that of the request.
    let list = world.read(&shop.key, &format!("/messages/{}/recipients?limit=3", uids[0]));
    assert_eq!(list.texts("recipient"), numbers[..3]);
}

#[test]
fn carriers_share_by_weight() {
    let (world, shop) = world(&json!([route(&[], &[("sandbox", 3), ("other", 1)], &[("spare", 9)])]));
    for number in 0..200 {
        world.send(&shop.key, &[&format!("0912{number:04}100")]).expect(201);
        world.work();
    }
    world.settle(MINUTE_MS);
    let counts: BTreeMap<&str, usize> = counts_of(&world, &shop).into_iter().collect();
    assert!((48..=52).contains(&counts["other"]), "{counts:?}");
    assert_eq!(counts["sandbox"], 200 - counts["other"]);
}

#[test]
fn carriers_share_by_weight_although_the_account_is_cold_at_each_send() {
    let (world, shop) = world(&json!([route(&[], &[("sandbox", 3), ("other", 1)], &[("spare", 9)])]));
    for number in 0..200 {
        world.send(&shop.key, &[&format!("0912{number:04}100")]).expect(201);
        world.settle(MINUTE_MS);
        world.kill();
    }
    let counts: BTreeMap<&str, usize> = counts_of(&world, &shop).into_iter().collect();
    // Five times the deviation of 200 independent choices.
    assert!((20..=80).contains(&counts["other"]), "{counts:?}");
    assert_eq!(counts["sandbox"], 200 - counts["other"]);
}

#[test]
fn carriers_share_by_weight_what_many_accounts_send_once() {
    let (world, _) = world(&json!([route(&[], &[("sandbox", 1)], &[])]));
    world.share_line("20002", "sandbox", &["WEBSERVICE"]);
    let routes = json!([route(&[], &[("sandbox", 1), ("other", 1)], &[])]);
    world.change("/admin/lines/20002", json!({"routes": routes}));
    let shops: Vec<Account> = (0..100)
        .map(|number| world.account(&format!("shop{number}"), 100_000))
        .collect();
    let body = json!({"message": "x", "recipients": ["09121234100"], "sourceNumber": "20002"});
    for shop in &shops {
        world.posted(&shop.key, "/sms/send", body.clone());
    }
    world.settle(MINUTE_MS);
    let carriers = shops.iter().flat_map(|shop| counts_of(&world, shop));
    let by_other = carriers.filter(|taken| *taken == ("other", 1)).count();
    assert!((25..=75).contains(&by_other), "{by_other}");
}

#[test]
fn a_carrier_out_of_service_leaves_its_share_to_the_others_and_then_to_the_backup() {
    let (world, shop) = world(&json!([route(&[], &[("sandbox", 1), ("other", 1)], &[("spare", 1)])]));
    set(&world, "UPDATE carrier SET active = 0 WHERE name = 'sandbox'");
    let send = |count: u32, from: u32| {
        for number in from..from + count {
            world.send(&shop.key, &[&format!("0912{number:04}100")]).expect(201);
            world.work();
        }
        world.settle(MINUTE_MS);
    };
    send(10, 0);
    assert_eq!(counts_of(&world, &shop), [("other", 10)]);
    set(&world, "UPDATE carrier SET active = 0 WHERE name = 'other'");
    send(10, 10);
    assert_eq!(counts_of(&world, &shop), [("other", 10), ("spare", 10)]);
    // A carrier that comes back is used again.
    set(&world, "UPDATE carrier SET active = 1");
    send(10, 20);
    let counts: BTreeMap<&str, usize> = counts_of(&world, &shop).into_iter().collect();
    assert_eq!(counts["spare"], 10);
    assert_eq!(counts.values().sum::<usize>(), 30);
    assert!(counts["sandbox"] > 0);
}

#[test]
fn what_a_carrier_refuses_for_now_goes_by_another_at_once() {
    let (world, shop) = world(&json!([route(&[], &[("sandbox", 1)], &[("spare", 1)])]));
    // Each sandbox refuses this number twice.
    world.send(&shop.key, &["09121234905"]).expect(201);
    while world.work() {}
    let refused = |carrier: &str| {
        let sql = world.carrier_sql(carrier, &shop.id);
        let rows = sql.exec("SELECT refused FROM handed", &[]).unwrap_or_default();
        rows.first().map_or(0, |row| row.int(0).unwrap())
    };
    let found = (refused("sandbox"), refused("spare"));
    assert_eq!(found, (1, 1), "both were asked without waiting");
    world.settle(MINUTE_MS);
    let counts = counts_of(&world, &shop);
    assert_eq!(counts.iter().map(|(_, count)| count).sum::<usize>(), 1, "{counts:?}");
}

#[test]
fn a_full_carrier_is_waited_for_and_the_backup_stays_free() {
    let (world, shop) = world(&json!([route(&[], &[("sandbox", 1)], &[("spare", 1)])]));
    set(
        &world,
        r#"UPDATE carrier SET settings = '{"window": 1, "reportAfterMs": 1000}' WHERE name = 'sandbox'"#,
    );
    for number in 0..20 {
        world.send(&shop.key, &[&format!("0912{number:04}100")]).expect(201);
        world.work();
    }
    world.settle(5 * MINUTE_MS);
    assert_eq!(counts_of(&world, &shop), [("sandbox", 20)]);
}

#[test]
fn what_a_carrier_may_have_is_never_handed_to_another() {
    let (world, shop) = world(&json!([route(&[], &[("sandbox", 1)], &[("spare", 1)])]));
    // Calls to carriers fail, and nobody knows whether they had an effect.
    world.carriers_are_down.set(true);
    let first = world.sent(&shop.key, &["09121234100"]);
    while world.work() {}
    let sql = world.sql(&shop.id);
    let queues = || {
        let rows = sql.run("SELECT queue FROM chunk ORDER BY message");
        rows.iter().map(|row| row.text(0).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(queues(), [format!("@sandbox/{}", shop.id)]);
    // A new message takes the other way meanwhile, and the old one waits for the one that may have it.
    world.carriers_are_down.set(false);
    world.send(&shop.key, &["09121234200"]).expect(201);
    while world.work() {}
    assert_eq!(counts_of(&world, &shop), [("spare", 1)]);
    world.settle(MINUTE_MS);
    assert_eq!(counts_of(&world, &shop), [("sandbox", 1), ("spare", 1)]);
    assert_eq!(statuses(&world, &shop, &first), json!({"DELIVERED": 1}));
    assert_eq!(
        queues(),
        ["10001/", "10001/"],
        "once the carrier has told, the chunk is as free as before"
    );
}

/// Two days and more, in which the account's object sleeps most of the time.
fn wait_for_days(world: &World) {
    for _ in 0..5 {
        world.advance(9 * HOUR_MS);
        world.settle(HOUR_MS);
    }
}

#[test]
fn a_stopped_line_keeps_what_is_accepted_until_it_goes_on() {
    let (world, shop) = world(&json!([route(&[], &[("sandbox", 1)], &[("spare", 1)])]));
    world.change("/admin/lines/10001", json!({"paused": true}));
    let uid = world.sent(&shop.key, &["09121234100"]);
    wait_for_days(&world);
    assert_eq!(statuses(&world, &shop, &uid), json!({"QUEUED": 1}));
    assert_eq!(world.balance(&shop.key).1, 1_000, "its money stays reserved");
    world.change("/admin/lines/10001", json!({"paused": false}));
    world.settle(MINUTE_MS);
    assert_eq!(statuses(&world, &shop, &uid), json!({"DELIVERED": 1}));
}

#[test]
fn a_stopped_carrier_makes_its_messages_wait_and_opens_no_backup() {
    let (world, shop) = world(&json!([route(&[], &[("sandbox", 1)], &[("spare", 1)])]));
    set(&world, "UPDATE carrier SET paused = 1 WHERE name = 'sandbox'");
    let uid = world.sent(&shop.key, &["09121234100"]);
    wait_for_days(&world);
    assert_eq!(statuses(&world, &shop, &uid), json!({"QUEUED": 1}));
    set(&world, "UPDATE carrier SET paused = 0 WHERE name = 'sandbox'");
    world.settle(MINUTE_MS);
    assert_eq!(counts_of(&world, &shop), [("sandbox", 1)]);
}

#[test]
fn each_class_is_given_up_after_its_own_time_when_no_carrier_is_there() {
    let (world, shop) = world(&json!([route(&[], &[("sandbox", 1)], &[("spare", 1)])]));
    world.active_pattern(&shop.key, json!({"slug": "code", "title": "t", "text": "code %CODE%"}));
    set(&world, "UPDATE carrier SET active = 0");
    let code = json!({"pattern": "code", "variables": {"CODE": "1"}, "recipient": "09121234100"});
    let code = world.posted(&shop.key, "/sms/pattern", code).text("/data/uid");
    let plain = world.sent(&shop.key, &["09121234100"]);
    let bulk = json!({"messages": [{"recipient": "09121234100", "message": "a"}]});
    let bulk = world.posted(&shop.key, "/sms/bulk", bulk).text("/data/uid");
    let all = || [&code, &plain, &bulk].map(|uid| statuses(&world, &shop, uid));
    let [waits, gone] = [json!({"QUEUED": 1}), json!({"REJECTED": 1})];
    world.settle(29 * MINUTE_MS);
    assert_eq!(all(), [waits.clone(), waits.clone(), waits.clone()]);
    world.settle(2 * MINUTE_MS);
    assert_eq!(all(), [gone.clone(), waits.clone(), waits.clone()]);
    world.settle(4 * 60 * MINUTE_MS);
    assert_eq!(all(), [gone.clone(), gone.clone(), waits]);
    world.advance(18 * HOUR_MS);
    world.settle(2 * HOUR_MS);
    assert_eq!(all(), [gone.clone(), gone.clone(), gone]);
    assert_eq!(world.balance(&shop.key), (100_000_000, 0), "all the money came back");
    assert_eq!(world.look("/admin/dead-letters").items().len(), 3);
}

#[test]
fn a_login_code_does_not_wait_for_a_campaign_of_the_same_account() {
    let (world, shop) = world(&json!([route(&[], &[("sandbox", 1)], &[])]));
    world.active_pattern(&shop.key, json!({"slug": "code", "title": "t", "text": "code %CODE%"}));
    // The calls of the campaign hang.
    world.calls_hang.set(true);
    let numbers: Vec<String> = (0..1_000).map(|number| format!("0912{number:04}100")).collect();
    let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
    for _ in 0..5 {
        world.send(&shop.key, &numbers).expect(201);
    }
    world.work();
    world.calls_hang.set(false);
    let code = json!({"pattern": "code", "variables": {"CODE": "1"}, "recipient": "09351234100"});
    world.posted(&shop.key, "/sms/pattern", code);
    world.work();
    assert_eq!(taken(&world, &shop)["sandbox"], [989_351_234_100]);
}

#[test]
fn routes_are_answered_as_they_were_given_and_a_lone_carrier_is_one_route() {
    let (world, _) = world(&json!([route(&[], &[("sandbox", 1)], &[])]));
    let line = world.look("/admin/lines/10001");
    assert_eq!(line.text("/data/carrier"), "sandbox");
    assert_eq!(line.json["data"]["paused"], json!(false));
    let routes = json!([
        route(&["98912"], &[("other", 2)], &[("spare", 1), ("sandbox", 7)]),
        route(&[], &[("sandbox", 1)], &[]),
    ]);
    let changed = world.change("/admin/lines/10001", json!({"routes": routes}));
    assert_eq!(changed.json["data"]["routes"], routes);
    assert_eq!(changed.json["data"]["carrier"], Value::Null);
    let changed = world.change("/admin/lines/10001", json!({"carrier": "other"}));
    let expected = json!([route(&[], &[("other", 1)], &[])]);
    assert_eq!(changed.json["data"]["routes"], expected);
    // The weight may be left out.
    let routes = json!([{"carriers": [{"name": "other"}]}]);
    let changed = world.change("/admin/lines/10001", json!({"routes": routes}));
    assert_eq!(changed.text("/data/carrier"), "other");
    let named = "SELECT group_concat(carrier) FROM line_carrier WHERE line = '10001'";
    assert_eq!(world.db.run(named)[0].text(0).unwrap(), "other");
}

#[test]
fn routes_that_are_not_clear_are_refused_with_all_their_faults_and_change_nothing() {
    let good = json!([route(&[], &[("sandbox", 1)], &[])]);
    let (world, _) = world(&good);
    let rest = route(&[], &[("sandbox", 1)], &[]);
    let many: Vec<Value> = (0..51)
        .map(|number| route(&[&number.to_string()], &[("sandbox", 1)], &[]))
        .collect();
    let long: Vec<String> = (0..100).map(|number| format!("{:015}", number)).collect();
    let long: Vec<&str> = long.iter().map(String::as_str).collect();
    let mut wide: Vec<Value> = (1..10)
        .map(|number| {
            let own: Vec<String> = long.iter().map(|prefix| format!("{number}{}", &prefix[1..])).collect();
            route(
                &own.iter().map(String::as_str).collect::<Vec<_>>(),
                &[("sandbox", 1)],
                &[],
            )
        })
        .collect();
    wide.push(rest.clone());
    for (routes, faults) in table::<(Value, Vec<String>)>(json!([
        [[], ["routes: "]],
        ["sandbox", ["routes: "]],
        [[7], ["routes[0]: "]],
        [[rest, rest], ["routes: must be a list with exactly one route without prefixes"]],
        [[route(&["98"], &[("sandbox", 1)], &[])], ["routes: "]],
        [[rest, route(&["+98", "98a", ""], &[("sandbox", 1)], &[])],
            ["routes[1].prefixes[0]: ", "routes[1].prefixes[1]: ", "routes[1].prefixes[2]: "]],
        [[ rest, route(&["98"], &[("sandbox", 1)], &[]), route(&["99", "98"], &[("sandbox", 1)], &[]) ],
            ["routes[2]: must be a route whose prefixes no other route has"]],
        [[{"prefixes": []}], ["routes[0].carriers: "]],
        [[route(&[], &[], &[])], ["routes[0].carriers: "]],
        [[route(&[], &[("sandbox", 1)], &[("sandbox", 1)])], ["routes[0].backup[0]: must not be there twice"]],
        [[route(&[], &[("sandbox", 0), ("other", 1_001)], &[])],
            ["routes[0].carriers[0].weight: ", "routes[0].carriers[1].weight: "]],
        [[{"carriers": [{"weight": 1}], "backup": [{}]}],
            ["routes[0].carriers[0].name: ", "routes[0].backup[0].name: "]],
        [[rest, route(&["98"], &[("sandbox", 1)], &[("nobody", 1)])], ["routes[1]: "]],
        [many, ["routes: "]],
        [wide, ["routes: "]],
    ])) {
        let body = json!({"routes": routes});
        let extra = world.admin("PATCH", "/admin/lines/10001", body).refused(422).extra();
        assert_eq!(extra.len(), faults.len(), "{routes}: {extra:?}");
        for (fault, begins) in extra.iter().zip(faults) {
            assert!(fault.starts_with(&begins), "{routes}: {extra:?}");
        }
    }
    let both = json!({"routes": good, "carrier": "other"});
    let refused = world.admin("PATCH", "/admin/lines/10001", both).refused(422);
    assert_eq!(refused.extra()[0], "carrier: must not stand beside \"routes\"");
    let none = json!({"number": "30003", "operations": ["WEBSERVICE"], "routes": null});
    let refused = world.admin("POST", "/admin/lines", none).refused(422);
    assert_eq!(refused.extra().len(), 1);
    assert!(refused.extra()[0].starts_with("carrier: "));
    assert_eq!(world.look("/admin/lines/10001").json["data"]["routes"], good);
}

#[test]
fn a_stop_that_an_account_has_not_heard_of_opens_no_backup_either() {
    let (world, shop) = world(&json!([route(&[], &[("sandbox", 1)], &[("spare", 1)])]));
    world.send(&shop.key, &["09121234100"]).expect(201);
    world.settle(MINUTE_MS);
    // Only the carrier's object has heard of the stop. It reads what it has noted when it starts anew.
    let stop = "UPDATE carrier SET version = version + 1, \
                  newest = json_set(newest, '$.paused', json('true'), '$.version', version + 1)";
    world.carrier_sql("sandbox", &shop.id).run(stop);
    world.kill();
    let uid = world.sent(&shop.key, &["09121234300"]);
    world.settle(20_000);
    assert_eq!(statuses(&world, &shop, &uid), json!({"QUEUED": 1}));
    assert_eq!(counts_of(&world, &shop), [("sandbox", 1)]);
}

#[test]
fn a_carrier_that_can_send_nothing_tells_what_it_never_had_so_that_another_may_take_it() {
    let (world, shop) = world(&json!([route(&[], &[("sandbox", 1)], &[("spare", 1)])]));
    world.carriers_are_down.set(true);
    let uid = world.sent(&shop.key, &["09121234100"]);
    while world.work() {}
    world.carriers_are_down.set(false);
    set(&world, "UPDATE carrier SET active = 0 WHERE name = 'sandbox'");
    world.settle(2 * MINUTE_MS);
    assert_eq!(counts_of(&world, &shop), [("spare", 1)]);
    assert_eq!(statuses(&world, &shop, &uid), json!({"DELIVERED": 1}));
}

/// Lets each message that is accepted from now on avoid these carriers.
fn avoid(world: &World, carriers: &[&str]) {
    world.sends_with.replace(json!({ "avoid": carriers }));
}

/// Which carrier takes a message that avoids these carriers, which it goes by within a minute.
fn taker(world: &World, shop: &Account, carriers: &[&str]) -> Vec<(&'static str, usize)> {
    let before: BTreeMap<&str, usize> = counts_of(world, shop).into_iter().collect();
    avoid(world, carriers);
    let sent = before.values().sum::<usize>();
    world.send(&shop.key, &[&format!("0912{sent:04}100")]).expect(201);
    world.sends_with.take();
    world.settle(MINUTE_MS);
    let mut counts = counts_of(world, shop);
    for (carrier, count) in &mut counts {
        *count -= before.get(carrier).copied().unwrap_or(0);
    }
    counts.retain(|(_, count)| *count > 0);
    counts
}

#[test]
fn a_message_goes_by_another_carrier_than_those_that_it_avoids() {
    let (world, shop) = world(&json!([route(&[], &[("sandbox", 9), ("other", 1)], &[("spare", 1)])]));
    for _ in 0..10 {
        assert_eq!(taker(&world, &shop, &["sandbox"]), [("other", 1)]);
        assert_eq!(taker(&world, &shop, &["other"]), [("sandbox", 1)]);
        assert_eq!(taker(&world, &shop, &["other", "sandbox"]), [("spare", 1)]);
        assert_eq!(taker(&world, &shop, &["sandbox", "spare", "nobody"]), [("other", 1)]);
    }
    for _ in 0..5 {
        let of_all = taker(&world, &shop, &["sandbox", "other", "spare"]);
        assert!(of_all == [("sandbox", 1)] || of_all == [("other", 1)], "{of_all:?}");
    }
}

#[test]
fn the_backup_takes_what_avoids_the_only_other_carrier() {
    let (world, shop) = world(&json!([
        route(&["98912"], &[("sandbox", 1)], &[("spare", 1)]),
        route(&[], &[("other", 1)], &[]),
    ]));
    assert_eq!(taker(&world, &shop, &["sandbox"]), [("spare", 1)]);
    assert_eq!(taker(&world, &shop, &["spare"]), [("sandbox", 1)]);
    assert_eq!(taker(&world, &shop, &["other"]), [("sandbox", 1)]);
}

#[test]
fn a_carrier_that_is_avoided_takes_what_no_other_can() {
    let (world, shop) = world(&json!([route(&[], &[("sandbox", 1), ("other", 1)], &[])]));
    for stop in ["paused = 1", "active = 0"] {
        assert_eq!(taker(&world, &shop, &["sandbox"]), [("other", 1)]);
        set(&world, &format!("UPDATE carrier SET {stop} WHERE name = 'other'"));
        assert_eq!(taker(&world, &shop, &["sandbox"]), [("sandbox", 1)], "{stop}");
        set(&world, "UPDATE carrier SET paused = 0, active = 1");
    }
    assert_eq!(taker(&world, &shop, &["sandbox"]), [("other", 1)]);
    let alone = json!([route(&[], &[("sandbox", 1)], &[])]);
    world.change("/admin/lines/10001", json!({"routes": alone}));
    set(&world, "UPDATE carrier SET version = version + 1");
    assert_eq!(taker(&world, &shop, &["sandbox"]), [("sandbox", 1)]);
}

#[test]
fn what_avoids_a_carrier_that_is_stopped_with_the_others_waits_for_any_of_them() {
    let (world, shop) = world(&json!([route(&[], &[("sandbox", 1), ("other", 1)], &[])]));
    set(&world, "UPDATE carrier SET paused = 1");
    avoid(&world, &["sandbox"]);
    let first = world.sent(&shop.key, &["09121234100"]);
    // Longer than it would wait for carriers that are down.
    world.settle(5 * 60 * MINUTE_MS);
    assert_eq!(statuses(&world, &shop, &first), json!({"QUEUED": 1}));
    set(&world, "UPDATE carrier SET paused = 0 WHERE name = 'sandbox'");
    world.settle(MINUTE_MS);
    assert_eq!(counts_of(&world, &shop), [("sandbox", 1)]);
    // One that is out of service, and one that is stopped: the message waits for the one that is stopped.
    set(&world, "UPDATE carrier SET active = 0, paused = name = 'other'");
    set(&world, "UPDATE carrier SET active = 1 WHERE name = 'other'");
    let second = world.sent(&shop.key, &["09121234200"]);
    world.settle(5 * 60 * MINUTE_MS);
    assert_eq!(statuses(&world, &shop, &second), json!({"QUEUED": 1}));
    set(&world, "UPDATE carrier SET paused = 0");
    world.settle(MINUTE_MS);
    assert_eq!(counts_of(&world, &shop), [("other", 1), ("sandbox", 1)]);
}

#[test]
fn what_avoids_a_carrier_stands_in_a_queue_of_its_own_and_comes_back_to_it() {
    let (world, shop) = world(&json!([route(&[], &[("sandbox", 1)], &[("spare", 1)])]));
    world.change("/admin/lines/10001", json!({"paused": true}));
    let sql = world.sql(&shop.id);
    let queues = || {
        let rows = sql.run("SELECT queue FROM chunk ORDER BY message");
        rows.iter().map(|row| row.text(0).unwrap()).collect::<Vec<_>>()
    };
    world.sent(&shop.key, &["09121234100"]);
    avoid(&world, &["sandbox"]);
    world.sent(&shop.key, &["09121234200"]);
    avoid(&world, &["spare", "sandbox", "spare"]);
    world.sent(&shop.key, &["09121234300"]);
    assert_eq!(queues(), ["10001/", "10001/~sandbox", "10001/~sandbox~spare"]);
    world.settle(MINUTE_MS);
    // Operators see what waits by the carrier that it waits for, and by the line.
    let rows = world
        .db
        .run("SELECT carrier, line, recipients FROM waiting ORDER BY carrier");
    let rows: Vec<(String, String, i64)> = rows
        .iter()
        .map(|row| (row.text(0).unwrap(), row.text(1).unwrap(), row.int(2).unwrap()))
        .collect();
    let row = |carrier: &str, recipients| (carrier.to_owned(), "10001".to_owned(), recipients);
    assert_eq!(rows, [row("sandbox", 2), row("spare", 1)]);
    // Calls to carriers fail: nobody knows whether they had an effect.
    world.carriers_are_down.set(true);
    world.change("/admin/lines/10001", json!({"paused": false}));
    world.settle(5_000);
    let [sandbox, spare] = ["sandbox", "spare"].map(|carrier| format!("@{carrier}/{}", shop.id));
    let found = queues();
    assert!(found[..2] == [sandbox.clone(), spare.clone()], "{found:?}");
    world.carriers_are_down.set(false);
    world.settle(MINUTE_MS);
    assert_eq!(queues(), ["10001/", "10001/~sandbox", "10001/~sandbox~spare"]);
    assert_eq!(
        counts_of(&world, &shop).iter().map(|(_, count)| count).sum::<usize>(),
        3
    );
    assert_eq!(world.balance(&shop.key).1, 0);
}
