// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.snapshots;

import io.shredder.backup.seal.keyfile.KeySource;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.TlsFiles;
import io.shredder.it.corpus.Folders;
import io.shredder.it.process.Child;
import io.shredder.it.process.Children;
import io.shredder.it.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Certificates, keys and a repository of many snapshots in a folder; the agent's and client's programs. One thread. */
public final class SnapshotSite implements AutoCloseable {
    private static final String CLIENT = "bars";
    private static final String RIGHTS = "clients:\n  " + CLIENT + ":\n    rights: [append, restore, prune]\n";
    private static final int IMAGE_BYTES = 16 << 10;
    private static final Duration START_LIMIT = Duration.ofMinutes(5);
    private static final Duration STOP_GRACE = Duration.ofSeconds(20);

    private final Path bin;
    private final Path folder;
    private final Children children;
    private Optional<Child> agent = Optional.empty();
    private String address = "";

    /**
     * In a folder that {@link #fill} has filled, or is to fill.
     *
     * @param root the checkout, built
     */
    public SnapshotSite(Path root, Path folder, Children children) {
        this.bin = root.resolve("bin");
        this.folder = folder;
        this.children = children;
    }

    /** What a program did. */
    public record Run(double seconds, List<String> lines) {}

    /** The name of a series, from 0. */
    public static SnapshotName series(int number) {
        return new SnapshotName("vm-%04d".formatted(number));
    }

    /** Makes everything anew, with this many series of this many snapshots, one a day up to yesterday. */
    public void fill(int series, int snapshots, SnapshotCrowd.Progress progress)
            throws IOException, InterruptedException {
        Folders.delete(folder);
        Files.createDirectories(folder);
        Files.writeString(rights(), RIGHTS);
        byte[] image = new byte[IMAGE_BYTES];
        new Random(1).nextBytes(image);
        Files.write(image(), image);
        run("backup-agent", "certs", "--out", certificates(), "--agent-host", "127.0.0.1", "--client", CLIENT);
        run("shredder-backup", "key", "create", key(), "--new-secret-file", secret());
        Files.write(
                verificationKey(),
                run("shredder-backup", "key", "verification", keyOptions()).lines());
        Instant first = Instant.now().truncatedTo(ChronoUnit.DAYS).minus(Duration.ofDays(snapshots));
        TlsFiles agentTls = tls("agent");
        try (SnapshotCrowd crowd =
                SnapshotCrowd.serve(repository(), rights(), agentTls, tls("client-" + CLIENT), first)) {
            address = crowd.address().toString();
            backup(series(0), folder.resolve("filling"));
            List<SnapshotName> names =
                    IntStream.range(0, series).mapToObj(SnapshotSite::series).toList();
            crowd.fill(
                    names,
                    snapshots,
                    series(0),
                    new KeySource(key(), Optional.empty(), Optional.of(secret())).unlock(),
                    progress);
        }
    }

    /** Starts the agent with its usual options and the heap of its service; returns the seconds until it listens. */
    public double startAgent(String heap) throws IOException, InterruptedException {
        Path port = folder.resolve("agent-port");
        Files.deleteIfExists(port);
        List<Object> words = new ArrayList<>(List.of("serve", "--repo", repository()));
        words.addAll(List.of("--listen", "127.0.0.1:0", "--port-file", port, "--rights", rights()));
        words.addAll(identity("agent"));
        long startNs = System.nanoTime();
        Child serving = children.start(new Command(
                "backup-agent",
                program("backup-agent", words),
                Map.of("SHREDDER_JAVA_OPTS", heap),
                folder,
                folder.resolve("agent.log")));
        agent = Optional.of(serving);
        while (!Files.exists(port)) {
            if (!serving.isAlive() || System.nanoTime() - startNs > START_LIMIT.toNanos()) {
                throw new IOException("the agent does not serve; the end of its log:\n" + serving.logTail());
            }
            Thread.sleep(5);
        }
        double seconds = (System.nanoTime() - startNs) / 1e9;
        address = new HostPort(
                        "127.0.0.1", Integer.parseInt(Files.readString(port).strip()))
                .toString();
        return seconds;
    }

    /** The agent's process. */
    public long agentProcess() {
        return agent.orElseThrow().pid();
    }

    /** Backs the tiny image up. */
    public Run backup(SnapshotName name, Path state) throws IOException, InterruptedException {
        return client("backup", image(), "--name", name, "--no-cache", "--state", state, keyOptions());
    }

    /** Restores the newest snapshot of a series, and compares it with the image. */
    public Run restore(SnapshotName name, Path state) throws IOException, InterruptedException {
        Path restored = folder.resolve("restored.img");
        Files.deleteIfExists(restored);
        Run run = client("restore", name, "--to", restored, "--state", state, keyOptions());
        if (Files.mismatch(restored, image()) != -1) {
            throw new IOException(restored + " is not what was backed up");
        }
        return run;
    }

    /** Runs a command of {@code shredder-backup} at the agent; its words may be in lists. */
    public Run client(Object... words) throws IOException, InterruptedException {
        return run("shredder-backup", Stream.of(words), List.of("--agent", address), identity("client-" + CLIENT));
    }

    private Run run(String program, Object... words) throws IOException, InterruptedException {
        Path log = Files.createTempFile(folder, program + "-", ".log");
        long startNs = System.nanoTime();
        children.run(new Command(program, program(program, List.of(words)), Map.of(), folder, log));
        double seconds = (System.nanoTime() - startNs) / 1e9;
        List<String> lines = Files.readAllLines(log);
        Files.delete(log);
        return new Run(seconds, lines);
    }

    private List<String> program(String name, List<Object> words) {
        return Stream.concat(Stream.of(bin.resolve(name)), words.stream().flatMap(SnapshotSite::flat))
                .map(Object::toString)
                .toList();
    }

    private static Stream<?> flat(Object word) {
        return word instanceof List<?> several
                ? several.stream().flatMap(SnapshotSite::flat)
                : word instanceof Stream<?> stream ? stream.flatMap(SnapshotSite::flat) : Stream.of(word);
    }

    /** Options by which a command opens the repository key. */
    public List<Object> keyOptions() {
        return List.of("--repository-key", key(), "--secret-file", secret());
    }

    /** File that proves snapshots and opens none. */
    public Path verificationKey() {
        return folder.resolve("repository.verification");
    }

    private List<Object> identity(String name) {
        TlsFiles files = tls(name);
        return List.of("--cert", files.certificate(), "--key", files.key(), "--ca", files.authority());
    }

    private TlsFiles tls(String name) {
        return new TlsFiles(
                certificates().resolve(name + ".crt"),
                certificates().resolve(name + ".key"),
                certificates().resolve("ca.crt"));
    }

    private Path certificates() {
        return folder.resolve("certificates");
    }

    private Path rights() {
        return folder.resolve("rights.yaml");
    }

    private Path repository() {
        return repository(folder);
    }

    /** Where the repository of such a folder is. */
    public static Path repository(Path folder) {
        return folder.resolve("repository");
    }

    private Path image() {
        return folder.resolve("tiny.img");
    }

    private Path key() {
        return folder.resolve("repository.key");
    }

    private Path secret() {
        return folder.resolve("repository.secret");
    }

    /** Stops the agent. */
    @Override
    public void close() {
        agent.ifPresent(running -> running.stop(STOP_GRACE));
        agent = Optional.empty();
    }
}
