// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How large a process is, as the kernel says.
 *
 * @param mostBytes the most that was ever resident
 */
record Resident(long bytes, long mostBytes, int threads) {

    private static final Pattern FIGURE = Pattern.compile("(VmRSS|VmHWM|Threads):\\s+(\\d+)");

    static Resident of(long pid) throws IOException {
        long kib = 0;
        long mostKib = 0;
        int threads = 0;
        Matcher figure = FIGURE.matcher(Files.readString(Path.of("/proc", String.valueOf(pid), "status")));
        while (figure.find()) {
            long value = Long.parseLong(figure.group(2));
            switch (figure.group(1)) {
                case "VmRSS" -> kib = value;
                case "VmHWM" -> mostKib = value;
                default -> threads = (int) value;
            }
        }
        return new Resident(kib << 10, mostKib << 10, threads);
    }
}
