<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class OtpSentData extends Answer
{
    public const CHANNEL_SMS = 'sms';
    public const CHANNEL_WHATSAPP = 'whatsapp';
    public const CHANNEL_VOICE = 'voice';
    public const CHANNEL_EMAIL = 'email';

    /** @var string */
    public readonly ?string $otpId;

    /** @var string */
    public readonly ?string $messageId;

    /** @var string */
    public readonly ?string $to;

    /** @var string|null */
    public readonly ?string $reference;

    /** @var \DateTimeImmutable */
    public readonly ?\DateTimeImmutable $expiresAt;

    /** @var string|null */
    public readonly ?string $channel;

    /** @var int|null */
    public readonly ?int $enteredStep;

    /** @var list<OtpStep>|null */
    public readonly ?array $steps;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->otpId = $this->string('otp_id');
        $this->messageId = $this->string('message_id');
        $this->to = $this->string('to');
        $this->reference = $this->string('reference');
        $this->expiresAt = $this->time('expires_at');
        $this->channel = $this->string('channel');
        $this->enteredStep = $this->int('entered_step');
        $this->steps = $this->objects('steps', OtpStep::class);
    }
}
