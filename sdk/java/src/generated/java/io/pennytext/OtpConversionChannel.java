// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.Map;

public final class OtpConversionChannel extends Value {
    OtpConversionChannel(Map<String, Object> fields) {
        super(fields);
    }

    /** Values: {@code sms}, {@code whatsapp}, {@code voice}, {@code email}. */
    public String channel() {
        return get("channel", String.class);
    }

    public String country() {
        return get("country", String.class);
    }

    public Long sent() {
        return get("sent", Long.class);
    }

    public Long verified() {
        return get("verified", Long.class);
    }

    /** May be null. */
    public Double verifiedPercent() {
        return decimal("verified_percent");
    }
}
