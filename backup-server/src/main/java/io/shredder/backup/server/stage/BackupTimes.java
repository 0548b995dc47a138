// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.stage;

import java.util.List;

/**
 * How long the stages of one backup took.
 *
 * @param reading by the thread that reads for the engine
 * @param comparing by those that compare with the last snapshot
 * @param lookingUp by the caller's: it waits for the engine, or for what was compared
 * @param sealing by those that compress, seal and send
 * @param recording by the one that makes the list
 */
public record BackupTimes(
        StageTime reading, StageTime comparing, StageTime lookingUp, StageTime sealing, StageTime recording) {

    /** Of one that has not begun. */
    public BackupTimes() {
        this(
                new StageTime("reading"),
                new StageTime("comparing"),
                new StageTime("looking up"),
                new StageTime("sealing", "the agent"),
                new StageTime("recording"));
    }

    /** What came of them, in the order of the data. */
    public List<StageTime.Figures> figures() {
        return List.of(reading, comparing, lookingUp, sealing, recording).stream()
                .map(StageTime::figures)
                .filter(stage -> stage.threads() > 0)
                .toList();
    }
}
