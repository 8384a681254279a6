// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.Map;

public final class SpendKey extends Value {
    SpendKey(Map<String, Object> fields) {
        super(fields);
    }

    /** May be null. */
    public String keyId() {
        return get("key_id", String.class);
    }

    /** May be null. */
    public String name() {
        return get("name", String.class);
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
