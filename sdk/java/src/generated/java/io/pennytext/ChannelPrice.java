// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.Map;

public final class ChannelPrice extends Value {
    ChannelPrice(Map<String, Object> fields) {
        super(fields);
    }

    /** Values: {@code sms}, {@code whatsapp}, {@code voice}, {@code email}. */
    public String channel() {
        return get("channel", String.class);
    }

    public Long credits() {
        return get("credits", Long.class);
    }
}
