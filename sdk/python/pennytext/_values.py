"""Values of programs, and as they are on the wire."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from datetime import datetime, timezone
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Callable, ClassVar, Generic, Type, TypeVar, Union, get_args, get_origin
from urllib.parse import quote

T = TypeVar("T", bound="Answer")
C = TypeVar("C")


class Answer:
    """An answer of the API, or an object in it. ``raw`` also has the fields that are newer than this version."""

    raw: Mapping[str, Any] = MappingProxyType({})
    _wire: ClassVar[Mapping[str, str]] = MappingProxyType({})


class Group(Generic[C]):
    """Calls of a client whose names have a first part in common."""

    def __init__(self, client: C) -> None:
        self._client = client


def read(kind: Type[T], fields: Mapping[str, Any]) -> T:
    """The object of a type. A field that a later version of the API leaves out is None, like null."""
    decoders = _decoders(kind)  # type: ignore[arg-type]
    answer = kind(**{name: decode(fields.get(wire)) for name, wire, decode in decoders})
    object.__setattr__(answer, "raw", fields)
    return answer


@lru_cache(maxsize=None)
def _decoders(cls: Any) -> list[tuple[str, str, Callable[[Any], Any]]]:
    return [(one.name, cls._wire.get(one.name, one.name), _decoder(one.type)) for one in dataclasses.fields(cls)]


def _decoder(kind: Any) -> Callable[[Any], Any]:
    """Turns a value into that of a type. Values of other shapes stay as they are."""
    if get_origin(kind) is Union:  # Optional[...], or the known values of a text with str.
        kind = get_args(kind)[0]
    if get_origin(kind) is tuple:
        item = _decoder(get_args(kind)[0])
        return lambda value: tuple(map(item, value)) if isinstance(value, list) else value
    if isinstance(kind, type) and issubclass(kind, Answer):
        return lambda value: read(kind, value) if isinstance(value, dict) else value
    return _time if kind is datetime else lambda value: value


def _time(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    # Before 3.11, Python reads neither Z nor fractions of other than three or six digits.
    text = re.sub(r"\.(\d+)", lambda part: f".{part[1]:0<6.6}", value.replace("Z", "+00:00"))
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return value


def given(fields: Mapping[str, Any], texts: frozenset[str]) -> dict[str, Any]:
    """The arguments that are not None, as they are on the wire. Raises for those that would be misunderstood."""
    sent = {name: _encoded(name, value) for name, value in fields.items() if value is not None}
    for one in (sent, *sent.get("messages", ()), *sent.get("channels", ())):
        _check(one, texts)
    for one in sent.get("recipients", ()):  # The other fields are variables, which may be numbers.
        _check(one, {"to"})
    return sent


def _check(fields: Mapping[str, Any], texts: Any) -> None:
    for name in texts.intersection(fields):
        if not isinstance(fields[name], (str, type(None))):  # An integer has no plus and no leading zero.
            raise TypeError(f"{name} must be a str, not {type(fields[name]).__name__}")


def _encoded(name: str, value: Any) -> Any:
    if not isinstance(value, datetime):
        return value
    if value.tzinfo is None:
        raise ValueError(f"{name} must have an offset, as datetime.now(timezone.utc) has")
    return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")


def quoted(value: str) -> str:
    """An id as part of a path. Raises for one that leads to another path."""
    if not isinstance(value, str) or value in ("", ".", ".."):
        raise TypeError('An id must be a str that is not empty, "." or ".."')
    return quote(value, safe="")
