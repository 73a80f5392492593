"""Answers calls that come as lines of JSON, one after another: {"value": ...} or {"error": {"class", "message", ...}}."""

import json
import sys


def answer(call):
    """Answers with what `call(line)` returns, or with what it raises and the attributes that a user reads from that."""
    for line in sys.stdin:
        try:
            outcome = {"value": call(json.loads(line))}
        except Exception as error:
            seen = {name: value for name, value in vars(error).items() if not name.startswith("_")}
            outcome = {"error": {**seen, "class": type(error).__name__, "message": text_of(error)}}
        print(json.dumps(outcome, default=plain), flush=True)


def text_of(error):
    """Some libraries raise their text as bytes."""
    told = error.args[0] if error.args else ""
    return told.decode("utf-8") if isinstance(told, bytes) else str(error)


def plain(value):
    """What JSON can't say: a time as text, anything else as a user sees it printed."""
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
