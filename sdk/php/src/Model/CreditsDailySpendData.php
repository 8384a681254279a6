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
        $this->day = $this->text('day');
        $this->spent = $this->integer('spent');
        $this->threshold = $this->integer('threshold');
    }
}
