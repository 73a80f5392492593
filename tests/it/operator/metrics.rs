//! What Prometheus reads: each metric in its form, and equal to what the API tells elsewhere.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::rc::Rc;

use peyk::account::OPERATOR;
use peyk::api::http::meter::GATHER_MS;
use peyk::base::ports::{IncomingResponse, PortError};
use peyk::objects::metrics;
use serde_json::json;

use crate::support::life::Life;
use crate::support::smpp;
use crate::support::smsc::Reply;
use crate::support::time::{DAY_MS, MINUTE_MS, SECOND_MS};
use crate::support::{World, to_end};

/// Samples by their series, as they are written.
type Samples = BTreeMap<String, f64>;

/// The name of a series without its labels, and of its metric.
fn metric_of(series: &str) -> &str {
    let name = series.split('{').next().unwrap();
    let of_histogram = ["_bucket", "_sum", "_count"]
        .iter()
        .find_map(|end| name.strip_suffix(end));
    of_histogram.filter(|name| name.ends_with("_seconds")).unwrap_or(name)
}

/// Reads the answer strictly: each sample stands behind the head of its metric, and no series comes twice.
fn read(text: &str) -> Samples {
    let (mut samples, mut begun, mut help) = (Samples::new(), BTreeSet::new(), None);
    let mut last = String::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("# HELP ") {
            let (name, words) = rest.split_once(' ').unwrap();
            assert!(words.ends_with('.'), "{line}");
            help = Some(name);
        } else if let Some(rest) = line.strip_prefix("# TYPE ") {
            let (name, kind) = rest.split_once(' ').unwrap();
            assert_eq!(Some(name), help, "{line}");
            assert_eq!(kind == "counter", name.ends_with("_total"), "{line}");
            assert!(["gauge", "counter", "histogram"].contains(&kind), "{line}");
            assert!(begun.insert(name), "{line}: it was begun before");
            last = name.to_owned();
        } else {
            let (series, value) = line.rsplit_once(' ').unwrap();
            assert_eq!(metric_of(series), last, "{line}");
            let is_new = samples.insert(series.to_owned(), value.parse().unwrap()).is_none();
            assert!(is_new, "{line}: it came before");
        }
    }
    samples
}

/// What a key of a scraper gets, once everything is told.
fn scraped(world: &World) -> Samples {
    to_end(world.app.meter.tell(world));
    let answer = world.get(&world.admin_key, "/metrics").expect(200);
    assert_eq!(answer.response.content_type, "text/plain; version=0.0.4; charset=utf-8");
    read(&answer.body)
}

fn all_of<'a>(samples: &'a Samples, name: &'a str) -> impl Iterator<Item = (&'a str, f64)> {
    let series = samples
        .iter()
        .filter(move |(series, _)| series.split('{').next() == Some(name));
    series.map(|(series, value)| (series.as_str(), *value))
}

#[test]
fn metrics_say_what_the_api_says() {
    let (world, shop, smsc) = smpp::world(json!({"binds": 2}));
    let life = Life::of(&world);
    smpp::bind(&world, &life, &smsc, 2);
    smsc.answer(|at, _| Reply::Status([0, 0x58, 0x0B, 0][at % 4], 40));
    smpp::send(&world, &shop, "hello", 0..20);
    life.settle(MINUTE_MS);
    let samples = scraped(&world);
    let data = world.look("/admin/health").json["data"].clone();
    let of_carrier = world.look("/admin/carriers/mci").json["data"]["health"].clone();
    for (series, value) in [
        ("peyk_info{version=\"0.2.0\"}", json!(1)),
        ("peyk_part_up{part=\"KV\"}", json!(1)),
        ("peyk_part_up{part=\"D1\"}", json!(1)),
        ("peyk_part_up{part=\"OBJECT\"}", json!(1)),
        ("peyk_d1_bytes{of=\"all\"}", data["storage"]["bytes"].clone()),
        (
            "peyk_d1_max_bytes{of=\"customers\"}",
            data["storage"]["maxCustomerBytes"].clone(),
        ),
        ("peyk_waiting_recipients", data["waiting"]["recipients"].clone()),
        ("peyk_carrier_state{carrier=\"mci\",state=\"UP\"}", json!(1)),
        (
            "peyk_carrier_taken_last_minute{carrier=\"mci\"}",
            of_carrier["lastMinute"].clone(),
        ),
        (
            "peyk_carrier_storage_bytes{carrier=\"mci\"}",
            of_carrier["storageBytes"].clone(),
        ),
        (
            "peyk_carrier_learned_per_second{carrier=\"mci\"}",
            of_carrier["learnedPerSecond"].clone(),
        ),
    ] {
        let expected = value.as_f64().unwrap_or(0.0);
        assert_eq!(samples.get(series), Some(&expected), "{series}");
    }
    // The SMSC's own account of its answers agrees, object by object.
    let mut by_answer = BTreeMap::new();
    for (series, value) in all_of(&samples, "peyk_carrier_answers_total") {
        assert!(
            series.contains("object=\"mci/") || series.contains("object=\"mci"),
            "{series}"
        );
        let answer = series.rsplit("answer=\"").next().unwrap().trim_end_matches("\"}");
        *by_answer.entry(answer.to_owned()).or_insert(0.0) += value;
    }
    let got = smsc.got_count();
    let expected = |at: &[usize]| (0..got).filter(|number| at.contains(&(number % 4))).count() as f64;
    let expected = [
        ("NOT_NOW", expected(&[1])),
        ("REFUSED", expected(&[2])),
        ("TAKEN", expected(&[0, 3])),
    ];
    let expected: BTreeMap<_, _> = expected
        .into_iter()
        .map(|(name, count)| (name.to_owned(), count))
        .collect();
    assert_eq!(by_answer, expected);
    let within = |bound| {
        let series = samples
            .iter()
            .filter(|(series, _)| series.starts_with("peyk_carrier_answer_seconds_bucket") && series.contains(bound));
        series.map(|(_, value)| value).sum::<f64>()
    };
    assert_eq!(
        (within("le=\"0.025\""), within("le=\"+Inf\"")),
        (0.0, got as f64),
        "each took 40 ms"
    );
}

#[test]
fn what_a_carrier_has_answered_counts_also_if_it_could_not_be_stored() {
    let (world, shop, smsc) = smpp::world(json!({}));
    let life = Life::of(&world);
    smpp::submit(&world, &life, &shop, "hello", 0..1);
    world.carrier_sql("mci", "0").fail("INTO sent", 1);
    smpp::send(&world, &shop, "hello", 1..2);
    life.settle(MINUTE_MS);
    assert_eq!(smsc.got_count(), 2);
    let samples = scraped(&world);
    let taken = all_of(&samples, "peyk_carrier_answers_total").filter(|(series, _)| series.contains("TAKEN"));
    assert_eq!(taken.map(|(_, value)| value).sum::<f64>(), 2.0);
}

#[test]
fn what_was_sent_today_is_what_the_usage_says() {
    let (world, shop) = World::with_account(1_000_000);
    world.sent(&shop.key, &["09121234567", "09121234568"]);
    world.settle(2 * MINUTE_MS);
    let samples = scraped(&world);
    let usage = world.look("/admin/usage?by=carrier&from=2026-01-01&to=2026-01-01").json["data"].clone();
    let sums = usage.as_array().unwrap();
    assert!(!sums.is_empty());
    for sum in sums {
        for (status, member) in [
            ("accepted", "recipients"),
            ("delivered", "delivered"),
            ("unknown", "unknown"),
        ] {
            let carrier = sum["key"].as_str().unwrap();
            let series = format!("peyk_today_recipients{{carrier=\"{carrier}\",status=\"{status}\"}}");
            assert_eq!(samples[&series], sum[member].as_f64().unwrap(), "{series}");
        }
    }
    let wallet = world.look(&shop.path("")).json["data"]["wallet"].clone();
    for (state, member) in [("available", "availableBalance"), ("locked", "lockedBalance")] {
        let series = format!("peyk_wallets{{state=\"{state}\"}}");
        assert_eq!(samples[&series], wallet[member].as_f64().unwrap(), "{series}");
    }
    assert_eq!(samples["peyk_accounts{active=\"true\"}"], 1.0);
    world.advance(DAY_MS);
    assert_eq!(
        all_of(&scraped(&world), "peyk_today_recipients").count(),
        0,
        "another day"
    );
}

#[test]
fn requests_are_counted_by_route_and_status_in_all_isolates_and_lost_only_with_them() {
    let (world, shop) = World::with_account(1_000_000);
    to_end(world.app.meter.tell(&world));
    let before = scraped(&world);
    for _ in 0..3 {
        world.get(&shop.key, "/account/info").expect(200);
    }
    world.get("peyk_nobody", "/account/info").expect(401);
    world.get(&shop.key, "/nowhere/at/all").expect(404);
    let samples = scraped(&world);
    let more = |series: &str| samples.get(series).unwrap_or(&0.0) - before.get(series).unwrap_or(&0.0);
    let of = |route: &str, status: u16| more(&format!("peyk_requests_total{{route=\"{route}\",status=\"{status}\"}}"));
    assert_eq!(
        (of("/account/info", 200), of("/account/info", 401), of("", 404)),
        (3.0, 1.0, 1.0)
    );
    assert_eq!(of("/metrics", 200), 1.0, "the scrape before");
    assert_eq!(more("peyk_request_seconds_count{route=\"/account/info\"}"), 4.0);
    // Of the isolate that is about to tell, the others need not.
    world.get(&shop.key, "/account/info").expect(200);
    let begins = || world.app.meter.begins(world.now_ms.get());
    assert!(begins());
    assert!(!begins());
    to_end(world.app.meter.tell(&world));
    world.advance(GATHER_MS.into());
    assert!(!begins(), "there is nothing to tell");
    assert_eq!(world.sql(OPERATOR).number("SELECT count(*) FROM request_counts"), 1);
    assert_eq!(world.sql(&shop.id).number("SELECT count(*) FROM request_counts"), 0);
}

#[test]
fn a_request_that_was_to_tell_and_was_ended_stops_no_counting() {
    let (world, shop) = World::with_account(0);
    let begins = || world.app.meter.begins(world.now_ms.get());
    world.get(&shop.key, "/account/info").expect(200);
    assert!(begins());
    // The runtime ends it here: nobody tells.
    world.advance(i64::from(GATHER_MS) - 1);
    assert!(!begins(), "it may still tell");
    world.advance(1);
    assert!(begins(), "another one takes it over");
    to_end(world.app.meter.tell(&world));
    assert_eq!(
        scraped(&world)["peyk_requests_total{route=\"/account/info\",status=\"200\"}"],
        1.0
    );
}

/// Answers each request to a program of a customer with the next of these statuses; 0 is no answer.
fn receiver(world: &World, statuses: &'static [u16]) {
    let count = Cell::new(0);
    world.receive(move |_| {
        let status = statuses[count.get() % statuses.len()];
        count.set(count.get() + 1);
        Some(match status {
            0 => Err(PortError::unavailable("fetch", "no response")),
            status => Ok(IncomingResponse {
                status,
                retry_after: None,
                body: String::new(),
            }),
        })
    });
}

#[test]
fn attempts_at_webhooks_are_counted_by_what_they_came_to() {
    let (world, shop) = World::with_account(100_000);
    receiver(&world, &[500, 0, 302, 200, 410]);
    let endpoint = json!({"url": "https://shop.example/hook", "events": ["message.status"]});
    world.posted(&shop.key, "/webhook", endpoint);
    for number in ["09121234567", "09121234568"] {
        world.send(&shop.key, &[number]).expect(201);
        world.settle(DAY_MS);
    }
    let samples = scraped(&world);
    let of = |outcome: &str| {
        samples.get(&format!(
            "peyk_webhook_attempts_total{{brings=\"EVENT\",outcome=\"{outcome}\"}}"
        ))
    };
    let counts = ["TAKEN", "REFUSED", "NONE", "GONE"].map(of);
    assert_eq!(counts, [Some(&1.0), Some(&2.0), Some(&1.0), Some(&1.0)]);
    assert_eq!(samples["peyk_webhook_attempt_seconds_count{brings=\"EVENT\"}"], 5.0);
    assert_eq!(world.sql(OPERATOR).number("SELECT count(*) FROM work_counts"), 1);
    assert_eq!(world.sql(&shop.id).number("SELECT count(*) FROM work_counts"), 0);
}

#[test]
fn reports_are_counted_once_by_how_long_they_took_from_the_take() {
    let (world, shop, smsc) = smpp::world(json!({}));
    let life = Life::of(&world);
    smpp::submit(&world, &life, &shop, "hello", 0..3);
    life.settle(40 * SECOND_MS);
    smpp::report_all(&smsc, 0, "DELIVRD");
    life.settle_until(MINUTE_MS, || smpp::has(&world, &shop, smpp::DELIVERED, 3));
    smpp::report_all(&smsc, 0, "UNDELIV");
    life.settle(MINUTE_MS);
    let samples = scraped(&world);
    let of = |end: &str| samples[&format!("peyk_carrier_report_seconds_{end}")];
    assert_eq!(of("count{carrier=\"mci\"}"), 3.0, "what comes twice moves nobody");
    let within = |bound: &str| of(&format!("bucket{{carrier=\"mci\",le=\"{bound}\"}}"));
    assert_eq!((within("25"), within("50")), (0.0, 3.0));
    assert!((120.0..150.0).contains(&of("sum{carrier=\"mci\"}")));
}

#[test]
fn an_object_tells_for_its_isolate_what_no_request_tells() {
    let (world, shop) = World::with_account(100_000);
    receiver(&world, &[200]);
    let endpoint = json!({"url": "https://shop.example/hook", "events": ["message.status"]});
    world.posted(&shop.key, "/webhook", endpoint);
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.settle(MINUTE_MS);
    let told = || world.sql(OPERATOR).number("SELECT count(*) FROM work_counts");
    assert_eq!(told(), 0);
    to_end(metrics::tell_if_due(&world));
    assert_eq!(world.tally.take(), None);
    assert_eq!(told(), 1);
}

#[test]
fn an_alarm_does_not_wait_long_for_operators_who_do_not_answer() {
    let (world, _) = World::with_account(0);
    world.tally.note_attempt("EVENT", "TAKEN", 7);
    world.hanging_request.set(Some("CountWork"));
    let (began_ms, ended_ms) = (world.now_ms.get(), Cell::new(None));
    let life = Life::of(&world);
    life.spawn(async {
        metrics::tell_if_due(&world).await;
        ended_ms.set(Some(world.now_ms.get()));
    });
    life.settle(MINUTE_MS);
    drop(life);
    assert_eq!(ended_ms.get().map(|ended_ms| ended_ms - began_ms), Some(2_000));
}

#[test]
fn a_key_for_metrics_reads_nothing_else() {
    let (world, _) = World::with_account(0);
    let made = world.post(
        &world.admin_key,
        "/admin/keys",
        json!({"title": "prometheus", "scopes": ["admin:metrics"]}),
    );
    let key = made.expect(201).text("/data/key");
    world.get(&key, "/metrics").expect(200);
    world.get(&key, "/admin/health").expect(403);
    world.get(&key, "/admin/usage").expect(403);
    world.get("peyk_nobody", "/metrics").expect(401);
    let reader = world.post(
        &world.admin_key,
        "/admin/keys",
        json!({"title": "eyes", "scopes": ["admin:read"]}),
    );
    world.get(&reader.expect(201).text("/data/key"), "/metrics").expect(200);
}

#[test]
fn what_does_not_answer_is_left_out_and_said_to_be_down() {
    let (world, _) = World::with_account(0);
    world.db.watch(|_, _| Err(PortError::unavailable("D1", "it is away")));
    let samples = read(&world.get(&world.admin_key, "/metrics").expect(200).body);
    assert_eq!(samples["peyk_part_up{part=\"D1\"}"], 0.0);
    assert_eq!(all_of(&samples, "peyk_d1_bytes").count(), 0);
    assert_eq!(all_of(&samples, "peyk_accounts").count(), 0);
    let of_objects = ["erasures", "requests", "work"];
    let silent = |samples: &Samples| -> BTreeSet<String> {
        let sources = all_of(samples, "peyk_source_answered").filter(|(_, value)| *value == 0.0);
        sources
            .map(|(series, _)| series.split('"').nth(1).unwrap().to_owned())
            .collect()
    };
    let sources: BTreeSet<String> = all_of(&samples, "peyk_source_answered")
        .map(|(series, _)| series.split('"').nth(1).unwrap().to_owned())
        .collect();
    let of_directory = silent(&samples);
    assert_eq!(sources.len(), of_directory.len() + of_objects.len());
    assert!(
        of_objects.iter().all(|source| !of_directory.contains(*source)),
        "{of_directory:?}"
    );
    world.db.unwatch();
    assert_eq!(silent(&scraped(&world)), BTreeSet::new());
}

#[test]
fn a_scrape_waits_for_all_parts_together_no_longer_than_for_one() {
    let world = World::new();
    let carrier = "INSERT INTO carrier (name, kind, settings, created_ms) VALUES ('gateway', 'http', '{}', 0)";
    world.db.run(carrier);
    scraped(&world);
    world.hanging_request.set(Some("GetHealth"));
    world.db.takes_ms.set(3_000);
    let (began_ms, answer) = (world.now_ms.get(), RefCell::new(None));
    let life = Life::of(&world);
    life.spawn(async {
        let asked = world.ask("GET", &world.admin_key, "/metrics").answer().await;
        answer.replace(Some((world.now_ms.get(), asked)));
    });
    life.settle(MINUTE_MS);
    drop(life);
    let (ended_ms, answer) = answer.into_inner().expect("an answer in bounded time");
    let samples = read(&answer.expect(200).body);
    assert_eq!(samples["peyk_carrier_state{carrier=\"gateway\",state=\"HANGS\"}"], 1.0);
    assert_eq!(ended_ms - began_ms, 5_000);
}

#[test]
fn the_rows_of_all_accounts_are_read_once_a_minute_and_those_of_today_anew_each_day() {
    let (world, shop) = World::with_account(1_000_000);
    world.sent(&shop.key, &["09121234567"]);
    world.settle(MINUTE_MS);
    let reads = Rc::new(Cell::new(0));
    let counted = Rc::clone(&reads);
    world.db.watch(move |_, statements| {
        let of_all = |sql: &str| sql.ends_with("FROM account") || sql.contains("FROM usage");
        counted.set(counted.get() + statements.iter().filter(|statement| of_all(&statement.sql)).count());
        Ok(())
    });
    let read_by_a_scrape = |world: &World| {
        let before = reads.get();
        let samples = scraped(world);
        assert_eq!(samples["peyk_accounts{active=\"true\"}"], 1.0);
        reads.get() - before
    };
    assert_eq!(read_by_a_scrape(&world), 2);
    world.advance(MINUTE_MS - 1);
    assert_eq!(read_by_a_scrape(&world), 0, "it is told again");
    world.advance(1);
    assert_eq!(read_by_a_scrape(&world), 2);
    let to_midnight_ms = DAY_MS - world.now_ms.get().rem_euclid(DAY_MS);
    world.advance(to_midnight_ms - 1);
    assert_eq!(read_by_a_scrape(&world), 2);
    world.advance(1);
    assert_eq!(read_by_a_scrape(&world), 1, "what was sent yesterday is not today's");
    assert_eq!(all_of(&scraped(&world), "peyk_today_recipients").count(), 0);
}

/// Every metric in the page, and every metric of the page.
#[test]
fn the_page_has_each_metric_and_the_board_and_the_rules_have_no_other() {
    let (world, shop, smsc) = smpp::world(json!({}));
    let life = Life::of(&world);
    receiver(&world, &[200]);
    let endpoint = json!({"url": "https://shop.example/hook", "events": ["message.status"]});
    world.posted(&shop.key, "/webhook", endpoint);
    smpp::submit(&world, &life, &shop, "hello", 0..1);
    smpp::report_all(&smsc, 0, "DELIVRD");
    life.settle_until(MINUTE_MS, || smpp::has(&world, &shop, smpp::DELIVERED, 1));
    world.network.unlisten(smpp::PORT);
    smsc.hang_up_first(1);
    smpp::send(&world, &shop, "hello", 1..2);
    life.settle(2 * MINUTE_MS + SECOND_MS);
    let told: BTreeSet<String> = scraped(&world)
        .keys()
        .map(|series| metric_of(series).to_owned())
        .collect();
    let named_in = |file: &str| -> BTreeSet<String> {
        let text = fs::read_to_string(format!(concat!(env!("PEYK_ROOT"), "/{}"), file)).unwrap();
        let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        let words = text.split(|c| !is_name(c)).filter(|word| word.starts_with("peyk_"));
        words.map(|word| metric_of(word).to_owned()).collect()
    };
    assert_eq!(named_in("docs/watching.md"), told);
    for file in ["docs/watching/grafana.json", "docs/watching/alerts.yml"] {
        let unknown: Vec<String> = named_in(file).difference(&told).cloned().collect();
        assert_eq!(unknown, Vec::<String>::new(), "{file}");
    }
}

/// The line is written in the time of a request whose address may have a key in it.
#[test]
fn counts_that_can_t_be_told_are_a_line_apart_from_the_request() {
    let (world, shop) = World::with_account(0);
    world.get(&shop.key, "/account/info").expect(200);
    world.log.take();
    world.failing_request.set(Some("CountRequests"));
    to_end(world.app.meter.tell(&world));
    let (all, apart) = (world.log.take(), world.log_apart.take());
    assert_eq!(all.len(), 1);
    assert_eq!(apart, all);
}
