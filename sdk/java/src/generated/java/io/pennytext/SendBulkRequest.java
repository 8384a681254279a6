// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;

/** Arguments of {@link PennytextCalls#sendBulk}. */
public final class SendBulkRequest extends Request {
    /** Up to 10,000 messages, each with {@code to}, {@code message} and perhaps {@code reference}. */
    public SendBulkRequest messages(List<BulkMessage> messages) {
        set("messages", messages);
        return this;
    }

    /**
     * A template, in place of {@code messages}: {@code {{name}}} is replaced by the field {@code name} of each
     * recipient.
     */
    public SendBulkRequest message(String message) {
        set("message", message);
        return this;
    }

    /**
     * Up to 10,000 recipients of the template, each with {@code to}, perhaps {@code reference}, and its
     * variables: texts or numbers.
     */
    public SendBulkRequest recipients(List<? extends Map<String, ?>> recipients) {
        set("recipients", recipients);
        return this;
    }

    /** For all messages, as in {@code sendsms}. */
    public SendBulkRequest from(String from) {
        set("from", from);
        return this;
    }

    /** For all messages, as in {@code sendsms}. Values: {@code auto}, {@code gsm7}, {@code smart}. */
    public SendBulkRequest encoding(String encoding) {
        set("encoding", encoding);
        return this;
    }

    /** The {@code quote} of {@code POST /api/quote}: the same content then costs at most what was quoted. */
    public SendBulkRequest quote(String quote) {
        set("quote", quote);
        return this;
    }

    /** Refuse the bulk if all of its messages together cost more credits. */
    public SendBulkRequest maxCredits(Long maxCredits) {
        set("max_credits", maxCredits);
        return this;
    }

    /** For all messages, as in {@code sendsms}. */
    public SendBulkRequest sendAt(OffsetDateTime sendAt) {
        set("send_at", sendAt);
        return this;
    }

    /** For all messages, as in {@code sendsms}. */
    public SendBulkRequest validity(Long validity) {
        set("validity", validity);
        return this;
    }

    /** For all messages, as in {@code sendsms}. Values: {@code once}, {@code fast}. */
    public SendBulkRequest delivery(String delivery) {
        set("delivery", delivery);
        return this;
    }

    /** For all messages, as in {@code sendsms}. */
    public SendBulkRequest hedgeSeconds(Long hedgeSeconds) {
        set("hedge_seconds", hedgeSeconds);
        return this;
    }

    /**
     * Seconds, as in {@code sendsms}: a message that was sent before is listed as {@code duplicate}, and the
     * others are sent.
     */
    public SendBulkRequest dedupe(Long dedupe) {
        set("dedupe", dedupe);
        return this;
    }

    /**
     * Pictures and other files, at most 10, together 5,000,000 bytes: each is {@code {"url": …}}, which is
     * fetched before the answer, or {@code {"media_id": …}} of {@code POST /api/media}. A form repeats the
     * field, with a URL or an id. The message is then an MMS, for numbers of the USA and Canada. Every message
     * gets them.
     */
    public SendBulkRequest media(List<MediaSource> media) {
        set("media", media);
        return this;
    }

    /**
     * Handling of files where MMS is not possible. {@code refuse} (default): {@code media_unsupported}.
     * {@code link}: a text that ends with links to the files, at the price of a text, for accounts that are
     * activated for URLs. Values: {@code refuse}, {@code link}.
     */
    public SendBulkRequest mediaFallback(String mediaFallback) {
        set("media_fallback", mediaFallback);
        return this;
    }

    /**
     * Whether pictures that are larger than the networks take are made smaller; animated ones never are. With
     * {@code false} they are refused.
     */
    public SendBulkRequest transcode(Boolean transcode) {
        set("transcode", transcode);
        return this;
    }

    /** Accept what can be accepted. Without it any rejected item rejects all, and nothing is charged. */
    public SendBulkRequest partial(Boolean partial) {
        set("partial", partial);
        return this;
    }

    /**
     * Sets your own key, which also recognizes a repetition by another process. Each call has a random key
     * without it.
     */
    public SendBulkRequest idempotencyKey(String idempotencyKey) {
        this.idempotencyKey = idempotencyKey;
        return this;
    }
}
