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
        $this->mediaId = $this->text('media_id');
        $this->url = $this->text('url');
        $this->type = $this->text('type');
        $this->bytes = $this->integer('bytes');
        $this->sha256 = $this->text('sha256');
        $this->originalId = $this->text('original_id');
    }
}
