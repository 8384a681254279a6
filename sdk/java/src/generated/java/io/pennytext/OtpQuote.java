// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.List;
import java.util.Map;

public final class OtpQuote extends Value {
    OtpQuote(Map<String, Object> fields) {
        super(fields);
    }

    /** The {@code channels} of a one-time password in order, each with its price in credits. */
    public List<ChannelPrice> channels() {
        return objects("channels", ChannelPrice::new);
    }

    /** Price of the first channel in credits. */
    public Long credits() {
        return get("credits", Long.class);
    }

    /**
     * Price of all {@code channels} together in credits. Nothing holds it: send it as {@code max_credits} of
     * {@code sendotp}.
     */
    public Long creditsMax() {
        return get("credits_max", Long.class);
    }

    /** Country of the number {@code to}, as ISO 3166-1 alpha-2 code. */
    public String country() {
        return get("country", String.class);
    }

    /** Your credits. A test key gets an example. */
    public Long balance() {
        return get("balance", Long.class);
    }

    /**
     * Credits left if all {@code channels} are tried; {@code null} if the balance does not cover
     * {@code credits_max}. May be null.
     */
    public Long balanceAfter() {
        return get("balance_after", Long.class);
    }

    /** Present if the key was a test key. May be null. */
    public Boolean test() {
        return get("test", Boolean.class);
    }
}
