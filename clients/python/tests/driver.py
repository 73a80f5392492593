"""Makes the calls that the tests order, and prints what came of each. All languages read the same orders."""

import base64
import functools
import json
import re
import sys
import types

from peyk import ApiError, Client, PeykError, verify_proof, verify_webhook


def snake(name):
    """A name in the style of Python, where `from` is a word of the language."""
    return "from_" if name == "from" else re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), name)


def snake_keys(options):
    return {snake(name): value for name, value in options.items()}


order = json.load(sys.stdin)
calls = order.pop("calls")
remarks = []


def on_remarks(one):
    remarks.append(one)
    if "fail" in one["ignored"]:
        raise RuntimeError("a fault of the program")


@functools.cache
def client():
    """The client of all calls. Its making may fail, as a call may."""
    given = dict(order)
    return Client(given.pop("apiKey"), given.pop("baseUrl"), on_remarks=on_remarks, **snake_keys(given))


def verify(given):
    rest = {name: given[name] for name in ("tolerance", "now") if name in given}
    return verify_webhook(base64.b64decode(given["body"]), given["headers"], given["secrets"], **rest)


def plain(value):
    """The items of a list, the bytes of a file in base64, and every other value as it is."""
    if isinstance(value, bytes):
        return {"base64": base64.b64encode(value).decode()}
    return list(value) if isinstance(value, types.GeneratorType) else value


def run(method, args, options):
    if method == "verifyWebhook":
        return verify(*args)
    if method == "verifyProof":
        return verify_proof(*args, **snake_keys(options))
    return plain(getattr(client(), snake(method))(*args, **snake_keys(options)))


def outcome(call):
    try:
        remarks.clear()
        return {"value": run(**call), "remarks": list(remarks)}
    except ApiError as error:
        return {
            "error": {
                "kind": "ApiError",
                "message": str(error),
                "idempotencyKey": error.idempotency_key,
                "status": error.status,
                "code": error.code,
                "title": error.title,
                "detail": error.detail,
                "errors": error.errors,
                "requestId": error.request_id,
                "retryAfter": error.retry_after,
            }
        }
    except PeykError as error:
        kind = type(error).__name__
        given = {"reason": error.reason} if hasattr(error, "reason") else {}
        return {"error": {"kind": kind, "message": str(error), "idempotencyKey": error.idempotency_key, **given}}
    except (ValueError, TypeError) as error:
        return {"error": {"kind": "argument", "message": str(error)}}


print(json.dumps([outcome(call) for call in calls]))
