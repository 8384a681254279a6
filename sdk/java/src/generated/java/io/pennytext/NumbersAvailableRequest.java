// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

/** Arguments of {@link NumbersCalls#available}. */
public final class NumbersAvailableRequest extends Request {
    /** Country as ISO 3166-1 alpha-2 code. {@code US} by default. */
    public NumbersAvailableRequest country(String country) {
        set("country", country);
        return this;
    }

    /** {@code local} (default) or {@code toll_free}. Values: {@code local}, {@code toll_free}. */
    public NumbersAvailableRequest type(String type) {
        set("type", type);
        return this;
    }

    /** Only numbers with this area code, of the USA and Canada. */
    public NumbersAvailableRequest areaCode(String areaCode) {
        set("area_code", areaCode);
        return this;
    }

    /** Only numbers with these 2 to 10 digits or letters of a keypad in a row; {@code *} is any digit. */
    public NumbersAvailableRequest contains(String contains) {
        set("contains", contains);
        return this;
    }

    /** How many at most: 20 by default. */
    public NumbersAvailableRequest limit(Long limit) {
        set("limit", limit);
        return this;
    }
}
