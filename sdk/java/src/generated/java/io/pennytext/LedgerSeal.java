// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;
import java.util.Map;

public final class LedgerSeal extends Value {
    LedgerSeal(Map<String, Object> fields) {
        super(fields);
    }

    public Long number() {
        return get("number", Long.class);
    }

    public Long first() {
        return get("first", Long.class);
    }

    public Long last() {
        return get("last", Long.class);
    }

    public OffsetDateTime sealedAt() {
        return time("sealed_at");
    }

    public String key() {
        return get("key", String.class);
    }

    public String hash() {
        return get("hash", String.class);
    }
}
