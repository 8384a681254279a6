"""Runs the conformance suite with both clients: ``python3 conformance.py http://127.0.0.1:41873``."""

import asyncio
import base64
import contextlib
import dataclasses
import itertools
import json
import os
import sys
import time
import traceback
import urllib.request
from datetime import datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from pennytext import AsyncPennytext, Pennytext, PennytextError, webhooks  # noqa: E402

SERVER = sys.argv[1]
CANCELED_AFTER_SECONDS = 0.3  # The request has reached the service by then.
ERROR_FIELDS = "code detail status request_id retry_after fix outcome_unknown idempotency_key".split()


def ask(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(SERVER + path, data) as answer:
        return json.load(answer)


def time_of(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def on_the_wire(value):
    """An answer with the names that its fields have on the wire."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, (list, tuple)):
        return [on_the_wire(one) for one in value]
    if not dataclasses.is_dataclass(value):
        return value
    names = [field.name for field in dataclasses.fields(value)]
    return {value._wire.get(name, name): on_the_wire(getattr(value, name)) for name in names}


def begin(client, call):
    """Starts a call: a result, a coroutine or an iterator, as the client has it."""
    args = {("from_" if name == "from" else name): value for name, value in call["arguments"].items()}
    args.update((name, time_of(args[name])) for name in {"send_at", "since", "until", "now"} & set(args))
    name = "quote_bulk" if call["name"] == "quote" and {"messages", "recipients"} & set(args) else call["name"]
    if name == "webhooks.verify":
        body = base64.b64decode(args["body_base64"]) if "body_base64" in args else args["body"]
        return webhooks.verify(body, args["headers"], args.get("secrets", args.get("secret")), now=args["now"])
    if "bytes_base64" in args:
        args["file"] = base64.b64decode(args.pop("bytes_base64"))
    if "idempotency_key" in call:
        args["idempotency_key"] = call["idempotency_key"]
    ids = [args.pop(one) for one in ("message_id", "batch_id", "totp_id") if one in args]
    for part in name.split("."):
        client = getattr(client, part)
    return client(*ids, **args)


async def read(answer, items, take):
    """The result of a started call; those of a list are added to ``items``."""
    if hasattr(answer, "__await__"):
        return on_the_wire(await answer)
    if hasattr(answer, "__next__"):
        for one in itertools.islice(answer, take):
            items.append(on_the_wire(one))
    elif hasattr(answer, "__anext__"):
        async for one in answer:
            items.append(on_the_wire(one))
            if len(items) == take:
                break
    else:
        return on_the_wire(answer)
    return items


async def run(case, make, waits, texts):
    """Makes the calls of a case as a program would. Waits take no time, and move the clock."""
    task, call, options, items = asyncio.current_task(), case["call"], dict(case["client"]), []
    asyncio.get_running_loop().slow_callback_duration = 60  # The synchronous client blocks the loop.

    async def async_sleep(seconds):
        waits.append(seconds)
        if case["cancel"] == "wait":
            task.cancel()
        await asyncio.sleep(0)

    for name in {"timeout_ms", "deadline_ms"} & set(options):
        options[name[:-3]] = options.pop(name) / 1000
    try:
        client = make(**options)
        client._now = lambda: time.monotonic() + sum(waits)
        client._sleep = waits.append if make is Pennytext else async_sleep
        texts += [repr(client), repr(vars(client))]
        if case["cancel"] == "try":
            asyncio.get_running_loop().call_later(CANCELED_AFTER_SECONDS, task.cancel)
        with contextlib.closing(client._connections):
            for n in range(call["times"]):
                try:
                    result = await read(begin(client, call), items, call.get("take"))
                except PennytextError:
                    if n == call["times"] - 1:
                        raise
        return {"result": result}
    except asyncio.CancelledError:
        return {"canceled": True}
    except (TypeError, ValueError):
        texts.append(traceback.format_exc())
        return {"refused": True}
    except PennytextError as error:
        texts += [traceback.format_exc(), repr(error), repr(vars(error))]
        shown = {name: getattr(error, name) for name in ERROR_FIELDS}
        return {"error": {**shown, "is": error.is_(error.code) and not error.is_("no_such_code")}, "result": items}


def differences_of(name, make):
    case = ask(f"/cases/{name}", {})
    if case["cancel"] and make is Pennytext:  # A program stops a synchronous call by a signal only.
        return []
    for variable in ("PENNYTEXT_API_KEY", "PENNYTEXT_URL"):
        os.environ.pop(variable, None)
    os.environ.update(case["environment"])
    waits, texts, started_at = [], [], time.monotonic()
    end = asyncio.run(run(case, make, waits, texts))
    end.update(waits=waits, texts=texts, elapsed_ms=(time.monotonic() - started_at) * 1000)
    return [f"{make.__name__}: {one}" for one in ask(f"/runs/{case['run']}", end)["differences"]]


for case_name in ask("/cases"):
    found = differences_of(case_name, Pennytext) + differences_of(case_name, AsyncPennytext)
    print(json.dumps({"name": case_name, "passed": not found, "differences": found}), flush=True)
