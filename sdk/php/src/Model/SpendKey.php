<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class SpendKey extends Answer
{
    /** @var string|null */
    public readonly ?string $keyId;

    /** @var string|null */
    public readonly ?string $name;

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
        $this->keyId = $this->string('key_id');
        $this->name = $this->string('name');
        $this->messages = $this->int('messages');
        $this->charged = $this->int('charged');
        $this->refunded = $this->int('refunded');
        $this->spent = $this->int('spent');
    }
}
