// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.scrub;

import java.util.List;
import java.util.Map;

/**
 * What was found at the keepers of a store.
 *
 * @param keepers how many the store has
 * @param away those that could not be checked, and why
 * @param filling those that are new and don't count before they are filled, and what there is to be done
 * @param findings what is not as it should be, or was not
 * @param unreadable what can't be read, or told, with the keepers that are there
 * @param files how many were checked; each lies at all keepers
 * @param bytes that were read at all keepers together
 */
public record ScrubReport(
        int keepers,
        Map<Integer, String> away,
        Map<Integer, String> filling,
        List<KeeperFinding> findings,
        List<String> unreadable,
        long files,
        long bytes) {

    /** Copies the lists. */
    public ScrubReport {
        away = Map.copyOf(away);
        filling = Map.copyOf(filling);
        findings = List.copyOf(findings);
        unreadable = List.copyOf(unreadable);
    }

    /** Whether all keepers have all that they should. */
    public boolean isSound() {
        return away.isEmpty()
                && filling.isEmpty()
                && unreadable.isEmpty()
                && findings.stream().allMatch(KeeperFinding::mended);
    }

    /** Findings at a keeper that are damage. */
    public long damaged(int keeper) {
        return findings.stream()
                .filter(each -> each.keeper() == keeper && !each.owed())
                .count();
    }

    /** Findings at a keeper that it never got. */
    public long owed(int keeper) {
        return findings.stream()
                .filter(each -> each.keeper() == keeper && each.owed())
                .count();
    }

    /** Findings at a keeper that are as they were. */
    public long left(int keeper) {
        return findings.stream()
                .filter(each -> each.keeper() == keeper && !each.mended())
                .count();
    }
}
