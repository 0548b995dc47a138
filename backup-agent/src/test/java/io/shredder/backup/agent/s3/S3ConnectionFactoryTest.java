// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import javax.net.ssl.HttpsURLConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.http.urlconnection.ProxyConfiguration;

/** Connections to an object store, with a real server at their end. */
class S3ConnectionFactoryTest {

    private static final int PIECE_BYTES = 4096;
    private static final int PIECES = 100;

    private final BlockingQueue<String> seen = new ArrayBlockingQueue<>(10);
    private HttpServer server;
    private URI address;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        long bytes = exchange.getRequestBody().readAllBytes().length;
        seen.add(exchange.getRequestURI() + " " + bytes + " "
                + exchange.getRequestHeaders().getFirst("Proxy-Authorization"));
        exchange.sendResponseHeaders(204, -1);
        exchange.close();
    }

    private static S3ConnectionFactory factory(ProxyConfiguration proxy) {
        BreakableSockets sockets = new BreakableSockets(HttpsURLConnection.getDefaultSSLSocketFactory());
        return new S3ConnectionFactory(proxy, sockets, Duration.ofSeconds(30));
    }

    private static int ask(S3ConnectionFactory factory, URI store) throws IOException {
        HttpURLConnection connection = factory.createConnection(store);
        connection.setRequestMethod("PUT");
        connection.setDoOutput(true);
        connection.setFixedLengthStreamingMode((long) PIECES * PIECE_BYTES);
        connection.connect();
        OutputStream body = connection.getOutputStream();
        for (int i = 0; i < PIECES; i++) {
            body.write(new byte[PIECE_BYTES]);
        }
        return connection.getResponseCode();
    }

    @Test
    void allOfABodyHasGoneWhenTheAnswerIsAskedFor() throws Exception {
        S3ConnectionFactory factory = factory(ProxyConfiguration.builder().build());
        assertThat(ask(factory, address.resolve("/bucket/key"))).isEqualTo(204);
        assertThat(seen.take()).isEqualTo("/bucket/key " + PIECES * PIECE_BYTES + " null");
    }

    @Test
    void aProxyIsUsedForHostsThatAreNotExcepted() throws Exception {
        ProxyConfiguration proxy = ProxyConfiguration.builder()
                .endpoint(address)
                .username("agent")
                .password("secret")
                .addNonProxyHost("127\\.0\\.0\\.1")
                .build();
        S3ConnectionFactory factory = factory(proxy);
        assertThat(ask(factory, URI.create("http://store.invalid/bucket/key"))).isEqualTo(204);
        assertThat(seen.take())
                .isEqualTo("http://store.invalid/bucket/key " + PIECES * PIECE_BYTES + " Basic YWdlbnQ6c2VjcmV0");
        assertThat(ask(factory, address.resolve("/near"))).isEqualTo(204);
        assertThat(seen.take()).startsWith("/near ");
    }
}
