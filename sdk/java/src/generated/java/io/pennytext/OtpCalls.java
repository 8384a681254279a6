// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

/** Calls of {@link Pennytext}. */
public final class OtpCalls {
    final OtpAsyncCalls async;

    OtpCalls(OtpAsyncCalls async) {
        this.async = async;
    }

    /**
     * Send a one-time password.
     *
     * <p>Generates a code and sends it, to the USA and Canada only, unless the operator has changed that: see
     * {@code otp} in GET /api/regions. It costs 1 credit by SMS and has one segment; with {@code channels} each
     * message costs what its channel costs.
     */
    public SentOtp send(OtpSendRequest request) {
        return Call.await(async.send(request));
    }

    /**
     * Send a one-time password again.
     *
     * <p>Sends the same code as a new message, which costs 1 credit by SMS. Each resend by the same channel has
     * to wait longer: 30, 60, 120, 300 seconds after the message before. The code still expires at
     * {@code expires_at}.
     */
    public SentOtp resend(OtpResendRequest request) {
        return Call.await(async.resend(request));
    }

    /**
     * Show a one-time password.
     *
     * <p>The state of a code, until 24 hours after it has ended. The digits are never shown.
     */
    public Otp get(String otpId) {
        return Call.await(async.get(otpId));
    }

    /**
     * List one-time passwords.
     *
     * <p>Your codes, newest first, 50 per page, with what became of their messages, until 24 hours after they
     * have ended, and what the fraud guard refused. The digits are never shown. A page of a search may have
     * fewer codes, or none: {@code next_cursor} tells whether there is more.
     */
    public Pages<ListedOtp> list() {
        return list(new OtpListRequest());
    }

    /**
     * List one-time passwords.
     *
     * <p>Your codes, newest first, 50 per page, with what became of their messages, until 24 hours after they
     * have ended, and what the fraud guard refused. The digits are never shown. A page of a search may have
     * fewer codes, or none: {@code next_cursor} tells whether there is more.
     */
    public Pages<ListedOtp> list(OtpListRequest request) {
        return new Pages<>(() -> async.list(request));
    }

    /**
     * Show the conversion.
     *
     * <p>How many of the codes that you sent on some New York days were verified, in all, by country and by day.
     * A code counts on the day on which it was first sent, and once, however often it was sent again; one that
     * is still pending counts as sent. The figures are exact at any time. Codes of test keys do not count.
     */
    public OtpConversion conversion() {
        return conversion(new OtpConversionRequest());
    }

    /**
     * Show the conversion.
     *
     * <p>How many of the codes that you sent on some New York days were verified, in all, by country and by day.
     * A code counts on the day on which it was first sent, and once, however often it was sent again; one that
     * is still pending counts as sent. The figures are exact at any time. Codes of test keys do not count.
     */
    public OtpConversion conversion(OtpConversionRequest request) {
        return Call.await(async.conversion(request));
    }

    /**
     * Show the fraud guard.
     *
     * <p>The rules of the fraud guard, and what they refused within the last hour.
     */
    public OtpGuard guard() {
        return Call.await(async.guard());
    }

    /**
     * Verify a one-time password.
     *
     * <p>Verifies a code. The answer is plain text, or JSON with {@code Accept: application/json}. It costs
     * nothing. Errors are always JSON.
     */
    public OtpVerdict verify(OtpVerifyRequest request) {
        return Call.await(async.verify(request));
    }
}
