<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class RejectedMessage extends Answer
{
    /** @var int */
    public readonly ?int $index;

    /** @var string */
    public readonly ?string $to;

    /** @var string */
    public readonly ?string $code;

    /** @var string */
    public readonly ?string $detail;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->index = $this->int('index');
        $this->to = $this->string('to');
        $this->code = $this->string('code');
        $this->detail = $this->string('detail');
    }
}
