<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class UploadedMedia extends Answer
{
    /**
     * Id of the file: `ME` and 32 hex digits.
     *
     * @var string
     */
    public readonly ?string $mediaId;

    /**
     * Its media type, as its bytes show it.
     *
     * @var string
     */
    public readonly ?string $type;

    /**
     * Its size.
     *
     * @var int
     */
    public readonly ?int $bytes;

    /**
     * SHA-256 of its bytes, in hex digits.
     *
     * @var string
     */
    public readonly ?string $sha256;

    /**
     * When the file is deleted, in UTC. Messages that wait keep it longer.
     *
     * @var \DateTimeImmutable
     */
    public readonly ?\DateTimeImmutable $expiresAt;

    /**
     * Present if the key was a test key: nothing was stored.
     *
     * @var bool|null
     */
    public readonly ?bool $test;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->mediaId = $this->string('media_id');
        $this->type = $this->string('type');
        $this->bytes = $this->int('bytes');
        $this->sha256 = $this->string('sha256');
        $this->expiresAt = $this->time('expires_at');
        $this->test = $this->bool('test');
    }
}
