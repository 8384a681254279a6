package io.pennytext;

import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads and writes JSON (RFC 8259), since the JDK does not. Integers are Long, other numbers Double. */
final class Json {
    private static final int DEPTH_MAX = 100;
    private static final Pattern NUMBER =
        Pattern.compile("-?(?:0|[1-9][0-9]*)(?<rest>(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)");
    private static final String ESCAPES = "\"\\/bfnrt";
    private static final String ESCAPED = "\"\\/\b\f\n\r\t";

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** Returns the fields of a text that is a JSON object, otherwise null. */
    static Map<String, Object> readObject(String text) {
        try {
            Json json = new Json(text);
            json.skipSpace();
            Map<String, Object> fields = json.object(0);
            return json.at == text.length() ? fields : null;
        } catch (IllegalArgumentException | IndexOutOfBoundsException malformed) {
            return null;
        }
    }

    private Object value(int depth) {
        switch (text.charAt(at)) {
            case '{': return object(depth);
            case '[': return list(depth);
            case '"': return string();
            case 't': take("true"); return true;
            case 'f': take("false"); return false;
            case 'n': take("null"); return null;
            default: return number();
        }
    }

    private Map<String, Object> object(int depth) {
        Map<String, Object> fields = new LinkedHashMap<>();
        open("{", depth);
        if (!took("}")) {
            do {
                String name = string();
                take(":");
                fields.put(name, value(depth + 1));
            } while (took(","));
            take("}");
        }
        return Collections.unmodifiableMap(fields);
    }

    private List<Object> list(int depth) {
        List<Object> values = new ArrayList<>();
        open("[", depth);
        if (!took("]")) {
            do values.add(value(depth + 1)); while (took(","));
            take("]");
        }
        return Collections.unmodifiableList(values);
    }

    private String string() {
        if (text.charAt(at) != '"') throw new IllegalArgumentException();
        StringBuilder found = new StringBuilder();
        while (true) {
            int start = ++at;
            while (text.charAt(at) != '"' && text.charAt(at) != '\\' && text.charAt(at) >= ' ') at++;
            found.append(text, start, at);
            if (text.charAt(at) == '"') break;
            if (text.charAt(at++) != '\\') throw new IllegalArgumentException();
            found.append(text.charAt(at) == 'u' ? codeUnit() : ESCAPED.charAt(ESCAPES.indexOf(text.charAt(at))));
        }
        take("\"");
        return found.toString();
    }

    private char codeUnit() {
        int code = 0;
        for (int end = at + 4; at < end; ) {
            int digit = Character.digit(text.charAt(++at), 16);
            if (digit < 0) throw new IllegalArgumentException();
            code = code * 16 + digit;
        }
        return (char) code;
    }

    private Object number() {
        Matcher found = NUMBER.matcher(text).region(at, text.length());
        if (!found.lookingAt()) throw new IllegalArgumentException();
        at = found.end();
        skipSpace();
        try {
            if (found.group("rest").isEmpty()) return Long.valueOf(found.group());
        } catch (NumberFormatException tooLong) {
            // A number beyond 64 bits is read as in JavaScript.
        }
        return Double.valueOf(found.group());
    }

    private void open(String bracket, int depth) {
        if (depth == DEPTH_MAX) throw new IllegalArgumentException();
        take(bracket);
    }

    private void take(String word) {
        if (!took(word)) throw new IllegalArgumentException();
    }

    private boolean took(String word) {
        if (!text.startsWith(word, at)) return false;
        at += word.length();
        skipSpace();
        return true;
    }

    private void skipSpace() {
        while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) at++;
    }

    /** Throws IllegalArgumentException for a value that a request cannot carry. */
    static StringBuilder write(StringBuilder out, Object value) {
        String comma = "";
        if (value instanceof Request) return write(out, ((Request) value).fields);
        if (value instanceof Map) {
            out.append('{');
            for (Map.Entry<?, ?> field : ((Map<?, ?>) value).entrySet()) {
                write(writeString(out.append(comma), String.valueOf(field.getKey())).append(':'), field.getValue());
                comma = ",";
            }
            return out.append('}');
        }
        if (value instanceof Iterable) {
            out.append('[');
            for (Object item : (Iterable<?>) value) {
                write(out.append(comma), item);
                comma = ",";
            }
            return out.append(']');
        }
        if (value instanceof CharSequence || value instanceof OffsetDateTime) return writeString(out, textOf(value));
        boolean isNumber = value instanceof Number && Double.isFinite(((Number) value).doubleValue());
        if (value == null || value instanceof Boolean || isNumber) return out.append(value);
        throw new IllegalArgumentException("A request cannot carry " + value.getClass().getName() + ".");
    }

    /** Returns what stands for a value in a query. */
    static String textOf(Object value) {
        // OffsetDateTime.toString leaves out seconds that are zero, which RFC 3339 needs.
        boolean isTime = value instanceof OffsetDateTime;
        return isTime ? DateTimeFormatter.ISO_OFFSET_DATE_TIME.format((OffsetDateTime) value) : value.toString();
    }

    private static StringBuilder writeString(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean isPair = Character.isHighSurrogate(c) && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
            if (isPair) out.append(c).append(text.charAt(++i));
            else if (c < ' ' || Character.isSurrogate(c)) out.append(String.format("\\u%04x", (int) c));
            else if (c == '"' || c == '\\') out.append('\\').append(c);
            else out.append(c);
        }
        return out.append('"');
    }
}
