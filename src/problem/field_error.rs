//! What is wrong with one value of a request: where the value stands, and what to mend, in English and Persian. A client gets
//! all of them at once, so that it has to try again only once.

use crate::base::{csv::BadQuote, language::Language, url_guard::Refused};

/// A list in a fault has at most so many characters.
const MAX_LIST_CHARS: usize = 200;

/// As much of a list as a person reads. Many faults may repeat it.
pub fn some_of(values: &[String]) -> String {
    clipped(values.join(", "), MAX_LIST_CHARS)
}

/// A text of at most `max` characters. `…` stands for what was left out.
pub fn clipped(text: String, max: usize) -> String {
    match text.char_indices().nth(max) {
        None => text,
        Some(_) => text.chars().take(max.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// A step of the path to a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// The name of a member, a query parameter or a header.
    Name(String),
    /// The index of an item in a list.
    Index(usize),
}

/// The names on a path, without the places in lists: `messages.text`.
pub fn names_of(path: &[Step]) -> String {
    let names = path.iter().filter_map(|step| match step {
        Step::Name(name) => Some(name.as_str()),
        Step::Index(_) => None,
    });
    names.collect::<Vec<_>>().join(".")
}

/// A fault of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldError {
    path: Vec<Step>,
    kind: FieldErrorKind,
}

/// What is wrong with a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldErrorKind {
    /// The value is missing.
    Required,
    /// The value is not what it must be, as one of another JSON type. What it must be, in English and Persian.
    MustBe(&'static str, &'static str),
    /// The value is empty.
    Empty,
    /// The text is too long.
    TooLong {
        /// How many characters it may have.
        max: usize,
    },
    /// The list is too long.
    TooMany {
        /// How many items it may have.
        max: usize,
    },
    /// The text is not a phone number.
    NotAPhoneNumber,
    /// The text takes too many parts.
    TooManyParts {
        /// How many parts it takes.
        parts: u32,
        /// How many parts it may take.
        max: u32,
    },
    /// The text is not an RFC 3339 time.
    NotATime,
    /// The time is one but for its time zone.
    NoZone,
    /// The time is one but for a blank in the place of the plus before its offset.
    LostPlus,
    /// The time is in the past.
    InThePast,
    /// The time is too far ahead.
    TooFarAhead {
        /// How many days ahead it may be.
        days: i64,
    },
    /// The number is outside its range.
    OutOfRange {
        /// The smallest number in the range.
        min: i64,
        /// The largest number in the range.
        max: i64,
    },
    /// The number can't be kept exactly as a coefficient.
    NotACoefficient,
    /// The value is none of those allowed. Their names.
    NotOneOf(String),
    /// The value has the wrong form. The right form, as a regular expression.
    BadFormat(&'static str),
    /// The value has the wrong form. The right form in words, in English and Persian.
    BadForm(&'static str, &'static str),
    /// The amount is 0.
    Zero,
    /// What the value names does not exist. What it names, in English and Persian.
    DoesNotExist(&'static str, &'static str),
    /// The idempotency key came with another request before.
    UsedForAnotherRequest,
    /// The member must not stand beside another one. The name of that one.
    NotBeside(&'static str),
    /// None of several members is there, but one is needed. Their names.
    OneOf(String),
    /// The member has no meaning for a key of an operator.
    NotForOperators,
    /// Nothing of the kind comes of what test keys do.
    NotForTestKeys,
    /// Only an operator can set the member.
    OnlyByOperators,
    /// The key of the request lacks what the value asks for.
    BeyondOwnKey,
    /// The variable has choices, but its type is not `ENUM`.
    OnlyForEnum,
    /// The member has no meaning for a carrier of this kind.
    NotForKind(&'static str),
    /// The object has no such member. The names of those that it has.
    NoMember(String),
    /// There is no such member or parameter, but one with nearly this name.
    Meant(&'static str),
    /// The address beside it is not encrypted, and the member does not say that it may be.
    PlaintextNotAllowed,
    /// A secret that is kept would go elsewhere, because this setting changes.
    NeededToMove(&'static str),
    /// The route has the sandbox, and the line a carrier that sends.
    SandboxBesideCarrier,
    /// The value can't be changed.
    Fixed,
    /// The value is there twice.
    Twice,
    /// The text has no such placeholder. Those that it has, or [`some_of`] them.
    NotInText(String),
    /// The text has placeholders that nothing fills. They, and those that something fills, or [`some_of`] them.
    UnknownPlaceholders {
        /// Those that nothing fills.
        unknown: String,
        /// Those that there are.
        known: String,
    },
    /// The value must differ from that of this member.
    SameAs(&'static str),
    /// The hours of the campaign and those of its line have no time in common.
    HoursNeverMeet,
    /// No phonebook has these attributes.
    NoAttribute {
        /// The attributes, or [`some_of`] them.
        unknown: String,
        /// Those that there are, or [`some_of`] them.
        known: String,
    },
    /// There is no time zone with this name.
    NoTimeZone(String),
    /// The text has nothing but blanks.
    Blank,
    /// There is no pattern with this slug.
    NoPattern(String),
    /// No version of the pattern with this slug is active.
    NoActiveVersion(String),
    /// No version of the pattern is active, and an operator has refused the newest.
    VersionRefused {
        /// The slug of the pattern.
        slug: String,
        /// The operator's reason.
        reason: String,
    },
    /// The text of the pattern can't be sent from the source number. The fault does not call it a pattern, because programs
    /// look for that word to find out that a pattern is missing.
    NotOnLine {
        /// The source number.
        number: String,
        /// The numbers of the lines that the pattern is tied to, or [`some_of`] them.
        lines: String,
    },
    /// The line with this number sends texts as they are only.
    AsItIs(String),
    /// The variable has no value. The name that is nearly its own and has one.
    NoValue(Option<String>),
    /// The variable's value is not a number.
    NotANumeral,
    /// The variable's value is not a link.
    NotALink,
    /// The variable's value is none of its choices. The choices, or [`some_of`] them.
    NotAChoice(String),
    /// The account does not exist, or may not use the line.
    NotAnAccountOfLine,
    /// The keyword is a reply that opts out or in.
    IsReply,
    /// The account does not send to this number.
    NotADestination(String),
    /// The tariff has no price for this number.
    NoPrice(String),
    /// This number is on the blacklist.
    Blacklisted(String),
    /// This number has got as many codes as it may get for now.
    RecipientLimit(String),
    /// The member needs a pattern.
    NeedsPattern,
    /// The pattern has no place for a code.
    HasNoCode,
    /// The verification does not last any more: how it has ended. `None`: there is none.
    NotPending(Option<String>),
    /// The code to sign in with is wrong, or does not count any more.
    WrongCode,
    /// The link to sign in with opens no session any more.
    UsedLink,
    /// It is no passkey that signs in here.
    WrongPasskey,
    /// It registers no passkey of this place with ES256, or the device has not verified the person.
    NoPasskey,
    /// It answers no challenge that still counts.
    ChallengeEnded,
    /// It is no base64url.
    NotBase64Url,
    /// The send has too many recipients.
    TooManyRecipients {
        /// How many recipients it has at least.
        count: u64,
        /// How many recipients it may have.
        max: usize,
    },
    /// The values of all recipients are too long together.
    TooMuchText {
        /// How many bytes they may have.
        max: usize,
    },
    /// The export would have too many entries.
    TooManyEntries {
        /// How many it may have.
        max: i64,
    },
    /// The text has too many different placeholders.
    TooManyPlaceholders {
        /// How many it may have.
        max: usize,
    },
    /// The send has no recipients.
    NoRecipients,
    /// The service does not call this address.
    BadAddress(Refused),
    /// The line of a file is too long or has too many fields.
    LineTooLong,
    /// The first line of a file has no title of the column with the numbers.
    NoNumberColumn {
        /// The titles that it may have.
        known: &'static str,
        /// The titles that there are, or [`some_of`] them.
        found: String,
        /// Whether there is one title only, as where another delimiter stands.
        is_single: bool,
    },
    /// Several titles in the first line of a file are of columns with numbers. The titles, or [`some_of`] them.
    NumberColumns(String),
    /// Several columns have this title of a column with numbers.
    SameNumberTitle(String),
    /// A title in the first line of a file names no attribute.
    BadTitle {
        /// The column, from 1.
        column: usize,
        /// The title.
        title: String,
        /// Why it names none.
        fault: TitleFault,
    },
    /// The first line of a file names too many attributes.
    TooManyAttributes {
        /// How many it names.
        count: usize,
        /// How many a phonebook may have.
        max: usize,
    },
    /// A line of a file has more cells than the first one has titles.
    TooManyCells {
        /// How many cells it has.
        cells: usize,
        /// How many titles there are.
        titles: usize,
    },
    /// A spreadsheet has written the number in scientific notation.
    Scientific,
    /// It is a decimal number.
    Decimal,
    /// There are several phone numbers in one cell.
    SeveralNumbers,
    /// A quote of the file swallows the lines behind it.
    BadQuote(BadQuote),
    /// The file is a workbook of Excel.
    Workbook,
    /// The file has no line with anything.
    EmptyFile,
    /// The bytes are not UTF-8.
    NotUtf8,
    /// The text is empty for this recipient.
    EmptyFor(String),
    /// The text takes too many parts for one recipient.
    TooManyPartsFor {
        /// The recipient's number.
        recipient: String,
        /// How many parts it takes.
        parts: u32,
        /// How many parts it may take.
        max: u32,
    },
}

/// Why a title names no attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TitleFault {
    /// Another column has it.
    Twice,
    /// It has a `%`.
    Percent,
    /// It has control characters.
    Control,
    /// It is too long.
    TooLong {
        /// How many characters it may have.
        max: usize,
    },
}

impl TitleFault {
    fn detail(self, language: Language) -> String {
        let text = |en: &str, fa: &str| said!(language, en, fa).to_owned();
        match self {
            TitleFault::Twice => text(
                "means the same as that of an earlier column: rename one of them",
                "تکراری است یا همان معنای ستون پیش‌تری را دارد: عنوان یکی را عوض کنید",
            ),
            TitleFault::Percent => text("must not have a %", "نباید % داشته باشد"),
            TitleFault::Control => text("must not have control characters", "نباید کاراکتر کنترلی داشته باشد"),
            TitleFault::TooLong { max } => said!(
                language,
                format!("must have at most {max} characters"),
                format!("باید حداکثر {max} کاراکتر باشد")
            ),
        }
    }
}

impl FieldErrorKind {
    fn detail(&self, language: Language) -> String {
        let text = |en: &str, fa: &str| said!(language, en, fa).to_owned();
        match self {
            FieldErrorKind::Required => text("is required", "الزامی است"),
            FieldErrorKind::MustBe(en, fa) => said!(language, format!("must be {en}"), format!("باید {fa} باشد")),
            FieldErrorKind::Empty => text("must not be empty", "نباید خالی باشد"),
            FieldErrorKind::TooLong { max } => said!(
                language,
                format!("must have at most {max} characters"),
                format!("باید حداکثر {max} کاراکتر باشد")
            ),
            FieldErrorKind::TooMany { max } => said!(
                language,
                format!("must have at most {max} items"),
                format!("باید حداکثر {max} مورد داشته باشد")
            ),
            FieldErrorKind::NotAPhoneNumber => text("is not a valid phone number", "شماره‌ی تلفن معتبری نیست"),
            FieldErrorKind::TooManyParts { parts, max } => said!(
                language,
                format!("takes {parts} parts, at most {max} are allowed"),
                format!("{parts} پارت می‌شود، حداکثر {max} پارت مجاز است")
            ),
            FieldErrorKind::NotATime => text(
                "must be an RFC 3339 time, like 2030-01-31T12:00:00Z",
                "باید زمانی به شکل RFC 3339 باشد، مانند 2030-01-31T12:00:00Z",
            ),
            FieldErrorKind::NoZone => text(
                "lacks the time zone: add Z for UTC, or an offset like +03:30",
                "منطقه‌ی زمانی ندارد: برای UTC در پایان Z بگذارید، یا اختلاف ساعت را مانند +03:30 بنویسید",
            ),
            FieldErrorKind::LostPlus => text(
                "has a blank in place of the + before its offset: write the + as %2B in an address, or the time in UTC with Z",
                "به‌جای + پیش از اختلاف ساعت فاصله دارد: در نشانی + را %2B بنویسید، یا زمان را به UTC و با Z بدهید",
            ),
            FieldErrorKind::InThePast => text("must not be in the past", "نباید در گذشته باشد"),
            FieldErrorKind::TooFarAhead { days } => said!(
                language,
                format!("must be at most {days} days ahead"),
                format!("باید حداکثر تا {days} روز آینده باشد")
            ),
            FieldErrorKind::OutOfRange { min, max } => said!(
                language,
                format!("must be a whole number from {min} to {max}"),
                format!("باید عددی صحیح از {min} تا {max} باشد")
            ),
            FieldErrorKind::NotACoefficient => text(
                "must be a number from 0 to 100 with at most 4 decimals",
                "باید عددی از 0 تا 100 با حداکثر 4 رقم اعشار باشد",
            ),
            FieldErrorKind::NotOneOf(allowed) => said!(
                language,
                format!("must be one of {allowed}"),
                format!("باید یکی از این‌ها باشد: {allowed}")
            ),
            FieldErrorKind::BadFormat(form) => said!(
                language,
                format!("must be of the form {form}"),
                format!("باید به شکل {form} باشد")
            ),
            FieldErrorKind::BadForm(en, fa) => said!(
                language,
                format!("must be of the form {en}"),
                format!("باید به این شکل باشد: {fa}")
            ),
            FieldErrorKind::Zero => text("must not be 0", "نباید 0 باشد"),
            FieldErrorKind::DoesNotExist(en, fa) => said!(
                language,
                format!("names {en} that does not exist"),
                format!("{fa} وجود ندارد")
            ),
            FieldErrorKind::UsedForAnotherRequest => text(
                "was used for another request before",
                "قبلاً برای درخواست دیگری استفاده شده است",
            ),
            FieldErrorKind::NotBeside(other) => said!(
                language,
                format!("must not stand beside \"{other}\""),
                format!("نباید همراه «{other}» بیاید")
            ),
            FieldErrorKind::OneOf(names) => said!(
                language,
                format!("one of {names} is required"),
                format!("یکی از این‌ها الزامی است: {names}")
            ),
            FieldErrorKind::NotForOperators => text("is not for operators' keys", "برای کلید مدیر سرویس کاربردی ندارد"),
            FieldErrorKind::NotForTestKeys => text(
                "is not for test keys: their endpoints hear of test messages only",
                "برای کلید آزمایشی کاربردی ندارد: وب‌هوک آن فقط از پیام‌های آزمایشی باخبر می‌شود",
            ),
            FieldErrorKind::OnlyByOperators => {
                text("can only be set by an operator", "را فقط مدیر سرویس می‌تواند تعیین کند")
            }
            FieldErrorKind::BeyondOwnKey => text(
                "is more than the key of this request has",
                "بیش از چیزی است که کلید این درخواست دارد",
            ),
            FieldErrorKind::OnlyForEnum => text("is only for variables of type ENUM", "فقط برای متغیرهای نوع ENUM است"),
            FieldErrorKind::NotForKind(kind) => said!(
                language,
                format!("is not for carriers of the kind {kind}"),
                format!("برای اپراتور مخابراتی از نوع {kind} نیست")
            ),
            FieldErrorKind::NoMember(names) => said!(
                language,
                format!("is not known; there are only {names}"),
                format!("شناخته‌شده نیست؛ فقط این‌ها هستند: {names}")
            ),
            FieldErrorKind::Meant(name) => said!(
                language,
                format!("is unknown; did you mean \"{name}\"?"),
                format!("شناخته‌شده نیست؛ منظورتان «{name}» است؟")
            ),
            FieldErrorKind::NeededToMove(moved) => said!(
                language,
                format!("must be sent again, because {moved} changes: the stored one goes to no other address"),
                format!("باید دوباره فرستاده شود، چون {moved} عوض می‌شود: مقدار ذخیره‌شده به آدرس دیگری فرستاده نمی‌شود")
            ),
            FieldErrorKind::PlaintextNotAllowed => text(
                "must be true for an address that begins with http://, because others can read what goes there; better use https",
                "برای آدرسی که با http:// شروع می‌شود باید true باشد، چون دیگران می‌توانند ترافیک آن را بخوانند؛ بهتر است از https استفاده کنید",
            ),
            FieldErrorKind::SandboxBesideCarrier => text(
                "has the sandbox, and the line has a carrier that sends: messages that the sandbox takes reach nobody, are \
                 DELIVERED all the same, and are billed. Leave the sandbox out, or set \"allowSandbox\" to true for a trial",
                "سندباکس دارد و این سرشماره اپراتور واقعی هم دارد: پیامکی که به سندباکس برسد به دست هیچ‌کس نمی‌رسد، ولی DELIVERED می‌شود و \
                 هزینه‌اش کم می‌شود. سندباکس را بردارید یا برای آزمایش «allowSandbox» را true بگذارید",
            ),
            FieldErrorKind::Fixed => text("can't be changed", "قابل تغییر نیست"),
            FieldErrorKind::NotAnAccountOfLine => text(
                "must be an account that may use the line",
                "باید حسابی باشد که به این سرشماره دسترسی دارد",
            ),
            FieldErrorKind::IsReply => text(
                "must not be a word of OPT_OUT_WORDS or OPT_IN_WORDS",
                "نباید از کلمه‌های OPT_OUT_WORDS یا OPT_IN_WORDS باشد",
            ),
            FieldErrorKind::Twice => text("must not be there twice", "نباید تکراری باشد"),
            FieldErrorKind::NotInText(names) if names.is_empty() => text(
                "is not in the text, which has no placeholder: one is written %NAME%",
                "در متن نیست؛ متن هیچ جای خالی ندارد. جای خالی به شکل %NAME% نوشته می‌شود",
            ),
            FieldErrorKind::NotInText(names) => said!(
                language,
                format!("is not in the text, which has only {names}"),
                format!("در متن نیست؛ متن فقط این‌ها را دارد: {names}")
            ),
            FieldErrorKind::NoTimeZone(name) => said!(
                language,
                format!("names no time zone: {name}; write one like Asia/Tehran"),
                format!("منطقه‌ی زمانی {name} وجود ندارد؛ نامی مانند Asia/Tehran بنویسید")
            ),
            FieldErrorKind::SameAs(member) => said!(
                language,
                format!("must differ from \"{member}\""),
                format!("باید با «{member}» فرق داشته باشد")
            ),
            FieldErrorKind::HoursNeverMeet => text(
                "has no time in common with the hours of the line",
                "با ساعت‌های مجاز سرشماره هیچ ساعت مشترکی ندارد",
            ),
            FieldErrorKind::NoAttribute { unknown, known } => said!(
                language,
                format!("names what no phonebook has: {unknown}; there are {known}"),
                format!("از چیزی نام می‌برد که در هیچ دفترچه تلفنی نیست: {unknown}؛ این‌ها هست: {known}")
            ),
            FieldErrorKind::UnknownPlaceholders { unknown, known } => said!(
                language,
                format!(
                    "has {unknown}, which nothing fills (\"unknownPlaceholders\": \"KEEP\" sends it as it is); there are {known}"
                ),
                format!(
                    "{unknown} دارد که چیزی جایش نمی‌نشیند (با «unknownPlaceholders» برابر «KEEP» همان‌طور که هست ارسال می‌شود)؛ این‌ها هستند: {known}"
                )
            ),
            FieldErrorKind::Blank => text("must not have blanks only", "نباید فقط فاصله باشد"),
            FieldErrorKind::NoPattern(slug) => said!(
                language,
                format!("the pattern \"{slug}\" does not exist: check the slug, or create the pattern"),
                format!("پترن «{slug}» وجود ندارد: شناسه را بررسی کنید یا پترن را بسازید")
            ),
            FieldErrorKind::NoActiveVersion(slug) => said!(
                language,
                format!("the pattern \"{slug}\" has no active version: activate one of its versions first"),
                format!("پترن «{slug}» نسخه‌ی فعالی ندارد: ابتدا یکی از نسخه‌های آن را فعال کنید")
            ),
            FieldErrorKind::VersionRefused { slug, reason } => said!(
                language,
                format!("the pattern \"{slug}\" was refused ({reason}): write a new version"),
                format!("پترن «{slug}» رد شده است ({reason}): نسخه‌ی جدیدی بنویسید")
            ),
            FieldErrorKind::NotOnLine { number, lines } => said!(
                language,
                format!("this text can't be sent from {number}, only from {lines}"),
                format!("این متن را نمی‌توان از سرشماره‌ی {number} فرستاد، فقط از {lines}")
            ),
            FieldErrorKind::AsItIs(number) => said!(
                language,
                format!("must be AS_IS: {number} sends texts as they are"),
                format!("باید AS_IS باشد: سرشماره‌ی {number} متن را بدون تغییر می‌فرستد")
            ),
            FieldErrorKind::NoValue(None) => text("was given no value", "مقدار ندارد"),
            FieldErrorKind::NoValue(Some(name)) => said!(
                language,
                format!("was given no value; \"{name}\" has one, but is not in the text"),
                format!("مقدار ندارد؛ «{name}» مقدار دارد ولی در متن نیست")
            ),
            FieldErrorKind::NotANumeral => text("must be a number", "باید عدد باشد"),
            FieldErrorKind::NotALink => text(
                "must be a link that begins with http:// or https://",
                "باید لینکی باشد که با http:// یا https:// شروع می‌شود",
            ),
            FieldErrorKind::NotAChoice(choices) => said!(
                language,
                format!("must be one of {choices}"),
                format!("باید یکی از این‌ها باشد: {choices}")
            ),
            FieldErrorKind::NotADestination(number) => said!(
                language,
                format!("{number} is outside the destinations of the account"),
                format!("شماره‌ی {number} خارج از مقصدهای مجاز حساب است")
            ),
            FieldErrorKind::NoPrice(number) => said!(
                language,
                format!("the tariff has no price for {number}"),
                format!("تعرفه برای شماره‌ی {number} قیمتی ندارد")
            ),
            FieldErrorKind::Blacklisted(number) => said!(
                language,
                format!("{number} is on the blacklist"),
                format!("شماره‌ی {number} در لیست سیاه است")
            ),
            FieldErrorKind::RecipientLimit(number) => said!(
                language,
                format!("{number} has got as many of these messages as it may get for now"),
                format!("شماره‌ی {number} فعلاً به سقف دریافت این پیامک‌ها رسیده است")
            ),
            FieldErrorKind::NeedsPattern => said!(
                language,
                "must stand beside \"pattern\"".to_owned(),
                "باید در کنار «pattern» بیاید".to_owned()
            ),
            FieldErrorKind::HasNoCode => said!(
                language,
                "must be one whose text has %CODE%".to_owned(),
                "باید پترنی باشد که %CODE% در متنش هست".to_owned()
            ),
            FieldErrorKind::NotPending(None) => said!(
                language,
                "names no code that was sent in the last minutes".to_owned(),
                "به کدی اشاره نمی‌کند که در دقیقه‌های اخیر فرستاده شده باشد".to_owned()
            ),
            FieldErrorKind::NotPending(Some(status)) => said!(
                language,
                format!("has ended already: {status}"),
                format!("پیش‌تر پایان یافته است: {status}")
            ),
            FieldErrorKind::WrongCode => said!(
                language,
                "is wrong, or does not count any more: ask for a new one".to_owned(),
                "اشتباه است یا دیگر اعتبار ندارد: کد جدیدی بخواهید".to_owned()
            ),
            FieldErrorKind::UsedLink => said!(
                language,
                "is of no link that still counts: a link opens one session, within its time".to_owned(),
                "کد پیوندی نیست که هنوز اعتبار داشته باشد: هر پیوند فقط یک بار و تا پایان مهلتش کار می‌کند".to_owned()
            ),
            FieldErrorKind::WrongPasskey => said!(
                language,
                "is of no passkey that counts here: delete it from the device, and ask an owner for a link".to_owned(),
                "کلید عبوری نیست که اینجا اعتبار داشته باشد: آن را از دستگاه پاک کنید و از مالک حساب لینک ورود بگیرید"
                    .to_owned()
            ),
            FieldErrorKind::NoPasskey => said!(
                language,
                "registers no passkey for this domain with ES256 by a person whom the device has verified".to_owned(),
                "کلید عبوری با ES256 برای این دامنه ثبت نمی‌کند که دستگاه هویت شخص را برایش تأیید کرده باشد".to_owned()
            ),
            FieldErrorKind::ChallengeEnded => said!(
                language,
                "answers no challenge that still counts in this browser: ask for a new one".to_owned(),
                "پاسخ چالشی نیست که در این مرورگر هنوز اعتبار داشته باشد: چالش جدیدی بخواهید".to_owned()
            ),
            FieldErrorKind::NotBase64Url => said!(
                language,
                "must be base64url (RFC 4648, 5) without padding".to_owned(),
                "باید base64url (RFC 4648, 5) بدون padding باشد".to_owned()
            ),
            FieldErrorKind::TooManyRecipients { count, max } => said!(
                language,
                format!("has {count} recipients or more, at most {max} are allowed"),
                format!("دست‌کم {count} گیرنده دارد، حداکثر {max} گیرنده مجاز است")
            ),
            FieldErrorKind::TooMuchText { max } => said!(
                language,
                format!("makes more than {max} bytes of values for all recipients together: send it in several"),
                format!("مقادیر همه‌ی گیرندگان در مجموع بیش از {max} بایت می‌شود: آن را در چند نوبت بفرستید")
            ),
            FieldErrorKind::TooManyEntries { max } => said!(
                language,
                format!("leaves more than {max} entries: narrow \"from\" and \"to\", and export in several files"),
                format!("بیش از {max} تراکنش باقی می‌گذارد: بازه‌ی «from» و «to» را کوچک‌تر کنید و در چند فایل بگیرید")
            ),
            FieldErrorKind::TooManyPlaceholders { max } => said!(
                language,
                format!("must have at most {max} different placeholders"),
                format!("باید حداکثر {max} جای‌نگهدار گوناگون داشته باشد")
            ),
            FieldErrorKind::NoRecipients => text("has no recipients", "گیرنده‌ای ندارد"),
            FieldErrorKind::BadAddress(refused) => said!(language, refused.to_string(), refused.persian().to_owned()),
            FieldErrorKind::LineTooLong => text(
                "is too long or has too many fields",
                "بیش از حد طولانی است یا ستون‌های زیادی دارد",
            ),
            FieldErrorKind::NumberColumns(titles) => said!(
                language,
                format!(
                    "has several columns of numbers ({titles}): name the right one in the query, as ?number= and its title"
                ),
                format!("چند ستون شماره دارد ({titles}): ستون درست را در آدرس با ?number= و عنوان آن مشخص کنید")
            ),
            FieldErrorKind::SameNumberTitle(title) => said!(
                language,
                format!("has several columns with the title \"{title}\": rename all but the one with the numbers"),
                format!("چند ستون با عنوان «{title}» دارد: عنوان همه را جز ستون شماره‌ها عوض کنید")
            ),
            FieldErrorKind::BadTitle { column, title, fault } => {
                let why = fault.detail(language);
                said!(
                    language,
                    format!("column {column}: the title \"{title}\" {why}"),
                    format!("ستون {column}: عنوان «{title}» {why}")
                )
            }
            FieldErrorKind::TooManyAttributes { count, max } => said!(
                language,
                format!("may name at most {max} attributes, and names {count}: leave some columns out of the file"),
                format!("حداکثر {max} ویژگی؛ این فایل {count} ویژگی دارد: چند ستون را از فایل بردارید")
            ),
            FieldErrorKind::TooManyCells { cells, titles } => said!(
                language,
                format!(
                    "has {cells} cells, and the first line {titles} titles: a value with the delimiter in it needs quotes (\")"
                ),
                format!(
                    "{cells} خانه دارد و سطر عنوان {titles} ستون: مقداری که خودش ویرگول یا جداکننده دارد باید داخل گیومه (\") باشد"
                )
            ),
            FieldErrorKind::Scientific => text(
                "was written in scientific notation by a spreadsheet, and its digits may be lost: make the column \"Text\" there",
                "اکسل آن را به شکل علمی نوشته و شاید رقم‌هایش از دست رفته باشد: ستون را در اکسل «متن» (Text) کنید",
            ),
            FieldErrorKind::Decimal => text("is a decimal, not a phone number", "عدد اعشاری است، نه شماره‌ی تلفن"),
            FieldErrorKind::SeveralNumbers => text(
                "has several phone numbers: write one in each cell",
                "چند شماره‌ی تلفن دارد: در هر خانه فقط یک شماره بنویسید",
            ),
            FieldErrorKind::BadQuote(BadQuote { line, closed: None }) => said!(
                language,
                format!("has a quote (\") in line {line} that does not close; nothing of it was imported"),
                format!("در سطر {line} یک \" دارد که بسته نشده است؛ هیچ سطری از آن وارد نشد")
            ),
            FieldErrorKind::BadQuote(BadQuote {
                line,
                closed: Some(closed),
            }) => said!(
                language,
                format!(
                    "has a quote (\") that opens in line {line} and closes in line {closed} with text behind it: close it in line {line}, \
                     or end the value with it; nothing of it was imported"
                ),
                format!(
                    "یک \" دارد که در سطر {line} باز و در سطر {closed} بسته شده و پس از آن متن آمده است: آن را در سطر {line} ببندید، \
                     یا متن را پیش از آن بیاورید؛ هیچ سطری از آن وارد نشد"
                )
            ),
            FieldErrorKind::Workbook => text(
                "is an Excel workbook, not a text: save it as \"CSV UTF-8\" in Excel, and import that",
                "خود فایل اکسل است، نه متن: در اکسل «ذخیره با نام» (Save As) را بزنید، «CSV UTF-8» را انتخاب کنید و همان را وارد کنید",
            ),
            FieldErrorKind::EmptyFile => text(
                "is empty: its first line must have the titles of the columns",
                "خالی است: سطر اول آن باید عنوان ستون‌ها باشد",
            ),
            FieldErrorKind::NoNumberColumn {
                known,
                found,
                is_single,
            } => {
                let delimiters = match is_single {
                    true => said!(
                        language,
                        " Delimiters are comma, semicolon and tab.",
                        " جداکننده‌ها: ویرگول، نقطه‌ویرگول و تب."
                    ),
                    false => "",
                };
                said!(
                    language,
                    format!(
                        "has no column of numbers: title it one of {known}, or name it in the query, as ?number=گیرنده \
                         does.{delimiters} The first line is: {found}"
                    ),
                    format!(
                        "ستون شماره ندارد: عنوان آن را یکی از این‌ها بگذارید: {known}؛ یا ستون را در آدرس نام ببرید: ?number= و عنوان آن، \
                         مثلاً ?number=گیرنده.{delimiters} سطر اول: {found}"
                    )
                )
            }
            FieldErrorKind::NotUtf8 => text(
                "is not UTF-8: save the file as \"CSV UTF-8\"",
                "UTF-8 نیست: فایل را با قالب «CSV UTF-8» ذخیره کنید",
            ),
            FieldErrorKind::EmptyFor(recipient) => said!(
                language,
                format!("is empty for {recipient}"),
                format!("برای {recipient} خالی است")
            ),
            FieldErrorKind::TooManyPartsFor { recipient, parts, max } => said!(
                language,
                format!("takes {parts} parts for {recipient}, at most {max} are allowed"),
                format!("برای {recipient} {parts} پارت می‌شود، حداکثر {max} پارت مجاز است")
            ),
        }
    }
}

impl FieldError {
    /// Makes a fault of the value at this path.
    pub fn at(path: Vec<Step>, kind: FieldErrorKind) -> FieldError {
        FieldError { path, kind }
    }

    /// Makes a fault of a member of the root, a query parameter or a header.
    pub fn of(name: &str, kind: FieldErrorKind) -> FieldError {
        FieldError::at(vec![Step::Name(name.to_owned())], kind)
    }

    /// The same fault, with `path` in front of its own path.
    pub fn under(&self, path: &[Step]) -> FieldError {
        FieldError {
            path: [path, &self.path].concat(),
            kind: self.kind.clone(),
        }
    }

    /// The path to the value.
    pub fn path(&self) -> &[Step] {
        &self.path
    }

    /// Whether the fault is that the value at this path is missing.
    pub fn is_missing(&self, path: &[Step]) -> bool {
        self.kind == FieldErrorKind::Required && self.path == path
    }

    /// The field as people write it, like `recipients[3]` or `tariff.price`.
    pub fn field(&self) -> String {
        let mut field = String::new();
        for step in &self.path {
            match step {
                Step::Index(index) => field.push_str(&format!("[{index}]")),
                Step::Name(name) => {
                    if !field.is_empty() {
                        field.push('.');
                    }
                    field.push_str(name);
                }
            }
        }
        field
    }

    /// The JSON pointer (RFC 6901) of the value in the body. For a query parameter or a header, it is its name after a `/`.
    pub fn pointer(&self) -> String {
        let mut pointer = String::new();
        for step in &self.path {
            pointer.push('/');
            match step {
                Step::Index(index) => pointer.push_str(&index.to_string()),
                Step::Name(name) => pointer.push_str(&name.replace('~', "~0").replace('/', "~1")),
            }
        }
        pointer
    }

    /// What is wrong, in this language.
    pub fn detail(&self, language: Language) -> String {
        self.kind.detail(language)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_says_where_it_is_to_people_and_to_programs() {
        let path = vec![Step::Name("a/b~c".into()), Step::Index(3), Step::Name("d".into())];
        let fault = FieldError::at(path, FieldErrorKind::NotAPhoneNumber);
        assert_eq!(fault.field(), "a/b~c[3].d");
        assert_eq!(fault.pointer(), "/a~1b~0c/3/d");
        assert_eq!(fault.detail(Language::En), "is not a valid phone number");
    }
}
