<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class OtpVerdict extends Answer
{
    public const STATUS_VERIFIED = 'verified';
    public const STATUS_NOT_FOUND = 'not_found';
    public const STATUS_EXPIRED = 'expired';
    public const STATUS_ALREADY_USED = 'already_used';

    /**
     * Result of the verification.
     *
     * @var string
     */
    public readonly ?string $status;

    /**
     * The recipient whose code was verified. Compare it with the person that you expect.
     *
     * @var string|null
     */
    public readonly ?string $to;

    /**
     * The code that was verified.
     *
     * @var string|null
     */
    public readonly ?string $otpId;

    /**
     * When the code expires or has expired, in UTC. Absent if the code is unknown.
     *
     * @var \DateTimeImmutable|null
     */
    public readonly ?\DateTimeImmutable $expiresAt;

    /**
     * Wrong tries left before the code becomes invalid. Present if `to` or `otp_id` was sent and names a live code.
     *
     * @var int|null
     */
    public readonly ?int $attemptsLeft;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->status = $this->string('status');
        $this->to = $this->string('to');
        $this->otpId = $this->string('otp_id');
        $this->expiresAt = $this->time('expires_at');
        $this->attemptsLeft = $this->int('attempts_left');
    }
}
