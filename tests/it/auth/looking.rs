//! An operator who looks at an account by a link to the console: the link and its session give what the operator may read, and end
//! with the operator's key.

use peyk::account::OPERATOR;
use peyk::base::time::to_rfc3339;
use serde_json::{Value, json};

use crate::support::console_sessions::cookie;
use crate::support::{Account, Answer, Dice, World, cases};

const MINUTE_MS: i64 = 60_000;

/// An operator: the id of the key, and the key itself.
struct Operator {
    id: String,
    key: String,
}

fn operator(world: &World, by: &str, new: Value) -> Operator {
    world.advance(1);
    let issued = world.posted(by, "/admin/keys", new);
    Operator {
        id: issued.text("/data/id"),
        key: issued.text("/data/key"),
    }
}

fn support(world: &World) -> Operator {
    let new = json!({"title": "support", "scopes": ["admin:accounts", "admin:read"]});
    operator(world, &world.admin_key, new)
}

fn link(world: &World, shop: &Account, key: &str) -> String {
    let made = world.ask("POST", key, &shop.path("/console-link")).send().expect(201);
    made.text("/data/code")
}

fn enter(world: &World, code: &str) -> Answer {
    world.enter(code)
}

fn looking(world: &World, shop: &Account, key: &str) -> String {
    cookie(&enter(world, &link(world, shop, key)).expect(204))
}

fn sees(world: &World, session: &str) -> bool {
    let answer = world.page(session, "/messages");
    match answer.response.status {
        200 => true,
        _ => answer.refused(401).response.status == 200,
    }
}

/// One operator dismisses another.
type Dismissal = fn(&World, &Operator);

#[test]
fn a_dismissed_operator_sees_nothing_more_and_opens_no_link() {
    let dismissals: [(&str, Dismissal); 6] = [
        ("revoked", |world, who| {
            world
                .admin("DELETE", &format!("/admin/keys/{}", who.id), json!({}))
                .expect(204);
        }),
        ("thrown out", |world, who| {
            let path = format!("/admin/keys/{}?cascade=true", who.id);
            world.admin("DELETE", &path, json!({})).expect(200);
        }),
        ("replaced", |world, who| {
            let path = format!("/admin/keys/{}/rotate", who.id);
            world.create(&path, json!({"graceSeconds": 0}));
        }),
        ("over", |world, _| world.advance(5 * MINUTE_MS)),
        ("no reader any more", |world, who| {
            let less = format!("UPDATE api_key SET scopes = 'admin:accounts' WHERE id = '{}'", who.id);
            world.sql(OPERATOR).run(&less);
        }),
        ("forgotten", |world, who| {
            world
                .sql(OPERATOR)
                .run(&format!("DELETE FROM api_key WHERE id = '{}'", who.id));
        }),
    ];
    for (how, dismiss) in dismissals {
        let (world, shop) = World::with_account(10_000);
        let ends = to_rfc3339(world.now_ms.get() + 5 * MINUTE_MS);
        let new = json!({"title": "support", "scopes": ["admin:accounts", "admin:read"], "expiresAt": ends});
        let who = operator(&world, &world.admin_key, new);
        let stays = looking(&world, &shop, &world.admin_key);
        let session = looking(&world, &shop, &who.key);
        let unused = link(&world, &shop, &who.key);
        assert!(sees(&world, &session), "{how}");
        dismiss(&world, &who);
        assert!(!sees(&world, &session), "{how}");
        enter(&world, &unused).problem(422, 422).points_at(&["/code"]);
        assert!(sees(&world, &stays), "{how}: another operator looks on");
        // An isolate that has just begun knows no more than the others.
        world.app.keys.clear();
        assert!(!sees(&world, &session), "{how}");
        enter(&world, &unused).problem(422, 422);
    }
}

#[test]
fn what_a_session_of_an_operator_makes_ends_with_the_operators_key() {
    let (world, shop) = World::with_account(10_000);
    let who = support(&world);
    let own = world.signed_in(&who.key);
    let made = world
        .request("POST", &shop.path("/console-link"))
        .session(&own)
        .send()
        .expect(201);
    let session = cookie(&enter(&world, &made.text("/data/code")).expect(204));
    // Who signs out goes on looking, who is dismissed does not.
    world
        .request("DELETE", "/console/session")
        .session(&own)
        .send()
        .expect(204);
    assert!(sees(&world, &session));
    world
        .admin("DELETE", &format!("/admin/keys/{}", who.id), json!({}))
        .expect(204);
    assert!(!sees(&world, &session));
}

#[test]
fn a_link_gives_no_more_than_its_maker_may_read() {
    let (world, shop) = World::with_account(10_000);
    world.send(&shop.key, &["09121234567"]).expect(201);
    let blind = operator(
        &world,
        &world.admin_key,
        json!({"title": "blind", "scopes": ["admin:accounts"]}),
    );
    let before = world.sql(&shop.id).count("api_key");
    let refused = world
        .ask("POST", &blind.key, &shop.path("/console-link"))
        .send()
        .problem(403, 403);
    assert!(
        refused
            .header("WWW-Authenticate")
            .unwrap()
            .contains("scope=\"admin:read\"")
    );
    assert_eq!(world.sql(&shop.id).count("api_key"), before);
    let reader = operator(
        &world,
        &world.admin_key,
        json!({"title": "reader", "scopes": ["admin:read"]}),
    );
    world
        .ask("POST", &reader.key, &shop.path("/console-link"))
        .send()
        .problem(403, 403);
}

#[test]
fn nobody_looks_while_nobody_knows_whether_the_operator_still_may() {
    let (world, shop) = World::with_account(10_000);
    let session = looking(&world, &shop, &support(&world).key);
    let unused = link(&world, &shop, &world.admin_key);
    world.failing_request.set(Some("CheckLooker"));
    world.page(&session, "/messages").refused(503);
    enter(&world, &unused).refused(503);
    world.read(&shop.key, "/messages");
    let own = world.signed_in(&shop.key);
    assert!(sees(&world, &own), "the account's own people see on");
    world.failing_request.set(None);
    assert!(sees(&world, &session));
    enter(&world, &unused).expect(204);
}

#[test]
fn nobody_ever_sees_more_than_the_present_right_allows() {
    for seed in 0..cases(40) {
        let mut random = Random::new(seed.into());
        for _ in 0..60 {
            random.step();
        }
    }
}

/// Operators who come, look and go, by chance.
struct Random {
    world: World,
    shop: Account,
    dice: Dice,
    operators: Vec<Operator>,
    /// Who has made whom.
    makers: Vec<Option<usize>>,
    ended: Vec<bool>,
    /// How many links and sessions each has had.
    had: Vec<usize>,
    /// Sessions, each with its operator, its end, and how many links and sessions this operator had then.
    sessions: Vec<(usize, String, i64, usize)>,
    /// Links, likewise.
    links: Vec<(usize, String, i64, usize)>,
}

impl Random {
    fn new(seed: u64) -> Random {
        let (world, shop) = World::with_busy_account(10_000);
        let first = operator(&world, &world.admin_key, json!({"title": "first"}));
        Random {
            world,
            shop,
            dice: Dice::new(seed),
            operators: vec![first],
            makers: vec![None],
            ended: vec![false],
            had: vec![0],
            sessions: Vec::new(),
            links: Vec::new(),
        }
    }

    fn below(&self, bound: usize) -> usize {
        usize::try_from(self.dice.below(bound as u64)).unwrap()
    }

    fn step(&mut self) {
        self.world.advance(i64::try_from(self.below(90_000)).unwrap());
        let who = self.below(self.operators.len());
        match self.below(6) {
            0 => self.hire(who),
            1 | 2 => self.look(who),
            3 => self.open(),
            4 if self.below(2) == 0 => self.dismiss(who),
            _ => {}
        }
        self.check();
    }

    fn hire(&mut self, by: usize) {
        if self.ended[by] {
            return;
        }
        let new = operator(&self.world, &self.operators[by].key, json!({"title": "x"}));
        self.operators.push(new);
        self.makers.push(Some(by));
        self.ended.push(false);
        self.had.push(0);
    }

    fn look(&mut self, who: usize) {
        let path = self.shop.path("/console-link");
        let answer = self.world.ask("POST", &self.operators[who].key, &path).send();
        match self.ended[who] {
            true => drop(answer.refused(401)),
            false => {
                let ends_ms = self.world.now_ms.get() + 10 * MINUTE_MS;
                self.had[who] += 1;
                let code = answer.expect(201).text("/data/code");
                self.links.push((who, code, ends_ms, self.had[who]));
            }
        }
    }

    fn open(&mut self) {
        if self.links.is_empty() {
            return;
        }
        let (who, code, ends_ms, had) = self.links.swap_remove(self.below(self.links.len()));
        let now_ms = self.world.now_ms.get();
        let answer = enter(&self.world, &code);
        let may_be_over = self.may_be_over(who, had) && answer.response.status == 422;
        if self.ended[who] || now_ms >= ends_ms || may_be_over {
            answer.problem(422, 422);
        } else {
            self.had[who] += 1;
            let session = cookie(&answer.expect(204));
            self.sessions
                .push((who, session, ends_ms + 50 * MINUTE_MS, self.had[who]));
        }
    }

    fn dismiss(&mut self, who: usize) {
        let cascade = self.below(2) == 0;
        let path = format!("/admin/keys/{}?cascade={cascade}", self.operators[who].id);
        self.world
            .admin("DELETE", &path, json!({}))
            .expect(if cascade { 200 } else { 204 });
        self.ended[who] = true;
        for at in 0..self.operators.len() {
            let goes_too = self.makers[at].is_some_and(|maker| self.ends_by(maker, who));
            self.ended[at] |= cascade && goes_too;
        }
    }

    /// Whether an operator is this one, or comes from this one.
    fn ends_by(&self, at: usize, who: usize) -> bool {
        at == who || self.makers[at].is_some_and(|maker| self.ends_by(maker, who))
    }

    /// Whether later ones may have ended what was this operator's link or session of a number: a key has ten of them at most.
    fn may_be_over(&self, who: usize, number: usize) -> bool {
        self.had[who] >= number + 10
    }

    fn check(&self) {
        let now_ms = self.world.now_ms.get();
        for (who, session, ends_ms, had) in self.sessions.iter().rev().take(5) {
            let may = !self.ended[*who] && now_ms < *ends_ms;
            let sees = sees(&self.world, session);
            let is_right = sees == may || (!sees && self.may_be_over(*who, *had));
            assert!(is_right, "{}: sees {sees}, may {may}", self.operators[*who].id);
        }
    }
}
