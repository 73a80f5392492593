//! A random world of people: invitations that are accepted, late or dead; codes in one's own browser and in those of strangers; roles that
//! change, members who are let go, keys that are thrown out, accounts that require passkeys or name anybody's phone, and operators who
//! look at an account and are dismissed.
//!
//! The promises: a session reads what its person may at the moment, and nothing else; and whatever others do, a member who has signed in in
//! a browser before signs in there again, to an account that the person has joined.

use futures_util::future::join_all;
use peyk::auth::Scope;
use serde_json::{Value, json};

use crate::auth::sign_in::{self, check_in, link_in, start_in};
use crate::support::console_sessions::{cookie, ticket};
use crate::support::{Account, Answer, Dice, World, cases, to_end_in_time};

const HOUR_MS: i64 = 3_600_000;
const STEPS: usize = 70;
const ROLES: [&str; 4] = ["OWNER", "SENDER", "FINANCE", "VIEWER"];

/// A key of an account that admits people.
struct Manager {
    account: usize,
    id: String,
    key: String,
    counts: bool,
}

struct Member {
    account: usize,
    person: usize,
    id: String,
    role: &'static str,
    manager: usize,
    has_joined: bool,
    is_there: bool,
    /// How often all sessions and links of the member have ended.
    ends: u32,
}

struct Invitation {
    code: String,
    member: usize,
    manager: usize,
    ends: u32,
    at_ms: i64,
    is_used: bool,
}

/// By what a session is somebody's.
enum Right {
    /// The member, and how often its sessions had ended when it was opened.
    Of(usize, u32),
    /// The operator who looks.
    Looks(usize),
}

struct Session {
    cookie: String,
    right: Right,
    until_ms: i64,
    is_by_code: bool,
}

#[derive(Default)]
struct Person {
    /// Whether a code has let the person in, in the own browser. One that leads to accounts with passkeys alone does not.
    is_known: bool,
    /// When codes were asked for there.
    asked_ms: Vec<i64>,
    /// The ticket of the own browser.
    ticket: String,
}

struct People<'w> {
    world: &'w World,
    dice: Dice,
    accounts: Vec<Account>,
    needs_passkey: Vec<bool>,
    managers: Vec<Manager>,
    members: Vec<Member>,
    invitations: Vec<Invitation>,
    sessions: Vec<Session>,
    people: Vec<Person>,
    operators: Vec<(String, String, bool)>,
    addresses: u64,
    /// How often somebody had to wait because of others in the network.
    kept_out: usize,
}

fn phone(person: usize) -> String {
    format!("+98912123450{person}")
}

impl People<'_> {
    fn now_ms(&self) -> i64 {
        self.world.now_ms.get()
    }

    fn any(&self, of: usize) -> usize {
        usize::try_from(self.dice.below(of as u64)).unwrap()
    }

    /// The network of a person, where strangers are, too.
    fn home(person: usize) -> String {
        format!("192.0.2.{}", person % 2)
    }

    /// What a person's own browser asks.
    fn ask(&mut self, person: usize, path: &str, body: Value) -> Answer {
        let browser = u8::try_from(person + 1).unwrap();
        let request = self
            .world
            .request("POST", path)
            .browser(browser)
            .from(&Self::home(person));
        let answer = request.ticket(&self.people[person].ticket).json(body).send();
        if let Some(ticket) = ticket(&answer) {
            self.people[person].ticket = ticket;
        }
        answer
    }

    /// An address that nobody has come from: who fails too often from one is kept out.
    fn address(&mut self) -> String {
        self.addresses += 1;
        format!("10.{}.{}.1", self.addresses / 200, self.addresses % 200)
    }

    /// The texts that came to a phone since the last look.
    fn texts(&self, person: usize) -> Vec<String> {
        self.world.settle(1_000);
        let digits = phone(person)[1..].to_owned();
        let all = self.world.gateway.take();
        let own = all.iter().filter(|message| message.get("to").ends_with(&digits[2..]));
        own.map(|message| message.get("text").to_owned()).collect()
    }

    fn member_of(&self, account: usize, person: usize) -> Option<usize> {
        let is_one = |member: &Member| member.is_there && (member.account, member.person) == (account, person);
        self.members.iter().position(is_one)
    }

    fn is_invited(&self, invitation: &Invitation) -> bool {
        let member = &self.members[invitation.member];
        member.is_there
            && !invitation.is_used
            && invitation.ends == member.ends
            && self.managers[invitation.manager].counts
            && self.now_ms() < invitation.at_ms + 72 * HOUR_MS
    }

    fn may(&self, session: &Session) -> Option<bool> {
        if self.now_ms() >= session.until_ms {
            return None;
        }
        match session.right {
            Right::Of(member, ends) => {
                let member = &self.members[member];
                (member.is_there && member.ends == ends).then_some(member.role != "FINANCE")
            }
            Right::Looks(operator) => self.operators[operator].2.then_some(true),
        }
    }

    /// Every session reads exactly what its right allows at the moment.
    fn look(&self, step: usize) {
        for session in &self.sessions {
            let expected = match self.may(session) {
                Some(true) => 200,
                Some(false) => 403,
                None => 401,
            };
            let read = self.world.page(&session.cookie, "/messages");
            assert_eq!(read.response.status, expected, "step {step}: {}", read.body);
        }
    }

    fn opened(&mut self, session: String, member: usize, is_by_code: bool) {
        let ends = self.members[member].ends;
        self.sessions.push(Session {
            cookie: session,
            right: Right::Of(member, ends),
            until_ms: self.now_ms() + 12 * HOUR_MS,
            is_by_code,
        });
        // A member has ten sessions and links. Long before that, the person signs out everywhere.
        let invited = self
            .invitations
            .iter()
            .filter(|one| one.member == member && one.ends == ends)
            .count();
        let open = |one: &&Session| matches!(one.right, Right::Of(of, at) if (of, at) == (member, ends));
        if self.sessions.iter().filter(open).count() + invited >= 8 {
            let last = self.sessions.last().unwrap();
            let out = self.world.request("DELETE", "/console/session?everywhere=true");
            out.session(&last.cookie).send().expect(204);
            self.members[member].ends += 1;
        }
    }

    fn invite(&mut self) {
        let (person, manager) = (self.any(self.people.len()), self.any(self.managers.len()));
        let Manager {
            account,
            ref key,
            counts,
            ..
        } = self.managers[manager];
        let known = self.member_of(account, person);
        let role = ROLES[self.any(4)];
        let body = json!({"phone": phone(person), "name": "P", "role": role});
        let answer = match known {
            Some(member) => {
                let path = format!("/members/{}/invitation", self.members[member].id);
                self.world.ask("POST", key, &path).send()
            }
            None => self.world.post(key, "/members", body),
        };
        let has_joined = known.is_some_and(|member| self.members[member].has_joined);
        let expected = match () {
            () if !counts => 401,
            () if has_joined || self.needs_passkey[account] => 409,
            () => 201,
        };
        // A fourth invitation of a member within a day is refused, too.
        let is_fourth = answer.response.status == 409 && answer.body.contains("24 hours");
        assert!(answer.response.status == expected || is_fourth, "{}", answer.body);
        let texts = self.texts(person);
        if answer.response.status != 201 {
            assert_eq!(texts, Vec::<String>::new());
            return;
        }
        let member = known.unwrap_or_else(|| self.note(&answer, (account, person), role, manager));
        self.invitations.push(Invitation {
            code: link_in(&texts[0]),
            member,
            manager,
            ends: self.members[member].ends,
            at_ms: self.now_ms(),
            is_used: false,
        });
    }

    fn note(
        &mut self,
        answer: &Answer,
        (account, person): (usize, usize),
        role: &'static str,
        manager: usize,
    ) -> usize {
        self.members.push(Member {
            account,
            person,
            id: answer.text("/data/id"),
            role,
            manager,
            has_joined: false,
            is_there: true,
            ends: 0,
        });
        self.members.len() - 1
    }

    /// Somebody names a phone whose owner hears nothing of it.
    fn name(&mut self) {
        let (person, manager) = (self.any(self.people.len()), self.any(self.managers.len()));
        let Manager {
            account,
            ref key,
            counts,
            ..
        } = self.managers[manager];
        if !counts || self.member_of(account, person).is_some() {
            return;
        }
        let role = ROLES[self.any(4)];
        let body = json!({"phone": phone(person), "name": "P", "role": role, "invite": false});
        let answer = self.world.posted(key, "/members", body);
        self.note(&answer, (account, person), role, manager);
        assert_eq!(self.texts(person), Vec::<String>::new());
    }

    /// Opens any invitation that was ever sent.
    fn accept(&mut self) {
        if self.invitations.is_empty() {
            return;
        }
        let which = self.any(self.invitations.len());
        let address = self.address();
        let invitation = &self.invitations[which];
        let (counts, member) = (self.is_invited(invitation), invitation.member);
        let request = self.world.request("POST", "/console/sign-in/link").from(&address);
        let answer = request.json(json!({"code": invitation.code})).send();
        assert_eq!(
            answer.response.status,
            if counts { 204 } else { 422 },
            "{}",
            answer.body
        );
        if counts {
            self.invitations[which].is_used = true;
            self.members[member].has_joined = true;
            self.opened(cookie(&answer), member, true);
        }
    }

    /// The members by which a code signs a person in.
    fn ways(&self, person: usize) -> Vec<usize> {
        let counts = |member: &Member| {
            member.person == person && member.is_there && member.has_joined && !self.needs_passkey[member.account]
        };
        (0..self.members.len())
            .filter(|at| counts(&self.members[*at]))
            .collect()
    }

    fn may_ask(&self, person: usize) -> bool {
        let since = |ms: i64| {
            let asked = self.people[person].asked_ms.iter();
            asked.filter(|at_ms| **at_ms > self.now_ms() - ms).count()
        };
        since(130_000) == 0 && since(600_000) < 4 && since(24 * HOUR_MS) < 9
    }

    fn sign_in(&mut self) {
        let person = self.any(self.people.len());
        if !self.may_ask(person) {
            return;
        }
        let now_ms = self.now_ms();
        let started = self.ask(person, "/console/sign-in", json!({"phone": phone(person)}));
        if started.response.status == 429 {
            assert!(
                !self.people[person].is_known,
                "a known browser is let in, whatever its network does: {}",
                started.body
            );
            self.kept_out += 1;
            return;
        }
        started.expect(201);
        self.people[person].asked_ms.push(now_ms);
        // Somebody in the same network is quicker.
        if self.any(2) == 0 {
            self.flood(Self::home(person));
        }
        let texts = self.texts(person);
        let ways = self.ways(person);
        let Some(text) = texts.last() else {
            assert!(
                ways.is_empty() || !self.people[person].is_known,
                "a known browser gets its code"
            );
            return;
        };
        let wanted = self.any(self.accounts.len());
        let body = json!({"phone": phone(person), "code": sign_in::code_in(text), "account": self.accounts[wanted].id});
        let answer = self.ask(person, "/console/sign-in/check", body);
        if ways.is_empty() {
            assert!([409, 422].contains(&answer.response.status), "{}", answer.body);
            return;
        }
        let session = cookie(&answer.expect(204));
        self.people[person].is_known = true;
        let account = self.world.page(&session, "/console/session").text("/data/account/id");
        let into = ways
            .iter()
            .find(|at| self.accounts[self.members[**at].account].id == account);
        let Some(&into) = into else {
            panic!("a code leads into an account that the person has not joined: {account}")
        };
        let has_wanted = ways.iter().any(|at| self.members[*at].account == wanted);
        assert!(!has_wanted || self.members[into].account == wanted);
        self.opened(session, into, true);
    }

    /// A stranger asks for codes and guesses, from elsewhere.
    fn guess(&mut self) {
        let person = self.any(self.people.len());
        let address = self.address();
        let browser = 100 + u8::try_from(self.any(100)).unwrap();
        start_in(self.world, browser, &address, &phone(person)).expect(201);
        for code in ["000000", "123456", "999999"] {
            let body = json!({"phone": phone(person), "code": code});
            check_in(self.world, browser, &address, body).problem(422, 422);
        }
        self.texts(person);
    }

    /// Guesses from a network until it is kept out.
    fn flood(&mut self, network: String) {
        let person = self.any(self.people.len());
        let guess = || {
            let request = self.world.request("POST", "/console/sign-in/check");
            let body = json!({"phone": phone(person), "code": "000000"});
            request.browser(99).from(&network).json(body)
        };
        to_end_in_time(self.world, join_all((0..70).map(|_| guess().answer())));
        guess().send().problem(429, 429);
    }

    fn change(&mut self) {
        let Some(at) = self.any_member() else { return };
        let role = ROLES[self.any(4)];
        let member = &self.members[at];
        let path = self.accounts[member.account].path(&format!("/members/{}", member.id));
        let key = &self.accounts[member.account].key;
        let own = format!("/members/{}", member.id);
        match self.any(3) {
            0 => {
                self.world.admin("DELETE", &path, json!({})).expect(204);
                self.members[at].is_there = false;
            }
            _ => {
                let before = self.members[at].role;
                self.world
                    .ask("PATCH", key, &own)
                    .json(json!({"role": role}))
                    .send()
                    .expect(200);
                self.members[at].ends += u32::from(before != role);
                self.members[at].role = role;
            }
        }
    }

    fn any_member(&self) -> Option<usize> {
        let there: Vec<usize> = (0..self.members.len())
            .filter(|at| self.members[*at].is_there)
            .collect();
        (!there.is_empty()).then(|| there[self.any(there.len())])
    }

    /// A link that an owner makes for a member: it opens a session of that account, and makes nobody join.
    fn link(&mut self) {
        let Some(at) = self.any_member() else { return };
        let account = &self.accounts[self.members[at].account];
        let path = format!("/members/{}/link", self.members[at].id);
        let code = self.world.posted(&account.key, &path, json!({})).text("/data/code");
        let answer = self.world.enter(&code).expect(204);
        self.opened(cookie(&answer), at, false);
    }

    /// A key that admits people ends, alone or with all that comes from it; another one takes its place.
    fn end_manager(&mut self) {
        let at = self.any(self.managers.len());
        let Manager {
            account,
            ref id,
            counts,
            ..
        } = self.managers[at];
        if !counts {
            return;
        }
        let cascades = self.any(2) == 0;
        let path = self.accounts[account].path(&format!("/keys/{id}"));
        match cascades {
            true => self
                .world
                .admin("DELETE", &format!("{path}?cascade=true"), json!({}))
                .expect(200),
            false => self.world.admin("DELETE", &path, json!({})).expect(204),
        };
        self.managers[at].counts = false;
        let gone = |member: &&mut Member| cascades && member.manager == at;
        self.members
            .iter_mut()
            .filter(gone)
            .for_each(|member| member.is_there = false);
        self.add_manager(account);
    }

    fn add_manager(&mut self, account: usize) {
        let all = Scope::all_of(false).into_iter().map(Scope::as_str);
        let wanted = json!({"title": "manager", "scopes": all.collect::<Vec<_>>()});
        let granted = self.world.grant(&self.accounts[account], wanted);
        self.managers.push(Manager {
            account,
            id: granted.text("/data/id"),
            key: granted.text("/data/key"),
            counts: true,
        });
    }

    /// The last account says whether only passkeys count.
    fn rule(&mut self) {
        let account = self.accounts.len() - 1;
        let passkey = !self.needs_passkey[account];
        let rule = json!({"require": if passkey { "PASSKEY" } else { "CODE" }});
        self.world
            .put(&self.accounts[account].key, "/members/sign-in", rule)
            .expect(200);
        self.needs_passkey[account] = passkey;
        if passkey {
            let of_account = |right: &Right, members: &[Member]| matches!(right, Right::Of(at, _) if members[*at].account == account);
            let members = &self.members;
            self.sessions
                .retain(|one| !(one.is_by_code && of_account(&one.right, members)));
            self.invitations
                .iter_mut()
                .for_each(|one| one.is_used |= members[one.member].account == account);
        }
    }

    fn look_at(&mut self) {
        let (operator, account) = (self.any(self.operators.len()), self.any(self.accounts.len()));
        let (_, key, counts) = &self.operators[operator];
        let made = self
            .world
            .ask("POST", key, &self.accounts[account].path("/console-link"))
            .send();
        if !counts {
            made.refused(401);
            return;
        }
        let answer = self.world.enter(&made.expect(201).text("/data/code")).expect(204);
        self.sessions.push(Session {
            cookie: cookie(&answer),
            right: Right::Looks(operator),
            until_ms: self.now_ms() + HOUR_MS,
            is_by_code: false,
        });
    }

    fn dismiss(&mut self) {
        let at = self.any(self.operators.len());
        if self.operators[at].2 && self.any(3) == 0 {
            let path = format!("/admin/keys/{}", self.operators[at].0);
            self.world.admin("DELETE", &path, json!({})).expect(204);
            self.operators[at].2 = false;
        }
    }

    fn step(&mut self) {
        match self.any(16) {
            0..=2 => self.invite(),
            3 => self.name(),
            4..=5 => self.accept(),
            6..=8 => self.sign_in(),
            9 => self.guess(),
            10 => self.change(),
            11 => self.link(),
            12 => self.end_manager(),
            13 => self.rule(),
            14 => self.look_at(),
            _ => self.dismiss(),
        }
        let waits = [1_000, 150_000, 20 * 60_000, HOUR_MS / 2, 7 * HOUR_MS];
        self.world.advance(waits[self.any(waits.len())]);
    }
}

fn accounts(world: &World, shop: Account) -> Vec<Account> {
    let mut all = vec![shop];
    // By its name the first comes before the shop.
    for name in ["a-thief", "zeta"] {
        all.push(world.account(name, 900_000));
    }
    for account in &all {
        let wide = json!({"limit": 100_000, "windowSeconds": 1, "burst": 10_000});
        world.change_account(account, json!({"defaultLine": "20002", "rateLimit": wide}));
    }
    all
}

fn operators(world: &World) -> Vec<(String, String, bool)> {
    let issue = |_| {
        let scopes = json!({"title": "support", "scopes": ["admin:accounts", "admin:read"]});
        let issued = world.create("/admin/keys", scopes);
        (issued.text("/data/id"), issued.text("/data/key"), true)
    };
    (0..3).map(issue).collect()
}

#[test]
fn nobody_reads_more_than_the_present_right_and_no_stranger_keeps_a_member_out() {
    let (mut joined, mut opened, mut kept_out) = (0, 0, 0);
    for seed in 0..u64::from(cases(6)) {
        let (world, shop) = sign_in::world();
        let accounts = accounts(&world, shop);
        world.advance(31_000);
        let mut people = People {
            world: &world,
            dice: Dice::new(seed),
            needs_passkey: vec![false; accounts.len()],
            accounts,
            managers: Vec::new(),
            members: Vec::new(),
            invitations: Vec::new(),
            sessions: Vec::new(),
            people: (0..3).map(|_| Person::default()).collect(),
            operators: operators(&world),
            addresses: 0,
            kept_out: 0,
        };
        (0..people.accounts.len()).for_each(|account| people.add_manager(account));
        for step in 0..STEPS {
            people.step();
            people.look(step);
        }
        joined += people.members.iter().filter(|member| member.has_joined).count();
        opened += people.sessions.len();
        kept_out += people.kept_out;
        let known: Vec<Value> = world
            .db
            .texts("SELECT id FROM member")
            .into_iter()
            .map(Value::from)
            .collect();
        let there = |id: &Value| {
            people
                .members
                .iter()
                .any(|member| member.has_joined && json!(member.id) == *id)
        };
        assert!(known.iter().all(there), "the directory has nobody who has not joined");
    }
    assert!(
        joined > 6 && opened > 30 && kept_out > 0,
        "the worlds saw too little: {joined}, {opened}, {kept_out}"
    );
}
