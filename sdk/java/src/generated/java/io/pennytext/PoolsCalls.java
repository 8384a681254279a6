// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

/** Calls of {@link Pennytext}. */
public final class PoolsCalls {
    final PoolsAsyncCalls async;

    PoolsCalls(PoolsAsyncCalls async) {
        this.async = async;
    }

    /**
     * Create or replace a pool.
     *
     * <p>A message from a pool takes the number that its recipient knows, else one of the pool. A pool of the
     * same name gets these numbers in place of its own; a number that carriers filtered is used again.
     */
    public PoolAnswer put(PoolsPutRequest request) {
        return Call.await(async.put(request));
    }

    /**
     * List your pools.
     *
     * <p>Your pools, oldest first.
     */
    public PoolsAnswer list() {
        return Call.await(async.list());
    }

    /**
     * Show a pool.
     *
     * <p>One pool and its numbers.
     */
    public PoolAnswer get(String poolId) {
        return Call.await(async.get(poolId));
    }

    /**
     * Delete a pool.
     *
     * <p>Its numbers stay yours. Messages from it are refused; without a default pool, messages without
     * {@code from} take shared senders.
     */
    public PoolDeleted delete(String poolId) {
        return Call.await(async.delete(poolId));
    }
}
