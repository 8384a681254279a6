<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Calls;

use Pennytext\Internal\Arguments;
use Pennytext\Internal\Repeat;
use Pennytext\Internal\Transport;
use Pennytext\Model;

/** Calls of `$client->numbers`. */
final class Numbers
{
    /** @internal */
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * Search for a number.
     *
     * Numbers that you can buy, with their prices. All of them carry messages.
     *
     * @param string|null $country Country as ISO 3166-1 alpha-2 code. `US` by default.
     * @param string|null $type `local` (default) or `toll_free`.
     * @param string|null $areaCode Only numbers with this area code, of the USA and Canada.
     * @param string|null $contains Only numbers with these 2 to 10 digits or letters of a keypad in a row; `*` is
     *     any digit.
     * @param int|null $limit How many at most: 20 by default.
     * @throws \Pennytext\PennytextException
     */
    public function available(
        ?string $country = null,
        ?string $type = null,
        ?string $areaCode = null,
        ?string $contains = null,
        ?int $limit = null,
    ): Model\AvailableNumbers {
        return new Model\AvailableNumbers($this->transport->call(
            'GET',
            '/api/numbers/available',
            query: [
                'country' => $country,
                'type' => $type,
                'area_code' => $areaCode,
                'contains' => $contains,
                'limit' => $limit,
            ],
        ));
    }

    /**
     * Buy a number.
     *
     * The price is held, and taken when the carrier has confirmed; else it is returned. Afterwards the rent is
     * taken every month. An account needs a paid purchase of credits, has 10 numbers at most and buys 5 a day.
     * DELETE it to give it up.
     *
     * @param string $number The number, as a search has listed it.
     * @param string|null $label Your name for it, up to 60 characters.
     * @param bool|null $autoRenew `false`: it is released when the month that is paid ends. `true` (default): its
     *     rent is taken then.
     * @param string|null $idempotencyKey Your own key, so that a repetition by another process is recognized too;
     *     random unless you set it.
     * @throws \Pennytext\PennytextException
     */
    public function buy(
        string|int|float $number,
        ?string $label = null,
        ?bool $autoRenew = null,
        ?string $idempotencyKey = null,
    ): Model\BoughtNumber {
        return new Model\BoughtNumber($this->transport->call(
            'POST',
            '/api/numbers',
            body: [
                'number' => $number,
                'label' => $label,
                'auto_renew' => $autoRenew,
            ],
            repeat: Repeat::Keyed,
            idempotencyKey: $idempotencyKey,
        ));
    }

    /**
     * List your numbers.
     *
     * Your numbers, newest first.
     *
     * @param string|null $status `live` (default): those that you have. `released`: those that you had.
     * @throws \Pennytext\PennytextException
     */
    public function list(
        ?string $status = null,
    ): Model\OwnNumbers {
        return new Model\OwnNumbers($this->transport->call(
            'GET',
            '/api/numbers',
            query: [
                'status' => $status,
            ],
        ));
    }

    /**
     * Show a number.
     *
     * One number, and what went through it.
     *
     * @param string $numberId
     * @throws \Pennytext\PennytextException
     */
    public function get(
        string|int|float $numberId,
    ): Model\OwnNumberAnswer {
        return new Model\OwnNumberAnswer($this->transport->call(
            'GET',
            '/api/numbers/' . Arguments::id($numberId),
        ));
    }

    /**
     * Change a number.
     *
     * Sets what is sent, and leaves the rest.
     *
     * @param string $numberId
     * @param string|null $label Your name for it, up to 60 characters.
     * @param bool|null $autoRenew `false`: it is released when the month that is paid ends. `true` (default): its
     *     rent is taken then.
     * @param int|null $strangersPerDay How many texts of people whom you have never texted are received, and
     *     charged, in a day, New York time; 0: none. Further ones are stored as `limited`: they cost nothing and are
     *     not sent to your webhook. Replies of people whom you have texted do not count. `null` for a number of the
     *     operator. A key sets up to 100, the dashboard more.
     * @throws \Pennytext\PennytextException
     */
    public function change(
        string|int|float $numberId,
        ?string $label = null,
        ?bool $autoRenew = null,
        ?int $strangersPerDay = null,
    ): Model\ChangedNumber {
        return new Model\ChangedNumber($this->transport->call(
            'PATCH',
            '/api/numbers/' . Arguments::id($numberId),
            body: [
                'label' => $label,
                'auto_renew' => $autoRenew,
                'strangers_per_day' => $strangersPerDay,
            ],
        ));
    }

    /**
     * Release a number.
     *
     * Gives the number up: 24 hours from now (`releasing` until `releases_at`), or when the month that is paid
     * ends, but not before that. Until then `cancel=true`, buying it again and the dashboard undo it; nothing is
     * sent from a number that is `releasing`. We email you. When it is released, messages that wait for it,
     * scheduled ones too, fail and are refunded; replies to it do not arrive any more. No other account can buy it
     * for 90 days, but you may not get it back either. Nothing is released while a dispute has frozen credits of
     * your account. The dashboard can release it at once.
     *
     * @param string $numberId
     * @param string|null $at `now` (default): 24 hours from now. `renews_at`: when the paid month ends.
     * @throws \Pennytext\PennytextException
     */
    public function release(
        string|int|float $numberId,
        ?string $at = null,
    ): Model\ChangedNumber {
        return new Model\ChangedNumber($this->transport->call(
            'DELETE',
            '/api/numbers/' . Arguments::id($numberId),
            query: [
                'at' => $at,
            ],
        ));
    }

    /**
     * Undo a release.
     *
     * Gives the number up: 24 hours from now (`releasing` until `releases_at`), or when the month that is paid
     * ends, but not before that. Until then `cancel=true`, buying it again and the dashboard undo it; nothing is
     * sent from a number that is `releasing`. We email you. When it is released, messages that wait for it,
     * scheduled ones too, fail and are refunded; replies to it do not arrive any more. No other account can buy it
     * for 90 days, but you may not get it back either. Nothing is released while a dispute has frozen credits of
     * your account. The dashboard can release it at once.
     *
     * @param string $numberId
     * @throws \Pennytext\PennytextException
     */
    public function keep(
        string|int|float $numberId,
    ): Model\ChangedNumber {
        return new Model\ChangedNumber($this->transport->call(
            'DELETE',
            '/api/numbers/' . Arguments::id($numberId),
            query: [
                'cancel' => 'true',
            ],
        ));
    }
}
