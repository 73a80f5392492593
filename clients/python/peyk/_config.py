"""What a program gives to the client, checked before anything else happens."""

import re
from typing import Any, List, Optional
from urllib.parse import urlsplit

_EXAMPLE = "like https://sms.example.com"
_EXPOSED = (
    "base_url must begin with https://; http:// is for this machine and for the hosts that plain_http_hosts names"
)
_DAY = 86_400


def _require(condition: bool, words: str) -> None:
    if not condition:
        raise ValueError(words)


def check_key(api_key: Any) -> None:
    """Never says the key, since errors end up in logs."""
    is_there = isinstance(api_key, str) and api_key != ""
    _require(is_there, "api_key is missing: give an API key, like peyk_live_…")
    _require(not re.search("[\"'`]", api_key), "api_key has a quote in it: give the key alone, without quotes around it")
    _require(not re.search(r"\s", api_key), "api_key has a blank or a line break in it: give the key alone")
    is_visible = re.fullmatch(r"[\x21-\x7e]+", api_key) is not None
    _require(is_visible, "api_key has a character that no key has: give a key like peyk_live_…")


def checked_hosts(hosts: Any) -> List[str]:
    """Returns the names in lower case."""
    words = 'plain_http_hosts must be a list of names without scheme and port, like ["peyk"]'
    _require(isinstance(hosts, (list, tuple, set, frozenset)), words)
    are_names = all(isinstance(host, str) and re.fullmatch(r"[\w.:\[\]-]+", host) for host in hosts)
    _require(are_names, words)
    return [host.lower().strip("[]") for host in hosts]


def checked_url(base_url: Any, plain_http_hosts: List[str]) -> str:
    """Returns the address without slashes at its end."""
    is_there = isinstance(base_url, str) and base_url != ""
    _require(is_there, f"base_url is missing: give the address of the service, {_EXAMPLE}")
    has_blank = re.search(r"\s", base_url) is not None
    _require(not has_blank, f"base_url has a blank or a line break in it: give the address alone, {_EXAMPLE}")
    _require(re.match("https?://", base_url, re.IGNORECASE) is not None, _EXPOSED)
    try:
        url = urlsplit(base_url)
        is_address = bool(url.hostname) and (url.port is None or url.port > 0)
    except ValueError:
        is_address = False
    _require(is_address, f"base_url is no address: give one {_EXAMPLE}")
    # Others could read the key and the messages on their way.
    is_loopback = re.fullmatch(r"localhost|127(\.\d+){3}|::1", url.hostname or "") is not None
    is_plain_host = is_loopback or url.hostname in plain_http_hosts
    _require(url.scheme == "https" or is_plain_host, _EXPOSED)
    has_user = url.username is not None or url.password is not None
    _require(not has_user, f"base_url has a name or a password in it: give the address alone, {_EXAMPLE}")
    has_query = "?" in base_url or "#" in base_url
    _require(not has_query, f"base_url has a ? or a # in it: give the address without a query, {_EXAMPLE}")
    return base_url.rstrip("/")


def check_limits(timeout: Any, max_attempts: Any, max_retry_after: Any, language: Optional[Any]) -> None:
    _check_seconds("timeout", timeout, 0.001)
    _check_seconds("max_retry_after", max_retry_after, 0)
    is_whole = isinstance(max_attempts, int) and not isinstance(max_attempts, bool)
    is_within = is_whole and 1 <= max_attempts <= 100
    _require(is_within, f"max_attempts must be a whole number from 1 to 100, not {max_attempts!r}")
    _require(language in (None, "en", "fa"), f"language must be 'en' or 'fa', not {language!r}")


def check_function(name: str, value: Any) -> None:
    _require(value is None or callable(value), f"{name} must be a function, not {value!r}")


def _check_seconds(name: str, value: Any, least: float) -> None:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    is_within = is_number and least <= value <= _DAY
    _require(is_within, f"{name} must be a number of seconds from {least} to {_DAY}, not {value!r}")
