# Generated from the contract by `npm run -s docs:sdk`.
"""Client for asyncio."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, Optional

from . import types
from ._async_transport import AsyncClient
from ._values import Group, quoted


class AsyncMedia(Group[AsyncClient]):
    """Calls of media."""

    async def upload(
        self,
        file: Optional[bytes] = None,
        *,
        url: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> types.UploadedMedia:
        """Upload a file.

        Stores a picture or another file for messages, for 30 days: ``multipart/form-data`` with a part
        ``file`` and the key as ``Authorization: Bearer``, or its ``url``, which is fetched.

        :param file: The bytes of a file; without them, give its ``url``.
        :param url: Where the file is. It is fetched before the answer.
        :param idempotency_key: Your own key, so that a repetition by another process is recognized
            too.
        """
        fields: Mapping[str, Any] = {"url": url}
        return await self._client._call(types.UploadedMedia, "POST", "/api/media", fields, "keyed",
            idempotency_key, file)


class AsyncMessages(Group[AsyncClient]):
    """Calls of messages."""

    def list(
        self,
        *,
        status: Optional[Literal["scheduled", "queued", "sending", "sent", "delivered", "undelivered",
            "failed", "canceled"]] = None,
        reason: Optional[str] = None,
        to: Optional[str] = None,
        reference: Optional[str] = None,
        batch_id: Optional[str] = None,
        since: Optional[datetime] = None,
        until: Optional[datetime] = None,
    ) -> AsyncIterator[types.Message]:
        """List your messages.

        Your messages and their states, newest first, in pages. With a filter a page may have fewer
        messages than there are, or none: ask on until ``next_cursor`` is ``null``.

        :param status: Only messages in this state.
        :param reason: Only messages that were not delivered for this reason: a code of the carrier,
            such as ``30003``, or of ours, for messages without one of the carrier.
        :param to: Only messages to this number.
        :param reference: Only messages with exactly this reference.
        :param batch_id: Only messages of this batch.
        :param since: Only messages accepted at this time or later (RFC 3339 with an offset).
        :param until: Only messages accepted before this time.
        """
        fields: Mapping[str, Any] = {"status": status, "reason": reason, "to": to, "reference": reference,
            "batch_id": batch_id, "since": since, "until": until}
        return self._client._list(types.Message, "messages", "/api/messages", fields)

    async def get(self, message_id: str) -> types.MessageAnswer:
        """Show a message.

        One message and its state. Messages of other accounts are not found.
        """
        fields: Mapping[str, Any] = {}
        return await self._client._call(types.MessageAnswer, "GET", f"/api/messages/{quoted(message_id)}",
            fields)

    async def record(self, message_id: str) -> types.MessageRecord:
        """Show the record of a message.

        Everything known of one message: every state with its time and cause, the carrier’s id and
        codes, ledger entries with their seals, refund, and webhooks with their attempts. ``removed``
        names what is no longer kept.
        """
        fields: Mapping[str, Any] = {}
        return await self._client._call(types.MessageRecord, "GET",
            f"/api/messages/{quoted(message_id)}/record", fields)

    async def cancel(self, message_id: str) -> types.MessageAnswer:
        """Cancel a message.

        Cancels a message that is ``scheduled`` or ``queued``, and refunds its credits. Canceling it
        again answers 200 with it, and refunds nothing more. A one-time password cannot be canceled.
        """
        fields: Mapping[str, Any] = {}
        return await self._client._call(types.MessageAnswer, "POST",
            f"/api/messages/{quoted(message_id)}/cancel", fields)


class AsyncOtp(Group[AsyncClient]):
    """Calls of otp."""

    async def send(
        self,
        *,
        to: str,
        channels: Optional[Sequence[types.OtpChannel]] = None,
        max_credits: Optional[int] = None,
        org: Optional[str] = None,
        code: Optional[str] = None,
        limit: Optional[int] = None,
        length: Optional[int] = None,
        domain: Optional[str] = None,
        from_: Optional[str] = None,
        delivery: Optional[Literal["once", "fast"]] = None,
        hedge_seconds: Optional[int] = None,
        ip: Optional[str] = None,
        device: Optional[str] = None,
        reference: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> types.SentOtp:
        """Send a one-time password.

        Generates a code and sends it, to the USA and Canada only, unless the operator has changed
        that: see ``otp`` in GET /api/regions. It costs 1 credit by SMS and has one segment; with
        ``channels`` each message costs what its channel costs.

        :param to: Phone number of the recipient with ``+`` and country code. Numbers without ``+`` are
            treated as US numbers. One-time passwords are sent to countries whose ``otp`` is true in GET
            /api/regions.
        :param channels: Ways of reaching the person, at most 4, in order: the next begins when one
            fails, or when its ``wait_seconds`` are over and the code was neither entered nor reported as
            delivered. Each is ``sms``, ``whatsapp``, ``voice`` or ``email``; ``to`` replaces the number,
            and is needed for ``email``. A form sends their names, separated by commas. Without it the code
            goes by SMS alone.
        :param max_credits: The highest price in credits of all ``channels`` together that you accept,
            which ``POST /api/quote`` answers as ``credits_max``. A resend costs its own price.
        :param org: Name of the sending organization, on one line: the text then begins with ``Message
            from [org].``
        :param code: Your own code, which you verify yourself: digits, and capital letters without I, L
            and O. Without it we make a code.
        :param limit: Lifetime of the code in minutes.
        :param length: Number of digits of the code.
        :param domain: Host name of your site, such as ``example.com``: phones then autofill the code
            on this site only.
        :param from_: A number of your account, or the id of one or of a pool. Without it: the number
            that the recipient knows, otherwise one of your default pool, otherwise one that the service
            chooses.
        :param delivery: Choice of another route. ``once``: the next route is tried only if the first
            one certainly did not deliver the message. ``fast``: also when that is in doubt or takes too
            long; the message may then arrive twice. It is charged once. Default: ``fast``.
        :param hedge_seconds: Seconds, from 8 to 300: without a receipt for so long, a message with
            ``delivery`` ``fast`` is handed to another route.
        :param ip: Network address of the end user who asked for the code: the fraud guard counts codes
            by it.
        :param device: Your name for the device of the end user: the fraud guard counts codes by it.
        :param reference: Your own reference for the message, up to 64 characters. It is returned in
            answers and webhooks.
        :param idempotency_key: Your own key, so that a repetition by another process is recognized
            too.
        """
        fields: Mapping[str, Any] = {"to": to, "channels": channels, "max_credits": max_credits, "org":
            org, "code": code, "limit": limit, "length": length, "domain": domain, "from": from_, "delivery":
            delivery, "hedge_seconds": hedge_seconds, "ip": ip, "device": device, "reference": reference}
        return await self._client._call(types.SentOtp, "POST", "/api/sendotp", fields, "keyed",
            idempotency_key)

    async def resend(
        self,
        *,
        otp_id: str,
        channel: Optional[Literal["sms", "whatsapp", "voice", "email"]] = None,
        idempotency_key: Optional[str] = None,
    ) -> types.SentOtp:
        """Send a one-time password again.

        Sends the same code as a new message, which costs 1 credit by SMS. Each resend by the same
        channel has to wait longer: 30, 60, 120, 300 seconds after the message before. The code still
        expires at ``expires_at``.

        :param otp_id: The ``otp_id`` that ``sendotp`` returned.
        :param channel: One of the ``channels`` of the code. Without it the next of them begins, or the
            latest sends again if it was the last.
        :param idempotency_key: Your own key, so that a repetition by another process is recognized
            too.
        """
        fields: Mapping[str, Any] = {"otp_id": otp_id, "channel": channel}
        return await self._client._call(types.SentOtp, "POST", "/api/resendotp", fields, "keyed",
            idempotency_key)

    async def get(self, otp_id: str) -> types.Otp:
        """Show a one-time password.

        The state of a code, until 24 hours after it has ended. The digits are never shown.
        """
        fields: Mapping[str, Any] = {}
        return await self._client._call(types.Otp, "GET", f"/api/otps/{quoted(otp_id)}", fields)

    def list(
        self,
        *,
        status: Optional[Literal["pending", "verified", "expired", "exhausted", "blocked", "unmanaged"]] =
            None,
        channel: Optional[Literal["sms", "whatsapp", "voice", "email"]] = None,
        to: Optional[str] = None,
        country: Optional[str] = None,
        otp_id: Optional[str] = None,
        reference: Optional[str] = None,
        key_id: Optional[str] = None,
        since: Optional[datetime] = None,
        until: Optional[datetime] = None,
    ) -> AsyncIterator[types.ListedOtp]:
        """List one-time passwords.

        Your codes, newest first, 50 per page, with what became of their messages, until 24 hours after
        they have ended, and what the fraud guard refused. The digits are never shown. A page of a
        search may have fewer codes, or none: ``next_cursor`` tells whether there is more.

        :param status: Only codes in this state.
        :param channel: Only codes that went by this channel.
        :param to: Only codes to this number, in any form.
        :param country: Only codes to this country, as ISO 3166-1 alpha-2 code.
        :param otp_id: Only this code.
        :param reference: Only codes with this reference.
        :param key_id: Only codes sent with this named key; ``account`` for the account's own key.
        :param since: Only codes sent at this time or later.
        :param until: Only codes sent before this time.
        """
        fields: Mapping[str, Any] = {"status": status, "channel": channel, "to": to, "country": country,
            "otp_id": otp_id, "reference": reference, "key_id": key_id, "since": since, "until": until}
        return self._client._list(types.ListedOtp, "otps", "/api/otps", fields)

    async def conversion(
        self,
        *,
        from_: Optional[str] = None,
        to: Optional[str] = None,
    ) -> types.OtpConversion:
        """Show the conversion.

        How many of the codes that you sent on some New York days were verified, in all, by country and
        by day. A code counts on the day on which it was first sent, and once, however often it was
        sent again; one that is still pending counts as sent. The figures are exact at any time. Codes
        of test keys do not count.

        :param from_: First day, in New York; at most 92 days with the last one. Without it the last 30
            days.
        :param to: Last day, inclusive. Without it today.
        """
        fields: Mapping[str, Any] = {"from": from_, "to": to}
        return await self._client._call(types.OtpConversion, "GET", "/api/otp/conversion", fields)

    async def guard(self) -> types.OtpGuard:
        """Show the fraud guard.

        The rules of the fraud guard, and what they refused within the last hour.
        """
        fields: Mapping[str, Any] = {}
        return await self._client._call(types.OtpGuard, "GET", "/api/otp/guard", fields)

    async def verify(
        self,
        *,
        otp: str,
        to: Optional[str] = None,
        otp_id: Optional[str] = None,
    ) -> types.OtpVerdict:
        """Verify a one-time password.

        Verifies a code. The answer is plain text, or JSON with ``Accept: application/json``. It costs
        nothing. Errors are always JSON.

        :param otp: The code that the person typed, as text because it may begin with 0.
        :param to: Phone number that the code was sent to. Always send it, or ``otp_id``: a code alone
            could match another person’s number.
        :param otp_id: The ``otp_id`` of the code, in place of ``to``.
        """
        fields: Mapping[str, Any] = {"otp": otp, "to": to, "otp_id": otp_id}
        return await self._client._call(types.OtpVerdict, "POST", "/api/verifyotp", fields, "once")


class AsyncOptouts(Group[AsyncClient]):
    """Calls of optouts."""

    def list(
        self,
        *,
        number: Optional[str] = None,
        sender: Optional[str] = None,
        since: Optional[datetime] = None,
        until: Optional[datetime] = None,
        status: Optional[Literal["opted_out", "all"]] = None,
    ) -> AsyncIterator[types.OptOut]:
        """List opt-outs.

        The people whom you have texted and who have opted out of a sender, or who have opted out of a
        number of yours, newest first. An opt-out from a number of yours holds for all that you send,
        from every number and pool that you have or get; one from a shared number for all of these, and
        for what you send without ``from``: messages to that person are refused as
        ``recipient_opted_out`` until the person replies START.

        :param number: Only this person.
        :param sender: Only those who opted out of this sender.
        :param since: Only those who opted out at this time or later (RFC 3339 with an offset).
        :param until: Only those who opted out before this time.
        :param status: ``opted_out`` (default): opt-outs in force. ``all``: those that were lifted,
            too.
        """
        fields: Mapping[str, Any] = {"number": number, "sender": sender, "since": since, "until": until,
            "status": status}
        return self._client._list(types.OptOut, "optouts", "/api/optouts", fields)


class AsyncBatches(Group[AsyncClient]):
    """Calls of batches."""

    def list(self) -> AsyncIterator[types.Batch]:
        """List your batches.

        Your bulks and how far they are, newest first, in pages.
        """
        fields: Mapping[str, Any] = {}
        return self._client._list(types.Batch, "batches", "/api/batches", fields)

    async def get(self, batch_id: str) -> types.BatchAnswer:
        """Show a batch.

        How many messages of a bulk have each status, and what they cost.
        """
        fields: Mapping[str, Any] = {}
        return await self._client._call(types.BatchAnswer, "GET", f"/api/batches/{quoted(batch_id)}",
            fields)

    async def cancel(self, batch_id: str) -> types.BatchCanceled:
        """Cancel a batch.

        Cancels the messages of a bulk that are scheduled or queued, and refunds them. Those that
        dispatch already has are sent.
        """
        fields: Mapping[str, Any] = {}
        return await self._client._call(types.BatchCanceled, "POST",
            f"/api/batches/{quoted(batch_id)}/cancel", fields)

    def messages(self, batch_id: str) -> AsyncIterator[types.Message]:
        """List the messages of a batch.

        The messages of a bulk and their states, the last one first, in pages.
        """
        fields: Mapping[str, Any] = {}
        return self._client._list(types.Message, "messages", f"/api/batches/{quoted(batch_id)}/messages",
            fields)


class AsyncNumbers(Group[AsyncClient]):
    """Calls of numbers."""

    async def available(
        self,
        *,
        country: Optional[str] = None,
        type: Optional[Literal["local", "toll_free"]] = None,
        area_code: Optional[str] = None,
        contains: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> types.AvailableNumbers:
        """Search for a number.

        Numbers that you can buy, with their prices. All of them carry messages.

        :param country: Country as ISO 3166-1 alpha-2 code. ``US`` by default.
        :param type: ``local`` (default) or ``toll_free``.
        :param area_code: Only numbers with this area code, of the USA and Canada.
        :param contains: Only numbers with these 2 to 10 digits or letters of a keypad in a row; ``*``
            is any digit.
        :param limit: How many at most: 20 by default.
        """
        fields: Mapping[str, Any] = {"country": country, "type": type, "area_code": area_code, "contains":
            contains, "limit": limit}
        return await self._client._call(types.AvailableNumbers, "GET", "/api/numbers/available", fields)

    async def buy(
        self,
        *,
        number: str,
        label: Optional[str] = None,
        auto_renew: Optional[bool] = None,
        idempotency_key: Optional[str] = None,
    ) -> types.BoughtNumber:
        """Buy a number.

        The price is held, and taken when the carrier has confirmed; else it is returned. Afterwards
        the rent is taken every month. An account needs a paid purchase of credits, has 10 numbers at
        most and buys 5 a day. DELETE it to give it up.

        :param number: The number, as a search has listed it.
        :param label: Your name for it, up to 60 characters.
        :param auto_renew: ``false``: it is released when the month that is paid ends. ``true``
            (default): its rent is taken then.
        :param idempotency_key: Your own key, so that a repetition by another process is recognized
            too.
        """
        fields: Mapping[str, Any] = {"number": number, "label": label, "auto_renew": auto_renew}
        return await self._client._call(types.BoughtNumber, "POST", "/api/numbers", fields, "keyed",
            idempotency_key)

    async def list(self, *, status: Optional[Literal["live", "released"]] = None) -> types.OwnNumbers:
        """List your numbers.

        Your numbers, newest first.

        :param status: ``live`` (default): those that you have. ``released``: those that you had.
        """
        fields: Mapping[str, Any] = {"status": status}
        return await self._client._call(types.OwnNumbers, "GET", "/api/numbers", fields)

    async def get(self, number_id: str) -> types.OwnNumberAnswer:
        """Show a number.

        One number, and what went through it.
        """
        fields: Mapping[str, Any] = {}
        return await self._client._call(types.OwnNumberAnswer, "GET", f"/api/numbers/{quoted(number_id)}",
            fields)

    async def change(
        self,
        number_id: str,
        *,
        label: Optional[str] = None,
        auto_renew: Optional[bool] = None,
        strangers_per_day: Optional[int] = None,
    ) -> types.ChangedNumber:
        """Change a number.

        Sets what is sent, and leaves the rest.

        :param label: Your name for it, up to 60 characters.
        :param auto_renew: ``false``: it is released when the month that is paid ends. ``true``
            (default): its rent is taken then.
        :param strangers_per_day: How many texts of people whom you have never texted are received, and
            charged, in a day, New York time; 0: none. Further ones are stored as ``limited``: they cost
            nothing and are not sent to your webhook. Replies of people whom you have texted do not count.
            ``null`` for a number of the operator. A key sets up to 100, the dashboard more.
        """
        fields: Mapping[str, Any] = {"label": label, "auto_renew": auto_renew, "strangers_per_day":
            strangers_per_day}
        return await self._client._call(types.ChangedNumber, "PATCH", f"/api/numbers/{quoted(number_id)}",
            fields)

    async def release(
        self,
        number_id: str,
        *,
        at: Optional[Literal["now", "renews_at"]] = None,
    ) -> types.ChangedNumber:
        """Release a number.

        Gives the number up: 24 hours from now (``releasing`` until ``releases_at``), or when the month
        that is paid ends, but not before that. Until then ``cancel=true``, buying it again and the
        dashboard undo it; nothing is sent from a number that is ``releasing``. We email you. When it
        is released, messages that wait for it, scheduled ones too, fail and are refunded; replies to
        it do not arrive any more. No other account can buy it for 90 days, but you may not get it back
        either. Nothing is released while a dispute has frozen credits of your account. The dashboard
        can release it at once.

        :param at: ``now`` (default): 24 hours from now. ``renews_at``: when the paid month ends.
        """
        fields: Mapping[str, Any] = {"at": at}
        return await self._client._call(types.ChangedNumber, "DELETE",
            f"/api/numbers/{quoted(number_id)}", fields)

    async def keep(self, number_id: str) -> types.ChangedNumber:
        """Undo a release.

        Gives the number up: 24 hours from now (``releasing`` until ``releases_at``), or when the month
        that is paid ends, but not before that. Until then ``cancel=true``, buying it again and the
        dashboard undo it; nothing is sent from a number that is ``releasing``. We email you. When it
        is released, messages that wait for it, scheduled ones too, fail and are refunded; replies to
        it do not arrive any more. No other account can buy it for 90 days, but you may not get it back
        either. Nothing is released while a dispute has frozen credits of your account. The dashboard
        can release it at once.
        """
        fields: Mapping[str, Any] = {"cancel": "true"}
        return await self._client._call(types.ChangedNumber, "DELETE",
            f"/api/numbers/{quoted(number_id)}", fields)


class AsyncPools(Group[AsyncClient]):
    """Calls of pools."""

    async def put(
        self,
        *,
        name: str,
        numbers: Sequence[str],
        default: Optional[bool] = None,
    ) -> types.PoolAnswer:
        """Create or replace a pool.

        A message from a pool takes the number that its recipient knows, else one of the pool. A pool
        of the same name gets these numbers in place of its own; a number that carriers filtered is
        used again.

        :param name: Up to 60 characters. A pool of this name gets these numbers.
        :param numbers: Up to 50 of your numbers, or their ids.
        :param default: Whether messages without ``from`` take its numbers. Your first pool does,
            unless you send ``false``.
        """
        fields: Mapping[str, Any] = {"name": name, "numbers": numbers, "default": default}
        return await self._client._call(types.PoolAnswer, "POST", "/api/pools", fields)

    async def list(self) -> types.PoolsAnswer:
        """List your pools.

        Your pools, oldest first.
        """
        fields: Mapping[str, Any] = {}
        return await self._client._call(types.PoolsAnswer, "GET", "/api/pools", fields)

    async def get(self, pool_id: str) -> types.PoolAnswer:
        """Show a pool.

        One pool and its numbers.
        """
        fields: Mapping[str, Any] = {}
        return await self._client._call(types.PoolAnswer, "GET", f"/api/pools/{quoted(pool_id)}", fields)

    async def delete(self, pool_id: str) -> types.PoolDeleted:
        """Delete a pool.

        Its numbers stay yours. Messages from it are refused; without a default pool, messages without
        ``from`` take shared senders.
        """
        fields: Mapping[str, Any] = {}
        return await self._client._call(types.PoolDeleted, "DELETE", f"/api/pools/{quoted(pool_id)}",
            fields)


class AsyncTotp(Group[AsyncClient]):
    """Calls of totp."""

    async def create(self, *, label: str, issuer: Optional[str] = None) -> types.CreatedTotp:
        """Create an authenticator.

        Makes a secret that you share with an authenticator app: codes of 6 digits, a new one every 30
        seconds (RFC 6238 with SHA-1). The secret is shown once, as text, as an address and as a QR
        code. Ask for a code of the app before you rely on it. It is free, and an account has up to
        100,000.

        :param label: Names the person’s account in the app, such as an email address: up to 100
            characters on one line, without a colon.
        :param issuer: Names you in the app: up to 40 characters on one line, without a colon.
        """
        fields: Mapping[str, Any] = {"label": label, "issuer": issuer}
        return await self._client._call(types.CreatedTotp, "POST", "/api/totp", fields, "once")

    def list(self) -> AsyncIterator[types.ListedTotp]:
        """List authenticators.

        Your authenticators without their secrets, newest first, 50 per page.
        """
        fields: Mapping[str, Any] = {}
        return self._client._list(types.ListedTotp, "totps", "/api/totp", fields)

    async def get(self, totp_id: str) -> types.Totp:
        """Show an authenticator.

        Its state, never its secret. Authenticators of other accounts are not found.
        """
        fields: Mapping[str, Any] = {}
        return await self._client._call(types.Totp, "GET", f"/api/totp/{quoted(totp_id)}", fields)

    async def delete(self, totp_id: str) -> types.TotpDeleted:
        """Delete an authenticator.

        Deletes the secret and the recovery codes at once. The app still shows codes, which are not
        found.
        """
        fields: Mapping[str, Any] = {}
        return await self._client._call(types.TotpDeleted, "DELETE", f"/api/totp/{quoted(totp_id)}",
            fields)

    async def verify(self, totp_id: str, *, code: str) -> types.TotpVerdict:
        """Verify a code of an app.

        Verifies a code of the app, or a recovery code. A code of the app is accepted while it is
        shown, and 30 seconds before and after, for clocks that differ; each once, in their order.
        After 10 wrong codes it is locked for 15 minutes. It costs nothing.

        :param code: The 6 digits that the app shows, or a recovery code, as the person entered it: as
            text, because it may begin with 0. Spaces, dashes and small letters are read.
        """
        fields: Mapping[str, Any] = {"code": code}
        return await self._client._call(types.TotpVerdict, "POST", f"/api/totp/{quoted(totp_id)}/verify",
            fields, "once")

    async def recovery_codes(self, totp_id: str) -> types.RecoveryCodes:
        """Make recovery codes.

        Makes 10 codes for a person who has lost the phone, in place of earlier ones. They are shown
        once. Each is accepted once, by the call that verifies codes of the app.
        """
        fields: Mapping[str, Any] = {}
        return await self._client._call(types.RecoveryCodes, "POST",
            f"/api/totp/{quoted(totp_id)}/recovery-codes", fields, "once")


class AsyncPennytext(AsyncClient):
    """Client for asyncio."""

    @property
    def media(self) -> AsyncMedia:
        """Calls of media."""
        return AsyncMedia(self)

    @property
    def messages(self) -> AsyncMessages:
        """Calls of messages."""
        return AsyncMessages(self)

    @property
    def otp(self) -> AsyncOtp:
        """Calls of otp."""
        return AsyncOtp(self)

    @property
    def optouts(self) -> AsyncOptouts:
        """Calls of optouts."""
        return AsyncOptouts(self)

    @property
    def batches(self) -> AsyncBatches:
        """Calls of batches."""
        return AsyncBatches(self)

    @property
    def numbers(self) -> AsyncNumbers:
        """Calls of numbers."""
        return AsyncNumbers(self)

    @property
    def pools(self) -> AsyncPools:
        """Calls of pools."""
        return AsyncPools(self)

    @property
    def totp(self) -> AsyncTotp:
        """Calls of totp."""
        return AsyncTotp(self)

    async def send(
        self,
        *,
        to: str,
        message: Optional[str] = None,
        reference: Optional[str] = None,
        from_: Optional[str] = None,
        encoding: Optional[Literal["auto", "gsm7", "smart"]] = None,
        send_at: Optional[datetime] = None,
        validity: Optional[int] = None,
        delivery: Optional[Literal["once", "fast"]] = None,
        hedge_seconds: Optional[int] = None,
        quote: Optional[str] = None,
        dedupe: Optional[int] = None,
        max_credits: Optional[int] = None,
        media: Optional[Sequence[types.MediaSource]] = None,
        media_fallback: Optional[Literal["refuse", "link"]] = None,
        transcode: Optional[bool] = None,
        idempotency_key: Optional[str] = None,
    ) -> types.AcceptedMessage:
        """Send an SMS.

        Accepts one message: it is checked, charged and stored before the answer, and handed to the
        carrier a moment later, or at ``send_at``. The first error that applies is returned; a refused
        request sends and costs nothing.

        :param to: Phone number of the recipient with ``+`` and country code. Numbers without ``+`` are
            treated as US numbers.
        :param message: The text, at most 10 segments. Required, unless there is ``media``; with it, at
            most 1,600 characters.
        :param reference: Your own reference for the message, up to 64 characters. It is returned in
            answers and webhooks.
        :param from_: A number of your account, or the id of one or of a pool. Without it: the number
            that the recipient knows, otherwise one of your default pool, otherwise one that the service
            chooses.
        :param encoding: ``auto`` (default): GSM-7 if it contains every character, else UCS-2.
            ``gsm7``: refused unless GSM-7 contains every character. ``smart``: typographic quotes, dashes,
            spaces and the like become GSM-7 equivalents; the answer’s ``message`` shows the text.
        :param send_at: When the message leaves, as a date and time with an offset (RFC 3339), as
            ``YYYY-MM-DDThh:mm:ss-05:00``: from 5 seconds to 35 days from now. It is charged at once, and
            can be canceled until it leaves.
        :param validity: Seconds, from 60 to 14400: if the carrier does not have the message within
            that time after it was accepted, or after ``send_at``, it fails as ``expired`` and is refunded.
        :param delivery: Choice of another route. ``once``: the next route is tried only if the first
            one certainly did not deliver the message. ``fast``: also when that is in doubt or takes too
            long; the message may then arrive twice. It is charged once. Default: ``once``.
        :param hedge_seconds: Seconds, from 8 to 300: without a receipt for so long, a message with
            ``delivery`` ``fast`` is handed to another route.
        :param quote: The ``quote`` of ``POST /api/quote``: the same content then costs at most what
            was quoted.
        :param dedupe: Seconds: a message to the same recipient with the same text that you sent within
            this time, and that has not failed, is the answer, with ``deduplicated``; nothing is sent or
            charged.
        :param max_credits: The highest price in credits that you accept; the message is refused if it
            costs more.
        :param media: Pictures and other files, at most 10, together 5,000,000 bytes: each is ``{"url":
            …}``, which is fetched before the answer, or ``{"media_id": …}`` of ``POST /api/media``. A form
            repeats the field, with a URL or an id. The message is then an MMS, for numbers of the USA and
            Canada.
        :param media_fallback: Handling of files where MMS is not possible. ``refuse`` (default):
            ``media_unsupported``. ``link``: a text that ends with links to the files, at the price of a
            text, for accounts that are activated for URLs.
        :param transcode: Whether pictures that are larger than the networks take are made smaller;
            animated ones never are. With ``false`` they are refused.
        :param idempotency_key: Your own key, so that a repetition by another process is recognized
            too.
        """
        fields: Mapping[str, Any] = {"to": to, "message": message, "reference": reference, "from": from_,
            "encoding": encoding, "send_at": send_at, "validity": validity, "delivery": delivery,
            "hedge_seconds": hedge_seconds, "quote": quote, "dedupe": dedupe, "max_credits": max_credits,
            "media": media, "media_fallback": media_fallback, "transcode": transcode}
        return await self._call(types.AcceptedMessage, "POST", "/api/sendsms", fields, "keyed",
            idempotency_key)

    async def trigger(self, *, type: str) -> types.TriggeredEvent:
        """Create a test event.

        Creates an event with example data, for the open streams of the account and, if it has a
        webhook URL, for the webhook.

        :param type: The type of the event.
        """
        fields: Mapping[str, Any] = {"type": type}
        return await self._call(types.TriggeredEvent, "POST", "/api/events", fields, "once")

    async def balance(self) -> types.Balance:
        """Show the balance.

        Your credits.
        """
        fields: Mapping[str, Any] = {}
        return await self._call(types.Balance, "GET", "/api/balance", fields)

    async def notifications(self) -> types.Notifications:
        """Show what needs your attention.

        What does not work now, or soon will not: a failing webhook, a low balance, a declined card,
        paused one-time passwords, suspended sending and the like. Each is there as long as its cause.
        The dashboard shows the same.
        """
        fields: Mapping[str, Any] = {}
        return await self._call(types.Notifications, "GET", "/api/notifications", fields)

    async def deliverability(
        self,
        *,
        from_: Optional[str] = None,
        to: Optional[str] = None,
    ) -> types.Deliverability:
        """Show the deliverability.

        What became of the messages that you sent on some New York days: how many were delivered, why
        others were not, and both by country, day and key. Messages on their way and canceled ones do
        not count. The figures are exact at any time: a message counts in the moment in which it ends.

        :param from_: First day of acceptance, in New York; at most 92 days with the last one. Without
            it the last 30 days.
        :param to: Last day of acceptance, inclusive. Without it today.
        """
        fields: Mapping[str, Any] = {"from": from_, "to": to}
        return await self._call(types.Deliverability, "GET", "/api/deliverability", fields)

    async def spend(self, *, from_: Optional[str] = None, to: Optional[str] = None) -> types.Spend:
        """Show the spend.

        The credits that you spent on some New York days: charged for messages, one-time passwords and
        replies, less refunds, by month and key, by day, key, country and kind. The figures are those
        of the ledger, exact at any time. A refund counts on the day on which the credits came back.

        :param from_: First day, in New York; at most 366 days with the last one. Without it from the
            first day of the month 5 months earlier.
        :param to: Last day, inclusive. Without it today.
        """
        fields: Mapping[str, Any] = {"from": from_, "to": to}
        return await self._call(types.Spend, "GET", "/api/spend", fields)

    async def exposure(self) -> types.Exposure:
        """Show what leaked keys could spend.

        The most credits that could be spent before you notice if all your keys leaked now, from your
        balance, automatic top-up, daily limit, and the keys’ budgets and countries, assuming that you
        notice within 24 hours. It includes the replies that the recipients could write. Also what
        lowers it, the most effective change first.
        """
        fields: Mapping[str, Any] = {}
        return await self._call(types.Exposure, "GET", "/api/exposure", fields)

    async def send_bulk(
        self,
        *,
        messages: Optional[Sequence[types.BulkMessage]] = None,
        message: Optional[str] = None,
        recipients: Optional[Sequence[Mapping[str, Any]]] = None,
        from_: Optional[str] = None,
        encoding: Optional[Literal["auto", "gsm7", "smart"]] = None,
        quote: Optional[str] = None,
        max_credits: Optional[int] = None,
        send_at: Optional[datetime] = None,
        validity: Optional[int] = None,
        delivery: Optional[Literal["once", "fast"]] = None,
        hedge_seconds: Optional[int] = None,
        dedupe: Optional[int] = None,
        media: Optional[Sequence[types.MediaSource]] = None,
        media_fallback: Optional[Literal["refuse", "link"]] = None,
        transcode: Optional[bool] = None,
        partial: Optional[bool] = None,
        idempotency_key: Optional[str] = None,
    ) -> types.AcceptedBulk:
        """Send many messages.

        Accepts up to 10,000 messages at once, JSON only, at most 5 MiB: all of them or none, or with
        ``partial`` those that can be accepted. It counts as one request.

        :param messages: Up to 10,000 messages, each with ``to``, ``message`` and perhaps
            ``reference``.
        :param message: A template, in place of ``messages``: ``{{name}}`` is replaced by the field
            ``name`` of each recipient.
        :param recipients: Up to 10,000 recipients of the template, each with ``to``, perhaps
            ``reference``, and its variables: texts or numbers.
        :param from_: For all messages, as in ``sendsms``.
        :param encoding: For all messages, as in ``sendsms``.
        :param quote: The ``quote`` of ``POST /api/quote``: the same content then costs at most what
            was quoted.
        :param max_credits: Refuse the bulk if all of its messages together cost more credits.
        :param send_at: For all messages, as in ``sendsms``.
        :param validity: For all messages, as in ``sendsms``.
        :param delivery: For all messages, as in ``sendsms``.
        :param hedge_seconds: For all messages, as in ``sendsms``.
        :param dedupe: Seconds, as in ``sendsms``: a message that was sent before is listed as
            ``duplicate``, and the others are sent.
        :param media: Pictures and other files, at most 10, together 5,000,000 bytes: each is ``{"url":
            …}``, which is fetched before the answer, or ``{"media_id": …}`` of ``POST /api/media``. A form
            repeats the field, with a URL or an id. The message is then an MMS, for numbers of the USA and
            Canada. Every message gets them.
        :param media_fallback: Handling of files where MMS is not possible. ``refuse`` (default):
            ``media_unsupported``. ``link``: a text that ends with links to the files, at the price of a
            text, for accounts that are activated for URLs.
        :param transcode: Whether pictures that are larger than the networks take are made smaller;
            animated ones never are. With ``false`` they are refused.
        :param partial: Accept what can be accepted. Without it any rejected item rejects all, and
            nothing is charged.
        :param idempotency_key: Your own key, so that a repetition by another process is recognized
            too.
        """
        fields: Mapping[str, Any] = {"messages": messages, "message": message, "recipients": recipients,
            "from": from_, "encoding": encoding, "quote": quote, "max_credits": max_credits, "send_at":
            send_at, "validity": validity, "delivery": delivery, "hedge_seconds": hedge_seconds, "dedupe":
            dedupe, "media": media, "media_fallback": media_fallback, "transcode": transcode, "partial":
            partial}
        return await self._call(types.AcceptedBulk, "POST", "/api/sendbulk", fields, "keyed",
            idempotency_key)

    async def quote(
        self,
        *,
        to: str,
        message: Optional[str] = None,
        reference: Optional[str] = None,
        from_: Optional[str] = None,
        encoding: Optional[Literal["auto", "gsm7", "smart"]] = None,
        send_at: Optional[datetime] = None,
        validity: Optional[int] = None,
        delivery: Optional[Literal["once", "fast"]] = None,
        hedge_seconds: Optional[int] = None,
        quote: Optional[str] = None,
        dedupe: Optional[int] = None,
        max_credits: Optional[int] = None,
        media: Optional[Sequence[types.MediaSource]] = None,
        media_fallback: Optional[Literal["refuse", "link"]] = None,
        transcode: Optional[bool] = None,
    ) -> types.Quote:
        """Price a message.

        Returns the price without sending, for the body of ``sendsms`` or ``sendbulk``, or of
        ``sendotp`` with ``channels``. For 10 minutes sending the same message or bulk with ``quote``
        costs at most this price; a one-time password has no ``quote``, and its ``max_credits`` bounds
        the price. It costs nothing, and it is refused if a test would be.

        :param to: Phone number of the recipient with ``+`` and country code. Numbers without ``+`` are
            treated as US numbers.
        :param message: The text, at most 10 segments. Required, unless there is ``media``; with it, at
            most 1,600 characters.
        :param reference: Your own reference for the message, up to 64 characters. It is returned in
            answers and webhooks.
        :param from_: A number of your account, or the id of one or of a pool. Without it: the number
            that the recipient knows, otherwise one of your default pool, otherwise one that the service
            chooses.
        :param encoding: ``auto`` (default): GSM-7 if it contains every character, else UCS-2.
            ``gsm7``: refused unless GSM-7 contains every character. ``smart``: typographic quotes, dashes,
            spaces and the like become GSM-7 equivalents; the answer’s ``message`` shows the text.
        :param send_at: When the message leaves, as a date and time with an offset (RFC 3339), as
            ``YYYY-MM-DDThh:mm:ss-05:00``: from 5 seconds to 35 days from now. It is charged at once, and
            can be canceled until it leaves.
        :param validity: Seconds, from 60 to 14400: if the carrier does not have the message within
            that time after it was accepted, or after ``send_at``, it fails as ``expired`` and is refunded.
        :param delivery: Choice of another route. ``once``: the next route is tried only if the first
            one certainly did not deliver the message. ``fast``: also when that is in doubt or takes too
            long; the message may then arrive twice. It is charged once. Default: ``once``.
        :param hedge_seconds: Seconds, from 8 to 300: without a receipt for so long, a message with
            ``delivery`` ``fast`` is handed to another route.
        :param quote: The ``quote`` of ``POST /api/quote``: the same content then costs at most what
            was quoted.
        :param dedupe: Seconds: a message to the same recipient with the same text that you sent within
            this time, and that has not failed, is the answer, with ``deduplicated``; nothing is sent or
            charged.
        :param max_credits: The highest price in credits that you accept; the message is refused if it
            costs more.
        :param media: Pictures and other files, at most 10, together 5,000,000 bytes: each is ``{"url":
            …}``, which is fetched before the answer, or ``{"media_id": …}`` of ``POST /api/media``. A form
            repeats the field, with a URL or an id. The message is then an MMS, for numbers of the USA and
            Canada.
        :param media_fallback: Handling of files where MMS is not possible. ``refuse`` (default):
            ``media_unsupported``. ``link``: a text that ends with links to the files, at the price of a
            text, for accounts that are activated for URLs.
        :param transcode: Whether pictures that are larger than the networks take are made smaller;
            animated ones never are. With ``false`` they are refused.
        """
        fields: Mapping[str, Any] = {"to": to, "message": message, "reference": reference, "from": from_,
            "encoding": encoding, "send_at": send_at, "validity": validity, "delivery": delivery,
            "hedge_seconds": hedge_seconds, "quote": quote, "dedupe": dedupe, "max_credits": max_credits,
            "media": media, "media_fallback": media_fallback, "transcode": transcode}
        return await self._call(types.Quote, "POST", "/api/quote", fields)

    async def quote_bulk(
        self,
        *,
        messages: Optional[Sequence[types.BulkMessage]] = None,
        message: Optional[str] = None,
        recipients: Optional[Sequence[Mapping[str, Any]]] = None,
        from_: Optional[str] = None,
        encoding: Optional[Literal["auto", "gsm7", "smart"]] = None,
        quote: Optional[str] = None,
        max_credits: Optional[int] = None,
        send_at: Optional[datetime] = None,
        validity: Optional[int] = None,
        delivery: Optional[Literal["once", "fast"]] = None,
        hedge_seconds: Optional[int] = None,
        dedupe: Optional[int] = None,
        media: Optional[Sequence[types.MediaSource]] = None,
        media_fallback: Optional[Literal["refuse", "link"]] = None,
        transcode: Optional[bool] = None,
        partial: Optional[bool] = None,
    ) -> types.BulkQuote:
        """Price a bulk.

        Returns the price without sending, for the body of ``sendsms`` or ``sendbulk``, or of
        ``sendotp`` with ``channels``. For 10 minutes sending the same message or bulk with ``quote``
        costs at most this price; a one-time password has no ``quote``, and its ``max_credits`` bounds
        the price. It costs nothing, and it is refused if a test would be.

        :param messages: Up to 10,000 messages, each with ``to``, ``message`` and perhaps
            ``reference``.
        :param message: A template, in place of ``messages``: ``{{name}}`` is replaced by the field
            ``name`` of each recipient.
        :param recipients: Up to 10,000 recipients of the template, each with ``to``, perhaps
            ``reference``, and its variables: texts or numbers.
        :param from_: For all messages, as in ``sendsms``.
        :param encoding: For all messages, as in ``sendsms``.
        :param quote: The ``quote`` of ``POST /api/quote``: the same content then costs at most what
            was quoted.
        :param max_credits: Refuse the bulk if all of its messages together cost more credits.
        :param send_at: For all messages, as in ``sendsms``.
        :param validity: For all messages, as in ``sendsms``.
        :param delivery: For all messages, as in ``sendsms``.
        :param hedge_seconds: For all messages, as in ``sendsms``.
        :param dedupe: Seconds, as in ``sendsms``: a message that was sent before is listed as
            ``duplicate``, and the others are sent.
        :param media: Pictures and other files, at most 10, together 5,000,000 bytes: each is ``{"url":
            …}``, which is fetched before the answer, or ``{"media_id": …}`` of ``POST /api/media``. A form
            repeats the field, with a URL or an id. The message is then an MMS, for numbers of the USA and
            Canada. Every message gets them.
        :param media_fallback: Handling of files where MMS is not possible. ``refuse`` (default):
            ``media_unsupported``. ``link``: a text that ends with links to the files, at the price of a
            text, for accounts that are activated for URLs.
        :param transcode: Whether pictures that are larger than the networks take are made smaller;
            animated ones never are. With ``false`` they are refused.
        :param partial: Accept what can be accepted. Without it any rejected item rejects all, and
            nothing is charged.
        """
        fields: Mapping[str, Any] = {"messages": messages, "message": message, "recipients": recipients,
            "from": from_, "encoding": encoding, "quote": quote, "max_credits": max_credits, "send_at":
            send_at, "validity": validity, "delivery": delivery, "hedge_seconds": hedge_seconds, "dedupe":
            dedupe, "media": media, "media_fallback": media_fallback, "transcode": transcode, "partial":
            partial}
        return await self._call(types.BulkQuote, "POST", "/api/quote", fields)

    async def quote_otp(
        self,
        *,
        to: str,
        channels: Optional[Sequence[types.OtpChannel]] = None,
        max_credits: Optional[int] = None,
        org: Optional[str] = None,
        code: Optional[str] = None,
        limit: Optional[int] = None,
        length: Optional[int] = None,
        domain: Optional[str] = None,
        from_: Optional[str] = None,
        delivery: Optional[Literal["once", "fast"]] = None,
        hedge_seconds: Optional[int] = None,
        ip: Optional[str] = None,
        device: Optional[str] = None,
        reference: Optional[str] = None,
    ) -> types.OtpQuote:
        """Price a one-time password with channels.

        Returns the price without sending, for the body of ``sendsms`` or ``sendbulk``, or of
        ``sendotp`` with ``channels``. For 10 minutes sending the same message or bulk with ``quote``
        costs at most this price; a one-time password has no ``quote``, and its ``max_credits`` bounds
        the price. It costs nothing, and it is refused if a test would be.

        :param to: Phone number of the recipient with ``+`` and country code. Numbers without ``+`` are
            treated as US numbers. One-time passwords are sent to countries whose ``otp`` is true in GET
            /api/regions.
        :param channels: Ways of reaching the person, at most 4, in order: the next begins when one
            fails, or when its ``wait_seconds`` are over and the code was neither entered nor reported as
            delivered. Each is ``sms``, ``whatsapp``, ``voice`` or ``email``; ``to`` replaces the number,
            and is needed for ``email``. A form sends their names, separated by commas. Without it the code
            goes by SMS alone.
        :param max_credits: The highest price in credits of all ``channels`` together that you accept,
            which ``POST /api/quote`` answers as ``credits_max``. A resend costs its own price.
        :param org: Name of the sending organization, on one line: the text then begins with ``Message
            from [org].``
        :param code: Your own code, which you verify yourself: digits, and capital letters without I, L
            and O. Without it we make a code.
        :param limit: Lifetime of the code in minutes.
        :param length: Number of digits of the code.
        :param domain: Host name of your site, such as ``example.com``: phones then autofill the code
            on this site only.
        :param from_: A number of your account, or the id of one or of a pool. Without it: the number
            that the recipient knows, otherwise one of your default pool, otherwise one that the service
            chooses.
        :param delivery: Choice of another route. ``once``: the next route is tried only if the first
            one certainly did not deliver the message. ``fast``: also when that is in doubt or takes too
            long; the message may then arrive twice. It is charged once. Default: ``fast``.
        :param hedge_seconds: Seconds, from 8 to 300: without a receipt for so long, a message with
            ``delivery`` ``fast`` is handed to another route.
        :param ip: Network address of the end user who asked for the code: the fraud guard counts codes
            by it.
        :param device: Your name for the device of the end user: the fraud guard counts codes by it.
        :param reference: Your own reference for the message, up to 64 characters. It is returned in
            answers and webhooks.
        """
        fields: Mapping[str, Any] = {"to": to, "channels": channels, "max_credits": max_credits, "org":
            org, "code": code, "limit": limit, "length": length, "domain": domain, "from": from_, "delivery":
            delivery, "hedge_seconds": hedge_seconds, "ip": ip, "device": device, "reference": reference}
        return await self._call(types.OtpQuote, "POST", "/api/quote", fields)
