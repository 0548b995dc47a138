// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.backup.agent.container.ContainerPosition;
import io.shredder.backup.bytes.BodyReader;
import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Which files make up the index, and what the runs amount to: everything but what the log adds. Immutable.
 *
 * @param covered by the runs
 * @param size how many chunks the runs hold
 * @param firstLog number of the first log segment; there is none if it is behind the last
 * @param lastLog number of the last log segment
 * @param lastRun the highest number that a run ever had
 * @param runs newest first
 */
record IndexManifest(
        ContainerPosition covered, long size, int firstLog, int lastLog, int lastRun, List<RunManifest> runs) {

    static final IndexManifest EMPTY = new IndexManifest(ContainerPosition.START, 0, 1, 0, 0, List.of());

    private static final int FIXED_BYTES = 8 + 8 + 4 + 4 + 4 + 4;
    private static final int MAX_RUNS = 10_000;

    IndexManifest withLog(int number) {
        return new IndexManifest(covered, size, firstLog, number, lastRun, runs);
    }

    IndexManifest withRuns(int newLastRun, List<RunManifest> newRuns) {
        return new IndexManifest(covered, size, firstLog, lastLog, newLastRun, newRuns);
    }

    /** After a memtable has become a run: the log segments before {@code newFirstLog} are no longer needed. */
    IndexManifest flushed(ContainerPosition newCovered, long newSize, int newFirstLog) {
        return new IndexManifest(newCovered, newSize, newFirstLog, lastLog, lastRun, runs);
    }

    boolean names(String file) {
        for (int log = firstLog; log <= lastLog; log++) {
            if (file.equals(LogSegment.fileName(log))) {
                return true;
            }
        }
        return runs.stream().anyMatch(run -> file.equals(RunFormat.fileName(run.number())));
    }

    byte[] encode() {
        ByteBuffer bytes = ByteBuffer.allocate(FIXED_BYTES + runs.size() * RunManifest.BYTES);
        bytes.putInt(covered.container()).putInt(covered.offset()).putLong(size);
        bytes.putInt(firstLog).putInt(lastLog).putInt(lastRun).putInt(runs.size());
        runs.forEach(run -> run.write(bytes));
        return bytes.array();
    }

    static IndexManifest read(byte[] bytes, String file, long offset) throws DamagedDataException {
        BodyReader in = new BodyReader(ByteBuffer.wrap(bytes), file, offset);
        ContainerPosition covered = new ContainerPosition(
                in.length("covered container", Integer.MAX_VALUE), in.length("covered offset", Integer.MAX_VALUE));
        long size = in.u63("size");
        int firstLog = in.length("first log", Integer.MAX_VALUE);
        int lastLog = in.length("last log", Integer.MAX_VALUE);
        int lastRun = in.length("last run", Integer.MAX_VALUE);
        List<RunManifest> runs = new ArrayList<>();
        for (int left = in.length("number of runs", MAX_RUNS); left > 0; left--) {
            runs.add(RunManifest.read(in));
        }
        in.end();
        return new IndexManifest(covered, size, firstLog, lastLog, lastRun, List.copyOf(runs));
    }
}
