//! The people whom the shop writes to: its phonebook, its blacklist, and who wants to be forgotten.

use serde_json::json;

use super::campaigns;
use super::stage::Stage;
use crate::support::Request;
use crate::support::time::{HOUR_MS, MINUTE_MS};

/// A file with a number that lacks a digit.
const FILE: &str = "number,name,city\n09351234567,Sara,Shiraz\n0913123456,Reza,Yazd\n09121234567,Ali,Tehran\n";

pub fn are_added(stage: &mut Stage) {
    let new = json!({"title": "Customers"});
    let made = stage.show(stage.shop("POST", "/phonebook").json(new));
    let id = made.text("/data/id");
    let path = format!("/phonebook/{id}");
    let change = json!({"title": "Customers", "description": "All who have ordered."});
    stage.show(stage.shop("PUT", &path).json(change));
    let change = json!({"id": id, "title": "Our customers"});
    stage.show(stage.shop("PUT", "/phonebook").json(change));
    let numbers = format!("/phonebook/number/{id}");
    let ali = json!({"number": "09121234567", "name": "Ali", "attributes": {"city": "Tehran"}});
    stage.show(stage.shop("POST", &numbers).json(ali));
    let import = stage.shop("POST", &format!("{path}/import"));
    stage.show(import.body("text/csv; charset=utf-8", FILE.as_bytes()));
    let listed = stage.show(stage.shop("GET", &numbers));
    let number = format!("{numbers}/{}", listed.int("/data/1/id"));
    let change = json!({"name": "Sara", "attributes": {"city": "Isfahan"}});
    stage.show(stage.shop("PUT", &number).json(change));
    stage.show(stage.shop("GET", &path));
    stage.show(stage.shop("GET", "/phonebook"));
    stage.show(stage.shop("GET", &format!("{path}/export")));
    block(stage);
}

fn block(stage: &Stage) {
    let numbers = json!({"numbers": ["09391234567"]});
    stage.show(stage.shop("POST", "/blacklist").json(numbers.clone()));
    stage.show(stage.shop("GET", "/blacklist"));
    stage.show(stage.shop("DELETE", "/blacklist").json(numbers));
}

/// The phonebook of the story.
pub fn phonebook(stage: &Stage) -> String {
    stage.world.read(&stage.shop.key, "/phonebook").text("/data/0/id")
}

pub fn are_forgotten(stage: &mut Stage) {
    let id = phonebook(stage);
    stage.show(stage.shop("GET", "/held?number=09121234567"));
    let numbers = format!("/phonebook/number/{id}");
    let sara = stage.world.read(&stage.shop.key, &numbers).int("/data/1/id");
    stage.show(stage.shop("DELETE", &format!("{numbers}/{sara}")));
    let orders = [("09121234567", false), ("09351234567", true)].map(|(number, is_everywhere)| {
        let path = if is_everywhere { "/admin/erasures" } else { "/erasures" };
        let (request, list) = (of(stage, is_everywhere, "POST", path), path);
        let order = stage.show(request.json(json!({"number": number})));
        (is_everywhere, list, order.text("/data/id"))
    });
    stage.world.settle(MINUTE_MS);
    stage.world.advance(2 * HOUR_MS);
    stage.world.settle(10 * MINUTE_MS);
    for (is_everywhere, list, id) in orders {
        stage.show(of(stage, is_everywhere, "GET", list));
        stage.show(of(stage, is_everywhere, "GET", &format!("{list}/{id}")));
    }
    let second = stage
        .world
        .phonebook(&stage.shop.key, "Newsletter", json!(["09131234567"]));
    stage.show(stage.shop("DELETE", &format!("/phonebook?id={second}")));
    campaigns::are_canceled(stage);
    stage.show(stage.shop("DELETE", &format!("/phonebook/{id}")));
}

fn of<'a>(stage: &'a Stage, is_operators: bool, method: &str, path: &str) -> Request<'a> {
    match is_operators {
        true => stage.operator(method, path),
        false => stage.shop(method, path),
    }
}
