"""Calls, their tries, and the base of the clients."""

from __future__ import annotations

import json
import math
import os
import random
import re
import sys
import time
from collections.abc import Iterator, Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Optional, Type
from urllib.parse import urlencode, urlsplit

from ._connections import Connections, Request, Response, Stop
from ._values import C, T, given, read
from .errors import PennytextError
from .types import TEXT_ARGUMENTS

__version__ = "0.1.0"
_WAIT_SECONDS_MAX = 30
_RUNTIME = f"{sys.implementation.name}/{'.'.join(map(str, sys.version_info[:3]))}"


class _Secret(str):
    def __repr__(self) -> str:
        return "'…'"


class BaseClient:
    """Options and state of the clients."""

    _now = staticmethod(time.monotonic)  # Tests replace the clock.

    def __init__(self, *, api_key: Optional[str] = None, base_url: Optional[str] = None,
                 max_retries: int = 3, timeout: float = 30.0, deadline: float = 60.0) -> None:
        """Makes a client.

        :param api_key: The secret of your key: PENNYTEXT_API_KEY of the environment unless you set it.
        :param base_url: Address of the service, without ``/api``: PENNYTEXT_URL unless you set it.
        :param max_retries: Maximum of repetitions of a failed call.
        :param timeout: Longest time of each try, in seconds.
        :param deadline: Longest time of a call with its tries and waits, in seconds.
        """
        key = os.environ.get("PENNYTEXT_API_KEY") if api_key is None else api_key
        if not key or not re.fullmatch(r"[!-~]+", key):
            raise ValueError("The api_key, or PENNYTEXT_API_KEY, is missing, or has a space or another odd character")
        url = os.environ.get("PENNYTEXT_URL") if base_url is None else base_url
        if not _is_address(url or ""):
            raise ValueError("The base_url, or PENNYTEXT_URL, must be such as https://sms.example.com")
        self._url, self._authorization = (url or "").rstrip("/"), _Secret(f"Bearer {key}")
        self._max_retries, self._timeout, self._deadline = max_retries, timeout, deadline
        self._connections = Connections(self._url)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._url}>"


class Client(BaseClient):
    """Base of the synchronous client. Threads can share it."""

    _sleep = staticmethod(time.sleep)

    def close(self) -> None:
        """Closes the connections that are kept for later calls."""
        self._connections.close()

    def __enter__(self: C) -> C:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _call(self, answer: Type[T], *args: Any, **named: Any) -> T:
        return read(answer, self._answer(Call(self, *args, **named)))

    def _answer(self, call: Call) -> dict[str, Any]:
        while True:
            try:
                return call.answer_in(self._connections.exchange(call.request, call.seconds_left(), Stop()))
            except PennytextError as error:
                seconds = call.wait_after(error)
            self._sleep(seconds)

    def _list(self, item: Type[T], name: str, path: str, fields: Mapping[str, Any]) -> Iterator[T]:
        sent = given(fields, TEXT_ARGUMENTS)  # A wrong argument raises here, not where the items are read.

        def items() -> Iterator[T]:
            cursor: Optional[str] = None
            while cursor != "":
                page = self._answer(Call(self, "GET", path, {**sent, "cursor": cursor}))
                yield from items_of(page, name, item)
                cursor = cursor_after(page, cursor)

        return items()


class Call:
    """A call with its tries. After each failure it decides whether there is another try, and when."""

    def __init__(self, client: BaseClient, method: str, path: str, fields: Mapping[str, Any],
                 repeat: str = "free", key: Optional[str] = None, file: Optional[bytes] = None) -> None:
        headers = {"Accept": "application/json", "Authorization": client._authorization,
                   "User-Agent": f"pennytext-python/{__version__} ({_RUNTIME})"}
        if repeat == "keyed":
            key = headers["Idempotency-Key"] = os.urandom(16).hex() if key is None else key
            if not re.fullmatch(r"[!-~]([ -~]*[!-~])?", key):
                raise ValueError("An idempotency_key is a text of printable ASCII characters")
        sent, url, body = given(fields, TEXT_ARGUMENTS), client._url + path, None
        if file is not None:
            if not isinstance(file, bytes):
                raise TypeError("file must be bytes, such as those of Path.read_bytes()")
            boundary = os.urandom(16).hex()
            headers["Content-Type"] = f"multipart/form-data; boundary={boundary}"
            head = 'Content-Disposition: form-data; name="file"; filename="file"'
            body = f"--{boundary}\r\n{head}\r\n\r\n".encode() + file + f"\r\n--{boundary}--\r\n".encode()
        elif method in ("POST", "PATCH"):
            headers["Content-Type"] = "application/json"
            body = json.dumps(sent, allow_nan=False, separators=(",", ":")).encode()
        elif sent:
            texts = {name: str(one).lower() if isinstance(one, bool) else one for name, one in sent.items()}
            url += f"?{urlencode(texts)}"
        self.request = Request(method, url, headers, body, repeat != "once")
        self._client, self._repeat, self._key = client, repeat, key
        self._ends_at, self._tried, self._is_unknown = client._now() + client._deadline, 0, False

    def seconds_left(self) -> float:
        """The longest time of the next try."""
        return min(self._client._timeout, self._ends_at - self._client._now())

    def answer_in(self, response: Response) -> dict[str, Any]:
        """The object in an answer. Raises for a refusal, and for an answer that is not the API's."""
        status, headers, body = response
        facts = (status, headers.get("x-request-id") or None, _retry_after(headers))
        if 300 <= status < 400:  # It is not followed: the key would go to another address.
            place = f" to {headers['location']}" if headers.get("location") else ""
            raise PennytextError("invalid_answer", f"The answer is a redirect{place}. Is the base_url right?", *facts)
        try:
            value = json.loads(body)
        except (ValueError, RecursionError):  # An answer of a proxy can be nested without end.
            value = None
        fields: dict[str, Any] = value if isinstance(value, dict) else {}
        if 200 <= status < 300:
            if not isinstance(value, dict):
                raise PennytextError("invalid_answer", "The answer is not a JSON object.", *facts)
            fields.pop("success", None)  # Errors are raised: it would always be the same.
            return fields
        if not isinstance(fields.get("code"), str):
            fields = {"code": "unavailable" if status >= 500 else "invalid_answer"}
        details = [text for text in (fields.get("detail"), fields.get("error")) if text and isinstance(text, str)]
        hint = " without an answer of the API: is the address right?" if fields["code"] == "invalid_answer" else ""
        raise PennytextError(fields["code"], details[0] if details else f"HTTP {status}{hint}", *facts, fields)

    def wait_after(self, error: PennytextError) -> float:
        """Seconds until the next try. Raises the error if there is none."""
        code, status = error.code, error.status or 0
        is_running = code == "idempotency_in_progress"
        if self._repeat != "free":
            # The service checks the key of the account and its limits before it looks for the Idempotency-Key:
            # such a refusal does not tell whether an earlier try took effect.
            is_sent = code != "unreachable"
            is_settled = is_sent and code != "invalid_answer" and status not in (401, 403, 429)
            is_doubtful = is_sent and (status < 300 or status >= 500 or is_running)
            self._is_unknown = is_doubtful or (self._is_unknown and not is_settled)
        if self._is_unknown:
            error.outcome_unknown, error.idempotency_key = True, self._key
        is_failure = status >= 500 if status else code != "invalid_answer"
        # The first try is still running at the server, or a file is still being copied.
        is_passing = is_failure or is_running or code == "media_pending"
        # Half of the wait is random, so that programs do not return together.
        seconds: float = max(error.retry_after or 0, 0.5 * 2 ** min(self._tried, 4) * random.uniform(0.5, 1))
        if self._tried >= self._client._max_retries or not (status == 429 or (is_passing and self._repeat != "once")):
            raise error
        if seconds > _WAIT_SECONDS_MAX or self._client._now() + seconds >= self._ends_at:
            raise error
        self._tried += 1
        return seconds


def items_of(page: Mapping[str, Any], name: str, item: Type[T]) -> Iterator[T]:
    """The items of a page, which are none if they are missing."""
    items = page.get(name)
    return (read(item, one) for one in (items if isinstance(items, list) else ()) if isinstance(one, dict))


def cursor_after(page: Mapping[str, Any], cursor: Optional[str]) -> Optional[str]:
    """The cursor of the next page; empty after the last one."""
    following = page.get("next_cursor") or ""
    if following and following == cursor:
        raise PennytextError("invalid_answer", "The next page is the same page.")
    return following


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        is_plain = parts.hostname and parts.username is None and parts.port != 0
    except ValueError:
        return False
    return bool(is_plain and re.fullmatch(r"https?://[!-~]+", url, re.IGNORECASE) and not set(url) & set("?#"))


def _retry_after(headers: Any) -> Optional[int]:
    """Seconds, or a date by the clock of the answer (RFC 9110, section 10.2.3)."""
    value = (headers.get("retry-after") or "").strip()
    if re.fullmatch(r"[0-9]+", value):
        return int(value[:12])
    until, now = _date(value), _date(headers.get("date") or "")
    return None if until is None else max(0, math.ceil((until - (now or datetime.now(timezone.utc))).total_seconds()))


def _date(value: str) -> Optional[datetime]:
    try:
        date = parsedate_to_datetime(value)
    except (TypeError, ValueError):  # Python 3.9 raises a TypeError.
        return None
    return date if date.tzinfo else date.replace(tzinfo=timezone.utc)
