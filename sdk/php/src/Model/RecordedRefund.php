<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class RecordedRefund extends Answer
{
    /** @var int */
    public readonly ?int $credits;

    /** @var \DateTimeImmutable */
    public readonly ?\DateTimeImmutable $at;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->credits = $this->int('credits');
        $this->at = $this->time('at');
    }
}
