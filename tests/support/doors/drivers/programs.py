"""Programs of PyPI that send by a provider. A line: {"client": ["apprise"], "call": "notify", "args": [...]}: the package, and what its
user calls."""

import asyncio
import logging

import apprise
import myippanel
import notifiers
import smsir
from aio_kavenegar import AIOKavenegarAPI
from lines import answer
from pars_sms import Sms
from persian_sms_manager import SMSManager
from requests import Response


def call_apprise(method, url, text):
    """What `apprise` tells its user: whether the address is one, whether the message went, and the lines of its log."""
    service = apprise.Apprise()
    if not service.add(url):
        return {"isAddress": False}
    with apprise.LogCapture(level=logging.WARNING, fmt="%(message)s") as log:
        return {"isAddress": True, "isSent": bool(getattr(service, method)(body=text)), "log": log.getvalue()}


def call_notifiers(method, provider, message):
    answer = getattr(notifiers.get_notifier(provider), method)(**message)
    return {"status": answer.status, "errors": answer.errors}


def call_aio_kavenegar(method, key, *args):
    return asyncio.run(getattr(AIOKavenegarAPI(key), method)(*args))


def call_myippanel(method, key, *args):
    told = getattr(myippanel.Client(key), method)(*args)
    return vars(told) if hasattr(told, "__dict__") else told


def call_persian_sms_manager(method, key, line, mobile, *args):
    service = SMSManager("ippanel", mobile, api_key=key, sender_number=line)
    return getattr(service, method)(*args)


def call_smsir(method, module, *args):
    told = getattr(getattr(smsir, module), method)(*args)
    return {"http": told.status_code, "said": told.json()} if isinstance(told, Response) else told


def call_py_persian_sms(method, key, line, named):
    return vars(getattr(Sms(key, "secret", line), method)(**named))


PROGRAMS = {
    "apprise": call_apprise,
    "notifiers": call_notifiers,
    "aio-kavenegar": call_aio_kavenegar,
    "myippanel": call_myippanel,
    "persian-sms-manager": call_persian_sms_manager,
    "py-persian-sms": call_py_persian_sms,
    "smsir": call_smsir,
}

answer(lambda line: PROGRAMS[line["client"]](line["call"], *line["args"]))
