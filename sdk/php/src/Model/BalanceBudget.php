<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class BalanceBudget extends Answer
{
    /** @var int|null */
    public readonly ?int $creditsPerDay;

    /** @var int|null */
    public readonly ?int $creditsPerMonth;

    /** @var int */
    public readonly ?int $spentToday;

    /** @var int */
    public readonly ?int $spentThisMonth;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->creditsPerDay = $this->int('credits_per_day');
        $this->creditsPerMonth = $this->int('credits_per_month');
        $this->spentToday = $this->int('spent_today');
        $this->spentThisMonth = $this->int('spent_this_month');
    }
}
