"""PyPI's kavenegar. A line: {"client": <API key>, "call": "sms_send", "args": [{...}]}."""

from kavenegar import KavenegarAPI
from lines import answer

answer(lambda line: getattr(KavenegarAPI(line["client"]), line["call"])(*line["args"]))
