// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

/** Arguments of {@link OtpCalls#verify}. */
public final class OtpVerifyRequest extends Request {
    /** The code that the person typed, as text because it may begin with 0. */
    public OtpVerifyRequest otp(String otp) {
        set("otp", otp);
        return this;
    }

    /**
     * Phone number that the code was sent to. Always send it, or {@code otp_id}: a code alone could match
     * another person’s number.
     */
    public OtpVerifyRequest to(String to) {
        set("to", to);
        return this;
    }

    /** The {@code otp_id} of the code, in place of {@code to}. */
    public OtpVerifyRequest otpId(String otpId) {
        set("otp_id", otpId);
        return this;
    }
}
