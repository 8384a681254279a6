<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class MessageReceivedData extends Answer
{
    public const STATUS_RECEIVED = 'Received';

    /** @var string */
    public readonly ?string $messageId;

    /** @var string */
    public readonly ?string $sender;

    /** @var string */
    public readonly ?string $message;

    /** @var string */
    public readonly ?string $status;

    /** @var string */
    public readonly ?string $dateTime;

    /** @var string|null */
    public readonly ?string $recipient;

    /** @var list<ReceivedFile>|null */
    public readonly ?array $media;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->messageId = $this->string('MessageId');
        $this->sender = $this->string('Sender');
        $this->message = $this->string('Message');
        $this->status = $this->string('Status');
        $this->dateTime = $this->string('DateTime');
        $this->recipient = $this->string('Recipient');
        $this->media = $this->objects('Media', ReceivedFile::class);
    }
}
