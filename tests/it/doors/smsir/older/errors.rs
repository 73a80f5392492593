//! The refusals of the older API, and what a token is worth.

use serde_json::{Value, json};

use super::{call, got, knock, posted, refused, send, shop};
use crate::doors::support::MONEY;

#[test]
fn each_refusal_has_the_protocols_form_and_says_what_to_do() {
    let (world, shop) = shop();
    let stop = |name: &str, value: Value, words: &str| {
        refused(&world, &shop.key, "/api/MessageSend", &send(name, value), 400, words);
    };
    stop("LineNumber", json!(null), "خط");
    stop("Messages", json!([]), "متن");
    stop("Messages", json!([" "]), "خالی");
    stop("Messages", json!(["a", "b"]), "برابر");
    stop("MobileNumbers", json!([]), "خالی");
    stop("MobileNumbers", json!("09121234567"), "نادرست");
    stop("MobileNumbers", json!(["09121234567", "12"]), "موبایل");
    let mut both = send("MobileNumbers", json!(["09121234567", "12"]));
    both["CanContinueInCaseOfError"] = json!("true");
    let sent = posted(&world, &shop.key, "/api/MessageSend", both);
    assert_eq!(sent["Ids"].as_array().unwrap().len(), 1);
    let code = json!({"Code": "12345", "MobileNumber": "09121234567"});
    refused(
        &world,
        &shop.key,
        "/api/VerificationCode",
        &code,
        400,
        "VerificationCode بسازید",
    );
    let template = json!({"ParameterArray": [], "Mobile": "09121234567", "TemplateId": 7});
    refused(&world, &shop.key, "/api/UltraFastSend", &template, 400, "");
    for (path, words) in [
        ("/api/MessageReport", "GET MessageSend"),
        ("/api/CustomerClub/Send", "دفترچه"),
        ("/api/CustomerClubContact/GetCategories", "دفترچه"),
        ("/api/Token/x", "UltraFastSend"),
        ("/users/v1/Message/SendByMobileNumbers", "api/MessageSend"),
    ] {
        refused(&world, &shop.key, path, &json!({}), 400, words);
    }
    for (method, path, allow) in [
        ("PUT", "/api/MessageSend", "GET, POST"),
        ("GET", "/api/Token", "POST"),
        ("POST", "/api/credit", "GET"),
    ] {
        let response = knock(
            &world,
            &shop.key,
            method,
            path,
            format!(r#"{{"UserApiKey":"{}"}}"#, shop.key).as_bytes(),
        );
        let told = response.headers.iter().find(|(name, _)| *name == "Allow");
        // A GET of `Token` shows no key.
        let wanted = if path == "/api/Token" {
            (401, None)
        } else {
            (405, Some(allow))
        };
        assert_eq!(
            (response.status, told.map(|(_, methods)| methods.as_str())),
            wanted,
            "{path}"
        );
    }
    for body in [b"[".as_slice(), b"[]", b"x=y"] {
        assert_eq!(call(&world, &shop.key, "POST", "/api/MessageSend", body).0, 400);
    }
    assert_eq!(world.read(&shop.key, "/messages").items().len(), 1);
}

#[test]
fn a_token_is_worth_what_its_key_is_worth() {
    let (world, shop) = shop();
    let token = |key: &str| {
        call(
            &world,
            "",
            "POST",
            "/api/Token",
            json!({"UserApiKey": key}).to_string().as_bytes(),
        )
    };
    for bad in ["wrong", "", "a\nb", &"x".repeat(100_000)] {
        assert_eq!(token(bad).0, 401);
    }
    let (status, _) = call(
        &world,
        "wrong",
        "POST",
        "/api/MessageSend",
        send("Messages", json!([])).to_string().as_bytes(),
    );
    assert_eq!(status, 401, "who has no good key learns nothing else");
    let given = |rest: Value| {
        let mut grant = json!({"title": "t"});
        grant.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        world.grant(&shop, grant).text("/data/key")
    };
    let test = given(json!({"mode": "test"}));
    assert_eq!(token(&test).1["TokenKey"], test.as_str());
    posted(&world, &test, "/api/MessageSend", send("Messages", json!(["x"])));
    assert_eq!(world.balance(&shop.key), (MONEY, 0), "a test key pays nothing");
    assert_eq!(call(&world, &test, "GET", "/api/ReceiveMessage?id=0", b"").0, 403);
    let blind = given(json!({"scopes": ["phonebook"]}));
    assert_eq!(token(&blind).0, 201);
    assert_eq!(
        call(
            &world,
            &blind,
            "POST",
            "/api/MessageSend",
            send("Messages", json!(["x"])).to_string().as_bytes()
        )
        .0,
        403
    );
    let elsewhere = given(json!({"ips": ["192.0.2.7"]}));
    assert_eq!(token(&elsewhere).0, 401);
    let brief = world.grant(&shop, json!({"title": "t"}));
    let key = brief.text("/data/key");
    got(&world, &key, "/api/credit");
    world.delete(&shop.key, &format!("/keys/{}", brief.text("/data/id")));
    assert_eq!(
        call(&world, &key, "GET", "/api/credit", b"").0,
        401,
        "who revokes the key ends the token"
    );
}

#[test]
fn a_program_that_goes_on_in_case_of_error_is_stopped_by_no_text_for_a_bad_number() {
    let (world, shop) = shop();
    let mut body = send("Messages", json!(["a", "b", "c"]));
    body["MobileNumbers"] = json!(["09121234567", "12", "12"]);
    refused(&world, &shop.key, "/api/MessageSend", &body, 400, "موبایل");
    body["CanContinueInCaseOfError"] = json!("true");
    for bad in [
        json!(["12", "12"]),
        json!([null, null]),
        json!(["00971501234567", "12"]),
    ] {
        body["MobileNumbers"] = json!([&[json!("09121234567")], bad.as_array().unwrap().as_slice()].concat());
        let sent = posted(&world, &shop.key, "/api/MessageSend", body.clone());
        assert_eq!(sent["Ids"].as_array().unwrap().len(), 1, "{bad}");
    }
    // Who does not go on gets an error also of a number abroad.
    body["CanContinueInCaseOfError"] = json!("false");
    body["MobileNumbers"] = json!(["09121234567", "00971501234567", "09351234567"]);
    refused(&world, &shop.key, "/api/MessageSend", &body, 400, "");
    assert_eq!(world.read(&shop.key, "/messages").items().len(), 3);
}
