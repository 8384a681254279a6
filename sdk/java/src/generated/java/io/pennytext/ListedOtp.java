// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;

public final class ListedOtp extends Value {
    ListedOtp(Map<String, Object> fields) {
        super(fields);
    }

    /** Id of the one-time password: {@code OT} and 32 hex digits. */
    public String otpId() {
        return get("otp_id", String.class);
    }

    /**
     * State of the code. All but {@code pending} are final; {@code exhausted}: too many wrong attempts;
     * {@code blocked}: refused by the fraud guard, never sent; {@code unmanaged}: you made the code, and verify
     * it yourself. Values: {@code pending}, {@code verified}, {@code expired}, {@code exhausted},
     * {@code blocked}, {@code unmanaged}.
     */
    public String status() {
        return get("status", String.class);
    }

    /** The recipient in E.164 format. */
    public String to() {
        return get("to", String.class);
    }

    /** Country of the recipient, as ISO 3166-1 alpha-2 code. */
    public String country() {
        return get("country", String.class);
    }

    /** Id of the latest message with the code; {@code null} if it was never sent. May be null. */
    public String messageId() {
        return get("message_id", String.class);
    }

    /**
     * The messages with the code, in order: the first one and each resend, with their {@code status}
     * ({@code null} if the message was never accepted) and the {@code reason} if it was not delivered.
     */
    public List<OtpMessage> messages() {
        return objects("messages", OtpMessage::new);
    }

    /** When the first of them was delivered; {@code null} if none was, or it is not known yet. May be null. */
    public OffsetDateTime deliveredAt() {
        return time("delivered_at");
    }

    /** Your own reference for the message. May be null. */
    public String reference() {
        return get("reference", String.class);
    }

    /** Attempts to verify this code, the right one included. */
    public Long attempts() {
        return get("attempts", Long.class);
    }

    /** Wrong attempts left before the code becomes invalid. */
    public Long attemptsLeft() {
        return get("attempts_left", Long.class);
    }

    /** How often the code can still be sent again. */
    public Long resendsLeft() {
        return get("resends_left", Long.class);
    }

    /** When the code can be sent again; {@code null} if it cannot. May be null. */
    public OffsetDateTime nextResendAt() {
        return time("next_resend_at");
    }

    /** The named key that sent the code; {@code null} for the account's own key. May be null. */
    public String keyId() {
        return get("key_id", String.class);
    }

    /** Its name; {@code null} also if it was revoked. May be null. */
    public String keyName() {
        return get("key_name", String.class);
    }

    /** The rule of the fraud guard that refused the code; {@code null} if none did. May be null. */
    public String blockedBy() {
        return get("blocked_by", String.class);
    }

    /** Channel of the latest message. Values: {@code sms}, {@code whatsapp}, {@code voice}, {@code email}. */
    public String channel() {
        return get("channel", String.class);
    }

    /**
     * Channel that is tried next; {@code null} if none is. Values: {@code sms}, {@code whatsapp}, {@code voice},
     * {@code email}. May be null.
     */
    public String nextChannel() {
        return get("next_channel", String.class);
    }

    /** When it is tried, unless the code is entered before; {@code null} if none is. May be null. */
    public OffsetDateTime nextChannelAt() {
        return time("next_channel_at");
    }

    /**
     * The messages with their channels, in order. {@code outcome}: {@code started} while the carrier has not
     * answered, {@code refused} if nothing was sent or charged, otherwise the state of the message;
     * {@code reason}: why it did not arrive; {@code credits}: without refunds.
     */
    public List<OtpStep> steps() {
        return objects("steps", OtpStep::new);
    }

    /**
     * The {@code n} of the step after which the code was entered: the latest that had left, because all have the
     * same code. {@code null} while the code is not verified. May be null.
     */
    public Long enteredStep() {
        return get("entered_step", Long.class);
    }

    /** When the code was sent first, in UTC. */
    public OffsetDateTime createdAt() {
        return time("created_at");
    }

    /** The last attempt to verify this code; {@code null} if there was none. May be null. */
    public OffsetDateTime lastAttemptAt() {
        return time("last_attempt_at");
    }

    /** When the code was verified; {@code null} if it was not. May be null. */
    public OffsetDateTime verifiedAt() {
        return time("verified_at");
    }

    /** When the code expires or has expired. May be null. */
    public OffsetDateTime expiresAt() {
        return time("expires_at");
    }

    /** When the code was verified, expired or became invalid; {@code null} while it is pending. May be null. */
    public OffsetDateTime endedAt() {
        return time("ended_at");
    }
}
