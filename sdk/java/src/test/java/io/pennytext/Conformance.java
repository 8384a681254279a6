package io.pennytext;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Runs the conformance suite, whose server's address is the argument: sdk/conformance/README.md explains it. */
public final class Conformance {
    private static final HttpClient HTTP = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final int THREADS = 4;
    /** Time in which a request has reached the service. */
    private static final long CANCELED_AFTER_MS = 300;

    private final Map<String, Object> one;
    private final Map<String, Object> call;
    private final List<Object> waits = new ArrayList<>();
    private final List<Object> texts = new ArrayList<>();
    private final List<Object> items = new ArrayList<>();
    private final CompletableFuture<CompletableFuture<?>> started = new CompletableFuture<>();

    private Conformance(Map<String, Object> one) {
        this.one = one;
        this.call = map(one.get("call"));
    }

    public static void main(String[] args) throws Exception {
        String address = args[0];
        List<Callable<Void>> cases = new ArrayList<>();
        for (Object name : (List<?>) Json.readObject("{\"names\":" + ask(address + "/cases", null) + "}").get("names"))
            cases.add(() -> run(address, name));
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<Future<Void>> all = threads.invokeAll(cases);
        threads.shutdown();
        for (Future<Void> done : all) done.get();
    }

    private static Void run(String address, Object name) throws Exception {
        Map<String, Object> one = Json.readObject(ask(address + "/cases/" + name, "{}"));
        // The compiler checks the types of arguments: the server is told that the case is over.
        boolean isLacking = "untyped_arguments".equals(one.get("needs"));
        Map<String, Object> nothing = Map.of("waits", List.of(), "texts", List.of(), "elapsed_ms", 0);
        Map<String, Object> outcome = isLacking ? nothing : new Conformance(one).outcome();
        String verdict = ask(address + "/runs/" + one.get("run"), Json.write(new StringBuilder(), outcome).toString());
        if (!isLacking) System.out.println("{\"name\":\"" + name + "\"," + verdict.substring(1));
        return null;
    }

    private static String ask(String address, String body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address));
        if (body != null) request.POST(HttpRequest.BodyPublishers.ofString(body));
        return HTTP.send(request.build(), BodyHandlers.ofString()).body();
    }

    private Map<String, Object> outcome() throws Exception {
        long startedAt = System.nanoTime();
        Map<String, Object> end = new LinkedHashMap<>();
        try {
            Pennytext client = client();
            texts.add(client + " " + client.async() + " " + client.toBuilder());
            for (long n = (Long) call.get("times"); n > 0; n--) {
                try {
                    end.put("result", shown(made(client)));
                } catch (PennytextException failure) {
                    if (n == 1) throw failure;
                }
            }
        } catch (PennytextException failure) {
            show(failure);
            if (failure.is("canceled") && Thread.interrupted()) end.put("canceled", true);
            else end.putAll(Map.of("error", fieldsOf(failure), "result", shown(items)));
        } catch (CancellationException canceled) {
            show(canceled);
            end.put("canceled", true);
        } catch (IllegalArgumentException refused) {
            show(refused);
            end.put("refused", true);
        }
        end.putAll(Map.of("waits", waits, "texts", texts, "elapsed_ms", (System.nanoTime() - startedAt) / 1e6));
        return end;
    }

    /** A wait takes no time, and moves the clock. */
    private Pennytext client() {
        Map<String, Object> given = map(one.get("client"));
        PennytextBuilder builder = Pennytext.builder();
        builder.apiKey((String) given.get("api_key")).baseUrl((String) given.get("base_url"));
        builder.environment = name -> (String) map(one.get("environment")).get(name);
        if (given.get("max_retries") != null) builder.maxRetries(((Long) given.get("max_retries")).intValue());
        if (given.get("timeout_ms") != null) builder.timeout(Duration.ofMillis((Long) given.get("timeout_ms")));
        if (given.get("deadline_ms") != null) builder.deadline(Duration.ofMillis((Long) given.get("deadline_ms")));
        builder.clock = new Clock() {
            @Override
            long nanoTime() {
                return System.nanoTime() + (long) (waits.stream().mapToDouble(wait -> (Double) wait).sum() * 1e9);
            }

            @Override
            void schedule(long nanos, Runnable task) {
                waits.add(nanos / 1e9);
                if ("wait".equals(one.get("cancel"))) started.join().cancel(true);
                task.run();
            }
        };
        return builder.build();
    }

    private Object made(Pennytext client) throws Exception {
        Map<String, Object> given = map(call.get("arguments"));
        boolean isBulk = given.containsKey("messages") || given.containsKey("recipients");
        if ("wait".equals(one.get("cancel"))) {
            CompletableFuture<AcceptedMessage> sending = client.async().send(filled(new SendRequest(), given));
            started.complete(sending);
            return sending.join();
        }
        Thread caller = Thread.currentThread();
        if ("try".equals(one.get("cancel")))
            CompletableFuture.delayedExecutor(CANCELED_AFTER_MS, TimeUnit.MILLISECONDS).execute(caller::interrupt);
        String totpId = (String) given.get("totp_id");
        switch ((String) call.get("name")) {
            case "send": return client.send(filled(new SendRequest(), given));
            case "send_bulk": return client.sendBulk(filled(new SendBulkRequest(), given));
            case "quote": return isBulk ? client.quoteBulk(filled(new SendBulkRequest(), given))
                : client.quote(filled(new SendRequest(), given));
            case "quote_otp": return client.quoteOtp(filled(new OtpSendRequest(), given));
            case "balance": return client.balance();
            case "messages.get": return client.messages().get((String) given.get("message_id"));
            case "messages.list": return read(client.messages().list(filled(new MessagesListRequest(), given)));
            case "messages.cancel": return client.messages().cancel((String) given.get("message_id"));
            case "batches.get": return client.batches().get((String) given.get("batch_id"));
            case "batches.cancel": return client.batches().cancel((String) given.get("batch_id"));
            case "otp.send": return client.otp().send(filled(new OtpSendRequest(), given));
            case "otp.resend": return client.otp().resend(filled(new OtpResendRequest(), given));
            case "otp.verify": return client.otp().verify(filled(new OtpVerifyRequest(), given));
            case "totp.create": return client.totp().create(filled(new TotpCreateRequest(), given));
            case "totp.verify": {
                Map<String, Object> code = Map.of("code", given.get("code"));
                return client.totp().verify(totpId, filled(new TotpVerifyRequest(), code));
            }
            case "totp.recovery_codes": return client.totp().recoveryCodes(totpId);
            case "media.upload": return client.media().upload(filled(new MediaUploadRequest(), given));
            case "optouts.list": return read(client.optouts().list(filled(new OptoutsListRequest(), given)));
            default: return verified(given);
        }
    }

    private static Webhook verified(Map<String, Object> given) {
        Object body = given.get("body_base64");
        byte[] bytes = body == null ? ((String) given.get("body")).getBytes(StandardCharsets.UTF_8) : bytesOf(body);
        Map<String, List<String>> headers = new LinkedHashMap<>();
        map(given.get("headers")).forEach((name, value) -> headers.put(name, List.of((String) value)));
        Object secrets = given.containsKey("secrets") ? given.get("secrets") : List.of(given.get("secret"));
        String[] all = ((List<?>) secrets).toArray(new String[0]);
        return Webhooks.verify(Instant.parse((String) given.get("now")), bytes, Webhooks.headerOf(headers), all);
    }

    private <R extends Request> R filled(R request, Map<String, Object> given) throws Exception {
        request.idempotencyKey = (String) call.get("idempotency_key");
        if (given.get("bytes_base64") != null) request.file = bytesOf(given.get("bytes_base64"));
        for (Method method : request.getClass().getMethods()) {
            Object value = given.get(snake(method.getName()));
            if (value == null || method.getParameterCount() != 1) continue;
            List<Request> parts = new ArrayList<>();
            if ("messages".equals(method.getName()))
                for (Object part : (List<?>) value) parts.add(filled(new BulkMessage(), map(part)));
            if ("channels".equals(method.getName()))
                for (Object part : (List<?>) value) parts.add(filled(new OtpChannel(), map(part)));
            if ("media".equals(method.getName()))
                for (Object part : (List<?>) value) parts.add(filled(new MediaSource(), map(part)));
            boolean isTime = method.getParameterTypes()[0] == OffsetDateTime.class;
            method.invoke(request, isTime ? OffsetDateTime.parse((String) value) : parts.isEmpty() ? value : parts);
        }
        return request;
    }

    private Object read(Pages<?> pages) {
        if (call.get("take") != null) pages.stream().limit((Long) call.get("take")).forEach(items::add);
        else for (Object item : pages) items.add(item);
        return items;
    }

    /** An answer with what its methods return, and with the fields that have none. */
    private static Object shown(Object value) throws Exception {
        if (value instanceof List) {
            List<Object> shown = new ArrayList<>();
            for (Object item : (List<?>) value) shown.add(shown(item));
            return shown;
        }
        if (!(value instanceof Value)) return value;
        Map<String, Object> shown = new LinkedHashMap<>(((Value) value).toMap());
        for (Method method : value.getClass().getDeclaredMethods())
            if (Modifier.isPublic(method.getModifiers()) && method.getParameterCount() == 0)
                shown.put(snake(method.getName()), shown(method.invoke(value)));
        return shown;
    }

    private static Map<String, Object> fieldsOf(PennytextException failure) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("code", failure.code());
        fields.put("detail", failure.detail());
        fields.put("status", failure.status() == 0 ? null : (Integer) failure.status());
        fields.put("request_id", failure.requestId());
        Duration retryAfter = failure.retryAfter();
        fields.put("retry_after", retryAfter == null ? null : retryAfter.plusNanos(999_999_999).getSeconds());
        fields.put("fix", failure.fix() == null ? null : failure.fix().toMap());
        fields.put("outcome_unknown", failure.isOutcomeUnknown());
        fields.put("idempotency_key", failure.idempotencyKey());
        fields.put("is", failure.is(failure.code()) && !failure.is("no_such_code"));
        return fields;
    }

    private void show(Throwable thrown) {
        StringWriter trace = new StringWriter();
        thrown.printStackTrace(new PrintWriter(trace));
        texts.add(trace + " " + thrown);
    }

    private static byte[] bytesOf(Object base64) {
        return Base64.getDecoder().decode((String) base64);
    }

    private static String snake(String name) {
        return name.replaceAll("_$", "").replaceAll("([A-Z])", "_$1").toLowerCase();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }
}
