//! The bodies of campaigns.

use std::collections::BTreeMap;

use serde_json::Value;
use sms::msisdn::Msisdn;

use crate::account::campaign::view::CampaignView;
use crate::account::record::campaign_row::{Content, Exclude, Guard, Plan};
use crate::api::customer::send::parse::{
    MAX_SLUG, NewFilledPattern, keeps_unknown, phonebooks, send_at, source_number, template, values,
};
use crate::api::http::forms::{Form, by, choice, integer, list_of, object, or_null, phone_number, refused, text};
use crate::api::http::json_fields::{Body, Fields, Place};
use crate::api::http::json_schema;
use crate::api::shared::window::window;
use crate::base::ports::MAX_INTEGER;
use crate::base::window::Window;
use crate::directory::phonebook::condition::{Condition, Operator, Test};
use crate::problem::field_error::FieldErrorKind;
use crate::{body, either};

const MAX_TITLE: usize = 200;
/// A campaign leaves out at most this many numbers by themselves. A phonebook holds more.
const MAX_NUMBERS: usize = 1_000;
/// A condition has at most this many tests.
const MAX_TESTS: usize = 20;
const MAX_ATTRIBUTE: usize = 50;
/// The operators that need a value, and those that take none.
const COMPARING: [Operator; 5] = [
    Operator::Equals,
    Operator::NotEquals,
    Operator::Less,
    Operator::Greater,
    Operator::Contains,
];
const PRESENCE: [Operator; 2] = [Operator::Exists, Operator::Missing];
const MAX_VALUE: usize = 500;
/// The most people in a minute that a bound can say.
const MAX_PER_MINUTE: i64 = 1_000_000;
/// How many endings a guard may wait for, and for how many one waits that does not say.
const MAX_AFTER: i64 = 100_000;
const DEFAULT_AFTER: i64 = 100;

body! {
    /// A campaign of a text, filled in for each number.
    pub struct TextCampaign => {"title": "Spring sale", "message": "Hello %name%", "phonebooks": ["019b796d-a000-7000-8000-000000000000"]} {
        title: String = must "title" title();
        message: Option<String> = needs "message" template();
        keeps_unknown: Option<bool> = can "unknownPlaceholders" keeps_unknown();
        pattern: Option<()> = can "pattern" refused(FieldErrorKind::NotBeside("message"));
        audience: NewAudience = all;
        common: CampaignCommon = all;
    }

    /// A campaign of a pattern, filled in once.
    pub struct PatternCampaign => {"title": "Holiday", "pattern": "notice", "variables": {"DAY": "Monday"}, "phonebooks": ["019b796d-a000-7000-8000-000000000000"]} {
        title: String = must "title" title();
        filled: NewFilledPattern = all;
        message: Option<()> = can "message" refused(FieldErrorKind::NotBeside("pattern"));
        audience: NewAudience = all;
        common: CampaignCommon = all;
    }

    pub struct NewAudience {
        /// The ids of the phonebooks whose members it goes to. A number that stands in several counts once.
        phonebooks: Option<Vec<String>> = needs "phonebooks" phonebooks(1);
    }

    pub struct CampaignCommon {
        /// The line to send from. Left out or empty: the account's default line.
        source_number: Option<Option<String>> = can "sourceNumber" source_number() => "10001";
        condition: Option<Condition> = can "where" condition();
        exclude: Option<Exclude> = can "exclude" exclude();
        /// When it begins once it is started, at most 90 days ahead. Left out: at once.
        send_at_ms: Option<i64> = can "sendAt" send_at();
        window: Option<Option<Window>> = can "window" hours();
        per_minute: Option<i64> = can "perMinute" per_minute();
        budget: Option<i64> = can "budget" budget();
        guard: Option<Option<Guard>> = can "guard" guard();
    }

    /// A change of a campaign that sends a text from then on.
    #[derive(Clone)]
    pub struct TextCampaignChange => {"title": "Spring", "message": "Hello %name%", "budget": 5_000_000} {
        message: Option<String> = may "message" template();
        keeps_unknown: Option<bool> = can "unknownPlaceholders" keeps_unknown();
        pattern: Option<()> = can "pattern" refused(FieldErrorKind::NotBeside("message"));
        common: CommonChange = all;
    }

    /// A change of a campaign that sends what it did, or a pattern from then on.
    #[derive(Clone)]
    pub struct PatternCampaignChange => {"title": "Holiday", "pattern": "notice", "variables": {"DAY": "Monday"}} {
        /// The slug of a pattern, in place of what it sent.
        pattern: Option<String> = can "pattern" text(MAX_SLUG) => "login";
        /// The values of the pattern's variables, by their names.
        variables: Option<BTreeMap<String, String>> = can "variables" values() => {"OTP": "1234"};
        message: Option<()> = can "message" refused(FieldErrorKind::NotBeside("pattern"));
        common: CommonChange = all;
    }

    // What is left out stays; `null` takes away what a campaign can do without.
    #[derive(Clone)]
    pub struct CommonChange {
        title: Option<String> = may "title" title();
        /// The ids of the phonebooks whose members it goes to.
        phonebooks: Option<Vec<String>> = may "phonebooks" phonebooks(1);
        /// The line to send from.
        source_number: Option<Option<Option<String>>> = can "sourceNumber" or_null(source_number()) => "10001";
        condition: Option<Option<Condition>> = can "where" or_null(condition());
        exclude: Option<Option<Exclude>> = can "exclude" or_null(exclude());
        /// When it begins once it is started.
        send_at_ms: Option<Option<i64>> = can "sendAt" or_null(send_at());
        window: Option<Option<Option<Window>>> = can "window" or_null(hours());
        per_minute: Option<Option<i64>> = can "perMinute" or_null(per_minute());
        budget: Option<Option<i64>> = can "budget" or_null(budget());
        guard: Option<Option<Option<Guard>>> = can "guard" or_null(guard());
    }

    pub struct FailedGuard => {"failedShare": 10} {
        failed_share: Option<i64> = needs "failedShare" share() => 10;
        /// How many of a hundred people that it goes to may opt out by a reply.
        opt_out_share: Option<i64> = can "optOutShare" share() => 2;
        after: i64 = can "after" after(), or DEFAULT_AFTER;
    }

    pub struct OptOutGuard => {"optOutShare": 2} {
        /// How many of a hundred people whose ending is known may have failed to get it.
        failed_share: Option<i64> = can "failedShare" share() => 10;
        opt_out_share: Option<i64> = needs "optOutShare" share() => 2;
        after: i64 = can "after" after(), or DEFAULT_AFTER;
    }

    pub struct NewCondition {
        any: Option<bool> = can "match" matches();
        tests: Option<Vec<Option<Test>>> = needs "tests" tests();
    }

    /// A test of a value.
    pub struct ValueTest => {"attribute": "city", "operator": "EQUALS", "value": "Tehran"} {
        attribute: Option<String> = needs "attribute" attribute();
        /// How the values are compared. `LESS` and `GREATER` compare numbers as numbers and all else as texts, such as dates that begin with
        /// the year. Digits and letters are compared however they are written.
        operator: Option<Operator> = needs "operator" choice(&COMPARING, Operator::as_str) => "EQUALS";
        /// What the number's value is compared with.
        value: Option<String> = needs "value" text(MAX_VALUE) => "Tehran";
    }

    /// A test whether there is a value.
    pub struct PresenceTest => {"attribute": "city", "operator": "EXISTS"} {
        attribute: Option<String> = needs "attribute" attribute();
        operator: Option<Operator> = needs "operator" choice(&PRESENCE, Operator::as_str) => "EXISTS";
    }

    pub struct NewExclude {
        /// The ids of phonebooks whose members get nothing.
        phonebooks: Option<Vec<String>> = can "phonebooks" phonebooks(0);
        /// Numbers that get nothing.
        numbers: Option<Vec<Msisdn>> = can "numbers" list_of(phone_number(), 0, MAX_NUMBERS);
    }
}

either! {
    /// A test of what a phonebook has for a number.
    pub struct NewTest as "NewTest" = exactly_one ValueTest, PresenceTest;

    /// What stops a campaign that goes wrong: one share, or both.
    pub struct NewGuard as "NewGuard" = any_of FailedGuard, OptOutGuard;

    /// A campaign to make.
    pub struct NewCampaign as "NewCampaign" = exactly_one TextCampaign, PatternCampaign;

    /// What to change. What is left out stays; `null` takes away what a campaign can do without.
    pub struct CampaignChange as "CampaignChange" = any_of TextCampaignChange, PatternCampaignChange;
}

fn title() -> impl Form<Value = String> {
    text(MAX_TITLE).about("The title, for you.").like("Spring sale")
}

fn matches() -> impl Form<Value = bool> {
    let form = choice(&[false, true], |any| if any { "ANY" } else { "ALL" });
    form.about("Whether `ALL` of the tests must hold, which is so if it is left out, or `ANY` of them.")
        .like("ALL")
}

fn tests() -> impl Form<Value = Vec<Option<Test>>> {
    list_of(test(), 1, MAX_TESTS)
}

/// A test. `None`: it has faults.
fn test() -> impl Form<Value = Option<Test>> {
    let read = |value: &Value, place: &mut Place<'_>| {
        let named = value.get("operator").and_then(Value::as_str).and_then(Operator::parse);
        let test = if named.is_some_and(|operator| PRESENCE.contains(&operator)) {
            place.made(value, |new: PresenceTest, _| of(new.attribute, new.operator, None))
        } else {
            place.made(value, |new: ValueTest, _| of(new.attribute, new.operator, new.value))
        };
        Some(test)
    };
    by(read, json_schema::declared::<NewTest>)
}

fn of(attribute: Option<String>, operator: Option<Operator>, value: Option<String>) -> Option<Test> {
    let (attribute, operator) = attribute.zip(operator)?;
    Some(Test {
        attribute,
        operator,
        value,
    })
}

fn attribute() -> impl Form<Value = String> {
    text(MAX_ATTRIBUTE)
        .about("`name`, or the name of an attribute.")
        .like("city")
}

fn condition() -> impl Form<Value = Condition> {
    object::<NewCondition>()
        .then(|new| Condition {
            any: new.any.unwrap_or(false),
            tests: new.tests.unwrap_or_default().into_iter().flatten().collect(),
        })
        .about("Which of the members it goes to. Left out: all. The key needs the scope `phonebook` for it.")
}

fn exclude() -> impl Form<Value = Exclude> {
    object::<NewExclude>()
        .then(|new| Exclude {
            phonebooks: new.phonebooks.unwrap_or_default(),
            numbers: new.numbers.unwrap_or_default().into_iter().map(Msisdn::get).collect(),
        })
        .about("Who is left out, whoever else names them.")
}

/// The hours of a campaign.
fn hours() -> impl Form<Value = Option<Window>> {
    window().about("The hours in which waves go out. What does not fit goes on the next day. Left out: all hours.")
}

fn per_minute() -> impl Form<Value = i64> {
    integer(1, MAX_PER_MINUTE)
        .about("How many people it may reach in a minute. Left out: as many as can be.")
        .like(600)
}

fn budget() -> impl Form<Value = i64> {
    integer(1, MAX_INTEGER)
        .about("What all of it may cost. What comes back of it makes room again. Left out: as much as it costs.")
        .like(5_000_000)
}

fn share() -> impl Form<Value = i64> {
    integer(1, 100).about("Percent.")
}

fn after() -> impl Form<Value = i64> {
    integer(1, MAX_AFTER)
        .about("How many people must have their ending before the guard judges.")
        .like(DEFAULT_AFTER)
}

/// A guard. `None`: it has faults.
fn guard() -> impl Form<Value = Option<Guard>> {
    let read = |value: &Value, place: &mut Place<'_>| {
        let has = |name| value.get(name).is_some_and(|share| !share.is_null());
        let guard = if has("optOutShare") && !has("failedShare") {
            place.made(value, |new: OptOutGuard, _| {
                guard_of(new.failed_share, new.opt_out_share, new.after)
            })
        } else {
            place.made(value, |new: FailedGuard, _| {
                guard_of(new.failed_share, new.opt_out_share, new.after)
            })
        };
        value.is_object().then_some(guard)
    };
    by(read, json_schema::declared::<NewGuard>)
}

fn guard_of(failed_share: Option<i64>, opt_out_share: Option<i64>, after: i64) -> Option<Guard> {
    Some(Guard {
        failed_share: failed_share.and_then(|share| u32::try_from(share).ok()),
        opt_out_share: opt_out_share.and_then(|share| u32::try_from(share).ok()),
        after: u32::try_from(after).ok()?,
    })
}

/// The title and the plan of a new campaign. `None`: the body has faults.
pub fn new(fields: &mut Fields<'_>) -> Option<(String, Plan)> {
    let has = |name| fields.value(name).is_some_and(|member| !member.is_null());
    if has("pattern") && !has("message") {
        let new = PatternCampaign::read(fields);
        let content = new.filled.pattern.map(|slug| Content::Pattern {
            slug,
            values: new.filled.variables.unwrap_or_default(),
        });
        return plan(content, false, new.audience, new.common).map(|plan| (new.title, plan));
    }
    let new = TextCampaign::read(fields);
    let keeps_unknown = new.keeps_unknown.unwrap_or(false);
    plan(new.message.map(Content::Text), keeps_unknown, new.audience, new.common).map(|plan| (new.title, plan))
}

fn plan(content: Option<Content>, keeps_unknown: bool, audience: NewAudience, common: CampaignCommon) -> Option<Plan> {
    Some(Plan {
        content: content?,
        keeps_unknown,
        line: common.source_number.flatten(),
        phonebooks: audience.phonebooks?,
        condition: stored(common.condition),
        exclude: common.exclude.unwrap_or_default(),
        send_at_ms: common.send_at_ms,
        window: common.window.flatten(),
        per_minute: common.per_minute.and_then(|pace| u32::try_from(pace).ok()),
        budget: common.budget,
        guard: common.guard.flatten(),
    })
}

/// A change of a campaign, as a body asks for it.
#[derive(Debug, Clone)]
pub struct Change {
    content: ContentChange,
    keeps_unknown: Option<bool>,
    common: CommonChange,
}

/// What a campaign sends from then on.
#[derive(Debug, Clone)]
enum ContentChange {
    Text(Option<String>),
    Pattern(Option<String>, Option<BTreeMap<String, String>>),
}

/// Reads a change.
pub fn change(fields: &mut Fields<'_>) -> Change {
    let has = |name| fields.value(name).is_some();
    if has("message") || has("unknownPlaceholders") {
        let new = TextCampaignChange::read(fields);
        return Change {
            content: ContentChange::Text(new.message),
            keeps_unknown: new.keeps_unknown,
            common: new.common,
        };
    }
    let new = PatternCampaignChange::read(fields);
    Change {
        content: ContentChange::Pattern(new.pattern, new.variables),
        keeps_unknown: None,
        common: new.common,
    }
}

impl Change {
    /// The title and the plan of a campaign after it.
    pub fn of(self, campaign: &CampaignView) -> (String, Plan) {
        let (before, common) = (campaign.plan.clone(), self.common);
        let pace = |pace: i64| u32::try_from(pace).ok();
        let plan = Plan {
            content: self.content.of(before.content),
            keeps_unknown: self.keeps_unknown.unwrap_or(before.keeps_unknown),
            line: common.source_number.map_or(before.line, Option::flatten),
            phonebooks: common.phonebooks.unwrap_or(before.phonebooks),
            condition: common.condition.map_or(before.condition, stored),
            exclude: common.exclude.map_or(before.exclude, Option::unwrap_or_default),
            send_at_ms: common.send_at_ms.unwrap_or(before.send_at_ms),
            window: common.window.map_or(before.window, Option::flatten),
            per_minute: common.per_minute.map_or(before.per_minute, |new| new.and_then(pace)),
            budget: common.budget.unwrap_or(before.budget),
            guard: common.guard.map_or(before.guard, Option::flatten),
        };
        (common.title.unwrap_or_else(|| campaign.title.clone()), plan)
    }
}

impl ContentChange {
    fn of(self, before: Content) -> Content {
        match (self, before) {
            (ContentChange::Text(Some(text)), _) => Content::Text(text),
            (ContentChange::Pattern(Some(slug), values), _) => Content::Pattern {
                slug,
                values: values.unwrap_or_default(),
            },
            (ContentChange::Pattern(None, Some(values)), Content::Pattern { slug, .. }) => {
                Content::Pattern { slug, values }
            }
            (_, before) => before,
        }
    }
}

/// A condition as a campaign keeps it.
fn stored(condition: Option<Condition>) -> Option<Value> {
    condition.and_then(|condition| serde_json::to_value(condition).ok())
}
