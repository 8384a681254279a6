// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;

/** Arguments of {@link MessagesCalls#list}. */
public final class MessagesListRequest extends Request {
    /**
     * Only messages in this state. Values: {@code scheduled}, {@code queued}, {@code sending}, {@code sent},
     * {@code delivered}, {@code undelivered}, {@code failed}, {@code canceled}.
     */
    public MessagesListRequest status(String status) {
        set("status", status);
        return this;
    }

    /**
     * Only messages that were not delivered for this reason: a code of the carrier, such as {@code 30003}, or of
     * ours, for messages without one of the carrier.
     */
    public MessagesListRequest reason(String reason) {
        set("reason", reason);
        return this;
    }

    /** Only messages to this number. */
    public MessagesListRequest to(String to) {
        set("to", to);
        return this;
    }

    /** Only messages with exactly this reference. */
    public MessagesListRequest reference(String reference) {
        set("reference", reference);
        return this;
    }

    /** Only messages of this batch. */
    public MessagesListRequest batchId(String batchId) {
        set("batch_id", batchId);
        return this;
    }

    /** Only messages accepted at this time or later (RFC 3339 with an offset). */
    public MessagesListRequest since(OffsetDateTime since) {
        set("since", since);
        return this;
    }

    /** Only messages accepted before this time. */
    public MessagesListRequest until(OffsetDateTime until) {
        set("until", until);
        return this;
    }
}
