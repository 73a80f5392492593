//! The texts of errors in English and Persian. Many clients show nothing but `detail`, so it says what to mend.

use super::cases::{BadRequest, Problem, Thing, UNAVAILABLE_S};
use super::field_error::{FieldError, clipped};
use crate::base::language::Language;

impl Problem {
    /// What exactly is wrong and what to do about it, in this language.
    pub fn detail(&self, language: Language) -> String {
        let text = self.own_detail(language);
        let before = match self {
            Problem::ImportStopped { cause, .. } => cause.detail(language),
            _ => match self.own_faults() {
                [] => return text,
                faults => named(faults, language, self.hides_patterns()),
            },
        };
        if text.is_empty() { before } else { before + " " + &text }
    }

    /// The faults of values that the problem is made of.
    pub(super) fn own_faults(&self) -> &[FieldError] {
        match self {
            Problem::Validation(faults)
            | Problem::PatternNoActiveVersion(faults)
            | Problem::PatternHeadNumberNotAcceptable(faults)
            | Problem::PatternVariableHasNoValue(faults)
            | Problem::PatternVariableNotValid(faults)
            | Problem::DestinationNotAllowed(faults)
            | Problem::RecipientBlacklisted(faults)
            | Problem::VerifyNotPending(faults)
            | Problem::RecipientLimit { faults, .. } => faults,
            _ => &[],
        }
    }

    /// Whether the pattern is there and something else is wrong, so that the detail must not speak of patterns.
    fn hides_patterns(&self) -> bool {
        matches!(
            self,
            Problem::PatternHeadNumberNotAcceptable(_)
                | Problem::PatternVariableHasNoValue(_)
                | Problem::PatternVariableNotValid(_)
        )
    }

    /// The detail. For a problem of faults it is what follows the faults.
    fn own_detail(&self, language: Language) -> String {
        let text = |en: &str, fa: &str| said!(language, en, fa).to_owned();
        match self {
            Problem::BadRequest(fault) => bad_request_detail(*fault, language),
            Problem::Unauthorized { key_sent: false } => text(
                "Send your API key in the header \"Authorization: Bearer <API_KEY>\".",
                "کلید API را در هدر «Authorization: Bearer <API_KEY>» بفرستید.",
            ),
            Problem::Unauthorized { key_sent: true } => text(
                "This API key is malformed, unknown, expired or revoked; check that you sent all of it, or get a new one.",
                "این کلید API نادرست، ناشناخته، منقضی یا باطل‌شده است؛ کامل بودن آن را بررسی کنید یا کلید جدیدی بگیرید.",
            ),
            Problem::Forbidden(scope) => said!(
                language,
                format!(
                    "This API key lacks the scope \"{}\"; use one that has it.",
                    scope.as_str()
                ),
                format!(
                    "این کلید API دسترسی «{}» را ندارد؛ از کلیدی با این دسترسی استفاده کنید.",
                    scope.as_str()
                )
            ),
            Problem::NotEncrypted => text(
                "The request came by plain HTTP, which others can read. Call the service by https, and replace the key that you \
                 have sent.",
                "این درخواست با HTTP ساده و بدون رمزنگاری رسیده است و دیگران می‌توانند آن را بخوانند. سرویس را با https صدا بزنید و \
                 کلیدی را که فرستاده‌اید عوض کنید.",
            ),
            Problem::AddressNotAllowed { address: Some(address) } => said!(
                language,
                format!(
                    "This API key may not be used from the address {address}; send from one of its \"ips\", or use another key."
                ),
                format!(
                    "این کلید API از آدرس {address} پذیرفته نمی‌شود؛ از یکی از آدرس‌های «ips» آن بفرستید یا از کلید دیگری استفاده کنید."
                )
            ),
            Problem::AddressNotAllowed { address: None } => text(
                "This API key may be used from its \"ips\" only, and nobody knows the address of this request; use another key.",
                "این کلید API فقط از آدرس‌های «ips» خودش پذیرفته می‌شود و آدرس این درخواست معلوم نیست؛ از کلید دیگری استفاده کنید.",
            ),
            Problem::NotFromConsole => text(
                "The session of the console counts in requests of its own pages only: from the same origin, with the header \
                 X-Peyk-Console: 1. Sign in there, or send an API key.",
                "نشست پنل فقط در درخواست‌های صفحه‌های خودش پذیرفته می‌شود: از همان origin و با هدر X-Peyk-Console: 1. از \
                 همان‌جا وارد شوید یا کلید API بفرستید.",
            ),
            Problem::WiderKey => text(
                "That key has more than the key of this request: another scope, line or address, the live mode, a later end, or \
                 higher caps. Use a key that has as much, or ask the operator.",
                "آن کلید بیش از کلید این درخواست دارد: دسترسی، سرشماره یا آدرس دیگر، حالت live، پایانی دیرتر یا سقف بالاتر. از \
                 کلیدی استفاده کنید که همین‌ها را دارد، یا از مدیر سرویس بخواهید.",
            ),
            Problem::TestKey => text(
                "A test key reads no phone numbers, and changes nothing that live keys go by: it sends, and reads what test keys \
                 have sent. Use a live key for this.",
                "کلید آزمایشی شماره تلفن‌ها را نمی‌خواند و آنچه را کلیدهای live به کار می‌برند تغییر نمی‌دهد: فقط ارسال می‌کند و \
                 ارسال‌های کلیدهای آزمایشی را می‌خواند. برای این درخواست از کلید live استفاده کنید.",
            ),
            Problem::SameOperator => text(
                "The credit was asked for with this key, with one in its place, or with one that has made it; another operator \
                 has to approve it.",
                "این اعتبار با همین کلید، با جانشین یا نسخه‌ی پیشین آن یا با کلیدی که این کلید را ساخته ثبت شده است؛ مدیر \
                 دیگری از سرویس باید آن را تأیید کند.",
            ),
            Problem::AddressRefused { is_expired: false } => text(
                "This address is not one that the service gave to the gateway, or it was changed.",
                "این آدرس را سرویس به گیت‌وی نداده است، یا آدرس تغییر کرده است.",
            ),
            Problem::AddressRefused { is_expired: true } => text(
                "This address is too old: the service takes reports for 7 days.",
                "این آدرس قدیمی است: سرویس گزارش‌ها را تا 7 روز می‌پذیرد.",
            ),
            Problem::NotFound => text(
                "Nothing was found: check the path and the ids in the request.",
                "موردی یافت نشد: مسیر و شناسه‌های درخواست را بررسی کنید.",
            ),
            Problem::Missing {
                thing: Thing(en, fa),
                for_operators: false,
            } => said!(
                language,
                format!(
                    "No {en} was found: check the ids in the request. What another account has is not found either."
                ),
                format!("{fa} پیدا نشد: شناسه‌های درخواست را بررسی کنید. آنچه مال حساب دیگری است هم پیدا نمی‌شود.")
            ),
            Problem::Missing {
                thing: Thing(en, fa),
                for_operators: true,
            } => said!(
                language,
                format!("No {en} was found: check the ids and names in the path."),
                format!("{fa} پیدا نشد: شناسه‌ها و نام‌های مسیر را بررسی کنید.")
            ),
            Problem::NoSuchPath { meant: Some(path) } => said!(
                language,
                format!("This path does not exist; did you mean {path}?"),
                format!("این مسیر وجود ندارد؛ منظورتان {path} است؟")
            ),
            Problem::NoSuchPath { meant: None } => text(
                "This path does not exist: check it against the list of routes at /docs.",
                "این مسیر وجود ندارد: آن را با مسیرهای /docs مقایسه کنید.",
            ),
            Problem::MethodNotAllowed { allow } => said!(
                language,
                format!("This path takes only {allow}; use one of these methods."),
                format!("این مسیر فقط {allow} را می‌پذیرد؛ از همین متدها استفاده کنید.")
            ),
            Problem::Conflict(conflict) => conflict.detail(language),
            Problem::PayloadTooLarge { limit_bytes } => said!(
                language,
                format!("The body may have at most {limit_bytes} bytes; send less, or send it in several requests."),
                format!(
                    "بدنه‌ی درخواست باید حداکثر {limit_bytes} بایت باشد؛ آن را کوچک‌تر کنید یا در چند درخواست بفرستید."
                )
            ),
            Problem::UnsupportedMediaType { wanted } => said!(
                language,
                format!("Send the body with \"Content-Type: {wanted}\"."),
                format!("بدنه‌ی درخواست را با هدر «Content-Type: {wanted}» بفرستید.")
            ),
            Problem::Validation(_) | Problem::PatternNoActiveVersion(_) | Problem::PatternVariableNotValid(_) => {
                text("", "")
            }
            Problem::TooManyRequests { retry_after_s } => said!(
                language,
                format!("The rate limit is used up; try again in {retry_after_s} s."),
                format!("سقف تعداد درخواست پر شده است؛ {retry_after_s} ثانیه‌ی دیگر دوباره تلاش کنید.")
            ),
            Problem::TooManyFailures { retry_after_s } => said!(
                language,
                format!(
                    "Too many requests from this address had an API key that is not good; check the key, and try again in \
                     {retry_after_s} s."
                ),
                format!(
                    "درخواست‌های زیادی با کلید API نامعتبر از این آدرس رسیده است؛ کلید را بررسی کنید و {retry_after_s} ثانیه‌ی دیگر \
                     دوباره تلاش کنید."
                )
            ),
            Problem::TooManyChanges { retry_after_s } => said!(
                language,
                format!(
                    "The account has changed so much that the audit log has no room for more today; nothing was changed. Try \
                     again in {retry_after_s} s, and change many things in one request where you can. Sending goes on."
                ),
                format!(
                    "این حساب امروز به اندازه‌ی سقف لاگ ممیزی تغییر ثبت کرده است و این درخواست چیزی را تغییر نداد. \
                     {retry_after_s} ثانیه‌ی دیگر دوباره تلاش کنید و تا می‌توانید تغییرها را در یک درخواست بفرستید. ارسال \
                     پیامک ادامه دارد."
                )
            ),
            Problem::Internal(_) => text(
                "Something went wrong on our side. If it happens again, tell us the request id (the header X-Request-Id).",
                "خطایی در سمت ما رخ داد. اگر تکرار شد، شناسه‌ی درخواست (هدر X-Request-Id) را به ما اطلاع دهید.",
            ),
            Problem::UserInactive => text(
                "The account is not active, so it can't send; ask the operator of the service to activate it.",
                "حساب کاربری فعال نیست و نمی‌تواند پیامک بفرستد؛ برای فعال‌سازی با پشتیبانی تماس بگیرید.",
            ),
            Problem::Barred {
                reason,
                is_inactive: true,
            } => said!(
                language,
                format!(
                    "The account is not active, so it can't send: \"{reason}\". Ask the operator of the service to activate it."
                ),
                format!(
                    "حساب کاربری فعال نیست و نمی‌تواند پیامک بفرستد: «{reason}». برای فعال‌سازی با پشتیبانی تماس بگیرید."
                )
            ),
            Problem::Barred { reason, .. } => said!(
                language,
                format!(
                    "Sending is switched off for this account: \"{reason}\". Ask the operator of the service to switch it on."
                ),
                format!("ارسال پیامک برای این حساب غیرفعال است: «{reason}». برای فعال‌سازی با پشتیبانی تماس بگیرید.")
            ),
            Problem::Unavailable(_) => said!(
                language,
                format!(
                    "A part of the service is overloaded or does not answer; try again in {UNAVAILABLE_S} s. The request may \
                     have had its effect: to repeat it with the same Idempotency-Key is safe."
                ),
                format!(
                    "بخشی از سرویس پاسخ نمی‌دهد یا بار آن زیاد است؛ {UNAVAILABLE_S} ثانیه‌ی دیگر دوباره تلاش کنید. شاید درخواست \
                     انجام شده باشد: تکرار آن با همان Idempotency-Key بی‌خطر است."
                )
            ),
            Problem::NeedsOperator(worries) => {
                let worries = worries.join(", ");
                said!(
                    language,
                    format!("An operator has to look at: {worries}. GET /admin/health without \"probe\" says more."),
                    format!(
                        "مدیر سرویس باید به این‌ها رسیدگی کند: {worries}. GET /admin/health بدون «probe» جزئیات را می‌گوید."
                    )
                )
            }
            Problem::InsufficientBalance { cost, available, unit } => said!(
                language,
                format!(
                    "The balance is insufficient: this takes {cost} {unit}, but only {available} {unit} is available. Add credit \
                     first."
                ),
                format!(
                    "موجودی کافی نیست: {cost} {unit} لازم است، اما فقط {available} {unit} در دسترس است. ابتدا حساب را شارژ کنید."
                )
            ),
            Problem::SendNotAllowed { for_all: true } => text(
                "Sending is switched off for all accounts at the moment; try again later.",
                "ارسال پیامک در حال حاضر برای همه‌ی حساب‌ها غیرفعال است؛ بعداً دوباره تلاش کنید.",
            ),
            Problem::SendNotAllowed { for_all: false } => text(
                "Sending is switched off for this account; ask the operator of the service to switch it on.",
                "ارسال پیامک برای این حساب غیرفعال است؛ برای فعال‌سازی با پشتیبانی تماس بگیرید.",
            ),
            Problem::HeadNumberNotFound { number: Some(number) } => said!(
                language,
                format!(
                    "You can't send from the number {number}: it is not yours, it is out of service, or it does not send this way. \
                     \"GET /lines\" lists the numbers that you have."
                ),
                format!(
                    "از سرشماره‌ی {number} نمی‌توانید ارسال کنید: مال شما نیست، خارج از سرویس است یا این نوع ارسال را ندارد. \
                     سرشماره‌های شما در «GET /lines» آمده‌اند."
                )
            ),
            Problem::HeadNumberNotFound { number: None } => text(
                "The account has no default line that can send this way; name one of \"GET /lines\" in \"sourceNumber\".",
                "حساب، سرشماره‌ی پیش‌فرضی برای این نوع ارسال ندارد؛ یکی از سرشماره‌های «GET /lines» را در «sourceNumber» بفرستید.",
            ),
            Problem::ServiceLine(number) => said!(
                language,
                format!(
                    "The number {number} is a service line: it sends patterns and codes only. Make a pattern of the text and send \
                     it with \"POST /sms/pattern\", or name an advertising line of \"GET /lines\"."
                ),
                format!(
                    "سرشماره‌ی {number} خدماتی است و فقط پترن و کد می‌فرستد. متن را پترن کنید و با «POST /sms/pattern» بفرستید، یا یک \
                     سرشماره‌ی تبلیغاتی از «GET /lines» بفرستید."
                )
            ),
            Problem::PatternHeadNumberNotAcceptable(_) => text(
                "Name another number in \"sourceNumber\".",
                "سرشماره‌ی دیگری در «sourceNumber» بفرستید.",
            ),
            Problem::PatternVariableHasNoValue(_) => text(
                "Give each variable a value that is not empty.",
                "برای هر متغیر مقداری غیرخالی بفرستید.",
            ),
            Problem::DestinationNotAllowed(_) => text(
                "Nothing was sent; leave these numbers out, or ask the operator of the service to open the destination.",
                "هیچ پیامکی ارسال نشد؛ این شماره‌ها را حذف کنید، یا از مدیر سرویس بخواهید این مقصد را باز کند.",
            ),
            Problem::RecipientBlacklisted(_) => text(
                "Nothing was sent; leave these numbers out (\"blacklisted\": \"SKIP\" does), or take them off the blacklist.",
                "هیچ پیامکی ارسال نشد؛ این شماره‌ها را از گیرندگان حذف کنید (با \"blacklisted\": \"SKIP\" خودبه‌خود کنار گذاشته می‌شوند)، یا از لیست سیاه بردارید.",
            ),
            Problem::VerifyNotPending(_) => {
                text("Send a new code by POST /verify.", "با POST /verify کد جدیدی بفرستید.")
            }
            Problem::RecipientLimit { retry_after_s, .. } => said!(
                language,
                format!("Nothing was sent; try again after {retry_after_s} s, or leave these numbers out."),
                format!(
                    "هیچ پیامکی ارسال نشد؛ بعد از {retry_after_s} ثانیه دوباره تلاش کنید، یا این شماره‌ها را حذف کنید."
                )
            ),
            Problem::DailyLimitReached {
                limit,
                spent,
                cost,
                of_key: true,
                ..
            } => said!(
                language,
                format!(
                    "The send costs {cost}; {spent} of the {limit} that this API key may spend in a day are spent, by it and by keys that \
                     it comes from or that come from it. The next day begins at 00:00 UTC."
                ),
                format!(
                    "هزینه‌ی ارسال {cost} است؛ {spent} از سقف روزانه‌ی {limit} این کلید API، به دست خودش و کلیدهای هم‌خانواده‌اش، مصرف \
                     شده است. روز بعد در ساعت 00:00 به وقت UTC آغاز می‌شود."
                )
            ),
            Problem::DailyLimitReached { limit, spent, cost, .. } => said!(
                language,
                format!(
                    "The send costs {cost}; {spent} of the {limit} that may be spent in a day are spent. The next day begins at 00:00 UTC."
                ),
                format!(
                    "هزینه‌ی ارسال {cost} است؛ {spent} از سقف روزانه‌ی {limit} مصرف شده است. روز بعد در ساعت 00:00 به وقت UTC آغاز می‌شود."
                )
            ),
            Problem::ImportStopped {
                last_line,
                added,
                updated,
                ..
            } => said!(
                language,
                format!(
                    "The file is imported up to line {last_line} ({added} numbers added, {updated} updated); importing it again is safe."
                ),
                format!(
                    "فایل تا سطر {last_line} وارد شد ({added} شماره‌ی جدید، {updated} شماره‌ی به‌روزشده)؛ وارد کردن دوباره‌ی آن مشکلی ندارد."
                )
            ),
        }
    }
}

/// `detail` names at most this many faults. `extra` names all of them.
const NAMED: usize = 3;
/// Each of them has at most so many characters.
const MAX_NAMED_CHARS: usize = 250;

/// The first faults, and how many there are more. In an estimate of a pattern, fields begin with `pattern.`, which is left
/// out if the text must not speak of patterns.
fn named(faults: &[FieldError], language: Language, hides_patterns: bool) -> String {
    let name = |fault: &FieldError| {
        let field = fault.field();
        let field = if hides_patterns {
            field.strip_prefix("pattern.").unwrap_or(&field)
        } else {
            &field
        };
        clipped(format!("{field}: {}", fault.detail(language)), MAX_NAMED_CHARS)
    };
    let mut texts: Vec<String> = faults.iter().take(NAMED).map(name).collect();
    let more = faults.len().saturating_sub(NAMED);
    if more > 0 {
        texts.push(match language {
            Language::En => format!("and {more} more"),
            Language::Fa => format!("و {more} مورد دیگر"),
        });
    }
    let separator = match language {
        Language::En => "; ",
        Language::Fa => "؛ ",
    };
    let text = texts.join(separator);
    if text.ends_with(['?', '؟']) { text } else { text + "." }
}

fn bad_request_detail(fault: BadRequest, language: Language) -> String {
    let text = |en: &str, fa: &str| said!(language, en, fa).to_owned();
    match fault {
        BadRequest::Malformed { line, column } => said!(
            language,
            format!("The body is not valid JSON: see line {line}, column {column}."),
            format!("بدنه‌ی درخواست JSON معتبری نیست: سطر {line}، ستون {column} را ببینید.")
        ),
        BadRequest::Empty => text(
            "The request has no body; send a JSON object.",
            "درخواست بدنه ندارد؛ یک شیء JSON بفرستید.",
        ),
        BadRequest::NotUtf8 => text(
            "The body is not valid UTF-8; encode it as UTF-8.",
            "بدنه‌ی درخواست UTF-8 معتبر نیست؛ آن را با UTF-8 بفرستید.",
        ),
        BadRequest::NotAnObject => text(
            "The body has to be a JSON object.",
            "بدنه‌ی درخواست باید یک شیء JSON باشد.",
        ),
        BadRequest::TooDeep => text(
            "The body is nested deeper than 16 levels; use fewer.",
            "بدنه‌ی درخواست بیش از 16 سطح تودرتو است؛ سطح‌ها را کمتر کنید.",
        ),
        BadRequest::Unreadable => text(
            "The body could not be read to its end; send the request again.",
            "بدنه‌ی درخواست تا پایان خوانده نشد؛ درخواست را دوباره بفرستید.",
        ),
    }
}
