//! Messages from phones, whichever carrier they come by: which account each belongs to, and what it asks for.
//!
//! The invariant: [`receive`] returns `Ok` only when nothing of the message can be lost any more. So a carrier may take the
//! message from its sender, and hands it over again after any error. An account's object recognises a message that comes
//! twice. A crash before the account's object has the message costs the carrier a second handover; a crash afterwards costs
//! one, too, which changes nothing.

use std::collections::BTreeMap;

use futures_util::stream::{self, StreamExt};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sms::{msisdn::Msisdn, words::Words};

use super::confirmation;
use crate::account::inbound::{Choice, MAX_CHARS, Receive, Received};
use crate::account::record::message::NewMessage;
use crate::account::request::Reply;
use crate::base::ports::{Platform, PortError};
use crate::base::{config::Config, id, log, time::DAY_MS};
use crate::directory::inbound_routes::{self, Target, Wanted};
use crate::directory::unclaimed::{self, Reason};
use crate::durable::ask_all_in_time;

/// A sender that is no phone number has at most this many characters, and an id of a carrier at most this many.
const MAX_SENDER: usize = 32;
const MAX_CARRIER_ID: usize = 128;
/// Messages that are routed at once: the directory is asked for a few of them.
const ROUTED_AT_ONCE: usize = 6;
/// Accounts' objects that are asked at once.
const AT_ONCE: usize = 50;
/// No object is asked after this time, ms, so that an alarm ends within a minute.
const BEGIN_MS: i64 = 30_000;

/// A message from a phone, as a carrier handed it over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InboundSms {
    /// The name of the carrier. The object of a carrier, where messages may wait, knows it.
    #[serde(skip)]
    pub carrier: String,
    /// The line that it was sent to, however its number is prefixed.
    pub to: String,
    /// The sender. A number without a prefix is an international one.
    pub from: String,
    /// The text.
    pub text: String,
    /// The carrier's id of the message, if it has one. A message that comes again has the same id.
    #[serde(rename = "id")]
    pub carrier_id: Option<String>,
    /// When it came, ms since the Unix epoch.
    pub received_ms: i64,
    /// The accounts that do not have it yet, if it is for several and they were asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<String>,
}

/// Why a message from a phone may not be safe.
#[derive(Debug)]
pub struct NotTaken {
    /// What failed.
    pub error: PortError,
    /// The accounts that may not have it, if it is for several. Empty: nobody was asked, or one account only.
    pub left: Vec<String>,
}

impl From<PortError> for NotTaken {
    fn from(error: PortError) -> Self {
        NotTaken {
            error,
            left: Vec::new(),
        }
    }
}

/// Takes a message from a phone. It returns when the message is safe in the object of the account that it belongs to, or when
/// it belongs to nobody, which is logged and counted without number and text.
///
/// # Errors
/// The message may not be safe. The carrier is to hand it over again.
pub async fn receive(platform: &impl Platform, sms: InboundSms) -> Result<(), NotTaken> {
    receive_all(platform, vec![sms]).await.pop().unwrap_or(Ok(()))
}

/// As [`receive`], for messages that came one after another. Those for one account reach it together and in their order. There is
/// a result for each.
pub async fn receive_all(platform: &impl Platform, messages: Vec<InboundSms>) -> Vec<Result<(), NotTaken>> {
    let count = messages.len();
    match route_all(platform, messages).await {
        Ok(routed) => hand_over(platform, routed).await,
        Err(error) => (0..count).map(|_| Err(error.clone().into())).collect(),
    }
}

/// A message, and the accounts that are to have it.
struct Routed {
    request: Receive,
    accounts: Vec<String>,
    /// Whether it is for several accounts, of which some may have it already.
    is_for_several: bool,
}

/// Finds out for each message whom it belongs to. `None`: to nobody.
async fn route_all(
    platform: &impl Platform,
    messages: Vec<InboundSms>,
) -> Result<Vec<Result<Option<Routed>, PortError>>, PortError> {
    let config = Config::read(|name| platform.setting(name)).map_err(|error| PortError::failed("settings", error))?;
    let words: Vec<Words> = messages.iter().map(|sms| Words::of(&sms.text)).collect();
    let wanted: Vec<Wanted<'_>> = messages.iter().zip(&words).map(wanted).collect();
    let targets = inbound_routes::targets(platform.db(), &wanted).await?;
    let route = |((sms, words), target)| route(platform, &config, sms, words, target);
    let found = messages.into_iter().zip(&words).zip(targets);
    Ok(stream::iter(found).map(route).buffered(ROUTED_AT_ONCE).collect().await)
}

fn wanted<'a>((sms, words): (&'a InboundSms, &'a Words)) -> Wanted<'a> {
    Wanted {
        to: &sms.to,
        first_word: words.split_first().map_or("", |(word, _)| word),
        last_word: words.split_last().map_or("", |(word, _)| word),
    }
}

async fn route(
    platform: &impl Platform,
    config: &Config,
    mut sms: InboundSms,
    words: &Words,
    target: Option<Target>,
) -> Result<Option<Routed>, PortError> {
    let Some(target) = target else {
        belongs_to_nobody(platform, &sms, "", Reason::UnknownLine).await;
        return Ok(None);
    };
    let (who, choice) = destination(config, &target, words);
    let left = std::mem::take(&mut sms.left);
    let some_have_it = who == Who::All && !left.is_empty();
    let accounts = match who {
        Who::One(account) => vec![account],
        Who::All if some_have_it => left,
        Who::All => inbound_routes::accounts(platform.db(), &target.line).await?,
        Who::Nobody => Vec::new(),
    };
    let is_for_several = some_have_it || accounts.len() > 1;
    let confirmation = match accounts.as_slice() {
        [] => {
            let reason = choice.map_or(Reason::NoAccount, |_| Reason::NoAccountForOptOut);
            belongs_to_nobody(platform, &sms, &target.line, reason).await;
            return Ok(None);
        }
        [account] if !is_for_several => confirmation(platform, config, &target, account, &sms, choice).await,
        _ => None,
    };
    let request = Receive {
        confirmation,
        ..request(platform, sms, target.line, choice)?
    };
    Ok(Some(Routed {
        request,
        accounts,
        is_for_several,
    }))
}

/// The message that confirms a reply to an account. A reply that is for several accounts is not confirmed: its sender would get
/// one message from each, or one account would pay for all.
async fn confirmation(
    platform: &impl Platform,
    config: &Config,
    target: &Target,
    account: &str,
    sms: &InboundSms,
    choice: Option<Choice>,
) -> Option<Box<NewMessage>> {
    let choice = choice?;
    let sender = Msisdn::parse(&sender(&sms.from)).ok()?;
    let message = confirmation::of(platform, config, target, account, sender, choice).await;
    message.map(Box::new)
}

/// Where a message goes.
#[derive(Debug, PartialEq, Eq)]
enum Who {
    /// To this account.
    One(String),
    /// To each account that is known to use the line.
    All,
    Nobody,
}

/// Decides where a message goes. On a line of several accounts, a keyword says whose message it is. An opt-out without a keyword
/// does not say whom it is for, so it is for each account of the line: a message too few does less harm than one that its
/// recipient has forbidden.
fn destination(config: &Config, target: &Target, words: &Words) -> (Who, Option<Choice>) {
    if let Some(choice) = choice(config, &words.joined()) {
        let who = target.only_account.clone().map_or(Who::All, Who::One);
        return (who, Some(choice));
    }
    if let Some((account, (_, rest))) = target.of_first_word.as_ref().zip(words.split_first()) {
        return (Who::One(account.clone()), choice(config, &rest));
    }
    // «STOP SHOP» is what people write, too.
    if let Some((account, (_, rest))) = target.of_last_word.as_ref().zip(words.split_last())
        && let Some(choice) = choice(config, &rest)
    {
        return (Who::One(account.clone()), Some(choice));
    }
    let account = target.only_account.as_ref().or(target.fallback.as_ref());
    (account.cloned().map_or(Who::Nobody, Who::One), None)
}

/// What a reply asks for, if it is one of the configured words.
fn choice(config: &Config, reply: &str) -> Option<Choice> {
    let is_one_of = |words: &[String]| words.iter().any(|word| word == reply);
    match (is_one_of(&config.opt_out_words), is_one_of(&config.opt_in_words)) {
        (true, _) => Some(Choice::OptOut),
        (false, true) => Some(Choice::OptIn),
        (false, false) => None,
    }
}

/// The request that hands a message to an account's object.
fn request(
    platform: &impl Platform,
    sms: InboundSms,
    line: String,
    choice: Option<Choice>,
) -> Result<Receive, PortError> {
    let (text, is_cut) = bounded(&sms.text, usize::try_from(MAX_CHARS).unwrap_or(usize::MAX));
    let sender = sender(&sms.from);
    // Nobody can be kept from messages who is no phone number, and so nobody is told that it was done.
    let choice = choice.filter(|_| Msisdn::parse(&sender).is_ok());
    Ok(Receive {
        uid: id::new(platform)?,
        carrier: sms.carrier,
        carrier_id: sms.carrier_id.map(|id| bounded(&id, MAX_CARRIER_ID).0),
        line,
        sender,
        text,
        is_cut,
        choice,
        confirmation: None,
        received_ms: sms.received_ms,
    })
}

/// The sender in E.164 form. A carrier may leave the plus out. What is no phone number, such as a short number or a name, stays.
fn sender(from: &str) -> String {
    let (from, _) = bounded(from.trim(), MAX_SENDER);
    let from = from.trim();
    let number = Msisdn::parse(from).or_else(|_| Msisdn::parse(&format!("+{from}")));
    number.map_or_else(|_| from.to_owned(), Msisdn::to_e164)
}

/// The first characters of a text, and whether it goes on. Line ends are `\n`. Other control characters are left out, because
/// no phone shows them and some programs end at them.
fn bounded(text: &str, max: usize) -> (String, bool) {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut shown = text
        .chars()
        .filter(|character| !character.is_control() || matches!(character, '\n' | '\t'));
    let beginning: String = shown.by_ref().take(max).collect();
    (beginning, shown.next().is_some())
}

/// Hands messages to the objects of accounts. All are asked, even if one fails, and those that have taken a message are not asked
/// for it again.
async fn hand_over(
    platform: &impl Platform,
    messages: Vec<Result<Option<Routed>, PortError>>,
) -> Vec<Result<(), NotTaken>> {
    let end_ms = platform.now_ms().saturating_add(BEGIN_MS);
    let mut by_account: BTreeMap<String, Vec<(usize, &Routed)>> = BTreeMap::new();
    for (at, message) in messages.iter().enumerate() {
        let Ok(Some(routed)) = message else { continue };
        for account in &routed.accounts {
            by_account.entry(account.clone()).or_default().push((at, routed));
        }
    }
    let ask = |(account, messages)| hand_to(platform, account, messages, end_ms);
    let mut asked = stream::iter(by_account).map(ask).buffer_unordered(AT_ONCE);
    let mut not_taken: BTreeMap<usize, NotTaken> = BTreeMap::new();
    while let Some(failed) = asked.next().await {
        for (at, account, error) in failed {
            not_taken.entry(at).or_insert_with(|| error.into()).left.extend(account);
        }
    }
    drop(asked);
    let result = |(at, message): (usize, Result<_, PortError>)| match message {
        Ok(_) => not_taken.remove(&at).map_or(Ok(()), Err),
        Err(error) => Err(error.into()),
    };
    messages.into_iter().enumerate().map(result).collect()
}

/// Hands messages to the object of an account, if there is time to begin. Returns the positions of those that it may not have taken,
/// with the account if others are to have them too.
async fn hand_to(
    platform: &impl Platform,
    account: String,
    messages: Vec<(usize, &Routed)>,
    end_ms: i64,
) -> Vec<(usize, Option<String>, PortError)> {
    let requests: Vec<&Receive> = messages.iter().map(|(_, routed)| &routed.request).collect();
    let answers = if platform.now_ms() < end_ms {
        ask_all_in_time(platform, &account, &requests).await
    } else {
        Err(PortError::unavailable("inbound", "no time is left"))
    };
    let taken: Vec<Result<(), PortError>> = match answers {
        Ok(replies) => replies
            .into_iter()
            .map(|reply| heed(platform, &account, reply?))
            .collect(),
        Err(error) => requests.iter().map(|_| Err(error.clone())).collect(),
    };
    let not_taken = |((at, routed), taken): ((usize, &Routed), Result<(), PortError>)| {
        Some((at, routed.is_for_several.then(|| account.clone()), taken.err()?))
    };
    messages.into_iter().zip(taken).filter_map(not_taken).collect()
}

/// Logs what an account's object could not do for a message that it has.
fn heed(platform: &impl Platform, account: &str, reply: Reply<Received>) -> Result<(), PortError> {
    let received = reply.accepted("a message from a phone")?;
    if received.blacklist_is_full {
        log::error(
            platform,
            "inbound",
            json!({"what": "the blacklist has no room for an opt-out", "account": account}),
        );
    }
    if let Some(refusal) = &received.unconfirmed {
        confirmation::log_refusal(platform, account, refusal);
    }
    Ok(())
}

/// Logs and counts a message that belongs to nobody. A count that can't be written is only logged: the message is over.
async fn belongs_to_nobody(platform: &impl Platform, sms: &InboundSms, line: &str, reason: Reason) {
    let day = platform.now_ms().div_euclid(DAY_MS);
    let counted = unclaimed::count(platform.db(), day, &sms.carrier, line, reason).await;
    log::warning(
        platform,
        "inbound",
        json!({
            "what": "belongs to no account",
            "reason": reason.as_str(),
            "carrier": sms.carrier,
            "line": line,
            "cause": counted.err().map(|error| error.to_string()),
        }),
    );
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn target(only_account: Option<&str>, fallback: Option<&str>, keywords: [Option<&str>; 2]) -> Target {
        let owned = |name: Option<&str>| name.map(str::to_owned);
        let [first, last] = keywords;
        Target {
            line: "3000".to_owned(),
            opt_out_reply: None,
            opt_in_reply: None,
            only_account: owned(only_account),
            fallback: owned(fallback),
            of_first_word: owned(first),
            of_last_word: owned(last),
        }
    }

    fn decide(target: &Target, text: &str) -> (Who, Option<Choice>) {
        destination(&Config::default(), target, &Words::of(text))
    }

    fn one(account: &str) -> Who {
        Who::One(account.to_owned())
    }

    #[test]
    fn a_keyword_comes_before_the_account_for_all_else_and_an_opt_out_before_both() {
        let (out, back) = (Some(Choice::OptOut), Some(Choice::OptIn));
        let first = |text: &str| decide(&target(None, Some("rest"), [Some("a"), None]), text);
        assert_eq!(first("win now"), (one("a"), None));
        assert_eq!(first("win stop"), (one("a"), out));
        assert_eq!(first("win, شروع"), (one("a"), back));
        assert_eq!(first("win لغو ۱۱"), (one("a"), out));
        let last = |text: &str| decide(&target(None, Some("rest"), [None, Some("b")]), text);
        assert_eq!(last("I win"), (one("rest"), None));
        assert_eq!(last("stop win"), (one("b"), out));
        assert_eq!(last("لغو ۱۱ win"), (one("b"), out));
        let both = |text: &str| decide(&target(None, None, [Some("a"), Some("b")]), text);
        assert_eq!(both("win stop"), (one("a"), out));
        let none = |text: &str| decide(&target(None, None, [None, None]), text);
        assert_eq!(none("hello"), (Who::Nobody, None));
        assert_eq!(none(""), (Who::Nobody, None));
        assert_eq!(none("STOP"), (Who::All, out));
        assert_eq!(none("12"), (Who::All, back));
        let only = |text: &str| decide(&target(Some("only"), None, [None, None]), text);
        assert_eq!(only("STOP"), (one("only"), out));
        assert_eq!(only("stop win"), (one("only"), None));
        assert_eq!(only(""), (one("only"), None));
    }

    proptest! {
        #[test]
        fn an_opt_out_is_never_nobodys_and_no_other_text_is_one(
            text in "(stop|لغو|11|start|شروع|win|hello| |!){0,4}",
            only in any::<bool>(), fallback in any::<bool>(), first in any::<bool>(), last in any::<bool>(),
        ) {
            let some = |is_there: bool, name: &'static str| is_there.then_some(name);
            let target = target(some(only, "o"), some(fallback, "f"), [some(first, "a"), some(last, "b")]);
            let (who, choice) = decide(&target, &text);
            let reply: String = text.chars().filter(|character| character.is_alphanumeric()).collect();
            let is_word = ["stop", "لغو", "لغو11", "11", "start", "شروع"].contains(&reply.as_str());
            prop_assert!(!is_word || (choice.is_some() && who != Who::Nobody));
            prop_assert!(is_word || first || last || choice.is_none());
            prop_assert!(choice.is_none() || who != Who::Nobody);
        }

        #[test]
        fn what_is_kept_of_a_text_is_bounded_and_has_no_control_characters(text in any::<String>(), max in 0usize..20) {
            let (kept, is_cut) = bounded(&text, max);
            prop_assert!(kept.chars().count() <= max);
            prop_assert!(kept.chars().all(|character| !character.is_control() || "\n\t".contains(character)));
            prop_assert_eq!(bounded(&kept, max), (kept.clone(), false));
            let (whole, never) = bounded(&text, usize::MAX);
            prop_assert!(!never && whole.starts_with(&kept));
            prop_assert_eq!(is_cut, whole.len() > kept.len());
        }

        #[test]
        fn a_sender_stays_the_same_when_it_is_read_again(from in "[+0-9a-zA-Z ۰-۹\u{0}\u{202a}-]{0,40}") {
            let sender_of = sender(&from);
            prop_assert_eq!(sender(&sender_of), sender_of.clone());
            prop_assert!(sender_of.chars().count() <= MAX_SENDER);
        }
    }
}
