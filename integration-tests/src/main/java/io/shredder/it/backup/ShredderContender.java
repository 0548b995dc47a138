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
import java.util.Optional;
import java.util.Set;

/** This project's agent as a daemon and its server's commands, by TLS on the loopback address, with default options. */
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
    private final Children children;
    private final Manner manner;
    private Optional<Child> agent = Optional.empty();

    private ShredderContender(Path bin, Path folder, Sources sources, Children children, Manner manner) {
        this.bin = bin;
        this.folder = folder;
        this.sources = sources;
        this.children = children;
        this.manner = manner;
    }

    /**
     * Makes certificates and a repository key, and starts the agent on an empty repository.
     *
     * @param root the checkout, built
     */
    public static ShredderContender open(Path root, Path folder, Sources sources, Children children)
            throws IOException, InterruptedException {
        return open(root, folder, sources, children, Manner.USUAL);
    }

    /** The same in another manner, whose way it owns. */
    public static ShredderContender open(Path root, Path folder, Sources sources, Children children, Manner manner)
            throws IOException, InterruptedException {
        Path bin = root.resolve("bin");
        Files.writeString(rightsOf(folder), RIGHTS);
        var made = new ShredderContender(bin, folder, sources, children, manner);
        made.run(
                "backup-agent",
                "certs",
                "--out",
                certificatesOf(folder),
                "--agent-host",
                "127.0.0.1",
                "--client",
                CLIENT);
        made.run("shredder-backup", "key", "create", keyOf(folder), "--new-secret-file", secretOf(folder));
        made.startAgent();
        return made;
    }

    private void startAgent() throws IOException, InterruptedException {
        Files.deleteIfExists(portOf(folder));
        var words = new ArrayList<Object>(List.of("serve", "--repo", repository()));
        words.addAll(List.of("--listen", "127.0.0.1:0", "--port-file", portOf(folder), "--rights", rightsOf(folder)));
        words.addAll(identity("agent"));
        Child serving = children.start(command("backup-agent", words));
        agent = Optional.of(serving);
        Condition.await("the backup agent", START_LIMIT, List.of(serving), () -> Files.exists(portOf(folder)));
    }

    private void stopAgent() {
        agent.ifPresent(running -> running.stop(STOP_GRACE));
        agent = Optional.empty();
    }

    /** The agent runs, unless the repository is to be opened without it. */
    @Override
    public void prepare(Operation operation) throws IOException, InterruptedException {
        if (operation == Operation.LOCAL_RESTORE) {
            stopAgent();
        } else if (agent.isEmpty()) {
            startAgent();
        }
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
        return agent.stream().map(Child::pid).toList();
    }

    @Override
    public List<Invocation> commands(Operation operation) throws IOException, InterruptedException {
        List<Object> words =
                switch (operation) {
                    case FIRST, UNCHANGED, CHANGED -> backup(operation);
                    case RESTORE, LOCAL_RESTORE -> List.of("restore", SERIES, "--to", restored(), "--json");
                    case VERIFY -> List.of("verify", "--json");
                    case PRUNE -> List.of("prune", "--keep-last", 1, "--gc", "--json", SERIES);
                };
        var all = new ArrayList<>(words);
        if (operation == Operation.LOCAL_RESTORE) {
            all.addAll(List.of("--repo", repository()));
        } else {
            all.addAll(List.of("--agent", "127.0.0.1:" + manner.way().to(agentPort())));
            all.addAll(identity("client-" + CLIENT));
        }
        if (sealsOrOpens(operation)) {
            all.addAll(List.of("--repository-key", keyOf(folder), "--secret-file", secretOf(folder)));
        }
        if (operation != Operation.VERIFY && operation != Operation.PRUNE) {
            all.addAll(List.of("--state", folder.resolve("state")));
        }
        return List.of(new Invocation(folder, program("shredder-backup", all)));
    }

    private List<Object> backup(Operation operation) {
        var words =
                new ArrayList<Object>(List.of("backup", sources.of(operation).resolve(Sources.FILE)));
        words.addAll(List.of("--name", SERIES, "--cache", folder.resolve("cache"), "--json"));
        words.addAll(manner.backupOptions());
        return words;
    }

    private int agentPort() throws IOException {
        return Integer.parseInt(Files.readString(portOf(folder)).strip());
    }

    private static boolean sealsOrOpens(Operation operation) {
        return operation != Operation.VERIFY;
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
        stopAgent();
        manner.way().close();
    }

    private List<Object> identity(String name) {
        Path certificates = certificatesOf(folder);
        return List.of(
                "--cert", certificates.resolve(name + ".crt"),
                "--key", certificates.resolve(name + ".key"),
                "--ca", certificates.resolve("ca.crt"));
    }

    private static Path certificatesOf(Path folder) {
        return folder.resolve("certificates");
    }

    private static Path rightsOf(Path folder) {
        return folder.resolve("rights.yaml");
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

    private void run(String program, Object... arguments) throws IOException, InterruptedException {
        children.run(command(program, List.of(arguments)));
    }

    private Command command(String program, List<Object> arguments) {
        return new Command(program, program(program, arguments), Map.of(), folder, folder.resolve("agent.log"));
    }

    private List<String> program(String name, List<Object> arguments) {
        var words = new ArrayList<>(manner.prefix());
        words.add(bin.resolve(name).toString());
        arguments.forEach(argument -> words.add(argument.toString()));
        return words;
    }
}
