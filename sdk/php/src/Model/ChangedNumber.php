<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class ChangedNumber extends Answer
{
    public const TYPE_LOCAL = 'local';
    public const TYPE_TOLL_FREE = 'toll_free';
    public const CAPABILITIES_SMS = 'sms';
    public const CAPABILITIES_MMS = 'mms';
    public const ORIGIN_PURCHASE = 'purchase';
    public const ORIGIN_OPERATOR = 'operator';
    public const STATUS_RESERVING = 'reserving';
    public const STATUS_ACTIVE = 'active';
    public const STATUS_PAST_DUE = 'past_due';
    public const STATUS_RELEASING = 'releasing';
    public const STATUS_RELEASED = 'released';

    /**
     * Id of the number: `num_` and 32 hex digits.
     *
     * @var string
     */
    public readonly ?string $numberId;

    /**
     * The number in E.164 format; one of the operator may be the id of a messaging service.
     *
     * @var string
     */
    public readonly ?string $number;

    /**
     * Your name for it, up to 60 characters.
     *
     * @var string|null
     */
    public readonly ?string $label;

    /**
     * `local` or `toll_free`; `null` for a number of the operator.
     *
     * @var string|null
     */
    public readonly ?string $type;

    /**
     * Its country, as ISO 3166-1 alpha-2 code; `null` for a number of the operator.
     *
     * @var string|null
     */
    public readonly ?string $country;

    /**
     * Kinds of messages that the number takes and sends.
     *
     * @var list<string>
     */
    public readonly ?array $capabilities;

    /**
     * `purchase`: you bought it. `operator`: the operator has given it to you.
     *
     * @var string
     */
    public readonly ?string $origin;

    /**
     * `reserving`: its purchase is not decided yet. `active`. `past_due`: its rent is due, and it works until
     * `releases_at`. `releasing`: nothing is sent from it, and texts to it are stored, uncharged; it is given back
     * at `releases_at`, until which you can undo it. `released`.
     *
     * @var string
     */
    public readonly ?string $status;

    /**
     * `false`: it is released when the month that is paid ends. `true` (default): its rent is taken then.
     *
     * @var bool
     */
    public readonly ?bool $autoRenew;

    /**
     * Its rent in credits; `null` for a number of the operator.
     *
     * @var int|null
     */
    public readonly ?int $creditsPerMonth;

    /**
     * How many texts of people whom you have never texted are received, and charged, in a day, New York time; 0:
     * none. Further ones are stored as `limited`: they cost nothing and are not sent to your webhook. Replies of
     * people whom you have texted do not count. `null` for a number of the operator. A key sets up to 100, the
     * dashboard more.
     *
     * @var int|null
     */
    public readonly ?int $strangersPerDay;

    /**
     * When the month that is paid ends, in UTC.
     *
     * @var \DateTimeImmutable|null
     */
    public readonly ?\DateTimeImmutable $renewsAt;

    /**
     * Since when its rent is due and not paid.
     *
     * @var \DateTimeImmutable|null
     */
    public readonly ?\DateTimeImmutable $pastDueSince;

    /**
     * When it is released, unless its rent is paid, `auto_renew` is set or the release is undone.
     *
     * @var \DateTimeImmutable|null
     */
    public readonly ?\DateTimeImmutable $releasesAt;

    /**
     * When it was released.
     *
     * @var \DateTimeImmutable|null
     */
    public readonly ?\DateTimeImmutable $releasedAt;

    /**
     * Since when carriers filter its messages, so that pools do not use it; `null` if they do not.
     *
     * @var \DateTimeImmutable|null
     */
    public readonly ?\DateTimeImmutable $filteredAt;

    /**
     * Ids of the pools that it is in.
     *
     * @var list<string>
     */
    public readonly ?array $pools;

    /**
     * When you bought it, in UTC.
     *
     * @var \DateTimeImmutable
     */
    public readonly ?\DateTimeImmutable $createdAt;

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
        $this->numberId = $this->string('number_id');
        $this->number = $this->string('number');
        $this->label = $this->string('label');
        $this->type = $this->string('type');
        $this->country = $this->string('country');
        $this->capabilities = $this->array('capabilities');
        $this->origin = $this->string('origin');
        $this->status = $this->string('status');
        $this->autoRenew = $this->bool('auto_renew');
        $this->creditsPerMonth = $this->int('credits_per_month');
        $this->strangersPerDay = $this->int('strangers_per_day');
        $this->renewsAt = $this->time('renews_at');
        $this->pastDueSince = $this->time('past_due_since');
        $this->releasesAt = $this->time('releases_at');
        $this->releasedAt = $this->time('released_at');
        $this->filteredAt = $this->time('filtered_at');
        $this->pools = $this->array('pools');
        $this->createdAt = $this->time('created_at');
        $this->test = $this->bool('test');
    }
}
