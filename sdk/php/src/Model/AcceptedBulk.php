<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class AcceptedBulk extends Answer
{
    /**
     * Id of the batch: `BA` and 32 hex digits.
     *
     * @var string
     */
    public readonly ?string $batchId;

    /**
     * Number of messages that were accepted.
     *
     * @var int
     */
    public readonly ?int $accepted;

    /**
     * Items that were not accepted: `index` counts from 0, `code` and `detail` say why. `duplicate`: an earlier
     * item has the same number and text, which is sent once.
     *
     * @var list<RejectedMessage>
     */
    public readonly ?array $rejected;

    /**
     * Price of all accepted messages in credits. A test key is not charged.
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
     * Present if the key was a test key: nothing was sent or charged.
     *
     * @var bool|null
     */
    public readonly ?bool $test;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->batchId = $this->string('batch_id');
        $this->accepted = $this->int('accepted');
        $this->rejected = $this->objects('rejected', RejectedMessage::class);
        $this->credits = $this->int('credits');
        $this->balance = $this->int('balance');
        $this->test = $this->bool('test');
    }
}
