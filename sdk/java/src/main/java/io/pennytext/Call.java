package io.pennytext;

import java.net.ConnectException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** A call with its tries and the waits between them. Its cancellation ends them. */
final class Call<T> extends CompletableFuture<T> {
    /** What is done about a lost answer. */
    enum Repeat {
        /** The call only reads, or does the same again. */
        FREE,
        /** One Idempotency-Key for all tries. */
        KEYED,
        /** The answer is not asked for again. */
        ONCE
    }

    private static final Duration FIRST_WAIT = Duration.ofMillis(500);
    private static final int GROWTH_MAX = 16;
    /** The service checks the key of the account and its limits before it looks for the Idempotency-Key. */
    private static final Set<Integer> CHECKED_BEFORE = Set.of(401, 403, 429);

    private final HttpRequest.Builder request;
    private final PennytextBuilder options;
    private final Repeat repeat;
    private final String key;
    private final Function<Map<String, Object>, T> type;
    private final Duration timeout;
    private final long endsAtNanos;
    private int tried;
    private boolean isUnknown;
    private volatile CompletableFuture<HttpResponse<Answer>> exchange;
    private volatile Answer answer;

    Call(PennytextBuilder options, HttpRequest.Builder request, Repeat repeat, String key, boolean isUpload,
            Function<Map<String, Object>, T> type) {
        this.options = options;
        this.request = request;
        this.repeat = repeat;
        this.key = key;
        this.type = type;
        Duration deadline = options.deadline == null ? Duration.ofSeconds(isUpload ? 240 : 60) : options.deadline;
        timeout = options.timeout == null ? Duration.ofSeconds(isUpload ? 120 : 30) : options.timeout;
        endsAtNanos = options.clock.nanoTime() + deadline.toNanos();
    }

    Call<T> start() {
        attempt();
        return this;
    }

    /** Waits for the outcome, and throws PennytextException. An interruption cancels the call. */
    static <T> T await(CompletableFuture<T> call) {
        try {
            return call.get();
        } catch (ExecutionException failed) {
            if (!(failed.getCause() instanceof PennytextException)) throw new IllegalStateException(failed.getCause());
            PennytextException failure = (PennytextException) failed.getCause();
            // The caller sees where the call was made, not the thread that read the answer.
            failure.fillInStackTrace();
            throw failure;
        } catch (InterruptedException interrupted) {
            call.cancel(true);
            Thread.currentThread().interrupt();
            String detail = "The thread was interrupted.";
            PennytextException canceled = new PennytextException("canceled", detail, interrupted);
            boolean isRead = !(call instanceof Call) || ((Call<T>) call).repeat == Repeat.FREE;
            throw isRead ? canceled : canceled.leaveUnknown(((Call<T>) call).key);
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean isCanceled = super.cancel(mayInterruptIfRunning);
        stop();
        return isCanceled;
    }

    private void stop() {
        if (exchange != null) exchange.cancel(true);
        // Before Java 16, the cancellation of an exchange does not end it.
        if (answer != null) answer.cancel();
    }

    private void attempt() {
        if (isDone()) return;
        long leftNanos = Math.min(timeout.toNanos(), endsAtNanos - options.clock.nanoTime());
        Duration left = Duration.ofNanos(Math.max(leftNanos, 1_000_000));
        answer = null;
        exchange = options.httpClient.sendAsync(request.timeout(left).build(), info -> answer = new Answer(info));
        if (isDone()) stop();
        // The timeout of the request ends when the body begins.
        exchange.copy().orTimeout(left.toNanos(), TimeUnit.NANOSECONDS).whenComplete((response, thrown) -> {
            if (thrown == null) finish(response.body());
            else ForkJoinPool.commonPool().execute(() -> fail(failureOf(thrown, left)));
        });
    }

    private void finish(Answer whole) {
        try {
            complete(type.apply(whole.fields()));
        } catch (PennytextException failure) {
            fail(failure);
        } catch (RuntimeException | Error defect) {
            completeExceptionally(defect);
        }
    }

    private PennytextException failureOf(Throwable thrown, Duration left) {
        Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
        stop();
        if (cause instanceof PennytextException) return (PennytextException) cause;
        if (cause instanceof TimeoutException || cause instanceof HttpTimeoutException)
            return new PennytextException("timed_out", "No answer within " + left.toMillis() + " ms.", cause);
        if (cause instanceof ConnectException)
            return new PennytextException("unreachable", "Nothing listens at the address.", cause);
        String message = cause.getMessage();
        return new PennytextException("connection_failed", message == null ? "The connection failed." : message, cause);
    }

    private void fail(PennytextException failure) {
        if (isDone()) return;
        isUnknown = repeat != Repeat.FREE && (leavesUnknown(failure) || isUnknown && !settles(failure));
        if (isUnknown) failure.leaveUnknown(key);
        Duration wait = backoff();
        if (failure.retryAfter() != null && failure.retryAfter().compareTo(wait) > 0) wait = failure.retryAfter();
        boolean isTooLong = wait.compareTo(options.maxWait) > 0
            || options.clock.nanoTime() + wait.toNanos() - endsAtNanos >= 0;
        if (tried++ >= options.maxRetries || !isPassing(failure) || isTooLong) completeExceptionally(failure);
        else options.clock.schedule(wait.toNanos(), this::attempt);
    }

    /** The wait grows with every try; half of it is random, so that callers do not return together. */
    private Duration backoff() {
        double full = FIRST_WAIT.toNanos() * Math.min(Math.pow(2, tried), GROWTH_MAX);
        return Duration.ofNanos((long) (full * (0.5 + ThreadLocalRandom.current().nextDouble() / 2)));
    }

    /** Whether the same call may succeed later without doing anything twice. */
    private boolean isPassing(PennytextException failure) {
        if (failure.status() == 429) return true;
        if (repeat == Repeat.ONCE) return false;
        // The first try is still running at the server; a file is still being copied.
        if (failure.is("idempotency_in_progress") || failure.is("media_pending")) return true;
        return failure.status() == 0 ? !failure.is("invalid_answer") : failure.status() >= 500;
    }

    /** Whether the call may have taken effect although it failed. */
    private static boolean leavesUnknown(PennytextException failure) {
        if (failure.is("unreachable")) return false;
        return failure.status() < 300 || failure.status() >= 500 || failure.is("idempotency_in_progress");
    }

    /** Whether a refusal tells that no earlier try took effect. */
    private static boolean settles(PennytextException failure) {
        if (failure.is("unreachable") || failure.is("invalid_answer")) return false;
        return !CHECKED_BEFORE.contains(failure.status());
    }
}
