// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.Map;

public final class DeliverabilityDay extends Value {
    DeliverabilityDay(Map<String, Object> fields) {
        super(fields);
    }

    public String day() {
        return get("day", String.class);
    }

    public Long messages() {
        return get("messages", Long.class);
    }

    public Long delivered() {
        return get("delivered", Long.class);
    }
}
