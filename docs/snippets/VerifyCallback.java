import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public final class VerifyCallback {
    private static final long TOLERANCE_SECONDS = 5 * 60;

    /**
     * Whether a callback comes from the service. id, timestamp and signatures are the headers webhook-id,
     * webhook-timestamp and webhook-signature (empty if missing), body is the bytes as they arrived, now is in
     * seconds.
     */
    public static boolean isGenuine(
            String id, String timestamp, String signatures, byte[] body, String secret, long now)
            throws GeneralSecurityException {
        if (id.isEmpty() || !timestamp.matches("[0-9]{1,15}")) {
            return false;
        }
        if (Math.abs(now - Long.parseLong(timestamp)) > TOLERANCE_SECONDS) {
            return false;
        }
        byte[] key = Base64.getDecoder().decode(secret.replaceFirst("^whsec_", ""));
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
        byte[] expected =
                ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(StandardCharsets.UTF_8);
        for (String signature : signatures.split(" ")) {
            if (MessageDigest.isEqual(signature.getBytes(StandardCharsets.UTF_8), expected)) {
                return true;
            }
        }
        return false;
    }

    /** On the command line: id, timestamp, signatures, secret, now; the body comes in, 0 or 1 goes out. */
    public static void main(String[] args) throws Exception {
        byte[] body = System.in.readAllBytes();
        System.exit(isGenuine(args[0], args[1], args[2], body, args[3], Long.parseLong(args[4])) ? 0 : 1);
    }
}
