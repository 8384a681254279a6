<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class ExposureKey extends Answer
{
    /** @var string|null */
    public readonly ?string $keyId;

    /** @var string|null */
    public readonly ?string $name;

    /** @var int */
    public readonly ?int $credits;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->keyId = $this->string('key_id');
        $this->name = $this->string('name');
        $this->credits = $this->int('credits');
    }
}
