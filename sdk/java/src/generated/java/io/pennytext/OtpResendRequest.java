// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

/** Arguments of {@link OtpCalls#resend}. */
public final class OtpResendRequest extends Request {
    /** The {@code otp_id} that {@code sendotp} returned. */
    public OtpResendRequest otpId(String otpId) {
        set("otp_id", otpId);
        return this;
    }

    /**
     * One of the {@code channels} of the code. Without it the next of them begins, or the latest sends again if
     * it was the last. Values: {@code sms}, {@code whatsapp}, {@code voice}, {@code email}.
     */
    public OtpResendRequest channel(String channel) {
        set("channel", channel);
        return this;
    }

    /**
     * Sets your own key, which also recognizes a repetition by another process. Each call has a random key
     * without it.
     */
    public OtpResendRequest idempotencyKey(String idempotencyKey) {
        this.idempotencyKey = idempotencyKey;
        return this;
    }
}
