"""Verifies webhooks as Standard Webhooks 1.0 says."""

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from typing import Any, Mapping, Optional, Sequence, Union

from ._errors import SignatureError
from .types import WebhookEvent


def verify_webhook(
    body: Union[bytes, str],
    headers: Mapping[str, Any],
    secrets: Union[str, Sequence[str]],
    *,
    tolerance: float = 300,
    now: Optional[float] = None,
) -> bool:
    """Verifies that a webhook is from Peyk and new, and returns `True`.

    `body` is the body as it came, before any parsing. `headers` are those of the request: their names may be in upper or
    lower case, their values lists, and Django's `request.META` or a WSGI environment will do. `secrets` is the endpoint's
    secret (`whsec_…`), or several of them while you change it.

    Raises `SignatureError` if it is not, if a header is missing, or if the time is more than `tolerance` seconds from
    `now` (seconds since 1970). Raises `ValueError` if a secret is missing or malformed.
    """
    # A wrong secret is a fault of this program, so it shows before anything else.
    keys = [_key_of(secret) for secret in ([secrets] if isinstance(secrets, str) else secrets)]
    if not keys:
        raise ValueError("there is no webhook secret")
    given = {_header_of(name): value for name, value in headers.items()}
    event_id, timestamp, signatures = (_read(given, f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    if not re.fullmatch("[0-9]{1,12}", timestamp):
        raise SignatureError("the header webhook-timestamp is no time")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance:
        raise SignatureError("the webhook is too old or too new")
    signed = f"{event_id}.{timestamp}.".encode() + (body.encode() if isinstance(body, str) else body)
    expected = [b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()) for key in keys]
    # Every comparison is made, and each takes the same time wherever the values differ.
    matches = [hmac.compare_digest(ours, theirs.encode()) for theirs in signatures.split(" ") for ours in expected]
    if not any(matches):
        raise SignatureError("no signature of the webhook is by this secret")
    return True


def read_webhook(
    body: Union[bytes, str],
    headers: Mapping[str, Any],
    secrets: Union[str, Sequence[str]],
    *,
    tolerance: float = 300,
    now: Optional[float] = None,
) -> WebhookEvent:
    """Verifies a webhook as `verify_webhook` does, and returns its event. Its `type` says what its `data` are."""
    verify_webhook(body, headers, secrets, tolerance=tolerance, now=now)
    event: WebhookEvent = json.loads(body)
    return event


def _header_of(name: str) -> str:
    """The header that a name means. WSGI, and so Django's `request.META`, calls `webhook-id` `HTTP_WEBHOOK_ID`."""
    return name.lower().replace("_", "-").removeprefix("http-")


def _read(given: Mapping[str, Any], name: str) -> str:
    """The value of a header. The values of a list count as if spaces stood between them."""
    value = given.get(name, [])
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, (list, tuple)) or not values or not all(isinstance(one, str) for one in values):
        raise SignatureError(f"the header {name} is missing")
    return " ".join(values)


def _key_of(secret: str) -> bytes:
    try:
        key = base64.b64decode((secret or "").replace("whsec_", "", 1), validate=True)
    except binascii.Error:
        key = b""
    # Anybody can sign with an empty key, so a setting that is missing must not become one.
    if not key:
        raise ValueError("a webhook secret is `whsec_` and base64")
    return key
