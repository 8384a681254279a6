<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class RecoveryCodes extends Answer
{
    /**
     * Id of the authenticator: `TP` and 32 hex digits.
     *
     * @var string
     */
    public readonly ?string $totpId;

    /**
     * The codes. They are not shown again.
     *
     * @var list<string>
     */
    public readonly ?array $recoveryCodes;

    /**
     * Present if the key was a test key: these are the codes of all test keys.
     *
     * @var bool|null
     */
    public readonly ?bool $test;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->totpId = $this->string('totp_id');
        $this->recoveryCodes = $this->array('recovery_codes');
        $this->test = $this->bool('test');
    }
}
