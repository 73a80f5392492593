"""What Schemathesis can't learn of Peyk from its document: what the service has, and what the test must not do."""

import itertools
import os
import re
from datetime import datetime, timedelta, timezone
from urllib.parse import parse_qs, urlsplit

import schemathesis
from hypothesis import strategies as st
from schemathesis.core.failures import AcceptedNegativeData
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import CoveragePhaseData
from schemathesis.openapi.checks import RejectedPositiveData, UseAfterFree

OWN_KEY = os.environ["PEYK_KEY_ID"]
SPARE_KEY = os.environ["PEYK_SPARE_KEY_ID"]
LISTENER = urlsplit(os.environ["PEYK_LISTENER"])
INBOUND = urlsplit(os.environ["PEYK_INBOUND"])
REPORT = urlsplit(os.environ["PEYK_REPORT"])
STRIDE = int(os.environ["PEYK_STRIDE"])
COUNTER = itertools.count()
NUMBERS = itertools.count()
NUMBER = re.compile(r"[+0-9۰-۹٠-٩ ()-]{8,}")
STARTED = datetime.now(timezone.utc)

# The refusals that depend on what the service has, by the codes of the errors. The body can't show them.
OF_THE_STATE = {
    1003: "an operator has made the account inactive",
    2001: "the wallet has too little",
    3002: "there is no such pattern, or none of its versions is active",
    3011: "an operator has switched sending off",
    3012: "there is no such line",
    3013: "the pattern belongs to other lines",
    3014: "the pattern has more variables",
    3015: "the pattern's variables are of other types",
    3016: "a recipient is on the blacklist",
    2002: "the account or the key has spent what it may in a day",
    3017: "the account does not send there",
    3018: "a recipient has got as many codes as it may",
    3019: "there is no such verification, or it has ended",
}

# The faults that no JSON Schema can describe, by what the service says of them. tests/it/api/openapi_bodies.rs has the same list for
# what it tries.
BEYOND_SCHEMAS = {
    r"names .+ that does not exist": "depends on what there is",
    r"does not exist: check the slug|has no active version": "depends on what there is",
    r"which nothing fills": "depends on what there is",
    r"its last six, the checksum, follow from the others": "no schema computes a checksum",
    r"peyk_link_ and 38 letters and digits": "no schema computes a checksum",
    r"is wrong, or does not count any more": "depends on what was sent to the phone",
    r"is of no link that still counts": "depends on what there is",
    r"answers no challenge that still counts": "only a device signs a challenge, and each counts once",
    r"is of no passkey that opens a session": "depends on what there is",
    r"must be base64url": "no short pattern has the lengths that base64url may have",
    r"has the sandbox, and the line": "depends on the kinds of the carriers",
    r"is unknown; did you mean": "any other name is accepted",
    r"is more than the key of this request has": "depends on the key of the request",
    r"must be an account that may use the line": "depends on what there is",
    r"was used for another request before": "depends on the requests before",
    r'must be of the form a "nextCursor" of this list': "a cursor is one that the service has made",
    r"not a title that an import reads": "there are many such titles, in two languages",
    r'must not stand beside "(format|domain)"|must stand beside "pattern"': "compares two parameters, or two members",
    r"a day that is not (before `from`|after `to`)": "compares two parameters",
    r"must not be in the past": "depends on the clock",
    r"must be at most 90 days ahead": "depends on the clock",
    r"takes \d+ parts, at most 10 are allowed": "depends on the alphabet of the text",
    r"is not in the text": "compares two members",
    r"must not be there twice": "compares members of items",
    r"a JSON list with a number, a text, null|the record of a key of the account": "describes a text of JSON",
    r"is not for operators' keys": "depends on the name",
    r"one word of letters and digits": "which characters are letters, Unicode says",
    r"can't be changed": "compares with what there is",
    r"is not for carriers of the kind": "depends on the kind of the carrier in the path",
    r"exactly one route without prefixes": "compares items",
    r"a list with each prefix once|whose prefixes no other route has": "compares items",
    r"at most 8192 bytes of JSON": "counts bytes",
    r"must have at most 16384 characters": "counts all items together",
    r"an IP address or a network": "no short pattern has all forms of IPv6",
    r"names no time zone": "which there are, the runtime's database says",
    r"at most 4 decimals": "a multiple of 0.0001 has no exact form in binary",
}


def soon():
    """A time that a send may name: within the 90 days."""
    seconds = st.integers(min_value=86_400, max_value=80 * 86_400)
    return seconds.map(lambda ahead: (STARTED + timedelta(seconds=ahead)).strftime("%Y-%m-%dT%H:%M:%SZ"))


def any_time():
    times = st.datetimes(min_value=datetime(1970, 1, 1), max_value=datetime(9999, 12, 30))
    return times.map(lambda time: time.isoformat(timespec="milliseconds") + "Z")


schemathesis.openapi.format("date-time", st.one_of(soon(), any_time()))


@schemathesis.hook
def before_call(context, case, kwargs):
    spare_own_key(case)
    speak_english(case)
    verify_another(case)
    if case.meta is not None and case.meta.generation.mode.is_positive:
        stay_on_this_machine(case.body)
        come_from_gateway(case)


def spare_own_key(case):
    """The run needs its key to the end. So it revokes and rotates another one in its place."""
    for name, value in (case.path_parameters or {}).items():
        if value == OWN_KEY:
            case.path_parameters[name] = SPARE_KEY


def speak_english(case):
    """`filter_failure` knows a fault by its English text. Which language is answered, native tests hold."""
    for name in case.headers or {}:
        if name.lower() == "accept-language" and "fa" in str(case.headers[name]).lower():
            case.headers[name] = "en"


def verify_another(case):
    """A number gets its next code after 30 s. The run would wait for the example's number."""
    if case.method == "POST" and case.path.removeprefix("/v1") == "/verify" and isinstance(case.body, dict):
        if NUMBER.fullmatch(str(case.body.get("recipient"))):
            case.body["recipient"] = f"0912{next(NUMBERS):07}"


def stay_on_this_machine(body):
    """No test asks the network. What the service is to call by itself is a listener of the test."""
    if not isinstance(body, dict):
        return
    for settings in (body, body.get("http")):
        if isinstance(settings, dict) and isinstance(settings.get("url"), str):
            settings["url"] = re.sub(r"^https?://[^/?#]*", f"http://{LISTENER.netloc}", settings["url"])
    smpp = body.get("smpp")
    if isinstance(smpp, dict) and "host" in smpp:
        smpp["host"] = LISTENER.hostname
        smpp["port"] = LISTENER.port


def come_from_gateway(case):
    """Nobody can guess the secrets in the addresses of gateways. Wrong ones come with the cases that are to be refused."""
    for path, address in (("/carrier/{name}/inbound", INBOUND), ("/carrier/{name}/dlr", REPORT)):
        if case.path == path:
            case.path_parameters["name"] = address.path.split("/")[2]
            for name, values in parse_qs(address.query).items():
                case.query[name] = values[0]


@schemathesis.hook
def filter_case(context, case):
    """Of the cases that the document's constraints make, which are thousands, a run may want each n-th only."""
    is_counted = case.meta is not None and isinstance(case.meta.phase.data, CoveragePhaseData)
    return not is_counted or next(COUNTER) % STRIDE == 0


@schemathesis.hook
def filter_failure(context, failure, case, response):
    path = case.path.removeprefix("/v1")
    if isinstance(failure, RejectedPositiveData):
        return not is_explained(path, response)
    # DELETE /messages/{uid} cancels a message. The message stays, and can be read.
    if isinstance(failure, UseAfterFree):
        return path not in ("/messages/{uid}", "/messages/{uid}/recipients")
    # With a number in the query the body is not read, as the document says.
    if isinstance(failure, AcceptedNegativeData) and path == "/blacklist" and case.query.get("number"):
        return case.meta.is_negative_at(ParameterLocation.QUERY)
    return True


def is_explained(path, response):
    """Whether a request that the document allows was refused for a reason that the document can't describe."""
    problem = response.json()
    if problem["code"] in OF_THE_STATE:
        return True
    # Schemas limit the length of texts and lists, not the bytes of the whole body.
    if problem["code"] == 413:
        return True
    details = [fault["detail"] for fault in problem["errors"]]
    # What a gateway posts may stand in the query or in the form, and one of both must have it.
    if path == "/carrier/{name}/inbound" and set(details) == {"is required"}:
        return True
    # What is written out for an address depends on the address.
    if all(detail.startswith("must be true for an address") for detail in details) and path.startswith("/admin/carriers"):
        return True
    # No schema describes the columns and the lines of a CSV file.
    if path == "/phonebook/{id}/import" and problem["code"] == 422:
        return True
    # Which member a store needs beside it, and which only one direction takes.
    if path.startswith("/admin/transfer") and [fault["pointer"] for fault in problem["errors"]] in (["/object"], ["/agreed"]):
        return True
    # An endpoint for `wallet.low` needs a threshold, which may be that of the account.
    if path.startswith("/webhook") and [fault["pointer"] for fault in problem["errors"]] == ["/lowBalance"]:
        return details == ["is required"]
    return problem["code"] == 422 and all(is_beyond_schemas(detail) for detail in details)


def is_beyond_schemas(detail):
    return any(re.search(text, detail) for text in BEYOND_SCHEMAS)
