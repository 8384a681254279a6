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
        $this->otpId = $this->text('otp_id');
        $this->to = $this->text('to');
        $this->rule = $this->text('rule');
        $this->country = $this->text('country');
        $this->block = $this->text('block');
        $this->sent = $this->integer('sent');
        $this->verified = $this->integer('verified');
        $this->reference = $this->text('reference');
        $this->blockedAt = $this->time('blocked_at');
    }
}
