"""Checks proofs: JWTs by Ed25519, as RFC 7519 and RFC 8037 say, and only in the form in which Peyk makes them."""

import base64
import json
import re
import time
from typing import Any, Dict, Mapping, Optional, Sequence, TypedDict, cast

from ._errors import ProofError
from .types import ProofKeys

_FORM = re.compile(r"([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]*)")
_LONGEST = 4_096


class ProofContent(TypedDict, total=False):
    """What a proof says. All but `test` are always there."""

    iss: str
    # The number whose owner has entered the right code, in E.164.
    sub: str
    # The id of the account that may take the proof.
    aud: str
    # The id of the verification. Take each one once if a proof must not be used twice.
    jti: str
    # What the code was for.
    purpose: str
    # When the code was checked, in seconds since 1970.
    iat: int
    # When the proof ends.
    exp: int
    # There for proofs of test keys only.
    test: bool


def verify_proof(
    token: str,
    keys: ProofKeys,
    *,
    audience: str,
    purpose: Optional[str] = None,
    recipient: Optional[str] = None,
    allow_test: bool = False,
    now: Optional[float] = None,
) -> ProofContent:
    """Checks a proof without a request, and returns what it says. Needs the package `cryptography`.

    `keys` is what `get_proof_keys` returns, and `audience` the id of your account, which `get_account_info` shows.
    `purpose` and `recipient` (in E.164) are what the proof must be about; what is left out may be anything. `allow_test`
    takes proofs of test keys too: everybody knows the codes of test keys, so never in production. `now` is in seconds
    since 1970.

    Raises `ProofError` if it is no proof, or one of something else. Raises `ValueError` if `audience` or `keys` is
    missing, and `ImportError` without `cryptography`.
    """
    # These are faults of this program. Without an account to hold the proof against, a proof for any account would do.
    if not isinstance(audience, str) or not audience:
        raise ValueError("audience must be the id of your account")
    listed = keys.get("keys") if isinstance(keys, Mapping) else None
    if not isinstance(listed, list):
        raise ValueError("keys must be what get_proof_keys returns")
    found = _FORM.fullmatch(token) if isinstance(token, str) and len(token) <= _LONGEST else None
    if not found:
        raise ProofError("proof", "this is no proof")
    header, payload, signature = found.groups()
    key = _key_of(_parsed(header), cast(Sequence[Any], listed))
    if not _is_signed(key["x"], signature, f"{header}.{payload}".encode()):
        raise ProofError("signature", "the signature of the proof is not by its key")
    content = _parsed(payload)
    _check_content(content, audience, time.time() if now is None else now)
    if not allow_test and content.get("test", False) is not False:
        raise ProofError("test", "the proof is of a test key")
    for name, wanted in (("purpose", purpose), ("sub", recipient)):
        if wanted is not None and content[name] != wanted:
            raise ProofError(name, f"the {name} of the proof is not the expected one")
    return cast(ProofContent, content)


def _key_of(header: Dict[str, Any], keys: Sequence[Any]) -> Dict[str, str]:
    """The key that the header names. The header chooses nothing else: there is one algorithm."""
    if header.get("alg") != "EdDSA":
        raise ProofError("alg", "the alg of the proof is not EdDSA")
    if header.get("typ") != "JWT":
        raise ProofError("typ", "the typ of the proof is not JWT")
    if "crit" in header:
        raise ProofError("crit", "the proof has a crit, and none is known")
    kid = header.get("kid")
    for key in keys:
        is_key = isinstance(key, dict) and key.get("kty") == "OKP" and key.get("crv") == "Ed25519"
        if is_key and isinstance(key.get("x"), str) and isinstance(kid, str) and key.get("kid") == kid:
            return cast(Dict[str, str], key)
    raise ProofError("kid", "no key has the kid of the proof: fetch the keys anew")


def _is_signed(x: str, signature: str, signed: bytes) -> bool:
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError as error:
        raise ImportError("verify_proof needs the package cryptography: pip install cryptography") from error
    key = Ed25519PublicKey.from_public_bytes(_from_base64url(x))
    try:
        key.verify(_from_base64url(signature), signed)
    except (InvalidSignature, ValueError):
        return False
    return True


def _check_content(content: Dict[str, Any], audience: str, now: float) -> None:
    if content.get("iss") != "peyk":
        raise ProofError("iss", "the iss of the proof is not peyk")
    if content.get("aud") != audience:
        raise ProofError("aud", "the aud of the proof is another account")
    for name in ("sub", "purpose", "jti"):
        if not isinstance(content.get(name), str):
            raise ProofError(name, f"the {name} of the proof is missing")
    exp = content.get("exp")
    # To Python, True is a number.
    if not isinstance(exp, (int, float)) or isinstance(exp, bool):
        raise ProofError("exp", "the exp of the proof is no time")
    if not now < exp:
        raise ProofError("expired", "the proof has expired")


def _parsed(part: str) -> Dict[str, Any]:
    """The object that a part of the proof has."""
    try:
        value = json.loads(_from_base64url(part).decode())
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise ProofError("proof", "this is no proof")
    return value


def _from_base64url(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
