<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class CreditsDailySpendData extends Answer
{
    /** @var string */
    public readonly ?string $day;

    /** @var int */
    public readonly ?int $spent;

    /** @var int */
    public readonly ?int $threshold;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->day = $this->string('day');
        $this->spent = $this->int('spent');
        $this->threshold = $this->int('threshold');
    }
}
