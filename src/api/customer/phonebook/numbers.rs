//! The numbers of a phonebook.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};
use sms::msisdn::{Msisdn, ascii_digit, is_passed_over};

use super::find;
use super::parse::{self, Entries, NewNumber, NumberChange};
use crate::api::http::forms::{Form, by, list_of, parsed, phone_number, refused};
use crate::api::http::json_fields::{Body, Fields, Place, Setting};
use crate::api::http::json_schema::{self, Described, Schema};
use crate::api::http::{self, Response, body::JsonBody, context::Context, query::Paged, respond::Success};
use crate::base::ports::{MAX_INTEGER, Platform};
use crate::base::time;
use crate::directory::phonebook::numbers::{self, Change, Details, Number};
use crate::directory::phonebook::search::{self, Found, MAX_SEARCH, Search};
use crate::directory::phonebook::{Phonebook, writes};
use crate::problem::Problem;
use crate::problem::field_error::{FieldError, FieldErrorKind, Step};
use crate::{answer, body, either, query};

/// A request adds at most this many numbers.
const MAX_ADDED: usize = 1_000;

answer! {
    /// A number of a phonebook.
    pub struct NumberData(number: &Number) as "Number" {
        "id": number.id, integer(0, MAX_INTEGER) => 7;
        "number": number.number.to_e164(), number();
        "name": number.name, any_text().or_null() => "Ali";
        "attributes": number.attributes, attributes() => {"city": "Tehran"};
        "createdAt": time::to_rfc3339(number.created_ms), time();
    }

    /// What has become of the numbers.
    pub struct AddedData(new: u64, valid: u64, invalid: &[Value], saved: &[Value]) as "AddedToPhonebook" {
        /// How many numbers are new.
        "added": new, count();
        /// How many were there.
        "updated": valid.saturating_sub(new), count();
        /// The items that were refused.
        "invalid": invalid, list(InvalidItem::schema(), 0, 1_000);
        /// The numbers as the phonebook has them now.
        "numbers": saved, list(declared::<NumberData>(), 0, 1_000);
    }

    pub struct InvalidItem(index: usize, written: Option<&str>, detail: &str) {
        /// Where the item stands in `numbers`, from 0.
        "index": index, count();
        /// What the item has for a number, 64 characters at most. What is no text stands as JSON; `null`: nothing.
        "value": written, any_text().or_null() => "0912123456";
        /// What is wrong with it.
        "detail": detail, any_text() => "is not a valid phone number";
    }
}

fn attributes() -> Schema {
    Schema(json!({"type": "object", "additionalProperties": {"type": "string"}}))
}

/// An item of a list that is no entry.
#[derive(Debug)]
pub struct Refused {
    /// What it has for a number, as the answer quotes it.
    written: Option<String>,
    faults: Vec<FieldError>,
}

/// The entries of a request: the valid ones in their order, and the others by index.
#[derive(Default)]
struct Added {
    valid: Vec<(Msisdn, Details)>,
    refused: Vec<(usize, Refused)>,
}

/// `POST /phonebook/number/{phonebookId}`
pub async fn add<P: Platform>(context: &Context<'_, P>, phonebook: &str, body: &JsonBody) -> Result<Response, Problem> {
    let added = read(context.fields(body))?;
    let mut phonebook = find(context, phonebook).await?;
    let mut entries = Entries::default();
    let mut seen = HashSet::new();
    let mut order: Vec<Msisdn> = Vec::with_capacity(added.valid.len());
    for (number, details) in &added.valid {
        entries.put(*number, details.clone());
        if seen.insert(*number) {
            order.push(*number);
        }
    }
    context.pay_more(parse::tokens(entries.len() as u64), 1).await?;
    let new = entries.save(context, &mut phonebook).await?;
    let language = context.request.language;
    let invalid: Vec<Value> = added
        .refused
        .iter()
        .map(|(index, Refused { written, faults })| {
            let details: Vec<String> = faults.iter().map(|fault| fault.detail(language)).collect();
            InvalidItem::of(*index, written.as_deref(), &details.join("; "))
        })
        .collect();
    let saved = saved(context, &phonebook, &order).await?;
    Success::created(AddedData::of(new, added.valid.len() as u64, &invalid, &saved)).response(context)
}

body! {
    /// Numbers to add. Peyk adds the good items and names the others.
    pub struct ManyNumbers => {"numbers": ["09121234567", {"number": "09351234567", "name": "Ali"}]} {
        number: Option<()> = can "number" refused(FieldErrorKind::NotBeside("numbers"));
        numbers: Vec<Item> = must "numbers" list_of(item(), 1, MAX_ADDED);
    }
}

either! {
    pub struct AddNumbers as "AddNumbers" = exactly_one OneNumber, ManyNumbers;
}

/// A number alone, which the document tells from a list of numbers.
pub struct OneNumber;

impl Described for OneNumber {
    const NAME: &'static str = "OneNumber";

    fn schema() -> Schema {
        let members = NewNumber::members()
            .into_iter()
            .chain([json_schema::absent("numbers", true)]);
        json_schema::object(members)
            .about("A number to add.")
            .like(json!({"number": "09121234567", "name": "Ali", "attributes": {"city": "Tehran"}}))
    }
}

/// An item of a list: an entry, or what is wrong with it.
type Item = Result<(Msisdn, Details), Refused>;

/// An item of a list never makes the list bad.
fn item() -> impl Form<Value = Item> {
    let schema = || json_schema::any_of([phone_number().schema(), json_schema::declared::<NewNumber>()]);
    by(
        |value: &Value, place: &mut Place<'_>| Some(read_item(value, place.setting)),
        schema,
    )
}

/// Reads one entry, or a list of entries. A request with one entry fails with its faults. A request with a list fails only
/// if no entry is valid.
fn read(mut fields: Fields<'_>) -> Result<Added, Problem> {
    let mut added = Added::default();
    if fields.value("numbers").is_none() {
        let entry = NewNumber::read(&mut fields).entry();
        fields.finish()?;
        added.valid.extend(entry);
        return Ok(added);
    }
    let ManyNumbers { numbers, .. } = ManyNumbers::read(&mut fields);
    for (index, item) in numbers.into_iter().enumerate() {
        match item {
            Ok(entry) => added.valid.push(entry),
            Err(refused) => added.refused.push((index, refused)),
        }
    }
    if added.valid.is_empty() {
        let refused = added.refused.iter();
        for fault in refused.flat_map(|(index, refused)| located(*index, &refused.faults)) {
            fields.push(fault);
        }
    }
    fields.finish()?;
    Ok(added)
}

fn located(index: usize, faults: &[FieldError]) -> Vec<FieldError> {
    let place = [Step::Name("numbers".to_owned()), Step::Index(index)];
    faults.iter().map(|fault| fault.under(&place)).collect()
}

/// Reads an item of a list.
fn read_item(item: &Value, setting: Setting<'_>) -> Item {
    read_entry(item, setting).map_err(|faults| Refused {
        written: written_number(item),
        faults,
    })
}

/// What an item has for a number, whatever it is.
fn written_number(item: &Value) -> Option<String> {
    let number = item.as_object().map_or(Some(item), |entry| entry.get("number"));
    match number? {
        Value::Null => None,
        Value::String(text) => Some(parse::quoted(text)),
        other => Some(parse::quoted(&other.to_string())),
    }
}

/// Reads an entry, or just a number.
fn read_entry(item: &Value, setting: Setting<'_>) -> Result<(Msisdn, Details), Vec<FieldError>> {
    if let Some(text) = item.as_str() {
        let number = Msisdn::parse(text);
        return number
            .map(|number| (number, Details::default()))
            .map_err(|_| vec![FieldError::at(Vec::new(), FieldErrorKind::NotAPhoneNumber)]);
    }
    let Some(object) = item.as_object() else {
        let kind = FieldErrorKind::MustBe("an object or a string", "شیء یا رشته");
        return Err(vec![FieldError::at(Vec::new(), kind)]);
    };
    let mut fields = Fields::new(object, setting);
    let entry = NewNumber::read(&mut fields).entry();
    let faults = fields.into_faults();
    entry.filter(|_| faults.is_empty()).ok_or(faults)
}

/// The entries of these numbers as the phonebook has them now, in this order.
async fn saved<P: Platform>(
    context: &Context<'_, P>,
    phonebook: &Phonebook,
    order: &[Msisdn],
) -> Result<Vec<Value>, Problem> {
    let numbers = numbers::find_all(context.platform.db(), phonebook.seq, order).await?;
    let by_number: HashMap<Msisdn, &Number> = numbers.iter().map(|number| (number.number, number)).collect();
    Ok(order
        .iter()
        .filter_map(|number| by_number.get(number).map(|number| NumberData::of(number)))
        .collect())
}

query! {
    pub struct NumbersWish {
        /// Finds names and numbers with this part, however they are written: in names, case, blanks, joiners, marks, and Persian and Arabic
        /// letters and digits do not matter. A search that begins with `+`, or has more than seven digits, is the beginning of a number. In a phonebook of more than 100,000 numbers, a page may have fewer numbers than `limit`, or none, while there is a
        /// `nextCursor`.
        search: Option<String> = can "q" part() => "0912";
    }
}

fn part() -> impl Form<Value = String> {
    let parse = |text: &str| match text.chars().count() {
        0..=MAX_SEARCH => Ok(text.trim().to_owned()),
        _ => Err(FieldErrorKind::TooLong { max: MAX_SEARCH }),
    };
    parsed(parse, || json_schema::any_text().with("maxLength", MAX_SEARCH))
}

/// `GET /phonebook/number/{phonebookId}`
pub async fn list<P: Platform>(
    context: &Context<'_, P>,
    phonebook: &str,
    query: Paged<'_, NumbersWish>,
) -> Result<Response, Problem> {
    let (page, NumbersWish { search }) = query.listed(&format!("phonebook/{phonebook}"))?;
    let phonebook = find(context, phonebook).await?;
    let search = search.filter(|text| !text.is_empty());
    let (asked, db) = (page.to_read(), context.platform.db());
    let found = match search.as_deref().map(meant) {
        Some(search) => search::search(db, phonebook.seq, &search, asked.limit, asked.after).await?,
        None => numbers::page(db, phonebook.seq, asked.limit, asked.after)
            .await?
            .map(Found::all),
    };
    let mut found = found.ok_or(Problem::NotFound)?;
    let next = page.cut_found(&mut found.numbers, Number::place, found.looked_to);
    Success::page(found.numbers.iter().map(NumberData::of), next).response(context)
}

/// More digits than these name a number from its beginning, which goes by an index.
const MOST_DIGITS_OF_A_PART: usize = 7;

/// What a person means by this text: a part of a name or number, which may be the beginning of a number of Iran or of any country.
fn meant(search: &str) -> Search {
    let mut typed = search
        .chars()
        .filter(|character| !is_passed_over(*character))
        .peekable();
    let is_international = typed.next_if_eq(&'+').is_some();
    let digits = typed.map(ascii_digit).collect::<Option<String>>().unwrap_or_default();
    let beginning = match (digits.strip_prefix("00"), digits.strip_prefix('0')) {
        _ if is_international => digits.clone(),
        (Some(international), _) => international.to_owned(),
        (None, Some(national)) => format!("98{national}"),
        (None, None) => String::new(),
    };
    match (digits.len() > MOST_DIGITS_OF_A_PART, beginning.is_empty()) {
        _ if is_international && !digits.is_empty() => Search::Beginning(vec![beginning]),
        (true, true) => Search::Beginning(vec![format!("98{digits}"), digits]),
        (true, false) => Search::Beginning(vec![beginning]),
        (false, _) => Search::Part {
            name: search::form(search),
            digits,
            beginning,
        },
    }
}

async fn find_number<P: Platform>(
    context: &Context<'_, P>,
    phonebook: &Phonebook,
    id: &str,
) -> Result<Number, Problem> {
    let id: i64 = id.parse().map_err(|_| Problem::NotFound)?;
    if !(0..=MAX_INTEGER).contains(&id) {
        return Err(Problem::NotFound);
    }
    let number = numbers::find(context.platform.db(), phonebook.seq, id).await?;
    number.ok_or(Problem::NotFound)
}

/// `PUT /phonebook/number/{phonebookId}/{numberId}`
pub async fn change<P: Platform>(
    context: &Context<'_, P>,
    phonebook: &str,
    id: &str,
    body: &JsonBody,
) -> Result<Response, Problem> {
    let new: NumberChange = context.read(body)?;
    let mut phonebook = find(context, phonebook).await?;
    let before = find_number(context, &phonebook, id).await?;
    let change = Change {
        number: new.number,
        name: new.name,
        attributes: new.attributes.map(Option::unwrap_or_default),
    };
    let (db, limits) = (context.platform.db(), parse::limits(context));
    match writes::update(db, &mut phonebook, before.id, &change, limits).await? {
        Ok(number) => Success::ok(NumberData::of(&number)).response(context),
        Err(refusal) => Err(parse::problem(context, refusal)),
    }
}

/// `DELETE /phonebook/number/{phonebookId}/{numberId}`
pub async fn delete<P: Platform>(context: &Context<'_, P>, phonebook: &str, id: &str) -> Result<Response, Problem> {
    let phonebook = find(context, phonebook).await?;
    let number = find_number(context, &phonebook, id).await?;
    if writes::delete(context.platform.db(), &phonebook, number.id).await? {
        Ok(http::no_content())
    } else {
        Err(Problem::NotFound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_for_a_number_may_be_written_in_any_form() {
        let beginning = |digits: &[&str]| Search::Beginning(digits.iter().map(|digits| (*digits).to_owned()).collect());
        let part = |name: &str, digits: &str, beginning: &str| Search::Part {
            name: name.to_owned(),
            digits: digits.to_owned(),
            beginning: beginning.to_owned(),
        };
        for (typed, wanted) in [
            ("0912", part("0912", "0912", "98912")),
            ("۰۹۱۲", part("0912", "0912", "98912")),
            ("0012", part("0012", "0012", "12")),
            ("00", part("00", "00", "")),
            ("+98 912", beginning(&["98912"])),
            ("0098912345", beginning(&["98912345"])),
            ("09121234", beginning(&["989121234"])),
            ("91212345", beginning(&["9891212345", "91212345"])),
            ("912", part("912", "912", "")),
            ("۴۵ ۶۷", part("4567", "4567", "")),
            ("9121234", part("9121234", "9121234", "")),
            ("Ali 2", part("ali2", "", "")),
            ("+", part("+", "", "")),
            ("", part("", "", "")),
        ] {
            assert_eq!(meant(typed), wanted, "{typed}");
        }
    }
}
