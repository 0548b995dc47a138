// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.snapshots;

import io.shredder.it.process.Children;
import io.shredder.it.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a Java process takes, by the kernel's word, and by its own after it collected. For one thread. */
public final class AgentMemory {
    private static final Pattern USED = Pattern.compile("(?:def new generation|tenured generation) .* used (\\d+)K");

    private final long process;
    private final Children children;
    private final Path log;

    /** @param log where {@code jcmd} writes */
    public AgentMemory(long process, Children children, Path log) {
        this.process = process;
        this.children = children;
        this.log = log;
    }

    /** What is reachable. */
    public long liveHeapBytes() throws IOException, InterruptedException {
        jcmd("GC.run");
        Files.deleteIfExists(log);
        jcmd("GC.heap_info");
        long sum = 0;
        Matcher used = USED.matcher(Files.readString(log));
        while (used.find()) {
            sum += Long.parseLong(used.group(1)) << 10;
        }
        return sum;
    }

    private void jcmd(String command) throws IOException, InterruptedException {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        children.run(new Command(
                "jcmd",
                List.of(jcmd, Long.toString(process), command),
                Map.of(),
                Path.of("").toAbsolutePath(),
                log));
    }

    /** Resident now. */
    public long residentBytes() throws IOException {
        return status("VmRSS:");
    }

    /** The most that was resident since the process began. */
    public long peakResidentBytes() throws IOException {
        return status("VmHWM:");
    }

    private long status(String field) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + process + "/status")).stream()
                .filter(line -> line.startsWith(field))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                .findFirst()
                .orElseThrow(() -> new IOException("process " + process + " has ended"));
    }
}
