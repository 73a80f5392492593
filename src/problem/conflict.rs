//! The conflicts that the API answers with 409.

use crate::base::language::Language;

/// What a request conflicts with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Conflict {
    /// Another account has this username.
    UsernameTaken,
    /// The account is closed.
    AccountClosed,
    /// The account has money, or something of it is under way.
    AccountNotEmpty {
        /// What can be spent.
        available: i64,
        /// What is reserved.
        locked: i64,
        /// The unit of both.
        unit: String,
        /// Recipients that have no ending.
        recipients: i64,
    },
    /// The service is not about to move in this direction.
    NoTransfer,
    /// The service is about to move in the other direction.
    OtherTransfer,
    /// The service has data, so it can't take those of another one.
    ServiceNotEmpty,
    /// The object was used, or gives its own rows, so it can't do what is asked. Its name.
    ObjectNotEmpty(String),
    /// The object is not frozen, or not to take rows. Its name.
    ObjectNotFrozen(String),
    /// No page begins there.
    NoPage,
    /// The table does not take these rows. Its name.
    RowsNotOfTable(String),
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
    /// The member to let go is the one who asks for it.
    OwnMember,
    /// The account has a member with this phone already.
    MemberExists,
    /// The member needs no invitation any more.
    MemberJoined,
    /// The account or the member has got as many invitations as it may have in 24 hours.
    TooManyInvitations,
    /// The session is of no member, and only members have passkeys.
    NotMember,
    /// A passkey is needed to sign in to the account.
    NeedsPasskey,
    /// The member who requires passkeys has none.
    NoPasskey,
    /// The passkey was added already.
    PasskeyExists,
    /// The member has as many passkeys as it may have.
    TooManyPasskeys,
    /// The address of the service has no domain.
    NoDomain,
    /// The service has no account that sends codes to sign in with.
    NoSignIn,
    /// The wallet can't hold more.
    WalletFull,
    /// As many credits wait for a second operator as may wait.
    TooManyCredits,
    /// The credit is approved already.
    CreditApproved,
    /// The credit was rejected, or nobody has approved it in time.
    CreditEnded,
    /// Another request is about to approve the credit.
    CreditClaimed,
    /// The line is the default line of accounts. The usernames of some of them.
    LineInUse(Vec<String>),
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
    /// The phonebook would have more different attributes than it may have.
    TooManyColumns {
        /// How many it may have.
        max: usize,
    },
    /// The account would keep more bytes in phonebooks than it may.
    PhonebookBytes {
        /// How many bytes it may keep.
        quota: i64,
        /// How many bytes it keeps.
        used: i64,
    },
    /// The account would keep more bytes in patterns than it may.
    PatternBytes {
        /// How many bytes it may keep.
        quota: i64,
        /// How many bytes it keeps.
        used: i64,
    },
    /// The phonebooks and patterns of all accounts would have more bytes than they may.
    NoRoom,
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
    /// An operator has refused the version, for this reason.
    VersionRefused(String),
    /// The pattern has an active version.
    PatternActive,
    /// The account has as many campaigns as it may have.
    TooManyCampaigns,
    /// The campaign can't do that in its state. The name of that.
    CampaignState(String),
    /// The campaign is a resend, or was resent before.
    ResentOnce,
    /// The campaign is a resend, whose message and people can't be changed.
    FixedResend,
    /// Nothing of the message waits any more.
    HasLeft,
    /// The message is a wave of the campaign with this id, which goes on.
    OfCampaign(String),
    /// Campaigns with these ids go on, and read it.
    InCampaigns(Vec<String>),
    /// The campaign has reached people.
    CampaignBegun,
    /// The message has a code.
    HasCode,
    /// The recipients of the dead letter do not wait any more.
    NotStuck,
    /// The account's object can't go back to the time. Why, in the words of the runtime.
    NotRestored(String),
    /// The account's object can't go back to before the service moved. When it came.
    BeforeMove(String),
    /// The blacklist would have more numbers than it may have.
    BlacklistFull,
    /// As many numbers are being erased as may be.
    TooManyErasures,
    /// The carrier exists already.
    CarrierExists,
    /// There are as many carriers as there may be.
    TooManyCarriers,
    /// Lines use the carrier. The numbers of some of them.
    CarrierInUse(Vec<String>),
    /// The carrier has taken so many recipients whose reports are missing.
    ReportsMissing(i64),
    /// The carrier took messages so lately that nobody knows yet how many reports are missing.
    CarrierJustUsed,
    /// The carrier is the one that always exists.
    CarrierStays,
    /// The service does not know the address under which gateways reach it.
    NoPublicUrl,
    /// The service has no key to seal secrets with.
    NoSecretKey,
    /// The Worker secret of this name is malformed.
    BadSecretKey(&'static str),
    /// The account has as many webhook endpoints as it may have.
    TooManyEndpoints,
    /// The webhook endpoint is not active.
    EndpointInactive,
    /// As many events wait for the webhook endpoint as may wait.
    EndpointBacklogFull,
    /// No gateway calls back to a carrier of this kind.
    NoCallback,
}

impl Conflict {
    /// What exactly the conflict is, in this language.
    pub fn detail(&self, language: Language) -> String {
        let (en, fa) = match self {
            Conflict::Scheduled(uids) => {
                return said!(
                    language,
                    format!(
                        "Scheduled messages were made of it; cancel them first: {}.",
                        uids.join(", ")
                    ),
                    format!(
                        "پیامک‌های زمان‌بندی‌شده‌ای از آن ساخته شده‌اند؛ ابتدا آن‌ها را لغو کنید: {}.",
                        uids.join("، ")
                    )
                );
            }
            Conflict::InCampaigns(ids) => {
                return said!(
                    language,
                    format!(
                        "Campaigns read it; cancel them first, or wait until they end: {}.",
                        ids.join(", ")
                    ),
                    format!(
                        "کمپین‌هایی از آن استفاده می‌کنند؛ ابتدا آن‌ها را لغو کنید یا تا پایانشان صبر کنید: {}.",
                        ids.join("، ")
                    )
                );
            }
            Conflict::OfCampaign(id) => {
                return said!(
                    language,
                    format!(
                        "The message is a wave of a campaign. Pause, resume or cancel the campaign: POST /campaigns/{id}/pause, \
                         /resume or /cancel."
                    ),
                    format!(
                        "این پیامک بخشی از یک کمپین است؛ خود کمپین را متوقف کنید، ادامه دهید یا لغو کنید: POST /campaigns/{id}/pause، \
                         /resume یا /cancel."
                    )
                );
            }
            Conflict::AccountNotEmpty {
                available,
                locked,
                unit,
                recipients,
            } => {
                return said!(
                    language,
                    format!(
                        "The account has {available} {unit} available and {locked} {unit} reserved, and {recipients} recipients of it have \
                         no ending. Cancel what waits (POST /admin/accounts/{{id}}/cancel), wait for the rest, which takes 72 hours at \
                         most, and take the balance out (POST /admin/accounts/{{id}}/credit with the opposite amount)."
                    ),
                    format!(
                        "این حساب {available} {unit} موجودی و {locked} {unit} مبلغ رزروشده دارد و وضعیت نهایی {recipients} گیرنده‌ی آن هنوز \
                         معلوم نیست. آنچه را در انتظار است لغو کنید (POST /admin/accounts/{{id}}/cancel)، برای بقیه حداکثر 72 ساعت صبر \
                         کنید و موجودی را با اعتباری با مبلغ قرینه بردارید (POST /admin/accounts/{{id}}/credit)."
                    )
                );
            }
            Conflict::TooManyColumns { max } => {
                return said!(
                    language,
                    format!(
                        "A phonebook has at most {max} different attributes. Use those that it has, or another phonebook."
                    ),
                    format!(
                        "هر دفترچه حداکثر {max} ویژگی گوناگون دارد. از ویژگی‌های موجود یا از دفترچه‌ی دیگری استفاده کنید."
                    )
                );
            }
            Conflict::PhonebookBytes { quota, used } => {
                return said!(
                    language,
                    format!(
                        "The phonebooks of the account may have {quota} bytes together and have {used} now. Delete \
                         numbers or phonebooks that you do not need. The room of a deleted phonebook becomes free as \
                         its numbers are removed."
                    ),
                    format!(
                        "دفترچه‌های این حساب روی هم حداکثر {quota} بایت جا دارند و اکنون {used} بایت از آن پر است. \
                         شماره‌ها یا دفترچه‌هایی را که لازم ندارید حذف کنید. جای دفترچه‌ی حذف‌شده همراه با پاک شدن \
                         شماره‌هایش آزاد می‌شود."
                    )
                );
            }
            Conflict::PatternBytes { quota, used } => {
                return said!(
                    language,
                    format!(
                        "The patterns of the account, with all their versions, may have {quota} bytes together and have \
                         {used} now. Delete patterns that you do not need."
                    ),
                    format!(
                        "پترن‌های این حساب با همه‌ی نسخه‌هایشان روی هم حداکثر {quota} بایت جا دارند و اکنون {used} بایت از آن \
                         پر است. پترن‌هایی را که لازم ندارید حذف کنید."
                    )
                );
            }
            Conflict::CarrierInUse(lines) => {
                return said!(
                    language,
                    format!(
                        "Lines use the carrier; give them another one first: {}.",
                        lines.join(", ")
                    ),
                    format!(
                        "سرشماره‌هایی از این اپراتور مخابراتی استفاده می‌کنند؛ ابتدا آن‌ها را به اپراتور دیگری وصل کنید: {}.",
                        lines.join("، ")
                    )
                );
            }
            Conflict::LineInUse(accounts) => {
                return said!(
                    language,
                    format!(
                        "The line is the default line of accounts; give them another one first: {}.",
                        accounts.join(", ")
                    ),
                    format!(
                        "این سرشماره پیش‌فرض حساب‌هایی است؛ ابتدا سرشماره‌ی پیش‌فرض آن‌ها را عوض کنید: {}.",
                        accounts.join("، ")
                    )
                );
            }
            Conflict::ReportsMissing(count) => {
                return said!(
                    language,
                    format!(
                        "Recipients that the carrier has taken and not reported yet: {count}. Without the carrier they may stay \
                         SUBMITTED, become EXPIRED after 72 hours, and stay paid. Wait for their reports, or delete it although they are \
                         missing (in the API with \"?force=true\")."
                    ),
                    format!(
                        "این اپراتور مخابراتی {count} گیرنده را تحویل گرفته و هنوز گزارش نکرده است. اگر حذف شود، شاید در وضعیت \
                         SUBMITTED بمانند، پس از 72 ساعت EXPIRED شوند و هزینه‌شان برنگردد. برای گزارش‌ها صبر کنید یا با \
                         وجود گزارش‌های نرسیده حذف کنید (در API با «?force=true»)."
                    )
                );
            }
            Conflict::CarrierJustUsed => (
                "The carrier took messages less than two minutes ago, so nobody knows yet how many reports are missing. Ask again \
                 in two minutes, or delete it although they may be (in the API with \"?force=true\").",
                "این اپراتور مخابراتی در دو دقیقه‌ی گذشته پیامک گرفته است و هنوز معلوم نیست چند گزارش مانده است. دو دقیقه‌ی دیگر \
                 دوباره بخواهید یا با وجود گزارش‌های نرسیده حذف کنید (در API با «?force=true»).",
            ),
            Conflict::NotRestored(why) => {
                return said!(
                    language,
                    format!("The account's object can't go back to this time, and nothing was changed: {why}"),
                    format!("شیء این حساب نمی‌تواند به این زمان برگردد و چیزی تغییر نکرد: {why}")
                );
            }
            Conflict::BeforeMove(at) => {
                return said!(
                    language,
                    format!(
                        "The account came with the move of the service at {at} and can't go back to before that; nothing was changed. Name \
                         a later time."
                    ),
                    format!(
                        "این حساب در {at} با جابه‌جایی سرویس آمده است و نمی‌تواند به پیش از آن برگردد؛ چیزی تغییر نکرد. زمانی بعد از آن را بفرستید."
                    )
                );
            }
            Conflict::ObjectNotEmpty(name) => {
                return said!(
                    language,
                    format!(
                        "The object \"{name}\" was used before, or gives its own rows, and was not changed. Import into a new service."
                    ),
                    format!(
                        "شیء «{name}» قبلاً استفاده شده یا خودش در حال انتقال است و تغییر نکرد. داده‌ها را به سرویسی جدید وارد کنید."
                    )
                );
            }
            Conflict::ObjectNotFrozen(name) => {
                return said!(
                    language,
                    format!(
                        "The object \"{name}\" is not frozen, or not to take rows, and nothing was changed; freeze it first."
                    ),
                    format!(
                        "شیء «{name}» متوقف نشده است یا برای دریافت داده نیست و چیزی تغییر نکرد؛ ابتدا آن را متوقف کنید."
                    )
                );
            }
            Conflict::RowsNotOfTable(table) => {
                return said!(
                    language,
                    format!(
                        "The table \"{table}\" does not take these rows, and nothing was inserted. Was the archive made by another version?"
                    ),
                    format!(
                        "جدول «{table}» این سطرها را نمی‌پذیرد و چیزی وارد نشد. آیا آرشیو را نسخه‌ی دیگری ساخته است؟"
                    )
                );
            }
            Conflict::VersionRefused(reason) => {
                return said!(
                    language,
                    format!("An operator has refused this version: {reason}. Add a version that can be approved."),
                    format!("مدیر سرویس این نسخه را رد کرده است: {reason}. نسخه‌ای اضافه کنید که تأیید شود.")
                );
            }
            Conflict::CampaignState(state) => {
                return said!(
                    language,
                    format!("The campaign is {state}, and can't do this. {}", way_on(state).0),
                    format!("کمپین در وضعیت {state} است و این کار ممکن نیست. {}", way_on(state).1)
                );
            }
            Conflict::BadSecretKey(name) => {
                return said!(
                    language,
                    format!("The Worker secret {name} is not the base64 text of 32 bytes; set it anew."),
                    format!("سکرت {name} متن base64 یک کلید 32 بایتی نیست؛ آن را دوباره تنظیم کنید.")
                );
            }
            Conflict::NoTransfer => (
                "The service is not about to move in this direction; begin that with PUT /admin/transfer.",
                "انتقال سرویس در این جهت شروع نشده است؛ آن را با PUT /admin/transfer شروع کنید.",
            ),
            Conflict::OtherTransfer => (
                "The service is about to move in the other direction; end that first.",
                "انتقال سرویس در جهت دیگر در جریان است؛ ابتدا آن را تمام کنید.",
            ),
            Conflict::ServiceNotEmpty => (
                "The service has accounts, lines, plans or carriers already, and takes no data of another one; start a new service.",
                "این سرویس حساب، سرشماره، پلن یا اپراتور مخابراتی دارد و داده‌های سرویس دیگری را نمی‌پذیرد؛ سرویسی جدید راه بیندازید.",
            ),
            Conflict::NoPage => (
                "No page begins there; take the \"next\" of the page before.",
                "صفحه‌ای از این‌جا شروع نمی‌شود؛ مقدار «next» صفحه‌ی قبل را بفرستید.",
            ),
            Conflict::UsernameTaken => (
                "Another account has this username; choose another.",
                "این نام کاربری قبلاً گرفته شده است؛ نام دیگری انتخاب کنید.",
            ),
            Conflict::AccountClosed => (
                "The account was closed for good, and nothing of it can be changed. Its ledger and its usage can still be read.",
                "این حساب برای همیشه بسته شده و دیگر چیزی از آن تغییر نمی‌کند. گردش حساب و گزارش مصرف آن همچنان خواندنی است.",
            ),
            Conflict::LineExists => (
                "This line exists already; change that one.",
                "این سرشماره از قبل وجود دارد؛ همان را ویرایش کنید.",
            ),
            Conflict::PlanExists => (
                "This plan exists already; change that one.",
                "این پلن از قبل وجود دارد؛ همان را ویرایش کنید.",
            ),
            Conflict::TooManyKeys => (
                "There are as many API keys and members as there may be; revoke those that nobody uses.",
                "تعداد کلیدهای API و اعضا به سقف رسیده است؛ آن‌هایی را که کسی استفاده نمی‌کند باطل کنید.",
            ),
            Conflict::KeyExists => (
                "This API key exists already; import another one.",
                "این کلید API از قبل وجود دارد؛ کلید دیگری وارد کنید.",
            ),
            Conflict::OwnKey => (
                "The key of the request itself would end; do it with another operator key that does not come from that one, or rotate it.",
                "با این کار همان کلیدی که درخواست با آن فرستاده شده باطل می‌شود؛ آن را با کلید مدیر دیگری از سرویس که از این کلید ساخته نشده باطل کنید یا تعویض (rotate) کنید.",
            ),
            Conflict::LastKey => (
                "No operator key that may do everything would last, because the others were rotated or would end too; issue one first.",
                "با این کار هیچ کلیدی از مدیران سرویس با دسترسی کامل باقی نمی‌ماند، چون بقیه تعویض شده‌اند یا همراه آن باطل می‌شوند؛ ابتدا کلید جدیدی بسازید.",
            ),
            Conflict::OwnMember => (
                "This is yourself; let another member do it, or a key.",
                "این خود شما هستید؛ این کار را عضو دیگری یا یک کلید باید انجام دهد.",
            ),
            Conflict::MemberExists => (
                "This phone is a member already; change that one.",
                "این شماره از قبل عضو است؛ همان را ویرایش کنید.",
            ),
            Conflict::MemberJoined => (
                "The member has joined already, and needs no invitation.",
                "این عضو قبلاً دعوت را پذیرفته است و دعوت‌نامه لازم ندارد.",
            ),
            Conflict::TooManyInvitations => (
                "An account sends 50 invitations in 24 hours, each key or member 25 of them, operators 50 more, and 3 go to one phone; try again tomorrow.",
                "هر حساب در ۲۴ ساعت ۵۰ دعوت‌نامه می‌فرستد، هر کلید یا عضو ۲۵ تا از آن‌ها، و به هر شماره ۳ تا؛ فردا دوباره امتحان کنید.",
            ),
            Conflict::NotMember => (
                "Only a member has passkeys, and this is a key or the session of one; sign in as a member.",
                "فقط اعضا کلید عبور (passkey) دارند و این درخواست با کلید API یا نشست آن فرستاده شده است؛ به عنوان عضو وارد شوید.",
            ),
            Conflict::NeedsPasskey => (
                "Members of this account sign in with a passkey only. Whoever has none asks an owner for a link, and adds one; a new member gets \
                 such a link, and no invitation.",
                "اعضای این حساب فقط با کلید عبور (passkey) وارد می‌شوند. هر کس ندارد از مالک حساب لینک ورود می‌گیرد و کلید عبوری اضافه می‌کند؛ \
                 برای عضو جدید هم به جای دعوت‌نامه لینک ورود بسازید.",
            ),
            Conflict::NoPasskey => (
                "You have no passkey yourself, and could not sign in any more; add one first.",
                "خودتان کلید عبور ندارید و دیگر نمی‌توانستید وارد شوید؛ ابتدا یکی اضافه کنید.",
            ),
            Conflict::PasskeyExists => ("This passkey was added already.", "این کلید عبور از قبل اضافه شده است."),
            Conflict::TooManyPasskeys => (
                "You have as many passkeys as you may have; remove one first.",
                "تعداد کلیدهای عبور شما به سقف رسیده است؛ ابتدا یکی را حذف کنید.",
            ),
            Conflict::NoDomain => (
                "Passkeys need a domain, and this address has none. Open the console by the name of the service, or here as localhost.",
                "کلید عبور به دامنه نیاز دارد و این نشانی دامنه ندارد. پنل را با نام دامنه‌ی سرویس باز کنید، یا روی همین دستگاه با localhost.",
            ),
            Conflict::NoSignIn => (
                "Nobody can sign in by phone here, because the service has no SIGN_IN_ACCOUNT that sends the codes. Sign in with \
                 a key.",
                "اینجا ورود با شماره موبایل ممکن نیست، چون SIGN_IN_ACCOUNT برای ارسال کدها تنظیم نشده است. با کلید وارد شوید.",
            ),
            Conflict::WalletFull => (
                "The wallet can't hold that much; add less.",
                "کیف پول گنجایش این مبلغ را ندارد؛ مبلغ کمتری وارد کنید.",
            ),
            Conflict::TooManyCredits => (
                "Too many credits wait for a second operator; approve or reject some first.",
                "اعتبارهای زیادی در انتظار تأیید مدیر دوم هستند؛ ابتدا تعدادی را تأیید یا رد کنید.",
            ),
            Conflict::CreditApproved => (
                "The credit is approved already, and the money has moved; take it back with a credit of the opposite amount.",
                "این اعتبار از قبل تأیید و اعمال شده است؛ برای برگرداندن آن اعتباری با مبلغ قرینه ثبت کنید.",
            ),
            Conflict::CreditEnded => (
                "The credit was rejected, or nobody has approved it within 7 days; ask for a new one.",
                "این اعتبار رد شده یا در 7 روز تأیید نشده است؛ اعتبار جدیدی ثبت کنید.",
            ),
            Conflict::CreditClaimed => (
                "Another request is about to approve the credit; look at it again in a minute.",
                "درخواست دیگری در حال تأیید این اعتبار است؛ یک دقیقه‌ی دیگر دوباره آن را ببینید.",
            ),
            Conflict::TitleTaken => (
                "Another phonebook of the account has this title.",
                "دفترچه تلفن دیگری با همین عنوان در این حساب هست.",
            ),
            Conflict::TooManyPhonebooks => (
                "The account has as many phonebooks as it may have; delete one first.",
                "تعداد دفترچه تلفن‌های این حساب به سقف رسیده است؛ ابتدا یکی را حذف کنید.",
            ),
            Conflict::PhonebookFull => (
                "The phonebook would have more numbers than it may have; use another one.",
                "شماره‌های دفترچه تلفن از سقف مجاز بیشتر می‌شود؛ از دفترچه‌ی دیگری استفاده کنید.",
            ),
            Conflict::NumberExists => (
                "Another entry of the phonebook has this number.",
                "این شماره قبلاً در همین دفترچه تلفن ثبت شده است.",
            ),
            Conflict::NoRoom => (
                "The service has no room for more numbers and patterns at the moment; nothing was saved. Ask its operator to \
                 make room. Sending goes on.",
                "سرویس فعلاً برای شماره‌ها و پترن‌های بیشتر جا ندارد و چیزی ذخیره نشد. از مدیر سرویس بخواهید جا باز کند. \
                 ارسال پیامک ادامه دارد.",
            ),
            Conflict::PatternExists => (
                "The account has a pattern of this slug already; add a version to it, or choose another slug.",
                "پترنی با این نام از قبل در این حساب هست؛ نسخه‌ای به آن اضافه کنید یا نام دیگری انتخاب کنید.",
            ),
            Conflict::TooManyPatterns => (
                "The account has as many patterns as it may have; delete one first.",
                "تعداد پترن‌های این حساب به سقف رسیده است؛ ابتدا یکی را حذف کنید.",
            ),
            Conflict::TooManyVersions => (
                "The pattern has as many versions as it may have; create another pattern.",
                "تعداد نسخه‌های این پترن به سقف رسیده است؛ پترن دیگری بسازید.",
            ),
            Conflict::VersionActive => ("This version is active already.", "این نسخه از قبل فعال است."),
            Conflict::NoVersionActive => ("No version of the pattern is active.", "هیچ نسخه‌ای از پترن فعال نیست."),
            Conflict::VersionPending => (
                "This version waits for an operator's approval.",
                "این نسخه در انتظار تأیید مدیر سرویس است.",
            ),
            Conflict::PatternActive => (
                "The pattern has an active version; deactivate it first.",
                "پترن نسخه‌ی فعال دارد؛ ابتدا آن را غیرفعال کنید.",
            ),
            Conflict::NotStuck => (
                "Its recipients do not wait any more: they were given up, or a carrier has them. Send a new message to those \
                 that were given up.",
                "گیرندگان آن دیگر در انتظار نیستند: یا از ارسال به آن‌ها صرف‌نظر شده یا اپراتور آن‌ها را گرفته است. برای \
                 گیرندگانی که از آن‌ها صرف‌نظر شده پیامک جدید بفرستید.",
            ),
            Conflict::TooManyCampaigns => (
                "The account has as many campaigns as it may have; delete one that has ended.",
                "تعداد کمپین‌های این حساب به سقف رسیده است؛ یکی از کمپین‌های تمام‌شده را حذف کنید.",
            ),
            Conflict::ResentOnce => (
                "A campaign is resent once, and a resend is not resent: make another campaign.",
                "هر کمپین فقط یک بار بازارسال می‌شود و خود بازارسال را نمی‌توان دوباره فرستاد؛ کمپین دیگری بسازید.",
            ),
            Conflict::CampaignBegun => (
                "The campaign has reached people, so what it sends to whom stays. Its title, time, window, pace, budget and guard can be \
                 changed. For another text or other people, cancel it and make another one.",
                "این کمپین به دست عده‌ای رسیده است و متن و گیرندگانش دیگر تغییر نمی‌کند؛ عنوان، زمان، ساعت‌ها، سرعت، بودجه و نگهبان آن را \
                 می‌توان تغییر داد. برای متن یا گیرندگان دیگر، آن را لغو کنید و کمپین دیگری بسازید.",
            ),
            Conflict::FixedResend => (
                "A resend sends what its campaign sent, to those whom that did not reach. Only its title, time, window, pace, budget and \
                 guard can be changed.",
                "بازارسال همان پیامک کمپین اصلی را به کسانی می‌فرستد که به دستشان نرسیده است؛ فقط عنوان، زمان، ساعت‌ها، سرعت، بودجه و \
                 نگهبان آن را می‌توان تغییر داد.",
            ),
            Conflict::HasLeft => (
                "Nothing of the message waits any more: each recipient has left or has an ending.",
                "از این پیامک چیزی در صف ارسال نمانده است؛ برای هر گیرنده یا ارسال شده یا وضعیت نهایی آن مشخص است.",
            ),
            Conflict::HasCode => (
                "The message has a code. Take its verification back: DELETE /verify/{id}.",
                "این پیامک کد تأیید دارد؛ برای لغو آن، درخواست تأیید را با DELETE /verify/{id} لغو کنید.",
            ),
            Conflict::BlacklistFull => (
                "The blacklist would have more numbers than it may have; remove some first.",
                "شماره‌های لیست سیاه از سقف مجاز بیشتر می‌شود؛ ابتدا تعدادی را حذف کنید.",
            ),
            Conflict::TooManyErasures => (
                "As many numbers are being erased as may be at the same time; repeat the order when some of them are done.",
                "تعداد شماره‌های در حال حذف به سقف رسیده است؛ پس از پایان چند مورد، درخواست را تکرار کنید.",
            ),
            Conflict::CarrierExists => (
                "This carrier exists already; change that one.",
                "این اپراتور مخابراتی از قبل وجود دارد؛ همان را ویرایش کنید.",
            ),
            Conflict::TooManyCarriers => (
                "There are as many carriers as there may be; delete one first.",
                "تعداد اپراتورهای مخابراتی به سقف رسیده است؛ ابتدا یکی را حذف کنید.",
            ),
            Conflict::NoCallback => (
                "Only carriers of the kind \"http\" have addresses that a gateway calls.",
                "فقط اپراتورهای مخابراتی نوع «http» آدرسی دارند که گیت‌وی صدا می‌زند.",
            ),
            Conflict::CarrierStays => (
                "This carrier always exists; set \"active\" to false to stop it.",
                "این اپراتور مخابراتی همیشه وجود دارد؛ برای متوقف کردن آن «active» را false کنید.",
            ),
            Conflict::NoPublicUrl => (
                "Gateways could not report to the service, because it does not know its own address; set PUBLIC_URL to it, \
                 like https://sms.example.com, and deploy.",
                "سرویس آدرس خود را نمی‌داند و گیت‌وی‌ها نمی‌توانند گزارش بفرستند؛ PUBLIC_URL را تنظیم کنید، مانند \
                 https://sms.example.com، و دوباره deploy کنید.",
            ),
            Conflict::NoSecretKey => (
                "The service has no key to keep passwords with; \"npm run deploy -- --secret-file PATH\" sets the Worker secret \
                 SECRET_KEY and keeps a copy.",
                "سرویس کلیدی برای نگهداری رمزها ندارد؛ «npm run deploy -- --secret-file PATH» سکرت SECRET_KEY را تنظیم می‌کند و \
                 نسخه‌ای از آن نگه می‌دارد.",
            ),
            Conflict::TooManyEndpoints => (
                "The account has as many webhook endpoints as it may have; delete one first.",
                "تعداد وب‌هوک‌های این حساب به سقف رسیده است؛ ابتدا یکی را حذف کنید.",
            ),
            Conflict::EndpointInactive => (
                "The webhook endpoint is not active; activate it first.",
                "این وب‌هوک غیرفعال است؛ ابتدا آن را فعال کنید.",
            ),
            Conflict::EndpointBacklogFull => (
                "Too many events wait for this webhook endpoint; try again when it has taken some.",
                "رویدادهای زیادی در انتظار این وب‌هوک هستند؛ پس از تحویل تعدادی از آن‌ها دوباره تلاش کنید.",
            ),
        };
        said!(language, en, fa).to_owned()
    }
}

/// What the sender of a campaign can do in a state, in English and Persian.
fn way_on(state: &str) -> (&'static str, &'static str) {
    match state {
        "COUNTING" => ("Wait until it is DRAFT.", "صبر کنید تا به وضعیت DRAFT برسد."),
        "DRAFT" => ("Start it first.", "ابتدا آن را شروع کنید."),
        "SCHEDULED" | "RUNNING" => ("Pause it first, or cancel it.", "ابتدا آن را متوقف یا لغو کنید."),
        "PAUSED" | "STOPPED" => ("Resume it, or cancel it.", "آن را ادامه دهید یا لغو کنید."),
        _ => (
            "It has ended: make another one.",
            "این کمپین تمام شده است؛ کمپین دیگری بسازید.",
        ),
    }
}
