// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.open.running;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.backup.server.Sites;
import io.shredder.it.backup.ProcessorSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** An agent and the commands that back a machine up, as processes with TLS between them. */
final class RunningSite implements AutoCloseable {

    /** Of the machine; its disks' series are NAME.DISK. */
    static final String NAME = "vm";

    /** As whoever has guests on the same cores starts programs of a backup. */
    private static final List<String> NICE = List.of("nice", "-n", "10");

    private final Path folder;
    private final Sites sites;
    private List<String> under = NICE;

    /**
     * Starts the agent.
     *
     * @param program {@code bin/shredder-backup}
     */
    RunningSite(Path program, Path folder) throws IOException {
        this.folder = folder;
        sites = new Sites(folder);
        sites.startAsInstalled(program);
        sites.startAgent(NICE.toArray(String[]::new));
    }

    /** The agent and the commands run on these cores from now on. */
    void hold(ProcessorSet cores) throws IOException, InterruptedException {
        cores.hold(sites.agentPid());
        under = Stream.concat(cores.prefix().stream(), NICE.stream()).toList();
    }

    /** The result of a disk's backup, and how long the whole command took. */
    record Backup(JsonNode result, double seconds) {

        /** Of the disk. */
        double shareRead() {
            return result.path("imageBytesRead").asDouble()
                    / result.path("imageBytes").asDouble();
        }
    }

    /** Backs up a machine of one disk. */
    Backup backUp(Path qmp, String... options) throws IOException {
        List<String> words = new ArrayList<>(List.of("backup-machine", "qmp:" + qmp, "--name", NAME, "--json"));
        words.addAll(List.of("--scratch", folder.toString()));
        words.addAll(List.of(options));
        long beginNs = System.nanoTime();
        Sites.Result result = sites.serverUnder(under, words.toArray(String[]::new));
        double seconds = (System.nanoTime() - beginNs) / 1e9;
        if (result.exitCode() != 0) {
            throw new IOException("backup-machine: " + result.err() + result.out());
        }
        return new Backup(
                new ObjectMapper().readTree(result.out().substring(result.out().indexOf("{"))), seconds);
    }

    /** The last snapshot of the disk, as a raw file. */
    void restore(String disk, Path to) throws IOException {
        Sites.Result result = sites.server("restore", NAME + "." + disk, "--to", to.toString(), "--force");
        if (result.exitCode() != 0) {
            throw new IOException("restore: " + result.err());
        }
    }

    @Override
    public void close() throws IOException {
        sites.close();
    }
}
