<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class SpendDay extends Answer
{
    /** @var string */
    public readonly ?string $day;

    /** @var int */
    public readonly ?int $messages;

    /** @var int */
    public readonly ?int $charged;

    /** @var int */
    public readonly ?int $refunded;

    /** @var int */
    public readonly ?int $spent;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->day = $this->string('day');
        $this->messages = $this->int('messages');
        $this->charged = $this->int('charged');
        $this->refunded = $this->int('refunded');
        $this->spent = $this->int('spent');
    }
}
