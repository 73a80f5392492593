"""Sends text messages by Peyk, and verifies its webhooks. Uses the standard library only."""

from ._client import Client
from ._errors import ApiError, NetworkError, NotDoneError, PeykError, SignatureError
from ._version import VERSION
from ._webhook import verify_webhook

__all__ = [
    "VERSION",
    "ApiError",
    "Client",
    "NetworkError",
    "NotDoneError",
    "PeykError",
    "SignatureError",
    "verify_webhook",
]
