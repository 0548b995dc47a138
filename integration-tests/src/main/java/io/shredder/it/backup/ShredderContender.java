// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.backup;

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
import java.util.Set;
import java.util.stream.Stream;

/** This project's agent as a daemon and its server's commands, over TLS on the loopback address, with default options. */
public final class ShredderContender implements Contender {
    /** As on the command line. */
    public static final String NAME = "shredder";

    private static final String SERIES = "disk";
    private static final String CLIENT = "bars";
    private static final Duration START_LIMIT = Duration.ofMinutes(1);
    private static final Duration STOP_GRACE = Duration.ofSeconds(20);
    private static final String RIGHTS = "clients:\n  " + CLIENT + ":\n    rights: [append, restore, prune]\n";

    private final Path bin;
    private final Path folder;
    private final Sources sources;
    private final Child agent;

    private ShredderContender(Path bin, Path folder, Sources sources, Child agent) {
        this.bin = bin;
        this.folder = folder;
        this.sources = sources;
        this.agent = agent;
    }

    /**
     * Makes certificates and a repository key, and starts the agent on an empty repository.
     *
     * @param root the checkout, built
     */
    public static ShredderContender open(Path root, Path folder, Sources sources, Children children)
            throws IOException, InterruptedException {
        Path bin = root.resolve("bin");
        Path certificates = folder.resolve("certificates");
        Path rights = Files.writeString(folder.resolve("rights.yaml"), RIGHTS);
        String agent = bin.resolve("backup-agent").toString();
        run(children, folder, agent, "certs", "--out", certificates, "--agent-host", "127.0.0.1", "--client", CLIENT);
        String server = bin.resolve("shredder-backup").toString();
        run(children, folder, server, "key", "create", keyOf(folder), "--new-secret-file", secretOf(folder));
        var words = new ArrayList<Object>(List.of(agent, "serve", "--repo", folder.resolve("repository")));
        words.addAll(List.of("--listen", "127.0.0.1:0", "--port-file", portOf(folder), "--rights", rights));
        words.addAll(identity(certificates, "agent"));
        Child serving = children.start(command(folder, words.toArray()));
        Condition.await("the backup agent", START_LIMIT, List.of(serving), () -> Files.exists(portOf(folder)));
        return new ShredderContender(bin, folder, sources, serving);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Set<Operation> operations() {
        return Set.of(Operation.values());
    }

    @Override
    public List<Long> daemons() {
        return List.of(agent.pid());
    }

    @Override
    public List<Invocation> commands(Operation operation) throws IOException {
        List<Object> words =
                switch (operation) {
                    case FIRST, UNCHANGED, CHANGED ->
                        List.of(
                                "backup",
                                sources.of(operation).resolve(Sources.FILE),
                                "--name",
                                SERIES,
                                "--cache",
                                folder.resolve("cache"),
                                "--json");
                    case RESTORE -> List.of("restore", SERIES, "--to", restored());
                    case VERIFY -> List.of("verify", "--json");
                    case PRUNE -> List.of("prune", "--keep-last", 1, "--gc", "--json", SERIES);
                };
        return List.of(server(words, sealsOrOpens(operation)));
    }

    private static boolean sealsOrOpens(Operation operation) {
        return operation != Operation.VERIFY && operation != Operation.PRUNE;
    }

    private Invocation server(List<Object> command, boolean withKey) throws IOException {
        var words = new ArrayList<Object>(List.of(bin.resolve("shredder-backup")));
        words.addAll(command);
        words.addAll(List.of(
                "--agent", "127.0.0.1:" + Files.readString(portOf(folder)).strip()));
        words.addAll(identity(folder.resolve("certificates"), "client-" + CLIENT));
        if (withKey) {
            words.addAll(List.of("--repository-key", keyOf(folder), "--secret-file", secretOf(folder)));
        }
        return new Invocation(folder, words.stream().map(Object::toString).toList());
    }

    @Override
    public Path repository() {
        return folder.resolve("repository");
    }

    @Override
    public Path restored() {
        return folder.resolve("restored.img");
    }

    /** Stops the agent. */
    @Override
    public void close() {
        agent.stop(STOP_GRACE);
    }

    private static List<Object> identity(Path certificates, String name) {
        return List.of(
                "--cert", certificates.resolve(name + ".crt"),
                "--key", certificates.resolve(name + ".key"),
                "--ca", certificates.resolve("ca.crt"));
    }

    private static Path keyOf(Path folder) {
        return folder.resolve("repository.key");
    }

    private static Path secretOf(Path folder) {
        return folder.resolve("repository.secret");
    }

    private static Path portOf(Path folder) {
        return folder.resolve("agent-port");
    }

    private static void run(Children children, Path folder, Object... words) throws IOException, InterruptedException {
        children.run(command(folder, words));
    }

    private static Command command(Path folder, Object... words) {
        List<String> texts = Stream.of(words).map(Object::toString).toList();
        return new Command(texts.get(0), texts, Map.of(), folder, folder.resolve("agent.log"));
    }
}
