<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class MessageFile extends Answer
{
    /** @var string */
    public readonly ?string $mediaId;

    /** @var string|null */
    public readonly ?string $url;

    /** @var string */
    public readonly ?string $type;

    /** @var int */
    public readonly ?int $bytes;

    /** @var string|null */
    public readonly ?string $sha256;

    /** @var string|null */
    public readonly ?string $originalId;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->mediaId = $this->string('media_id');
        $this->url = $this->string('url');
        $this->type = $this->string('type');
        $this->bytes = $this->int('bytes');
        $this->sha256 = $this->string('sha256');
        $this->originalId = $this->string('original_id');
    }
}
