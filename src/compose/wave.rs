//! The next wave of a campaign: the next page of its audience, without those whom it can't reach.
//!
//! A send is refused for one number that has no price, because its sender is there to mend it. A campaign goes on for hours, so it leaves
//! such people out and tells why.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use sms::msisdn::Msisdn;
use sms::price::Operation;
use sms::template::Template;

use super::composer::Composer;
use super::draft::Draft;
use super::learned::Learned;
use super::message::kept_hours;
use super::request::{FilledPattern, NamedAt, NamedNumber, Order, SendRequest};
use super::stand_in::{stand_ins, stand_ins_again};
use super::terms::Terms;
use super::{note_foreign, note_unknown, personal};
use crate::account::record::campaign_row::{Content, Counted, Plan};
use crate::account::record::message::delivery_error::DeliveryError;
use crate::base::ports::{Platform, Zones};
use crate::base::window::Window;
use crate::directory::lines::Line;
use crate::directory::phonebook::audience::{self, Chosen, Member};
use crate::directory::phonebook::condition::Condition;
use crate::directory::phonebook::following::{Asked, Following, following_of};
use crate::problem::Problem;
use crate::problem::field_error::{FieldError, FieldErrorKind, some_of};

/// The member of the body that names the phonebooks.
const PHONEBOOKS: &str = "phonebooks";

/// A page reads at most this many members, of all phonebooks together, so that their values stay far below the memory of an object.
const MEMBERS: u32 = 2_000;
/// A page is asked for at most this many numbers: so many members of a phonebook are read at once with their values.
const NUMBERS: u32 = 500;

/// How large a wave may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Most {
    /// How many people it goes to.
    pub people: usize,
    /// What it costs; `None` for as much as it does. A wave that is too dear goes to fewer people, but to one at least.
    pub cost: Option<i64>,
}

/// Whom a wave may go to.
#[derive(Debug, Clone, Copy)]
pub enum People<'a> {
    /// All members, of the numbers from this one on. So many stand-ins have gone before theirs.
    From(i64, u64),
    /// Those of the members who have these numbers, in ascending order: at most [`most_numbers`].
    Among(&'a [u64]),
}

/// The next wave of a campaign.
#[derive(Debug)]
pub struct Wave<'a> {
    /// The message to those whom it can reach, and what they are sent with. `None`: nobody of the page is in the audience.
    pub draft: Option<(SendRequest, Draft<'a>)>,
    /// The others of the audience, and why they are left out.
    pub left_out: BTreeMap<u64, DeliveryError>,
    /// The smallest number that was not looked at. `None`: nobody is left.
    pub next: Option<i64>,
    /// How many of the numbers that it may go to are in the audience no more.
    pub absent: usize,
}

/// How many numbers a wave of a campaign may be asked for.
pub fn most_numbers(plan: &Plan) -> usize {
    usize::try_from(members_of_each(plan).min(NUMBERS)).unwrap_or(1)
}

/// How many members of each phonebook a page reads.
fn members_of_each(plan: &Plan) -> u32 {
    let phonebooks = u32::try_from(plan.phonebooks.len()).unwrap_or(u32::MAX);
    (MEMBERS / phonebooks.max(1)).max(1)
}

/// Makes the next wave of a campaign, to these people. Those that were learned are left out.
///
/// # Errors
/// A phonebook is gone, the line can't be used, or the text can't be sent to anybody.
pub async fn wave<'a, P: Platform>(
    composer: &Composer<'a, P>,
    plan: &Plan,
    people: People<'_>,
    most: Most,
    learned: &Learned,
) -> Result<Wave<'a>, Problem> {
    let chosen = audience::find(composer.platform.db(), composer.account, &plan.phonebooks).await?;
    let chosen = chosen.ok_or(Problem::NotFound)?;
    let request = request(plan, &[]);
    let terms = Terms::of(composer, &request);
    let text = text(&terms, plan)?;
    let filling = filling(&terms, text.as_ref(), &chosen, true)?;
    let (members, next) = members(composer, plan, &names_of(filling.as_ref()), (people, most.people)).await?;
    let absent = match people {
        People::From(..) => 0,
        People::Among(numbers) => numbers.len().saturating_sub(members.len()),
    };
    if members.is_empty() {
        return Ok(Wave {
            draft: None,
            left_out: BTreeMap::new(),
            next,
            absent,
        });
    }
    let mut left_out = learned.skipped.clone();
    let mut reached = Vec::with_capacity(members.len());
    for member in members {
        match error_of(composer, &terms, filling.as_ref(), &member) {
            _ if left_out.contains_key(&member.number.get()) => {}
            Some(error) => drop(left_out.insert(member.number.get(), error)),
            None => reached.push(member),
        }
    }
    let (request, draft) = draft(composer, plan, filling.as_ref(), &reached, learned).await?;
    let Some(fitting) = most.cost.and_then(|cost| fitting(&draft, cost)) else {
        let draft = Some((request, draft));
        return Ok(Wave {
            draft,
            left_out,
            next,
            absent,
        });
    };
    reached.truncate(fitting);
    let last = reached.last().map_or(0, |member| member.number.get());
    left_out.retain(|number, _| *number < last);
    let draft = self::draft(composer, plan, filling.as_ref(), &reached, learned).await?;
    Ok(Wave {
        draft: Some(draft),
        left_out,
        next: Some(behind(last)),
        absent,
    })
}

/// Fails for a campaign that could send nothing to anybody.
pub async fn check<P: Platform>(composer: &Composer<'_, P>, plan: &Plan) -> Result<(), Problem> {
    let ids = [plan.phonebooks.as_slice(), &plan.exclude.phonebooks].concat();
    let chosen = audience::find(composer.platform.db(), composer.account, &ids).await?;
    let chosen = chosen.ok_or(Problem::NotFound)?;
    let chosen = chosen.get(..plan.phonebooks.len()).unwrap_or_default();
    let request = request(plan, &[]);
    let terms = Terms::of(composer, &request);
    check_zone(composer.platform, composer.now_ms, plan)?;
    let text = text(&terms, plan)?;
    let filling = filling(&terms, text.as_ref(), chosen, plan.keeps_unknown)?;
    let tested = condition(plan)?.map(|condition| condition.names().map(str::to_owned).collect::<Vec<_>>());
    let is_known = |name: &String| chosen.iter().any(|phonebook| phonebook.has(name));
    let unknown: Vec<String> = tested.into_iter().flatten().filter(|name| !is_known(name)).collect();
    if !unknown.is_empty() {
        let kind = FieldErrorKind::NoAttribute {
            unknown: some_of(&unknown),
            known: some_of(&known_names(chosen)),
        };
        return Err(Problem::Validation(vec![terms.member_fault("where", kind)]));
    }
    let (request, draft) = draft(composer, plan, filling.as_ref(), &[], &Learned::default()).await?;
    if let Some((window, hours)) = plan.window.as_ref().zip(kept_hours(&request, &draft))
        && window
            .opens_with_ms(hours, composer.platform, composer.now_ms)
            .is_none()
    {
        let fault = terms.member_fault("window", FieldErrorKind::HoursNeverMeet);
        return Err(Problem::Validation(vec![fault]));
    }
    if let Some(filling) = &filling {
        note_foreign(
            composer.warnings,
            composer.language,
            filling.text,
            &filling.template.names(),
        );
        note_unknown(composer, filling.text, chosen);
    }
    Ok(())
}

/// Fails for a campaign whose hours are in a time zone that nobody knows.
fn check_zone(zones: &impl Zones, now_ms: i64, plan: &Plan) -> Result<(), Problem> {
    let zone = plan.window.as_ref().map(Window::time_zone);
    match zone.filter(|zone| zones.utc_offset_minutes(zone, now_ms).is_none()) {
        Some(zone) => {
            let kind = FieldErrorKind::NoTimeZone(zone.to_owned());
            Err(Problem::Validation(vec![FieldError::of("window", kind)]))
        }
        None => Ok(()),
    }
}

/// What a condition may test in these phonebooks.
fn known_names(chosen: &[Chosen]) -> Vec<String> {
    let names: BTreeSet<&str> = chosen.iter().flat_map(Chosen::names).collect();
    names.into_iter().map(str::to_owned).collect()
}

/// What counting finds in a wave. `price` is what a live key would pay for it.
pub fn counted(draft: &Draft<'_>, left_out: &BTreeMap<u64, DeliveryError>) -> Counted {
    let mut counted = Counted {
        people: i64::try_from(draft.recipients.len()).unwrap_or(i64::MAX),
        parts: draft.all_parts,
        cost: draft.cost(),
        ..Counted::default()
    };
    for error in left_out.values() {
        *counted.skipped.entry(error.as_str().to_owned()).or_default() += 1;
    }
    for recipient in &draft.recipients {
        let operator = recipient.number.operator().as_str().to_owned();
        let (people, cost) = counted.operators.entry(operator).or_default();
        *people += 1;
        *cost = cost.saturating_add(recipient.cost);
    }
    counted
}

/// A page of the audience: its members, and the smallest number that was not looked at.
type Page = (Vec<Member>, Option<i64>);

/// Those of the audience whom a wave looks at, at most so many, and the smallest number that was not looked at. A test key gets stand-ins.
async fn members<P: Platform>(
    composer: &Composer<'_, P>,
    plan: &Plan,
    names: &[&str],
    (people, most): (People<'_>, usize),
) -> Result<Page, Problem> {
    let (members, next) = match people {
        People::From(from, _) => cut(page(composer, plan, names, (from, None)).await?, most),
        // No phonebook has the numbers of stand-ins.
        People::Among(numbers) if composer.is_test() => {
            let (members, _) = page(composer, plan, names, (0, None)).await?;
            return Ok((stand_ins_again(numbers, &members), None));
        }
        People::Among(numbers) => (page(composer, plan, names, (0, Some(numbers))).await?.0, None),
    };
    match people {
        People::From(_, before) if composer.is_test() => Ok((stand_ins(members, before), next)),
        _ => Ok((members, next)),
    }
}

/// A page of the audience from a number on: of all, or of these numbers.
async fn page<P: Platform>(
    composer: &Composer<'_, P>,
    plan: &Plan,
    names: &[&str],
    (from, numbers): (i64, Option<&[u64]>),
) -> Result<Page, Problem> {
    // A test key reads nothing of what a phonebook has, so it may learn neither how many meet a condition, nor whether somebody is a
    // member who is left out.
    let condition = condition(plan)?.filter(|_| !composer.is_test());
    let exclude = Some(&plan.exclude).filter(|_| !composer.is_test());
    let asked = Asked {
        account: composer.account,
        phonebooks: &plan.phonebooks,
        exclude: exclude.map_or(&[], |exclude| &exclude.phonebooks),
        condition: condition.as_ref(),
        names,
        numbers,
    };
    let after = from.saturating_sub(1);
    let following = following_of(composer.platform.db(), &asked, after, members_of_each(plan));
    let Following::Page(page) = following.await? else {
        return Err(Problem::NotFound);
    };
    let last = page.members.last().map(|member| behind(member.number.get()));
    let next = page.next.map(|last| last.saturating_add(1)).or(last);
    let mut members = page.members;
    let is_out = |member: &Member| exclude.is_some_and(|exclude| exclude.numbers.contains(&member.number.get()));
    members.retain(|member| !is_out(member));
    Ok((members, next))
}

/// Which of the members a campaign goes to.
fn condition(plan: &Plan) -> Result<Option<Condition>, Problem> {
    let condition = plan.condition.clone().map(serde_json::from_value).transpose();
    // Another version has written it, and reads more in it.
    condition.map_err(|_| Problem::Unavailable("the condition of a campaign can't be read".to_owned()))
}

/// The number behind this one.
fn behind(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX).saturating_add(1)
}

fn cut((mut members, next): Page, most: usize) -> Page {
    if members.len() <= most {
        return (members, next);
    }
    members.truncate(most);
    let last = members.last().map(|member| behind(member.number.get()));
    (members, last)
}

/// A text with placeholders, and the line that sends it.
struct Filling<'a, 't> {
    line: &'a Line,
    text: &'t str,
    template: Template<'t>,
}

/// The text of a campaign as its line sends it. `None`: it sends a pattern.
fn text<'a, 'p>(terms: &Terms<'a, '_>, plan: &'p Plan) -> Result<Option<(&'a Line, Cow<'p, str>)>, Problem> {
    match &plan.content {
        Content::Text(text) => {
            let line = terms.line(&[Operation::Webservice])?;
            Ok(Some((line, terms.suffixed(line, text))))
        }
        Content::Pattern { .. } => Ok(None),
    }
}

fn filling<'a, 't>(
    terms: &Terms<'_, '_>,
    text: Option<&'t (&'a Line, Cow<'_, str>)>,
    chosen: &[Chosen],
    keeps_unknown: bool,
) -> Result<Option<Filling<'a, 't>>, Problem> {
    let Some((line, text)) = text else {
        return Ok(None);
    };
    Ok(Some(Filling {
        line,
        text,
        template: personal::template(terms, text, chosen, keeps_unknown)?,
    }))
}

fn names_of<'t>(filling: Option<&Filling<'_, 't>>) -> Vec<&'t str> {
    filling.map(|filling| filling.template.names()).unwrap_or_default()
}

/// Why a member of the audience is left out.
fn error_of<P: Platform>(
    composer: &Composer<'_, P>,
    terms: &Terms<'_, '_>,
    filling: Option<&Filling<'_, '_>>,
    member: &Member,
) -> Option<DeliveryError> {
    let price = composer.profile.price_of_part(composer.config, member.number);
    if price.is_err() {
        return Some(DeliveryError::NotADestination);
    }
    let is_sendable =
        filling.is_none_or(|filling| personal::is_sendable(terms, filling.line, &filling.template, member));
    (!is_sendable).then_some(DeliveryError::TextNotSendable)
}

/// How many of the first recipients cost no more than this, and one at least. `None`: all of them.
fn fitting(draft: &Draft<'_>, most: i64) -> Option<usize> {
    let mut sum = 0_i64;
    let fitting = draft.recipients.iter().take_while(|recipient| {
        sum = sum.saturating_add(recipient.cost);
        sum <= most
    });
    let fitting = fitting.count().max(1);
    (fitting < draft.recipients.len()).then_some(fitting)
}

/// The message to these members.
async fn draft<'a, P: Platform>(
    composer: &Composer<'a, P>,
    plan: &Plan,
    filling: Option<&Filling<'a, '_>>,
    members: &[Member],
    learned: &Learned,
) -> Result<(SendRequest, Draft<'a>), Problem> {
    let numbers: Vec<Msisdn> = members.iter().map(|member| member.number).collect();
    let request = request(plan, &numbers);
    let draft = match filling {
        Some(Filling { line, text, template }) => {
            let terms = Terms::of(composer, &request);
            super::phonebook(&terms, line, (text, template), &[], PHONEBOOKS, members.to_vec())?
        }
        None => super::draft(composer, &request, learned).await?,
    };
    if draft.line.routes.0.is_empty() {
        return Err(Problem::HeadNumberNotFound {
            number: plan.line.clone(),
        });
    }
    Ok((request, draft))
}

/// The send that a wave to these numbers is.
fn request(plan: &Plan, numbers: &[Msisdn]) -> SendRequest {
    let order = match &plan.content {
        Content::Text(text) => Order::Phonebook {
            text: text.clone(),
            phonebooks: plan.phonebooks.clone(),
            member: PHONEBOOKS,
            exclude: Vec::new(),
            keeps_unknown: true,
        },
        Content::Pattern { slug, values } => Order::Pattern {
            pattern: FilledPattern {
                path: Vec::new(),
                slug: slug.clone(),
                values: values.clone(),
            },
            recipients: numbers.iter().map(|number| named(*number)).collect(),
        },
    };
    SendRequest {
        path: Vec::new(),
        order,
        source_number: plan.line.clone(),
        send_at_ms: None,
        client_ref: None,
        callback: None,
        skips_blocked: true,
        is_cheapest: false,
    }
}

fn named(number: Msisdn) -> NamedNumber {
    NamedNumber {
        number,
        named_at: NamedAt::Phonebook(PHONEBOOKS),
    }
}
