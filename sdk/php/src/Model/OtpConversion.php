<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class OtpConversion extends Answer
{
    /**
     * First day that counts, in New York.
     *
     * @var string
     */
    public readonly ?string $from;

    /**
     * Last day that counts, inclusive.
     *
     * @var string
     */
    public readonly ?string $to;

    /**
     * Codes that were sent. A code counts once, however often it was sent again.
     *
     * @var int
     */
    public readonly ?int $sent;

    /**
     * Codes that were verified.
     *
     * @var int
     */
    public readonly ?int $verified;

    /**
     * Share of verified codes, with one decimal; `null` if none was sent.
     *
     * @var float|null
     */
    public readonly ?float $verifiedPercent;

    /**
     * The same by country of the recipient, as ISO 3166-1 alpha-2 code.
     *
     * @var list<OtpConversionCountry>
     */
    public readonly ?array $countries;

    /**
     * The same by day on which the codes were first sent, oldest first, without those without codes.
     *
     * @var list<OtpConversionDay>
     */
    public readonly ?array $days;

    /**
     * For codes with `channels`: messages by channel and country, and the codes that were entered after them.
     *
     * @var list<OtpConversionChannel>
     */
    public readonly ?array $channels;

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
        $this->from = $this->string('from');
        $this->to = $this->string('to');
        $this->sent = $this->int('sent');
        $this->verified = $this->int('verified');
        $this->verifiedPercent = $this->float('verified_percent');
        $this->countries = $this->objects('countries', OtpConversionCountry::class);
        $this->days = $this->objects('days', OtpConversionDay::class);
        $this->channels = $this->objects('channels', OtpConversionChannel::class);
        $this->test = $this->bool('test');
    }
}
