<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class RecordedAttempt extends Answer
{
    public const OUTCOME_ACCEPTED = 'accepted';
    public const OUTCOME_NOT_TAKEN = 'not_taken';
    public const OUTCOME_DOUBTFUL = 'doubtful';
    public const REASON_FIRST = 'first';
    public const REASON_NOT_TAKEN = 'not_taken';
    public const REASON_ROUTE_FAILED = 'route_failed';
    public const REASON_DOUBTFUL = 'doubtful';
    public const REASON_SLOW = 'slow';
    public const REASON_ROUTE_PAUSED = 'route_paused';
    public const RECEIPT_DELIVERED = 'delivered';
    public const RECEIPT_UNDELIVERED = 'undelivered';
    public const RECEIPT_FAILED = 'failed';

    /** @var int */
    public readonly ?int $n;

    /** @var string */
    public readonly ?string $route;

    /** @var string */
    public readonly ?string $sender;

    /** @var \DateTimeImmutable|null */
    public readonly ?\DateTimeImmutable $handedAt;

    /** @var string|null */
    public readonly ?string $outcome;

    /** @var string */
    public readonly ?string $reason;

    /** @var string|null */
    public readonly ?string $receipt;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->n = $this->int('n');
        $this->route = $this->string('route');
        $this->sender = $this->string('sender');
        $this->handedAt = $this->time('handed_at');
        $this->outcome = $this->string('outcome');
        $this->reason = $this->string('reason');
        $this->receipt = $this->string('receipt');
    }
}
