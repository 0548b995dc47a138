// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.trust;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.seal.SnapshotPlace;
import io.shredder.backup.snapshot.AuditPosition;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** One series at an agent: what it lists, proved by the key and compared with what this site has seen. One thread. */
public final class AgentSeries {

    private final AgentClient agent;
    private final RepositoryKey key;
    private final KnownCommits known;
    private final SnapshotName name;

    /** The client stays the caller's. */
    public AgentSeries(AgentClient agent, RepositoryKey key, KnownCommits known, SnapshotName name) {
        this.agent = agent;
        this.key = key;
        this.known = known;
        this.name = name;
    }

    /**
     * All that the agent lists of a series, or of a client.
     *
     * @param damaged what is wrong with those that it can't list
     */
    public record Listing(List<SnapshotInfo> snapshots, List<String> damaged) {}

    /** Asks an agent for a series. */
    public static Listing list(AgentClient agent, SnapshotName name) throws IOException {
        return list(agent, name, 0);
    }

    /** Asks an agent for all snapshots of the client. */
    public static Listing listAll(AgentClient agent) throws IOException {
        return new PagedListing(agent::list, Optional.empty()).after(0);
    }

    private static Listing list(AgentClient agent, SnapshotName name, long lastId) throws IOException {
        return new PagedListing(afterId -> agent.list(name, afterId), Optional.of(name)).after(lastId);
    }

    /** Where this client's snapshots are committed, as they seal it. */
    public static UUID home(AgentClient agent) {
        return SnapshotPlace.home(
                agent.greeting().repository(), agent.greeting().client());
    }

    /** The series as it is now, not compared with anything. */
    public ProvedSeries shown() throws IOException {
        return ProvedSeries.of(list(agent, name).snapshots(), key, home(agent));
    }

    /**
     * The series as it is now.
     *
     * @throws BrokenTrustException if it contradicts itself or what this site has seen
     */
    public ProvedSeries checked() throws IOException {
        Optional<KnownCommit> knownBefore = known.last(agent, key.id(), name);
        ProvedSeries shown = shown();
        known.check(agent, key.id(), name, shown, knownBefore);
        return shown;
    }

    /**
     * The series as it is now, by what came since it was listed: whoever commits to it is in a hurry.
     *
     * @param before as it was then
     * @param lastId the highest that was listed
     */
    ProvedSeries checkedSince(ProvedSeries before, long lastId) throws IOException {
        Optional<KnownCommit> knownBefore = known.last(agent, key.id(), name);
        ProvedSeries shown = before.and(list(agent, name, lastId).snapshots(), key, home(agent));
        known.check(agent, key.id(), name, shown, knownBefore);
        return shown;
    }

    /** Takes what the agent shows for right from now on. */
    public ProvedSeries accept() throws IOException {
        ProvedSeries shown = shown();
        known.accept(agent, key.id(), name, shown);
        return shown;
    }

    /** Refuses an id that is not above all that the agent and this site know of the series. */
    void checkNewId(long id, long lastListed) throws IOException {
        known.checkNewId(agent, key.id(), name, id, lastListed);
    }

    /** Refuses an agent that says that it committed something else than it was sent. */
    void checkCommitted(SnapshotInfo sent, SnapshotInfo committed) throws IOException {
        known.checkCommitted(name, sent, committed);
    }

    /** Refuses an agent whose audit log is not the one that a snapshot was sealed with, unless that was accepted. */
    void checkAccepted(AuditPosition sealed, long id) throws IOException {
        known.checkAccepted(agent, key.id(), name, sealed, id);
    }

    /** Remembers what was just committed. */
    void committed(ProvedSnapshot snapshot) {
        known.committed(agent, key.id(), name, snapshot);
    }

    AgentClient agent() {
        return agent;
    }

    SnapshotName name() {
        return name;
    }
}
