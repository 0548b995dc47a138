// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.it.process.Child;
import io.shredder.it.process.Children;
import io.shredder.it.process.Command;
import io.shredder.it.process.Condition;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An agent with a store, and the commands of its clients, all by the programs in {@code bin}. One thread. */
final class ProgramSite {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final String SERIES = "vm";
    private static final Path BIN = Path.of("..", "bin").toAbsolutePath().normalize();

    private final Path folder;
    private final Path identities;
    private final URI store;
    private final Path hadoopConf;
    private final Children children;
    private Optional<Child> agent = Optional.empty();
    private byte[] last = new byte[0];

    /** A folder of its own, and one with certificates and key. */
    ProgramSite(Path folder, Path identities, URI store, Path hadoopConf, Children children) throws IOException {
        this.folder = folder;
        this.identities = identities;
        this.store = store;
        this.hadoopConf = hadoopConf;
        this.children = children;
        Files.writeString(folder.resolve("rights.yaml"), "clients:\n  site1:\n    rights: [append, restore, prune]\n");
    }

    /** Makes certificates and a repository key, for several sites. */
    static Path makeIdentities(Path work, Children children) throws IOException, InterruptedException {
        Path folder = Files.createDirectories(work.resolve("identities"));
        var certificates = List.of("certs", "--out", ".", "--agent-host", "127.0.0.1", "--client", "site1");
        children.run(command("backup-agent", certificates, Map.of(), folder));
        var key = List.of("key", "create", "site.key", "--new-secret-file", "site.secret");
        children.run(command("shredder-backup", key, Map.of(), folder));
        return folder;
    }

    /** What was backed up last. */
    byte[] last() {
        return last;
    }

    private static Command command(
            String program, List<String> arguments, Map<String, String> environment, Path folder) {
        List<String> words = new ArrayList<>(List.of(BIN.resolve(program).toString()));
        words.addAll(arguments);
        return new Command(program, words, environment, folder, folder.resolve("log"));
    }

    private Command agentCommand(List<String> arguments) {
        return command("backup-agent", arguments, Map.of("HADOOP_CONF_DIR", hadoopConf.toString()), folder);
    }

    private List<String> identity(String name) {
        return List.of(
                "--cert", identities.resolve(name + ".crt").toString(),
                "--key", identities.resolve(name + ".key").toString(),
                "--ca", identities.resolve("ca.crt").toString());
    }

    /** Starts it with this folder for its index. */
    void startAgent(String repository) throws IOException, InterruptedException {
        Path port = folder.resolve("port");
        Files.deleteIfExists(port);
        List<String> words = new ArrayList<>(List.of("serve", "--repo", repository, "--store", store.toString()));
        words.addAll(List.of("--listen", "127.0.0.1:0", "--port-file", "port", "--rights", "rights.yaml"));
        words.addAll(identity("agent"));
        Child started = children.start(agentCommand(words));
        Condition.await("the agent", LIMIT, List.of(started), () -> Files.exists(port));
        agent = Optional.of(started);
    }

    /** {@code kill -9}. */
    void killAgent() {
        agent.orElseThrow().kill();
    }

    void stopAgent() throws IOException, InterruptedException {
        Child running = agent.orElseThrow();
        running.requestStop();
        running.waitForSuccess();
    }

    void rebuildIndex(String repository) throws IOException, InterruptedException {
        children.run(agentCommand(List.of("rebuild-index", "--repo", repository, "--store", store.toString())));
    }

    /** Runs a command that talks to the agent. */
    void server(String... arguments) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(arguments));
        words.addAll(List.of(
                "--agent",
                "127.0.0.1:" + Files.readString(folder.resolve("port")).strip()));
        words.addAll(identity("client-site1"));
        children.run(command("shredder-backup", words, Map.of(), folder));
    }

    /** Prunes by rules, which count what the key proves. */
    void prune(String... arguments) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("prune"));
        words.addAll(Arrays.asList(arguments));
        withKey(words);
    }

    private void sealing(String... arguments) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(Arrays.asList(arguments));
        words.addAll(List.of("--state", "state"));
        withKey(words);
    }

    private void withKey(List<String> words) throws IOException, InterruptedException {
        words.addAll(List.of("--repository-key", identities.resolve("site.key").toString()));
        words.addAll(List.of("--secret-file", identities.resolve("site.secret").toString()));
        server(words.toArray(String[]::new));
    }

    void backUp(byte[] image) throws IOException, InterruptedException {
        Files.write(folder.resolve("image"), image);
        sealing("backup", "image", "--name", SERIES, "--cache", "cache");
        last = image;
    }

    /** Takes the agent for right, whatever it was before. */
    void accept() throws IOException, InterruptedException {
        sealing("accept", SERIES);
    }

    void restoreAndCompare(byte[] image) throws IOException, InterruptedException {
        Path restored = folder.resolve("restored");
        Files.deleteIfExists(restored);
        sealing("restore", SERIES, "--to", "restored");
        assertThat(Arrays.equals(Files.readAllBytes(restored), image))
                .as("restored as it was")
                .isTrue();
    }
}
