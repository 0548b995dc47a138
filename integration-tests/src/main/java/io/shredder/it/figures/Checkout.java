// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.figures;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What was measured and where. */
public final class Checkout {
    private static final String UNKNOWN = "unknown";

    private Checkout() {}

    /** The commit that is checked out, with {@code +} behind it if tracked files differ; "unknown" outside of git. */
    public static String commit(Path root) throws IOException {
        return git(root, "describe", "--always", "--abbrev=12", "--dirty=+", "--exclude=*");
    }

    private static String git(Path root, String... arguments) throws IOException {
        List<String> words =
                Stream.concat(Stream.of("git"), Stream.of(arguments)).toList();
        Process process = new ProcessBuilder(words)
                .directory(root.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        return answer.isEmpty() ? UNKNOWN : answer;
    }

    /** Processor, cores and memory in words. */
    public static String machine() throws IOException {
        String processor = field(Path.of("/proc/cpuinfo"), "model name");
        long memoryKiB =
                Long.parseLong(field(Path.of("/proc/meminfo"), "MemTotal").replaceAll("\\D", ""));
        return Runtime.getRuntime().availableProcessors() + " cores of " + processor + ", "
                + Math.round(memoryKiB / 1048576.0) + " GiB";
    }

    private static String field(Path file, String name) throws IOException {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("0 " + UNKNOWN);
        }
    }
}
