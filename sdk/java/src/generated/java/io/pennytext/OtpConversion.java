// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.List;
import java.util.Map;

public final class OtpConversion extends Value {
    OtpConversion(Map<String, Object> fields) {
        super(fields);
    }

    /** First day that counts, in New York. */
    public String from() {
        return get("from", String.class);
    }

    /** Last day that counts, inclusive. */
    public String to() {
        return get("to", String.class);
    }

    /** Codes that were sent. A code counts once, however often it was sent again. */
    public Long sent() {
        return get("sent", Long.class);
    }

    /** Codes that were verified. */
    public Long verified() {
        return get("verified", Long.class);
    }

    /** Share of verified codes, with one decimal; {@code null} if none was sent. May be null. */
    public Double verifiedPercent() {
        return decimal("verified_percent");
    }

    /** The same by country of the recipient, as ISO 3166-1 alpha-2 code. */
    public List<OtpConversionCountry> countries() {
        return objects("countries", OtpConversionCountry::new);
    }

    /** The same by day on which the codes were first sent, oldest first, without those without codes. */
    public List<OtpConversionDay> days() {
        return objects("days", OtpConversionDay::new);
    }

    /**
     * For codes with {@code channels}: messages by channel and country, and the codes that were entered after
     * them.
     */
    public List<OtpConversionChannel> channels() {
        return objects("channels", OtpConversionChannel::new);
    }

    /** Present if the key was a test key: this is an example. May be null. */
    public Boolean test() {
        return get("test", Boolean.class);
    }
}
