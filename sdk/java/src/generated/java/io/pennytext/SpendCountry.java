// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.Map;

public final class SpendCountry extends Value {
    SpendCountry(Map<String, Object> fields) {
        super(fields);
    }

    /** May be null. */
    public String country() {
        return get("country", String.class);
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
