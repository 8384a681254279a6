package io.pennytext;

import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** A list, of which an iteration reads a page when it needs the first item of the page. */
public final class Pages<T> implements Iterable<T> {
    private final Supplier<CompletableFuture<Page<T>>> first;

    Pages(Supplier<CompletableFuture<Page<T>>> first) {
        this.first = first;
    }

    public Stream<T> stream() {
        return StreamSupport.stream(spliterator(), false);
    }

    /** Returns an iterator whose methods throw {@link PennytextException} when a page cannot be read. */
    @Override
    public Iterator<T> iterator() {
        return new Iterator<>() {
            private Supplier<CompletableFuture<Page<T>>> following = first;
            private Iterator<T> items = Collections.emptyIterator();

            @Override
            public boolean hasNext() {
                while (!items.hasNext() && following != null) {
                    Page<T> page = Call.await(following.get());
                    items = page.items().iterator();
                    following = page.hasNext() ? page::next : null;
                }
                return items.hasNext();
            }

            @Override
            public T next() {
                if (!hasNext()) throw new NoSuchElementException();
                return items.next();
            }
        };
    }
}
