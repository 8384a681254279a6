// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.concurrent.CompletableFuture;

/** Calls with futures, whose cancellation ends the call. */
public final class PennytextAsyncCalls {
    final Transport transport;

    PennytextAsyncCalls(Transport transport) {
        this.transport = transport;
    }

    public MediaAsyncCalls media() {
        return new MediaAsyncCalls(transport);
    }

    public MessagesAsyncCalls messages() {
        return new MessagesAsyncCalls(transport);
    }

    public OtpAsyncCalls otp() {
        return new OtpAsyncCalls(transport);
    }

    public OptoutsAsyncCalls optouts() {
        return new OptoutsAsyncCalls(transport);
    }

    public BatchesAsyncCalls batches() {
        return new BatchesAsyncCalls(transport);
    }

    public NumbersAsyncCalls numbers() {
        return new NumbersAsyncCalls(transport);
    }

    public PoolsAsyncCalls pools() {
        return new PoolsAsyncCalls(transport);
    }

    public TotpAsyncCalls totp() {
        return new TotpAsyncCalls(transport);
    }

    /** {@link PennytextCalls#send}, as a future. */
    public CompletableFuture<AcceptedMessage> send(SendRequest request) {
        return transport.call("POST", "/api/sendsms", request,
            Call.Repeat.KEYED, AcceptedMessage::new);
    }

    /** {@link PennytextCalls#trigger}, as a future. */
    public CompletableFuture<TriggeredEvent> trigger(TriggerRequest request) {
        return transport.call("POST", "/api/events", request,
            Call.Repeat.ONCE, TriggeredEvent::new);
    }

    /** {@link PennytextCalls#balance}, as a future. */
    public CompletableFuture<Balance> balance() {
        return transport.call("GET", "/api/balance", null,
            Call.Repeat.FREE, Balance::new);
    }

    /** {@link PennytextCalls#notifications}, as a future. */
    public CompletableFuture<Notifications> notifications() {
        return transport.call("GET", "/api/notifications", null,
            Call.Repeat.FREE, Notifications::new);
    }

    /** {@link PennytextCalls#deliverability}, as a future. */
    public CompletableFuture<Deliverability> deliverability() {
        return deliverability(new DeliverabilityRequest());
    }

    /** {@link PennytextCalls#deliverability}, as a future. */
    public CompletableFuture<Deliverability> deliverability(DeliverabilityRequest request) {
        return transport.call("GET", "/api/deliverability", request,
            Call.Repeat.FREE, Deliverability::new);
    }

    /** {@link PennytextCalls#spend}, as a future. */
    public CompletableFuture<Spend> spend() {
        return spend(new SpendRequest());
    }

    /** {@link PennytextCalls#spend}, as a future. */
    public CompletableFuture<Spend> spend(SpendRequest request) {
        return transport.call("GET", "/api/spend", request,
            Call.Repeat.FREE, Spend::new);
    }

    /** {@link PennytextCalls#exposure}, as a future. */
    public CompletableFuture<Exposure> exposure() {
        return transport.call("GET", "/api/exposure", null,
            Call.Repeat.FREE, Exposure::new);
    }

    /** {@link PennytextCalls#sendBulk}, as a future. */
    public CompletableFuture<AcceptedBulk> sendBulk(SendBulkRequest request) {
        return transport.call("POST", "/api/sendbulk", request,
            Call.Repeat.KEYED, AcceptedBulk::new);
    }

    /** {@link PennytextCalls#quote}, as a future. */
    public CompletableFuture<Quote> quote(SendRequest request) {
        return transport.call("POST", "/api/quote", request,
            Call.Repeat.FREE, Quote::new);
    }

    /** {@link PennytextCalls#quoteBulk}, as a future. */
    public CompletableFuture<BulkQuote> quoteBulk(SendBulkRequest request) {
        return transport.call("POST", "/api/quote", request,
            Call.Repeat.FREE, BulkQuote::new);
    }

    /** {@link PennytextCalls#quoteOtp}, as a future. */
    public CompletableFuture<OtpQuote> quoteOtp(OtpSendRequest request) {
        return transport.call("POST", "/api/quote", request,
            Call.Repeat.FREE, OtpQuote::new);
    }
}
