import http.client
import json
import random
import re
import time
import urllib.request
import uuid
from typing import Any, Dict, Iterator, Mapping, Optional, Tuple
from urllib.parse import quote, urlencode, urlsplit

from ._errors import ApiError, NetworkError, PeykError
from .types import (
    Balance,
    BulkSend,
    Erasure,
    Estimate,
    EstimateRequest,
    Message,
    PatternSend,
    PhonebookSend,
    Recipient,
    Send,
    SentMessage,
)
from ._version import VERSION

_FIRST_WAIT = 0.5
"""The first wait, in seconds, before a retry that the server gave no time for. It doubles with each one."""
_RETRIED = (429, 503)
_RECIPIENTS_PER_PAGE = 200


class _AsItIs(urllib.request.HTTPErrorProcessor):
    """Hands every answer over as it is. A redirect is not followed: that would show the API key to another server."""

    def http_response(self, request: Any, response: Any) -> Any:
        return response

    https_response = http_response


def _refuse_exposed(base_url: str) -> None:
    """Others could read the key and the messages on their way."""
    url = urlsplit(base_url)
    is_loopback = re.fullmatch(r"localhost|127(\.\d+){3}|::1", url.hostname or "") is not None
    if url.scheme != "https" and not (url.scheme == "http" and is_loopback):
        raise ValueError("base_url must begin with https://; http:// is for this machine only")


class Client:
    """A client of one account. Threads may share it.

    Every call tries again after a failure of the network, a 429 and a 503, waits `Retry-After`, and gives up after
    `max_attempts`. Nothing else is tried again. All tries of a send have one idempotency key, so it is sent and paid
    once.

    Every call may raise `ApiError` and `NetworkError`.

    api_key: `peyk_live_…` or `peyk_test_…`.
    base_url: the address of the service, like `https://sms.example.com`. `http` is for this machine only.
    timeout: seconds that a try waits for the connection, and then for each next piece of the answer.
    max_attempts: how often a request is tried at most, the first time included.
    max_retry_after: the longest `Retry-After`, in seconds, that the client waits for.
    language: of `title` and `detail` of errors, `en` or `fa`. The service decides if it is left out.

    A send takes an `idempotency_key`: 1 to 255 visible ASCII characters, a random UUID if left out. Sends with the same
    key and the same body within 24 hours make one message. Give a key of your own, like `order-17-paid`, if your
    program may repeat a send by itself.
    """

    def __init__(
        self,
        api_key: str,
        base_url: str,
        *,
        timeout: float = 30,
        max_attempts: int = 3,
        max_retry_after: float = 30,
        language: Optional[str] = None,
    ) -> None:
        _refuse_exposed(base_url)
        self._base_url = base_url.rstrip("/")
        self._headers = {"Authorization": f"Bearer {api_key}", "User-Agent": f"peyk-python/{VERSION}"}
        if language:
            self._headers["Accept-Language"] = language
        self._timeout = timeout
        self._max_attempts = max_attempts
        self._max_retry_after = max_retry_after
        self._opener = urllib.request.build_opener(_AsItIs)

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

    def estimate(self, body: EstimateRequest) -> Estimate:
        """Says what a send would cost, and what stands against it. Sends nothing."""
        return self._call("POST", "/sms/estimate", body)["data"]

    def get_message(self, uid: str) -> Message:
        """A message as it is now, with its first 100 recipients."""
        return self._call("GET", f"/messages/{quote(uid, safe='')}")["data"]

    def list_recipients(self, uid: str, *, status: Optional[str] = None) -> Iterator[Recipient]:
        """All recipients of a message, or those of one status. Reads page by page."""
        query = {"limit": str(_RECIPIENTS_PER_PAGE), **({"status": status} if status else {})}
        while True:
            page = self._call("GET", f"/messages/{quote(uid, safe='')}/recipients?{urlencode(query)}")
            yield from page["data"]
            if page["meta"]["nextCursor"] is None:
                return
            query["cursor"] = page["meta"]["nextCursor"]

    def get_balance(self) -> Balance:
        """The account's money."""
        return self._call("GET", "/account/info")["data"]["wallet"]

    def start_erasure(self, number: str) -> Erasure:
        """Erases a number from all that the account has. The key needs the scope `erasure`."""
        return self._call("POST", "/erasures", {"number": number})["data"]

    def get_erasure(self, order: str) -> Erasure:
        """An order to erase a number, by its id, as it is now."""
        return self._call("GET", f"/erasures/{quote(order, safe='')}")["data"]

    def _send(self, path: str, body: Mapping[str, Any], idempotency_key: Optional[str]) -> SentMessage:
        key = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
        return self._call("POST", path, body, key)["data"]

    def _call(
        self, method: str, path: str, body: Optional[Mapping[str, Any]] = None, idempotency_key: Optional[str] = None
    ) -> Dict[str, Any]:
        """Makes a request until it succeeds, fails for good, or has been tried often enough. All tries are the same."""
        request = urllib.request.Request(self._base_url + path, method=method, headers=self._headers)
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        if idempotency_key is not None:
            request.add_header("Idempotency-Key", idempotency_key)
        attempt = 1
        while True:
            try:
                return self._attempt(request)
            except PeykError as error:
                error.idempotency_key = idempotency_key
                wait = self._wait_before_retry(error, attempt)
                if wait is None:
                    raise
            time.sleep(wait)
            attempt += 1

    def _attempt(self, request: urllib.request.Request) -> Dict[str, Any]:
        status, headers, text = self._exchange(request)
        answer = _parse(text)
        if not 200 <= status < 300:
            raise ApiError(status, headers, answer or {})
        # A success always has JSON. If it has none, something between here and Peyk has cut or replaced it.
        if answer is None:
            raise NetworkError("the answer is not whole")
        return answer

    def _exchange(self, request: urllib.request.Request) -> Tuple[int, Mapping[str, str], bytes]:
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                return response.status, response.headers, response.read()
        except (OSError, http.client.HTTPException) as error:
            raise NetworkError(f"{request.get_method()} {request.selector}: {type(error).__name__}: {error}") from error

    def _wait_before_retry(self, error: PeykError, attempt: int) -> Optional[float]:
        """Returns seconds, or `None` if the request must not be tried again."""
        is_passing = isinstance(error, NetworkError) or (isinstance(error, ApiError) and error.status in _RETRIED)
        if not is_passing or attempt >= self._max_attempts:
            return None
        # A retry that comes too early is refused too. So a wait that is too long is not shortened.
        if isinstance(error, ApiError) and error.retry_after is not None:
            return error.retry_after if error.retry_after <= self._max_retry_after else None
        # The random part spreads the clients that have failed together.
        return min(_FIRST_WAIT * 2.0 ** (attempt - 1), self._max_retry_after) * random.uniform(0.5, 1)


def _parse(text: bytes) -> Optional[Dict[str, Any]]:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
