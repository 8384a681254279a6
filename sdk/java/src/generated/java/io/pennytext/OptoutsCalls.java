// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

/** Calls of {@link Pennytext}. */
public final class OptoutsCalls {
    final OptoutsAsyncCalls async;

    OptoutsCalls(OptoutsAsyncCalls async) {
        this.async = async;
    }

    /**
     * List opt-outs.
     *
     * <p>The people whom you have texted and who have opted out of a sender, or who have opted out of a number
     * of yours, newest first. An opt-out from a number of yours holds for all that you send, from every number
     * and pool that you have or get; one from a shared number for all of these, and for what you send without
     * {@code from}: messages to that person are refused as {@code recipient_opted_out} until the person replies
     * START.
     */
    public Pages<OptOut> list() {
        return list(new OptoutsListRequest());
    }

    /**
     * List opt-outs.
     *
     * <p>The people whom you have texted and who have opted out of a sender, or who have opted out of a number
     * of yours, newest first. An opt-out from a number of yours holds for all that you send, from every number
     * and pool that you have or get; one from a shared number for all of these, and for what you send without
     * {@code from}: messages to that person are refused as {@code recipient_opted_out} until the person replies
     * START.
     */
    public Pages<OptOut> list(OptoutsListRequest request) {
        return new Pages<>(() -> async.list(request));
    }
}
