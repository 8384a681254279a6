<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class TriggeredEvent extends Answer
{
    /**
     * The `webhook-id` of the event.
     *
     * @var string
     */
    public readonly ?string $eventId;

    /**
     * Present for a test key, which creates nothing.
     *
     * @var bool|null
     */
    public readonly ?bool $test;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->eventId = $this->string('event_id');
        $this->test = $this->bool('test');
    }
}
