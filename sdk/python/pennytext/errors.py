"""The error of the calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, Optional, Union

if TYPE_CHECKING:
    from .types import ErrorCode


class PennytextError(Exception):
    """Raised by every call that fails. Programs rely on ``code``, people read ``detail``.

    The client itself has the codes ``unreachable``, ``connection_failed``, ``timed_out``, ``invalid_answer``
    and ``invalid_webhook``; the API can have codes that are newer than this version.

    ``status`` is None without an answer; support can find a request by its ``request_id``; ``retry_after`` are
    the seconds until the call can be repeated, if the API knows; ``fix`` is the only call that would do what the
    failed call was meant to, if there is exactly one; ``body`` is the API's answer, with ``rejected`` of a bulk or
    ``guard`` of a one-time password. With ``outcome_unknown``, a call that sends, buys, uploads or verifies may
    have taken effect: make it again with ``idempotency_key``, if it is set, and nothing is done twice.
    """

    def __init__(
        self,
        code: Union[ErrorCode, str],
        detail: str,
        status: Optional[int] = None,
        request_id: Optional[str] = None,
        retry_after: Optional[int] = None,
        body: Optional[Mapping[str, Any]] = None,
    ) -> None:
        super().__init__(code, detail, status, request_id, retry_after, body)
        self.code, self.detail, self.status, self.request_id = code, detail, status, request_id
        self.retry_after, self.body = retry_after, body
        fix = (body or {}).get("fix")
        self.fix: Optional[Mapping[str, Any]] = fix if isinstance(fix, dict) else None
        self.outcome_unknown = False
        self.idempotency_key: Optional[str] = None

    def is_(self, code: Union[ErrorCode, str]) -> bool:
        """Whether the error has this code."""
        return self.code == code

    def __str__(self) -> str:
        advice = f": repeat the call with idempotency_key={self.idempotency_key!r}" if self.idempotency_key else ""
        doubt = f". The outcome is unknown{advice}." if self.outcome_unknown else ""
        return f"{self.code}: {self.detail.rstrip('.') if doubt else self.detail}{doubt}"
