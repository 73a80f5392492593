//! Campaigns in the form of the API.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::account::campaign::view::CampaignView;
use crate::account::record::campaign_row::{Content, Counted, Exclude, Failure, Guard, Sums};
use crate::answer;
use crate::api::http::json_schema::Schema;
use crate::api::shared::view::{E164, Sandboxes};
use crate::api::shared::window::WindowData;
use crate::base::time;
use crate::directory::phonebook::condition::{Condition, Operator, Test};

answer! {
    /// A campaign.
    pub struct CampaignData(campaign: &CampaignView, sandboxes: &Sandboxes, unit: &str) as "Campaign" {
        "id": campaign.uid, id();
        "title": campaign.title, any_text() => "Spring sale";
        "state": campaign.state.as_str(), named("CampaignState");
        /// Why it is paused, stopped or canceled, or could not be counted, if that was not its sender.
        "reason": campaign.reason.as_ref().map(|reason| reason.as_str()), named("CampaignReason").or_null() => null;
        /// Whether a test key has made it. Then nobody gets anything.
        "test": campaign.test, flag();
        /// The line that it is sent from. `null`: the account's default line.
        "sourceNumber": campaign.plan.line, line().or_null();
        /// When it begins. `null`: when it is started.
        "sendAt": campaign.plan.send_at_ms.map(time::to_rfc3339), time().or_null();
        /// The hours in which waves go out. `null`: all hours.
        "window": campaign.plan.window.as_ref().map(WindowData::of), declared::<WindowData>().or_null() => null;
        /// How many people it may reach in a minute.
        "perMinute": campaign.plan.per_minute, count().or_null() => 600;
        /// What all of it may cost.
        "budget": campaign.plan.budget, money().or_null() => 5_000_000;
        /// What stops it when it goes wrong. `null`: nothing does.
        "guard": campaign.plan.guard.as_ref().map(GuardData::of), declared::<GuardData>().or_null() => null;
        /// The id of the campaign that it is the resend of.
        "resendOf": campaign.resend_of, id().or_null() => null;
        /// The id of its resend, as long as that is there.
        "resentAs": campaign.resent_as, id().or_null() => null;
        "createdAt": time::to_rfc3339(campaign.created_ms), time();
        "startedAt": campaign.started_ms.map(time::to_rfc3339), time().or_null();
        "endedAt": campaign.ended_ms.map(time::to_rfc3339), time().or_null();
        /// When its next wave is due at the earliest, if it runs or waits for its time.
        "nextAt": campaign.due_ms.map(time::to_rfc3339), time().or_null();
        /// What it would come to, if it were started as it was when it was counted. While it is `COUNTING`, this grows.
        "counted": CountedData::of(&campaign.counted), CountedData::schema();
        /// What it has come to so far.
        "progress": ProgressData::of(campaign, &campaign.sums), ProgressData::schema();
        "unit": unit, unit();
        may "simulated": sandboxes.any(&campaign.sums.carriers).then_some(true), simulated().about("There if the sandbox has taken some of it in place of a carrier that sends: that reached nobody.");
    }

    /// A campaign with what it sends to whom.
    pub struct CampaignDetail(campaign: &CampaignView, sandboxes: &Sandboxes, unit: &str) as "CampaignDetail"
        with CampaignData(campaign, sandboxes, unit) {
        /// The text. `null` if it sends a pattern.
        "message": text(campaign), any_text().or_null() => "Hello %name%";
        /// The slug of the pattern. `null` if it sends a text.
        "pattern": pattern(campaign).map(|(slug, _)| slug), any_text().or_null() => null;
        /// The values of the pattern's variables.
        may "variables": pattern(campaign).map(|(_, values)| values), texts();
        /// The ids of the phonebooks whose members it goes to.
        "phonebooks": campaign.plan.phonebooks, any_list(id());
        /// Which of the members it goes to. `null`: all.
        "where": condition(campaign), declared::<ConditionData>().or_null() => null;
        /// Who is left out.
        "exclude": ExcludeData::of(&campaign.plan.exclude), ExcludeData::schema();
    }

    pub struct CountedData(counted: &Counted) {
        /// How many people would get it.
        "people": counted.people, count();
        /// The parts of their texts together.
        "parts": counted.parts, count();
        /// What all of it would cost.
        "cost": counted.cost, money() => 3_000;
        /// How many would be left out, by reason.
        "skipped": counted.skipped, numbers_by_name() => {"BLACKLISTED": 3};
        /// The people and the cost by mobile operator.
        "operators": counted.operators.iter().map(|(name, of)| OperatorData::of(name, *of)).collect::<Vec<_>>(),
            any_list(OperatorData::schema());
    }

    pub struct OperatorData(name: &str, of: (i64, i64)) {
        /// `MCI`, `MTN` or `OTHER`.
        "operator": name, any_text() => "MCI";
        "people": of.0, count();
        "cost": of.1, money() => 3_000;
    }

    pub struct ProgressData(campaign: &CampaignView, sums: &Sums) {
        /// How many waves were accepted. Each is a message.
        "waves": sums.waves, count();
        /// How many people they go to.
        "recipients": sums.recipients, count();
        /// How many were left out.
        "skipped": sums.skipped, count();
        /// How many of the recipients wait for a carrier.
        "queued": sums.queued, count();
        /// How many of the recipients have no ending yet.
        "open": sums.open, count();
        /// How many of the recipients have the message.
        "delivered": sums.delivered, count();
        /// How many of the recipients have failed to get it.
        "failed": sums.failed, count();
        /// How many of the recipients were canceled: they never get the message, and it is paid back.
        "canceled": canceled(sums), count();
        /// How many people have opted out by a reply since it reached them.
        "optOuts": campaign.opt_outs, count();
        /// Why recipients have failed. Not in the list of campaigns.
        may "failures": campaign.failures.as_ref().map(|all| all.iter().map(FailureData::of).collect::<Vec<_>>()),
            any_list(FailureData::schema());
        /// What the waves cost.
        "cost": sums.cost, money() => 3_000;
        /// What of it was released or given back.
        "returned": sums.returned, money() => 1_000;
    }

    pub struct FailureData(failure: &Failure) {
        "error": failure.error, named("DeliveryError");
        /// `MCI`, `MTN` or `OTHER`.
        "operator": failure.operator, any_text() => "MCI";
        "count": failure.count, count() => 3;
    }

    /// What stops a campaign that goes wrong.
    pub struct GuardData(guard: &Guard) as "CampaignGuard" {
        "failedShare": guard.failed_share, count().or_null() => 10;
        "optOutShare": guard.opt_out_share, count().or_null() => 2;
        "after": guard.after, count() => 100;
    }

    pub struct ExcludeData(exclude: &Exclude) {
        /// The ids of the phonebooks whose members get nothing.
        "phonebooks": exclude.phonebooks, any_list(id());
        /// The numbers that get nothing.
        "numbers": exclude.numbers.iter().map(|number| E164(*number)).collect::<Vec<_>>(), any_list(number_or_erased());
    }

    /// Which members of phonebooks a campaign goes to.
    pub struct ConditionData(condition: &Condition) as "Condition" {
        /// Whether `ALL` of the tests must hold, or `ANY` of them.
        "match": if condition.any { "ANY" } else { "ALL" }, one_of(&["ALL", "ANY"]);
        "tests": condition.tests.iter().map(TestData::of).collect::<Vec<_>>(), any_list(TestData::schema());
    }

    pub struct TestData(test: &Test) {
        /// `name`, or the name of an attribute.
        "attribute": test.attribute, any_text() => "city";
        "operator": test.operator.as_str(), one_of(&Operator::ALL.map(Operator::as_str)) => "EQUALS";
        "value": test.value, any_text().or_null() => "Tehran";
    }
}

/// Who neither waits for an ending nor has the message nor failed to get it.
fn canceled(sums: &Sums) -> i64 {
    let others = sums.open.saturating_add(sums.delivered).saturating_add(sums.failed);
    sums.recipients.saturating_sub(others)
}

fn text(campaign: &CampaignView) -> Option<&str> {
    match &campaign.plan.content {
        Content::Text(text) => Some(text),
        Content::Pattern { .. } => None,
    }
}

fn pattern(campaign: &CampaignView) -> Option<(&str, &BTreeMap<String, String>)> {
    match &campaign.plan.content {
        Content::Text(_) => None,
        Content::Pattern { slug, values } => Some((slug, values)),
    }
}

/// The condition, as far as this version reads it.
fn condition(campaign: &CampaignView) -> Option<Value> {
    let stored = campaign.plan.condition.clone()?;
    let condition: Condition = serde_json::from_value(stored).ok()?;
    Some(ConditionData::of(&condition))
}

fn texts() -> Schema {
    Schema(json!({"type": "object", "additionalProperties": {"type": "string"}})).like(json!({"DAY": "Monday"}))
}

fn numbers_by_name() -> Schema {
    Schema(json!({"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}}))
}
