<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class OwnNumbers extends Answer
{
    /**
     * Your numbers, newest first.
     *
     * @var list<OwnNumber>
     */
    public readonly ?array $numbers;

    /**
     * How many numbers you may have at a time.
     *
     * @var int
     */
    public readonly ?int $numbersMax;

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
        $this->numbers = $this->objects('numbers', OwnNumber::class);
        $this->numbersMax = $this->int('numbers_max');
        $this->test = $this->bool('test');
    }
}
