<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class OtpStep extends Answer
{
    public const CHANNEL_SMS = 'sms';
    public const CHANNEL_WHATSAPP = 'whatsapp';
    public const CHANNEL_VOICE = 'voice';
    public const CHANNEL_EMAIL = 'email';
    public const OUTCOME_STARTED = 'started';
    public const OUTCOME_SENT = 'sent';
    public const OUTCOME_DELIVERED = 'delivered';
    public const OUTCOME_UNDELIVERED = 'undelivered';
    public const OUTCOME_FAILED = 'failed';
    public const OUTCOME_REFUSED = 'refused';

    /** @var int */
    public readonly ?int $n;

    /** @var string */
    public readonly ?string $channel;

    /** @var string */
    public readonly ?string $to;

    /** @var \DateTimeImmutable */
    public readonly ?\DateTimeImmutable $startedAt;

    /** @var string */
    public readonly ?string $outcome;

    /** @var string|null */
    public readonly ?string $reason;

    /** @var int */
    public readonly ?int $credits;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->n = $this->int('n');
        $this->channel = $this->string('channel');
        $this->to = $this->string('to');
        $this->startedAt = $this->time('started_at');
        $this->outcome = $this->string('outcome');
        $this->reason = $this->string('reason');
        $this->credits = $this->int('credits');
    }
}
