<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext;

use Pennytext\Internal\Repeat;
use Pennytext\Internal\Transport;

/** Calls of the client. */
abstract class Calls
{
    public readonly Calls\Media $media;
    public readonly Calls\Messages $messages;
    public readonly Calls\Otp $otp;
    public readonly Calls\Optouts $optouts;
    public readonly Calls\Batches $batches;
    public readonly Calls\Numbers $numbers;
    public readonly Calls\Pools $pools;
    public readonly Calls\Totp $totp;

    /** @internal */
    public function __construct(private readonly Transport $transport)
    {
        $this->media = new Calls\Media($transport);
        $this->messages = new Calls\Messages($transport);
        $this->otp = new Calls\Otp($transport);
        $this->optouts = new Calls\Optouts($transport);
        $this->batches = new Calls\Batches($transport);
        $this->numbers = new Calls\Numbers($transport);
        $this->pools = new Calls\Pools($transport);
        $this->totp = new Calls\Totp($transport);
    }

    /**
     * Send an SMS.
     *
     * Accepts one message: it is checked, charged and stored before the answer, and handed to the carrier a moment
     * later, or at `send_at`. The first error that applies is returned; a refused request sends and costs nothing.
     *
     * @param string $to Phone number of the recipient with `+` and country code. Numbers without `+` are treated as
     *     US numbers.
     * @param string|null $message The text, at most 10 segments. Required, unless there is `media`; with it, at
     *     most 1,600 characters.
     * @param string|null $reference Your own reference for the message, up to 64 characters. It is returned in
     *     answers and webhooks.
     * @param string|null $from A number of your account, or the id of one or of a pool. Without it: the number that
     *     the recipient knows, otherwise one of your default pool, otherwise one that the service chooses.
     * @param string|null $encoding `auto` (default): GSM-7 if it contains every character, else UCS-2. `gsm7`:
     *     refused unless GSM-7 contains every character. `smart`: typographic quotes, dashes, spaces and the like
     *     become GSM-7 equivalents; the answer’s `message` shows the text.
     * @param \DateTimeInterface|null $sendAt When the message leaves, as a date and time with an offset (RFC 3339),
     *     as `YYYY-MM-DDThh:mm:ss-05:00`: from 5 seconds to 35 days from now. It is charged at once, and can be
     *     canceled until it leaves.
     * @param int|null $validity Seconds, from 60 to 14400: if the carrier does not have the message within that
     *     time after it was accepted, or after `send_at`, it fails as `expired` and is refunded.
     * @param string|null $delivery Choice of another route. `once`: the next route is tried only if the first one
     *     certainly did not deliver the message. `fast`: also when that is in doubt or takes too long; the message may
     *     then arrive twice. It is charged once. Default: `once`.
     * @param int|null $hedgeSeconds Seconds, from 8 to 300: without a receipt for so long, a message with
     *     `delivery` `fast` is handed to another route.
     * @param string|null $quote The `quote` of `POST /api/quote`: the same content then costs at most what was
     *     quoted.
     * @param int|null $dedupe Seconds: a message to the same recipient with the same text that you sent within this
     *     time, and that has not failed, is the answer, with `deduplicated`; nothing is sent or charged.
     * @param int|null $maxCredits The highest price in credits that you accept; the message is refused if it costs
     *     more.
     * @param list<array{url?: string, media_id?: string}>|null $media Pictures and other files, at most 10,
     *     together 5,000,000 bytes: each is `{"url": …}`, which is fetched before the answer, or `{"media_id": …}` of
     *     `POST /api/media`. A form repeats the field, with a URL or an id. The message is then an MMS, for numbers of
     *     the USA and Canada.
     * @param string|null $mediaFallback Handling of files where MMS is not possible. `refuse` (default):
     *     `media_unsupported`. `link`: a text that ends with links to the files, at the price of a text, for accounts
     *     that are activated for URLs.
     * @param bool|null $transcode Whether pictures that are larger than the networks take are made smaller;
     *     animated ones never are. With `false` they are refused.
     * @param string|null $idempotencyKey Your own key, so that a repetition by another process is recognized too;
     *     random unless you set it.
     * @throws \Pennytext\PennytextException
     */
    public function send(
        string|int|float $to,
        ?string $message = null,
        ?string $reference = null,
        string|int|float|null $from = null,
        ?string $encoding = null,
        ?\DateTimeInterface $sendAt = null,
        ?int $validity = null,
        ?string $delivery = null,
        ?int $hedgeSeconds = null,
        ?string $quote = null,
        ?int $dedupe = null,
        ?int $maxCredits = null,
        ?array $media = null,
        ?string $mediaFallback = null,
        ?bool $transcode = null,
        ?string $idempotencyKey = null,
    ): Model\AcceptedMessage {
        return new Model\AcceptedMessage($this->transport->call(
            'POST',
            '/api/sendsms',
            body: [
                'to' => $to,
                'message' => $message,
                'reference' => $reference,
                'from' => $from,
                'encoding' => $encoding,
                'send_at' => $sendAt,
                'validity' => $validity,
                'delivery' => $delivery,
                'hedge_seconds' => $hedgeSeconds,
                'quote' => $quote,
                'dedupe' => $dedupe,
                'max_credits' => $maxCredits,
                'media' => $media,
                'media_fallback' => $mediaFallback,
                'transcode' => $transcode,
            ],
            repeat: Repeat::Keyed,
            idempotencyKey: $idempotencyKey,
        ));
    }

    /**
     * Create a test event.
     *
     * Creates an event with example data, for the open streams of the account and, if it has a webhook URL, for the
     * webhook.
     *
     * @param string $type The type of the event.
     * @throws \Pennytext\PennytextException
     */
    public function trigger(
        string $type,
    ): Model\TriggeredEvent {
        return new Model\TriggeredEvent($this->transport->call(
            'POST',
            '/api/events',
            body: [
                'type' => $type,
            ],
            repeat: Repeat::Once,
        ));
    }

    /**
     * Show the balance.
     *
     * Your credits.
     *
     * @throws \Pennytext\PennytextException
     */
    public function balance(): Model\Balance
    {
        return new Model\Balance($this->transport->call(
            'GET',
            '/api/balance',
        ));
    }

    /**
     * Show what needs your attention.
     *
     * What does not work now, or soon will not: a failing webhook, a low balance, a declined card, paused one-time
     * passwords, suspended sending and the like. Each is there as long as its cause. The dashboard shows the same.
     *
     * @throws \Pennytext\PennytextException
     */
    public function notifications(): Model\Notifications
    {
        return new Model\Notifications($this->transport->call(
            'GET',
            '/api/notifications',
        ));
    }

    /**
     * Show the deliverability.
     *
     * What became of the messages that you sent on some New York days: how many were delivered, why others were
     * not, and both by country, day and key. Messages on their way and canceled ones do not count. The figures are
     * exact at any time: a message counts in the moment in which it ends.
     *
     * @param string|null $from First day of acceptance, in New York; at most 92 days with the last one. Without it
     *     the last 30 days.
     * @param string|null $to Last day of acceptance, inclusive. Without it today.
     * @throws \Pennytext\PennytextException
     */
    public function deliverability(
        string|int|float|null $from = null,
        string|int|float|null $to = null,
    ): Model\Deliverability {
        return new Model\Deliverability($this->transport->call(
            'GET',
            '/api/deliverability',
            query: [
                'from' => $from,
                'to' => $to,
            ],
        ));
    }

    /**
     * Show the spend.
     *
     * The credits that you spent on some New York days: charged for messages, one-time passwords and replies, less
     * refunds, by month and key, by day, key, country and kind. The figures are those of the ledger, exact at any
     * time. A refund counts on the day on which the credits came back.
     *
     * @param string|null $from First day, in New York; at most 366 days with the last one. Without it from the
     *     first day of the month 5 months earlier.
     * @param string|null $to Last day, inclusive. Without it today.
     * @throws \Pennytext\PennytextException
     */
    public function spend(
        string|int|float|null $from = null,
        string|int|float|null $to = null,
    ): Model\Spend {
        return new Model\Spend($this->transport->call(
            'GET',
            '/api/spend',
            query: [
                'from' => $from,
                'to' => $to,
            ],
        ));
    }

    /**
     * Show what leaked keys could spend.
     *
     * The most credits that could be spent before you notice if all your keys leaked now, from your balance,
     * automatic top-up, daily limit, and the keys’ budgets and countries, assuming that you notice within 24 hours.
     * It includes the replies that the recipients could write. Also what lowers it, the most effective change
     * first.
     *
     * @throws \Pennytext\PennytextException
     */
    public function exposure(): Model\Exposure
    {
        return new Model\Exposure($this->transport->call(
            'GET',
            '/api/exposure',
        ));
    }

    /**
     * Send many messages.
     *
     * Accepts up to 10,000 messages at once, JSON only, at most 5 MiB: all of them or none, or with `partial` those
     * that can be accepted. It counts as one request.
     *
     * @param list<array{to: string, message: string, reference?: string}>|null $messages Up to 10,000 messages,
     *     each with `to`, `message` and perhaps `reference`.
     * @param string|null $message A template, in place of `messages`: `{{name}}` is replaced by the field `name` of
     *     each recipient.
     * @param list<array<string, mixed>>|null $recipients Up to 10,000 recipients of the template, each with `to`,
     *     perhaps `reference`, and its variables: texts or numbers.
     * @param string|null $from For all messages, as in `sendsms`.
     * @param string|null $encoding For all messages, as in `sendsms`.
     * @param string|null $quote The `quote` of `POST /api/quote`: the same content then costs at most what was
     *     quoted.
     * @param int|null $maxCredits Refuse the bulk if all of its messages together cost more credits.
     * @param \DateTimeInterface|null $sendAt For all messages, as in `sendsms`.
     * @param int|null $validity For all messages, as in `sendsms`.
     * @param string|null $delivery For all messages, as in `sendsms`.
     * @param int|null $hedgeSeconds For all messages, as in `sendsms`.
     * @param int|null $dedupe Seconds, as in `sendsms`: a message that was sent before is listed as `duplicate`,
     *     and the others are sent.
     * @param list<array{url?: string, media_id?: string}>|null $media Pictures and other files, at most 10,
     *     together 5,000,000 bytes: each is `{"url": …}`, which is fetched before the answer, or `{"media_id": …}` of
     *     `POST /api/media`. A form repeats the field, with a URL or an id. The message is then an MMS, for numbers of
     *     the USA and Canada. Every message gets them.
     * @param string|null $mediaFallback Handling of files where MMS is not possible. `refuse` (default):
     *     `media_unsupported`. `link`: a text that ends with links to the files, at the price of a text, for accounts
     *     that are activated for URLs.
     * @param bool|null $transcode Whether pictures that are larger than the networks take are made smaller;
     *     animated ones never are. With `false` they are refused.
     * @param bool|null $partial Accept what can be accepted. Without it any rejected item rejects all, and nothing
     *     is charged.
     * @param string|null $idempotencyKey Your own key, so that a repetition by another process is recognized too;
     *     random unless you set it.
     * @throws \Pennytext\PennytextException
     */
    public function sendBulk(
        ?array $messages = null,
        ?string $message = null,
        ?array $recipients = null,
        string|int|float|null $from = null,
        ?string $encoding = null,
        ?string $quote = null,
        ?int $maxCredits = null,
        ?\DateTimeInterface $sendAt = null,
        ?int $validity = null,
        ?string $delivery = null,
        ?int $hedgeSeconds = null,
        ?int $dedupe = null,
        ?array $media = null,
        ?string $mediaFallback = null,
        ?bool $transcode = null,
        ?bool $partial = null,
        ?string $idempotencyKey = null,
    ): Model\AcceptedBulk {
        return new Model\AcceptedBulk($this->transport->call(
            'POST',
            '/api/sendbulk',
            body: [
                'messages' => $messages,
                'message' => $message,
                'recipients' => $recipients,
                'from' => $from,
                'encoding' => $encoding,
                'quote' => $quote,
                'max_credits' => $maxCredits,
                'send_at' => $sendAt,
                'validity' => $validity,
                'delivery' => $delivery,
                'hedge_seconds' => $hedgeSeconds,
                'dedupe' => $dedupe,
                'media' => $media,
                'media_fallback' => $mediaFallback,
                'transcode' => $transcode,
                'partial' => $partial,
            ],
            repeat: Repeat::Keyed,
            idempotencyKey: $idempotencyKey,
        ));
    }

    /**
     * Price a message.
     *
     * Returns the price without sending, for the body of `sendsms` or `sendbulk`, or of `sendotp` with `channels`.
     * For 10 minutes sending the same message or bulk with `quote` costs at most this price; a one-time password
     * has no `quote`, and its `max_credits` bounds the price. It costs nothing, and it is refused if a test would
     * be.
     *
     * @param string $to Phone number of the recipient with `+` and country code. Numbers without `+` are treated as
     *     US numbers.
     * @param string|null $message The text, at most 10 segments. Required, unless there is `media`; with it, at
     *     most 1,600 characters.
     * @param string|null $reference Your own reference for the message, up to 64 characters. It is returned in
     *     answers and webhooks.
     * @param string|null $from A number of your account, or the id of one or of a pool. Without it: the number that
     *     the recipient knows, otherwise one of your default pool, otherwise one that the service chooses.
     * @param string|null $encoding `auto` (default): GSM-7 if it contains every character, else UCS-2. `gsm7`:
     *     refused unless GSM-7 contains every character. `smart`: typographic quotes, dashes, spaces and the like
     *     become GSM-7 equivalents; the answer’s `message` shows the text.
     * @param \DateTimeInterface|null $sendAt When the message leaves, as a date and time with an offset (RFC 3339),
     *     as `YYYY-MM-DDThh:mm:ss-05:00`: from 5 seconds to 35 days from now. It is charged at once, and can be
     *     canceled until it leaves.
     * @param int|null $validity Seconds, from 60 to 14400: if the carrier does not have the message within that
     *     time after it was accepted, or after `send_at`, it fails as `expired` and is refunded.
     * @param string|null $delivery Choice of another route. `once`: the next route is tried only if the first one
     *     certainly did not deliver the message. `fast`: also when that is in doubt or takes too long; the message may
     *     then arrive twice. It is charged once. Default: `once`.
     * @param int|null $hedgeSeconds Seconds, from 8 to 300: without a receipt for so long, a message with
     *     `delivery` `fast` is handed to another route.
     * @param string|null $quote The `quote` of `POST /api/quote`: the same content then costs at most what was
     *     quoted.
     * @param int|null $dedupe Seconds: a message to the same recipient with the same text that you sent within this
     *     time, and that has not failed, is the answer, with `deduplicated`; nothing is sent or charged.
     * @param int|null $maxCredits The highest price in credits that you accept; the message is refused if it costs
     *     more.
     * @param list<array{url?: string, media_id?: string}>|null $media Pictures and other files, at most 10,
     *     together 5,000,000 bytes: each is `{"url": …}`, which is fetched before the answer, or `{"media_id": …}` of
     *     `POST /api/media`. A form repeats the field, with a URL or an id. The message is then an MMS, for numbers of
     *     the USA and Canada.
     * @param string|null $mediaFallback Handling of files where MMS is not possible. `refuse` (default):
     *     `media_unsupported`. `link`: a text that ends with links to the files, at the price of a text, for accounts
     *     that are activated for URLs.
     * @param bool|null $transcode Whether pictures that are larger than the networks take are made smaller;
     *     animated ones never are. With `false` they are refused.
     * @throws \Pennytext\PennytextException
     */
    public function quote(
        string|int|float $to,
        ?string $message = null,
        ?string $reference = null,
        string|int|float|null $from = null,
        ?string $encoding = null,
        ?\DateTimeInterface $sendAt = null,
        ?int $validity = null,
        ?string $delivery = null,
        ?int $hedgeSeconds = null,
        ?string $quote = null,
        ?int $dedupe = null,
        ?int $maxCredits = null,
        ?array $media = null,
        ?string $mediaFallback = null,
        ?bool $transcode = null,
    ): Model\Quote {
        return new Model\Quote($this->transport->call(
            'POST',
            '/api/quote',
            body: [
                'to' => $to,
                'message' => $message,
                'reference' => $reference,
                'from' => $from,
                'encoding' => $encoding,
                'send_at' => $sendAt,
                'validity' => $validity,
                'delivery' => $delivery,
                'hedge_seconds' => $hedgeSeconds,
                'quote' => $quote,
                'dedupe' => $dedupe,
                'max_credits' => $maxCredits,
                'media' => $media,
                'media_fallback' => $mediaFallback,
                'transcode' => $transcode,
            ],
        ));
    }

    /**
     * Price a bulk.
     *
     * Returns the price without sending, for the body of `sendsms` or `sendbulk`, or of `sendotp` with `channels`.
     * For 10 minutes sending the same message or bulk with `quote` costs at most this price; a one-time password
     * has no `quote`, and its `max_credits` bounds the price. It costs nothing, and it is refused if a test would
     * be.
     *
     * @param list<array{to: string, message: string, reference?: string}>|null $messages Up to 10,000 messages,
     *     each with `to`, `message` and perhaps `reference`.
     * @param string|null $message A template, in place of `messages`: `{{name}}` is replaced by the field `name` of
     *     each recipient.
     * @param list<array<string, mixed>>|null $recipients Up to 10,000 recipients of the template, each with `to`,
     *     perhaps `reference`, and its variables: texts or numbers.
     * @param string|null $from For all messages, as in `sendsms`.
     * @param string|null $encoding For all messages, as in `sendsms`.
     * @param string|null $quote The `quote` of `POST /api/quote`: the same content then costs at most what was
     *     quoted.
     * @param int|null $maxCredits Refuse the bulk if all of its messages together cost more credits.
     * @param \DateTimeInterface|null $sendAt For all messages, as in `sendsms`.
     * @param int|null $validity For all messages, as in `sendsms`.
     * @param string|null $delivery For all messages, as in `sendsms`.
     * @param int|null $hedgeSeconds For all messages, as in `sendsms`.
     * @param int|null $dedupe Seconds, as in `sendsms`: a message that was sent before is listed as `duplicate`,
     *     and the others are sent.
     * @param list<array{url?: string, media_id?: string}>|null $media Pictures and other files, at most 10,
     *     together 5,000,000 bytes: each is `{"url": …}`, which is fetched before the answer, or `{"media_id": …}` of
     *     `POST /api/media`. A form repeats the field, with a URL or an id. The message is then an MMS, for numbers of
     *     the USA and Canada. Every message gets them.
     * @param string|null $mediaFallback Handling of files where MMS is not possible. `refuse` (default):
     *     `media_unsupported`. `link`: a text that ends with links to the files, at the price of a text, for accounts
     *     that are activated for URLs.
     * @param bool|null $transcode Whether pictures that are larger than the networks take are made smaller;
     *     animated ones never are. With `false` they are refused.
     * @param bool|null $partial Accept what can be accepted. Without it any rejected item rejects all, and nothing
     *     is charged.
     * @throws \Pennytext\PennytextException
     */
    public function quoteBulk(
        ?array $messages = null,
        ?string $message = null,
        ?array $recipients = null,
        string|int|float|null $from = null,
        ?string $encoding = null,
        ?string $quote = null,
        ?int $maxCredits = null,
        ?\DateTimeInterface $sendAt = null,
        ?int $validity = null,
        ?string $delivery = null,
        ?int $hedgeSeconds = null,
        ?int $dedupe = null,
        ?array $media = null,
        ?string $mediaFallback = null,
        ?bool $transcode = null,
        ?bool $partial = null,
    ): Model\BulkQuote {
        return new Model\BulkQuote($this->transport->call(
            'POST',
            '/api/quote',
            body: [
                'messages' => $messages,
                'message' => $message,
                'recipients' => $recipients,
                'from' => $from,
                'encoding' => $encoding,
                'quote' => $quote,
                'max_credits' => $maxCredits,
                'send_at' => $sendAt,
                'validity' => $validity,
                'delivery' => $delivery,
                'hedge_seconds' => $hedgeSeconds,
                'dedupe' => $dedupe,
                'media' => $media,
                'media_fallback' => $mediaFallback,
                'transcode' => $transcode,
                'partial' => $partial,
            ],
        ));
    }

    /**
     * Price a one-time password with channels.
     *
     * Returns the price without sending, for the body of `sendsms` or `sendbulk`, or of `sendotp` with `channels`.
     * For 10 minutes sending the same message or bulk with `quote` costs at most this price; a one-time password
     * has no `quote`, and its `max_credits` bounds the price. It costs nothing, and it is refused if a test would
     * be.
     *
     * @param string $to Phone number of the recipient with `+` and country code. Numbers without `+` are treated as
     *     US numbers. One-time passwords are sent to countries whose `otp` is true in GET /api/regions.
     * @param list<array{channel: string, to?: string, wait_seconds?: int}>|null $channels Ways of reaching the
     *     person, at most 4, in order: the next begins when one fails, or when its `wait_seconds` are over and the code
     *     was neither entered nor reported as delivered. Each is `sms`, `whatsapp`, `voice` or `email`; `to` replaces
     *     the number, and is needed for `email`. A form sends their names, separated by commas. Without it the code
     *     goes by SMS alone.
     * @param int|null $maxCredits The highest price in credits of all `channels` together that you accept, which
     *     `POST /api/quote` answers as `credits_max`. A resend costs its own price.
     * @param string|null $org Name of the sending organization, on one line: the text then begins with `Message
     *     from [org].`
     * @param string|null $code Your own code, which you verify yourself: digits, and capital letters without I, L
     *     and O. Without it we make a code.
     * @param int|null $limit Lifetime of the code in minutes.
     * @param int|null $length Number of digits of the code.
     * @param string|null $domain Host name of your site, such as `example.com`: phones then autofill the code on
     *     this site only.
     * @param string|null $from A number of your account, or the id of one or of a pool. Without it: the number that
     *     the recipient knows, otherwise one of your default pool, otherwise one that the service chooses.
     * @param string|null $delivery Choice of another route. `once`: the next route is tried only if the first one
     *     certainly did not deliver the message. `fast`: also when that is in doubt or takes too long; the message may
     *     then arrive twice. It is charged once. Default: `fast`.
     * @param int|null $hedgeSeconds Seconds, from 8 to 300: without a receipt for so long, a message with
     *     `delivery` `fast` is handed to another route.
     * @param string|null $ip Network address of the end user who asked for the code: the fraud guard counts codes
     *     by it.
     * @param string|null $device Your name for the device of the end user: the fraud guard counts codes by it.
     * @param string|null $reference Your own reference for the message, up to 64 characters. It is returned in
     *     answers and webhooks.
     * @throws \Pennytext\PennytextException
     */
    public function quoteOtp(
        string|int|float $to,
        ?array $channels = null,
        ?int $maxCredits = null,
        ?string $org = null,
        #[\SensitiveParameter] string|int|float|null $code = null,
        ?int $limit = null,
        ?int $length = null,
        ?string $domain = null,
        string|int|float|null $from = null,
        ?string $delivery = null,
        ?int $hedgeSeconds = null,
        ?string $ip = null,
        ?string $device = null,
        ?string $reference = null,
    ): Model\OtpQuote {
        return new Model\OtpQuote($this->transport->call(
            'POST',
            '/api/quote',
            body: [
                'to' => $to,
                'channels' => $channels,
                'max_credits' => $maxCredits,
                'org' => $org,
                'code' => $code,
                'limit' => $limit,
                'length' => $length,
                'domain' => $domain,
                'from' => $from,
                'delivery' => $delivery,
                'hedge_seconds' => $hedgeSeconds,
                'ip' => $ip,
                'device' => $device,
                'reference' => $reference,
            ],
        ));
    }
}
