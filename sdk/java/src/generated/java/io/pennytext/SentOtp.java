// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;
import java.util.Map;

public final class SentOtp extends Value {
    SentOtp(Map<String, Object> fields) {
        super(fields);
    }

    /** Id of the message: {@code SM} and 32 hex digits. */
    public String messageId() {
        return get("message_id", String.class);
    }

    /** Number of segments. */
    public Long segments() {
        return get("segments", Long.class);
    }

    /** Price of the message in credits. A test key is not charged. */
    public Long credits() {
        return get("credits", Long.class);
    }

    /** Encoding of the text: GSM-7 has room for more characters. Values: {@code GSM-7}, {@code UCS-2}. */
    public String encoding() {
        return get("encoding", String.class);
    }

    /** Credits left after this message. A test key gets an example. */
    public Long balance() {
        return get("balance", Long.class);
    }

    /** The reference that you sent, if any. May be null. */
    public String reference() {
        return get("reference", String.class);
    }

    /** Present if the message is scheduled. Values: {@code scheduled}. May be null. */
    public String status() {
        return get("status", String.class);
    }

    /** When a scheduled message leaves, in UTC. May be null. */
    public OffsetDateTime sendAt() {
        return time("send_at");
    }

    /**
     * Present if replies to this message go to another account, which texted this person from the same number
     * before. Values: {@code unavailable}. May be null.
     */
    public String replies() {
        return get("replies", String.class);
    }

    /** The {@code delivery} that you chose, if you did. Values: {@code once}, {@code fast}. May be null. */
    public String delivery() {
        return get("delivery", String.class);
    }

    /** Present if the key was a test key: nothing was sent or charged. May be null. */
    public Boolean test() {
        return get("test", Boolean.class);
    }

    /** Id of the one-time password: {@code OT} and 32 hex digits. */
    public String otpId() {
        return get("otp_id", String.class);
    }

    /** When the code expires. Sending it again does not change this. */
    public OffsetDateTime expiresAt() {
        return time("expires_at");
    }

    /** When the code can be sent again; {@code null} if it cannot. May be null. */
    public OffsetDateTime nextResendAt() {
        return time("next_resend_at");
    }

    /** Wrong attempts left before the code becomes invalid. */
    public Long attemptsLeft() {
        return get("attempts_left", Long.class);
    }

    /** Present, as {@code false}, for your own {@code code}: we cannot verify it or send it again. May be null. */
    public Boolean managed() {
        return get("managed", Boolean.class);
    }

    /**
     * Present if you sent {@code channels}: the channel of this message. Values: {@code sms}, {@code whatsapp},
     * {@code voice}, {@code email}. May be null.
     */
    public String channel() {
        return get("channel", String.class);
    }

    /**
     * Present if you sent {@code channels}: the channel that is tried next; {@code null} if none is. Values:
     * {@code sms}, {@code whatsapp}, {@code voice}, {@code email}. May be null.
     */
    public String nextChannel() {
        return get("next_channel", String.class);
    }

    /** Present if you sent {@code channels}: when it is tried, unless the code is entered before. May be null. */
    public OffsetDateTime nextChannelAt() {
        return time("next_channel_at");
    }

    /** Present if you sent {@code channels}: the price of all of them together. May be null. */
    public Long creditsMax() {
        return get("credits_max", Long.class);
    }
}
