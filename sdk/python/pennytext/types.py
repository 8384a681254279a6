# Generated from the contract by `npm run -s docs:sdk`.
"""Types of the arguments and of the answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Optional, TypedDict, Union

from ._values import Answer

ErrorCode = Literal["account_blocked", "address_blocked", "batch_not_found", "bulk_rejected",
    "channel_disabled", "channel_unsupported", "code_invalid", "country_disabled", "daily_limit",
    "delivery_suspended", "encoding_unsupported", "from_inactive", "from_unknown", "idempotency_conflict",
    "idempotency_in_progress", "insufficient_credits", "internal", "invalid_limit", "invalid_number",
    "invalid_request", "invalid_send_at", "invalid_validity", "key_address", "key_budget", "key_country",
    "key_expired", "key_scope", "media_expired", "media_failed", "media_limit", "media_not_found",
    "media_pending", "media_too_large", "media_type", "media_unknown", "media_unreachable",
    "media_unsupported", "message_not_found", "message_too_long", "missing_fields", "no_credits",
    "not_cancelable", "number_day_limit", "number_limit", "number_needs_purchase", "number_not_changeable",
    "number_not_found", "number_not_verified", "number_release_blocked", "number_taken",
    "number_type_unsupported", "number_unsupported", "otp_not_found", "otp_not_resendable",
    "otp_resend_too_early", "otp_suspicious", "pool_invalid", "pool_limit", "pool_not_found",
    "price_above_max", "quote_expired", "quote_invalid", "rate_limited", "recipient_opted_out",
    "region_inactive", "region_unsupported", "too_many_streams", "totp_limit", "totp_not_found",
    "unavailable", "unknown_api_key", "url_not_activated", "url_shortener", "webhook_actions", "webhook_off"]
"""Codes of refusals. The API can have codes that are newer than this version."""

TEXT_ARGUMENTS = frozenset({"area_code", "batch_id", "code", "contains", "country", "device", "domain",
    "from", "ip", "issuer", "key_id", "label", "media_id", "message", "name", "number", "org", "otp",
    "otp_id", "quote", "reason", "reference", "sender", "to", "type", "url"})


class MediaSource(TypedDict, total=False):
    url: str
    media_id: str


@dataclass(frozen=True)
class UploadedMedia(Answer):
    media_id: str
    """Id of the file: ``ME`` and 32 hex digits."""
    type: str
    """Its media type, as its bytes show it."""
    bytes: int
    """Its size."""
    sha256: str
    """SHA-256 of its bytes, in hex digits."""
    expires_at: datetime
    """When the file is deleted, in UTC. Messages that wait keep it longer."""
    test: Optional[bool] = None
    """Present if the key was a test key: nothing was stored."""


class _OtpChannel(TypedDict):
    channel: Literal["sms", "whatsapp", "voice", "email"]
    """Each channel is tried once."""


class OtpChannel(_OtpChannel, total=False):
    to: str
    """A phone number in place of that of the code; for ``email`` the address, which it needs."""
    wait_seconds: int
    """Seconds until the next channel is tried."""


@dataclass(frozen=True)
class TriggeredEvent(Answer):
    event_id: str
    """The ``webhook-id`` of the event."""
    test: Optional[bool] = None
    """Present for a test key, which creates nothing."""


@dataclass(frozen=True)
class MessageFile(Answer):
    media_id: str
    type: str
    bytes: int
    url: Optional[str] = None
    sha256: Optional[str] = None
    original_id: Optional[str] = None


@dataclass(frozen=True)
class AcceptedMessage(Answer):
    message_id: str
    """Id of the message: ``SM`` and 32 hex digits."""
    segments: int
    """Number of segments."""
    credits: int
    """Price of the message in credits. A test key is not charged."""
    encoding: Union[Literal["GSM-7", "UCS-2"], str]
    """Encoding of the text: GSM-7 has room for more characters."""
    balance: int
    """Credits left after this message. A test key gets an example."""
    reference: Optional[str] = None
    """The reference that you sent, if any."""
    status: Optional[Union[Literal["scheduled"], str]] = None
    """Present if the message is scheduled."""
    send_at: Optional[datetime] = None
    """When a scheduled message leaves, in UTC."""
    replies: Optional[Union[Literal["unavailable"], str]] = None
    """Present if replies to this message go to another account, which texted this person from the same
    number before.
    """
    delivery: Optional[Union[Literal["once", "fast"], str]] = None
    """The ``delivery`` that you chose, if you did."""
    test: Optional[bool] = None
    """Present if the key was a test key: nothing was sent or charged."""
    deduplicated: Optional[bool] = None
    """Present if you sent ``dedupe`` and this is an earlier message. Nothing was sent or charged again."""
    message: Optional[str] = None
    """The text as it is sent. Present if you sent ``encoding`` as ``smart``, and if links take the place
    of files.
    """
    kind: Optional[Union[Literal["mms"], str]] = None
    """Present for a message with files, an MMS."""
    media: Optional[tuple[MessageFile, ...]] = None
    """Present for a message with files, as long as they are known: each as it is sent. ``original_id``:
    present if the picture was made smaller for the networks; the id of the file that it was made of.
    """


@dataclass(frozen=True)
class Quote(Answer):
    quote: str
    """Send it as ``quote`` with the same content: it then costs at most ``credits``."""
    expires_at: datetime
    """When the quote expires: after 10 minutes, in UTC."""
    segments: int
    """Number of segments."""
    credits: int
    """Price of the message in credits."""
    encoding: Union[Literal["GSM-7", "UCS-2"], str]
    """Encoding of the text: GSM-7 has room for more characters."""
    unsupported_characters: tuple[str, ...]
    """The first 10 characters that GSM-7 does not contain."""
    country: str
    """Country of the number, as ISO 3166-1 alpha-2 code."""
    balance: int
    """Your credits. A test key gets an example."""
    balance_after: Optional[int] = None
    """Credits left after sending; ``null`` if the balance does not cover the price."""
    kind: Optional[Union[Literal["mms"], str]] = None
    """Present for a message with files, an MMS. Its files are looked at when it is sent."""
    test: Optional[bool] = None
    """Present if the key was a test key."""


@dataclass(frozen=True)
class ChannelPrice(Answer):
    channel: Union[Literal["sms", "whatsapp", "voice", "email"], str]
    credits: int


@dataclass(frozen=True)
class OtpQuote(Answer):
    channels: tuple[ChannelPrice, ...]
    """The ``channels`` of a one-time password in order, each with its price in credits."""
    credits: int
    """Price of the first channel in credits."""
    credits_max: int
    """Price of all ``channels`` together in credits. Nothing holds it: send it as ``max_credits`` of
    ``sendotp``.
    """
    country: str
    """Country of the number ``to``, as ISO 3166-1 alpha-2 code."""
    balance: int
    """Your credits. A test key gets an example."""
    balance_after: Optional[int] = None
    """Credits left if all ``channels`` are tried; ``null`` if the balance does not cover ``credits_max``."""
    test: Optional[bool] = None
    """Present if the key was a test key."""


@dataclass(frozen=True)
class SentOtp(Answer):
    message_id: str
    """Id of the message: ``SM`` and 32 hex digits."""
    segments: int
    """Number of segments."""
    credits: int
    """Price of the message in credits. A test key is not charged."""
    encoding: Union[Literal["GSM-7", "UCS-2"], str]
    """Encoding of the text: GSM-7 has room for more characters."""
    balance: int
    """Credits left after this message. A test key gets an example."""
    otp_id: str
    """Id of the one-time password: ``OT`` and 32 hex digits."""
    expires_at: datetime
    """When the code expires. Sending it again does not change this."""
    attempts_left: int
    """Wrong attempts left before the code becomes invalid."""
    reference: Optional[str] = None
    """The reference that you sent, if any."""
    status: Optional[Union[Literal["scheduled"], str]] = None
    """Present if the message is scheduled."""
    send_at: Optional[datetime] = None
    """When a scheduled message leaves, in UTC."""
    replies: Optional[Union[Literal["unavailable"], str]] = None
    """Present if replies to this message go to another account, which texted this person from the same
    number before.
    """
    delivery: Optional[Union[Literal["once", "fast"], str]] = None
    """The ``delivery`` that you chose, if you did."""
    test: Optional[bool] = None
    """Present if the key was a test key: nothing was sent or charged."""
    next_resend_at: Optional[datetime] = None
    """When the code can be sent again; ``null`` if it cannot."""
    managed: Optional[bool] = None
    """Present, as ``false``, for your own ``code``: we cannot verify it or send it again."""
    channel: Optional[Union[Literal["sms", "whatsapp", "voice", "email"], str]] = None
    """Present if you sent ``channels``: the channel of this message."""
    next_channel: Optional[Union[Literal["sms", "whatsapp", "voice", "email"], str]] = None
    """Present if you sent ``channels``: the channel that is tried next; ``null`` if none is."""
    next_channel_at: Optional[datetime] = None
    """Present if you sent ``channels``: when it is tried, unless the code is entered before."""
    credits_max: Optional[int] = None
    """Present if you sent ``channels``: the price of all of them together."""


@dataclass(frozen=True)
class OtpGuardRule(Answer):
    rule: str
    counts: Union[Literal["recipient", "ip", "device", "block", "call", "caller"], str]
    sends_max: int
    window_seconds: int
    verified_percent_min: Optional[int] = None


@dataclass(frozen=True)
class OtpGuardBlocked(Answer):
    otp_id: str
    rule: str
    to: str
    country: str
    block: str
    sent: int
    refused: int
    open: bool
    first_at: datetime
    last_at: datetime
    verified: Optional[int] = None


@dataclass(frozen=True)
class OtpGuard(Answer):
    suspicious: bool
    """Whether codes to some numbers are refused because too few were verified."""
    rules: tuple[OtpGuardRule, ...]
    """The rules: at most ``sends_max`` messages by what a rule counts within its window."""
    blocked: tuple[OtpGuardBlocked, ...]
    """Rules that refused codes within the last hour, latest first; ``open``: still refused."""
    reset_at: Optional[datetime] = None
    """When the guard was last reset."""
    next_reset_at: Optional[datetime] = None
    """When the guard can be reset again; ``null`` if it can be now."""
    test: Optional[bool] = None
    """Present if the key was a test key: this is an example."""


@dataclass(frozen=True)
class FailureReason(Answer):
    code: str
    text: str
    permanent: bool


@dataclass(frozen=True)
class OtpMessage(Answer):
    message_id: str
    created_at: datetime
    status: Optional[Union[Literal["scheduled", "queued", "sending", "sent", "delivered", "undelivered",
        "failed", "canceled"], str]] = None
    reason: Optional[FailureReason] = None
    sent_at: Optional[datetime] = None
    finished_at: Optional[datetime] = None


@dataclass(frozen=True)
class OtpStep(Answer):
    n: int
    channel: Union[Literal["sms", "whatsapp", "voice", "email"], str]
    to: str
    started_at: datetime
    outcome: Union[Literal["started", "sent", "delivered", "undelivered", "failed", "refused"], str]
    credits: int
    reason: Optional[str] = None


@dataclass(frozen=True)
class Otp(Answer):
    otp_id: str
    """Id of the one-time password: ``OT`` and 32 hex digits."""
    status: Union[Literal["pending", "verified", "expired", "exhausted", "blocked", "unmanaged"], str]
    """State of the code. All but ``pending`` are final; ``exhausted``: too many wrong attempts;
    ``blocked``: refused by the fraud guard, never sent; ``unmanaged``: you made the code, and verify
    it yourself.
    """
    to: str
    """The recipient in E.164 format."""
    country: str
    """Country of the recipient, as ISO 3166-1 alpha-2 code."""
    messages: tuple[OtpMessage, ...]
    """The messages with the code, in order: the first one and each resend, with their ``status``
    (``null`` if the message was never accepted) and the ``reason`` if it was not delivered.
    """
    attempts: int
    """Attempts to verify this code, the right one included."""
    attempts_left: int
    """Wrong attempts left before the code becomes invalid."""
    resends_left: int
    """How often the code can still be sent again."""
    channel: Union[Literal["sms", "whatsapp", "voice", "email"], str]
    """Channel of the latest message."""
    steps: tuple[OtpStep, ...]
    """The messages with their channels, in order. ``outcome``: ``started`` while the carrier has not
    answered, ``refused`` if nothing was sent or charged, otherwise the state of the message;
    ``reason``: why it did not arrive; ``credits``: without refunds.
    """
    created_at: datetime
    """When the code was sent first, in UTC."""
    message_id: Optional[str] = None
    """Id of the latest message with the code; ``null`` if it was never sent."""
    delivered_at: Optional[datetime] = None
    """When the first of them was delivered; ``null`` if none was, or it is not known yet."""
    reference: Optional[str] = None
    """Your own reference for the message."""
    next_resend_at: Optional[datetime] = None
    """When the code can be sent again; ``null`` if it cannot."""
    key_id: Optional[str] = None
    """The named key that sent the code; ``null`` for the account's own key."""
    key_name: Optional[str] = None
    """Its name; ``null`` also if it was revoked."""
    blocked_by: Optional[str] = None
    """The rule of the fraud guard that refused the code; ``null`` if none did."""
    next_channel: Optional[Union[Literal["sms", "whatsapp", "voice", "email"], str]] = None
    """Channel that is tried next; ``null`` if none is."""
    next_channel_at: Optional[datetime] = None
    """When it is tried, unless the code is entered before; ``null`` if none is."""
    entered_step: Optional[int] = None
    """The ``n`` of the step after which the code was entered: the latest that had left, because all have
    the same code. ``null`` while the code is not verified.
    """
    last_attempt_at: Optional[datetime] = None
    """The last attempt to verify this code; ``null`` if there was none."""
    verified_at: Optional[datetime] = None
    """When the code was verified; ``null`` if it was not."""
    expires_at: Optional[datetime] = None
    """When the code expires or has expired."""
    ended_at: Optional[datetime] = None
    """When the code was verified, expired or became invalid; ``null`` while it is pending."""
    test: Optional[bool] = None
    """Present if the key was a test key: this is an example."""


@dataclass(frozen=True)
class ListedOtp(Answer):
    otp_id: str
    """Id of the one-time password: ``OT`` and 32 hex digits."""
    status: Union[Literal["pending", "verified", "expired", "exhausted", "blocked", "unmanaged"], str]
    """State of the code. All but ``pending`` are final; ``exhausted``: too many wrong attempts;
    ``blocked``: refused by the fraud guard, never sent; ``unmanaged``: you made the code, and verify
    it yourself.
    """
    to: str
    """The recipient in E.164 format."""
    country: str
    """Country of the recipient, as ISO 3166-1 alpha-2 code."""
    messages: tuple[OtpMessage, ...]
    """The messages with the code, in order: the first one and each resend, with their ``status``
    (``null`` if the message was never accepted) and the ``reason`` if it was not delivered.
    """
    attempts: int
    """Attempts to verify this code, the right one included."""
    attempts_left: int
    """Wrong attempts left before the code becomes invalid."""
    resends_left: int
    """How often the code can still be sent again."""
    channel: Union[Literal["sms", "whatsapp", "voice", "email"], str]
    """Channel of the latest message."""
    steps: tuple[OtpStep, ...]
    """The messages with their channels, in order. ``outcome``: ``started`` while the carrier has not
    answered, ``refused`` if nothing was sent or charged, otherwise the state of the message;
    ``reason``: why it did not arrive; ``credits``: without refunds.
    """
    created_at: datetime
    """When the code was sent first, in UTC."""
    message_id: Optional[str] = None
    """Id of the latest message with the code; ``null`` if it was never sent."""
    delivered_at: Optional[datetime] = None
    """When the first of them was delivered; ``null`` if none was, or it is not known yet."""
    reference: Optional[str] = None
    """Your own reference for the message."""
    next_resend_at: Optional[datetime] = None
    """When the code can be sent again; ``null`` if it cannot."""
    key_id: Optional[str] = None
    """The named key that sent the code; ``null`` for the account's own key."""
    key_name: Optional[str] = None
    """Its name; ``null`` also if it was revoked."""
    blocked_by: Optional[str] = None
    """The rule of the fraud guard that refused the code; ``null`` if none did."""
    next_channel: Optional[Union[Literal["sms", "whatsapp", "voice", "email"], str]] = None
    """Channel that is tried next; ``null`` if none is."""
    next_channel_at: Optional[datetime] = None
    """When it is tried, unless the code is entered before; ``null`` if none is."""
    entered_step: Optional[int] = None
    """The ``n`` of the step after which the code was entered: the latest that had left, because all have
    the same code. ``null`` while the code is not verified.
    """
    last_attempt_at: Optional[datetime] = None
    """The last attempt to verify this code; ``null`` if there was none."""
    verified_at: Optional[datetime] = None
    """When the code was verified; ``null`` if it was not."""
    expires_at: Optional[datetime] = None
    """When the code expires or has expired."""
    ended_at: Optional[datetime] = None
    """When the code was verified, expired or became invalid; ``null`` while it is pending."""


@dataclass(frozen=True)
class OtpConversionCountry(Answer):
    country: str
    sent: int
    verified: int
    verified_percent: Optional[float] = None


@dataclass(frozen=True)
class OtpConversionDay(Answer):
    day: str
    sent: int
    verified: int
    verified_percent: Optional[float] = None


@dataclass(frozen=True)
class OtpConversionChannel(Answer):
    channel: Union[Literal["sms", "whatsapp", "voice", "email"], str]
    country: str
    sent: int
    verified: int
    verified_percent: Optional[float] = None


@dataclass(frozen=True)
class OtpConversion(Answer):
    from_: str
    """First day that counts, in New York."""
    to: str
    """Last day that counts, inclusive."""
    sent: int
    """Codes that were sent. A code counts once, however often it was sent again."""
    verified: int
    """Codes that were verified."""
    countries: tuple[OtpConversionCountry, ...]
    """The same by country of the recipient, as ISO 3166-1 alpha-2 code."""
    days: tuple[OtpConversionDay, ...]
    """The same by day on which the codes were first sent, oldest first, without those without codes."""
    channels: tuple[OtpConversionChannel, ...]
    """For codes with ``channels``: messages by channel and country, and the codes that were entered after
    them.
    """
    verified_percent: Optional[float] = None
    """Share of verified codes, with one decimal; ``null`` if none was sent."""
    test: Optional[bool] = None
    """Present if the key was a test key: this is an example."""
    _wire = {"from_": "from"}


@dataclass(frozen=True)
class OtpVerdict(Answer):
    status: Union[Literal["verified", "not_found", "expired", "already_used"], str]
    """Result of the verification."""
    to: Optional[str] = None
    """The recipient whose code was verified. Compare it with the person that you expect."""
    otp_id: Optional[str] = None
    """The code that was verified."""
    expires_at: Optional[datetime] = None
    """When the code expires or has expired, in UTC. Absent if the code is unknown."""
    attempts_left: Optional[int] = None
    """Wrong tries left before the code becomes invalid. Present if ``to`` or ``otp_id`` was sent and
    names a live code.
    """


@dataclass(frozen=True)
class Message(Answer):
    message_id: str
    """Id of the message: ``SM`` and 32 hex digits."""
    to: str
    """The recipient in E.164 format."""
    message: str
    """The text. OTPs are masked with asterisks."""
    status: Union[Literal["scheduled", "queued", "sending", "sent", "delivered", "undelivered", "failed",
        "canceled"], str]
    """State of the message. The last four are final."""
    segments: int
    """Number of segments."""
    credits: int
    """Price of the message in credits."""
    refunded: int
    """Credits that were refunded: all of them if the message was not delivered."""
    delivery: Union[Literal["once", "fast"], str]
    """Whether another route is tried only when that is safe, ``once``, or also in doubt, ``fast``."""
    attempts: int
    """Number of hand-overs to carriers, including those that a carrier did not take. ``attempt_list`` of
    the record has a row for each.
    """
    created_at: datetime
    """When the message was accepted, in UTC."""
    from_: Optional[str] = None
    """The sender; ``null`` until the carrier accepts the message."""
    reference: Optional[str] = None
    """Your own reference for the message."""
    error_code: Optional[str] = None
    """Why the message was not delivered, as a code of ours; ``null`` if there was no error."""
    carrier_error: Optional[int] = None
    """Error code of the carrier."""
    reason: Optional[FailureReason] = None
    """Why the message was not delivered, in words; ``null`` if there was no error. ``code``: the
    carrier’s if there is one, else ours. ``permanent``: the same message to the same number would fail
    again.
    """
    send_at: Optional[datetime] = None
    """When a scheduled message leaves; ``null`` for one that left at once."""
    expires_at: Optional[datetime] = None
    """The message fails if the carrier does not have it by then; ``null`` without ``validity``."""
    sent_at: Optional[datetime] = None
    """When the carrier accepted the message."""
    finished_at: Optional[datetime] = None
    """When the message reached its final state."""
    kind: Optional[Union[Literal["mms"], str]] = None
    """Present for a message with files."""
    media: Optional[tuple[MessageFile, ...]] = None
    """Present for a message with files, as long as they are known: each as it is sent. ``original_id``:
    present if the picture was made smaller for the networks; the id of the file that it was made of.
    """
    _wire = {"from_": "from"}


@dataclass(frozen=True)
class MessageAnswer(Answer):
    message_id: str
    """Id of the message: ``SM`` and 32 hex digits."""
    to: str
    """The recipient in E.164 format."""
    message: str
    """The text. OTPs are masked with asterisks."""
    status: Union[Literal["scheduled", "queued", "sending", "sent", "delivered", "undelivered", "failed",
        "canceled"], str]
    """State of the message. The last four are final."""
    segments: int
    """Number of segments."""
    credits: int
    """Price of the message in credits."""
    refunded: int
    """Credits that were refunded: all of them if the message was not delivered."""
    delivery: Union[Literal["once", "fast"], str]
    """Whether another route is tried only when that is safe, ``once``, or also in doubt, ``fast``."""
    attempts: int
    """Number of hand-overs to carriers, including those that a carrier did not take. ``attempt_list`` of
    the record has a row for each.
    """
    created_at: datetime
    """When the message was accepted, in UTC."""
    from_: Optional[str] = None
    """The sender; ``null`` until the carrier accepts the message."""
    reference: Optional[str] = None
    """Your own reference for the message."""
    error_code: Optional[str] = None
    """Why the message was not delivered, as a code of ours; ``null`` if there was no error."""
    carrier_error: Optional[int] = None
    """Error code of the carrier."""
    reason: Optional[FailureReason] = None
    """Why the message was not delivered, in words; ``null`` if there was no error. ``code``: the
    carrier’s if there is one, else ours. ``permanent``: the same message to the same number would fail
    again.
    """
    send_at: Optional[datetime] = None
    """When a scheduled message leaves; ``null`` for one that left at once."""
    expires_at: Optional[datetime] = None
    """The message fails if the carrier does not have it by then; ``null`` without ``validity``."""
    sent_at: Optional[datetime] = None
    """When the carrier accepted the message."""
    finished_at: Optional[datetime] = None
    """When the message reached its final state."""
    kind: Optional[Union[Literal["mms"], str]] = None
    """Present for a message with files."""
    media: Optional[tuple[MessageFile, ...]] = None
    """Present for a message with files, as long as they are known: each as it is sent. ``original_id``:
    present if the picture was made smaller for the networks; the id of the file that it was made of.
    """
    test: Optional[bool] = None
    """Present if the key was a test key: this is an example."""
    _wire = {"from_": "from"}


@dataclass(frozen=True)
class RecordedAttempt(Answer):
    n: int
    route: str
    sender: str
    reason: Union[Literal["first", "not_taken", "route_failed", "doubtful", "slow", "route_paused"], str]
    handed_at: Optional[datetime] = None
    outcome: Optional[Union[Literal["accepted", "not_taken", "doubtful"], str]] = None
    receipt: Optional[Union[Literal["delivered", "undelivered", "failed"], str]] = None


@dataclass(frozen=True)
class RecordedTransition(Answer):
    status: Union[Literal["scheduled", "queued", "sending", "sent", "delivered", "undelivered", "failed",
        "canceled"], str]
    at: datetime
    cause: str


@dataclass(frozen=True)
class RecordedRefund(Answer):
    credits: int
    at: datetime


@dataclass(frozen=True)
class LedgerSeal(Answer):
    number: int
    first: int
    last: int
    sealed_at: datetime
    key: str
    hash: str


@dataclass(frozen=True)
class RecordedEntry(Answer):
    number: int
    at: datetime
    kind: Union[Literal["signup", "purchase", "redeem", "message", "otp", "inbound", "refund",
        "chargeback", "adjustment", "number_rent", "number_setup"], str]
    amount: int
    balance_after: int
    note: Optional[str] = None
    seal: Optional[LedgerSeal] = None


@dataclass(frozen=True)
class RecordedCallback(Answer):
    format: Union[Literal["twilio", "textbelt"], str]
    url: str


@dataclass(frozen=True)
class WebhookAttempt(Answer):
    at: datetime
    duration_ms: int
    answer: str
    status: Optional[int] = None
    error: Optional[str] = None


@dataclass(frozen=True)
class RecordedWebhook(Answer):
    id: str
    type: Union[Literal["message.received", "message.scheduled", "message.sent", "message.rerouted",
        "message.delivered", "message.undelivered", "message.failed", "message.canceled",
        "message.media_ready", "otp.sent", "otp.verified", "otp.failed", "otp.expired", "otp.blocked",
        "credits.low", "credits.daily_spend", "number.active", "number.past_due", "number.released",
        "number.filtered"], str]
    status: Union[Literal["pending", "paused", "delivered", "failed"], str]
    created_at: datetime
    body: str
    attempts: int
    attempt_list: tuple[WebhookAttempt, ...]
    callback: Optional[RecordedCallback] = None
    finished_at: Optional[datetime] = None


@dataclass(frozen=True)
class RemovedPart(Answer):
    part: Union[Literal["text", "media", "number", "carrier_id", "webhooks"], str]
    why: str


@dataclass(frozen=True)
class MessageRecord(Answer):
    message_id: str
    """Id of the message: ``SM`` and 32 hex digits."""
    to: str
    """The recipient in E.164 format."""
    message: str
    """The text. OTPs are masked with asterisks."""
    status: Union[Literal["scheduled", "queued", "sending", "sent", "delivered", "undelivered", "failed",
        "canceled"], str]
    """State of the message. The last four are final."""
    segments: int
    """Number of segments."""
    credits: int
    """Price of the message in credits."""
    refunded: int
    """Credits that were refunded: all of them if the message was not delivered."""
    delivery: Union[Literal["once", "fast"], str]
    """Whether another route is tried only when that is safe, ``once``, or also in doubt, ``fast``."""
    attempts: int
    """Number of hand-overs to carriers, including those that a carrier did not take. ``attempt_list`` of
    the record has a row for each.
    """
    created_at: datetime
    """When the message was accepted, in UTC."""
    kind: Union[Literal["sms", "mms", "otp"], str]
    """``otp`` for a one-time password, whose code is masked; ``mms`` for a message with files."""
    recorded_at: datetime
    """When this record was made."""
    receipt_level: Union[Literal["handset", "network", "none"], str]
    """Meaning of ``delivered`` on its route: ``handset``, it reached the phone; ``network``, the network
    of the phone confirmed it; ``none``, nothing more than ``sent``.
    """
    attempt_list: tuple[RecordedAttempt, ...]
    """Its hand-overs to routes, in order. Routes are named within the message, ``r1``, ``r2``.
    ``reason``: why this route got it: ``first``, ``not_taken``, ``route_failed``, ``doubtful``,
    ``slow``, ``route_paused``. ``outcome``: ``accepted``, ``not_taken``, ``doubtful``; ``null`` while
    it is not known. Of tries by one route the last one is shown.
    """
    transitions: tuple[RecordedTransition, ...]
    """The states it reached, in order. ``cause`` is ``accepted``, ``send_at``, ``claimed``,
    ``carrier_accepted``, ``delivery_receipt``, ``canceled``, or the ``error_code`` of a message that
    was not delivered.
    """
    ledger: tuple[RecordedEntry, ...]
    """Its entries in the ledger of your account, with their numbers, and the seal that covers each:
    ``null`` until the entry is sealed, within a minute.
    """
    webhooks: tuple[RecordedWebhook, ...]
    """The webhooks and callbacks about it, oldest first, with the last 100 attempts of each and the
    beginning of each answer.
    """
    removed: tuple[RemovedPart, ...]
    """Parts that are no longer kept, and why."""
    from_: Optional[str] = None
    """The sender; ``null`` until the carrier accepts the message."""
    reference: Optional[str] = None
    """Your own reference for the message."""
    error_code: Optional[str] = None
    """Why the message was not delivered, as a code of ours; ``null`` if there was no error."""
    carrier_error: Optional[int] = None
    """Error code of the carrier."""
    reason: Optional[FailureReason] = None
    """Why the message was not delivered, in words; ``null`` if there was no error. ``code``: the
    carrier’s if there is one, else ours. ``permanent``: the same message to the same number would fail
    again.
    """
    send_at: Optional[datetime] = None
    """When a scheduled message leaves; ``null`` for one that left at once."""
    expires_at: Optional[datetime] = None
    """The message fails if the carrier does not have it by then; ``null`` without ``validity``."""
    sent_at: Optional[datetime] = None
    """When the carrier accepted the message."""
    finished_at: Optional[datetime] = None
    """When the message reached its final state."""
    media: Optional[tuple[MessageFile, ...]] = None
    """Present for a message with files, as long as they are known: each as it is sent. ``original_id``:
    present if the picture was made smaller for the networks; the id of the file that it was made of.
    """
    encoding: Optional[Union[Literal["GSM-7", "UCS-2"], str]] = None
    """Encoding of the text; ``null`` once the text is deleted."""
    carrier_id: Optional[str] = None
    """Id of the message at the carrier; ``null`` until the carrier accepts it."""
    refund: Optional[RecordedRefund] = None
    """The refund of its price; ``null`` if it was not refunded."""
    callback: Optional[RecordedCallback] = None
    """The URL that this message named for its callbacks, without its query."""
    test: Optional[bool] = None
    """Present if the key was a test key: this is an example."""
    _wire = {"from_": "from"}


@dataclass(frozen=True)
class OptOut(Answer):
    number: str
    status: Union[Literal["opted_out", "opted_in"], str]
    opted_out_at: datetime
    source: Union[Literal["reply", "carrier"], str]
    sender: Optional[str] = None
    opted_in_at: Optional[datetime] = None
    word: Optional[str] = None


@dataclass(frozen=True)
class BalanceBudget(Answer):
    spent_today: int
    spent_this_month: int
    credits_per_day: Optional[int] = None
    credits_per_month: Optional[int] = None


@dataclass(frozen=True)
class Balance(Answer):
    balance: int
    """Credits left: ``purchased`` minus ``used``."""
    purchased: int
    """All credits that were added."""
    used: int
    """Credits spent minus refunds."""
    frozen: Optional[int] = None
    """Present if a part of the balance cannot be spent: its payment is disputed, or a number is being
    bought.
    """
    budget: Optional[BalanceBudget] = None
    """Present if your key has a budget: the credits it may spend in a day and in a month (New York),
    ``null`` without a limit, and what it has spent.
    """
    test: Optional[bool] = None
    """Present if the key was a test key: this is an example."""


@dataclass(frozen=True)
class Notification(Answer):
    id: str
    code: Union[Literal["webhook_off", "webhook_failing", "credits_empty", "credits_low",
        "sending_suspended", "codes_paused", "messages_filtered", "number_past_due", "number_filtered",
        "key_budget", "payment_disputed", "top_up_off", "top_up_declined", "top_up_confirm", "top_up_paused",
        "top_up_limit", "account_deletion", "welcome_email_failed"], str]
    severity: Union[Literal["critical", "warning"], str]
    message: str
    action: str
    url: str
    figures: Mapping[str, Any]
    since: Optional[datetime] = None


@dataclass(frozen=True)
class Notifications(Answer):
    notifications: tuple[Notification, ...]
    """Each with its ``code``; ``severity``: ``critical`` when something does not work now, else
    ``warning``; ``since``, ``null`` where the beginning is not known; a ``message``, the ``action`` to
    take, the ``url`` of the dashboard where it is taken, and the ``figures`` of the message, by code.
    ``id`` names the cause: the same code with another cause has another id. Later versions may add
    codes.
    """
    test: Optional[bool] = None
    """Present if the key was a test key: this is an example."""


@dataclass(frozen=True)
class DeliverabilityReason(Answer):
    code: str
    text: str
    permanent: bool
    messages: int


@dataclass(frozen=True)
class DeliverabilityCountry(Answer):
    country: str
    messages: int
    delivered: int


@dataclass(frozen=True)
class DeliverabilityDay(Answer):
    day: str
    messages: int
    delivered: int


@dataclass(frozen=True)
class DeliverabilityKey(Answer):
    messages: int
    delivered: int
    key_id: Optional[str] = None
    name: Optional[str] = None


@dataclass(frozen=True)
class Deliverability(Answer):
    from_: str
    """First day of acceptance that counts, in New York."""
    to: str
    """Last day of acceptance that counts, inclusive."""
    messages: int
    """Messages that have ended: delivered or not. Canceled ones do not count."""
    delivered: int
    """Messages that were delivered."""
    reasons: tuple[DeliverabilityReason, ...]
    """Why the others were not delivered, the most frequent reason first. ``code`` is a filter of ``GET
    /api/messages``. ``permanent``: the same message to the same number would fail again.
    """
    countries: tuple[DeliverabilityCountry, ...]
    """By country of the recipient, as ISO 3166-1 alpha-2 code; the largest first."""
    days: tuple[DeliverabilityDay, ...]
    """By day of acceptance, oldest first, without those on which no message ended."""
    keys: tuple[DeliverabilityKey, ...]
    """By the key that sent them, the largest first. ``key_id`` and ``name`` are ``null`` for the own key
    of your account and for the dashboard, ``name`` also for a key that was revoked.
    """
    test: Optional[bool] = None
    """Present if the key was a test key: this is an example."""
    _wire = {"from_": "from"}


@dataclass(frozen=True)
class SpendKey(Answer):
    messages: int
    charged: int
    refunded: int
    spent: int
    key_id: Optional[str] = None
    name: Optional[str] = None


@dataclass(frozen=True)
class SpendMonth(Answer):
    month: str
    messages: int
    charged: int
    refunded: int
    spent: int
    keys: tuple[SpendKey, ...]


@dataclass(frozen=True)
class SpendDay(Answer):
    day: str
    messages: int
    charged: int
    refunded: int
    spent: int


@dataclass(frozen=True)
class SpendCountry(Answer):
    messages: int
    charged: int
    refunded: int
    spent: int
    country: Optional[str] = None


@dataclass(frozen=True)
class SpendKind(Answer):
    kind: Union[Literal["message", "otp", "reply", "number"], str]
    messages: int
    charged: int
    refunded: int
    spent: int


@dataclass(frozen=True)
class Spend(Answer):
    from_: str
    """First day that counts, in New York."""
    to: str
    """Last day that counts, inclusive."""
    messages: int
    """Messages, one-time passwords and replies that were charged."""
    charged: int
    """Credits charged for them."""
    refunded: int
    """Credits that came back on these days."""
    spent: int
    """``charged`` less ``refunded``; below 0 where refunds are for charges of earlier days."""
    months: tuple[SpendMonth, ...]
    """By month, oldest first, and by key within each month."""
    days: tuple[SpendDay, ...]
    """By day, oldest first, without those on which no credits moved."""
    keys: tuple[SpendKey, ...]
    """By key, the largest first. ``key_id`` and ``name`` are ``null`` for the own key of your account,
    the dashboard and replies, ``name`` also for a key that was revoked.
    """
    countries: tuple[SpendCountry, ...]
    """By country of the recipient, as ISO 3166-1 alpha-2 code; the largest first. ``null``: replies, and
    messages that are not kept any more.
    """
    kinds: tuple[SpendKind, ...]
    """By what they were spent for: ``message``, ``otp``, or ``reply``."""
    test: Optional[bool] = None
    """Present if the key was a test key: this is an example."""
    _wire = {"from_": "from"}


@dataclass(frozen=True)
class ExposureKey(Answer):
    credits: int
    key_id: Optional[str] = None
    name: Optional[str] = None


@dataclass(frozen=True)
class ExposureSwitch(Answer):
    switch: Union[Literal["top_up_off"], str]
    text: str
    credits: int
    key_id: Optional[str] = None


@dataclass(frozen=True)
class Exposure(Answer):
    credits: int
    """The most credits that could be spent before you notice."""
    bound: Union[Literal["sending_off", "balance", "daily_limit", "budgets"], str]
    """Limit that ends the spending: ``balance`` (all credits are gone, those of top-ups too),
    ``daily_limit``, ``budgets`` of the keys, or ``sending_off``.
    """
    within_hours: int
    """The time within which you are assumed to notice."""
    available: int
    """Credits that can be spent now."""
    top_up_credits: int
    """Credits that automatic top-up could buy within this time."""
    number_credits: int
    """Credits that numbers could cost within this time: your account’s own key and keys with the scope
    ``numbers`` buy at most 5 a day. 0 before your first paid purchase.
    """
    messages: int
    """Messages that your daily limit allows within this time."""
    credits_per_message: int
    """Price of the dearest message: 10 segments to your dearest country."""
    keys: tuple[ExposureKey, ...]
    """The same for each live key alone, the largest first. ``key_id`` is ``null`` for your account’s own
    key.
    """
    switches: tuple[ExposureSwitch, ...]
    """Changes that lower ``credits``: what to do, and the credits after it. ``switch``: ``top_up_off``."""
    test: Optional[bool] = None
    """Present if the key was a test key: this is an example."""


class _BulkMessage(TypedDict):
    to: str
    message: str


class BulkMessage(_BulkMessage, total=False):
    reference: str


@dataclass(frozen=True)
class RejectedMessage(Answer):
    index: int
    to: str
    code: str
    detail: str


@dataclass(frozen=True)
class AcceptedBulk(Answer):
    batch_id: str
    """Id of the batch: ``BA`` and 32 hex digits."""
    accepted: int
    """Number of messages that were accepted."""
    rejected: tuple[RejectedMessage, ...]
    """Items that were not accepted: ``index`` counts from 0, ``code`` and ``detail`` say why.
    ``duplicate``: an earlier item has the same number and text, which is sent once.
    """
    credits: int
    """Price of all accepted messages in credits. A test key is not charged."""
    balance: int
    """Credits left."""
    test: Optional[bool] = None
    """Present if the key was a test key: nothing was sent or charged."""


@dataclass(frozen=True)
class Batch(Answer):
    batch_id: str
    """Id of the batch: ``BA`` and 32 hex digits."""
    created_at: datetime
    """When the batch was accepted, in UTC."""
    messages: int
    """Number of messages."""
    statuses: Mapping[str, int]
    """Number of messages by status."""
    credits: int
    """Price of all messages in credits."""
    refunded: int
    """Credits that were refunded so far."""


@dataclass(frozen=True)
class BatchAnswer(Answer):
    batch_id: str
    """Id of the batch: ``BA`` and 32 hex digits."""
    created_at: datetime
    """When the batch was accepted, in UTC."""
    messages: int
    """Number of messages."""
    statuses: Mapping[str, int]
    """Number of messages by status."""
    credits: int
    """Price of all messages in credits."""
    refunded: int
    """Credits that were refunded so far."""
    test: Optional[bool] = None
    """Present if the key was a test key: this is an example."""


@dataclass(frozen=True)
class BatchCanceled(Answer):
    batch_id: str
    """Id of the batch: ``BA`` and 32 hex digits."""
    created_at: datetime
    """When the batch was accepted, in UTC."""
    messages: int
    """Number of messages."""
    statuses: Mapping[str, int]
    """Number of messages by status."""
    credits: int
    """Price of all messages in credits."""
    refunded: int
    """Credits that were refunded so far."""
    canceled: int
    """Number of messages that this call canceled."""
    test: Optional[bool] = None
    """Present if the key was a test key: this is an example."""


@dataclass(frozen=True)
class BulkQuote(Answer):
    quote: str
    """Send it as ``quote`` with the same content: it then costs at most ``credits``."""
    expires_at: datetime
    """When the quote expires: after 10 minutes, in UTC."""
    segments: int
    """Segments of all messages."""
    credits: int
    """Price of all messages in credits."""
    balance: int
    """Credits left. An example for a test key."""
    messages: int
    """Number of messages that would be accepted."""
    rejected: tuple[RejectedMessage, ...]
    """Items that were not accepted: ``index`` counts from 0, ``code`` and ``detail`` say why.
    ``duplicate``: an earlier item has the same number and text, which is sent once.
    """
    balance_after: Optional[int] = None
    """Credits left after sending; ``null`` if the balance does not cover the price."""
    kind: Optional[Union[Literal["mms"], str]] = None
    """Present if the messages have files."""
    test: Optional[bool] = None
    """Present if the key was a test key."""


@dataclass(frozen=True)
class AvailableNumber(Answer):
    number: str
    """The number in E.164 format."""
    capabilities: tuple[Union[Literal["sms", "mms"], str], ...]
    """Kinds of messages that the number takes and sends."""
    credits_per_month: int
    """Its rent in credits."""
    setup_credits: int
    """Credits that it costs once, besides."""
    locality: Optional[str] = None
    """Where it is from; ``null`` for a toll-free number."""


@dataclass(frozen=True)
class AvailableNumbers(Answer):
    numbers: tuple[AvailableNumber, ...]
    """Numbers that you can buy now."""
    test: Optional[bool] = None
    """Present if the key was a test key: this is an example."""


@dataclass(frozen=True)
class BoughtNumber(Answer):
    number_id: str
    """Id of the number: ``num_`` and 32 hex digits."""
    number: str
    """The number in E.164 format."""
    status: Union[Literal["reserving", "active", "past_due", "releasing", "released"], str]
    """``active``, or ``reserving`` while the carrier has not answered. To a repeated request: the state
    of the number now.
    """
    credits: int
    """Credits that it costs now. Held while ``reserving``, and returned if the carrier does not sell it."""
    balance: int
    """Credits left."""
    renews_at: Optional[datetime] = None
    """When the month that is paid ends; ``null`` while ``reserving``, and after a release."""
    test: Optional[bool] = None
    """Present if the key was a test key: nothing was bought or charged."""


@dataclass(frozen=True)
class OwnNumber(Answer):
    number_id: str
    """Id of the number: ``num_`` and 32 hex digits."""
    number: str
    """The number in E.164 format; one of the operator may be the id of a messaging service."""
    capabilities: tuple[Union[Literal["sms", "mms"], str], ...]
    """Kinds of messages that the number takes and sends."""
    origin: Union[Literal["purchase", "operator"], str]
    """``purchase``: you bought it. ``operator``: the operator has given it to you."""
    status: Union[Literal["reserving", "active", "past_due", "releasing", "released"], str]
    """``reserving``: its purchase is not decided yet. ``active``. ``past_due``: its rent is due, and it
    works until ``releases_at``. ``releasing``: nothing is sent from it, and texts to it are stored,
    uncharged; it is given back at ``releases_at``, until which you can undo it. ``released``.
    """
    auto_renew: bool
    """``false``: it is released when the month that is paid ends. ``true`` (default): its rent is taken
    then.
    """
    pools: tuple[str, ...]
    """Ids of the pools that it is in."""
    created_at: datetime
    """When you bought it, in UTC."""
    label: Optional[str] = None
    """Your name for it, up to 60 characters."""
    type: Optional[Union[Literal["local", "toll_free"], str]] = None
    """``local`` or ``toll_free``; ``null`` for a number of the operator."""
    country: Optional[str] = None
    """Its country, as ISO 3166-1 alpha-2 code; ``null`` for a number of the operator."""
    credits_per_month: Optional[int] = None
    """Its rent in credits; ``null`` for a number of the operator."""
    strangers_per_day: Optional[int] = None
    """How many texts of people whom you have never texted are received, and charged, in a day, New York
    time; 0: none. Further ones are stored as ``limited``: they cost nothing and are not sent to your
    webhook. Replies of people whom you have texted do not count. ``null`` for a number of the
    operator. A key sets up to 100, the dashboard more.
    """
    renews_at: Optional[datetime] = None
    """When the month that is paid ends, in UTC."""
    past_due_since: Optional[datetime] = None
    """Since when its rent is due and not paid."""
    releases_at: Optional[datetime] = None
    """When it is released, unless its rent is paid, ``auto_renew`` is set or the release is undone."""
    released_at: Optional[datetime] = None
    """When it was released."""
    filtered_at: Optional[datetime] = None
    """Since when carriers filter its messages, so that pools do not use it; ``null`` if they do not."""


@dataclass(frozen=True)
class OwnNumbers(Answer):
    numbers: tuple[OwnNumber, ...]
    """Your numbers, newest first."""
    numbers_max: int
    """How many numbers you may have at a time."""
    test: Optional[bool] = None
    """Present if the key was a test key: this is an example."""


@dataclass(frozen=True)
class NumberTrafficReason(Answer):
    code: str
    text: str
    messages: int


@dataclass(frozen=True)
class NumberTraffic(Answer):
    sent: int
    """Messages from the number."""
    delivered: int
    """Messages that were delivered."""
    failed: int
    """Messages that were not delivered."""
    waiting: int
    """Messages that wait or are scheduled: they fail and are refunded when it is released."""
    replies: int
    """Messages to the number."""
    people: int
    """People that it talked to."""
    reasons: tuple[NumberTrafficReason, ...]
    """Why messages were not delivered, the most frequent reason first."""
    since: Optional[datetime] = None
    """The oldest message that was looked at."""


@dataclass(frozen=True)
class OwnNumberAnswer(Answer):
    number_id: str
    """Id of the number: ``num_`` and 32 hex digits."""
    number: str
    """The number in E.164 format; one of the operator may be the id of a messaging service."""
    capabilities: tuple[Union[Literal["sms", "mms"], str], ...]
    """Kinds of messages that the number takes and sends."""
    origin: Union[Literal["purchase", "operator"], str]
    """``purchase``: you bought it. ``operator``: the operator has given it to you."""
    status: Union[Literal["reserving", "active", "past_due", "releasing", "released"], str]
    """``reserving``: its purchase is not decided yet. ``active``. ``past_due``: its rent is due, and it
    works until ``releases_at``. ``releasing``: nothing is sent from it, and texts to it are stored,
    uncharged; it is given back at ``releases_at``, until which you can undo it. ``released``.
    """
    auto_renew: bool
    """``false``: it is released when the month that is paid ends. ``true`` (default): its rent is taken
    then.
    """
    pools: tuple[str, ...]
    """Ids of the pools that it is in."""
    created_at: datetime
    """When you bought it, in UTC."""
    traffic: NumberTraffic
    """Messages of the number, among your newest 5,000 ones."""
    label: Optional[str] = None
    """Your name for it, up to 60 characters."""
    type: Optional[Union[Literal["local", "toll_free"], str]] = None
    """``local`` or ``toll_free``; ``null`` for a number of the operator."""
    country: Optional[str] = None
    """Its country, as ISO 3166-1 alpha-2 code; ``null`` for a number of the operator."""
    credits_per_month: Optional[int] = None
    """Its rent in credits; ``null`` for a number of the operator."""
    strangers_per_day: Optional[int] = None
    """How many texts of people whom you have never texted are received, and charged, in a day, New York
    time; 0: none. Further ones are stored as ``limited``: they cost nothing and are not sent to your
    webhook. Replies of people whom you have texted do not count. ``null`` for a number of the
    operator. A key sets up to 100, the dashboard more.
    """
    renews_at: Optional[datetime] = None
    """When the month that is paid ends, in UTC."""
    past_due_since: Optional[datetime] = None
    """Since when its rent is due and not paid."""
    releases_at: Optional[datetime] = None
    """When it is released, unless its rent is paid, ``auto_renew`` is set or the release is undone."""
    released_at: Optional[datetime] = None
    """When it was released."""
    filtered_at: Optional[datetime] = None
    """Since when carriers filter its messages, so that pools do not use it; ``null`` if they do not."""
    test: Optional[bool] = None
    """Present if the key was a test key: this is an example."""


@dataclass(frozen=True)
class ChangedNumber(Answer):
    number_id: str
    """Id of the number: ``num_`` and 32 hex digits."""
    number: str
    """The number in E.164 format; one of the operator may be the id of a messaging service."""
    capabilities: tuple[Union[Literal["sms", "mms"], str], ...]
    """Kinds of messages that the number takes and sends."""
    origin: Union[Literal["purchase", "operator"], str]
    """``purchase``: you bought it. ``operator``: the operator has given it to you."""
    status: Union[Literal["reserving", "active", "past_due", "releasing", "released"], str]
    """``reserving``: its purchase is not decided yet. ``active``. ``past_due``: its rent is due, and it
    works until ``releases_at``. ``releasing``: nothing is sent from it, and texts to it are stored,
    uncharged; it is given back at ``releases_at``, until which you can undo it. ``released``.
    """
    auto_renew: bool
    """``false``: it is released when the month that is paid ends. ``true`` (default): its rent is taken
    then.
    """
    pools: tuple[str, ...]
    """Ids of the pools that it is in."""
    created_at: datetime
    """When you bought it, in UTC."""
    label: Optional[str] = None
    """Your name for it, up to 60 characters."""
    type: Optional[Union[Literal["local", "toll_free"], str]] = None
    """``local`` or ``toll_free``; ``null`` for a number of the operator."""
    country: Optional[str] = None
    """Its country, as ISO 3166-1 alpha-2 code; ``null`` for a number of the operator."""
    credits_per_month: Optional[int] = None
    """Its rent in credits; ``null`` for a number of the operator."""
    strangers_per_day: Optional[int] = None
    """How many texts of people whom you have never texted are received, and charged, in a day, New York
    time; 0: none. Further ones are stored as ``limited``: they cost nothing and are not sent to your
    webhook. Replies of people whom you have texted do not count. ``null`` for a number of the
    operator. A key sets up to 100, the dashboard more.
    """
    renews_at: Optional[datetime] = None
    """When the month that is paid ends, in UTC."""
    past_due_since: Optional[datetime] = None
    """Since when its rent is due and not paid."""
    releases_at: Optional[datetime] = None
    """When it is released, unless its rent is paid, ``auto_renew`` is set or the release is undone."""
    released_at: Optional[datetime] = None
    """When it was released."""
    filtered_at: Optional[datetime] = None
    """Since when carriers filter its messages, so that pools do not use it; ``null`` if they do not."""
    test: Optional[bool] = None
    """Present if the key was a test key: this is an example."""


@dataclass(frozen=True)
class PoolNumber(Answer):
    number_id: str
    number: str
    status: Union[Literal["reserving", "active", "past_due", "releasing", "released"], str]
    active: bool
    filtered_at: Optional[datetime] = None


@dataclass(frozen=True)
class Pool(Answer):
    pool_id: str
    """Id of the pool: ``pool_`` and 32 hex digits."""
    name: str
    """Its name, unique in your account."""
    default: bool
    """Whether messages without ``from`` take its numbers."""
    numbers: tuple[PoolNumber, ...]
    """Its numbers. ``active``: messages take it. It is not while carriers filter its messages
    (``filtered_at``), or its ``status`` does not allow it.
    """
    created_at: datetime
    """When it was created, in UTC."""


@dataclass(frozen=True)
class PoolAnswer(Answer):
    pool_id: str
    """Id of the pool: ``pool_`` and 32 hex digits."""
    name: str
    """Its name, unique in your account."""
    default: bool
    """Whether messages without ``from`` take its numbers."""
    numbers: tuple[PoolNumber, ...]
    """Its numbers. ``active``: messages take it. It is not while carriers filter its messages
    (``filtered_at``), or its ``status`` does not allow it.
    """
    created_at: datetime
    """When it was created, in UTC."""
    test: Optional[bool] = None
    """Present if the key was a test key: this is an example."""


@dataclass(frozen=True)
class PoolsAnswer(Answer):
    pools: tuple[Pool, ...]
    """Your pools, oldest first."""
    test: Optional[bool] = None
    """Present if the key was a test key: this is an example."""


@dataclass(frozen=True)
class PoolDeleted(Answer):
    pool_id: str
    """Id of the pool: ``pool_`` and 32 hex digits."""
    deleted: bool
    """Its numbers stay yours."""
    test: Optional[bool] = None
    """Present if the key was a test key: this is an example."""


@dataclass(frozen=True)
class CreatedTotp(Answer):
    totp_id: str
    """Id of the authenticator: ``TP`` and 32 hex digits."""
    label: str
    """Names the person’s account in the app, such as an email address."""
    secret: str
    """The secret in base32, for people who type it into the app. It is not shown again."""
    otpauth_url: str
    """The address that adds it to the app on the same phone. It contains the secret."""
    qr_svg: str
    """The address as a QR code, an SVG image for your page. It contains the secret."""
    created_at: datetime
    """When it was created, in UTC."""
    issuer: Optional[str] = None
    """Names you in the app; ``null`` if you left it out."""
    test: Optional[bool] = None
    """Present if the key was a test key: nothing was stored, and the secret is that of all test keys."""


@dataclass(frozen=True)
class TotpVerdict(Answer):
    totp_id: str
    """Id of the authenticator: ``TP`` and 32 hex digits."""
    status: Union[Literal["verified", "wrong", "used", "locked"], str]
    """``verified``: the code is right, and counts once. ``wrong``: it is not, or is no code. ``used``:
    it, or a later one, was accepted before. ``locked``: 10 codes were wrong, so none is looked at,
    right or wrong, until ``locked_until``.
    """
    attempts_left: int
    """Wrong codes left until the authenticator is locked; 0 while it is. An accepted code gives all back."""
    recovery_codes_left: int
    """Recovery codes that were not used."""
    method: Optional[Union[Literal["app", "recovery_code"], str]] = None
    """The kind of code that was verified, or used before: ``app`` or ``recovery_code``. ``null`` for
    other results.
    """
    locked_until: Optional[datetime] = None
    """When the lock ends, in UTC; ``null`` unless it is locked now."""
    test: Optional[bool] = None
    """Present if the key was a test key: nothing was counted or stored."""


@dataclass(frozen=True)
class RecoveryCodes(Answer):
    totp_id: str
    """Id of the authenticator: ``TP`` and 32 hex digits."""
    recovery_codes: tuple[str, ...]
    """The codes. They are not shown again."""
    test: Optional[bool] = None
    """Present if the key was a test key: these are the codes of all test keys."""


@dataclass(frozen=True)
class Totp(Answer):
    totp_id: str
    """Id of the authenticator: ``TP`` and 32 hex digits."""
    label: str
    """Names the person’s account in the app, such as an email address."""
    created_at: datetime
    """When it was created, in UTC."""
    attempts_left: int
    """Wrong codes left until the authenticator is locked; 0 while it is. An accepted code gives all back."""
    recovery_codes_left: int
    """Recovery codes that were not used."""
    issuer: Optional[str] = None
    """Names you in the app; ``null`` if you left it out."""
    verified_at: Optional[datetime] = None
    """When a code of the app was accepted first; ``null`` until then: the person may not have set it up."""
    last_used_at: Optional[datetime] = None
    """When a code was accepted last, of the app or for recovery."""
    locked_until: Optional[datetime] = None
    """When the lock ends, in UTC; ``null`` unless it is locked now."""
    test: Optional[bool] = None
    """Present if the key was a test key: this is an example."""


@dataclass(frozen=True)
class ListedTotp(Answer):
    totp_id: str
    """Id of the authenticator: ``TP`` and 32 hex digits."""
    label: str
    """Names the person’s account in the app, such as an email address."""
    created_at: datetime
    """When it was created, in UTC."""
    attempts_left: int
    """Wrong codes left until the authenticator is locked; 0 while it is. An accepted code gives all back."""
    recovery_codes_left: int
    """Recovery codes that were not used."""
    issuer: Optional[str] = None
    """Names you in the app; ``null`` if you left it out."""
    verified_at: Optional[datetime] = None
    """When a code of the app was accepted first; ``null`` until then: the person may not have set it up."""
    last_used_at: Optional[datetime] = None
    """When a code was accepted last, of the app or for recovery."""
    locked_until: Optional[datetime] = None
    """When the lock ends, in UTC; ``null`` unless it is locked now."""


@dataclass(frozen=True)
class TotpDeleted(Answer):
    totp_id: str
    """Id of the authenticator: ``TP`` and 32 hex digits."""
    deleted: bool
    """Its codes and recovery codes are not accepted any more."""
    test: Optional[bool] = None
    """Present if the key was a test key: this is an example."""


@dataclass(frozen=True)
class ReceivedFile(Answer):
    id: str
    status: Union[Literal["pending", "stored", "failed", "expired"], str]
    url: Optional[str] = None
    type: Optional[str] = None
    bytes: Optional[int] = None
    sha256: Optional[str] = None
    _wire = {"id": "Id", "url": "Url", "type": "Type", "bytes": "Bytes", "sha256": "Sha256", "status":
        "Status"}


@dataclass(frozen=True)
class MessageReceivedData(Answer):
    message_id: str
    sender: str
    message: str
    status: Union[Literal["Received"], str]
    date_time: str
    recipient: Optional[str] = None
    media: Optional[tuple[ReceivedFile, ...]] = None
    _wire = {"message_id": "MessageId", "sender": "Sender", "message": "Message", "status": "Status",
        "date_time": "DateTime", "recipient": "Recipient", "media": "Media"}


@dataclass(frozen=True)
class MessageScheduledData(Answer):
    message_id: str
    to: str
    segments: int
    credits: int
    refunded: int
    status: Union[Literal["scheduled", "queued", "sending", "sent", "delivered", "undelivered", "failed",
        "canceled"], str]
    send_at: datetime
    reference: Optional[str] = None
    error_code: Optional[str] = None
    carrier_error: Optional[int] = None


@dataclass(frozen=True)
class MessageSentData(Answer):
    message_id: str
    to: str
    segments: int
    credits: int
    refunded: int
    status: Union[Literal["scheduled", "queued", "sending", "sent", "delivered", "undelivered", "failed",
        "canceled"], str]
    reference: Optional[str] = None
    error_code: Optional[str] = None
    carrier_error: Optional[int] = None


@dataclass(frozen=True)
class MessageReroutedData(Answer):
    message_id: str
    to: str
    segments: int
    credits: int
    refunded: int
    status: Union[Literal["scheduled", "queued", "sending", "sent", "delivered", "undelivered", "failed",
        "canceled"], str]
    delivery: Union[Literal["once", "fast"], str]
    attempt: int
    reason: Union[Literal["first", "not_taken", "route_failed", "doubtful", "slow", "route_paused"], str]
    reference: Optional[str] = None
    error_code: Optional[str] = None
    carrier_error: Optional[int] = None


@dataclass(frozen=True)
class MessageDeliveredData(Answer):
    message_id: str
    to: str
    segments: int
    credits: int
    refunded: int
    status: Union[Literal["scheduled", "queued", "sending", "sent", "delivered", "undelivered", "failed",
        "canceled"], str]
    reference: Optional[str] = None
    error_code: Optional[str] = None
    carrier_error: Optional[int] = None


@dataclass(frozen=True)
class MessageUndeliveredData(Answer):
    message_id: str
    to: str
    segments: int
    credits: int
    refunded: int
    status: Union[Literal["scheduled", "queued", "sending", "sent", "delivered", "undelivered", "failed",
        "canceled"], str]
    reference: Optional[str] = None
    error_code: Optional[str] = None
    carrier_error: Optional[int] = None


@dataclass(frozen=True)
class MessageFailedData(Answer):
    message_id: str
    to: str
    segments: int
    credits: int
    refunded: int
    status: Union[Literal["scheduled", "queued", "sending", "sent", "delivered", "undelivered", "failed",
        "canceled"], str]
    reference: Optional[str] = None
    error_code: Optional[str] = None
    carrier_error: Optional[int] = None


@dataclass(frozen=True)
class MessageCanceledData(Answer):
    message_id: str
    to: str
    segments: int
    credits: int
    refunded: int
    status: Union[Literal["scheduled", "queued", "sending", "sent", "delivered", "undelivered", "failed",
        "canceled"], str]
    reference: Optional[str] = None
    error_code: Optional[str] = None
    carrier_error: Optional[int] = None


@dataclass(frozen=True)
class ReadyFile(Answer):
    media_id: str
    status: Union[Literal["pending", "stored", "failed", "expired"], str]
    url: Optional[str] = None
    type: Optional[str] = None
    bytes: Optional[int] = None
    sha256: Optional[str] = None


@dataclass(frozen=True)
class MessageMediaReadyData(Answer):
    message_id: str
    sender: str
    media: tuple[ReadyFile, ...]


@dataclass(frozen=True)
class OtpSentData(Answer):
    otp_id: str
    message_id: str
    to: str
    expires_at: datetime
    reference: Optional[str] = None
    channel: Optional[Union[Literal["sms", "whatsapp", "voice", "email"], str]] = None
    entered_step: Optional[int] = None
    steps: Optional[tuple[OtpStep, ...]] = None


@dataclass(frozen=True)
class OtpVerifiedData(Answer):
    otp_id: str
    message_id: str
    to: str
    verified_at: datetime
    reference: Optional[str] = None
    channel: Optional[Union[Literal["sms", "whatsapp", "voice", "email"], str]] = None
    entered_step: Optional[int] = None
    steps: Optional[tuple[OtpStep, ...]] = None


@dataclass(frozen=True)
class OtpFailedData(Answer):
    otp_id: str
    message_id: str
    to: str
    failed_at: datetime
    reference: Optional[str] = None


@dataclass(frozen=True)
class OtpExpiredData(Answer):
    otp_id: str
    message_id: str
    to: str
    expired_at: datetime
    reference: Optional[str] = None


@dataclass(frozen=True)
class OtpBlockedData(Answer):
    otp_id: str
    to: str
    rule: str
    country: str
    block: str
    sent: int
    blocked_at: datetime
    verified: Optional[int] = None
    reference: Optional[str] = None


@dataclass(frozen=True)
class CreditsLowData(Answer):
    balance: int
    threshold: int


@dataclass(frozen=True)
class CreditsDailySpendData(Answer):
    day: str
    spent: int
    threshold: int


@dataclass(frozen=True)
class NumberActiveData(Answer):
    number_id: str
    number: str
    status: Union[Literal["reserving", "active", "past_due", "releasing", "released"], str]
    label: Optional[str] = None
    credits_per_month: Optional[int] = None
    renews_at: Optional[datetime] = None
    releases_at: Optional[datetime] = None


@dataclass(frozen=True)
class NumberPastDueData(Answer):
    number_id: str
    number: str
    status: Union[Literal["reserving", "active", "past_due", "releasing", "released"], str]
    day: int
    label: Optional[str] = None
    credits_per_month: Optional[int] = None
    renews_at: Optional[datetime] = None
    releases_at: Optional[datetime] = None


@dataclass(frozen=True)
class NumberReleasedData(Answer):
    number_id: str
    number: str
    status: Union[Literal["reserving", "active", "past_due", "releasing", "released"], str]
    reason: Union[Literal["owner", "not_renewed", "unpaid", "deleted"], str]
    label: Optional[str] = None
    credits_per_month: Optional[int] = None
    renews_at: Optional[datetime] = None
    releases_at: Optional[datetime] = None


@dataclass(frozen=True)
class NumberFilteredData(Answer):
    number_id: str
    number: str
    status: Union[Literal["reserving", "active", "past_due", "releasing", "released"], str]
    messages: int
    failed: int
    label: Optional[str] = None
    credits_per_month: Optional[int] = None
    renews_at: Optional[datetime] = None
    releases_at: Optional[datetime] = None


@dataclass(frozen=True)
class WebhookEvent(Answer):
    """A genuine webhook. ``id`` is the same on every attempt: store it to process each event once.

    The class of ``data`` follows from ``type``; it is a dict for a type that is newer than this
    version.
    """

    id: str
    type: Union[Literal["message.received", "message.scheduled", "message.sent", "message.rerouted",
        "message.delivered", "message.undelivered", "message.failed", "message.canceled",
        "message.media_ready", "otp.sent", "otp.verified", "otp.failed", "otp.expired", "otp.blocked",
        "credits.low", "credits.daily_spend", "number.active", "number.past_due", "number.released",
        "number.filtered"], str]
    data: Union[Mapping[str, Any], MessageReceivedData, MessageScheduledData, MessageSentData,
        MessageReroutedData, MessageDeliveredData, MessageUndeliveredData, MessageFailedData,
        MessageCanceledData, MessageMediaReadyData, OtpSentData, OtpVerifiedData, OtpFailedData,
        OtpExpiredData, OtpBlockedData, CreditsLowData, CreditsDailySpendData, NumberActiveData,
        NumberPastDueData, NumberReleasedData, NumberFilteredData]
    timestamp: Optional[datetime] = None


EVENT_DATA: Mapping[str, Any] = {
    "message.received": MessageReceivedData,
    "message.scheduled": MessageScheduledData,
    "message.sent": MessageSentData,
    "message.rerouted": MessageReroutedData,
    "message.delivered": MessageDeliveredData,
    "message.undelivered": MessageUndeliveredData,
    "message.failed": MessageFailedData,
    "message.canceled": MessageCanceledData,
    "message.media_ready": MessageMediaReadyData,
    "otp.sent": OtpSentData,
    "otp.verified": OtpVerifiedData,
    "otp.failed": OtpFailedData,
    "otp.expired": OtpExpiredData,
    "otp.blocked": OtpBlockedData,
    "credits.low": CreditsLowData,
    "credits.daily_spend": CreditsDailySpendData,
    "number.active": NumberActiveData,
    "number.past_due": NumberPastDueData,
    "number.released": NumberReleasedData,
    "number.filtered": NumberFilteredData,
}
