// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

/** Calls of {@link Pennytext}. */
public final class TotpCalls {
    final TotpAsyncCalls async;

    TotpCalls(TotpAsyncCalls async) {
        this.async = async;
    }

    /**
     * Create an authenticator.
     *
     * <p>Makes a secret that you share with an authenticator app: codes of 6 digits, a new one every 30 seconds
     * (RFC 6238 with SHA-1). The secret is shown once, as text, as an address and as a QR code. Ask for a code
     * of the app before you rely on it. It is free, and an account has up to 100,000.
     */
    public CreatedTotp create(TotpCreateRequest request) {
        return Call.await(async.create(request));
    }

    /**
     * List authenticators.
     *
     * <p>Your authenticators without their secrets, newest first, 50 per page.
     */
    public Pages<ListedTotp> list() {
        return new Pages<>(() -> async.list());
    }

    /**
     * Show an authenticator.
     *
     * <p>Its state, never its secret. Authenticators of other accounts are not found.
     */
    public Totp get(String totpId) {
        return Call.await(async.get(totpId));
    }

    /**
     * Delete an authenticator.
     *
     * <p>Deletes the secret and the recovery codes at once. The app still shows codes, which are not found.
     */
    public TotpDeleted delete(String totpId) {
        return Call.await(async.delete(totpId));
    }

    /**
     * Verify a code of an app.
     *
     * <p>Verifies a code of the app, or a recovery code. A code of the app is accepted while it is shown, and 30
     * seconds before and after, for clocks that differ; each once, in their order. After 10 wrong codes it is
     * locked for 15 minutes. It costs nothing.
     */
    public TotpVerdict verify(String totpId, TotpVerifyRequest request) {
        return Call.await(async.verify(totpId, request));
    }

    /**
     * Make recovery codes.
     *
     * <p>Makes 10 codes for a person who has lost the phone, in place of earlier ones. They are shown once. Each
     * is accepted once, by the call that verifies codes of the app.
     */
    public RecoveryCodes recoveryCodes(String totpId) {
        return Call.await(async.recoveryCodes(totpId));
    }
}
