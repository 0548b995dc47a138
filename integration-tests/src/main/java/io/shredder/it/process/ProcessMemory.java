// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How much memory a process has, as the kernel and its Java, with the serial collector, say. */
public final class ProcessMemory {
    private static final Pattern USED = Pattern.compile("generation\\s+total \\d+K, used (\\d+)K");

    private ProcessMemory() {}

    /** Resident now. */
    public static long residentBytes(long process) throws IOException {
        return status(process, "VmRSS");
    }

    /** The most that ever was resident. */
    public static long mostResidentBytes(long process) throws IOException {
        return status(process, "VmHWM");
    }

    private static long status(long process, String field) throws IOException {
        Matcher found = Pattern.compile(field + ":\\s+(\\d+) kB")
                .matcher(Files.readString(Path.of("/proc", String.valueOf(process), "status")));
        if (!found.find()) {
            throw new IOException("the kernel doesn't tell " + field + " of process " + process);
        }
        return Long.parseLong(found.group(1)) << 10;
    }

    /** How many threads it has: one for each connection, and some more. */
    public static int threads(long process) throws IOException {
        String[] threads =
                Path.of("/proc", String.valueOf(process), "task").toFile().list();
        return threads == null ? 0 : threads.length;
    }

    /** What is used of the heap once garbage is collected. */
    public static long liveHeapBytes(long process) throws IOException, InterruptedException {
        jcmd(process, "GC.run");
        Matcher used = USED.matcher(jcmd(process, "GC.heap_info"));
        long kib = 0;
        while (used.find()) {
            kib += Long.parseLong(used.group(1));
        }
        if (kib == 0) {
            throw new IOException("jcmd doesn't tell the heap of process " + process);
        }
        return kib << 10;
    }

    private static String jcmd(long process, String command) throws IOException, InterruptedException {
        Path program = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        Process asked = new ProcessBuilder(program.toString(), String.valueOf(process), command)
                .redirectErrorStream(true)
                .start();
        String said = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        asked.waitFor();
        return said;
    }
}
