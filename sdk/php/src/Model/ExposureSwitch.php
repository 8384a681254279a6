<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class ExposureSwitch extends Answer
{
    public const SWITCH_TOP_UP_OFF = 'top_up_off';

    /** @var string */
    public readonly ?string $switch;

    /** @var string|null */
    public readonly ?string $keyId;

    /** @var string */
    public readonly ?string $text;

    /** @var int */
    public readonly ?int $credits;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->switch = $this->string('switch');
        $this->keyId = $this->string('key_id');
        $this->text = $this->string('text');
        $this->credits = $this->int('credits');
    }
}
