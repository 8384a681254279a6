// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.concurrent.CompletableFuture;

/** Calls with futures, whose cancellation ends the call. */
public final class PoolsAsyncCalls {
    final Transport transport;

    PoolsAsyncCalls(Transport transport) {
        this.transport = transport;
    }

    /** {@link PoolsCalls#put}, as a future. */
    public CompletableFuture<PoolAnswer> put(PoolsPutRequest request) {
        return transport.call("POST", "/api/pools", request,
            Call.Repeat.FREE, PoolAnswer::new);
    }

    /** {@link PoolsCalls#list}, as a future. */
    public CompletableFuture<PoolsAnswer> list() {
        return transport.call("GET", "/api/pools", null,
            Call.Repeat.FREE, PoolsAnswer::new);
    }

    /** {@link PoolsCalls#get}, as a future. */
    public CompletableFuture<PoolAnswer> get(String poolId) {
        return transport.call("GET", "/api/pools/" + Transport.segment(poolId), null,
            Call.Repeat.FREE, PoolAnswer::new);
    }

    /** {@link PoolsCalls#delete}, as a future. */
    public CompletableFuture<PoolDeleted> delete(String poolId) {
        return transport.call("DELETE", "/api/pools/" + Transport.segment(poolId), null,
            Call.Repeat.FREE, PoolDeleted::new);
    }
}
