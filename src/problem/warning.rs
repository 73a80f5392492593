//! Warnings: what was done, and may not have been meant so.

use std::cell::RefCell;

use super::field_error::clipped;
use crate::base::language::Language;

/// As much of a text as a warning quotes, in characters.
const MAX_QUOTE: usize = 60;
/// A request has at most so many remarks of one kind.
const MAX_REMARKS: usize = 20;

/// What the answer says of a request beside its data: short texts, each once.
#[derive(Debug, Default)]
pub struct Remarks(RefCell<Vec<String>>);

impl Remarks {
    /// Notes a remark. A request has so many at most.
    pub fn note(&self, remark: String) {
        let mut remarks = self.0.borrow_mut();
        if remarks.len() < MAX_REMARKS && !remarks.contains(&remark) {
            remarks.push(remark);
        }
    }

    /// The remarks so far.
    pub fn all(&self) -> Vec<String> {
        self.0.borrow().clone()
    }
}

/// The text has a placeholder as another service writes it.
pub fn foreign_placeholder(language: Language, placeholder: &str) -> String {
    let placeholder = clipped(placeholder.to_owned(), MAX_QUOTE);
    said!(
        language,
        format!("The text has {placeholder}, which is sent as it is: a placeholder is written %NAME%."),
        format!("متن {placeholder} دارد که همان‌طور که هست ارسال می‌شود: جای خالی به شکل %NAME% نوشته می‌شود.")
    )
}

/// A text has what has the form of an attribute's name between two `%`, and no phonebook has this attribute.
pub fn unknown_attributes(language: Language, placeholders: &str) -> String {
    said!(
        language,
        format!("No phonebook of this message has {placeholders}: it is sent as it is."),
        format!("هیچ دفترچه‌ای از این پیام {placeholders} ندارد: همان‌طور که هست ارسال می‌شود.")
    )
}

/// A text has placeholders for which no recipient has a value.
pub fn empty_attributes(language: Language, placeholders: &str) -> String {
    said!(
        language,
        format!("No recipient has a value for {placeholders}: nothing stands in its place."),
        format!("هیچ گیرنده‌ای مقداری برای {placeholders} ندارد: جای آن خالی می‌ماند.")
    )
}

/// A text names a variable that the list of variables does not have.
pub fn unlisted_variables(language: Language, placeholders: &str) -> String {
    said!(
        language,
        format!("\"variables\" does not list {placeholders}: each takes any text of up to 100 characters."),
        format!("{placeholders} در «variables» نیامده است: هر متنی تا 100 کاراکتر جای آن می‌نشیند.")
    )
}
