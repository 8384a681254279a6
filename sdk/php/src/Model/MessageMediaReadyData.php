<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class MessageMediaReadyData extends Answer
{
    /** @var string */
    public readonly ?string $messageId;

    /** @var string */
    public readonly ?string $sender;

    /** @var list<ReadyFile> */
    public readonly ?array $media;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->messageId = $this->string('message_id');
        $this->sender = $this->string('sender');
        $this->media = $this->objects('media', ReadyFile::class);
    }
}
