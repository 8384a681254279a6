<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class Balance extends Answer
{
    /**
     * Credits left: `purchased` minus `used`.
     *
     * @var int
     */
    public readonly ?int $balance;

    /**
     * All credits that were added.
     *
     * @var int
     */
    public readonly ?int $purchased;

    /**
     * Credits spent minus refunds.
     *
     * @var int
     */
    public readonly ?int $used;

    /**
     * Present if a part of the balance cannot be spent: its payment is disputed, or a number is being bought.
     *
     * @var int|null
     */
    public readonly ?int $frozen;

    /**
     * Present if your key has a budget: the credits it may spend in a day and in a month (New York), `null` without
     * a limit, and what it has spent.
     *
     * @var BalanceBudget|null
     */
    public readonly ?BalanceBudget $budget;

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
        $this->balance = $this->int('balance');
        $this->purchased = $this->int('purchased');
        $this->used = $this->int('used');
        $this->frozen = $this->int('frozen');
        $this->budget = $this->object('budget', BalanceBudget::class);
        $this->test = $this->bool('test');
    }
}
