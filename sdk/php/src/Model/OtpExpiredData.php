<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class OtpExpiredData extends Answer
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
    public readonly ?\DateTimeImmutable $expiredAt;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->otpId = $this->string('otp_id');
        $this->messageId = $this->string('message_id');
        $this->to = $this->string('to');
        $this->reference = $this->string('reference');
        $this->expiredAt = $this->time('expired_at');
    }
}
