// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A relay that counts round trips: how many times a client has to wait for what it was answered before it asks on.
 * Requests pass at once; answers are held until neither side has sent anything for long, and then arrive together, as
 * one round. So a round is made of the answers to all that the client could ask after the rounds before, however fast
 * either side works.
 *
 * <p>Only a client that does nothing for as long, though it has more to ask, makes it count a round too many; nothing
 * makes it count one too few. Of a stall of the whole machine hardly anything counts as silence.
 */
final class RoundTrips extends Relay {

    /** Silence is counted, not measured: time in which nobody could work is one step of it. */
    private static final int STEP_MS = 10;

    private static final int SILENT_STEPS = 50;

    private final AtomicInteger rounds = new AtomicInteger();

    private enum Kind {
        REQUEST,
        ANSWER,
        END
    }

    /** What was heard of an end of a connection; only an answer has bytes. */
    private record Heard(Kind kind, byte[] bytes) {
        Heard(Kind kind) {
            this(kind, new byte[0]);
        }
    }

    RoundTrips(InetSocketAddress target) throws IOException {
        super(target);
        open();
    }

    /** Rounds so far, of all connections; TLS and the greeting need some, too. */
    int count() {
        return rounds.get();
    }

    @Override
    protected void join(Socket client, Socket server) {
        BlockingQueue<Heard> heard = new LinkedBlockingQueue<>();
        start("link-requests", () -> pass(client, server, heard));
        start("link-answers", () -> take(server, heard));
        start("link-rounds", () -> deliver(heard, client));
    }

    private static void pass(Socket client, Socket server, BlockingQueue<Heard> heard) throws IOException {
        try (server) {
            InputStream in = client.getInputStream();
            OutputStream out = server.getOutputStream();
            byte[] buffer = new byte[PIECE_BYTES];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                heard.add(new Heard(Kind.REQUEST));
                out.write(buffer, 0, count);
            }
        }
    }

    private static void take(Socket server, BlockingQueue<Heard> heard) throws IOException {
        try {
            InputStream in = server.getInputStream();
            byte[] buffer = new byte[PIECE_BYTES];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                heard.add(new Heard(Kind.ANSWER, Arrays.copyOf(buffer, count)));
            }
        } finally {
            heard.add(new Heard(Kind.END));
        }
    }

    private void deliver(BlockingQueue<Heard> heard, Socket client) throws IOException, InterruptedException {
        try (client) {
            OutputStream out = client.getOutputStream();
            for (List<byte[]> round = nextRound(heard); !round.isEmpty(); round = nextRound(heard)) {
                rounds.incrementAndGet();
                for (byte[] answer : round) {
                    out.write(answer);
                }
            }
        }
    }

    /** Waits for answers and for silence behind them; nothing if the server has hung up. */
    private static List<byte[]> nextRound(BlockingQueue<Heard> heard) throws InterruptedException {
        List<byte[]> held = new ArrayList<>();
        int silentSteps = 0;
        while (held.isEmpty() || silentSteps < SILENT_STEPS) {
            Heard next = heard.poll(STEP_MS, TimeUnit.MILLISECONDS);
            silentSteps = next == null ? silentSteps + 1 : 0;
            if (next != null && next.kind() == Kind.END) {
                return List.of();
            } else if (next != null && next.kind() == Kind.ANSWER) {
                held.add(next.bytes());
            }
        }
        return held;
    }
}
