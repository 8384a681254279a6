// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

/** Calls of {@link Pennytext}. */
public class PennytextCalls {
    final PennytextAsyncCalls async;

    PennytextCalls(PennytextAsyncCalls async) {
        this.async = async;
    }

    public MediaCalls media() {
        return new MediaCalls(async.media());
    }

    public MessagesCalls messages() {
        return new MessagesCalls(async.messages());
    }

    public OtpCalls otp() {
        return new OtpCalls(async.otp());
    }

    public OptoutsCalls optouts() {
        return new OptoutsCalls(async.optouts());
    }

    public BatchesCalls batches() {
        return new BatchesCalls(async.batches());
    }

    public NumbersCalls numbers() {
        return new NumbersCalls(async.numbers());
    }

    public PoolsCalls pools() {
        return new PoolsCalls(async.pools());
    }

    public TotpCalls totp() {
        return new TotpCalls(async.totp());
    }

    /**
     * Send an SMS.
     *
     * <p>Accepts one message: it is checked, charged and stored before the answer, and handed to the carrier a
     * moment later, or at {@code send_at}. The first error that applies is returned; a refused request sends and
     * costs nothing.
     */
    public AcceptedMessage send(SendRequest request) {
        return Call.await(async.send(request));
    }

    /**
     * Create a test event.
     *
     * <p>Creates an event with example data, for the open streams of the account and, if it has a webhook URL,
     * for the webhook.
     */
    public TriggeredEvent trigger(TriggerRequest request) {
        return Call.await(async.trigger(request));
    }

    /**
     * Show the balance.
     *
     * <p>Your credits.
     */
    public Balance balance() {
        return Call.await(async.balance());
    }

    /**
     * Show what needs your attention.
     *
     * <p>What does not work now, or soon will not: a failing webhook, a low balance, a declined card, paused
     * one-time passwords, suspended sending and the like. Each is there as long as its cause. The dashboard
     * shows the same.
     */
    public Notifications notifications() {
        return Call.await(async.notifications());
    }

    /**
     * Show the deliverability.
     *
     * <p>What became of the messages that you sent on some New York days: how many were delivered, why others
     * were not, and both by country, day and key. Messages on their way and canceled ones do not count. The
     * figures are exact at any time: a message counts in the moment in which it ends.
     */
    public Deliverability deliverability() {
        return deliverability(new DeliverabilityRequest());
    }

    /**
     * Show the deliverability.
     *
     * <p>What became of the messages that you sent on some New York days: how many were delivered, why others
     * were not, and both by country, day and key. Messages on their way and canceled ones do not count. The
     * figures are exact at any time: a message counts in the moment in which it ends.
     */
    public Deliverability deliverability(DeliverabilityRequest request) {
        return Call.await(async.deliverability(request));
    }

    /**
     * Show the spend.
     *
     * <p>The credits that you spent on some New York days: charged for messages, one-time passwords and replies,
     * less refunds, by month and key, by day, key, country and kind. The figures are those of the ledger, exact
     * at any time. A refund counts on the day on which the credits came back.
     */
    public Spend spend() {
        return spend(new SpendRequest());
    }

    /**
     * Show the spend.
     *
     * <p>The credits that you spent on some New York days: charged for messages, one-time passwords and replies,
     * less refunds, by month and key, by day, key, country and kind. The figures are those of the ledger, exact
     * at any time. A refund counts on the day on which the credits came back.
     */
    public Spend spend(SpendRequest request) {
        return Call.await(async.spend(request));
    }

    /**
     * Show what leaked keys could spend.
     *
     * <p>The most credits that could be spent before you notice if all your keys leaked now, from your balance,
     * automatic top-up, daily limit, and the keys’ budgets and countries, assuming that you notice within 24
     * hours. It includes the replies that the recipients could write. Also what lowers it, the most effective
     * change first.
     */
    public Exposure exposure() {
        return Call.await(async.exposure());
    }

    /**
     * Send many messages.
     *
     * <p>Accepts up to 10,000 messages at once, JSON only, at most 5 MiB: all of them or none, or with
     * {@code partial} those that can be accepted. It counts as one request.
     */
    public AcceptedBulk sendBulk(SendBulkRequest request) {
        return Call.await(async.sendBulk(request));
    }

    /**
     * Price a message.
     *
     * <p>Returns the price without sending, for the body of {@code sendsms} or {@code sendbulk}, or of
     * {@code sendotp} with {@code channels}. For 10 minutes sending the same message or bulk with {@code quote}
     * costs at most this price; a one-time password has no {@code quote}, and its {@code max_credits} bounds the
     * price. It costs nothing, and it is refused if a test would be.
     */
    public Quote quote(SendRequest request) {
        return Call.await(async.quote(request));
    }

    /**
     * Price a bulk.
     *
     * <p>Returns the price without sending, for the body of {@code sendsms} or {@code sendbulk}, or of
     * {@code sendotp} with {@code channels}. For 10 minutes sending the same message or bulk with {@code quote}
     * costs at most this price; a one-time password has no {@code quote}, and its {@code max_credits} bounds the
     * price. It costs nothing, and it is refused if a test would be.
     */
    public BulkQuote quoteBulk(SendBulkRequest request) {
        return Call.await(async.quoteBulk(request));
    }

    /**
     * Price a one-time password with channels.
     *
     * <p>Returns the price without sending, for the body of {@code sendsms} or {@code sendbulk}, or of
     * {@code sendotp} with {@code channels}. For 10 minutes sending the same message or bulk with {@code quote}
     * costs at most this price; a one-time password has no {@code quote}, and its {@code max_credits} bounds the
     * price. It costs nothing, and it is refused if a test would be.
     */
    public OtpQuote quoteOtp(OtpSendRequest request) {
        return Call.await(async.quoteOtp(request));
    }
}
