// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

/** Calls of {@link Pennytext}. */
public final class BatchesCalls {
    final BatchesAsyncCalls async;

    BatchesCalls(BatchesAsyncCalls async) {
        this.async = async;
    }

    /**
     * List your batches.
     *
     * <p>Your bulks and how far they are, newest first, in pages.
     */
    public Pages<Batch> list() {
        return new Pages<>(() -> async.list());
    }

    /**
     * Show a batch.
     *
     * <p>How many messages of a bulk have each status, and what they cost.
     */
    public BatchAnswer get(String batchId) {
        return Call.await(async.get(batchId));
    }

    /**
     * Cancel a batch.
     *
     * <p>Cancels the messages of a bulk that are scheduled or queued, and refunds them. Those that dispatch
     * already has are sent.
     */
    public BatchCanceled cancel(String batchId) {
        return Call.await(async.cancel(batchId));
    }

    /**
     * List the messages of a batch.
     *
     * <p>The messages of a bulk and their states, the last one first, in pages.
     */
    public Pages<Message> messages(String batchId) {
        return new Pages<>(() -> async.messages(batchId));
    }
}
