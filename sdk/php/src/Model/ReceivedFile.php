<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class ReceivedFile extends Answer
{
    public const STATUS_PENDING = 'pending';
    public const STATUS_STORED = 'stored';
    public const STATUS_FAILED = 'failed';
    public const STATUS_EXPIRED = 'expired';

    /** @var string */
    public readonly ?string $id;

    /** @var string|null */
    public readonly ?string $url;

    /** @var string|null */
    public readonly ?string $type;

    /** @var int|null */
    public readonly ?int $bytes;

    /** @var string|null */
    public readonly ?string $sha256;

    /** @var string */
    public readonly ?string $status;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->id = $this->string('Id');
        $this->url = $this->string('Url');
        $this->type = $this->string('Type');
        $this->bytes = $this->int('Bytes');
        $this->sha256 = $this->string('Sha256');
        $this->status = $this->string('Status');
    }
}
