// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.snapshot;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.server.trust.AgentSeries;
import io.shredder.backup.server.trust.BrokenTrustException;
import io.shredder.backup.server.trust.ProvedSeries;
import io.shredder.backup.server.trust.ProvedSnapshot;
import io.shredder.backup.server.trust.UnprovedSnapshot;
import io.shredder.backup.snapshot.KeyId;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A snapshot as a command names it: {@code NAME}, {@code NAME@latest} or {@code NAME@ID}.
 *
 * @param name of the series
 * @param id absent for the latest
 */
public record SnapshotChoice(SnapshotName name, OptionalLong id) {

    private static final String LATEST = "latest";

    /** Reads one. */
    public static SnapshotChoice parse(String text) {
        int at = text.indexOf('@');
        String id = at < 0 ? LATEST : text.substring(at + 1);
        SnapshotName name = new SnapshotName(at < 0 ? text : text.substring(0, at));
        if (id.equals(LATEST)) {
            return new SnapshotChoice(name, OptionalLong.empty());
        }
        try {
            return new SnapshotChoice(name, OptionalLong.of(Long.parseUnsignedLong(id)));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is not NAME, NAME@latest or NAME@ID", e);
        }
    }

    /** As it is written on a command line. */
    @Override
    public String toString() {
        return name + "@" + (id.isPresent() ? Long.toUnsignedString(id.getAsLong()) : LATEST);
    }

    /** The snapshot that is meant, as the agent says; damaged files elsewhere don't matter. */
    public SnapshotInfo find(AgentClient agent) throws IOException {
        List<SnapshotInfo> series = AgentSeries.list(agent, name).snapshots();
        List<SnapshotInfo> meant = series.stream()
                .filter(snapshot -> id.isEmpty() || snapshot.id() == id.getAsLong())
                .toList();
        if (meant.isEmpty()) {
            throw missing(agent);
        }
        return meant.get(meant.size() - 1);
    }

    /**
     * The snapshot that is meant among those that the key proves.
     *
     * @throws BrokenTrustException if it is of this key, and not proved
     */
    public ProvedSnapshot among(ProvedSeries series, AgentClient agent, KeyId key) throws IOException {
        Optional<ProvedSnapshot> found = series.find(id);
        if (found.isPresent()) {
            return found.get();
        }
        List<UnprovedSnapshot> meant = series.unproved().stream()
                .filter(other -> id.isEmpty() || other.info().id() == id.getAsLong())
                .toList();
        if (meant.isEmpty()) {
            throw missing(agent);
        }
        UnprovedSnapshot last = meant.get(meant.size() - 1);
        throw last.info().seal().key().equals(key)
                ? new BrokenTrustException(last.toString())
                : new IOException(last + ": name the file of that key with --repository-key");
    }

    /** What is to be said where it isn't there. */
    private IOException missing(AgentClient agent) throws IOException {
        AgentSeries.Listing series = AgentSeries.list(agent, name);
        List<SnapshotInfo> there = series.snapshots();
        String damaged = series.damaged().isEmpty() ? "" : "; damaged: " + String.join("; ", series.damaged());
        return new IOException((there.isEmpty()
                        ? "there is no snapshot of '" + name + "'"
                        : "snapshot " + name + "@" + id.orElse(0) + " is not there, the latest is " + name + "@"
                                + there.get(there.size() - 1).id())
                + ": see 'shredder-backup list'" + damaged);
    }

    /**
     * What the agent lists of some series.
     *
     * @param names those; all of the client if there is none
     * @throws IOException also if a series has no snapshot
     */
    public static AgentSeries.Listing list(AgentClient agent, List<SnapshotName> names) throws IOException {
        if (names.isEmpty()) {
            return AgentSeries.listAll(agent);
        }
        AgentSeries.Listing all = new AgentSeries.Listing(new ArrayList<>(), new ArrayList<>());
        for (SnapshotName name : new LinkedHashSet<>(names)) {
            AgentSeries.Listing series = AgentSeries.list(agent, name);
            if (series.snapshots().isEmpty() && series.damaged().isEmpty()) {
                throw new IOException("there is no snapshot of '" + name + "': see 'shredder-backup list'");
            }
            all.snapshots().addAll(series.snapshots());
            all.damaged().addAll(series.damaged());
        }
        return all;
    }
}
