// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.world;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.util.ClassUtil;
import org.jspecify.annotations.Nullable;

/**
 * Brings the agent into a JVM that was started without it. A JVM may not attach to itself, so a child process does, in
 * about half a second, once. Safe for use by several threads.
 */
public final class AgentLoader {

    /** The same as JvmWatch's; that class must not be loaded before the agent has put it in front. */
    private static final String ACTIVE = "io.shredder.incoop.agent";

    private static final String JAR_NAME = "incoop-agent";
    private static final int ATTACH_SECONDS = 60;

    private static @Nullable String failure;

    private AgentLoader() {}

    /** Has this JVM watched; says why it can't be, if so. */
    public static synchronized Optional<String> load() {
        if (System.getProperty(ACTIVE) == null && failure == null) {
            try {
                attach();
            } catch (IOException | RuntimeException e) {
                failure = String.valueOf(e.getMessage());
            }
        }
        return Optional.ofNullable(failure);
    }

    /** Why it can't be sent to other JVMs, if so. */
    public static Optional<String> missing() {
        try {
            jar();
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /**
     * The agent's jar: on the class path, or beside ours.
     *
     * @throws IOException if there is none
     */
    public static Path jar() throws IOException {
        for (String entry : System.getProperty("java.class.path", "").split(File.pathSeparator, -1)) {
            if (isAgent(Path.of(entry))) {
                return Path.of(entry).toAbsolutePath();
            }
        }
        String ours = ClassUtil.findContainingJar(AgentLoader.class);
        Path folder = ours == null
                ? folderOfClasses()
                : Path.of(ours).toAbsolutePath().getParent();
        if (folder != null) {
            try (Stream<Path> beside = Files.list(folder)) {
                Optional<Path> found = beside.filter(AgentLoader::isAgent).findFirst();
                if (found.isPresent()) {
                    return found.get();
                }
            }
        }
        throw new IOException(
                "the jar " + JAR_NAME + "-VERSION.jar lies neither on the class path nor beside incoop-jobs's jar, so"
                        + " nobody would see what the job reads: put it there");
    }

    private static @Nullable Path folderOfClasses() throws IOException {
        CodeSource source = AgentLoader.class.getProtectionDomain().getCodeSource();
        try {
            return source == null ? null : Path.of(source.getLocation().toURI()).getParent();
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }

    private static boolean isAgent(Path file) {
        Path name = file.getFileName();
        return name != null && name.toString().matches(JAR_NAME + "(-\\d[\\w.-]*)?\\.jar") && Files.isRegularFile(file);
    }

    private static void attach() throws IOException {
        Path launcher = Path.of(System.getProperty("java.home"), "bin", "java");
        Path jar = jar();
        Process child = new ProcessBuilder(
                        launcher.toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        jar.toString(),
                        "io.shredder.incoop.watch.Attach",
                        Long.toString(ProcessHandle.current().pid()),
                        jar.toString())
                .redirectErrorStream(true)
                .start();
        try {
            String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            boolean ended = child.waitFor(ATTACH_SECONDS, TimeUnit.SECONDS);
            if (!ended || child.exitValue() != 0 || System.getProperty(ACTIVE) == null) {
                throw new IOException("the agent that sees what jobs read could not be attached to this JVM ("
                        + said.trim() + "): start it with -javaagent:" + jar);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
