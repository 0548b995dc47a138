// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.transfer;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.AgentException;
import io.shredder.backup.server.text.FewLines;
import io.shredder.backup.server.text.ProgressLine;
import io.shredder.backup.server.text.SnapshotText;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.backup.wire.UpkeepAnswer;
import io.shredder.backup.wire.UpkeepRequest;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One collection at the agent, driven to its end.
 *
 * @param last what the agent said at the end
 * @param dryRun whether it only counted
 * @param problems of all steps
 */
public record CollectionRun(UpkeepAnswer.Collected last, boolean dryRun, List<String> problems) {

    /** A container is swept if this part of it is garbage, in percent. */
    public static final int DEFAULT_MIN_GARBAGE_PERCENT = 20;

    /**
     * Drives one to its end; shows how far it is.
     *
     * @param minGarbagePercent a container is swept if this part of it is garbage
     * @param dryRun whether it only counts
     */
    public static CollectionRun of(AgentClient client, int minGarbagePercent, boolean dryRun) throws IOException {
        AtomicLong freed = new AtomicLong();
        return ProgressLine.during("freed", 0, freed::get, () -> run(client, minGarbagePercent, dryRun, freed));
    }

    private static CollectionRun run(AgentClient client, int minGarbagePercent, boolean dryRun, AtomicLong freed)
            throws IOException {
        FewLines problems = new FewLines();
        UpkeepAnswer.Collected step = client.collect(new UpkeepRequest.Collect(true, dryRun, minGarbagePercent));
        step.problems().forEach(problems::add);
        int still = 0;
        while (!step.done()) {
            UpkeepAnswer.Collected before = step;
            step = client.collect(new UpkeepRequest.Collect(false, dryRun, minGarbagePercent));
            step.problems().forEach(problems::add);
            freed.set(Math.max(0, step.freedBytes()));
            still = step.equals(before) ? still + 1 : 0;
            if (still == VerifyRun.MOST_STILL) {
                throw new AgentException(
                        ErrorCode.PROTOCOL, "the agent's collection stands still: " + still + " answers are the same");
            }
        }
        return new CollectionRun(step, dryRun, problems.lines());
    }

    /** For {@code --json}: keys stay as they are. */
    public Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("dryRun", dryRun);
        json.put("pointers", last.markedChunks());
        json.put("garbageBytes", last.garbageBytes());
        json.put("freedBytes", last.freedBytes());
        json.put("copiedBytes", last.copiedBytes());
        json.put("deletedContainers", last.deletedContainers());
        json.put("containersToSweep", last.leftContainers());
        json.put("problems", problems);
        return json;
    }

    @Override
    public String toString() {
        String found = "followed " + last.markedChunks() + " pointers, found " + SnapshotText.size(last.garbageBytes())
                + " of garbage";
        return dryRun
                ? found + " in " + last.leftContainers() + " containers that would be swept"
                : found + ", freed " + SnapshotText.size(Math.max(0, last.freedBytes())) + " ("
                        + last.deletedContainers() + " containers deleted, " + SnapshotText.size(last.copiedBytes())
                        + " copied)";
    }
}
