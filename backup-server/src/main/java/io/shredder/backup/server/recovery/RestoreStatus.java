// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.recovery;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * How a restore stands.
 *
 * @param number among those of this daemon since it began
 * @param order what was wanted
 * @param state whether it goes on, or how it ended
 * @param elapsed since it began, until it ended
 * @param imageBytes how long the image is; 0 until that is known
 * @param writtenBytes how much of it is written
 * @param error why there is no file, if it has ended without one
 */
public record RestoreStatus(
        long number,
        RestoreOrder order,
        State state,
        Duration elapsed,
        long imageBytes,
        long writtenBytes,
        Optional<String> error) {

    /** Whether it goes on, or how it ended. */
    public enum State {
        /** It goes on. */
        RUNNING,
        /** The file is there, whole, and the disk has it. */
        DONE,
        /** It ended without a file. */
        FAILED,
        /** Somebody ended it: there is no file. */
        STOPPED;

        /** As the API calls it. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
