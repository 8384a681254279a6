<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class AcceptedMessage extends Answer
{
    public const ENCODING_GSM_7 = 'GSM-7';
    public const ENCODING_UCS_2 = 'UCS-2';
    public const STATUS_SCHEDULED = 'scheduled';
    public const REPLIES_UNAVAILABLE = 'unavailable';
    public const DELIVERY_ONCE = 'once';
    public const DELIVERY_FAST = 'fast';
    public const KIND_MMS = 'mms';

    /**
     * Id of the message: `SM` and 32 hex digits.
     *
     * @var string
     */
    public readonly ?string $messageId;

    /**
     * Number of segments.
     *
     * @var int
     */
    public readonly ?int $segments;

    /**
     * Price of the message in credits. A test key is not charged.
     *
     * @var int
     */
    public readonly ?int $credits;

    /**
     * Encoding of the text: GSM-7 has room for more characters.
     *
     * @var string
     */
    public readonly ?string $encoding;

    /**
     * Credits left after this message. A test key gets an example.
     *
     * @var int
     */
    public readonly ?int $balance;

    /**
     * The reference that you sent, if any.
     *
     * @var string|null
     */
    public readonly ?string $reference;

    /**
     * Present if the message is scheduled.
     *
     * @var string|null
     */
    public readonly ?string $status;

    /**
     * When a scheduled message leaves, in UTC.
     *
     * @var \DateTimeImmutable|null
     */
    public readonly ?\DateTimeImmutable $sendAt;

    /**
     * Present if replies to this message go to another account, which texted this person from the same number
     * before.
     *
     * @var string|null
     */
    public readonly ?string $replies;

    /**
     * The `delivery` that you chose, if you did.
     *
     * @var string|null
     */
    public readonly ?string $delivery;

    /**
     * Present if the key was a test key: nothing was sent or charged.
     *
     * @var bool|null
     */
    public readonly ?bool $test;

    /**
     * Present if you sent `dedupe` and this is an earlier message. Nothing was sent or charged again.
     *
     * @var bool|null
     */
    public readonly ?bool $deduplicated;

    /**
     * The text as it is sent. Present if you sent `encoding` as `smart`, and if links take the place of files.
     *
     * @var string|null
     */
    public readonly ?string $message;

    /**
     * Present for a message with files, an MMS.
     *
     * @var string|null
     */
    public readonly ?string $kind;

    /**
     * Present for a message with files, as long as they are known: each as it is sent. `original_id`: present if
     * the picture was made smaller for the networks; the id of the file that it was made of.
     *
     * @var list<MessageFile>|null
     */
    public readonly ?array $media;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->messageId = $this->string('message_id');
        $this->segments = $this->int('segments');
        $this->credits = $this->int('credits');
        $this->encoding = $this->string('encoding');
        $this->balance = $this->int('balance');
        $this->reference = $this->string('reference');
        $this->status = $this->string('status');
        $this->sendAt = $this->time('send_at');
        $this->replies = $this->string('replies');
        $this->delivery = $this->string('delivery');
        $this->test = $this->bool('test');
        $this->deduplicated = $this->bool('deduplicated');
        $this->message = $this->string('message');
        $this->kind = $this->string('kind');
        $this->media = $this->objects('media', MessageFile::class);
    }
}
