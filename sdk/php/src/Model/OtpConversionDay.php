<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class OtpConversionDay extends Answer
{
    /** @var string */
    public readonly ?string $day;

    /** @var int */
    public readonly ?int $sent;

    /** @var int */
    public readonly ?int $verified;

    /** @var float|null */
    public readonly ?float $verifiedPercent;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->day = $this->string('day');
        $this->sent = $this->int('sent');
        $this->verified = $this->int('verified');
        $this->verifiedPercent = $this->float('verified_percent');
    }
}
