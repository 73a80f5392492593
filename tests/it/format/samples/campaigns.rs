//! Campaigns.

use std::collections::{BTreeMap, BTreeSet};

use peyk::account::campaign::recipients::{ListCampaignRecipients, Reached};
use peyk::account::campaign::requests::{
    ChangeCampaign, Changed, DeleteCampaign, GetCampaign, ListCampaigns, MadeCampaign, MakeCampaign,
};
use peyk::account::campaign::resend::ResendCampaign;
use peyk::account::campaign::steer::{SteerCampaign, Steered, Step};
use peyk::account::campaign::view::CampaignView;
use peyk::account::message::read::RecipientFilter;
use peyk::account::record::campaign_row::{
    CampaignReason, CampaignState, Content, Counted, Exclude, Failure, Forgotten, Guard, Judged, Plan, Starter, Sums,
};
use peyk::account::record::idempotency::{Idempotency, Space};
use peyk::account::record::message::delivery_error::DeliveryError;
use peyk::account::record::message::status::RecipientStatus;
use peyk::auth::Mode;
use peyk::base::window::{TimeOfDay, Window};
use serde_json::json;

use super::messages::{halted, recipients};
use super::{Format, first_page, format, page, request};

const ID: &str = "019b796d-a000-7000-8000-000000000008";

fn plan() -> Plan {
    Plan {
        content: Content::Text("Hello %name%".to_owned()),
        keeps_unknown: true,
        line: Some("10001".to_owned()),
        phonebooks: vec!["019b796d-a000-7000-8000-000000000000".to_owned()],
        condition: Some(
            json!({"any": true, "tests": [{"attribute": "city", "operator": "EQUALS", "value": "Tehran"}]}),
        ),
        exclude: Exclude {
            phonebooks: vec!["019b796d-a000-7000-8000-000000000001".to_owned()],
            numbers: vec![989_121_234_567],
        },
        send_at_ms: Some(1_767_272_400_000),
        window: Window::new(time(540), time(1_260), "Asia/Tehran".to_owned()),
        per_minute: Some(600),
        budget: Some(5_000_000),
        guard: Some(Guard {
            failed_share: Some(10),
            opt_out_share: Some(2),
            after: 100,
        }),
    }
}

fn time(minutes: u16) -> TimeOfDay {
    TimeOfDay::of_minutes(minutes).unwrap()
}

/// A plan without all that it may lack.
fn least_plan() -> Plan {
    Plan {
        content: Content::Pattern {
            slug: "login".to_owned(),
            values: BTreeMap::from([("DAY".to_owned(), "Monday".to_owned())]),
        },
        keeps_unknown: false,
        line: None,
        condition: None,
        exclude: Exclude::default(),
        send_at_ms: None,
        window: None,
        per_minute: None,
        budget: None,
        guard: None,
        ..plan()
    }
}

fn starter() -> Starter {
    Starter {
        key: "key-1".to_owned(),
        lines: Some(vec!["10001".to_owned()]),
        console: true,
    }
}

fn counted() -> Counted {
    Counted {
        people: 2,
        parts: 3,
        cost: 3_000,
        skipped: BTreeMap::from([("BLACKLISTED".to_owned(), 1)]),
        operators: BTreeMap::from([("MCI".to_owned(), (2, 3_000))]),
    }
}

fn sums() -> Sums {
    Sums {
        waves: 1,
        recipients: 2,
        skipped: 3,
        queued: 4,
        open: 5,
        delivered: 6,
        failed: 7,
        cost: 8,
        returned: 9,
        carriers: BTreeSet::from(["mci".to_owned()]),
    }
}

fn failures() -> Vec<Failure> {
    vec![Failure {
        error: "BLOCKED".to_owned(),
        operator: "MCI".to_owned(),
        count: 3,
    }]
}

fn judged() -> Judged {
    Judged {
        recipients: 2,
        delivered: 3,
        failed: 4,
        opt_outs: 5,
    }
}

fn campaign() -> CampaignView {
    CampaignView {
        id: 8,
        uid: ID.to_owned(),
        title: "Spring".to_owned(),
        state: CampaignState::Paused.into(),
        reason: Some(CampaignReason::LowBalance.into()),
        test: true,
        plan: plan(),
        revision: 3,
        resend_of: Some("019b796d-a000-7000-8000-000000000006".to_owned()),
        resent_as: Some("019b796d-a000-7000-8000-000000000009".to_owned()),
        created_ms: 1_767_268_800_000,
        started_ms: Some(1_767_268_800_001),
        ended_ms: Some(1_767_268_800_002),
        due_ms: Some(1_767_268_800_003),
        counted: counted(),
        sums: sums(),
        opt_outs: 10,
        failures: Some(failures()),
    }
}

fn least_campaign() -> CampaignView {
    CampaignView {
        state: CampaignState::Draft.into(),
        reason: None,
        test: false,
        plan: least_plan(),
        resend_of: None,
        resent_as: None,
        started_ms: None,
        ended_ms: None,
        due_ms: None,
        failures: None,
        ..campaign()
    }
}

pub fn requests() -> Vec<Vec<Format>> {
    let make = |plan| MakeCampaign {
        uid: ID.to_owned(),
        title: "Spring".to_owned(),
        mode: Mode::Live,
        plan,
        starter: starter(),
        idempotency: None,
    };
    let once = MakeCampaign {
        idempotency: Some(Idempotency {
            space: Space::Campaign,
            key: "spring".to_owned(),
            hash: "9f86d081".to_owned(),
        }),
        ..make(least_plan())
    };
    let made = |is_new| MadeCampaign {
        campaign: Box::new(campaign()),
        is_new,
    };
    let change = ChangeCampaign {
        uid: ID.to_owned(),
        mode: Mode::Test,
        revision: 3,
        title: "Spring".to_owned(),
        plan: plan(),
        starter: starter(),
    };
    let steer = |step| SteerCampaign {
        uid: ID.to_owned(),
        mode: Mode::Live,
        step,
        starter: starter(),
    };
    let (uid, mode) = (ID.to_owned(), Mode::Live);
    vec![
        request(&[make(plan()), make(least_plan()), once], vec![made(true), made(false)]),
        request(
            &[change],
            vec![Changed::Done(Box::new(least_campaign())), Changed::Stale],
        ),
        request(&[DeleteCampaign { uid: uid.clone(), mode }], vec![()]),
        request(&[GetCampaign { uid, mode }], vec![Box::new(campaign())]),
        request(
            &[page(), first_page()].map(|page| ListCampaigns { mode, page }),
            vec![vec![campaign(), least_campaign()]],
        ),
        request(
            &[Step::Start, Step::Pause, Step::Resume, Step::Cancel].map(steer),
            [Some(halted()), None]
                .map(|wave| Steered {
                    campaign: Box::new(campaign()),
                    wave,
                })
                .into(),
        ),
        list_recipients(),
        request(
            &[ResendCampaign {
                of: ID.to_owned(),
                uid: "019b796d-a000-7000-8000-000000000009".to_owned(),
                mode: Mode::Live,
                starter: starter(),
            }],
            [true, false].map(made).into(),
        ),
        vec![
            format("campaign.plan", &[plan(), least_plan()]),
            format("campaign.starter", &[starter(), Starter::default()]),
            format("campaign.counted", &[counted()]),
            format(
                "campaign.forgotten",
                &[Forgotten {
                    sums: sums(),
                    failures: failures(),
                }],
            ),
            format("campaign.forgiven", &[judged()]),
        ],
    ]
}

fn list_recipients() -> Vec<Format> {
    let list = ListCampaignRecipients {
        uid: ID.to_owned(),
        mode: Mode::Live,
        filter: RecipientFilter {
            status: Some(RecipientStatus::Skipped),
            msisdn: Some(989_121_234_567),
            error: Some(DeliveryError::Blacklisted),
        },
        page: page(),
    };
    let placed = |view| (7, "019b796d-a000-7000-8000-000000000007".to_owned(), view);
    let reached = Reached {
        recipients: recipients().into_iter().map(placed).collect(),
        walked_to: Some(9),
    };
    request(&[list], vec![reached, Reached::default()])
}
