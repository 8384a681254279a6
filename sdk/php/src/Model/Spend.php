<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class Spend extends Answer
{
    /**
     * First day that counts, in New York.
     *
     * @var string
     */
    public readonly ?string $from;

    /**
     * Last day that counts, inclusive.
     *
     * @var string
     */
    public readonly ?string $to;

    /**
     * Messages, one-time passwords and replies that were charged.
     *
     * @var int
     */
    public readonly ?int $messages;

    /**
     * Credits charged for them.
     *
     * @var int
     */
    public readonly ?int $charged;

    /**
     * Credits that came back on these days.
     *
     * @var int
     */
    public readonly ?int $refunded;

    /**
     * `charged` less `refunded`; below 0 where refunds are for charges of earlier days.
     *
     * @var int
     */
    public readonly ?int $spent;

    /**
     * By month, oldest first, and by key within each month.
     *
     * @var list<SpendMonth>
     */
    public readonly ?array $months;

    /**
     * By day, oldest first, without those on which no credits moved.
     *
     * @var list<SpendDay>
     */
    public readonly ?array $days;

    /**
     * By key, the largest first. `key_id` and `name` are `null` for the own key of your account, the dashboard and
     * replies, `name` also for a key that was revoked.
     *
     * @var list<SpendKey>
     */
    public readonly ?array $keys;

    /**
     * By country of the recipient, as ISO 3166-1 alpha-2 code; the largest first. `null`: replies, and messages
     * that are not kept any more.
     *
     * @var list<SpendCountry>
     */
    public readonly ?array $countries;

    /**
     * By what they were spent for: `message`, `otp`, or `reply`.
     *
     * @var list<SpendKind>
     */
    public readonly ?array $kinds;

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
        $this->from = $this->string('from');
        $this->to = $this->string('to');
        $this->messages = $this->int('messages');
        $this->charged = $this->int('charged');
        $this->refunded = $this->int('refunded');
        $this->spent = $this->int('spent');
        $this->months = $this->objects('months', SpendMonth::class);
        $this->days = $this->objects('days', SpendDay::class);
        $this->keys = $this->objects('keys', SpendKey::class);
        $this->countries = $this->objects('countries', SpendCountry::class);
        $this->kinds = $this->objects('kinds', SpendKind::class);
        $this->test = $this->bool('test');
    }
}
