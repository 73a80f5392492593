"""Lets the view of a file take an event, as Django serves it. Prints the status of the answer.

django_view.py FILE, with {"body", "headers"} on the standard input.
"""

import json
import runpy
import sys

import django
from django.conf import settings
from django.test import Client
from django.urls import path

event = json.load(sys.stdin)
settings.configure(
    ROOT_URLCONF=__name__,
    ALLOWED_HOSTS=["testserver"],
    MIDDLEWARE=["django.middleware.csrf.CsrfViewMiddleware"],
    PEYK_WEBHOOK_SECRET=event["secret"],
)
django.setup()
urlpatterns = [path("peyk", runpy.run_path(sys.argv[1])["peyk"])]
client = Client(enforce_csrf_checks=True)
answer = client.post("/peyk", event["body"], content_type="application/json", headers=event["headers"])
print(answer.status_code)
