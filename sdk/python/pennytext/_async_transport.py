"""Base of the client for asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any, Optional, Type

from ._connections import ANSWER_BYTES_MAX, Request, Response, Stop, no_answer, too_long
from ._transport import BaseClient, Call, cursor_after, items_of
from ._values import C, T, given, read
from .errors import PennytextError
from .types import TEXT_ARGUMENTS


class AsyncClient(BaseClient):
    """Base of the client for asyncio, whose requests run in threads unless there is an ``http_client``."""

    _sleep = staticmethod(asyncio.sleep)

    def __init__(self, *, api_key: Optional[str] = None, base_url: Optional[str] = None, max_retries: int = 3,
                 timeout: float = 30.0, deadline: float = 60.0, http_client: Optional[Any] = None) -> None:
        """Takes the options of ``Pennytext``, and an ``httpx.AsyncClient`` or another object with its ``stream``."""
        super().__init__(
            api_key=api_key, base_url=base_url, max_retries=max_retries, timeout=timeout, deadline=deadline
        )
        self._http_client = http_client

    async def aclose(self) -> None:
        """Closes the connections that are kept for later calls, but not an ``http_client``."""
        self._connections.close()

    async def __aenter__(self: C) -> C:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def _call(self, answer: Type[T], *args: Any, **named: Any) -> T:
        return read(answer, await self._answer(Call(self, *args, **named)))

    async def _answer(self, call: Call) -> dict[str, Any]:
        while True:
            try:
                return call.answer_in(await self._exchange(call.request, call.seconds_left()))
            except PennytextError as error:
                seconds = call.wait_after(error)
            await self._sleep(seconds)

    def _list(self, item: Type[T], name: str, path: str, fields: Mapping[str, Any]) -> AsyncIterator[T]:
        sent = given(fields, TEXT_ARGUMENTS)

        async def items() -> AsyncIterator[T]:
            cursor: Optional[str] = None
            while cursor != "":
                page = await self._answer(Call(self, "GET", path, {**sent, "cursor": cursor}))
                for one in items_of(page, name, item):
                    yield one
                cursor = cursor_after(page, cursor)

        return items()

    async def _exchange(self, request: Request, timeout: float) -> Response:
        if self._http_client is not None:
            return await self._foreign(request, timeout)
        stop = Stop()
        try:
            return await asyncio.to_thread(self._connections.exchange, request, timeout, stop)
        except asyncio.CancelledError:
            stop.set()
            raise

    async def _foreign(self, request: Request, timeout: float) -> Response:
        try:
            return await asyncio.wait_for(self._stream(request), timeout)
        except asyncio.TimeoutError as cause:
            raise no_answer(timeout) from cause
        except (PennytextError, TypeError, AttributeError):
            raise
        except Exception as cause:  # The errors of httpx have no base that this package could name.
            raise PennytextError("connection_failed", str(cause) or "The connection failed.") from cause

    async def _stream(self, request: Request) -> Response:
        method, url, headers, content, _ = request
        body = bytearray()
        async with self._http_client.stream(  # type: ignore[union-attr]
            method, url, headers=headers, content=content, follow_redirects=False, timeout=None
        ) as response:
            async for chunk in response.aiter_bytes():
                body += chunk
                if len(body) > ANSWER_BYTES_MAX:
                    raise too_long(response.status_code, response.headers)
        return Response(response.status_code, response.headers, bytes(body))
