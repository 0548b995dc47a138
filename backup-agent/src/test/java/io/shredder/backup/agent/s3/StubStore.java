// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Answers requests as a test says, with a clock of its own; Java's server has none but the machine's. */
final class StubStore implements Closeable {

    /** A request: fields of its head have their names in small letters. */
    record Asked(String method, String target, Map<String, String> fields, byte[] body) {}

    /** What is said to it. */
    record Answer(String status, Map<String, String> fields, byte[] body) {
        Answer(String status, String body) {
            this(status, Map.of(), body.getBytes(StandardCharsets.UTF_8));
        }

        Answer(String status) {
            this(status, "");
        }

        /** Of an error with a name. */
        static Answer error(String status, String code) {
            return new Answer(status, "<Error><Code>" + code + "</Code></Error>");
        }
    }

    /** What an object store says of a bucket in which nothing is. */
    static final Answer EMPTY =
            new Answer("200 OK", "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>");

    private final Function<Asked, Answer> answers;
    private final ServerSocket listening;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile Duration ahead = Duration.ZERO;

    /**
     * Begins.
     *
     * @param answers what is said to a request; asked by many threads
     */
    StubStore(Function<Asked, Answer> answers) throws IOException {
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
            Asked asked = read(head.toString(), in, client.getOutputStream());
            write(answers.apply(asked), asked.method().equals("HEAD"), client.getOutputStream());
        } catch (IOException e) {
            // Who asked went away.
        } finally {
            open.remove(client);
        }
    }

    private static Asked read(String head, InputStream in, OutputStream out) throws IOException {
        List<String> lines = head.lines().filter(line -> !line.isEmpty()).toList();
        Map<String, String> fields = new HashMap<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] field = line.split(": *", 2);
            fields.put(field[0].toLowerCase(Locale.ROOT), field[1]);
        }
        if (fields.containsKey("expect")) {
            out.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
        }
        String[] words = lines.get(0).split(" ");
        byte[] body = in.readNBytes(Integer.parseInt(fields.getOrDefault("content-length", "0")));
        boolean isInPieces = fields.getOrDefault("content-encoding", "").contains("aws-chunked");
        return new Asked(words[0], words[1], fields, isInPieces ? joined(body) : body);
    }

    /** Pieces that are signed each: a line that begins with its length, the piece, a line's end. */
    private static byte[] joined(byte[] pieces) {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        int at = 0;
        while (true) {
            int end = at;
            while (pieces[end] != ';' && pieces[end] != '\r') {
                end++;
            }
            int length = Integer.parseInt(new String(pieces, at, end - at, StandardCharsets.ISO_8859_1), 16);
            if (length == 0) {
                return whole.toByteArray();
            }
            while (pieces[end] != '\n') {
                end++;
            }
            whole.write(pieces, end + 1, length);
            at = end + 1 + length + 2;
        }
    }

    private void write(Answer answer, boolean isHead, OutputStream out) throws IOException {
        StringBuilder head = new StringBuilder("HTTP/1.1 " + answer.status() + "\r\nDate: "
                + DateTimeFormatter.RFC_1123_DATE_TIME.format(now().atOffset(ZoneOffset.UTC)) + "\r\nContent-Length: "
                + answer.body().length + "\r\nConnection: close\r\n");
        answer.fields().forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
        out.write((head + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        if (!isHead) {
            out.write(answer.body());
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
