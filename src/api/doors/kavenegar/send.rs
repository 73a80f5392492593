//! The sends of the protocol.

use serde_json::Map;

use super::entry::Entry;
use super::errors::{Fault, missing, must};
use super::part::{Known, MAX_RECEPTORS, Send, in_order, plain};
use super::singles::{Single, must_differ, one_by_one};
use crate::api::doors::own::Own;
use crate::api::doors::params::Params;
use crate::api::doors::send::Content;
use crate::base::ports::Platform;

/// The names under which programs give their own ids for several texts.
const LOCAL_IDS: [&str; 3] = ["localmessageids", "localmessageid", "localid"];

/// The values for the placeholders of a pattern, each with the blanks that it may have.
const TOKENS: [(&str, usize); 5] = [
    ("token", 0),
    ("token2", 0),
    ("token3", 0),
    ("token10", 5),
    ("token20", 8),
];
const MAX_TOKEN: usize = 100;

fn receptors_of(params: &Params) -> Result<Vec<&str>, Fault> {
    let receptors = params.items("receptor");
    match receptors.len() {
        0 => Err(missing(params, "receptor")),
        1..=MAX_RECEPTORS => Ok(receptors),
        _ => Err(Fault::of(414).about("receptor")),
    }
}

/// `sms/send`
pub async fn send<P: Platform>(own: &Own<'_, P>, params: &Params) -> Result<Vec<Entry>, Fault> {
    let receptors = receptors_of(params)?;
    let message = must(params, "message")?;
    let send = Send::read(own, params)?;
    let local_ids = params.items("localid");
    match local_ids.as_slice() {
        [] => plain(own, &send, &receptors, message, Known::Not).await,
        [one] => plain(own, &send, &receptors, message, Known::Always(one)).await,
        many if many.len() == receptors.len() => {
            must_differ(many.iter().copied(), "localid")?;
            let texts = receptors.iter().zip(many).map(|(receptor, local_id)| Single {
                send: send.by_line(send.sender),
                receptor,
                message,
                local_id,
            });
            one_by_one(own, &texts.collect::<Vec<_>>()).await
        }
        _ => Err(Fault::of(419).about("localid")),
    }
}

/// The program's own ids: a JSON list, or a list with commas.
pub fn local_ids(params: &Params) -> Vec<String> {
    let given = LOCAL_IDS.map(|name| match params.json_items(name).as_slice() {
        [one] => one.split(',').map(|id| id.trim().to_owned()).collect(),
        many => many.to_vec(),
    });
    given.into_iter().find(|ids| !ids.is_empty()).unwrap_or_default()
}

/// `verify/lookup`: a pattern of the template's name.
pub async fn lookup<P: Platform>(own: &Own<'_, P>, params: &Params) -> Result<Vec<Entry>, Fault> {
    let [recipient, pattern] = [must(params, "receptor")?, must(params, "template")?];
    must(params, "token")?;
    if params.get("type") == Some("call") {
        return Err(Fault::of(428).about("type"));
    }
    let mut variables = Map::new();
    for (name, blanks) in TOKENS {
        if let Some(token) = params.get(name) {
            if !is_good_token(token, blanks) {
                return Err(Fault::of(431).about(name));
            }
            variables.insert(name.to_owned(), token.into());
        }
    }
    let content = Content::Pattern {
        pattern,
        recipient,
        variables: &variables,
    };
    let send = Send::now(own);
    let sent = own.send(&send.body(content), None, None).await?;
    Ok(in_order(&sent, &[recipient], "", send.told_s()))
}

fn is_good_token(token: &str, blanks: usize) -> bool {
    let is_free = !token.contains(['\n', '\r']) && (blanks > 0 || !token.contains('_'));
    is_free && token.chars().count() <= MAX_TOKEN && token.matches(char::is_whitespace).count() <= blanks
}
