// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.concurrent.CompletableFuture;

/** Calls with futures, whose cancellation ends the call. */
public final class OtpAsyncCalls {
    final Transport transport;

    OtpAsyncCalls(Transport transport) {
        this.transport = transport;
    }

    /** {@link OtpCalls#send}, as a future. */
    public CompletableFuture<SentOtp> send(OtpSendRequest request) {
        return transport.call("POST", "/api/sendotp", request,
            Call.Repeat.KEYED, SentOtp::new);
    }

    /** {@link OtpCalls#resend}, as a future. */
    public CompletableFuture<SentOtp> resend(OtpResendRequest request) {
        return transport.call("POST", "/api/resendotp", request,
            Call.Repeat.KEYED, SentOtp::new);
    }

    /** {@link OtpCalls#get}, as a future. */
    public CompletableFuture<Otp> get(String otpId) {
        return transport.call("GET", "/api/otps/" + Transport.segment(otpId), null,
            Call.Repeat.FREE, Otp::new);
    }

    /** {@link OtpCalls#list}, as a future. */
    public CompletableFuture<Page<ListedOtp>> list() {
        return list(new OtpListRequest());
    }

    /** {@link OtpCalls#list}, as a future. */
    public CompletableFuture<Page<ListedOtp>> list(OtpListRequest request) {
        return transport.list("/api/otps", request,
            "otps", ListedOtp::new);
    }

    /** {@link OtpCalls#conversion}, as a future. */
    public CompletableFuture<OtpConversion> conversion() {
        return conversion(new OtpConversionRequest());
    }

    /** {@link OtpCalls#conversion}, as a future. */
    public CompletableFuture<OtpConversion> conversion(OtpConversionRequest request) {
        return transport.call("GET", "/api/otp/conversion", request,
            Call.Repeat.FREE, OtpConversion::new);
    }

    /** {@link OtpCalls#guard}, as a future. */
    public CompletableFuture<OtpGuard> guard() {
        return transport.call("GET", "/api/otp/guard", null,
            Call.Repeat.FREE, OtpGuard::new);
    }

    /** {@link OtpCalls#verify}, as a future. */
    public CompletableFuture<OtpVerdict> verify(OtpVerifyRequest request) {
        return transport.call("POST", "/api/verifyotp", request,
            Call.Repeat.ONCE, OtpVerdict::new);
    }
}
