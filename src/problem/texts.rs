//! The texts of errors in English and Persian.

use super::cases::{BadRequest, Problem, UNAVAILABLE_S};
use crate::fault::Fault;
use crate::language::Language;

impl Problem {
    /// What exactly is wrong, in this language.
    pub fn detail(&self, language: Language) -> String {
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

    /// What exactly is wrong, in English and Persian.
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
            Problem::Unavailable(_) => (
                format!(
                    "A part of the service is overloaded or does not answer; try again in {UNAVAILABLE_S} s. The request may \
                     have had its effect: to repeat it with the same Idempotency-Key is safe."
                ),
                format!(
                    "بخشی از سرویس پاسخ نمی‌دهد یا بار آن زیاد است؛ {UNAVAILABLE_S} ثانیه‌ی دیگر دوباره تلاش کنید. شاید درخواست \
                     انجام شده باشد: تکرار آن با همان Idempotency-Key بی‌خطر است."
                ),
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
}

/// `detail` names at most this many faults. `extra` names all of them.
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
