"""Makes requests, and tries again what may be tried again."""

import http.client
import json
import logging
import random
import time
import urllib.request
from typing import Any, Callable, Collection, Dict, Iterator, List, Mapping, Optional, Tuple, TypedDict
from urllib.parse import quote, urlencode

from ._config import check_function, check_key, check_limits, checked_hosts, checked_url
from ._errors import ApiError, NetworkError, PeykError
from ._version import VERSION

_FIRST_WAIT = 0.5
"""The first wait, in seconds, before a retry that the server gave no time for. It doubles with each one."""
_TOO_MANY_REQUESTS = 429
"""This answer says that nothing was done."""
_UNAVAILABLE = 503
"""This one leaves it open, as no answer does."""
_ITEMS_PER_PAGE = 200


class _AsItIs(urllib.request.HTTPErrorProcessor):
    """Hands every answer over as it is. A redirect is not followed: that would show the API key to another server."""

    def http_response(self, request: Any, response: Any) -> Any:
        return response

    https_response = http_response


def segment(value: Any) -> str:
    """A value as one piece of a path. What would be no piece, or would lead out of the path, is a mistake of the caller."""
    text = "" if value is None else str(value)
    if text in ("", ".", ".."):
        raise ValueError(f"a part of the path must not be {json.dumps(text)}")
    return quote(text, safe="")


class Remarks(TypedDict):
    """What the service has done and may not have been meant so, of one answer."""

    # The method and the path, like `POST /sms/send`.
    request: str
    requestId: str
    # Sentences, such as of a text with a placeholder of another service.
    warnings: List[str]
    # The members and parameters of the request that the service does not know.
    ignored: List[str]


class Transport:
    """Makes requests for one account."""

    def __init__(
        self,
        api_key: str,
        base_url: str,
        *,
        timeout: float = 30,
        max_attempts: int = 3,
        max_retry_after: float = 30,
        language: Optional[str] = None,
        plain_http_hosts: Collection[str] = (),
        on_remarks: Optional[Callable[[Remarks], None]] = None,
    ) -> None:
        check_key(api_key)
        self._base_url = checked_url(base_url, checked_hosts(plain_http_hosts))
        check_limits(timeout, max_attempts, max_retry_after, language)
        check_function("on_remarks", on_remarks)
        self._headers = {"Authorization": f"Bearer {api_key}", "User-Agent": f"peyk-python/{VERSION}"}
        if language:
            self._headers["Accept-Language"] = language
        self._timeout = timeout
        self._max_attempts = max_attempts
        self._max_retry_after = max_retry_after
        self._on_remarks = on_remarks
        self._opener = urllib.request.build_opener(_AsItIs)

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        headers: Optional[Mapping[str, str]] = None,
        idempotency_key: Optional[str] = None,
        repeatable: Optional[bool] = None,
    ) -> Any:
        """Makes a request that the library has no method for, with the same retries and errors.

        path: that of the API, like `/messages`.
        query: by names. What is `None` is left out.
        body: becomes JSON; `str` and `bytes` go out as they are, and `headers` says what they are.
        repeatable: whether the request may be tried again when nobody knows whether it was carried out. Left out: yes,
        unless it is a `POST` without an idempotency key.

        Returns the whole answer, with `data` and `meta`; `None` after a 204, and the bytes of a file.
        """
        request = self._prepare(method.upper(), path, query, body)
        if idempotency_key is not None:
            request.add_header("Idempotency-Key", idempotency_key)
        for name, value in (headers or {}).items():
            request.add_header(name, value)
        if repeatable is None:
            repeatable = request.get_method() != "POST" or idempotency_key is not None
        answer = self._tries(request, idempotency_key, repeatable)
        self._tell_remarks(f"{request.get_method()} {path}", answer)
        return answer

    def _tries(self, request: urllib.request.Request, idempotency_key: Optional[str], repeatable: bool) -> Any:
        attempt = 1
        while True:
            try:
                return self._attempt(request)
            except PeykError as error:
                error.idempotency_key = idempotency_key
                wait = self._wait_before_retry(error, attempt, repeatable)
                if wait is None:
                    raise
            time.sleep(wait)
            attempt += 1

    def _tell_remarks(self, request: str, answer: Any) -> None:
        meta = answer.get("meta", {}) if isinstance(answer, dict) else {}
        warnings, ignored = meta.get("warnings", []), meta.get("ignored", [])
        if self._on_remarks is not None and (warnings or ignored):
            remarks = {"request": request, "requestId": meta["requestId"], "warnings": warnings, "ignored": ignored}
            try:
                self._on_remarks(remarks)
            except Exception:
                # The service has done what was asked. Without its answer, the program would ask again.
                logging.getLogger("peyk").exception("on_remarks failed")

    def pages(self, path: str, *, query: Optional[Mapping[str, Any]] = None) -> Iterator[Any]:
        """All items of a list that the library has no method for, page by page."""
        query = {"limit": _ITEMS_PER_PAGE, **(query or {})}
        while True:
            page = self.request("GET", path, query=query)
            yield from page["data"]
            if page["meta"]["nextCursor"] is None:
                return
            query["cursor"] = page["meta"]["nextCursor"]

    def _prepare(self, method: str, path: str, query: Optional[Mapping[str, Any]], body: Any) -> urllib.request.Request:
        if not path.startswith("/"):
            raise ValueError("the path must begin with /")
        given = {name: _text_of(value) for name, value in (query or {}).items() if value is not None}
        if given:
            path += ("&" if "?" in path else "?") + urlencode(given)
        request = urllib.request.Request(self._base_url + path, method=method, headers=self._headers)
        if isinstance(body, (str, bytes)):
            request.data = body.encode() if isinstance(body, str) else body
        elif body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        return request

    def _attempt(self, request: urllib.request.Request) -> Any:
        status, headers, text = self._exchange(request)
        answer = _parse(text)
        if not 200 <= status < 300:
            raise ApiError(status, headers, answer or {})
        if status == 204:
            return None
        if headers.get("Content-Type", "").startswith("text/csv"):
            return text
        # Another success always has JSON. If it has none, something between here and Peyk has cut or replaced it.
        if answer is None:
            raise NetworkError("the answer is not whole")
        return answer

    def _exchange(self, request: urllib.request.Request) -> Tuple[int, Mapping[str, str], bytes]:
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                return response.status, response.headers, response.read()
        except (OSError, http.client.HTTPException) as error:
            raise NetworkError(f"{request.get_method()} {request.selector}: {type(error).__name__}: {error}") from error

    def _wait_before_retry(self, error: PeykError, attempt: int, repeatable: bool) -> Optional[float]:
        """Returns seconds, or `None` if the request must not be tried again."""
        status = error.status if isinstance(error, ApiError) else None
        is_passing = isinstance(error, NetworkError) or status == _UNAVAILABLE
        # The limits of a recipient and of a day are 429 too. What they refuse is for the program to decide about.
        is_undone = isinstance(error, ApiError) and error.code == _TOO_MANY_REQUESTS
        if not (is_undone or (is_passing and repeatable)) or attempt >= self._max_attempts:
            return None
        # A retry that comes too early is refused too. So a wait that is too long is not shortened.
        if isinstance(error, ApiError) and error.retry_after is not None:
            return error.retry_after if error.retry_after <= self._max_retry_after else None
        # The random part spreads the clients that have failed together.
        return min(_FIRST_WAIT * 2.0 ** (attempt - 1), self._max_retry_after) * random.uniform(0.5, 1)


def _text_of(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _parse(text: bytes) -> Optional[Dict[str, Any]]:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
