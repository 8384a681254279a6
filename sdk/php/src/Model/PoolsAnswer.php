<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class PoolsAnswer extends Answer
{
    /**
     * Your pools, oldest first.
     *
     * @var list<Pool>
     */
    public readonly ?array $pools;

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
        $this->pools = $this->objects('pools', Pool::class);
        $this->test = $this->bool('test');
    }
}
