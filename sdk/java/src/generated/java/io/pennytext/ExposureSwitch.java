// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.Map;

public final class ExposureSwitch extends Value {
    ExposureSwitch(Map<String, Object> fields) {
        super(fields);
    }

    /** Values: {@code top_up_off}. */
    public String switch_() {
        return get("switch", String.class);
    }

    /** May be null. */
    public String keyId() {
        return get("key_id", String.class);
    }

    public String text() {
        return get("text", String.class);
    }

    public Long credits() {
        return get("credits", Long.class);
    }
}
