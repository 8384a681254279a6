<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class AvailableNumbers extends Answer
{
    /**
     * Numbers that you can buy now.
     *
     * @var list<AvailableNumber>
     */
    public readonly ?array $numbers;

    /**
     * Present if the key was a test key: this is an example.
     *
     * @var bool|null
     */
    public readonly ?bool $test;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->numbers = $this->objects('numbers', AvailableNumber::class);
        $this->test = $this->bool('test');
    }
}
