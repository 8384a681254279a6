<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class RemovedPart extends Answer
{
    public const PART_TEXT = 'text';
    public const PART_MEDIA = 'media';
    public const PART_NUMBER = 'number';
    public const PART_CARRIER_ID = 'carrier_id';
    public const PART_WEBHOOKS = 'webhooks';

    /** @var string */
    public readonly ?string $part;

    /** @var string */
    public readonly ?string $why;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->part = $this->string('part');
        $this->why = $this->string('why');
    }
}
