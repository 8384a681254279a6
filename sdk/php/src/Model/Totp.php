<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class Totp extends Answer
{
    /**
     * Id of the authenticator: `TP` and 32 hex digits.
     *
     * @var string
     */
    public readonly ?string $totpId;

    /**
     * Names the person’s account in the app, such as an email address.
     *
     * @var string
     */
    public readonly ?string $label;

    /**
     * Names you in the app; `null` if you left it out.
     *
     * @var string|null
     */
    public readonly ?string $issuer;

    /**
     * When it was created, in UTC.
     *
     * @var \DateTimeImmutable
     */
    public readonly ?\DateTimeImmutable $createdAt;

    /**
     * When a code of the app was accepted first; `null` until then: the person may not have set it up.
     *
     * @var \DateTimeImmutable|null
     */
    public readonly ?\DateTimeImmutable $verifiedAt;

    /**
     * When a code was accepted last, of the app or for recovery.
     *
     * @var \DateTimeImmutable|null
     */
    public readonly ?\DateTimeImmutable $lastUsedAt;

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
     * Present if the key was a test key: this is an example.
     *
     * @var bool|null
     */
    public readonly ?bool $test;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->totpId = $this->string('totp_id');
        $this->label = $this->string('label');
        $this->issuer = $this->string('issuer');
        $this->createdAt = $this->time('created_at');
        $this->verifiedAt = $this->time('verified_at');
        $this->lastUsedAt = $this->time('last_used_at');
        $this->attemptsLeft = $this->int('attempts_left');
        $this->lockedUntil = $this->time('locked_until');
        $this->recoveryCodesLeft = $this->int('recovery_codes_left');
        $this->test = $this->bool('test');
    }
}
