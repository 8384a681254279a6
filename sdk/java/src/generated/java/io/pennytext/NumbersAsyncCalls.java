// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.concurrent.CompletableFuture;

/** Calls with futures, whose cancellation ends the call. */
public final class NumbersAsyncCalls {
    final Transport transport;

    NumbersAsyncCalls(Transport transport) {
        this.transport = transport;
    }

    /** {@link NumbersCalls#available}, as a future. */
    public CompletableFuture<AvailableNumbers> available() {
        return available(new NumbersAvailableRequest());
    }

    /** {@link NumbersCalls#available}, as a future. */
    public CompletableFuture<AvailableNumbers> available(NumbersAvailableRequest request) {
        return transport.call("GET", "/api/numbers/available", request,
            Call.Repeat.FREE, AvailableNumbers::new);
    }

    /** {@link NumbersCalls#buy}, as a future. */
    public CompletableFuture<BoughtNumber> buy(NumbersBuyRequest request) {
        return transport.call("POST", "/api/numbers", request,
            Call.Repeat.KEYED, BoughtNumber::new);
    }

    /** {@link NumbersCalls#list}, as a future. */
    public CompletableFuture<OwnNumbers> list() {
        return list(new NumbersListRequest());
    }

    /** {@link NumbersCalls#list}, as a future. */
    public CompletableFuture<OwnNumbers> list(NumbersListRequest request) {
        return transport.call("GET", "/api/numbers", request,
            Call.Repeat.FREE, OwnNumbers::new);
    }

    /** {@link NumbersCalls#get}, as a future. */
    public CompletableFuture<OwnNumberAnswer> get(String numberId) {
        return transport.call("GET", "/api/numbers/" + Transport.segment(numberId), null,
            Call.Repeat.FREE, OwnNumberAnswer::new);
    }

    /** {@link NumbersCalls#change}, as a future. */
    public CompletableFuture<ChangedNumber> change(String numberId, NumbersChangeRequest request) {
        return transport.call("PATCH", "/api/numbers/" + Transport.segment(numberId), request,
            Call.Repeat.FREE, ChangedNumber::new);
    }

    /** {@link NumbersCalls#release}, as a future. */
    public CompletableFuture<ChangedNumber> release(String numberId) {
        return release(numberId, new NumbersReleaseRequest());
    }

    /** {@link NumbersCalls#release}, as a future. */
    public CompletableFuture<ChangedNumber> release(String numberId, NumbersReleaseRequest request) {
        return transport.call("DELETE", "/api/numbers/" + Transport.segment(numberId), request,
            Call.Repeat.FREE, ChangedNumber::new);
    }

    /** {@link NumbersCalls#keep}, as a future. */
    public CompletableFuture<ChangedNumber> keep(String numberId) {
        return transport.call("DELETE", "/api/numbers/" + Transport.segment(numberId) + "?cancel=true", null,
            Call.Repeat.FREE, ChangedNumber::new);
    }
}
