// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.care;

import com.fasterxml.jackson.databind.JsonNode;
import io.shredder.it.figures.Bar;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A flood at the console while the daemon backs up: 100,000 requests a minute, 10,000 connections that say nothing, and
 * readers that do not read. It comes from the same machine, and takes of its cores what it needs itself.
 */
final class ConsoleFlood {
    private static final int ROUNDS = 3;
    private static final int A_MINUTE = 100_000;
    private static final int IDLE = 10_000;
    private static final int NEVER_READ = 100;
    private static final int SENDERS = 2;

    /** At requests that wait, for each that is sent. */
    private static final int LOOKS = 8;

    /** Of each sender; a machine that is slow sends many at once, and has so many descriptors. */
    private static final int MOST_WAITING = 2_500;

    private static final long WAIT_S = 180;
    private static final double MOST_CORE = 0.3;
    private static final double MOST_MIB = 64;
    private static final double TICKS_A_SECOND = 100;
    private static final byte[] REQUEST =
            "GET /api/v1/images?limit=500 HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final InetSocketAddress address;
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong answered = new AtomicLong();
    private final List<Thread> threads = new ArrayList<>();
    private final List<SocketChannel> silent = new ArrayList<>();

    private ConsoleFlood(InetSocketAddress address) {
        this.address = address;
    }

    /** A time in which some backups ended. */
    private record Minutes(List<Long> milliseconds, boolean allOk, double core, double seconds) {
        String text() {
            return milliseconds + " ms";
        }
    }

    static void measure(DaemonOfYears daemon, Consumer<Bar> bars) throws IOException, InterruptedException {
        InetSocketAddress address = new InetSocketAddress(
                InetAddress.getLoopbackAddress(), daemon.address().getPort());
        System.out.println(ROUNDS + " backups in peace, then as many in a flood, one a minute ...");
        backups(daemon, 1); // What is warm later is warm now.
        Minutes peace = backups(daemon, ROUNDS);
        long before = daemon.mostResidentBytes();
        ConsoleFlood flood = new ConsoleFlood(address);
        Minutes flooded;
        try {
            flood.begin();
            flooded = backups(daemon, ROUNDS);
        } finally {
            flood.end();
        }
        double grown = (daemon.mostResidentBytes() - before) / (double) (1 << 20);
        bars.accept(Bar.holds(
                "backups in a flood end well",
                flooded.allOk(),
                flooded.text() + ", in peace " + peace.text(),
                "all of " + ROUNDS + " make a snapshot"));
        bars.accept(Bar.reported(
                "the flood",
                String.format(
                        Locale.ROOT,
                        "%.0f requests a minute sent, %.0f answered in full; %d idle connections, %d that don't read",
                        flood.sent.get() * 60 / flooded.seconds(),
                        flood.answered.get() * 60 / flooded.seconds(),
                        IDLE,
                        NEVER_READ)));
        bars.accept(Bar.atMost("the console's thread in a flood", flooded.core(), MOST_CORE, "cores"));
        bars.accept(Bar.atMost("memory that the flood adds", grown, MOST_MIB, "MiB"));
        long begun = System.nanoTime();
        boolean back = false;
        while (!back && System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(WAIT_S)) {
            back = answers(daemon);
        }
        bars.accept(Bar.atMost("until it answers after a flood", (System.nanoTime() - begun) / 1e9, 5, "s"));
    }

    private static boolean answers(DaemonOfYears daemon) throws InterruptedException {
        try {
            return !daemon.ask("/about").isEmpty();
        } catch (IOException e) {
            return false;
        }
    }

    private static Minutes backups(DaemonOfYears daemon, int rounds) throws IOException, InterruptedException {
        List<Long> times = new ArrayList<>();
        boolean ok = true;
        long begunNs = System.nanoTime();
        long ticks = daemon.consoleTicks();
        for (int round = 0; round < rounds; round++) {
            JsonNode ended = next(daemon);
            times.add(ended.path("milliseconds").asLong());
            ok &= ended.path("ok").asBoolean();
            daemon.changeImage();
        }
        double seconds = (System.nanoTime() - begunNs) / 1e9;
        return new Minutes(times, ok, (daemon.consoleTicks() - ticks) / TICKS_A_SECOND / seconds, seconds);
    }

    private static JsonNode next(DaemonOfYears daemon) throws IOException, InterruptedException {
        String before = daemon.newestMinute().path("at").asText();
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_S);
        while (System.nanoTime() < deadlineNs) {
            JsonNode newest = daemon.newestMinute();
            if (!newest.path("at").asText().equals(before)) {
                return newest;
            }
            TimeUnit.MILLISECONDS.sleep(200);
        }
        throw new IOException("no backup ended in " + WAIT_S + " s");
    }

    private void begin() throws IOException {
        for (int i = 0; i < IDLE + NEVER_READ; i++) {
            SocketChannel channel = SocketChannel.open();
            silent.add(channel);
            channel.configureBlocking(false);
            channel.connect(address);
        }
        for (SocketChannel each : silent.subList(IDLE, silent.size())) {
            start(() -> askAndNeverRead(each));
        }
        for (int i = 0; i < SENDERS; i++) {
            start(this::send);
        }
    }

    private void start(Runnable work) {
        Thread thread = new Thread(work, "flood");
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void askAndNeverRead(SocketChannel channel) {
        try {
            if (channel.finishConnect()) {
                channel.write(ByteBuffer.wrap(REQUEST));
            }
        } catch (IOException e) {
            // The console gave it up.
        }
    }

    /** Sends at its pace whether or not it is answered, and gives each request two seconds. */
    private void send() {
        long pauseNs = TimeUnit.MINUTES.toNanos(1) / A_MINUTE * SENDERS;
        Deque<FloodRequest> waiting = new ArrayDeque<>();
        long nextNs = System.nanoTime();
        while (!stopped.get()) {
            nextNs += pauseNs;
            if (waiting.size() == MOST_WAITING) {
                waiting.remove().close();
            }
            waiting.add(FloodRequest.begin(address, REQUEST));
            sent.incrementAndGet();
            for (int i = 0; i < LOOKS && !waiting.isEmpty(); i++) {
                FloodRequest oldest = waiting.remove();
                if (oldest.goesOn()) {
                    waiting.add(oldest);
                } else if (oldest.isAnswered()) {
                    answered.incrementAndGet();
                }
            }
            LockSupport.parkNanos(nextNs - System.nanoTime());
        }
        waiting.forEach(FloodRequest::close);
    }

    private void end() throws IOException, InterruptedException {
        stopped.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
        for (SocketChannel channel : silent) {
            channel.close();
        }
    }
}
