//! The table of errors: the status, code, name and titles of each.

/// A row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    /// The HTTP status.
    pub status: u16,
    /// The API's own code.
    pub code: u16,
    /// The name for programs.
    pub name: &'static str,
    /// The last part of the problem's `type`, and the name of its page.
    pub slug: &'static str,
    /// The title in English.
    pub title_en: &'static str,
    /// The title in Persian.
    pub title_fa: &'static str,
}

impl Kind {
    /// The path of the page that explains the error. `site/` makes it.
    pub fn page(&self) -> String {
        format!("/docs/problems/{}", self.slug)
    }
}

/// Makes a constant of each row, and the list of all.
macro_rules! kinds {
    ($($constant:ident: $status:literal, $code:literal, $name:literal, $slug:literal, $en:literal, $fa:literal;)*) => {
        $(
            #[doc = concat!("`", $name, "`.")]
            pub const $constant: Kind = Kind {
                status: $status,
                code: $code,
                name: $name,
                slug: $slug,
                title_en: $en,
                title_fa: $fa,
            };
        )*

        /// All errors.
        pub const ALL: &[Kind] = &[$($constant),*];
    };
}

// Programs look for the word "pattern" in what people read, and then create the pattern. So only 3002 has it in its title
// and its texts.

kinds! {
    BAD_REQUEST: 400, 400, "BadRequest", "bad-request", "Bad request", "درخواست نادرست";
    UNAUTHORIZED: 401, 401, "Unauthorized", "unauthorized", "Unauthorized", "احراز هویت نشده";
    FORBIDDEN: 403, 403, "Forbidden", "forbidden", "Forbidden", "دسترسی غیرمجاز";
    NOT_FOUND: 404, 404, "NotFound", "not-found", "Not found", "یافت نشد";
    METHOD_NOT_ALLOWED: 405, 405, "MethodNotAllowed", "method-not-allowed", "Method not allowed", "متد مجاز نیست";
    CONFLICT: 409, 409, "Conflict", "conflict", "Conflict", "تداخل با وضعیت فعلی";
    PAYLOAD_TOO_LARGE: 413, 413, "PayloadTooLarge", "payload-too-large", "Payload too large", "بدنه‌ی درخواست بزرگ است";
    UNSUPPORTED_MEDIA_TYPE: 415, 415, "UnsupportedMediaType", "unsupported-media-type",
        "Unsupported media type", "نوع محتوا پشتیبانی نمی‌شود";
    VALIDATION: 422, 422, "ErrorTypeValidation", "validation", "Validation failed", "داده‌های نامعتبر";
    TOO_MANY_REQUESTS: 429, 429, "TooManyRequests", "too-many-requests", "Too many requests", "درخواست‌های بیش از حد";
    INTERNAL: 500, 500, "InternalServerError", "internal-server-error", "Internal server error", "خطای داخلی سرور";
    UNAVAILABLE: 503, 503, "ServiceUnavailable", "service-unavailable", "Service unavailable", "سرویس در دسترس نیست";
    USER_INACTIVE: 412, 1003, "UserInactive", "user-inactive", "Account is not active", "حساب کاربری فعال نیست";
    INSUFFICIENT_BALANCE: 400, 2001, "InsufficientBalance", "insufficient-balance",
        "Insufficient balance", "موجودی ناکافی";
    DAILY_LIMIT_REACHED: 429, 2002, "DailyLimitReached", "daily-limit-reached", "Daily limit reached", "سقف هزینه‌ی روزانه پر شده است";
    SEND_NOT_ALLOWED: 412, 3011, "SmsSendNotAllowed", "sms-send-not-allowed",
        "Sending is switched off", "ارسال مجاز نیست";
    HEAD_NUMBER_NOT_FOUND: 406, 3012, "SmsHeadNumberNotFound", "sms-head-number-not-found",
        "Source number not found", "سرشماره یافت نشد";
    PATTERN_NO_ACTIVE_VERSION: 422, 3002, "SmsPatternNoActiveVersion", "sms-pattern-no-active-version",
        "Pattern has no active version", "پترن نسخه‌ی فعالی ندارد";
    PATTERN_HEAD_NUMBER_NOT_ACCEPTABLE: 406, 3013, "SmsPatternHeadNumberNotAcceptable", "sms-pattern-head-number-not-acceptable",
        "Source number is not acceptable", "سرشماره پذیرفته نیست";
    PATTERN_VARIABLE_HAS_NO_VALUE: 406, 3014, "SmsPatternVariableHasNoValue", "sms-pattern-variable-has-no-value",
        "Variable has no value", "متغیر مقداری ندارد";
    PATTERN_VARIABLE_NOT_VALID: 406, 3015, "SmsPatternVariableNotValid", "sms-pattern-variable-not-valid",
        "Variable is not valid", "مقدار متغیر معتبر نیست";
    DESTINATION_NOT_ALLOWED: 406, 3017, "SmsDestinationNotAllowed", "sms-destination-not-allowed",
        "Destination is not allowed", "مقصد مجاز نیست";
    RECIPIENT_BLACKLISTED: 422, 3016, "SmsRecipientBlacklisted", "sms-recipient-blacklisted",
        "Recipient is blacklisted", "گیرنده در لیست سیاه است";
    RECIPIENT_LIMIT: 429, 3018, "SmsRecipientLimit", "sms-recipient-limit",
        "Recipient limit reached", "سقف ارسال به یک گیرنده پر شده است";
    VERIFY_NOT_PENDING: 422, 3019, "VerifyNotPending", "verify-not-pending",
        "No verification is pending", "کدی در انتظار تأیید نیست";
}
