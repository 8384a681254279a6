<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Calls;

use Pennytext\Internal\Arguments;
use Pennytext\Internal\Repeat;
use Pennytext\Internal\Transport;
use Pennytext\Model;
use Pennytext\Pages;

/** Calls of `$client->otp`. */
final class Otp
{
    /** @internal */
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * Send a one-time password.
     *
     * Generates a code and sends it, to the USA and Canada only, unless the operator has changed that: see `otp` in
     * GET /api/regions. It costs 1 credit by SMS and has one segment; with `channels` each message costs what its
     * channel costs.
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
     * @param string|null $idempotencyKey Your own key, so that a repetition by another process is recognized too;
     *     random unless you set it.
     * @throws \Pennytext\PennytextException
     */
    public function send(
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
        ?string $idempotencyKey = null,
    ): Model\SentOtp {
        return new Model\SentOtp($this->transport->call(
            'POST',
            '/api/sendotp',
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
            repeat: Repeat::Keyed,
            idempotencyKey: $idempotencyKey,
        ));
    }

    /**
     * Send a one-time password again.
     *
     * Sends the same code as a new message, which costs 1 credit by SMS. Each resend by the same channel has to
     * wait longer: 30, 60, 120, 300 seconds after the message before. The code still expires at `expires_at`.
     *
     * @param string $otpId The `otp_id` that `sendotp` returned.
     * @param string|null $channel One of the `channels` of the code. Without it the next of them begins, or the
     *     latest sends again if it was the last.
     * @param string|null $idempotencyKey Your own key, so that a repetition by another process is recognized too;
     *     random unless you set it.
     * @throws \Pennytext\PennytextException
     */
    public function resend(
        string|int|float $otpId,
        ?string $channel = null,
        ?string $idempotencyKey = null,
    ): Model\SentOtp {
        return new Model\SentOtp($this->transport->call(
            'POST',
            '/api/resendotp',
            body: [
                'otp_id' => $otpId,
                'channel' => $channel,
            ],
            repeat: Repeat::Keyed,
            idempotencyKey: $idempotencyKey,
        ));
    }

    /**
     * Show a one-time password.
     *
     * The state of a code, until 24 hours after it has ended. The digits are never shown.
     *
     * @param string $otpId
     * @throws \Pennytext\PennytextException
     */
    public function get(
        string|int|float $otpId,
    ): Model\Otp {
        return new Model\Otp($this->transport->call(
            'GET',
            '/api/otps/' . Arguments::id($otpId),
        ));
    }

    /**
     * List one-time passwords.
     *
     * Your codes, newest first, 50 per page, with what became of their messages, until 24 hours after they have
     * ended, and what the fraud guard refused. The digits are never shown. A page of a search may have fewer codes,
     * or none: `next_cursor` tells whether there is more.
     *
     * @param string|null $status Only codes in this state.
     * @param string|null $channel Only codes that went by this channel.
     * @param string|null $to Only codes to this number, in any form.
     * @param string|null $country Only codes to this country, as ISO 3166-1 alpha-2 code.
     * @param string|null $otpId Only this code.
     * @param string|null $reference Only codes with this reference.
     * @param string|null $keyId Only codes sent with this named key; `account` for the account's own key.
     * @param \DateTimeInterface|null $since Only codes sent at this time or later.
     * @param \DateTimeInterface|null $until Only codes sent before this time.
     * @return Pages<Model\ListedOtp>
     */
    public function list(
        ?string $status = null,
        ?string $channel = null,
        string|int|float|null $to = null,
        ?string $country = null,
        string|int|float|null $otpId = null,
        ?string $reference = null,
        ?string $keyId = null,
        ?\DateTimeInterface $since = null,
        ?\DateTimeInterface $until = null,
    ): Pages {
        return new Pages(
            $this->transport,
            '/api/otps',
            [
                'status' => $status,
                'channel' => $channel,
                'to' => $to,
                'country' => $country,
                'otp_id' => $otpId,
                'reference' => $reference,
                'key_id' => $keyId,
                'since' => $since,
                'until' => $until,
            ],
            'otps',
            Model\ListedOtp::class,
        );
    }

    /**
     * Show the conversion.
     *
     * How many of the codes that you sent on some New York days were verified, in all, by country and by day. A
     * code counts on the day on which it was first sent, and once, however often it was sent again; one that is
     * still pending counts as sent. The figures are exact at any time. Codes of test keys do not count.
     *
     * @param string|null $from First day, in New York; at most 92 days with the last one. Without it the last 30
     *     days.
     * @param string|null $to Last day, inclusive. Without it today.
     * @throws \Pennytext\PennytextException
     */
    public function conversion(
        string|int|float|null $from = null,
        string|int|float|null $to = null,
    ): Model\OtpConversion {
        return new Model\OtpConversion($this->transport->call(
            'GET',
            '/api/otp/conversion',
            query: [
                'from' => $from,
                'to' => $to,
            ],
        ));
    }

    /**
     * Show the fraud guard.
     *
     * The rules of the fraud guard, and what they refused within the last hour.
     *
     * @throws \Pennytext\PennytextException
     */
    public function guard(): Model\OtpGuard
    {
        return new Model\OtpGuard($this->transport->call(
            'GET',
            '/api/otp/guard',
        ));
    }

    /**
     * Verify a one-time password.
     *
     * Verifies a code. The answer is plain text, or JSON with `Accept: application/json`. It costs nothing. Errors
     * are always JSON.
     *
     * @param string $otp The code that the person typed, as text because it may begin with 0.
     * @param string|null $to Phone number that the code was sent to. Always send it, or `otp_id`: a code alone
     *     could match another person’s number.
     * @param string|null $otpId The `otp_id` of the code, in place of `to`.
     * @throws \Pennytext\PennytextException
     */
    public function verify(
        #[\SensitiveParameter] string|int|float $otp,
        string|int|float|null $to = null,
        string|int|float|null $otpId = null,
    ): Model\OtpVerdict {
        return new Model\OtpVerdict($this->transport->call(
            'POST',
            '/api/verifyotp',
            body: [
                'otp' => $otp,
                'to' => $to,
                'otp_id' => $otpId,
            ],
            repeat: Repeat::Once,
        ));
    }
}
