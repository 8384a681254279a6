<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class ListedOtp extends Answer
{
    public const STATUS_PENDING = 'pending';
    public const STATUS_VERIFIED = 'verified';
    public const STATUS_EXPIRED = 'expired';
    public const STATUS_EXHAUSTED = 'exhausted';
    public const STATUS_BLOCKED = 'blocked';
    public const STATUS_UNMANAGED = 'unmanaged';
    public const CHANNEL_SMS = 'sms';
    public const CHANNEL_WHATSAPP = 'whatsapp';
    public const CHANNEL_VOICE = 'voice';
    public const CHANNEL_EMAIL = 'email';
    public const NEXT_CHANNEL_SMS = 'sms';
    public const NEXT_CHANNEL_WHATSAPP = 'whatsapp';
    public const NEXT_CHANNEL_VOICE = 'voice';
    public const NEXT_CHANNEL_EMAIL = 'email';

    /**
     * Id of the one-time password: `OT` and 32 hex digits.
     *
     * @var string
     */
    public readonly ?string $otpId;

    /**
     * State of the code. All but `pending` are final; `exhausted`: too many wrong attempts; `blocked`: refused by
     * the fraud guard, never sent; `unmanaged`: you made the code, and verify it yourself.
     *
     * @var string
     */
    public readonly ?string $status;

    /**
     * The recipient in E.164 format.
     *
     * @var string
     */
    public readonly ?string $to;

    /**
     * Country of the recipient, as ISO 3166-1 alpha-2 code.
     *
     * @var string
     */
    public readonly ?string $country;

    /**
     * Id of the latest message with the code; `null` if it was never sent.
     *
     * @var string|null
     */
    public readonly ?string $messageId;

    /**
     * The messages with the code, in order: the first one and each resend, with their `status` (`null` if the
     * message was never accepted) and the `reason` if it was not delivered.
     *
     * @var list<OtpMessage>
     */
    public readonly ?array $messages;

    /**
     * When the first of them was delivered; `null` if none was, or it is not known yet.
     *
     * @var \DateTimeImmutable|null
     */
    public readonly ?\DateTimeImmutable $deliveredAt;

    /**
     * Your own reference for the message.
     *
     * @var string|null
     */
    public readonly ?string $reference;

    /**
     * Attempts to verify this code, the right one included.
     *
     * @var int
     */
    public readonly ?int $attempts;

    /**
     * Wrong attempts left before the code becomes invalid.
     *
     * @var int
     */
    public readonly ?int $attemptsLeft;

    /**
     * How often the code can still be sent again.
     *
     * @var int
     */
    public readonly ?int $resendsLeft;

    /**
     * When the code can be sent again; `null` if it cannot.
     *
     * @var \DateTimeImmutable|null
     */
    public readonly ?\DateTimeImmutable $nextResendAt;

    /**
     * The named key that sent the code; `null` for the account's own key.
     *
     * @var string|null
     */
    public readonly ?string $keyId;

    /**
     * Its name; `null` also if it was revoked.
     *
     * @var string|null
     */
    public readonly ?string $keyName;

    /**
     * The rule of the fraud guard that refused the code; `null` if none did.
     *
     * @var string|null
     */
    public readonly ?string $blockedBy;

    /**
     * Channel of the latest message.
     *
     * @var string
     */
    public readonly ?string $channel;

    /**
     * Channel that is tried next; `null` if none is.
     *
     * @var string|null
     */
    public readonly ?string $nextChannel;

    /**
     * When it is tried, unless the code is entered before; `null` if none is.
     *
     * @var \DateTimeImmutable|null
     */
    public readonly ?\DateTimeImmutable $nextChannelAt;

    /**
     * The messages with their channels, in order. `outcome`: `started` while the carrier has not answered,
     * `refused` if nothing was sent or charged, otherwise the state of the message; `reason`: why it did not
     * arrive; `credits`: without refunds.
     *
     * @var list<OtpStep>
     */
    public readonly ?array $steps;

    /**
     * The `n` of the step after which the code was entered: the latest that had left, because all have the same
     * code. `null` while the code is not verified.
     *
     * @var int|null
     */
    public readonly ?int $enteredStep;

    /**
     * When the code was sent first, in UTC.
     *
     * @var \DateTimeImmutable
     */
    public readonly ?\DateTimeImmutable $createdAt;

    /**
     * The last attempt to verify this code; `null` if there was none.
     *
     * @var \DateTimeImmutable|null
     */
    public readonly ?\DateTimeImmutable $lastAttemptAt;

    /**
     * When the code was verified; `null` if it was not.
     *
     * @var \DateTimeImmutable|null
     */
    public readonly ?\DateTimeImmutable $verifiedAt;

    /**
     * When the code expires or has expired.
     *
     * @var \DateTimeImmutable|null
     */
    public readonly ?\DateTimeImmutable $expiresAt;

    /**
     * When the code was verified, expired or became invalid; `null` while it is pending.
     *
     * @var \DateTimeImmutable|null
     */
    public readonly ?\DateTimeImmutable $endedAt;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->otpId = $this->string('otp_id');
        $this->status = $this->string('status');
        $this->to = $this->string('to');
        $this->country = $this->string('country');
        $this->messageId = $this->string('message_id');
        $this->messages = $this->objects('messages', OtpMessage::class);
        $this->deliveredAt = $this->time('delivered_at');
        $this->reference = $this->string('reference');
        $this->attempts = $this->int('attempts');
        $this->attemptsLeft = $this->int('attempts_left');
        $this->resendsLeft = $this->int('resends_left');
        $this->nextResendAt = $this->time('next_resend_at');
        $this->keyId = $this->string('key_id');
        $this->keyName = $this->string('key_name');
        $this->blockedBy = $this->string('blocked_by');
        $this->channel = $this->string('channel');
        $this->nextChannel = $this->string('next_channel');
        $this->nextChannelAt = $this->time('next_channel_at');
        $this->steps = $this->objects('steps', OtpStep::class);
        $this->enteredStep = $this->int('entered_step');
        $this->createdAt = $this->time('created_at');
        $this->lastAttemptAt = $this->time('last_attempt_at');
        $this->verifiedAt = $this->time('verified_at');
        $this->expiresAt = $this->time('expires_at');
        $this->endedAt = $this->time('ended_at');
    }
}
