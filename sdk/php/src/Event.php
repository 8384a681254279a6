<?php

declare(strict_types=1);

namespace Pennytext;

/** A genuine webhook. */
final class Event extends Answer
{
    /** One of EventType; later versions of the API may have others. */
    public readonly string $type;
    public readonly ?\DateTimeImmutable $timestamp;
    /** Of the type's class, such as Model\MessageDeliveredData; `fields` has the data of a type that is unknown. */
    public readonly Answer $data;

    /**
     * @param string $id The same on every attempt: store it to process each event once.
     * @param array<string, mixed> $fields
     */
    public function __construct(public readonly string $id, array $fields)
    {
        // Received messages have no type of their own.
        parent::__construct(isset($fields['type']) ? $fields : ['type' => 'message.received', 'data' => $fields]);
        $this->type = $this->string('type') ?? '';
        $this->timestamp = $this->time('timestamp');
        $class = EventType::DATA[$this->type] ?? Answer::class;
        $this->data = new $class($this->array('data') ?? []);
    }
}
