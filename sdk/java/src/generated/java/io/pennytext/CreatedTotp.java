// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;
import java.util.Map;

public final class CreatedTotp extends Value {
    CreatedTotp(Map<String, Object> fields) {
        super(fields);
    }

    /** Id of the authenticator: {@code TP} and 32 hex digits. */
    public String totpId() {
        return get("totp_id", String.class);
    }

    /** Names the person’s account in the app, such as an email address. */
    public String label() {
        return get("label", String.class);
    }

    /** Names you in the app; {@code null} if you left it out. May be null. */
    public String issuer() {
        return get("issuer", String.class);
    }

    /** The secret in base32, for people who type it into the app. It is not shown again. */
    public String secret() {
        return get("secret", String.class);
    }

    /** The address that adds it to the app on the same phone. It contains the secret. */
    public String otpauthUrl() {
        return get("otpauth_url", String.class);
    }

    /** The address as a QR code, an SVG image for your page. It contains the secret. */
    public String qrSvg() {
        return get("qr_svg", String.class);
    }

    /** When it was created, in UTC. */
    public OffsetDateTime createdAt() {
        return time("created_at");
    }

    /**
     * Present if the key was a test key: nothing was stored, and the secret is that of all test keys. May be
     * null.
     */
    public Boolean test() {
        return get("test", Boolean.class);
    }
}
