// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.integrity;

import io.shredder.backup.agent.cli.AgentMain;
import io.shredder.it.backup.ProcessorSet;
import io.shredder.it.process.Child;
import io.shredder.it.process.Children;
import io.shredder.it.process.Command;
import io.shredder.it.process.Condition;
import io.shredder.it.scale.OwnProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A backup agent in a process of its own with an empty repository, started as {@code bin/backup-agent} starts it, but
 * from this program's class path, so that a machine needs no checkout. For one thread.
 */
final class StoreSite implements AutoCloseable {
    /** Who may write. */
    static final String CLIENT = "writer";

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final Duration GRACE = Duration.ofSeconds(20);
    private static final int BASE_HEAP_MIB = 368;
    private static final int CORE_HEAP_MIB = 32;
    private static final int MOST_HEAP_CORES = 32;
    private static final int FEW_CORES = 4;
    /** {@code docs/formats/container.md}, section 2. */
    private static final int CONTAINER_HEAD_BYTES = 64;

    private final Path repository;
    private final Child agent;
    private final int port;

    /**
     * Starts it.
     *
     * @param folder of its own
     * @param certificates as {@link #certify} made them
     * @param javaOptions besides those of {@code bin/launch.sh}
     * @param cores that it may use
     */
    StoreSite(Path folder, Path certificates, List<String> javaOptions, ProcessorSet cores, Children children)
            throws IOException, InterruptedException {
        this.repository = folder.resolve("repository");
        Path portFile = folder.resolve("port");
        Files.createDirectories(folder);
        Files.deleteIfExists(portFile);
        var options = new ArrayList<>(javaOptions(cores.count()));
        options.addAll(javaOptions);
        var words = new ArrayList<>(cores.prefix());
        words.addAll(OwnProgram.words(
                AgentMain.class,
                options,
                List.of(
                        "serve",
                        "--repo",
                        repository.toString(),
                        "--listen",
                        "127.0.0.1:0",
                        "--port-file",
                        portFile.toString(),
                        "--cert",
                        certificates.resolve("agent.crt").toString(),
                        "--key",
                        certificates.resolve("agent.key").toString(),
                        "--ca",
                        certificates.resolve("ca.crt").toString())));
        this.agent = children.start(new Command("agent", words, Map.of(), folder, folder.resolve("agent.log")));
        Condition.await("the agent", LIMIT, List.of(agent), () -> Files.exists(portFile));
        this.port = Integer.parseInt(Files.readString(portFile).strip());
    }

    /** Makes certificates for agents of this machine and for one client in a folder. */
    static void certify(Path folder, Children children) throws IOException, InterruptedException {
        Path certificates = folder.toAbsolutePath();
        List<String> words = OwnProgram.words(
                AgentMain.class,
                List.of("-Xmx128m"),
                List.of("certs", "--out", certificates.toString(), "--agent-host", "127.0.0.1", "--client", CLIENT));
        Files.createDirectories(certificates);
        children.run(new Command("certs", words, Map.of(), certificates, certificates.resolve("made.log")));
    }

    /** As {@code bin/launch.sh} has them for an agent. */
    private static List<String> javaOptions(int cores) {
        var options = new ArrayList<>(List.of(
                "-Xms64m",
                "-Xmx" + (BASE_HEAP_MIB + CORE_HEAP_MIB * Math.max(0, Math.min(MOST_HEAP_CORES, cores) - 2)) + "m",
                cores < FEW_CORES ? "-XX:+UseSerialGC" : "-XX:+UseParallelGC"));
        options.addAll(nettyOptions(cores));
        return options;
    }

    /** The same for clients. */
    static List<String> nettyOptions(int cores) {
        return List.of(
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "-Dio.netty.tryReflectionSetAccessible=true",
                "-Dio.netty.allocator.numDirectArenas=" + Math.max(1, cores / FEW_CORES),
                "-Dio.netty.allocator.maxOrder=12",
                "-Dio.netty.leakDetection.level=disabled");
    }

    int port() {
        return port;
    }

    /** The agent's process. */
    long pid() {
        return agent.pid();
    }

    /** Where it keeps what it is sent. */
    Path containers() {
        return repository.resolve("containers");
    }

    /**
     * What the records in such a folder take: all but the head of each file, which falls to whoever fills one.
     *
     * @param containers may not be there yet
     */
    static long recordBytes(Path containers) throws IOException {
        if (Files.notExists(containers)) {
            return 0;
        }
        try (Stream<Path> files = Files.walk(containers)) {
            long bytes = 0;
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                bytes += Files.size(file) - CONTAINER_HEAD_BYTES;
            }
            return bytes;
        }
    }

    @Override
    public void close() {
        agent.stop(GRACE);
    }
}
