<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class NumberTrafficReason extends Answer
{
    /** @var string */
    public readonly ?string $code;

    /** @var string */
    public readonly ?string $text;

    /** @var int */
    public readonly ?int $messages;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->code = $this->string('code');
        $this->text = $this->string('text');
        $this->messages = $this->int('messages');
    }
}
