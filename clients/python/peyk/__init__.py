"""Sends text messages by Peyk, and verifies its webhooks and proofs. Uses the standard library only, but for proofs."""

from ._client import Client
from ._errors import ApiError, NetworkError, NotDoneError, PeykError, ProofError, SignatureError
from ._proof import ProofContent, verify_proof
from ._transport import Remarks
from ._version import VERSION
from ._webhook import read_webhook, verify_webhook

__all__ = [
    "VERSION",
    "ApiError",
    "Client",
    "NetworkError",
    "NotDoneError",
    "PeykError",
    "ProofContent",
    "ProofError",
    "Remarks",
    "SignatureError",
    "read_webhook",
    "verify_proof",
    "verify_webhook",
]
