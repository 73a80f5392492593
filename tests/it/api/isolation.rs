//! What belongs to one account is for another as if it were not there: every route, tried with the ids of one account and
//! the key of another.

use peyk::api::routes::{Access, Operation, ROUTES, Route};
use peyk::carrier::inbound::{self, InboundSms};
use serde_json::{Value, json};

use crate::support::{Account, Answer, World, gateway::SECRET_KEY, to_end};

mod test_keys;

/// An account with one of everything.
struct Owner {
    world: World,
    account: Account,
    stranger: Account,
    ids: Ids,
    /// A phonebook of the stranger's own.
    strangers_phonebook: String,
}

#[derive(Clone)]
struct Ids {
    message: String,
    phonebook: String,
    number: String,
    pattern: String,
    webhook: String,
    delivery: String,
    key: String,
    member: String,
    erasure: String,
    verification: String,
    /// A campaign that waits for its time, one that can be deleted, and one that can be resent.
    campaign: String,
    draft: String,
    ended: String,
}

fn owner() -> Owner {
    let (world, account) = World::with_account(100_000);
    world.set("SECRET_KEY", Some(SECRET_KEY));
    let stranger = world.account("stranger", 100_000);
    let key = &account.key;
    let phonebook = world.posted(key, "/phonebook", json!({"title": "A"})).text("/data/id");
    let body = json!({"title": "A"});
    let strangers_phonebook = world.posted(&stranger.key, "/phonebook", body).text("/data/id");
    let number = json!({"number": "09121234567"});
    let number = world.posted(key, &format!("/phonebook/number/{phonebook}"), number);
    world.posted(key, "/pattern", json!({"slug": "mine", "title": "x", "text": "y"}));
    world.posted(key, "/pattern", json!({"slug": "active", "title": "x", "text": "y"}));
    world.activate(key, "active", 1);
    world.posted(key, "/blacklist", json!({"numbers": ["09131234567"]}));
    let sms = InboundSms {
        carrier: "sandbox".to_owned(),
        to: "10001".to_owned(),
        from: "+989131234567".to_owned(),
        text: "hello".to_owned(),
        carrier_id: None,
        received_ms: world.now_ms.get(),
        left: Vec::new(),
    };
    let path = "/admin/lines/10001/inbound";
    world.admin("PUT", path, json!({"account": account.id})).expect(200);
    to_end(inbound::receive(&world, sms)).unwrap();
    let at = peyk::base::time::to_rfc3339(world.now_ms.get() + 60_000);
    let body = json!({"message": "x", "recipients": ["09121234567"], "sendAt": at});
    let message = world.posted(key, "/sms/send", body).text("/data/uid");
    let webhook = json!({"url": "https://shop.example/", "events": ["message.status"]});
    let webhook = world.posted(key, "/webhook", webhook).text("/data/id");
    let delivery = world.posted(key, &format!("/webhook/{webhook}/test"), json!({}));
    let other_key = json!({"title": "another", "scopes": ["sms:read"]});
    let other_key = world.posted(key, "/keys", other_key).text("/data/id");
    let erasure = world
        .post(key, "/erasures", json!({"number": "09141234567"}))
        .expect(202);
    let verification = json!({"recipient": "09151234567", "ttlSeconds": 900});
    let verification = world.posted(key, "/verify", verification).text("/data/id");
    let member = json!({"phone": "09161234567", "name": "Sara", "role": "SENDER", "invite": false});
    let read = world.phonebook(key, "read by campaigns", json!(["09171234567"]));
    let new = json!({"title": "A", "message": "x", "phonebooks": [read], "sendAt": "2026-03-01T00:00:00Z"});
    let [campaign, draft, ended] = ["/start", "", "/cancel"].map(|step| {
        let id = world.posted(key, "/campaigns", new.clone()).text("/data/id");
        world.settle(2_000);
        if !step.is_empty() {
            world.bare_post(key, &format!("/campaigns/{id}{step}")).expect(200);
        }
        id
    });
    let ids = Ids {
        campaign,
        draft,
        ended,
        member: world.posted(key, "/members", member).text("/data/id"),
        verification,
        erasure: erasure.text("/data/id"),
        webhook,
        key: other_key,
        delivery: delivery.text("/data/id"),
        message,
        phonebook,
        number: number.int("/data/numbers/0/id").to_string(),
        pattern: "mine".to_owned(),
    };
    Owner {
        world,
        account,
        stranger,
        ids,
        strangers_phonebook,
    }
}

fn missing() -> Ids {
    Ids {
        message: "019b796d-0000-7000-8000-000000000000".to_owned(),
        phonebook: "019b796d-0000-7000-8000-000000000001".to_owned(),
        number: "999999".to_owned(),
        pattern: "missing".to_owned(),
        webhook: "019b796d-0000-7000-8000-000000000002".to_owned(),
        delivery: "evt_019b796d0000".to_owned(),
        key: "019b796d-0000-7000-8000-000000000003".to_owned(),
        member: "019b796d-0000-7000-8000-000000000006".to_owned(),
        erasure: "019b796d-0000-7000-8000-000000000004".to_owned(),
        verification: "019b796d-0000-7000-8000-000000000005".to_owned(),
        campaign: "019b796d-0000-7000-8000-000000000007".to_owned(),
        draft: "019b796d-0000-7000-8000-000000000007".to_owned(),
        ended: "019b796d-0000-7000-8000-000000000007".to_owned(),
    }
}

/// The path of a route with these ids in it.
fn path(route: &Route, ids: &Ids) -> String {
    let pattern = if route.operation == Operation::DeactivatePattern && ids.pattern == "mine" {
        "active"
    } else {
        &ids.pattern
    };
    let path = match route.operation {
        Operation::DeletePhonebookInQuery => format!("/phonebook?id={}", ids.phonebook),
        Operation::GetHeld => "/held?number=09121234567".to_owned(),
        Operation::FindVerifications => "/verify?recipient=09151234567".to_owned(),
        _ => route.path.to_owned(),
    };
    path.replace("{uid}", &ids.message)
        .replace("{phonebookId}", &ids.phonebook)
        .replace("{numberId}", &ids.number)
        .replace("{slug}", pattern)
        .replace("{n}", "1")
        .replace("{deliveryId}", &ids.delivery)
        .replace(
            "{id}",
            match route.path.split('/').nth(1) {
                Some("webhook") => &ids.webhook,
                Some("keys") => &ids.key,
                Some("members") => &ids.member,
                Some("erasures") => &ids.erasure,
                Some("verify") => &ids.verification,
                Some("campaigns") if route.operation == Operation::DeleteCampaign => &ids.draft,
                Some("campaigns") if route.operation == Operation::ResendCampaign => &ids.ended,
                Some("campaigns") => &ids.campaign,
                _ => &ids.phonebook,
            },
        )
}

fn ask(owner: &Owner, key: &str, route: &Route, ids: &Ids) -> Answer {
    let request = owner.world.ask(route.method, key, &path(route, ids)).request_id("same");
    let send = json!({"phonebook": ids.phonebook, "message": "x"});
    match route.operation {
        Operation::ImportNumbers => request.body("text/csv", b"number\n09121234567\n"),
        Operation::SendToPhonebook => request.json(send),
        Operation::EstimateSend => request.json(json!({"phonebook": send})),
        Operation::ChangePhonebookInBody => request.json(json!({"id": ids.phonebook, "title": "B"})),
        Operation::CreateCampaign => request.json(json!({"title": "B", "message": "x", "phonebooks": [ids.phonebook]})),
        Operation::AddNumbers => request.json(json!({"number": "09351234567"})),
        Operation::CreatePatternVersion => request.json(json!({"text": "z"})),
        _ => request.json(json!({"title": "B"})),
    }
    .send()
}

/// Routes that name something of an account: in the path, the query or the body.
fn naming() -> impl Iterator<Item = &'static Route> {
    let names = |route: &&Route| {
        route.path.contains('{')
            || matches!(
                route.operation,
                Operation::SendToPhonebook
                    | Operation::CreateCampaign
                    | Operation::EstimateSend
                    | Operation::ChangePhonebookInBody
                    | Operation::DeletePhonebookInQuery
            )
    };
    ROUTES
        .iter()
        .filter(names)
        .filter(|route| route.access != Access::Public && !route.access.is_for_operators())
        // A passkey is its member's, who has no key: tests/it/auth/passkeys.rs tries those of others.
        .filter(|route| !route.path.starts_with("/console/passkeys"))
}

/// All of an answer but the path that it repeats.
fn without_path(answer: &Answer) -> Value {
    let mut json = answer.json.clone();
    json["instance"] = Value::Null;
    json
}

#[test]
fn anothers_things_are_missing_things() {
    assert!(naming().count() >= 20);
    for route in naming() {
        let name = format!("{} {}", route.method, route.path);
        let owner = owner();
        let foreign = ask(&owner, &owner.stranger.key, route, &owner.ids).refused(404);
        let absent = ask(&owner, &owner.stranger.key, route, &missing()).refused(404);
        assert_eq!(without_path(&foreign), without_path(&absent), "{name}");
        // And it is there: its owner gets at it, after all that the stranger tried.
        let own = ask(&owner, &owner.account.key, route, &owner.ids);
        assert!((200..300).contains(&own.response.status), "{name}: {}", own.body);
    }
}

#[test]
fn a_number_is_not_reached_through_another_phonebook() {
    for route in ROUTES.iter().filter(|route| route.path.contains("{numberId}")) {
        let owner = owner();
        let ids = Ids {
            phonebook: owner.strangers_phonebook.clone(),
            ..owner.ids.clone()
        };
        ask(&owner, &owner.stranger.key, route, &ids).refused(404);
        let path = format!("/phonebook/number/{}", owner.ids.phonebook);
        let told = owner.world.read(&owner.account.key, &path);
        assert_eq!(told.text("/data/0/number"), "+989121234567");
    }
}

#[test]
fn lists_hold_only_what_is_ones_own() {
    let owner = owner();
    let lists = ROUTES.iter();
    let lists = lists.filter(|route| route.method == "GET" && !route.path.contains('{'));
    for route in lists.filter(|route| route.access != Access::Public && !route.access.is_for_operators()) {
        let path = path(route, &owner.ids);
        let own = owner.world.read(&owner.account.key, &path);
        let foreign = owner.world.read(&owner.stranger.key, &path);
        for id in [
            &owner.ids.message,
            &owner.ids.phonebook,
            &owner.ids.pattern,
            &owner.ids.webhook,
            &owner.account.id,
            &owner.ids.key,
            &owner.ids.member,
            &"+989131234567".to_owned(),
        ] {
            assert!(!foreign.body.contains(id.as_str()), "{} shows {id}", route.path);
        }
        assert!(!own.body.contains(&owner.strangers_phonebook), "{}", route.path);
    }
}

#[test]
fn operators_routes_are_closed_to_accounts_whatever_they_name() {
    let owner = owner();
    for route in ROUTES.iter().filter(|route| route.access.is_for_operators()) {
        let path = route
            .path
            .replace("{id}", &owner.account.id)
            .replace("{key}", &owner.account.key_id);
        let answer = owner
            .world
            .ask(route.method, &owner.stranger.key, &path)
            .json(json!({}))
            .send();
        answer.refused(403);
    }
}
