// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

/** A part of requests. */
public final class OtpChannel extends Request {
    /** Each channel is tried once. Values: {@code sms}, {@code whatsapp}, {@code voice}, {@code email}. */
    public OtpChannel channel(String channel) {
        set("channel", channel);
        return this;
    }

    /** A phone number in place of that of the code; for {@code email} the address, which it needs. */
    public OtpChannel to(String to) {
        set("to", to);
        return this;
    }

    /** Seconds until the next channel is tried. */
    public OtpChannel waitSeconds(Long waitSeconds) {
        set("wait_seconds", waitSeconds);
        return this;
    }
}
