// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.Map;

public final class SpendKind extends Value {
    SpendKind(Map<String, Object> fields) {
        super(fields);
    }

    /** Values: {@code message}, {@code otp}, {@code reply}, {@code number}. */
    public String kind() {
        return get("kind", String.class);
    }

    public Long messages() {
        return get("messages", Long.class);
    }

    public Long charged() {
        return get("charged", Long.class);
    }

    public Long refunded() {
        return get("refunded", Long.class);
    }

    public Long spent() {
        return get("spent", Long.class);
    }
}
