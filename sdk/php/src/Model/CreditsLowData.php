<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class CreditsLowData extends Answer
{
    /** @var int */
    public readonly ?int $balance;

    /** @var int */
    public readonly ?int $threshold;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->balance = $this->int('balance');
        $this->threshold = $this->int('threshold');
    }
}
