// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.Map;

public final class DeliverabilityCountry extends Value {
    DeliverabilityCountry(Map<String, Object> fields) {
        super(fields);
    }

    public String country() {
        return get("country", String.class);
    }

    public Long messages() {
        return get("messages", Long.class);
    }

    public Long delivered() {
        return get("delivered", Long.class);
    }
}
