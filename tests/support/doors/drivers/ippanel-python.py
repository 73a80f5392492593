"""PyPI's ippanel. A line: {"client": [<API key>], "call": "send", "args": [...]}. A second member of `client` is the
address of the API, which the library's HTTP client takes."""

from ippanel import Client, HTTPClient
from lines import answer


def call(line):
    key, *address = line["client"]
    client = Client(key, HTTPClient(key, *address, 30) if address else None)
    return shown(getattr(client, line["call"])(*line["args"]))


def shown(value):
    """A page is a tuple of records and its paging."""
    if isinstance(value, (list, tuple)):
        return [shown(record) for record in value]
    return vars(value) if hasattr(value, "__dict__") else value


answer(call)
