"""Requests and answers. Their members are those of openapi.json.

Money is in the minor unit of the account's currency, which `unit` names. Times are RFC 3339.
Made by `npm run clients` from openapi.json.
"""

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union


class FieldError(TypedDict):
    """A fault of one member of the request."""

    pointer: str  # a JSON pointer into the body, like /recipients/1
    detail: str


class ProofKey(TypedDict):
    """A key that checks proofs, as a JWK (RFC 8037)."""

    alg: Literal["EdDSA"]
    crv: Literal["Ed25519"]
    # The name of the key, which the headers of its proofs have: its thumbprint (RFC 7638).
    kid: str
    kty: Literal["OKP"]
    use: Literal["sig"]
    # The 32 bytes of the key, in base64url.
    x: str


class ProofKeys(TypedDict):
    """The keys that check proofs, as a JWK Set (RFC 7517)."""

    # The key of new proofs comes first. While the operator changes `SECRET_KEY`, the key before it follows.
    keys: List[ProofKey]


AccountStatus = Literal["ACTIVE", "INACTIVE"]
"""Whether the account may send."""


class Balance(TypedDict):
    """The money of an account."""

    # What can be spent.
    availableBalance: int
    # What is reserved for messages.
    lockedBalance: int
    # Both together.
    totalBalance: int
    # The currency of the amounts.
    unit: str


class AccountInfoAccountInfoPlan(TypedDict):
    title: str


class AccountInfoAccountInfo(TypedDict):
    fullName: str
    id: str
    plan: AccountInfoAccountInfoPlan
    status: AccountStatus
    # The time zone of the account's days.
    timeZone: str
    username: str


class AccountInfo(TypedDict):
    """The account of the key."""

    accountInfo: AccountInfoAccountInfo
    wallet: Balance


class AccountSettingsInput(TypedDict, total=False):
    """What an account decides for itself. What is left out stays."""

    # The time zone of the account's days, by its name in the IANA database.
    timeZone: Optional[str]


class AccountSettings(TypedDict):
    """What an account decides for itself."""

    # The time zone of the account's days.
    timeZone: str


class LowBalance(TypedDict):
    """The account's threshold for `wallet.low`."""

    # The balance below which endpoints get `wallet.low` that have no `lowBalance` of their own.
    lowBalance: Optional[int]
    # The currency of the amounts.
    unit: str


class LowBalanceInput(TypedDict):
    """A threshold for `wallet.low`."""

    # The new threshold. `null`: none.
    lowBalance: Optional[int]


class OutcomesOperators(TypedDict):
    delivered: int
    failed: int
    # `MCI`, `MTN`, or `OTHER` for all others.
    operator: str
    # They wait, were canceled, or nobody knows.
    others: int


class OutcomesReasons(TypedDict):
    # As the `error` of a recipient.
    reason: str
    recipients: int


class Outcomes(TypedDict):
    """How the newest messages have ended."""

    # Whether there are older ones since `from` that were not looked at.
    hasMore: bool
    # By the operator whose prefix the number has.
    operators: List[OutcomesOperators]
    # Why recipients have not got their message, the commonest reason first.
    reasons: List[OutcomesReasons]
    # How many recipients were looked at, the newest first.
    recipients: int


class Transaction(TypedDict):
    """An entry of the ledger."""

    amount: int
    # The balance after it.
    availableBalance: int
    createdAt: str
    # Its number in the ledger.
    id: int
    # The balance after it.
    lockedBalance: int
    # The message's uid. `null` if there is none, or if it is gone.
    message: Optional[str]
    # What an operator has written.
    note: Optional[str]
    # `CREDIT`: an operator has added money, or taken it out. `RESERVE`, `SETTLE`, `RELEASE` and `REFUND`: money of a
    # message was reserved, spent, released or given back.
    type: Literal["CREDIT", "RESERVE", "SETTLE", "RELEASE", "REFUND"]
    # The currency of the amounts.
    unit: str


class UnsentLines(TypedDict):
    line: str
    # How long the oldest of them has waited.
    oldestSeconds: int
    recipients: int


class Unsent(TypedDict):
    """What has not left yet."""

    # Whether there are more than were counted.
    hasMore: bool
    # Whether an operator holds back all that the account sends.
    hold: bool
    # The lines on which recipients have waited for ten seconds or longer and could have left: the line's carriers are
    # down, or take less than is sent.
    lines: List[UnsentLines]
    # Why the account is on hold, may not send or is not active, in an operator's words.
    reason: Optional[str]
    # All recipients that have not left.
    recipients: int
    # Those of them whose `sendAt` has not come.
    scheduled: int
    # Those of them that carriers have at the moment: most of them can't be called back.
    withCarriers: int


class UsageDayKeysLive(TypedDict):
    # The price of these messages.
    cost: int
    # Messages that were accepted on the day.
    messages: int
    # The parts of the recipients' texts.
    parts: int
    # The recipients of these messages.
    recipients: int
    # What of it was released or given back.
    returned: int


class UsageDayKeysTest(TypedDict):
    # The price of these messages.
    cost: int
    # Messages that were accepted on the day.
    messages: int
    # The parts of the recipients' texts.
    parts: int
    # The recipients of these messages.
    recipients: int
    # What of it was released or given back.
    returned: int


class UsageDayKeys(TypedDict):
    # `CONSOLE`: people have sent it in the console. `OTHER`: no key has, like the reply to an opt-out, or it was sent
    # before keys were counted.
    by: Literal["KEY", "CONSOLE", "OTHER"]
    # The id of the key. `null`: it is none.
    key: Optional[str]
    # What was sent live.
    live: UsageDayKeysLive
    # What was sent in tests.
    test: UsageDayKeysTest
    # The title of the key. It stays when the key is gone.
    title: Optional[str]


class UsageDayLiveStatuses(TypedDict):
    CANCELED: int
    DELIVERED: int
    EXPIRED: int
    REJECTED: int
    UNDELIVERED: int
    UNKNOWN: int


class UsageDayLive(TypedDict):
    # The price of these messages.
    cost: int
    # Messages that were accepted on the day.
    messages: int
    # The parts of the recipients' texts.
    parts: int
    # How many of the recipients have none of these.
    pending: int
    # The recipients of these messages.
    recipients: int
    # What of it was released or given back.
    returned: int
    # How many of the recipients have this status now.
    statuses: UsageDayLiveStatuses


class UsageDayTestStatuses(TypedDict):
    CANCELED: int
    DELIVERED: int
    EXPIRED: int
    REJECTED: int
    UNDELIVERED: int
    UNKNOWN: int


class UsageDayTest(TypedDict):
    # The price of these messages.
    cost: int
    # Messages that were accepted on the day.
    messages: int
    # The parts of the recipients' texts.
    parts: int
    # How many of the recipients have none of these.
    pending: int
    # The recipients of these messages.
    recipients: int
    # What of it was released or given back.
    returned: int
    # How many of the recipients have this status now.
    statuses: UsageDayTestStatuses


class UsageDay(TypedDict):
    """What an account has sent on a day of UTC."""

    date: str
    # Who has sent that: together they come to the same.
    keys: List[UsageDayKeys]
    # What live keys have sent.
    live: UsageDayLive
    # How many of the live recipients that are `DELIVERED` the sandbox took in place of a carrier that sends: they
    # reached nobody.
    simulated: int
    # What test keys have sent. It costs nothing.
    test: UsageDayTest
    # The currency of the amounts.
    unit: str


class BlockedNumber(TypedDict):
    """A number on the blacklist."""

    createdAt: str
    number: str
    # Whether the owner of the number has put it there, by a reply.
    optOut: bool


class NumberList(TypedDict):
    """Up to 1,000 numbers."""

    numbers: List[str]


class AddedNumbers(TypedDict):
    """What has become of the numbers."""

    added: int
    # How many numbers were so already.
    unchanged: int


class RemovedNumbers(TypedDict):
    """What has become of the numbers."""

    removed: int
    # How many numbers were so already.
    unchanged: int


class CampaignGuard(TypedDict):
    """What stops a campaign that goes wrong."""

    after: int
    failedShare: Optional[int]
    optOutShare: Optional[int]


DeliveryError = Literal["ABSENT_SUBSCRIBER", "UNKNOWN_SUBSCRIBER", "BLOCKED", "CONTENT_REFUSED", "SENDER_REFUSED", "EXPIRED", "NO_REPORT", "BLACKLISTED", "NOT_A_DESTINATION", "TEXT_NOT_SENDABLE", "RECIPIENT_LIMIT", "CARRIER_ERROR"]
"""Why a recipient did not get the message. The names are stable; new ones may be added."""


CampaignReason = Literal["LOW_BALANCE", "NO_LINE", "SENDING_OFF", "NO_PHONEBOOK", "NOT_SENDABLE", "BY_OPERATOR", "BUDGET", "DAILY_LIMIT", "RESTORED", "FAILED_SHARE", "OPT_OUT_SHARE"]
"""Why a campaign is where it is, if that was not its sender. The names are stable; new ones may be added."""


CampaignState = Literal["COUNTING", "DRAFT", "SCHEDULED", "RUNNING", "PAUSED", "STOPPED", "DONE", "CANCELED"]
"""How far a campaign has come. `COUNTING` and `DRAFT`: nobody gets anything before it is started. `PAUSED`: until
its sender resumes it. `STOPPED`: one of its bounds has stopped it, and its sender may resume it.
"""


_HoursKeywords = TypedDict("_HoursKeywords", {"from": str})


class Hours(_HoursKeywords):
    """Hours of the day in a time zone."""

    timeZone: str
    to: str


class CampaignCountedOperators(TypedDict):
    cost: int
    # `MCI`, `MTN` or `OTHER`.
    operator: str
    people: int


class CampaignCounted(TypedDict):
    # What all of it would cost.
    cost: int
    # The people and the cost by mobile operator.
    operators: List[CampaignCountedOperators]
    # The parts of their texts together.
    parts: int
    # How many people would get it.
    people: int
    # How many would be left out, by reason.
    skipped: Dict[str, int]


class CampaignProgressFailures(TypedDict):
    count: int
    error: DeliveryError
    # `MCI`, `MTN` or `OTHER`.
    operator: str


class _CampaignProgressRequired(TypedDict):
    # How many of the recipients were canceled: they never get the message, and it is paid back.
    canceled: int
    # What the waves cost.
    cost: int
    # How many of the recipients have the message.
    delivered: int
    # How many of the recipients have failed to get it.
    failed: int
    # How many of the recipients have no ending yet.
    open: int
    # How many people have opted out by a reply since it reached them.
    optOuts: int
    # How many of the recipients wait for a carrier.
    queued: int
    # How many people they go to.
    recipients: int
    # What of it was released or given back.
    returned: int
    # How many were left out.
    skipped: int
    # How many waves were accepted. Each is a message.
    waves: int


class CampaignProgress(_CampaignProgressRequired, total=False):
    # Why recipients have failed. Not in the list of campaigns.
    failures: List[CampaignProgressFailures]


class _CampaignRequired(TypedDict):
    # What all of it may cost.
    budget: Optional[int]
    # What it would come to, if it were started as it was when it was counted. While it is `COUNTING`, this grows.
    counted: CampaignCounted
    createdAt: str
    endedAt: Optional[str]
    # What stops it when it goes wrong. `null`: nothing does.
    guard: Optional[CampaignGuard]
    id: str
    # When its next wave is due at the earliest, if it runs or waits for its time.
    nextAt: Optional[str]
    # How many people it may reach in a minute.
    perMinute: Optional[int]
    # What it has come to so far.
    progress: CampaignProgress
    # Why it is paused, stopped or canceled, or could not be counted, if that was not its sender.
    reason: Optional[CampaignReason]
    # The id of the campaign that it is the resend of.
    resendOf: Optional[str]
    # The id of its resend, as long as that is there.
    resentAs: Optional[str]
    # When it begins. `null`: when it is started.
    sendAt: Optional[str]
    # The line that it is sent from. `null`: the account's default line.
    sourceNumber: Optional[str]
    startedAt: Optional[str]
    state: CampaignState
    # Whether a test key has made it. Then nobody gets anything.
    test: bool
    title: str
    # The currency of the amounts.
    unit: str
    # The hours in which waves go out. `null`: all hours.
    window: Optional[Hours]


class Campaign(_CampaignRequired, total=False):
    """A campaign."""

    # There if the sandbox has taken some of it in place of a carrier that sends: that reached nobody.
    simulated: Literal[True]


class _FailedGuardRequired(TypedDict):
    # Percent.
    failedShare: int


class FailedGuard(_FailedGuardRequired, total=False):
    # How many people must have their ending before the guard judges. Left out: `100`.
    after: Optional[int]
    # How many of a hundred people that it goes to may opt out by a reply.
    optOutShare: Optional[int]


class _OptOutGuardRequired(TypedDict):
    # Percent.
    optOutShare: int


class OptOutGuard(_OptOutGuardRequired, total=False):
    # How many people must have their ending before the guard judges. Left out: `100`.
    after: Optional[int]
    # How many of a hundred people whose ending is known may have failed to get it.
    failedShare: Optional[int]


GuardInput = Union[FailedGuard, OptOutGuard]
"""What stops a campaign that goes wrong: one share, or both."""


class ValueTest(TypedDict):
    """A test of a value."""

    # `name`, or the name of an attribute.
    attribute: str
    # How the values are compared. `LESS` and `GREATER` compare numbers as numbers and all else as texts, such as
    # dates that begin with the year. Digits and letters are compared however they are written.
    operator: Literal["EQUALS", "NOT_EQUALS", "LESS", "GREATER", "CONTAINS"]
    # What the number's value is compared with.
    value: str


class PresenceTest(TypedDict):
    """A test whether there is a value."""

    # `name`, or the name of an attribute.
    attribute: str
    operator: Literal["EXISTS", "MISSING"]


TestInput = Union[ValueTest, PresenceTest]
"""A test of what a phonebook has for a number."""


class TextCampaignExclude(TypedDict, total=False):
    # Numbers that get nothing.
    numbers: Optional[List[str]]
    # The ids of phonebooks whose members get nothing.
    phonebooks: Optional[List[str]]


class _TextCampaignWhereRequired(TypedDict):
    tests: List[TestInput]


class TextCampaignWhere(_TextCampaignWhereRequired, total=False):
    # Whether `ALL` of the tests must hold, which is so if it is left out, or `ANY` of them.
    match: Optional[Literal["ALL", "ANY"]]


_TextCampaignWindowKeywords = TypedDict("_TextCampaignWindowKeywords", {"from": str})


class TextCampaignWindow(_TextCampaignWindowKeywords):
    # The time zone, by its name in the IANA database.
    timeZone: str
    # When it closes. Earlier than `from`: it is on the next day.
    to: str


class _TextCampaignRequired(TypedDict):
    # The text. `%name%`, and `%…%` with the name of an attribute, stand for what the phonebook has for the number. At
    # most 21 different placeholders.
    message: str
    # The ids of the phonebooks whose members it goes to. A number that stands in several counts once.
    phonebooks: List[str]
    # The title, for you.
    title: str


class TextCampaign(_TextCampaignRequired, total=False):
    """A campaign of a text, filled in for each number."""

    # What all of it may cost. What comes back of it makes room again. Left out: as much as it costs.
    budget: Optional[int]
    # Who is left out, whoever else names them.
    exclude: Optional[TextCampaignExclude]
    guard: Optional[GuardInput]
    pattern: None
    # How many people it may reach in a minute. Left out: as many as can be.
    perMinute: Optional[int]
    # When it begins once it is started, at most 90 days ahead. Left out: at once.
    sendAt: Optional[str]
    # The line to send from. Left out or empty: the account's default line.
    sourceNumber: Optional[str]
    # What to do if the text has a `%…%` that no phonebook has: `REFUSE` the send, which is so if it is left out, or
    # `KEEP` it as text.
    unknownPlaceholders: Optional[str]
    # Which of the members it goes to. Left out: all. The key needs the scope `phonebook` for it.
    where: Optional[TextCampaignWhere]
    # The hours in which waves go out. What does not fit goes on the next day. Left out: all hours.
    window: Optional[TextCampaignWindow]


class PatternCampaignExclude(TypedDict, total=False):
    # Numbers that get nothing.
    numbers: Optional[List[str]]
    # The ids of phonebooks whose members get nothing.
    phonebooks: Optional[List[str]]


class _PatternCampaignWhereRequired(TypedDict):
    tests: List[TestInput]


class PatternCampaignWhere(_PatternCampaignWhereRequired, total=False):
    # Whether `ALL` of the tests must hold, which is so if it is left out, or `ANY` of them.
    match: Optional[Literal["ALL", "ANY"]]


_PatternCampaignWindowKeywords = TypedDict("_PatternCampaignWindowKeywords", {"from": str})


class PatternCampaignWindow(_PatternCampaignWindowKeywords):
    # The time zone, by its name in the IANA database.
    timeZone: str
    # When it closes. Earlier than `from`: it is on the next day.
    to: str


class _PatternCampaignRequired(TypedDict):
    # The slug of the pattern.
    pattern: str
    # The ids of the phonebooks whose members it goes to. A number that stands in several counts once.
    phonebooks: List[str]
    # The title, for you.
    title: str


class PatternCampaign(_PatternCampaignRequired, total=False):
    """A campaign of a pattern, filled in once."""

    # What all of it may cost. What comes back of it makes room again. Left out: as much as it costs.
    budget: Optional[int]
    # Who is left out, whoever else names them.
    exclude: Optional[PatternCampaignExclude]
    guard: Optional[GuardInput]
    message: None
    # How many people it may reach in a minute. Left out: as many as can be.
    perMinute: Optional[int]
    # When it begins once it is started, at most 90 days ahead. Left out: at once.
    sendAt: Optional[str]
    # The line to send from. Left out or empty: the account's default line.
    sourceNumber: Optional[str]
    # The values of the pattern's variables, by their names.
    variables: Optional[Dict[str, Optional[Union[str, float]]]]
    # Which of the members it goes to. Left out: all. The key needs the scope `phonebook` for it.
    where: Optional[PatternCampaignWhere]
    # The hours in which waves go out. What does not fit goes on the next day. Left out: all hours.
    window: Optional[PatternCampaignWindow]


CampaignInput = Union[TextCampaign, PatternCampaign]
"""A campaign to make."""


class ConditionTests(TypedDict):
    # `name`, or the name of an attribute.
    attribute: str
    operator: Literal["EQUALS", "NOT_EQUALS", "LESS", "GREATER", "CONTAINS", "EXISTS", "MISSING"]
    value: Optional[str]


class Condition(TypedDict):
    """Which members of phonebooks a campaign goes to."""

    # Whether `ALL` of the tests must hold, or `ANY` of them.
    match: Literal["ALL", "ANY"]
    tests: List[ConditionTests]


class CampaignDetailCountedOperators(TypedDict):
    cost: int
    # `MCI`, `MTN` or `OTHER`.
    operator: str
    people: int


class CampaignDetailCounted(TypedDict):
    # What all of it would cost.
    cost: int
    # The people and the cost by mobile operator.
    operators: List[CampaignDetailCountedOperators]
    # The parts of their texts together.
    parts: int
    # How many people would get it.
    people: int
    # How many would be left out, by reason.
    skipped: Dict[str, int]


class CampaignDetailExclude(TypedDict):
    # The numbers that get nothing.
    numbers: List[str]
    # The ids of the phonebooks whose members get nothing.
    phonebooks: List[str]


class CampaignDetailProgressFailures(TypedDict):
    count: int
    error: DeliveryError
    # `MCI`, `MTN` or `OTHER`.
    operator: str


class _CampaignDetailProgressRequired(TypedDict):
    # How many of the recipients were canceled: they never get the message, and it is paid back.
    canceled: int
    # What the waves cost.
    cost: int
    # How many of the recipients have the message.
    delivered: int
    # How many of the recipients have failed to get it.
    failed: int
    # How many of the recipients have no ending yet.
    open: int
    # How many people have opted out by a reply since it reached them.
    optOuts: int
    # How many of the recipients wait for a carrier.
    queued: int
    # How many people they go to.
    recipients: int
    # What of it was released or given back.
    returned: int
    # How many were left out.
    skipped: int
    # How many waves were accepted. Each is a message.
    waves: int


class CampaignDetailProgress(_CampaignDetailProgressRequired, total=False):
    # Why recipients have failed. Not in the list of campaigns.
    failures: List[CampaignDetailProgressFailures]


class _CampaignDetailRequired(TypedDict):
    # What all of it may cost.
    budget: Optional[int]
    # What it would come to, if it were started as it was when it was counted. While it is `COUNTING`, this grows.
    counted: CampaignDetailCounted
    createdAt: str
    endedAt: Optional[str]
    # Who is left out.
    exclude: CampaignDetailExclude
    # What stops it when it goes wrong. `null`: nothing does.
    guard: Optional[CampaignGuard]
    id: str
    # The text. `null` if it sends a pattern.
    message: Optional[str]
    # When its next wave is due at the earliest, if it runs or waits for its time.
    nextAt: Optional[str]
    # The slug of the pattern. `null` if it sends a text.
    pattern: Optional[str]
    # How many people it may reach in a minute.
    perMinute: Optional[int]
    # The ids of the phonebooks whose members it goes to.
    phonebooks: List[str]
    # What it has come to so far.
    progress: CampaignDetailProgress
    # Why it is paused, stopped or canceled, or could not be counted, if that was not its sender.
    reason: Optional[CampaignReason]
    # The id of the campaign that it is the resend of.
    resendOf: Optional[str]
    # The id of its resend, as long as that is there.
    resentAs: Optional[str]
    # When it begins. `null`: when it is started.
    sendAt: Optional[str]
    # The line that it is sent from. `null`: the account's default line.
    sourceNumber: Optional[str]
    startedAt: Optional[str]
    state: CampaignState
    # Whether a test key has made it. Then nobody gets anything.
    test: bool
    title: str
    # The currency of the amounts.
    unit: str
    # Which of the members it goes to. `null`: all.
    where: Optional[Condition]
    # The hours in which waves go out. `null`: all hours.
    window: Optional[Hours]


class CampaignDetail(_CampaignDetailRequired, total=False):
    """A campaign with what it sends to whom."""

    # There if the sandbox has taken some of it in place of a carrier that sends: that reached nobody.
    simulated: Literal[True]
    # The values of the pattern's variables.
    variables: Dict[str, str]


class TextCampaignChangeExclude(TypedDict, total=False):
    # Numbers that get nothing.
    numbers: Optional[List[str]]
    # The ids of phonebooks whose members get nothing.
    phonebooks: Optional[List[str]]


class _TextCampaignChangeWhereRequired(TypedDict):
    tests: List[TestInput]


class TextCampaignChangeWhere(_TextCampaignChangeWhereRequired, total=False):
    # Whether `ALL` of the tests must hold, which is so if it is left out, or `ANY` of them.
    match: Optional[Literal["ALL", "ANY"]]


_TextCampaignChangeWindowKeywords = TypedDict("_TextCampaignChangeWindowKeywords", {"from": str})


class TextCampaignChangeWindow(_TextCampaignChangeWindowKeywords):
    # The time zone, by its name in the IANA database.
    timeZone: str
    # When it closes. Earlier than `from`: it is on the next day.
    to: str


class TextCampaignChange(TypedDict, total=False):
    """A change of a campaign that sends a text from then on."""

    # What all of it may cost. What comes back of it makes room again. Left out: as much as it costs.
    budget: Optional[int]
    # Who is left out, whoever else names them.
    exclude: Optional[TextCampaignChangeExclude]
    guard: Optional[GuardInput]
    # The text. `%name%`, and `%…%` with the name of an attribute, stand for what the phonebook has for the number. At
    # most 21 different placeholders.
    message: str
    pattern: None
    # How many people it may reach in a minute. Left out: as many as can be.
    perMinute: Optional[int]
    # The ids of the phonebooks whose members it goes to.
    phonebooks: List[str]
    # When it begins once it is started.
    sendAt: Optional[str]
    # The line to send from.
    sourceNumber: Optional[str]
    # The title, for you.
    title: str
    # What to do if the text has a `%…%` that no phonebook has: `REFUSE` the send, which is so if it is left out, or
    # `KEEP` it as text.
    unknownPlaceholders: Optional[str]
    # Which of the members it goes to. Left out: all. The key needs the scope `phonebook` for it.
    where: Optional[TextCampaignChangeWhere]
    # The hours in which waves go out. What does not fit goes on the next day. Left out: all hours.
    window: Optional[TextCampaignChangeWindow]


class PatternCampaignChangeExclude(TypedDict, total=False):
    # Numbers that get nothing.
    numbers: Optional[List[str]]
    # The ids of phonebooks whose members get nothing.
    phonebooks: Optional[List[str]]


class _PatternCampaignChangeWhereRequired(TypedDict):
    tests: List[TestInput]


class PatternCampaignChangeWhere(_PatternCampaignChangeWhereRequired, total=False):
    # Whether `ALL` of the tests must hold, which is so if it is left out, or `ANY` of them.
    match: Optional[Literal["ALL", "ANY"]]


_PatternCampaignChangeWindowKeywords = TypedDict("_PatternCampaignChangeWindowKeywords", {"from": str})


class PatternCampaignChangeWindow(_PatternCampaignChangeWindowKeywords):
    # The time zone, by its name in the IANA database.
    timeZone: str
    # When it closes. Earlier than `from`: it is on the next day.
    to: str


class PatternCampaignChange(TypedDict, total=False):
    """A change of a campaign that sends what it did, or a pattern from then on."""

    # What all of it may cost. What comes back of it makes room again. Left out: as much as it costs.
    budget: Optional[int]
    # Who is left out, whoever else names them.
    exclude: Optional[PatternCampaignChangeExclude]
    guard: Optional[GuardInput]
    message: None
    # The slug of a pattern, in place of what it sent.
    pattern: Optional[str]
    # How many people it may reach in a minute. Left out: as many as can be.
    perMinute: Optional[int]
    # The ids of the phonebooks whose members it goes to.
    phonebooks: List[str]
    # When it begins once it is started.
    sendAt: Optional[str]
    # The line to send from.
    sourceNumber: Optional[str]
    # The title, for you.
    title: str
    # The values of the pattern's variables, by their names.
    variables: Optional[Dict[str, Optional[Union[str, float]]]]
    # Which of the members it goes to. Left out: all. The key needs the scope `phonebook` for it.
    where: Optional[PatternCampaignChangeWhere]
    # The hours in which waves go out. What does not fit goes on the next day. Left out: all hours.
    window: Optional[PatternCampaignChangeWindow]


CampaignChange = Union[TextCampaignChange, PatternCampaignChange]
"""What to change. What is left out stays; `null` takes away what a campaign can do without."""


RecipientStatus = Literal["SCHEDULED", "QUEUED", "UNKNOWN", "SUBMITTED", "DELIVERED", "UNDELIVERED", "EXPIRED", "REJECTED", "CANCELED", "SKIPPED"]
"""The status of a recipient. `SCHEDULED`, `QUEUED` and `UNKNOWN` hold its money, `SUBMITTED` and `DELIVERED` have
spent it. `UNKNOWN`: the carrier may have the message, and Peyk does not send it again.
"""


class _RecipientRequired(TypedDict):
    # The recipient's price.
    cost: int
    # The number in E.164, or `erased`.
    recipient: str
    status: RecipientStatus
    # The uid of the recipient: that of the message, and its index in the message.
    uid: str
    # When its status has changed.
    updatedAt: str


class Recipient(_RecipientRequired, total=False):
    """A recipient. `message`, `encoding` and `parts` are there if it has a text of its own."""

    # How the text is encoded on the air.
    encoding: Literal["GSM7", "UCS2"]
    error: DeliveryError
    # The recipient's own text, if it has one.
    message: str
    # How many parts the text has.
    parts: int
    # There if the sandbox has taken it in place of a carrier that sends: it reached nobody.
    simulated: Literal[True]
    # There if a text of the item is cut in this list. Asked for alone, it is whole.
    textTruncated: Literal[True]


class LinkInput(TypedDict, total=False):
    """A link to make."""

    # How long it can be used. Left out: `600`.
    ttlSeconds: Optional[int]


class ConsoleLink(TypedDict):
    """A link. It opens one session."""

    # The code. It is answered this one time.
    code: str
    expiresAt: Optional[str]
    # The address of the console with the code, for a person to open.
    url: str


Scope = Literal["sms:send", "sms:read", "phonebook", "pattern", "verify", "blacklist", "erasure", "account:read", "webhook", "keys", "admin", "admin:read", "admin:money", "admin:accounts", "admin:carriers", "admin:service", "admin:metrics", "admin:transfer"]
"""What a key may do."""


class ConsoleSessionAccount(TypedDict):
    fullName: str
    id: str
    # The time zone of the account's days.
    timeZone: str
    username: str


class ConsoleSessionAccounts(TypedDict):
    fullName: Optional[str]
    # The id of the account. The operators, who have no account, have the id `operator`.
    id: str
    username: Optional[str]


class ConsoleSessionMember(TypedDict):
    # What passkeys of the member have as the id of their user, base64url.
    passkeyUser: Optional[str]
    phone: str
    # `null`: an operator has none.
    role: Optional[Literal["OWNER", "SENDER", "FINANCE", "VIEWER"]]
    # By what the person has signed in.
    signedInBy: Optional[Literal["CODE", "PASSKEY", "LINK"]]


class ConsoleSession(TypedDict):
    """Who is signed in."""

    # The account. `null`: an operator has none.
    account: Optional[ConsoleSessionAccount]
    # The accounts that the member may go over to, this one included. Nobody else has any. Who has not signed in with
    # a code has this one only: only a code shows that the person has the phone.
    accounts: List[ConsoleSessionAccounts]
    # When the session ends by itself. `null`: the request came with a key that does not.
    expiresAt: Optional[str]
    # The session, as lists of keys have it; of a request with a key that key.
    keyId: str
    # The lines that the session may send from; `null`: all of the account.
    lines: Optional[List[str]]
    # The member who has signed in. `null`: somebody with a key or a link has.
    member: Optional[ConsoleSessionMember]
    # With the session of a test key, sends cost nothing and reach no carrier.
    mode: Literal["live", "test"]
    # Whether the pages of customers are for the session, or those of operators.
    role: Literal["CUSTOMER", "OPERATOR"]
    scopes: List[Scope]
    # What the key is for by which the session was opened, or the name of the member.
    title: str


class ErasedData(TypedDict):
    """What an order has met so far."""

    # Whether the number was on the blacklist. It stays blocked.
    blacklisted: bool
    # Those of them that had not left: they are canceled and paid back. Who was with a carrier and comes back is
    # canceled too, and not counted here.
    canceled: int
    # Events of webhooks, waiting or delivered.
    events: int
    # Messages from the phone.
    inbound: int
    # Texts of other messages, and references, that had the number in them.
    mentions: int
    # Entries of phonebooks.
    phonebookNumbers: int
    # Recipients of messages.
    recipients: int


class Erasure(TypedDict):
    """An order to erase a number."""

    # Of an order as operators see it: how many accounts are done with it.
    accounts: Optional[int]
    createdAt: str
    doneAt: Optional[str]
    found: ErasedData
    id: str
    # The last two digits of the number. The order does not keep the others when it is done.
    numberEnding: str
    # Who has given the order: the account, or operators over all accounts.
    orderedBy: Literal["ACCOUNT", "OPERATORS"]
    # `DONE`: nothing has the number any more. An order runs for two hours at least.
    status: Literal["RUNNING", "DONE"]


class ErasureInput(TypedDict):
    """A number to erase."""

    number: str


class Health(TypedDict):
    """The service is up."""

    status: Literal["UP"]
    # The version of the service.
    version: str


class PhonebookNumber(TypedDict):
    """A number of a phonebook."""

    attributes: Dict[str, str]
    createdAt: str
    id: int
    name: Optional[str]
    number: str


class HeldNumber(TypedDict):
    """What a phonebook has on a number."""

    entry: PhonebookNumber
    phonebookId: str
    title: str


class Held(TypedDict):
    """What an account holds on a number."""

    # Whether it is on the blacklist. After an erasure it stays blocked, and the list does not name it.
    blacklisted: bool
    # Messages from the phone. It counts 10,000 at most. `GET /inbound?from=` lists them.
    inbound: int
    # Messages to the number, codes among them. It counts 10,000 at most. `GET /messages?recipient=` lists them.
    messages: int
    number: str
    # Whether the owner of the number has put it there, by a reply.
    optOut: bool
    # What each phonebook has on it, the oldest phonebook first.
    phonebooks: List[HeldNumber]


_InboundMessageKeywords = TypedDict("_InboundMessageKeywords", {"from": str})


class _InboundMessageRequired(_InboundMessageKeywords):
    # Its id. The webhook event `message.received` has the same.
    id: str
    # The line that it was sent to.
    line: str
    # Its number in the account. A later message has a higher one.
    number: int
    # Whether it has put its sender on the blacklist.
    optOut: bool
    receivedAt: str
    # Whether `POST /inbound/take` has answered it before, or does now.
    taken: bool
    # The text. At most 10,000 characters; what goes beyond is not kept.
    text: str


class InboundMessage(_InboundMessageRequired, total=False):
    """A message that a phone has sent."""

    # There if a text of the item is cut in this list. Asked for alone, it is whole.
    textTruncated: Literal[True]


class InboundToTake(TypedDict, total=False):
    """Which messages to take."""

    # How many at most. Left out: `100`.
    limit: Optional[int]
    # Only messages to this line. Left out: those to any.
    line: Optional[str]


class TakenInbound(TypedDict):
    """Messages that a request has taken."""

    messages: List[InboundMessage]


class OwnKey(TypedDict):
    """A key of the account."""

    createdAt: str
    # The key that has made it; `null`: no key of this list.
    createdBy: Optional[str]
    # Whether it is the key of the request.
    current: bool
    # What it may spend in a day (UTC); `null`: as much as the account.
    dailySpend: Optional[int]
    expiresAt: Optional[str]
    # The first characters of the key and the last four. `null`: it was revoked before anybody used it.
    hint: Optional[str]
    id: str
    # The networks that it may be used from; `null`: all.
    ips: Optional[List[str]]
    # The address that it came from then; another one shows after a minute. `null`: nobody knows.
    lastAddress: Optional[str]
    # The hour in which a request came with it last: when that began. `null`: none has come.
    lastUsedAt: Optional[str]
    # The lines that the key may send from; `null`: all of the account.
    lines: Optional[List[str]]
    # Sends of test keys cost nothing and reach no carrier.
    mode: Literal["live", "test"]
    # How many tokens it may take in a minute; `null`: as many as the account.
    ratePerMinute: Optional[int]
    # The key that has replaced it.
    replacedBy: Optional[str]
    revokedAt: Optional[str]
    scopes: List[Scope]
    # The key by which this session of the console was opened, and with which it ends; `null`: it is no session.
    sessionOf: Optional[str]
    title: str


AccountScope = Literal["sms:send", "sms:read", "phonebook", "pattern", "verify", "blacklist", "erasure", "account:read", "webhook", "keys"]
"""What a key of an account may do."""


class _OwnKeyInputRequired(TypedDict):
    # What the key is for.
    title: str


class OwnKeyInput(_OwnKeyInputRequired, total=False):
    """A key to issue."""

    # At most as much as the key of the request has.
    dailySpend: Optional[int]
    # When the key ends.
    expiresAt: Optional[str]
    # `HEX32` and `HEX64` are hexadecimal digits only, for programs that take no other keys. Such a key has no
    # checksum, and does not tell its mode. Left out: `PEYK`.
    form: Optional[Literal["PEYK", "HEX32", "HEX64"]]
    # Its networks are among those of the key of the request.
    ips: Optional[List[str]]
    key: None
    # The lines that it may send from, of those that the key of the request may.
    lines: Optional[List[str]]
    # A test key can issue test keys only.
    mode: Optional[Literal["live", "test"]]
    # At most as much as the key of the request has.
    ratePerMinute: Optional[int]
    # What the key may do, of what the key of the request may; all of that but `keys`, `webhook` and `erasure` if left
    # out.
    scopes: Optional[List[AccountScope]]


class IssuedKey(TypedDict):
    """A key that was just issued."""

    createdAt: str
    # The key that has made it; `null`: no key of this list.
    createdBy: Optional[str]
    # What it may spend in a day (UTC); `null`: as much as the account.
    dailySpend: Optional[int]
    expiresAt: Optional[str]
    # The first characters of the key and the last four. `null`: it was revoked before anybody used it.
    hint: Optional[str]
    id: str
    # The networks that it may be used from; `null`: all.
    ips: Optional[List[str]]
    # The key. It is answered this one time.
    key: str
    # The address that it came from then; another one shows after a minute. `null`: nobody knows.
    lastAddress: Optional[str]
    # The hour in which a request came with it last: when that began. `null`: none has come.
    lastUsedAt: Optional[str]
    # The lines that the key may send from; `null`: all of the account.
    lines: Optional[List[str]]
    # Sends of test keys cost nothing and reach no carrier.
    mode: Literal["live", "test"]
    # How many tokens it may take in a minute; `null`: as many as the account.
    ratePerMinute: Optional[int]
    # The key that has replaced it.
    replacedBy: Optional[str]
    revokedAt: Optional[str]
    scopes: List[Scope]
    # The key by which this session of the console was opened, and with which it ends; `null`: it is no session.
    sessionOf: Optional[str]
    title: str


class CascadeKeys(TypedDict):
    id: str
    revokedAt: str
    title: str


class CascadeWebhooks(TypedDict):
    id: str
    url: str


class Cascade(TypedDict):
    """What was thrown out."""

    # The key, each that it has made or that stands in its place, and so on. They are revoked.
    keys: List[CascadeKeys]
    # The endpoints that one of these keys has made, or whose address or events it was the last to change. They are
    # inactive.
    webhooks: List[CascadeWebhooks]


class Rotation(TypedDict, total=False):
    """How long the old key works on. For the key of the request itself at least 60."""

    # How the new key is written.
    form: Optional[Literal["PEYK", "HEX32", "HEX64"]]
    # How long the old key works on, up to 30 days. Left out: `86400`.
    graceSeconds: Optional[int]


class RotatedKeyReplaces(TypedDict):
    expiresAt: Optional[str]
    id: str


class RotatedKey(TypedDict):
    """A key that has replaced another."""

    createdAt: str
    # The key that has made it; `null`: no key of this list.
    createdBy: Optional[str]
    # What it may spend in a day (UTC); `null`: as much as the account.
    dailySpend: Optional[int]
    expiresAt: Optional[str]
    # The first characters of the key and the last four. `null`: it was revoked before anybody used it.
    hint: Optional[str]
    id: str
    # The networks that it may be used from; `null`: all.
    ips: Optional[List[str]]
    # The key. It is answered this one time.
    key: str
    # The address that it came from then; another one shows after a minute. `null`: nobody knows.
    lastAddress: Optional[str]
    # The hour in which a request came with it last: when that began. `null`: none has come.
    lastUsedAt: Optional[str]
    # The lines that the key may send from; `null`: all of the account.
    lines: Optional[List[str]]
    # Sends of test keys cost nothing and reach no carrier.
    mode: Literal["live", "test"]
    # How many tokens it may take in a minute; `null`: as many as the account.
    ratePerMinute: Optional[int]
    # The key that has replaced it.
    replacedBy: Optional[str]
    # The old key, and when it ends.
    replaces: RotatedKeyReplaces
    revokedAt: Optional[str]
    scopes: List[Scope]
    # The key by which this session of the console was opened, and with which it ends; `null`: it is no session.
    sessionOf: Optional[str]
    title: str


_OwnLineKeywords = TypedDict("_OwnLineKeywords", {"class": Literal["ADVERTISING", "SERVICE"]})


class OwnLine(_OwnLineKeywords):
    """A line that the key may send from."""

    # Whether sends may ask for `"encoding": "CHEAPEST"`.
    cheapest: bool
    # Whether a send that names no line goes from it.
    default: bool
    # When own texts to many may leave: what comes at another time waits. `null`: at any time.
    hours: Optional[Hours]
    number: str
    # What can be sent from the line: `PATTERN` means patterns, `WEBSERVICE` all other texts.
    operations: List[Literal["WEBSERVICE", "PATTERN"]]
    # Whether all accounts may use it.
    shared: bool
    # What is appended to texts that go to many, unless they have it.
    suffix: Optional[str]


class Member(TypedDict):
    """A member of an account."""

    createdAt: str
    # The member or the key that has admitted the person; `null`: an operator has.
    createdBy: Optional[str]
    id: str
    # When the person has accepted the invitation. `null`: not yet; until then no code to sign in goes to the phone.
    joinedAt: Optional[str]
    # When the person signed in last. `null`: not since the service notes it.
    lastSignInAt: Optional[str]
    name: str
    phone: str
    # `OWNER`: everything, members and keys included. `SENDER`: send, and manage what is sent. `FINANCE`: see the
    # money. `VIEWER`: see messages and the money.
    role: Literal["OWNER", "SENDER", "FINANCE", "VIEWER"]


class _AccountMemberInputRequired(TypedDict):
    name: str
    phone: str
    role: Literal["OWNER", "SENDER", "FINANCE", "VIEWER"]


class AccountMemberInput(_AccountMemberInputRequired, total=False):
    """A person to admit."""

    # Whether the person gets an invitation by SMS, which the account pays. Who gets none comes in by a link. Left
    # out: `true`.
    invite: Optional[bool]


class SignInRule(TypedDict):
    """What members need to sign in."""

    # `CODE`: a code by SMS, or a passkey. `PASSKEY`: a passkey; a code opens no session then.
    require: Literal["CODE", "PASSKEY"]


class SignInRuleInput(TypedDict):
    """What members shall need to sign in."""

    require: Literal["CODE", "PASSKEY"]


class AccountMemberChange(TypedDict, total=False):
    """What is to change of a member. If the role changes, all sessions of the person end."""

    name: Optional[str]
    role: Optional[Literal["OWNER", "SENDER", "FINANCE", "VIEWER"]]


MessageStatus = Literal["SCHEDULED", "QUEUED", "SENDING", "DONE", "CANCELED"]
"""The status of a message. `DONE`: each recipient has its last status or is `UNKNOWN`."""


MessageType = Literal["PLAIN", "PATTERN", "PHONEBOOK", "BULK", "VERIFY", "SIGN_IN"]
"""By which route the message was sent."""


class _MessageSummaryRequired(TypedDict):
    # Your own reference.
    clientRef: Optional[str]
    # The price of all recipients together.
    cost: int
    createdAt: str
    # How many recipients have it.
    delivered: int
    # How the text is encoded on the air.
    encoding: Literal["GSM7", "UCS2"]
    # How many are UNDELIVERED, EXPIRED or REJECTED.
    failed: int
    # The text. `null` for a bulk send.
    message: Optional[str]
    # How many parts the text has.
    parts: int
    # How many recipients it has, without those that were left out.
    recipientCount: int
    # When it is to be sent. `null`: at once.
    sendAt: Optional[str]
    # The line that it is sent from.
    sourceNumber: str
    status: MessageStatus
    # Whether a test key has sent it.
    test: bool
    type: MessageType
    # The message's uid.
    uid: str
    # The currency of the amounts.
    unit: str


class MessageSummary(_MessageSummaryRequired, total=False):
    """A message."""

    # There if it is a wave of a campaign: the id of that.
    campaign: str
    # `true`: it is paused, and nothing of it leaves.
    paused: bool
    # There if it is paused: what has not left by then is canceled.
    pausedUntil: str
    # There if the sandbox has taken it in place of a carrier that sends: it reached nobody.
    simulated: Literal[True]
    # There if `blacklisted` was `SKIP`, and in a wave of a campaign: how many were left out.
    skipped: int
    # There if a text of the item is cut in this list. Asked for alone, it is whole.
    textTruncated: Literal[True]
    # There if it goes to many and waits for the hours of its line.
    waitsFor: Literal["HOURS"]
    # There with `waitsFor`: when the hours begin.
    waitsUntil: str


class _RecipientsByUidRequired(TypedDict):
    # Uids of recipients. In place of a message's uid, its last twelve digits may stand, as a decimal number: the
    # message's number in its account.
    recipients: List[str]


class RecipientsByUid(_RecipientsByUidRequired, total=False):
    """Recipients to find, by their uids."""

    clientRefs: None


class RecipientsByReference(TypedDict):
    """Recipients to find, by references."""

    # References that messages were sent with (`clientRef`).
    clientRefs: List[str]


RecipientsToFind = Union[RecipientsByUid, RecipientsByReference]
"""Recipients to find."""


class _FoundRecipientRequired(TypedDict):
    # As the body names it.
    asked: str
    # The client's own reference.
    clientRef: Optional[str]
    # The recipient's price.
    cost: int
    createdAt: str
    # How many parts the text has.
    parts: int
    # The number in E.164, or `erased`.
    recipient: str
    # How many recipients the message has.
    recipientCount: int
    sendAt: Optional[str]
    # The line that it is sent from.
    sourceNumber: str
    status: RecipientStatus
    # What the recipient gets. Secret values are `••••` in time.
    text: str
    # The uid of the recipient: that of the message, and its index in the message.
    uid: str
    updatedAt: str


class FoundRecipient(_FoundRecipientRequired, total=False):
    """A recipient, with what its message is."""

    error: DeliveryError
    # There if the sandbox has taken it in place of a carrier that sends: it reached nobody.
    simulated: Literal[True]


class FoundRecipients(TypedDict):
    """Recipients of any messages."""

    recipients: List[FoundRecipient]


class MessageCounts(TypedDict, total=False):
    CANCELED: int
    DELIVERED: int
    EXPIRED: int
    QUEUED: int
    REJECTED: int
    SCHEDULED: int
    SKIPPED: int
    SUBMITTED: int
    UNDELIVERED: int
    UNKNOWN: int


class _MessageRequired(TypedDict):
    # Your own reference.
    clientRef: Optional[str]
    # The price of all recipients together.
    cost: int
    # How many recipients have which status. A status that none has is left out.
    counts: MessageCounts
    createdAt: str
    # How many recipients have it.
    delivered: int
    # How the text is encoded on the air.
    encoding: Literal["GSM7", "UCS2"]
    # How many are UNDELIVERED, EXPIRED or REJECTED.
    failed: int
    # The text. `null` for a bulk send.
    message: Optional[str]
    # How many parts the text has.
    parts: int
    # How many recipients it has, without those that were left out.
    recipientCount: int
    # The first 100 recipients.
    recipients: List[Recipient]
    # What of `returned` was spent before.
    refunded: int
    # What of `returned` was never spent.
    released: int
    # What of the cost is reserved, for recipients that have no ending yet.
    reserved: int
    # What of the cost has come back: for recipients that were refused or canceled, and for those that the plan
    # refunds.
    returned: int
    # When it is to be sent. `null`: at once.
    sendAt: Optional[str]
    # The line that it is sent from.
    sourceNumber: str
    # What of the cost is spent, for recipients that a carrier took.
    spent: int
    status: MessageStatus
    # Whether a test key has sent it.
    test: bool
    type: MessageType
    # The message's uid.
    uid: str
    # The currency of the amounts.
    unit: str


class Message(_MessageRequired, total=False):
    """A message with its counts and its first recipients."""

    # There if it is a wave of a campaign: the id of that.
    campaign: str
    # `true`: it is paused, and nothing of it leaves.
    paused: bool
    # There if it is paused: what has not left by then is canceled.
    pausedUntil: str
    # There if the sandbox has taken it in place of a carrier that sends: it reached nobody.
    simulated: Literal[True]
    # There if `blacklisted` was `SKIP`, and in a wave of a campaign: how many were left out.
    skipped: int
    # There if a text of the item is cut in this list. Asked for alone, it is whole.
    textTruncated: Literal[True]
    # There if it goes to many and waits for the hours of its line.
    waitsFor: Literal["HOURS"]
    # There with `waitsFor`: when the hours begin.
    waitsUntil: str


class CanceledMessageCounts(TypedDict, total=False):
    CANCELED: int
    DELIVERED: int
    EXPIRED: int
    QUEUED: int
    REJECTED: int
    SCHEDULED: int
    SKIPPED: int
    SUBMITTED: int
    UNDELIVERED: int
    UNKNOWN: int


class _CanceledMessageRequired(TypedDict):
    # How many recipients were canceled now.
    canceled: int
    # Your own reference.
    clientRef: Optional[str]
    # The price of all recipients together.
    cost: int
    # How many recipients have which status. A status that none has is left out.
    counts: CanceledMessageCounts
    createdAt: str
    # How many recipients have it.
    delivered: int
    # How the text is encoded on the air.
    encoding: Literal["GSM7", "UCS2"]
    # How many are UNDELIVERED, EXPIRED or REJECTED.
    failed: int
    # How many had left.
    left: int
    # The text. `null` for a bulk send.
    message: Optional[str]
    # How many parts the text has.
    parts: int
    # How many recipients it has, without those that were left out.
    recipientCount: int
    # The first 100 recipients.
    recipients: List[Recipient]
    # What of `returned` was spent before.
    refunded: int
    # What of `returned` was never spent.
    released: int
    # What of the cost is reserved, for recipients that have no ending yet.
    reserved: int
    # What of the cost has come back: for recipients that were refused or canceled, and for those that the plan
    # refunds.
    returned: int
    # When it is to be sent. `null`: at once.
    sendAt: Optional[str]
    # The line that it is sent from.
    sourceNumber: str
    # What of the cost is spent, for recipients that a carrier took.
    spent: int
    status: MessageStatus
    # Whether a test key has sent it.
    test: bool
    type: MessageType
    # The message's uid.
    uid: str
    # The currency of the amounts.
    unit: str
    # How many others carriers had when the request came. Those that they have not sent become CANCELED within half a
    # minute.
    withCarriers: int


class CanceledMessage(_CanceledMessageRequired, total=False):
    """A message of which what had not left is canceled."""

    # There if it is a wave of a campaign: the id of that.
    campaign: str
    # `true`: it is paused, and nothing of it leaves.
    paused: bool
    # There if it is paused: what has not left by then is canceled.
    pausedUntil: str
    # There if the sandbox has taken it in place of a carrier that sends: it reached nobody.
    simulated: Literal[True]
    # There if `blacklisted` was `SKIP`, and in a wave of a campaign: how many were left out.
    skipped: int
    # There if a text of the item is cut in this list. Asked for alone, it is whole.
    textTruncated: Literal[True]
    # There if it goes to many and waits for the hours of its line.
    waitsFor: Literal["HOURS"]
    # There with `waitsFor`: when the hours begin.
    waitsUntil: str


class Variable(TypedDict):
    """A variable of a version."""

    maxLength: int
    name: str
    # Whether `••••` stands in the place of a value when the message has ended for a day.
    secret: bool
    # Which values it takes: any text, a number, an address with `http://` or `https://`, or one of `values`.
    type: Literal["TEXT", "NUMBER", "LINK", "ENUM"]
    # The values of an `ENUM`, `null` for others.
    values: Optional[List[str]]


class _PatternVersionRequired(TypedDict):
    createdAt: str
    # `ACTIVE`: sends use it. `PENDING`: it waits for an operator. `REFUSED`: an operator has refused it. `RETIRED`:
    # it was active.
    status: Literal["ACTIVE", "DRAFT", "PENDING", "REFUSED", "RETIRED"]
    text: str
    # One for each placeholder, in the order of the text.
    variables: List[Variable]
    # Its number, from 1.
    version: int


class PatternVersion(_PatternVersionRequired, total=False):
    """A version of a pattern. Its text never changes."""

    # There if it is `REFUSED`: why.
    reason: str
    # There if a text of the item is cut in this list. Asked for alone, it is whole.
    textTruncated: Literal[True]


class Pattern(TypedDict):
    """A pattern with versions."""

    createdAt: str
    # The lines that it can be sent from; none means all.
    lines: List[str]
    slug: str
    title: str
    # All versions, newest first. In lists the active one and the newest.
    versions: List[PatternVersion]


class _FreeVariableInputRequired(TypedDict):
    # The name that stands between two `%` in the text.
    name: str


class FreeVariableInput(_FreeVariableInputRequired, total=False):
    """A variable that takes a text, a number or a link."""

    # How many characters a value may have. An `ENUM` ignores it. Left out: `100`.
    maxLength: Optional[int]
    # Whether `••••` takes the place of a value when the message has ended for a day: in a login code, for example.
    # Left out: `false`.
    secret: Optional[bool]
    type: Optional[Literal["TEXT", "NUMBER", "LINK"]]
    # Only an `ENUM` has values.
    values: Optional[List[Any]]


class _ChoiceInputRequired(TypedDict):
    # The name that stands between two `%` in the text.
    name: str
    type: Literal["ENUM"]
    # The values of an `ENUM`.
    values: List[str]


class ChoiceInput(_ChoiceInputRequired, total=False):
    """A variable that takes one of some values."""

    # How many characters a value may have. An `ENUM` ignores it. Left out: `100`.
    maxLength: Optional[int]
    # Whether `••••` takes the place of a value when the message has ended for a day: in a login code, for example.
    # Left out: `false`.
    secret: Optional[bool]


VariableInput = Union[FreeVariableInput, ChoiceInput]
"""A variable of the text."""


class _PatternWithVersionRequired(TypedDict):
    # The text, with up to 20 placeholders like `%OTP%`.
    text: str
    # What the pattern is for.
    title: str


class PatternWithVersion(_PatternWithVersionRequired, total=False):
    """A pattern with its first version."""

    # Lines of the account. If there are any, the pattern can be sent from these only.
    lines: Optional[List[str]]
    # The name of the pattern in sends.
    slug: Optional[str]
    # The types of placeholders of the text. A placeholder that is left out is `TEXT`. Together at most 16 KiB as
    # JSON.
    variables: Optional[List[VariableInput]]


class _PatternWithoutVersionRequired(TypedDict):
    # What the pattern is for.
    title: str


class PatternWithoutVersion(_PatternWithoutVersionRequired, total=False):
    """A pattern without a version."""

    # Lines of the account. If there are any, the pattern can be sent from these only.
    lines: Optional[List[str]]
    # The name of the pattern in sends.
    slug: Optional[str]
    text: None


PatternInput = Union[PatternWithVersion, PatternWithoutVersion]
"""A pattern to create. Peyk makes a slug if there is none."""


class PatternChange(TypedDict, total=False):
    """What to change. What is left out stays."""

    # Lines of the account. If there are any, the pattern can be sent from these only.
    lines: Optional[List[str]]
    # What the pattern is for.
    title: Optional[str]


class _PatternVersionInputRequired(TypedDict):
    # The text, with up to 20 placeholders like `%OTP%`.
    text: str


class PatternVersionInput(_PatternVersionInputRequired, total=False):
    """A version to add."""

    # The types of placeholders of the text. A placeholder that is left out is `TEXT`. Together at most 16 KiB as
    # JSON.
    variables: Optional[List[VariableInput]]


class Phonebook(TypedDict):
    """A phonebook."""

    # How many numbers it has.
    count: int
    createdAt: str
    description: Optional[str]
    id: str
    title: str


class _PhonebookInputRequired(TypedDict):
    # The title. An account has each title once.
    title: str


class PhonebookInput(_PhonebookInputRequired, total=False):
    """A phonebook to create."""

    # What the phonebook is for.
    description: Optional[str]


class _PhonebookChangeByIdRequired(TypedDict):
    # The phonebook's id.
    id: str


class PhonebookChangeById(_PhonebookChangeByIdRequired, total=False):
    """Which phonebook to change, and what."""

    # What the phonebook is for.
    description: Optional[str]
    # The title. An account has each title once.
    title: str


class _OneNumberRequired(TypedDict):
    number: str


class OneNumber(_OneNumberRequired, total=False):
    """A number to add."""

    # What else is known of the number, together at most 2,048 bytes as JSON. The numbers of a phonebook have up to 50
    # different attributes.
    attributes: Optional[Dict[str, Optional[Union[str, float]]]]
    # Whose number it is.
    name: Optional[str]
    numbers: None


class _NumberInputRequired(TypedDict):
    number: str


class NumberInput(_NumberInputRequired, total=False):
    """A number to add."""

    # What else is known of the number, together at most 2,048 bytes as JSON. The numbers of a phonebook have up to 50
    # different attributes.
    attributes: Optional[Dict[str, Optional[Union[str, float]]]]
    # Whose number it is.
    name: Optional[str]


class _ManyNumbersRequired(TypedDict):
    numbers: List[Union[str, NumberInput]]


class ManyNumbers(_ManyNumbersRequired, total=False):
    """Numbers to add. Peyk adds the good items and names the others."""

    number: None


AddNumbers = Union[OneNumber, ManyNumbers]


class AddedToPhonebookInvalid(TypedDict):
    # What is wrong with it.
    detail: str
    # Where the item stands in `numbers`, from 0.
    index: int
    # What the item has for a number, 64 characters at most. What is no text stands as JSON; `null`: nothing.
    value: Optional[str]


class AddedToPhonebook(TypedDict):
    """What has become of the numbers."""

    # How many numbers are new.
    added: int
    # The items that were refused.
    invalid: List[AddedToPhonebookInvalid]
    # The numbers as the phonebook has them now.
    numbers: List[PhonebookNumber]
    # How many were there.
    updated: int


class NumberChange(TypedDict, total=False):
    """What to change. What is left out stays; `null` takes the name or the attributes away."""

    # What else is known of the number, together at most 2,048 bytes as JSON. The numbers of a phonebook have up to 50
    # different attributes.
    attributes: Optional[Dict[str, Optional[Union[str, float]]]]
    # Whose number it is.
    name: Optional[str]
    number: Optional[str]


class PhonebookChange(TypedDict, total=False):
    """What to change. What is left out stays; `null` takes the description away."""

    # What the phonebook is for.
    description: Optional[str]
    # The title. An account has each title once.
    title: str


class ImportedColumns(TypedDict):
    """What the columns of an imported file were taken for, by their titles."""

    # The titles of the columns that are attributes.
    attributes: List[str]
    # The titles of the columns that were left out: other columns of numbers.
    leftOut: List[str]
    # The title of the column with the names.
    name: Optional[str]
    # The title of the column with the numbers.
    number: str


class ImportedNumbersInvalid(TypedDict):
    # What is wrong with it.
    detail: str
    # The line of the file, from 1.
    line: int
    # What stands in the column of the numbers, 64 characters at most.
    value: Optional[str]


class ImportedNumbers(TypedDict):
    """What has become of the file."""

    # How many numbers are new.
    added: int
    columns: ImportedColumns
    # The first 1,000 lines that were refused.
    invalid: List[ImportedNumbersInvalid]
    # How many lines were refused.
    invalidCount: int
    # How many lines the file has behind the one with the titles. Lines without anything do not count.
    lines: int
    # How many were there.
    updated: int


class PriceTo(TypedDict):
    """The price of one part to the numbers that begin with a prefix."""

    prefix: str
    # The price of one part.
    price: int


class TariffPlan(TypedDict):
    title: str


class TariffTariff(TypedDict):
    # The price of one part.
    price: int
    # The prices to numbers abroad, or to ranges of numbers: the longest prefix counts.
    prices: List[PriceTo]
    slug: str
    title: str


class TariffTextsCoefficients(TypedDict):
    # A factor of the price, with at most 4 decimals.
    ENGLISH: float
    # A factor of the price, with at most 4 decimals.
    MCI: float
    # A factor of the price, with at most 4 decimals.
    MTN: float
    # A factor of the price, with at most 4 decimals.
    PATTERN: float
    # A factor of the price, with at most 4 decimals.
    PERSIAN: float
    # A factor of the price, with at most 4 decimals.
    WEBSERVICE: float
    # The line's number.
    title: str


class Tariff(TypedDict):
    """What messages cost."""

    # Where the account sends: the prefixes of the numbers.
    destinations: List[str]
    # The most parts of one message.
    maxParts: int
    # The most recipients of one send to phonebooks.
    maxPhonebookRecipients: int
    # The most recipients of one send.
    maxRecipients: int
    plan: TariffPlan
    tariff: TariffTariff
    # The coefficients of each line.
    textsCoefficients: List[TariffTextsCoefficients]


class _BulkTextRequired(TypedDict):
    # The text. It may have 10 parts, unless the operator has set another number.
    message: str
    recipient: str


class BulkText(_BulkTextRequired, total=False):
    """A text for one number."""

    pattern: None


class _BulkPatternRequired(TypedDict):
    # The slug of the pattern.
    pattern: str
    recipient: str


class BulkPattern(_BulkPatternRequired, total=False):
    """A pattern for one number."""

    message: None
    # The values of the pattern's variables, by their names.
    variables: Optional[Dict[str, Optional[Union[str, float]]]]


BulkItem = Union[BulkText, BulkPattern]
"""A text or a pattern for one number."""


class _BulkSendRequired(TypedDict):
    # Up to 1,000 unless the operator has set another number. If several items name one number, the first one counts.
    messages: List[BulkItem]


class BulkSend(_BulkSendRequired, total=False):
    """A send of texts, each to its own number."""

    # What to do with recipients on the blacklist: `REFUSE` the send for one of them, which is so if it is left out,
    # or `SKIP` them. Who is skipped costs nothing. A send of which all are on the blacklist is refused in any case.
    blacklisted: Optional[str]
    # A reference of your own. `GET /messages` finds the message by it.
    clientRef: Optional[str]
    # In which form texts are sent: `AS_IS`, as they are, which is so if it is left out, or `CHEAPEST`, in the form
    # that reads the same and costs least. Then the answer has `text` and `saved`. A line may not allow it.
    encoding: Optional[str]
    # When to send, at most 90 days ahead. Left out: at once.
    sendAt: Optional[str]
    # The line to send from. Left out or empty: the account's default line.
    sourceNumber: Optional[str]


class SentRecipient(TypedDict):
    """A recipient of a send."""

    # The recipient's price.
    cost: int
    # The number in E.164, or `erased`.
    recipient: str
    status: RecipientStatus
    # The uid of the recipient: that of the message, and its index in the message.
    uid: str


class _SentMessageRequired(TypedDict):
    # Your own reference.
    clientRef: Optional[str]
    # The price of all recipients together. Sends of test keys cost nothing.
    cost: int
    # How the text is encoded on the air.
    encoding: Literal["GSM7", "UCS2"]
    # How many parts the text has.
    parts: int
    # All recipients that get the message, each number once.
    recipients: List[SentRecipient]
    # When it is to be sent. `null`: at once.
    sendAt: Optional[str]
    # The line that it is sent from.
    sourceNumber: str
    status: MessageStatus
    type: MessageType
    # The message's uid.
    uid: str
    # The currency of the amounts.
    unit: str


class SentMessage(_SentMessageRequired, total=False):
    """A message that was accepted."""

    # There if `encoding` is `CHEAPEST`: what the text as it is would have cost more.
    saved: int
    # There if `blacklisted` is `SKIP`: how many recipients were left out, because they are on the blacklist.
    skipped: int
    # There if `encoding` is `CHEAPEST`, and all recipients get the same text: the text as it is sent. Secret values
    # are `••••`.
    text: str
    # There if it goes to many and waits for the hours of its line.
    waitsFor: Literal["HOURS"]
    # There with `waitsFor`: when the hours begin.
    waitsUntil: str


class _SendRequired(TypedDict):
    # The text. It may have 10 parts, unless the operator has set another number.
    message: str
    # The numbers, up to 1,000 unless the operator has set another number. A number that comes twice counts once.
    recipients: List[str]


class Send(_SendRequired, total=False):
    """A send of one text."""

    # What to do with recipients on the blacklist: `REFUSE` the send for one of them, which is so if it is left out,
    # or `SKIP` them. Who is skipped costs nothing. A send of which all are on the blacklist is refused in any case.
    blacklisted: Optional[str]
    # A reference of your own. `GET /messages` finds the message by it.
    clientRef: Optional[str]
    # In which form texts are sent: `AS_IS`, as they are, which is so if it is left out, or `CHEAPEST`, in the form
    # that reads the same and costs least. Then the answer has `text` and `saved`. A line may not allow it.
    encoding: Optional[str]
    # When to send, at most 90 days ahead. Left out: at once.
    sendAt: Optional[str]
    # The line to send from. Left out or empty: the account's default line.
    sourceNumber: Optional[str]


class EstimateOfSend(TypedDict):
    send: Send


class _PatternToOneRequired(TypedDict):
    # The slug of the pattern.
    pattern: str
    recipient: str


class PatternToOne(_PatternToOneRequired, total=False):
    """A pattern for one number."""

    # What to do with recipients on the blacklist: `REFUSE` the send for one of them, which is so if it is left out,
    # or `SKIP` them. Who is skipped costs nothing. A send of which all are on the blacklist is refused in any case.
    blacklisted: Optional[str]
    # A reference of your own. `GET /messages` finds the message by it.
    clientRef: Optional[str]
    # In which form texts are sent: `AS_IS`, as they are, which is so if it is left out, or `CHEAPEST`, in the form
    # that reads the same and costs least. Then the answer has `text` and `saved`. A line may not allow it.
    encoding: Optional[str]
    recipients: None
    # When to send, at most 90 days ahead. Left out: at once.
    sendAt: Optional[str]
    # The line to send from. Left out or empty: the account's default line.
    sourceNumber: Optional[str]
    # The values of the pattern's variables, by their names.
    variables: Optional[Dict[str, Optional[Union[str, float]]]]


class _PatternToManyRequired(TypedDict):
    # The slug of the pattern.
    pattern: str
    # The numbers, up to 1,000 unless the operator has set another number. A number that comes twice counts once.
    recipients: List[str]


class PatternToMany(_PatternToManyRequired, total=False):
    """A pattern for several numbers, all with the same values."""

    # What to do with recipients on the blacklist: `REFUSE` the send for one of them, which is so if it is left out,
    # or `SKIP` them. Who is skipped costs nothing. A send of which all are on the blacklist is refused in any case.
    blacklisted: Optional[str]
    # A reference of your own. `GET /messages` finds the message by it.
    clientRef: Optional[str]
    # In which form texts are sent: `AS_IS`, as they are, which is so if it is left out, or `CHEAPEST`, in the form
    # that reads the same and costs least. Then the answer has `text` and `saved`. A line may not allow it.
    encoding: Optional[str]
    recipient: None
    # When to send, at most 90 days ahead. Left out: at once.
    sendAt: Optional[str]
    # The line to send from. Left out or empty: the account's default line.
    sourceNumber: Optional[str]
    # The values of the pattern's variables, by their names.
    variables: Optional[Dict[str, Optional[Union[str, float]]]]


PatternSend = Union[PatternToOne, PatternToMany]
"""A send of a pattern, filled in once."""


class EstimateOfPattern(TypedDict):
    pattern: PatternSend


class _TextToPhonebookRequired(TypedDict):
    # The text. `%name%`, and `%…%` with the name of an attribute, stand for what the phonebook has for the number. At
    # most 21 different placeholders.
    message: str
    # The id of a phonebook.
    phonebook: str


class TextToPhonebook(_TextToPhonebookRequired, total=False):
    """A text for a phonebook."""

    # What to do with recipients on the blacklist: `REFUSE` the send for one of them, which is so if it is left out,
    # or `SKIP` them. Who is skipped costs nothing. A send of which all are on the blacklist is refused in any case.
    blacklisted: Optional[str]
    # A reference of your own. `GET /messages` finds the message by it.
    clientRef: Optional[str]
    # In which form texts are sent: `AS_IS`, as they are, which is so if it is left out, or `CHEAPEST`, in the form
    # that reads the same and costs least. Then the answer has `text` and `saved`. A line may not allow it.
    encoding: Optional[str]
    # Numbers that get nothing.
    exclude: Optional[List[str]]
    phonebooks: None
    # When to send, at most 90 days ahead. Left out: at once.
    sendAt: Optional[str]
    # The line to send from. Left out or empty: the account's default line.
    sourceNumber: Optional[str]
    # What to do if the text has a `%…%` that no phonebook has: `REFUSE` the send, which is so if it is left out, or
    # `KEEP` it as text.
    unknownPlaceholders: Optional[str]


class _TextToPhonebooksRequired(TypedDict):
    # The text. `%name%`, and `%…%` with the name of an attribute, stand for what the phonebook has for the number. At
    # most 21 different placeholders.
    message: str
    phonebooks: List[str]


class TextToPhonebooks(_TextToPhonebooksRequired, total=False):
    """A text for several phonebooks."""

    # What to do with recipients on the blacklist: `REFUSE` the send for one of them, which is so if it is left out,
    # or `SKIP` them. Who is skipped costs nothing. A send of which all are on the blacklist is refused in any case.
    blacklisted: Optional[str]
    # A reference of your own. `GET /messages` finds the message by it.
    clientRef: Optional[str]
    # In which form texts are sent: `AS_IS`, as they are, which is so if it is left out, or `CHEAPEST`, in the form
    # that reads the same and costs least. Then the answer has `text` and `saved`. A line may not allow it.
    encoding: Optional[str]
    # Numbers that get nothing.
    exclude: Optional[List[str]]
    phonebook: None
    # When to send, at most 90 days ahead. Left out: at once.
    sendAt: Optional[str]
    # The line to send from. Left out or empty: the account's default line.
    sourceNumber: Optional[str]
    # What to do if the text has a `%…%` that no phonebook has: `REFUSE` the send, which is so if it is left out, or
    # `KEEP` it as text.
    unknownPlaceholders: Optional[str]


PhonebookSend = Union[TextToPhonebook, TextToPhonebooks]
"""A send of one text to phonebooks, filled in for each number."""


class EstimateOfPhonebook(TypedDict):
    phonebook: PhonebookSend


class EstimateOfBulk(TypedDict):
    bulk: BulkSend


EstimateRequest = Union[EstimateOfSend, EstimateOfPattern, EstimateOfPhonebook, EstimateOfBulk]
"""The send to estimate, under the name of its kind."""


class Alternative(TypedDict):
    """A text that reads the same and costs less. To use it, send its `text` in place of yours."""

    # What differs from your text. `MARKS`: invisible marks and lines that stretch letters are gone. `COMPOSED`: a
    # letter and its accent are one character. `LETTERS`: Arabic ي and ك within words of a Persian text are ی and ک.
    # `BLANKS`: blanks at the ends of lines are gone. `LOOK_ALIKES`: quotes, dashes, spaces and dots are those of
    # plain Latin. `DIGITS`: the digits are Latin. `NO_BREAK_SPACE`: a space does not break, so that the text is sent
    # in UCS-2, whose parts cost less here.
    changes: List[Literal["MARKS", "COMPOSED", "LETTERS", "BLANKS", "LOOK_ALIKES", "DIGITS", "NO_BREAK_SPACE"]]
    # The price of all recipients together.
    cost: int
    # How the text is encoded on the air.
    encoding: Literal["GSM7", "UCS2"]
    # How many parts the text has.
    parts: int
    # The text. A reader sees the same as in yours.
    text: str


class EstimateFaultErrors(TypedDict):
    # What is wrong.
    detail: str
    # Where the fault is: a JSON pointer into the body, or the name of a query parameter or a header behind a `/`.
    pointer: str


class EstimateFault(TypedDict):
    """A refusal that a send would meet."""

    # What went wrong, as a number. A program should decide by it.
    code: int
    # What to mend, for people. At most 1,000 characters.
    detail: str
    # The same faults, for programs.
    errors: List[EstimateFaultErrors]
    # The faults in words. Each begins with a field.
    extra: List[str]
    # What went wrong, as a name.
    name: Literal["BadRequest", "Unauthorized", "Forbidden", "NotFound", "MethodNotAllowed", "Conflict", "PayloadTooLarge", "UnsupportedMediaType", "ErrorTypeValidation", "TooManyRequests", "InternalServerError", "ServiceUnavailable", "UserInactive", "InsufficientBalance", "DailyLimitReached", "SmsSendNotAllowed", "SmsHeadNumberNotFound", "SmsPatternNoActiveVersion", "SmsPatternHeadNumberNotAcceptable", "SmsPatternVariableHasNoValue", "SmsPatternVariableNotValid", "SmsDestinationNotAllowed", "SmsRecipientBlacklisted", "SmsRecipientLimit", "VerifyNotPending"]
    # The HTTP status.
    status: int


class _EstimateRequired(TypedDict):
    # Texts that read the same as yours and cost less, the cheapest first. Only a text that all recipients get has
    # any, and none has on a line that does not allow `CHEAPEST`.
    alternatives: List[Alternative]
    # The price of all recipients together. For a test key it is what a live key of the account would pay.
    cost: int
    # How the text is encoded on the air.
    encoding: Literal["GSM7", "UCS2"]
    # The refusals that the send would meet: 1003, 3011, 3016, 3018, 2002, 2001.
    faults: List[EstimateFault]
    # How many parts the text has.
    parts: int
    # How many recipients there are.
    recipients: int
    # The line that it is sent from.
    sourceNumber: str
    # Whether a test key has asked. It pays nothing: `cost` is what a live key would pay.
    test: bool
    type: MessageType
    # The currency of the amounts.
    unit: str


class Estimate(_EstimateRequired, total=False):
    """What a send would cost."""

    # The first three texts as they would be sent, if values are filled in. To see values of a phonebook, a key needs
    # the scope `phonebook`.
    samples: List[str]
    # There if `encoding` is `CHEAPEST`: what the text as it is would cost more.
    saved: int
    # There if `blacklisted` is `SKIP`: how many recipients would be left out.
    skipped: int
    # There if the line appends a text to what goes to many: this one, unless the text has it. It is counted in
    # `parts` and `cost`.
    suffix: str
    # There if `encoding` is `CHEAPEST`, and all recipients get the same text: the text as it would be sent. Secret
    # values are `••••`.
    text: str
    # There if it goes to many and waits for the hours of its line.
    waitsFor: Literal["HOURS"]
    # There with `waitsFor`: when the hours begin.
    waitsUntil: str


class Verification(TypedDict):
    """A verification."""

    # How many codes may still be checked.
    attemptsLeft: int
    clientRef: Optional[str]
    # The price of the message that the request has sent, or of all messages so far.
    cost: int
    createdAt: str
    endedAt: Optional[str]
    # Until when the code can be checked.
    expiresAt: str
    id: str
    # The uid of the newest of these messages. `null`: no message was sent.
    messageUid: Optional[str]
    purpose: str
    recipient: str
    # From when on `POST /verify` sends the code again, or a new one after the end. `null`: the verification has
    # ended.
    resendAt: Optional[str]
    # How many messages have brought the code.
    sends: int
    # `PENDING`: the code can be checked. `APPROVED`: it was right. `FAILED`: as many were wrong as may be. `EXPIRED`:
    # the time is over. `CANCELED`: you have taken it back. `BLOCKED`: no message was sent, because the request looks
    # like fraud; it costs nothing.
    status: Literal["PENDING", "APPROVED", "FAILED", "EXPIRED", "CANCELED", "BLOCKED"]
    # Whether a test key has made it: then the code is the last digits of the number, and nobody gets it.
    test: bool
    # The currency of the amounts.
    unit: str


class PendingVerifications(TypedDict):
    """The pending verifications of a number."""

    # The newest first.
    verifications: List[Verification]


class VerifyContext(TypedDict, total=False):
    """What is known of the person who asks for a code. It helps to tell fraud from customers."""

    # The address of the person.
    ip: Optional[str]


class _VerificationInputRequired(TypedDict):
    recipient: str


class VerificationInput(_VerificationInputRequired, total=False):
    """A code to send."""

    # The hash of the Android app that asks for the code: the text ends with it, and the app gets the text. It must
    # not stand beside `domain`.
    appHash: Optional[str]
    # A reference of your own. `GET /messages` finds the message by it.
    clientRef: Optional[str]
    # How many digits the code has. Left out: `6`.
    codeLength: Optional[int]
    context: Optional[VerifyContext]
    # The domain of the page that asks for the code: the text ends with `@shop.ir #123456`, and browsers offer the
    # code to that page alone (WebOTP).
    domain: Optional[str]
    # The language of the service's own text. Left out: the language in which the service answers the request.
    language: Optional[Literal["fa", "en"]]
    # How many codes may be tried. Left out: `5`.
    maxAttempts: Optional[int]
    # The slug of a pattern whose text has `%CODE%`. Left out: a text of the service's own.
    pattern: Optional[str]
    # What the code is for. A recipient has one pending code for each purpose. Left out: `login`.
    purpose: Optional[str]
    # The line to send from. Left out or empty: the account's default line.
    sourceNumber: Optional[str]
    # How long the code can be checked, in seconds. Left out: `120`.
    ttlSeconds: Optional[int]
    # The values of the pattern's other variables, by their names.
    variables: Optional[Dict[str, Optional[Union[str, float]]]]


class _CodeOfIdRequired(TypedDict):
    code: str
    # The id of the verification.
    id: str


class CodeOfId(_CodeOfIdRequired, total=False):
    """A code to check, by the id of its verification."""

    purpose: None
    recipient: None


class _CodeOfRecipientRequired(TypedDict):
    # As the person has typed it, in Persian, Arabic or Latin digits.
    code: str
    recipient: str


class CodeOfRecipient(_CodeOfRecipientRequired, total=False):
    """A code to check, by the recipient."""

    # What the code is for. Left out: `login`.
    purpose: Optional[str]


CheckVerification = Union[CodeOfId, CodeOfRecipient]
"""A code that a person has typed."""


class _VerificationCheckRequired(TypedDict):
    # How many codes may still be checked.
    attemptsLeft: int
    id: str
    purpose: str
    recipient: str
    status: Literal["PENDING", "APPROVED", "FAILED", "EXPIRED", "CANCELED", "BLOCKED"]
    # Whether the code was right. It is right once.
    verified: bool


class VerificationCheck(_VerificationCheckRequired, total=False):
    """What came of a check."""

    # If the code was right: a signed token that says so, a JWT. Anybody can check it by the keys of `GET
    # /.well-known/jwks.json`.
    proof: str


class VerifyStatsRow(TypedDict):
    """How verifications have ended that have something in common."""

    # How many were approved.
    approved: int
    # How many were blocked, because they looked like fraud.
    blocked: int
    # How many codes were checked.
    checked: int
    # The median of the seconds from the start to the approval. `null`: none was approved.
    medianSeconds: Optional[int]
    # The day of UTC on which they started, the first five digits of their numbers, the line or the carrier of their
    # newest message. Empty for a carrier: none has taken the message.
    name: str
    # By `prefix`: until when no code goes to numbers that begin so, because far fewer are approved than usual.
    # `null`: they go.
    pausedUntil: Optional[str]
    # How many messages have brought their codes. By `carrier`, each counts under the carrier that has taken it.
    sent: int
    # How many were started.
    started: int


_VerifyStatsKeywords = TypedDict("_VerifyStatsKeywords", {"from": str})


class VerifyStats(_VerifyStatsKeywords):
    """How verifications have ended."""

    # By what they are told apart.
    by: Literal["day", "prefix", "line", "carrier"]
    # At most 500: those with the most messages.
    rows: List[VerifyStatsRow]
    # The last day of UTC.
    to: str


EventType = Literal["message.status", "message.submitted", "message.received", "wallet.low", "verify.status", "verify.paused", "campaign.paused", "campaign.stopped", "campaign.done", "pattern.reviewed", "webhook.disabled"]
"""A type of event."""


class Endpoint(TypedDict):
    """An endpoint."""

    # Whether it gets anything. What waits stays until it is active again.
    active: bool
    createdAt: str
    # The key that has made it; `null`: nobody knows.
    createdBy: Optional[str]
    description: Optional[str]
    # Why Peyk has stopped it: the receiver has answered 410, all attempts have failed for five days, or a key was
    # revoked with what it had made.
    disabledReason: Optional[Literal["GONE", "FAILING", "KEY_REVOKED"]]
    # The types of events that it gets.
    events: List[EventType]
    # Since when all attempts have failed; `null`: the last one went well, or none was made.
    failingSince: Optional[str]
    id: str
    # The balance below which it gets `wallet.low`. That of the account if left out; one of both is required for that
    # type.
    lowBalance: Optional[int]
    # The mode of the keys that see it. It gets the events of messages of this mode.
    mode: Literal["live", "test"]
    url: str


class _EndpointInputRequired(TypedDict):
    # The types of events that it gets.
    events: List[EventType]
    # Where your program listens: `https`, with a public host that is not this service's.
    url: str


class EndpointInput(_EndpointInputRequired, total=False):
    """An endpoint to create."""

    # Left out: `true`.
    active: Optional[bool]
    # What it is for.
    description: Optional[str]
    # The balance below which it gets `wallet.low`. That of the account if left out; one of both is required for that
    # type.
    lowBalance: Optional[int]


class EndpointWithSecret(TypedDict):
    """An endpoint with its secret."""

    # Whether it gets anything. What waits stays until it is active again.
    active: bool
    createdAt: str
    # The key that has made it; `null`: nobody knows.
    createdBy: Optional[str]
    description: Optional[str]
    # Why Peyk has stopped it: the receiver has answered 410, all attempts have failed for five days, or a key was
    # revoked with what it had made.
    disabledReason: Optional[Literal["GONE", "FAILING", "KEY_REVOKED"]]
    # The types of events that it gets.
    events: List[EventType]
    # Since when all attempts have failed; `null`: the last one went well, or none was made.
    failingSince: Optional[str]
    id: str
    # The balance below which it gets `wallet.low`. That of the account if left out; one of both is required for that
    # type.
    lowBalance: Optional[int]
    # The mode of the keys that see it. It gets the events of messages of this mode.
    mode: Literal["live", "test"]
    # What signs the requests. It is answered this one time.
    secret: str
    url: str


class EndpointChange(TypedDict, total=False):
    """What to change. What is left out stays; `null` takes the description away."""

    active: Optional[bool]
    # What it is for.
    description: Optional[str]
    # The types of events that it gets.
    events: List[EventType]
    # The balance below which it gets `wallet.low`. That of the account if left out; one of both is required for that
    # type.
    lowBalance: Optional[int]
    # Where your program listens: `https`, with a public host that is not this service's.
    url: str


class Delivery(TypedDict):
    """An event on its way to an endpoint."""

    # How many attempts were made.
    attempts: int
    createdAt: str
    # What was wrong with the last attempt.
    error: Optional[Literal["NO_ANSWER", "REDIRECT", "STATUS", "GONE", "ADDRESS_REFUSED", "BACKLOG_FULL", "INTERNAL"]]
    # The id of the event, too.
    id: str
    lastAttemptAt: Optional[str]
    nextAttemptAt: Optional[str]
    # The first 1,000 characters of what it answered, as plain text: the words of somebody else. `null` for a key that
    # lacks the scope of the event, and when the event has been erased.
    responseBody: Optional[str]
    # The HTTP status that the receiver answered last.
    responseStatus: Optional[int]
    # `DROPPED`: too many waited for the endpoint. `NOTED`: it stands only in the log.
    status: Literal["WAITING", "DELIVERED", "FAILED", "DROPPED", "NOTED"]
    type: Literal["message.status", "message.submitted", "message.received", "wallet.low", "verify.status", "verify.paused", "campaign.paused", "campaign.stopped", "campaign.done", "pattern.reviewed", "webhook.disabled", "webhook.test"]


class DeliveryWithRequest(TypedDict):
    """An event on its way to an endpoint, with what its requests have."""

    # How many attempts were made.
    attempts: int
    # The body of each of its requests, to the byte: what is signed.
    body: str
    createdAt: str
    # What was wrong with the last attempt.
    error: Optional[Literal["NO_ANSWER", "REDIRECT", "STATUS", "GONE", "ADDRESS_REFUSED", "BACKLOG_FULL", "INTERNAL"]]
    # The id of the event, too.
    id: str
    lastAttemptAt: Optional[str]
    nextAttemptAt: Optional[str]
    # The first 1,000 characters of what it answered, as plain text: the words of somebody else. `null` for a key that
    # lacks the scope of the event, and when the event has been erased.
    responseBody: Optional[str]
    # The HTTP status that the receiver answered last.
    responseStatus: Optional[int]
    # `DROPPED`: too many waited for the endpoint. `NOTED`: it stands only in the log.
    status: Literal["WAITING", "DELIVERED", "FAILED", "DROPPED", "NOTED"]
    type: Literal["message.status", "message.submitted", "message.received", "wallet.low", "verify.status", "verify.paused", "campaign.paused", "campaign.stopped", "campaign.done", "pattern.reviewed", "webhook.disabled", "webhook.test"]
    # The endpoint's address as it is now.
    url: str


class CampaignDoneEventData(TypedDict):
    # The id of the campaign.
    id: str
    # Why, if that was not its sender.
    reason: Optional[CampaignReason]
    state: CampaignState
    # Whether a test key has made it. Only endpoints of test keys get such events, and no others.
    test: bool
    title: str


class CampaignDoneEvent(TypedDict):
    """A campaign has reached everybody that it could."""

    createdAt: str
    data: CampaignDoneEventData
    # The id of the event.
    id: str
    type: Literal["campaign.done"]


class CampaignPausedEventData(TypedDict):
    # The id of the campaign.
    id: str
    # Why, if that was not its sender.
    reason: Optional[CampaignReason]
    state: CampaignState
    # Whether a test key has made it. Only endpoints of test keys get such events, and no others.
    test: bool
    title: str


class CampaignPausedEvent(TypedDict):
    """A campaign is paused: by its sender, or because it can't go on."""

    createdAt: str
    data: CampaignPausedEventData
    # The id of the event.
    id: str
    type: Literal["campaign.paused"]


class CampaignStoppedEventData(TypedDict):
    # The id of the campaign.
    id: str
    # Why, if that was not its sender.
    reason: Optional[CampaignReason]
    state: CampaignState
    # Whether a test key has made it. Only endpoints of test keys get such events, and no others.
    test: bool
    title: str


class CampaignStoppedEvent(TypedDict):
    """Its budget, its guard, or what may be spent in a day, has stopped a campaign."""

    createdAt: str
    data: CampaignStoppedEventData
    # The id of the event.
    id: str
    type: Literal["campaign.stopped"]


_MessageReceivedEventDataKeywords = TypedDict("_MessageReceivedEventDataKeywords", {"from": str})


class MessageReceivedEventData(_MessageReceivedEventDataKeywords):
    id: str
    line: str
    # Whether it has put its sender on the blacklist.
    optOut: bool
    receivedAt: str
    text: str


class MessageReceivedEvent(TypedDict):
    """A message has come from a phone."""

    createdAt: str
    data: MessageReceivedEventData
    # The id of the event.
    id: str
    type: Literal["message.received"]


class _MessageStatusEventDataRecipientsRequired(TypedDict):
    changedAt: str
    recipient: str
    status: RecipientStatus
    # The uid of the recipient: that of the message, and its index in the message.
    uid: str


class MessageStatusEventDataRecipients(_MessageStatusEventDataRecipientsRequired, total=False):
    error: DeliveryError
    # There if the sandbox has taken it in place of a carrier that sends: it reached nobody.
    simulated: Literal[True]


class _MessageStatusEventDataRequired(TypedDict):
    # Your own reference.
    clientRef: Optional[str]
    recipients: List[MessageStatusEventDataRecipients]
    # Whether a test key has sent the message. Only endpoints of test keys get such events, and no others.
    test: bool
    # The message's uid.
    uid: str


class MessageStatusEventData(_MessageStatusEventDataRequired, total=False):
    # There if the sandbox has taken it in place of a carrier that sends: it reached nobody.
    simulated: Literal[True]


class MessageStatusEvent(TypedDict):
    """Recipients of a message have come to their ending, or are `UNKNOWN`."""

    createdAt: str
    data: MessageStatusEventData
    # The id of the event.
    id: str
    type: Literal["message.status"]


class _MessageSubmittedEventDataRecipientsRequired(TypedDict):
    changedAt: str
    recipient: str
    status: RecipientStatus
    # The uid of the recipient: that of the message, and its index in the message.
    uid: str


class MessageSubmittedEventDataRecipients(_MessageSubmittedEventDataRecipientsRequired, total=False):
    error: DeliveryError
    # There if the sandbox has taken it in place of a carrier that sends: it reached nobody.
    simulated: Literal[True]


class _MessageSubmittedEventDataRequired(TypedDict):
    # Your own reference.
    clientRef: Optional[str]
    recipients: List[MessageSubmittedEventDataRecipients]
    # Whether a test key has sent the message. Only endpoints of test keys get such events, and no others.
    test: bool
    # The message's uid.
    uid: str


class MessageSubmittedEventData(_MessageSubmittedEventDataRequired, total=False):
    # There if the sandbox has taken it in place of a carrier that sends: it reached nobody.
    simulated: Literal[True]


class MessageSubmittedEvent(TypedDict):
    """A carrier has taken recipients of a message."""

    createdAt: str
    data: MessageSubmittedEventData
    # The id of the event.
    id: str
    type: Literal["message.submitted"]


class PatternReviewedEventData(TypedDict):
    # Why it is refused.
    reason: Optional[str]
    slug: str
    # `ACTIVE`: it is approved, and sends use it. `REFUSED`: nothing is sent with it.
    status: Literal["ACTIVE", "REFUSED"]
    # The number of the version.
    version: int


class PatternReviewedEvent(TypedDict):
    """An operator has approved or refused a version of a pattern."""

    createdAt: str
    data: PatternReviewedEventData
    # The id of the event.
    id: str
    type: Literal["pattern.reviewed"]


class VerifyPausedEventData(TypedDict):
    # How many of these were approved.
    approved: int
    # How many have ended lately.
    ended: int
    # What the numbers begin with.
    prefix: str
    # Until when no verification of such a number starts.
    until: str


class VerifyPausedEvent(TypedDict):
    """Far fewer codes to numbers that begin alike are approved than usual: none starts for a while."""

    createdAt: str
    data: VerifyPausedEventData
    # The id of the event.
    id: str
    type: Literal["verify.paused"]


class VerifyStatusEventData(TypedDict):
    # Your own reference.
    clientRef: Optional[str]
    # The id of the verification.
    id: str
    purpose: str
    recipient: str
    status: Literal["APPROVED", "FAILED", "EXPIRED", "CANCELED", "BLOCKED"]
    # Whether a test key has made it. Only endpoints of test keys get such events, and no others.
    test: bool


class VerifyStatusEvent(TypedDict):
    """A verification has ended."""

    createdAt: str
    data: VerifyStatusEventData
    # The id of the event.
    id: str
    type: Literal["verify.status"]


class WalletLowEventData(TypedDict):
    availableBalance: int
    # The `lowBalance` of the endpoint, or of the account.
    threshold: int


class WalletLowEvent(TypedDict):
    """The available balance has fallen below the endpoint's `lowBalance`, or the account's."""

    createdAt: str
    data: WalletLowEventData
    # The id of the event.
    id: str
    type: Literal["wallet.low"]


class WebhookDisabledEventData(TypedDict):
    # The endpoint's id.
    endpoint: str
    reason: Literal["GONE", "FAILING"]
    url: str


class WebhookDisabledEvent(TypedDict):
    """Peyk has stopped another endpoint of the account."""

    createdAt: str
    data: WebhookDisabledEventData
    # The id of the event.
    id: str
    type: Literal["webhook.disabled"]


class WebhookTestEventData(TypedDict):
    # The endpoint's id.
    endpoint: str


class WebhookTestEvent(TypedDict):
    """Somebody has called `POST /webhook/{id}/test`."""

    createdAt: str
    data: WebhookTestEventData
    # The id of the event.
    id: str
    type: Literal["webhook.test"]


WebhookEvent = Union[CampaignDoneEvent, CampaignPausedEvent, CampaignStoppedEvent, MessageReceivedEvent, MessageStatusEvent, MessageSubmittedEvent, PatternReviewedEvent, VerifyPausedEvent, VerifyStatusEvent, WalletLowEvent, WebhookDisabledEvent, WebhookTestEvent]
"""An event of a webhook. Its `type` says what its `data` are. There may be types that this version does not know."""
