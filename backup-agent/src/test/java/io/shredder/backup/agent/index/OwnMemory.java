// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What Linux says of this process's memory. */
final class OwnMemory {

    private OwnMemory() {}

    /** For people: what is resident, its peak, and what the heap may grow to. */
    static String now() throws IOException {
        return megabytes("VmRSS:") + " MB resident, " + megabytes("VmHWM:") + " MB at its peak, heap of at most "
                + Runtime.getRuntime().maxMemory() / 1_000_000 + " MB";
    }

    private static long megabytes(String field) throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith(field))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024 / 1_000_000)
                .findFirst()
                .orElseThrow();
    }
}
