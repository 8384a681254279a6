<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class RecordedTransition extends Answer
{
    public const STATUS_SCHEDULED = 'scheduled';
    public const STATUS_QUEUED = 'queued';
    public const STATUS_SENDING = 'sending';
    public const STATUS_SENT = 'sent';
    public const STATUS_DELIVERED = 'delivered';
    public const STATUS_UNDELIVERED = 'undelivered';
    public const STATUS_FAILED = 'failed';
    public const STATUS_CANCELED = 'canceled';

    /** @var string */
    public readonly ?string $status;

    /** @var \DateTimeImmutable */
    public readonly ?\DateTimeImmutable $at;

    /** @var string */
    public readonly ?string $cause;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->status = $this->string('status');
        $this->at = $this->time('at');
        $this->cause = $this->string('cause');
    }
}
