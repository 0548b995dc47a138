// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import io.shredder.it.corpus.Folders;
import io.shredder.it.figures.Bar;
import io.shredder.it.figures.Machine;
import io.shredder.it.process.Children;
import io.shredder.it.process.Command;
import io.shredder.it.process.ProcessMemory;
import io.shredder.it.snapshots.SnapshotSite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What 100,000 snapshots in 1,000 series cost: the real programs over TLS, with the heap that the agent's service has.
 * To make them takes minutes, so they stay in {@code target/bars/many-snapshots} for the next time, as long as no
 * format changes; what is measured is a copy.
 */
final class ManySnapshotsBars implements BarSet {
    private static final int SERIES = 1000;
    private static final int SNAPSHOTS = 100;
    private static final int ROUNDS = 3;
    private static final long MIB = 1 << 20;

    private final int series;
    private final int snapshots;

    /** At the bars' counts. */
    ManySnapshotsBars() {
        this(SERIES, SNAPSHOTS);
    }

    /** At other counts. */
    ManySnapshotsBars(int series, int snapshots) {
        this.series = series;
        this.snapshots = snapshots;
    }

    /** Does it once. */
    private interface Measured {
        SnapshotSite.Run run(int round) throws IOException, InterruptedException;
    }

    @Override
    public void measure(Measuring measuring) throws IOException, InterruptedException {
        Path root = measuring.root();
        Path work = Files.createDirectories(root.resolve("target/bars/many-snapshots"));
        System.out.println(Machine.description());
        Path folder = copy(prepared(root, work, measuring.children()), work, measuring.children());
        String heap = heapOfService(root.resolve("packaging/systemd/shredder-backup-agent.service"));
        try (var site = new SnapshotSite(root, folder, measuring.children())) {
            double start = site.startAgent(heap);
            measuring.record(Bar.reported("agent: until it listens (" + heap + ")", seconds(start)));
            long agent = site.agentProcess();
            measuring.record(
                    Bar.reported("agent: live heap at the start", ProcessMemory.liveHeapBytes(agent) / MIB + " MiB"));
            measuring.record(
                    Bar.reported("agent: resident at the start", ProcessMemory.residentBytes(agent) / MIB + " MiB"));
            measure(measuring, site, folder);
            measuring.record(
                    Bar.reported("agent: live heap at the end", ProcessMemory.liveHeapBytes(agent) / MIB + " MiB"));
            measuring.record(Bar.atMost(
                    "agent: most resident", ProcessMemory.mostResidentBytes(agent) / (double) MIB, 400, " MiB"));
        }
    }

    private void measure(Measuring measuring, SnapshotSite site, Path folder) throws IOException, InterruptedException {
        Path state = folder.resolve("state");
        bar(
                measuring,
                "tiny backup, a new series",
                2,
                round -> site.backup(SnapshotSite.series(series + round), state));
        bar(
                measuring,
                "tiny backup, a series of " + snapshots,
                2,
                round -> site.backup(SnapshotSite.series(round), state));
        bar(measuring, "restore NAME, tiny", 2, round -> site.restore(SnapshotSite.series(10 + round), state));
        bar(
                measuring,
                "list NAME",
                1,
                round -> listed(site.client("list", SnapshotSite.series(20 + round)), snapshots));
        int all = series * snapshots + 2 * ROUNDS;
        bar(measuring, "list, all", 0, round -> listed(site.client("list"), all));
        bar(measuring, "list --json, all", 0, round -> listed(site.client("list", "--json"), 1));
        List<Object> rules =
                List.of("prune", "--keep-last", snapshots - 1, "--verification-key", site.verificationKey());
        String wouldDelete = "would delete " + (series + ROUNDS) + " snapshots";
        bar(measuring, "prune --dry-run, all", 10, round -> ending(site.client(rules, "--dry-run"), wouldDelete));
        bar(
                measuring,
                "prune --dry-run NAME",
                10,
                round -> ending(
                        site.client(rules, "--dry-run", SnapshotSite.series(30 + round)), "would delete 1 snapshots"));
        bar(
                measuring,
                "prune --dry-run, all, with the repository key",
                10,
                round -> ending(
                        site.client("prune", "--keep-last", snapshots - 1, "--dry-run", site.keyOptions()),
                        wouldDelete));
        once(
                measuring,
                "prune of 1,000",
                () -> ending(site.client(rules), "deleted " + (series + ROUNDS) + " snapshots"));
        once(measuring, "gc", () -> site.client("gc"));
        once(measuring, "verify", () -> site.client("verify"));
    }

    private static SnapshotSite.Run listed(SnapshotSite.Run run, int expected) throws IOException {
        if (run.lines().size() != expected) {
            throw new IOException("list printed " + run.lines().size() + " lines, not " + expected);
        }
        return run;
    }

    private static SnapshotSite.Run ending(SnapshotSite.Run run, String expected) throws IOException {
        String last = run.lines().get(run.lines().size() - 1);
        if (!last.equals(expected)) {
            throw new IOException("it said '" + last + "', not '" + expected + "'");
        }
        return run;
    }

    /** The median of some rounds; only reported if nothing is promised. */
    private static void bar(Measuring measuring, String name, double limit, Measured measured)
            throws InterruptedException {
        measuring.attempt(name, () -> {
            List<Double> seconds = new ArrayList<>();
            for (int round = 0; round < ROUNDS; round++) {
                seconds.add(measured.run(round).seconds());
            }
            seconds.sort(Double::compare);
            double median = seconds.get(ROUNDS / 2);
            String beside = "most " + seconds(seconds.get(ROUNDS - 1));
            measuring.record(
                    limit == 0
                            ? Bar.reported(name, seconds(median) + "; " + beside)
                            : Bar.atMost(name, median, limit, " s", beside));
        });
    }

    private interface Once {
        SnapshotSite.Run run() throws IOException, InterruptedException;
    }

    private static void once(Measuring measuring, String name, Once measured) throws InterruptedException {
        measuring.attempt(
                name,
                () -> measuring.record(Bar.reported(name, seconds(measured.run().seconds()))));
    }

    private static String seconds(double seconds) {
        return String.format(Locale.ROOT, "%.2f s", seconds);
    }

    /** The folder with the snapshots, made if it isn't there or of other formats or counts. */
    private Path prepared(Path root, Path work, Children children) throws IOException, InterruptedException {
        Path folder = work.resolve("prepared");
        Path complete = folder.resolve("complete");
        String wanted = series + " x " + snapshots + " of " + formats(root.resolve("docs/formats")) + "\n";
        if (Files.exists(complete) && Files.readString(complete).equals(wanted)) {
            return folder;
        }
        System.err.println("making " + series + " series of " + snapshots + " snapshots");
        long startNs = System.nanoTime();
        new SnapshotSite(root, folder, children).fill(series, snapshots, (done, all) -> {
            if (done % 10 == 0) {
                System.err.printf("  %d of %d, %.0f s%n", done, all, (System.nanoTime() - startNs) / 1e9);
            }
        });
        Files.writeString(complete, wanted);
        return folder;
    }

    /** A copy, in which only the snapshots' files, which are never changed, are the same as in what is copied. */
    private static Path copy(Path prepared, Path work, Children children) throws IOException, InterruptedException {
        Path copy = work.resolve("measured");
        Folders.delete(copy);
        Path snapshots = SnapshotSite.repository(prepared).resolve("snapshots");
        run(work, children, "cp", "-a", "--link", prepared.toString(), copy.toString());
        try (Stream<Path> files = Files.walk(prepared)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                if (!file.startsWith(snapshots)) {
                    Path own = copy.resolve(prepared.relativize(file));
                    Files.delete(own); // Else it is the same file, and nothing is copied.
                    Files.copy(file, own, StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        }
        return copy;
    }

    private static void run(Path work, Children children, String... words) throws IOException, InterruptedException {
        children.run(new Command(words[0], List.of(words), Map.of(), work, work.resolve(words[0] + ".log")));
    }

    /** A digest of the documents: a format changes with its document. */
    private static String formats(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (Path file : files.sorted().toList()) {
                digest.update(Files.readAllBytes(file));
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Java's options as the agent's service gives them. */
    private static String heapOfService(Path unit) throws IOException {
        String start = "Environment=\"SHREDDER_JAVA_OPTS=";
        return Files.readAllLines(unit).stream()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length(), line.length() - 1))
                .findFirst()
                .orElseThrow(() -> new IOException(unit + " has no line " + start));
    }
}
