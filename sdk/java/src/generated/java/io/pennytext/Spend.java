// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.List;
import java.util.Map;

public final class Spend extends Value {
    Spend(Map<String, Object> fields) {
        super(fields);
    }

    /** First day that counts, in New York. */
    public String from() {
        return get("from", String.class);
    }

    /** Last day that counts, inclusive. */
    public String to() {
        return get("to", String.class);
    }

    /** Messages, one-time passwords and replies that were charged. */
    public Long messages() {
        return get("messages", Long.class);
    }

    /** Credits charged for them. */
    public Long charged() {
        return get("charged", Long.class);
    }

    /** Credits that came back on these days. */
    public Long refunded() {
        return get("refunded", Long.class);
    }

    /** {@code charged} less {@code refunded}; below 0 where refunds are for charges of earlier days. */
    public Long spent() {
        return get("spent", Long.class);
    }

    /** By month, oldest first, and by key within each month. */
    public List<SpendMonth> months() {
        return objects("months", SpendMonth::new);
    }

    /** By day, oldest first, without those on which no credits moved. */
    public List<SpendDay> days() {
        return objects("days", SpendDay::new);
    }

    /**
     * By key, the largest first. {@code key_id} and {@code name} are {@code null} for the own key of your
     * account, the dashboard and replies, {@code name} also for a key that was revoked.
     */
    public List<SpendKey> keys() {
        return objects("keys", SpendKey::new);
    }

    /**
     * By country of the recipient, as ISO 3166-1 alpha-2 code; the largest first. {@code null}: replies, and
     * messages that are not kept any more.
     */
    public List<SpendCountry> countries() {
        return objects("countries", SpendCountry::new);
    }

    /** By what they were spent for: {@code message}, {@code otp}, or {@code reply}. */
    public List<SpendKind> kinds() {
        return objects("kinds", SpendKind::new);
    }

    /** Present if the key was a test key: this is an example. May be null. */
    public Boolean test() {
        return get("test", Boolean.class);
    }
}
