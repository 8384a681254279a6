<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class WebhookAttempt extends Answer
{
    /** @var \DateTimeImmutable */
    public readonly ?\DateTimeImmutable $at;

    /** @var int */
    public readonly ?int $durationMs;

    /** @var int|null */
    public readonly ?int $status;

    /** @var string */
    public readonly ?string $answer;

    /** @var string|null */
    public readonly ?string $error;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->at = $this->time('at');
        $this->durationMs = $this->int('duration_ms');
        $this->status = $this->int('status');
        $this->answer = $this->string('answer');
        $this->error = $this->string('error');
    }
}
