import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.Executors;

public final class Server {
    private static final String SECRET = System.getenv("SECRET");

    private static boolean bySnippet(Headers headers, byte[] body) throws Exception {
        return VerifyCallback.isGenuine(
                Objects.requireNonNullElse(headers.getFirst("webhook-id"), ""),
                Objects.requireNonNullElse(headers.getFirst("webhook-timestamp"), ""),
                Objects.requireNonNullElse(headers.getFirst("webhook-signature"), ""),
                body,
                SECRET,
                System.currentTimeMillis() / 1000);
    }

    private static boolean byLibrary(Headers headers, byte[] body) {
        try {
            new Webhook(SECRET).verify(new String(body, StandardCharsets.UTF_8), headers);
            return true;
        } catch (WebhookVerificationException refused) {
            return false;
        }
    }

    public static void main(String[] args) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])), 0);
        server.setExecutor(Executors.newFixedThreadPool(4));
        server.createContext("/", exchange -> {
            boolean taken = false;
            try {
                byte[] body = exchange.getRequestBody().readAllBytes();
                Headers headers = exchange.getRequestHeaders();
                taken = System.getenv("AUTHORIZATION").equals(headers.getFirst("authorization"))
                        && (args.length > 1 ? bySnippet(headers, body) : byLibrary(headers, body));
            } catch (Exception unexpected) {
                unexpected.printStackTrace();
            }
            exchange.sendResponseHeaders(taken ? 204 : 401, -1);
            exchange.close();
        });
        server.start();
    }
}
