//! The errors of Kavenegar's protocol. A number is the HTTP status and the `status` of the answer, because some libraries read the
//! one and some the other.

use serde_json::{Value, json};

use crate::api::doors::own::Refused;
use crate::api::doors::params::{Params, Unread};

/// An error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Its number.
    pub status: u16,
    /// What our own API has said, if it was that.
    pub cause: Option<Refused>,
    /// The parameter that is at fault, if the door has found it itself.
    pub parameter: Option<&'static str>,
}

impl Fault {
    /// An error that the door has found itself.
    pub fn of(status: u16) -> Fault {
        Fault {
            status,
            cause: None,
            parameter: None,
        }
    }

    /// The same, of this parameter.
    pub fn about(self, parameter: &'static str) -> Fault {
        Fault {
            parameter: Some(parameter),
            ..self
        }
    }

    /// What tells a person what to mend. Of a refusal by our own API, it has the words of that.
    pub fn problem(&self) -> Value {
        match (&self.cause, self.parameter) {
            (Some(cause), _) => json!({"code": cause.code, "detail": cause.detail}),
            (None, Some(parameter)) => {
                json!({"code": self.status, "parameter": parameter, "detail": format!("{parameter}: {}", self.wrong())})
            }
            (None, None) => Value::Null,
        }
    }

    /// What is wrong with its parameter.
    fn wrong(&self) -> &'static str {
        match self.status {
            400 => "is missing",
            406 => "is empty",
            414 => "has too many items, or asks for more than a call reads",
            417 => {
                "is not a number of seconds since 1970-01-01 UTC within what the call takes: a span is a day at most"
            }
            419 => "has another length than the other lists",
            431 => "has line breaks or underscores, more blanks than it may, or is longer than 100 characters",
            _ => "can't be read",
        }
    }
}

impl From<Refused> for Fault {
    fn from(cause: Refused) -> Self {
        Fault {
            status: status_of(&cause),
            cause: Some(cause),
            parameter: None,
        }
    }
}

impl From<Unread> for Fault {
    fn from(unread: Unread) -> Self {
        Fault::of(match unread {
            Unread::TooLarge => 414,
            Unread::Malformed => 422,
        })
    }
}

/// The number for a problem of our own API.
fn status_of(refused: &Refused) -> u16 {
    match refused.code {
        401 => 403,
        403 => 416,
        404 => 404,
        405 => 405,
        413 => 414,
        422 => status_of_pointer(refused.pointers.first().map_or("", String::as_str)),
        400 | 415 => 422,
        429 | 3018 => 451,
        503 => 409,
        1003 => 401,
        2001 | 2002 => 418,
        3002 => 424,
        3012 | 3013 => 412,
        3014 => 406,
        3015 => 431,
        3016 | 3017 => 411,
        _ => 402,
    }
}

fn status_of_pointer(pointer: &str) -> u16 {
    let member = pointer.split('/').nth(1).unwrap_or_default();
    match (member, pointer.rsplit('/').next()) {
        ("messages", Some("recipient")) | ("recipients" | "recipient", _) => 411,
        ("messages" | "message", _) => 413,
        ("sendAt", _) => 417,
        ("sourceNumber", _) => 412,
        ("pattern", _) => 424,
        ("variables", _) => 431,
        _ => 422,
    }
}

/// What the provider says of a number.
pub fn message_of(status: u16) -> &'static str {
    match status {
        200 => "تایید شد",
        400 => "پارامترها ناقص هستند",
        401 => "حساب کاربری غیرفعال شده است",
        403 => "کد شناسائی API-Key معتبر نمی‌باشد",
        404 => "متد نامشخص است",
        405 => "متد Get/Post اشتباه است",
        406 => "پارامترهای اجباری خالی ارسال شده اند",
        409 => "سرور قادر به پاسخگوئی نیست بعدا تلاش کنید",
        411 => "دریافت کننده نامعتبر است",
        412 => "ارسال کننده نامعتبر است",
        413 => "پیام خالی است و یا طول پیام بیش از حد مجاز می‌باشد",
        414 => {
            "حجم درخواست بیشتر از حد مجاز است ،ارسال پیامک :هر فراخوانی حداکثر 200 رکورد و کنترل وضعیت :هر فراخوانی 500 رکورد"
        }
        416 => "IP سرویس مبدا با تنظیمات مطابقت ندارد",
        417 => "تاریخ ارسال اشتباه است و فرمت آن صحیح نمی باشد.",
        418 => "اعتبار شما کافی نمی‌باشد",
        419 => "طول آرایه متن و گیرنده و فرستنده هم اندازه نیست",
        422 => "داده ها به دلیل وجود کاراکتر نامناسب قابل پردازش نیست",
        424 => "الگوی مورد نظر پیدا نشد",
        426 => "استفاده از این متد نیازمند سرویس پیشرفته می‌باشد",
        428 => "ارسال کد از طریق تماس تلفنی امکان پذیر نیست",
        431 => "ساختار کد صحیح نمی‌باشد",
        432 => "پارامتر کد در متن پیام پیدا نشد",
        451 => "فراخوانی بیش از حد در بازه زمانی مشخص IP محدود شده",
        _ => "عملیات ناموفق بود",
    }
}

/// A parameter that must be there.
pub fn must<'a>(params: &'a Params, name: &'static str) -> Result<&'a str, Fault> {
    params.get(name).ok_or_else(|| missing(params, name))
}

/// The error of a parameter that is missing, or has no value.
pub fn missing(params: &Params, name: &'static str) -> Fault {
    Fault::of(if params.names(name) { 406 } else { 400 }).about(name)
}
