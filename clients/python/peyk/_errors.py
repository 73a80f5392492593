"""What goes wrong."""

import re
from typing import Any, Dict, List, Mapping, Optional

from .types import FieldError, Message


class PeykError(Exception):
    """All that this library raises, but for wrong arguments.

    `idempotency_key` is the key of the send that failed, and `None` if it was no send. After a `NetworkError`, a 500 or
    a 503 nobody knows whether the send was accepted: repeat it later with this key.
    """

    idempotency_key: Optional[str] = None


class ApiError(PeykError):
    """Peyk has answered with an error.

    status: the status of HTTP.
    code: what a program decides by, like 2001: too little money. docs/api.md has all codes.
    title: the kind of error, in words.
    detail: what to mend, for people.
    errors: the fault of each member of the request; empty if the error is not about members.
    request_id: finds the request in the service's log.
    retry_after: seconds to wait before the next try, if the server has said so.
    """

    def __init__(self, status: int, headers: Mapping[str, str], problem: Dict[str, Any]) -> None:
        # A machine in between may have answered, not Peyk. Then this is no problem document.
        if not isinstance(problem.get("code"), int):
            problem = {}
        self.status = status
        self.code: int = problem.get("code", status)
        self.title: str = problem.get("title", "Unexpected answer")
        self.detail: str = problem.get("detail", f"The server answered {status} without a problem document.")
        self.errors: List[FieldError] = problem.get("errors", [])
        self.request_id: Optional[str] = problem.get("meta", {}).get("requestId", headers.get("X-Request-Id"))
        self.retry_after = _seconds(headers.get("Retry-After"))
        super().__init__(f"{self.title} ({self.code}): {self.detail}")


def _seconds(header: Optional[str]) -> Optional[int]:
    """Reads `Retry-After`, which Peyk writes in whole seconds."""
    return int(header) if header and re.fullmatch("[0-9]{1,9}", header) else None


class NetworkError(PeykError):
    """No answer came, or not in time, or not all of it."""


class NotDoneError(PeykError):
    """`wait_for_message` has waited as long as it may, and the message has not ended. It may still go on.

    last: the message as it was then.
    """

    def __init__(self, last: Message) -> None:
        super().__init__(f"The message {last['uid']} is still {last['status']}.")
        self.last = last


class ProofError(PeykError):
    """A text is no proof, or no proof of what it should prove.

    reason: what a program decides by. `kid`: no key has signed it, so fetch the keys anew, once. `expired`: it was good.
        Else what is wrong: `proof` (its form), `alg`, `typ`, `crit`, `signature`, `iss`, `aud`, `sub`, `purpose`, `jti`,
        `exp` or `test`.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class SignatureError(PeykError):
    """A webhook is not from Peyk, or is too old."""
