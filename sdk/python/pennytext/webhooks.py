"""Verification of webhooks (Standard Webhooks)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Optional, Union

from ._values import read
from .errors import PennytextError
from .types import EVENT_DATA, WebhookEvent


def verify(
    body: Union[bytes, bytearray, memoryview, str],
    headers: Union[Mapping[str, str], Iterable[tuple[Any, Any]]],
    secrets: Union[str, Sequence[str]],
    *,
    tolerance: float = 300.0,
    now: Optional[datetime] = None,
) -> WebhookEvent:
    """Checks the signature of a webhook and returns its event.

    ``body`` is the request's body as it came, before anything has parsed it. ``headers`` are those of a framework,
    a dict or pairs. During a rotation pass both secrets. ``now`` replaces the clock. Raises ``PennytextError`` with
    the code ``invalid_webhook`` unless the webhook is genuine and at most ``tolerance`` seconds from the clock.
    """
    if isinstance(body, str):
        body = body.encode("utf-8", "surrogateescape")
    elif not isinstance(body, (bytes, bytearray, memoryview)):
        raise TypeError(f"body must be the bytes of the request as they came, not {type(body).__name__}")
    keys = [_key(secret) for secret in ([secrets] if isinstance(secrets, str) else secrets)]
    if not keys:
        raise ValueError("A webhook is verified with a secret")
    found: dict[str, list[str]] = {}
    for name, value in headers.items() if hasattr(headers, "items") else headers:
        found.setdefault(_text(name).lower(), []).append(_text(value).strip())
    id, timestamp = (found.get(name, [""])[0] for name in ("webhook-id", "webhook-timestamp"))
    if not id or not timestamp:
        raise _refusal("The header webhook-id or webhook-timestamp is missing.")
    clock = time.time() if now is None else now.timestamp()
    if not re.fullmatch(r"[0-9]{1,15}", timestamp) or abs(clock - int(timestamp)) > tolerance:
        raise _refusal(f"webhook-timestamp is more than {tolerance:g} seconds from the clock.")
    signed = f"{id}.{timestamp}.".encode("utf-8", "surrogateescape") + body
    # Where a header came twice, a server joins its values by a comma (RFC 9110, section 5.3). A signature itself can
    # begin with "v" and a digit.
    signatures = re.split(r"[ \t]+|,(?=[ \t]*v\d+[a-z]?,)", " ".join(found.get("webhook-signature", ())))
    for key in keys:
        expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
        for signature in signatures:
            if hmac.compare_digest(expected, signature.rstrip(",").encode("utf-8", "surrogateescape")):
                return _event(id, bytes(body))
    raise _refusal("No signature matches: is this the secret of the dashboard, and the body as it came?")


def _event(id: str, body: bytes) -> WebhookEvent:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError) as cause:
        raise _refusal("The body is not JSON.") from cause
    if not isinstance(value, dict):
        raise _refusal("The body is not a JSON object.")
    # Received messages have no type of their own.
    event = {**(value if "type" in value else {"type": "message.received", "data": value}), "id": id}
    kind, data = EVENT_DATA.get(str(event["type"])), event.get("data")
    return read(WebhookEvent, {**event, "data": read(kind, data) if kind and isinstance(data, dict) else data})


def _key(secret: str) -> bytes:
    text = secret.strip()
    text = (text[6:] if text.startswith("whsec_") else text).rstrip("=")
    try:
        key = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except ValueError:
        key = b""
    if not key:
        raise ValueError('A webhook secret is "whsec_" and base64') from None
    return key


def _text(value: Any) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _refusal(detail: str) -> PennytextError:
    return PennytextError("invalid_webhook", detail)
