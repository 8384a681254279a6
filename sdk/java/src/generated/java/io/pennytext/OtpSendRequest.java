// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.List;

/** Arguments of {@link OtpCalls#send}. */
public final class OtpSendRequest extends Request {
    /**
     * Phone number of the recipient with {@code +} and country code. Numbers without {@code +} are treated as US
     * numbers. One-time passwords are sent to countries whose {@code otp} is true in GET /api/regions.
     */
    public OtpSendRequest to(String to) {
        set("to", to);
        return this;
    }

    /**
     * Ways of reaching the person, at most 4, in order: the next begins when one fails, or when its
     * {@code wait_seconds} are over and the code was neither entered nor reported as delivered. Each is
     * {@code sms}, {@code whatsapp}, {@code voice} or {@code email}; {@code to} replaces the number, and is
     * needed for {@code email}. A form sends their names, separated by commas. Without it the code goes by SMS
     * alone.
     */
    public OtpSendRequest channels(List<OtpChannel> channels) {
        set("channels", channels);
        return this;
    }

    /**
     * The highest price in credits of all {@code channels} together that you accept, which
     * {@code POST /api/quote} answers as {@code credits_max}. A resend costs its own price.
     */
    public OtpSendRequest maxCredits(Long maxCredits) {
        set("max_credits", maxCredits);
        return this;
    }

    /** Name of the sending organization, on one line: the text then begins with {@code Message from [org].} */
    public OtpSendRequest org(String org) {
        set("org", org);
        return this;
    }

    /**
     * Your own code, which you verify yourself: digits, and capital letters without I, L and O. Without it we
     * make a code.
     */
    public OtpSendRequest code(String code) {
        set("code", code);
        return this;
    }

    /** Lifetime of the code in minutes. */
    public OtpSendRequest limit(Long limit) {
        set("limit", limit);
        return this;
    }

    /** Number of digits of the code. */
    public OtpSendRequest length(Long length) {
        set("length", length);
        return this;
    }

    /** Host name of your site, such as {@code example.com}: phones then autofill the code on this site only. */
    public OtpSendRequest domain(String domain) {
        set("domain", domain);
        return this;
    }

    /**
     * A number of your account, or the id of one or of a pool. Without it: the number that the recipient knows,
     * otherwise one of your default pool, otherwise one that the service chooses.
     */
    public OtpSendRequest from(String from) {
        set("from", from);
        return this;
    }

    /**
     * Choice of another route. {@code once}: the next route is tried only if the first one certainly did not
     * deliver the message. {@code fast}: also when that is in doubt or takes too long; the message may then
     * arrive twice. It is charged once. Default: {@code fast}. Values: {@code once}, {@code fast}.
     */
    public OtpSendRequest delivery(String delivery) {
        set("delivery", delivery);
        return this;
    }

    /**
     * Seconds, from 8 to 300: without a receipt for so long, a message with {@code delivery} {@code fast} is
     * handed to another route.
     */
    public OtpSendRequest hedgeSeconds(Long hedgeSeconds) {
        set("hedge_seconds", hedgeSeconds);
        return this;
    }

    /** Network address of the end user who asked for the code: the fraud guard counts codes by it. */
    public OtpSendRequest ip(String ip) {
        set("ip", ip);
        return this;
    }

    /** Your name for the device of the end user: the fraud guard counts codes by it. */
    public OtpSendRequest device(String device) {
        set("device", device);
        return this;
    }

    /** Your own reference for the message, up to 64 characters. It is returned in answers and webhooks. */
    public OtpSendRequest reference(String reference) {
        set("reference", reference);
        return this;
    }

    /**
     * Sets your own key, which also recognizes a repetition by another process. Each call has a random key
     * without it.
     */
    public OtpSendRequest idempotencyKey(String idempotencyKey) {
        this.idempotencyKey = idempotencyKey;
        return this;
    }
}
