// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.trust;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.TlsFiles;
import io.shredder.it.process.Child;
import io.shredder.it.process.Children;
import io.shredder.it.process.Command;
import io.shredder.it.process.Condition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** An agent as users start it, with real certificates for any number of clients. Safe for any number of threads. */
public final class TrustSite implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final Duration GRACE = Duration.ofSeconds(20);

    private final List<String> prefix;
    private final Path bin;
    private final Path folder;
    private final Children children;
    private final Child agent;
    private final int port;

    /**
     * Makes certificates and a repository key, and starts the agent on an empty repository.
     *
     * @param root the checkout, built
     * @param folder of its own
     * @param rights what the agent's file of rights says
     * @param options of {@code serve}
     */
    public TrustSite(
            Path root, Path folder, List<String> clients, String rights, List<String> options, Children children)
            throws IOException, InterruptedException {
        this(root, folder, clients, rights, options, children, List.of());
    }

    /** The same, with words before those of each program that it starts. */
    public TrustSite(
            Path root,
            Path folder,
            List<String> clients,
            String rights,
            List<String> options,
            Children children,
            List<String> prefix)
            throws IOException, InterruptedException {
        this.prefix = List.copyOf(prefix);
        this.bin = root.resolve("bin");
        this.folder = Files.createDirectories(folder);
        this.children = children;
        Files.writeString(folder.resolve("rights.yaml"), rights);
        run(
                "backup-agent",
                List.of("certs", "--out", "certs", "--agent-host", "127.0.0.1", "--client", String.join(",", clients)));
        run("shredder-backup", List.of("key", "create", "site.key", "--new-secret-file", "site.secret"));
        var words = new ArrayList<>(List.of("serve", "--repo", "repository", "--listen", "127.0.0.1:0"));
        words.addAll(List.of("--port-file", "port", "--rights", "rights.yaml"));
        words.addAll(identity("agent"));
        words.addAll(options);
        this.agent = children.start(command("backup-agent", words, "agent.log"));
        Path portFile = folder.resolve("port");
        Condition.await("the agent", LIMIT, List.of(agent), () -> Files.exists(portFile));
        this.port = Integer.parseInt(Files.readString(portFile).strip());
    }

    private void run(String program, List<String> words) throws IOException, InterruptedException {
        children.run(command(program, words, "made.log"));
    }

    private Command command(String program, List<String> words, String log) {
        var all = new ArrayList<>(prefix);
        all.add(bin.resolve(program).toString());
        all.addAll(words);
        return new Command(program, all, Map.of(), folder, folder.resolve(log));
    }

    /** Starts another of the programs in this site's folder. */
    public Child start(String program, List<String> words) throws IOException, InterruptedException {
        return children.start(command(program, words, program + ".log"));
    }

    /** Files of what {@code certs} made, as options name them. */
    public List<String> identity(String name) {
        return List.of("--cert", "certs/" + name + ".crt", "--key", "certs/" + name + ".key", "--ca", "certs/ca.crt");
    }

    /** A client's certificate, key and authority. */
    public TlsFiles tls(String client) {
        Path certs = folder.resolve("certs");
        return new TlsFiles(
                certs.resolve("client-" + client + ".crt"),
                certs.resolve("client-" + client + ".key"),
                certs.resolve("ca.crt"));
    }

    /** Connects as the programs do; to be closed by the caller. */
    public AgentClient connect(String client) throws IOException {
        return AgentClient.connect(new HostPort("127.0.0.1", port), tls(client));
    }

    public Path folder() {
        return folder;
    }

    public int port() {
        return port;
    }

    /** The agent's process. */
    public Child agent() {
        return agent;
    }

    /** How much of the disk the repository's chunks take. */
    public long containerBytes() throws IOException {
        Path containers = folder.resolve("repository/containers");
        long bytes = 0;
        if (Files.notExists(containers)) {
            return bytes; // Nothing has been put yet.
        }
        try (Stream<Path> files = Files.walk(containers)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                bytes += Files.size(file);
            }
        }
        return bytes;
    }

    @Override
    public void close() {
        agent.stop(GRACE);
    }
}
