// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.Map;

public final class ReadyFile extends Value {
    ReadyFile(Map<String, Object> fields) {
        super(fields);
    }

    public String mediaId() {
        return get("media_id", String.class);
    }

    /** May be null. */
    public String url() {
        return get("url", String.class);
    }

    /** May be null. */
    public String type() {
        return get("type", String.class);
    }

    /** May be null. */
    public Long bytes() {
        return get("bytes", Long.class);
    }

    /** May be null. */
    public String sha256() {
        return get("sha256", String.class);
    }

    /** Values: {@code pending}, {@code stored}, {@code failed}, {@code expired}. */
    public String status() {
        return get("status", String.class);
    }
}
