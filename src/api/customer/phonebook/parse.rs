//! The entries of a phonebook that a request brings, as JSON or as a file.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sms::{msisdn::Msisdn, template, text};

use crate::api::http::context::Context;
use crate::api::http::forms::{Form, by, check_length, or_null, parsed, phone_number};
use crate::api::http::json_fields::{Fields, Place};
use crate::api::http::json_schema::{self, Schema};
use crate::base::ports::Platform;
use crate::body;
use crate::directory::phonebook::changes::{Limits, Obstacle};
use crate::directory::phonebook::titles;
use crate::directory::phonebook::writes::{self, MAX_VALUES, SavedAttributes};
use crate::directory::phonebook::{Phonebook, columns::MAX_COLUMNS, numbers::Details, search};
use crate::problem::field_error::{FieldError, FieldErrorKind, clipped};
use crate::problem::{Conflict, Problem};

/// A phonebook has at most this many numbers.
const MAX_NUMBERS: i64 = 500_000;
/// A name has at most this many characters.
pub const MAX_NAME: usize = 200;
/// A number has at most this many attributes.
pub const MAX_ATTRIBUTES: usize = MAX_VALUES;
/// The attributes of a number have at most this many bytes as JSON.
const MAX_ATTRIBUTES_BYTES: usize = 2_048;
/// An entry has at most this many bytes in JSON besides its name, what that is searched by, and its values:
/// `[989121234567890,null,null,[]],`.
const ENTRY_BYTES: usize = 32;
/// An attribute that a number lacks has this many bytes in the list of values: `null,`.
const ABSENT_BYTES: usize = 5;
/// An answer quotes so many characters of a number that is not one.
const MAX_QUOTE: usize = 64;
/// What the name of an attribute must be.
const ATTRIBUTE_FORM: FieldErrorKind = FieldErrorKind::BadForm(
    "1 to 50 characters without %, control characters, invisible marks, and blanks but for one space between words, and not a \
     title that an import reads as the number or the name",
    "1 تا 50 کاراکتر بدون %، کاراکتر کنترلی، نشانه‌ی نامرئی و فاصله‌ای جز یک فاصله میان کلمه‌ها، و غیر از عنوان‌هایی که ورود فایل آن‌ها را شماره یا \
     نام می‌خواند",
);

/// Words with a space between them, without `%`, control characters and invisible marks.
const ATTRIBUTE_NAME: &str = r"^[^%\s\x00-\x1F\x7F-\x9F\u00AD\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF]+(?: [^%\s\x00-\x1F\x7F-\x9F\u00AD\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF]+)*$";

body! {
    /// A number to add.
    pub struct NewNumber {
        number: Option<Msisdn> = needs "number" phone_number();
        details: NewDetails = all;
    }

    pub struct NewDetails {
        name: Option<String> = can "name" name();
        attributes: Option<BTreeMap<String, String>> = can "attributes" attributes();
    }

    /// What to change. What is left out stays; `null` takes the name or the attributes away.
    pub struct NumberChange {
        number: Option<Msisdn> = can "number" phone_number();
        name: Option<Option<String>> = can "name" or_null(name());
        attributes: Option<Option<BTreeMap<String, String>>> = can "attributes" or_null(attributes());
    }
}

impl NewNumber {
    /// The number, and what is known of it. `None`: it has faults.
    pub fn entry(self) -> Option<(Msisdn, Details)> {
        let NewDetails { name, attributes } = self.details;
        Some((self.number?, Details { name, attributes }))
    }
}

fn name() -> impl Form<Value = String> {
    let parse = |text: &str| {
        let name = normal(check_length(text, MAX_NAME)?);
        if name.is_empty() {
            Err(FieldErrorKind::Empty)
        } else {
            Ok(name)
        }
    };
    parsed(parse, || json_schema::text(MAX_NAME))
        .about("Whose number it is.")
        .like("Ali")
}

fn attributes() -> impl Form<Value = BTreeMap<String, String>> {
    let read = |value: &Value, place: &mut Place<'_>| {
        let attributes = place.fields(value, read_attributes)?;
        place.take(check_attributes(&attributes).map(|()| attributes))
    };
    let schema = || {
        let schema = json!({
            "type": "object",
            "propertyNames": {"minLength": 1, "maxLength": template::MAX_NAME, "pattern": ATTRIBUTE_NAME},
            "additionalProperties": {"type": ["string", "number", "null"]},
            "maxProperties": MAX_ATTRIBUTES,
        });
        Schema(schema).like(json!({"city": "Tehran"}))
    };
    by(read, schema).about(
        "What else is known of the number, together at most 2,048 bytes as JSON. The numbers of a phonebook have up to 50 \
        different attributes.",
    )
}

/// Makes a text as phonebooks keep it. Line ends become `\n`, as in messages, and tabs become spaces. Other control
/// characters are removed: nobody sees them, and one of them makes a text UCS-2. So are surrounding blanks.
pub fn normal(text: &str) -> String {
    let visible = |char: char| match char {
        '\t' => Some(' '),
        '\n' => Some('\n'),
        other => (!other.is_control()).then_some(other),
    };
    let text: String = text::normalise(text).chars().filter_map(visible).collect();
    text.trim().to_owned()
}

fn read_attributes(fields: &mut Fields<'_>) -> BTreeMap<String, String> {
    let mut attributes = BTreeMap::new();
    for name in fields.names() {
        let Some(value) = fields.text_or_number(name) else {
            continue;
        };
        if !titles::is_attribute(name) {
            fields.fault(name, ATTRIBUTE_FORM);
        }
        attributes.insert(name.to_owned(), normal(&value));
    }
    attributes
}

/// Checks that these attributes are not too many and not too long.
pub fn check_attributes(attributes: &BTreeMap<String, String>) -> Result<(), FieldErrorKind> {
    if attributes.len() > MAX_ATTRIBUTES {
        return Err(FieldErrorKind::TooMany { max: MAX_ATTRIBUTES });
    }
    let pairs = attributes.iter();
    let bytes: usize = pairs
        .map(|(name, value)| json_bytes(name) + json_bytes(value) + 2)
        .sum();
    if bytes > MAX_ATTRIBUTES_BYTES {
        Err(FieldErrorKind::TooLong {
            max: MAX_ATTRIBUTES_BYTES,
        })
    } else {
        Ok(())
    }
}

/// How many bytes a text has in JSON, with its quotes.
fn json_bytes(text: &str) -> usize {
    serde_json::to_string(text).map_or(0, |json| json.len())
}

/// As much of what a client has written for a number as an answer quotes.
pub fn quoted(written: &str) -> String {
    clipped(written.to_owned(), MAX_QUOTE)
}

/// A request pays a token for so many entries that it saves, the first token with those of every request.
const ENTRIES_A_TOKEN: u64 = 100;

/// How many tokens a request pays in all that saves so many entries.
pub fn tokens(entries: u64) -> u32 {
    u32::try_from(entries.div_ceil(ENTRIES_A_TOKEN).max(1)).unwrap_or(u32::MAX)
}

/// Entries for one phonebook, each number once. If a number comes twice, the later values count.
#[derive(Debug, Default)]
pub struct Entries {
    details: BTreeMap<Msisdn, Details>,
    saved_attributes: SavedAttributes,
    bytes: usize,
}

impl Entries {
    /// Entries whose new attributes go beside those that a number has, and replace only what they name.
    pub fn beside_saved() -> Self {
        Entries {
            saved_attributes: SavedAttributes::Stay,
            ..Entries::default()
        }
    }

    /// Adds an entry.
    pub fn put(&mut self, number: Msisdn, details: Details) {
        let name_bytes = |name: &str| json_bytes(name) + json_bytes(&search::form(name));
        self.bytes += ENTRY_BYTES + details.name.as_deref().map_or(0, name_bytes);
        if let Some(attributes) = &details.attributes {
            self.bytes += attributes.values().map(|value| json_bytes(value)).sum::<usize>();
            self.bytes += MAX_COLUMNS * ABSENT_BYTES;
        }
        let kept = self.details.entry(number).or_default();
        kept.name = details.name.or(kept.name.take());
        kept.attributes = match (kept.attributes.take(), details.attributes) {
            (Some(mut earlier), Some(later)) if self.saved_attributes == SavedAttributes::Stay => {
                earlier.extend(later);
                Some(earlier)
            }
            (earlier, later) => later.or(earlier),
        };
    }

    /// How many numbers there are.
    pub fn len(&self) -> usize {
        self.details.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.details.is_empty()
    }

    /// How many bytes the entries have at most as one value of SQL.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Adds the entries to a phonebook, and updates those that it has already, in one transaction. Returns how many are new.
    pub async fn save<P: Platform>(&self, context: &Context<'_, P>, phonebook: &mut Phonebook) -> Result<u64, Problem> {
        let (db, now_ms) = (context.platform.db(), context.request.now_ms);
        let (entries, attributes) = (&self.details, self.saved_attributes);
        let saved = writes::save(db, phonebook, entries, attributes, limits(context), now_ms).await?;
        let added = saved.map_err(|refusal| problem(context, refusal))?;
        Ok(u64::try_from(added).unwrap_or(0))
    }
}

/// What phonebooks may hold.
pub fn limits<P: Platform>(context: &Context<'_, P>) -> Limits {
    Limits {
        numbers: MAX_NUMBERS,
        bytes: context.app.config.phonebook_bytes,
        room: context.app.config.customer_bytes,
    }
}

fn of_attributes(kind: FieldErrorKind) -> Problem {
    Problem::Validation(vec![FieldError::of("attributes", kind)])
}

/// The problem that the client gets for a refusal.
pub fn problem<P: Platform>(context: &Context<'_, P>, obstacle: Obstacle) -> Problem {
    Problem::Conflict(match obstacle {
        Obstacle::NotFound => return Problem::NotFound,
        Obstacle::TooManyValues => return of_attributes(FieldErrorKind::TooMany { max: MAX_ATTRIBUTES }),
        Obstacle::TooLongValues => {
            return of_attributes(FieldErrorKind::TooLong {
                max: MAX_ATTRIBUTES_BYTES,
            });
        }
        Obstacle::TooManyColumns => Conflict::TooManyColumns { max: MAX_COLUMNS },
        Obstacle::TooManyNumbers => Conflict::PhonebookFull,
        Obstacle::NumberExists => Conflict::NumberExists,
        Obstacle::NoRoom => Conflict::NoRoom,
        Obstacle::TooManyBytes { used } => Conflict::PhonebookBytes {
            quota: context.app.config.phonebook_bytes,
            used,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_kept_without_what_nobody_sees() {
        assert_eq!(normal(" \u{0}\t a\r\nb\u{7f}\tc\u{85} \u{1b}"), "a\nb c");
        assert_eq!(normal("\u{1} a"), "a");
        assert_eq!(normal("نام\u{200c}کاربر"), "نام\u{200c}کاربر", "a joiner is seen");
    }
}
