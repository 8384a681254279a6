<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class SentOtp extends Answer
{
    public const ENCODING_GSM_7 = 'GSM-7';
    public const ENCODING_UCS_2 = 'UCS-2';
    public const STATUS_SCHEDULED = 'scheduled';
    public const REPLIES_UNAVAILABLE = 'unavailable';
    public const DELIVERY_ONCE = 'once';
    public const DELIVERY_FAST = 'fast';
    public const CHANNEL_SMS = 'sms';
    public const CHANNEL_WHATSAPP = 'whatsapp';
    public const CHANNEL_VOICE = 'voice';
    public const CHANNEL_EMAIL = 'email';
    public const NEXT_CHANNEL_SMS = 'sms';
    public const NEXT_CHANNEL_WHATSAPP = 'whatsapp';
    public const NEXT_CHANNEL_VOICE = 'voice';
    public const NEXT_CHANNEL_EMAIL = 'email';

    /**
     * Id of the message: `SM` and 32 hex digits.
     *
     * @var string
     */
    public readonly ?string $messageId;

    /**
     * Number of segments.
     *
     * @var int
     */
    public readonly ?int $segments;

    /**
     * Price of the message in credits. A test key is not charged.
     *
     * @var int
     */
    public readonly ?int $credits;

    /**
     * Encoding of the text: GSM-7 has room for more characters.
     *
     * @var string
     */
    public readonly ?string $encoding;

    /**
     * Credits left after this message. A test key gets an example.
     *
     * @var int
     */
    public readonly ?int $balance;

    /**
     * The reference that you sent, if any.
     *
     * @var string|null
     */
    public readonly ?string $reference;

    /**
     * Present if the message is scheduled.
     *
     * @var string|null
     */
    public readonly ?string $status;

    /**
     * When a scheduled message leaves, in UTC.
     *
     * @var \DateTimeImmutable|null
     */
    public readonly ?\DateTimeImmutable $sendAt;

    /**
     * Present if replies to this message go to another account, which texted this person from the same number
     * before.
     *
     * @var string|null
     */
    public readonly ?string $replies;

    /**
     * The `delivery` that you chose, if you did.
     *
     * @var string|null
     */
    public readonly ?string $delivery;

    /**
     * Present if the key was a test key: nothing was sent or charged.
     *
     * @var bool|null
     */
    public readonly ?bool $test;

    /**
     * Id of the one-time password: `OT` and 32 hex digits.
     *
     * @var string
     */
    public readonly ?string $otpId;

    /**
     * When the code expires. Sending it again does not change this.
     *
     * @var \DateTimeImmutable
     */
    public readonly ?\DateTimeImmutable $expiresAt;

    /**
     * When the code can be sent again; `null` if it cannot.
     *
     * @var \DateTimeImmutable|null
     */
    public readonly ?\DateTimeImmutable $nextResendAt;

    /**
     * Wrong attempts left before the code becomes invalid.
     *
     * @var int
     */
    public readonly ?int $attemptsLeft;

    /**
     * Present, as `false`, for your own `code`: we cannot verify it or send it again.
     *
     * @var bool|null
     */
    public readonly ?bool $managed;

    /**
     * Present if you sent `channels`: the channel of this message.
     *
     * @var string|null
     */
    public readonly ?string $channel;

    /**
     * Present if you sent `channels`: the channel that is tried next; `null` if none is.
     *
     * @var string|null
     */
    public readonly ?string $nextChannel;

    /**
     * Present if you sent `channels`: when it is tried, unless the code is entered before.
     *
     * @var \DateTimeImmutable|null
     */
    public readonly ?\DateTimeImmutable $nextChannelAt;

    /**
     * Present if you sent `channels`: the price of all of them together.
     *
     * @var int|null
     */
    public readonly ?int $creditsMax;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->messageId = $this->string('message_id');
        $this->segments = $this->int('segments');
        $this->credits = $this->int('credits');
        $this->encoding = $this->string('encoding');
        $this->balance = $this->int('balance');
        $this->reference = $this->string('reference');
        $this->status = $this->string('status');
        $this->sendAt = $this->time('send_at');
        $this->replies = $this->string('replies');
        $this->delivery = $this->string('delivery');
        $this->test = $this->bool('test');
        $this->otpId = $this->string('otp_id');
        $this->expiresAt = $this->time('expires_at');
        $this->nextResendAt = $this->time('next_resend_at');
        $this->attemptsLeft = $this->int('attempts_left');
        $this->managed = $this->bool('managed');
        $this->channel = $this->string('channel');
        $this->nextChannel = $this->string('next_channel');
        $this->nextChannelAt = $this->time('next_channel_at');
        $this->creditsMax = $this->int('credits_max');
    }
}
