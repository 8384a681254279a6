<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class PoolDeleted extends Answer
{
    /**
     * Id of the pool: `pool_` and 32 hex digits.
     *
     * @var string
     */
    public readonly ?string $poolId;

    /**
     * Its numbers stay yours.
     *
     * @var bool
     */
    public readonly ?bool $deleted;

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
        $this->poolId = $this->string('pool_id');
        $this->deleted = $this->bool('deleted');
        $this->test = $this->bool('test');
    }
}
