// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.Map;

public final class MessageFile extends Value {
    MessageFile(Map<String, Object> fields) {
        super(fields);
    }

    public String mediaId() {
        return get("media_id", String.class);
    }

    /** May be null. */
    public String url() {
        return get("url", String.class);
    }

    public String type() {
        return get("type", String.class);
    }

    public Long bytes() {
        return get("bytes", Long.class);
    }

    /** May be null. */
    public String sha256() {
        return get("sha256", String.class);
    }

    /** May be null. */
    public String originalId() {
        return get("original_id", String.class);
    }
}
