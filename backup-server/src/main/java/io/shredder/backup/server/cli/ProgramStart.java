// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/** What a command takes before it begins with what it is for: Java's start, its own, the connection. */
final class ProgramStart {

    private static final Path UPTIME = Path.of("/proc/uptime");
    private static final Path OWN = Path.of("/proc/self/stat");

    /** Of the fields behind the program's name (proc(5)). */
    private static final int START_TICKS = 19;

    private static final int TICKS_A_SECOND = 100;

    private ProgramStart() {}

    /** From the process's start to this moment, without what its work took. Zero where nobody tells. */
    static Duration before(Duration work) {
        try {
            double up = Double.parseDouble(Files.readString(UPTIME).split(" ", 2)[0]);
            String own = Files.readString(OWN);
            String[] fields = own.substring(own.lastIndexOf(')') + 2).split(" ", -1);
            double started = Double.parseDouble(fields[START_TICKS]) / TICKS_A_SECOND;
            Duration before = Duration.ofMillis((long) (1000 * (up - started))).minus(work);
            return before.isNegative() ? Duration.ZERO : before;
        } catch (IOException | RuntimeException e) {
            return Duration.ZERO;
        }
    }

    /** As the end of a line. */
    static String text(Duration start) {
        return String.format(Locale.ROOT, "; %.1f s before that", start.toMillis() / 1e3);
    }
}
