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
     * Sets your own key, which also recognizes a repetition by another process. Each call has a random key
     * without it.
     */
    public OtpResendRequest idempotencyKey(String idempotencyKey) {
        this.idempotencyKey = idempotencyKey;
        return this;
    }
}
