// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.it.process.Child;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The demo's steps on the two disk images: back up, restore, compare, verify. */
final class ImageSteps {
    private static final String CLIENT = "demo";
    private static final String SERIES = "disk";

    private final Steps steps;
    private final Programs programs;
    private final Path work;
    private final List<Path> images;

    ImageSteps(Steps steps, Programs programs, DemoFolders folders, List<Path> images) {
        this.steps = steps;
        this.programs = programs;
        this.work = folders.work();
        this.images = images;
    }

    /** Makes an authority, certificates for both ends and a repository key, and starts the agent on any free port. */
    Child startAgent() throws IOException, InterruptedException {
        programs.run("backup-agent", "certs", "--out", certs(), "--agent-host", "127.0.0.1", "--client", CLIENT);
        programs.run("shredder-backup", "key", "create", repositoryKey(), "--new-secret-file", secretFile());
        return programs.start(
                "backup-agent",
                "serve",
                "--repo",
                work.resolve("repository"),
                "--listen",
                "127.0.0.1:0",
                "--port-file",
                portFile(),
                "--cert",
                certs().resolve("agent.crt"),
                "--key",
                certs().resolve("agent.key"),
                "--ca",
                certs().resolve("ca.crt"));
    }

    boolean agentServes() {
        return Files.exists(portFile());
    }

    List<DemoReport.Backup> backUp() throws IOException, InterruptedException {
        var backups = new ArrayList<DemoReport.Backup>();
        for (Path image : images) {
            String version = Integer.toString(backups.size() + 1);
            var timed = steps.timed(
                    "image " + version + ": shredder-backup backup",
                    () -> sealing("backup", image, "--name", SERIES, "--cache", cache(), "--json"));
            JsonNode json = json(timed.value());
            backups.add(new DemoReport.Backup(
                    version,
                    json.required("bytesRead").asLong(),
                    json.required("bytesSent").asLong(),
                    json.required("newChunks").asLong(),
                    json.required("knownChunks").asLong(),
                    timed.seconds()));
        }
        return backups;
    }

    List<DemoReport.Restore> restore() throws IOException, InterruptedException {
        List<Long> ids = snapshotIds();
        var restores = new ArrayList<DemoReport.Restore>();
        for (int i = 0; i < ids.size(); i++) {
            String version = Integer.toString(i + 1);
            String snapshot = SERIES + "@" + ids.get(i);
            Path target = work.resolve("restored-" + version + ".img");
            var timed = steps.timed(
                    "image " + version + ": shredder-backup restore " + snapshot,
                    () -> sealing("restore", snapshot, "--to", target));
            restores.add(new DemoReport.Restore(
                    version, Digests.ofFile(images.get(i)), Digests.ofFile(target), timed.seconds()));
            Files.delete(target);
        }
        return restores;
    }

    /** Has the agent re-read and re-digest everything; a damaged repository fails the command. */
    boolean verify() throws IOException, InterruptedException {
        var timed = steps.timed("repository: shredder-backup verify", () -> server("verify", "--json"));
        return json(timed.value()).required("problems").isEmpty();
    }

    private List<Long> snapshotIds() throws IOException, InterruptedException {
        var ids = new ArrayList<Long>();
        json(server("list", "--json"))
                .required("snapshots")
                .forEach(snapshot -> ids.add(snapshot.required("id").asLong()));
        if (ids.size() != images.size()) {
            throw new IOException(
                    "shredder-backup lists " + ids.size() + " snapshots after " + images.size() + " backups");
        }
        ids.sort(null);
        return ids;
    }

    private Programs.Output sealing(String command, Object... arguments) throws IOException, InterruptedException {
        var words = new ArrayList<Object>(List.of(arguments));
        words.addAll(List.of("--repository-key", repositoryKey(), "--secret-file", secretFile()));
        words.addAll(List.of("--state", work.resolve("state")));
        return server(command, words.toArray());
    }

    private Programs.Output server(String command, Object... arguments) throws IOException, InterruptedException {
        var words = new ArrayList<Object>();
        words.add(command);
        words.addAll(List.of(arguments));
        String client = "client-" + CLIENT;
        words.addAll(List.of(
                "--agent", "127.0.0.1:" + Files.readString(portFile()).strip(),
                "--cert", certs().resolve(client + ".crt"),
                "--key", certs().resolve(client + ".key"),
                "--ca", certs().resolve("ca.crt")));
        return programs.run("shredder-backup", words.toArray());
    }

    private static JsonNode json(Programs.Output output) throws IOException {
        return new ObjectMapper().readTree(output.find("^(\\{.*\\})$").get(0));
    }

    private Path certs() {
        return work.resolve("certificates");
    }

    private Path repositoryKey() {
        return work.resolve("repository.key");
    }

    private Path cache() {
        return work.resolve("backup-cache");
    }

    private Path secretFile() {
        return work.resolve("repository.secret");
    }

    private Path portFile() {
        return work.resolve("agent-port");
    }
}
