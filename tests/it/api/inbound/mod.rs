//! Messages from phones: whose they are, that none is lost or doubled, and that an opt-out counts from then on.

mod confirmation;
mod list;
mod opt_out;
mod routing;
mod storage;
mod take;

use peyk::base::ports::PortError;
use peyk::carrier::inbound::{self, InboundSms};
use serde_json::{Value, json};

use crate::support::{Account, World, pick, to_end};

const PHONE: &str = "+989121234567";

/// A message to a line, with an id of its own.
fn sms(world: &World, to: &str, text: &str) -> InboundSms {
    InboundSms {
        carrier: "sandbox".to_owned(),
        to: to.to_owned(),
        from: PHONE.to_owned(),
        text: text.to_owned(),
        carrier_id: Some(peyk::base::id::new(world).unwrap()),
        received_ms: world.now_ms.get(),
        left: Vec::new(),
    }
}

fn receive(world: &World, sms: InboundSms) -> Result<(), PortError> {
    to_end(inbound::receive(world, sms)).map_err(|not_taken| not_taken.error)
}

/// Lets a phone send this text to a line.
fn text(world: &World, to: &str, text: &str) {
    receive(world, sms(world, to, text)).unwrap();
}

fn line(world: &World, number: &str, accounts: &[&Account]) {
    let ids: Vec<&str> = accounts.iter().map(|account| account.id.as_str()).collect();
    let body = json!({"number": number, "carrier": "sandbox", "operations": ["WEBSERVICE"], "accounts": ids});
    world.create("/admin/lines", body);
}

fn route(world: &World, number: &str, fallback: Option<&Account>, keywords: &[(&str, &Account)]) {
    let keyword = |(keyword, account): &(&str, &Account)| json!({"keyword": keyword, "account": account.id});
    let keywords: Vec<Value> = keywords.iter().map(keyword).collect();
    let body = json!({"account": fallback.map(|account| &account.id), "keywords": keywords});
    let path = format!("/admin/lines/{number}/inbound");
    world.admin("PUT", &path, body).expect(200);
}

/// A page of what an account has received.
fn list(world: &World, account: &Account, query: &str) -> Vec<Value> {
    world.read(&account.key, &format!("/inbound?{query}")).items().clone()
}

/// The texts that an account has received, newest first.
fn texts(world: &World, account: &Account) -> Vec<String> {
    let items = list(world, account, "limit=200");
    pick(&items.into(), "text")
}

/// The blacklist: each number, and whether a reply has put it there.
fn blacklist(world: &World, account: &Account) -> Vec<(String, bool)> {
    let page = world.read(&account.key, "/blacklist");
    let items = page.items().iter();
    items
        .map(|item| {
            let number = item["number"].as_str().unwrap().to_owned();
            (number, item["optOut"].as_bool().unwrap())
        })
        .collect()
}

fn is_blocked(world: &World, account: &Account) -> bool {
    blacklist(world, account).iter().any(|(number, _)| number == PHONE)
}

/// The counts of messages that belong to nobody, newest first: line, reason and number.
fn unclaimed(world: &World) -> Vec<(Value, String, i64)> {
    let page = world.look("/admin/inbound/unclaimed");
    let items = page.items().iter();
    items
        .map(|item| {
            let reason = item["reason"].as_str().unwrap().to_owned();
            (item["line"].clone(), reason, item["messages"].as_i64().unwrap())
        })
        .collect()
}

/// A line `3000` of one shop, and a second shop without lines of its own.
fn one_shop() -> (World, Account, Account) {
    let (world, shop) = World::with_account(100_000);
    let other = world.account("other", 100_000);
    line(&world, "3000", &[&shop]);
    (world, shop, other)
}

/// A line `4000` that two shops share, and a third shop.
fn two_shops() -> (World, [Account; 3]) {
    let (world, shop) = World::with_account(100_000);
    let [second, third] = ["second", "third"].map(|name| world.account(name, 100_000));
    line(&world, "4000", &[&shop, &second]);
    (world, [shop, second, third])
}
