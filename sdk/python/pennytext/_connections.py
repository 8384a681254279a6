"""Exchange of requests and answers over ``http.client``."""

from __future__ import annotations

import http.client
import io
import os
import selectors
import socket
import ssl
import time
from contextlib import suppress
from typing import Any, Iterator, NamedTuple, Optional
from urllib.parse import urlsplit

from .errors import PennytextError

ANSWER_BYTES_MAX = 16 * 1_048_576  # Several times the longest answer of the API.
_IDLE_MAX, _IDLE_SECONDS_MAX = 16, 4.0


class Request(NamedTuple):
    method: str
    url: str
    headers: dict[str, str]
    body: Optional[bytes]
    can_repeat: bool


class Response(NamedTuple):
    status: int
    headers: Any
    body: bytes


def no_answer(seconds: float) -> PennytextError:
    return PennytextError("timed_out", f"No answer within {seconds:.3g} s.")


def too_long(status: int, headers: Any) -> PennytextError:
    return PennytextError("invalid_answer", "The answer is too long.", status, headers.get("x-request-id"))


class _TimedReader(io.RawIOBase):
    """The bytes of an answer, all of which must come before a time, however slowly they come."""

    def __init__(self, sock: socket.socket, ends_at: float) -> None:
        self._sock, self._raw, self._ends_at = sock, sock.makefile("rb", buffering=0), ends_at

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(self)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Optional[int]:
        left = self._ends_at - time.monotonic()
        if left <= 0:
            raise socket.timeout("timed out")
        self._sock.settimeout(left)
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class Stop:
    """Ends an exchange from another thread."""

    _is_set, _sock = False, None

    def attach(self, sock: socket.socket) -> None:
        self._sock = sock
        if self._is_set:
            raise ConnectionAbortedError("The call was canceled.")

    def set(self) -> None:
        self._is_set = True
        with suppress(OSError):  # The connection has ended.
            if self._sock is not None:
                socket.socket.shutdown(self._sock, socket.SHUT_RDWR)


class Connections:
    """Connections to one server, kept for later calls. Threads can share them, forked processes have their own."""

    def __init__(self, base_url: str) -> None:
        self._idle: list[tuple[http.client.HTTPConnection, int, float]] = []
        self._host = urlsplit(base_url).netloc
        # Programs replace the default context of http.client by one that verifies nothing.
        self._tls = ssl.create_default_context() if base_url.lower().startswith("https:") else None

    def close(self) -> None:
        while self._idle:
            self._idle.pop()[0].close()

    __del__ = close

    def exchange(self, request: Request, timeout: float, stop: Stop) -> Response:
        ends_at, is_kept = time.monotonic() + timeout, False
        connection = self._reusable(request) or self._new()
        connection.response_class = lambda sock, *args, **named: http.client.HTTPResponse(  # type: ignore
            _TimedReader(sock, ends_at), *args, **named  # type: ignore
        )
        try:
            connection.timeout = max(timeout, 0.001)
            if connection.sock is None:
                connection.connect()
            connection.sock.settimeout(connection.timeout)
            stop.attach(connection.sock)
            connection.request(request.method, "/" + request.url.split("/", 3)[3], request.body, request.headers)
            with connection.getresponse() as response:
                body = b"".join(_chunks(response))
            is_kept = connection.sock is not None and len(self._idle) < _IDLE_MAX
        except socket.timeout as cause:
            raise no_answer(timeout) from cause
        except (ConnectionRefusedError, socket.gaierror) as cause:  # Nothing was sent.
            raise PennytextError("unreachable", str(cause) or "Nothing listens at the address.") from cause
        except (OSError, http.client.HTTPException) as cause:
            raise PennytextError("connection_failed", str(cause) or "The connection failed.") from cause
        finally:
            if not is_kept:
                connection.close()
        self._idle.append((connection, os.getpid(), time.monotonic()))
        return Response(response.status, response.headers, body)

    def _reusable(self, request: Request) -> Optional[http.client.HTTPConnection]:
        while self._idle:
            with suppress(IndexError):  # Another thread took the last connection.
                connection, pid, since = self._idle.pop()
                # The server may close it at this very moment, which a call without repetition must not meet.
                is_fresh = request.can_repeat and time.monotonic() - since < _IDLE_SECONDS_MAX
                if is_fresh and pid == os.getpid() and _is_silent(connection.sock):
                    return connection
                connection.close()
        return None

    def _new(self) -> http.client.HTTPConnection:
        if self._tls is None:
            connection = http.client.HTTPConnection(self._host)
        else:
            connection = http.client.HTTPSConnection(self._host, context=self._tls)
        connection.debuglevel = 0  # A program's own level would print the key.
        return connection


def _is_silent(sock: socket.socket) -> bool:
    """Whether an idle connection is still open."""
    with selectors.DefaultSelector() as selector:
        selector.register(sock, selectors.EVENT_READ)
        return not selector.select(0)


def _chunks(response: http.client.HTTPResponse) -> Iterator[bytes]:
    size = 0
    while chunk := response.read(65_536):
        size += len(chunk)
        if size > ANSWER_BYTES_MAX:
            raise too_long(response.status, response.headers)
        yield chunk
    if response.length:
        raise http.client.IncompleteRead(b"", response.length)
