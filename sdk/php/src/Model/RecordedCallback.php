<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class RecordedCallback extends Answer
{
    public const FORMAT_TWILIO = 'twilio';
    public const FORMAT_TEXTBELT = 'textbelt';

    /** @var string */
    public readonly ?string $format;

    /** @var string */
    public readonly ?string $url;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->format = $this->string('format');
        $this->url = $this->string('url');
    }
}
