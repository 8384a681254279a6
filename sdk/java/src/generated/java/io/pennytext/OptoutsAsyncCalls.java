// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.concurrent.CompletableFuture;

/** Calls with futures, whose cancellation ends the call. */
public final class OptoutsAsyncCalls {
    final Transport transport;

    OptoutsAsyncCalls(Transport transport) {
        this.transport = transport;
    }

    /** {@link OptoutsCalls#list}, as a future. */
    public CompletableFuture<Page<OptOut>> list() {
        return list(new OptoutsListRequest());
    }

    /** {@link OptoutsCalls#list}, as a future. */
    public CompletableFuture<Page<OptOut>> list(OptoutsListRequest request) {
        return transport.list("/api/optouts", request,
            "optouts", OptOut::new);
    }
}
