//! The list of messages of an account that has sent for years: whole, in order, and bounded in work.

use peyk::account::message::list::WALKED;
use proptest::prelude::*;
use serde_json::json;

use crate::support::{Account, World, cases, time::SECOND_MS};

/// Copies the account's first message, one a second, until there are this many. All copies are DONE and PLAIN.
fn fill(world: &World, shop: &Account, count: u32) {
    let sql = world.sql(&shop.id);
    for statement in [
        "INSERT INTO chunk (message, number, first, last, class, route, queue, state, ready_ms, due_ms, attempt, failures, \
           queued, active, open, uid, kind, test, line, encoding, parts, cost, unit, refunds, client_ref, created_ms, total, \
           msisdn, has_pattern, text, recipients) \
         SELECT value, 0, 0, 0, 1, '', '', 4, created_ms, created_ms, 1, 0, \
           0, 0, 0, 'uid-' || value, 'PLAIN', 0, line, encoding, parts, cost, unit, refunds, 'ref-' || (value % 3), \
           created_ms + value * 1000, 1, 989120000000 + value % 7, 0, text, \
           json_array(json_array(0, 989120000000 + value % 7, 0, 4, 1, created_ms)) \
         FROM chunk, (WITH RECURSIVE n (value) AS (SELECT 2 UNION ALL SELECT value + 1 FROM n WHERE value < ?1) \
                      SELECT value FROM n) WHERE message = 1",
        "UPDATE account SET message_seq = ?1",
    ] {
        sql.run_with(statement, &[count.into()]);
    }
}

/// All pages of a list: the uids, how many pages there were, and the most work that a page was, in steps of SQLite.
fn walk(world: &World, shop: &Account, query: &str) -> (Vec<String>, usize, i64) {
    let sql = world.sql(&shop.id);
    let (mut uids, mut pages, mut most) = (Vec::new(), 0, 0);
    sql.steps.set(0);
    world.walk(&shop.key, &format!("/messages?{query}"), |page| {
        most = most.max(sql.steps.replace(0));
        pages += 1;
        uids.extend(page.texts("uid"));
    });
    (uids, pages, most)
}

#[test]
fn the_few_messages_of_a_status_are_found_in_a_long_history() {
    let (world, shop) = World::with_busy_account(1_000_000);
    world.send(&shop.key, &["09121234567"]).expect(201);
    fill(&world, &shop, WALKED * 2 + 500);
    let sql = world.sql(&shop.id);
    let wanted = [1, 2, 499, 500, 501, WALKED + 500, WALKED + 501, WALKED * 2 + 500];
    for id in wanted {
        let change = "UPDATE chunk SET kind = 'BULK', send_at_ms = created_ms, state = 0, due_ms = 9000000000000, queued = 1, \
             active = 1, open = 1 WHERE message = ?1";
        sql.run_with(change, &[id.into()]);
    }
    let expected: Vec<String> = wanted.iter().rev().map(|id| format!("uid-{id}")).collect();
    for query in "status=SCHEDULED type=BULK status=SCHEDULED&type=BULK type=BULK&limit=1".split(' ') {
        let (uids, pages, _) = walk(&world, &shop, query);
        assert_eq!(uids[..7], expected[..7], "{query}");
        assert_eq!(uids.len(), 8, "{query}");
        assert!(
            pages >= 3,
            "each page looks at {WALKED} messages at most: {query}, {pages} pages"
        );
    }
    assert_eq!(walk(&world, &shop, "status=CANCELED&limit=200").0, Vec::<String>::new());
}

#[test]
fn a_live_key_finds_its_messages_among_many_test_messages_and_a_test_key_those() {
    let (world, shop) = World::with_busy_account(1_000_000);
    world.send(&shop.key, &["09121234567"]).expect(201);
    let count = WALKED * 2 + 500;
    fill(&world, &shop, count);
    let sql = world.sql(&shop.id);
    sql.run_with(
        "UPDATE chunk SET test = 1 WHERE message > 50 AND message <= ?1",
        &[(count - 50).into()],
    );
    sql.run_with("UPDATE account SET test_bytes = 1", &[]);
    let test_key = world
        .grant(&shop, json!({"title": "test", "mode": "test"}))
        .text("/data/key");
    let newest = |from: u32, to: u32| -> Vec<String> { (from..=to).rev().map(|id| format!("uid-{id}")).collect() };
    for query in ["limit=200", "status=DONE&limit=200"] {
        let (uids, pages, _) = walk(&world, &shop, query);
        assert_eq!(uids[..50], newest(count - 49, count), "{query}");
        // The first is a real one, which the sandbox has not reported on.
        let all = if query.contains("DONE") { 99 } else { 100 };
        assert_eq!((uids.len(), &uids[50..99]), (all, &newest(2, 50)[..]), "{query}");
        assert!(
            (3..=4).contains(&pages),
            "each page looks at {WALKED} messages at most: {pages} pages"
        );
        let page = world.read(&test_key, &format!("/messages?{query}"));
        assert_eq!(page.texts("uid"), newest(count - 249, count - 50), "{query}");
    }
    sql.steps.set(0);
    world.read(&test_key, "/messages?limit=50");
    let of_test = sql.steps.replace(0);
    world.read(&shop.key, "/messages?limit=50");
    assert!(
        of_test < sql.steps.get() * 2,
        "an index finds them: {of_test} steps, {}",
        sql.steps.get()
    );
}

#[test]
fn a_page_of_a_long_history_is_hardly_more_work_than_of_a_short_one() {
    let time = |offset: u32| peyk::base::time::to_rfc3339(1_767_268_800_000 + i64::from(offset) * SECOND_MS);
    let work_of = |count: u32| {
        let (world, shop) = World::with_busy_account(1_000_000);
        world.send(&shop.key, &["09121234567"]).expect(201);
        fill(&world, &shop, count);
        let middle = format!("from={}&to={}", time(count / 2 - 20), time(count / 2 + 20));
        let queries = [
            "limit=50".to_owned(),
            "clientRef=ref-1&limit=50".to_owned(),
            "recipient=%2B989120000003&limit=50".to_owned(),
            format!("{middle}&limit=50"),
            format!("status=DONE&{middle}&limit=50"),
            format!("recipient=%2B989120000003&{middle}&limit=50"),
            "clientRef=ref-1&type=BULK".to_owned(),
            "status=CANCELED".to_owned(),
            "type=BULK".to_owned(),
        ];
        queries.map(|query| {
            let sql = world.sql(&shop.id);
            sql.steps.set(0);
            world.read(&shop.key, &format!("/messages?{query}"));
            (query, sql.steps.get())
        })
    };
    let (short, long) = (work_of(WALKED * 4), work_of(WALKED * 12));
    for ((query, short), (_, long)) in short.iter().zip(&long) {
        assert!(
            *long <= short + short / 10 + 500,
            "{query}: {short} steps of SQLite, then {long}"
        );
    }
}

#[test]
fn messages_are_in_the_order_of_their_times_even_when_the_clock_goes_back() {
    let (world, shop) = World::with_busy_account(1_000_000);
    let start_ms = world.now_ms.get();
    let mut sent = Vec::new();
    for offset in [0, 10, -30, 5, 20] {
        world.now_ms.set(start_ms + offset * SECOND_MS);
        sent.push(world.sent(&shop.key, &["09121234567"]));
    }
    sent.reverse();
    let list = |query: &str| walk(&world, &shop, query).0;
    assert_eq!(list("limit=2"), sent);
    let at = |offset: i64| peyk::base::time::to_rfc3339(start_ms + offset * SECOND_MS);
    assert_eq!(list(&format!("from={}", at(10))), sent[..4]);
    assert_eq!(list(&format!("to={}", at(10))), sent[4..]);
    assert_eq!(list(&format!("from={}&to={}", at(10), at(20))), sent[1..4]);
    assert_eq!(list(&format!("from={}", at(21))), Vec::<String>::new());
    assert_eq!(list(&format!("from={}&to={}", at(20), at(10))), Vec::<String>::new());
}

#[derive(Debug, Clone)]
struct Sent {
    wait_ms: i64,
    number: u8,
    reference: Option<u8>,
    bulk: bool,
    scheduled: bool,
}

fn sent() -> impl Strategy<Value = Sent> {
    (0i64..3, 0u8..3, prop::option::of(0u8..2), any::<bool>(), any::<bool>()).prop_map(
        |(wait_ms, number, reference, bulk, scheduled)| Sent {
            wait_ms,
            number,
            reference,
            bulk,
            scheduled,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(24)) })]

    /// Each filter, and each pair with a span of time, finds what a walk through all messages finds.
    #[test]
    fn filters_find_what_a_walk_through_all_finds(all in prop::collection::vec(sent(), 1..25), from in 0i64..40, span in 0i64..40, limit in 1u32..5) {
        let (world, shop) = World::with_busy_account(1_000_000);
        let start_ms = world.now_ms.get();
        let mut known = Vec::new();
        for each in &all {
            world.advance(each.wait_ms);
            let number = format!("0912123456{}", each.number);
            let mut body = match each.bulk {
                true => json!({"messages": [{"recipient": number, "message": "hello"}]}),
                false => json!({"message": "hello", "recipients": [number]}),
            };
            if let Some(reference) = each.reference {
                body["clientRef"] = format!("ref-{reference}").into();
            }
            if each.scheduled {
                body["sendAt"] = peyk::base::time::to_rfc3339(start_ms + 3_600_000).into();
            }
            let path = if each.bulk { "/sms/bulk" } else { "/sms/send" };
            known.push((world.posted(&shop.key, path, body).text("/data/uid"), world.now_ms.get(), each.clone()));
        }
        known.reverse();
        type Passes = fn(&Sent) -> bool;
        let filters: [(&str, Passes); 6] = [
            ("", |_| true),
            ("status=SCHEDULED", |sent| sent.scheduled),
            ("type=BULK", |sent| sent.bulk),
            ("recipient=%2B989121234561", |sent| sent.number == 1),
            ("clientRef=ref-1", |sent| sent.reference == Some(1)),
            ("clientRef=ref-0&type=PLAIN&recipient=09121234560", |sent| sent.reference == Some(0) && !sent.bulk && sent.number == 0),
        ];
        let (from_ms, to_ms) = (start_ms + from, start_ms + from + span);
        let times = format!("from={}&to={}", peyk::base::time::to_rfc3339(from_ms), peyk::base::time::to_rfc3339(to_ms));
        for (query, passes) in filters {
            let expected: Vec<&String> = known.iter().filter(|(_, _, sent)| passes(sent)).map(|(uid, ..)| uid).collect();
            let found = walk(&world, &shop, &format!("limit={limit}&{query}")).0;
            prop_assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{}", query);
            let is_within = |at_ms: i64| (from_ms..to_ms).contains(&at_ms);
            let expected: Vec<&String> = known.iter().filter(|(_, at_ms, sent)| passes(sent) && is_within(*at_ms)).map(|(uid, ..)| uid).collect();
            let found = walk(&world, &shop, &format!("limit={limit}&{query}&{times}")).0;
            prop_assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{} {}", query, times);
        }
    }
}
