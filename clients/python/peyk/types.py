"""Requests and answers. Their members are those of docs/api.md.

Money is in the minor unit of the account's currency, which `unit` names. Times are RFC 3339.
"""

from typing import Dict, List, Optional, TypedDict, Union

Variables = Dict[str, Union[str, int, float]]


class SendMembers(TypedDict, total=False):
    """What every send takes, all of it optional."""

    sourceNumber: str  # the line to send from; without it, the account's default line
    sendAt: str  # when to send, at most 90 days ahead; without it, at once
    clientRef: str  # your own reference, up to 64 characters


class Send(SendMembers):
    message: str
    recipients: List[str]  # up to 1,000 phone numbers, like 09121234567 or +989121234567


class _Pattern(SendMembers):
    pattern: str  # the pattern's slug


class PatternSend(_Pattern, total=False):
    """Takes `recipient` or `recipients`."""

    variables: Variables  # a value for each placeholder of the pattern
    recipient: str
    recipients: List[str]


class _Campaign(SendMembers):
    message: str  # the text; %name% and %…% with an attribute's name are filled in for each number


class PhonebookSend(_Campaign, total=False):
    """Takes `phonebook` or `phonebooks`."""

    phonebook: str
    phonebooks: List[str]
    exclude: List[str]  # phone numbers that get nothing


class _BulkRecipient(TypedDict):
    recipient: str


class BulkItem(_BulkRecipient, total=False):
    """Has `message`, or `pattern` and `variables`."""

    message: str
    pattern: str
    variables: Variables


class BulkSend(SendMembers):
    messages: List[BulkItem]  # up to 1,000


class EstimateRequest(TypedDict, total=False):
    """Has exactly one member."""

    send: Send
    pattern: PatternSend
    phonebook: PhonebookSend
    bulk: BulkSend


class SentRecipient(TypedDict):
    uid: str
    recipient: str  # the phone number in E.164, like +989121234567
    status: str
    cost: int


class Recipient(SentRecipient, total=False):
    updatedAt: str
    error: str  # why the recipient did not get the message, like ABSENT_SUBSCRIBER
    message: str  # the recipient's own text, of a send to phonebooks or in bulk
    textTruncated: bool  # `message` is cut, because it is one of many in a list
    encoding: str
    parts: int


class _MessageMembers(TypedDict):
    uid: str
    status: str  # SCHEDULED, QUEUED, SENDING, DONE or CANCELED
    type: str  # PLAIN, PATTERN, PHONEBOOK or BULK
    sourceNumber: str
    encoding: str  # GSM7 or UCS2
    parts: int
    cost: int  # of all recipients together
    unit: str
    clientRef: Optional[str]
    sendAt: Optional[str]


class SentMessage(_MessageMembers):
    """The answer of a send."""

    recipients: List[SentRecipient]


class Message(_MessageMembers):
    """A message as it is now."""

    test: bool  # sent by a test key: nothing was charged or sent
    message: Optional[str]  # `None` for a bulk send, where each recipient has a text
    recipientCount: int
    createdAt: str
    counts: Dict[str, int]  # how many recipients have each status
    recipients: List[Recipient]  # the first 100


class FieldError(TypedDict):
    """A fault of one member of the request."""

    pointer: str  # a JSON pointer into the body, like /recipients/1
    detail: str


class EstimateFault(TypedDict):
    status: int
    code: int
    name: str
    detail: str
    extra: List[str]
    errors: List[FieldError]


class Estimate(TypedDict):
    type: str
    sourceNumber: str
    encoding: str
    parts: int
    recipients: int  # how many
    cost: int
    unit: str
    faults: List[EstimateFault]  # the errors that the send would meet now, like 2001


class Balance(TypedDict):
    availableBalance: int  # what can be spent
    lockedBalance: int  # what is reserved for messages on their way
    totalBalance: int  # available and locked
    unit: str


class ErasedData(TypedDict):
    recipients: int
    canceled: int  # those of the recipients that had not left
    mentions: int  # texts of other messages, and references, that had the number in them
    inbound: int
    events: int
    phonebookNumbers: int
    blacklisted: bool  # whether the number was on the blacklist; it stays blocked


class Erasure(TypedDict):
    id: str
    numberEnding: str  # the last two digits of the number
    orderedBy: str  # ACCOUNT, or OPERATORS over all accounts
    status: str  # RUNNING, or DONE: nothing has the number any more
    createdAt: str
    doneAt: Optional[str]
    found: ErasedData  # what the order has met so far
