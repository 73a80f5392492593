//! Phonebooks and their numbers: stored, searched, imported, exported.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{Account, World, assert_contains, assert_starts, cases, pick};

fn with_phonebook() -> (World, Account, String) {
    let (world, shop) = World::with_busy_account(1_000_000);
    let made = world.posted(&shop.key, "/phonebook", json!({"title": "Friends"}));
    (world, shop, made.text("/data/id"))
}

fn numbers(world: &World, key: &str, id: &str, query: &str) -> Vec<String> {
    let page = world.read(key, &format!("/phonebook/number/{id}?limit=200{query}"));
    page.texts("number")
}

/// Asserts that the phonebook reports this count and lists as many numbers.
#[track_caller]
fn assert_count(world: &World, key: &str, id: &str, wanted: i64) {
    assert_eq!(world.read(key, &format!("/phonebook/{id}")).int("/data/count"), wanted);
    assert_eq!(i64::try_from(numbers(world, key, id, "").len()).unwrap(), wanted);
}

#[test]
fn a_phonebook_is_made_changed_and_deleted_in_both_spellings() {
    let (world, shop, id) = with_phonebook();
    let get = |id: &str| world.get(&shop.key, &format!("/phonebook/{id}"));
    let phonebook = get(&id).expect(200);
    assert_eq!(phonebook.text("/data/title"), "Friends");
    assert_eq!(phonebook.json["data"]["description"], Value::Null);
    let path = format!("/phonebook/{id}");
    let changed = world.put(&shop.key, &path, json!({"title": "دوستان", "description": "all"}));
    assert_eq!(changed.expect(200).text("/data/title"), "دوستان");
    let body = json!({"id": id, "description": null});
    let changed = world.put(&shop.key, "/phonebook", body).expect(200);
    assert_eq!(changed.json["data"]["description"], Value::Null);
    assert_eq!(changed.text("/data/title"), "دوستان");
    let second = world.posted(&shop.key, "/phonebook", json!({"title": "Second"}));
    world.delete(&shop.key, &path).expect(204);
    get(&id).refused(404);
    world.delete(&shop.key, &path).refused(404);
    let in_query = format!("/phonebook?id={}", second.text("/data/id"));
    world.delete(&shop.key, &in_query).expect(204);
    assert_eq!(world.read(&shop.key, "/phonebook").json["data"], json!([]));
    world.delete(&shop.key, "/phonebook").faults(&["id: is required"]);
}

#[test]
fn bad_phonebooks_are_refused_with_all_their_faults() {
    let (world, shop, id) = with_phonebook();
    let bad = json!({"title": "x".repeat(201), "description": 5});
    let faults = [
        "title: must have at most 200 characters",
        "description: must be a string",
    ];
    world.post(&shop.key, "/phonebook", bad.clone()).faults(&faults);
    let path = format!("/phonebook/{id}");
    assert_eq!(world.put(&shop.key, &path, bad).refused(422).extra(), faults);
    world
        .put(&shop.key, "/phonebook", json!({"title": null}))
        .faults(&["id: is required", "title: is required"]);
    assert_eq!(world.read(&shop.key, &path).text("/data/title"), "Friends");
}

#[test]
fn a_title_is_taken_once_in_an_account() {
    let (world, shop, id) = with_phonebook();
    let refused = world.post(&shop.key, "/phonebook", json!({"title": "Friends"}));
    let again = refused.refused(409);
    let wanted = "Another phonebook of the account has this title.";
    assert_eq!(again.text("/detail"), wanted);
    let second = world.posted(&shop.key, "/phonebook", json!({"title": "Second"}));
    let path = format!("/phonebook/{}", second.text("/data/id"));
    let body = json!({"title": "Friends", "description": "x"});
    world.put(&shop.key, &path, body).refused(409);
    let phonebook = world.read(&shop.key, &path);
    phonebook.has(json!({"title": "Second", "description": null}));
    let path = format!("/phonebook/{id}");
    world.put(&shop.key, &path, json!({"title": "Friends"})).expect(200);
    let other = world.account("other", 0);
    world.posted(&other.key, "/phonebook", json!({"title": "Friends"}));
}

#[test]
fn a_phonebook_with_a_scheduled_message_is_not_deleted() {
    let (world, shop, id) = with_phonebook();
    let numbers = format!("/phonebook/number/{id}");
    world.posted(&shop.key, &numbers, json!({"number": "09121234567"}));
    let at = peyk::base::time::to_rfc3339(world.now_ms.get() + 60_000);
    let body = json!({"phonebook": id, "message": "hi", "sendAt": at});
    let uid = world.posted(&shop.key, "/sms/phonebook/send", body).text("/data/uid");
    for path in [format!("/phonebook/{id}"), format!("/phonebook?id={id}")] {
        let refused = world.delete(&shop.key, &path).refused(409);
        assert!(refused.text("/detail").contains(&uid));
    }
    assert_count(&world, &shop.key, &id, 1);
    world.settle(120_000);
    world.delete(&shop.key, &format!("/phonebook/{id}")).expect(204);
    assert_eq!(world.message(&shop.key, &uid).text("/data/status"), "DONE");
}

#[test]
fn one_number_is_added_updated_changed_and_deleted() {
    let (world, shop, id) = with_phonebook();
    let path = format!("/phonebook/number/{id}");
    let body = json!({"number": "۰۹۱۲ ۱۲۳ ۴۵۶۷", "name": " علی ", "attributes": {"city": "Tehran", "age": 40}});
    let added = world.posted(&shop.key, &path, body);
    assert_eq!((added.int("/data/added"), added.int("/data/updated")), (1, 0));
    assert_eq!(added.json["data"]["invalid"], json!([]));
    let number = added.json["data"]["numbers"][0].clone();
    assert_eq!(number["number"], "+989121234567");
    assert_eq!(number["name"], "علی");
    assert_eq!(number["attributes"], json!({"age": "40", "city": "Tehran"}));
    let again = world.posted(&shop.key, &path, json!({"number": "+989121234567", "name": "Reza"}));
    assert_eq!((again.int("/data/added"), again.int("/data/updated")), (0, 1));
    assert_eq!(again.json["data"]["numbers"][0]["id"], number["id"]);
    let found = again.text("/data/numbers/0/attributes/city");
    assert_eq!(found, "Tehran", "what was not said stays");
    assert_count(&world, &shop.key, &id, 1);
    let one = format!("{path}/{}", number["id"]);
    let body = json!({"number": "09351234567", "name": null, "attributes": {}});
    let changed = world.put(&shop.key, &one, body);
    let changed = changed.expect(200);
    assert_eq!(changed.text("/data/number"), "+989351234567");
    changed.has(json!({"name": null, "attributes": {}}));
    world.posted(&shop.key, &path, json!({"number": "09121234567"}));
    let refused = world.put(&shop.key, &one, json!({"number": "09121234567"}));
    refused.refused(409);
    assert_eq!(numbers(&world, &shop.key, &id, ""), ["+989121234567", "+989351234567"]);
    world.delete(&shop.key, &one).expect(204);
    world.delete(&shop.key, &one).refused(404);
    assert_count(&world, &shop.key, &id, 1);
    for missing in ["0", "-1", "x", "99999999999999999999"] {
        world.delete(&shop.key, &format!("{path}/{missing}")).refused(404);
    }
}

#[test]
fn many_numbers_are_added_and_the_bad_are_told_by_their_place() {
    let (world, shop, id) = with_phonebook();
    let path = format!("/phonebook/number/{id}");
    let list = json!({"numbers": ["09121234567", {"number": "x", "name": 5}, {"number": "09121234567", "name": "Ali"},
        {"number": "09351234567", "attributes": {"name": "x"}}, 7, {"number": "+447911123456", "attributes": {"a": "b"}}, {}]});
    let added = world.posted(&shop.key, &path, list);
    assert_eq!((added.int("/data/added"), added.int("/data/updated")), (2, 1));
    let expected = json!([
        {"index": 1, "value": "x", "detail": "is not a valid phone number; must be a string"},
        {"index": 3, "value": "09351234567", "detail": "must be of the form 1 to 50 characters without %, control characters, invisible marks, and blanks but for one space between words, and not a title that an import reads as the number or the name"},
        {"index": 4, "value": "7", "detail": "must be an object or a string"},
        {"index": 6, "value": null, "detail": "is required"},
    ]);
    assert_eq!(added.json["data"]["invalid"], expected);
    let saved: Vec<String> = pick(&added.json["data"]["numbers"], "number");
    assert_eq!(saved, ["+989121234567", "+447911123456"]);
    assert_eq!(added.text("/data/numbers/0/name"), "Ali");
    assert_count(&world, &shop.key, &id, 2);
    let body = json!({"numbers": ["x", {"number": 5}]});
    world.post(&shop.key, &path, body).faults(&[
        "numbers[0]: is not a valid phone number",
        "numbers[1].number: must be a string",
    ]);
    let odd = json!({"numbers": ["09121234567", "۰".repeat(65), {"number": ["0912", null]}, {"number": null}, null]});
    let added = world.posted(&shop.key, &path, odd);
    let values: Vec<Option<String>> = pick(&added.json["data"]["invalid"], "value");
    let expected = [
        Some("۰".repeat(63) + "…"),
        Some(r#"["0912",null]"#.to_owned()),
        None,
        None,
    ];
    assert_eq!(
        values, expected,
        "what is written is quoted, and no more of it than people read"
    );
    let many = |count: u32| {
        let list: Vec<String> = (0..count).map(|number| format!("0913{number:07}")).collect();
        world.post(&shop.key, &path, json!({"numbers": list}))
    };
    many(1_001).faults(&["numbers: must have at most 1000 items"]);
    many(0).faults(&["numbers: must not be empty"]);
    assert_eq!(many(1_000).expect(201).int("/data/added"), 1_000);
    world.post(&shop.key, &path, json!({})).faults(&["number: is required"]);
    let attributes: serde_json::Map<String, Value> = (0..21).map(|n| (format!("a{n}"), json!("x"))).collect();
    let full = json!({"number": "09121234567", "attributes": attributes});
    world
        .post(&shop.key, &path, full)
        .faults(&["attributes: must have at most 20 items"]);
}

#[test]
fn numbers_are_found_by_the_beginning_of_number_or_name() {
    let (world, shop, id) = with_phonebook();
    let list = json!({"numbers": [{"number": "09121234567", "name": "Ali"}, {"number": "09351234567", "name": "alireza"},
        {"number": "+491711234567", "name": "100% Öl"}]});
    world.posted(&shop.key, &format!("/phonebook/number/{id}"), list);
    let found = |q: &str| numbers(&world, &shop.key, &id, &format!("&q={q}"));
    assert_eq!(found("0912"), ["+989121234567"]);
    assert_eq!(found("%DB%B0%DB%B9%DB%B1%DB%B2"), ["+989121234567"]);
    assert_eq!(found("%2B98"), ["+989121234567", "+989351234567"]);
    assert_eq!(found("0049"), ["+491711234567"]);
    assert_eq!(found("ALI"), ["+989121234567", "+989351234567"]);
    assert_eq!(found("100%25"), ["+491711234567"]);
    assert_eq!(found("%25").len(), 0, "no wildcards");
    assert_eq!(found("").len(), 3);
    let path = format!("/phonebook/number/{id}?q={}", "x".repeat(101));
    let long = world.get(&shop.key, &path).refused(422);
    assert_eq!(long.extra(), ["q: must have at most 100 characters"]);
}

#[test]
fn pages_stay_whole_while_numbers_come_and_go() {
    let (world, shop, id) = with_phonebook();
    let path = format!("/phonebook/number/{id}");
    let list: Vec<String> = (0..10).map(|number| format!("091212345{number}0")).collect();
    world.posted(&shop.key, &path, json!({"numbers": list}));
    let first = world.read(&shop.key, &format!("{path}?limit=5"));
    let cursor = first.text("/meta/nextCursor");
    world.posted(&shop.key, &path, json!({"numbers": ["09121234505", "09121234599"]}));
    let rest = numbers(&world, &shop.key, &id, &format!("&cursor={cursor}"));
    assert_eq!(rest.len(), 6, "the one before is not repeated, the one behind is seen");
    assert_eq!(rest[0], "+989121234550");
    for (query, fault) in [
        ("limit=0", "limit: must be a whole number from 1 to 200"),
        ("limit=201", "limit: must be a whole number from 1 to 200"),
        ("limit=x", "limit: must be a whole number from 1 to 200"),
        (
            "cursor=abc",
            "cursor: must be of the form a \"nextCursor\" of this list",
        ),
    ] {
        world.get(&shop.key, &format!("{path}?{query}")).faults(&[fault]);
    }
    let path = format!("/phonebook?cursor={cursor}");
    let faults = world.get(&shop.key, &path).refused(422).extra();
    assert_eq!(faults, ["cursor: must be of the form a \"nextCursor\" of this list"]);
}

#[test]
fn a_file_of_any_make_is_imported() {
    let (world, shop, id) = with_phonebook();
    let csv = "\u{feff}شماره;نام;شهر\r\n۰۹۱۲۱۲۳۴۵۶۷;\"علی; رضا\";تهران\r\n\r\n0935 123 4567;;\r\n";
    let done = world.import(&shop.key, &id, csv).expect(201);
    let columns = json!({"number": "شماره", "name": "نام", "attributes": ["شهر"], "leftOut": []});
    let expected = json!({"columns": columns, "lines": 2, "added": 2, "updated": 0, "invalidCount": 0, "invalid": []});
    assert_eq!(done.json["data"], expected);
    let page = world.read(&shop.key, &format!("/phonebook/number/{id}"));
    assert_eq!(page.text("/data/0/name"), "علی; رضا");
    assert_eq!(page.json["data"][0]["attributes"], json!({"شهر": "تهران"}));
    assert_eq!(page.json["data"][1]["name"], Value::Null);
    let answer = world.import(&shop.key, &id, "number,name\n09121234567,\n09121234567,Sara\n");
    let again = answer.expect(201);
    assert_eq!((again.int("/data/added"), again.int("/data/updated")), (0, 2));
    let page = world.read(&shop.key, &format!("/phonebook/number/{id}"));
    assert_eq!(page.text("/data/0/name"), "Sara");
    let attributes = &page.json["data"][0]["attributes"];
    assert_eq!(*attributes, json!({"شهر": "تهران"}), "an empty cell says nothing");
    assert_count(&world, &shop.key, &id, 2);
}

#[test]
fn bad_lines_are_told_by_their_number_and_the_good_are_taken() {
    let (world, shop, id) = with_phonebook();
    let long = "x".repeat(201);
    let csv =
        format!("number,name\n09121234567,a\n12,b\n\n,c\n09121234568,{long}\n0912,1,2,3\n09121234569,\"d\ne\"\nx\n");
    let answer = world.import(&shop.key, &id, [csv.as_bytes(), b"\xff\xfe,x\n09121234570\n"].concat());
    let done = answer.expect(201);
    done.has(json!({"added": 3, "invalidCount": 6, "lines": 9}));
    let expected = json!([
        {"line": 3, "value": "12", "detail": "number: is not a valid phone number"},
        {"line": 5, "value": "", "detail": "number: is required"},
        {"line": 6, "value": "09121234568", "detail": "name: must have at most 200 characters"},
        {"line": 7, "value": "0912", "detail": "has 4 cells, and the first line 2 titles: a value with the delimiter in it needs quotes (\")"},
        {"line": 10, "value": "x", "detail": "number: is not a valid phone number"},
        {"line": 11, "value": null, "detail": "is not UTF-8: save the file as \"CSV UTF-8\""},
    ]);
    assert_eq!(done.json["data"]["invalid"], expected);
    let many = format!("number\n{}", "x\n".repeat(1_500));
    let done = world.import(&shop.key, &id, many).expect(201);
    assert_eq!(done.int("/data/invalidCount"), 1_500);
    assert_eq!(done.json["data"]["invalid"].as_array().unwrap().len(), 1_000);
}

#[test]
fn a_file_in_utf16_is_read() {
    let (world, shop, id) = with_phonebook();
    let text = "شماره تماس\tنام\r\n09121234567\tعلی\r\n";
    for (number, to_bytes) in [
        ("09121234567", u16::to_le_bytes as fn(u16) -> [u8; 2]),
        ("09351234567", u16::to_be_bytes),
    ] {
        let text = text.replace("09121234567", number);
        let units = std::iter::once(0xfeff).chain(text.encode_utf16().collect::<Vec<_>>());
        let file: Vec<u8> = units.flat_map(to_bytes).collect();
        world
            .import(&shop.key, &id, file)
            .expect(201)
            .has(json!({"added": 1, "invalidCount": 0}));
    }
    let listed = world.read(&shop.key, &format!("/phonebook/number/{id}"));
    assert_eq!(listed.texts("name"), ["علی", "علی"]);
}

#[test]
fn a_file_without_a_usable_header_changes_nothing() {
    let (world, shop, id) = with_phonebook();
    let faults = |csv: &[u8]| world.import(&shop.key, &id, csv).refused(422).extra();
    for empty in ["", "\n\n", "sep=;\n", "\u{feff}"] {
        let wanted = ["file: is empty: its first line must have the titles of the columns"];
        assert_eq!(faults(empty.as_bytes()), wanted, "{empty:?}");
    }
    for workbook in [&b"PK\x03\x04\x14\x00"[..], b"\xD0\xCF\x11\xE0\xA1\xB1"] {
        assert_starts(
            &faults(workbook)[0],
            "file: is an Excel workbook, not a text: save it as \"CSV UTF-8\"",
        );
    }
    let alone = faults(b"09121234567\n09121234568\n");
    assert_starts(&alone[0], "header: has no column of numbers: title it one of number,");
    let end = "?number=گیرنده does. Delimiters are comma, semicolon and tab. The first line is: 09121234567";
    assert_contains(&alone[0], end);
    let several = faults("گیرنده,شهر\n09121234567,قم\n".as_bytes());
    assert_contains(&several[0], "?number=گیرنده does. The first line is: گیرنده, شهر");
    let wanted = "header: has several columns of numbers (number, mobile): name the right one in the query, as ?number= and its title";
    assert_eq!(faults(b"number,name,mobile,n%\n")[0], wanted);
    let wanted = "header[3]: column 4: the title \"n%\" must not have a %";
    assert_eq!(faults(b"number,name,mobile,n%\n")[1], wanted);
    let wanted = "header: has several columns with the title \"شماره\": rename all but the one with the numbers";
    assert_eq!(faults("شماره,شماره\n".as_bytes()), [wanted]);
    for twice in ["full name", "name"] {
        let wanted = "means the same as that of an earlier column: rename one of them";
        let wanted = format!("header[2]: column 3: the title \"{twice}\" {wanted}");
        assert_eq!(faults(format!("number,name,{twice}\n").as_bytes()), [wanted]);
    }
    assert_eq!(
        faults(b"\xff\xfe\n"),
        ["header: is not UTF-8: save the file as \"CSV UTF-8\""]
    );
    let wanted = "header[1]: column 2: the title \"a\u{1}\" must not have control characters";
    assert_eq!(faults(b"number,a\x01\n"), [wanted]);
    let long = faults(format!("number,{}\n", "x".repeat(51)).as_bytes());
    assert_contains(&long[0], "must have at most 50 characters");
    let wide = (0..51).map(|n| format!(",a{n}")).collect::<String>();
    let wanted = ["header: may name at most 50 attributes, and names 51: leave some columns out of the file"];
    assert_eq!(faults(format!("number{wide}\n").as_bytes()), wanted);
    let path = format!("/phonebook/{id}/import");
    let json = world.post(&shop.key, &path, json!({})).refused(415);
    assert!(json.text("/detail").contains("text/csv"));
    assert_count(&world, &shop.key, &id, 0);
}

#[test]
fn a_bad_quote_refuses_the_whole_file() {
    let (world, shop, id) = with_phonebook();
    let many: String = (0..5_000).map(|number| format!("x,0913{number:07}\n")).collect();
    for (file, line) in [
        ("name,number\n\"Ali\n09121234567,Sara\n09121234568".to_owned(), 2),
        // What stands before it is more than a transaction saves.
        (
            format!("name,number\n{many}\"Ali,09121234567\nSara,09121234568\n"),
            5_002,
        ),
        // Neither too many lines nor too many bytes hide it.
        (format!("name,number\n\"Ali,09121234567\n{many}\"\n"), 2),
        (format!("name,number\n\"{}\nx\",0912\n", "x".repeat(17_000)), 2),
        ("sep=;\n\n\"name;number\nAli;09121234567\n".to_owned(), 3),
    ] {
        let wanted = format!("file: has a quote (\") in line {line} that does not close; nothing of it was imported");
        assert_eq!(
            world.import(&shop.key, &id, file.as_bytes()).refused(422).extra(),
            [wanted]
        );
        let units = std::iter::once(0xfeff).chain(file.encode_utf16());
        let utf16: Vec<u8> = units.flat_map(u16::to_le_bytes).collect();
        world.import(&shop.key, &id, utf16).refused(422);
        assert_count(&world, &shop.key, &id, 0);
    }
    // A later quote closes it, and its own value stands behind.
    let closed = "number,name\n09121234567,\"Ali\n09121234568,\"Sara\"\n";
    assert_starts(
        &world.import(&shop.key, &id, closed).refused(422).extra()[0],
        "file: has a quote (\") that opens in line 2 and closes in line 3 with text behind it: ",
    );
    let good = "number,name\n09121234567,\"two\nlines\"\n09121234568,5\" pipe\n";
    world
        .import(&shop.key, &id, good)
        .expect(201)
        .has(json!({"added": 2, "invalidCount": 0}));
}

#[test]
fn titles_are_read_whatever_nobody_sees_in_them() {
    let (world, shop, id) = with_phonebook();
    let csv = "\u{feff}\u{200f}شماره\u{a0} موبايل\u{200e},\u{feff}نام,\u{200f}شهر \u{a0}تولد\n09121234567,علی,قم\n";
    world
        .import(&shop.key, &id, csv)
        .expect(201)
        .has(json!({"added": 1, "invalidCount": 0}));
    let page = world.read(&shop.key, &format!("/phonebook/number/{id}"));
    assert_eq!(
        (page.text("/data/0/name"), &page.json["data"][0]["attributes"]),
        ("علی".to_owned(), &json!({"شهر تولد": "قم"}))
    );
}

#[test]
fn the_request_chooses_among_several_columns_of_numbers() {
    let (world, shop, id) = with_phonebook();
    let csv = "تلفن,موبایل\u{200f},نام,second\n02188776655,09121234567,Ali,09351234567\n";
    let import = |title: &str| {
        let title: String = form_urlencoded::byte_serialize(title.as_bytes()).collect();
        let request = world.ask("POST", &shop.key, &format!("/phonebook/{id}/import?number={title}"));
        request.body("text/csv", csv.as_bytes()).send()
    };
    let faults = world.import(&shop.key, &id, csv).refused(422).extra();
    let wanted = "header: has several columns of numbers (تلفن, موبایل\u{200f}): name the right one in the query, as ?number= and its title";
    assert_eq!(faults, [wanted]);
    assert_starts(
        &import("همراه").refused(422).extra()[0],
        "number: must be one of تلفن, موبایل",
    );
    let done = import("تلفن").expect(201);
    let columns = json!({"number": "تلفن", "name": "نام", "attributes": ["second"], "leftOut": ["موبایل\u{200f}"]});
    assert_eq!(done.json["data"]["columns"], columns);
    for (title, number) in [
        ("موبايل", "+989121234567"),
        ("تلفن", "+982188776655"),
        ("Second", "+989351234567"),
    ] {
        import(title).expect(201).has(json!({"invalidCount": 0}));
        assert!(
            numbers(&world, &shop.key, &id, "").contains(&number.to_owned()),
            "{title}"
        );
    }
}

#[test]
fn what_spreadsheets_make_of_numbers_and_lines_is_read() {
    let (world, shop, id) = with_phonebook();
    let csv = "\nsep=;\n\"number\";name;\n9121110010.0;a;\n'09121110011;b;;;\n=\"09121110012\";c;\n\"=\"\"09121110013\"\"\";d\n۹۱۲۱۱۱۰۰۱۴٫۰۰;e;\n;;\n";
    let bad = "912111001.0;f;\n0218877665.0;g;\n912111001.5;h\n09121110015;i;;more\n";
    let done = world.import(&shop.key, &id, format!("{csv}{bad}")).expect(201);
    done.has(json!({"lines": 9, "added": 5, "invalidCount": 4}));
    let lines: Vec<i64> = (0..4).map(|at| done.int(&format!("/data/invalid/{at}/line"))).collect();
    assert_eq!(lines, [10, 11, 12, 13]);
    let wanted: Vec<String> = (10..15).map(|end| format!("+9891211100{end}")).collect();
    assert_eq!(numbers(&world, &shop.key, &id, ""), wanted);
}

#[test]
fn a_cell_that_is_no_number_says_what_has_become_of_it() {
    let (world, shop, id) = with_phonebook();
    let csv = "number\n9.12E+09\n9121110003.5\n09121110071 - 09121110072\n12\n";
    let done = world.import(&shop.key, &id, csv).expect(201);
    let details: Vec<String> = pick(&done.json["data"]["invalid"], "detail");
    let wanted = [
        "number: was written in scientific notation by a spreadsheet, and its digits may be lost: make the column \"Text\" there",
        "number: is a decimal, not a phone number",
        "number: has several phone numbers: write one in each cell",
        "number: is not a valid phone number",
    ];
    assert_eq!(details, wanted);
}

#[test]
fn an_import_that_ends_half_way_says_how_far_it_came_and_can_be_repeated() {
    let (world, shop, id) = with_phonebook();
    let line = |number: u32| format!("0912{number:07},{}\n", "n".repeat(90));
    let whole: String = (0..55_000).map(line).collect();
    let csv = format!("number,name\n{whole}");
    assert!(csv.len() > 5 * 1024 * 1024);
    world.import(&shop.key, &id, csv).refused(413);
    assert_count(&world, &shop.key, &id, 0);
    let saved = std::rc::Rc::new(std::cell::Cell::new(0));
    let tries = std::rc::Rc::clone(&saved);
    world.db.watch(move |_, statements| {
        let saves = |statement: &peyk::base::ports::Statement| statement.sql.contains("INSERT INTO phonebook_number");
        tries.set(tries.get() + i32::from(statements.iter().any(saves)));
        match tries.get() {
            4.. => Err(peyk::base::ports::PortError::failed("d1", "it is away")),
            _ => Ok(()),
        }
    });
    let csv: String = (0..9_000).map(line).collect();
    let stopped = world.import(&shop.key, &id, format!("number,name\n{csv}"));
    world.db.unwatch();
    assert_eq!(saved.get(), 4);
    let detail = stopped.text("/detail");
    assert_contains(&detail, "imported up to line 6001 (6000 numbers added, 0 updated)");
    let count = || world.read(&shop.key, &format!("/phonebook/{id}")).int("/data/count");
    assert_eq!(count(), 6_000);
    let half: String = (0..25_000).map(line).collect();
    let done = world.import(&shop.key, &id, format!("number,name\n{half}")).expect(201);
    assert_eq!(done.int("/data/added") + done.int("/data/updated"), 25_000);
    let large = "x".repeat(6 * 1024 * 1024);
    let body = json!({"title": "Fresh"});
    let fresh = world.posted(&shop.key, "/phonebook", body).text("/data/id");
    world.import(&shop.key, &fresh, large).refused(413);
    assert_count(&world, &shop.key, &fresh, 0);
}

#[test]
fn what_is_exported_can_be_imported() {
    let (world, shop, id) = with_phonebook();
    let list = json!({"numbers": [{"number": "09121234567", "name": "a \"b\", c", "attributes": {"شهر": "تهران"}},
        {"number": "09351234567", "attributes": {"note": "two\nlines"}}]});
    world.posted(&shop.key, &format!("/phonebook/number/{id}"), list);
    let exported = world.read(&shop.key, &format!("/phonebook/{id}/export"));
    assert_eq!(exported.response.content_type, "text/csv; charset=utf-8");
    let wanted = "number,name,note,شهر\n+989121234567,\"a \"\"b\"\", c\",,تهران\n+989351234567,,\"two\nlines\",\n";
    assert_eq!(exported.body, wanted);
    let body = json!({"title": "Copy"});
    let copy = world.posted(&shop.key, "/phonebook", body).text("/data/id");
    world.import(&shop.key, &copy, &exported.body).expect(201);
    let again = world.read(&shop.key, &format!("/phonebook/{copy}/export"));
    assert_eq!(again.body, exported.body);
    let many: String = (0..2_500).map(|number| format!("0912{number:07}\n")).collect();
    world.import(&shop.key, &copy, format!("number\n{many}")).expect(201);
    let whole = world.read(&shop.key, &format!("/phonebook/{copy}/export")).body;
    assert_eq!(whole.lines().count(), 2_504);
}

#[test]
fn what_nobody_sees_is_not_kept() {
    let (world, shop, id) = with_phonebook();
    let path = format!("/phonebook/number/{id}");
    let body = json!({"number": "09121234567", "name": "\u{0}A\tB\u{7f}\r\nC\u{85}", "attributes": {"a": "\u{1b}x"}});
    let added = world.posted(&shop.key, &path, body);
    assert_eq!(added.text("/data/numbers/0/name"), "A B\nC");
    assert_eq!(added.text("/data/numbers/0/attributes/a"), "x");
    let faults = |body: Value| world.post(&shop.key, &path, body).refused(422).extra();
    let body = json!({"number": "09121234567", "name": "\u{0} "});
    assert_eq!(faults(body), ["name: must not be empty"]);
    for name in [
        "a\u{0}",
        "a\n",
        " a",
        "a ",
        "%",
        "",
        "Phone",
        "full_name",
        "شماره",
        &"x".repeat(51),
    ] {
        let fault = faults(json!({"number": "09121234567", "attributes": {name: "x"}}));
        assert_starts(&fault[0], &format!("attributes.{name}: must be of the form 1 to 50"));
    }
    let csv = "number,name,a\n09121234568,\u{0}A\u{1}B,\u{2}\n";
    world.import(&shop.key, &id, csv).expect(201);
    let page = world.read(&shop.key, &path);
    let wanted = ("AB".to_owned(), &json!({}));
    assert_eq!((page.text("/data/1/name"), &page.json["data"][1]["attributes"]), wanted);
}

#[test]
fn attributes_of_a_number_have_only_so_many_bytes() {
    let (world, shop, id) = with_phonebook();
    let path = format!("/phonebook/number/{id}");
    // {"a":"…"} and a comma: 8 bytes beside the value.
    let send = |value: &str| {
        let body = json!({"number": "09121234567", "attributes": {"a": value}});
        world.post(&shop.key, &path, body)
    };
    send(&"x".repeat(2_041)).expect(201);
    let fault = ["attributes: must have at most 2048 characters"];
    assert_eq!(send(&"x".repeat(2_042)).refused(422).extra(), fault);
    send(&"\"".repeat(1_020)).expect(201);
    assert_eq!(send(&"\"".repeat(1_021)).refused(422).extra(), fault);
}

#[test]
fn what_goes_to_the_directory_in_one_value_is_bounded_after_escaping() {
    let (world, shop, id) = with_phonebook();
    let largest = std::rc::Rc::new(std::cell::Cell::new(0));
    let seen = std::rc::Rc::clone(&largest);
    world.db.watch(move |_, statements| {
        for value in statements.iter().flat_map(|statement| &statement.params) {
            if let peyk::base::ports::Value::Text(text) = value {
                seen.set(seen.get().max(text.len()));
            }
        }
        Ok(())
    });
    let (name, value) = ("\\".repeat(200), "\\".repeat(1_015));
    let line = |number: u32| format!("0912{number:07},{name},{value}\n");
    let lines: String = (0..1_500).map(line).collect();
    let answer = world.import(&shop.key, &id, format!("number,name,a\n{lines}"));
    assert_eq!(answer.expect(201).int("/data/added"), 1_500);
    assert!((400_000..530_000).contains(&largest.get()), "{}", largest.get());
    largest.set(0);
    let many = |number: u32| json!({"number": format!("0913{number:07}"), "attributes": {"z": "\"".repeat(100)}});
    let list: Vec<Value> = (0..1_000).map(many).collect();
    world.posted(&shop.key, &format!("/phonebook/number/{id}"), json!({"numbers": list}));
    assert!(largest.get() < 530_000, "{}", largest.get());
}

#[test]
fn a_spreadsheet_takes_no_cell_of_an_export_for_a_formula() {
    let (world, shop, id) = with_phonebook();
    let body = json!({"numbers": [{"number": "09121234567", "name": "=1+1", "attributes": {"@a": "-x",
        "'=b": "'+y", "c": "'z"}}]});
    world.posted(&shop.key, &format!("/phonebook/number/{id}"), body);
    let exported = world.read(&shop.key, &format!("/phonebook/{id}/export")).body;
    assert_eq!(exported, "number,name,''=b,'@a,c\n+989121234567,'=1+1,''+y,'-x,'z\n");
    world.import(&shop.key, &id, &exported).expect(201);
    assert_eq!(world.read(&shop.key, &format!("/phonebook/{id}/export")).body, exported);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(48)) })]

    #[test]
    fn every_phonebook_is_imported_as_it_was_exported(
        rows in prop::collection::vec(("['=+@\t\u{0}\"a-]{0,5}|.{0,8}", prop::collection::vec("['=+@\r\n;,\"a -]{0,6}|.{0,6}", 3)), 1..5),
        names in prop::collection::btree_set("['=;+,\"a-]{1,4}|\\PC{1,6}", 3),
    ) {
        let (world, shop, id) = with_phonebook();
        let names: Vec<&String> = names.iter().collect();
        let numbers = rows.iter().enumerate().map(|(index, (name, values))| {
            let attributes: serde_json::Map<String, Value> =
                names.iter().zip(values).filter(|(_, value)| !value.is_empty()).map(|(name, value)| ((*name).clone(), json!(value))).collect();
            let name = (!name.is_empty()).then_some(name);
            json!({"number": format!("0912123000{index}"), "name": name, "attributes": attributes})
        });
        let added = world.post(&shop.key, &format!("/phonebook/number/{id}"), json!({"numbers": numbers.collect::<Vec<_>>()}));
        prop_assume!(added.response.status == 201);
        let exported = world.read(&shop.key, &format!("/phonebook/{id}/export")).body;
        let copy = world.posted(&shop.key, "/phonebook", json!({"title": "Copy"})).text("/data/id");
        prop_assert_eq!(world.import(&shop.key, &copy, &exported).expect(201).int("/data/invalidCount"), 0);
        let kept = |id: &str| -> Vec<Value> {
            world.read(&shop.key, &format!("/phonebook/number/{id}")).items().iter().map(|item| {
                // An import says nothing with an empty cell.
                let attributes = item["attributes"].as_object().unwrap().iter().filter(|(_, value)| **value != json!(""));
                json!([item["number"], item["name"], attributes.collect::<Vec<_>>()])
            }).collect()
        };
        prop_assert_eq!(kept(&copy), kept(&id));
    }

    #[test]
    fn the_count_is_always_the_count(steps in prop::collection::vec((0u8..4, prop::collection::vec(0u32..30, 1..12)), 1..12)) {
        let (world, shop, id) = with_phonebook();
        let path = format!("/phonebook/number/{id}");
        let mut wanted = std::collections::BTreeSet::new();
        for (step, picks) in steps {
            let list: Vec<String> = picks.iter().map(|pick| format!("+98912123{pick:04}")).collect();
            match step {
                0 | 1 => {
                    let added = world.posted(&shop.key, &path, json!({"numbers": list}));
                    let before = wanted.len();
                    wanted.extend(list);
                    prop_assert_eq!(usize::try_from(added.int("/data/added")).unwrap(), wanted.len() - before);
                }
                2 => {
                    world.import(&shop.key, &id, format!("number\n{}", list.join("\n"))).expect(201);
                    wanted.extend(list);
                }
                _ => {
                    let items = world.read(&shop.key, &format!("{path}?limit=200")).items().clone();
                    if let Some(item) = items.get(usize::try_from(picks[0]).unwrap() % items.len().max(1)) {
                        world.delete(&shop.key, &format!("{path}/{}", item["id"])).expect(204);
                        wanted.remove(item["number"].as_str().unwrap());
                    }
                }
            }
            prop_assert_eq!(numbers(&world, &shop.key, &id, ""), wanted.iter().cloned().collect::<Vec<_>>());
            assert_count(&world, &shop.key, &id, i64::try_from(wanted.len()).unwrap());
        }
    }
}
