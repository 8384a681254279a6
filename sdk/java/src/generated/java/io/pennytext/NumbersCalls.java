// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

/** Calls of {@link Pennytext}. */
public final class NumbersCalls {
    final NumbersAsyncCalls async;

    NumbersCalls(NumbersAsyncCalls async) {
        this.async = async;
    }

    /**
     * Search for a number.
     *
     * <p>Numbers that you can buy, with their prices. All of them carry messages.
     */
    public AvailableNumbers available() {
        return available(new NumbersAvailableRequest());
    }

    /**
     * Search for a number.
     *
     * <p>Numbers that you can buy, with their prices. All of them carry messages.
     */
    public AvailableNumbers available(NumbersAvailableRequest request) {
        return Call.await(async.available(request));
    }

    /**
     * Buy a number.
     *
     * <p>The price is held, and taken when the carrier has confirmed; else it is returned. Afterwards the rent
     * is taken every month. An account needs a paid purchase of credits, has 10 numbers at most and buys 5 a
     * day. DELETE it to give it up.
     */
    public BoughtNumber buy(NumbersBuyRequest request) {
        return Call.await(async.buy(request));
    }

    /**
     * List your numbers.
     *
     * <p>Your numbers, newest first.
     */
    public OwnNumbers list() {
        return list(new NumbersListRequest());
    }

    /**
     * List your numbers.
     *
     * <p>Your numbers, newest first.
     */
    public OwnNumbers list(NumbersListRequest request) {
        return Call.await(async.list(request));
    }

    /**
     * Show a number.
     *
     * <p>One number, and what went through it.
     */
    public OwnNumberAnswer get(String numberId) {
        return Call.await(async.get(numberId));
    }

    /**
     * Change a number.
     *
     * <p>Sets what is sent, and leaves the rest.
     */
    public ChangedNumber change(String numberId, NumbersChangeRequest request) {
        return Call.await(async.change(numberId, request));
    }

    /**
     * Release a number.
     *
     * <p>Gives the number up: 24 hours from now ({@code releasing} until {@code releases_at}), or when the month
     * that is paid ends, but not before that. Until then {@code cancel=true}, buying it again and the dashboard
     * undo it; nothing is sent from a number that is {@code releasing}. We email you. When it is released,
     * messages that wait for it, scheduled ones too, fail and are refunded; replies to it do not arrive any
     * more. No other account can buy it for 90 days, but you may not get it back either. Nothing is released
     * while a dispute has frozen credits of your account. The dashboard can release it at once.
     */
    public ChangedNumber release(String numberId) {
        return release(numberId, new NumbersReleaseRequest());
    }

    /**
     * Release a number.
     *
     * <p>Gives the number up: 24 hours from now ({@code releasing} until {@code releases_at}), or when the month
     * that is paid ends, but not before that. Until then {@code cancel=true}, buying it again and the dashboard
     * undo it; nothing is sent from a number that is {@code releasing}. We email you. When it is released,
     * messages that wait for it, scheduled ones too, fail and are refunded; replies to it do not arrive any
     * more. No other account can buy it for 90 days, but you may not get it back either. Nothing is released
     * while a dispute has frozen credits of your account. The dashboard can release it at once.
     */
    public ChangedNumber release(String numberId, NumbersReleaseRequest request) {
        return Call.await(async.release(numberId, request));
    }

    /**
     * Undo a release.
     *
     * <p>Gives the number up: 24 hours from now ({@code releasing} until {@code releases_at}), or when the month
     * that is paid ends, but not before that. Until then {@code cancel=true}, buying it again and the dashboard
     * undo it; nothing is sent from a number that is {@code releasing}. We email you. When it is released,
     * messages that wait for it, scheduled ones too, fail and are refunded; replies to it do not arrive any
     * more. No other account can buy it for 90 days, but you may not get it back either. Nothing is released
     * while a dispute has frozen credits of your account. The dashboard can release it at once.
     */
    public ChangedNumber keep(String numberId) {
        return Call.await(async.keep(numberId));
    }
}
