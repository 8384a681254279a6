<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class OtpConversionCountry extends Answer
{
    /** @var string */
    public readonly ?string $country;

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
        $this->country = $this->text('country');
        $this->sent = $this->integer('sent');
        $this->verified = $this->integer('verified');
        $this->verifiedPercent = $this->number('verified_percent');
    }
}
