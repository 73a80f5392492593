//! What holds for every list: what its cursors may say, and how large its answers may be.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod support;

use peyk::api::paging;
use peyk::auth::Scope;
use peyk::routes::{Access, Operation, ROUTES, Route};
use serde_json::json;
use support::{Account, Answer, World};

/// How the items of a list are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    Numbers,
    Names,
}

/// A world with one of everything that has a list.
struct Lists {
    world: World,
    shop: Account,
    message: String,
    phonebook: String,
}

impl Lists {
    fn new() -> Self {
        let (world, shop) = World::with_account(1_000_000);
        let message = world.send(&shop.key, &["09121234567"]).expect(201).text("/data/uid");
        let phonebook = world.phonebook(&shop.key, "A", json!(["09121234567"]));
        Lists {
            world,
            shop,
            message,
            phonebook,
        }
    }

    fn path(&self, route: &Route) -> String {
        let path = route.path.replace("{uid}", &self.message);
        let path = path.replace("{phonebookId}", &self.phonebook);
        path.replace(
            "{id}",
            if self.is_admin(route) {
                &self.shop.id
            } else {
                &self.phonebook
            },
        )
        .replace("{slug}", "missing")
        .replace("{number}", "10001")
    }

    fn is_admin(&self, route: &Route) -> bool {
        route.access == Access::Scope(Scope::Admin)
    }

    fn get(&self, route: &Route, query: &str) -> Answer {
        let key = match self.is_admin(route) {
            true => &self.world.admin_key,
            false => &self.shop.key,
        };
        // Each request finds a full bucket, so that it shows what it has paid.
        self.world.advance(60_000);
        self.world.get(key, &format!("{}?{query}", self.path(route)))
    }

    /// The routes that answer in pages.
    fn routes(&self) -> Vec<&'static Route> {
        let is_list =
            |route: &&Route| route.method == "GET" && self.get(route, "").json["meta"].get("nextCursor").is_some();
        ROUTES.iter().filter(is_list).collect()
    }

    /// The name that a list has in its cursors, and what its positions are. A new list needs a line here.
    fn list(&self, operation: Operation) -> (String, Order) {
        let (name, order) = match operation {
            Operation::ListMessages => ("messages", Order::Numbers),
            Operation::ListRecipients => return (format!("messages/{}", self.message), Order::Numbers),
            Operation::ListTransactions => ("transactions", Order::Numbers),
            Operation::ListPhonebooks => ("phonebook", Order::Numbers),
            Operation::ListNumbers => return (format!("phonebook/{}", self.phonebook), Order::Numbers),
            Operation::ListPatterns => ("pattern", Order::Numbers),
            Operation::ListBlacklist => ("blacklist", Order::Numbers),
            Operation::AdminListSandbox => return (format!("sandbox/{}", self.shop.id), Order::Numbers),
            Operation::AdminListPendingPatterns => ("admin/patterns", Order::Numbers),
            Operation::AdminListDeadLetters => ("admin/dead-letters", Order::Numbers),
            Operation::ListLines => ("lines", Order::Names),
            Operation::AdminListAccounts => ("admin/accounts", Order::Names),
            Operation::AdminListKeys => return (format!("keys/{}", self.shop.id), Order::Names),
            Operation::AdminListLines => ("admin/lines", Order::Names),
            Operation::AdminListPlans => ("admin/plans", Order::Names),
            other => panic!("{other:?} answers in pages: say here how its cursors are made"),
        };
        (name.to_owned(), order)
    }
}

/// How many tokens are left, as the answer says.
fn left(answer: &Answer) -> i64 {
    let (_, rest) = answer.header("RateLimit").unwrap().split_once("r=").unwrap();
    rest.split(';').next().unwrap().parse().unwrap()
}

#[test]
fn a_forged_cursor_is_refused_or_finds_nothing_and_pays_like_any_other() {
    let lists = Lists::new();
    let routes = lists.routes();
    assert!(routes.len() >= 15, "{}", routes.len());
    for route in routes {
        let (list, order) = lists.list(route.operation);
        let paid = left(&lists.get(route, ""));
        let ask = |position: &str| {
            let answer = lists.get(route, &format!("cursor={}", paging::cursor(&list, position)));
            assert_eq!(left(&answer), paid, "{} {position} pays one token", route.path);
            answer
        };
        let foreign = paging::cursor("another list", "5");
        lists.get(route, &format!("cursor={foreign}")).problem(422, 422);
        // The checksum is good: these show it.
        for position in ["0", "5", "9007199254740991"] {
            ask(position).expect(200);
        }
        for position in [
            "-1",
            "9007199254740992",
            "9007199254740993",
            "9223372036854775807",
            "-9007199254740992",
            "-9223372036854775808",
            "9223372036854775808",
            "1e3",
            "",
            "x",
        ] {
            let answer = ask(position);
            match order {
                Order::Numbers => {
                    let refused = answer.problem(422, 422);
                    assert!(refused.extra()[0].starts_with("cursor: "), "{}", refused.body);
                }
                Order::Names => drop(answer.expect(200)),
            }
        }
        if order == Order::Names {
            for position in ["\u{0}", "'; --", "\u{10ffff}", &"x".repeat(4_000)] {
                ask(position).expect(200);
            }
        }
    }
}
