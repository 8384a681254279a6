// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;

public final class MessageRecord extends Value {
    MessageRecord(Map<String, Object> fields) {
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

    /**
     * {@code otp} for a one-time password, whose code is masked; {@code mms} for a message with files. Values:
     * {@code sms}, {@code mms}, {@code otp}.
     */
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

    /** When this record was made. */
    public OffsetDateTime recordedAt() {
        return time("recorded_at");
    }

    /**
     * Encoding of the text; {@code null} once the text is deleted. Values: {@code GSM-7}, {@code UCS-2}. May be
     * null.
     */
    public String encoding() {
        return get("encoding", String.class);
    }

    /** Id of the message at the carrier; {@code null} until the carrier accepts it. May be null. */
    public String carrierId() {
        return get("carrier_id", String.class);
    }

    /**
     * Meaning of {@code delivered} on its route: {@code handset}, it reached the phone; {@code network}, the
     * network of the phone confirmed it; {@code none}, nothing more than {@code sent}. Values: {@code handset},
     * {@code network}, {@code none}.
     */
    public String receiptLevel() {
        return get("receipt_level", String.class);
    }

    /**
     * Its hand-overs to routes, in order. Routes are named within the message, {@code r1}, {@code r2}.
     * {@code reason}: why this route got it: {@code first}, {@code not_taken}, {@code route_failed},
     * {@code doubtful}, {@code slow}, {@code route_paused}. {@code outcome}: {@code accepted},
     * {@code not_taken}, {@code doubtful}; {@code null} while it is not known. Of tries by one route the last
     * one is shown.
     */
    public List<RecordedAttempt> attemptList() {
        return objects("attempt_list", RecordedAttempt::new);
    }

    /**
     * The states it reached, in order. {@code cause} is {@code accepted}, {@code send_at}, {@code claimed},
     * {@code carrier_accepted}, {@code delivery_receipt}, {@code canceled}, or the {@code error_code} of a
     * message that was not delivered.
     */
    public List<RecordedTransition> transitions() {
        return objects("transitions", RecordedTransition::new);
    }

    /** The refund of its price; {@code null} if it was not refunded. May be null. */
    public RecordedRefund refund() {
        return object("refund", RecordedRefund::new);
    }

    /**
     * Its entries in the ledger of your account, with their numbers, and the seal that covers each: {@code null}
     * until the entry is sealed, within a minute.
     */
    public List<RecordedEntry> ledger() {
        return objects("ledger", RecordedEntry::new);
    }

    /** The URL that this message named for its callbacks, without its query. May be null. */
    public RecordedCallback callback() {
        return object("callback", RecordedCallback::new);
    }

    /**
     * The webhooks and callbacks about it, oldest first, with the last 100 attempts of each and the beginning of
     * each answer.
     */
    public List<RecordedWebhook> webhooks() {
        return objects("webhooks", RecordedWebhook::new);
    }

    /** Parts that are no longer kept, and why. */
    public List<RemovedPart> removed() {
        return objects("removed", RemovedPart::new);
    }

    /** Present if the key was a test key: this is an example. May be null. */
    public Boolean test() {
        return get("test", Boolean.class);
    }
}
