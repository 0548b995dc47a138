// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.scale;

import io.shredder.it.backup.Manner;
import io.shredder.it.backup.ProcessorTime;
import io.shredder.it.process.Child;
import io.shredder.it.process.Children;
import io.shredder.it.process.Command;
import io.shredder.it.process.Condition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A way to the agent that is held to a rate: by a {@link LinkRelay} where that carries enough, else by {@code tc} on
 * the loopback device, if that
 * was allowed. For one thread.
 */
public final class HeldLink implements Manner.Way {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration GRACE = Duration.ofSeconds(5);
    /** A relay that could only just carry a rate would hold the link to less. */
    private static final double ROOM = 1.2;

    private final Tools tools;
    private final double gbit;
    private final boolean relays;
    private Optional<Child> relay = Optional.empty();
    private int relayedPort;
    private double endedRelaysSeconds;
    private boolean closed;

    /**
     * What it works with.
     *
     * @param prefix words before those of the relay, such as a {@code taskset}'s
     */
    public record Tools(Path folder, Children children, List<String> prefix) {
        public Tools {
            prefix = List.copyOf(prefix);
        }
    }

    private HeldLink(Tools tools, double gbit, boolean relays) {
        this.tools = tools;
        this.gbit = gbit;
        this.relays = relays;
    }

    /**
     * Holds a link to a rate until it is closed.
     *
     * @param mayUseTc whether the loopback device's queue may be changed where the relay carries too little: for all
     * of the machine, as root
     * @throws IOException if neither can
     */
    public static HeldLink of(double gbit, boolean mayUseTc, Tools tools) throws IOException, InterruptedException {
        double relayed = relayCarries(tools) * 8 / 1e9;
        if (relayed >= gbit * ROOM) {
            return new HeldLink(tools, gbit, true);
        }
        String tooLittle =
                String.format(Locale.ROOT, "the relay carries %.1f Gbit/s here, %.1f needed", relayed, gbit * ROOM);
        if (!mayUseTc) {
            throw new IOException(tooLittle + "; tc was not allowed (--tc)");
        }
        int burst = (int) Math.max(1 << 18, gbit * 1e9 / 8 / 1000);
        var words = List.of(
                "tc",
                "qdisc",
                "replace",
                "dev",
                "lo",
                "root",
                "tbf",
                "rate",
                (long) (gbit * 1000) + "mbit",
                "burst",
                String.valueOf(burst),
                "limit",
                String.valueOf(8 * burst));
        try {
            tools.children().run(command(tools, "tc", words));
        } catch (IOException e) {
            throw new IOException(tooLittle + "; " + e.getMessage(), e);
        }
        return new HeldLink(tools, gbit, false);
    }

    private static double relayCarries(Tools tools) throws IOException, InterruptedException {
        Path log = tools.folder().resolve("relay-trial.log");
        Files.deleteIfExists(log);
        tools.children().run(new Command("relay-trial", java(tools, "measure"), Map.of(), tools.folder(), log));
        return Double.parseDouble(Files.readString(log).strip());
    }

    private static List<String> java(Tools tools, String... words) {
        var all = new ArrayList<>(tools.prefix());
        all.addAll(OwnProgram.words(LinkRelay.class, List.of("-Xmx256m", "-XX:+UseSerialGC"), List.of(words)));
        return all;
    }

    private static Command command(Tools tools, String name, List<String> words) {
        return new Command(name, words, Map.of(), tools.folder(), tools.folder().resolve(name + ".log"));
    }

    /** Which of the two it is. */
    String kind() {
        return relays ? "relay" : "tc";
    }

    @Override
    public int to(int agentPort) throws IOException, InterruptedException {
        if (!relays) {
            return agentPort;
        }
        Path portFile = tools.folder().resolve("relay-port");
        if (relay.isEmpty() || relayedPort != agentPort) {
            stopRelay();
            Files.deleteIfExists(portFile);
            double bytesPerSecond = gbit * 1e9 / 8;
            Child started = tools.children()
                    .start(command(
                            tools,
                            "relay",
                            java(
                                    tools,
                                    String.valueOf(agentPort),
                                    String.valueOf(bytesPerSecond),
                                    portFile.toAbsolutePath().toString())));
            relay = Optional.of(started);
            relayedPort = agentPort;
            Condition.await("the relay", LIMIT, List.of(started), () -> Files.exists(portFile));
        }
        return Integer.parseInt(Files.readString(portFile));
    }

    /** CPU seconds of the relay so far. */
    double cpuSeconds() {
        return endedRelaysSeconds
                + relay.map(running -> ProcessorTime.seconds(running.pid())).orElse(0.0);
    }

    private void stopRelay() {
        endedRelaysSeconds = cpuSeconds();
        relay.ifPresent(running -> running.stop(GRACE));
        relay = Optional.empty();
    }

    /** Idempotent. */
    @Override
    public void close() {
        stopRelay();
        if (!relays && !closed) {
            endTc();
        }
        closed = true;
    }

    /** Not by what starts other programs, which may have been ended by then. */
    private void endTc() {
        try {
            Process tc = new ProcessBuilder("tc", "qdisc", "del", "dev", "lo", "root")
                    .inheritIO()
                    .start();
            if (tc.waitFor() != 0) {
                System.err.println(
                        "bench: tc could not free the loopback device, which is held to " + gbit + " Gbit/s");
            }
        } catch (IOException e) {
            System.err.println("bench: the loopback device is still held to " + gbit + " Gbit/s: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
