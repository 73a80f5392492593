//! What phonebooks keep in the directory: columns, bytes, and the removal of what was deleted.

use std::cell::Cell;
use std::rc::Rc;

use futures_util::future::{join_all, join3};
use peyk::account::{ask, outbox::removals::RemovePhonebook};
use peyk::base::ports::{PortError, Statement, Value as SqlValue};
use peyk::directory::phonebook::REMOVED_A_STEP;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::time::{MINUTE_MS, SECOND_MS};
use crate::support::{Account, Answer, Sqlite, World, assert_contains, cases, rows, to_end};

const KEPT: &str = "SELECT phonebook_bytes FROM account WHERE username = 'shop'";

fn with_phonebook() -> (World, Account, String) {
    let (world, shop) = World::with_busy_account(1_000_000);
    let id = made(&world, &shop, "Friends");
    (world, shop, id)
}

fn make(world: &World, shop: &Account, title: &str) -> Answer {
    world.post(&shop.key, "/phonebook", json!({"title": title}))
}

/// The id of a new phonebook.
fn made(world: &World, shop: &Account, title: &str) -> String {
    make(world, shop, title).expect(201).text("/data/id")
}

fn add(world: &World, shop: &Account, id: &str, numbers: Value) -> Answer {
    let path = format!("/phonebook/number/{id}");
    world.post(&shop.key, &path, json!({"numbers": numbers}))
}

fn list(world: &World, shop: &Account, id: &str) -> Vec<Value> {
    world.all(&shop.key, &format!("/phonebook/number/{id}?limit=200"))
}

fn texts(sql: &Sqlite, query: &str) -> Vec<Option<String>> {
    sql.run(query).iter().map(|row| row.opt_text(0).unwrap()).collect()
}

/// Everything that a refused request must leave as it was.
fn snapshot(world: &World) -> Vec<Vec<SqlValue>> {
    let queries = [
        "SELECT * FROM phonebook ORDER BY seq",
        "SELECT id, phonebook, msisdn, name, attributes, bytes FROM phonebook_number ORDER BY id",
        "SELECT id, phonebook_bytes FROM account ORDER BY id",
        "SELECT * FROM phonebook_change",
    ];
    let rows = queries.iter().flat_map(|query| world.db.run(query));
    rows.map(|row| row.0).collect()
}

/// Asserts that counts and bytes are those of the rows, and that no transaction has left its work behind.
#[track_caller]
fn assert_accounts(world: &World) {
    let off = "SELECT count(*) FROM phonebook b WHERE b.count <> \
         (SELECT count(*) FROM phonebook_number n WHERE n.phonebook = b.seq)";
    assert_eq!(world.db.number(off), 0, "a count is off");
    let off = "SELECT count(*) FROM account a WHERE a.phonebook_bytes <> \
         (SELECT coalesce(sum(100 + length(CAST(coalesce(n.name, '') AS BLOB)) \
            + length(CAST(coalesce(n.attributes, '') AS BLOB))), 0) \
          FROM phonebook_number n JOIN phonebook b ON b.seq = n.phonebook WHERE b.account = a.id)";
    assert_eq!(world.db.number(off), 0, "the bytes of an account are off");
    let off = "SELECT (SELECT bytes FROM room) - (SELECT sum(phonebook_bytes + pattern_bytes) FROM account)";
    assert_eq!(world.db.number(off), 0, "the sum of all accounts is off");
    assert_eq!(world.db.count("phonebook_change"), 0);
}

#[test]
fn names_of_attributes_are_kept_once() {
    let (world, shop, id) = with_phonebook();
    let first = json!([{"number": "09121234561", "attributes": {"city": "Tehran", "age": "40"}},
        {"number": "09121234562", "name": "Ali", "attributes": {"city": "Yazd"}}, "09121234563"]);
    add(&world, &shop, &id, first).expect(201);
    let second = json!([{"number": "09121234564", "attributes": {"zone": "\"1\""}},
        {"number": "09121234563", "attributes": {"age": "7"}}]);
    add(&world, &shop, &id, second).expect(201);
    let columns = texts(&world.db, "SELECT columns FROM phonebook");
    assert_eq!(columns, [Some(r#"["age","city","zone"]"#.to_owned())]);
    let values = texts(&world.db, "SELECT attributes FROM phonebook_number ORDER BY msisdn");
    let wanted = json!([
        r#"["40","Tehran"]"#,
        r#"[null,"Yazd"]"#,
        r#"["7"]"#,
        r#"[null,null,"\"1\""]"#
    ]);
    assert_eq!(json!(values), wanted);
    let shown = list(&world, &shop, &id);
    let shown: Value = shown.iter().map(|item| item["attributes"].clone()).collect();
    let wanted = json!([{"age": "40", "city": "Tehran"}, {"city": "Yazd"}, {"age": "7"}, {"zone": "\"1\""}]);
    assert_eq!(shown, wanted);
    let number = list(&world, &shop, &id)[0]["id"].as_i64().unwrap();
    let path = format!("/phonebook/number/{id}/{number}");
    let answer = world.put(&shop.key, &path, json!({"attributes": {"new": "x", "age": "1"}}));
    let changed = answer.expect(200);
    assert_eq!(changed.json["data"]["attributes"], json!({"new": "x", "age": "1"}));
    world.put(&shop.key, &path, json!({"attributes": {}})).expect(200);
    let values = texts(&world.db, "SELECT attributes FROM phonebook_number ORDER BY msisdn");
    assert_eq!(values[0], None);
    assert_accounts(&world);
}

#[test]
fn requests_that_add_attributes_at_once_do_not_mix_them_up() {
    let (world, shop, id) = with_phonebook();
    let path = format!("/phonebook/number/{id}");
    let added = add(&world, &shop, &id, json!(["09121230000"])).expect(201);
    let one_number = format!("{path}/{}", added.int("/data/numbers/0/id"));
    world.db.yields.set(true);
    let posts = (1..=20).map(|index| {
        let attributes = json!({format!("a{}", index % 7): index.to_string(), format!("b{index}"): "x"});
        let body = json!({"number": format!("0912123{index:04}"), "attributes": attributes});
        world.ask("POST", &shop.key, &path).json(body).answer()
    });
    let files = (21..=24).map(|index| {
        let csv = format!("number,c{index},a0\n0912123{index:04},v{index},{index}\n");
        let request = world.ask("POST", &shop.key, &format!("/phonebook/{id}/import"));
        request.body("text/csv", csv.as_bytes()).answer()
    });
    let change = json!({"attributes": {"own": "y", "a1": "z"}});
    let change = world.ask("PUT", &shop.key, &one_number).json(change).answer();
    let together = join3(join_all(posts), join_all(files), change);
    let (posts, files, change) = to_end(together);
    world.db.yields.set(false);
    change.expect(200);
    for answer in posts.into_iter().chain(files) {
        assert_eq!(answer.expect(201).int("/data/added"), 1);
    }
    let numbers = list(&world, &shop, &id);
    assert_eq!(numbers.len(), 25);
    assert_eq!(numbers[0]["attributes"], json!({"own": "y", "a1": "z"}));
    for (index, number) in numbers.iter().enumerate().skip(1) {
        let wanted = match index {
            1..=20 => json!({format!("a{}", index % 7): index.to_string(), format!("b{index}"): "x"}),
            _ => json!({format!("c{index}"): format!("v{index}"), "a0": index.to_string()}),
        };
        assert_eq!(number["attributes"], wanted);
    }
    let columns: Vec<String> =
        serde_json::from_str(texts(&world.db, "SELECT columns FROM phonebook")[0].as_ref().unwrap()).unwrap();
    assert_eq!(columns.len(), 7 + 20 + 4 + 1);
    assert_accounts(&world);
}

#[test]
fn a_phonebook_has_only_so_many_attributes() {
    let (world, shop, id) = with_phonebook();
    let header = |names: std::ops::Range<u32>| names.map(|name| format!(",a{name}")).collect::<String>();
    let values = ",x".repeat(20);
    for first in [0, 20] {
        let csv = format!(
            "number{}\n0912123456{}{values}\n",
            header(first..first + 20),
            7 + first / 20
        );
        world.import(&shop.key, &id, &csv).expect(201);
    }
    let csv = format!("number{}\n09121234561{}\n", header(40..49), ",x".repeat(9));
    world.import(&shop.key, &id, &csv).expect(201);
    let before = snapshot(&world);
    let detail = "A phonebook has at most 50 different attributes. Use those that it has, or another phonebook.";
    let two = json!([{"number": "09121234562", "attributes": {"a49": "x", "a50": "x"}}]);
    let refused = add(&world, &shop, &id, two).refused(409);
    assert_eq!(refused.text("/detail"), detail);
    let number = list(&world, &shop, &id)[0]["id"].as_i64().unwrap();
    let path = format!("/phonebook/number/{id}/{number}");
    let body = json!({"name": "x", "attributes": {"a49": "x", "a50": "x"}});
    world.put(&shop.key, &path, body).refused(409);
    let refused = world.import(&shop.key, &id, "number,name,a49,a50\n09121234562,y,x,x\n");
    refused.refused(409);
    assert_eq!(snapshot(&world), before);
    let last = json!([{"number": "09121234562", "attributes": {"a49": "x", "a0": "x"}}]);
    add(&world, &shop, &id, last).expect(201);
    assert_accounts(&world);
    let exported = world.read(&shop.key, &format!("/phonebook/{id}/export")).body;
    let copy = made(&world, &shop, "Copy");
    world.import(&shop.key, &copy, &exported).expect(201);
    let shown = |id: &str| -> Vec<Value> {
        let pair = |item: &Value| json!([item["number"], item["attributes"]]);
        list(&world, &shop, id).iter().map(pair).collect()
    };
    assert_eq!(shown(&copy), shown(&id));
}

#[test]
fn an_account_keeps_only_so_many_bytes() {
    let (mut world, shop, id) = with_phonebook();
    // Two numbers: one with a name of 3 letters (6 bytes), one with the attributes ["ab"].
    world.app.config.phonebook_bytes = 100 + 6 + 100 + 6;
    let both = json!([{"number": "09121234561", "name": "علی"}, {"number": "09121234562", "attributes": {"a": "ab"}}]);
    let added = add(&world, &shop, &id, both.clone()).expect(201);
    assert_eq!(world.db.number(KEPT), 212);
    let before = snapshot(&world);
    let refused = add(&world, &shop, &id, json!(["09121234563"])).refused(409);
    assert_contains(&refused.text("/detail"), "212 bytes together and have 212 now. Delete");
    let one_number = format!("/phonebook/number/{id}/{}", added.int("/data/numbers/0/id"));
    let refused = world.put(&shop.key, &one_number, json!({"name": "علیی"}));
    refused.refused(409);
    let refused = world.put(&shop.key, &one_number, json!({"attributes": {"new": "x"}}));
    refused.refused(409);
    let refused = world.import(&shop.key, &id, "number,name\n09121234561,alireza\n");
    refused.refused(409);
    let second = made(&world, &shop, "Second");
    add(&world, &shop, &second, json!(["09121234563"])).refused(409);
    world.delete(&shop.key, &format!("/phonebook/{second}")).expect(204);
    assert_eq!(snapshot(&world), before, "a refused request writes nothing");
    // What takes no more room is allowed, even beyond the quota.
    world.app.config.phonebook_bytes = 150;
    add(&world, &shop, &id, both).expect(201);
    let body = json!({"name": "ab", "number": "09121234569"});
    world.put(&shop.key, &one_number, body).expect(200);
    assert_eq!(world.db.number(KEPT), 208);
    add(&world, &shop, &id, json!([{"number": "09121234569", "name": "abc"}])).refused(409);
    world.delete(&shop.key, &one_number).expect(204);
    assert_eq!(world.db.number(KEPT), 106);
    add(&world, &shop, &id, json!(["09121234563"])).refused(409);
    world.delete(&shop.key, &format!("/phonebook/{id}")).expect(204);
    assert_eq!(world.db.number(KEPT), 0);
    let third = made(&world, &shop, "Third");
    let body = json!([{"number": "09121234563", "name": "x".repeat(50)}]);
    add(&world, &shop, &third, body).expect(201);
    let other = world.account("other", 0);
    let others = made(&world, &other, "Others");
    add(&world, &other, &others, json!(["09121234561"])).expect(201);
    assert_accounts(&world);
}

#[test]
fn an_import_stops_at_the_quota_and_counts_only_what_is_new() {
    let (mut world, shop, id) = with_phonebook();
    world.app.config.phonebook_bytes = 3_000 * 100;
    let file = |count: u32| {
        let lines: String = (0..count).map(|number| format!("0912{number:07}\n")).collect();
        format!("number\n{lines}")
    };
    // One transaction has 2,000 lines, so the second one is refused.
    let stopped = world.import(&shop.key, &id, file(3_001)).refused(409);
    assert_contains(&stopped.text("/detail"), "imported up to line 2001 (2000 numbers added");
    assert_eq!(world.db.number(KEPT), 200_000);
    let rest = world.import(&shop.key, &id, file(3_000)).expect(201);
    assert_eq!(rest.int("/data/added"), 1_000);
    let again = world.import(&shop.key, &id, file(3_000)).expect(201);
    assert_eq!((again.int("/data/added"), again.int("/data/updated")), (0, 3_000));
    world.import(&shop.key, &id, "number\n09351234567\n").refused(409);
    assert_accounts(&world);
}

#[test]
fn a_nearly_full_phonebook_is_imported_again() {
    let (world, shop, id) = with_phonebook();
    let answer = world.import(&shop.key, &id, "number\n09121234561\n09121234562\n");
    answer.expect(201);
    world.db.run("UPDATE phonebook SET count = 499999");
    let file = "number,name\n09121234561,a\n09121234562,b\n09121234563,c\n";
    let done = world.import(&shop.key, &id, file).expect(201);
    assert_eq!((done.int("/data/added"), done.int("/data/updated")), (1, 2));
    let again = world.import(&shop.key, &id, file).expect(201);
    assert_eq!((again.int("/data/added"), again.int("/data/updated")), (0, 3));
    let before = snapshot(&world);
    let file = "number,name\n09121234561,d\n09121234564,e\n";
    let refused = world.import(&shop.key, &id, file).refused(409);
    let detail = "The phonebook would have more numbers than it may have; use another one.";
    assert_eq!(refused.text("/detail"), detail);
    assert_eq!(snapshot(&world), before);
}

/// Adds numbers to a phonebook past the API, which would take long.
fn fill(world: &World, id: &str, count: u32) {
    let rows = "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?2) \
         INSERT INTO phonebook_number (phonebook, msisdn, name, search_name, created_ms) \
         SELECT b.seq, 989120000000 + i, 'Name', 'name', 0 FROM n CROSS JOIN phonebook b ON b.id = ?1";
    world.db.run_with(rows, &[id.into(), count.into()]);
    let counts = "UPDATE phonebook SET count = ?2 WHERE id = ?1";
    world.db.run_with(counts, &[id.into(), count.into()]);
    let bytes = "UPDATE account SET phonebook_bytes = phonebook_bytes + 104 * CAST(?2 AS INTEGER) \
         WHERE id = (SELECT account FROM phonebook WHERE id = ?1)";
    world.db.run_with(bytes, &[id.into(), count.into()]);
}

/// Asserts that no read finds the phonebook.
#[track_caller]
fn assert_not_found(world: &World, shop: &Account, id: &str) {
    for path in [
        format!("/phonebook/{id}"),
        format!("/phonebook/{id}/export"),
        format!("/phonebook/number/{id}"),
        format!("/phonebook/number/{id}?q=N"),
    ] {
        world.get(&shop.key, &path).refused(404);
    }
    assert!(!world.read(&shop.key, "/phonebook").body.contains(id));
    let refused = world.put(&shop.key, &format!("/phonebook/{id}"), json!({"title": "x"}));
    refused.refused(404);
    let refused = world.put(&shop.key, &format!("/phonebook/number/{id}/1"), json!({"name": "x"}));
    refused.refused(404);
    let refused = world.delete(&shop.key, &format!("/phonebook/number/{id}/1"));
    refused.refused(404);
    world.delete(&shop.key, &format!("/phonebook/{id}")).refused(404);
    add(world, shop, id, json!(["09121234567"])).refused(404);
    world.import(&shop.key, id, "number\n09121234567\n").refused(404);
    for message in ["x", "%name%"] {
        let body = json!({"phonebook": id, "message": message});
        world.post(&shop.key, "/sms/phonebook/send", body).refused(404);
    }
}

/// Asserts that nothing of a phonebook is left, and nothing is left to do.
#[track_caller]
fn assert_removed(world: &World, shop: &Account, id: &str) {
    assert_eq!(world.db.count(&format!("phonebook WHERE id = '{id}'")), 0);
    let lost = "SELECT count(*) FROM phonebook_number WHERE phonebook NOT IN (SELECT seq FROM phonebook)";
    assert_eq!(world.db.number(lost), 0);
    assert_eq!(world.count(shop, "removal"), 0);
    assert_accounts(world);
}

#[test]
fn a_large_phonebook_disappears_at_once_and_is_removed_in_steps() {
    let (world, shop, id) = with_phonebook();
    let kept = made(&world, &shop, "Kept");
    add(&world, &shop, &kept, json!(["09121234567"])).expect(201);
    // More than the request and one alarm remove.
    let count = 6 * REMOVED_A_STEP + 1;
    fill(&world, &id, count);
    assert_accounts(&world);
    world.delete(&shop.key, &format!("/phonebook/{id}")).expect(204);
    assert_not_found(&world, &shop, &id);
    let left = "SELECT count(*) FROM phonebook_number";
    assert_eq!(world.db.number(left), i64::from(count - REMOVED_A_STEP) + 1);
    let wanted = i64::from(count - REMOVED_A_STEP) * 104 + 100;
    assert_eq!(world.db.number(KEPT), wanted, "room comes back as numbers go");
    assert_accounts(&world);
    let again = made(&world, &shop, "Friends");
    world.ring(&shop.id);
    assert_eq!(world.db.number(left), i64::from(count - 5 * REMOVED_A_STEP) + 1);
    assert_accounts(&world);
    world.settle(0);
    assert_removed(&world, &shop, &id);
    assert_eq!(world.db.number(KEPT), 100);
    assert_eq!(list(&world, &shop, &kept).len(), 1);
    assert_eq!(list(&world, &shop, &again).len(), 0);
}

#[test]
fn a_small_phonebook_leaves_room_before_the_answer() {
    let (world, shop, id) = with_phonebook();
    fill(&world, &id, REMOVED_A_STEP);
    let seq = world.db.number("SELECT seq FROM phonebook");
    for index in 1..1_000 {
        let row = format!("VALUES ('id-{index}', '{}', 'T{index}', '[]', 0, 0, 0)", shop.id);
        let columns = "id, account, title, columns, count, deleted, created_ms";
        world.db.run(&format!("INSERT INTO phonebook ({columns}) {row}"));
    }
    make(&world, &shop, "One more").refused(409);
    world.delete(&shop.key, &format!("/phonebook/{id}")).expect(204);
    assert_eq!(world.db.number(KEPT), 0);
    make(&world, &shop, "One more").expect(201);
    assert_eq!(world.db.count("phonebook_number"), 0);
    assert_eq!(world.db.count(&format!("phonebook WHERE seq = {seq}")), 0);
    world.settle(0);
    assert_removed(&world, &shop, &id);
}

#[test]
fn a_deletion_that_breaks_off_is_brought_to_its_end() {
    let (world, shop, id) = with_phonebook();
    fill(&world, &id, 3 * REMOVED_A_STEP);
    let removes = |statements: &[Statement]| {
        let is_removal = |each: &Statement| each.sql.starts_with("UPDATE phonebook SET deleted");
        statements.iter().any(is_removal)
    };
    world.db.watch(move |_, statements| match removes(statements) {
        true => Err(PortError::failed("d1", "down")),
        false => Ok(()),
    });
    // The object was told, and the directory was not.
    world.delete(&shop.key, &format!("/phonebook/{id}")).refused(500);
    world.read(&shop.key, &format!("/phonebook/{id}"));
    world.ring(&shop.id);
    assert!(world.has_logged("remove phonebooks"));
    // Then the directory answers twice, and the process dies.
    let answers = Rc::new(Cell::new(2));
    world.db.watch(
        move |_, statements| match removes(statements) && answers.replace(answers.get() - 1) <= 0 {
            true => Err(PortError::failed("d1", "down")),
            false => Ok(()),
        },
    );
    world.advance(10_000);
    world.ring(&shop.id);
    world.kill();
    assert_not_found(&world, &shop, &id);
    assert_eq!(world.db.count("phonebook_number"), i64::from(REMOVED_A_STEP));
    assert_accounts(&world);
    world.db.unwatch();
    world.settle(0);
    assert_removed(&world, &shop, &id);
}

#[test]
fn a_deletion_whose_request_dies_is_brought_to_its_end() {
    let (world, shop, id) = with_phonebook();
    fill(&world, &id, 10);
    let removal = |id: &str| {
        let request = RemovePhonebook {
            id: id.to_owned(),
            source: format!("phonebook:{id}"),
            title: None,
        };
        let reply = to_end(ask(&world, &shop.id, None, None, &request)).unwrap();
        assert_eq!(reply.outcome.unwrap(), Vec::<String>::new());
    };
    removal(&id);
    world.settle(0);
    assert_not_found(&world, &shop, &id);
    assert_removed(&world, &shop, &id);
    // A call that comes late, or for what another account has, does nothing.
    removal(&id);
    let other = world.account("other", 0);
    let others = made(&world, &other, "Others");
    removal(&others);
    world.settle(0);
    assert_removed(&world, &shop, &id);
    world.read(&other.key, &format!("/phonebook/{others}"));
}

#[test]
fn a_phonebook_that_is_deleted_meanwhile_gets_no_numbers() {
    let (world, shop, id) = with_phonebook();
    let added = add(&world, &shop, &id, json!(["09121234561"])).expect(201);
    let number = format!("/phonebook/number/{id}/{}", added.int("/data/numbers/0/id"));
    let deleted_before = |needle: &'static str| {
        world.db.run("UPDATE phonebook SET deleted = 0");
        world.db.watch(move |sql, statements| {
            if statements.iter().any(|each| each.sql.contains(needle)) {
                sql.run("UPDATE phonebook SET deleted = 1");
            }
            Ok(())
        });
    };
    let rows = |world: &World| texts(&world.db, "SELECT name FROM phonebook_number");
    deleted_before("phonebook_change");
    let body = json!([{"number": "09121234562", "attributes": {"a": "b"}}]);
    add(&world, &shop, &id, body).refused(404);
    deleted_before("phonebook_change");
    let refused = world.import(&shop.key, &id, "number,name\n09121234561,x\n");
    refused.refused(404);
    deleted_before("phonebook_change");
    world.put(&shop.key, &number, json!({"name": "x"})).refused(404);
    deleted_before("phonebook_change");
    world.delete(&shop.key, &number).refused(404);
    for page in ["", "?q=0912"] {
        deleted_before("FROM phonebook_number");
        let path = format!("/phonebook/number/{id}{page}");
        world.get(&shop.key, &path).refused(404);
    }
    deleted_before("json_group_array");
    let body = json!({"phonebook": id, "message": "x"});
    world.post(&shop.key, "/sms/phonebook/send", body).refused(404);
    deleted_before("SET title");
    let path = format!("/phonebook/{id}");
    world.put(&shop.key, &path, json!({"title": "x"})).refused(404);
    world.db.unwatch();
    assert_eq!(rows(&world), [None]);
    assert_accounts(&world);
    assert_eq!(world.count(&shop, "message"), 0);
}

/// Sends a campaign to a phonebook whose one member does not get it, and makes its resend.
fn resend_to_one(world: &World, shop: &Account, phonebook: &str) {
    add(world, shop, phonebook, json!([{"number": "09121234902"}])).expect(201);
    let body = json!({"title": "x", "message": "x", "phonebooks": [phonebook]});
    let path = format!(
        "/campaigns/{}",
        world.posted(&shop.key, "/campaigns", body).text("/data/id")
    );
    world.settle(SECOND_MS);
    world.bare_post(&shop.key, &format!("{path}/start")).expect(200);
    world.settle(MINUTE_MS);
    let resend = world.bare_post(&shop.key, &format!("{path}/resend")).expect(201);
    world.settle(SECOND_MS);
    let resend = world.read(&shop.key, &format!("/campaigns/{}", resend.text("/data/id")));
    assert_eq!(resend.int("/data/counted/people"), 1);
}

#[test]
fn no_statement_about_phonebooks_walks_through_a_table() {
    let (world, shop, id) = with_phonebook();
    let other = made(&world, &shop, "Other");
    let path = format!("/phonebook/number/{id}");
    let body = json!([{"number": "09121234561", "name": "A", "attributes": {"a": "b"}}]);
    let added = add(&world, &shop, &id, body);
    let number = format!("{path}/{}", added.expect(201).int("/data/numbers/0/id"));
    world.import(&shop.key, &id, "number,name\n09121234562,B\n").expect(201);
    let answer = world.put(&shop.key, &number, json!({"name": "C", "attributes": {"b": "c"}}));
    answer.expect(200);
    for query in ["", "?q=0912", "?q=1", "?q=c"] {
        world.read(&shop.key, &format!("{path}{query}"));
    }
    world.read(&shop.key, &format!("/phonebook/{id}/export"));
    world.read(&shop.key, "/phonebook?limit=1");
    let answer = world.put(&shop.key, &format!("/phonebook/{id}"), json!({"title": "New"}));
    answer.expect(200);
    for message in ["x", "%name% %b%"] {
        let body = json!({"phonebooks": [id, other], "message": message, "exclude": ["09121234562"]});
        world.posted(&shop.key, "/sms/phonebook/send", body);
    }
    resend_to_one(&world, &shop, &other);
    world.delete(&shop.key, &number).expect(204);
    world.delete(&shop.key, &format!("/phonebook/{id}")).expect(204);
    world.settle(0);
    // Every statement of these files has run.
    let written: usize = [
        include_str!("../../../src/directory/phonebook/mod.rs"),
        include_str!("../../../src/directory/phonebook/row.rs"),
        include_str!("../../../src/directory/phonebook/numbers.rs"),
        include_str!("../../../src/directory/phonebook/changes.rs"),
        include_str!("../../../src/directory/phonebook/writes.rs"),
        include_str!("../../../src/directory/phonebook/search.rs"),
        include_str!("../../../src/directory/phonebook/audience.rs"),
        include_str!("../../../src/directory/phonebook/part.rs"),
        include_str!("../../../src/directory/phonebook/export.rs"),
    ]
    .iter()
    .map(|file| {
        file.matches("Statement::new(").count() + file.matches("= decide!(").count()
            - file.matches("Statement::new(sql").count()
    })
    .sum();
    let run = world.db.statements().into_iter();
    let run = run.filter(|sql| sql.contains("phonebook") && !sql.contains("audit"));
    assert_eq!(run.count(), written);
    let scans = world.db.scans();
    // What a statement has found itself it may walk through.
    let own = [
        "SCAN CONSTANT ROW",
        "SCAN change",
        "SCAN looked",
        "SCAN found",
        "SCAN m",
    ];
    let is_own = |line: &str| own.contains(&line.trim()) || line.contains("VIRTUAL TABLE");
    let walks = |plan: &&String| {
        let mut steps = plan.lines().filter(|line| line.trim().starts_with("SCAN"));
        plan.contains("phonebook") && steps.any(|step| !is_own(step))
    };
    let bad: Vec<&String> = scans.iter().filter(walks).collect();
    assert!(bad.is_empty(), "{bad:#?}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(48)) })]

    #[test]
    fn bytes_and_counts_are_those_of_the_rows(steps in prop::collection::vec((0u8..6, 0u32..8, "[a\"\\\\ا]{0,4}", 0u8..4), 1..24)) {
        let (mut world, shop, mut id) = with_phonebook();
        world.app.config.phonebook_bytes = 700;
        for (step, pick, text, attribute) in steps {
            let number = format!("0912123000{pick}");
            let attributes = json!({format!("a{attribute}"): text});
            let name = (!text.is_empty()).then_some(&text);
            let numbers = list(&world, &shop, &id);
            let one = numbers.get(usize::try_from(pick).unwrap() % numbers.len().max(1));
            let place = one.map(|one| format!("/phonebook/number/{id}/{}", one["id"]));
            let before = snapshot(&world);
            let answer = match (step, place) {
                (0, _) => add(&world, &shop, &id, json!([{"number": number, "name": name}, {"number": "09121230008", "attributes": attributes}])),
                (1, _) => world.import(&shop.key, &id, format!("number,name,a{attribute}\n{number},n{pick},'\n09121230009,,v\n")),
                (2 | 3, Some(place)) => world.put(&shop.key, &place, json!({"number": number, "name": name, "attributes": attributes})),
                (4, Some(place)) => world.delete(&shop.key, &place),
                (5, _) if pick == 0 => {
                    let answer = world.delete(&shop.key, &format!("/phonebook/{id}"));
                    id = made(&world, &shop, "Friends");
                    answer
                }
                _ => continue,
            };
            prop_assert!(matches!(answer.response.status, 200 | 201 | 204 | 409), "{}", answer.body);
            if answer.response.status == 409 {
                prop_assert_eq!(snapshot(&world), before);
            }
            assert_accounts(&world);
            prop_assert!(world.db.number(KEPT) <= 700);
        }
    }
}

#[test]
fn an_import_leaves_the_attributes_that_it_does_not_name() {
    let (world, shop, id) = with_phonebook();
    let import = |csv: &str| world.import(&shop.key, &id, csv);
    let saved = || world.read(&shop.key, &format!("/phonebook/number/{id}")).json["data"][0]["attributes"].clone();
    import("number,city,level\n09121234567,تهران,gold\n").expect(201);
    import("number,city,level\n09121234567,,silver\n").expect(201);
    assert_eq!(saved(), json!({"city": "تهران", "level": "silver"}));
    import("number,points\n09121234567,\"7 \"\"stars\"\"\"\n").expect(201);
    let all = json!({"city": "تهران", "level": "silver", "points": "7 \"stars\""});
    assert_eq!(saved(), all);
    assert_accounts(&world);
    // Twice in one file, and without anything new.
    import("number,city,club\n09121234567,قم,\n09121234567,,yes\n").expect(201);
    let all = json!({"city": "قم", "level": "silver", "points": "7 \"stars\"", "club": "yes"});
    assert_eq!(saved(), all);
    rows::watch(&*world.db as &Sqlite);
    import("number,level\n09121234567,silver\n").expect(201);
    let numbers = |(entry, _): &(String, i64)| entry.starts_with("phonebook_number");
    assert!(!rows::taken(&*world.db as &Sqlite).iter().any(numbers));
    assert_eq!(saved(), all);
    assert_accounts(&world);
    // What a request says replaces them all.
    let number = json!({"numbers": [{"number": "09121234567", "attributes": {"city": "یزد"}}]});
    world.posted(&shop.key, &format!("/phonebook/number/{id}"), number);
    assert_eq!(saved(), json!({"city": "یزد"}));
    assert_accounts(&world);
}

#[test]
fn an_import_whose_attributes_get_too_long_beside_the_saved_ones_changes_nothing() {
    let (world, shop, id) = with_phonebook();
    let long = "x".repeat(2_000);
    let import = |csv: String| world.import(&shop.key, &id, csv);
    import(format!("number,one\n09121234567,{long}\n")).expect(201);
    let saved = || world.read(&shop.key, &format!("/phonebook/number/{id}")).json["data"].clone();
    let before = saved();
    let refused = import(format!("number,two\n09121234567,{long}\n09351234567,a\n")).refused(422);
    assert_eq!(refused.places(), ["attributes"]);
    assert_eq!(saved(), before);
    assert_accounts(&world);
    import(format!("number,one\n09121234567,{long}\n")).expect(201);
    let header: String = (0..20).map(|name| format!(",a{name}")).collect();
    let refused = import(format!("number{header}\n09121234567{}\n", ",x".repeat(20))).refused(422);
    assert_eq!(refused.extra(), ["attributes: must have at most 20 items"]);
    assert_eq!(saved(), before);
    import(format!("number{header}\n09121234567{}\n", ",x".repeat(19))).expect(201);
    assert_accounts(&world);
}

#[test]
fn an_import_writes_only_the_rows_that_it_changes() {
    let (world, shop, id) = with_phonebook();
    let file = |count: u32, changed: u32| {
        let name = |number| if number < changed { "new" } else { "old" };
        let lines: String = (0..count)
            .map(|number| format!("0912{number:07},{},x\n", name(number)))
            .collect();
        format!("number,name,city\n{lines}")
    };
    world.import(&shop.key, &id, file(4_001, 0)).expect(201);
    rows::watch(&*world.db as &Sqlite);
    let written = |csv: String| {
        let done = world.import(&shop.key, &id, csv).expect(201);
        assert_eq!((done.int("/data/added"), done.int("/data/updated")), (0, 4_001));
        let counts = rows::taken(&*world.db as &Sqlite).into_iter();
        // Each transaction notes what it does in one row, and takes it away again.
        counts
            .filter(|(entry, _)| !entry.starts_with("phonebook_change"))
            .collect::<Vec<_>>()
    };
    assert_eq!(written(file(4_001, 0)), []);
    // A row, and its entry in the index of names.
    let rows = [
        "phonebook_number: update",
        "phonebook_number: update, phonebook_number_name",
    ];
    assert_eq!(written(file(4_001, 3)), rows.map(|entry| (entry.to_owned(), 3)));
    assert_eq!(written(file(4_001, 3)), []);
    let values = world
        .db
        .number("SELECT count(*) FROM phonebook_number WHERE name = 'new' AND attributes = '[\"x\"]'");
    assert_eq!(values, 3);
    assert_accounts(&world);
}

#[test]
fn all_accounts_together_fill_no_more_than_their_room() {
    let (mut world, shop, id) = with_phonebook();
    let other = world.account("other", 0);
    let others = made(&world, &other, "Others");
    let taken = |world: &World| world.db.number("SELECT bytes FROM room");
    assert_eq!(taken(&world), 0);
    add(&world, &shop, &id, json!([{"number": "09121234561", "name": "abc"}])).expect(201);
    let pattern = json!({"slug": "log", "title": "Log", "text": "0123456789"});
    world.posted(&other.key, "/pattern", pattern.clone());
    // The pattern has no lines and no variables: an empty list has two characters.
    let all = 103 + (200 + 3 + 3 + 2) + (100 + 10 + 2);
    assert_eq!(taken(&world), all);
    assert_eq!(
        world
            .db
            .number("SELECT sum(phonebook_bytes + pattern_bytes) FROM account"),
        all
    );
    world.app.config.customer_bytes = all + 105;
    let before = snapshot(&world);
    let full = "The service has no room for more numbers and patterns at the moment; nothing was saved. Ask its operator to \
                make room. Sending goes on.";
    // The account itself is far below what it may have.
    let refused = add(
        &world,
        &other,
        &others,
        json!([{"number": "09121234562", "name": "abcdef"}]),
    );
    assert_eq!(refused.problem(409, 409).text("/detail"), full);
    let grown = json!([{"number": "09121234561", "name": "x".repeat(109)}]);
    assert_eq!(add(&world, &shop, &id, grown).problem(409, 409).text("/detail"), full);
    world
        .import(&other.key, &others, "number\n09121234562\n09121234563\n")
        .problem(409, 409);
    let version = json!({"text": "0123456789"});
    for (path, body) in [
        ("/pattern", json!({"slug": "new", "title": "x"})),
        ("/pattern", json!({"slug": "new", "title": "x", "text": "x"})),
        ("/pattern/log/versions", version.clone()),
    ] {
        let refused = world.post(&other.key, path, body).problem(409, 409);
        assert_eq!(refused.text("/detail"), full, "{path}");
    }
    assert_eq!(
        (snapshot(&world), taken(&world)),
        (before, all),
        "what is refused writes nothing"
    );
    assert_eq!(world.read(&other.key, "/pattern").items().len(), 1);
    // What takes no more is possible, what fits is, and so is what others have made room for.
    add(&world, &shop, &id, json!([{"number": "09121234561", "name": "ab"}])).expect(201);
    add(&world, &other, &others, json!(["09121234562"])).expect(201);
    assert_eq!(taken(&world), all - 1 + 100);
    world.delete(&shop.key, &format!("/phonebook/{id}")).expect(204);
    world.app.config.customer_bytes = all - 103 + 100 + 112;
    world.posted(&other.key, "/pattern/log/versions", version);
    assert_eq!(taken(&world), all - 103 + 100 + 112);
    world.delete(&other.key, "/pattern/log").expect(204);
    assert_eq!(taken(&world), 100);
    assert_accounts(&world);
}
