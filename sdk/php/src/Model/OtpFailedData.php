<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class OtpFailedData extends Answer
{
    /** @var string */
    public readonly ?string $otpId;

    /** @var string */
    public readonly ?string $messageId;

    /** @var string */
    public readonly ?string $to;

    /** @var string|null */
    public readonly ?string $reference;

    /** @var \DateTimeImmutable */
    public readonly ?\DateTimeImmutable $failedAt;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->otpId = $this->string('otp_id');
        $this->messageId = $this->string('message_id');
        $this->to = $this->string('to');
        $this->reference = $this->string('reference');
        $this->failedAt = $this->time('failed_at');
    }
}
