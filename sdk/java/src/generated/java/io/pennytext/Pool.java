// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;

public final class Pool extends Value {
    Pool(Map<String, Object> fields) {
        super(fields);
    }

    /** Id of the pool: {@code pool_} and 32 hex digits. */
    public String poolId() {
        return get("pool_id", String.class);
    }

    /** Its name, unique in your account. */
    public String name() {
        return get("name", String.class);
    }

    /** Whether messages without {@code from} take its numbers. */
    public Boolean default_() {
        return get("default", Boolean.class);
    }

    /**
     * Its numbers. {@code active}: messages take it. It is not while carriers filter its messages
     * ({@code filtered_at}), or its {@code status} does not allow it.
     */
    public List<PoolNumber> numbers() {
        return objects("numbers", PoolNumber::new);
    }

    /** When it was created, in UTC. */
    public OffsetDateTime createdAt() {
        return time("created_at");
    }
}
