<?php

declare(strict_types=1);

namespace Pennytext\Internal;

/** @internal */
enum Repeat
{
    /** One Idempotency-Key for all tries. */
    case Keyed;
    /** Repeated after 429 only: a lost answer is not asked for again. */
    case Once;
    /** A call that changes nothing, or changes it once however often it is made. */
    case Free;
}
