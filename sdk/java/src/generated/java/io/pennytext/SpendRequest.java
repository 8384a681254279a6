// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

/** Arguments of {@link PennytextCalls#spend}. */
public final class SpendRequest extends Request {
    /**
     * First day, in New York; at most 366 days with the last one. Without it from the first day of the month 5
     * months earlier.
     */
    public SpendRequest from(String from) {
        set("from", from);
        return this;
    }

    /** Last day, inclusive. Without it today. */
    public SpendRequest to(String to) {
        set("to", to);
        return this;
    }
}
