// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.backup;

import io.shredder.backup.seal.Remarks;
import io.shredder.backup.server.changes.ChangeCheck;
import io.shredder.backup.server.changes.ChangeTracker;
import io.shredder.backup.server.changes.ChangedRanges;
import io.shredder.backup.server.trust.ProvedSeries;
import io.shredder.backup.server.trust.ProvedSnapshot;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whether a backup reads only what is told to have changed, or everything, and why. It reads everything unless the last
 * snapshot itself says, by its sealed tag, that it is of the moment from which changes were told.
 */
final class TrackedRead {

    private final Optional<ChangeTracker> tracker;
    private final ChangeCheck check;
    private final ReadReason reason;
    private final Optional<String> wholly;
    private final Told told;

    /**
     * What was known before anything was read.
     *
     * @param changedBytes that were told to have changed
     * @param suspects snapshots that are wrong if that isn't true
     * @param lastWhole when every byte was read last
     */
    private record Told(Optional<Long> changedBytes, String suspects, Optional<Instant> lastWhole) {
        static final Told NOTHING = new Told(Optional.empty(), "", Optional.empty());
    }

    private TrackedRead(
            Optional<ChangeTracker> tracker, ChangeCheck check, ReadReason reason, Optional<String> wholly, Told told) {
        this.tracker = tracker;
        this.check = check;
        this.reason = reason;
        this.wholly = wholly;
        this.told = told;
    }

    /**
     * Decides.
     *
     * @param series that the backup goes on
     * @param cached whether this site has the cache of its last snapshot
     */
    static TrackedRead of(Optional<ChangeTracker> tracker, ProvedSeries series, boolean cached) throws IOException {
        if (tracker.isEmpty()) {
            return new TrackedRead(tracker, ChangeCheck.untold(), ReadReason.UNTRACKED, Optional.empty(), Told.NOTHING);
        }
        Optional<ProvedSnapshot> last = series.last();
        Optional<String> point = last.flatMap(ChangeTracker::pointOf);
        if (last.isEmpty()) {
            return wholly(tracker, ReadReason.FIRST, "it is the first snapshot of its series");
        } else if (point.isEmpty()) {
            return wholly(tracker, ReadReason.LOST, name(last.get()) + " was made without tracked changes");
        } else if (!last.get().summary().remarks().skipped().isEmpty()) {
            return wholly(tracker, ReadReason.LOST, name(last.get()) + " has zeros for what could not be read");
        } else if (!cached) {
            return wholly(tracker, ReadReason.LOST, "there is no cache of " + name(last.get()) + " here");
        }
        Optional<ChangedRanges> ranges = tracker.get().since(point.get());
        if (ranges.isEmpty()) {
            return wholly(tracker, ReadReason.LOST, tracker.get().reason());
        }
        Duration every = tracker.get().wholeEvery();
        Optional<Instant> lastWhole = lastWhole(series.proved());
        Told told = new Told(Optional.of(ranges.get().bytes()), suspects(series.proved()), lastWhole);
        if (!ChangeTracker.isWholeDue(lastWhole, Instant.now(), every)) {
            return new TrackedRead(
                    tracker, ChangeCheck.trusting(ranges.get()), ReadReason.TRACKED, Optional.empty(), told);
        }
        String why = "that was last done longer ago than " + text(every);
        return new TrackedRead(
                tracker, ChangeCheck.comparing(ranges.get()), ReadReason.FULL_COMPARISON, Optional.of(why), told);
    }

    private static String text(Duration time) {
        return time.toDays() > 0 ? time.toDays() + " days" : time.toSeconds() + " s";
    }

    private static TrackedRead wholly(Optional<ChangeTracker> tracker, ReadReason reason, String why) {
        return new TrackedRead(tracker, ChangeCheck.untold(), reason, Optional.of(why), Told.NOTHING);
    }

    private static Optional<Instant> lastWhole(List<ProvedSnapshot> proved) {
        return proved.stream()
                .filter(ChangeTracker::wasReadWhole)
                .map(snapshot -> snapshot.summary().taken())
                .max(Instant::compareTo);
    }

    /** Those that were made by what was told, since the last of which every byte was read. */
    private static String suspects(List<ProvedSnapshot> proved) {
        int first = proved.size();
        while (first > 0 && !ChangeTracker.wasReadWhole(proved.get(first - 1))) {
            first--;
        }
        if (first == proved.size()) {
            return "none of the snapshots before";
        }
        String last = name(proved.get(proved.size() - 1));
        return first == proved.size() - 1 ? last : name(proved.get(first)) + " to " + last;
    }

    private static String name(ProvedSnapshot snapshot) {
        return snapshot.info().name() + "@" + snapshot.info().id();
    }

    ChangeCheck check() {
        return check;
    }

    /**
     * What the next backup is to know of this one.
     *
     * @throws IllegalArgumentException if there are too many tags then
     */
    Remarks remarks(Remarks given) {
        if (tracker.isEmpty()) {
            return given;
        }
        List<String> tags = new ArrayList<>(given.tags());
        tags.add(ChangeTracker.POINT_TAG + tracker.get().point());
        if (check.readsAll()) {
            tags.add(ChangeTracker.WHOLE_TAG);
        }
        return new Remarks(tags, given.note(), given.skipped(), given.change());
    }

    /** What came of it. */
    ImageReading reading(long bytes) {
        Optional<String> untruth = check.untruth().map(text -> text + "; wrong there may be: " + told.suspects());
        Optional<Instant> whole =
                tracker.isPresent() && check.readsAll() ? Optional.of(Instant.now()) : told.lastWhole();
        return new ImageReading(
                bytes, untruth.isPresent() ? ReadReason.LIED : reason, told.changedBytes(), wholly, untruth, whole);
    }
}
