<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class ReadyFile extends Answer
{
    public const STATUS_PENDING = 'pending';
    public const STATUS_STORED = 'stored';
    public const STATUS_FAILED = 'failed';
    public const STATUS_EXPIRED = 'expired';

    /** @var string */
    public readonly ?string $mediaId;

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
        $this->mediaId = $this->string('media_id');
        $this->url = $this->string('url');
        $this->type = $this->string('type');
        $this->bytes = $this->int('bytes');
        $this->sha256 = $this->string('sha256');
        $this->status = $this->string('status');
    }
}
