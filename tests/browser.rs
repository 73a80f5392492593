//! Code that may behave differently when it is compiled to wasm32, run in a headless browser: integers at 2^53 through
//! JSON, 128-bit arithmetic, text, hashing, checksums and randomness.
//!
//! The command is `cargo test --target wasm32-unknown-unknown --no-default-features --test browser`. The build leaves
//! out the entry points of the Workers runtime (feature `runtime`), because a browser has no `cloudflare:` modules. The
//! expected values are written out and not computed. The native tests compare the same functions with references. This
//! file compares wasm with the results.
#![cfg(target_arch = "wasm32")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests, though not by an attribute that Clippy knows"
)]

use std::collections::HashSet;

use peyk::account::limiter::{Cost, Limit, admit};
use peyk::auth::{self, KeyRecord, Mode};
use peyk::base::csv::Table;
use sms::msisdn::{Msisdn, Operator};
use sms::price::{Coefficient, Coefficients, MAX_AMOUNT, Operation, price};
use sms::template::{Template, is_variable_name};
use sms::text::{Encoding, Segmentation, normalise, segment};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

const MAX_SAFE_INTEGER: i64 = (1 << 53) - 1;
/// 21 November 2026.
const NOW_MS: i64 = 1_795_219_200_000;

/// Fills `bytes` with secure random bytes from the browser's `crypto.getRandomValues`.
fn random(bytes: &mut [u8]) {
    getrandom::fill(bytes).unwrap();
}

#[wasm_bindgen_test]
fn integers_beyond_32_and_53_bits_survive_json() {
    for integer in [
        0,
        -1,
        i64::from(u32::MAX) + 1,
        MAX_SAFE_INTEGER,
        MAX_SAFE_INTEGER + 2,
        i64::MAX,
        i64::MIN,
    ] {
        let json = serde_json::to_string(&integer).unwrap();
        assert_eq!(json, integer.to_string());
        assert_eq!(serde_json::from_str::<i64>(&json).unwrap(), integer);
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(value.as_i64(), Some(integer));
    }
    assert!(serde_json::from_str::<i64>("9223372036854775808").is_err());
}

#[wasm_bindgen_test]
fn instants_in_a_key_record_survive_json() {
    let record = KeyRecord {
        v: KeyRecord::VERSION,
        account: "0198".into(),
        key: "k1".into(),
        scopes: auth::Scope::ALL.to_vec(),
        mode: Mode::Live,
        lines: None,
        ips: None,
        expires_at: Some(MAX_SAFE_INTEGER),
        session_of: None,
        looks: false,
        ways: Vec::new(),
        bootstrapped_at: None,
    };
    let json = serde_json::to_string(&record).unwrap();
    assert!(json.ends_with(r#""expiresAt":9007199254740991}"#), "{json}");
    assert_eq!(serde_json::from_str::<KeyRecord>(&json).unwrap(), record);
    assert!(!record.is_expired(MAX_SAFE_INTEGER - 1) && record.is_expired(MAX_SAFE_INTEGER));
}

#[track_caller]
fn assert_segments(text: &str, encoding: Encoding, parts: u32, units: u32) {
    assert_eq!(segment(text), Segmentation { encoding, parts, units }, "{text:?}");
}

#[wasm_bindgen_test]
fn texts_have_the_same_parts_at_every_boundary() {
    assert_segments("", Encoding::Gsm7, 1, 0);
    assert_segments(&"a".repeat(160), Encoding::Gsm7, 1, 160);
    assert_segments(&"a".repeat(161), Encoding::Gsm7, 2, 161);
    assert_segments(&"a".repeat(306), Encoding::Gsm7, 2, 306);
    assert_segments(&"a".repeat(307), Encoding::Gsm7, 3, 307);
    assert_segments(&"س".repeat(70), Encoding::Ucs2, 1, 70);
    assert_segments(&"س".repeat(71), Encoding::Ucs2, 2, 71);
    assert_segments(&"س".repeat(134), Encoding::Ucs2, 2, 134);
    assert_segments(&"س".repeat(135), Encoding::Ucs2, 3, 135);
}

#[wasm_bindgen_test]
fn pairs_are_not_split() {
    assert_segments(
        &format!("{}€{}", "a".repeat(152), "a".repeat(152)),
        Encoding::Gsm7,
        3,
        306,
    );
    assert_segments(
        &format!("{}😀{}", "س".repeat(66), "س".repeat(66)),
        Encoding::Ucs2,
        3,
        134,
    );
    assert_segments(&"😀".repeat(35), Encoding::Ucs2, 1, 70);
    assert_segments(&"😀".repeat(67), Encoding::Ucs2, 3, 134);
    assert_segments("👨‍👩‍👧", Encoding::Ucs2, 1, 8);
    assert_segments("می\u{200C}خواهم", Encoding::Ucs2, 1, 8);
}

#[wasm_bindgen_test]
fn line_breaks_are_normalised() {
    assert_eq!(normalise("سلام\r\nدنیا\r!"), "سلام\nدنیا\n!");
    assert_segments(&format!("{}\r\n", "a".repeat(159)), Encoding::Gsm7, 1, 160);
}

#[wasm_bindgen_test]
fn texts_are_the_same_in_javascript() {
    for text in ["سلام دنیا", "می\u{200C}خواهم", "👨‍👩‍👧🇮🇷", "€^{}", "\u{FFFF}"] {
        let units = js_sys::JsString::from(text).length();
        assert!(
            text.contains('€') || segment(text).units == units,
            "{text:?} has {units} UTF-16 units"
        );
        let json = serde_json::to_string(text).unwrap();
        let parsed = js_sys::JSON::parse(&json).unwrap();
        assert_eq!(parsed.as_string().as_deref(), Some(text));
    }
}

#[wasm_bindgen_test]
fn digests_are_those_of_fips_180_4() {
    assert_eq!(
        auth::digest(""),
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    );
    assert_eq!(
        auth::digest("abc"),
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    );
    let two_blocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    assert_eq!(
        auth::digest(two_blocks),
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    );
    let million = "a".repeat(1_000_000);
    assert_eq!(
        auth::digest(&million),
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    );
}

#[wasm_bindgen_test]
fn checksums_are_those_of_the_native_build() {
    assert!(auth::checksum_ok("peyk_live_000000000000000000000000000000004XyCSM"));
    assert!(auth::checksum_ok("peyk_test_0123456789ABCDEFGHIJKLMNOPQRSTUV3JHSzg"));
    assert!(!auth::checksum_ok("peyk_test_0123456789ABCDEFGHIJKLMNOPQRSTUV3JHSzh"));
    assert!(!auth::checksum_ok("peyk_live_0123456789ABCDEFGHIJKLMNOPQRSTUV3JHSzg"));
    assert!(auth::checksum_ok("12|imported"));
}

#[wasm_bindgen_test]
fn keys_are_random() {
    let keys: HashSet<String> = (0..1_000).map(|_| auth::mint(Mode::Live, random)).collect();
    assert_eq!(keys.len(), 1_000, "no two are the same");
    let secrets: String = keys.iter().map(|key| &key[10..42]).collect();
    let characters: HashSet<char> = secrets.chars().collect();
    assert_eq!(characters.len(), 62, "the whole alphabet is used");
    assert!(characters.iter().all(char::is_ascii_alphanumeric));
    for key in &keys {
        assert!(
            key.starts_with("peyk_live_") && key.len() == 48 && auth::checksum_ok(key),
            "{key}"
        );
        assert_eq!(auth::bearer(Some(&format!("Bearer {key}"))), Ok(key.as_str()));
    }
}

#[wasm_bindgen_test]
fn phone_numbers_are_read_and_priced_alike() {
    for text in [
        "+989121234567",
        "۰۹۱۲ ۱۲۳ ۴۵۶۷",
        "٠٠٩٨٩١٢١٢٣٤٥٦٧",
        "9121234567",
        "\u{202A}+98 (912) 123-4567\u{202C}",
    ] {
        assert_eq!(Msisdn::parse(text).unwrap().get(), 989_121_234_567, "{text:?}");
    }
    let longest = Msisdn::parse("+999999999999999").unwrap();
    assert_eq!(
        (longest.get(), longest.to_e164().as_str()),
        (999_999_999_999_999, "+999999999999999")
    );
    assert!(Msisdn::parse("+9999999999999999").is_err());
    assert_eq!(Msisdn::parse("09121234567").unwrap().operator(), Operator::Mci);
    assert_eq!(Msisdn::parse("09351234567").unwrap().operator(), Operator::Mtn);
    assert_eq!(Msisdn::parse("09999961234").unwrap().operator(), Operator::Other);
}

#[wasm_bindgen_test]
fn prices_are_exact_at_the_largest_amounts() {
    let price_of = |parts, tariff_price, coefficients: &Coefficients| {
        price(
            parts,
            tariff_price,
            coefficients,
            Encoding::Ucs2,
            Operator::Mtn,
            Operation::Pattern,
        )
    };
    let coefficient = |value| Coefficient::from_f64(value).unwrap();
    let odd = Coefficients {
        persian: coefficient(1.1),
        mtn: coefficient(1.0001),
        pattern: coefficient(0.9999),
        ..Coefficients::default()
    };
    assert_eq!(
        price_of(1, MAX_AMOUNT, &Coefficients::default()),
        Some(9_007_199_254_740_991)
    );
    assert_eq!(price_of(1, MAX_AMOUNT + 1, &Coefficients::default()), None);
    // 7,654,321,098,765,432 × 1.1 × 1.0001 × 0.9999 is 8,419,753,124,444,443.11…, rounded up. The product before the
    // division needs 93 bits.
    assert_eq!(price_of(1, 7_654_321_098_765_432, &odd), Some(8_419_753_124_444_444));
    assert_eq!(price_of(3, 600, &odd), Some(1_980));
    let most = Coefficients {
        persian: Coefficient::MAX,
        mtn: Coefficient::MAX,
        pattern: Coefficient::MAX,
        ..odd
    };
    assert_eq!(price_of(u32::MAX, i64::MAX, &most), None);
    assert_eq!(price_of(9, 1_000_000_000, &most), Some(9_000_000_000_000_000));
}

#[wasm_bindgen_test]
fn coefficients_survive_json_and_javascript() {
    for ten_thousandths in (0..=1_000_000).step_by(997) {
        let coefficient = Coefficient::from_ten_thousandths(ten_thousandths).unwrap();
        let json = serde_json::to_string(&coefficient.to_f64()).unwrap();
        let parsed = js_sys::JSON::parse(&json).unwrap().as_f64().unwrap();
        assert_eq!(Coefficient::from_f64(parsed), Some(coefficient), "{json}");
    }
}

#[wasm_bindgen_test]
fn placeholders_of_any_script_are_filled_once() {
    let template = Template::parse("سلام %نام%، 50% %A%", is_variable_name);
    assert_eq!(template.names(), ["نام", "A"]);
    let text = template.fill(|name| if name == "A" { "%نام%" } else { "علی" });
    assert_eq!(text, "سلام علی، 50% %نام%");
    assert_eq!(segment(&text).encoding, Encoding::Ucs2);
}

#[wasm_bindgen_test]
fn a_table_is_read_from_pieces_that_cut_its_characters() {
    let file = "\u{feff}شماره;نام\r\n۰۹۱۲۱۲۳۴۵۶۷;\"علی; رضا\"\r\n".as_bytes();
    let mut table = Table::default();
    let mut rows: Vec<_> = file.chunks(1).flat_map(|piece| table.feed(piece)).collect();
    rows.extend(table.finish());
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[1].number, 2);
    let fields = rows[1].fields.clone().unwrap();
    assert_eq!(fields[1], "علی; رضا");
    assert_eq!(Msisdn::parse(&fields[0]).unwrap().get(), 989_121_234_567);
}

#[wasm_bindgen_test]
fn a_burst_is_admitted_to_the_exact_count() {
    let limit = Limit::default();
    let mut tat_us = 0;
    for left in (0..300).rev() {
        let decision = admit(&limit, tat_us, NOW_MS, Cost::ONE);
        assert!(decision.allowed && decision.remaining == left);
        tat_us = decision.tat_us;
    }
    assert_eq!(
        tat_us, 1_795_219_215_000_000,
        "microseconds, beyond 32 bits and below 2^53"
    );
    let refused = admit(&limit, tat_us, NOW_MS, Cost::ONE);
    assert_eq!(
        (refused.allowed, refused.retry_after_s, refused.reset_s),
        (false, 1, 15)
    );
    assert!(admit(&limit, tat_us, NOW_MS + 1_000, Cost::ONE).allowed);
    assert_eq!(refused.header(), r#""default";r=0;t=15"#);
}
