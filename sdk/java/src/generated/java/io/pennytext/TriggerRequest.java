// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

/** Arguments of {@link PennytextCalls#trigger}. */
public final class TriggerRequest extends Request {
    /** The type of the event. */
    public TriggerRequest type(String type) {
        set("type", type);
        return this;
    }
}
