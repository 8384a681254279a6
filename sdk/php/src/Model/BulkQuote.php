<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class BulkQuote extends Answer
{
    public const KIND_MMS = 'mms';

    /**
     * Send it as `quote` with the same content: it then costs at most `credits`.
     *
     * @var string
     */
    public readonly ?string $quote;

    /**
     * When the quote expires: after 10 minutes, in UTC.
     *
     * @var \DateTimeImmutable
     */
    public readonly ?\DateTimeImmutable $expiresAt;

    /**
     * Segments of all messages.
     *
     * @var int
     */
    public readonly ?int $segments;

    /**
     * Price of all messages in credits.
     *
     * @var int
     */
    public readonly ?int $credits;

    /**
     * Credits left. An example for a test key.
     *
     * @var int
     */
    public readonly ?int $balance;

    /**
     * Credits left after sending; `null` if the balance does not cover the price.
     *
     * @var int|null
     */
    public readonly ?int $balanceAfter;

    /**
     * Number of messages that would be accepted.
     *
     * @var int
     */
    public readonly ?int $messages;

    /**
     * Items that were not accepted: `index` counts from 0, `code` and `detail` say why. `duplicate`: an earlier
     * item has the same number and text, which is sent once.
     *
     * @var list<RejectedMessage>
     */
    public readonly ?array $rejected;

    /**
     * Present if the messages have files.
     *
     * @var string|null
     */
    public readonly ?string $kind;

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
        $this->quote = $this->string('quote');
        $this->expiresAt = $this->time('expires_at');
        $this->segments = $this->int('segments');
        $this->credits = $this->int('credits');
        $this->balance = $this->int('balance');
        $this->balanceAfter = $this->int('balance_after');
        $this->messages = $this->int('messages');
        $this->rejected = $this->objects('rejected', RejectedMessage::class);
        $this->kind = $this->string('kind');
        $this->test = $this->bool('test');
    }
}
