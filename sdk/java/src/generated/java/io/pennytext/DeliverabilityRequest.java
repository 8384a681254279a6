// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

/** Arguments of {@link PennytextCalls#deliverability}. */
public final class DeliverabilityRequest extends Request {
    /** First day of acceptance, in New York; at most 92 days with the last one. Without it the last 30 days. */
    public DeliverabilityRequest from(String from) {
        set("from", from);
        return this;
    }

    /** Last day of acceptance, inclusive. Without it today. */
    public DeliverabilityRequest to(String to) {
        set("to", to);
        return this;
    }
}
