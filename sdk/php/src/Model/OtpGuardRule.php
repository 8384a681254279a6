<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class OtpGuardRule extends Answer
{
    public const COUNTS_RECIPIENT = 'recipient';
    public const COUNTS_IP = 'ip';
    public const COUNTS_DEVICE = 'device';
    public const COUNTS_BLOCK = 'block';
    public const COUNTS_CALL = 'call';
    public const COUNTS_CALLER = 'caller';

    /** @var string */
    public readonly ?string $rule;

    /** @var string */
    public readonly ?string $counts;

    /** @var int */
    public readonly ?int $sendsMax;

    /** @var int */
    public readonly ?int $windowSeconds;

    /** @var int|null */
    public readonly ?int $verifiedPercentMin;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->rule = $this->string('rule');
        $this->counts = $this->string('counts');
        $this->sendsMax = $this->int('sends_max');
        $this->windowSeconds = $this->int('window_seconds');
        $this->verifiedPercentMin = $this->int('verified_percent_min');
    }
}
