<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class AvailableNumber extends Answer
{
    public const CAPABILITIES_SMS = 'sms';
    public const CAPABILITIES_MMS = 'mms';

    /**
     * The number in E.164 format.
     *
     * @var string
     */
    public readonly ?string $number;

    /**
     * Where it is from; `null` for a toll-free number.
     *
     * @var string|null
     */
    public readonly ?string $locality;

    /**
     * Kinds of messages that the number takes and sends.
     *
     * @var list<string>
     */
    public readonly ?array $capabilities;

    /**
     * Its rent in credits.
     *
     * @var int
     */
    public readonly ?int $creditsPerMonth;

    /**
     * Credits that it costs once, besides.
     *
     * @var int
     */
    public readonly ?int $setupCredits;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->number = $this->string('number');
        $this->locality = $this->string('locality');
        $this->capabilities = $this->array('capabilities');
        $this->creditsPerMonth = $this->int('credits_per_month');
        $this->setupCredits = $this->int('setup_credits');
    }
}
