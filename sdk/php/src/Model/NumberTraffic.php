<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class NumberTraffic extends Answer
{
    /**
     * The oldest message that was looked at.
     *
     * @var \DateTimeImmutable|null
     */
    public readonly ?\DateTimeImmutable $since;

    /**
     * Messages from the number.
     *
     * @var int
     */
    public readonly ?int $sent;

    /**
     * Messages that were delivered.
     *
     * @var int
     */
    public readonly ?int $delivered;

    /**
     * Messages that were not delivered.
     *
     * @var int
     */
    public readonly ?int $failed;

    /**
     * Messages that wait or are scheduled: they fail and are refunded when it is released.
     *
     * @var int
     */
    public readonly ?int $waiting;

    /**
     * Messages to the number.
     *
     * @var int
     */
    public readonly ?int $replies;

    /**
     * People that it talked to.
     *
     * @var int
     */
    public readonly ?int $people;

    /**
     * Why messages were not delivered, the most frequent reason first.
     *
     * @var list<NumberTrafficReason>
     */
    public readonly ?array $reasons;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->since = $this->time('since');
        $this->sent = $this->int('sent');
        $this->delivered = $this->int('delivered');
        $this->failed = $this->int('failed');
        $this->waiting = $this->int('waiting');
        $this->replies = $this->int('replies');
        $this->people = $this->int('people');
        $this->reasons = $this->objects('reasons', NumberTrafficReason::class);
    }
}
