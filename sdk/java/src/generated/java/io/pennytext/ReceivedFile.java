// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.Map;

public final class ReceivedFile extends Value {
    ReceivedFile(Map<String, Object> fields) {
        super(fields);
    }

    public String id() {
        return get("Id", String.class);
    }

    /** May be null. */
    public String url() {
        return get("Url", String.class);
    }

    /** May be null. */
    public String type() {
        return get("Type", String.class);
    }

    /** May be null. */
    public Long bytes() {
        return get("Bytes", Long.class);
    }

    /** May be null. */
    public String sha256() {
        return get("Sha256", String.class);
    }

    /** Values: {@code pending}, {@code stored}, {@code failed}, {@code expired}. */
    public String status() {
        return get("Status", String.class);
    }
}
