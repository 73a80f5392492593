//! The errors of sms.ir's protocol. Each has a number, which stands in `status`, and one of the few HTTP statuses that its libraries
//! know. And which of them a caller may hear of.

use crate::api::doors::own::{Own, Refused};
use crate::api::doors::params::Unread;
use crate::api::http::Head;
use crate::base::ports::Platform;

/// A fault of the service.
const FAILED: u8 = 0;
const BAD_KEY: u8 = 10;
const BAD_ADDRESS: u8 = 12;
/// What the key, or the service, can't do.
pub const NOT_SUPPORTED: u8 = 15;
/// A value that can't be what it should be.
pub const BAD_VALUE: u8 = 16;
const TOO_OFTEN: u8 = 20;
pub const BAD_LINE: u8 = 101;
pub const EMPTY_TEXT: u8 = 103;
pub const BAD_MOBILE: u8 = 104;
pub const TOO_MANY_MOBILES: u8 = 105;
pub const TOO_MANY_TEXTS: u8 = 106;
pub const NO_MOBILES: u8 = 107;
pub const NO_TEXTS: u8 = 108;
pub const BAD_TIME: u8 = 109;
pub const NOT_AS_MANY: u8 = 110;
pub const NO_SUCH_SEND: u8 = 111;
pub const NOTHING_TO_DELETE: u8 = 112;
pub const NO_TEMPLATE: u8 = 113;
pub const LONG_VALUE: u8 = 114;
pub const NO_NAME: u8 = 116;
pub const TOO_MANY: u8 = 118;
pub const LINE_NOT_READY: u8 = 123;

/// An error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Its number.
    pub status: u8,
    /// The HTTP status.
    pub http: u16,
    /// The methods that the path has, if it is that.
    pub allow: Option<&'static str>,
    /// What our own API has said, if it was that.
    pub cause: Option<Refused>,
}

impl Fault {
    /// An error that the door has found itself.
    pub fn of(status: u8) -> Fault {
        Fault {
            status,
            http: 400,
            allow: None,
            cause: None,
        }
    }

    /// The error of a path that has these methods only.
    pub fn not_allowed(methods: &'static str) -> Fault {
        Fault {
            http: 405,
            allow: Some(methods),
            ..Fault::of(BAD_VALUE)
        }
    }

    /// What our own API has said, with another number.
    pub fn because(cause: Refused, status: u8) -> Fault {
        Fault {
            cause: Some(cause),
            ..Fault::of(status)
        }
    }

    /// The same error of a key that may not come from the caller's address.
    pub fn of_address(self) -> Fault {
        Fault {
            status: BAD_ADDRESS,
            http: 401,
            ..self
        }
    }
}

impl From<Refused> for Fault {
    fn from(cause: Refused) -> Self {
        let status = status_of(&cause);
        Fault {
            http: http_of(status, &cause),
            ..Fault::because(cause, status)
        }
    }
}

impl From<Unread> for Fault {
    fn from(_: Unread) -> Self {
        Fault::of(BAD_VALUE)
    }
}

/// Fails if the key is not good: who has no good key learns nothing else, not even that a list is empty.
pub async fn known<P: Platform>(own: &Own<'_, P>, head: &Head) -> Result<(), Fault> {
    let refused = |cause| address_or_scope(own, cause, head, true);
    own.check_key().await.map_err(refused)
}

/// The fault that the caller may hear of: who has no good key learns nothing else. One of a key that is good, but may not come from the
/// caller's address, is told from one that lacks a scope.
pub async fn judged<P: Platform>(own: &Own<'_, P>, head: &Head, fault: Fault) -> Fault {
    match &fault.cause {
        None => known(own, head).await.err().unwrap_or(fault),
        Some(cause) if cause.code == 403 => {
            let is_refused_everywhere = own.check_key().await.is_err();
            address_or_scope(own, cause.clone(), head, is_refused_everywhere)
        }
        Some(_) => fault,
    }
}

fn address_or_scope<P: Platform>(own: &Own<'_, P>, cause: Refused, head: &Head, is_refused_everywhere: bool) -> Fault {
    let is_of_address = cause.code == 403 && is_refused_everywhere && !own.is_exposed(head);
    let fault = Fault::from(cause);
    if is_of_address { fault.of_address() } else { fault }
}

/// The number for a problem of our own API.
fn status_of(refused: &Refused) -> u8 {
    match refused.code {
        401 => BAD_KEY,
        403 => NOT_SUPPORTED,
        404 => NO_SUCH_SEND,
        422 => status_of_pointer(refused.pointers.first().map_or("", String::as_str)),
        429 | 2002 | 3018 => TOO_OFTEN,
        500 | 503 => FAILED,
        1003 => 13,
        2001 => 102,
        3002 => NO_TEMPLATE,
        3011 => 14,
        3012 => BAD_LINE,
        3013 => LINE_NOT_READY,
        3014 => NO_NAME,
        3016 => 115,
        3017 => BAD_MOBILE,
        _ => BAD_VALUE,
    }
}

fn status_of_pointer(pointer: &str) -> u8 {
    let member = pointer.split('/').nth(1).unwrap_or_default();
    match (member, pointer.rsplit('/').next()) {
        ("messages", Some("recipient")) | ("recipients" | "recipient", _) => BAD_MOBILE,
        ("messages" | "message", _) => TOO_MANY,
        ("sendAt", _) => BAD_TIME,
        ("sourceNumber", _) => BAD_LINE,
        ("pattern", _) => NO_TEMPLATE,
        _ => BAD_VALUE,
    }
}

/// The HTTP status. A 503 stays one: a program must not take it for a refusal.
fn http_of(status: u8, cause: &Refused) -> u16 {
    match (status, cause.code) {
        (_, 503) => 503,
        (FAILED, _) => 500,
        (NOT_SUPPORTED, _) => 403,
        (BAD_KEY..=14, _) => 401,
        (TOO_OFTEN, _) => 429,
        _ => 400,
    }
}

/// What the provider says of a number. Programs compare it, so it is what the documentation has, to the letter.
pub fn message_of(status: u8) -> &'static str {
    match status {
        1 => "موفق",
        10 => "کلید وب سرویس نامعتبر است",
        12 => "کلید وب سرویس محدود به آی‌پی‌های تعریف شده می‌باشد.",
        13 => "حساب کاربری غیرفعال است",
        14 => "حساب کاربری در حالت تعلیق قرار دارد",
        15 => "به منظور استفاده از وب سرویس پلن خود را ارتقا دهید",
        16 => "مقدار ارسالی پارامتر نادرست می‌باشد",
        20 => "تعداد درخواست بیشتر از حد مجاز است",
        101 => "شماره خط نامعتبر می‌باشد",
        102 => "اعتبار کافی نمی‌باشد",
        103 => "درخواست شما دارای متن (های) خالی است",
        104 => "درخواست شما دارای موبایل (های) نادرست است",
        105 => "تعداد موبایل‌ها بیشتر از حد مجاز (100 عدد) می‌باشد",
        106 => "تعداد متن‌ها بیشتر از حد مجاز (100 عدد) می‌باشد",
        107 => "لیست موبایل‌ها خالی می‌باشد",
        108 => "لیست متن‌ها خالی می‌باشد",
        109 => "زمان ارسال نامعتبر می‌باشد",
        110 => "تعداد شماره موبایل‌ها و تعداد متن‌ها برابر نیستند",
        111 => "با این شناسه ارسالی ثبت نشده است",
        112 => "رکوردی برای حذف یافت نشد",
        113 => "قالب یافت نشد",
        114 => "طول رشته مقدار پارامتر، بیش از حد مجاز (25 کاراکتر) می‌باشد",
        115 => "شماره موبایل(ها) در لیست سیاه سامانه می‌باشند",
        116 => "نام یک یا چند پارامتر مقداردهی نشده‌است. لطفا به بخش مستندات ارسال وریفای مراجعه فرمایید",
        118 => "تعداد پیام‌ها بیشتر از حد مجاز می‌باشد",
        123 => "خط ارسال‌کننده نیاز به فعال‌سازی دارد.",
        _ => "درخواست شما با خطا مواجه شده‌است.",
    }
}
