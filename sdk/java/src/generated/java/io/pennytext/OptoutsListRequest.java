// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;

/** Arguments of {@link OptoutsCalls#list}. */
public final class OptoutsListRequest extends Request {
    /** Only this person. */
    public OptoutsListRequest number(String number) {
        set("number", number);
        return this;
    }

    /** Only those who opted out of this sender. */
    public OptoutsListRequest sender(String sender) {
        set("sender", sender);
        return this;
    }

    /** Only those who opted out at this time or later (RFC 3339 with an offset). */
    public OptoutsListRequest since(OffsetDateTime since) {
        set("since", since);
        return this;
    }

    /** Only those who opted out before this time. */
    public OptoutsListRequest until(OffsetDateTime until) {
        set("until", until);
        return this;
    }

    /**
     * {@code opted_out} (default): opt-outs in force. {@code all}: those that were lifted, too. Values:
     * {@code opted_out}, {@code all}.
     */
    public OptoutsListRequest status(String status) {
        set("status", status);
        return this;
    }
}
