<?php

declare(strict_types=1);

namespace Pennytext\Internal;

/**
 * Clock of the deadlines and waits, which tests replace.
 *
 * @internal
 */
class Clock
{
    /** Returns seconds of a clock that never goes back. */
    public function now(): float
    {
        return hrtime(true) / 1e9;
    }

    /** Waits. A signal does not end the wait, unless its handler throws. */
    public function sleep(float $seconds): void
    {
        for ($endsAt = $this->now() + $seconds; ($left = $endsAt - $this->now()) > 0;) {
            usleep((int) ceil(min($left, 1.0) * 1e6));
        }
    }
}
