"""PyPI's smsir-python. A line: {"client": [<API key>, <line>], "call": "send_sms", "args": [...]}.

The library raises nothing: its user gets the response of `requests` and reads the status and the JSON of that.
"""

import sys
from contextlib import redirect_stdout

from lines import answer
from sms_ir import SmsIr


def call(line):
    # The library logs to what is the standard output now. The real one has the lines of the driver only.
    with redirect_stdout(sys.stderr):
        client = SmsIr(*line["client"])
        response = getattr(client, line["call"])(*line["args"])
    return {"status": response.status_code, "body": response.json() if response.content else None}


answer(call)
