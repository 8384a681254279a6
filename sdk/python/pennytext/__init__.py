"""Client of the Pennytext SMS API, synchronous and for asyncio, with the verification of webhooks."""

from typing import TYPE_CHECKING, Any

from . import types, webhooks
from ._transport import __version__
from .client import Pennytext
from .errors import PennytextError

if TYPE_CHECKING:
    from .async_client import AsyncPennytext

__all__ = ["AsyncPennytext", "Pennytext", "PennytextError", "__version__", "types", "webhooks"]


def __getattr__(name: str) -> Any:
    if name != "AsyncPennytext":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # Programs without asyncio do not load it.
    from .async_client import AsyncPennytext

    return AsyncPennytext
