// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.agent;

import io.shredder.backup.server.Sites;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Keepers of a store that are processes of their own on this machine, asked over TLS. For one thread. */
final class KeeperProcesses implements AutoCloseable {

    private static final long START_S = 60;

    private final Sites sites;
    private final Path folder;
    private final int data;
    private final int parity;
    private final List<Process> processes = new ArrayList<>();
    private final List<Integer> ports = new ArrayList<>();

    /**
     * Starts them, with empty folders.
     *
     * @param folder of the sites
     */
    KeeperProcesses(Sites sites, Path folder, int data, int parity) throws IOException, InterruptedException {
        this.sites = sites;
        this.folder = folder;
        this.data = data;
        this.parity = parity;
        Files.writeString(folder.resolve("keeper-rights.yaml"), "clients: {agent1: {rights: [keep]}}\n");
        try {
            for (int i = 0; i < data + parity; i++) {
                start(i);
            }
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    private String certificate(String file) {
        return folder.resolve("certs").resolve(file).toString();
    }

    private void start(int place) throws IOException, InterruptedException {
        Path keeper = Files.createDirectories(folder.resolve("keeper" + place));
        Path portFile = folder.resolve("keeper" + place + ".port");
        List<String> words = new ArrayList<>(List.of("keep", "--folder", keeper.toString()));
        words.addAll(List.of("--listen", "127.0.0.1:0", "--port-file", portFile.toString()));
        words.addAll(List.of("--rights", folder.resolve("keeper-rights.yaml").toString()));
        words.addAll(List.of("--cert", certificate("keeper-127.0.0.1.crt")));
        words.addAll(List.of("--key", certificate("keeper-127.0.0.1.key"), "--ca", certificate("ca.crt")));
        Path log = folder.resolve("keeper" + place + ".log");
        Process process = sites.startAgentProgram(log, words.toArray(String[]::new));
        processes.add(process);
        for (int i = 0; i < START_S * 50 && !Files.exists(portFile); i++) {
            if (process.waitFor(20, TimeUnit.MILLISECONDS)) {
                break;
            }
        }
        if (!Files.exists(portFile)) {
            throw new IOException("keeper " + place + " doesn't listen: " + Files.readString(log));
        }
        ports.add(Integer.parseInt(Files.readString(portFile).strip()));
    }

    /** Where a keeper listens. */
    int port(int place) {
        return ports.get(place);
    }

    /** Writes the file of {@code --store disperse:FILE}, always the same one. */
    Path list(List<Integer> atPorts) throws IOException {
        return list(
                folder,
                data,
                parity,
                atPorts.stream().map(port -> "keep://127.0.0.1:" + port).toList());
    }

    /** Writes a file {@code keepers.yaml} in this folder. */
    static Path list(Path folder, int data, int parity, List<String> homes) throws IOException {
        StringBuilder text = new StringBuilder("data: " + data + "\nparity: " + parity + "\nkeepers:\n");
        homes.forEach(home -> text.append("  - ").append(home).append('\n'));
        return Files.writeString(folder.resolve("keepers.yaml"), text);
    }

    /** What those that live have used so far, together. */
    double cpuSeconds() {
        return processes.stream()
                .filter(Process::isAlive)
                .mapToDouble(process -> DispersalBench.cpuSeconds(process.toHandle()))
                .sum();
    }

    /** All ports, in the order of places. */
    List<Integer> ports() {
        return List.copyOf(ports);
    }

    /** {@code kill -9}. */
    void kill(int place) throws InterruptedException {
        processes.get(place).destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
    }
}
