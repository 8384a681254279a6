<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class OtpGuardBlocked extends Answer
{
    /** @var string */
    public readonly ?string $otpId;

    /** @var string */
    public readonly ?string $rule;

    /** @var string */
    public readonly ?string $to;

    /** @var string */
    public readonly ?string $country;

    /** @var string */
    public readonly ?string $block;

    /** @var int */
    public readonly ?int $sent;

    /** @var int|null */
    public readonly ?int $verified;

    /** @var int */
    public readonly ?int $refused;

    /** @var bool */
    public readonly ?bool $open;

    /** @var \DateTimeImmutable */
    public readonly ?\DateTimeImmutable $firstAt;

    /** @var \DateTimeImmutable */
    public readonly ?\DateTimeImmutable $lastAt;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->otpId = $this->string('otp_id');
        $this->rule = $this->string('rule');
        $this->to = $this->string('to');
        $this->country = $this->string('country');
        $this->block = $this->string('block');
        $this->sent = $this->int('sent');
        $this->verified = $this->int('verified');
        $this->refused = $this->int('refused');
        $this->open = $this->bool('open');
        $this->firstAt = $this->time('first_at');
        $this->lastAt = $this->time('last_at');
    }
}
