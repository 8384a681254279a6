<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class RecordedWebhook extends Answer
{
    public const TYPE_MESSAGE_RECEIVED = 'message.received';
    public const TYPE_MESSAGE_SCHEDULED = 'message.scheduled';
    public const TYPE_MESSAGE_SENT = 'message.sent';
    public const TYPE_MESSAGE_REROUTED = 'message.rerouted';
    public const TYPE_MESSAGE_DELIVERED = 'message.delivered';
    public const TYPE_MESSAGE_UNDELIVERED = 'message.undelivered';
    public const TYPE_MESSAGE_FAILED = 'message.failed';
    public const TYPE_MESSAGE_CANCELED = 'message.canceled';
    public const TYPE_MESSAGE_MEDIA_READY = 'message.media_ready';
    public const TYPE_OTP_SENT = 'otp.sent';
    public const TYPE_OTP_VERIFIED = 'otp.verified';
    public const TYPE_OTP_FAILED = 'otp.failed';
    public const TYPE_OTP_EXPIRED = 'otp.expired';
    public const TYPE_OTP_BLOCKED = 'otp.blocked';
    public const TYPE_CREDITS_LOW = 'credits.low';
    public const TYPE_CREDITS_DAILY_SPEND = 'credits.daily_spend';
    public const TYPE_NUMBER_ACTIVE = 'number.active';
    public const TYPE_NUMBER_PAST_DUE = 'number.past_due';
    public const TYPE_NUMBER_RELEASED = 'number.released';
    public const TYPE_NUMBER_FILTERED = 'number.filtered';
    public const STATUS_PENDING = 'pending';
    public const STATUS_PAUSED = 'paused';
    public const STATUS_DELIVERED = 'delivered';
    public const STATUS_FAILED = 'failed';

    /** @var string */
    public readonly ?string $id;

    /** @var string */
    public readonly ?string $type;

    /** @var RecordedCallback|null */
    public readonly ?RecordedCallback $callback;

    /** @var string */
    public readonly ?string $status;

    /** @var \DateTimeImmutable */
    public readonly ?\DateTimeImmutable $createdAt;

    /** @var \DateTimeImmutable|null */
    public readonly ?\DateTimeImmutable $finishedAt;

    /** @var string */
    public readonly ?string $body;

    /** @var int */
    public readonly ?int $attempts;

    /** @var list<WebhookAttempt> */
    public readonly ?array $attemptList;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->id = $this->string('id');
        $this->type = $this->string('type');
        $this->callback = $this->object('callback', RecordedCallback::class);
        $this->status = $this->string('status');
        $this->createdAt = $this->time('created_at');
        $this->finishedAt = $this->time('finished_at');
        $this->body = $this->string('body');
        $this->attempts = $this->int('attempts');
        $this->attemptList = $this->objects('attempt_list', WebhookAttempt::class);
    }
}
