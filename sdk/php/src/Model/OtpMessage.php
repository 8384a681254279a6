<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class OtpMessage extends Answer
{
    public const STATUS_SCHEDULED = 'scheduled';
    public const STATUS_QUEUED = 'queued';
    public const STATUS_SENDING = 'sending';
    public const STATUS_SENT = 'sent';
    public const STATUS_DELIVERED = 'delivered';
    public const STATUS_UNDELIVERED = 'undelivered';
    public const STATUS_FAILED = 'failed';
    public const STATUS_CANCELED = 'canceled';

    /** @var string */
    public readonly ?string $messageId;

    /** @var string|null */
    public readonly ?string $status;

    /** @var FailureReason|null */
    public readonly ?FailureReason $reason;

    /** @var \DateTimeImmutable */
    public readonly ?\DateTimeImmutable $createdAt;

    /** @var \DateTimeImmutable|null */
    public readonly ?\DateTimeImmutable $sentAt;

    /** @var \DateTimeImmutable|null */
    public readonly ?\DateTimeImmutable $finishedAt;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->messageId = $this->string('message_id');
        $this->status = $this->string('status');
        $this->reason = $this->object('reason', FailureReason::class);
        $this->createdAt = $this->time('created_at');
        $this->sentAt = $this->time('sent_at');
        $this->finishedAt = $this->time('finished_at');
    }
}
