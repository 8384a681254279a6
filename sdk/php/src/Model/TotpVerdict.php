<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class TotpVerdict extends Answer
{
    public const STATUS_VERIFIED = 'verified';
    public const STATUS_WRONG = 'wrong';
    public const STATUS_USED = 'used';
    public const STATUS_LOCKED = 'locked';
    public const METHOD_APP = 'app';
    public const METHOD_RECOVERY_CODE = 'recovery_code';

    /**
     * Id of the authenticator: `TP` and 32 hex digits.
     *
     * @var string
     */
    public readonly ?string $totpId;

    /**
     * `verified`: the code is right, and counts once. `wrong`: it is not, or is no code. `used`: it, or a later
     * one, was accepted before. `locked`: 10 codes were wrong, so none is looked at, right or wrong, until
     * `locked_until`.
     *
     * @var string
     */
    public readonly ?string $status;

    /**
     * The kind of code that was verified, or used before: `app` or `recovery_code`. `null` for other results.
     *
     * @var string|null
     */
    public readonly ?string $method;

    /**
     * Wrong codes left until the authenticator is locked; 0 while it is. An accepted code gives all back.
     *
     * @var int
     */
    public readonly ?int $attemptsLeft;

    /**
     * When the lock ends, in UTC; `null` unless it is locked now.
     *
     * @var \DateTimeImmutable|null
     */
    public readonly ?\DateTimeImmutable $lockedUntil;

    /**
     * Recovery codes that were not used.
     *
     * @var int
     */
    public readonly ?int $recoveryCodesLeft;

    /**
     * Present if the key was a test key: nothing was counted or stored.
     *
     * @var bool|null
     */
    public readonly ?bool $test;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->totpId = $this->string('totp_id');
        $this->status = $this->string('status');
        $this->method = $this->string('method');
        $this->attemptsLeft = $this->int('attempts_left');
        $this->lockedUntil = $this->time('locked_until');
        $this->recoveryCodesLeft = $this->int('recovery_codes_left');
        $this->test = $this->bool('test');
    }
}
