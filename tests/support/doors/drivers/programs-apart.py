"""Programs of PyPI that can't be installed beside the others. A line: {"client": "tap-twilio", "call": "sync", "args": [...]}."""

import json
import subprocess
import sys
from tempfile import TemporaryDirectory

from ippanel import Client
from lines import answer

TAP = [sys.executable, "-c", "import tap_twilio; tap_twilio.main()"]


def call_ippanel(method, key, *args):
    return getattr(Client(key), method)(*args)


def call_tap(method, config, streams):
    """What the tap writes of these streams: a list of records for each. Its user writes the files, and runs it twice."""
    with TemporaryDirectory() as folder:
        settings = write(folder, "config.json", config)
        catalog = json.loads(run("--config", settings, "--discover"))
        for stream in catalog["streams"]:
            of_stream = next(about for about in stream["metadata"] if about["breadcrumb"] == [])
            of_stream["metadata"]["selected"] = stream["stream"] in streams
        lines = run("--config", settings, "--catalog", write(folder, "catalog.json", catalog)).splitlines()
    written = [json.loads(line) for line in lines]
    records = [line for line in written if line["type"] == "RECORD"]
    return {name: [line["record"] for line in records if line["stream"] == name] for name in streams}


def write(folder, name, content):
    path = f"{folder}/{name}"
    with open(path, "w", encoding="utf-8") as file:
        json.dump(content, file)
    return path


def run(*args):
    return subprocess.run([*TAP, *args], check=True, capture_output=True, text=True, encoding="utf-8").stdout


PROGRAMS = {"ippanel-python-sdk": call_ippanel, "tap-twilio": call_tap}

answer(lambda line: PROGRAMS[line["client"]](line["call"], *line["args"]))
