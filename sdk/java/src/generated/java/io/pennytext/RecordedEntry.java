// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;
import java.util.Map;

public final class RecordedEntry extends Value {
    RecordedEntry(Map<String, Object> fields) {
        super(fields);
    }

    public Long number() {
        return get("number", Long.class);
    }

    public OffsetDateTime at() {
        return time("at");
    }

    /**
     * Values: {@code signup}, {@code purchase}, {@code redeem}, {@code message}, {@code otp}, {@code inbound},
     * {@code refund}, {@code chargeback}, {@code adjustment}, {@code number_rent}, {@code number_setup}.
     */
    public String kind() {
        return get("kind", String.class);
    }

    public Long amount() {
        return get("amount", Long.class);
    }

    public Long balanceAfter() {
        return get("balance_after", Long.class);
    }

    /** May be null. */
    public String note() {
        return get("note", String.class);
    }

    /** May be null. */
    public LedgerSeal seal() {
        return object("seal", LedgerSeal::new);
    }
}
