<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class SpendMonth extends Answer
{
    /** @var string */
    public readonly ?string $month;

    /** @var int */
    public readonly ?int $messages;

    /** @var int */
    public readonly ?int $charged;

    /** @var int */
    public readonly ?int $refunded;

    /** @var int */
    public readonly ?int $spent;

    /** @var list<SpendKey> */
    public readonly ?array $keys;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->month = $this->string('month');
        $this->messages = $this->int('messages');
        $this->charged = $this->int('charged');
        $this->refunded = $this->int('refunded');
        $this->spent = $this->int('spent');
        $this->keys = $this->objects('keys', SpendKey::class);
    }
}
