// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.move;

import io.shredder.backup.agent.storage.StoredFile;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Says now and then how far a move is. One thread. */
final class MoveProgress {

    private static final double NS_PER_SECOND = 1e9;
    private static final double MEGA = 1e6;

    private final int allFiles;
    private final long allBytes;
    private final long startedNs;
    private final long periodNs;
    private int files;
    private long bytes;
    private long saidNs;

    /**
     * Nothing is moved yet.
     *
     * @param periodNs between what is said
     */
    MoveProgress(List<StoredFile> all, long nowNs, long periodNs) {
        this.allFiles = all.size();
        this.allBytes = all.stream().mapToLong(StoredFile::bytes).sum();
        this.startedNs = nowNs;
        this.saidNs = nowNs;
        this.periodNs = periodNs;
    }

    /** After a file; what is to be said, if it is time. */
    Optional<String> passed(StoredFile file, long nowNs) {
        files++;
        bytes += file.bytes();
        if (nowNs - saidNs < periodNs) {
            return Optional.empty();
        }
        saidNs = nowNs;
        double rate = bytes / ((nowNs - startedNs) / NS_PER_SECOND);
        long left = Math.round((allBytes - bytes) / Math.max(1, rate));
        return Optional.of(String.format(
                "moved %d of %d files, %.0f of %.0f MB, %.1f MB/s, %s left",
                files, allFiles, bytes / MEGA, allBytes / MEGA, rate / MEGA, Duration.ofSeconds(left)));
    }
}
