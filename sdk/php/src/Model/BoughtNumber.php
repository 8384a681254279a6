<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class BoughtNumber extends Answer
{
    public const STATUS_RESERVING = 'reserving';
    public const STATUS_ACTIVE = 'active';
    public const STATUS_PAST_DUE = 'past_due';
    public const STATUS_RELEASING = 'releasing';
    public const STATUS_RELEASED = 'released';

    /**
     * Id of the number: `num_` and 32 hex digits.
     *
     * @var string
     */
    public readonly ?string $numberId;

    /**
     * The number in E.164 format.
     *
     * @var string
     */
    public readonly ?string $number;

    /**
     * `active`, or `reserving` while the carrier has not answered. To a repeated request: the state of the number
     * now.
     *
     * @var string
     */
    public readonly ?string $status;

    /**
     * When the month that is paid ends; `null` while `reserving`, and after a release.
     *
     * @var \DateTimeImmutable|null
     */
    public readonly ?\DateTimeImmutable $renewsAt;

    /**
     * Credits that it costs now. Held while `reserving`, and returned if the carrier does not sell it.
     *
     * @var int
     */
    public readonly ?int $credits;

    /**
     * Credits left.
     *
     * @var int
     */
    public readonly ?int $balance;

    /**
     * Present if the key was a test key: nothing was bought or charged.
     *
     * @var bool|null
     */
    public readonly ?bool $test;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->numberId = $this->string('number_id');
        $this->number = $this->string('number');
        $this->status = $this->string('status');
        $this->renewsAt = $this->time('renews_at');
        $this->credits = $this->int('credits');
        $this->balance = $this->int('balance');
        $this->test = $this->bool('test');
    }
}
