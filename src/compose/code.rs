//! The text around a code.

use sms::template::Template;
use sms::text::Measured;

use super::patterns::{Patterns, fill_all};
use super::request::{Autofill, CodeOrder, CodeText, FilledPattern};
use super::terms::Terms;
use crate::base::language::Language;
use crate::directory::lines::Line;
use crate::problem::Problem;
use crate::problem::field_error::FieldErrorKind;

/// The placeholder of the code in a pattern.
pub const CODE: &str = "CODE";
/// Stands for the code where a text is measured or checked: whatever digits it has, they take the same room.
const DIGIT: &str = "0";

/// The service's own texts.
fn built_in(language: Language) -> [&'static str; 2] {
    match language {
        Language::En => ["Your code is ", "."],
        Language::Fa => ["کد تأیید شما: ", ""],
    }
}

/// An invitation, up to its code.
fn invitation(language: Language, account: &str, address: &str) -> String {
    match language {
        Language::En => format!("{account} invites you to its SMS console: {address}"),
        Language::Fa => format!("{account} شما را به پنل پیامک خود دعوت کرده است: {address}"),
    }
}

/// What stands in the place of the code of an order until the account's object makes it.
pub fn sample(length: u32) -> String {
    DIGIT.repeat(usize::try_from(length).unwrap_or_default())
}

/// The pieces of an order's text between which the code stands.
pub fn pieces(
    terms: &Terms<'_, '_>,
    line: &Line,
    order: &CodeOrder,
    patterns: &Patterns,
) -> Result<Vec<String>, Problem> {
    let mut pieces = match &order.text {
        CodeText::BuiltIn(language) => built_in(*language).map(str::to_owned).to_vec(),
        CodeText::Invitation {
            language,
            account,
            address,
        } => vec![invitation(*language, account, address), String::new()],
        CodeText::Pattern(filled) => of_pattern(terms, line, filled, patterns)?,
    };
    match &order.autofill {
        None => {}
        Some(Autofill::Domain(domain)) => {
            push_line(&mut pieces, &format!("@{domain} #"));
            pieces.push(String::new());
        }
        Some(Autofill::AppHash(hash)) => push_line(&mut pieces, hash),
    }
    Ok(pieces)
}

fn push_line(pieces: &mut [String], line: &str) {
    if let Some(last) = pieces.last_mut() {
        last.push('\n');
        last.push_str(line);
    }
}

fn of_pattern(
    terms: &Terms<'_, '_>,
    line: &Line,
    filled: &FilledPattern,
    patterns: &Patterns,
) -> Result<Vec<String>, Problem> {
    let unknown = || Problem::Internal("a pattern without faults was not looked up".to_owned());
    let pattern = patterns.get(&filled.slug).ok_or_else(unknown)?;
    let is_name = |name: &str| pattern.variables.iter().any(|variable| variable.name == name);
    let template = Template::parse(&pattern.text, is_name);
    if !template.names().contains(&CODE) {
        let fault = terms.member_fault("pattern", FieldErrorKind::HasNoCode);
        return Err(Problem::Validation(vec![fault]));
    }
    fill_all(terms, line, &[filled], patterns)?;
    Ok(template.around(CODE, |name| filled.values.get(name).map_or("", String::as_str)))
}

/// The whole text, with zeros for the code.
pub fn measured(terms: &Terms<'_, '_>, order: &CodeOrder, pieces: &[String]) -> Result<Measured, Problem> {
    let text = Measured::of(pieces.join(&sample(order.length)));
    let (parts, max) = (text.segmentation.parts, terms.config.max_parts);
    if parts > max {
        let member = match &order.text {
            CodeText::Pattern(_) => "pattern",
            CodeText::BuiltIn(_) => "domain",
            CodeText::Invitation { .. } => "invite",
        };
        let fault = terms.member_fault(member, FieldErrorKind::TooManyParts { parts, max });
        return Err(Problem::Validation(vec![fault]));
    }
    Ok(text)
}
