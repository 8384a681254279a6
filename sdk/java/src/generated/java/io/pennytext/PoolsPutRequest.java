// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.List;

/** Arguments of {@link PoolsCalls#put}. */
public final class PoolsPutRequest extends Request {
    /** Up to 60 characters. A pool of this name gets these numbers. */
    public PoolsPutRequest name(String name) {
        set("name", name);
        return this;
    }

    /** Up to 50 of your numbers, or their ids. */
    public PoolsPutRequest numbers(List<String> numbers) {
        set("numbers", numbers);
        return this;
    }

    /**
     * Whether messages without {@code from} take its numbers. Your first pool does, unless you send
     * {@code false}.
     */
    public PoolsPutRequest default_(Boolean default_) {
        set("default", default_);
        return this;
    }
}
