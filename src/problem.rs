//! Every error the API can answer: one table of status, code, name and texts, and the one function that makes an RFC 9457
//! problem document of it.

use serde::Serialize;

use crate::auth::Scope;
use crate::fault::Fault;
use crate::http::Response;

/// The languages that errors are told in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Language {
    /// English.
    #[default]
    En,
    /// Persian.
    Fa,
}

impl Language {
    /// The language that an `Accept-Language` header (RFC 9110, 12.5.4) prefers: Persian when `fa` outweighs `en` and
    /// stands above `*`, else English.
    pub fn preferred(header: Option<&str>) -> Language {
        // Between equal weights the one named first is meant, so places count downwards.
        let (mut persian, mut english) = ((0, i64::MIN), (0, i64::MIN));
        for (range, place) in header.unwrap_or_default().split(',').zip((i64::MIN..=0).rev()) {
            let (tag, params) = range.split_once(';').unwrap_or((range, ""));
            let primary = tag.trim().split('-').next().unwrap_or_default().to_ascii_lowercase();
            let weight = (quality(params), place);
            match primary.as_str() {
                "fa" => persian = persian.max(weight),
                "en" | "*" => english = english.max(weight),
                _ => {}
            }
        }
        if persian.0 > 0 && persian > english {
            Language::Fa
        } else {
            Language::En
        }
    }
}

/// `q=0.8` in thousandths; 1 when left out, 0 when unreadable.
fn quality(params: &str) -> u32 {
    let Some(value) = params.split(';').find_map(|param| param.trim().strip_prefix("q=")) else {
        return 1_000;
    };
    let (whole, fraction) = value.split_once('.').unwrap_or((value, ""));
    let digits: String = fraction.chars().chain("000".chars()).take(3).collect();
    match (whole.parse::<u32>(), digits.parse::<u32>()) {
        (Ok(whole), Ok(thousandths)) => (whole.min(1) * 1_000 + thousandths).min(1_000),
        _ => 0,
    }
}

/// One row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    /// HTTP status.
    pub status: u16,
    /// The API's own code.
    pub code: u16,
    /// Its name for programs.
    pub name: &'static str,
    /// Last part of the problem's `type`.
    pub slug: &'static str,
    title_en: &'static str,
    title_fa: &'static str,
}

const fn kind(
    status: u16,
    code: u16,
    name: &'static str,
    slug: &'static str,
    title_en: &'static str,
    title_fa: &'static str,
) -> Kind {
    Kind {
        status,
        code,
        name,
        slug,
        title_en,
        title_fa,
    }
}

const BAD_REQUEST: Kind = kind(400, 400, "BadRequest", "bad-request", "Bad request", "درخواست نادرست");
const UNAUTHORIZED: Kind = kind(
    401,
    401,
    "Unauthorized",
    "unauthorized",
    "Unauthorized",
    "احراز هویت نشده",
);
const FORBIDDEN: Kind = kind(403, 403, "Forbidden", "forbidden", "Forbidden", "دسترسی غیرمجاز");
const NOT_FOUND: Kind = kind(404, 404, "NotFound", "not-found", "Not found", "یافت نشد");
const METHOD_NOT_ALLOWED: Kind = kind(
    405,
    405,
    "MethodNotAllowed",
    "method-not-allowed",
    "Method not allowed",
    "روش مجاز نیست",
);
const CONFLICT: Kind = kind(409, 409, "Conflict", "conflict", "Conflict", "تعارض");
const PAYLOAD_TOO_LARGE: Kind = kind(
    413,
    413,
    "PayloadTooLarge",
    "payload-too-large",
    "Payload too large",
    "بدنه‌ی درخواست بزرگ است",
);
const UNSUPPORTED_MEDIA_TYPE: Kind = kind(
    415,
    415,
    "UnsupportedMediaType",
    "unsupported-media-type",
    "Unsupported media type",
    "نوع محتوا پشتیبانی نمی‌شود",
);
const VALIDATION: Kind = kind(
    422,
    422,
    "ErrorTypeValidation",
    "validation",
    "Validation failed",
    "داده‌های نامعتبر",
);
const TOO_MANY_REQUESTS: Kind = kind(
    429,
    429,
    "TooManyRequests",
    "too-many-requests",
    "Too many requests",
    "درخواست‌های بیش از حد",
);
const INTERNAL: Kind = kind(
    500,
    500,
    "InternalServerError",
    "internal-server-error",
    "Internal server error",
    "خطای داخلی سرور",
);
const USER_INACTIVE: Kind = kind(
    412,
    1003,
    "UserInactive",
    "user-inactive",
    "Account is not active",
    "حساب کاربری فعال نیست",
);
const INSUFFICIENT_BALANCE: Kind = kind(
    400,
    2001,
    "InsufficientBalance",
    "insufficient-balance",
    "Insufficient balance",
    "موجودی ناکافی",
);
const SEND_NOT_ALLOWED: Kind = kind(
    412,
    3011,
    "SmsSendNotAllowed",
    "sms-send-not-allowed",
    "Sending is switched off",
    "ارسال مجاز نیست",
);
const HEAD_NUMBER_NOT_FOUND: Kind = kind(
    406,
    3012,
    "SmsHeadNumberNotFound",
    "sms-head-number-not-found",
    "Source number not found",
    "سرشماره یافت نشد",
);

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
    UnsupportedMediaType,
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

/// What a request is in conflict with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conflict {
    /// Another account has this username.
    UsernameTaken,
    /// The line exists.
    LineExists,
    /// The plan exists.
    PlanExists,
    /// The account has as many keys as it may have.
    TooManyKeys,
    /// This API key exists already.
    KeyExists,
    /// The wallet can't hold more.
    WalletFull,
    /// The line is still some account's default line.
    LineInUse,
}

impl Problem {
    /// Its row of the table.
    pub fn kind(&self) -> Kind {
        match self {
            Problem::BadRequest(_) => BAD_REQUEST,
            Problem::Unauthorized { .. } => UNAUTHORIZED,
            Problem::Forbidden(_) => FORBIDDEN,
            Problem::NotFound => NOT_FOUND,
            Problem::MethodNotAllowed { .. } => METHOD_NOT_ALLOWED,
            Problem::Conflict(_) => CONFLICT,
            Problem::PayloadTooLarge { .. } => PAYLOAD_TOO_LARGE,
            Problem::UnsupportedMediaType => UNSUPPORTED_MEDIA_TYPE,
            Problem::Validation(_) => VALIDATION,
            Problem::TooManyRequests { .. } => TOO_MANY_REQUESTS,
            Problem::Internal(_) => INTERNAL,
            Problem::UserInactive => USER_INACTIVE,
            Problem::InsufficientBalance { .. } => INSUFFICIENT_BALANCE,
            Problem::SendNotAllowed { .. } => SEND_NOT_ALLOWED,
            Problem::HeadNumberNotFound { .. } => HEAD_NUMBER_NOT_FOUND,
        }
    }

    fn detail(&self, language: Language) -> String {
        let (en, fa) = self.details();
        match language {
            Language::En => en,
            Language::Fa => fa,
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
            Problem::Conflict(conflict) => conflict_details(*conflict),
            Problem::PayloadTooLarge { limit_bytes } => (
                format!("The body may have at most {limit_bytes} bytes."),
                format!("بدنه‌ی درخواست حداکثر می‌تواند {limit_bytes} بایت باشد."),
            ),
            Problem::UnsupportedMediaType => text(
                "Send the body as JSON, with \"Content-Type: application/json\".",
                "بدنه را به صورت JSON و با «Content-Type: application/json» بفرستید.",
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
        }
    }

    /// The faults as `(field, pointer, detail)`.
    fn faults(&self, language: Language) -> Vec<(String, String, String)> {
        match self {
            Problem::Validation(faults) => faults
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
            extra: faults
                .iter()
                .map(|(field, _, detail)| format!("{field}: {detail}"))
                .collect(),
            errors: faults
                .into_iter()
                .map(|(_, pointer, detail)| DocumentError { pointer, detail })
                .collect(),
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
            body: serde_json::to_string(&document).unwrap_or_default(),
        }
    }
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

fn conflict_details(conflict: Conflict) -> (String, String) {
    let (en, fa) = match conflict {
        Conflict::UsernameTaken => (
            "Another account has this username.",
            "این نام کاربری از آن حساب دیگری است.",
        ),
        Conflict::LineExists => ("This line exists already.", "این خط از پیش وجود دارد."),
        Conflict::PlanExists => ("This plan exists already.", "این تعرفه از پیش وجود دارد."),
        Conflict::TooManyKeys => (
            "The account has as many API keys as it may have.",
            "تعداد کلیدهای این حساب به سقف رسیده است.",
        ),
        Conflict::KeyExists => ("This API key exists already.", "این کلید API از پیش وجود دارد."),
        Conflict::WalletFull => ("The wallet can't hold that much.", "کیف پول گنجایش این مبلغ را ندارد."),
        Conflict::LineInUse => (
            "The line is still the default line of an account.",
            "این خط هنوز خط پیش‌فرض یک حساب است.",
        ),
    };
    (en.to_owned(), fa.to_owned())
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

#[derive(Serialize)]
struct DocumentError {
    pointer: String,
    detail: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DocumentMeta<'a> {
    request_id: &'a str,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn persian_is_answered_only_where_it_is_preferred() {
        for header in [
            "fa",
            "fa-IR",
            "FA",
            "fa,en",
            "fa;q=0.9, en;q=0.8",
            "de, fa;q=0.5",
            "fa-IR,fa;q=0.9,en-US;q=0.8,en;q=0.7",
        ] {
            assert_eq!(Language::preferred(Some(header)), Language::Fa, "{header}");
        }
        for header in [
            "",
            "en",
            "en, fa",
            "en, fa;q=0.9",
            "*",
            "de",
            "fa;q=0",
            "fa;q=x",
            "far",
            "*, fa;q=0.5",
        ] {
            assert_eq!(Language::preferred(Some(header)), Language::En, "{header}");
        }
        assert_eq!(Language::preferred(None), Language::En);
    }
}
