//! The kinds of errors.

/// A kind of error: what each of the protocols has for it.
#[derive(Debug, PartialEq, Eq)]
pub struct Kind {
    /// The HTTP status of Edge and its `message_code`.
    pub edge: (u16, &'static str),
    /// The HTTP status of api2, which is also its `code`.
    pub api2: u16,
    /// The HTTP status of rest and its `code`.
    pub rest: (u16, &'static str),
    /// What Edge says, and what the others say. Without a text they say what our own API says.
    pub texts: Option<(&'static str, &'static str)>,
}

const fn kind(
    edge: (u16, &'static str),
    api2: u16,
    rest: (u16, &'static str),
    texts: Option<(&'static str, &'static str)>,
) -> Kind {
    Kind {
        edge,
        api2,
        rest,
        texts,
    }
}

const fn same(text: &'static str) -> Option<(&'static str, &'static str)> {
    Some((text, text))
}

static KEY: Kind = kind(
    (401, "400-1"),
    401,
    (401, "1402"),
    Some(("اطلاعات وارد شده صحیح نمی باشد", "کلید وب سرویس معتبر نیست")),
);
static FORBIDDEN: Kind = kind((403, "403-1"), 403, (403, "10013"), same("دسترسی نامعتبر می باشد."));
static USER: Kind = kind((403, "403-1"), 403, (403, "10003"), same("کاربر محدود گردیده است."));
pub static NO_PATH: Kind = kind((404, "404-1"), 404, (404, "404"), same("یافت نشد"));
pub static NO_MESSAGE: Kind = kind(
    (404, "400-1"),
    404,
    (404, "404"),
    Some(("پیام مورد نظر یافت نشد", "کد بالک ارسالی نامعتبر است.")),
);
static NO_PATTERN: Kind = kind(
    (404, "404-1"),
    404,
    (404, "10014"),
    Some(("پترن مورد نظر یافت نشد", "پترن در دسترس نیست.")),
);
pub static NO_METHOD: Kind = kind((405, "405-1"), 405, (405, "405"), same("متد درخواست معتبر نیست"));
pub static MALFORMED: Kind = kind((400, "400-1"), 400, (400, "422"), same("درخواست معتبر نیست"));
pub static VALUE: Kind = kind((422, "400-2"), 422, (422, "422"), None);
pub static STATE: Kind = kind((422, "400-31"), 422, (422, "422"), same("invalid state"));
pub static CONFLICT: Kind = kind((400, "400-1"), 400, (400, "400"), None);
static BALANCE: Kind = kind((400, "400-1"), 400, (400, "10006"), same("اعتبار کافی نیست."));
static DAY: Kind = kind((400, "400-1"), 403, (403, "10003"), None);
static LINE: Kind = kind((422, "400-2"), 422, (422, "10004"), same("خط به شما تعلق ندارد."));
static PATTERN_LINE: Kind = kind(
    (422, "400-2"),
    422,
    (422, "10004"),
    same("شما اجازه ارسال از این پترن را ندارید."),
);
static NO_VARIABLE: Kind = kind(
    (422, "400-2"),
    422,
    (422, "10015"),
    same("پارامتر های ارسالی برای پترن نامعتبر است."),
);
static VARIABLE: Kind = kind(
    (422, "400-2"),
    422,
    (422, "10015"),
    Some(("پارامتر های ارسالی برای پترن نامعتبر است.", "Invalid variable value")),
);
static RECIPIENT: Kind = kind(
    (422, "400-2"),
    422,
    (422, "10017"),
    same("دریافت کننده نامعتبر می باشد."),
);
static OFTEN: Kind = kind((429, "429-1"), 429, (429, "429"), None);
static RECIPIENT_LIMIT: Kind = kind((429, "429-1"), 429, (429, "10003"), None);
static INTERNAL: Kind = kind((500, "500-1"), 500, (500, "10022"), same("خطای داخلی."));
static UNAVAILABLE: Kind = kind((503, "503-1"), 503, (503, "10022"), same("خطای داخلی."));

/// The kind of a problem of our own API.
pub fn of(code: u64) -> &'static Kind {
    match code {
        400 | 413 | 415 => &MALFORMED,
        401 => &KEY,
        403 => &FORBIDDEN,
        404 => &NO_PATH,
        405 => &NO_METHOD,
        409 => &CONFLICT,
        422 => &VALUE,
        429 => &OFTEN,
        503 => &UNAVAILABLE,
        1003 | 3011 => &USER,
        2001 => &BALANCE,
        2002 => &DAY,
        3002 => &NO_PATTERN,
        3012 => &LINE,
        3013 => &PATTERN_LINE,
        3014 => &NO_VARIABLE,
        3015 => &VARIABLE,
        3016 | 3017 => &RECIPIENT,
        3018 => &RECIPIENT_LIMIT,
        _ => &INTERNAL,
    }
}
