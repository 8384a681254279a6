<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class PoolAnswer extends Answer
{
    /**
     * Id of the pool: `pool_` and 32 hex digits.
     *
     * @var string
     */
    public readonly ?string $poolId;

    /**
     * Its name, unique in your account.
     *
     * @var string
     */
    public readonly ?string $name;

    /**
     * Whether messages without `from` take its numbers.
     *
     * @var bool
     */
    public readonly ?bool $default;

    /**
     * Its numbers. `active`: messages take it. It is not while carriers filter its messages (`filtered_at`), or its
     * `status` does not allow it.
     *
     * @var list<PoolNumber>
     */
    public readonly ?array $numbers;

    /**
     * When it was created, in UTC.
     *
     * @var \DateTimeImmutable
     */
    public readonly ?\DateTimeImmutable $createdAt;

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
        $this->name = $this->string('name');
        $this->default = $this->bool('default');
        $this->numbers = $this->objects('numbers', PoolNumber::class);
        $this->createdAt = $this->time('created_at');
        $this->test = $this->bool('test');
    }
}
