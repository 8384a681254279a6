<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class Exposure extends Answer
{
    public const BOUND_SENDING_OFF = 'sending_off';
    public const BOUND_BALANCE = 'balance';
    public const BOUND_DAILY_LIMIT = 'daily_limit';
    public const BOUND_BUDGETS = 'budgets';

    /**
     * The most credits that could be spent before you notice.
     *
     * @var int
     */
    public readonly ?int $credits;

    /**
     * Limit that ends the spending: `balance` (all credits are gone, those of top-ups too), `daily_limit`,
     * `budgets` of the keys, or `sending_off`.
     *
     * @var string
     */
    public readonly ?string $bound;

    /**
     * The time within which you are assumed to notice.
     *
     * @var int
     */
    public readonly ?int $withinHours;

    /**
     * Credits that can be spent now.
     *
     * @var int
     */
    public readonly ?int $available;

    /**
     * Credits that automatic top-up could buy within this time.
     *
     * @var int
     */
    public readonly ?int $topUpCredits;

    /**
     * Credits that numbers could cost within this time: your account’s own key and keys with the scope `numbers`
     * buy at most 5 a day. 0 before your first paid purchase.
     *
     * @var int
     */
    public readonly ?int $numberCredits;

    /**
     * Messages that your daily limit allows within this time.
     *
     * @var int
     */
    public readonly ?int $messages;

    /**
     * Price of the dearest message: 10 segments to your dearest country.
     *
     * @var int
     */
    public readonly ?int $creditsPerMessage;

    /**
     * The same for each live key alone, the largest first. `key_id` is `null` for your account’s own key.
     *
     * @var list<ExposureKey>
     */
    public readonly ?array $keys;

    /**
     * Changes that lower `credits`: what to do, and the credits after it. `switch`: `top_up_off`.
     *
     * @var list<ExposureSwitch>
     */
    public readonly ?array $switches;

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
        $this->credits = $this->int('credits');
        $this->bound = $this->string('bound');
        $this->withinHours = $this->int('within_hours');
        $this->available = $this->int('available');
        $this->topUpCredits = $this->int('top_up_credits');
        $this->numberCredits = $this->int('number_credits');
        $this->messages = $this->int('messages');
        $this->creditsPerMessage = $this->int('credits_per_message');
        $this->keys = $this->objects('keys', ExposureKey::class);
        $this->switches = $this->objects('switches', ExposureSwitch::class);
        $this->test = $this->bool('test');
    }
}
