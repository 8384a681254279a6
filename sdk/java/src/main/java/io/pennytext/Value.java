package io.pennytext;

import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * An answer of the API or a part of it, which does not change. A field that the service left out, or that
 * is of another type than it should be, is null, and a list or map then is empty.
 */
public class Value {
    private final Map<String, Object> fields;

    Value(Map<String, Object> fields) {
        this.fields = fields;
    }

    /**
     * Returns a field as the service sent it, also one that this version does not know: a Map, List, String, Long,
     * Double or Boolean, or null.
     */
    public final Object get(String name) {
        return fields.get(name);
    }

    /** Returns all fields as the service sent them. */
    public final Map<String, Object> toMap() {
        return fields;
    }

    final <T> T get(String name, Class<T> type) {
        Object value = fields.get(name);
        return type.isInstance(value) ? type.cast(value) : null;
    }

    final OffsetDateTime time(String name) {
        String text = get(name, String.class);
        try {
            return text == null ? null : OffsetDateTime.parse(text);
        } catch (DateTimeException malformed) {
            return null;
        }
    }

    final Double decimal(String name) {
        Number number = get(name, Number.class);
        return number == null ? null : (Double) number.doubleValue();
    }

    final <T> T object(String name, Function<Map<String, Object>, T> type) {
        Map<String, Object> value = mapOf(fields.get(name));
        return value == null ? null : type.apply(value);
    }

    final <T> List<T> objects(String name, Function<Map<String, Object>, T> type) {
        return list(name, value -> value instanceof Map ? type.apply(mapOf(value)) : null);
    }

    final <T> List<T> list(String name, Class<T> type) {
        return list(name, value -> type.isInstance(value) ? type.cast(value) : null);
    }

    private <T> List<T> list(String name, Function<Object, T> itemOf) {
        List<T> items = new ArrayList<>();
        Object values = fields.get(name);
        for (Object value : values instanceof List ? (List<?>) values : List.of()) {
            T item = itemOf.apply(value);
            if (item != null) items.add(item);
        }
        return Collections.unmodifiableList(items);
    }

    final <T> Map<String, T> map(String name, Class<T> type) {
        Map<String, T> values = new LinkedHashMap<>();
        Map<String, Object> given = mapOf(fields.get(name));
        if (given != null) given.forEach((key, value) -> {
            if (type.isInstance(value)) values.put(key, type.cast(value));
        });
        return Collections.unmodifiableMap(values);
    }

    /** Keys of maps that {@link Json} reads are texts. */
    @SuppressWarnings("unchecked")
    private static Map<String, Object> mapOf(Object value) {
        return value instanceof Map ? (Map<String, Object>) value : null;
    }

    @Override
    public final boolean equals(Object other) {
        return other != null && other.getClass() == getClass() && ((Value) other).fields.equals(fields);
    }

    @Override
    public final int hashCode() {
        return fields.hashCode();
    }

    @Override
    public final String toString() {
        return getClass().getSimpleName() + fields;
    }
}
