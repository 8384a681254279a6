// Java 17: java Verify.java ID TIMESTAMP SIGNATURES SECRET < body
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Verify {
    static final long TOLERANCE_SECONDS = 300;

    /** Whether a webhook is genuine. body is the request's body as it came. */
    static boolean isGenuine(String id, String timestamp, String signatures, byte[] body, String secret)
            throws Exception {
        if (!timestamp.matches("\\d{1,18}")) return false;
        long age = Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp));
        if (age > TOLERANCE_SECONDS) return false;
        byte[] key = Base64.getDecoder().decode(secret.replaceFirst("^whsec_", ""));
        ByteArrayOutputStream signed = new ByteArrayOutputStream();
        signed.writeBytes((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
        signed.writeBytes(body);
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        String expected = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed.toByteArray()));
        for (String one : signatures.split(" ")) {
            if (MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), expected.getBytes(StandardCharsets.UTF_8)))
                return true;
        }
        return false;
    }

    public static void main(String[] args) throws Exception {
        byte[] body = System.in.readAllBytes();
        System.exit(isGenuine(args[0], args[1], args[2], body, args[3]) ? 0 : 1);
    }
}
