// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.trust;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.seal.SnapshotPlace;
import io.shredder.backup.snapshot.AuditPosition;
import io.shredder.backup.snapshot.KeyId;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this site has seen of each series, kept in a folder, so that an agent that shows less or other than before is
 * noticed: put back to an earlier state, or with snapshots lost or exchanged. Old whole or new whole after a crash.
 * Thread-safe.
 */
public final class KnownCommits {

    private static final Logger LOG = LoggerFactory.getLogger(KnownCommits.class);

    private static final String COMMIT = ".commit";

    private final Path folder;
    private final KnownAgents agents;

    private KnownCommits(Path folder) {
        this.folder = folder.toAbsolutePath();
        this.agents = new KnownAgents(this.folder.resolve("agents"));
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
     * @throws BrokenTrustException if the series contradicts itself or what was seen, or another repository is where
     *     one was seen
     */
    public void check(AgentClient agent, KeyId key, SnapshotName series, ProvedSeries shown) throws IOException {
        check(agent, key, series, shown, last(agent, key, series));
    }

    /** What this site has seen last of a series. */
    Optional<KnownCommit> last(AgentClient agent, KeyId key, SnapshotName series) throws IOException {
        return KnownCommit.read(file(agent, key, series));
    }

    /**
     * The same beside what was known before the agent was asked: another process may have committed meanwhile what it
     * could not show yet.
     */
    void check(AgentClient agent, KeyId key, SnapshotName series, ProvedSeries shown, Optional<KnownCommit> knownBefore)
            throws IOException {
        checkRepository(agent, series);
        if (!shown.breaks().isEmpty()) {
            throw new BrokenTrustException(shown.breaks().get(0)
                    + ": its files were exchanged at the agent, or it shows an earlier state; " + remedy(series));
        }
        if (knownBefore.isPresent()) {
            compare(knownBefore.get(), series, shown);
        }
        Path file = file(agent, key, series);
        Optional<ProvedSnapshot> last = shown.last();
        if (last.isPresent()
                && KnownCommit.read(file)
                        .filter(seen -> !seen.isOlderThan(last.get()))
                        .isEmpty()) {
            tryTo("the last commit", () -> KnownCommit.of(last.get()).keep(file));
        }
    }

    /** Refuses an agent that serves another repository than this site has seen there. */
    void checkRepository(AgentClient agent) throws IOException {
        Optional<String> contradiction = agents.contradiction(agent);
        if (contradiction.isPresent()) {
            throw new BrokenTrustException(contradiction.get() + "; " + remedy("NAME"));
        }
    }

    /** The series of which this site has seen a snapshot of this key at the agent. */
    List<SnapshotName> series(AgentClient agent, KeyId key) throws IOException {
        List<SnapshotName> seen = new ArrayList<>();
        for (Path file : filesIn(folder(agent, key))) {
            seriesOf(file).ifPresent(seen::add);
        }
        return seen;
    }

    private static Optional<SnapshotName> seriesOf(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.endsWith(COMMIT)
                ? Optional.of(new SnapshotName(name.substring(0, name.length() - COMMIT.length())))
                : Optional.empty();
    }

    private void checkRepository(AgentClient agent, SnapshotName series) throws IOException {
        Optional<String> contradiction = agents.contradiction(agent);
        if (contradiction.isPresent()) {
            throw new BrokenTrustException(contradiction.get() + "; " + remedy(series));
        }
        tryTo("which repository is there", () -> agents.keep(agent));
    }

    /**
     * What a listing contradicts of what this site has seen, a line each, as far as that can be told without the key: a
     * snapshot with a higher id that names the same key counts as newer. Nothing is remembered.
     *
     * @param listed all snapshots that the agent lists of these series
     * @param asked which series were asked for
     */
    public List<String> contradictions(
            AgentClient agent, Collection<SnapshotInfo> listed, Predicate<SnapshotName> asked) throws IOException {
        List<String> found = new ArrayList<>();
        agents.contradiction(agent).ifPresent(found::add);
        Path commits =
                folder.resolve("commits").resolve(agent.greeting().repository().toString());
        for (Path key : filesIn(commits)) {
            for (Path file : filesIn(key.resolve(agent.greeting().client().value()))) {
                Optional<SnapshotName> named = seriesOf(file);
                if (named.isPresent()) {
                    Optional<KnownCommit> known = KnownCommit.read(file);
                    SnapshotName series = named.get();
                    String keyId = String.valueOf(key.getFileName());
                    known.filter(seen -> asked.test(series))
                            .flatMap(seen -> seen.contradiction(series, keyId, listed))
                            .ifPresent(line -> found.add(line + "; " + remedy(series)));
                }
            }
        }
        return found;
    }

    private static List<Path> filesIn(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
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
        return remedy(series.value());
    }

    private static String remedy(String series) {
        return "find out why before anything else is done; if it is right, say so by 'shredder-backup accept " + series
                + "'";
    }

    /**
     * Refuses an id that this site has seen before.
     *
     * @param id that the agent gives out for a new snapshot
     * @param lastListed the highest that the agent says the series has
     */
    void checkNewId(AgentClient agent, KeyId key, SnapshotName series, long id, long lastListed) throws IOException {
        checkRepository(agent, series);
        Optional<KnownCommit> known = KnownCommit.read(file(agent, key, series));
        long last = Math.max(lastListed, known.map(KnownCommit::id).orElse(0L));
        if (id <= last) {
            throw new BrokenTrustException("the agent gives out id " + id + " again, though " + series + "@" + last
                    + " was committed: it was put back to an earlier state; " + remedy(series));
        }
    }

    /**
     * Refuses an answer that a commit of something else would have.
     *
     * @param sent what should be there now
     * @param committed what the agent says
     */
    void checkCommitted(SnapshotName series, SnapshotInfo sent, SnapshotInfo committed) throws IOException {
        if (!committed.equals(sent)) {
            throw new BrokenTrustException("the agent was sent " + sent.name() + "@" + sent.id() + " of "
                    + sent.imageBytes() + " bytes, digest " + sent.contentDigest() + ", and says that it committed "
                    + committed.name() + "@" + committed.id() + " of " + committed.imageBytes() + " bytes, digest "
                    + committed.contentDigest() + ": that is not what was sent; " + remedy(series));
        }
    }

    /**
     * The agent's audit log is not the one that a snapshot was sealed with: that was accepted, or is refused.
     *
     * @param sealed with the last snapshot of the series
     * @param id of that snapshot
     */
    void checkAccepted(AgentClient agent, KeyId key, SnapshotName series, AuditPosition sealed, long id)
            throws IOException {
        if (!AcceptedAudit.is(auditFile(agent, key, series), sealed)) {
            throw new BrokenTrustException("the agent's audit log is not the one that it had when " + series + "@" + id
                    + " was committed: it was cut, emptied or replaced, so that it can't tell what was deleted; "
                    + remedy(series));
        }
    }

    /** Remembers what was just committed. */
    void committed(AgentClient agent, KeyId key, SnapshotName series, ProvedSnapshot snapshot) {
        tryTo("the last commit", () -> KnownCommit.of(snapshot).keep(file(agent, key, series)));
    }

    /** Takes what the agent shows for right from now on, whatever was seen before. */
    public void accept(AgentClient agent, KeyId key, SnapshotName series, ProvedSeries shown) throws IOException {
        Path file = file(agent, key, series);
        if (shown.last().isPresent()) {
            KnownCommit.of(shown.last().get()).replace(file);
        } else {
            KnownCommit.forget(file);
        }
        AcceptedAudit.keep(
                auditFile(agent, key, series),
                shown.last().flatMap(last -> last.summary().place()).map(SnapshotPlace::audit));
        agents.accept(agent);
    }

    private Path auditFile(AgentClient agent, KeyId key, SnapshotName series) {
        return file(agent, key, series).resolveSibling(series.value() + ".audit");
    }

    private Path file(AgentClient agent, KeyId key, SnapshotName series) {
        return folder(agent, key).resolve(series.value() + COMMIT);
    }

    private Path folder(AgentClient agent, KeyId key) {
        return folder.resolve("commits")
                .resolve(agent.greeting().repository().toString())
                .resolve(key.toString())
                .resolve(agent.greeting().client().value());
    }

    @FunctionalInterface
    private interface Keeping {
        void keep() throws IOException;
    }

    /** A site without a place to write, where one only restores, does without. */
    private void tryTo(String what, Keeping keeping) {
        try {
            keeping.keep();
        } catch (IOException e) {
            LOG.warn(
                    "can't remember {} in {}, so an agent that shows less later won't be noticed: {}",
                    what,
                    folder,
                    e.toString());
        }
    }
}
