<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class Message extends Answer
{
    public const STATUS_SCHEDULED = 'scheduled';
    public const STATUS_QUEUED = 'queued';
    public const STATUS_SENDING = 'sending';
    public const STATUS_SENT = 'sent';
    public const STATUS_DELIVERED = 'delivered';
    public const STATUS_UNDELIVERED = 'undelivered';
    public const STATUS_FAILED = 'failed';
    public const STATUS_CANCELED = 'canceled';
    public const DELIVERY_ONCE = 'once';
    public const DELIVERY_FAST = 'fast';
    public const KIND_MMS = 'mms';

    /**
     * Id of the message: `SM` and 32 hex digits.
     *
     * @var string
     */
    public readonly ?string $messageId;

    /**
     * The recipient in E.164 format.
     *
     * @var string
     */
    public readonly ?string $to;

    /**
     * The sender; `null` until the carrier accepts the message.
     *
     * @var string|null
     */
    public readonly ?string $from;

    /**
     * The text. OTPs are masked with asterisks.
     *
     * @var string
     */
    public readonly ?string $message;

    /**
     * State of the message. The last four are final.
     *
     * @var string
     */
    public readonly ?string $status;

    /**
     * Number of segments.
     *
     * @var int
     */
    public readonly ?int $segments;

    /**
     * Price of the message in credits.
     *
     * @var int
     */
    public readonly ?int $credits;

    /**
     * Credits that were refunded: all of them if the message was not delivered.
     *
     * @var int
     */
    public readonly ?int $refunded;

    /**
     * Your own reference for the message.
     *
     * @var string|null
     */
    public readonly ?string $reference;

    /**
     * Why the message was not delivered, as a code of ours; `null` if there was no error.
     *
     * @var string|null
     */
    public readonly ?string $errorCode;

    /**
     * Error code of the carrier.
     *
     * @var int|null
     */
    public readonly ?int $carrierError;

    /**
     * Why the message was not delivered, in words; `null` if there was no error. `code`: the carrier’s if there is
     * one, else ours. `permanent`: the same message to the same number would fail again.
     *
     * @var FailureReason|null
     */
    public readonly ?FailureReason $reason;

    /**
     * Whether another route is tried only when that is safe, `once`, or also in doubt, `fast`.
     *
     * @var string
     */
    public readonly ?string $delivery;

    /**
     * Number of hand-overs to carriers, including those that a carrier did not take. `attempt_list` of the record
     * has a row for each.
     *
     * @var int
     */
    public readonly ?int $attempts;

    /**
     * When the message was accepted, in UTC.
     *
     * @var \DateTimeImmutable
     */
    public readonly ?\DateTimeImmutable $createdAt;

    /**
     * When a scheduled message leaves; `null` for one that left at once.
     *
     * @var \DateTimeImmutable|null
     */
    public readonly ?\DateTimeImmutable $sendAt;

    /**
     * The message fails if the carrier does not have it by then; `null` without `validity`.
     *
     * @var \DateTimeImmutable|null
     */
    public readonly ?\DateTimeImmutable $expiresAt;

    /**
     * When the carrier accepted the message.
     *
     * @var \DateTimeImmutable|null
     */
    public readonly ?\DateTimeImmutable $sentAt;

    /**
     * When the message reached its final state.
     *
     * @var \DateTimeImmutable|null
     */
    public readonly ?\DateTimeImmutable $finishedAt;

    /**
     * Present for a message with files.
     *
     * @var string|null
     */
    public readonly ?string $kind;

    /**
     * Present for a message with files, as long as they are known: each as it is sent. `original_id`: present if
     * the picture was made smaller for the networks; the id of the file that it was made of.
     *
     * @var list<MessageFile>|null
     */
    public readonly ?array $media;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->messageId = $this->string('message_id');
        $this->to = $this->string('to');
        $this->from = $this->string('from');
        $this->message = $this->string('message');
        $this->status = $this->string('status');
        $this->segments = $this->int('segments');
        $this->credits = $this->int('credits');
        $this->refunded = $this->int('refunded');
        $this->reference = $this->string('reference');
        $this->errorCode = $this->string('error_code');
        $this->carrierError = $this->int('carrier_error');
        $this->reason = $this->object('reason', FailureReason::class);
        $this->delivery = $this->string('delivery');
        $this->attempts = $this->int('attempts');
        $this->createdAt = $this->time('created_at');
        $this->sendAt = $this->time('send_at');
        $this->expiresAt = $this->time('expires_at');
        $this->sentAt = $this->time('sent_at');
        $this->finishedAt = $this->time('finished_at');
        $this->kind = $this->string('kind');
        $this->media = $this->objects('media', MessageFile::class);
    }
}
