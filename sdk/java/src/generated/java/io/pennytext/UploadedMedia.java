// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;
import java.util.Map;

public final class UploadedMedia extends Value {
    UploadedMedia(Map<String, Object> fields) {
        super(fields);
    }

    /** Id of the file: {@code ME} and 32 hex digits. */
    public String mediaId() {
        return get("media_id", String.class);
    }

    /** Its media type, as its bytes show it. */
    public String type() {
        return get("type", String.class);
    }

    /** Its size. */
    public Long bytes() {
        return get("bytes", Long.class);
    }

    /** SHA-256 of its bytes, in hex digits. */
    public String sha256() {
        return get("sha256", String.class);
    }

    /** When the file is deleted, in UTC. Messages that wait keep it longer. */
    public OffsetDateTime expiresAt() {
        return time("expires_at");
    }

    /** Present if the key was a test key: nothing was stored. May be null. */
    public Boolean test() {
        return get("test", Boolean.class);
    }
}
