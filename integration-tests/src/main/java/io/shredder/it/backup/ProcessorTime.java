// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.backup;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** CPU time, user's and system's, as the kernel counts it in hundredths of a second. */
public final class ProcessorTime {
    private static final double TICKS_A_SECOND = 100;
    /**
     * Fields of {@code /proc/PID/stat} behind the name: user and system time of the process, then of the children
     * that it waited for.
     */
    private static final int OWN = 11;

    private static final int CHILDREN = 13;

    private ProcessorTime() {}

    /** Seconds that a process has used, its threads that have ended among them; 0 if it has ended itself. */
    public static double seconds(long process) {
        try {
            return seconds(Path.of("/proc", String.valueOf(process), "stat"), OWN);
        } catch (IOException e) {
            return 0;
        }
    }

    /** Seconds that this program's children, and theirs, had used when they ended: exact, whenever it is asked for. */
    public static double secondsOfEnded() throws IOException {
        return seconds(Path.of("/proc/self/stat"), CHILDREN);
    }

    private static double seconds(Path stat, int field) throws IOException {
        String line = Files.readString(stat, StandardCharsets.ISO_8859_1);
        String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[field]) + Long.parseLong(fields[field + 1])) / TICKS_A_SECOND;
    }
}
