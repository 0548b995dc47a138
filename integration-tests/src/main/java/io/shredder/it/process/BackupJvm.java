// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A JVM with the class path and the logging of the backup's programs, for what measures them alone. Those that measure
 * all have Hadoop's class path, which is longer and logs otherwise.
 */
public final class BackupJvm {
    /** Hadoop's logging, which a kit of the backup does not have. */
    private static final String OTHER_LOGGING = "slf4j-reload4j-";

    /** What measures the backup: these classes, test code of its modules, and what either needs. */
    private static final Pattern MEASURING = Pattern.compile(
            "integration-tests/target/classes$|/backup-(agent|server)-[^/]+-tests\\.jar$|/(assertj-core|rocksdbjni)-[^/]+$");

    private static final Path SERVER = Path.of("backup-server/target");

    private BackupJvm() {}

    private static List<String> ownClassPath() {
        return List.of(System.getProperty("java.class.path").split(Pattern.quote(File.pathSeparator), -1));
    }

    /** Whether this is one already. */
    public static boolean isHere() {
        return ownClassPath().stream().noneMatch(entry -> entry.contains(OTHER_LOGGING));
    }

    /**
     * What starts a program in such a JVM.
     *
     * @param root the checkout, built
     * @param heap as {@code -Xmx} takes it
     * @param program its class
     * @throws IOException if the checkout is not built
     */
    public static List<String> words(Path root, String heap, String program, List<String> arguments)
            throws IOException {
        var entries = new ArrayList<>(ownClassPath().stream()
                .filter(entry -> MEASURING.matcher(entry).find())
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .toList());
        entries.add(root.resolve(SERVER).resolve("classes").toString());
        entries.add(
                Files.readString(root.resolve(SERVER).resolve("classpath.txt")).strip());
        return Command.java(List.of("-Xmx" + heap), String.join(File.pathSeparator, entries), program, arguments);
    }

    /**
     * Runs a program in such a JVM, with this one's input and output; it ends when this one does.
     *
     * @return its exit code
     */
    public static int run(Path root, String heap, String program, List<String> arguments)
            throws IOException, InterruptedException {
        var words = new ArrayList<>(List.of("setpriv", "--pdeathsig", "TERM", "--"));
        words.addAll(words(root, heap, program, arguments));
        Process process = new ProcessBuilder(words).inheritIO().start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy, "measuring-stop"));
        return process.waitFor();
    }
}
