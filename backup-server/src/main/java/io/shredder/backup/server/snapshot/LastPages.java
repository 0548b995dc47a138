// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.snapshot;

import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.wire.PageDigests;
import io.shredder.chunk.Fingerprint;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** The pages of the series' last snapshot, by their digests: those that a new one can share. Immutable. */
public final class LastPages {

    private static final LastPages NONE = new LastPages(0, List.of(), new BitSet());

    private final long snapshotId;
    private final List<Fingerprint> digests;
    private final BitSet sound;
    private final Map<Fingerprint, Integer> numbers = new HashMap<>();

    private LastPages(long snapshotId, List<Fingerprint> digests, BitSet sound) {
        this.snapshotId = snapshotId;
        this.digests = List.copyOf(digests);
        this.sound = (BitSet) sound.clone();
        for (int number = digests.size() - 1; number >= 0; number--) {
            numbers.put(digests.get(number), number);
        }
    }

    /** No page can be shared. */
    public static LastPages none() {
        return NONE;
    }

    /** Those of a snapshot, which were checked against its content digest. */
    public static LastPages of(SnapshotInfo snapshot, PageDigests pages) {
        return new LastPages(snapshot.id(), pages.digests(), pages.sound());
    }

    /** Whether no page can be shared. */
    public boolean isEmpty() {
        return digests.isEmpty();
    }

    /** Whose they are. */
    public long snapshotId() {
        return snapshotId;
    }

    /**
     * The number of a page there, if it is one of them.
     *
     * @param digest of the page
     * @param likely is told if that is the same page: the one behind the last that was found
     */
    public OptionalInt find(Fingerprint digest, int likely) {
        if (likely < digests.size() && digests.get(likely).equals(digest)) {
            return OptionalInt.of(likely);
        }
        Integer number = numbers.get(digest);
        return number == null ? OptionalInt.empty() : OptionalInt.of(number);
    }

    /** What names a page. */
    public Fingerprint digest(int number) {
        return digests.get(number);
    }

    /** Whether the agent has the page, and all that it refers to, as far as it knows. */
    public boolean isSound(int number) {
        return sound.get(number);
    }
}
