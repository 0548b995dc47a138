// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.trust;

import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.seal.SnapshotOpener;
import io.shredder.backup.seal.SnapshotPlace;
import io.shredder.backup.seal.SnapshotSummary;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The snapshots of one series as the repository key proves them, and whether they follow each other as they were
 * committed. Only what was pruned may be missing, and that can't be told from what an agent withholds:
 * {@link KnownCommits} knows better. Immutable.
 *
 * @param proved ascending
 * @param unproved those that this key does not prove to belong here
 * @param breaks what contradicts itself, a line each
 */
public record ProvedSeries(List<ProvedSnapshot> proved, List<UnprovedSnapshot> unproved, List<String> breaks) {

    /**
     * Sorts what an agent lists.
     *
     * @param listed of one series
     * @param home where they should have been committed: {@link SnapshotPlace#home}
     */
    public static ProvedSeries of(List<SnapshotInfo> listed, RepositoryKey key, UUID home) {
        return new ProvedSeries(List.of(), List.of(), List.of()).and(listed, key, home);
    }

    /**
     * The same with snapshots that came since.
     *
     * @param newer with higher ids than all here
     */
    ProvedSeries and(List<SnapshotInfo> newer, RepositoryKey key, UUID home) {
        List<SnapshotInfo> ascending = new ArrayList<>(newer);
        ascending.sort(Comparator.comparingLong(SnapshotInfo::id));
        List<ProvedSnapshot> proved = new ArrayList<>(this.proved);
        List<UnprovedSnapshot> unproved = new ArrayList<>(this.unproved);
        Set<Fingerprint> contents = new HashSet<>();
        proved.forEach(before -> contents.add(before.info().contentDigest()));
        unproved.forEach(before -> contents.add(before.info().contentDigest()));
        for (SnapshotInfo info : ascending) {
            SnapshotSummary summary;
            try {
                summary = new SnapshotOpener(key, info).summary();
            } catch (IOException e) {
                unproved.add(new UnprovedSnapshot(info, reason(info, key, e)));
                continue;
            }
            ProvedSnapshot candidate = new ProvedSnapshot(info, summary);
            Optional<String> reason = whyNotHere(candidate, home, proved, contents.add(info.contentDigest()));
            if (reason.isPresent()) {
                unproved.add(new UnprovedSnapshot(info, reason.get()));
            } else {
                proved.add(candidate);
            }
        }
        return new ProvedSeries(List.copyOf(proved), List.copyOf(unproved), breaks(proved));
    }

    private static String reason(SnapshotInfo info, RepositoryKey key, IOException error) {
        return info.seal().key().equals(key.id())
                ? String.valueOf(error.getMessage())
                : "it is sealed with key " + info.seal().key() + ", not with key " + key.id();
    }

    private static Optional<String> whyNotHere(
            ProvedSnapshot candidate, UUID home, List<ProvedSnapshot> before, boolean isNew) {
        Optional<SnapshotPlace> place = candidate.summary().place();
        boolean placedBefore =
                !before.isEmpty() && before.get(before.size() - 1).ordinal() > 0;
        if (place.isEmpty()) {
            if (placedBefore) {
                return Optional.of(
                        "it is sealed as versions before 0.2 did, behind newer ones: an old snapshot that was put here");
            }
            return isNew ? Optional.empty() : Optional.of("it is a copy of an older snapshot of the series");
        } else if (!place.get().home().equals(home)) {
            return Optional.of("it was committed to another repository, or for another client");
        } else if (place.get().id() != candidate.info().id()) {
            return Optional.of("it was committed as snapshot " + place.get().id());
        }
        return Optional.empty();
    }

    private static List<String> breaks(List<ProvedSnapshot> proved) {
        List<String> breaks = new ArrayList<>();
        for (int i = 1; i < proved.size(); i++) {
            ProvedSnapshot before = proved.get(i - 1);
            ProvedSnapshot after = proved.get(i);
            Optional<SnapshotPlace> place = after.summary().place();
            if (place.isEmpty()) {
                continue;
            }
            boolean isNext = before.ordinal() > 0 && after.ordinal() == before.ordinal() + 1;
            boolean isBent = isNext && !place.get().predecessor().equals(before.digest());
            if (isBent || after.ordinal() <= before.ordinal()) {
                breaks.add(name(after) + " was committed behind another snapshot than " + name(before));
            }
        }
        return List.copyOf(breaks);
    }

    private static String name(ProvedSnapshot snapshot) {
        return snapshot.info().name() + "@" + snapshot.info().id();
    }

    /** The newest that is proved. */
    public Optional<ProvedSnapshot> last() {
        return proved.isEmpty() ? Optional.empty() : Optional.of(proved.get(proved.size() - 1));
    }

    /** A snapshot by its id, or the newest. */
    public Optional<ProvedSnapshot> find(OptionalLong id) {
        return id.isEmpty()
                ? last()
                : proved.stream()
                        .filter(snapshot -> snapshot.info().id() == id.getAsLong())
                        .findFirst();
    }

    /** The highest id that is listed, proved or not; 0 if none is. */
    public long highestId() {
        return Stream.concat(
                        proved.stream().map(ProvedSnapshot::info),
                        unproved.stream().map(UnprovedSnapshot::info))
                .mapToLong(SnapshotInfo::id)
                .max()
                .orElse(0);
    }

    /** Where the next snapshot of the series comes. */
    public long nextOrdinal() {
        return last().map(snapshot -> Math.max(snapshot.ordinal(), proved.size()) + 1)
                .orElse(1L);
    }

    /** What the next snapshot follows. */
    public Fingerprint lastDigest() {
        return last().map(ProvedSnapshot::digest).orElse(SnapshotPlace.NO_PREDECESSOR);
    }
}
