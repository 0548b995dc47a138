// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.trust;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.protocol.KeyId;
import io.shredder.backup.protocol.SnapshotName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this site has seen of each series, kept in a folder, so that an agent that shows less or other than before is noticed: put back to an earlier state, or with
 * snapshots lost or exchanged. Old whole or new whole after a crash. Thread-safe.
 */
public final class KnownCommits {

    private static final Logger LOG = LoggerFactory.getLogger(KnownCommits.class);

    private final Path folder;

    private KnownCommits(Path folder) {
        this.folder = folder.toAbsolutePath();
    }

    /** Kept in this folder, which is made with the first. */
    public static KnownCommits in(Path folder) {
        return new KnownCommits(folder);
    }

    /** Those of the user who runs this. */
    public static KnownCommits ofUser() {
        return in(ofUser(System.getenv(), Path.of(System.getProperty("user.home"))));
    }

    static Path ofUser(Map<String, String> environment, Path home) {
        String state = environment.getOrDefault("XDG_STATE_HOME", "");
        return (state.isEmpty() ? home.resolve(".local").resolve("state") : Path.of(state)).resolve("shredder");
    }

    /**
     * Compares what an agent shows of a series with what this site has seen, and remembers what is newer.
     *
     * @throws BrokenTrustException if the series contradicts itself or what was seen, or if it is another repository's
     */
    public void check(AgentClient agent, KeyId key, SnapshotName series, ProvedSeries shown) throws IOException {
        checkRepository(agent, series);
        if (!shown.breaks().isEmpty()) {
            throw new BrokenTrustException(shown.breaks().get(0)
                    + ": its files were exchanged at the agent, or it shows an earlier state; " + remedy(series));
        }
        Path file = file(agent, key, series);
        Optional<KnownCommit> known = KnownCommit.read(file);
        if (known.isPresent()) {
            compare(known.get(), series, shown);
        }
        Optional<ProvedSnapshot> last = shown.last();
        if (last.isPresent()
                && known.filter(seen -> !seen.isOlderThan(last.get())).isEmpty()) {
            tryToKeep(file, KnownCommit.of(last.get()).toLine());
        }
    }

    /** Another repository is as good as an empty one: of its series this site has seen nothing. */
    private void checkRepository(AgentClient agent, SnapshotName series) throws IOException {
        Optional<Path> file = agent.address().map(this::repositoryFile);
        if (file.isEmpty()) {
            return;
        }
        String served = agent.greeting().repository().toString();
        if (!Files.exists(file.get())) {
            tryToKeep(file.get(), served);
            return;
        }
        String before =
                Files.readString(file.get(), StandardCharsets.ISO_8859_1).strip();
        if (!before.equals(served)) {
            throw new BrokenTrustException("the agent at " + agent.address().get() + " serves repository " + served
                    + "; when this site was there last it served " + before
                    + ": a folder that was not mounted, or another that was put in its place? " + remedy(series));
        }
    }

    private Path repositoryFile(String address) {
        return folder.resolve("agents").resolve(address.replaceAll("[^A-Za-z0-9.-]", "_") + ".repository");
    }

    private static void compare(KnownCommit known, SnapshotName series, ProvedSeries shown) throws IOException {
        for (ProvedSnapshot snapshot : shown.proved()) {
            boolean sameId = snapshot.info().id() == known.id();
            boolean samePlace = known.ordinal() > 0 && snapshot.ordinal() == known.ordinal();
            if ((sameId || samePlace) && !snapshot.digest().equals(known.digest())) {
                throw new BrokenTrustException(series + "@" + snapshot.info().id() + ", taken "
                        + snapshot.summary().taken() + ", is not the snapshot that this site knows as " + series + "@"
                        + known.id() + ", taken " + known.taken() + "; " + remedy(series));
            } else if (sameId || known.isOlderThan(snapshot)) {
                return;
            }
        }
        throw new BrokenTrustException(
                "the agent shows less of '" + series + "' than it had: " + series + "@" + known.id()
                        + ", taken " + known.taken() + ", is not there, nor anything newer; the newest is "
                        + shown.last()
                                .map(last -> series + "@" + last.info().id() + ", taken "
                                        + last.summary().taken())
                                .orElse("none")
                        + "; " + remedy(series));
    }

    private static String remedy(SnapshotName series) {
        return "find out why before anything else is done; if it is right, say so by 'shredder-backup accept " + series
                + "'";
    }

    /**
     * Refuses an id that this site has seen before.
     *
     * @param id that the agent gives out for a new snapshot
     */
    public void checkNewId(AgentClient agent, KeyId key, SnapshotName series, long id) throws IOException {
        Optional<KnownCommit> known = KnownCommit.read(file(agent, key, series));
        if (known.isPresent() && id <= known.get().id()) {
            throw new BrokenTrustException("the agent gives out id " + id + " again, though " + series + "@"
                    + known.get().id() + " was committed: it was put back to an earlier state; " + remedy(series));
        }
    }

    /** Remembers what was just committed. */
    void committed(AgentClient agent, KeyId key, SnapshotName series, ProvedSnapshot snapshot) {
        tryToKeep(file(agent, key, series), KnownCommit.of(snapshot).toLine());
    }

    /** Takes what the agent shows for right from now on, whatever was seen before. */
    public void accept(AgentClient agent, KeyId key, SnapshotName series, ProvedSeries shown) throws IOException {
        if (agent.address().isPresent()) {
            keep(
                    repositoryFile(agent.address().get()),
                    agent.greeting().repository().toString());
        }
        Path file = file(agent, key, series);
        if (shown.last().isPresent()) {
            keep(file, KnownCommit.of(shown.last().get()).toLine());
        } else {
            Files.deleteIfExists(file);
        }
    }

    private Path file(AgentClient agent, KeyId key, SnapshotName series) {
        return folder.resolve("commits")
                .resolve(agent.greeting().repository().toString())
                .resolve(key.toString())
                .resolve(agent.greeting().client().value())
                .resolve(series.value() + ".commit");
    }

    /** A site without a place to write, where one only restores, does without. */
    private static void tryToKeep(Path file, String line) {
        try {
            keep(file, line);
        } catch (IOException e) {
            LOG.warn(
                    "can't remember in {} what was seen, so an agent that shows less later won't be noticed: {}",
                    file,
                    e.toString());
        }
    }

    private static void keep(Path file, String line) throws IOException {
        Path parent = file.getParent();
        if (parent == null) {
            throw new IllegalArgumentException(file + " has no folder");
        }
        Files.createDirectories(parent);
        Path temporary = Files.createTempFile(parent, ".", ".new");
        try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
            ByteBuffer left = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.US_ASCII));
            while (left.hasRemaining()) {
                channel.write(left);
            }
            channel.force(true);
        }
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
