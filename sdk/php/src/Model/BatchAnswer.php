<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class BatchAnswer extends Answer
{
    /**
     * Id of the batch: `BA` and 32 hex digits.
     *
     * @var string
     */
    public readonly ?string $batchId;

    /**
     * When the batch was accepted, in UTC.
     *
     * @var \DateTimeImmutable
     */
    public readonly ?\DateTimeImmutable $createdAt;

    /**
     * Number of messages.
     *
     * @var int
     */
    public readonly ?int $messages;

    /**
     * Number of messages by status.
     *
     * @var array<string, int>
     */
    public readonly ?array $statuses;

    /**
     * Price of all messages in credits.
     *
     * @var int
     */
    public readonly ?int $credits;

    /**
     * Credits that were refunded so far.
     *
     * @var int
     */
    public readonly ?int $refunded;

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
        $this->batchId = $this->string('batch_id');
        $this->createdAt = $this->time('created_at');
        $this->messages = $this->int('messages');
        $this->statuses = $this->array('statuses');
        $this->credits = $this->int('credits');
        $this->refunded = $this->int('refunded');
        $this->test = $this->bool('test');
    }
}
