// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslProvider;
import io.shredder.backup.TestCertificates;
import io.shredder.backup.agent.cli.AgentMain;
import io.shredder.backup.client.AgentClient;
import io.shredder.backup.trial.TrialRun;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.TlsFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSocketFactory;

/** An agent's process as {@code bin/backup-agent serve} starts it, and its size. Safe for any number of threads. */
public final class AgentProcess implements AutoCloseable {

    private static final long LIMIT_MS = 60_000;
    private static final Pattern HEAP_USED = Pattern.compile("generation\\s+total \\d+K, used (\\d+)K");

    private final Path folder;
    private final TlsFiles tls;
    private final SSLSocketFactory sockets;
    private final TlsFiles agentTls;
    private Process process;
    private int port;

    /**
     * How large the process is.
     *
     * @param heapBytes used after a collection of garbage; 0 where this Java has no jcmd
     */
    record Size(long heapBytes, long residentBytes, long mostResidentBytes, int threads, int files) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "heap %.1f MB, resident %.0f MB (most %.0f), %d threads, %d files",
                    heapBytes / 1e6,
                    residentBytes / 1e6,
                    mostResidentBytes / 1e6,
                    threads,
                    files);
        }
    }

    /** Makes certificates in the folder, and starts the agent. */
    public AgentProcess(Path folder) throws IOException, InterruptedException {
        this(folder, new TestCertificates(folder.resolve("certs")), "others: {rights: [append, restore, prune]}\n");
    }

    private AgentProcess(Path folder, TestCertificates certificates, String rights)
            throws IOException, InterruptedException {
        this(folder, certificates.agent("localhost", "127.0.0.1"), certificates.client("site1"), rights);
    }

    /**
     * Starts an agent.
     *
     * @param client who asks it where nobody else is named
     * @param rights what its file of rights says
     */
    AgentProcess(Path folder, TlsFiles agent, TlsFiles client, String rights) throws IOException, InterruptedException {
        this.folder = Files.createDirectories(folder);
        this.agentTls = agent;
        this.tls = client;
        this.sockets = sockets(tls);
        Files.writeString(folder.resolve("rights.yaml"), rights);
        this.process = launch();
        awaitPort();
    }

    /** Connections of a client with this certificate. */
    static SSLSocketFactory sockets(TlsFiles client) throws IOException {
        return ((JdkSslContext) client.forClient(SslProvider.JDK)).context().getSocketFactory();
    }

    private Process launch() throws IOException {
        Files.deleteIfExists(folder.resolve("port"));
        List<String> words = new ArrayList<>();
        words.add(program("java").toString());
        words.addAll(LaunchOptions.SERVICE);
        words.add("-XX:+ExitOnOutOfMemoryError");
        words.addAll(List.of("-cp", System.getProperty("java.class.path"), AgentMain.class.getName(), "serve"));
        words.addAll(List.of("--repo", repository().toString(), "--listen", "127.0.0.1:0"));
        words.addAll(List.of("--port-file", folder.resolve("port").toString()));
        words.addAll(List.of("--rights", folder.resolve("rights.yaml").toString()));
        words.addAll(List.of("--cert", agentTls.certificate().toString()));
        words.addAll(List.of(
                "--key", agentTls.key().toString(), "--ca", tls.authority().toString()));
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        // Each refused connection is a line otherwise: the log is not what is tried here.
        builder.environment().put("SHREDDER_LOG_LEVEL", "ERROR");
        return builder.redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("agent.log").toFile()))
                .start();
    }

    private void awaitPort() throws IOException, InterruptedException {
        Path portFile = folder.resolve("port");
        TrialRun.await("the agent", LIMIT_MS, () -> Files.exists(portFile) || !process.isAlive());
        checkLives();
        port = Integer.parseInt(Files.readString(portFile).strip());
    }

    public void start() throws IOException, InterruptedException {
        process = launch();
        awaitPort();
    }

    public Path repository() {
        return folder.resolve("repository");
    }

    public TlsFiles tls() {
        return tls;
    }

    /** To be closed by whoever asks. */
    public AgentClient connect() throws IOException {
        return AgentClient.connect(new HostPort("127.0.0.1", port), tls);
    }

    /** The same for another client. */
    AgentClient connect(TlsFiles client) throws IOException {
        return AgentClient.connect(new HostPort("127.0.0.1", port), client);
    }

    /** What the agent has said, which is nothing unless something is wrong. */
    String log() throws IOException {
        return Files.readString(folder.resolve("agent.log"));
    }

    private static Path program(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name);
    }

    public int port() {
        return port;
    }

    SSLSocketFactory sockets() {
        return sockets;
    }

    public void checkLives() throws IOException {
        if (!process.isAlive()) {
            throw new AssertionError("the agent has ended with " + process.exitValue() + ": "
                    + Files.readString(folder.resolve("agent.log")));
        }
    }

    /** A client as it should be: asks a little, and is answered. */
    void checkServes() throws IOException {
        checkLives();
        try (AgentClient client = connect()) {
            client.list(0);
            client.statistics();
        }
    }

    /** Waits until every client's thread has ended. */
    void awaitNoClient() throws IOException, InterruptedException {
        TrialRun.await("the agent's clients to be gone", LIMIT_MS, () -> {
            checkLives();
            return jcmd("Thread.print").lines().noneMatch(line -> line.startsWith("\"agent-client-"));
        });
    }

    Size size() throws IOException, InterruptedException {
        jcmd("GC.run");
        long heapKib = 0;
        Matcher used = HEAP_USED.matcher(jcmd("GC.heap_info"));
        while (used.find()) {
            heapKib += Long.parseLong(used.group(1));
        }
        Resident resident = Resident.of(process.pid());
        String[] files =
                Path.of("/proc", String.valueOf(process.pid()), "fd").toFile().list();
        return new Size(
                heapKib << 10,
                resident.bytes(),
                resident.mostBytes(),
                resident.threads(),
                files == null ? 0 : files.length);
    }

    public long pid() {
        return process.pid();
    }

    /** What jcmd says of the agent; nothing where this Java has none. */
    private String jcmd(String command) throws IOException, InterruptedException {
        if (!Files.exists(program("jcmd"))) {
            return "";
        }
        Process asked = new ProcessBuilder(program("jcmd").toString(), String.valueOf(process.pid()), command)
                .redirectErrorStream(true)
                .start();
        String said = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        asked.waitFor();
        return said;
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(LIMIT_MS, TimeUnit.MILLISECONDS)) {
            process.destroyForcibly();
        }
    }
}
