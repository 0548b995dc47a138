// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.TestCertificates;
import io.shredder.backup.agent.net.SmallAgentMain;
import io.shredder.backup.client.AgentClient;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.seal.keyfile.KeyFile;
import io.shredder.backup.seal.keyfile.Secret.SecretFile;
import io.shredder.backup.server.cli.ShredderBackupMain;
import io.shredder.backup.trial.TrialRun;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A source site and an agent of its own, a process that is killed and started again. Commands run in processes that may
 * be killed, or, which is cheaper, in this one. For one thread, but {@link #command} for any.
 */
final class KillSite implements AutoCloseable {

    static final int CONTAINER_BYTES = 512 << 10;
    private static final int TABLE_ENTRIES = 64;
    private static final long LIMIT_MS = 60_000;
    private static final List<String> CHILD_OPTIONS = List.of(
            "-Xms16m", "-Xmx160m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xshare:auto");

    private final Path folder;
    private final TlsFiles tls;
    private final RepositoryKey key;
    private final AgentLog log;
    private final Optional<LazyFs> lazyFs;
    private Process agent;
    private int port;

    /**
     * Makes certificates and keys in the folder, and starts the agent.
     *
     * @param lazyfs the program; the repository is in what it mounts, and an agent that is killed dies of a power
     *     failure
     */
    KillSite(Path folder, Optional<Path> lazyfs) throws IOException, InterruptedException {
        this.folder = folder;
        this.lazyFs = lazyfs.isPresent()
                ? Optional.of(new LazyFs(lazyfs.get(), Files.createDirectories(folder.resolve("lazyfs"))))
                : Optional.empty();
        TestCertificates certificates = new TestCertificates(folder.resolve("certs"));
        TlsFiles agentTls = certificates.agent("localhost", "127.0.0.1");
        Files.move(agentTls.certificate(), folder.resolve("certs/agent.crt"));
        Files.move(agentTls.key(), folder.resolve("certs/agent.key"));
        this.tls = certificates.client("site1");
        SecureRandom random = new SecureRandom();
        this.key = RepositoryKey.generate(random);
        KeyFile.of(key, SecretFile.create(folder.resolve("secret"), random), random)
                .create(folder.resolve("key"));
        Files.writeString(folder.resolve("rights.yaml"), "others: {rights: [append, restore, prune]}\n");
        this.log = new AgentLog(folder.resolve("agent.log"));
        this.agent = launchAgent();
        awaitAgent();
    }

    Path folder() {
        return folder;
    }

    Path repository() {
        return lazyFs.map(LazyFs::mount).orElse(folder).resolve("repository");
    }

    RepositoryKey key() {
        return key;
    }

    private Process launch(List<String> words, String log) throws IOException {
        return new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder.resolve(log).toFile()))
                .start();
    }

    private Process launchAgent() throws IOException {
        Files.deleteIfExists(folder.resolve("port"));
        log.begin();
        List<String> words = ProgramJava.words(CHILD_OPTIONS, SmallAgentMain.class.getName());
        words.addAll(List.of(
                repository().toString(),
                folder.resolve("certs").toString(),
                folder.resolve("rights.yaml").toString(),
                folder.resolve("port").toString(),
                String.valueOf(CONTAINER_BYTES),
                String.valueOf(TABLE_ENTRIES)));
        return launch(words, "agent.log");
    }

    private void awaitAgent() throws IOException, InterruptedException {
        Path portFile = folder.resolve("port");
        TrialRun.await("the agent", LIMIT_MS, () -> {
            if (!agent.isAlive() && !Files.exists(portFile)) {
                throw new AssertionError("the agent does not start: " + log.rest());
            }
            return Files.exists(portFile);
        });
        port = Integer.parseInt(Files.readString(portFile));
    }

    void startAgent() throws IOException, InterruptedException {
        agent = launchAgent();
        awaitAgent();
    }

    /** Names of the files of the index and of the first containers, as they are at this moment. */
    Set<String> fileNames() {
        Set<String> names = new HashSet<>();
        for (String folder : List.of("index", "containers/00000", "snapshots/site1/vm", "incoming")) {
            String[] found = repository().resolve(folder).toFile().list();
            names.addAll(found == null ? List.of() : List.of(found));
        }
        return names;
    }

    /** How many files of the index hold sorted entries, those included that a merge was writing when the agent died. */
    int indexRuns() {
        String[] runs = repository().resolve("index").toFile().list((index, name) -> name.endsWith(".run"));
        return runs == null ? 0 : runs.length;
    }

    /** {@code kill -9}; on LazyFS what was not forced is lost with it. */
    void killAgent() throws IOException, InterruptedException {
        agent.destroyForcibly();
        agent.waitFor();
        if (lazyFs.isPresent()) {
            lazyFs.get().loseUnforced();
        }
    }

    /** SIGTERM, and a start. */
    void restartAgent() throws IOException, InterruptedException {
        agent.destroy();
        if (!agent.waitFor(LIMIT_MS, TimeUnit.MILLISECONDS) || agent.exitValue() != 0) {
            throw new AssertionError("the agent does not stop: " + log.rest());
        }
        startAgent();
    }

    private List<String> words(List<String> command) {
        List<String> words = new ArrayList<>(command);
        if (command.get(0).equals("backup")) {
            words.addAll(List.of("--repository-key", folder.resolve("key").toString()));
            words.addAll(List.of("--secret-file", folder.resolve("secret").toString()));
            words.addAll(List.of("--cache", folder.resolve("cache").toString()));
            words.addAll(List.of("--state", folder.resolve("state").toString())); // Others had this port before.
        }
        words.addAll(List.of("--agent", "127.0.0.1:" + port));
        words.addAll(List.of("--cert", tls.certificate().toString()));
        words.addAll(
                List.of("--key", tls.key().toString(), "--ca", tls.authority().toString()));
        return words;
    }

    /** Runs an operator's command in this process; returns what it said if it failed, else null. */
    String command(List<String> command) {
        ThreadOutput.take();
        int exitCode = ShredderBackupMain.run(words(command).toArray(String[]::new));
        String said = ThreadOutput.take();
        return exitCode == 0 ? null : String.join(" ", command) + " exited with " + exitCode + ": " + said;
    }

    /** Starts an operator's command as a process. */
    Process start(List<String> command) throws IOException {
        List<String> words = ProgramJava.words(CHILD_OPTIONS, ShredderBackupMain.class.getName());
        words.addAll(words(command));
        return launch(words, "server.log");
    }

    /** Waits until that many clients more than before have come, or the process has ended. */
    void awaitClient(int before, Process client) throws IOException, InterruptedException {
        TrialRun.await("a client", LIMIT_MS, () -> log.connected() > before || !client.isAlive());
    }

    int clientsSoFar() throws IOException {
        return log.connected();
    }

    /** Waits until the agent has done with all clients that have gone. */
    void awaitNoClient() throws IOException, InterruptedException {
        TrialRun.await("the agent to see that its clients are gone", LIMIT_MS, () -> log.connected() == log.gone());
    }

    /** To be closed by whoever asks. */
    AgentClient connect() throws IOException {
        return AgentClient.connect(new HostPort("127.0.0.1", port), tls);
    }

    @Override
    public void close() throws IOException, InterruptedException {
        killAgent();
        if (lazyFs.isPresent()) {
            lazyFs.get().close();
        }
    }
}
