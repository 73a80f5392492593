//! Every error the API can answer: one table of status, code, name and texts, and the one function that makes an RFC 9457
//! problem document of it.

pub mod conflict;
pub mod kind;
pub mod language;

use serde::Serialize;

use crate::auth::Scope;
use crate::fault::Fault;
use crate::http::{Content, Response};

pub use conflict::Conflict;
pub use kind::Kind;
pub use language::Language;

/// An error that the API answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// Malformed JSON or a wrong root.
    BadRequest(BadRequest),
    /// No usable key.
    Unauthorized {
        /// Whether a key was sent at all.
        key_sent: bool,
    },
    /// The key lacks a scope.
    Forbidden(Scope),
    /// No such path or thing.
    NotFound,
    /// The path exists, not with this method.
    MethodNotAllowed {
        /// The methods it has, as `Allow` tells them.
        allow: String,
    },
    /// The state of things is against it.
    Conflict(Conflict),
    /// The body is over the limit.
    PayloadTooLarge {
        /// The limit in bytes.
        limit_bytes: usize,
    },
    /// The body is not declared as what it has to be.
    UnsupportedMediaType {
        /// The media type that it has to be.
        wanted: &'static str,
    },
    /// Values that are missing, mistyped or badly formed: all of them.
    Validation(Vec<Fault>),
    /// No token is left.
    TooManyRequests {
        /// Whole seconds to wait, at least 1.
        retry_after_s: u32,
    },
    /// Our fault; the cause is for the log alone.
    Internal(String),
    /// The account is not active.
    UserInactive,
    /// The money is short.
    InsufficientBalance {
        /// What it would have taken.
        cost: i64,
        /// What there is.
        available: i64,
    },
    /// Sending is switched off.
    SendNotAllowed {
        /// For all accounts, not just this one.
        for_all: bool,
    },
    /// The source number is not one to send this way from.
    HeadNumberNotFound {
        /// The number asked for; `None`: none was, and the account has no default line.
        number: Option<String>,
    },
    /// Patterns that do not exist or have no active version.
    PatternNoActiveVersion(Vec<Fault>),
    /// Patterns that are not tied to the source number.
    PatternHeadNumberNotAcceptable(Vec<Fault>),
    /// Variables without a value.
    PatternVariableHasNoValue(Vec<Fault>),
    /// Values that break their variable's type, length or choices.
    PatternVariableNotValid(Vec<Fault>),
    /// Recipients on the account's blacklist.
    RecipientBlacklisted(Vec<Fault>),
    /// An import that ended before its end.
    ImportStopped {
        /// Why.
        cause: Box<Problem>,
        /// How far it came: this line, counted from 1, and all before it are done.
        last_line: u64,
        /// Numbers that are new.
        added: u64,
        /// Numbers that were there.
        updated: u64,
    },
}

/// What is wrong with a body as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadRequest {
    /// Not JSON.
    Malformed {
        /// Line of the first error, from 1.
        line: usize,
        /// Column of it, from 1.
        column: usize,
    },
    /// Not UTF-8.
    NotUtf8,
    /// JSON, but not an object.
    NotAnObject,
    /// Nested deeper than allowed.
    TooDeep,
    /// The connection ended within the body.
    Unreadable,
}

impl Problem {
    /// Its row of the table.
    pub fn kind(&self) -> Kind {
        match self {
            Problem::BadRequest(_) => kind::BAD_REQUEST,
            Problem::Unauthorized { .. } => kind::UNAUTHORIZED,
            Problem::Forbidden(_) => kind::FORBIDDEN,
            Problem::NotFound => kind::NOT_FOUND,
            Problem::MethodNotAllowed { .. } => kind::METHOD_NOT_ALLOWED,
            Problem::Conflict(_) => kind::CONFLICT,
            Problem::PayloadTooLarge { .. } => kind::PAYLOAD_TOO_LARGE,
            Problem::UnsupportedMediaType { .. } => kind::UNSUPPORTED_MEDIA_TYPE,
            Problem::Validation(_) => kind::VALIDATION,
            Problem::TooManyRequests { .. } => kind::TOO_MANY_REQUESTS,
            Problem::Internal(_) => kind::INTERNAL,
            Problem::UserInactive => kind::USER_INACTIVE,
            Problem::InsufficientBalance { .. } => kind::INSUFFICIENT_BALANCE,
            Problem::SendNotAllowed { .. } => kind::SEND_NOT_ALLOWED,
            Problem::HeadNumberNotFound { .. } => kind::HEAD_NUMBER_NOT_FOUND,
            Problem::PatternNoActiveVersion(_) => kind::PATTERN_NO_ACTIVE_VERSION,
            Problem::PatternHeadNumberNotAcceptable(_) => kind::PATTERN_HEAD_NUMBER_NOT_ACCEPTABLE,
            Problem::PatternVariableHasNoValue(_) => kind::PATTERN_VARIABLE_HAS_NO_VALUE,
            Problem::PatternVariableNotValid(_) => kind::PATTERN_VARIABLE_NOT_VALID,
            Problem::RecipientBlacklisted(_) => kind::RECIPIENT_BLACKLISTED,
            Problem::ImportStopped { cause, .. } => cause.kind(),
        }
    }

    fn detail(&self, language: Language) -> String {
        let (en, fa) = self.details();
        let detail = match language {
            Language::En => en,
            Language::Fa => fa,
        };
        match self {
            Problem::PatternNoActiveVersion(faults)
            | Problem::PatternHeadNumberNotAcceptable(faults)
            | Problem::PatternVariableHasNoValue(faults)
            | Problem::PatternVariableNotValid(faults)
            | Problem::RecipientBlacklisted(faults) => detail + &named(faults, language),
            Problem::ImportStopped { cause, .. } => cause.detail(language) + " " + &detail,
            _ => detail,
        }
    }

    /// What exactly is wrong here, English and Persian.
    fn details(&self) -> (String, String) {
        let text = |en: &str, fa: &str| (en.to_owned(), fa.to_owned());
        match self {
            Problem::BadRequest(fault) => bad_request_details(*fault),
            Problem::Unauthorized { key_sent: false } => text(
                "Send your API key in the header \"Authorization: Bearer <API_KEY>\".",
                "کلید API را در سرآیند «Authorization: Bearer <API_KEY>» بفرستید.",
            ),
            Problem::Unauthorized { key_sent: true } => text(
                "This API key is malformed, unknown, expired or revoked.",
                "این کلید API بدشکل، ناشناخته، منقضی یا باطل است.",
            ),
            Problem::Forbidden(scope) => (
                format!("This API key lacks the scope \"{}\".", scope.as_str()),
                format!("این کلید API دسترسی «{}» را ندارد.", scope.as_str()),
            ),
            Problem::NotFound => text("There is no such resource.", "چنین منبعی وجود ندارد."),
            Problem::MethodNotAllowed { allow } => (
                format!("This path answers {allow}."),
                format!("این مسیر فقط به {allow} پاسخ می‌دهد."),
            ),
            Problem::Conflict(conflict) => conflict.details(),
            Problem::PayloadTooLarge { limit_bytes } => (
                format!("The body may have at most {limit_bytes} bytes."),
                format!("بدنه‌ی درخواست حداکثر می‌تواند {limit_bytes} بایت باشد."),
            ),
            Problem::UnsupportedMediaType { wanted } => (
                format!("Send the body with \"Content-Type: {wanted}\"."),
                format!("بدنه را با «Content-Type: {wanted}» بفرستید."),
            ),
            Problem::Validation(faults) => (
                format!("The request has {} fault(s); \"errors\" names each.", faults.len()),
                format!("درخواست {} خطا دارد؛ «errors» همه را نام می‌برد.", faults.len()),
            ),
            Problem::TooManyRequests { retry_after_s } => (
                format!("The rate limit is used up; try again in {retry_after_s} s."),
                format!("سقف تعداد درخواست پر شده است؛ {retry_after_s} ثانیه‌ی دیگر دوباره تلاش کنید."),
            ),
            Problem::Internal(_) => text(
                "Something went wrong on our side. Its cause is in our log under this request id.",
                "خطایی در سمت ما رخ داد. علت آن با همین شناسه‌ی درخواست در گزارش ما ثبت شده است.",
            ),
            Problem::UserInactive => text("The account is not active.", "حساب کاربری فعال نیست."),
            Problem::InsufficientBalance { cost, available } => (
                format!("This costs {cost}, but only {available} is available."),
                format!("هزینه‌ی این کار {cost} است، اما موجودی در دسترس {available} است."),
            ),
            Problem::SendNotAllowed { for_all: true } => text(
                "Sending is switched off for all accounts at the moment.",
                "ارسال در حال حاضر برای همه‌ی حساب‌ها غیرفعال است.",
            ),
            Problem::SendNotAllowed { for_all: false } => text(
                "Sending is switched off for this account.",
                "ارسال برای این حساب غیرفعال است.",
            ),
            Problem::HeadNumberNotFound { number: Some(number) } => (
                format!("You can't send this way from the number {number}."),
                format!("امکان این نوع ارسال از سرشماره‌ی {number} وجود ندارد."),
            ),
            Problem::HeadNumberNotFound { number: None } => text(
                "No source number was given and the account has no default line that can send this way.",
                "سرشماره‌ای داده نشده و حساب، خط پیش‌فرضی برای این نوع ارسال ندارد.",
            ),
            Problem::PatternNoActiveVersion(_) => text("No such pattern is active: ", "چنین الگوی فعالی وجود ندارد: "),
            Problem::PatternHeadNumberNotAcceptable(_) => text(
                "The pattern is not tied to the source number: ",
                "الگو به این سرشماره وابسته نیست: ",
            ),
            Problem::PatternVariableHasNoValue(_) => text(
                "The pattern has variables that were given no value: ",
                "متغیرهایی از الگو مقدار ندارند: ",
            ),
            Problem::PatternVariableNotValid(_) => text(
                "Values of the pattern's variables are not valid: ",
                "مقدار متغیرهایی از الگو معتبر نیست: ",
            ),
            Problem::RecipientBlacklisted(_) => text(
                "Recipients are on the account's blacklist, nothing was sent: ",
                "گیرندگانی در فهرست سیاه حساب‌اند و چیزی فرستاده نشد: ",
            ),
            Problem::ImportStopped {
                last_line,
                added,
                updated,
                ..
            } => (
                format!(
                    "The file is imported up to line {last_line} ({added} numbers added, {updated} updated); importing it again is safe."
                ),
                format!(
                    "پرونده تا سطر {last_line} وارد شد ({added} شماره‌ی تازه، {updated} شماره‌ی به‌روزشده)؛ وارد کردن دوباره‌ی آن بی‌خطر است."
                ),
            ),
        }
    }

    /// The faults as `(field, pointer, detail)`.
    fn faults(&self, language: Language) -> Vec<(String, String, String)> {
        match self {
            Problem::ImportStopped { cause, .. } => cause.faults(language),
            Problem::Validation(faults)
            | Problem::PatternNoActiveVersion(faults)
            | Problem::PatternHeadNumberNotAcceptable(faults)
            | Problem::PatternVariableHasNoValue(faults)
            | Problem::PatternVariableNotValid(faults)
            | Problem::RecipientBlacklisted(faults) => faults
                .iter()
                .map(|fault| (fault.field(), fault.pointer(), fault.detail(language)))
                .collect(),
            Problem::HeadNumberNotFound { .. } => vec![(
                "sourceNumber".to_owned(),
                "/sourceNumber".to_owned(),
                self.detail(language),
            )],
            _ => Vec::new(),
        }
    }

    /// Headers that go with it.
    fn headers(&self) -> Vec<(&'static str, String)> {
        match self {
            Problem::Unauthorized { key_sent: false } => vec![("WWW-Authenticate", "Bearer".to_owned())],
            Problem::Unauthorized { key_sent: true } => {
                vec![("WWW-Authenticate", "Bearer error=\"invalid_token\"".to_owned())]
            }
            Problem::Forbidden(scope) => vec![(
                "WWW-Authenticate",
                format!("Bearer error=\"insufficient_scope\", scope=\"{}\"", scope.as_str()),
            )],
            Problem::MethodNotAllowed { allow } => vec![("Allow", allow.clone())],
            Problem::TooManyRequests { retry_after_s } => vec![("Retry-After", retry_after_s.to_string())],
            _ => Vec::new(),
        }
    }

    /// The problem as one of several, for programs and for people.
    pub fn brief(&self, language: Language) -> Brief {
        let kind = self.kind();
        let faults = self.faults(language);
        Brief {
            status: kind.status,
            code: kind.code,
            name: kind.name,
            detail: self.detail(language),
            extra: extra(&faults),
            errors: errors(faults),
        }
    }

    /// The problem document (RFC 9457) as a response.
    pub fn response(&self, language: Language, instance: &str, request_id: &str) -> Response {
        let kind = self.kind();
        let faults = self.faults(language);
        let document = Document {
            r#type: format!("https://peyk.dev/problems/{}", kind.slug),
            title: match language {
                Language::En => kind.title_en,
                Language::Fa => kind.title_fa,
            },
            status: kind.status,
            status_code: kind.status,
            code: kind.code,
            name: kind.name,
            detail: self.detail(language),
            instance,
            extra: extra(&faults),
            errors: errors(faults),
            meta: DocumentMeta { request_id },
        };
        let mut headers = self.headers();
        headers.push((
            "Content-Language",
            match language {
                Language::En => "en",
                Language::Fa => "fa",
            }
            .to_owned(),
        ));
        Response {
            status: kind.status,
            content_type: "application/problem+json",
            headers,
            body: Content::Text(serde_json::to_string(&document).unwrap_or_default()),
        }
    }
}

/// Faults that `detail` names; `extra` names them all.
const NAMED: usize = 5;

fn named(faults: &[Fault], language: Language) -> String {
    let mut texts: Vec<String> = faults
        .iter()
        .take(NAMED)
        .map(|fault| format!("{}: {}", fault.field(), fault.detail(language)))
        .collect();
    if faults.len() > NAMED {
        texts.push("…".to_owned());
    }
    texts.join("; ") + "."
}

fn bad_request_details(fault: BadRequest) -> (String, String) {
    let text = |en: &str, fa: &str| (en.to_owned(), fa.to_owned());
    match fault {
        BadRequest::Malformed { line, column } => (
            format!("The body is not valid JSON: see line {line}, column {column}."),
            format!("بدنه JSON معتبر نیست: سطر {line}، ستون {column} را ببینید."),
        ),
        BadRequest::NotUtf8 => text("The body is not valid UTF-8.", "بدنه UTF-8 معتبر نیست."),
        BadRequest::NotAnObject => text("The body has to be a JSON object.", "بدنه باید یک شیء JSON باشد."),
        BadRequest::TooDeep => text(
            "The body is nested deeper than 16 levels.",
            "بدنه بیش از ۱۶ سطح تودرتو است.",
        ),
        BadRequest::Unreadable => text("The body could not be read to its end.", "بدنه تا پایان خوانده نشد."),
    }
}

fn extra(faults: &[(String, String, String)]) -> Vec<String> {
    let text = |(field, _, detail): &(String, String, String)| format!("{field}: {detail}");
    faults.iter().map(text).collect()
}

fn errors(faults: Vec<(String, String, String)>) -> Vec<DocumentError> {
    let error = |(_, pointer, detail)| DocumentError { pointer, detail };
    faults.into_iter().map(error).collect()
}

/// A problem in the list of an estimate: the members of a problem document that tell what is wrong.
#[derive(Debug, Serialize)]
#[allow(missing_docs, reason = "the members of the contract's section 3")]
pub struct Brief {
    pub status: u16,
    pub code: u16,
    pub name: &'static str,
    pub detail: String,
    pub extra: Vec<String>,
    pub errors: Vec<DocumentError>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document<'a> {
    r#type: String,
    title: &'static str,
    status: u16,
    status_code: u16,
    code: u16,
    name: &'static str,
    detail: String,
    instance: &'a str,
    extra: Vec<String>,
    errors: Vec<DocumentError>,
    meta: DocumentMeta<'a>,
}

/// One fault, for programs.
#[derive(Debug, Serialize)]
pub struct DocumentError {
    pointer: String,
    detail: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DocumentMeta<'a> {
    request_id: &'a str,
}
