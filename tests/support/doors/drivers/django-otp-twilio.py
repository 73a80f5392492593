"""PyPI's django-otp-twilio, in a Django with a database in memory. A line: {"client": {"OTP_TWILIO_FROM": ...}, "call": "send", "args":
["+98..."]}: the settings of its user, and what the user's site does."""

import django
from django.conf import settings
from lines import answer

APPS = ["django.contrib.auth", "django.contrib.contenttypes", "django_otp", "otp_twilio"]
DATABASE = {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}
settings.configure(INSTALLED_APPS=APPS, DATABASES={"default": DATABASE}, USE_TZ=True)
django.setup()

from django.contrib.auth.models import User
from django.core.management import call_command
from django.test.utils import override_settings
from otp_twilio.models import TwilioSMSDevice

call_command("migrate", verbosity=0)
USER = User.objects.create(username="sara")


def send(number):
    """Sends a token, as the page for a login does. Returns what that page shows, and the token."""
    device, _ = TwilioSMSDevice.objects.get_or_create(user=USER, number=number)
    return {"shown": device.generate_challenge(), "token": device.token}


def verify(number, token):
    """Whether it is the token, as the next page asks."""
    return TwilioSMSDevice.objects.get(number=number).verify_token(token)


CALLS = {"send": send, "verify": verify}


def call(line):
    with override_settings(**line["client"]):
        return CALLS[line["call"]](*line["args"])


answer(call)
