// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.concurrent.CompletableFuture;

/** Calls with futures, whose cancellation ends the call. */
public final class TotpAsyncCalls {
    final Transport transport;

    TotpAsyncCalls(Transport transport) {
        this.transport = transport;
    }

    /** {@link TotpCalls#create}, as a future. */
    public CompletableFuture<CreatedTotp> create(TotpCreateRequest request) {
        return transport.call("POST", "/api/totp", request,
            Call.Repeat.ONCE, CreatedTotp::new);
    }

    /** {@link TotpCalls#list}, as a future. */
    public CompletableFuture<Page<ListedTotp>> list() {
        return transport.list("/api/totp", null,
            "totps", ListedTotp::new);
    }

    /** {@link TotpCalls#get}, as a future. */
    public CompletableFuture<Totp> get(String totpId) {
        return transport.call("GET", "/api/totp/" + Transport.segment(totpId), null,
            Call.Repeat.FREE, Totp::new);
    }

    /** {@link TotpCalls#delete}, as a future. */
    public CompletableFuture<TotpDeleted> delete(String totpId) {
        return transport.call("DELETE", "/api/totp/" + Transport.segment(totpId), null,
            Call.Repeat.FREE, TotpDeleted::new);
    }

    /** {@link TotpCalls#verify}, as a future. */
    public CompletableFuture<TotpVerdict> verify(String totpId, TotpVerifyRequest request) {
        return transport.call("POST", "/api/totp/" + Transport.segment(totpId) + "/verify", request,
            Call.Repeat.ONCE, TotpVerdict::new);
    }

    /** {@link TotpCalls#recoveryCodes}, as a future. */
    public CompletableFuture<RecoveryCodes> recoveryCodes(String totpId) {
        return transport.call("POST", "/api/totp/" + Transport.segment(totpId) + "/recovery-codes", null,
            Call.Repeat.ONCE, RecoveryCodes::new);
    }
}
