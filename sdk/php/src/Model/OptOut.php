<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class OptOut extends Answer
{
    public const STATUS_OPTED_OUT = 'opted_out';
    public const STATUS_OPTED_IN = 'opted_in';
    public const SOURCE_REPLY = 'reply';
    public const SOURCE_CARRIER = 'carrier';

    /** @var string */
    public readonly ?string $number;

    /** @var string|null */
    public readonly ?string $sender;

    /** @var string */
    public readonly ?string $status;

    /** @var \DateTimeImmutable */
    public readonly ?\DateTimeImmutable $optedOutAt;

    /** @var \DateTimeImmutable|null */
    public readonly ?\DateTimeImmutable $optedInAt;

    /** @var string */
    public readonly ?string $source;

    /** @var string|null */
    public readonly ?string $word;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->number = $this->string('number');
        $this->sender = $this->string('sender');
        $this->status = $this->string('status');
        $this->optedOutAt = $this->time('opted_out_at');
        $this->optedInAt = $this->time('opted_in_at');
        $this->source = $this->string('source');
        $this->word = $this->string('word');
    }
}
