// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.TestCertificates;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.seal.keyfile.KeyFile;
import io.shredder.backup.seal.keyfile.Secret.SecretFile;
import io.shredder.backup.server.cli.ShredderBackupMain;
import io.shredder.backup.wire.TlsFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

/**
 * Two agents, each a process, a site that backs up to the first, an administrator who can't read backups, and two
 * clients that have the right {@code append} and nothing else. One of these has a namespace of its own, the other the
 * site's, as a thief of its certificate. Safe for any number of threads.
 */
final class HostileSite implements AutoCloseable {

    private static final String RIGHTS = "clients:\n"
            + "  site1: {rights: [append, restore]}\n"
            + "  admin: {namespace: site1, rights: [restore, prune]}\n"
            + "  thief: {namespace: site1, rights: [append]}\n"
            + "  mallory: {rights: [append]}\n";

    private final Path folder;
    private final TlsFiles site;
    private final TlsFiles admin;
    private final TlsFiles thief;
    private final TlsFiles mallory;
    private final AgentProcess first;
    private final AgentProcess second;
    private final RepositoryKey key;

    HostileSite(Path folder) throws IOException, InterruptedException {
        this.folder = Files.createDirectories(folder);
        TestCertificates certificates = new TestCertificates(folder.resolve("certs"));
        this.site = certificates.client("site1");
        this.admin = certificates.client("admin");
        this.thief = certificates.client("thief");
        this.mallory = certificates.client("mallory");
        SecureRandom random = new SecureRandom();
        this.key = RepositoryKey.generate(random);
        KeyFile.of(key, SecretFile.create(folder.resolve("secret"), random), random)
                .create(folder.resolve("key"));
        Files.writeString(folder.resolve("verification"), key.verificationKey().toLine());
        TlsFiles agent = certificates.agent("localhost", "127.0.0.1");
        this.first = new AgentProcess(folder.resolve("first"), agent, site, RIGHTS);
        this.second = new AgentProcess(folder.resolve("second"), agent, site, RIGHTS);
    }

    Path folder() {
        return folder;
    }

    AgentProcess first() {
        return first;
    }

    AgentProcess second() {
        return second;
    }

    /** May append to the site's own namespace. */
    TlsFiles thief() {
        return thief;
    }

    /** May append to a namespace of its own. */
    TlsFiles mallory() {
        return mallory;
    }

    RepositoryKey key() {
        return key;
    }

    /** A command of the site, which has the key. */
    List<String> words(String... command) {
        List<String> words = at(first, site, command);
        words.addAll(List.of("--repository-key", folder.resolve("key").toString()));
        words.addAll(List.of("--secret-file", folder.resolve("secret").toString()));
        words.addAll(List.of("--state", folder.resolve("state").toString()));
        if (command[0].equals("backup")) {
            words.addAll(List.of("--cache", folder.resolve("cache").toString()));
        }
        if (command[0].equals("copy") || command[0].equals("repair")) {
            words.addAll(List.of("--second-agent", "127.0.0.1:" + second.port()));
        }
        return words;
    }

    /** A restore from the second agent. */
    List<String> fromSecond(String... command) {
        List<String> words = at(second, site, command);
        words.addAll(List.of("--repository-key", folder.resolve("key").toString()));
        words.addAll(List.of("--secret-file", folder.resolve("secret").toString()));
        words.addAll(List.of("--state", folder.resolve("state").toString()));
        return words;
    }

    /** A command of the administrator, who has the verification key at most. */
    List<String> adminWords(String... command) {
        List<String> words = at(first, admin, command);
        if (command[0].equals("prune")) {
            words.addAll(
                    List.of("--verification-key", folder.resolve("verification").toString()));
        }
        return words;
    }

    private static List<String> at(AgentProcess agent, TlsFiles client, String... command) {
        List<String> words = new ArrayList<>(List.of(command));
        words.addAll(List.of("--agent", "127.0.0.1:" + agent.port()));
        words.addAll(List.of("--cert", client.certificate().toString()));
        words.addAll(List.of(
                "--key", client.key().toString(), "--ca", client.authority().toString()));
        return words;
    }

    /** Runs a command in this thread; returns what it printed, and fails if it did. */
    static String run(List<String> words) {
        ThreadOutput.take();
        int exitCode = ShredderBackupMain.run(words.toArray(String[]::new));
        String said = ThreadOutput.take();
        if (exitCode != 0) {
            throw new AssertionError(String.join(" ", words) + " exited with " + exitCode + ": " + said);
        }
        return said;
    }

    /** Runs a command as users do, in a process of its own. */
    String runProcess(List<String> words) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>();
        all.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        all.addAll(LaunchOptions.COMMAND);
        all.addAll(List.of("-cp", System.getProperty("java.class.path"), ShredderBackupMain.class.getName()));
        all.addAll(words);
        Process process = new ProcessBuilder(all).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int exitCode = process.waitFor();
        if (exitCode != 0) {
            throw new AssertionError(String.join(" ", words) + " exited with " + exitCode + ": " + said);
        }
        return said;
    }

    @Override
    public void close() throws InterruptedException {
        first.close();
        second.close();
    }
}
