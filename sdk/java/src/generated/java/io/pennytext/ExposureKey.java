// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.Map;

public final class ExposureKey extends Value {
    ExposureKey(Map<String, Object> fields) {
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

    public Long credits() {
        return get("credits", Long.class);
    }
}
