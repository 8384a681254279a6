// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;
import java.util.List;

/** Arguments of {@link PennytextCalls#send}. */
public final class SendRequest extends Request {
    /**
     * Phone number of the recipient with {@code +} and country code. Numbers without {@code +} are treated as US
     * numbers.
     */
    public SendRequest to(String to) {
        set("to", to);
        return this;
    }

    /** The text, at most 10 segments. Required, unless there is {@code media}; with it, at most 1,600 characters. */
    public SendRequest message(String message) {
        set("message", message);
        return this;
    }

    /** Your own reference for the message, up to 64 characters. It is returned in answers and webhooks. */
    public SendRequest reference(String reference) {
        set("reference", reference);
        return this;
    }

    /**
     * A number of your account, or the id of one or of a pool. Without it: the number that the recipient knows,
     * otherwise one of your default pool, otherwise one that the service chooses.
     */
    public SendRequest from(String from) {
        set("from", from);
        return this;
    }

    /**
     * {@code auto} (default): GSM-7 if it contains every character, else UCS-2. {@code gsm7}: refused unless
     * GSM-7 contains every character. {@code smart}: typographic quotes, dashes, spaces and the like become
     * GSM-7 equivalents; the answer’s {@code message} shows the text. Values: {@code auto}, {@code gsm7},
     * {@code smart}.
     */
    public SendRequest encoding(String encoding) {
        set("encoding", encoding);
        return this;
    }

    /**
     * When the message leaves, as a date and time with an offset (RFC 3339), as
     * {@code YYYY-MM-DDThh:mm:ss-05:00}: from 5 seconds to 35 days from now. It is charged at once, and can be
     * canceled until it leaves.
     */
    public SendRequest sendAt(OffsetDateTime sendAt) {
        set("send_at", sendAt);
        return this;
    }

    /**
     * Seconds, from 60 to 14400: if the carrier does not have the message within that time after it was
     * accepted, or after {@code send_at}, it fails as {@code expired} and is refunded.
     */
    public SendRequest validity(Long validity) {
        set("validity", validity);
        return this;
    }

    /**
     * Choice of another route. {@code once}: the next route is tried only if the first one certainly did not
     * deliver the message. {@code fast}: also when that is in doubt or takes too long; the message may then
     * arrive twice. It is charged once. Default: {@code once}. Values: {@code once}, {@code fast}.
     */
    public SendRequest delivery(String delivery) {
        set("delivery", delivery);
        return this;
    }

    /**
     * Seconds, from 8 to 300: without a receipt for so long, a message with {@code delivery} {@code fast} is
     * handed to another route.
     */
    public SendRequest hedgeSeconds(Long hedgeSeconds) {
        set("hedge_seconds", hedgeSeconds);
        return this;
    }

    /** The {@code quote} of {@code POST /api/quote}: the same content then costs at most what was quoted. */
    public SendRequest quote(String quote) {
        set("quote", quote);
        return this;
    }

    /**
     * Seconds: a message to the same recipient with the same text that you sent within this time, and that has
     * not failed, is the answer, with {@code deduplicated}; nothing is sent or charged.
     */
    public SendRequest dedupe(Long dedupe) {
        set("dedupe", dedupe);
        return this;
    }

    /** The highest price in credits that you accept; the message is refused if it costs more. */
    public SendRequest maxCredits(Long maxCredits) {
        set("max_credits", maxCredits);
        return this;
    }

    /**
     * Pictures and other files, at most 10, together 5,000,000 bytes: each is {@code {"url": …}}, which is
     * fetched before the answer, or {@code {"media_id": …}} of {@code POST /api/media}. A form repeats the
     * field, with a URL or an id. The message is then an MMS, for numbers of the USA and Canada.
     */
    public SendRequest media(List<MediaSource> media) {
        set("media", media);
        return this;
    }

    /**
     * Handling of files where MMS is not possible. {@code refuse} (default): {@code media_unsupported}.
     * {@code link}: a text that ends with links to the files, at the price of a text, for accounts that are
     * activated for URLs. Values: {@code refuse}, {@code link}.
     */
    public SendRequest mediaFallback(String mediaFallback) {
        set("media_fallback", mediaFallback);
        return this;
    }

    /**
     * Whether pictures that are larger than the networks take are made smaller; animated ones never are. With
     * {@code false} they are refused.
     */
    public SendRequest transcode(Boolean transcode) {
        set("transcode", transcode);
        return this;
    }

    /**
     * Sets your own key, which also recognizes a repetition by another process. Each call has a random key
     * without it.
     */
    public SendRequest idempotencyKey(String idempotencyKey) {
        this.idempotencyKey = idempotencyKey;
        return this;
    }
}
