//! The conflicts that the API answers with 409.

/// What a request conflicts with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Conflict {
    /// Another account has this username.
    UsernameTaken,
    /// The line exists already.
    LineExists,
    /// The plan exists already.
    PlanExists,
    /// The account has as many keys as it may have.
    TooManyKeys,
    /// This API key exists already.
    KeyExists,
    /// The key to revoke is the one that the request comes with.
    OwnKey,
    /// No other key of the operators would last.
    LastKey,
    /// The wallet can't hold more.
    WalletFull,
    /// The line is still the default line of an account.
    LineInUse,
    /// Another phonebook of the account has this title.
    TitleTaken,
    /// The account has as many phonebooks as it may have.
    TooManyPhonebooks,
    /// The phonebook would have more numbers than it may have.
    PhonebookFull,
    /// Scheduled messages were made of it. The uids of some of them.
    Scheduled(Vec<String>),
    /// Another entry of the phonebook has this number.
    NumberExists,
    /// The numbers of the phonebook have too many different attributes for a table.
    TooManyColumns,
    /// The account has a pattern with this slug already.
    PatternExists,
    /// The account has as many patterns as it may have.
    TooManyPatterns,
    /// The pattern has as many versions as it may have.
    TooManyVersions,
    /// The version is active already.
    VersionActive,
    /// The pattern has no active version.
    NoVersionActive,
    /// The version waits for an operator's approval.
    VersionPending,
    /// The pattern has an active version.
    PatternActive,
    /// The message is not scheduled, or not any more.
    NotScheduled,
    /// The blacklist would have more numbers than it may have.
    BlacklistFull,
}

impl Conflict {
    /// What exactly the conflict is, in English and Persian.
    pub fn details(&self) -> (String, String) {
        let (en, fa) = match self {
            Conflict::Scheduled(uids) => {
                return (
                    format!(
                        "Scheduled messages were made of it; cancel them first: {}.",
                        uids.join(", ")
                    ),
                    format!(
                        "پیام‌های زمان‌بندی‌شده‌ای از آن ساخته شده‌اند؛ نخست آن‌ها را لغو کنید: {}.",
                        uids.join("، ")
                    ),
                );
            }
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
            Conflict::OwnKey => (
                "This is the key of the request itself; revoke it with another operator key, or rotate it.",
                "این همان کلیدی است که درخواست با آن فرستاده شده؛ آن را با کلید اپراتور دیگری باطل کنید یا تعویضش کنید.",
            ),
            Conflict::LastKey => (
                "No other operator key would last, because all others were rotated; issue one first.",
                "هیچ کلید اپراتور ماندگار دیگری نیست، چون بقیه تعویض شده‌اند؛ ابتدا کلید تازه‌ای بسازید.",
            ),
            Conflict::WalletFull => ("The wallet can't hold that much.", "کیف پول گنجایش این مبلغ را ندارد."),
            Conflict::LineInUse => (
                "The line is still the default line of an account.",
                "این خط هنوز خط پیش‌فرض یک حساب است.",
            ),
            Conflict::TitleTaken => (
                "Another phonebook of the account has this title.",
                "دفترچه‌ی دیگری از این حساب همین عنوان را دارد.",
            ),
            Conflict::TooManyPhonebooks => (
                "The account has as many phonebooks as it may have.",
                "تعداد دفترچه‌های این حساب به سقف رسیده است.",
            ),
            Conflict::PhonebookFull => (
                "The phonebook would have more numbers than it may have.",
                "شماره‌های دفترچه از سقف مجاز بیشتر می‌شود.",
            ),
            Conflict::NumberExists => (
                "Another entry of the phonebook has this number.",
                "این شماره پیش‌تر در همین دفترچه ثبت شده است.",
            ),
            Conflict::TooManyColumns => (
                "The numbers have too many different attributes for a table.",
                "ویژگی‌های گوناگون شماره‌ها برای یک جدول بیش از حد است.",
            ),
            Conflict::PatternExists => (
                "The account has a pattern of this slug already.",
                "این حساب از پیش الگویی با این نام دارد.",
            ),
            Conflict::TooManyPatterns => (
                "The account has as many patterns as it may have.",
                "تعداد الگوهای این حساب به سقف رسیده است.",
            ),
            Conflict::TooManyVersions => (
                "The pattern has as many versions as it may have.",
                "تعداد نسخه‌های این الگو به سقف رسیده است.",
            ),
            Conflict::VersionActive => ("This version is active already.", "این نسخه از پیش فعال است."),
            Conflict::NoVersionActive => ("No version of the pattern is active.", "هیچ نسخه‌ای از الگو فعال نیست."),
            Conflict::VersionPending => (
                "This version waits for an operator's approval.",
                "این نسخه در انتظار تأیید اپراتور است.",
            ),
            Conflict::PatternActive => (
                "The pattern has an active version; deactivate it first.",
                "الگو نسخه‌ی فعالی دارد؛ نخست آن را غیرفعال کنید.",
            ),
            Conflict::NotScheduled => (
                "The message does not wait for its time: only scheduled messages can be canceled.",
                "این پیام در انتظار زمان ارسال نیست؛ تنها پیام زمان‌بندی‌شده را می‌توان لغو کرد.",
            ),
            Conflict::BlacklistFull => (
                "The blacklist would have more numbers than it may have.",
                "شماره‌های فهرست سیاه از سقف مجاز بیشتر می‌شود.",
            ),
        };
        (en.to_owned(), fa.to_owned())
    }
}
