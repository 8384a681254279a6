<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class TotpDeleted extends Answer
{
    /**
     * Id of the authenticator: `TP` and 32 hex digits.
     *
     * @var string
     */
    public readonly ?string $totpId;

    /**
     * Its codes and recovery codes are not accepted any more.
     *
     * @var bool
     */
    public readonly ?bool $deleted;

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
        $this->totpId = $this->string('totp_id');
        $this->deleted = $this->bool('deleted');
        $this->test = $this->bool('test');
    }
}
