<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class OtpGuard extends Answer
{
    /**
     * Whether codes to some numbers are refused because too few were verified.
     *
     * @var bool
     */
    public readonly ?bool $suspicious;

    /**
     * The rules: at most `sends_max` messages by what a rule counts within its window.
     *
     * @var list<OtpGuardRule>
     */
    public readonly ?array $rules;

    /**
     * Rules that refused codes within the last hour, latest first; `open`: still refused.
     *
     * @var list<OtpGuardBlocked>
     */
    public readonly ?array $blocked;

    /**
     * When the guard was last reset.
     *
     * @var \DateTimeImmutable|null
     */
    public readonly ?\DateTimeImmutable $resetAt;

    /**
     * When the guard can be reset again; `null` if it can be now.
     *
     * @var \DateTimeImmutable|null
     */
    public readonly ?\DateTimeImmutable $nextResetAt;

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
        $this->suspicious = $this->bool('suspicious');
        $this->rules = $this->objects('rules', OtpGuardRule::class);
        $this->blocked = $this->objects('blocked', OtpGuardBlocked::class);
        $this->resetAt = $this->time('reset_at');
        $this->nextResetAt = $this->time('next_reset_at');
        $this->test = $this->bool('test');
    }
}
