// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.schedule;

import java.time.Duration;
import java.util.List;

/**
 * How far a run of a job is.
 *
 * @param done images that have ended, well or not
 * @param images all of the job
 * @param underWay backups of which the agent has been asked
 */
public record RunProgress(int done, int images, List<Backup> underWay) {

    /** Keeps a copy. */
    public RunProgress {
        underWay = List.copyOf(underWay);
    }

    /**
     * One backup.
     *
     * @param image its name
     * @param readBytes how much of the image is behind it
     * @param imageBytes length of the image
     * @param elapsed since it began
     */
    public record Backup(String image, long readBytes, long imageBytes, Duration elapsed) {}
}
