import time
import uuid
from typing import Any, BinaryIO, Mapping, Optional, Union

from ._errors import NotDoneError
from ._operations import Operations
from ._transport import segment
from .types import Balance, BulkSend, Erasure, ImportedNumbers, Message, PatternSend, PhonebookSend, Send, SentMessage

_FIRST_POLL = 0.5
"""How long the client waits, in seconds, before it asks again for a message: at first."""
_LONGEST_POLL = 10.0


class Client(Operations):
    """A client of one account. Threads may share it.

    A request is tried again after a failure of the network, a 429 of the rate limit and a 503. The client waits
    `Retry-After`, and gives up after `max_attempts`. Nothing else is tried again. All tries of a send have one idempotency key, so it is sent
    and paid once. Another `POST` that would be done twice, like `issue_key`, is tried again after such a 429 only.

    Every call may raise `ApiError` and `NetworkError`. A list is an iterator over all its pages.

    api_key: `peyk_live_…` or `peyk_test_…`.
    base_url: the address of the service, like `https://sms.example.com`. `http` is for this machine, and for `plain_http_hosts`.
    timeout: seconds that a try waits for the connection, and then for each next piece of the answer.
    max_attempts: how often a request is tried at most, the first time included.
    max_retry_after: the longest `Retry-After`, in seconds, that the client waits for.
    language: of `title` and `detail` of errors, `en` or `fa`. The service decides if it is left out.
    plain_http_hosts: hosts that the client calls by `http` too, like `["peyk"]` in a network of containers. Whoever reads that
        network reads the key and the messages.
    on_remarks: called with the `Remarks` of each answer that has some. Without it, nobody hears of them.

    A send takes an `idempotency_key`: 1 to 255 visible ASCII characters, a random UUID if left out. Sends with the same
    key and the same body within 24 hours make one message. Give a key of your own, like `order-17-paid`, if your
    program may repeat a send by itself.
    """

    def send(self, body: Send, *, idempotency_key: Optional[str] = None) -> SentMessage:
        """Sends one text to up to 1,000 numbers."""
        return self._send("/sms/send", body, idempotency_key)

    def send_pattern(self, body: PatternSend, *, idempotency_key: Optional[str] = None) -> SentMessage:
        """Sends a pattern, filled in once, to one number or up to 1,000."""
        return self._send("/sms/pattern", body, idempotency_key)

    def send_phonebook(self, body: PhonebookSend, *, idempotency_key: Optional[str] = None) -> SentMessage:
        """Sends one text, filled in for each number, to up to 10,000 numbers of phonebooks."""
        return self._send("/sms/phonebook/send", body, idempotency_key)

    def send_bulk(self, body: BulkSend, *, idempotency_key: Optional[str] = None) -> SentMessage:
        """Sends up to 1,000 texts, each to its own number."""
        return self._send("/sms/bulk", body, idempotency_key)

    def wait_for_message(self, uid: str, *, timeout: float = 120) -> Message:
        """Asks for a message until it is `DONE` or `CANCELED`, less and less often, and returns it.

        Waits for `timeout` seconds, and then raises `NotDoneError`.
        """
        end = time.monotonic() + timeout
        wait = _FIRST_POLL
        while True:
            message = self.get_message(uid)
            if message["status"] in ("DONE", "CANCELED"):
                return message
            left = end - time.monotonic()
            if left <= 0:
                raise NotDoneError(message)
            time.sleep(min(wait, left))
            wait = min(wait * 1.5, _LONGEST_POLL)

    def get_balance(self) -> Balance:
        """The account's money: the `wallet` of `get_account_info`."""
        return self.get_account_info()["wallet"]

    def start_erasure(self, number: str) -> Erasure:
        """Erases a number from all that the account has. The key needs the scope `erasure`."""
        return self.request("POST", "/erasures", body={"number": number}, repeatable=True)["data"]

    def import_numbers(
        self, id: str, file: Union[str, bytes, BinaryIO], *, number: Optional[str] = None
    ) -> ImportedNumbers:
        """Adds the numbers of a CSV file of up to 5 MiB to a phonebook, or updates them.

        `file` is what the file has, or a file that is open for reading bytes. `number` is the title of the column with the
        numbers, if Peyk does not know it or several columns may be it.
        """
        body = file if isinstance(file, (str, bytes)) else file.read()
        path = f"/phonebook/{segment(id)}/import"
        headers = {"Content-Type": "text/csv"}
        return self.request(
            "POST", path, query={"number": number}, body=body, headers=headers, repeatable=True
        )["data"]

    def export_numbers(self, id: str) -> bytes:
        """The numbers of a phonebook, as a CSV file."""
        return self.request("GET", f"/phonebook/{segment(id)}/export")

    def export_transactions(
        self,
        *,
        type: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        message: Optional[str] = None,
    ) -> bytes:
        """The entries of the ledger that `list_transactions` lists with the same filters, as a CSV file."""
        query = {"format": "csv", "type": type, "from": from_, "to": to, "message": message}
        return self.request("GET", "/account/transactions", query=query)

    def _send(self, path: str, body: Mapping[str, Any], idempotency_key: Optional[str]) -> SentMessage:
        key = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
        return self.request("POST", path, body=body, idempotency_key=key)["data"]
