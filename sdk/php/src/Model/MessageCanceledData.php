<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class MessageCanceledData extends Answer
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

    /** @var string */
    public readonly ?string $to;

    /** @var int */
    public readonly ?int $segments;

    /** @var int */
    public readonly ?int $credits;

    /** @var int */
    public readonly ?int $refunded;

    /** @var string|null */
    public readonly ?string $reference;

    /** @var string|null */
    public readonly ?string $errorCode;

    /** @var int|null */
    public readonly ?int $carrierError;

    /** @var string */
    public readonly ?string $status;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->messageId = $this->string('message_id');
        $this->to = $this->string('to');
        $this->segments = $this->int('segments');
        $this->credits = $this->int('credits');
        $this->refunded = $this->int('refunded');
        $this->reference = $this->string('reference');
        $this->errorCode = $this->string('error_code');
        $this->carrierError = $this->int('carrier_error');
        $this->status = $this->string('status');
    }
}
