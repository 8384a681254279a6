<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class RecordedEntry extends Answer
{
    public const KIND_SIGNUP = 'signup';
    public const KIND_PURCHASE = 'purchase';
    public const KIND_REDEEM = 'redeem';
    public const KIND_MESSAGE = 'message';
    public const KIND_OTP = 'otp';
    public const KIND_INBOUND = 'inbound';
    public const KIND_REFUND = 'refund';
    public const KIND_CHARGEBACK = 'chargeback';
    public const KIND_ADJUSTMENT = 'adjustment';
    public const KIND_NUMBER_RENT = 'number_rent';
    public const KIND_NUMBER_SETUP = 'number_setup';

    /** @var int */
    public readonly ?int $number;

    /** @var \DateTimeImmutable */
    public readonly ?\DateTimeImmutable $at;

    /** @var string */
    public readonly ?string $kind;

    /** @var int */
    public readonly ?int $amount;

    /** @var int */
    public readonly ?int $balanceAfter;

    /** @var string|null */
    public readonly ?string $note;

    /** @var LedgerSeal|null */
    public readonly ?LedgerSeal $seal;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->number = $this->int('number');
        $this->at = $this->time('at');
        $this->kind = $this->string('kind');
        $this->amount = $this->int('amount');
        $this->balanceAfter = $this->int('balance_after');
        $this->note = $this->string('note');
        $this->seal = $this->object('seal', LedgerSeal::class);
    }
}
