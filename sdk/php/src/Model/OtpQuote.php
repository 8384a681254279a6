<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class OtpQuote extends Answer
{
    /**
     * The `channels` of a one-time password in order, each with its price in credits.
     *
     * @var list<ChannelPrice>
     */
    public readonly ?array $channels;

    /**
     * Price of the first channel in credits.
     *
     * @var int
     */
    public readonly ?int $credits;

    /**
     * Price of all `channels` together in credits. Nothing holds it: send it as `max_credits` of `sendotp`.
     *
     * @var int
     */
    public readonly ?int $creditsMax;

    /**
     * Country of the number `to`, as ISO 3166-1 alpha-2 code.
     *
     * @var string
     */
    public readonly ?string $country;

    /**
     * Your credits. A test key gets an example.
     *
     * @var int
     */
    public readonly ?int $balance;

    /**
     * Credits left if all `channels` are tried; `null` if the balance does not cover `credits_max`.
     *
     * @var int|null
     */
    public readonly ?int $balanceAfter;

    /**
     * Present if the key was a test key.
     *
     * @var bool|null
     */
    public readonly ?bool $test;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->channels = $this->objects('channels', ChannelPrice::class);
        $this->credits = $this->int('credits');
        $this->creditsMax = $this->int('credits_max');
        $this->country = $this->string('country');
        $this->balance = $this->int('balance');
        $this->balanceAfter = $this->int('balance_after');
        $this->test = $this->bool('test');
    }
}
