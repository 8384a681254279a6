// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.List;
import java.util.Map;

public final class SpendMonth extends Value {
    SpendMonth(Map<String, Object> fields) {
        super(fields);
    }

    public String month() {
        return get("month", String.class);
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

    public List<SpendKey> keys() {
        return objects("keys", SpendKey::new);
    }
}
