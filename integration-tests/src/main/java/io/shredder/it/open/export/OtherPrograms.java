// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.open.export;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Other programs, run to their ends. */
public final class OtherPrograms {

    private OtherPrograms() {}

    /** What one said. */
    public record Said(int code, String text) {}

    /** Whether it is installed. */
    public static boolean has(String program) {
        return Stream.of("/usr/bin", "/usr/sbin", "/sbin")
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /** Runs one to its end. */
    public static Said run(String... words) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(List.of(words)).redirectErrorStream(true);
        builder.environment().merge("PATH", "/usr/sbin:/sbin", (path, more) -> path + ":" + more);
        Process process = builder.start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        return new Said(process.waitFor(), text);
    }

    /**
     * What it said.
     *
     * @throws IOException if it fails
     */
    public static String must(String... words) throws IOException, InterruptedException {
        Said said = run(words);
        if (said.code() != 0) {
            throw new IOException(String.join(" ", words) + ": " + said.text());
        }
        return said.text();
    }
}
