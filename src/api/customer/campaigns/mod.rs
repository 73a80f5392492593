//! Campaigns: one text or pattern to the members of phonebooks, wave by wave.

mod data;
pub mod parse;

use crate::account::campaign::recipients::{ListCampaignRecipients, Reached};
use crate::account::campaign::requests::{
    ChangeCampaign, Changed, DeleteCampaign, GetCampaign, ListCampaigns, MadeCampaign, MakeCampaign,
};
use crate::account::campaign::resend::ResendCampaign;
use crate::account::campaign::steer::{SteerCampaign, Steered, Step};
use crate::account::campaign::view::CampaignView;
use crate::account::message::export::FIRST_PAGE;
use crate::account::record::campaign_row::{Plan, Starter};
use crate::account::record::idempotency::{Idempotency, Space};
use crate::account::record::message::Page;
use crate::api::customer::messages::{RecipientsWish, hold_back, recipients_export};
use crate::api::customer::send::not_read;
use crate::api::http::idempotency::{self, request_hash};
use crate::api::http::query::Paged;
use crate::api::http::{self, Response, body::JsonBody, context::Context, respond::Success};
use crate::api::shared::export::{Answer, Export, ListForm};
use crate::api::shared::view::{RecipientState, Sandboxes};
use crate::auth::Scope;
use crate::base::{id, ports::Platform};
use crate::compose::wave;
use crate::problem::Problem;

pub use data::{CampaignData, CampaignDetail};
pub use parse::{CampaignChange, NewCampaign};

/// A change is tried at most so many times, if others change the campaign meanwhile.
const MAX_TRIES: usize = 3;

/// `POST /campaigns`
pub async fn create<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let mut fields = context.fields(body);
    let new = parse::new(&mut fields);
    let key = idempotency::read_key(context.request.head, &mut fields);
    fields.finish()?;
    let (title, plan) = new.ok_or_else(not_read)?;
    may_choose(context, &plan)?;
    check(context, &plan).await?;
    let mode = context.caller()?.mode();
    let make = MakeCampaign {
        uid: id::new(context.platform)?,
        title,
        mode,
        plan,
        starter: starter(context)?,
        idempotency: key.map(|key| Idempotency {
            space: Space::of_campaigns(mode),
            key,
            hash: request_hash("/campaigns", &body.bytes),
        }),
    };
    let MadeCampaign { campaign, is_new } = context.call(&make).await?;
    Success::created(told(context, &campaign).await?)
        .replayed(!is_new)
        .response(context)
}

/// `GET /campaigns`
pub async fn list<P: Platform>(context: &Context<'_, P>, query: Paged<'_>) -> Result<Response, Problem> {
    let (page, ()) = query.listed("campaigns")?;
    let list = ListCampaigns {
        mode: context.caller()?.mode(),
        page: page.to_read(),
    };
    let mut campaigns = context.call(&list).await?;
    let next = page.cut(&mut campaigns, |campaign| campaign.id);
    let sandboxes = Sandboxes::of(context).await?;
    let unit = &context.app.config.unit;
    let data = campaigns
        .iter()
        .map(|campaign| CampaignData::of(campaign, &sandboxes, unit));
    Success::page(data, next).response(context)
}

/// `GET /campaigns/{id}`
pub async fn get<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Response, Problem> {
    Success::ok(told(context, &*find(context, id).await?).await?).response(context)
}

/// `PATCH /campaigns/{id}`
pub async fn change<P: Platform>(context: &Context<'_, P>, id: &str, body: &JsonBody) -> Result<Response, Problem> {
    let mut fields = context.fields(body);
    let wanted = parse::change(&mut fields);
    fields.finish()?;
    for _ in 0..MAX_TRIES {
        let campaign = find(context, id).await?;
        let (title, plan) = wanted.clone().of(&campaign);
        let sends_other = !plan.is_as(&campaign.plan);
        if sends_other {
            may_choose(context, &plan)?;
        }
        if sends_other || plan.window != campaign.plan.window {
            check(context, &plan).await?;
        }
        let change = ChangeCampaign {
            uid: campaign.uid,
            mode: context.caller()?.mode(),
            revision: campaign.revision,
            title,
            plan,
            starter: starter(context)?,
        };
        if let Changed::Done(campaign) = context.call(&change).await? {
            return Success::ok(told(context, &campaign).await?).response(context);
        }
    }
    Err(Problem::Unavailable(
        "a campaign was changed again and again".to_owned(),
    ))
}

/// `DELETE /campaigns/{id}`
pub async fn delete<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Response, Problem> {
    let delete = DeleteCampaign {
        uid: id.to_owned(),
        mode: context.caller()?.mode(),
    };
    context.call(&delete).await?;
    Ok(http::no_content())
}

/// `POST /campaigns/{id}/start`
pub async fn start<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Response, Problem> {
    steer(context, id, Step::Start).await
}

/// `POST /campaigns/{id}/pause`
pub async fn pause<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Response, Problem> {
    steer(context, id, Step::Pause).await
}

/// `POST /campaigns/{id}/resume`
pub async fn resume<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Response, Problem> {
    steer(context, id, Step::Resume).await
}

/// `POST /campaigns/{id}/cancel`
pub async fn cancel<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Response, Problem> {
    steer(context, id, Step::Cancel).await
}

async fn steer<P: Platform>(context: &Context<'_, P>, id: &str, step: Step) -> Result<Response, Problem> {
    let steer = SteerCampaign {
        uid: id.to_owned(),
        mode: context.caller()?.mode(),
        step,
        starter: starter(context)?,
    };
    let Steered { campaign, wave } = context.call(&steer).await?;
    if let Some(wave) = wave.filter(|_| matches!(step, Step::Pause | Step::Cancel)) {
        hold_back(context, &wave).await?;
    }
    Success::ok(told(context, &campaign).await?).response(context)
}

/// `POST /campaigns/{id}/resend`
pub async fn resend<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Response, Problem> {
    let resend = ResendCampaign {
        of: id.to_owned(),
        uid: id::new(context.platform)?,
        mode: context.caller()?.mode(),
        starter: starter(context)?,
    };
    let MadeCampaign { campaign, is_new } = context.call(&resend).await?;
    let data = told(context, &campaign).await?;
    match is_new {
        true => Success::created(data),
        false => Success::ok(data),
    }
    .response(context)
}

/// `GET /campaigns/{id}/recipients`
pub async fn recipients<P: Platform>(
    context: &Context<'_, P>,
    id: &str,
    mut query: Paged<'_, (RecipientsWish, ListForm)>,
) -> Result<Answer, Problem> {
    let (wish, form) = query.filters();
    if form.is_csv() {
        query.refuse_page("format");
        query.finish()?;
        let export = recipients_export(context, list_of(context, id, wish, FIRST_PAGE)?).await?;
        return Ok(Export::CampaignRecipients(Box::new(export)).answer("recipients.csv"));
    }
    let page = query.page(&format!("campaigns/{id}"));
    query.finish()?;
    let Reached {
        mut recipients,
        walked_to,
    } = context.call(&list_of(context, id, wish, page.to_read())?).await?;
    let next = page.cut(&mut recipients, |(place, ..)| *place);
    let next = next.or_else(|| walked_to.map(|place| page.cursor_behind(&place)));
    let sandboxes = Sandboxes::of(context).await?;
    let data = recipients
        .iter()
        .map(|(_, uid, view)| RecipientState::of(uid, view, &sandboxes));
    let response = Success::page(data, next).response(context)?;
    Ok(response.into())
}

fn list_of<P: Platform>(
    context: &Context<'_, P>,
    id: &str,
    wish: RecipientsWish,
    page: Page,
) -> Result<ListCampaignRecipients, Problem> {
    Ok(ListCampaignRecipients {
        uid: id.to_owned(),
        mode: context.caller()?.mode(),
        filter: wish.into(),
        page,
    })
}

async fn find<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Box<CampaignView>, Problem> {
    let get = GetCampaign {
        uid: id.to_owned(),
        mode: context.caller()?.mode(),
    };
    context.call(&get).await
}

/// Fails for a key that may not read phonebooks, if a campaign has a condition and is counted: how many meet it tells what phonebooks have
/// on people.
fn may_choose<P: Platform>(context: &Context<'_, P>, plan: &Plan) -> Result<(), Problem> {
    match plan.condition.is_none() || context.caller()?.has_scope(Scope::Phonebook) {
        true => Ok(()),
        false => Err(Problem::Forbidden(Scope::Phonebook)),
    }
}

/// Fails for a campaign that could send nothing to anybody.
async fn check<P: Platform>(context: &Context<'_, P>, plan: &Plan) -> Result<(), Problem> {
    let profile = context.profile().await?;
    wave::check(&context.composer(&profile)?, plan).await
}

fn starter<P: Platform>(context: &Context<'_, P>) -> Result<Starter, Problem> {
    let caller = context.caller()?;
    Ok(Starter {
        key: caller.lasting_key().to_owned(),
        lines: caller.lines().map(<[String]>::to_vec),
        console: caller.is_session(),
    })
}

async fn told<P: Platform>(context: &Context<'_, P>, campaign: &CampaignView) -> Result<serde_json::Value, Problem> {
    let sandboxes = Sandboxes::of(context).await?;
    Ok(CampaignDetail::of(campaign, &sandboxes, &context.app.config.unit))
}
