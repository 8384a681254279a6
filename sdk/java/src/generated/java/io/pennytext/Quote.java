// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;

public final class Quote extends Value {
    Quote(Map<String, Object> fields) {
        super(fields);
    }

    /** Send it as {@code quote} with the same content: it then costs at most {@code credits}. */
    public String quote() {
        return get("quote", String.class);
    }

    /** When the quote expires: after 10 minutes, in UTC. */
    public OffsetDateTime expiresAt() {
        return time("expires_at");
    }

    /** Number of segments. */
    public Long segments() {
        return get("segments", Long.class);
    }

    /** Price of the message in credits. */
    public Long credits() {
        return get("credits", Long.class);
    }

    /** Encoding of the text: GSM-7 has room for more characters. Values: {@code GSM-7}, {@code UCS-2}. */
    public String encoding() {
        return get("encoding", String.class);
    }

    /** The first 10 characters that GSM-7 does not contain. */
    public List<String> unsupportedCharacters() {
        return list("unsupported_characters", String.class);
    }

    /** Country of the number, as ISO 3166-1 alpha-2 code. */
    public String country() {
        return get("country", String.class);
    }

    /** Your credits. A test key gets an example. */
    public Long balance() {
        return get("balance", Long.class);
    }

    /** Credits left after sending; {@code null} if the balance does not cover the price. May be null. */
    public Long balanceAfter() {
        return get("balance_after", Long.class);
    }

    /**
     * Present for a message with files, an MMS. Its files are looked at when it is sent. Values: {@code mms}.
     * May be null.
     */
    public String kind() {
        return get("kind", String.class);
    }

    /** Present if the key was a test key. May be null. */
    public Boolean test() {
        return get("test", Boolean.class);
    }
}
