// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.List;
import java.util.Map;

public final class Deliverability extends Value {
    Deliverability(Map<String, Object> fields) {
        super(fields);
    }

    /** First day of acceptance that counts, in New York. */
    public String from() {
        return get("from", String.class);
    }

    /** Last day of acceptance that counts, inclusive. */
    public String to() {
        return get("to", String.class);
    }

    /** Messages that have ended: delivered or not. Canceled ones do not count. */
    public Long messages() {
        return get("messages", Long.class);
    }

    /** Messages that were delivered. */
    public Long delivered() {
        return get("delivered", Long.class);
    }

    /**
     * Why the others were not delivered, the most frequent reason first. {@code code} is a filter of
     * {@code GET /api/messages}. {@code permanent}: the same message to the same number would fail again.
     */
    public List<DeliverabilityReason> reasons() {
        return objects("reasons", DeliverabilityReason::new);
    }

    /** By country of the recipient, as ISO 3166-1 alpha-2 code; the largest first. */
    public List<DeliverabilityCountry> countries() {
        return objects("countries", DeliverabilityCountry::new);
    }

    /** By day of acceptance, oldest first, without those on which no message ended. */
    public List<DeliverabilityDay> days() {
        return objects("days", DeliverabilityDay::new);
    }

    /**
     * By the key that sent them, the largest first. {@code key_id} and {@code name} are {@code null} for the own
     * key of your account and for the dashboard, {@code name} also for a key that was revoked.
     */
    public List<DeliverabilityKey> keys() {
        return objects("keys", DeliverabilityKey::new);
    }

    /** Present if the key was a test key: this is an example. May be null. */
    public Boolean test() {
        return get("test", Boolean.class);
    }
}
