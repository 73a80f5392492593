//! The bodies of requests about verifications.

use std::collections::BTreeMap;

use serde_json::Value;
use sms::msisdn::{Msisdn, ascii_digit};

use crate::account::verify::check::Which;
use crate::api::customer::send::parse::{MAX_CLIENT_REF, MAX_SLUG, source_number, values};
use crate::api::http::forms::{Form, Look, by, choice, formed, integer, named, phone_number, refused, text};
use crate::api::http::json_fields::{self, Body, Fields, Place};
use crate::api::http::json_schema;
use crate::base::language::Language;
use crate::compose::code::{CODE, sample};
use crate::compose::request::{Autofill, CodeOrder, CodeText, FilledPattern, NamedAt, NamedNumber, Order, SendRequest};
use crate::problem::field_error::{FieldErrorKind, Step};
use crate::{body, either};

/// A purpose has at most so many characters.
pub const MAX_PURPOSE: usize = 32;
/// What a verification is for if the client does not say it.
pub const DEFAULT_PURPOSE: &str = "login";
/// The digits of a code.
const MIN_LENGTH: i64 = 4;
const MAX_LENGTH: i64 = 10;
const DEFAULT_LENGTH: i64 = 6;
/// The longest name of a domain (RFC 1035).
const MAX_DOMAIN: usize = 253;
/// What a client tells of a person has at most so many characters.
const MAX_CONTEXT: usize = 64;
/// An id has so many characters.
const ID_CHARS: usize = 64;

static DOMAIN: Look = Look {
    min: 1,
    max: MAX_DOMAIN,
    pattern: "^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$",
    fault: FieldErrorKind::BadForm(
        "shop.ir: the domain of your page, in small letters",
        "shop.ir (دامنه‌ی صفحه‌ی شما با حروف کوچک)",
    ),
    is_met: is_domain,
};

static APP_HASH: Look = Look {
    min: 11,
    max: 11,
    pattern: "^[A-Za-z0-9+/]{11}$",
    fault: FieldErrorKind::BadForm(
        "FA+9qCX9VSu: the 11 characters by which Android knows your app",
        "FA+9qCX9VSu (11 کاراکتری که اندروید برنامه‌ی شما را با آن می‌شناسد)",
    ),
    is_met: |text| {
        text.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'))
    },
};

fn is_domain(text: &str) -> bool {
    text.split('.').all(|label| {
        let is_inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        !label.is_empty() && !label.starts_with('-') && !label.ends_with('-') && label.bytes().all(is_inner)
    })
}

body! {
    /// A code to send.
    pub struct NewVerification => {"recipient": "09121234567"} {
        recipient: Option<Msisdn> = needs "recipient" phone_number();
        /// What the code is for. A recipient has one pending code for each purpose. Left out: `login`.
        purpose: Option<String> = can "purpose" text(MAX_PURPOSE) => "login";
        /// The slug of a pattern whose text has `%CODE%`. Left out: a text of the service's own.
        pattern: Option<String> = can "pattern" text(MAX_SLUG) => "login-code";
        /// The values of the pattern's other variables, by their names.
        variables: Option<BTreeMap<String, String>> = can "variables" values();
        /// The language of the service's own text. Left out: the language in which the service answers the request.
        language: Option<Language> = can "language" choice(&[Language::Fa, Language::En], Language::tag);
        /// The line to send from. Left out or empty: the account's default line.
        source_number: Option<Option<String>> = can "sourceNumber" source_number() => "10001";
        /// How many digits the code has.
        length: i64 = can "codeLength" integer(MIN_LENGTH, MAX_LENGTH), or DEFAULT_LENGTH;
        /// How long the code can be checked, in seconds.
        ttl_s: i64 = can "ttlSeconds" integer(60, 900), or 120;
        /// How many codes may be tried.
        max_attempts: i64 = can "maxAttempts" integer(3, 10), or 5;
        /// The domain of the page that asks for the code: the text ends with `@shop.ir #123456`, and browsers offer the code to
        /// that page alone (WebOTP).
        domain: Option<String> = can "domain" formed(&DOMAIN) => "shop.ir";
        /// The hash of the Android app that asks for the code: the text ends with it, and the app gets the text.
        /// It must not stand beside `domain`.
        app_hash: Option<String> = can "appHash" formed(&APP_HASH) => "FA+9qCX9VSu";
        context: Option<VerifyContext> = can "context" named::<VerifyContext>();
        /// A reference of your own. `GET /messages` finds the message by it.
        client_ref: Option<String> = can "clientRef" text(MAX_CLIENT_REF) => "order-7";
    }

    /// What is known of the person who asks for a code. It helps to tell fraud from customers.
    pub struct VerifyContext {
        /// The address of the person.
        address: Option<String> = can "ip" text(MAX_CONTEXT) => "198.51.100.7";
    }

    /// A code to check, by the id of its verification.
    pub struct CodeOfId => {"id": "019b796d-a000-7000-8000-000000000001", "code": "123456"} {
        /// The id of the verification.
        id: Option<String> = needs "id" text(ID_CHARS) => "019b796d-a000-7000-8000-000000000001";
        recipient: Option<()> = can "recipient" refused(FieldErrorKind::NotBeside("id"));
        purpose: Option<()> = can "purpose" refused(FieldErrorKind::NotBeside("id"));
        code: Option<String> = needs "code" code();
    }

    /// A code to check, by the recipient.
    pub struct CodeOfRecipient => {"recipient": "09121234567", "purpose": "login", "code": "123456"} {
        recipient: Option<Msisdn> = needs "recipient" phone_number();
        /// What the code is for. Left out: `login`.
        purpose: Option<String> = can "purpose" text(MAX_PURPOSE) => "login";
        /// As the person has typed it, in Persian, Arabic or Latin digits.
        code: Option<String> = needs "code" code();
    }
}

either! {
    /// A code that a person has typed.
    pub struct CodeToCheck as "CheckVerification" = exactly_one CodeOfId, CodeOfRecipient;
}

/// How a code may be written: blanks and hyphens stand between the digits as people paste them.
const CODE_FORM: &str = "^([\\s\u{200e}\u{200f}-]*[0-9۰-۹٠-٩]){4,10}[\\s\u{200e}\u{200f}-]*$";

/// A code, as ASCII digits.
pub fn code() -> impl Form<Value = String> {
    let fault = || FieldErrorKind::BadForm("4 to 10 digits", "4 تا 10 رقم");
    let read = move |value: &Value, place: &mut Place<'_>| {
        let written = place.take(value.as_str().ok_or(json_fields::TEXT))?;
        // Phones paste codes with blanks and marks of direction around them.
        let is_written = |char: &char| !char.is_whitespace() && !matches!(*char, '-' | '\u{200e}' | '\u{200f}');
        let digits: Option<String> = written
            .chars()
            .filter(is_written)
            .take(ID_CHARS)
            .map(ascii_digit)
            .collect();
        let fits =
            |digits: &String| (MIN_LENGTH..=MAX_LENGTH).contains(&i64::try_from(digits.len()).unwrap_or(i64::MAX));
        place.take(digits.filter(fits).ok_or_else(fault))
    };
    by(read, || json_schema::formed(ID_CHARS, CODE_FORM)).like("123456")
}

/// What a client asks for, beside the message.
pub struct Wanted {
    /// Whose number is verified.
    pub recipient: Msisdn,
    /// What for.
    pub purpose: String,
    /// How long the code can be checked, ms.
    pub ttl_ms: i64,
    /// How many codes may be tried.
    pub max_attempts: u32,
    /// The address of the person.
    pub address: Option<String>,
}

/// Reads the body of `POST /verify`. `language` is that of the request.
pub fn start(fields: &mut Fields<'_>, language: Language) -> Option<(SendRequest, Wanted)> {
    let new = NewVerification::read(fields);
    if new.domain.is_some() && new.app_hash.is_some() {
        fields.fault("appHash", FieldErrorKind::NotBeside("domain"));
    }
    if new.pattern.is_none() && new.variables.is_some() {
        fields.fault("variables", FieldErrorKind::NeedsPattern);
    }
    let length = u32::try_from(new.length).ok()?;
    let recipient = new.recipient?;
    let autofill = new.domain.map(Autofill::Domain).or(new.app_hash.map(Autofill::AppHash));
    let text = match new.pattern {
        None => CodeText::BuiltIn(new.language.unwrap_or(language)),
        Some(slug) => CodeText::Pattern(pattern(fields.path(), slug, new.variables, length)),
    };
    let order = CodeOrder {
        recipient: NamedNumber {
            number: recipient,
            named_at: NamedAt::Recipient,
        },
        text,
        autofill,
        length,
    };
    let request = SendRequest {
        path: fields.path().to_vec(),
        order: Order::Code(order),
        source_number: new.source_number.flatten(),
        callback: None,
        skips_blocked: false,
        is_cheapest: false,
        send_at_ms: None,
        client_ref: new.client_ref,
    };
    let wanted = Wanted {
        recipient,
        purpose: new.purpose.unwrap_or_else(|| DEFAULT_PURPOSE.to_owned()),
        ttl_ms: new.ttl_s.saturating_mul(1_000),
        max_attempts: u32::try_from(new.max_attempts).ok()?,
        address: new.context.and_then(|context| context.address),
    };
    Some((request, wanted))
}

fn pattern(path: &[Step], slug: String, values: Option<BTreeMap<String, String>>, length: u32) -> FilledPattern {
    let mut filled = FilledPattern {
        path: path.to_vec(),
        slug,
        values: values.unwrap_or_default(),
    };
    set_length(&mut filled, length);
    filled
}

/// Gives the code of a pattern so many digits.
pub fn set_length(filled: &mut FilledPattern, length: u32) {
    filled.values.insert(CODE.to_owned(), sample(length));
}

/// Reads the body of `POST /verify/check`. Gives the member that names the verification, too.
pub fn check(fields: &mut Fields<'_>) -> Option<(Which, &'static str, String)> {
    if fields.has("id") {
        let new = CodeOfId::read(fields);
        return Some((Which::Id(new.id?), "id", new.code?));
    }
    if !fields.has("recipient") {
        fields.fault("id", FieldErrorKind::OneOf("id, recipient".to_owned()));
    }
    let new = CodeOfRecipient::read(fields);
    let purpose = new.purpose.unwrap_or_else(|| DEFAULT_PURPOSE.to_owned());
    Some((Which::Newest(new.recipient?.get(), purpose), "recipient", new.code?))
}
