<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class Deliverability extends Answer
{
    /**
     * First day of acceptance that counts, in New York.
     *
     * @var string
     */
    public readonly ?string $from;

    /**
     * Last day of acceptance that counts, inclusive.
     *
     * @var string
     */
    public readonly ?string $to;

    /**
     * Messages that have ended: delivered or not. Canceled ones do not count.
     *
     * @var int
     */
    public readonly ?int $messages;

    /**
     * Messages that were delivered.
     *
     * @var int
     */
    public readonly ?int $delivered;

    /**
     * Why the others were not delivered, the most frequent reason first. `code` is a filter of `GET /api/messages`.
     * `permanent`: the same message to the same number would fail again.
     *
     * @var list<DeliverabilityReason>
     */
    public readonly ?array $reasons;

    /**
     * By country of the recipient, as ISO 3166-1 alpha-2 code; the largest first.
     *
     * @var list<DeliverabilityCountry>
     */
    public readonly ?array $countries;

    /**
     * By day of acceptance, oldest first, without those on which no message ended.
     *
     * @var list<DeliverabilityDay>
     */
    public readonly ?array $days;

    /**
     * By the key that sent them, the largest first. `key_id` and `name` are `null` for the own key of your account
     * and for the dashboard, `name` also for a key that was revoked.
     *
     * @var list<DeliverabilityKey>
     */
    public readonly ?array $keys;

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
        $this->delivered = $this->int('delivered');
        $this->reasons = $this->objects('reasons', DeliverabilityReason::class);
        $this->countries = $this->objects('countries', DeliverabilityCountry::class);
        $this->days = $this->objects('days', DeliverabilityDay::class);
        $this->keys = $this->objects('keys', DeliverabilityKey::class);
        $this->test = $this->bool('test');
    }
}
