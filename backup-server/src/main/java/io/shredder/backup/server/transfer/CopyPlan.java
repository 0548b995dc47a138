// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.transfer;

import io.shredder.backup.server.trust.ProvedSeries;
import io.shredder.backup.server.trust.ProvedSnapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What of a series is copied to another agent. A copy becomes the newest there: what was taken before another copy
 * would pass for the latest, and newer ones would be deleted before it. So only what came later is copied, unless
 * somebody wants it otherwise. Immutable.
 *
 * @param copied those, oldest first
 * @param there that need no copy
 * @param older that the other agent lacks, perhaps since they were pruned there
 */
public record CopyPlan(List<ProvedSnapshot> copied, List<ProvedSnapshot> there, List<ProvedSnapshot> older) {

    /** Keeps copies. */
    public CopyPlan {
        copied = List.copyOf(copied);
        there = List.copyOf(there);
        older = List.copyOf(older);
    }

    /**
     * Plans; asks nobody.
     *
     * @param wanted of one series, ascending
     * @param target the same series at the other agent
     * @param evenOlder whether older ones are copied, too
     */
    public static CopyPlan of(List<ProvedSnapshot> wanted, ProvedSeries target, boolean evenOlder) {
        Optional<Instant> newest = target.proved().stream().map(CopyPlan::taken).max(Instant::compareTo);
        int behind = 0;
        boolean hasNewest = false;
        for (int place = 0; place < wanted.size(); place++) {
            ProvedSnapshot one = wanted.get(place);
            if (isAt(target, one)) {
                behind = place + 1;
                hasNewest |= newest.filter(taken(one)::equals).isPresent();
            }
        }
        List<ProvedSnapshot> copied = new ArrayList<>();
        List<ProvedSnapshot> there = new ArrayList<>();
        List<ProvedSnapshot> older = new ArrayList<>();
        for (int place = 0; place < wanted.size(); place++) {
            ProvedSnapshot one = wanted.get(place);
            // Where the newest there has its place among those wanted, that tells more than a clock, which can jump.
            boolean isNewer =
                    newest.filter(before -> !taken(one).isAfter(before)).isEmpty() || (hasNewest && place >= behind);
            (isAt(target, one) ? there : isNewer || evenOlder ? copied : older).add(one);
        }
        return new CopyPlan(copied, there, older);
    }

    private static boolean isAt(ProvedSeries target, ProvedSnapshot one) {
        return target.proved().stream().anyMatch(one::isSameAs);
    }

    private static Instant taken(ProvedSnapshot snapshot) {
        return snapshot.summary().taken();
    }
}
