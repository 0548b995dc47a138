// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.config;

import java.time.Duration;
import java.util.List;

/**
 * Programs to run around a backup: to freeze and thaw, to make and drop a snapshot.
 *
 * @param before program and arguments; empty for none; if it fails there is no backup
 * @param after the same; runs whenever {@code before} was started, whatever came of it
 * @param timeLimit after which a program is ended, and has failed
 */
public record HookConfig(List<String> before, List<String> after, Duration timeLimit) {

    /** Ten minutes. */
    static final Duration DEFAULT_TIME_LIMIT = Duration.ofMinutes(10);

    /** Keeps copies. */
    public HookConfig {
        before = List.copyOf(before);
        after = List.copyOf(after);
    }
}
