// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.seal.keyfile.KeyFile;
import io.shredder.backup.seal.keyfile.Secret;
import io.shredder.backup.seal.keyfile.Secret.SecretFile;
import io.shredder.backup.server.cli.ShredderBackupMain;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.TlsFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Both sites as real processes: an agent that can be killed, and the commands of the source site. */
public final class Sites implements AutoCloseable {

    private static final long TIMEOUT_S = 180;
    private static final Set<String> SEALING =
            Set.of("backup", "backup-machine", "restore", "show", "copy", "diff", "repair", "accept", "nbd", "mount");
    /** Agents and commands live for seconds, and bin/launch.sh does without the second compiler, too. */
    private static final List<String> SHORT_LIVED = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    /** One authority serves all tests of a JVM, whose folders each get a copy. */
    private static final CachedFolder CERTIFICATES = new CachedFolder();

    /** What a command did. */
    public record Result(int exitCode, String out, String err) {}

    private final Path folder;
    private final Path repository;
    private Optional<Process> agent = Optional.empty();
    private int port;
    private int listenPort;
    private List<String> agentOptions = List.of();
    private List<String> jvm = SHORT_LIVED;
    private Optional<Path> operator = Optional.empty();

    /** Makes certificates and a repository key in the folder. */
    public Sites(Path folder) throws IOException {
        this(folder, folder.resolve("repo"));
    }

    Sites(Path folder, Path repository) throws IOException {
        this.folder = folder;
        this.repository = repository;
        makeKey("site");
        CERTIFICATES.copyTo(folder.resolve("certs"), this::makeCertificates);
    }

    private void makeCertificates(Path to) throws IOException {
        Result made = agentCommand(
                "certs",
                "--out",
                to.toString(),
                "--agent-host",
                "localhost,127.0.0.1",
                "--keeper-host",
                "127.0.0.1",
                "--client",
                "site1,site1-admin,site1-second,agent1");
        if (made.exitCode() != 0) {
            throw new IOException(made.err());
        }
    }

    /** Services that are started from now on get the options that {@code bin} gives them, as whoever measures wants. */
    public void startAsInstalled() {
        jvm = LaunchOptions.SERVICE;
    }

    /** The same, and an operator's commands are this program's. */
    public void startAsInstalled(Path shredderBackup) {
        startAsInstalled();
        operator = Optional.of(shredderBackup);
    }

    public Path repository() {
        return repository;
    }

    public int port() {
        return port;
    }

    public long agentPid() {
        return agent.orElseThrow().pid();
    }

    Path agentLog() {
        return folder.resolve("agent.log");
    }

    /** More options for agents that are started from now on. */
    public void serveWith(String... options) {
        agentOptions = List.of(options);
    }

    /** Agents that are started from now on are where the last one was. */
    public void stayAtPort() {
        listenPort = port;
    }

    /** Starts the agent; returns once it listens. */
    public void startAgent(String... prefix) throws IOException {
        Path portFile = folder.resolve("port");
        Files.deleteIfExists(portFile);
        List<String> command = new ArrayList<>(List.of(prefix));
        command.addAll(java("io.shredder.backup.agent.cli.AgentMain"));
        command.addAll(List.of("serve", "--repo", repository.toString(), "--listen", "127.0.0.1:" + listenPort));
        command.addAll(List.of("--port-file", portFile.toString()));
        command.addAll(tls("agent"));
        command.addAll(agentOptions);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(agentLog().toFile()))
                .start();
        agent = Optional.of(process);
        while (!Files.exists(portFile)) {
            if (awaitExit(process, 20)) {
                throw new IOException("the agent ended: " + Files.readString(agentLog()));
            }
        }
        port = Integer.parseInt(Files.readString(portFile).strip());
    }

    /** {@code kill -9}. */
    public void killAgent() throws IOException {
        Process process = agent.orElseThrow();
        process.destroyForcibly();
        awaitEnd(process);
        agent = Optional.empty();
    }

    /** SIGTERM; returns the exit code. */
    public int stopAgent() throws IOException {
        Process process = agent.orElseThrow();
        process.destroy();
        awaitEnd(process);
        agent = Optional.empty();
        return process.exitValue();
    }

    Result agentCommand(String... arguments) throws IOException {
        List<String> command = java("io.shredder.backup.agent.cli.AgentMain");
        command.addAll(List.of(arguments));
        return run(command);
    }

    /** Starts another daemon of the agent's program. */
    public Process startAgentProgram(Path log, String... arguments) throws IOException {
        List<String> command = java("io.shredder.backup.agent.cli.AgentMain");
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    /**
     * Backs an image up.
     *
     * @throws IOException with what the command said, if it failed
     */
    public void backUp(Path image, String name) throws IOException {
        Result result = server("backup", image.toString(), "--name", name);
        if (result.exitCode() != 0) {
            throw new IOException("backup of " + name + ": " + result.err());
        }
    }

    /** Runs an operator's command to its end. */
    public Result server(String... arguments) throws IOException {
        return checked(List.of(arguments), run(serverCommand(arguments)));
    }

    /** What is printed as JSON is as its document says; only here are its parsers there. */
    private static Result checked(List<String> words, Result result) {
        if (Boolean.getBoolean("shredder.check-output")) {
            OutputSchema.check(words, result.out());
        }
        return result;
    }

    /** The same under another program, which these words begin. */
    public Result serverUnder(List<String> program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(program);
        command.addAll(serverCommand(arguments));
        return checked(List.of(arguments), run(command));
    }

    /** What a command begins with that is to have so few file descriptors. */
    static List<String> fewDescriptors(int count) {
        return List.of("bash", "-c", "ulimit -n " + count + "; exec \"$@\"", "few-descriptors");
    }

    /** Runs an operator's command in this process, which is much cheaper; nothing else may print meanwhile. */
    public Result here(String... arguments) {
        return inProcess(words(arguments));
    }

    /** The same with another client's certificate. */
    Result as(String client, String... arguments) {
        return inProcess(wordsOf(client, arguments));
    }

    /** The same through another port, which is given up after five seconds of silence. */
    Result through(int through, String... arguments) {
        return inProcess(wordsThrough(through, arguments));
    }

    /** The same with another client's certificate. */
    Result throughAs(String client, int through, String... arguments) {
        return inProcess(wordsThroughAs(client, through, arguments));
    }

    List<String> wordsThrough(int through, String... arguments) {
        return wordsThroughAs("site1", through, arguments);
    }

    private List<String> wordsThroughAs(String client, int through, String... arguments) {
        List<String> command = wordsWithoutPlace(arguments);
        command.addAll(List.of("--agent", "127.0.0.1:" + through, "--timeout", "5"));
        command.addAll(tls("client-" + client));
        return command;
    }

    /** The same on the repository's own files. */
    Result withoutAgent(String... arguments) {
        return withoutAgent(repository, arguments);
    }

    /** The same on the files of another folder. */
    Result withoutAgent(Path folder, String... arguments) {
        List<String> command = wordsWithoutPlace(arguments);
        command.addAll(List.of("--repo", folder.toString()));
        return inProcess(command);
    }

    private static Result inProcess(List<String> command) {
        PrintStream realOut = System.out;
        PrintStream realErr = System.err;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        try {
            System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
            System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
            int exitCode = ShredderBackupMain.run(command.toArray(String[]::new));
            return checked(
                    command,
                    new Result(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8)));
        } finally {
            System.setOut(realOut);
            System.setErr(realErr);
        }
    }

    /** Starts an operator's command. */
    Process startServer(String... arguments) throws IOException {
        return startServerUnder(List.of(), arguments);
    }

    /** The same under another program, which these words begin. */
    Process startServerUnder(List<String> program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(program);
        command.addAll(serverCommand(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("server.log").toFile()))
                .start();
    }

    /** Runs a command of the server that reads a configuration, which says where the agent is. */
    public Result configured(String... arguments) throws IOException {
        return configuredUnder(List.of(), arguments);
    }

    /** The same under another program, which these words begin. */
    Result configuredUnder(List<String> program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(program);
        command.addAll(java("io.shredder.backup.server.cli.BackupServerMain"));
        command.addAll(List.of(arguments));
        return checked(List.of(arguments), run(command));
    }

    /** Starts the server's daemon; its output is the log. */
    public Process startDaemon(Path config, Path log) throws IOException {
        // What runs the tests may ignore SIGHUP, as nohup does, and a child would inherit that.
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=HUP"));
        command.addAll(java("io.shredder.backup.server.cli.BackupServerMain"));
        command.addAll(List.of("serve", "--config", config.toString()));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    /** The part of a configuration that leads to the agent. */
    public String agentSection() {
        Path certs = folder.resolve("certs");
        return "agent: {address: \"127.0.0.1:" + port + "\", certificate: " + certs.resolve("client-site1.crt")
                + ", key: " + certs.resolve("client-site1.key") + ", authority: " + certs.resolve("ca.crt") + "}\n"
                + "repository-key: {file: " + folder.resolve("site.key") + ", secret-file: "
                + folder.resolve("site.secret") + "}\n";
    }

    /** Makes a repository key, NAME.key, opened by the secret file NAME.secret. */
    public void makeKey(String name) throws IOException {
        SecureRandom random = new SecureRandom();
        Secret secret = SecretFile.create(folder.resolve(name + ".secret"), random);
        KeyFile.of(RepositoryKey.generate(random), secret, random).create(folder.resolve(name + ".key"));
    }

    /** The key that all commands use which need one. */
    public RepositoryKey key() throws IOException {
        return KeyFile.read(folder.resolve("site.key")).unlock(SecretFile.read(folder.resolve("site.secret")));
    }

    /** Options that name a key made by {@link #makeKey}. */
    List<String> keyOptions(String name) {
        return List.of(
                "--repository-key", folder.resolve(name + ".key").toString(),
                "--secret-file", folder.resolve(name + ".secret").toString());
    }

    private List<String> serverCommand(String... arguments) {
        List<String> command = new ArrayList<>(operator.map(program -> List.of(program.toString()))
                .orElseGet(() -> java("io.shredder.backup.server.cli.ShredderBackupMain")));
        command.addAll(words(arguments));
        return command;
    }

    /** A command with the options that lead to this site's agent and key. */
    public List<String> words(String... arguments) {
        return wordsOf("site1", arguments);
    }

    private List<String> wordsOf(String client, String... arguments) {
        List<String> command = wordsWithoutPlace(arguments);
        command.addAll(List.of("--agent", "127.0.0.1:" + port));
        command.addAll(tls("client-" + client));
        return command;
    }

    private List<String> wordsWithoutPlace(String... arguments) {
        List<String> command = new ArrayList<>(List.of(arguments));
        boolean prunesByRules = arguments[0].equals("prune") && !command.contains("--id");
        boolean hasKey = command.contains("--repository-key") || command.contains("--verification-key");
        if ((SEALING.contains(arguments[0]) || prunesByRules) && !hasKey) {
            command.addAll(keyOptions("site"));
        }
        boolean remembers = SEALING.contains(arguments[0]) || arguments[0].equals("list");
        if (remembers && !command.contains("--state")) {
            command.addAll(List.of("--state", folder.resolve("state").toString()));
        }
        if (arguments[0].startsWith("backup") && !command.contains("--cache") && !command.contains("--no-cache")) {
            command.addAll(List.of("--cache", folder.resolve("cache").toString()));
        }
        return command;
    }

    /** Connects as the server would; to be closed by the caller. */
    AgentClient connect() throws IOException {
        return connect(port);
    }

    /** The same through another port, from which a way leads to the agent's. */
    public AgentClient connect(int through) throws IOException {
        Path certs = folder.resolve("certs");
        return AgentClient.connect(
                new HostPort("127.0.0.1", through),
                new TlsFiles(
                        certs.resolve("client-site1.crt"), certs.resolve("client-site1.key"), certs.resolve("ca.crt")));
    }

    /** Options of another site's commands that lead to this one's agent. */
    List<String> secondAgentOptions() {
        Path certs = folder.resolve("certs");
        return List.of(
                "--second-agent", "127.0.0.1:" + port,
                "--second-cert", certs.resolve("client-site1.crt").toString(),
                "--second-key", certs.resolve("client-site1.key").toString(),
                "--second-ca", certs.resolve("ca.crt").toString());
    }

    private List<String> tls(String name) {
        Path certs = folder.resolve("certs");
        return List.of(
                "--cert", certs.resolve(name + ".crt").toString(),
                "--key", certs.resolve(name + ".key").toString(),
                "--ca", certs.resolve("ca.crt").toString());
    }

    private List<String> java(String mainClass) {
        List<String> options = new ArrayList<>(List.of("-Xmx512m"));
        options.addAll(jvm);
        return ProgramJava.words(options, mainClass);
    }

    private Result run(List<String> command) throws IOException {
        Path out = Files.createTempFile(folder, "out", ".txt");
        Path err = Files.createTempFile(folder, "err", ".txt");
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        awaitEnd(process);
        Result result = new Result(
                process.exitValue(),
                Files.readString(out, StandardCharsets.ISO_8859_1),
                Files.readString(err, StandardCharsets.ISO_8859_1));
        Files.delete(out);
        Files.delete(err);
        return result;
    }

    static boolean awaitExit(Process process, long milliseconds) throws IOException {
        try {
            return process.waitFor(milliseconds, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    private static void awaitEnd(Process process) throws IOException {
        if (!awaitExit(process, TimeUnit.SECONDS.toMillis(TIMEOUT_S))) {
            process.destroyForcibly();
            throw new IOException("still running after " + TIMEOUT_S + " s: " + process.info());
        }
    }

    /** Writes a file of random bytes. */
    public static void random(Path file, Random random, long length) throws IOException {
        byte[] block = new byte[1 << 20];
        try (OutputStream out = Files.newOutputStream(file)) {
            for (long left = length; left > 0; left -= block.length) {
                random.nextBytes(block);
                out.write(block, 0, (int) Math.min(left, block.length));
            }
        }
    }

    static String sha256(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] block = new byte[1 << 20];
            for (int count = in.read(block); count >= 0; count = in.read(block)) {
                digest.update(block, 0, count);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        if (agent.isPresent()) {
            killAgent();
        }
    }
}
