"""A method for each operation of the API. Made by `npm run clients` from openapi.json."""

from typing import Iterator, Literal, Optional

from ._transport import Transport, segment
from .types import (
    AccountInfo,
    AccountMemberChange,
    AccountMemberInput,
    AccountSettings,
    AccountSettingsInput,
    AddNumbers,
    AddedNumbers,
    AddedToPhonebook,
    BlockedNumber,
    Campaign,
    CampaignChange,
    CampaignDetail,
    CampaignInput,
    CanceledMessage,
    Cascade,
    CheckVerification,
    ConsoleLink,
    ConsoleSession,
    Delivery,
    DeliveryWithRequest,
    Endpoint,
    EndpointChange,
    EndpointInput,
    EndpointWithSecret,
    Erasure,
    Estimate,
    EstimateRequest,
    FoundRecipients,
    Health,
    Held,
    InboundMessage,
    InboundToTake,
    IssuedKey,
    LinkInput,
    LowBalance,
    LowBalanceInput,
    Member,
    Message,
    MessageSummary,
    NumberChange,
    NumberList,
    Outcomes,
    OwnKey,
    OwnKeyInput,
    OwnLine,
    Pattern,
    PatternChange,
    PatternInput,
    PatternVersion,
    PatternVersionInput,
    PendingVerifications,
    Phonebook,
    PhonebookChange,
    PhonebookChangeById,
    PhonebookInput,
    PhonebookNumber,
    ProofKeys,
    Recipient,
    RecipientsToFind,
    RemovedNumbers,
    RotatedKey,
    Rotation,
    SignInRule,
    SignInRuleInput,
    TakenInbound,
    Tariff,
    Transaction,
    Unsent,
    UsageDay,
    Verification,
    VerificationCheck,
    VerificationInput,
    VerifyStats,
)


class Operations(Transport):
    def get_proof_keys(self) -> ProofKeys:
        """Returns the keys that check proofs, as a JWK Set (RFC 7517)."""
        return self.request("GET", "/.well-known/jwks.json")

    def get_account_info(self) -> AccountInfo:
        """Returns the wallet, the status and the plan of the account."""
        return self.request("GET", "/account/info")["data"]

    def change_account_info(self, body: AccountSettingsInput) -> AccountSettings:
        """Changes what the account decides for itself: `{"timeZone"?}`."""
        return self.request("PATCH", "/account/info", body=body)["data"]

    def get_low_balance(self) -> LowBalance:
        """Returns the balance below which the account's endpoints get `wallet.low`."""
        return self.request("GET", "/account/low-balance")["data"]

    def set_low_balance(self, body: LowBalanceInput) -> LowBalance:
        """Sets the balance below which the endpoints without a `lowBalance` of their own get `wallet.low`:
        `{"lowBalance"}`.
        """
        return self.request("PUT", "/account/low-balance", body=body)["data"]

    def get_outcomes(self, *, from_: Optional[str] = None) -> Outcomes:
        """Says how the newest messages have ended, by mobile operator, and why some have not arrived. Filter:
        `from_`.
        """
        return self.request("GET", "/account/outcomes", query={"from": from_})["data"]

    def list_transactions(
        self,
        *,
        type: Optional[Literal["CREDIT", "RESERVE", "SETTLE", "RELEASE", "REFUND"]] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        message: Optional[str] = None,
    ) -> Iterator[Transaction]:
        """Lists the entries of the account's ledger, newest first. Filters: `type`, `from_`, `to`, `message`.
        `export_transactions` has them as a file.
        """
        return self.pages("/account/transactions", query={"type": type, "from": from_, "to": to, "message": message})

    def get_unsent(self) -> Unsent:
        """Says how many recipients have not left yet, and on which lines they wait longer than they should."""
        return self.request("GET", "/account/unsent")["data"]

    def list_usage(self, *, from_: Optional[str] = None, to: Optional[str] = None) -> Iterator[UsageDay]:
        """Counts what the account has sent, by day and by key, newest first. Filters: `from_`, `to`."""
        return self.pages("/account/usage", query={"from": from_, "to": to})

    def list_blacklist(self, *, number: Optional[str] = None) -> Iterator[BlockedNumber]:
        """Lists the numbers on the blacklist. Filter: `number`."""
        return self.pages("/blacklist", query={"number": number})

    def add_to_blacklist(self, body: NumberList) -> AddedNumbers:
        """Adds numbers to the blacklist: `{"numbers"}`."""
        return self.request("POST", "/blacklist", body=body, repeatable=True)["data"]

    def remove_from_blacklist(
        self,
        body: Optional[NumberList] = None,
        *,
        number: Optional[str] = None,
    ) -> RemovedNumbers:
        """Removes numbers from the blacklist: `{"numbers"}`, or `number` in the query."""
        return self.request("DELETE", "/blacklist", query={"number": number}, body=body)["data"]

    def list_campaigns(self) -> Iterator[Campaign]:
        """Lists the campaigns, newest first."""
        return self.pages("/campaigns")

    def create_campaign(self, body: CampaignInput) -> CampaignDetail:
        """Makes a campaign of a text or a pattern to phonebooks, and counts its people."""
        return self.request("POST", "/campaigns", body=body)["data"]

    def get_campaign(self, id: str) -> CampaignDetail:
        """Returns a campaign: what it sends to whom, and what it has come to so far."""
        return self.request("GET", f"/campaigns/{segment(id)}")["data"]

    def change_campaign(self, id: str, body: CampaignChange) -> CampaignDetail:
        """Changes a campaign."""
        return self.request("PATCH", f"/campaigns/{segment(id)}", body=body)["data"]

    def delete_campaign(self, id: str) -> None:
        """Deletes a campaign that was not started or has ended. Its messages stay."""
        self.request("DELETE", f"/campaigns/{segment(id)}")

    def cancel_campaign(self, id: str) -> CampaignDetail:
        """Ends a campaign for good. What has not left of its newest wave is canceled, and paid back."""
        return self.request("POST", f"/campaigns/{segment(id)}/cancel")["data"]

    def pause_campaign(self, id: str) -> CampaignDetail:
        """Pauses a campaign: nothing more of it leaves until it is resumed. The wave that is on its way is paused
        with it.
        """
        return self.request("POST", f"/campaigns/{segment(id)}/pause")["data"]

    def list_campaign_recipients(
        self,
        id: str,
        *,
        status: Optional[Literal["SCHEDULED", "QUEUED", "UNKNOWN", "SUBMITTED", "DELIVERED", "UNDELIVERED", "EXPIRED", "REJECTED", "CANCELED", "SKIPPED"]] = None,
        recipient: Optional[str] = None,
        error: Optional[Literal["ABSENT_SUBSCRIBER", "UNKNOWN_SUBSCRIBER", "BLOCKED", "CONTENT_REFUSED", "SENDER_REFUSED", "EXPIRED", "NO_REPORT", "BLACKLISTED", "NOT_A_DESTINATION", "TEXT_NOT_SENDABLE", "RECIPIENT_LIMIT", "CARRIER_ERROR"]] = None,
    ) -> Iterator[Recipient]:
        """Lists the people of a campaign, wave by wave, with what became of each. Filters: `status`, `recipient`,
        `error`. `request` has them as a file, with `format=csv`.
        """
        return self.pages(f"/campaigns/{segment(id)}/recipients", query={"status": status, "recipient": recipient, "error": error})

    def resend_campaign(self, id: str) -> CampaignDetail:
        """Makes the resend of a campaign that has ended: another campaign, to those whom it certainly did not
        reach. Asked again, it answers the same one.
        """
        return self.request("POST", f"/campaigns/{segment(id)}/resend")["data"]

    def resume_campaign(self, id: str) -> CampaignDetail:
        """Lets a campaign go on that is paused or was stopped. Its waves count for this key from now on."""
        return self.request("POST", f"/campaigns/{segment(id)}/resume")["data"]

    def start_campaign(self, id: str) -> CampaignDetail:
        """Starts a campaign: at once, or at its time. Started again, it stays as it is."""
        return self.request("POST", f"/campaigns/{segment(id)}/start")["data"]

    def make_console_link(self, body: LinkInput) -> ConsoleLink:
        """Makes a link that opens one session of the console for the key of the request: `{"ttlSeconds"?}`."""
        return self.request("POST", "/console/link", body=body)["data"]

    def get_console_session(self) -> ConsoleSession:
        """Says who is signed in."""
        return self.request("GET", "/console/session")["data"]

    def open_console_session(self) -> None:
        """Opens a session of the console for the key of the request, in a cookie."""
        self.request("POST", "/console/session")

    def end_console_session(self, *, everywhere: Optional[bool] = None) -> None:
        """Ends the session and its cookie. `?everywhere=true`: all sessions of the same key."""
        self.request("DELETE", "/console/session", query={"everywhere": everywhere})

    def list_erasures(self) -> Iterator[Erasure]:
        """Lists the orders to erase a number."""
        return self.pages("/erasures")

    def get_erasure(self, id: str) -> Erasure:
        """Returns an order to erase a number: whether it is done, and what it has met."""
        return self.request("GET", f"/erasures/{segment(id)}")["data"]

    def get_health(self) -> Health:
        """Says that the service is up, and its version."""
        return self.request("GET", "/health")["data"]

    def get_held(self, *, number: str) -> Held:
        """Tells what the account has on a number: `number` in the query."""
        return self.request("GET", "/held", query={"number": number})["data"]

    def list_inbound(
        self,
        *,
        line: Optional[str] = None,
        from_: Optional[str] = None,
        since: Optional[str] = None,
        until: Optional[str] = None,
        taken: Optional[bool] = None,
    ) -> Iterator[InboundMessage]:
        """Lists what phones have sent to the account, newest first. Filters: `line`, `from_`, `since`, `until`,
        `taken`.
        """
        return self.pages("/inbound", query={"line": line, "from": from_, "since": since, "until": until, "taken": taken})

    def take_inbound(self, body: InboundToTake) -> TakenInbound:
        """Returns the oldest messages from phones that were not taken before, and marks them as taken: `{"line"?,
        "limit"?}`.
        """
        return self.request("POST", "/inbound/take", body=body)["data"]

    def list_keys(self) -> Iterator[OwnKey]:
        """Lists the keys of the account, newest first."""
        return self.pages("/keys")

    def issue_key(self, body: OwnKeyInput) -> IssuedKey:
        """Issues a key that has no more than the caller's: `{"title", "scopes"?, "expiresAt"?, "lines"?, "mode"?,
        "ips"?, "ratePerMinute"?, "dailySpend"?}`. Shows it once.
        """
        return self.request("POST", "/keys", body=body)["data"]

    def revoke_key(self, id: str, *, cascade: Optional[bool] = None) -> Optional[Cascade]:
        """Revokes a key that has no more than the caller's, at once. `?cascade=true`: with all that comes from it."""
        return (self.request("DELETE", f"/keys/{segment(id)}", query={"cascade": cascade}) or {}).get("data")

    def rotate_key(self, id: str, body: Rotation) -> RotatedKey:
        """Replaces a key that has no more than the caller's. The old one works for `graceSeconds` more, a day if
        left out.
        """
        return self.request("POST", f"/keys/{segment(id)}/rotate", body=body)["data"]

    def list_lines(self) -> Iterator[OwnLine]:
        """Lists the lines that the caller may send from."""
        return self.pages("/lines")

    def list_members(self) -> Iterator[Member]:
        """Lists the members of the account, newest first."""
        return self.pages("/members")

    def add_member(self, body: AccountMemberInput) -> Member:
        """Admits a person who signs in to the console, and sends an invitation: `{"phone", "name", "role",
        "invite"?}`.
        """
        return self.request("POST", "/members", body=body)["data"]

    def get_sign_in_rule(self) -> SignInRule:
        """Returns what members need to sign in."""
        return self.request("GET", "/members/sign-in")["data"]

    def set_sign_in_rule(self, body: SignInRuleInput) -> SignInRule:
        """Sets what members need to sign in: `{"require"}`."""
        return self.request("PUT", "/members/sign-in", body=body)["data"]

    def change_member(self, id: str, body: AccountMemberChange) -> Member:
        """Changes the `name` or the `role` of a member, but nobody their own role. With the role, all sessions of
        the person end.
        """
        return self.request("PATCH", f"/members/{segment(id)}", body=body)["data"]

    def remove_member(self, id: str, *, cascade: Optional[bool] = None) -> Optional[Cascade]:
        """Lets a member go. All sessions of the person end. `?cascade=true`: with all that comes from the person."""
        return (self.request("DELETE", f"/members/{segment(id)}", query={"cascade": cascade}) or {}).get("data")

    def invite_member(self, id: str) -> Member:
        """Sends a member who has not joined yet the invitation again."""
        return self.request("POST", f"/members/{segment(id)}/invitation")["data"]

    def make_member_link(self, id: str, body: LinkInput) -> ConsoleLink:
        """Makes a link that signs a member in, once: `{"ttlSeconds"?}`."""
        return self.request("POST", f"/members/{segment(id)}/link", body=body)["data"]

    def list_messages(
        self,
        *,
        status: Optional[Literal["SCHEDULED", "QUEUED", "SENDING", "DONE", "CANCELED"]] = None,
        type: Optional[Literal["PLAIN", "PATTERN", "PHONEBOOK", "BULK", "VERIFY", "SIGN_IN"]] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        recipient: Optional[str] = None,
        client_ref: Optional[str] = None,
    ) -> Iterator[MessageSummary]:
        """Lists messages, newest first. Filters: `status`, `type`, `from_`, `to`, `recipient`, `client_ref`."""
        return self.pages("/messages", query={"status": status, "type": type, "from": from_, "to": to, "recipient": recipient, "clientRef": client_ref})

    def find_recipients(self, body: RecipientsToFind) -> FoundRecipients:
        """Returns up to 500 recipients of any messages, by their uids or by your references: `{"recipients"}` or
        `{"clientRefs"}`.
        """
        return self.request("POST", "/messages/recipients", body=body, repeatable=True)["data"]

    def get_message(self, uid: str) -> Message:
        """Returns a message with its counts by status and its first 100 recipients."""
        return self.request("GET", f"/messages/{segment(uid)}")["data"]

    def cancel_message(self, uid: str) -> CanceledMessage:
        """Cancels what has not left of a message, and releases its money."""
        return self.request("DELETE", f"/messages/{segment(uid)}")["data"]

    def pause_message(self, uid: str) -> Message:
        """Pauses a message: nothing more of it leaves until it is resumed. Its money stays reserved."""
        return self.request("POST", f"/messages/{segment(uid)}/pause")["data"]

    def list_recipients(
        self,
        uid: str,
        *,
        status: Optional[Literal["SCHEDULED", "QUEUED", "UNKNOWN", "SUBMITTED", "DELIVERED", "UNDELIVERED", "EXPIRED", "REJECTED", "CANCELED", "SKIPPED"]] = None,
        recipient: Optional[str] = None,
        error: Optional[Literal["ABSENT_SUBSCRIBER", "UNKNOWN_SUBSCRIBER", "BLOCKED", "CONTENT_REFUSED", "SENDER_REFUSED", "EXPIRED", "NO_REPORT", "BLACKLISTED", "NOT_A_DESTINATION", "TEXT_NOT_SENDABLE", "RECIPIENT_LIMIT", "CARRIER_ERROR"]] = None,
    ) -> Iterator[Recipient]:
        """Lists the recipients of a message. Filters: `status`, `recipient`, `error`. `request` has them as a
        file, with `format=csv`.
        """
        return self.pages(f"/messages/{segment(uid)}/recipients", query={"status": status, "recipient": recipient, "error": error})

    def resume_message(self, uid: str) -> Message:
        """Lets a paused message go on. One that is not paused stays as it is."""
        return self.request("POST", f"/messages/{segment(uid)}/resume")["data"]

    def list_patterns(self) -> Iterator[Pattern]:
        """Lists the patterns, each with its active version and its newest."""
        return self.pages("/pattern")

    def create_pattern(self, body: PatternInput) -> Pattern:
        """Creates a pattern: `{"slug"?, "title", "lines"?, "text"?, "variables"?}`."""
        return self.request("POST", "/pattern", body=body)["data"]

    def get_pattern(self, slug: str) -> Pattern:
        """Returns a pattern with all of its versions."""
        return self.request("GET", f"/pattern/{segment(slug)}")["data"]

    def change_pattern(self, slug: str, body: PatternChange) -> Pattern:
        """Changes the `title` or the `lines` of a pattern."""
        return self.request("PUT", f"/pattern/{segment(slug)}", body=body)["data"]

    def delete_pattern(self, slug: str) -> None:
        """Deletes a pattern without an active version."""
        self.request("DELETE", f"/pattern/{segment(slug)}")

    def deactivate_pattern(self, slug: str) -> Pattern:
        """Retires the active version of a pattern."""
        return self.request("POST", f"/pattern/{segment(slug)}/deactivate", repeatable=True)["data"]

    def create_pattern_version(self, slug: str, body: PatternVersionInput) -> PatternVersion:
        """Adds a version to a pattern: `{"text", "variables"?}`."""
        return self.request("POST", f"/pattern/{segment(slug)}/versions", body=body)["data"]

    def activate_pattern_version(self, slug: str, n: int) -> Pattern:
        """Activates a version of a pattern and retires the active one."""
        return self.request("POST", f"/pattern/{segment(slug)}/versions/{segment(n)}/activate", repeatable=True)["data"]

    def list_phonebooks(self) -> Iterator[Phonebook]:
        """Lists the phonebooks."""
        return self.pages("/phonebook")

    def create_phonebook(self, body: PhonebookInput) -> Phonebook:
        """Creates a phonebook: `{"title", "description"?}`."""
        return self.request("POST", "/phonebook", body=body)["data"]

    def change_phonebook_in_body(self, body: PhonebookChangeById) -> Phonebook:
        """Changes the phonebook whose `id` is in the body."""
        return self.request("PUT", "/phonebook", body=body)["data"]

    def delete_phonebook_in_query(self, *, id: str) -> None:
        """Deletes the phonebook whose `id` is in the query."""
        self.request("DELETE", "/phonebook", query={"id": id})

    def list_numbers(self, phonebook_id: str, *, q: Optional[str] = None) -> Iterator[PhonebookNumber]:
        """Lists the numbers of a phonebook. Filter: `q`, with which the number or the name begins."""
        return self.pages(f"/phonebook/number/{segment(phonebook_id)}", query={"q": q})

    def add_numbers(self, phonebook_id: str, body: AddNumbers) -> AddedToPhonebook:
        """Adds or updates numbers: `{"number", "name"?, "attributes"?}`, or `{"numbers": [… ≤ 1,000]}`."""
        return self.request("POST", f"/phonebook/number/{segment(phonebook_id)}", body=body, repeatable=True)["data"]

    def change_number(self, phonebook_id: str, number_id: int, body: NumberChange) -> PhonebookNumber:
        """Changes a number of a phonebook, its name or its attributes."""
        return self.request("PUT", f"/phonebook/number/{segment(phonebook_id)}/{segment(number_id)}", body=body)["data"]

    def delete_number(self, phonebook_id: str, number_id: int) -> None:
        """Deletes a number of a phonebook."""
        self.request("DELETE", f"/phonebook/number/{segment(phonebook_id)}/{segment(number_id)}")

    def get_phonebook(self, id: str) -> Phonebook:
        """Returns a phonebook."""
        return self.request("GET", f"/phonebook/{segment(id)}")["data"]

    def change_phonebook(self, id: str, body: PhonebookChange) -> Phonebook:
        """Changes the title or the description of a phonebook."""
        return self.request("PUT", f"/phonebook/{segment(id)}", body=body)["data"]

    def delete_phonebook(self, id: str) -> None:
        """Deletes a phonebook with its numbers."""
        self.request("DELETE", f"/phonebook/{segment(id)}")

    def get_tariff(self) -> Tariff:
        """Returns the price of one part and the coefficients of each line."""
        return self.request("GET", "/plan/tariff")["data"]

    def estimate(self, body: EstimateRequest) -> Estimate:
        """Says what a send would cost. `faults` lists the refusals that depend on the account (1003, 3011, 3016,
        3018, 2002, 2001).
        """
        return self.request("POST", "/sms/estimate", body=body, repeatable=True)["data"]

    def find_verifications(self, *, recipient: str, purpose: Optional[str] = None) -> PendingVerifications:
        """Finds the pending verifications of a number, newest first: `recipient`, `purpose`."""
        return self.request("GET", "/verify", query={"recipient": recipient, "purpose": purpose})["data"]

    def start_verification(self, body: VerificationInput) -> Verification:
        """Makes a code and sends it to a number, or sends the pending code again."""
        return self.request("POST", "/verify", body=body)["data"]

    def check_verification(self, body: CheckVerification) -> VerificationCheck:
        """Checks a code that a person has typed."""
        return self.request("POST", "/verify/check", body=body)["data"]

    def get_verify_stats(
        self,
        *,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        by: Optional[Literal["day", "prefix", "line", "carrier"]] = None,
    ) -> VerifyStats:
        """Tells how verifications have ended, by day, first digits of numbers, line or carrier."""
        return self.request("GET", "/verify/stats", query={"from": from_, "to": to, "by": by})["data"]

    def get_verification(self, id: str) -> Verification:
        """Returns a verification."""
        return self.request("GET", f"/verify/{segment(id)}")["data"]

    def cancel_verification(self, id: str) -> Verification:
        """Takes a verification back. What has not left of its messages is canceled."""
        return self.request("DELETE", f"/verify/{segment(id)}")["data"]

    def list_webhooks(self) -> Iterator[Endpoint]:
        """Lists the endpoints, newest first."""
        return self.pages("/webhook")

    def create_webhook(self, body: EndpointInput) -> EndpointWithSecret:
        """Creates an endpoint for events: `{"url", "events", "lowBalance"?, "description"?}`. Shows its secret
        once.
        """
        return self.request("POST", "/webhook", body=body)["data"]

    def get_webhook(self, id: str) -> Endpoint:
        """Returns an endpoint."""
        return self.request("GET", f"/webhook/{segment(id)}")["data"]

    def change_webhook(self, id: str, body: EndpointChange) -> Endpoint:
        """Changes `url`, `events`, `lowBalance`, `description` or `active` of an endpoint."""
        return self.request("PUT", f"/webhook/{segment(id)}", body=body)["data"]

    def delete_webhook(self, id: str) -> None:
        """Deletes an endpoint with its log."""
        self.request("DELETE", f"/webhook/{segment(id)}")

    def list_deliveries(self, id: str) -> Iterator[Delivery]:
        """Lists what was sent to an endpoint in the last 30 days, newest first."""
        return self.pages(f"/webhook/{segment(id)}/deliveries")

    def get_delivery(self, id: str, delivery_id: str) -> DeliveryWithRequest:
        """Returns what was sent to an endpoint, with the body of the request."""
        return self.request("GET", f"/webhook/{segment(id)}/deliveries/{segment(delivery_id)}")["data"]

    def redeliver_event(self, id: str, delivery_id: str) -> Delivery:
        """Sends an event to an endpoint again, with the same id."""
        return self.request("POST", f"/webhook/{segment(id)}/deliveries/{segment(delivery_id)}/redeliver")["data"]

    def rotate_webhook_secret(self, id: str) -> EndpointWithSecret:
        """Gives an endpoint a new secret and shows it once. The old one signs too for a day."""
        return self.request("POST", f"/webhook/{segment(id)}/rotate")["data"]

    def test_webhook(self, id: str) -> Delivery:
        """Sends an event of type `webhook.test` to an endpoint."""
        return self.request("POST", f"/webhook/{segment(id)}/test")["data"]
