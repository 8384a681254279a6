<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Calls;

use Pennytext\Internal\Arguments;
use Pennytext\Internal\Transport;
use Pennytext\Model;

/** Calls of `$client->pools`. */
final class Pools
{
    /** @internal */
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * Create or replace a pool.
     *
     * A message from a pool takes the number that its recipient knows, else one of the pool. A pool of the same
     * name gets these numbers in place of its own; a number that carriers filtered is used again.
     *
     * @param string $name Up to 60 characters. A pool of this name gets these numbers.
     * @param list<string> $numbers Up to 50 of your numbers, or their ids.
     * @param bool|null $default Whether messages without `from` take its numbers. Your first pool does, unless you
     *     send `false`.
     * @throws \Pennytext\PennytextException
     */
    public function put(
        string $name,
        array $numbers,
        ?bool $default = null,
    ): Model\PoolAnswer {
        return new Model\PoolAnswer($this->transport->call(
            'POST',
            '/api/pools',
            body: [
                'name' => $name,
                'numbers' => $numbers,
                'default' => $default,
            ],
        ));
    }

    /**
     * List your pools.
     *
     * Your pools, oldest first.
     *
     * @throws \Pennytext\PennytextException
     */
    public function list(): Model\PoolsAnswer
    {
        return new Model\PoolsAnswer($this->transport->call(
            'GET',
            '/api/pools',
        ));
    }

    /**
     * Show a pool.
     *
     * One pool and its numbers.
     *
     * @param string $poolId
     * @throws \Pennytext\PennytextException
     */
    public function get(
        string|int|float $poolId,
    ): Model\PoolAnswer {
        return new Model\PoolAnswer($this->transport->call(
            'GET',
            '/api/pools/' . Arguments::id($poolId),
        ));
    }

    /**
     * Delete a pool.
     *
     * Its numbers stay yours. Messages from it are refused; without a default pool, messages without `from` take
     * shared senders.
     *
     * @param string $poolId
     * @throws \Pennytext\PennytextException
     */
    public function delete(
        string|int|float $poolId,
    ): Model\PoolDeleted {
        return new Model\PoolDeleted($this->transport->call(
            'DELETE',
            '/api/pools/' . Arguments::id($poolId),
        ));
    }
}
