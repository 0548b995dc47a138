// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/**
 * Stands between an agent and an object store, and does to requests what networks and crowded object stores do: loses
 * them, loses their answers, sends them twice or late, says SlowDown, breaks off in an answer. It sends whole requests
 * on, as they are.
 */
public final class S3Relay implements Closeable {

    private static final String SLOW_DOWN =
            "<?xml version=\"1.0\"?><Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>";

    /** What becomes of a request. */
    public enum Fate {
        PASSES,
        /** Nothing arrives. */
        IS_LOST,
        /** It arrives, and who sent it hears nothing. */
        LOSES_ITS_ANSWER,
        /** It arrives twice; the second answer counts. */
        ARRIVES_TWICE,
        /** Who sent it hears nothing, and it arrives later. */
        ARRIVES_LATE,
        /** It arrives, is answered, and arrives once more, later. */
        ARRIVES_AGAIN_LATE,
        IS_TOLD_TO_SLOW_DOWN,
        FAILS_INSIDE,
        /** Of its answer the half arrives. */
        IS_ANSWERED_BY_HALF
    }

    /** The first line and the rest of a request. */
    public record Request(String method, String target) {
        public boolean writes() {
            return method.equals("PUT") || method.equals("POST") || method.equals("DELETE");
        }
    }

    /** Bytes of a message, and where its body begins. */
    private record Message(String head, byte[] body) {
        byte[] bytes() {
            byte[] start = head.getBytes(StandardCharsets.ISO_8859_1);
            byte[] all = Arrays.copyOf(start, start.length + body.length);
            System.arraycopy(body, 0, all, start.length, body.length);
            return all;
        }
    }

    private final int target;
    private final Function<Request, Fate> fates;
    private final long lateMs;
    private final ServerSocket listening;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newCachedThreadPool(S3Relay::daemon);
    private final ScheduledExecutorService later = Executors.newScheduledThreadPool(2, S3Relay::daemon);
    private final ConcurrentHashMap<Fate, LongAdder> counts = new ConcurrentHashMap<>();

    /**
     * Begins.
     *
     * @param target port of the object store on this machine
     * @param fates of each request; asked by many threads
     * @param lateMs how late what arrives late arrives
     */
    public S3Relay(int target, Function<Request, Fate> fates, long lateMs) throws IOException {
        this.target = target;
        this.fates = fates;
        this.lateMs = lateMs;
        this.listening = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "s3-relay");
        thread.setDaemon(true);
        return thread;
    }

    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + listening.getLocalPort());
    }

    /** How many requests had each fate. */
    public String counts() {
        return new TreeMap<>(counts).toString();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                client.setTcpNoDelay(true);
                open.add(client);
                threads.execute(() -> serve(client));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            InputStream in = new BufferedInputStream(client.getInputStream(), 1 << 16);
            OutputStream out = client.getOutputStream();
            while (true) {
                Message request = readRequest(in, out);
                if (request == null || !handle(request, out)) {
                    return;
                }
            }
        } catch (IOException e) {
            // Either side went away, as they do.
        } finally {
            open.remove(client);
        }
    }

    /** Returns whether the connection goes on. */
    private boolean handle(Message request, OutputStream out) throws IOException {
        String[] words = request.head().split(" ", 3);
        Fate fate = fates.apply(new Request(words[0], words[1]));
        counts.computeIfAbsent(fate, key -> new LongAdder()).increment();
        switch (fate) {
            case IS_LOST -> {
                return false;
            }
            case LOSES_ITS_ANSWER -> {
                send(request);
                return false;
            }
            case ARRIVES_LATE -> {
                sendLater(request);
                return false;
            }
            case IS_TOLD_TO_SLOW_DOWN -> answer(out, "503 Slow Down", SLOW_DOWN);
            case FAILS_INSIDE ->
                answer(out, "500 Internal Server Error", SLOW_DOWN.replace("SlowDown", "InternalError"));
            case IS_ANSWERED_BY_HALF -> {
                byte[] bytes = send(request).bytes();
                out.write(bytes, 0, bytes.length / 2);
                out.flush();
                return false;
            }
            case ARRIVES_TWICE -> {
                send(request);
                out.write(send(request).bytes());
            }
            case ARRIVES_AGAIN_LATE -> {
                out.write(send(request).bytes());
                sendLater(request);
            }
            case PASSES -> out.write(send(request).bytes());
        }
        out.flush();
        return true;
    }

    private void sendLater(Message request) {
        later.schedule(
                () -> {
                    try {
                        send(request);
                    } catch (IOException e) {
                        // Lost after all.
                    }
                },
                lateMs,
                TimeUnit.MILLISECONDS);
    }

    private static void answer(OutputStream out, String status, String body) throws IOException {
        out.write(("HTTP/1.1 " + status + "\r\nContent-Type: application/xml\r\nContent-Length: " + body.length()
                        + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.ISO_8859_1));
    }

    private Message send(Message request) throws IOException {
        try (Socket server = new Socket(InetAddress.getLoopbackAddress(), target)) {
            server.setTcpNoDelay(true);
            server.setSoTimeout(60_000);
            server.getOutputStream().write(request.bytes());
            server.getOutputStream().flush();
            InputStream in = new BufferedInputStream(server.getInputStream(), 1 << 16);
            String head = readHead(in);
            while (head != null && head.startsWith("HTTP/1.1 100")) {
                head = readHead(in);
            }
            if (head == null) {
                throw new EOFException("no answer");
            }
            boolean bodiless = request.head().startsWith("HEAD ")
                    || head.startsWith("HTTP/1.1 204")
                    || head.startsWith("HTTP/1.1 304");
            return new Message(head, bodiless ? new byte[0] : readBody(head, in));
        }
    }

    private static Message readRequest(InputStream in, OutputStream out) throws IOException {
        String head = readHead(in);
        if (head == null) {
            return null;
        }
        if (header(head, "Expect") != null) {
            out.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
            head = head.replaceFirst("(?i)\r\nExpect: [^\r]*", "");
        }
        return new Message(
                head,
                header(head, "Content-Length") == null && header(head, "Transfer-Encoding") == null
                        ? new byte[0]
                        : readBody(head, in));
    }

    /** Up to the empty line, with it; null at the end. */
    private static String readHead(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int matched = 0;
        while (matched < 4) {
            int next = in.read();
            if (next < 0) {
                if (head.size() == 0) {
                    return null;
                }
                throw new EOFException("within a head");
            }
            head.write(next);
            matched = next == "\r\n\r\n".charAt(matched) ? matched + 1 : next == '\r' ? 1 : 0;
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }

    private static byte[] readBody(String head, InputStream in) throws IOException {
        String length = header(head, "Content-Length");
        if (length != null) {
            byte[] body = in.readNBytes(Integer.parseInt(length));
            if (body.length < Integer.parseInt(length)) {
                throw new EOFException("within a body");
            }
            return body;
        }
        if (header(head, "Transfer-Encoding") == null) {
            return in.readAllBytes();
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            String line = readLine(in);
            body.write((line + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
            int size = Integer.parseInt(line.replaceFirst(";.*", "").strip(), 16);
            body.write(in.readNBytes(size + 2));
            if (size == 0) {
                return body.toByteArray();
            }
        }
    }

    private static String readLine(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        int next = in.read();
        while (next != '\r') {
            if (next < 0) {
                throw new EOFException("within a body");
            }
            line.append((char) next);
            next = in.read();
        }
        in.read();
        return line.toString();
    }

    private static String header(String head, String name) {
        for (String line : head.split("\r\n")) {
            if (line.regionMatches(true, 0, name + ":", 0, name.length() + 1)) {
                return line.substring(name.length() + 1).strip();
            }
        }
        return null;
    }

    @Override
    public void close() throws IOException {
        listening.close();
        later.shutdownNow();
        threads.shutdownNow();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
