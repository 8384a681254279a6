package io.pennytext;

/**
 * Client of the Pennytext API. Threads can share it.
 *
 * <p>Every call throws {@link PennytextException}, and IllegalArgumentException for arguments that a request cannot
 * carry. Calls that failed on the way are repeated with one Idempotency-Key, so that nothing is sent or charged twice.
 */
public final class Pennytext extends PennytextCalls {
    Pennytext(Transport transport) {
        super(new PennytextAsyncCalls(transport));
    }

    public static PennytextBuilder builder() {
        return new PennytextBuilder();
    }

    /** Returns a builder with the options of this client, whose clients share its connections. */
    public PennytextBuilder toBuilder() {
        return new PennytextBuilder(async.transport.options);
    }

    /** Returns the same calls with futures, whose cancellation ends the call. */
    public PennytextAsyncCalls async() {
        return async;
    }

    @Override
    public String toString() {
        return "Pennytext[" + async.transport.options.baseUrl + "]";
    }
}
