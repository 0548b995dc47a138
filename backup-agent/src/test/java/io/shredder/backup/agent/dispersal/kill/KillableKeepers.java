// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.kill;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.TestCertificates;
import io.shredder.backup.agent.cli.AgentMain;
import io.shredder.backup.agent.dispersal.RemovableFolders;
import io.shredder.backup.wire.TlsFiles;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** A store's keepers, each a process of {@code backup-agent keep} that can be killed. */
final class KillableKeepers implements Closeable {

    private static final String HOST = "127.0.0.1";
    private static final long START_S = 60;

    private final Path root;
    private final RemovableFolders folders;
    private final TlsFiles server;
    private final TlsFiles client;
    private final Map<Integer, Integer> ports = new TreeMap<>();
    private final Map<Integer, Process> running = new TreeMap<>();

    /** Empty ones, all of which run. */
    KillableKeepers(Path root, int data, int parity) throws IOException {
        this.root = root;
        this.folders = RemovableFolders.make(root, data, parity);
        TestCertificates certificates = new TestCertificates(root.resolve("certs"));
        this.server = certificates.agent(HOST);
        this.client = certificates.client("agent1");
        Files.writeString(root.resolve("rights.yaml"), "clients: {agent1: {rights: [keep]}}\n");
        startAll();
        list(ports.values().stream().map(port -> "keep://" + HOST + ":" + port).toList());
    }

    /** With which an agent comes. */
    TlsFiles client() {
        return client;
    }

    RemovableFolders folders() {
        return folders;
    }

    /** The file that names them. */
    Path list() {
        return root.resolve("keepers.yaml");
    }

    private void list(List<?> homes) throws IOException {
        Files.writeString(
                list(), "data: " + folders.data() + "\nparity: " + folders.parity() + "\nkeepers: " + homes + "\n");
    }

    /** From now on the file names their folders, which nobody may keep any more. */
    void listFolders() throws IOException {
        list(IntStream.range(0, folders.count()).mapToObj(folders::keeper).toList());
    }

    /** The command of a program of this JVM's classes, small enough to be one of many. */
    static List<String> program(Class<?> main, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx192m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(arguments);
        return command;
    }

    /** Has all run. */
    void startAll() throws IOException {
        List<Integer> missing = IntStream.range(0, folders.count())
                .filter(place -> !running.containsKey(place))
                .boxed()
                .toList();
        for (int place : missing) {
            launch(place);
        }
        for (int place : missing) {
            ports.put(place, awaitPort(place));
        }
    }

    void start(int place) throws IOException {
        launch(place);
        ports.put(place, awaitPort(place));
    }

    private Path portFile(int place) {
        return root.resolve("port" + place);
    }

    private void launch(int place) throws IOException {
        Files.deleteIfExists(portFile(place));
        List<String> words = List.of(
                "keep",
                "--folder",
                folders.keeper(place).toString(),
                "--listen",
                HOST + ":" + ports.getOrDefault(place, 0),
                "--port-file",
                portFile(place).toString(),
                "--rights",
                root.resolve("rights.yaml").toString(),
                "--cert",
                server.certificate().toString(),
                "--key",
                server.key().toString(),
                "--ca",
                server.authority().toString());
        ProcessBuilder builder = new ProcessBuilder(program(AgentMain.class, words)).redirectErrorStream(true);
        builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log(place).toFile()));
        running.put(place, builder.start());
    }

    private Path log(int place) {
        return root.resolve("keeper" + place + ".log");
    }

    private int awaitPort(int place) throws IOException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_S);
        while (!Files.exists(portFile(place))) {
            boolean goesOn = running.get(place).isAlive() && System.nanoTime() < until;
            assertThat(goesOn)
                    .as("keeper %s does not start: %s", place, Files.readString(log(place)))
                    .isTrue();
            pause(5);
        }
        return Integer.parseInt(Files.readString(portFile(place)).strip());
    }

    static void pause(long ms) {
        try {
            TimeUnit.MILLISECONDS.sleep(ms);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** {@code kill -9}. */
    void kill(int place) {
        Process process = running.remove(place);
        process.destroyForcibly();
        process.onExit().join();
    }

    void killAll() {
        List.copyOf(running.keySet()).forEach(this::kill);
    }

    /** The disk of one that does not run is lost; an empty one is in its place. */
    void loseDisk(int place, String name) throws IOException {
        folders.exchange(place, name);
    }

    @Override
    public void close() {
        killAll();
    }
}
