// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

/** Arguments of {@link NumbersCalls#buy}. */
public final class NumbersBuyRequest extends Request {
    /** The number, as a search has listed it. */
    public NumbersBuyRequest number(String number) {
        set("number", number);
        return this;
    }

    /** Your name for it, up to 60 characters. */
    public NumbersBuyRequest label(String label) {
        set("label", label);
        return this;
    }

    /**
     * {@code false}: it is released when the month that is paid ends. {@code true} (default): its rent is taken
     * then.
     */
    public NumbersBuyRequest autoRenew(Boolean autoRenew) {
        set("auto_renew", autoRenew);
        return this;
    }

    /**
     * Sets your own key, which also recognizes a repetition by another process. Each call has a random key
     * without it.
     */
    public NumbersBuyRequest idempotencyKey(String idempotencyKey) {
        this.idempotencyKey = idempotencyKey;
        return this;
    }
}
