//! The table of errors: status, code, name and titles of each.
#![allow(missing_docs, reason = "a row says what it is")]

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
    /// What it is called in English.
    pub title_en: &'static str,
    /// What it is called in Persian.
    pub title_fa: &'static str,
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

pub const BAD_REQUEST: Kind = kind(400, 400, "BadRequest", "bad-request", "Bad request", "درخواست نادرست");
pub const UNAUTHORIZED: Kind = kind(
    401,
    401,
    "Unauthorized",
    "unauthorized",
    "Unauthorized",
    "احراز هویت نشده",
);
pub const FORBIDDEN: Kind = kind(403, 403, "Forbidden", "forbidden", "Forbidden", "دسترسی غیرمجاز");
pub const NOT_FOUND: Kind = kind(404, 404, "NotFound", "not-found", "Not found", "یافت نشد");
pub const METHOD_NOT_ALLOWED: Kind = kind(
    405,
    405,
    "MethodNotAllowed",
    "method-not-allowed",
    "Method not allowed",
    "روش مجاز نیست",
);
pub const CONFLICT: Kind = kind(409, 409, "Conflict", "conflict", "Conflict", "تعارض");
pub const PAYLOAD_TOO_LARGE: Kind = kind(
    413,
    413,
    "PayloadTooLarge",
    "payload-too-large",
    "Payload too large",
    "بدنه‌ی درخواست بزرگ است",
);
pub const UNSUPPORTED_MEDIA_TYPE: Kind = kind(
    415,
    415,
    "UnsupportedMediaType",
    "unsupported-media-type",
    "Unsupported media type",
    "نوع محتوا پشتیبانی نمی‌شود",
);
pub const VALIDATION: Kind = kind(
    422,
    422,
    "ErrorTypeValidation",
    "validation",
    "Validation failed",
    "داده‌های نامعتبر",
);
pub const TOO_MANY_REQUESTS: Kind = kind(
    429,
    429,
    "TooManyRequests",
    "too-many-requests",
    "Too many requests",
    "درخواست‌های بیش از حد",
);
pub const INTERNAL: Kind = kind(
    500,
    500,
    "InternalServerError",
    "internal-server-error",
    "Internal server error",
    "خطای داخلی سرور",
);
pub const USER_INACTIVE: Kind = kind(
    412,
    1003,
    "UserInactive",
    "user-inactive",
    "Account is not active",
    "حساب کاربری فعال نیست",
);
pub const INSUFFICIENT_BALANCE: Kind = kind(
    400,
    2001,
    "InsufficientBalance",
    "insufficient-balance",
    "Insufficient balance",
    "موجودی ناکافی",
);
pub const SEND_NOT_ALLOWED: Kind = kind(
    412,
    3011,
    "SmsSendNotAllowed",
    "sms-send-not-allowed",
    "Sending is switched off",
    "ارسال مجاز نیست",
);
pub const HEAD_NUMBER_NOT_FOUND: Kind = kind(
    406,
    3012,
    "SmsHeadNumberNotFound",
    "sms-head-number-not-found",
    "Source number not found",
    "سرشماره یافت نشد",
);

pub const PATTERN_NO_ACTIVE_VERSION: Kind = kind(
    422,
    3002,
    "SmsPatternNoActiveVersion",
    "sms-pattern-no-active-version",
    "Pattern has no active version",
    "الگو نسخه‌ی فعالی ندارد",
);
pub const PATTERN_HEAD_NUMBER_NOT_ACCEPTABLE: Kind = kind(
    406,
    3013,
    "SmsPatternHeadNumberNotAcceptable",
    "sms-pattern-head-number-not-acceptable",
    "Pattern is not tied to the source number",
    "سرشماره برای الگو پذیرفته نیست",
);
pub const PATTERN_VARIABLE_HAS_NO_VALUE: Kind = kind(
    406,
    3014,
    "SmsPatternVariableHasNoValue",
    "sms-pattern-variable-has-no-value",
    "Pattern variable has no value",
    "متغیر الگو مقداری ندارد",
);
pub const PATTERN_VARIABLE_NOT_VALID: Kind = kind(
    406,
    3015,
    "SmsPatternVariableNotValid",
    "sms-pattern-variable-not-valid",
    "Pattern variable is not valid",
    "مقدار متغیر الگو معتبر نیست",
);
pub const RECIPIENT_BLACKLISTED: Kind = kind(
    422,
    3016,
    "SmsRecipientBlacklisted",
    "sms-recipient-blacklisted",
    "Recipient is blacklisted",
    "گیرنده در فهرست سیاه است",
);
