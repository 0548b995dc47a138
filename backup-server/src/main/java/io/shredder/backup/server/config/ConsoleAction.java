// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.config;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What a person may have the daemon do at the console. */
public enum ConsoleAction {
    /** Start a job or care now. */
    RUN,
    /** End a run that goes on. */
    STOP,
    /** Keep a job's times from starting it for a while, and end that. */
    PAUSE,
    /** Restore a snapshot to a new file in {@code console.restore-to}, and end that. */
    RESTORE,
    /** Open a snapshot to programs on the daemon's machine, and end that. */
    OPEN,
    /** See which files a snapshot has. */
    FILES;

    /** As the configuration and the API call it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** @throws IllegalArgumentException naming all that there are */
    static ConsoleAction parse(String text) {
        return Arrays.stream(values())
                .filter(action -> action.word().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + text + "' is no action: give some of "
                        + Arrays.stream(values()).map(ConsoleAction::word).collect(Collectors.joining(", "))));
    }
}
