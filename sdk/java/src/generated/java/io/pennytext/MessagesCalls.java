// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

/** Calls of {@link Pennytext}. */
public final class MessagesCalls {
    final MessagesAsyncCalls async;

    MessagesCalls(MessagesAsyncCalls async) {
        this.async = async;
    }

    /**
     * List your messages.
     *
     * <p>Your messages and their states, newest first, in pages. With a filter a page may have fewer messages
     * than there are, or none: ask on until {@code next_cursor} is {@code null}.
     */
    public Pages<Message> list() {
        return list(new MessagesListRequest());
    }

    /**
     * List your messages.
     *
     * <p>Your messages and their states, newest first, in pages. With a filter a page may have fewer messages
     * than there are, or none: ask on until {@code next_cursor} is {@code null}.
     */
    public Pages<Message> list(MessagesListRequest request) {
        return new Pages<>(() -> async.list(request));
    }

    /**
     * Show a message.
     *
     * <p>One message and its state. Messages of other accounts are not found.
     */
    public MessageAnswer get(String messageId) {
        return Call.await(async.get(messageId));
    }

    /**
     * Show the record of a message.
     *
     * <p>Everything known of one message: every state with its time and cause, the carrier’s id and codes,
     * ledger entries with their seals, refund, and webhooks with their attempts. {@code removed} names what is
     * no longer kept.
     */
    public MessageRecord record(String messageId) {
        return Call.await(async.record(messageId));
    }

    /**
     * Cancel a message.
     *
     * <p>Cancels a message that is {@code scheduled} or {@code queued}, and refunds its credits. Canceling it
     * again answers 200 with it, and refunds nothing more. A one-time password cannot be canceled.
     */
    public MessageAnswer cancel(String messageId) {
        return Call.await(async.cancel(messageId));
    }
}
