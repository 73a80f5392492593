"""Makes the calls that the tests order, and prints what came of each. All languages read the same orders."""

import base64
import functools
import json
import re
import sys

from peyk import ApiError, Client, PeykError, verify_webhook


def snake(name):
    return re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), name)


def snake_keys(options):
    return {snake(name): value for name, value in options.items()}


order = json.load(sys.stdin)
calls = order.pop("calls")


@functools.cache
def client():
    """The client of all calls. Its making may fail, as a call may."""
    given = dict(order)
    return Client(given.pop("apiKey"), given.pop("baseUrl"), **snake_keys(given))


def verify(given):
    rest = {name: given[name] for name in ("tolerance", "now") if name in given}
    return verify_webhook(base64.b64decode(given["body"]), given["headers"], given["secrets"], **rest)


def run(method, first=None, options=None):
    if method == "verifyWebhook":
        return verify(first)
    value = getattr(client(), snake(method))(*([] if first is None else [first]), **snake_keys(options or {}))
    return list(value) if method == "listRecipients" else value


def outcome(call):
    try:
        return {"value": run(*call)}
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
        return {"error": {"kind": kind, "message": str(error), "idempotencyKey": error.idempotency_key}}
    except ValueError as error:
        return {"error": {"kind": "argument", "message": str(error)}}


print(json.dumps([outcome(call) for call in calls]))
