// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;
import java.util.Map;

public final class Notification extends Value {
    Notification(Map<String, Object> fields) {
        super(fields);
    }

    public String id() {
        return get("id", String.class);
    }

    /**
     * Values: {@code webhook_off}, {@code webhook_failing}, {@code credits_empty}, {@code credits_low},
     * {@code sending_suspended}, {@code codes_paused}, {@code messages_filtered}, {@code number_past_due},
     * {@code number_filtered}, {@code key_budget}, {@code payment_disputed}, {@code top_up_off},
     * {@code top_up_declined}, {@code top_up_confirm}, {@code top_up_paused}, {@code top_up_limit},
     * {@code account_deletion}, {@code welcome_email_failed}.
     */
    public String code() {
        return get("code", String.class);
    }

    /** Values: {@code critical}, {@code warning}. */
    public String severity() {
        return get("severity", String.class);
    }

    /** May be null. */
    public OffsetDateTime since() {
        return time("since");
    }

    public String message() {
        return get("message", String.class);
    }

    public String action() {
        return get("action", String.class);
    }

    public String url() {
        return get("url", String.class);
    }

    public Map<String, Object> figures() {
        return map("figures", Object.class);
    }
}
