<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class PoolNumber extends Answer
{
    public const STATUS_RESERVING = 'reserving';
    public const STATUS_ACTIVE = 'active';
    public const STATUS_PAST_DUE = 'past_due';
    public const STATUS_RELEASING = 'releasing';
    public const STATUS_RELEASED = 'released';

    /** @var string */
    public readonly ?string $numberId;

    /** @var string */
    public readonly ?string $number;

    /** @var string */
    public readonly ?string $status;

    /** @var bool */
    public readonly ?bool $active;

    /** @var \DateTimeImmutable|null */
    public readonly ?\DateTimeImmutable $filteredAt;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->numberId = $this->string('number_id');
        $this->number = $this->string('number');
        $this->status = $this->string('status');
        $this->active = $this->bool('active');
        $this->filteredAt = $this->time('filtered_at');
    }
}
