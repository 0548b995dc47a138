// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.shredder.backup.TestCertificates;
import io.shredder.backup.console.PersonTls;
import io.shredder.backup.wire.TlsFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.http.urlconnection.ProxyConfiguration;

/** An object store that accepts a request and then takes no more of it: the request ends, and waits no longer. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SilentReceiverTest {

    private static final Duration SILENCE = Duration.ofSeconds(1);
    private static final int PIECE_BYTES = 4096;

    /** More than all buffers between two sockets of a machine hold. */
    private static final long BODY_BYTES = 64 << 20;

    @TempDir
    private Path folder;

    private final CountDownLatch ended = new CountDownLatch(1);
    private ServerSocket server;

    @AfterEach
    void stop() throws IOException {
        ended.countDown();
        server.close();
    }

    /** Takes so much of the first request, and holds the connection. */
    private void take(long bytes, String answer) {
        Thread thread = new Thread(
                () -> {
                    try (Socket client = server.accept()) {
                        client.getInputStream().skipNBytes(bytes);
                        client.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                        client.getOutputStream().flush();
                        ended.await();
                    } catch (IOException | InterruptedException e) {
                        // The test is over.
                    }
                },
                "silent-receiver");
        thread.setDaemon(true);
        thread.start();
    }

    private static S3ConnectionFactory factory(SSLSocketFactory sockets) {
        return new S3ConnectionFactory(ProxyConfiguration.builder().build(), new BreakableSockets(sockets), SILENCE);
    }

    private HttpURLConnection connect(S3ConnectionFactory factory, String scheme, long bytes) throws IOException {
        HttpURLConnection connection =
                factory.createConnection(URI.create(scheme + "://127.0.0.1:" + server.getLocalPort() + "/bucket/key"));
        connection.setRequestMethod("PUT");
        connection.setDoOutput(true);
        connection.setFixedLengthStreamingMode(bytes);
        connection.connect();
        return connection;
    }

    private static void send(HttpURLConnection connection) throws IOException {
        OutputStream body = connection.getOutputStream();
        for (long sent = 0; sent < BODY_BYTES; sent += PIECE_BYTES) {
            body.write(new byte[PIECE_BYTES]);
        }
        connection.getResponseCode();
    }

    private void assertGivenUp(HttpURLConnection connection) {
        long start = System.nanoTime();
        assertThatThrownBy(() -> send(connection))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has taken nothing of a request for 1 s");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(SILENCE);
    }

    @Test
    void aBodyThatNobodyTakesIsGivenUp() throws IOException {
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        take(1 << 16, "");
        assertGivenUp(connect(factory(HttpsURLConnection.getDefaultSSLSocketFactory()), "http", BODY_BYTES));
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void soIsOneOverTls(String version) throws Exception {
        TlsFiles tls = new TestCertificates(folder.resolve("certs")).agent("127.0.0.1");
        JdkSslContext context = (JdkSslContext) SslContextBuilder.forServer(
                        tls.certificate().toFile(), tls.key().toFile())
                .sslProvider(SslProvider.JDK)
                .build();
        SSLServerSocket encrypted = (SSLServerSocket)
                context.context().getServerSocketFactory().createServerSocket(0, 1, InetAddress.getLoopbackAddress());
        encrypted.setEnabledProtocols(new String[] {version});
        server = encrypted;
        take(1 << 16, "");
        SSLSocketFactory sockets = PersonTls.ofNobody(tls.authority()).getSocketFactory();
        assertGivenUp(connect(factory(sockets), "https", BODY_BYTES));
    }

    @Test
    void whoSendsMaySlowDownAsLongAsItLikes() throws Exception {
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        int large = 1 << 18;
        take(2 * large, "HTTP/1.1 204 No Content\r\n\r\n");
        HttpURLConnection connection =
                connect(factory(HttpsURLConnection.getDefaultSSLSocketFactory()), "http", 2 * large);
        connection.getOutputStream().write(new byte[large]);
        TimeUnit.MILLISECONDS.sleep(2 * SILENCE.toMillis());
        connection.getOutputStream().write(new byte[large]);
        assertThat(connection.getResponseCode()).isEqualTo(204);
    }
}
