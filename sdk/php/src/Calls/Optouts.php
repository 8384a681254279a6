<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Calls;

use Pennytext\Internal\Transport;
use Pennytext\Model;
use Pennytext\Pages;

/** Calls of `$client->optouts`. */
final class Optouts
{
    /** @internal */
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * List opt-outs.
     *
     * The people whom you have texted and who have opted out of a sender, or who have opted out of a number of
     * yours, newest first. An opt-out from a number of yours holds for all that you send, from every number and
     * pool that you have or get; one from a shared number for all of these, and for what you send without `from`:
     * messages to that person are refused as `recipient_opted_out` until the person replies START.
     *
     * @param string|null $number Only this person.
     * @param string|null $sender Only those who opted out of this sender.
     * @param \DateTimeInterface|null $since Only those who opted out at this time or later (RFC 3339 with an
     *     offset).
     * @param \DateTimeInterface|null $until Only those who opted out before this time.
     * @param string|null $status `opted_out` (default): opt-outs in force. `all`: those that were lifted, too.
     * @return Pages<Model\OptOut>
     */
    public function list(
        string|int|float|null $number = null,
        ?string $sender = null,
        ?\DateTimeInterface $since = null,
        ?\DateTimeInterface $until = null,
        ?string $status = null,
    ): Pages {
        return new Pages(
            $this->transport,
            '/api/optouts',
            [
                'number' => $number,
                'sender' => $sender,
                'since' => $since,
                'until' => $until,
                'status' => $status,
            ],
            'optouts',
            Model\OptOut::class,
        );
    }
}
