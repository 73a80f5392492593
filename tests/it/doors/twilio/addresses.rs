//! The addresses that answers of the door have in them.

use super::*;
use crate::verify;

/// The addresses in an answer: paths of the service, and whole ones.
fn addresses(answer: &Value, found: &mut Vec<String>) {
    match answer {
        Value::Object(members) => members.values().for_each(|member| addresses(member, found)),
        Value::Array(items) => items.iter().for_each(|item| addresses(item, found)),
        Value::String(text) => {
            let path = text.strip_prefix("http://127.0.0.1:8787").unwrap_or(text);
            if path.starts_with('/') && !found.iter().any(|known| known == path) {
                found.push(path.to_owned());
            }
        }
        _ => {}
    }
}

/// A program that follows what it is told, as some do to read all of an account, meets no 404.
#[test]
fn each_address_that_an_answer_has_leads_to_something() {
    let (world, shop) = verify::world();
    let service = format!("/v2/Services/VA{HEX}");
    let start = form(&[("To", TO), ("Channel", "sms")]);
    let (status, _) = knock(&world, &shop.key, "POST", &format!("{service}/Verifications"), &start);
    assert_eq!(status, 201);
    for _ in 0..2 {
        let params = [("To", "+989121234568"), ("MessagingServiceSid", MG), ("Body", "x")];
        created(&world, &shop.key, &params);
    }
    let mut walk: Vec<String> = vec![
        "/2010-04-01/Accounts.json".to_owned(),
        path("/Messages.json?PageSize=1"),
        path("/IncomingPhoneNumbers.json?PageSize=1"),
        "/v1/Services".to_owned(),
        format!("{service}/Verifications/{TO}"),
        service,
        format!("/v2/PhoneNumbers/{TO}"),
        "/v2/PhoneNumbers/%D8%B3%20x".to_owned(),
    ];
    let mut seen = 0;
    while let Some(path) = walk.get(seen).cloned() {
        let (status, answer) = knock(&world, &shop.key, "GET", &path, "");
        assert_eq!(status, 200, "{path}: {answer}");
        addresses(&answer, &mut walk);
        seen += 1;
    }
    assert!((18..60).contains(&walk.len()), "{walk:?}");
}
