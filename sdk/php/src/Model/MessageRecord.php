<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class MessageRecord extends Answer
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
    public const KIND_SMS = 'sms';
    public const KIND_MMS = 'mms';
    public const KIND_OTP = 'otp';
    public const ENCODING_GSM_7 = 'GSM-7';
    public const ENCODING_UCS_2 = 'UCS-2';
    public const RECEIPT_LEVEL_HANDSET = 'handset';
    public const RECEIPT_LEVEL_NETWORK = 'network';
    public const RECEIPT_LEVEL_NONE = 'none';

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
     * `otp` for a one-time password, whose code is masked; `mms` for a message with files.
     *
     * @var string
     */
    public readonly ?string $kind;

    /**
     * Present for a message with files, as long as they are known: each as it is sent. `original_id`: present if
     * the picture was made smaller for the networks; the id of the file that it was made of.
     *
     * @var list<MessageFile>|null
     */
    public readonly ?array $media;

    /**
     * When this record was made.
     *
     * @var \DateTimeImmutable
     */
    public readonly ?\DateTimeImmutable $recordedAt;

    /**
     * Encoding of the text; `null` once the text is deleted.
     *
     * @var string|null
     */
    public readonly ?string $encoding;

    /**
     * Id of the message at the carrier; `null` until the carrier accepts it.
     *
     * @var string|null
     */
    public readonly ?string $carrierId;

    /**
     * Meaning of `delivered` on its route: `handset`, it reached the phone; `network`, the network of the phone
     * confirmed it; `none`, nothing more than `sent`.
     *
     * @var string
     */
    public readonly ?string $receiptLevel;

    /**
     * Its hand-overs to routes, in order. Routes are named within the message, `r1`, `r2`. `reason`: why this route
     * got it: `first`, `not_taken`, `route_failed`, `doubtful`, `slow`, `route_paused`. `outcome`: `accepted`,
     * `not_taken`, `doubtful`; `null` while it is not known. Of tries by one route the last one is shown.
     *
     * @var list<RecordedAttempt>
     */
    public readonly ?array $attemptList;

    /**
     * The states it reached, in order. `cause` is `accepted`, `send_at`, `claimed`, `carrier_accepted`,
     * `delivery_receipt`, `canceled`, or the `error_code` of a message that was not delivered.
     *
     * @var list<RecordedTransition>
     */
    public readonly ?array $transitions;

    /**
     * The refund of its price; `null` if it was not refunded.
     *
     * @var RecordedRefund|null
     */
    public readonly ?RecordedRefund $refund;

    /**
     * Its entries in the ledger of your account, with their numbers, and the seal that covers each: `null` until
     * the entry is sealed, within a minute.
     *
     * @var list<RecordedEntry>
     */
    public readonly ?array $ledger;

    /**
     * The URL that this message named for its callbacks, without its query.
     *
     * @var RecordedCallback|null
     */
    public readonly ?RecordedCallback $callback;

    /**
     * The webhooks and callbacks about it, oldest first, with the last 100 attempts of each and the beginning of
     * each answer.
     *
     * @var list<RecordedWebhook>
     */
    public readonly ?array $webhooks;

    /**
     * Parts that are no longer kept, and why.
     *
     * @var list<RemovedPart>
     */
    public readonly ?array $removed;

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
        $this->recordedAt = $this->time('recorded_at');
        $this->encoding = $this->string('encoding');
        $this->carrierId = $this->string('carrier_id');
        $this->receiptLevel = $this->string('receipt_level');
        $this->attemptList = $this->objects('attempt_list', RecordedAttempt::class);
        $this->transitions = $this->objects('transitions', RecordedTransition::class);
        $this->refund = $this->object('refund', RecordedRefund::class);
        $this->ledger = $this->objects('ledger', RecordedEntry::class);
        $this->callback = $this->object('callback', RecordedCallback::class);
        $this->webhooks = $this->objects('webhooks', RecordedWebhook::class);
        $this->removed = $this->objects('removed', RemovedPart::class);
        $this->test = $this->bool('test');
    }
}
