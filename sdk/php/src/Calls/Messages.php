<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Calls;

use Pennytext\Internal\Arguments;
use Pennytext\Internal\Transport;
use Pennytext\Model;
use Pennytext\Pages;

/** Calls of `$client->messages`. */
final class Messages
{
    /** @internal */
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * List your messages.
     *
     * Your messages and their states, newest first, in pages. With a filter a page may have fewer messages than
     * there are, or none: ask on until `next_cursor` is `null`.
     *
     * @param string|null $status Only messages in this state.
     * @param string|null $reason Only messages that were not delivered for this reason: a code of the carrier, such
     *     as `30003`, or of ours, for messages without one of the carrier.
     * @param string|null $to Only messages to this number.
     * @param string|null $reference Only messages with exactly this reference.
     * @param string|null $batchId Only messages of this batch.
     * @param \DateTimeInterface|null $since Only messages accepted at this time or later (RFC 3339 with an offset).
     * @param \DateTimeInterface|null $until Only messages accepted before this time.
     * @return Pages<Model\Message>
     */
    public function list(
        ?string $status = null,
        ?string $reason = null,
        string|int|float|null $to = null,
        ?string $reference = null,
        ?string $batchId = null,
        ?\DateTimeInterface $since = null,
        ?\DateTimeInterface $until = null,
    ): Pages {
        return new Pages(
            $this->transport,
            '/api/messages',
            [
                'status' => $status,
                'reason' => $reason,
                'to' => $to,
                'reference' => $reference,
                'batch_id' => $batchId,
                'since' => $since,
                'until' => $until,
            ],
            'messages',
            Model\Message::class,
        );
    }

    /**
     * Show a message.
     *
     * One message and its state. Messages of other accounts are not found.
     *
     * @param string $messageId
     * @throws \Pennytext\PennytextException
     */
    public function get(
        string|int|float $messageId,
    ): Model\MessageAnswer {
        return new Model\MessageAnswer($this->transport->call(
            'GET',
            '/api/messages/' . Arguments::id($messageId),
        ));
    }

    /**
     * Show the record of a message.
     *
     * Everything known of one message: every state with its time and cause, the carrier’s id and codes, ledger
     * entries with their seals, refund, and webhooks with their attempts. `removed` names what is no longer kept.
     *
     * @param string $messageId
     * @throws \Pennytext\PennytextException
     */
    public function record(
        string|int|float $messageId,
    ): Model\MessageRecord {
        return new Model\MessageRecord($this->transport->call(
            'GET',
            '/api/messages/' . Arguments::id($messageId) . '/record',
        ));
    }

    /**
     * Cancel a message.
     *
     * Cancels a message that is `scheduled` or `queued`, and refunds its credits. Canceling it again answers 200
     * with it, and refunds nothing more. A one-time password cannot be canceled.
     *
     * @param string $messageId
     * @throws \Pennytext\PennytextException
     */
    public function cancel(
        string|int|float $messageId,
    ): Model\MessageAnswer {
        return new Model\MessageAnswer($this->transport->call(
            'POST',
            '/api/messages/' . Arguments::id($messageId) . '/cancel',
            body: [],
        ));
    }
}
