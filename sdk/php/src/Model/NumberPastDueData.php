<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class NumberPastDueData extends Answer
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

    /** @var string|null */
    public readonly ?string $label;

    /** @var string */
    public readonly ?string $status;

    /** @var int|null */
    public readonly ?int $creditsPerMonth;

    /** @var \DateTimeImmutable|null */
    public readonly ?\DateTimeImmutable $renewsAt;

    /** @var \DateTimeImmutable|null */
    public readonly ?\DateTimeImmutable $releasesAt;

    /** @var int */
    public readonly ?int $day;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->numberId = $this->string('number_id');
        $this->number = $this->string('number');
        $this->label = $this->string('label');
        $this->status = $this->string('status');
        $this->creditsPerMonth = $this->int('credits_per_month');
        $this->renewsAt = $this->time('renews_at');
        $this->releasesAt = $this->time('releases_at');
        $this->day = $this->int('day');
    }
}
