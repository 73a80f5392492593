//! The walk through the members of several phonebooks.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use peyk::base::ports::MAX_INTEGER;
use peyk::directory::phonebook::condition::{Condition, Operator, Test};
use peyk::directory::phonebook::following::{Asked, Following, Page, following, following_of};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{Account, World, cases, to_end};

/// The first of the numbers.
const FIRST: i64 = 989_120_000_000;
/// More members than any phonebook here has.
const ALL: u32 = 10_000;

fn with_phonebooks<const N: usize>() -> (World, Account, [String; N]) {
    let (world, shop) = World::with_busy_account(1_000_000);
    let ids = std::array::from_fn(|index| made(&world, &shop, &format!("Book {index}")));
    (world, shop, ids)
}

fn made(world: &World, shop: &Account, title: &str) -> String {
    let answer = world.post(&shop.key, "/phonebook", json!({"title": title}));
    answer.expect(201).text("/data/id")
}

/// Adds members, each a number behind the first one with its name and attributes.
fn add(world: &World, shop: &Account, id: &str, members: &[(i64, &str, Value)]) {
    let number = |(number, name, attributes): &(i64, &str, Value)| {
        let name = (!name.is_empty()).then_some(name);
        json!({"number": format!("+{}", FIRST + number), "name": name, "attributes": attributes})
    };
    let numbers: Vec<Value> = members.iter().map(number).collect();
    world.posted(
        &shop.key,
        &format!("/phonebook/number/{id}"),
        json!({"numbers": numbers}),
    );
}

/// Adds members without values past the API, which would take long: each `step`th number from `first` on.
fn fill(world: &World, id: &str, first: i64, step: i64, count: i64) {
    let rows = "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?2) \
         INSERT INTO phonebook_number (phonebook, msisdn, created_ms) \
         SELECT b.seq, CAST(?3 + ?4 * i AS INTEGER), 0 FROM n CROSS JOIN phonebook b ON b.id = ?1";
    let params = [id.into(), count.into(), (FIRST + first).into(), step.into()];
    world.db.run_with(rows, &params);
}

/// Asks for all members of phonebooks, without values.
fn asked<'a>(shop: &'a Account, phonebooks: &'a [String], exclude: &'a [String]) -> Asked<'a> {
    Asked {
        account: &shop.id,
        phonebooks,
        exclude,
        condition: None,
        names: &[],
        numbers: None,
    }
}

fn condition(any: bool, tests: &[(&str, Operator, Option<&str>)]) -> Condition {
    let test = |(attribute, operator, value): &(&str, Operator, Option<&str>)| Test {
        attribute: (*attribute).to_owned(),
        operator: *operator,
        value: value.map(str::to_owned),
    };
    Condition {
        any,
        tests: tests.iter().map(test).collect(),
    }
}

/// The next page, with the page size of the service.
#[track_caller]
fn page(world: &World, asked: &Asked<'_>, after: i64) -> Page {
    found(to_end(following(&world.db, asked, after)).unwrap())
}

/// The next page, which reads at most `limit` members of each phonebook.
#[track_caller]
fn page_of(world: &World, asked: &Asked<'_>, after: i64, limit: u32) -> Page {
    found(to_end(following_of(&world.db, asked, after, limit)).unwrap())
}

#[track_caller]
fn found(following: Following) -> Page {
    match following {
        Following::Page(page) => page,
        Following::NotFound => panic!("a phonebook does not exist"),
    }
}

/// The members of a page, by their numbers behind the first one.
fn numbers(page: &Page) -> Vec<i64> {
    page.members.iter().map(|member| offset(member.number.get())).collect()
}

fn offset(number: u64) -> i64 {
    i64::try_from(number).unwrap() - FIRST
}

/// The members of a page with their values.
fn valued(page: &Page) -> Vec<(i64, Vec<&str>)> {
    let members = page.members.iter();
    members
        .map(|member| {
            (
                offset(member.number.get()),
                member.values.iter().map(String::as_str).collect(),
            )
        })
        .collect()
}

#[test]
fn a_number_of_several_phonebooks_comes_once_and_in_its_order() {
    let (world, shop, ids) = with_phonebooks::<3>();
    for (id, members) in ids.iter().zip([&[5, 1, 9][..], &[1, 2], &[9, 3, 1, 0]]) {
        let members: Vec<_> = members.iter().map(|number| (*number, "", json!({}))).collect();
        add(&world, &shop, id, &members);
    }
    let all = asked(&shop, &ids, &[]);
    let whole = page(&world, &all, 0);
    assert_eq!((numbers(&whole), whole.next), (vec![0, 1, 2, 3, 5, 9], None));
    assert_eq!(numbers(&page(&world, &all, FIRST + 2)), [3, 5, 9], "behind a number");
    assert_eq!(numbers(&page(&world, &all, FIRST + 9)), [0; 0]);
    assert_eq!(numbers(&page(&world, &all, MAX_INTEGER)), [0; 0]);
    assert_eq!(page(&world, &asked(&shop, &[], &[]), 0), Page::default());
}

#[test]
fn a_page_ends_where_the_first_of_the_phonebooks_was_read_to() {
    let (world, shop, ids) = with_phonebooks::<2>();
    fill(&world, &ids[0], 0, 1, 10);
    fill(&world, &ids[1], 0, 100, 4);
    let all = asked(&shop, &ids, &[]);
    let first = page_of(&world, &all, 0, 4);
    // The second phonebook was read to 300, but the first one only to 3.
    assert_eq!((numbers(&first), first.next), (vec![0, 1, 2, 3], Some(FIRST + 3)));
    let second = page_of(&world, &all, FIRST + 3, 4);
    assert_eq!((numbers(&second), second.next), (vec![4, 5, 6, 7], Some(FIRST + 7)));
    let third = page_of(&world, &all, FIRST + 7, 4);
    assert_eq!((numbers(&third), third.next), (vec![8, 9, 100, 200, 300], None));
}

#[test]
fn a_page_reads_a_thousand_members_or_five_hundred_with_their_values() {
    let (world, shop, ids) = with_phonebooks::<1>();
    fill(&world, &ids[0], 0, 1, 1_700);
    let bare = asked(&shop, &ids, &[]);
    let anybody = condition(false, &[("city", Operator::Missing, None)]);
    let named = Asked {
        names: &["city"],
        ..bare
    };
    let tested = Asked {
        condition: Some(&anybody),
        ..bare
    };
    for (asked, sizes) in [
        (bare, &[1_000, 700][..]),
        (named, &[500, 500, 500, 200]),
        (tested, &[500, 500, 500, 200]),
    ] {
        let (mut after, mut walked, mut pages) = (Some(0), Vec::new(), Vec::new());
        while let Some(place) = after {
            let page = page(&world, &asked, place);
            pages.push(page.members.len());
            walked.extend(numbers(&page));
            after = page.next;
        }
        assert_eq!(pages, sizes);
        assert_eq!(walked, (0..1_700).collect::<Vec<_>>());
        assert_eq!(page_of(&world, &asked, 0, u32::MAX).members.len(), sizes[0]);
        let least = page_of(&world, &asked, 0, 0);
        assert_eq!((numbers(&least), least.next), (vec![0], Some(FIRST)));
    }
}

#[test]
fn a_page_in_which_nobody_matches_moves_on() {
    let (world, shop, ids) = with_phonebooks::<2>();
    fill(&world, &ids[0], 0, 1, 6);
    add(&world, &shop, &ids[1], &[(7, "", json!({"city": "Yazd"}))]);
    let yazd = condition(false, &[("city", Operator::Equals, Some("yazd"))]);
    let asked = Asked {
        condition: Some(&yazd),
        ..asked(&shop, &ids, &[])
    };
    let first = page_of(&world, &asked, 0, 3);
    assert_eq!((numbers(&first), first.next), (vec![], Some(FIRST + 2)));
    let second = page_of(&world, &asked, FIRST + 2, 3);
    assert_eq!((numbers(&second), second.next), (vec![], Some(FIRST + 5)));
    let third = page_of(&world, &asked, FIRST + 5, 3);
    assert_eq!((numbers(&third), third.next), (vec![7], None));
}

#[test]
fn members_of_an_excluded_phonebook_are_left_out_and_a_page_of_them_moves_on() {
    let (world, shop, ids) = with_phonebooks::<4>();
    let (phonebooks, exclude) = ids.split_at(2);
    fill(&world, &phonebooks[0], 0, 1, 8);
    fill(&world, &phonebooks[1], 4, 1, 6);
    fill(&world, &exclude[0], 0, 1, 5);
    fill(&world, &exclude[1], 4, 3, 10);
    let asked = asked(&shop, phonebooks, exclude);
    let whole = page(&world, &asked, 0);
    assert_eq!((numbers(&whole), whole.next), (vec![5, 6, 8, 9], None));
    let first = page_of(&world, &asked, 0, 4);
    assert_eq!((numbers(&first), first.next), (vec![], Some(FIRST + 3)));
    let second = page_of(&world, &asked, FIRST + 3, 4);
    assert_eq!((numbers(&second), second.next), (vec![5, 6], Some(FIRST + 7)));
    let excluded = Asked {
        exclude: phonebooks,
        ..asked
    };
    assert_eq!(page(&world, &excluded, 0), Page::default());
}

#[test]
fn the_values_are_those_of_the_first_phonebook_in_which_the_number_matches() {
    let (world, shop, ids) = with_phonebooks::<3>();
    add(
        &world,
        &shop,
        &ids[0],
        &[
            (1, "Ali", json!({"city": "Qom"})),
            (2, "Sara", json!({"city": "یزد", "age": "7"})),
        ],
    );
    add(
        &world,
        &shop,
        &ids[1],
        &[
            (1, "علی", json!({"zone": "5", "city": "يزد"})),
            (2, "x", json!({"city": "یزد"})),
        ],
    );
    add(
        &world,
        &shop,
        &ids[2],
        &[(1, "y", json!({"city": "یزد"})), (3, "", json!({"city": "یزد"}))],
    );
    let yazd = condition(
        false,
        &[
            ("city", Operator::Equals, Some("یزد")),
            ("city", Operator::Exists, None),
        ],
    );
    let asked = Asked {
        condition: Some(&yazd),
        names: &["age", "name", "نام", "zone", "nothing", "age"],
        ..asked(&shop, &ids, &[])
    };
    let page = page(&world, &asked, 0);
    let wanted = [
        (1, vec!["", "علی", "علی", "5", "", ""]),
        (2, vec!["7", "Sara", "Sara", "", "", "7"]),
        (3, vec![""; 6]),
    ];
    assert_eq!(valued(&page), wanted);
    let turned: Vec<String> = ids.iter().rev().cloned().collect();
    let asked = Asked {
        phonebooks: &turned,
        names: &["name"],
        ..asked
    };
    let page = self::page(&world, &asked, 0);
    assert_eq!(valued(&page), [(1, vec!["y"]), (2, vec!["x"]), (3, vec![""])]);
}

#[test]
fn each_operator_picks_its_members() {
    let (world, shop, ids) = with_phonebooks::<1>();
    let members = [
        (1, "Ali", json!({"city": "Tehran", "age": "۹"})),
        (2, "Sara", json!({"city": " tehran", "age": "10.5"})),
        (3, "", json!({"city": "Shahr-e Kord", "age": "1403/05/01"})),
        (4, "Reza", json!({"city": "", "age": "-1"})),
        (5, "", json!({})),
    ];
    add(&world, &shop, &ids[0], &members);
    let picked = |any: bool, tests: &[(&str, Operator, Option<&str>)]| {
        let condition = condition(any, tests);
        let asked = Asked {
            condition: Some(&condition),
            ..asked(&shop, &ids, &[])
        };
        numbers(&page(&world, &asked, 0))
    };
    for (attribute, operator, value, wanted) in [
        ("city", Operator::Equals, Some("TEHRAN"), &[1, 2][..]),
        ("city", Operator::NotEquals, Some("tehran"), &[3, 4, 5]),
        ("city", Operator::Contains, Some("KORD"), &[3]),
        ("city", Operator::Exists, None, &[1, 2, 3]),
        ("city", Operator::Missing, None, &[4, 5]),
        ("age", Operator::Less, Some("10"), &[1, 4]),
        ("age", Operator::Greater, Some("٩"), &[2]),
        ("age", Operator::Less, Some("1403/06/01"), &[2, 3, 4]),
        ("name", Operator::Exists, None, &[1, 2, 4]),
        ("نام", Operator::Equals, Some("ali"), &[1]),
        ("unknown", Operator::Missing, None, &[1, 2, 3, 4, 5]),
        ("unknown", Operator::Equals, Some("x"), &[]),
    ] {
        assert_eq!(
            picked(false, &[(attribute, operator, value)]),
            wanted,
            "{attribute} {operator:?} {value:?}"
        );
    }
    let tehran = ("city", Operator::Equals, Some("tehran"));
    let young = ("age", Operator::Less, Some("10"));
    assert_eq!(picked(false, &[tehran, young]), [1]);
    assert_eq!(picked(true, &[tehran, young]), [1, 2, 4]);
}

#[test]
fn without_one_of_the_phonebooks_nobody_is_found() {
    let (world, shop, ids) = with_phonebooks::<4>();
    let other = world.account("other", 0);
    let others = made(&world, &other, "Others");
    fill(&world, &ids[0], 0, 1, 3);
    world.delete(&shop.key, &format!("/phonebook/{}", ids[1])).expect(204);
    let unknown = "00000000-0000-4000-8000-000000000000".to_owned();
    for bad in [&ids[1], &others, &unknown] {
        for (phonebooks, exclude) in [(vec![&ids[0], bad], vec![]), (vec![&ids[0]], vec![&ids[2], bad])] {
            let [phonebooks, exclude] = [phonebooks, exclude].map(|ids| ids.into_iter().cloned().collect::<Vec<_>>());
            let asked = asked(&shop, &phonebooks, &exclude);
            let answer = to_end(following(&world.db, &asked, 0)).unwrap();
            assert_eq!(answer, Following::NotFound);
        }
    }
    // One that is deleted between two statements is not passed over, either.
    for deleted in [&ids[2], &ids[3]] {
        let statement = format!("UPDATE phonebook SET deleted = 1 WHERE id = '{deleted}'");
        world.db.watch(move |sql, statements| {
            if statements.iter().any(|each| each.sql.contains("json_group_array")) {
                sql.run(&statement);
            }
            Ok(())
        });
        let asked = asked(&shop, &ids[..1], std::slice::from_ref(deleted));
        assert_eq!(to_end(following(&world.db, &asked, 0)).unwrap(), Following::NotFound);
        world.db.unwatch();
    }
}

#[test]
fn a_column_that_comes_meanwhile_counts() {
    let (world, shop, ids) = with_phonebooks::<1>();
    fill(&world, &ids[0], 0, 1, 2);
    let times = std::rc::Rc::new(Cell::new(0));
    let seen = std::rc::Rc::clone(&times);
    world.db.watch(move |sql, statements| {
        if statements.iter().any(|each| each.sql.contains("json_group_array")) {
            seen.set(seen.get() + 1);
            if seen.get() == 1 {
                sql.run("UPDATE phonebook SET columns = '[\"optOut\"]'");
                sql.run("UPDATE phonebook_number SET attributes = '[\"yes\"]' WHERE msisdn = 989120000000");
            }
        }
        Ok(())
    });
    let free = condition(false, &[("optOut", Operator::Missing, None)]);
    let asked = Asked {
        condition: Some(&free),
        ..asked(&shop, &ids, &[])
    };
    assert_eq!(numbers(&page(&world, &asked, 0)), [1]);
    assert_eq!(times.get(), 2);
}

#[test]
fn the_work_of_a_page_goes_by_indexes_and_fits_into_what_the_directory_gives() {
    let (world, shop, ids) = with_phonebooks::<20>();
    let value = "\"".repeat(1_015);
    let columns = json!(["text"]).to_string();
    let values = json!([value]).to_string();
    for id in &ids[..10] {
        fill(&world, id, 0, 1, 600);
    }
    world
        .db
        .run_with("UPDATE phonebook SET columns = ?1", &[columns.as_str().into()]);
    let name = "\\".repeat(200);
    let update = "UPDATE phonebook_number SET attributes = ?1, name = ?2, search_name = 'x'";
    world
        .db
        .run_with(update, &[values.as_str().into(), name.as_str().into()]);
    let largest = std::rc::Rc::new(Cell::new(0));
    let seen = std::rc::Rc::clone(&largest);
    world.db.watch(move |sql, statements| {
        for statement in statements {
            assert!(statement.params.len() <= 100);
            let rows = sql.run_with(&statement.sql, &statement.params);
            let texts = rows.iter().flat_map(|row| row.opt_text(0).ok().flatten());
            seen.set(texts.map(|text| text.len()).fold(seen.get(), usize::max));
        }
        Ok(())
    });
    // However often a value is named, it is read once.
    let tests = [
        ("name", Operator::Exists, None),
        ("نام", Operator::Exists, None),
        ("text", Operator::Exists, None),
    ];
    let condition = condition(false, &tests);
    let asked = Asked {
        account: &shop.id,
        phonebooks: &ids[..10],
        exclude: &ids[10..],
        condition: Some(&condition),
        names: &["name", "full name", "text"],
        numbers: None,
    };
    let page = page(&world, &asked, 0);
    assert_eq!((page.members.len(), page.next), (500, Some(FIRST + 499)));
    assert_eq!(page.members[0].values, [name.as_str(), name.as_str(), value.as_str()]);
    assert!((1_000_000..2_000_000).contains(&largest.get()), "{}", largest.get());
    let mut walks = world.db.walks(&["n", "e", "b", "phonebook"]);
    walks.retain(|walk| walk.starts_with("SELECT"));
    assert_eq!(walks, [""; 0]);
}

/// The members of a phonebook: their numbers with the values of the one attribute.
type Book = BTreeMap<i64, String>;

/// Makes a phonebook of the directory have these members.
fn save(world: &World, id: &str, book: &Book) {
    let clear = "DELETE FROM phonebook_number WHERE phonebook = (SELECT seq FROM phonebook WHERE id = ?1)";
    world.db.run_with(clear, &[id.into()]);
    let rows: Vec<_> = book
        .iter()
        .map(|(number, value)| (FIRST + number, json!([value]).to_string()))
        .collect();
    let insert = "INSERT INTO phonebook_number (phonebook, msisdn, attributes, created_ms) \
         SELECT b.seq, r.value ->> 0, r.value ->> 1, 0 FROM json_each(?2) r CROSS JOIN phonebook b ON b.id = ?1";
    world.db.run_with(insert, &[id.into(), json!(rows).to_string().into()]);
}

/// Whom the page from behind `after` up to `end` must have, found without pages.
fn naive(books: &[Book], exclude: &[Book], wanted: &str, after: i64, end: i64) -> Vec<(i64, String)> {
    let all: BTreeSet<i64> = books.iter().flat_map(|book| book.keys().copied()).collect();
    let inside = all.into_iter().filter(|number| (after + 1..=end).contains(number));
    let left = inside.filter(|number| !exclude.iter().any(|book| book.contains_key(number)));
    let matching = left.filter_map(|number| {
        let values = books.iter().filter_map(|book| book.get(&number));
        let first = values.into_iter().find(|value| value.contains(wanted));
        Some((number, first?.clone()))
    });
    matching.collect()
}

fn book() -> impl Strategy<Value = Book> {
    prop::collection::btree_map(0..30_i64, "[ab]{1,3}", 0..14)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(96)) })]

    #[test]
    fn the_walk_gives_each_member_once_as_all_phonebooks_are_at_each_page(
        mut books in prop::collection::vec(book(), 3),
        mut exclude in prop::collection::vec(book(), 2),
        wanted in "[ab]{1,2}",
        limits in prop::collection::vec(1..8_u32, 1..6),
        changes in prop::collection::vec((0..5_usize, 0..30_i64, prop::option::of("[ab]{1,3}")), 0..12),
    ) {
        let (world, shop, ids) = with_phonebooks::<5>();
        world.db.run("UPDATE phonebook SET columns = '[\"a\"]'");
        let condition = condition(false, &[("a", Operator::Contains, Some(wanted.as_str()))]);
        let asked = Asked { account: &shop.id, phonebooks: &ids[..3], exclude: &ids[3..], condition: Some(&condition), names: &["a"], numbers: None };
        let (mut limits, mut changes) = (limits.into_iter().cycle(), changes.into_iter());
        let (mut after, mut last) = (Some(0), -1);
        while let Some(place) = after {
            for (id, book) in ids.iter().zip(books.iter().chain(&exclude)) {
                save(&world, id, book);
            }
            let page = page_of(&world, &asked, place, limits.next().unwrap());
            let behind = if place == 0 { -1 } else { place - FIRST };
            let end = page.next.map_or(i64::MAX, |next| next - FIRST);
            prop_assert!(end > behind, "the walk moves on");
            let members: Vec<(i64, String)> =
                valued(&page).into_iter().map(|(number, values)| (number, values.concat())).collect();
            prop_assert_eq!(&members, &naive(&books, &exclude, &wanted, behind, end));
            for (number, _) in members {
                prop_assert!(number > last, "each number comes once, in its order");
                last = number;
            }
            after = page.next;
            // Somebody changes the phonebooks before the next page.
            if let Some((index, number, value)) = changes.next() {
                let book = books.iter_mut().chain(&mut exclude).nth(index).unwrap();
                match value {
                    Some(value) => book.insert(number, value),
                    None => book.remove(&number),
                };
            }
        }
    }

    #[test]
    fn pages_of_any_size_give_the_same_members(
        books in prop::collection::vec(book(), 3),
        exclude in prop::collection::vec(book(), 2),
        limit in 1..20_u32,
    ) {
        let (world, shop, ids) = with_phonebooks::<5>();
        for (id, book) in ids.iter().zip(books.iter().chain(&exclude)) {
            save(&world, id, book);
        }
        let asked = asked(&shop, &ids[..3], &ids[3..]);
        let (mut after, mut walked) = (Some(0), Vec::new());
        while let Some(place) = after {
            let page = page_of(&world, &asked, place, limit);
            walked.extend(numbers(&page));
            after = page.next;
        }
        let wanted: Vec<i64> = naive(&books, &exclude, "", -1, i64::MAX).into_iter().map(|(number, _)| number).collect();
        prop_assert_eq!(&walked, &wanted);
        prop_assert_eq!(numbers(&page_of(&world, &asked, 0, ALL)), wanted);
    }
}
