package io.pennytext;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** A page of a list. With a filter it can be empty although others follow. */
public final class Page<T> {
    private final List<T> items;
    private final String cursor;
    private final Function<String, CompletableFuture<Page<T>>> read;

    Page(List<T> items, String cursor, Function<String, CompletableFuture<Page<T>>> read) {
        this.items = items;
        this.cursor = cursor;
        this.read = read;
    }

    public List<T> items() {
        return items;
    }

    /** Whether another page follows. */
    public boolean hasNext() {
        return cursor != null && !cursor.isEmpty();
    }

    /** Reads the next page. It is null on the last page. */
    public CompletableFuture<Page<T>> next() {
        return hasNext() ? read.apply(cursor) : CompletableFuture.completedFuture(null);
    }
}
