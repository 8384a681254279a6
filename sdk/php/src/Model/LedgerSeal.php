<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class LedgerSeal extends Answer
{
    /** @var int */
    public readonly ?int $number;

    /** @var int */
    public readonly ?int $first;

    /** @var int */
    public readonly ?int $last;

    /** @var \DateTimeImmutable */
    public readonly ?\DateTimeImmutable $sealedAt;

    /** @var string */
    public readonly ?string $key;

    /** @var string */
    public readonly ?string $hash;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->number = $this->int('number');
        $this->first = $this->int('first');
        $this->last = $this->int('last');
        $this->sealedAt = $this->time('sealed_at');
        $this->key = $this->string('key');
        $this->hash = $this->string('hash');
    }
}
