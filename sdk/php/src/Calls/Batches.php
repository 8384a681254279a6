<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Calls;

use Pennytext\Internal\Arguments;
use Pennytext\Internal\Transport;
use Pennytext\Model;
use Pennytext\Pages;

/** Calls of `$client->batches`. */
final class Batches
{
    /** @internal */
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * List your batches.
     *
     * Your bulks and how far they are, newest first, in pages.
     *
     * @return Pages<Model\Batch>
     */
    public function list(): Pages
    {
        return new Pages(
            $this->transport,
            '/api/batches',
            [],
            'batches',
            Model\Batch::class,
        );
    }

    /**
     * Show a batch.
     *
     * How many messages of a bulk have each status, and what they cost.
     *
     * @param string $batchId
     * @throws \Pennytext\PennytextException
     */
    public function get(
        string|int|float $batchId,
    ): Model\BatchAnswer {
        return new Model\BatchAnswer($this->transport->call(
            'GET',
            '/api/batches/' . Arguments::id($batchId),
        ));
    }

    /**
     * Cancel a batch.
     *
     * Cancels the messages of a bulk that are scheduled or queued, and refunds them. Those that dispatch already
     * has are sent.
     *
     * @param string $batchId
     * @throws \Pennytext\PennytextException
     */
    public function cancel(
        string|int|float $batchId,
    ): Model\BatchCanceled {
        return new Model\BatchCanceled($this->transport->call(
            'POST',
            '/api/batches/' . Arguments::id($batchId) . '/cancel',
            body: [],
        ));
    }

    /**
     * List the messages of a batch.
     *
     * The messages of a bulk and their states, the last one first, in pages.
     *
     * @param string $batchId
     * @return Pages<Model\Message>
     */
    public function messages(
        string|int|float $batchId,
    ): Pages {
        return new Pages(
            $this->transport,
            '/api/batches/' . Arguments::id($batchId) . '/messages',
            [],
            'messages',
            Model\Message::class,
        );
    }
}
