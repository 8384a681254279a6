// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;

public final class RecordedWebhook extends Value {
    RecordedWebhook(Map<String, Object> fields) {
        super(fields);
    }

    public String id() {
        return get("id", String.class);
    }

    /**
     * Values: {@code message.received}, {@code message.scheduled}, {@code message.sent},
     * {@code message.rerouted}, {@code message.delivered}, {@code message.undelivered}, {@code message.failed},
     * {@code message.canceled}, {@code message.media_ready}, {@code otp.sent}, {@code otp.verified},
     * {@code otp.failed}, {@code otp.expired}, {@code otp.blocked}, {@code credits.low},
     * {@code credits.daily_spend}, {@code number.active}, {@code number.past_due}, {@code number.released},
     * {@code number.filtered}.
     */
    public String type() {
        return get("type", String.class);
    }

    /** May be null. */
    public RecordedCallback callback() {
        return object("callback", RecordedCallback::new);
    }

    /** Values: {@code pending}, {@code paused}, {@code delivered}, {@code failed}. */
    public String status() {
        return get("status", String.class);
    }

    public OffsetDateTime createdAt() {
        return time("created_at");
    }

    /** May be null. */
    public OffsetDateTime finishedAt() {
        return time("finished_at");
    }

    public String body() {
        return get("body", String.class);
    }

    public Long attempts() {
        return get("attempts", Long.class);
    }

    public List<WebhookAttempt> attemptList() {
        return objects("attempt_list", WebhookAttempt::new);
    }
}
