//! Makes patterns.

use serde_json::{Map, Value, json};

use super::fault::Fault;
use super::request::{must, text};
use crate::api::doors::answer::Members;
use crate::api::doors::own::{Ask, Own};
use crate::base::ports::Platform;

/// The character around the name of a placeholder.
const DELIMITER: &str = "%";
/// A title has at most this many characters.
const TITLE_CHARS: usize = 200;

/// Makes a pattern and activates it. Where patterns need an operator's approval, it waits for that. Returns what our own API tells of it.
pub async fn make<P: Platform>(own: &Own<'_, P>, body: &Value) -> Result<Value, Fault> {
    let name = if body.get("pattern").is_some() {
        "pattern"
    } else {
        "message"
    };
    let written = must(body.member(name), name)?;
    if text(body.member("delimiter"), "delimiter")?.is_some_and(|delimiter| delimiter != DELIMITER) {
        return Err(Fault::not_allowed("delimiter"));
    }
    let title = text(body.member("description"), "description")?.unwrap_or_else(|| written.clone());
    let title: String = title.chars().take(TITLE_CHARS).collect();
    let mut new = Map::new();
    new.insert("title".to_owned(), title.into());
    new.insert("text".to_owned(), written.into());
    if let Some(variables) = body.member("variable").as_array() {
        let variables: Result<Value, Fault> = variables.iter().map(variable).collect();
        new.insert("variables".to_owned(), variables?);
    }
    let ask = Ask {
        path: "/pattern",
        body: Some(new.into()),
        ..Ask::default()
    };
    let made = own.ask(ask).await?;
    let path = format!("/pattern/{}/versions/1/activate", made.text("slug"));
    let activate = Ask {
        path: &path,
        method: Some("POST"),
        ..Ask::default()
    };
    match own.ask(activate).await {
        Err(refused) if refused.code != 409 => Err(refused.into()),
        _ => Ok(made),
    }
}

/// A variable, as our own API has it.
fn variable(variable: &Value) -> Result<Value, Fault> {
    let kind = match text(variable.member("type"), "variable")?.as_deref() {
        None | Some("string") => "TEXT",
        Some("integer" | "number") => "NUMBER",
        Some(_) => return Err(Fault::not_allowed("variable")),
    };
    Ok(json!({"name": must(variable.member("name"), "variable")?, "type": kind}))
}
