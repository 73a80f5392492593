//! The entries of a phonebook that a request brings, as JSON or as a file.

use std::collections::BTreeMap;

use crate::directory::numbers::{self, Details};
use crate::directory::phonebooks::Phonebook;
use crate::fault::FaultKind;
use crate::input::Fields;
use crate::ports::Platform;
use crate::problem::{Conflict, Problem};
use crate::sms::msisdn::Msisdn;
use crate::sms::{template, text};

/// A phonebook has at most this many numbers.
const MAX_NUMBERS: i64 = 500_000;
/// A name has at most this many characters.
pub const MAX_NAME: usize = 200;
/// A number has at most this many attributes.
pub const MAX_ATTRIBUTES: usize = 20;
/// The attributes of a number have at most this many bytes as JSON.
const MAX_ATTRIBUTES_BYTES: usize = 2_048;
const ATTRIBUTE_FORM: FaultKind = FaultKind::BadForm(
    "1 to 50 characters without %, and not \"name\" or \"number\"",
    "1 تا 50 کاراکتر بدون %، و غیر از name و number",
);

/// Reads `name` and `attributes`.
pub fn read_details(fields: &mut Fields<'_>) -> Details {
    let name = fields.text("name", MAX_NAME).map(normal);
    let attributes = fields.object("attributes", read_attributes);
    if let Some(attributes) = &attributes
        && let Err(kind) = check_attributes(attributes)
    {
        fields.fault("attributes", kind);
    }
    Details { name, attributes }
}

/// Removes surrounding blanks and makes all line ends `\n`, as in messages.
pub fn normal(text: &str) -> String {
    text::normalise(text.trim()).into_owned()
}

fn read_attributes(fields: &mut Fields<'_>) -> BTreeMap<String, String> {
    let mut attributes = BTreeMap::new();
    for name in fields.names() {
        let Some(value) = fields.text_or_number(name) else {
            continue;
        };
        if !is_attribute_name(name) {
            fields.fault(name, ATTRIBUTE_FORM);
        }
        attributes.insert(name.to_owned(), normal(&value));
    }
    attributes
}

/// Whether an attribute may have this name. A message names the attribute as a placeholder between two `%`, beside
/// `%name%`.
pub fn is_attribute_name(name: &str) -> bool {
    let length = name.chars().count();
    (1..=template::MAX_NAME).contains(&length) && !name.contains('%') && name != "name" && name != "number"
}

/// Checks that these attributes are not too many and not too long.
pub fn check_attributes(attributes: &BTreeMap<String, String>) -> Result<(), FaultKind> {
    if attributes.len() > MAX_ATTRIBUTES {
        return Err(FaultKind::TooMany { max: MAX_ATTRIBUTES });
    }
    let bytes: usize = attributes
        .iter()
        .map(|(name, value)| name.len() + value.len() + 6)
        .sum();
    match bytes > MAX_ATTRIBUTES_BYTES {
        true => Err(FaultKind::TooLong {
            max: MAX_ATTRIBUTES_BYTES,
        }),
        false => Ok(()),
    }
}

/// Entries for one phonebook, each number once. If a number comes twice, the later values count.
#[derive(Debug, Default)]
pub struct Entries {
    details: BTreeMap<Msisdn, Details>,
    bytes: usize,
}

impl Entries {
    /// Adds an entry.
    pub fn put(&mut self, number: Msisdn, details: Details) {
        let length = |text: &String| text.len() + 8;
        self.bytes += 24 + details.name.as_ref().map_or(0, length);
        self.bytes += details
            .attributes
            .iter()
            .flatten()
            .map(|(name, value)| length(name) + length(value))
            .sum::<usize>();
        let kept = self.details.entry(number).or_default();
        kept.name = details.name.or(kept.name.take());
        kept.attributes = details.attributes.or(kept.attributes.take());
    }

    /// How many numbers there are.
    pub fn len(&self) -> usize {
        self.details.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.details.is_empty()
    }

    /// About how many bytes the entries have as one value of SQL.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The numbers.
    pub fn numbers(&self) -> impl Iterator<Item = Msisdn> {
        self.details.keys().copied()
    }

    /// Adds the entries to a phonebook, and updates those that it has already, in one transaction. Returns how many are new,
    /// and adds them to the count of the phonebook.
    pub async fn save(&self, platform: &impl Platform, now_ms: i64, phonebook: &mut Phonebook) -> Result<u64, Problem> {
        let most = i64::try_from(self.len()).unwrap_or(i64::MAX);
        if phonebook.count.saturating_add(most) > MAX_NUMBERS {
            return Err(Problem::Conflict(Conflict::PhonebookFull));
        }
        let saved = numbers::save(platform.db(), phonebook.seq, &self.details, now_ms).await?;
        // The phonebook was deleted in the meantime. Nothing was saved.
        let saved = saved.ok_or(Problem::NotFound)?;
        phonebook.count = saved.count;
        Ok(saved.added.into())
    }
}
