<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class Quote extends Answer
{
    public const ENCODING_GSM_7 = 'GSM-7';
    public const ENCODING_UCS_2 = 'UCS-2';
    public const KIND_MMS = 'mms';

    /**
     * Send it as `quote` with the same content: it then costs at most `credits`.
     *
     * @var string
     */
    public readonly ?string $quote;

    /**
     * When the quote expires: after 10 minutes, in UTC.
     *
     * @var \DateTimeImmutable
     */
    public readonly ?\DateTimeImmutable $expiresAt;

    /**
     * Number of segments.
     *
     * @var int
     */
    public readonly ?int $segments;

    /**
     * Price of the message in credits.
     *
     * @var int
     */
    public readonly ?int $credits;

    /**
     * Encoding of the text: GSM-7 has room for more characters.
     *
     * @var string
     */
    public readonly ?string $encoding;

    /**
     * The first 10 characters that GSM-7 does not contain.
     *
     * @var list<string>
     */
    public readonly ?array $unsupportedCharacters;

    /**
     * Country of the number, as ISO 3166-1 alpha-2 code.
     *
     * @var string
     */
    public readonly ?string $country;

    /**
     * Your credits. A test key gets an example.
     *
     * @var int
     */
    public readonly ?int $balance;

    /**
     * Credits left after sending; `null` if the balance does not cover the price.
     *
     * @var int|null
     */
    public readonly ?int $balanceAfter;

    /**
     * Present for a message with files, an MMS. Its files are looked at when it is sent.
     *
     * @var string|null
     */
    public readonly ?string $kind;

    /**
     * Present if the key was a test key.
     *
     * @var bool|null
     */
    public readonly ?bool $test;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->quote = $this->string('quote');
        $this->expiresAt = $this->time('expires_at');
        $this->segments = $this->int('segments');
        $this->credits = $this->int('credits');
        $this->encoding = $this->string('encoding');
        $this->unsupportedCharacters = $this->array('unsupported_characters');
        $this->country = $this->string('country');
        $this->balance = $this->int('balance');
        $this->balanceAfter = $this->int('balance_after');
        $this->kind = $this->string('kind');
        $this->test = $this->bool('test');
    }
}
