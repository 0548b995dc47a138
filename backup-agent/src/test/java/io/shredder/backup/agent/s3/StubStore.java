// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Answers requests as a test says, with a clock of its own; Java's server has none but the machine's. */
final class StubStore implements Closeable {

    /** What an object store says of a bucket in which nothing is. */
    static final String EMPTY = "200 OK\n<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>";

    private final Function<String, String> answers;
    private final ServerSocket listening;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile Duration ahead = Duration.ZERO;

    /**
     * Begins.
     *
     * @param answers to a request, by its first line: a status, and below that a body; asked by many threads
     */
    StubStore(Function<String, String> answers) throws IOException {
        this.answers = answers;
        System.setProperty("aws.accessKeyId", S3Server.ACCESS);
        System.setProperty("aws.secretAccessKey", S3Server.SECRET);
        listening = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "stub-store");
        thread.setDaemon(true);
        thread.start();
    }

    /** From now on its clock is so far ahead of this machine's. */
    void setAhead(Duration time) {
        ahead = time;
    }

    /** What time it is here. */
    Instant now() {
        return Instant.now().plus(ahead);
    }

    S3Settings settings() {
        return S3Server.settings(URI.create("http://127.0.0.1:" + listening.getLocalPort()));
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                open.add(client);
                start(() -> serve(client));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            InputStream in = new BufferedInputStream(client.getInputStream());
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                int next = in.read();
                if (next < 0) {
                    return;
                }
                head.append((char) next);
            }
            if (field(head, "expect").isPresent()) {
                client.getOutputStream().write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
            }
            in.skipNBytes(field(head, "content-length").map(Long::valueOf).orElse(0L));
            String[] answer =
                    answers.apply(head.substring(0, head.indexOf("\r\n"))).split("\n", 2);
            String body = answer.length > 1 ? answer[1] : "";
            String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(now().atOffset(ZoneOffset.UTC));
            client.getOutputStream()
                    .write(("HTTP/1.1 " + answer[0] + "\r\nDate: " + date + "\r\nContent-Length: " + body.length()
                                    + "\r\nETag: \"1\"\r\nConnection: close\r\n\r\n" + body)
                            .getBytes(StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            // Who asked went away.
        } finally {
            open.remove(client);
        }
    }

    private static Optional<String> field(StringBuilder head, String name) {
        return head.toString()
                .lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name + ": "))
                .map(line -> line.substring(name.length() + 2))
                .findFirst();
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
