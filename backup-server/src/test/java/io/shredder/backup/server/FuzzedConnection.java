// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.trial.Tally;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.backup.wire.Frame;
import io.shredder.backup.wire.FrameFuzzer;
import io.shredder.backup.wire.FrameInput;
import io.shredder.backup.wire.FrameType;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import javax.net.ssl.SSLSocketFactory;

/** One connection full of bad frames, and what must come back. One thread. */
final class FuzzedConnection {

    private static final int TIMEOUT_MS = 30_000;
    private static final int MOST_BATCHES = 60;
    private static final int BATCH_BYTES = 60_000;
    private static final int MOST_BATCH_FRAMES = 100;

    private final AgentProcess agent;
    private final SSLSocketFactory sockets;
    private final Random random;
    private final FrameFuzzer fuzzer;
    private final Tally tally;

    FuzzedConnection(AgentProcess agent, Random random, Tally tally) {
        this(agent, agent.sockets(), random, tally);
    }

    /** Of another client than the agent's own. */
    FuzzedConnection(AgentProcess agent, SSLSocketFactory sockets, Random random, Tally tally) {
        this.agent = agent;
        this.sockets = sockets;
        this.random = random;
        this.fuzzer = new FrameFuzzer(random);
        this.tally = tally;
    }

    /** Returns how many frames were sent. */
    int run() throws IOException {
        agent.checkLives();
        try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), agent.port())) {
            plain.setSoTimeout(TIMEOUT_MS);
            plain.setTcpNoDelay(true);
            if (random.nextInt(20) == 0) {
                return beforeTls(plain);
            }
            try (Socket secure = sockets.createSocket(plain, "localhost", agent.port(), true)) {
                return throughTls(secure);
            }
        } catch (SocketTimeoutException e) {
            throw new AssertionError("the agent neither answers nor closes within " + TIMEOUT_MS + " ms", e);
        }
    }

    /** Bytes that are no TLS, or that begin like it: the connection ends, and nothing of the protocol is said. */
    private int beforeTls(Socket socket) throws IOException {
        byte[] bytes = fuzzer.noHandshake();
        try {
            socket.getOutputStream().write(bytes);
            if (random.nextBoolean()) {
                socket.shutdownOutput();
                socket.getInputStream().readAllBytes();
            }
            tally.count("before the handshake");
        } catch (SocketException e) {
            tally.count("before the handshake, reset");
        }
        return 1;
    }

    private int throughTls(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        OutputStream out = socket.getOutputStream();
        Answer greeting = read(in).answer("agent");
        if (!(greeting instanceof Answer.Greeting)) {
            throw new AssertionError("instead of a greeting: " + greeting);
        }
        int frames = 1;
        if (random.nextInt(50) > 0) {
            send(out, bytes(Frame.encode(WireFormat.NO_REQUEST, new Request.Hello(WireFormat.MAX_VERSION, "fuzzer"))));
            for (int i = random.nextInt(MOST_BATCHES); i > 0; i--) {
                frames += batch(in, out);
            }
        }
        switch (random.nextInt(8)) {
            case 0 -> leave(out);
            default -> breakARule(in, out);
        }
        return frames;
    }

    /** Requests that can be read, most of which make no sense: each gets its answer. */
    private int batch(InputStream in, OutputStream out) throws IOException {
        List<Integer> asked = new ArrayList<>();
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        while (asked.size() < MOST_BATCH_FRAMES && frames.size() < BATCH_BYTES) {
            int id = random.nextInt() | 1;
            byte[] frame = bytes(fuzzer.readable(id));
            frames.write(frame, 0, frame.length);
            asked.add(id);
        }
        send(out, frames.toByteArray());
        for (int id : asked) {
            Frame frame = read(in);
            Answer answer = frame.answer("agent");
            if (frame.requestId() != id) {
                throw new AssertionError("asked " + id + ", answered " + frame.requestId() + ": " + answer);
            }
            if (answer instanceof Answer.Failure failure) {
                check(failure);
            } else {
                tally.count("answered");
            }
        }
        return asked.size();
    }

    private void check(Answer.Failure failure) {
        if (failure.code() == ErrorCode.INTERNAL
                || failure.code() == ErrorCode.STORAGE_FAILED
                || failure.code() == ErrorCode.DAMAGED) {
            throw new AssertionError(failure.toString());
        }
        tally.count("refused: " + failure.code());
    }

    /** Goes in the middle of a frame. */
    private void leave(OutputStream out) throws IOException {
        byte[] frame = bytes(fuzzer.readable(1));
        send(out, java.util.Arrays.copyOf(frame, random.nextInt(frame.length)));
        tally.count("left within a frame");
    }

    /** The agent says what is wrong, and closes. */
    private void breakARule(InputStream in, OutputStream out) throws IOException {
        try {
            send(out, fuzzer.broken());
        } catch (SocketException e) {
            tally.count("closed while more was sent");
            return;
        }
        Frame last = read(in);
        Answer answer = last.answer("agent");
        // Whoever has not greeted may break the rules by a HELLO of a version that nobody speaks.
        boolean said = last.requestId() == WireFormat.NO_REQUEST
                && answer instanceof Answer.Failure failure
                && (failure.code() == ErrorCode.PROTOCOL || failure.code() == ErrorCode.VERSION)
                && !failure.text().isEmpty();
        if (!said) {
            throw new AssertionError("no reason is given for a broken frame, but " + last.requestId() + ": " + answer);
        }
        if (in.read() >= 0) {
            throw new AssertionError("more comes after the reason");
        }
        tally.count("closed with a reason");
    }

    private static void send(OutputStream out, byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    /** The agent's next answer: what belongs to no request may come between two. */
    private static Frame read(InputStream in) throws IOException {
        try {
            Frame frame = FrameInput.read(in);
            while (frame.type() == FrameType.KEEP_ALIVE || frame.type() == FrameType.WINDOW) {
                frame = FrameInput.read(in);
            }
            return frame;
        } catch (EOFException e) {
            throw new AssertionError("the connection is closed without a word", e);
        }
    }
}
