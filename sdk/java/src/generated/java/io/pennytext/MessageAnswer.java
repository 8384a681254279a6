// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;

public final class MessageAnswer extends Value {
    MessageAnswer(Map<String, Object> fields) {
        super(fields);
    }

    /** Id of the message: {@code SM} and 32 hex digits. */
    public String messageId() {
        return get("message_id", String.class);
    }

    /** The recipient in E.164 format. */
    public String to() {
        return get("to", String.class);
    }

    /** The sender; {@code null} until the carrier accepts the message. May be null. */
    public String from() {
        return get("from", String.class);
    }

    /** The text. OTPs are masked with asterisks. */
    public String message() {
        return get("message", String.class);
    }

    /**
     * State of the message. The last four are final. Values: {@code scheduled}, {@code queued}, {@code sending},
     * {@code sent}, {@code delivered}, {@code undelivered}, {@code failed}, {@code canceled}.
     */
    public String status() {
        return get("status", String.class);
    }

    /** Number of segments. */
    public Long segments() {
        return get("segments", Long.class);
    }

    /** Price of the message in credits. */
    public Long credits() {
        return get("credits", Long.class);
    }

    /** Credits that were refunded: all of them if the message was not delivered. */
    public Long refunded() {
        return get("refunded", Long.class);
    }

    /** Your own reference for the message. May be null. */
    public String reference() {
        return get("reference", String.class);
    }

    /** Why the message was not delivered, as a code of ours; {@code null} if there was no error. May be null. */
    public String errorCode() {
        return get("error_code", String.class);
    }

    /** Error code of the carrier. May be null. */
    public Long carrierError() {
        return get("carrier_error", Long.class);
    }

    /**
     * Why the message was not delivered, in words; {@code null} if there was no error. {@code code}: the
     * carrier’s if there is one, else ours. {@code permanent}: the same message to the same number would fail
     * again. May be null.
     */
    public FailureReason reason() {
        return object("reason", FailureReason::new);
    }

    /**
     * Whether another route is tried only when that is safe, {@code once}, or also in doubt, {@code fast}.
     * Values: {@code once}, {@code fast}.
     */
    public String delivery() {
        return get("delivery", String.class);
    }

    /**
     * Number of hand-overs to carriers, including those that a carrier did not take. {@code attempt_list} of the
     * record has a row for each.
     */
    public Long attempts() {
        return get("attempts", Long.class);
    }

    /** When the message was accepted, in UTC. */
    public OffsetDateTime createdAt() {
        return time("created_at");
    }

    /** When a scheduled message leaves; {@code null} for one that left at once. May be null. */
    public OffsetDateTime sendAt() {
        return time("send_at");
    }

    /**
     * The message fails if the carrier does not have it by then; {@code null} without {@code validity}. May be
     * null.
     */
    public OffsetDateTime expiresAt() {
        return time("expires_at");
    }

    /** When the carrier accepted the message. May be null. */
    public OffsetDateTime sentAt() {
        return time("sent_at");
    }

    /** When the message reached its final state. May be null. */
    public OffsetDateTime finishedAt() {
        return time("finished_at");
    }

    /** Present for a message with files. Values: {@code mms}. May be null. */
    public String kind() {
        return get("kind", String.class);
    }

    /**
     * Present for a message with files, as long as they are known: each as it is sent. {@code original_id}:
     * present if the picture was made smaller for the networks; the id of the file that it was made of.
     */
    public List<MessageFile> media() {
        return objects("media", MessageFile::new);
    }

    /** Present if the key was a test key: this is an example. May be null. */
    public Boolean test() {
        return get("test", Boolean.class);
    }
}
