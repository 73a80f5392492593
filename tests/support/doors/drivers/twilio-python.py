"""PyPI's twilio. A line: {"client": [<username>, <password>, <account>], "call": "messages.create", "args": [{...}]}.

Names are those of the library for Node.js in lines and answers, so that one test drives both. `sid` names a record, and
`within` has the steps from the client to its list.
"""

import re
from datetime import datetime

from lines import answer
from twilio.request_validator import RequestValidator
from twilio.rest import Client


def call(line):
    if line["call"] == "validate":
        token, signature, url, params = line["args"]
        return RequestValidator(token).validate(url, params, signature)
    resource, method = line["call"].split(".")
    place = Client(*line["client"])
    for name, *of in line.get("within", []):
        place = getattr(place, name_here(name))
        place = place(*of) if of else place
    records = getattr(place, name_here(resource))
    if "sid" in line:
        records = records(line["sid"])
    if method == "getPage":
        return shown(records.get_page(*line["args"]))
    method = "delete" if method == "remove" else method
    return shown(getattr(records, method)(**arguments(*line["args"])))


def arguments(params=None):
    return {name_here(name): value_of(value) for name, value in (params or {}).items()}


def name_here(name):
    """`sendAt` is `send_at`, and `from` is a word of Python."""
    return "from_" if name == "from" else re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name)


def value_of(value):
    """A time is {"date": <text>} in a line."""
    return datetime.fromisoformat(value["date"].replace("Z", "+00:00")) if isinstance(value, dict) else value


def name_there(name):
    return re.sub("_([a-z])", lambda letter: letter[1].upper(), name.rstrip("_"))


def shown(value):
    if isinstance(value, list):
        return [shown(record) for record in value]
    if hasattr(value, "next_page_url"):
        urls = {"nextPageUrl": value.next_page_url, "previousPageUrl": value.previous_page_url}
        return {**urls, "instances": [shown(record) for record in value]}
    if hasattr(value, "_version"):
        return {name_there(name): member for name, member in vars(value).items() if not name.startswith("_")}
    return value


answer(call)
