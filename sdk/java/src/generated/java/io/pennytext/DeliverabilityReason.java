// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.Map;

public final class DeliverabilityReason extends Value {
    DeliverabilityReason(Map<String, Object> fields) {
        super(fields);
    }

    public String code() {
        return get("code", String.class);
    }

    public String text() {
        return get("text", String.class);
    }

    public Boolean permanent() {
        return get("permanent", Boolean.class);
    }

    public Long messages() {
        return get("messages", Long.class);
    }
}
