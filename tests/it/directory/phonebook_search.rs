//! The search in a phonebook: by a part of a number or a name, however both are written.

use peyk::directory::phonebook::search::{LOOKED_AT, STATEMENTS, form};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{Account, World, cases};

fn with_phonebook() -> (World, Account, String) {
    let (world, shop) = World::with_busy_account(1_000_000);
    let id = world.posted(&shop.key, "/phonebook", json!({"title": "Friends"}));
    (world, shop, id.text("/data/id"))
}

fn add(world: &World, shop: &Account, id: &str, numbers: Value) {
    world.posted(
        &shop.key,
        &format!("/phonebook/number/{id}"),
        json!({"numbers": numbers}),
    );
}

/// What a search finds, page by page.
fn search(world: &World, shop: &Account, id: &str, q: &str, limit: usize) -> Vec<Value> {
    let encoded: String = form_urlencoded::byte_serialize(q.as_bytes()).collect();
    world.all(&shop.key, &format!("/phonebook/number/{id}?limit={limit}&q={encoded}"))
}

fn names(world: &World, shop: &Account, id: &str, q: &str) -> Vec<String> {
    let found = search(world, shop, id, q, 200);
    found
        .iter()
        .map(|item| item["name"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_name_is_found_however_it_and_the_search_are_written() {
    // Ways to write one name.
    let names_alike: &[&[&str]] = &[
        &[
            "علی",
            "علي",
            "على",
            "\u{200f}علی",
            "\u{202b}علی\u{202c}",
            "عَلِیّ",
            "عـلـی",
            "\u{feff}علی",
        ],
        &["کاوه", "كاوه", "\u{200e}کاوة"],
        &["آرش", "ارش", "ا\u{653}رش", "أرش"],
        &["رئیس", "رييس", "ري\u{654}یس"],
        &[
            "مهدی‌زاده",
            "مهدی زاده",
            "مهدیزاده",
            "مهدی\u{a0}زاده",
            "مهدی-زاده",
            "مهدی  زاده",
        ],
        &["فروشگاه ۲۴", "فروشگاه 24", "فروشگاه ٢٤", "(فروشگاه) ۲4"],
        &["Öl GmbH", "öl gmbh", "ÖL GMBH"],
        &["Sara شرکت", "SARA شركت", "sara\u{200c}شرکت", "ＳＡＲＡ شرکت"],
        &["🌹\u{fe0f}", "🌹", " 🌹 "],
        &["100%", "۱۰۰ ٪"],
    ];
    for forms in names_alike {
        for name in *forms {
            let (world, shop, id) = with_phonebook();
            add(&world, &shop, &id, json!([{"number": "09121234567", "name": name}]));
            for q in *forms {
                assert_eq!(names(&world, &shop, &id, q).len(), 1, "{q:?} finds {name:?}");
            }
        }
    }
}

#[test]
fn a_search_finds_no_name_without_it() {
    let (world, shop, id) = with_phonebook();
    let people = json!([{"number": "09121234561", "name": "علی رضایی"}, {"number": "09121234562", "name": "رضا علی"},
        {"number": "09121234563", "name": "🌹 گل"}, {"number": "09121234564", "name": "🌹🌷"}, {"number": "09121234565"},
        {"number": "09121234566", "name": "Ölaf"}]);
    add(&world, &shop, &id, people);
    let found = |q: &str| names(&world, &shop, &id, q);
    assert_eq!(found("علي"), ["علی رضایی", "رضا علی"]);
    assert_eq!(found("عليرضا"), ["علی رضایی"], "blanks between words are passed over");
    assert_eq!(found("رضايي"), ["علی رضایی"]);
    assert_eq!(found("رضاعلی"), ["رضا علی"]);
    assert_eq!(found("علی‌زاده"), [""; 0]);
    assert_eq!(found("گ"), ["🌹 گل"]);
    assert_eq!(
        found("🌹"),
        ["🌹🌷"],
        "a name is searched by its words, and by what is seen of it if it has none"
    );
    assert_eq!(found("öL"), ["Ölaf"], "case is equal beyond ASCII, too");
    // Nothing is left of these to search for.
    for nothing in ["\u{200f}", "\u{200c}\u{202a}", "%", "_", "*", "\u{640}", "ّ"] {
        assert_eq!(found(nothing), [""; 0], "{nothing:?}");
    }
}

#[test]
fn of_a_long_name_no_more_is_kept_than_a_search_can_name() {
    let (world, shop, id) = with_phonebook();
    let name = format!("{}كي", "ا".repeat(98)).repeat(2);
    add(&world, &shop, &id, json!([{"number": "09121234567", "name": name}]));
    let beginning = format!("{}کی", "آ".repeat(98));
    assert_eq!(names(&world, &shop, &id, &beginning).len(), 1);
    assert_eq!(names(&world, &shop, &id, &"ا".repeat(99)).len(), 0);
    assert_eq!(
        world.db.number("SELECT max(length(search_name)) FROM phonebook_number"),
        100
    );
}

#[test]
fn a_number_is_found_as_people_paste_it() {
    let (world, shop, id) = with_phonebook();
    add(
        &world,
        &shop,
        &id,
        json!([{"number": "09121234567", "name": "A"}, {"number": "+491711234567", "name": "B"}]),
    );
    for (q, name) in [
        ("\u{200e}0912", "A"),
        ("\u{202a}+98 912\u{202c}", "A"),
        ("(0912) 123", "A"),
        ("0912.123", "A"),
        ("۰۹۱۲\u{200c}۱۲۳", "A"),
        ("0912\u{a0}123", "A"),
        ("\u{2066}0049 171", "B"),
        ("+٤٩", "B"),
    ] {
        assert_eq!(names(&world, &shop, &id, q), [name], "{q:?}");
    }
    for none in ["09+12", "++98", "0912x", "+", "."] {
        assert_eq!(names(&world, &shop, &id, none), [""; 0], "{none:?}");
    }
}

#[test]
fn whoever_writes_a_name_writes_what_it_is_searched_by() {
    let (world, shop, id) = with_phonebook();
    let found = |q: &str| names(&world, &shop, &id, q);
    let assert_together = || {
        for row in world.db.run("SELECT name, search_name FROM phonebook_number") {
            let wanted = row.opt_text(0).unwrap().as_deref().map(form);
            assert_eq!(row.opt_text(1).unwrap(), wanted);
        }
    };
    add(&world, &shop, &id, json!([{"number": "09121234567", "name": "علي"}]));
    assert_eq!(found("علی"), ["علي"]);
    add(&world, &shop, &id, json!(["09121234567"]));
    assert_eq!(found("علی"), ["علي"], "a name that the request leaves out stays");
    add(
        &world,
        &shop,
        &id,
        json!([{"number": "09121234567", "name": "كاوه", "attributes": {"city": "x"}}]),
    );
    assert_eq!((found("علی"), found("کاوه")), (vec![], vec!["كاوه".to_owned()]));
    world
        .import(&shop.key, &id, "number,name\n09121234567,آرش\n09121234568,!\n")
        .expect(201);
    assert_eq!((found("کاوه"), found("ارش")), (vec![], vec!["آرش".to_owned()]));
    assert_eq!(found("!"), ["!"]);
    assert_together();
    let number = search(&world, &shop, &id, "0912", 200)[0]["id"].clone();
    let put = |body: Value| {
        let path = format!("/phonebook/number/{id}/{number}");
        world.put(&shop.key, &path, body).expect(200);
        assert_together();
    };
    put(json!({"attributes": {}}));
    assert_eq!(found("ارش"), ["آرش"]);
    put(json!({"name": "ÄRZTE"}));
    assert_eq!((found("ارش"), found("ärz")), (vec![], vec!["ÄRZTE".to_owned()]));
    put(json!({"name": null}));
    assert_eq!(found("ärz"), [""; 0]);
    put(json!({"name": "Ali"}));
    // What a name is searched by takes no room of the account.
    let bytes = "SELECT phonebook_bytes FROM account WHERE username = 'shop'";
    assert_eq!(world.db.number(bytes), 103 + 101);
}

/// The ways to write each letter of a name.
const LETTERS: &[&[&str]] = &[
    &["a", "A", "ａ", "a\u{301}"],
    &["ö", "Ö"],
    &["z", "Z"],
    &["ی", "ي", "ى", "ئ", "ی\u{654}"],
    &["ک", "ك"],
    &["ا", "آ", "أ", "ا\u{653}", "اَ"],
    &["ه", "ة", "هٔ"],
    &["س", "سّ"],
    &["1", "۱", "١"],
    &["9", "۹", "٩"],
];
/// What may stand before a letter.
const BETWEEN: &[&str] = &[
    "", "", "", " ", "  ", "\u{200c}", "\u{a0}", "\u{200f}", "-", "\u{640}", ".", "\u{202b}",
];

/// A name: its letters, and how each is written.
type Name = Vec<(prop::sample::Index, [prop::sample::Index; 4])>;

/// The name in one of two ways to write it.
fn written(name: &Name, way: usize) -> String {
    let letter = |(letter, ways): &(prop::sample::Index, [prop::sample::Index; 4])| {
        let form = ways[way].get(LETTERS[letter.index(LETTERS.len())]);
        format!("{}{form}", ways[way + 2].get(BETWEEN))
    };
    name.iter().map(letter).collect()
}

/// A text as names are compared: small letters and digits in their order, or what is seen of it.
fn folded(text: &str) -> String {
    let letters: String = text.to_lowercase().replace('آ', "ا");
    let letters: String = letters
        .chars()
        .filter(|character| character.is_alphanumeric())
        .collect();
    match letters.is_empty() {
        true => text.chars().filter(|character| !character.is_whitespace()).collect(),
        false => letters,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(48)) })]

    #[test]
    fn each_part_of_each_form_of_a_name_finds_it(
        name in prop::collection::vec(any::<(prop::sample::Index, [prop::sample::Index; 4])>(), 1..7),
        part in any::<[prop::sample::Index; 2]>(),
    ) {
        let (world, shop, id) = with_phonebook();
        let (kept, typed) = (written(&name, 0), written(&name, 1));
        add(&world, &shop, &id, json!([{"number": "09121234567", "name": kept}, {"number": "02188776655", "name": "q"}]));
        let typed: Vec<char> = typed.chars().collect();
        let mut ends = part.map(|end| end.index(typed.len() + 1));
        ends.sort_unstable();
        let part: String = typed[ends[0]..ends[1]].iter().collect();
        if form(&part).chars().any(char::is_alphanumeric) {
            let found = names(&world, &shop, &id, &part);
            let by_name: Vec<&String> = found.iter().filter(|name| *name != "q").collect();
            prop_assert_eq!(by_name, [kept.trim()], "{:?} finds {:?}", part, kept);
            let is_number = part.chars().all(|character| !character.is_alphabetic());
            prop_assert!(is_number || found.len() == 1, "{:?} finds another", part);
        }
    }

    #[test]
    fn a_search_finds_what_has_it_page_by_page(
        names in prop::collection::vec("[aAbBzZ@\\[`{ اآ]{0,3}", 1..12),
        searches in prop::collection::vec("[aAzZ@`ا]{1,2}|0?9[12]{0,2}|[+]98|[0123]{1,4}", 1..4),
        limit in 1usize..4,
    ) {
        let (world, shop, id) = with_phonebook();
        let numbers: Vec<Value> = names.iter().enumerate().map(|(index, name)| {
            let number = format!("09{}212300{index:02}", index % 3 + 1);
            match name.trim().is_empty() {
                true => json!(number),
                false => json!({"number": number, "name": name}),
            }
        }).collect();
        add(&world, &shop, &id, json!(numbers));
        let all = world.all(&shop.key, &format!("/phonebook/number/{id}?limit=200"));
        for asked in searches {
            let fits = |item: &&Value| {
                let number = &item["number"].as_str().unwrap()[1..];
                if let Some(digits) = asked.strip_prefix('+') {
                    return number.starts_with(digits);
                }
                let begins = match asked.strip_prefix("00") {
                    Some(digits) => !digits.is_empty() && number.starts_with(digits),
                    None => asked.starts_with('0') && number[2..].starts_with(&asked[1..]),
                };
                let is_number = asked.chars().all(|char| char.is_ascii_digit());
                let is_part = is_number && number.contains(&asked);
                begins || is_part || item["name"].as_str().is_some_and(|name| folded(name).contains(&folded(&asked)))
            };
            let wanted: Vec<&Value> = all.iter().filter(fits).collect();
            let found = search(&world, &shop, &id, &asked, limit);
            prop_assert_eq!(found.iter().collect::<Vec<_>>(), wanted, "{}", asked);
        }
    }
}

/// A phonebook with more numbers than one request looks at: `989_000_000_000` and what follows. Each 30,000th has a name, and so has
/// the first that the second statement looks at.
fn with_many_numbers() -> (World, Account, String, i64) {
    let (world, shop, id) = with_phonebook();
    let numbers = i64::from(LOOKED_AT * STATEMENTS) + 50_000;
    world.db.run(&format!(
        "INSERT INTO phonebook_number (phonebook, msisdn, name, search_name, created_ms) \
         WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {numbers} - 1) \
         SELECT seq, 989000000000 + i, iif(i % 30000 = 29999, 'Sara', iif(i = {LOOKED_AT}, 'Border', NULL)), \
           iif(i % 30000 = 29999, 'sara', iif(i = {LOOKED_AT}, 'border', NULL)), 0 \
         FROM n, phonebook"
    ));
    (world, shop, id, numbers)
}

#[test]
fn in_a_large_phonebook_a_request_looks_so_far_and_tells_where_to_go_on() {
    let (world, shop, id, numbers) = with_many_numbers();
    let ask = |rest: &str| {
        let path = format!("/phonebook/number/{id}?{rest}");
        world.read(&shop.key, &path).json.clone()
    };
    let page = ask("q=ara&limit=3");
    assert_eq!(page["data"].as_array().unwrap().len(), 3);
    let next = page["meta"]["nextCursor"].as_str().unwrap();
    let page = ask(&format!("q=ara&limit=3&cursor={next}"));
    let found: Vec<&str> = page["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["number"].as_str().unwrap())
        .collect();
    assert_eq!(
        found,
        ["+989000119999", "+989000149999"],
        "a page that reaches behind what one request looks at"
    );
    assert_eq!(page["meta"]["nextCursor"], Value::Null);
    assert_eq!(ask("q=border")["data"].as_array().unwrap().len(), 1);
    let page = ask("q=nobody");
    assert_eq!(page["data"], json!([]));
    let next = page["meta"]["nextCursor"].as_str().unwrap();
    assert_eq!(
        ask(&format!("q=nobody&cursor={next}"))["meta"]["nextCursor"],
        Value::Null
    );
    assert_eq!(
        search(&world, &shop, &id, "Sara", 2).len(),
        usize::try_from(numbers / 30_000).unwrap()
    );
    // Whole numbers are found at once, wherever they stand.
    let last = numbers - 1;
    for q in [
        format!("0900{last:07}"),
        format!("900{last:07}"),
        format!("%2B98900{last:07}"),
    ] {
        let page = ask(&format!("q={q}"));
        assert_eq!(page["data"][0]["number"], format!("+98900{last:07}"), "{q}");
        assert_eq!(page["meta"]["nextCursor"], Value::Null);
    }
}

#[test]
fn the_last_digits_of_a_number_find_it() {
    let (world, shop, id) = with_phonebook();
    add(
        &world,
        &shop,
        &id,
        json!([{"number": "09121234567", "name": "A"}, {"number": "09129994561", "name": "4567 B"}]),
    );
    assert_eq!(names(&world, &shop, &id, "4567"), ["A", "4567 B"]);
    assert_eq!(names(&world, &shop, &id, "۴۵۶۱"), ["4567 B"]);
    assert_eq!(names(&world, &shop, &id, "1234567"), ["A"]);
    assert_eq!(
        names(&world, &shop, &id, "91234567"),
        [""; 0],
        "eight digits are a beginning"
    );
    add(&world, &shop, &id, json!([{"number": "09121110012", "name": "C"}]));
    assert_eq!(names(&world, &shop, &id, "0012"), ["C"]);
    assert_eq!(names(&world, &shop, &id, "012"), ["C"]);
}
