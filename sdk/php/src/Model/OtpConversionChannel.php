<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class OtpConversionChannel extends Answer
{
    public const CHANNEL_SMS = 'sms';
    public const CHANNEL_WHATSAPP = 'whatsapp';
    public const CHANNEL_VOICE = 'voice';
    public const CHANNEL_EMAIL = 'email';

    /** @var string */
    public readonly ?string $channel;

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
        $this->channel = $this->string('channel');
        $this->country = $this->string('country');
        $this->sent = $this->int('sent');
        $this->verified = $this->int('verified');
        $this->verifiedPercent = $this->float('verified_percent');
    }
}
