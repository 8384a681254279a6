<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class OtpBlockedData extends Answer
{
    /** @var string */
    public readonly ?string $otpId;

    /** @var string */
    public readonly ?string $to;

    /** @var string */
    public readonly ?string $rule;

    /** @var string */
    public readonly ?string $country;

    /** @var string */
    public readonly ?string $block;

    /** @var int */
    public readonly ?int $sent;

    /** @var int|null */
    public readonly ?int $verified;

    /** @var string|null */
    public readonly ?string $reference;

    /** @var \DateTimeImmutable */
    public readonly ?\DateTimeImmutable $blockedAt;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->otpId = $this->string('otp_id');
        $this->to = $this->string('to');
        $this->rule = $this->string('rule');
        $this->country = $this->string('country');
        $this->block = $this->string('block');
        $this->sent = $this->int('sent');
        $this->verified = $this->int('verified');
        $this->reference = $this->string('reference');
        $this->blockedAt = $this->time('blocked_at');
    }
}
