// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli.open;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Programs of other projects that a command needs. */
final class OtherProgram {

    private static final long MOST_S = 120;

    /** What a program said, and how it ended. */
    record Outcome(int exitCode, String text) {}

    private OtherProgram() {}

    /** Refuses to go on without it. */
    static void check(String name, String debianPackage) throws IOException {
        String path = System.getenv().getOrDefault("PATH", "/usr/bin:/bin") + ":/usr/sbin:/sbin";
        for (String folder : path.split(":", -1)) {
            if (Files.isExecutable(Path.of(folder.isEmpty() ? "." : folder, name))) {
                return;
            }
        }
        throw new IOException(
                "there is no program " + name + ": install it (on Debian: apt install " + debianPackage + ")");
    }

    /** Runs one that ends by itself. */
    static Outcome run(List<String> words) throws IOException, InterruptedException {
        Path said = Files.createTempFile("shredder", ".txt");
        try {
            Process process = new ProcessBuilder(words)
                    .redirectErrorStream(true)
                    .redirectOutput(said.toFile())
                    .start();
            process.getOutputStream().close();
            if (!process.waitFor(MOST_S, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException(words.get(0) + " didn't end within " + MOST_S + " s");
            }
            return new Outcome(process.exitValue(), lastLine(said));
        } finally {
            Files.deleteIfExists(said);
        }
    }

    /** What a program said in the end. */
    static String lastLine(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)
                .lines()
                .filter(line -> !line.isBlank())
                .reduce((before, last) -> last)
                .orElse("it says nothing");
    }

    /** Whether something is mounted at a folder. */
    static boolean isMounted(Path folder) throws IOException {
        String here = folder.toRealPath().toString().replace(" ", "\\040");
        return Files.readAllLines(Path.of("/proc/self/mounts"), StandardCharsets.ISO_8859_1).stream()
                .anyMatch(line -> line.split(" ", -1)[1].equals(here));
    }
}
