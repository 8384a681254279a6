<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class Notifications extends Answer
{
    /**
     * Each with its `code`; `severity`: `critical` when something does not work now, else `warning`; `since`,
     * `null` where the beginning is not known; a `message`, the `action` to take, the `url` of the dashboard where
     * it is taken, and the `figures` of the message, by code. `id` names the cause: the same code with another
     * cause has another id. Later versions may add codes.
     *
     * @var list<Notification>
     */
    public readonly ?array $notifications;

    /**
     * Present if the key was a test key: this is an example.
     *
     * @var bool|null
     */
    public readonly ?bool $test;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->notifications = $this->objects('notifications', Notification::class);
        $this->test = $this->bool('test');
    }
}
