package io.pennytext;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The clock of the waits between tries, which tests replace. */
class Clock {
    long nanoTime() {
        return System.nanoTime();
    }

    void schedule(long nanos, Runnable task) {
        CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS).execute(task);
    }
}
