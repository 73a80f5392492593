//! Verifications: codes that the service makes, sends and checks.

mod check;
mod end;
mod find;
mod guard;
mod limits;
mod start;
mod stats;
mod text;
mod world;

use serde_json::{Value, json};

use crate::support::{Account, Answer, World};

const MONEY: i64 = 1_000_000;
const PHONE: &str = "09121234567";
const MINUTE_MS: i64 = 60_000;

/// A world with an account whose default line goes over a gateway, which shows what people get.
pub fn world() -> (World, Account) {
    let (world, shop) = World::with_account(MONEY);
    let world = world.with_secrets();
    world.add_gateway("kannel", "20002", "KANNEL");
    world.change_account(&shop, json!({"defaultLine": "20002"}));
    let limit = json!({"limit": 1_000_000, "windowSeconds": 1, "burst": 10_000});
    world.change_account(&shop, json!({"rateLimit": limit, "testRateLimit": limit}));
    world.advance(31_000);
    (world, shop)
}

fn start(world: &World, key: &str, body: Value) -> Answer {
    world.post(key, "/verify", body)
}

/// Starts a verification of a number. Gives its id.
#[track_caller]
fn started(world: &World, key: &str, number: &str) -> String {
    start(world, key, json!({"recipient": number}))
        .expect(201)
        .text("/data/id")
}

fn check(world: &World, key: &str, id: &str, code: &str) -> Answer {
    world.post(key, "/verify/check", json!({"id": id, "code": code}))
}

/// The texts that people have got since the last look.
pub fn texts(world: &World) -> Vec<String> {
    let messages = world.gateway.take();
    messages.iter().map(|message| message.get("text").to_owned()).collect()
}

/// The longest run of digits in a text.
fn code_in(text: &str) -> String {
    let runs = text.split(|char: char| !char.is_ascii_digit());
    runs.max_by_key(|run| run.len()).unwrap_or_default().to_owned()
}

/// The code in the newest text. Lets what waits leave first.
#[track_caller]
pub fn code(world: &World) -> String {
    world.settle(1_000);
    let text = texts(world).pop().unwrap();
    code_in(&text)
}

/// Another code of the same length.
pub fn wrong(code: &str) -> String {
    let first = if code.starts_with('0') { '1' } else { '0' };
    format!("{first}{}", &code[1..])
}
