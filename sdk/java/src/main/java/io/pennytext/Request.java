package io.pennytext;

import java.util.LinkedHashMap;
import java.util.Map;

/** Arguments of a call. Null leaves an argument out. */
public abstract class Request {
    final Map<String, Object> fields = new LinkedHashMap<>();
    String idempotencyKey;
    byte[] file;

    Request() {
    }

    final void set(String name, Object value) {
        if (value == null) fields.remove(name);
        else fields.put(name, value);
    }
}
