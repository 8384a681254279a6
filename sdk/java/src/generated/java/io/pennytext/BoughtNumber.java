// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;
import java.util.Map;

public final class BoughtNumber extends Value {
    BoughtNumber(Map<String, Object> fields) {
        super(fields);
    }

    /** Id of the number: {@code num_} and 32 hex digits. */
    public String numberId() {
        return get("number_id", String.class);
    }

    /** The number in E.164 format. */
    public String number() {
        return get("number", String.class);
    }

    /**
     * {@code active}, or {@code reserving} while the carrier has not answered. To a repeated request: the state
     * of the number now. Values: {@code reserving}, {@code active}, {@code past_due}, {@code releasing},
     * {@code released}.
     */
    public String status() {
        return get("status", String.class);
    }

    /** When the month that is paid ends; {@code null} while {@code reserving}, and after a release. May be null. */
    public OffsetDateTime renewsAt() {
        return time("renews_at");
    }

    /** Credits that it costs now. Held while {@code reserving}, and returned if the carrier does not sell it. */
    public Long credits() {
        return get("credits", Long.class);
    }

    /** Credits left. */
    public Long balance() {
        return get("balance", Long.class);
    }

    /** Present if the key was a test key: nothing was bought or charged. May be null. */
    public Boolean test() {
        return get("test", Boolean.class);
    }
}
